/* A ladder as an HTML page: table, throughput and response time against users, the knee. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rundir.h"
#include "report/format.h"
#include "report/html.h"
#include "report/json.h"
#include "report/ladder.h"
#include "report/report.h"
#include "report/runs.h"
#include "base/banned.h"

/* Bytes that may stand in a relative address as they are; the rest by their numbers. */
static void add_address(struct b_buf *out, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			strchr("-._~", c))
			b_buf_addc(out, *s);
		else
			b_buf_printf(out, "%%%02X", c);
	}
}

static void name_cell(struct b_buf *out, const struct rp_step *s)
{
	struct b_buf path = B_BUF_INIT;

	b_buf_adds(out, "<td class=\"name\">");
	b_buf_printf(&path, "%s/%s", s->dir, RUNDIR_REPORT_HTML);
	if (!access(b_buf_cstr(&path), R_OK)) {
		b_buf_adds(out, "<a href=\"./");
		add_address(out, s->name);
		b_buf_adds(out, "/" RUNDIR_REPORT_HTML "\">");
		rp_html_text(out, s->name);
		b_buf_adds(out, "</a>");
	} else {
		rp_html_text(out, s->name);
	}
	b_buf_adds(out, "</td>");
	b_buf_release(&path);
}

static void step_row(struct b_buf *out, const struct rp_step *s)
{
	const struct rp_run *r = s->run;
	struct b_buf note = B_BUF_INIT;
	char a[RP_FORMAT_SIZE];

	b_buf_printf(out, "<tr><th>%s</th>",
		isnan(s->users) ? "?" : rp_format_count(a, (uint64_t)s->users));
	if (r) {
		const struct rp_stat *t = &r->all.measure[RP_RESPONSE];

		b_buf_printf(out, "<td>%s</td>", rp_format_number(a, r->all.rate_per_s));
		b_buf_printf(out, "<td>%s</td>", rp_format_count(a, r->all.n_ok));
		b_buf_printf(out, "<td%s>%s</td>", r->all.n_failed ? " class=\"bad\"" : "",
			rp_format_count(a, r->all.n_failed));
		rp_html_time_cell(out, t->min_s);
		rp_html_time_cell(out, t->mean_s);
		rp_html_percentile_cell(out, &t->p[RP_P90]);
		rp_html_time_cell(out, t->max_s);
		b_buf_printf(out, "<td class=\"name %s\">%s</td>", r->valid ? "ok" : "bad",
			r->valid ? "VALID" : "INVALID");
	} else {
		b_buf_adds(out,
			"<td>-</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td>"
			"<td class=\"name bad\">failed</td>");
	}
	rp_step_note(&note, s);
	name_cell(out, s);
	b_buf_adds(out, "<td class=\"text\">");
	rp_html_text(out, b_buf_cstr(&note));
	b_buf_adds(out, "</td></tr>\n");
	b_buf_release(&note);
}

static json_t *point(double x, const double *y, size_t n)
{
	json_t *a = json_array();

	B_BUG_ON(json_array_append_new(a, json_real(x)) != 0);
	for (size_t i = 0; i < n; i++)
		B_BUG_ON(json_array_append_new(a, isfinite(y[i]) ? json_real(y[i]) : json_null()) !=
			0);
	return a;
}

static json_t *chart(
	const struct rp_ladder *l, const char *id, const char *unit, json_t *labels, json_t *rows)
{
	json_t *o = json_object();
	char text[64];

	rp_put_text(o, "id", id);
	rp_put_text(o, "unit", unit);
	rp_put(o, "zero", json_true()); /* in proportion is a line through nothing */
	rp_put(o, "labels", labels);
	rp_put(o, "rows", rows);
	rp_put_number(o, "mark", l->knee);
	snprintf(text, sizeof text, "knee: %.0f users", l->knee);
	rp_put_text(o, "mark_text", text);
	return o;
}

static void chart_add(json_t *charts, json_t *one)
{
	B_BUG_ON(json_array_append_new(charts, one) != 0);
}

static json_t *page_data(const struct rp_ladder *l)
{
	json_t *o = json_object(), *charts = json_array(), *against, *tags = json_array();
	json_t *rate = json_array(), *times = json_array(), *by_rate = json_array();
	double first = NAN;
	char tag[32];

	for (size_t i = 0; i < l->n_levels; i++) {
		const struct rp_step_level *v = &l->levels[i];
		double t[] = { v->min_s, v->mean_s, v->p90_s, v->max_s },
		       x[2] = { v->rate_per_s, NAN };

		if (isnan(v->users))
			continue;
		if (isnan(first) && v->rate_per_s > 0)
			first = v->rate_per_s / v->users;
		x[1] = first * v->users;
		B_BUG_ON(json_array_append_new(rate, point(v->users, x, 2)) != 0);
		B_BUG_ON(json_array_append_new(times, point(v->users, t, 4)) != 0);
		if (v->rate_per_s > 0)
			B_BUG_ON(json_array_append_new(by_rate, point(v->rate_per_s, t + 1, 2)));
		snprintf(tag, sizeof tag, "%.0f users", v->users);
		if (v->rate_per_s > 0 && isfinite(v->p90_s))
			B_BUG_ON(json_array_append_new(tags,
					 json_pack("[ffs]", v->rate_per_s, v->p90_s, tag)) != 0);
	}
	rp_put_text(o, "kind", "ladder");
	chart_add(charts,
		chart(l, "rate", "count", json_pack("[sss]", "users", "ok/s", "in proportion"),
			rate));
	chart_add(charts,
		chart(l, "response", "s",
			json_pack("[sssss]", "users", "min", "mean", "p90", "max"), times));
	against = chart(l, "against", "s", json_pack("[sss]", "ok/s", "mean", "p90"), by_rate);
	rp_put(against, "mark", json_null()); /* the knee is a number of users */
	/* Past the knee it bends back: no line through points in the order of their rate. */
	rp_put(against, "points", json_true());
	rp_put(against, "tags", tags);
	chart_add(charts, against);
	rp_put(o, "charts", charts);
	return o;
}

static void add_little(struct b_buf *out, const struct rp_ladder *l)
{
	struct b_buf users = B_BUF_INIT;

	if (rp_little_text(&users, l))
		b_buf_printf(out,
			"<p class=\"dim\">Little's law, users found from throughput times the time of a "
			"transaction: %s</p>\n",
			b_buf_cstr(&users));
	b_buf_release(&users);
}

/* What follows from a ladder's table, and its charts. */
static void add_ladder(struct b_buf *b, const struct rp_ladder *l)
{
	b_buf_adds(b, "<p><b>");
	rp_knee_text(b, l);
	b_buf_adds(b, "</b></p>\n");
	b_buf_printf(b, "<p class=\"dim\">%s</p>\n", rp_knee_method);
	add_little(b, l);
	b_buf_adds(b,
		"<figure class=\"chart\" id=\"rate\"><figcaption><b>Throughput</b> "
		"<span>against users; in proportion: as from the lowest step</span></figcaption>"
		"</figure>\n<figure class=\"chart\" id=\"response\"><figcaption><b>Response time</b> "
		"<span>against users</span></figcaption></figure>\n"
		"<figure class=\"chart\" id=\"against\"><figcaption><b>Response time</b> "
		"<span>against throughput, a point a number of users</span></figcaption></figure>\n");
}

static void add_head(struct b_buf *b, const struct rp_ladder *l)
{
	size_t valid = 0;

	for (size_t i = 0; i < l->n_steps; i++)
		valid += l->steps[i].run && l->steps[i].run->valid;
	b_buf_printf(b,
		"<main>\n<header><h1>%s</h1><span class=\"badge %s\">%zu of %zu runs VALID</span>",
		l->n_levels > 1 ? "Ladder" : "Runs", valid == l->n_steps ? "ok" : "bad", valid,
		l->n_steps);
	if (rp_is_runs(l)) {
		enum b_exit last = rp_step_exit(&l->steps[l->n_steps - 1]);

		b_buf_printf(b, " <span class=\"badge %s\">last run: %s</span>",
			last == B_EXIT_OK ? "ok" : "bad", rp_verdict_word(last));
	}
	b_buf_adds(b, "<p class=\"dim\">");
	rp_html_text(b, l->dir);
	if (l->n_left_out)
		b_buf_printf(b, ", the newest of %zu runs", l->n_steps + l->n_left_out);
	b_buf_adds(b, "</p></header>\n");
}

/* A ladder in its order; of runs over time the newest first. */
static void add_steps(struct b_buf *b, const struct rp_ladder *l)
{
	b_buf_adds(b,
		"<section><h2>Steps</h2>\n<div class=\"scroll\"><table><tr>"
		"<th>users</th><th>ok/s</th><th>ok</th><th>failed</th><th>min</th><th>mean</th><th>p90</th>"
		"<th>max</th><th class=\"name\">validity</th><th class=\"name\">run</th>"
		"<th class=\"text\">note</th></tr>\n");
	for (size_t i = 0; i < l->n_steps; i++)
		step_row(b, &l->steps[rp_is_runs(l) ? l->n_steps - 1 - i : i]);
	b_buf_adds(b, "</table></div>\n");
}

int rp_ladder_html_write(const struct rp_ladder *l, const char *path, struct b_error *err)
{
	struct b_buf b = B_BUF_INIT;
	struct rp_runs runs;
	json_t *data;

	rp_html_open(&b, l->dir);
	add_head(&b, l);
	if (rp_is_runs(l)) {
		rp_runs_make(&runs, l);
		rp_runs_html(&b, &runs);
		data = rp_runs_data(&runs);
		rp_runs_release(&runs);
		add_steps(&b, l);
	} else {
		add_steps(&b, l);
		if (l->n_levels > 1)
			add_ladder(&b, l);
		data = l->n_levels > 1 ? page_data(l) : json_pack("{s:s}", "kind", "runs");
	}
	b_buf_adds(&b, "</section></main>\n");
	rp_html_close(&b, data);
	return rp_html_save(&b, path, err);
}
