/* Loading: the steps in their order, and giving it all back. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/csv_read.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

#define EPOCH_FROM_S 1e8 /* larger numbers of seconds are since the epoch */
#define FAR_S        1e10

static bool has_file(const char *dir, const char *name)
{
	struct b_buf path = B_BUF_INIT;
	struct stat st;
	bool has;

	b_buf_printf(&path, "%s/%s", dir, name);
	has = !stat(b_buf_cstr(&path), &st);
	b_buf_release(&path);
	return has;
}

static int check_is_run(const char *dir, struct b_error *err)
{
	struct stat st;

	if (stat(dir, &st))
		return b_error_set(
			err, B_ENOTFOUND, "cannot open run directory %s: %s", dir, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return b_error_set(err, B_EINPUT,
			"%s is no directory; give the run directory that rte run -o made", dir);
	if (!has_file(dir, RUNDIR_RUN_JSON) && !has_file(dir, RUNDIR_TRANSACTIONS_CSV))
		return b_error_set(err, B_ENOTFOUND,
			"%s is no run directory: it has neither %s nor %s", dir, RUNDIR_RUN_JSON,
			RUNDIR_TRANSACTIONS_CSV);
	return B_OK;
}

/* ---- The interval --------------------------------------------------------------------------- */

/* Without run.json and timeline.csv the first row is all that says when the run was. */
static void start_from_rows(struct rp_run *r)
{
	struct b_buf path = B_BUF_INIT;
	struct b_error ignored = { 0 };
	struct rp_csv c;

	b_buf_printf(&path, "%s/%s", r->dir, RUNDIR_TRANSACTIONS_CSV);
	if (!rp_csv_open(&c, b_buf_cstr(&path), &ignored)) {
		int at = rp_csv_column(&c, "start");

		if (rp_csv_next(&c, &ignored) == 1)
			r->started_s = floor(rp_field_double(rp_csv_field(&c, at))) - 1;
		rp_csv_close(&c);
	}
	b_buf_release(&path);
	if (!(r->started_s > 0 && r->started_s < 9e9))
		r->started_s = 0;
}

/* In microseconds, as the log is: the difference of two large numbers has more digits than truth. */
static double since_start(const struct rp_run *r, double epoch_s)
{
	return round((epoch_s - r->started_s) * 1e6) * 1e-6;
}

static void interval_from_phases(struct rp_run *r)
{
	for (size_t i = 0; i < r->n_phases; i++) {
		struct rp_phase_time *p = &r->phases[i];

		if (p->start_s > EPOCH_FROM_S)
			p->start_s = since_start(r, p->start_s);
		if (p->end_s > EPOCH_FROM_S)
			p->end_s = since_start(r, p->end_s);
		if (!isnan(p->end_s))
			r->end_s = fmax(r->end_s, p->end_s);
		if (p->phase != RP_MEASURE)
			continue;
		if (isnan(r->from_s))
			r->from_s = p->start_s;
		r->to_s = p->end_s;
	}
	r->interval_open = !isnan(r->from_s) && isnan(r->to_s);
}

/* run.json did not say: the seconds of the timeline do, each named by the phase at its end. */
static void interval_from_timeline(struct rp_run *r)
{
	const struct rp_timeline *t = &r->timeline;

	for (size_t i = 0; i < t->n; i++) {
		if (t->phase[i] != RP_MEASURE)
			continue;
		if (isnan(r->from_s))
			r->from_s =
				i ? (double)t->v[i - 1][RP_TL_TIME] : (double)t->v[i][RP_TL_TIME];
		r->to_s = (double)t->v[i][RP_TL_TIME];
		r->interval_open = i + 1 == t->n;
	}
}

static int interval_choose(struct rp_run *r, const struct rp_load_options *opt, struct b_error *err)
{
	r->interval_chosen = true;
	r->interval_open = false;
	r->from_s = opt->from_set ? opt->from_s : 0;
	r->to_s = opt->to_set ? opt->to_s : FAR_S;
	if (opt->from_set && r->from_s > EPOCH_FROM_S)
		r->from_s = since_start(r, r->from_s);
	if (opt->to_set && r->to_s > EPOCH_FROM_S && opt->to_s < FAR_S)
		r->to_s = since_start(r, r->to_s);
	r->from_s = fmax(r->from_s, -FAR_S);
	r->to_s = fmin(r->to_s, FAR_S);
	if (!(r->from_s < r->to_s))
		return b_error_set(err, B_EUSAGE,
			"the interval from %gs to %gs is empty; --from must be before --to",
			r->from_s, r->to_s);
	return B_OK;
}

int rp_interval_find(struct rp_run *r, const struct rp_load_options *opt, struct b_error *err)
{
	if (isnan(r->started_s))
		start_from_rows(r);
	interval_from_phases(r);
	if (isnan(r->from_s))
		interval_from_timeline(r);
	if (opt->from_set || opt->to_set)
		return interval_choose(r, opt, err);
	return B_OK;
}

/* What could only be known after the rows were read. */
static void interval_close(struct rp_run *r)
{
	if (isnan(r->from_s) && r->counted_to_s > r->counted_from_s) {
		r->from_s = r->counted_from_s;
		r->to_s = r->counted_to_s;
	}
	if (r->interval_open || r->to_s > r->end_s)
		r->to_s = r->end_s;
	if (r->to_s < r->from_s)
		r->to_s = r->from_s;
}

double rp_action_at(const struct rp_run *r, size_t i)
{
	double at = r->actions[i].at_s;

	return at > EPOCH_FROM_S ? since_start(r, at) : at;
}

double rp_interval_s(const struct rp_run *r)
{
	return r->to_s > r->from_s ? r->to_s - r->from_s : 0;
}

/* ---- The driver ------------------------------------------------------------------------------- */

void rp_driver_make(struct rp_run *r)
{
	struct rp_driver *d = &r->driver;
	double sum = 0, late_p99 = NAN, late_p50 = NAN, late_max = NAN;
	size_t n = 0;

	d->cpu_mean = d->cpu_max = d->rss_max_kib = NAN;
	for (size_t i = 0; i < r->timeline.n; i++) {
		const float *v = r->timeline.v[i];
		double t = (double)v[RP_TL_TIME];

		d->rss_max_kib = fmax(d->rss_max_kib, (double)v[RP_TL_RSS]);
		if (!(t > r->from_s && t <= r->to_s + 0.5))
			continue;
		late_p50 = fmax(late_p50, (double)v[RP_TL_LATE_P50]);
		late_p99 = fmax(late_p99, (double)v[RP_TL_LATE_P99]);
		late_max = fmax(late_max, (double)v[RP_TL_LATE_MAX]);
		if (isnan(v[RP_TL_CPU]))
			continue;
		sum += (double)v[RP_TL_CPU];
		d->cpu_max = fmax(d->cpu_max, (double)v[RP_TL_CPU]);
		n++;
	}
	if (n)
		d->cpu_mean = sum / (double)n;
	/* Seconds' percentiles do not add up to the interval's: the worst second is a bound. */
	if (isnan(d->late_p99_s) || r->interval_chosen) {
		d->late_from_timeline = !isnan(late_p99);
		d->late_p50_s = late_p50;
		d->late_p99_s = late_p99;
		d->late_max_s = late_max;
	}
}

void rp_driver_tell(const struct rp_run *r, struct b_buf *out)
{
	const struct rp_driver *d = &r->driver;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];
	double busiest = NAN;

	for (size_t i = 0; i < d->n_workers; i++)
		busiest = fmax(busiest, d->worker_cpu_s[i] / r->end_s);
	if (!isnan(d->wake_late_p99_s))
		b_buf_printf(out, "timers seen late p50 %s, p99 %s, max %s",
			rp_format_s(a, d->wake_late_p50_s), rp_format_s(b, d->wake_late_p99_s),
			rp_format_s(c, d->wake_late_max_s));
	if (r->end_s > 0 && busiest >= 0)
		b_buf_printf(out, "%sbusiest of %zu worker%s %s cores on average",
			out->len ? "; " : "", d->n_workers, d->n_workers == 1 ? "" : "s",
			rp_format_number(a, busiest));
	if (!isnan(d->log_queue_max_bytes))
		b_buf_printf(out, "%slog queue %s KiB at most", out->len ? "; " : "",
			rp_format_number(a, d->log_queue_max_bytes / 1024));
}

/* What the rows say of iterations without a transaction is nothing: the run itself knows. */
static void iterations_take(struct rp_run *r, const struct rp_load_options *opt)
{
	const json_t *n =
		json_object_get(json_object_get(r->json, "totals"), "iterations_measured");

	/* As of up to ten seconds ago while it goes on, or when it was killed: the rows know better. */
	if (r->outcome && !strcmp(r->outcome, "running"))
		return;
	if (json_is_integer(n) && json_integer_value(n) >= 0 && !opt->from_set && !opt->to_set)
		r->iterations = (uint64_t)json_integer_value(n);
}

/* ---- All of it -------------------------------------------------------------------------------- */

int rp_run_load(struct rp_run **out, const char *dir, const struct rp_load_options *opt,
	struct b_error *err)
{
	static const struct rp_load_options nothing;
	struct rp_run *r;
	int rc = check_is_run(dir, err);

	if (rc)
		return rc;
	if (!opt)
		opt = &nothing;
	r = b_calloc(1, sizeof *r);
	r->dir = b_strdup(dir);
	r->from_s = r->to_s = r->counted_from_s = r->counted_to_s = NAN;
	rp_load_json(r);
	rc = rp_thresholds_parse(r, opt, err);
	if (!rc)
		rc = rp_rules_choose(r, opt->rules, err);
	if (!rc)
		rc = rp_load_timeline(r, err);
	if (!rc)
		rc = rp_interval_find(r, opt, err);
	if (!rc)
		rc = rp_load_rows(r, err);
	if (!rc)
		rc = rp_load_sessions(r, err);
	iterations_take(r, opt);
	if (!rc) {
		interval_close(r);
		rp_steered_make(r);
		rp_sar_load(r);
		rp_failures_merge(r);
		rp_driver_make(r);
		rp_series_make(r);
		rp_figures_make(r, opt->keep_rows);
		rp_thresholds_judge(r);
	}
	if (rc) {
		rp_run_free(r);
		return rc;
	}
	r->strict = opt->strict || r->config.strict;
	rp_validity_judge(r);
	*out = r;
	return B_OK;
}

static void free_strings(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

static void free_failures(struct rp_failure *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].kind);
		free(list[i].message);
		free(list[i].shape);
		free(list[i].transaction);
		free(list[i].detail);
		free(list[i].screen);
	}
	free(list);
}

static void free_judgement(struct rp_run *r)
{
	for (size_t i = 0; i < r->n_thresholds; i++) {
		free(r->thresholds[i].text);
		free(r->thresholds[i].name);
		free(r->thresholds[i].figure);
	}
	for (size_t i = 0; i < r->n_checks; i++) {
		free(r->checks[i].name);
		free(r->checks[i].text);
	}
	free(r->thresholds);
	free(r->checks);
	free(r->rules);
}

static void free_config(struct rp_config *c)
{
	free(c->typing);
	free(c->think);
	free(c->pacing);
	free(c->rules);
	free_strings(c->scripts, c->n_scripts);
	free_strings(c->targets, c->n_targets);
	free_strings(c->thresholds, c->n_thresholds);
	free_strings(c->mix, c->n_mix);
	free(c->mix_weight);
}

void rp_run_free(struct rp_run *r)
{
	if (!r)
		return;
	free_judgement(r);
	free_config(&r->config);
	free_failures(r->failures, r->n_failures);
	free_failures(r->told, r->n_told);
	for (size_t i = 0; i < r->n_groups; i++) {
		free(r->groups[i].name);
		free(r->groups[i].gaps.n);
	}
	free(r->groups);
	free(r->all.gaps.n);
	free(r->all.name);
	for (size_t i = 0; i < r->n_phases; i++)
		free(r->phases[i].name);
	free(r->phases);
	for (size_t i = 0; i < r->n_actions; i++) {
		free(r->actions[i].text);
		free(r->actions[i].by);
	}
	free(r->actions);
	rp_sar_release(&r->sar);
	for (size_t i = 0; i < r->sessions.n_ends; i++)
		free(r->sessions.ends[i].name);
	free(r->sessions.ends);
	free(r->sessions.users);
	rp_rows_release(&r->rows);
	free(r->series.group);
	free(r->series.points);
	free(r->stages);
	free(r->timeline.v);
	free(r->timeline.phase);
	free(r->driver.worker_cpu_s);
	free(r->version);
	free(r->outcome);
	free(r->outcome_detail);
	free(r->seed);
	free(r->host);
	free(r->kernel);
	free(r->command);
	json_decref(r->json);
	free(r->dir);
	free(r);
}
