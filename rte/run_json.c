/* run.json, as doc/rte-rundir.5 describes it. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/rundir.h"
#include "rte/arrivals.h"
#include "rte/rundir.h"
#include "rte/run_priv.h"
#include "rte/when.h"
#include "base/banned.h"

static json_t *strings(char *const *list, size_t n)
{
	json_t *a = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(a, rte_json_text(list[i]));
	return a;
}

static json_t *dist_json(const struct b_dist *d, const char *otherwise)
{
	struct b_buf b = B_BUF_INIT;
	json_t *v;

	b_dist_format(d, &b);
	v = rte_json_text(b.len ? b_buf_cstr(&b) : otherwise);
	b_buf_release(&b);
	return v;
}

static json_t *shares_json(const struct rte_role_mix *m)
{
	json_t *o = json_object();

	for (size_t k = 0; k < m->mix.n; k++)
		json_object_set_new(o, m->entries[k].name, json_real(m->entries[k].weight));
	return o;
}

/* Shares that change: each with when it holds, and how many transactions were picked from it. */
static json_t *mixes_json(const struct rte_role *role)
{
	json_t *a = json_array();

	for (size_t i = 0; i < role->n_mixes; i++) {
		json_t *o = json_object();
		struct b_buf from = B_BUF_INIT;

		rte_when_format(&role->mixes[i].from, &from);
		json_object_set_new(
			o, "from", from.len ? rte_json_text(b_buf_cstr(&from)) : json_null());
		json_object_set_new(o, "mix", shares_json(&role->mixes[i]));
		json_object_set_new(
			o, "counted", json_integer(atomic_load(&role->mixes[i].counted)));
		json_array_append_new(a, o);
		b_buf_release(&from);
	}
	return a;
}

static json_t *script_json(const struct rte_run *r, size_t i)
{
	const struct rte_workload_script *s = &r->w->scripts[i];
	const struct rte_role *role = &r->roles.list[i];
	json_t *o = json_object(), *users = json_array();

	json_object_set_new(o, "path", rte_json_text(s->path));
	json_object_set_new(o, "name", rte_json_text(role->name));
	if (s->n_users) {
		for (size_t k = 0; k < s->n_users; k++)
			json_array_append_new(users, json_integer(s->users[k]));
		json_object_set(o, "users", users);
	} else {
		json_object_set_new(o, "weight", json_real(s->weight));
	}
	json_decref(users);
	if (role->target)
		json_object_set_new(o, "target", rte_json_text(ln_target_text(role->target)));
	json_object_set_new(o, "term", rte_json_text(role->term));
	json_object_set_new(o, "rows", json_integer(role->rows));
	json_object_set_new(o, "cols", json_integer(role->cols));
	json_object_set_new(o, "typing", dist_json(&role->typing, "recorded"));
	json_object_set_new(o, "think", dist_json(&role->think, "recorded"));
	json_object_set_new(o, "timeout_s", rte_json_seconds(role->timeout_ns));
	json_object_set_new(o, "settle_s", rte_json_seconds(role->settle.settle_ns));
	if (role->n_mixes)
		json_object_set_new(o, "mix", shares_json(&role->mixes[0]));
	if (role->n_mixes > 1)
		json_object_set_new(o, "mixes", mixes_json(role));
	return o;
}

static json_t *stages_json(const struct rte_workload *w)
{
	json_t *a = json_array();

	for (size_t i = 0; i < w->n_stages; i++) {
		json_t *o = json_object();

		json_object_set_new(o, "users", json_integer(w->stages[i].users));
		json_object_set_new(o, "duration_s", rte_json_seconds(w->stages[i].duration_ns));
		json_array_append_new(a, o);
	}
	return a;
}

static json_t *config_json(const struct rte_run *r)
{
	static const char *const on_error[] = { "restart", "stop", "continue" };
	const struct rte_workload *w = r->w;
	json_t *c = json_object(), *scripts = json_array();

	json_object_set_new(c, "workload", rte_json_text(w->path));
	for (size_t i = 0; i < w->n_scripts; i++)
		json_array_append_new(scripts, script_json(r, i));
	json_object_set_new(c, "scripts", scripts);
	json_object_set_new(c, "targets", strings(w->targets, w->n_targets));
	json_object_set_new(c, "bind", strings(w->binds, w->n_binds));
	json_object_set_new(c, "users", json_integer(w->users));
	json_object_set_new(c, "workers", json_integer(w->workers));
	json_object_set_new(c, "iterations",
		w->iterations == RTE_UNSET ? json_null() : json_integer(w->iterations));
	if (w->n_stages)
		json_object_set_new(c, "stages", stages_json(w));
	if (w->arrivals_per_s > 0) {
		json_object_set_new(c, "arrivals_per_s", json_real(w->arrivals_per_s));
		json_object_set_new(
			c, "arrivals_apart", json_string(w->arrivals_const ? "const" : "exp"));
	}
	json_object_set_new(c, "ramp_s", rte_json_seconds(w->ramp_ns));
	json_object_set_new(c, "warmup_s", rte_json_seconds(w->warmup_ns));
	json_object_set_new(c, "measure_s",
		w->measure_ns == RTE_MEASURE_FOREVER ? json_string("forever")
						     : rte_json_seconds(w->measure_ns));
	json_object_set_new(c, "continue_s", rte_json_seconds(w->continue_ns));
	json_object_set_new(c, "rampdown_s", rte_json_seconds(w->rampdown_ns));
	/* What holds for all scripts; where they differ, config.scripts tells. */
	json_object_set_new(c, "typing",
		dist_json(w->n_scripts == 1 ? &r->roles.list[0].typing : &w->typing, "recorded"));
	json_object_set_new(c, "think",
		dist_json(w->n_scripts == 1 ? &r->roles.list[0].think : &w->think, "recorded"));
	json_object_set_new(c, "pacing", dist_json(&w->pacing, "none"));
	json_object_set_new(c, "timeout_s", rte_json_seconds(r->roles.list[0].timeout_ns));
	json_object_set_new(c, "settle_s", rte_json_seconds(r->roles.list[0].settle.settle_ns));
	json_object_set_new(c, "settle_max_s", rte_json_seconds(w->settle_max_ns));
	json_object_set_new(c, "on_error", json_string(on_error[w->on_error]));
	json_object_set_new(c, "connect_timeout_s", rte_json_seconds(w->connect_timeout_ns));
	json_object_set_new(c, "connect_retries", json_integer(w->connect_retries));
	json_object_set_new(c, "set", strings(w->sets, w->n_sets));
	json_object_set_new(c, "thresholds", strings(w->thresholds, w->n_thresholds));
	json_object_set_new(c, "stop_when", strings(w->stops, w->n_stops));
	json_object_set_new(c, "rules", rte_json_text(w->rules));
	json_object_set_new(c, "strict", json_boolean(w->strict));
	json_object_set_new(c, "lateness_warn_s", rte_json_seconds(w->lateness_warn_ns));
	json_object_set_new(c, "lateness_bad_s", rte_json_seconds(w->lateness_bad_ns));
	json_object_set_new(c, "echo", json_string(w->echo_all ? "all" : "sample"));
	json_object_set_new(c, "before", rte_json_text(w->before));
	json_object_set_new(c, "after", rte_json_text(w->after));
	return c;
}

/* A phase that lasts no time, or has not come, is left out. */
static void phase_add(
	json_t *a, const struct rte_run *r, enum rte_phase p, int64_t from, int64_t to, int64_t now)
{
	int64_t offset = r->shared.wall_offset_ns;
	json_t *o;

	if (from == RTE_UNKNOWN || from > now || from >= to)
		return;
	o = json_object();
	json_object_set_new(o, "name", json_string(rte_phase_name(p)));
	json_object_set_new(o, "start_s", rte_json_instant(from + offset));
	json_object_set_new(o, "end_s", to > now ? json_null() : rte_json_instant(to + offset));
	json_array_append_new(a, o);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static json_t *phases_json(const struct rte_run *r, int64_t now)
{
	const struct rte_phases *p = &r->shared.phases;
	int64_t warmup = atomic_load(&p->warmup_ns), measure = atomic_load(&p->measure_ns);
	int64_t cont = atomic_load(&p->continue_ns), down = atomic_load(&p->rampdown_ns);
	json_t *a = json_array();

	/* A run that is stopped early leaves later phases behind its end. */
	down = least(down, r->end_ns ? r->end_ns : RTE_UNKNOWN);
	cont = least(cont, down);
	measure = least(measure, cont);
	warmup = least(warmup, measure);
	phase_add(a, r, RTE_RAMPUP, p->start_ns, warmup, now);
	phase_add(a, r, RTE_WARMUP, warmup, measure, now);
	phase_add(a, r, RTE_MEASURE, measure, cont, now);
	phase_add(a, r, RTE_CONTINUE, cont, down, now);
	phase_add(a, r, RTE_RAMPDOWN, down, r->end_ns ? r->end_ns : RTE_UNKNOWN, now);
	return a;
}

static json_t *worker_json(const struct rte_worker *w)
{
	json_t *o = json_object();
	int64_t users = 0;

	for (int k = 0; k < RTE_N_SHOWN; k++)
		users += rte_stat_get(&w->stats.users[k]);
	json_object_set_new(o, "users", json_integer(users));
	json_object_set_new(o, "cpu_s", rte_json_seconds(rte_stat_get(&w->stats.cpu_ns)));
	json_object_set_new(o, "keys", json_integer(rte_stat_get(&w->stats.keys)));
	json_object_set_new(o, "wakeups", json_integer(rte_stat_get(&w->stats.waits)));
	return o;
}

static void quantile_set(json_t *o, const char *key, const struct b_hist *h, double q)
{
	json_object_set_new(
		o, key, b_hist_count(h) ? rte_json_seconds(b_hist_quantile(h, q)) : json_null());
}

static json_t *driver_json(struct rte_run *r)
{
	json_t *d = json_object(), *workers = json_array();
	struct b_hist *late = b_hist_new(), *wakes = b_hist_new();
	int64_t reschedules = 0, blocked = 0, cpu = 0;

	for (size_t i = 0; i < r->n_workers; i++) {
		struct rte_worker *w = r->workers[i];

		pthread_mutex_lock(&w->share.lock);
		b_hist_merge(late, w->share.late);
		b_hist_merge(wakes, w->share.wakes);
		pthread_mutex_unlock(&w->share.lock);
		reschedules += rte_stat_get(&w->stats.reschedules);
		blocked += rte_stat_get(&w->stats.blocked_ns);
		cpu += rte_stat_get(&w->stats.cpu_ns);
		json_array_append_new(workers, worker_json(w));
	}
	json_object_set_new(d, "keys", json_integer((json_int_t)b_hist_count(late)));
	quantile_set(d, "late_p50_s", late, 0.5);
	quantile_set(d, "late_p90_s", late, 0.9);
	quantile_set(d, "late_p99_s", late, 0.99);
	quantile_set(d, "late_max_s", late, 1);
	quantile_set(d, "wake_late_p50_s", wakes, 0.5);
	quantile_set(d, "wake_late_p99_s", wakes, 0.99);
	quantile_set(d, "wake_late_max_s", wakes, 1);
	/* Beyond the histogram's range: counted in its last step, and told, since it means that the
	   percentiles above are bounds. */
	if (b_hist_over(late) + b_hist_under(late))
		json_object_set_new(d, "late_out_of_range",
			json_integer((json_int_t)(b_hist_over(late) + b_hist_under(late))));
	json_object_set_new(d, "reschedules", json_integer(reschedules));
	json_object_set_new(d, "blocked_s", rte_json_seconds(blocked));
	json_object_set_new(d, "cpu_s", rte_json_seconds(cpu));
	json_object_set_new(d, "max_rss_kib", json_integer(r->timeline.max_rss_kib));
	json_object_set_new(d, "log_queue_max_bytes", json_integer((json_int_t)r->max_queue));
	json_object_set_new(d, "workers", workers);
	b_hist_free(late);
	b_hist_free(wakes);
	return d;
}

static json_t *totals_json(const struct rte_run *r)
{
	json_t *t = json_object();
	int64_t sum[10] = { 0 };
	static const char *const names[] = { "transactions", "failures", "iterations", "sessions",
		"logins", "keys", "bytes_in", "bytes_out", "stale", "iterations_measured" };

	for (size_t i = 0; i < r->n_workers; i++) {
		const struct rte_stats *s = &r->workers[i]->stats;
		const _Atomic int64_t *at[] = { &s->transactions, &s->failures, &s->iterations,
			&s->sessions, &s->logins, &s->keys, &s->bytes_in, &s->bytes_out, &s->stale,
			&s->iterations_measured };

		for (int k = 0; k < 10; k++)
			sum[k] += rte_stat_get(at[k]);
	}
	for (int k = 0; k < 10; k++)
		json_object_set_new(t, names[k], json_integer(sum[k]));
	return t;
}

static json_t *arrivals_json(const struct rte_run *r)
{
	struct rte_arrival_counts c = rte_arrivals_counts(r->shared.arrivals);
	json_t *o = json_object();

	json_object_set_new(o, "all", json_integer(c.all));
	json_object_set_new(o, "turned_away", json_integer(c.turned_away));
	json_object_set_new(o, "measured", json_integer(c.measured));
	json_object_set_new(o, "measured_turned_away", json_integer(c.measured_turned_away));
	return o;
}

static json_t *command_json(const struct rte_run *r)
{
	json_t *a = json_array();

	for (char *const *s = r->opt->command; s && *s; s++)
		json_array_append_new(a, rte_json_text(*s));
	return a;
}

/* clock_asked_s: our time when the recording took its own, as its clock_s. */
static json_t *sar_json(const struct rte_run *r)
{
	json_t *o = json_object();

	json_object_set_new(
		o, "host", *r->opt->sar ? rte_json_text(r->opt->sar) : json_string("this machine"));
	json_object_set_new(o, "file", json_string(RUNDIR_SAR_JSON));
	json_object_set_new(o, "clock_asked_s",
		r->sar_asked_ns ? rte_json_instant(r->sar_asked_ns) : json_null());
	return o;
}

int rte_run_json(struct rte_run *r, const char *outcome, struct b_error *err)
{
	int64_t now = b_clock_mono_ns(), offset = r->shared.wall_offset_ns;
	json_t *root = json_object();
	char text[32];
	int rc = rte_writer_lost(r->writer, err);

	/* Another run may be writing there by now. */
	if (rc) {
		r->result->lost = true;
		json_decref(root);
		return rc;
	}
	json_object_set_new(root, "format", json_integer(RUNDIR_FORMAT_VERSION));
	json_object_set_new(root, "rte_version", json_string(RTE_VERSION));
	json_object_set_new(root, "command", command_json(r));
	json_object_set_new(root, "started_s", rte_json_instant(r->start_ns + offset));
	b_clock_iso8601(r->start_ns + offset, text);
	json_object_set_new(root, "started", json_string(text));
	json_object_set_new(
		root, "ended_s", r->end_ns ? rte_json_instant(r->end_ns + offset) : json_null());
	json_object_set_new(root, "outcome", json_string(outcome));
	if (r->result->error.code)
		json_object_set_new(root, "outcome_detail", rte_json_text(r->result->error.text));
	json_object_set_new(root, "seed", json_integer((json_int_t)r->w->seed));
	json_object_set_new(root, "host", rte_host_json());
	json_object_set_new(root, "config", config_json(r));
	json_object_set_new(root, "phases", phases_json(r, now));
	json_object_set_new(root, "totals", totals_json(r));
	if (r->shared.arrivals)
		json_object_set_new(root, "arrivals", arrivals_json(r));
	json_object_set_new(root, "driver", driver_json(r));
	json_object_set_new(root, "errors", rte_failures_json(r->shared.failures));
	json_object_set_new(root, "actions", r->actions ? json_incref(r->actions) : json_array());
	if (r->opt->sar)
		json_object_set_new(root, "sar", sar_json(r));
	rc = rte_rundir_json_write(r->opt->dir, root, err);
	json_decref(root);
	return rc;
}
