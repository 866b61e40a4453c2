/* The verdict and the tables of figures of the HTML report. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/html.h"
#include "report/report.h"
#include "base/banned.h"

#define MAX_ROWS 300

static void tile(struct b_buf *out, const char *what, const char *value, const char *class)
{
	b_buf_printf(
		out, "<div class=\"tile %s\"><b>%s</b><span>%s</span></div>\n", class, value, what);
}

static void tiles(struct b_buf *out, const struct rp_run *r)
{
	const struct rp_stat *s = &r->all.measure[RP_RESPONSE];
	char a[RP_FORMAT_SIZE];
	double users = r->config.users > 0 ? r->config.users : (double)r->n_users_seen;

	b_buf_adds(out, "<div class=\"tiles\">\n");
	tile(out, "users", rp_format_count(a, (uint64_t)users), "");
	tile(out, "measured", rp_format_span(a, rp_interval_s(r)), "");
	tile(out, "transactions ok", rp_format_count(a, r->all.n_ok), "");
	tile(out, "ok a second", rp_format_number(a, r->all.rate_per_s), "");
	tile(out, "response p50", rp_format_s(a, s->p[RP_P50].s), "");
	tile(out, "response p90", rp_format_s(a, s->p[RP_P90].s), "");
	tile(out, "response p99", rp_format_s(a, s->p[RP_P99].s), "");
	tile(out, "failed", rp_format_count(a, r->all.n_failed), r->all.n_failed ? "bad" : "");
	tile(out, "driver late p99", rp_format_s(a, r->driver.late_p99_s),
		r->driver.late_p99_s > r->config.late_bad_s ? "bad" : "");
	b_buf_adds(out, "</div>\n");
}

static void thresholds(struct b_buf *out, const struct rp_run *r)
{
	if (!r->n_thresholds)
		return;
	b_buf_adds(out,
		"<div class=\"scroll\"><table class=\"thresholds\"><caption>Thresholds</caption>"
		"<tr><th class=\"name\">threshold</th><th>measured</th><th class=\"name\">verdict</th>"
		"</tr>\n");
	for (size_t i = 0; i < r->n_thresholds; i++) {
		const struct rp_threshold *t = &r->thresholds[i];
		char a[RP_FORMAT_SIZE];

		b_buf_adds(out, "<tr><td class=\"name\">");
		rp_html_text(out, t->text);
		b_buf_printf(out, "</td><td>%s</td><td class=\"name %s\">%s</td></tr>\n",
			rp_threshold_value(a, t), t->passed ? "ok" : "bad",
			t->passed ? "met" : "MISSED");
	}
	b_buf_adds(out, "</table></div>\n");
}

/* What makes the run not valid, and what else to know before its figures are believed. */
static void reasons(struct b_buf *out, const struct rp_run *r)
{
	b_buf_adds(out, "<ul class=\"reasons\">\n");
	for (int level = RP_BAD; level >= RP_WARNING; level--) {
		for (size_t i = 0; i < r->n_checks; i++) {
			if ((int)r->checks[i].level != level)
				continue;
			b_buf_printf(out, "<li class=\"%s\"><b>", level == RP_BAD ? "bad" : "warn");
			rp_html_text(out, r->checks[i].name);
			b_buf_adds(out, ":</b> ");
			rp_html_text(out, r->checks[i].text);
			b_buf_adds(out, "</li>\n");
		}
	}
	b_buf_adds(out, "</ul>\n");
}

void rp_html_verdict(struct b_buf *out, const struct rp_run *r)
{
	size_t missed = 0;
	char a[RP_FORMAT_SIZE];

	for (size_t i = 0; i < r->n_thresholds; i++)
		missed += !r->thresholds[i].passed;
	b_buf_printf(out,
		"<header><h1>%s</h1><div class=\"badges\"><span class=\"badge %s\">%s</span>",
		"Run report", r->valid ? "ok" : "bad", r->valid ? "VALID" : "INVALID");
	if (r->n_thresholds)
		b_buf_printf(out, " <span class=\"badge %s\">%zu of %zu thresholds met</span>",
			missed ? "bad" : "ok", r->n_thresholds - missed, r->n_thresholds);
	b_buf_adds(out, "</div>\n<p class=\"dim\">");
	rp_html_text(out, r->dir);
	b_buf_adds(out, " &middot; ");
	rp_html_text(out, r->outcome ? r->outcome : "outcome unknown");
	b_buf_printf(out, " &middot; %s", rp_format_time(a, r->started_s));
	if (r->host) {
		b_buf_adds(out, " &middot; driver ");
		rp_html_text(out, r->host);
	}
	b_buf_adds(out, "</p>\n");
	reasons(out, r);
	b_buf_adds(out, "</header>\n");
	tiles(out, r);
	thresholds(out, r);
}

/* ---- Figures -------------------------------------------------------------------------------- */

static void name_cell(struct b_buf *out, const struct rp_run *r, const struct rp_group *g)
{
	b_buf_adds(out, "<tr><th class=\"name\">");
	if (g == &r->all)
		b_buf_adds(out, "all together");
	else
		rp_html_text(out, g->name);
	b_buf_adds(out, "</th>");
}

static void count_cell(struct b_buf *out, uint64_t n, bool bad)
{
	char a[RP_FORMAT_SIZE];

	b_buf_printf(out, "<td%s>%s</td>", bad && n ? " class=\"bad\"" : "", rp_format_count(a, n));
}

static void stat_cells(struct b_buf *out, const struct rp_stat *s)
{
	rp_html_time_cell(out, s->min_s);
	rp_html_time_cell(out, s->mean_s);
	rp_html_time_cell(out, s->sd_s);
	for (int i = 0; i < RP_N_QUANTILE; i++)
		rp_html_percentile_cell(out, &s->p[i]);
	rp_html_time_cell(out, s->max_s);
}

#define STAT_HEAD                                                                              \
	"<th>min</th><th>mean</th><th>sd</th><th>p50</th><th>p75</th><th>p90</th><th>p95</th>" \
	"<th>p99</th><th>p99.9</th><th>max</th>"

static void response_row(struct b_buf *out, const struct rp_run *r, const struct rp_group *g)
{
	char a[RP_FORMAT_SIZE];

	name_cell(out, r, g);
	count_cell(out, g->n_ok, false);
	count_cell(out, g->n_failed, true);
	b_buf_printf(out, "<td>%s</td>", rp_format_number(a, g->rate_per_s));
	b_buf_printf(out, "<td>%s</td>", rp_format_share(a, g->share));
	stat_cells(out, &g->measure[RP_RESPONSE]);
	b_buf_adds(out, "</tr>\n");
}

struct kind {
	enum rp_measure measure;
	const char *name;
};

static void other_row(
	struct b_buf *out, const struct rp_run *r, const struct rp_group *g, const struct kind *k)
{
	const struct rp_stat *s = &g->measure[k->measure];

	if (!s->n)
		return;
	name_cell(out, r, g);
	b_buf_printf(out, "<td class=\"name\">%s</td>", k->name);
	count_cell(out, s->n, false);
	stat_cells(out, s);
	b_buf_adds(out, "</tr>\n");
}

void rp_html_tables(struct b_buf *out, const struct rp_run *r)
{
	static const struct kind kinds[] = { { RP_FIRST, "first response" },
		{ RP_KEYING, "keying" }, { RP_THINK, "think" },
		{ RP_FROM_DUE, "response from due time" } };
	size_t n = 0;

	b_buf_adds(out,
		"<section id=\"figures\"><h2>Response times</h2>\n<p class=\"dim\">From the last "
		"input to the last change of the screen; transactions that lie wholly in the measurement "
		"interval.</p>\n<div class=\"scroll\"><table><tr><th class=\"name\">transaction</th>"
		"<th>ok</th><th>failed</th><th>ok/s</th><th>share</th>" STAT_HEAD "</tr>\n");
	for (size_t i = 0; i < r->n_groups && n < MAX_ROWS; i++) {
		if (!(r->groups[i].n_ok + r->groups[i].n_failed))
			continue;
		response_row(out, r, &r->groups[i]);
		n++;
	}
	response_row(out, r, &r->all);
	b_buf_adds(out,
		"</table></div>\n<p class=\"dim\"><span class=\"thin\">Grey</span>: too few samples "
		"(a p90 within 2 points needs 864, a p99 within 0.5 points 1,521); the range that holds the "
		"true value with 95% confidence shows when you point at a percentile.</p>\n"
		"<details><summary>First response, keying and think times</summary>"
		"<div class=\"scroll\"><table><tr><th class=\"name\">transaction</th>"
		"<th class=\"name\">time</th><th>n</th>" STAT_HEAD "</tr>\n");
	n = 0;
	for (size_t i = 0; i < r->n_groups && n++ < MAX_ROWS; i++)
		for (size_t k = 0; k < B_ARRAY_LEN(kinds); k++)
			other_row(out, r, &r->groups[i], &kinds[k]);
	for (size_t k = 0; k < B_ARRAY_LEN(kinds); k++)
		other_row(out, r, &r->all, &kinds[k]);
	b_buf_adds(out, "</table></div></details></section>\n");
}

void rp_html_validity(struct b_buf *out, const struct rp_run *r)
{
	static const char *const classes[] = { "ok", "note", "warn", "bad" };

	b_buf_adds(out,
		"<section id=\"validity\"><h2>Validity</h2>\n<div class=\"scroll\">"
		"<table class=\"sheet\">\n");
	for (size_t i = 0; i < r->n_checks; i++) {
		const struct rp_check *c = &r->checks[i];

		b_buf_printf(out, "<tr><td class=\"name %s\">%s</td><th class=\"name\">",
			classes[c->level], rp_level_names[c->level]);
		rp_html_text(out, c->name);
		b_buf_adds(out, "</th><td class=\"text\">");
		rp_html_text(out, c->text);
		b_buf_adds(out, "</td></tr>\n");
	}
	b_buf_adds(out, "</table></div></section>\n");
}
