/* rte record: a session between this terminal and an application, as trace and script. */
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "capture/record.h"
#include "line/line.h"
#include "rte/command.h"
#include "rte/recording.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte record [OPTION...] [--target TARGET | -- COMMAND [ARG...]]\n\n"
	"Runs COMMAND (default: your shell) on a terminal of its own, or connects to TARGET, and\n"
	"records what you type and what you see. At its end it writes NAME.cast, the recording\n"
	"(asciicast v2), and NAME.lua, a script that replays it: rte play NAME.lua.\n"
	"Files of that name that are there already are kept as NAME.cast~ and NAME.lua~.\n\n"
	"  -o, --output NAME        name of both files (default: session-DATE-TIME)\n"
	"      --target TARGET      pty:COMMAND, tcp://HOST:PORT, ...; see rte(1)\n"
	"      --term TERM          terminal type told to the application (default: $TERM)\n"
	"      --size COLSxROWS     window size, when standard input is no terminal (default: 80x24)\n"
	"      --prefix KEY|none    key in front of the recorder's own keys (default: C-])\n"
	"      --secret-label PATTERN  labels that ask for a secret, besides the usual ones\n"
	"                           (POSIX extended regular expression, case does not count)\n"
	"      --no-script          write the recording only\n"
	"  -h, --help               print this\n\n"
	"C-] followed by:  b begin and name a transaction  e end it  g golden screen\n"
	"  m mask a rectangle  c comment  s secret on or off  p pause  q stop  ? help\n"
	"  C-] send it to the application\n\n"
	"Passwords stay out of both files: what is typed while the terminal's echo is off, what\n"
	"shows as asterisks, and what shows as nothing behind a label like \"Password:\". The\n"
	"script then has the secret's name, and the replay takes it from RTE_SECRET_NAME.\n\n"
	"Standard input may be a pipe of keystrokes. They are typed one group after the other, as\n"
	"the application answers; when they end before the application does, it is hung up 3 s\n"
	"after its last output.\n\n"
	"Exit status: the application's own, 128+N when signal N ended it; 0 after C-] q; 2 wrong\n"
	"usage; 3 the application could not be started or reached.\n";

struct options {
	const char *output, *target, *term, *prefix, *label;
	int rows, cols;
	bool no_script;
};

static int parse(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "target", required_argument, NULL, 't' },
		{ "term", required_argument, NULL, 'T' },
		{ "size", required_argument, NULL, 's' },
		{ "prefix", required_argument, NULL, 'p' },
		{ "secret-label", required_argument, NULL, 'l' },
		{ "no-script", no_argument, NULL, 'n' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+o:h", longs, NULL)) != -1) {
		switch (c) {
		case 'o': o->output = optarg; break;
		case 't': o->target = optarg; break;
		case 'T': o->term = optarg; break;
		case 's':
			if (b_parse_size(optarg, &o->cols, &o->rows)) {
				b_error("--size '%s' is no size; write COLSxROWS, as in 80x24",
					optarg);
				return B_EXIT_USAGE;
			}
			break;
		case 'p': o->prefix = strcmp(optarg, "none") ? optarg : NULL; break;
		case 'l': o->label = optarg; break;
		case 'n': o->no_script = true; break;
		case 'h': fputs(help, stdout); return -1;
		default: b_error("see rte record --help"); return B_EXIT_USAGE;
		}
	}
	if (o->target && optind < argc) {
		b_error("both --target and the command '%s' are given; give one", argv[optind]);
		return B_EXIT_USAGE;
	}
	return B_EXIT_OK;
}

static int find_target(
	struct ln_target **out, const struct options *o, char *const *command, struct b_error *err)
{
	const char *shell = getenv("SHELL");
	char *const words[] = { (char *)(uintptr_t)(shell && *shell ? shell : "/bin/sh"), NULL };

	if (o->target)
		return ln_target_parse(out, o->target, err);
	return ln_target_command(out, *command ? command : words, err);
}

/* The type of the terminal that the application is to find. */
static const char *find_term(const struct options *o)
{
	const char *term = getenv("TERM");

	if (o->term)
		return o->term;
	if (term && *term && strcmp(term, "unknown"))
		return term;
	/* Without a person's terminal the recorder itself is one. */
	if (!isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO))
		return "xterm-256color";
	b_error("TERM is not set, so the application cannot know this terminal; set it, or give "
		"--term xterm-256color");
	return NULL;
}

static void default_name(struct b_buf *out)
{
	time_t now = time(NULL);
	char name[64] = "session";
	struct tm tm;

	if (localtime_r(&now, &tm))
		strftime(name, sizeof name, "session-%Y%m%d-%H%M%S", &tm);
	b_buf_adds(out, name);
}

static void base_name(const struct options *o, struct b_buf *out)
{
	if (o->output && *o->output)
		rte_recording_name(out, o->output);
	else
		default_name(out);
}

static int finish(const struct options *o, const struct cap_record_result *r, const char *base,
	const char *trace_path)
{
	int status = r->signal ? 128 + r->signal : r->stopped ? B_EXIT_OK : r->status;
	struct b_buf script_path = B_BUF_INIT;
	bool written = false;

	rte_recording_warn(&r->notes);
	if (!r->whole && status == B_EXIT_OK)
		status = B_EXIT_ENV;
	b_buf_printf(&script_path, "%s.lua", base);
	if (!o->no_script) {
		int rc;

		/* Typed as the application ended, C-c was for it. */
		signal(SIGINT, SIG_IGN);
		rc = rte_recording_write_script(trace_path, base, b_buf_cstr(&script_path));

		written = !rc;
		if (rc && status == B_EXIT_OK)
			status = (int)b_status_exit(rc);
	}
	b_info("recorded %.1fs as %s%s%s", (double)r->duration_ns / 1e9, trace_path,
		written ? ", script " : "", written ? b_buf_cstr(&script_path) : "");
	b_buf_release(&script_path);
	return status;
}

static int record(const struct options *o, struct ln_target *target, const char *term)
{
	struct b_buf base = B_BUF_INIT, trace_path = B_BUF_INIT, script_path = B_BUF_INIT;
	struct cap_record_result result = { 0 };
	struct b_error err = { 0 };
	int status, rc;

	base_name(o, &base);
	b_buf_printf(&trace_path, "%s.cast", b_buf_cstr(&base));
	b_buf_printf(&script_path, "%s.lua", b_buf_cstr(&base));
	/* Told before the session, not after it. */
	if ((!o->no_script && rte_recording_no_folder(b_buf_cstr(&script_path))) ||
		rte_recording_keep_old(b_buf_cstr(&trace_path))) {
		status = B_EXIT_ENV;
		goto out;
	}
	rc = cap_record(
		&(struct cap_record_options){
			.target = target,
			.command = ln_target_is_pty(target)
				? ln_target_text(target) + strlen("pty:")
				: NULL,
			.trace_path = b_buf_cstr(&trace_path),
			.term = term,
			.rows = o->rows,
			.cols = o->cols,
			.prefix = o->prefix,
			.secret_label = o->label,
			.in_fd = STDIN_FILENO,
			.out_fd = STDOUT_FILENO,
		},
		&result, &err);
	if (rc) {
		rte_recording_restore_old(b_buf_cstr(&trace_path));
		b_error("%s", err.text);
		status = (int)b_status_exit(rc);
	} else {
		status = finish(o, &result, b_buf_cstr(&base), b_buf_cstr(&trace_path));
	}
	b_buf_release(&result.notes);
out:
	b_buf_release(&base);
	b_buf_release(&trace_path);
	b_buf_release(&script_path);
	return status;
}

int cmd_record(int argc, char **argv)
{
	struct options o = { .prefix = "C-]" };
	struct ln_target *target = NULL;
	struct b_error err = { 0 };
	const char *term;
	int rc = parse(argc, argv, &o);

	if (rc)
		return rc < 0 ? B_EXIT_OK : rc;
	rc = find_target(&target, &o, argv + optind, &err);
	if (rc) {
		b_error("%s", err.text);
		return (int)b_status_exit(rc);
	}
	term = find_term(&o);
	rc = term ? record(&o, target, term) : B_EXIT_ENV;
	ln_target_free(target);
	return rc;
}
