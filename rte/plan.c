/* --dry-run: what a run would do, in the words of the workload. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/datafile.h"
#include "rte/mix.h"
#include "rte/roles.h"
#include "rte/series.h"
#include "rte/when.h"
#include "base/banned.h"

#define NAMED_MAX 20 /* users of a script that are named one by one */

static const char *const on_error[] = { "restart the session", "stop the user",
	"continue with the next iteration" };

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

/* A list, an item a line; nothing when it is empty. */
static void print_list(const char *what, char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%-12s %s\n", i ? "" : what, list[i]);
}

/* ---- Users and phases -------------------------------------------------------------------- */

static void print_users(const struct rte_workload *w, const struct rte_series_options *opt)
{
	printf("%lld user%s%s, %lld worker%s, seed %llu, run directory %s\n", (long long)w->users,
		w->users == 1 ? "" : "s", w->arrivals_per_s > 0 ? " at most" : "",
		(long long)w->workers, w->workers == 1 ? "" : "s", (unsigned long long)w->seed,
		opt->dir ? opt->dir : "rte-run-DATE-TIME");
	for (size_t i = 0; i < w->n_ladder; i++)
		printf("%s%lld%s", i ? ", " : "ladder: ", (long long)w->ladder[i],
			i + 1 == w->n_ladder ? " users\n" : "");
	if (w->repeat > 1)
		printf("repeated %lld times\n", (long long)w->repeat);
	if (opt->every_ns) {
		struct b_buf b = B_BUF_INIT;

		b_format_duration(&b, opt->every_ns);
		printf("again every %s, until it is stopped\n", b_buf_cstr(&b));
		b_buf_release(&b);
	}
}

static void print_stages(const struct rte_workload *w)
{
	struct b_buf ramp = B_BUF_INIT;

	for (size_t i = 0; i < w->n_stages; i++) {
		struct b_buf b = B_BUF_INIT;

		b_format_duration(&b, w->stages[i].duration_ns);
		printf("  stage %-6zu %lld user%s for %s\n", i + 1, (long long)w->stages[i].users,
			w->stages[i].users == 1 ? "" : "s", b_buf_cstr(&b));
		b_buf_release(&b);
	}
	b_format_duration(&ramp, w->ramp_ns);
	printf("  %-12s each over %s, at most half the stage\n", "changes", b_buf_cstr(&ramp));
	b_buf_release(&ramp);
}

static void print_phases(const struct rte_workload *w)
{
	printf("phases:\n");
	if (w->n_stages)
		print_stages(w);
	else
		print_span("ramp-up", w->ramp_ns);
	if (w->measure_ns == RTE_UNSET && !w->n_stages) {
		printf("  %-12s %lld iteration%s a user\n", "measure", (long long)w->iterations,
			w->iterations == 1 ? "" : "s");
		print_span("ramp-down", w->rampdown_ns);
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
	if (w->arrivals_per_s > 0)
		printf("arrivals     %g/s, %s apart; %lld iteration%s a session\n",
			w->arrivals_per_s, w->arrivals_const ? "equally" : "exponentially",
			(long long)w->iterations, w->iterations == 1 ? "" : "s");
	else if (w->iterations != RTE_UNSET)
		printf("iterations   %lld a user at most\n", (long long)w->iterations);
}

/* ---- Scripts ------------------------------------------------------------------------------- */

static void print_mixes(const struct rte_role *role)
{
	for (size_t m = 0; m < role->n_mixes; m++) {
		const struct rte_role_mix *rm = &role->mixes[m];
		struct b_buf from = B_BUF_INIT;

		rte_when_format(&rm->from, &from);
		printf("    %-10s", m ? "" : "mix");
		for (size_t k = 0; k < rm->mix.n; k++)
			printf(" %s %g", rm->entries[k].name, rm->entries[k].weight);
		printf("%s%s%s\n", rm->mix.n_cards ? ", by deck" : "", from.len ? " from " : "",
			from.len ? b_buf_cstr(&from) : "");
		b_buf_release(&from);
	}
}

static void print_named_users(const struct rte_workload_script *s)
{
	if (!s->n_users)
		return;
	printf("    %-10s", "users");
	for (size_t k = 0; k < s->n_users && k < NAMED_MAX; k++)
		printf("%s %lld", k ? "," : "", (long long)s->users[k]);
	printf("%s\n", s->n_users > NAMED_MAX ? ", ..." : "");
}

static void print_barriers(const char *path)
{
	struct b_error ignored = { 0 };
	char **names;
	size_t n;

	if (rte_script_barriers(path, &names, &n, &ignored))
		return;
	for (size_t i = 0; i < n; i++) {
		printf("    %-10s %s\n", i ? "" : "barriers", names[i]);
		free(names[i]);
	}
	free(names);
}

static void print_role(const struct rte_workload *w, const struct rte_roles *roles, size_t i)
{
	const struct rte_role *role = &roles->list[i];
	uint32_t *of = b_calloc((size_t)w->users, sizeof *of);
	struct b_buf times = B_BUF_INIT;
	int64_t users = 0;

	rte_users_divide(w, w->users, of);
	for (int64_t u = 0; u < w->users; u++)
		users += of[u] == i;
	free(of);
	printf("  %s: %lld user%s, %s %dx%d", role->path, (long long)users, users == 1 ? "" : "s",
		role->term, role->cols, role->rows);
	if (role->target)
		printf(", target %s", ln_target_text(role->target));
	printf("\n");
	print_named_users(&w->scripts[i]);
	print_dist("typing", &role->typing, "as recorded, else cps:10");
	print_dist("think", &role->think, "as recorded");
	b_format_duration(&times, role->timeout_ns);
	b_buf_adds(&times, " a wait; settled after ");
	b_format_duration(&times, role->settle.settle_ns);
	printf("    %-10s %s\n", "timeout", b_buf_cstr(&times));
	b_buf_release(&times);
	print_mixes(role);
	for (size_t k = 0; k < role->n_sets; k++)
		printf("    %-10s %s\n", k ? "" : "set", role->sets[k]);
	print_barriers(role->path);
}

static void print_data(const struct rte_data *data)
{
	const char *path;
	size_t rows;

	for (size_t i = 0; (path = rte_data_file(data, i, &rows)); i++)
		printf("%-12s %s, %zu rows\n", i ? "" : "data", path, rows);
}

static void print_judging(const struct rte_workload *w)
{
	print_list("thresholds", w->thresholds, w->n_thresholds);
	if (w->rules)
		printf("%-12s %s\n", "rules", w->rules);
	print_list("stop when", w->stops, w->n_stops);
	printf("%-12s %s\n", "on error", on_error[w->on_error]);
}

enum b_exit rte_series_plan(struct rte_workload *w, const struct rte_series_options *opt)
{
	struct rte_data *data = rte_data_new();
	struct b_error err = { 0 };
	struct rte_roles roles;
	struct rte_lua *l;

	if (rte_series_look_ahead(w, data, &l, &roles, &err)) {
		b_error("%s", err.text);
		rte_data_free(data);
		return b_status_exit(err.code);
	}
	print_users(w, opt);
	print_phases(w);
	printf("scripts:\n");
	for (size_t i = 0; i < roles.n; i++)
		print_role(w, &roles, i);
	print_list("targets", w->targets, w->n_targets);
	print_list("bind", w->binds, w->n_binds);
	if (w->pacing.kind != B_DIST_UNSET) {
		struct b_buf b = B_BUF_INIT;

		b_dist_format(&w->pacing, &b);
		printf("%-12s %s\n", "pacing", b_buf_cstr(&b));
		b_buf_release(&b);
	}
	print_list("set", w->sets, w->n_sets);
	print_data(data);
	print_judging(w);
	if (w->before)
		printf("%-12s %s\n", "before", w->before);
	if (w->after)
		printf("%-12s %s\n", "after", w->after);
	/* Where it is to run may be another machine than this: the plan comes first. */
	fflush(stdout);
	if (rte_series_machine_check(w, &roles, &err))
		b_error("%s", err.text);
	rte_roles_release(&roles);
	rte_lua_free(l);
	rte_data_free(data);
	return b_status_exit(err.code);
}
