#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "line/line.h"
#include "rte/command.h"
#include "rte/options.h"
#include "rte/test_find.h"
#include "rte/test_plan.h"
#include "rte/test_report.h"
#include "rte/test_run.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte test [OPTION...] SCRIPT.lua|FOLDER|SCRIPT.lua:LINE... [-- COMMAND [ARG...]]\n"
	"\n"
	"Runs scripts as tests, each test in a session of its own, and compares golden screens.\n"
	"A folder stands for all scripts below it, FILE:LINE for the test on that line.\n"
	"\n"
	"Which tests\n"
	"  -g, --grep PATTERN       those whose \"FILE NAME @TAG...\" matches (extended regex)\n"
	"      --grep-invert PATTERN   those that do not match\n"
	"      --shuffle SEED       in a random order, the same for the same seed\n"
	"      --list               say which tests there are, and run none\n"
	"How they run\n"
	"      --target T           how they reach the SUT, in place of the scripts' own\n"
	"  -j, --jobs N             tests at a time (one a processor)\n"
	"      --retries N          a test that fails is tried again; it is then flaky (0)\n"
	"      --repeat N           each test N times, to see whether it always passes (1)\n"
	"      --fail-fast          begin no test after the first that fails\n"
	"      --timeout D          of a test, where it does not say itself (5m)\n"
	"      --wait D             of each expect that does not say itself (20s)\n"
	"      --settle D           unchanged for this long, a screen has settled (100ms)\n"
	"      --typing DIST        gaps between keys (none)   --think DIST  think times (none)\n"
	"      --term TERM   --size COLSxROWS   another terminal than the scripts' own\n"
	"      --set NAME=VALUE     a global of the scripts; may be repeated\n"
	"      --seed N             of random numbers (1)\n"
	"      --allow-unsafe       scripts may use io, os and require of any file\n"
	"Golden screens\n"
	"  -u, --update             write them anew, remove those that no test asks for\n"
	"      --goldens FOLDER     they are there, not beside the scripts\n"
	"      --screens            the screen after each transaction is one, whatever the script says\n"
	"      --soft               one that differs does not end its test\n"
	"      --still D            a screen that differs is waited for until it has not changed for\n"
	"                           this long (5s)\n"
	"What is reported\n"
	"      --tap   --json       TAP 14 or JSON on standard output, in place of the list\n"
	"      --junit FILE         JUnit XML too\n"
	"      --github             annotations of GitHub Actions too (on where these run)\n"
	"      --artifacts FOLDER   keep a page of all tests; of failed ones trace, screens, a page\n"
	"\n"
	"Where the variable CI is set, a golden screen that is missing is a failure; else it is\n"
	"written. Exit status: 0 all passed; 1 a test failed, or there was none; 2 wrong usage, or a\n"
	"bad script; 3 the SUT could not be reached.\n";

enum {
	OPT_GREP_INVERT = 256,
	OPT_SHUFFLE,
	OPT_LIST,
	OPT_TARGET,
	OPT_RETRIES,
	OPT_FAIL_FAST,
	OPT_TIMEOUT,
	OPT_WAIT,
	OPT_SETTLE,
	OPT_TYPING,
	OPT_THINK,
	OPT_TERM,
	OPT_SIZE,
	OPT_SET,
	OPT_SEED,
	OPT_UNSAFE,
	OPT_GOLDENS,
	OPT_SCREENS,
	OPT_SOFT,
	OPT_REPEAT,
	OPT_STILL,
	OPT_TAP,
	OPT_JSON,
	OPT_JUNIT,
	OPT_GITHUB,
	OPT_ARTIFACTS
};

static const struct option options[] = {
	{ "update", no_argument, NULL, 'u' },
	{ "grep", required_argument, NULL, 'g' },
	{ "grep-invert", required_argument, NULL, OPT_GREP_INVERT },
	{ "shuffle", required_argument, NULL, OPT_SHUFFLE },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "target", required_argument, NULL, OPT_TARGET },
	{ "jobs", required_argument, NULL, 'j' },
	{ "retries", required_argument, NULL, OPT_RETRIES },
	{ "repeat", required_argument, NULL, OPT_REPEAT },
	{ "fail-fast", no_argument, NULL, OPT_FAIL_FAST },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "wait", required_argument, NULL, OPT_WAIT },
	{ "settle", required_argument, NULL, OPT_SETTLE },
	{ "typing", required_argument, NULL, OPT_TYPING },
	{ "think", required_argument, NULL, OPT_THINK },
	{ "term", required_argument, NULL, OPT_TERM },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "set", required_argument, NULL, OPT_SET },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "allow-unsafe", no_argument, NULL, OPT_UNSAFE },
	{ "goldens", required_argument, NULL, OPT_GOLDENS },
	{ "screens", no_argument, NULL, OPT_SCREENS },
	{ "soft", no_argument, NULL, OPT_SOFT },
	{ "still", required_argument, NULL, OPT_STILL },
	{ "tap", no_argument, NULL, OPT_TAP },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "junit", required_argument, NULL, OPT_JUNIT },
	{ "github", no_argument, NULL, OPT_GITHUB },
	{ "artifacts", required_argument, NULL, OPT_ARTIFACTS },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

struct test_args {
	struct rte_test_options opt;
	struct rte_test_report report;
	const char *junit;
	bool list, help, form_set;
};

static int target(struct rte_workload *w, const char *arg, struct b_error *err)
{
	struct ln_target *t;
	int rc = ln_target_parse(&t, arg, err);

	if (rc)
		return rc;
	ln_target_free(t);
	rte_workload_string_add(&w->targets, &w->n_targets, arg);
	return B_OK;
}

static int form(struct test_args *a, enum rte_test_form f, struct b_error *err)
{
	if (a->form_set)
		return b_error_set(
			err, B_EUSAGE, "--tap and --json both take standard output; leave one");
	a->form_set = true;
	a->report.form = f;
	return B_OK;
}

static int option_which(struct test_args *a, int opt, const char *arg, struct b_error *err)
{
	struct rte_test_options *o = &a->opt;
	int64_t n = 0;
	int rc;

	switch (opt) {
	case 'g': o->grep = arg; return B_OK;
	case OPT_GREP_INVERT: o->grep_invert = arg; return B_OK;
	case OPT_SHUFFLE:
		rc = rte_option_number("shuffle", arg, 0, INT64_MAX, &n, err);
		o->shuffle = !rc;
		o->shuffle_seed = (uint64_t)n;
		return rc;
	case OPT_LIST: a->list = true; return B_OK;
	case 'u': o->update = true; return B_OK;
	case OPT_GOLDENS: o->goldens = arg; return B_OK;
	case OPT_SCREENS: o->screens = true; return B_OK;
	case OPT_SOFT: o->soft = true; return B_OK;
	case OPT_TAP: return form(a, RTE_TEST_FORM_TAP, err);
	case OPT_JSON: return form(a, RTE_TEST_FORM_JSON, err);
	case OPT_JUNIT: a->junit = arg; return B_OK;
	case OPT_GITHUB: a->report.github = true; return B_OK;
	case OPT_ARTIFACTS:
		if (!*arg)
			return b_error_set(
				err, B_EUSAGE, "--artifacts: it needs the name of a folder");
		o->artifacts = arg;
		return B_OK;
	case 'h': a->help = true; return B_OK;
	default: return B_EAGAIN;
	}
}

static int option_how(struct test_args *a, int opt, const char *arg, struct b_error *err)
{
	struct rte_test_options *o = &a->opt;
	struct rte_workload *w = &o->w;
	int64_t n = 0;
	int rc;

	switch (opt) {
	case OPT_TARGET: return target(w, arg, err);
	case 'j': return rte_option_number("jobs", arg, 1, 1024, &o->jobs, err);
	case OPT_REPEAT: return rte_option_number("repeat", arg, 1, 10000, &o->repeat, err);
	case OPT_RETRIES: return rte_option_number("retries", arg, 0, 100, &o->retries, err);
	case OPT_FAIL_FAST: o->fail_fast = true; return B_OK;
	case OPT_TIMEOUT: return rte_option_span("timeout", arg, &o->timeout_ns, err);
	case OPT_STILL: return rte_option_span("still", arg, &o->still_ns, err);
	case OPT_WAIT: return rte_option_span("wait", arg, &w->timeout_ns, err);
	case OPT_SETTLE: return rte_option_span("settle", arg, &w->settle_ns, err);
	case OPT_TYPING: return rte_option_dist("typing", arg, &w->typing, err);
	case OPT_THINK: return rte_option_dist("think", arg, &w->think, err);
	case OPT_TERM:
		free(w->term);
		w->term = b_strdup(arg);
		return B_OK;
	case OPT_SIZE:
		if (b_parse_size(arg, &w->cols, &w->rows))
			return b_error_set(
				err, B_EUSAGE, "--size '%s' is not COLSxROWS, each 1 to 1000", arg);
		return B_OK;
	case OPT_SET: return rte_option_set(w, arg, err);
	case OPT_SEED:
		rc = rte_option_number("seed", arg, 0, INT64_MAX, &n, err);
		w->seed = (uint64_t)n;
		return rc;
	case OPT_UNSAFE: w->allow_unsafe = true; return B_OK;
	default: return b_error_set(err, B_EUSAGE, "see rte test --help");
	}
}

static int args_take(struct test_args *a, int argc, char **argv, struct b_error *err)
{
	int opt, rc = B_OK;

	while (!rc && (opt = getopt_long(argc, argv, "ug:j:h", options, NULL)) != -1) {
		rc = option_which(a, opt, optarg, err);
		if (rc == B_EAGAIN)
			rc = option_how(a, opt, optarg, err);
	}
	if (!rc && !a->help && optind == argc)
		rc = b_error_set(err, B_EUSAGE,
			"nothing to test; name a script or a folder, as in rte test .");
	return rc;
}

static bool variable_is_on(const char *name)
{
	const char *v = getenv(name);

	return v && *v && strcmp(v, "false") != 0 && strcmp(v, "0") != 0;
}

static void defaults(struct test_args *a)
{
	struct rte_test_options *o = &a->opt;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	rte_workload_init(&o->w);
	o->w.seed = 1;
	o->w.typing.kind = B_DIST_NONE;
	o->w.think.kind = B_DIST_NONE;
	o->timeout_ns = RTE_TEST_UNSET;
	o->jobs = cores > 0 ? cores : 1;
	o->ci = variable_is_on("CI");
	a->report.github = variable_is_on("GITHUB_ACTIONS");
	a->report.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
}

static void list(const struct rte_test_plan *p)
{
	struct b_buf line = B_BUF_INIT, safe = B_BUF_INIT;

	for (size_t i = 0; i < p->n_tests; i++) {
		const struct rte_test *t = &p->tests[i];

		if (t->outcome == RTE_TEST_BAD) {
			b_error("%s", t->scope->error);
			continue;
		}
		b_buf_printf(&line, "%s:%d  %s", t->file, t->line, t->name);
		for (size_t k = 0; k < t->n_tags; k++)
			b_buf_printf(&line, " @%s", t->tags[k]);
		if (t->skip)
			b_buf_printf(&line, "  skipped: %s", t->skip);
		b_escape_text(&safe, b_buf_cstr(&line), line.len);
		puts(b_buf_cstr(&safe));
		b_buf_clear(&line);
		b_buf_clear(&safe);
	}
	b_buf_release(&line);
	b_buf_release(&safe);
}

/* A script's own target runs a command on this machine: that is told before it does. */
static void tell_commands(const struct rte_test_plan *p)
{
	const char *last = "";

	for (size_t i = 0; i < p->n_scopes && !p->opt->w.n_targets; i++) {
		const struct rte_script_info *info =
			p->scopes[i]->script ? rte_script_info(p->scopes[i]->script) : NULL;

		if (!info || !p->scopes[i]->n_chosen || !info->target ||
			strncmp(info->target, "pty:", 4) || !strcmp(info->target, last))
			continue;
		last = info->target;
		b_info("%s runs %s", p->scopes[i]->path, last);
	}
}

static enum b_exit verdict(const struct rte_test_plan *p, const struct rte_test_summary *s)
{
	if (p->bad)
		return B_EXIT_USAGE;
	if (s->n[RTE_TEST_FAILED])
		return s->env ? B_EXIT_ENV : B_EXIT_FAILED;
	if (s->interrupted || s->n_conflicts)
		return B_EXIT_FAILED;
	return B_EXIT_OK;
}

static enum b_exit run(struct test_args *a, struct rte_test_plan *p)
{
	struct rte_test_summary sum;
	struct b_error err = { 0 };
	enum b_exit status;

	tell_commands(p);
	a->report.jobs = (size_t)a->opt.jobs < p->n_tests ? (size_t)a->opt.jobs : p->n_tests;
	rte_test_report_begin(&a->report, p);
	rte_test_run(p, rte_test_report_told, &a->report, &sum);
	rte_test_report_end(&a->report, p, &sum);
	status = verdict(p, &sum);
	if (a->opt.artifacts && rte_test_index_write(p, &sum, &err)) {
		b_error("%s", err.text);
		status = status == B_EXIT_OK ? B_EXIT_ENV : status;
	}
	if (a->junit && rte_test_junit_write(a->junit, p, &sum, &err)) {
		b_error("%s", err.text);
		status = status == B_EXIT_OK ? B_EXIT_ENV : status;
	}
	rte_test_summary_release(&sum);
	return status;
}

static enum b_exit plan_and_run(
	struct test_args *a, char *const *paths, size_t n, struct b_error *err)
{
	struct rte_finds finds;
	struct rte_test_plan plan;
	enum b_exit status;
	int rc = rte_test_find(&finds, paths, n, err);

	if (rc)
		return b_status_exit(rc);
	for (size_t i = 0; i < finds.n_orphans; i++)
		b_warn("%s has no script beside it: no test asks for its golden screens",
			finds.orphans[i]);
	rc = rte_test_plan_make(&plan, &a->opt, &finds, err);
	rte_test_find_release(&finds);
	if (rc)
		return b_status_exit(rc);
	if (a->list) {
		list(&plan);
		status = plan.bad ? B_EXIT_USAGE : B_EXIT_OK;
	} else if (!plan.n_tests) {
		b_error_set(err, B_ECHECK, "no test was found%s",
			a->opt.grep || a->opt.grep_invert
				? " that --grep selects"
				: "; a script has an iteration(), a mix, or a test()");
		status = B_EXIT_FAILED;
	} else {
		status = run(a, &plan);
	}
	rte_test_plan_release(&plan);
	return status;
}

int cmd_test(int argc, char **argv)
{
	struct test_args a = { 0 };
	struct b_error err = { 0 };
	char **command = rte_options_command(&argc, argv);
	int rc, status;

	defaults(&a);
	rc = args_take(&a, argc, argv, &err);
	if (!rc && command && !a.help)
		rc = rte_option_command(&a.opt.w, command, &err);
	if (rc) {
		status = (int)b_status_exit(rc);
	} else if (a.help) {
		fputs(help, stdout);
		status = B_EXIT_OK;
	} else {
		status = (int)plan_and_run(&a, argv + optind, (size_t)(argc - optind), &err);
	}
	if (err.code)
		b_error("%s", err.text);
	rte_workload_release(&a.opt.w);
	return status;
}
