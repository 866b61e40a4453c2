#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/command.h"
#include "rte/options.h"
#include "rte/play.h"
#include "rte/play_test.h"
#include "rte/script.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte play [OPTION...] SCRIPT.lua[:LINE] [-- COMMAND [ARG...]]\n"
	"\n"
	"Replays a script as one user: login, one iteration, logout, with the recorded rhythm and\n"
	"think times. On failure it shows what was awaited and the screen as it stood. With a line\n"
	"it plays the test there, with all that rte test does before and after it.\n"
	"\n"
	"      --target T        how the user reaches the SUT; -- COMMAND runs it on a pty\n"
	"  -w, --watch           show the screen while it plays\n"
	"      --step            wait before each step: Space does it, c goes on, q ends\n"
	"      --speed X         X times as fast as recorded (1)\n"
	"      --iterations N    so many iterations (1)\n"
	"      --user N          play the part of user N (1), of --users N (N)\n"
	"      --seed N          of the run that is repeated (1)\n"
	"      --typing DIST     gaps between keys    --think DIST   think times\n"
	"      --timeout D       of each wait (60s)   --settle D     unchanged: settled (100ms)\n"
	"      --connect-timeout D (30s)\n"
	"      --set NAME=VALUE  a global of the script; may be repeated\n"
	"      --allow-unsafe    the script may use io, os and require of any file\n"
	"      --help            this text\n"
	"\n"
	"Exit status: 0 all went well; 1 the script failed; 2 wrong usage or a bad script; 3 the SUT\n"
	"cannot be reached.\n";

enum {
	OPT_TARGET = 256,
	OPT_STEP,
	OPT_SPEED,
	OPT_ITERATIONS,
	OPT_USER,
	OPT_USERS,
	OPT_SEED,
	OPT_TYPING,
	OPT_THINK,
	OPT_TIMEOUT,
	OPT_SETTLE,
	OPT_CONNECT_TIMEOUT,
	OPT_SET,
	OPT_UNSAFE,
	OPT_HELP
};

static const struct option options[] = {
	{ "target", required_argument, NULL, OPT_TARGET },
	{ "watch", no_argument, NULL, 'w' },
	{ "step", no_argument, NULL, OPT_STEP },
	{ "speed", required_argument, NULL, OPT_SPEED },
	{ "iterations", required_argument, NULL, OPT_ITERATIONS },
	{ "user", required_argument, NULL, OPT_USER },
	{ "users", required_argument, NULL, OPT_USERS },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "typing", required_argument, NULL, OPT_TYPING },
	{ "think", required_argument, NULL, OPT_THINK },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "settle", required_argument, NULL, OPT_SETTLE },
	{ "connect-timeout", required_argument, NULL, OPT_CONNECT_TIMEOUT },
	{ "set", required_argument, NULL, OPT_SET },
	{ "allow-unsafe", no_argument, NULL, OPT_UNSAFE },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

struct play_args {
	struct rte_workload w;
	struct rte_play_options play;
	struct rte_play_test *test;
	double speed;
	bool users_given;
	bool help;
};

static int option_take(struct play_args *a, int opt, const char *arg, struct b_error *err)
{
	struct rte_workload *w = &a->w;
	int64_t n;
	int rc;

	switch (opt) {
	case OPT_TARGET: rte_workload_string_add(&w->targets, &w->n_targets, arg); return B_OK;
	case 'w': a->play.watch = true; return B_OK;
	case OPT_STEP: a->play.step = true; return B_OK;
	case OPT_SPEED:
		if (b_parse_double(arg, &a->speed) || a->speed <= 0)
			return b_error_set(err, B_EUSAGE, "--speed '%s' is no number above 0", arg);
		return B_OK;
	case OPT_ITERATIONS:
		return rte_option_number("iterations", arg, 1, INT64_MAX / 2, &w->iterations, err);
	case OPT_USER: return rte_option_number("user", arg, 1, RTE_USERS_MAX, &a->play.user, err);
	case OPT_USERS:
		a->users_given = true;
		return rte_option_number("users", arg, 1, RTE_USERS_MAX, &w->users, err);
	case OPT_SEED:
		rc = rte_option_number("seed", arg, 0, INT64_MAX, &n, err);
		if (!rc)
			w->seed = (uint64_t)n;
		return rc;
	case OPT_TYPING: return rte_option_dist("typing", arg, &w->typing, err);
	case OPT_THINK: return rte_option_dist("think", arg, &w->think, err);
	case OPT_TIMEOUT: return rte_option_span("timeout", arg, &w->timeout_ns, err);
	case OPT_SETTLE: return rte_option_duration("settle", arg, &w->settle_ns, err);
	case OPT_CONNECT_TIMEOUT:
		return rte_option_span("connect-timeout", arg, &w->connect_timeout_ns, err);
	case OPT_SET: return rte_option_set(w, arg, err);
	case OPT_UNSAFE: w->allow_unsafe = true; return B_OK;
	case 'h':
	case OPT_HELP: a->help = true; return B_OK;
	default: return b_error_set(err, B_EUSAGE, "see rte play --help");
	}
}

/* Recorded rhythm and thoughts, scaled, where nothing else was said. */
static void speed_apply(struct play_args *a)
{
	struct b_dist recorded = { .kind = B_DIST_RECORDED, .p = { 1 / a->speed } };

	if (a->speed >= 1 && a->speed <= 1)
		return;
	if (a->w.typing.kind == B_DIST_UNSET)
		a->w.typing = recorded;
	if (a->w.think.kind == B_DIST_UNSET)
		a->w.think = recorded;
}

static int script_take(struct play_args *a, const char *arg, struct b_error *err)
{
	bool workload = false;
	int rc;

	if (rte_play_test_is(arg))
		return rte_play_test_begin(&a->test, arg, &a->w, &a->play.dir, &a->play.user, err);
	rc = rte_script_is_workload(arg, &workload, err);
	if (!rc && workload)
		rc = b_error_set(err, B_EUSAGE,
			"%s is a workload; play one of its scripts, or rte run it", arg);
	return rc ? rc : rte_workload_script_add(&a->w, arg, err);
}

static int args_take(
	struct play_args *a, int argc, char **argv, char **command, struct b_error *err)
{
	int opt, rc = B_OK;

	while (!rc && (opt = getopt_long(argc, argv, "wh", options, NULL)) != -1)
		rc = option_take(a, opt, optarg, err);
	if (rc || a->help)
		return rc;
	if (argc == optind)
		return b_error_set(err, B_EUSAGE, "no script; see rte play --help");
	if (argc - optind > 1)
		return b_error_set(err, B_EUSAGE,
			"one script at a time, and a command behind --, not '%s'; see rte play --help",
			argv[optind + 1]);
	if (command)
		rc = rte_option_command(&a->w, command, err);
	if (!rc)
		rc = script_take(a, argv[optind], err);
	if (!rc && a->users_given && a->w.users < a->play.user)
		return b_error_set(err, B_EUSAGE,
			"--user %lld is not one of --users %lld; users count from 1",
			(long long)a->play.user, (long long)a->w.users);
	if (a->w.users < a->play.user)
		a->w.users = a->play.user;
	speed_apply(a);
	return rc ? rc : rte_workload_check(&a->w, err);
}

int cmd_play(int argc, char **argv)
{
	struct play_args a = { .play = { .user = 1 }, .speed = 1 };
	struct b_error err = { 0 };
	enum b_exit status;
	char **command;

	rte_workload_init(&a.w);
	a.w.iterations = 1;
	a.w.connect_retries = 0;
	a.w.on_error = RTE_ON_ERROR_STOP;
	a.w.patient = true;
	a.w.seed = 1;
	a.w.seed_set = true;
	command = rte_options_command(&argc, argv);
	if (args_take(&a, argc, argv, command, &err)) {
		b_error("%s", err.text);
		status = b_status_exit(err.code);
	} else if (a.help) {
		fputs(help, stdout);
		status = B_EXIT_OK;
	} else {
		status = rte_play(&a.w, &a.play);
	}
	err.code = 0;
	if (rte_play_test_end(a.test, &err)) {
		b_error("%s", err.text);
		status = status == B_EXIT_OK ? B_EXIT_FAILED : status;
	}
	rte_workload_release(&a.w);
	return (int)status;
}
