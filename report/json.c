/*
 * summary.json: every figure of the report, for programs. doc/rte-report.1 describes it;
 * "format" goes up when a field changes its meaning or goes away, not when one is added.
 * A figure that does not exist is null. Times are seconds (_s), rates a second (_per_s).
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "base/utf8.h"
#include "report/file.h"
#include "report/json.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

/* Keys may be foreign too: the words of a log. */
void rp_put(json_t *o, const char *key, json_t *v)
{
	struct b_buf safe = B_BUF_INIT;

	if (!b_utf8_valid(key, strlen(key))) {
		b_escape_text(&safe, key, strlen(key));
		key = b_buf_cstr(&safe);
	}
	B_BUG_ON(json_object_set_new(o, key, v) != 0);
	b_buf_release(&safe);
}

void rp_put_number(json_t *o, const char *key, double v)
{
	rp_put(o, key, isfinite(v) ? json_real(v) : json_null());
}

void rp_put_count(json_t *o, const char *key, uint64_t n)
{
	rp_put(o, key, json_integer((json_int_t)n));
}

/* Foreign bytes: what is no UTF-8 is shown as escapes. */
void rp_put_text(json_t *o, const char *key, const char *s)
{
	struct b_buf b = B_BUF_INIT;
	json_t *v = s ? json_string(s) : json_null();

	if (!v) {
		b_escape_text(&b, s, strlen(s));
		v = json_string(b_buf_cstr(&b));
		b_buf_release(&b);
	}
	rp_put(o, key, v);
}

static void append(json_t *a, json_t *v)
{
	B_BUG_ON(json_array_append_new(a, v) != 0);
}

json_t *rp_json_stat(const struct rp_stat *s)
{
	json_t *o = json_object(), *low = json_object(), *high = json_object(),
	       *thin = json_array();

	rp_put_count(o, "n", s->n);
	rp_put_number(o, "min_s", s->min_s);
	rp_put_number(o, "mean_s", s->mean_s);
	rp_put_number(o, "sd_s", s->sd_s);
	for (int i = 0; i < RP_N_QUANTILE; i++) {
		char key[16];

		snprintf(key, sizeof key, "%s_s", rp_quantile_names[i]);
		rp_put_number(o, key, s->p[i].s);
		rp_put_number(low, key, s->p[i].low_s);
		rp_put_number(high, key, s->p[i].high_s);
		if (s->p[i].thin)
			append(thin, json_string(rp_quantile_names[i]));
	}
	rp_put_number(o, "max_s", s->max_s);
	rp_put(o, "confidence95_low", low);
	rp_put(o, "confidence95_high", high);
	rp_put(o, "thin", thin);
	return o;
}

static json_t *group_json(const struct rp_group *g)
{
	json_t *o = json_object(), *by = json_object(), *ended = json_object();

	rp_put_text(o, "transaction", g->name);
	rp_put_count(o, "ok", g->n_ok);
	rp_put_count(o, "failed", g->n_failed);
	for (int i = RP_OK + 1; i < RP_N_STATUS; i++)
		if (rp_status_failed((enum rp_status)i))
			rp_put_count(by, rp_status_names[i], g->n_status[i]);
	rp_put(o, "failed_by", by);
	rp_put_count(o, "unfinished", g->n_unfinished);
	rp_put_count(o, "aborted", g->n_aborted);
	rp_put_count(o, "cut_at_end", g->n_edge);
	rp_put_count(o, "failed_after_end", g->n_edge_failed);
	rp_put_count(o, "logged", g->n_logged);
	rp_put_number(o, "rate_per_s", g->rate_per_s);
	rp_put_number(o, "share", g->share);
	rp_put_number(o, "errors",
		g->n_ok + g->n_failed ? (double)g->n_failed / (double)(g->n_ok + g->n_failed)
				      : (double)NAN);
	for (int i = 0; i < RP_N_ENDED; i++)
		if (g->n_ended[i])
			rp_put_count(ended, rp_ended_names[i], g->n_ended[i]);
	rp_put(o, "ended_by", ended);
	for (int i = 0; i < RP_N_MEASURE; i++)
		rp_put(o, rp_measure_names[i], rp_json_stat(&g->measure[i]));
	rp_put(o, "echo", rp_json_stat(&g->echo));
	rp_put_number(o, "echo_worst_s", g->echo_max_s);
	rp_put_number(o, "keys", g->keys);
	rp_put_number(o, "think_distance", g->think_ks);
	rp_put_number(o, "keying_distance", g->keying_ks);
	rp_put_number(o, "think_after_mean_s",
		g->n_think_after ? g->think_after_sum_s / (double)g->n_think_after : (double)NAN);
	rp_put_number(
		o, "key_gap_mean_s", g->n_gaps > 0 ? g->keying_sum_s / g->n_gaps : (double)NAN);
	rp_put_count(o, "bytes_in", g->bytes_in);
	rp_put_count(o, "bytes_out", g->bytes_out);
	return o;
}

static json_t *account_json(const double *part, double duration)
{
	json_t *o = json_object();
	double sum = 0;

	rp_put_number(o, "duration_s", duration);
	for (int i = 0; i < RP_AC_N; i++) {
		char key[24];

		snprintf(key, sizeof key, "%s_s", rp_account_names[i]);
		rp_put_number(o, key, part[i]);
		if (i < RP_AC_OTHER)
			sum += part[i];
	}
	rp_put_number(o, "unexplained_s", duration - sum);
	return o;
}

static json_t *sessions_json(const struct rp_sessions *s)
{
	json_t *o = json_object(), *ends = json_object(), *users = json_array();

	rp_put_count(o, "n", s->n);
	rp_put_count(o, "iterations", s->iterations);
	for (size_t i = 0; i < s->n_ends; i++)
		rp_put_count(ends, s->ends[i].name, s->ends[i].n);
	rp_put(o, "ended_by", ends);
	rp_put(o, "connect", rp_json_stat(&s->connect));
	rp_put(o, "login", rp_json_stat(&s->login));
	rp_put(o, "account", account_json(s->part_s, s->duration_s));
	for (size_t i = 0; i < s->n_users; i++) {
		json_t *u = account_json(s->users[i].part_s, s->users[i].duration_s);

		rp_put(u, "user", json_integer((json_int_t)s->users[i].user));
		rp_put(u, "sessions", json_integer((json_int_t)s->users[i].sessions));
		rp_put(u, "iterations", json_integer((json_int_t)s->users[i].iterations));
		append(users, u);
	}
	rp_put(o, "users", users);
	return o;
}

static json_t *driver_json(const struct rp_driver *d)
{
	json_t *o = json_object(), *workers = json_array();

	rp_put_number(o, "late_p50_s", d->late_p50_s);
	rp_put_number(o, "late_p99_s", d->late_p99_s);
	rp_put_number(o, "late_out_of_range", d->late_out_of_range);
	rp_put_number(o, "late_max_s", d->late_max_s);
	rp_put(o, "late_of_worst_second", json_boolean(d->late_from_timeline));
	rp_put_number(o, "wake_late_p50_s", d->wake_late_p50_s);
	rp_put_number(o, "wake_late_p99_s", d->wake_late_p99_s);
	rp_put_number(o, "wake_late_max_s", d->wake_late_max_s);
	rp_put_number(o, "log_queue_max_bytes", d->log_queue_max_bytes);
	rp_put_number(o, "keys", d->keys);
	rp_put_number(o, "reschedules", d->reschedules);
	rp_put_number(o, "blocked_s", d->blocked_s);
	rp_put_number(o, "cpu_cores_mean", d->cpu_mean);
	rp_put_number(o, "cpu_cores_max", d->cpu_max);
	rp_put_number(o, "memory_max_kib", d->rss_max_kib);
	for (size_t i = 0; i < d->n_workers; i++)
		append(workers, json_real(isfinite(d->worker_cpu_s[i]) ? d->worker_cpu_s[i] : 0));
	rp_put(o, "workers_cpu_s", workers);
	return o;
}

static json_t *thresholds_json(const struct rp_run *r)
{
	static const char *const units[] = { "s", "share", "per_s", "count" };
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_thresholds; i++) {
		const struct rp_threshold *t = &r->thresholds[i];
		json_t *o = json_object();

		rp_put_text(o, "threshold", t->text);
		rp_put_text(o, "transaction", t->name);
		rp_put_text(o, "figure", t->figure);
		rp_put_text(o, "op", t->op);
		rp_put_text(o, "unit", units[t->unit]);
		rp_put_number(o, "limit", t->limit);
		rp_put_number(o, "value", t->value);
		rp_put(o, "met", json_boolean(t->passed));
		append(a, o);
	}
	return a;
}

static json_t *failures_json(const struct rp_run *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_failures; i++) {
		const struct rp_failure *f = &r->failures[i];
		json_t *o = json_object();

		rp_put_text(o, "kind", f->kind);
		rp_put_text(o, "transaction", f->transaction);
		rp_put_text(o, "detail", f->detail);
		rp_put_text(o, "screen", f->screen);
		rp_put_count(o, "counted", f->n_counted);
		rp_put_count(o, "n", f->n);
		rp_put_number(o, "first_s", f->first_s);
		rp_put_number(o, "last_s", f->last_s);
		append(a, o);
	}
	return a;
}

static json_t *validity_json(const struct rp_run *r)
{
	json_t *o = json_object(), *reasons = json_array(), *sheet = json_array();

	for (size_t i = 0; i < r->n_checks; i++) {
		const struct rp_check *c = &r->checks[i];
		json_t *line = json_object();

		rp_put_text(line, "level", rp_level_names[c->level]);
		rp_put_text(line, "name", c->name);
		rp_put_text(line, "text", c->text);
		if (c->level == RP_BAD)
			append(reasons, json_incref(line));
		append(sheet, line);
	}
	rp_put_text(o, "verdict", r->valid ? "VALID" : "INVALID");
	rp_put(o, "reasons", reasons);
	rp_put(o, "sheet", sheet);
	return o;
}

static json_t *phases_json(const struct rp_run *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_phases; i++) {
		json_t *o = json_object();

		rp_put_text(o, "phase", r->phases[i].name);
		rp_put_number(o, "start_s", r->phases[i].start_s);
		rp_put_number(o, "end_s", r->phases[i].end_s);
		append(a, o);
	}
	return a;
}

/* Transactions that ended in the interval, wherever they began: the rate without its edges. */
static double completions_per_s(const struct rp_run *r)
{
	double n = 0;

	for (int i = 0; i < RP_N_BATCHES; i++)
		n += (double)r->ended[i];
	return n / rp_interval_s(r);
}

/* What a person did to the run while it went on. */
static json_t *actions_json(const struct rp_run *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_actions; i++) {
		json_t *o = json_object();

		rp_put(o, "at_s", json_real(rp_action_at(r, i)));
		rp_put_text(o, "action", r->actions[i].text);
		rp_put_text(o, "by", r->actions[i].by);
		append(a, o);
	}
	return a;
}

json_t *rp_summary_json(const struct rp_run *r)
{
	json_t *o = json_object(), *interval = json_object(), *groups = json_array();

	rp_put_count(o, "format", RUNDIR_FORMAT_VERSION);
	rp_put_text(o, "rte_version", RTE_VERSION);
	rp_put_text(o, "run", r->dir);
	rp_put_text(o, "run_version", r->version);
	rp_put_text(o, "outcome", r->outcome);
	rp_put_text(o, "outcome_detail", r->outcome_detail);
	if (json_object_get(r->json, "arrivals"))
		json_object_set(o, "arrivals", json_object_get(r->json, "arrivals"));
	rp_put_text(o, "seed", r->seed);
	rp_put_text(o, "verdict", r->valid ? "VALID" : "INVALID");
	rp_put_count(o, "exit_status", (uint64_t)rp_run_exit(r));
	rp_put_number(o, "started_s", r->started_s);
	rp_put_number(o, "users", r->config.users > 0 ? r->config.users : (double)r->n_users_seen);
	rp_put_count(o, "iterations", r->iterations);
	rp_put_number(o, "completions_per_s", completions_per_s(r));
	rp_put_number(interval, "from_s", r->from_s);
	rp_put_number(interval, "to_s", r->to_s);
	rp_put_number(interval, "duration_s", rp_interval_s(r));
	rp_put(interval, "chosen", json_boolean(r->interval_chosen));
	rp_put(interval, "open", json_boolean(r->interval_open));
	rp_put(o, "interval", interval);
	rp_put(o, "phases", phases_json(r));
	rp_put(o, "all", group_json(&r->all));
	for (size_t i = 0; i < r->n_groups; i++)
		append(groups, group_json(&r->groups[i]));
	rp_put(o, "transactions", groups);
	rp_put(o, "stages", rp_stages_json(r));
	rp_put(o, "failures", failures_json(r));
	rp_put(o, "sessions", sessions_json(&r->sessions));
	rp_put(o, "driver", driver_json(&r->driver));
	rp_put(o, "system", rp_sar_json(r));
	rp_put(o, "actions", actions_json(r));
	rp_put_count(o, "actions_in_interval", r->n_inside);
	rp_put_number(o, "paused_s", r->paused_s);
	rp_put(o, "thresholds", thresholds_json(r));
	rp_put(o, "validity", validity_json(r));
	return o;
}

int rp_json_dump(json_t *o, FILE *to)
{
	int rc = json_dumpf(o, to, JSON_INDENT(1) | JSON_REAL_PRECISION(15));

	json_decref(o);
	return rc || fputc('\n', to) == EOF || fflush(to) ? B_ESYS : B_OK;
}

int rp_json_write(const struct rp_run *r, FILE *to)
{
	return rp_json_dump(rp_summary_json(r), to);
}

int rp_summary_json_write(const struct rp_run *r, const char *path, struct b_error *err)
{
	struct rp_file f;
	int rc = rp_file_open(&f, path, err);

	if (rc)
		return rc;
	return rp_file_close(&f, rp_json_write(r, f.to), err);
}
