#include "rte/series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "report/report.h"
#include "rte/hook.h"
#include "rte/mix.h"
#include "rte/monitor.h"
#include "rte/roles.h"
#include "rte/run.h"
#include "rte/rundir.h"
#include "rte/setup.h"
#include "rte/when.h"
#include "base/banned.h"

/* What the workload said before a check filled it in for the first step. */
struct asked {
	int64_t users, ramp_ns, workers, iterations, continue_ns;
};

static struct asked asked_of(const struct rte_workload *w)
{
	return (struct asked){ w->users, w->ramp_ns, w->workers, w->iterations, w->continue_ns };
}

static int step_check(
	struct rte_workload *w, const struct asked *a, int64_t users, struct b_error *err)
{
	w->users = users;
	w->ramp_ns = a->ramp_ns;
	w->workers = a->workers;
	w->iterations = a->iterations;
	w->continue_ns = a->continue_ns;
	return rte_workload_check(w, err);
}

static enum b_exit worse(enum b_exit a, enum b_exit b)
{
	/* What the environment refused weighs more than what the figures say. */
	static const int weight[] = { [B_EXIT_OK] = 0,
		[B_EXIT_FAILED] = 1,
		[B_EXIT_INVALID] = 2,
		[B_EXIT_USAGE] = 3,
		[B_EXIT_ENV] = 4 };

	return weight[a] > weight[b] ? a : b;
}

static enum b_exit fail(const struct b_error *err)
{
	b_error("%s", err->text);
	return b_status_exit(err->code);
}

/* One run in a directory that is there. brief: in place of the report on standard output. */
static enum b_exit one(struct rte_workload *w, const struct rte_series_options *opt,
	const char *dir, struct rp_brief *brief, enum rte_series_end *end)
{
	struct rte_run_options run = {
		.dir = dir,
		.command = opt->command,
		.metrics = opt->metrics,
		.sar = opt->sar,
		.progress = opt->progress,
		.tui = opt->tui,
	};
	struct rte_run_result result;
	struct b_error err = { 0 };
	enum b_exit status = B_EXIT_OK;

	*end = RTE_SERIES_REFUSED;
	if (w->before && rte_hook_run("--before", w->before, dir, NULL, &err))
		return fail(&err);
	if (rte_run(w, &run, &result, &err))
		return fail(&err);
	if (w->after && rte_hook_run("--after", w->after, dir, NULL, &err)) {
		b_warn("%s", err.text);
		err.code = 0;
	}
	if (rp_run_finish(dir, brief ? NULL : stdout, &status, brief, &err)) {
		/* What went wrong with the run itself is the better message. */
		if (!result.error.code)
			status = fail(&err);
	}
	fflush(stdout);
	if (result.error.code)
		b_error("%s", result.error.text);
	/* More users would not do better where a stop condition held; a monitor goes on. */
	*end = result.outcome == RTE_INTERRUPTED || result.outcome == RTE_STOPPED ||
			(result.outcome == RTE_CONDITION && !opt->every_ns)
		? RTE_SERIES_STOPPED
		: RTE_SERIES_GOES_ON;
	return worse(status, result.status);
}

static char *step_dir(const char *dir, const struct rte_workload *w, int64_t users, int64_t round)
{
	char name[64];

	if (w->n_ladder && w->repeat > 1)
		snprintf(
			name, sizeof name, "%03lld-users-%lld", (long long)users, (long long)round);
	else if (w->n_ladder)
		snprintf(name, sizeof name, "%03lld-users", (long long)users);
	else
		snprintf(name, sizeof name, "run-%lld", (long long)round);
	return rte_rundir_file(dir, name);
}

enum b_exit rte_series_step(struct rte_workload *w, const struct rte_series_options *opt,
	const char *path, struct rp_brief *brief, enum rte_series_end *end)
{
	struct b_error err = { 0 };
	enum b_exit status;
	bool moved;
	char *dir;

	*end = RTE_SERIES_REFUSED;
	if (rte_rundir_make(&dir, path, &moved, &err))
		return fail(&err);
	b_info("run %s: %lld users", dir, (long long)w->users);
	status = one(w, opt, dir, brief, end);
	free(dir);
	return status;
}

/* A ladder, repeats, or both: every step `repeat` times. */
static enum b_exit steps(struct rte_workload *w, const struct rte_series_options *opt,
	const struct asked *a, const char *dir)
{
	size_t n = w->n_ladder ? w->n_ladder : 1;
	enum b_exit status = B_EXIT_OK, ladder = B_EXIT_OK;
	enum rte_series_end end = RTE_SERIES_GOES_ON;
	struct b_error err = { 0 };

	for (int64_t round = 1; round <= w->repeat && end == RTE_SERIES_GOES_ON; round++) {
		for (size_t i = 0; i < n && end == RTE_SERIES_GOES_ON; i++) {
			int64_t users = w->n_ladder ? w->ladder[i] : a->users;
			char *path = step_dir(dir, w, users, round);

			if (step_check(w, a, users, &err))
				status = fail(&err);
			else
				status = worse(status, rte_series_step(w, opt, path, NULL, &end));
			free(path);
		}
	}
	if (rp_ladder_finish(dir, 0, stdout, &ladder, &err))
		return worse(status, fail(&err));
	return worse(status, ladder);
}

static int64_t most_users(const struct rte_workload *w, const struct asked *a)
{
	int64_t most = w->n_ladder ? 0 : a->users;

	for (size_t i = 0; i < w->n_ladder; i++)
		most = w->ladder[i] > most ? w->ladder[i] : most;
	return most;
}

/* Scripts and limits, before anything is touched: what is refused here leaves a run directory that
   is there alone. *l and roles are the caller's to release, *l NULL when it failed. */
static int look_ahead(struct rte_workload *w, const struct asked *a, struct rte_lua **l,
	struct rte_roles *roles, struct b_error *err)
{
	struct rte_lua_options lua = {
		.host = &rte_setup_host,
		.allow_unsafe = w->allow_unsafe,
		.sets = (const char *const *)w->sets,
		.n_sets = w->n_sets,
	};
	const struct ln_target **targets;
	size_t n;
	int rc = step_check(w, a, most_users(w, a), err);

	*l = NULL;
	if (rc)
		return rc;
	lua.n_users = w->users;
	rc = rte_lua_new(l, &lua, err);
	if (!rc) {
		rc = rte_roles_load(roles, w, *l, err);
		if (!rc) {
			targets = rte_roles_targets(roles, &n);
			rc = ln_limits_check(targets, n, w->users, err);
			free(targets);
			if (rc)
				rte_roles_release(roles);
		}
	}
	if (rc) {
		rte_lua_free(*l);
		*l = NULL;
	}
	return rc;
}

enum b_exit rte_series_run(struct rte_workload *w, const struct rte_series_options *opt)
{
	struct asked a = asked_of(w);
	struct b_error err = { 0 };
	enum b_exit status;
	struct rte_roles roles;
	struct rte_lua *l;
	enum rte_series_end end;
	bool moved;
	char *dir;

	/* --before may be what makes the scripts' files. */
	if (w->before) {
		if (step_check(w, &a, most_users(w, &a), &err))
			return fail(&err);
	} else {
		if (look_ahead(w, &a, &l, &roles, &err))
			return fail(&err);
		rte_roles_release(&roles);
		rte_lua_free(l);
	}
	if (step_check(w, &a, w->n_ladder ? w->ladder[0] : a.users, &err))
		return fail(&err);
	if (opt->every_ns && opt->dir && rp_is_ladder(opt->dir))
		return rte_monitor_run(w, opt, opt->dir); /* goes on where it stopped */
	if (rte_rundir_make(&dir, opt->dir, &moved, &err))
		return fail(&err);
	if (moved)
		b_info("the run that was in %s is now in %s~", dir, dir);
	if (opt->every_ns)
		status = rte_monitor_run(w, opt, dir);
	else if (w->n_ladder || w->repeat > 1)
		status = steps(w, opt, &a, dir);
	else
		status = one(w, opt, dir, NULL, &end);
	free(dir);
	return status;
}

/* ---- --dry-run --------------------------------------------------------------------------------- */

static void print_span(const char *what, int64_t ns)
{
	struct b_buf b = B_BUF_INIT;

	b_format_duration(&b, ns);
	printf("  %-12s %s\n", what, b_buf_cstr(&b));
	b_buf_release(&b);
}

static void print_dist(const char *what, const struct b_dist *d, const char *otherwise)
{
	struct b_buf b = B_BUF_INIT;

	b_dist_format(d, &b);
	printf("    %-10s %s\n", what, b.len ? b_buf_cstr(&b) : otherwise);
	b_buf_release(&b);
}

static void print_phases(const struct rte_workload *w)
{
	if (w->n_stages) {
		for (size_t i = 0; i < w->n_stages; i++) {
			struct b_buf b = B_BUF_INIT;

			b_format_duration(&b, w->stages[i].duration_ns);
			printf("  stage %-6zu %lld users for %s\n", i + 1,
				(long long)w->stages[i].users, b_buf_cstr(&b));
			b_buf_release(&b);
		}
	} else {
		print_span("ramp-up", w->ramp_ns);
	}
	if (w->measure_ns == RTE_UNSET && !w->n_stages) {
		printf("  %-12s %lld iterations a user\n", "measure", (long long)w->iterations);
		return;
	}
	if (w->warmup_ns)
		print_span("warm-up", w->warmup_ns);
	if (w->measure_ns == RTE_MEASURE_FOREVER)
		printf("  %-12s until it is stopped\n", "measure");
	else if (w->measure_ns != RTE_UNSET)
		print_span("measure", w->measure_ns);
	print_span("continue", w->continue_ns);
	print_span("ramp-down", w->rampdown_ns);
}

static void print_role(const struct rte_workload *w, const struct rte_roles *roles, size_t i)
{
	const struct rte_role *role = &roles->list[i];
	uint32_t *of = b_calloc((size_t)w->users, sizeof *of);
	int64_t users = 0;

	rte_users_divide(w, w->users, of);
	for (int64_t u = 0; u < w->users; u++)
		users += of[u] == i;
	free(of);
	printf("  %s: %lld users, %s %dx%d, ", role->path, (long long)users, role->term, role->cols,
		role->rows);
	if (role->target)
		printf("target %s\n", ln_target_text(role->target));
	else
		printf("%zu targets in turn, first %s\n", roles->n_targets,
			ln_target_text(roles->targets[0]));
	print_dist("typing", &role->typing, "as recorded, else cps:10");
	print_dist("think", &role->think, "as recorded");
	for (size_t m = 0; m < role->n_mixes; m++) {
		struct b_buf from = B_BUF_INIT;

		rte_when_format(&role->mixes[m].from, &from);
		printf("    %-10s", m ? "" : "mix");
		for (size_t k = 0; k < role->mixes[m].mix.n; k++)
			printf(" %s %g", role->mixes[m].entries[k].name,
				role->mixes[m].entries[k].weight);
		printf("%s%s\n", from.len ? " from " : "", from.len ? b_buf_cstr(&from) : "");
		b_buf_release(&from);
	}
}

enum b_exit rte_series_plan(struct rte_workload *w, const struct rte_series_options *opt)
{
	struct asked a = asked_of(w);
	struct rte_lua *l;
	struct rte_roles roles;
	struct b_error err = { 0 };

	if (look_ahead(w, &a, &l, &roles, &err))
		return fail(&err);
	printf("%lld user%s, %lld worker%s, seed %llu, run directory %s\n", (long long)w->users,
		w->users == 1 ? "" : "s", (long long)w->workers, w->workers == 1 ? "" : "s",
		(unsigned long long)w->seed, opt->dir ? opt->dir : "rte-run-DATE-TIME");
	for (size_t i = 0; i < w->n_ladder; i++)
		printf("%s%lld%s", i ? ", " : "ladder: ", (long long)w->ladder[i],
			i + 1 == w->n_ladder ? " users\n" : "");
	if (w->repeat > 1)
		printf("repeated %lld times\n", (long long)w->repeat);
	printf("phases:\n");
	print_phases(w);
	printf("scripts:\n");
	for (size_t i = 0; i < roles.n; i++)
		print_role(w, &roles, i);
	for (size_t i = 0; i < w->n_thresholds; i++)
		printf("%s%s\n", i ? "            " : "thresholds: ", w->thresholds[i]);
	rte_roles_release(&roles);
	rte_lua_free(l);
	return B_EXIT_OK;
}
