/* The figures that report.js draws, as one JSON object: already aggregated, so that the page is
   as small for five million transactions as for five thousand. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "report/html.h"
#include "report/json.h"
#include "base/banned.h"

#define MAX_ACTIONS    100
#define MAX_HISTOGRAMS 40
#define MAX_SECONDS    400

/* Six places of a second, and no more digits than that. */
static json_t *number(double v)
{
	if (!isfinite(v))
		return json_null();
	if (v >= 1e9 || v <= -1e9)
		return json_real(v);
	v = round(v * 1e6) / 1e6;
	return v >= floor(v) && v <= floor(v) ? json_integer((json_int_t)v) : json_real(v);
}

static void append(json_t *a, double v)
{
	B_BUG_ON(json_array_append_new(a, number(v)) != 0);
}

static json_t *series(const struct rp_run *r, size_t s)
{
	static const char *const keys[] = { "ok", "failed", "p50", "p90", "p99", "max" };
	json_t *o = json_object(), *a[6];

	for (size_t k = 0; k < B_ARRAY_LEN(keys); k++) {
		a[k] = json_array();
		rp_put(o, keys[k], a[k]);
	}
	for (size_t i = 0; i < r->series.n_points; i++) {
		const struct rp_point *p = &r->series.points[s * r->series.n_points + i];

		append(a[0], (double)p->ok / r->series.step_s);
		append(a[1], (double)p->failed / r->series.step_s);
		append(a[2], (double)p->p50_s);
		append(a[3], (double)p->p90_s);
		append(a[4], (double)p->p99_s);
		append(a[5], (double)p->max_s);
	}
	rp_put_text(o, "name", s ? r->groups[r->series.group[s]].name : "all together");
	return o;
}

static json_t *over_time(const struct rp_run *r)
{
	json_t *o = json_object(), *list = json_array();

	rp_put(o, "step", number(r->series.step_s));
	for (size_t s = 0; s < r->series.n_groups; s++)
		B_BUG_ON(json_array_append_new(list, series(r, s)) != 0);
	rp_put(o, "series", list);
	return o;
}

static json_t *phases(const struct rp_run *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_phases; i++) {
		json_t *o = json_object();
		double end = r->phases[i].end_s;

		rp_put_text(o, "name", r->phases[i].name);
		rp_put(o, "from", number(r->phases[i].start_s));
		rp_put(o, "to", number(isnan(end) ? r->end_s : end));
		B_BUG_ON(json_array_append_new(list, o) != 0);
	}
	return list;
}

static void action_add(void *list, const char *what, double at_s)
{
	json_t *o;

	if (json_array_size(list) >= MAX_ACTIONS)
		return;
	o = json_object();
	rp_put(o, "at", number(at_s));
	rp_put_text(o, "text", what);
	B_BUG_ON(json_array_append_new(list, o) != 0);
}

/* What a person did, and the changes that were asked for. */
static json_t *actions(const struct rp_run *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_actions; i++)
		action_add(list, r->actions[i].text, rp_action_at(r, i));
	rp_changes_each(r, action_add, list);
	return list;
}

/* RP_TL_N stands for all users that are there. */
static double shown_value(const struct rp_timeline *t, size_t i, enum rp_tl column)
{
	return column == RP_TL_N ? rp_timeline_users(t, i) : (double)t->v[i][column];
}

/* Columns of the timeline in steps: the largest value of each, since peaks are what matters. */
static json_t *timeline(const struct rp_run *r)
{
	static const struct {
		const char *key;
		enum rp_tl column;
	} shown[] = { { "users", RP_TL_N }, { "waiting", RP_TL_WAITING },
		{ "late99", RP_TL_LATE_P99 }, { "latemax", RP_TL_LATE_MAX }, { "cpu", RP_TL_CPU },
		{ "rss", RP_TL_RSS } };
	const struct rp_timeline *t = &r->timeline;
	size_t step = t->n / MAX_SECONDS + 1;
	json_t *o = json_object(), *at = json_array();

	for (size_t i = 0; i < t->n; i += step)
		append(at, (double)t->v[i + step <= t->n ? i + step - 1 : t->n - 1][RP_TL_TIME]);
	rp_put(o, "at", at);
	for (size_t k = 0; k < B_ARRAY_LEN(shown); k++) {
		json_t *a = json_array();

		for (size_t i = 0; i < t->n; i += step) {
			double most = NAN;

			for (size_t j = i; j < i + step && j < t->n; j++)
				most = fmax(most, shown_value(t, j, shown[k].column));
			append(a, most);
		}
		rp_put(o, shown[k].key, a);
	}
	return o;
}

/* How many of n samples the distribution asked for would put into each bin. */
static json_t *expected(const struct rp_histogram *h, double n, const struct b_dist *d)
{
	json_t *a = json_array();
	double below = 0;

	for (int i = 0; i < RP_N_BINS; i++) {
		double upto = b_dist_cdf(d, h->top_s * (i + 1) / RP_N_BINS);

		if (isnan(upto)) {
			json_decref(a);
			return json_null();
		}
		append(a, (upto - below) * n);
		below = upto;
	}
	return a;
}

/* Of keying times: sums of gaps, which were drawn (keying.c). */
static json_t *expected_keying(const struct rp_group *g)
{
	json_t *a = json_array();

	for (int i = 0; i < RP_N_BINS; i++)
		append(a, (double)g->keying_bin[i]);
	return a;
}

static json_t *histogram(const struct rp_group *g, enum rp_measure m, const char *asked)
{
	const struct rp_histogram *h = &g->histogram[m];
	const struct rp_stat *s = &g->measure[m];
	json_t *o = json_object(), *bins = json_array();
	struct b_error ignored = { 0 };
	struct b_dist d = { 0 };

	for (int i = 0; i < RP_N_BINS; i++)
		append(bins, (double)h->bin[i]);
	rp_put(o, "bins", bins);
	rp_put(o, "top", number(h->top_s));
	rp_put(o, "over", number((double)h->over));
	rp_put(o, "n", number((double)s->n));
	rp_put(o, "mean", number(s->mean_s));
	rp_put(o, "p90", number(s->p[RP_P90].s));
	rp_put(o, "max", number(s->max_s));
	if (asked && !b_dist_parse(&d, asked, &ignored)) {
		rp_put_text(o, "asked", asked);
		if (m == RP_KEYING)
			rp_put(o, "expected",
				g->keying_expected ? expected_keying(g) : json_null());
		else
			rp_put(o, "expected", expected(h, (double)s->n, &d));
		b_dist_release(&d);
	}
	return o;
}

static json_t *curve(const struct rp_group *g)
{
	json_t *a = json_array();

	for (size_t i = 0; i < g->curve.n; i++) {
		json_t *p = json_array();

		append(p, g->curve.q[i]);
		append(p, g->curve.s[i]);
		B_BUG_ON(json_array_append_new(a, p) != 0);
	}
	return a;
}

static json_t *group(const struct rp_run *r, const struct rp_group *g)
{
	json_t *o = json_object();

	rp_put_text(o, "name", g == &r->all ? "all together" : g->name);
	rp_put(o, "response", histogram(g, RP_RESPONSE, NULL));
	rp_put(o, "think", histogram(g, RP_THINK, r->config.think));
	rp_put(o, "keying", histogram(g, RP_KEYING, r->config.typing));
	rp_put(o, "curve", curve(g));
	return o;
}

json_t *rp_html_data(const struct rp_run *r)
{
	json_t *o = json_object(), *groups = json_array();
	size_t n = 0;

	rp_put_text(o, "kind", "run");
	rp_put(o, "from", number(r->from_s));
	rp_put(o, "to", number(r->to_s));
	rp_put(o, "end", number(r->end_s));
	rp_put(o, "late_warn", number(r->config.late_warn_s));
	rp_put(o, "late_bad", number(r->config.late_bad_s));
	rp_put(o, "cores", number(r->cores));
	rp_put(o, "phases", phases(r));
	rp_put(o, "actions", actions(r));
	rp_put(o, "time", over_time(r));
	rp_put(o, "seconds", timeline(r));
	rp_put(o, "sar", rp_sar_series(r));
	B_BUG_ON(json_array_append_new(groups, group(r, &r->all)) != 0);
	for (size_t i = 0; i < r->n_groups && n < MAX_HISTOGRAMS; i++) {
		if (!r->groups[i].n_ok)
			continue;
		B_BUG_ON(json_array_append_new(groups, group(r, &r->groups[i])) != 0);
		n++;
	}
	rp_put(o, "groups", groups);
	return o;
}
