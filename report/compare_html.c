/* A comparison as an HTML page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/compare.h"
#include "report/format.h"
#include "report/html.h"
#include "report/json.h"
#include "report/report.h"
#include "base/banned.h"

#define MAX_LINES  300
#define MAX_CURVES 6 /* as many colours as the page has */

static void value_cell(struct b_buf *out, enum rp_figure f, double v)
{
	char a[RP_FORMAT_SIZE];

	if (isnan(v))
		b_buf_adds(out, "<td>-</td>");
	else if (*rp_figure_kinds[f].unit == 's')
		b_buf_printf(out, "<td>%s</td>", rp_format_s(a, v));
	else if (*rp_figure_kinds[f].unit == 'c')
		b_buf_printf(out, "<td>%s</td>", rp_format_count(a, (uint64_t)llround(v)));
	else
		b_buf_printf(out, "<td>%s</td>", rp_format_number(a, v));
}

static void change_cell(struct b_buf *out, const struct rp_difference *d, enum rp_figure f)
{
	char change[RP_FORMAT_SIZE];
	bool worse = f == RP_FIG_RATE ? d->part < 0 : d->part > 0;

	if (isnan(d->part)) {
		b_buf_adds(out, "<td></td>");
		return;
	}
	b_buf_printf(out, "<td class=\"%s\"", !d->stands_out ? "same" : worse ? "up" : "down");
	if (!isnan(d->p))
		b_buf_printf(out, " title=\"p = %.2g, from %s\"", d->p,
			d->from_repeats ? "repeats" : "parts of the interval");
	b_buf_printf(
		out, ">%s%s</td>", rp_format_change(change, d->part), d->stands_out ? " *" : "");
}

static void line_row(struct b_buf *out, const struct rp_compare *c, const struct rp_line *l,
	const char *name, enum rp_figure f)
{
	b_buf_adds(out, "<tr><th class=\"name\">");
	rp_html_text(out, name);
	b_buf_adds(out, "</th>");
	for (size_t k = 0; k < c->n_columns; k++) {
		struct rp_difference d = rp_cell_difference(&l->cells[0], &l->cells[k], f);

		value_cell(out, f, rp_cell_value(&l->cells[k], f));
		if (k)
			change_cell(out, &d, f);
	}
	b_buf_adds(out, "</tr>\n");
}

static void total_row(struct b_buf *out, const struct rp_compare *c)
{
	double first = rp_column_total_s(c, 0);

	b_buf_adds(out, "<tr><th class=\"name\">total, all waits</th>");
	for (size_t k = 0; k < c->n_columns; k++) {
		struct rp_difference d = { rp_column_total_s(c, k) / first - 1, NAN, false, false };

		value_cell(out, RP_FIG_MEAN, rp_column_total_s(c, k));
		if (k)
			change_cell(out, &d, RP_FIG_MEAN);
	}
	b_buf_adds(out, "</tr>\n");
}

static void table(struct b_buf *out, const struct rp_compare *c, enum rp_figure f)
{
	char name[RP_FORMAT_SIZE];

	b_buf_printf(out,
		"<section><h2>%s</h2><div class=\"scroll\"><table><tr><th class=\"name\">%s</th>",
		rp_figure_kinds[f].title, c->by_users ? "users" : "transaction");
	for (size_t k = 0; k < c->n_columns; k++) {
		rp_column_name(name, k);
		b_buf_printf(out, "<th>%s</th>%s", name, k ? "<th>vs A</th>" : "");
	}
	b_buf_adds(out, "</tr>\n");
	for (size_t i = 0; i < c->n_lines && i < MAX_LINES; i++)
		line_row(out, c, &c->lines[i], c->lines[i].name, f);
	if (!c->by_users) {
		line_row(out, c, &c->all, "all together", f);
		if (f == RP_FIG_MEAN)
			total_row(out, c);
	}
	b_buf_adds(out, "</table></div></section>\n");
}

static void columns(struct b_buf *out, const struct rp_compare *c)
{
	char name[RP_FORMAT_SIZE], a[RP_FORMAT_SIZE];

	b_buf_adds(out, "<div class=\"scroll\"><table class=\"sheet\">\n");
	for (size_t k = 0; k < c->n_columns; k++) {
		const struct rp_ladder *l = &c->columns[k];
		size_t valid = 0;

		for (size_t i = 0; i < l->n_steps; i++)
			valid += l->steps[i].run && l->steps[i].run->valid;
		rp_column_name(name, k);
		b_buf_printf(out, "<tr><th>%s</th><td class=\"text\">", name);
		rp_html_text(out, l->dir);
		b_buf_printf(out,
			"</td><td>%s</td><td class=\"name %s\">%zu of %zu VALID</td></tr>\n",
			l->steps[0].run ? rp_format_time(a, l->steps[0].run->started_s) : "-",
			valid == l->n_steps ? "ok" : "bad", valid, l->n_steps);
	}
	b_buf_adds(out, "</table></div>\n");
}

/* ---- Charts ----------------------------------------------------------------------------------- */

static void append(json_t *a, double v)
{
	B_BUG_ON(json_array_append_new(a, isfinite(v) ? json_real(v) : json_null()) != 0);
}

static json_t *labels(const struct rp_compare *c, const char *x)
{
	json_t *a = json_array();
	char name[RP_FORMAT_SIZE];

	B_BUG_ON(json_array_append_new(a, json_string(x)) != 0);
	for (size_t k = 0; k < c->n_columns && k < MAX_CURVES; k++) {
		rp_column_name(name, k);
		B_BUG_ON(json_array_append_new(a, json_string(name)) != 0);
	}
	return a;
}

static void chart_add(
	json_t *charts, const char *id, const char *unit, json_t *names, json_t *rows, bool percent)
{
	json_t *o = json_object();

	rp_put_text(o, "id", id);
	rp_put_text(o, "unit", unit);
	rp_put(o, "labels", names);
	rp_put(o, "rows", rows);
	rp_put(o, "percent", json_boolean(percent));
	B_BUG_ON(json_array_append_new(charts, o) != 0);
}

static json_t *rows_by_users(const struct rp_compare *c, enum rp_figure f)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < c->n_lines; i++) {
		json_t *row = json_array();

		append(row, c->lines[i].users);
		for (size_t k = 0; k < c->n_columns && k < MAX_CURVES; k++)
			append(row, rp_cell_value(&c->lines[i].cells[k], f));
		B_BUG_ON(json_array_append_new(rows, row) != 0);
	}
	return rows;
}

/* Percentile curves of all transactions, the first run of each column. A row a point of one
   curve: the others are null there, the page connects what is apart. */
static json_t *rows_of_curves(const struct rp_compare *c)
{
	json_t *rows = json_array();

	for (size_t k = 0; k < c->n_columns && k < MAX_CURVES; k++) {
		const struct rp_group *g = c->all.cells[k].n ? c->all.cells[k].groups[0] : NULL;

		for (size_t i = 0; g && i < g->curve.n; i++) {
			json_t *row = json_array();
			double q = g->curve.q[i];

			append(row,
				q < 1 ? -log10(1 - q) : log10((double)g->measure[RP_RESPONSE].n));
			for (size_t j = 0; j < c->n_columns && j < MAX_CURVES; j++)
				append(row, j == k ? g->curve.s[i] : (double)NAN);
			B_BUG_ON(json_array_append_new(rows, row) != 0);
		}
	}
	return rows;
}

static json_t *page_data(const struct rp_compare *c)
{
	json_t *o = json_object(), *charts = json_array();

	rp_put_text(o, "kind", "compare");
	if (c->by_users) {
		chart_add(charts, "rate", "count", labels(c, "users"),
			rows_by_users(c, RP_FIG_RATE), false);
		chart_add(charts, "mean", "s", labels(c, "users"), rows_by_users(c, RP_FIG_MEAN),
			false);
		chart_add(charts, "p90", "s", labels(c, "users"), rows_by_users(c, RP_FIG_P90),
			false);
	} else {
		chart_add(charts, "curves", "s", labels(c, "part"), rows_of_curves(c), true);
	}
	rp_put(o, "charts", charts);
	return o;
}

static void figure(struct b_buf *out, const char *id, const char *title)
{
	b_buf_printf(out,
		"<figure class=\"chart\" id=\"%s\"><figcaption><b>%s</b></figcaption></figure>\n",
		id, title);
}

int rp_compare_html_write(const struct rp_compare *c, const char *path, struct b_error *err)
{
	struct b_buf b = B_BUF_INIT;

	rp_html_open(&b, "rte: comparison");
	b_buf_adds(&b, "<main>\n<header><h1>Comparison</h1></header>\n");
	columns(&b, c);
	if (c->by_users) {
		figure(&b, "rate", "Throughput against users");
		figure(&b, "mean", "Mean response time against users");
		figure(&b, "p90", "p90 of the response time against users");
	} else {
		figure(&b, "curves", "Percentile curves, all transactions together");
	}
	for (int f = 0; f < RP_N_FIGURE; f++)
		table(&b, c, (enum rp_figure)f);
	b_buf_printf(&b, "<p class=\"dim\">%s</p>\n</main>\n", rp_compare_method);
	rp_html_close(&b, page_data(c));
	return rp_html_save(&b, path, err);
}
