/* sut MODE [ARG...]: a system under test that misbehaves in one chosen way. */
#include "tests/support/sut/sut.h"

#include <fcntl.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

static const struct {
	const char *name, *args, *what;
	sut_mode_fn *fn;
} modes[] = {
	{ "echo", "", "the plain conversation, for comparison", sut_echo },
	{ "late", "[MS=1500]", "echo, MS of silence, then the answer", sut_late },
	{ "bursts", "[N=3 [MS=200]]", "the answer in N pieces, MS in front of each", sut_bursts },
	{ "spinner", "[MS=1200]", "a progress mark for MS, then the answer", sut_spinner },
	{ "silent", "", "reads all, writes nothing", sut_silent },
	{ "deaf", "", "says 'deaf' and never reads", sut_deaf },
	{ "bell", "", "answers a line with a bell alone", sut_bell },
	{ "clock", "[MS=1000]", "a form with a clock that ticks: never quiet", sut_clock },
	{ "dribble", "[MS=10]", "the answer a byte at a time", sut_dribble },
	{ "slow-start", "[MS=600]", "drops what is typed in the first MS", sut_slow_start },
	{ "sync", "[MS=100]", "the answer inside a synchronised update of MS; -1: never closed",
		sut_sync },
	{ "flood", "[KIB_PER_S=0]", "output without end, 0: as fast as it is taken", sut_flood },
	{ "flood-stop", "[BYTES=1048576]", "BYTES of noise, then the answer", sut_flood_stop },
	{ "exit", "[N=0 [MS=0]]", "exits with status N, after MS", sut_exit },
	{ "signal", "[SIG=15 [MS=0]]", "kills itself", sut_signal },
	{ "die-write", "[LINE=1 [N=3]]", "exits with N in the middle of the answer to line LINE",
		sut_die_write },
	{ "die-at", "[BYTE=1 [N=3]]", "exits with N on reading input byte BYTE", sut_die_at },
	{ "last-words", "[BYTES=1000]", "prints BYTES and 'last words', exits at once",
		sut_last_words },
	{ "half-open", "[S=20]", "closes the line and lives on for S seconds", sut_half_open },
	{ "no-hup", "[S=20]", "ignores SIGHUP and SIGTERM, lives on for S seconds after the line",
		sut_no_hup },
	{ "stop", "", "the line 'stop' stops the process (SIGSTOP)", sut_stop },
	{ "leave-modes", "[SIG=0]", "ends (by SIG) and leaves every terminal mode on",
		sut_leave_modes },
	{ "hostile", "[NAME|--list]", "answers with hostile bytes; a line names one, empty: all",
		sut_hostile },
	{ "ask", "[MS=300]", "sends DA, DSR, CPR, OSC queries, prints the answers in hex",
		sut_ask },
	{ "resize", "", "prints 'size COLSxROWS change N' at every SIGWINCH; q ends", sut_resize },
	{ "password", "", "user name; password with ECHO off; 'welcome NAME ... hash H'",
		sut_password },
	{ "password-stars", "", "the same as a screen that paints asterisks", sut_password_stars },
	{ "password-blank", "", "the same as a screen that paints nothing", sut_password_blank },
	{ "env", "", "prints TERM, size, session, descriptors, signals; ends", sut_env },
	{ "tcp", "VARIANT [PORT=0]", "server on 127.0.0.1; prints 'port N' first", sut_tcp },
};

static void usage(FILE *f)
{
	fputs("usage: sut [--keys FILE] [--life SECONDS] MODE [ARG...]\n"
	      "A system under test that misbehaves. Run it on a pty, or as a TCP server.\n\n"
	      "  --keys FILE      append every input byte to FILE, as it is\n"
	      "  --life SECONDS   end by SIGALRM after SECONDS (default 120)\n\n"
	      "The plain conversation: prompt '> ', a line with echo, the answer 'N: LINE', the\n"
	      "prompt again; the line 'quit', C-d or end of file ends it with status 0.\n\nModes:\n",
		f);
	for (size_t i = 0; i < B_ARRAY_LEN(modes); i++) {
		char head[48];

		snprintf(head, sizeof head, "%s %s", modes[i].name, modes[i].args);
		fprintf(f, "  %-26s %s\n", head, modes[i].what);
	}
	fputs("\nVariants of tcp:\n"
	      "  echo           the plain conversation with every connection\n"
	      "  late           sut tcp late PORT MS: the conversation of mode late\n"
	      "  mute           accepts, reads, never writes\n"
	      "  deaf           accepts, says 'deaf', never reads\n"
	      "  no-accept      listens with the shortest queue and never accepts\n"
	      "  reset-half     resets every second connection at once\n"
	      "  refuse         sut tcp refuse PORT MS=500: open and shut in turn, MS each\n"
	      "  close-middle   closes in the middle of the first answer\n"
	      "  reset-middle   resets in the middle of the first answer\n"
	      "  half-close     sends the prompt, then closes its sending side only\n",
		f);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "keys", required_argument, NULL, 'k' },
		{ "life", required_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct sut s = { .in = STDIN_FILENO, .out = STDOUT_FILENO, .keys = -1 };
	int64_t life_s = 120;
	int opt;

	/* The leading + stops at MODE: what follows is the mode's own. */
	while ((opt = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (opt) {
		case 'k':
			s.keys = open(optarg, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
			if (s.keys < 0) {
				fprintf(stderr, "sut: cannot open %s: %s\n", optarg,
					strerror(errno));
				return 3;
			}
			break;
		case 'l':
			if (b_parse_int(optarg, 1, 86400, &life_s)) {
				fprintf(stderr, "sut: --life wants seconds, not '%s'\n", optarg);
				return 2;
			}
			break;
		case 'h': usage(stdout); return 0;
		default: return 2;
		}
	}
	if (optind == argc) {
		usage(stderr);
		return 2;
	}
	alarm((unsigned)life_s);
	s.argc = argc - optind - 1;
	s.argv = argv + optind + 1;
	for (size_t i = 0; i < B_ARRAY_LEN(modes); i++)
		if (!strcmp(modes[i].name, argv[optind]))
			return modes[i].fn(&s);
	fprintf(stderr, "sut: no mode '%s'; sut --help lists them\n", argv[optind]);
	return 2;
}
