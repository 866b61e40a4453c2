/* Runs over time in the HTML page: figures a run, each threshold with its limit, changes of verdict. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/html.h"
#include "report/json.h"
#include "report/report.h"
#include "report/runs.h"
#include "base/banned.h"

#define MAX_THRESHOLDS 12
#define MAX_CHANGES    200

static void trend_row(struct b_buf *out, const char *name, const struct rp_trend *t, bool seconds)
{
	struct b_buf b = B_BUF_INIT;

	rp_runs_trend_text(&b, t, seconds);
	if (b.len)
		b_buf_printf(out, "<tr><th class=\"name\">%s</th><td class=\"text\">%s</td></tr>\n",
			name, b_buf_cstr(&b));
	b_buf_release(&b);
}

static void crossings(struct b_buf *out, const struct rp_runs *r)
{
	struct b_buf b = B_BUF_INIT;

	for (size_t i = 0; i < r->n_crossings; i++) {
		const struct rp_crossing *c = &r->crossings[i];

		b_buf_clear(&b);
		rp_runs_crossing_text(&b, r, c);
		b_buf_adds(out, "<tr><th class=\"name\">");
		rp_html_text(out, c->threshold->text);
		b_buf_printf(out, "</th><td class=\"text %s\">", c->missed_now ? "bad" : "");
		rp_html_text(out, b_buf_cstr(&b));
		b_buf_adds(out, "</td></tr>\n");
	}
	b_buf_release(&b);
}

static void changes(struct b_buf *out, const struct rp_runs *r)
{
	const struct rp_ladder *l = r->l;
	struct b_buf text = B_BUF_INIT;
	size_t shown = 0;

	if (!r->n_changes)
		return;
	b_buf_printf(out, "<details><summary>%zu change%s of verdict</summary><ul>\n", r->n_changes,
		r->n_changes == 1 ? "" : "s");
	for (size_t i = l->n_steps; i-- > 1 && shown < MAX_CHANGES;) {
		char at[RP_FORMAT_SIZE];

		if (!rp_runs_changed(l, i))
			continue;
		b_buf_adds(out, "<li>");
		rp_html_text(out, l->steps[i].name);
		if (l->steps[i].run)
			b_buf_printf(out, ", %s", rp_format_time(at, l->steps[i].run->started_s));
		b_buf_clear(&text);
		rp_runs_change_text(&text, l, i);
		b_buf_adds(out, ": ");
		rp_html_text(out, b_buf_cstr(&text));
		b_buf_adds(out, "</li>\n");
		shown++;
	}
	b_buf_adds(out, "</ul></details>\n");
	b_buf_release(&text);
}

static void figure(struct b_buf *out, const char *id, const char *title, const char *text)
{
	b_buf_printf(out, "<figure class=\"chart\" id=\"%s\"><figcaption><b>", id);
	rp_html_text(out, title);
	b_buf_printf(out, "</b> <span>%s</span></figcaption></figure>\n", text);
}

void rp_runs_html(struct b_buf *out, const struct rp_runs *r)
{
	b_buf_adds(out,
		"<section><h2>Over the runs</h2>\n<div class=\"scroll\"><table class=\"sheet\">\n");
	trend_row(out, "ok/s", &r->rate, false);
	trend_row(out, "mean response", &r->mean, true);
	trend_row(out, "p90", &r->p90, true);
	crossings(out, r);
	b_buf_adds(out, "</table></div>\n");
	changes(out, r);
	figure(out, "response", "Response time", "of all transactions together, a point a run");
	figure(out, "rate", "Rate", "ok and failed transactions a second");
	for (size_t i = 0; i < r->n_crossings && i < MAX_THRESHOLDS; i++) {
		char id[32];

		snprintf(id, sizeof id, "threshold%zu", i);
		figure(out, id, r->crossings[i].threshold->text,
			"a point a run; the dashed line is the limit, missed runs in red");
	}
	b_buf_adds(out, "</section>\n");
}

/* ---- Charts ----------------------------------------------------------------------------------- */

static void append(json_t *a, double v)
{
	B_BUG_ON(json_array_append_new(a,
			 !isfinite(v)                              ? json_null()
				 : v == floor(v) && fabs(v) < 1e12 ? json_integer((json_int_t)v)
								   : json_real(v)) != 0);
}

/* The second from which the charts count: reals on the page have six digits, too few for an epoch. */
static double base_of(const struct rp_ladder *l)
{
	for (size_t i = 0; i < l->n_steps; i++)
		if (l->steps[i].run && !isnan(l->steps[i].run->started_s))
			return floor(l->steps[i].run->started_s);
	return 0;
}

static json_t *chart(
	const struct rp_ladder *l, const char *id, const char *unit, json_t *labels, json_t *rows)
{
	json_t *o = json_object();

	rp_put_text(o, "id", id);
	rp_put_text(o, "unit", unit);
	rp_put(o, "time", json_integer((json_int_t)base_of(l)));
	rp_put(o, "labels", labels);
	rp_put(o, "rows", rows);
	return o;
}

/* A point at the start of each run that could be read, with the figures that add appends to it;
   where it returns false there is none. */
static json_t *rows_of(const struct rp_ladder *l,
	bool (*add)(json_t *a, const struct rp_run *r, const char *threshold),
	const char *threshold)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < l->n_steps; i++) {
		const struct rp_run *r = l->steps[i].run;
		json_t *a;

		if (!r || isnan(r->started_s))
			continue;
		a = json_array();
		append(a, round((r->started_s - base_of(l)) * 10) / 10);
		if (add(a, r, threshold))
			B_BUG_ON(json_array_append_new(rows, a) != 0);
		else
			json_decref(a);
	}
	return rows;
}

static bool add_response(json_t *a, const struct rp_run *r, const char *threshold)
{
	const struct rp_stat *m = &r->all.measure[RP_RESPONSE];

	(void)threshold;
	append(a, m->p[RP_P50].s);
	append(a, m->p[RP_P90].s);
	append(a, m->max_s);
	return true;
}

static bool add_rate(json_t *a, const struct rp_run *r, const char *threshold)
{
	(void)threshold;
	append(a, r->all.rate_per_s);
	append(a, (double)r->all.n_failed / fmax(rp_interval_s(r), 1e-9));
	return true;
}

static bool add_threshold(json_t *a, const struct rp_run *r, const char *threshold)
{
	const struct rp_threshold *t = rp_runs_threshold(r, threshold);

	if (!t)
		return false;
	append(a, t->value);
	append(a, t->passed ? (double)NAN : t->value);
	return true;
}

static json_t *threshold_chart(const struct rp_ladder *l, const struct rp_threshold *t, size_t i)
{
	static const char *const units[] = { "s", "share", "count", "count" };
	char id[32];
	json_t *o;

	snprintf(id, sizeof id, "threshold%zu", i);
	o = chart(l, id, units[t->unit], json_pack("[sss]", "run", "measured", "missed"),
		rows_of(l, add_threshold, t->text));
	rp_put_number(o, "limit", t->limit);
	return o;
}

json_t *rp_runs_data(const struct rp_runs *r)
{
	json_t *o = json_object(), *charts = json_array();

	rp_put_text(o, "kind", "runs");
	B_BUG_ON(json_array_append_new(charts,
			 chart(r->l, "response", "s",
				 json_pack("[ssss]", "run", "p50", "p90", "max"),
				 rows_of(r->l, add_response, NULL))) != 0);
	B_BUG_ON(json_array_append_new(charts,
			 chart(r->l, "rate", "count", json_pack("[sss]", "run", "ok/s", "failed/s"),
				 rows_of(r->l, add_rate, NULL))) != 0);
	for (size_t i = 0; i < r->n_crossings && i < MAX_THRESHOLDS; i++)
		B_BUG_ON(json_array_append_new(
				 charts, threshold_chart(r->l, r->crossings[i].threshold, i)) != 0);
	rp_put(o, "charts", charts);
	return o;
}
