#include <errno.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "rte/command.h"
#include "rte/control.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte ctl RUN_DIR ACTION\n"
	"\n"
	"Steers a run that goes on, by its run directory. What is done is put down in run.json and\n"
	"marked in the report. Actions:\n"
	"\n"
	"  users N    so many users: more log in, or those with the highest numbers log out\n"
	"  pause      users finish what they are at and begin nothing new; the phases go on\n"
	"  resume     they go on, as far apart as they were\n"
	"  next       the next phase begins now\n"
	"  stop       users finish what they are at and log out, as after Ctrl-C\n"
	"  stop now   what goes on is cut off, as after the second Ctrl-C\n"
	"  state      print the state of the run as one JSON object\n"
	"\n"
	"      --help this text\n"
	"\n"
	"Exit status: 0 done; 1 it cannot be done now; 2 wrong usage; 3 no run goes on there.\n";

static int usage(const char *why)
{
	b_error("%s; see rte ctl --help", why);
	return B_EXIT_USAGE;
}

static bool is_action(const char *act)
{
	static const char *const known[] = { "pause", "resume", "next", "stop", "stop now",
		"state" };

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(act, known[i]))
			return true;
	return !strncmp(act, "users ", 6) && act[6] && !act[6 + strspn(act + 6, "0123456789")];
}

/* Says a line and gives what the run answers; NULL when it is gone. */
static json_t *converse(FILE *from, const char *line)
{
	struct b_buf b = B_BUF_INIT;
	json_error_t why;
	ssize_t n;

	b_buf_printf(&b, "%s\n", line);
	n = send(fileno(from), b.data, b.len, MSG_NOSIGNAL);
	b_buf_release(&b);
	return n < 0 ? NULL : json_loadf(from, JSON_DISABLE_EOF_CHECK, &why);
}

static enum b_exit tell(const char *dir, const json_t *o)
{
	const char *text = json_string_value(json_object_get(o, "text"));

	if (!text) {
		b_error("the run in %s ended before it answered", dir);
		return B_EXIT_ENV;
	}
	if (!json_is_true(json_object_get(o, "ok"))) {
		b_error("%s", text);
		return B_EXIT_FAILED;
	}
	printf("%s\n", text);
	return B_EXIT_OK;
}

static enum b_exit ask(const char *dir, int fd, const char *act)
{
	FILE *run = fdopen(fd, "r");
	bool looks = !strcmp(act, "state");
	enum b_exit status = B_EXIT_OK;
	json_t *o;

	if (!run) {
		b_error("cannot talk to the run in %s: %s", dir, strerror(errno));
		close(fd);
		return B_EXIT_ENV;
	}
	if (!looks)
		json_decref(converse(run, "control ctl"));
	o = converse(run, act);
	if (o && looks) {
		json_dumpf(o, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
		putchar('\n');
	} else {
		status = tell(dir, o);
	}
	json_decref(o);
	fclose(run);
	return status;
}

int cmd_ctl(int argc, char **argv)
{
	static const struct option options[] = { { "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 } };
	struct b_buf act = B_BUF_INIT;
	struct b_error err = { 0 };
	int status;
	int opt, fd;

	while ((opt = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (opt != 'h')
			return usage("wrong option");
		fputs(help, stdout);
		return B_EXIT_OK;
	}
	if (argc - optind < 2)
		return usage("a run directory and an action are needed");
	for (int i = optind + 1; i < argc; i++)
		b_buf_printf(&act, "%s%s", i > optind + 1 ? " " : "", argv[i]);
	if (!is_action(b_buf_cstr(&act))) {
		if (!strcmp(argv[optind + 1], "users"))
			b_error("users wants a number, as in rte ctl %s users 50", argv[optind]);
		else
			b_error("no action '%.40s'; see rte ctl --help", b_buf_cstr(&act));
		status = B_EXIT_USAGE;
	} else if (rte_control_connect(argv[optind], &fd, &err)) {
		b_error("%s", err.text);
		status = (int)b_status_exit(err.code);
	} else {
		status = (int)ask(argv[optind], fd, b_buf_cstr(&act));
	}
	b_buf_release(&act);
	return status;
}
