#include "rte/series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "report/report.h"
#include "rte/hook.h"
#include "rte/monitor.h"
#include "rte/roles.h"
#include "rte/run.h"
#include "rte/rundir.h"
#include "rte/setup.h"
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
	if (result.lost) {
		*end = RTE_SERIES_STOPPED;
		return fail(&result.error);
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
	b_info("run %s: %lld %s", dir, (long long)w->users, w->users == 1 ? "user" : "users");
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

int rte_series_machine_check(
	const struct rte_workload *w, const struct rte_roles *roles, struct b_error *err)
{
	size_t n;
	const struct ln_target **targets = rte_roles_targets(roles, &n);
	int rc = ln_limits_check(targets, n, w->users, err);

	free(targets);
	return rc;
}

static int look_ahead(struct rte_workload *w, const struct asked *a, struct rte_data *data,
	struct rte_lua **l, struct rte_roles *roles, struct b_error *err)
{
	struct rte_lua_options lua = {
		.host = &rte_setup_host,
		.data = data,
		.allow_unsafe = w->allow_unsafe,
		.sets = (const char *const *)w->sets,
		.n_sets = w->n_sets,
	};
	int rc = step_check(w, a, most_users(w, a), err);

	*l = NULL;
	if (rc)
		return rc;
	lua.n_users = w->users;
	rc = rte_lua_new(l, &lua, err);
	if (!rc)
		rc = rte_roles_load(roles, w, *l, err);
	if (rc) {
		rte_lua_free(*l);
		*l = NULL;
	}
	return rc;
}

int rte_series_look_ahead(struct rte_workload *w, struct rte_data *data, struct rte_lua **l,
	struct rte_roles *roles, struct b_error *err)
{
	struct asked a = asked_of(w);

	return look_ahead(w, &a, data, l, roles, err);
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
		int rc;

		/* What is refused here leaves a run directory that is there alone. */
		if (look_ahead(w, &a, NULL, &l, &roles, &err))
			return fail(&err);
		rc = rte_series_machine_check(w, &roles, &err);
		rte_roles_release(&roles);
		rte_lua_free(l);
		if (rc)
			return fail(&err);
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
