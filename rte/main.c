#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/command.h"
#include "base/banned.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
	{ "record", cmd_record, "record a session: a trace and a script" },
	{ "import", cmd_import, "turn recordings of other tools into traces" },
	{ "script", cmd_script, "write a script from a recording" },
	{ "play", cmd_play, "replay a script as one user" },
	{ "test", cmd_test, "run scripts as tests, with golden screens" },
	{ "run", cmd_run, "replay scripts as many users and measure" },
	{ "watch", cmd_watch, "look at a run that goes on, and over its users' shoulders" },
	{ "ctl", cmd_ctl, "steer a run that goes on: users, pause, next phase, stop" },
	{ "screen", cmd_screen, "what a terminal shows of raw bytes or of a trace" },
	{ "report", cmd_report, "print what a run measured, from its run directory" },
	{ "compare", cmd_compare, "put runs side by side" },
	{ "version", cmd_version, "print the version" },
};

static void print_help(FILE *to)
{
	fputs("Usage: rte VERB [ARG...]\n\n"
	      "Records a session with a full-screen terminal application, replays it as one or\n"
	      "thousands of emulated users, and measures response times. Verbs:\n\n",
		to);
	for (size_t i = 0; i < B_ARRAY_LEN(commands); i++)
		fprintf(to, "  %-8s  %s\n", commands[i].name, commands[i].help);
	fputs("\n`rte VERB --help` documents each; so does the manual page rte(1).\n", to);
}

/* The nearest verb, for a message about a mistyped one: the one with the longest common start. */
static const char *nearest(const char *name)
{
	const char *best = NULL;
	size_t best_len = 0;

	for (size_t i = 0; i < B_ARRAY_LEN(commands); i++) {
		size_t n = 0;

		while (name[n] && name[n] == commands[i].name[n])
			n++;
		if (n > best_len) {
			best = commands[i].name;
			best_len = n;
		}
	}
	return best;
}

/* A standard descriptor that the caller closed would be the next file that is opened: a message
   would stand in the data. What is opened here fails when it is used, as a closed one does. */
static void standard_open(void)
{
	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) < 0)
			return;
}

/* What was said on standard output has arrived, or the exit status says that it has not. */
static int said(int status)
{
	if (!ferror(stdout) && !fflush(stdout))
		return status;
	if (status != B_EXIT_OK)
		return status;
	b_error("cannot write standard output: %s", strerror(errno));
	return B_EXIT_ENV;
}

static int verb_run(int argc, char **argv)
{
	const char *verb, *near;
	char name[64], help_option[] = "--help";

	if (argc < 2) {
		print_help(stderr);
		return B_EXIT_USAGE;
	}
	/* rte help VERB is rte VERB --help. */
	if (!strcmp(argv[1], "help") && argc == 3) {
		argv[1] = argv[2];
		argv[2] = help_option;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return B_EXIT_OK;
	}
	verb = argv[1];
	if (!strcmp(verb, "--version") || !strcmp(verb, "-V"))
		verb = "version";
	for (size_t i = 0; i < B_ARRAY_LEN(commands); i++) {
		if (strcmp(verb, commands[i].name))
			continue;
		snprintf(name, sizeof name, "rte %s", commands[i].name);
		argv[1] = name;
		return commands[i].run(argc - 1, argv + 1);
	}
	near = nearest(verb);
	if (near)
		b_error("no verb '%s'; did you mean '%s'? See rte --help", verb, near);
	else
		b_error("no verb '%s'; see rte --help", verb);
	return B_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	standard_open();
	setlocale(LC_CTYPE, "");
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a write past the limit fails with a message instead */
	return said(verb_run(argc, argv));
}
