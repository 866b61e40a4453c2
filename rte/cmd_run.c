#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "report/report.h"
#include "rte/arrivals.h"
#include "rte/attach.h"
#include "rte/command.h"
#include "rte/metrics.h"
#include "rte/options.h"
#include "rte/script.h"
#include "rte/series.h"
#include "rte/stop_when.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte run [OPTION...] WORKLOAD.lua [-- COMMAND [ARG...]]\n"
	"       rte run [OPTION...] SCRIPT.lua[=WEIGHT]... [-- COMMAND [ARG...]]\n"
	"\n"
	"Replays scripts as emulated users, measures response times, writes a run directory and\n"
	"prints the report. Options override what a workload file says.\n"
	"\n"
	"Users and time\n"
	"  -u, --users N           emulated users (1)\n"
	"      --ladder N,N,...    a run for each number of users\n"
	"      --stages 'N T, ...' users by stages, as in '10 1m, 50 5m'\n"
	"      --arrivals R        sessions begin at this rate, as in 5/s or 5/s,const; -u: at most\n"
	"                          so many at a time, --iterations: of each session\n"
	"      --repeat N          each run N times\n"
	"      --every D           again every D, until stopped: a monitor, a line a run\n"
	"      --on-change CMD     with --every: a shell command when the verdict changes, with\n"
	"                          RTE_VERDICT, RTE_VERDICT_WAS, RTE_REASON, RTE_RUN_DIR set\n"
	"      --iterations N      of each user (1); without --measure these are what is measured\n"
	"      --ramp D            start the users over this time (50ms a user, at most 30s)\n"
	"      --warmup D          then wait before measuring (0)\n"
	"      --measure D|forever the measurement interval\n"
	"      --continue D        go on with the load after it (the timeout, at most 30s)\n"
	"      --rampdown D        log the users out over this time (10s)\n"
	"What the users do\n"
	"      --target T          how they reach the SUT; may be repeated: in turn\n"
	"      --typing DIST       gaps between keys: cps:5, uniform:.1,.3, human:..., recorded*0.5\n"
	"      --think DIST        think times: exp:10, const:5, none, recorded, ...\n"
	"      --pacing DIST       iterations start this far apart\n"
	"      --timeout D         of each wait (60s)\n"
	"      --settle D          unchanged for this long, a screen has settled (100ms)\n"
	"      --on-error WHAT     restart the session, stop the user, or continue (restart)\n"
	"      --set NAME=VALUE    a global of the scripts; may be repeated\n"
	"      --seed N            same seed, same keys in the same order\n"
	"      --connect-timeout D (30s)   --connect-retries N (3)   --bind ADDR (in turn)\n"
	"Judging\n"
	"      --threshold 'NAME:p90<2s'   may be repeated; NAME * for all\n"
	"      --stop-when 'errors>20%'    end the run early; 'query:p90>10s for 1m'; may be repeated\n"
	"      --rules tpc-c|tpc-a         judge by these rules\n"
	"      --strict            exit with 1 when the run is INVALID for any reason\n"
	"      --lateness W,B      of keystrokes, p99: warn, and not valid (10ms,50ms)\n"
	"      --echo sample|all   measure the echo of keys of some users, or of all\n"
	"Running\n"
	"  -o, --output DIR        the run directory (rte-run-DATE-TIME); a run that is there is\n"
	"                          moved to DIR~\n"
	"      --workers N         threads (one for each 2,500 users, at most one a core)\n"
	"      --before CMD, --after CMD   shell commands around each run, RTE_RUN_DIR is set\n"
	"      --display auto|tui|plain|none   full screen (auto on a terminal), or lines of progress\n"
	"      --metrics ADDR:PORT serve figures for Prometheus there; a port alone: loopback\n"
	"      --sar [USER@HOST]   record system activity here, or on the SUT over ssh (sysstat)\n"
	"      --allow-unsafe      scripts may use io, os and require of any file\n"
	"      --dry-run           check all, print what would be done, and end\n"
	"      --help              this text\n"
	"\n"
	"Durations: 250ms, 20s, 5m, 1h. Distributions: see rte(1). Ctrl-C once lets the users log\n"
	"out, twice ends the run at once; what was measured is reported.\n"
	"\n"
	"Exit status: 0 all well; 1 a threshold was missed, a check failed, a stop condition held or\n"
	"nothing was measured; 2 wrong usage or a bad script; 3 the environment refused; 4 not valid:\n"
	"the driver could not keep up.\n";

enum {
	OPT_LADDER = 256,
	OPT_STAGES,
	OPT_ARRIVALS,
	OPT_REPEAT,
	OPT_EVERY,
	OPT_ITERATIONS,
	OPT_RAMP,
	OPT_WARMUP,
	OPT_MEASURE,
	OPT_CONTINUE,
	OPT_RAMPDOWN,
	OPT_TARGET,
	OPT_TYPING,
	OPT_THINK,
	OPT_PACING,
	OPT_TIMEOUT,
	OPT_SETTLE,
	OPT_ON_ERROR,
	OPT_SET,
	OPT_SEED,
	OPT_CONNECT_TIMEOUT,
	OPT_CONNECT_RETRIES,
	OPT_BIND,
	OPT_THRESHOLD,
	OPT_STOP_WHEN,
	OPT_RULES,
	OPT_STRICT,
	OPT_LATENESS,
	OPT_ECHO,
	OPT_WORKERS,
	OPT_BEFORE,
	OPT_AFTER,
	OPT_ON_CHANGE,
	OPT_DISPLAY,
	OPT_UNSAFE,
	OPT_DRY_RUN,
	OPT_HELP,
	OPT_METRICS,
	OPT_SAR,
	OPT_SLICE,
	OPT_START_AT
};

static const struct option options[] = {
	{ "users", required_argument, NULL, 'u' },
	{ "ladder", required_argument, NULL, OPT_LADDER },
	{ "stages", required_argument, NULL, OPT_STAGES },
	{ "arrivals", required_argument, NULL, OPT_ARRIVALS },
	{ "repeat", required_argument, NULL, OPT_REPEAT },
	{ "every", required_argument, NULL, OPT_EVERY },
	{ "iterations", required_argument, NULL, OPT_ITERATIONS },
	{ "ramp", required_argument, NULL, OPT_RAMP },
	{ "warmup", required_argument, NULL, OPT_WARMUP },
	{ "measure", required_argument, NULL, OPT_MEASURE },
	{ "continue", required_argument, NULL, OPT_CONTINUE },
	{ "rampdown", required_argument, NULL, OPT_RAMPDOWN },
	{ "target", required_argument, NULL, OPT_TARGET },
	{ "typing", required_argument, NULL, OPT_TYPING },
	{ "think", required_argument, NULL, OPT_THINK },
	{ "pacing", required_argument, NULL, OPT_PACING },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "settle", required_argument, NULL, OPT_SETTLE },
	{ "on-error", required_argument, NULL, OPT_ON_ERROR },
	{ "set", required_argument, NULL, OPT_SET },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "connect-timeout", required_argument, NULL, OPT_CONNECT_TIMEOUT },
	{ "connect-retries", required_argument, NULL, OPT_CONNECT_RETRIES },
	{ "bind", required_argument, NULL, OPT_BIND },
	{ "threshold", required_argument, NULL, OPT_THRESHOLD },
	{ "stop-when", required_argument, NULL, OPT_STOP_WHEN },
	{ "rules", required_argument, NULL, OPT_RULES },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "lateness", required_argument, NULL, OPT_LATENESS },
	{ "echo", required_argument, NULL, OPT_ECHO },
	{ "output", required_argument, NULL, 'o' },
	{ "workers", required_argument, NULL, OPT_WORKERS },
	{ "before", required_argument, NULL, OPT_BEFORE },
	{ "after", required_argument, NULL, OPT_AFTER },
	{ "on-change", required_argument, NULL, OPT_ON_CHANGE },
	{ "display", required_argument, NULL, OPT_DISPLAY },
	{ "allow-unsafe", no_argument, NULL, OPT_UNSAFE },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "metrics", required_argument, NULL, OPT_METRICS },
	{ "sar", optional_argument, NULL, OPT_SAR },
	{ "slice", required_argument, NULL, OPT_SLICE },
	{ "start-at", required_argument, NULL, OPT_START_AT },
	{ NULL, 0, NULL, 0 },
};

struct run_args {
	struct rte_workload w;
	struct rte_series_options series;
	bool dry_run;
	bool help;
};

static int lateness(struct rte_workload *w, const char *arg, struct b_error *err)
{
	const char *comma = strchr(arg, ',');
	char *warn = b_strndup(arg, comma ? (size_t)(comma - arg) : strlen(arg));
	int rc = B_OK;

	if (b_parse_duration(warn, &w->lateness_warn_ns) ||
		(comma && b_parse_duration(comma + 1, &w->lateness_bad_ns)))
		rc = b_error_set(err, B_EUSAGE,
			"--lateness '%s' cannot be read; write WARN,BAD as in 10ms,50ms", arg);
	if (!rc && !comma && w->lateness_bad_ns < w->lateness_warn_ns)
		w->lateness_bad_ns = w->lateness_warn_ns;
	free(warn);
	return rc;
}

/* One of the words, by its number. */
static int word(
	const char *option, const char *arg, const char *const *words, int *n, struct b_error *err)
{
	struct b_buf all = B_BUF_INIT;

	for (int i = 0; words[i]; i++) {
		if (!strcmp(arg, words[i])) {
			*n = i;
			b_buf_release(&all);
			return B_OK;
		}
		b_buf_printf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	b_error_set(err, B_EUSAGE, "--%s '%s': it is one of %s", option, arg, b_buf_cstr(&all));
	b_buf_release(&all);
	return B_EUSAGE;
}

static int threshold(struct rte_workload *w, const char *arg, struct b_error *err)
{
	int rc = rp_threshold_check(arg, err);

	if (!rc)
		rte_workload_string_add(&w->thresholds, &w->n_thresholds, arg);
	return rc;
}

static int stop_when(struct rte_workload *w, const char *arg, struct b_error *err)
{
	int rc = rte_stop_when_check(arg, err);

	if (!rc)
		rte_workload_string_add(&w->stops, &w->n_stops, arg);
	return rc;
}

static int later(const char *option, struct b_error *err)
{
	return b_error_set(err, B_EUSAGE, "--%s is not part of this version; leave it out", option);
}

static void replace(char **at, const char *text)
{
	free(*at);
	*at = b_strdup(text);
}

static int option_time(
	struct run_args *a, int opt, const char *name, const char *arg, struct b_error *err)
{
	struct rte_workload *w = &a->w;

	switch (opt) {
	case OPT_RAMP: return rte_option_duration(name, arg, &w->ramp_ns, err);
	case OPT_WARMUP: return rte_option_duration(name, arg, &w->warmup_ns, err);
	case OPT_MEASURE:
		if (!strcmp(arg, "forever")) {
			w->measure_ns = RTE_MEASURE_FOREVER;
			return B_OK;
		}
		return rte_option_duration(name, arg, &w->measure_ns, err);
	case OPT_CONTINUE: return rte_option_duration(name, arg, &w->continue_ns, err);
	case OPT_RAMPDOWN: return rte_option_duration(name, arg, &w->rampdown_ns, err);
	case OPT_TIMEOUT: return rte_option_span(name, arg, &w->timeout_ns, err);
	case OPT_SETTLE: return rte_option_duration(name, arg, &w->settle_ns, err);
	case OPT_CONNECT_TIMEOUT: return rte_option_span(name, arg, &w->connect_timeout_ns, err);
	case OPT_EVERY: return rte_option_span(name, arg, &a->series.every_ns, err);
	case OPT_LATENESS: return lateness(w, arg, err);
	default: return B_EAGAIN;
	}
}

static int option_number(
	struct run_args *a, int opt, const char *name, const char *arg, struct b_error *err)
{
	struct rte_workload *w = &a->w;
	int64_t n;
	int rc;

	switch (opt) {
	case 'u': return rte_option_number(name, arg, 1, RTE_USERS_MAX, &w->users, err);
	case OPT_REPEAT: return rte_option_number(name, arg, 1, 1000, &w->repeat, err);
	case OPT_ITERATIONS:
		return rte_option_number(name, arg, 1, RTE_ITERATIONS_MAX, &w->iterations, err);
	case OPT_WORKERS: return rte_option_number(name, arg, 1, 1024, &w->workers, err);
	case OPT_CONNECT_RETRIES:
		return rte_option_number(name, arg, 0, 1000000, &w->connect_retries, err);
	case OPT_SEED:
		rc = rte_option_number(name, arg, 0, INT64_MAX, &n, err);
		if (!rc) {
			w->seed = (uint64_t)n;
			w->seed_set = true;
		}
		return rc;
	default: return B_EAGAIN;
	}
}

static int option_word(
	struct run_args *a, int opt, const char *name, const char *arg, struct b_error *err)
{
	static const char *const on_error[] = { "restart", "stop", "continue", NULL };
	static const char *const displays[] = { "auto", "plain", "none", "tui", NULL };
	static const char *const echoes[] = { "sample", "all", NULL };
	static const char *const rules[] = { "tpc-c", "tpc-a", NULL };
	struct rte_workload *w = &a->w;
	int n, rc;

	switch (opt) {
	case OPT_ON_ERROR:
		rc = word(name, arg, on_error, &n, err);
		if (!rc) {
			w->on_error = (enum rte_on_error)n;
			w->on_error_set = true;
		}
		return rc;
	case OPT_DISPLAY:
		rc = word(name, arg, displays, &n, err);
		if (!rc && n == 3 && !rte_attach_possible())
			return b_error_set(err, B_EENV,
				"--display tui needs a terminal on standard input, output and error, "
				"TERM, and to run in the foreground; use --display plain");
		if (!rc) {
			a->series.progress = n != 2;
			a->series.tui = n == 3 || (n == 0 && rte_attach_possible());
		}
		return rc;
	case OPT_ECHO:
		rc = word(name, arg, echoes, &n, err);
		if (!rc)
			w->echo_all = n == 1;
		return rc;
	case OPT_RULES:
		rc = word(name, arg, rules, &n, err);
		if (!rc)
			replace(&w->rules, arg);
		return rc;
	default: return B_EAGAIN;
	}
}

static int option_rest(
	struct run_args *a, int opt, const char *name, const char *arg, struct b_error *err)
{
	struct rte_workload *w = &a->w;

	switch (opt) {
	case 'o': a->series.dir = arg; return B_OK;
	case OPT_LADDER: return rte_workload_ladder_parse(w, arg, err);
	case OPT_ARRIVALS: return rte_arrivals_parse(w, arg, err);
	case OPT_STAGES: return rte_workload_stages_parse(w, arg, err);
	case OPT_TARGET: rte_workload_string_add(&w->targets, &w->n_targets, arg); return B_OK;
	case OPT_BIND: rte_workload_string_add(&w->binds, &w->n_binds, arg); return B_OK;
	case OPT_TYPING: return rte_option_dist(name, arg, &w->typing, err);
	case OPT_THINK: return rte_option_dist(name, arg, &w->think, err);
	case OPT_PACING: return rte_option_dist(name, arg, &w->pacing, err);
	case OPT_SET: return rte_option_set(w, arg, err);
	case OPT_THRESHOLD: return threshold(w, arg, err);
	case OPT_STOP_WHEN: return stop_when(w, arg, err);
	case OPT_STRICT: w->strict = true; return B_OK;
	case OPT_BEFORE: replace(&w->before, arg); return B_OK;
	case OPT_AFTER: replace(&w->after, arg); return B_OK;
	case OPT_ON_CHANGE: a->series.on_change = arg; return B_OK;
	case OPT_UNSAFE: w->allow_unsafe = true; return B_OK;
	case OPT_DRY_RUN: a->dry_run = true; return B_OK;
	case OPT_METRICS: a->series.metrics = arg; return rte_metrics_check(arg, err);
	case OPT_SAR: a->series.sar = arg ? arg : ""; return B_OK;
	case OPT_HELP: a->help = true; return B_OK;
	default: return later(name, err);
	}
}

static const char *option_name(int opt)
{
	for (const struct option *o = options; o->name; o++)
		if (o->val == opt)
			return o->name;
	return "?";
}

/* Options are read twice: --set must be known before a workload file is loaded, and all options
   override what it says. Lists (targets, scripts) of the command line replace the file's. */
static int options_take(
	struct run_args *a, int argc, char **argv, bool sets_only, struct b_error *err)
{
	int opt, rc = B_OK;

	optind = 0;
	while (!rc && (opt = getopt_long(argc, argv, "u:o:h", options, NULL)) != -1) {
		const char *name = option_name(opt);

		if (opt == '?')
			return b_error_set(err, B_EUSAGE, "see rte run --help");
		if (opt == 'h')
			opt = OPT_HELP;
		if (opt == OPT_HELP)
			a->help = true;
		if (sets_only != (opt == OPT_SET || opt == OPT_UNSAFE))
			continue;
		rc = option_time(a, opt, name, optarg, err);
		if (rc == B_EAGAIN)
			rc = option_number(a, opt, name, optarg, err);
		if (rc == B_EAGAIN)
			rc = option_word(a, opt, name, optarg, err);
		if (rc == B_EAGAIN)
			rc = option_rest(a, opt, name, optarg, err);
	}
	return rc;
}

static void strings_clear(char ***list, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		free((*list)[i]);
	free(*list);
	*list = NULL;
	*n = 0;
}

/* Whether an option stands on the command line, for lists that replace the workload's. */
static bool given(int argc, char **argv, int wanted)
{
	int opt;

	optind = 0;
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "u:o:h", options, NULL)) != -1)
		if (opt == wanted)
			break;
	opterr = 1;
	return opt != -1;
}

static int scripts_take(struct run_args *a, char **names, int n, struct b_error *err)
{
	bool workload = false;
	int rc = B_OK;

	if (!n)
		return b_error_set(err, B_EUSAGE,
			"no script: rte run SCRIPT.lua, or a workload; see rte run --help");
	if (n == 1) {
		/* SCRIPT=WEIGHT is no file of that name. */
		if (!access(names[0], R_OK) || !strchr(names[0], '=')) {
			rc = b_file_check_again(names[0], err);
			if (!rc)
				rc = rte_script_is_workload(names[0], &workload, err);
			if (rc)
				return rc;
		}
		if (workload)
			return rte_workload_load(&a->w, names[0], err);
	}
	for (int i = 0; i < n && !rc; i++) {
		rc = rte_workload_script_add(&a->w, names[i], err);
		if (!rc)
			rc = b_file_check_again(a->w.scripts[i].path, err);
		/* What cannot be read is told when it is loaded. */
		if (!rc && !rte_script_is_workload(a->w.scripts[i].path, &workload, NULL) &&
			workload)
			rc = b_error_set(err, B_EUSAGE,
				"%s is a workload, which names its scripts itself: give it alone, without a "
				"weight",
				a->w.scripts[i].path);
	}
	return rc;
}

/* What makes no sense together with --every, and what none without it. */
static int monitor_check(const struct run_args *a, struct b_error *err)
{
	if (a->series.on_change && !a->series.every_ns)
		return b_error_set(err, B_EUSAGE,
			"--on-change is for a monitor; give --every as well, or use --after");
	if (a->series.every_ns && (a->w.n_ladder || a->w.repeat > 1))
		return b_error_set(err, B_EUSAGE,
			"--every repeats one run of one number of users; leave out --ladder and --repeat");
	return B_OK;
}

/* Each of these says how many users there are: one of them on a command line. */
static int users_check(int argc, char **argv, struct b_error *err)
{
	bool users = given(argc, argv, 'u'), ladder = given(argc, argv, OPT_LADDER);
	bool stages = given(argc, argv, OPT_STAGES);

	if (users + ladder + stages < 2)
		return B_OK;
	return b_error_set(err, B_EUSAGE,
		"--%s and --%s both say how many users there are; give one of them",
		users ? "users" : "ladder", stages ? "stages" : "ladder");
}

static int args_take(struct run_args *a, int argc, char **argv, char **command, struct b_error *err)
{
	int rc = options_take(a, argc, argv, true, err);
	int first;

	if (rc || a->help)
		return rc;
	first = optind;
	rc = scripts_take(a, argv + first, argc - first, err);
	if (!rc && (command || given(argc, argv, OPT_TARGET)))
		strings_clear(&a->w.targets, &a->w.n_targets);
	if (!rc && given(argc, argv, OPT_BIND))
		strings_clear(&a->w.binds, &a->w.n_binds);
	if (!rc && (given(argc, argv, 'u') || given(argc, argv, OPT_LADDER))) {
		a->w.n_stages = 0;
		a->w.n_ladder = 0;
	}
	if (!rc)
		rc = users_check(argc, argv, err);
	if (!rc && given(argc, argv, OPT_STAGES))
		a->w.n_ladder = 0;
	if (!rc)
		rc = options_take(a, argc, argv, false, err);
	if (!rc && command)
		rc = rte_option_command(&a->w, command, err);
	return rc ? rc : monitor_check(a, err);
}

/* `--sar USER@HOST` as one word: getopt takes an argument that may lack only that way. */
static char *join_sar(int *argc, char **argv)
{
	struct b_buf b = B_BUF_INIT;

	for (int i = 1; i + 1 < *argc; i++) {
		if (strcmp(argv[i], "--sar") || argv[i + 1][0] == '-' ||
			!strchr(argv[i + 1], '@') || !access(argv[i + 1], F_OK))
			continue;
		b_buf_printf(&b, "--sar=%s", argv[i + 1]);
		memmove(&argv[i + 1], &argv[i + 2], (size_t)(*argc - i - 1) * sizeof *argv);
		(*argc)--;
		argv[i] = b_buf_take(&b, NULL);
		return argv[i];
	}
	return NULL;
}

int cmd_run(int argc, char **argv)
{
	struct run_args a = { .series = { .progress = true, .tui = rte_attach_possible() } };
	struct b_error err = { 0 };
	enum b_exit status;
	char **all = b_calloc((size_t)argc + 1, sizeof *all), **command, *sar;

	for (int i = 0; i < argc; i++)
		all[i] = argv[i];
	a.series.command = all;
	rte_workload_init(&a.w);
	command = rte_options_command(&argc, argv);
	sar = join_sar(&argc, argv);
	if (args_take(&a, argc, argv, command, &err)) {
		b_error("%s", err.text);
		status = b_status_exit(err.code);
	} else if (a.help) {
		fputs(help, stdout);
		status = B_EXIT_OK;
	} else if (a.dry_run) {
		status = rte_series_plan(&a.w, &a.series);
	} else {
		status = rte_series_run(&a.w, &a.series);
	}
	rte_workload_release(&a.w);
	free(sar);
	free(all);
	return (int)status;
}
