/* The stages of a run as text, JSON and HTML: users asked for, and what they met. */
#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/html.h"
#include "report/json.h"
#include "report/table.h"
#include "report/text_priv.h"
#include "base/banned.h"

/* Stages outside of the interval have no figures. */
static bool has_time(const struct rp_stage *s)
{
	return s->to_s > s->from_s;
}

static double errors_of(const struct rp_stage *s)
{
	uint64_t n = s->n_ok + s->n_failed;

	return n ? (double)s->n_failed / (double)n : (double)NAN;
}

static void share_cell(struct rp_table *t, double part)
{
	char a[RP_FORMAT_SIZE];

	rp_table_cell(t, isnan(part) ? "-" : rp_format_share(a, part));
}

static void percentile_cell(struct rp_table *t, const struct rp_percentile *p)
{
	char a[RP_FORMAT_SIZE], marked[RP_FORMAT_SIZE + 1];

	snprintf(marked, sizeof marked, "%s%s", p->thin && !isnan(p->s) ? "~" : "",
		rp_format_s(a, p->s));
	rp_table_cell(t, marked);
}

static void row(struct rp_table *t, const struct rp_stage *s, size_t number)
{
	char a[RP_FORMAT_SIZE], name[64];

	snprintf(name, sizeof name, "%zu: %.0f user%s", number, s->users, s->users == 1 ? "" : "s");
	rp_table_row(t, name);
	rp_table_cell(t, rp_format_span(a, s->from_s));
	rp_table_cell(t, rp_format_span(a, s->to_s));
	rp_table_cell(t, rp_format_number(a, s->users_mean));
	rp_table_cell(t, rp_format_count(a, s->n_ok));
	rp_table_cell(t, rp_format_count(a, s->n_failed));
	share_cell(t, errors_of(s));
	rp_table_cell(t, rp_format_number(a, s->rate_per_s));
	rp_table_seconds(t, s->response.mean_s);
	percentile_cell(t, &s->response.p[RP_P50]);
	percentile_cell(t, &s->response.p[RP_P90]);
	percentile_cell(t, &s->response.p[RP_P99]);
	rp_table_seconds(t, s->response.max_s);
}

void rp_text_stages(const struct rp_text *t)
{
	const struct rp_run *r = t->r;
	struct rp_table *table;

	if (!r->n_stages)
		return;
	table = rp_table_new("stage");
	rp_text_heading(t, "STAGES, transactions that lie wholly in one; users: on average");
	rp_table_column(table, NULL, "from", 1, false);
	rp_table_column(table, NULL, "to", 1, false);
	rp_table_column(table, NULL, "users", 0, false);
	rp_table_column(table, NULL, "ok", 0, false);
	rp_table_column(table, NULL, "failed", 1, false);
	rp_table_column(table, NULL, "errors", 0, false);
	rp_table_column(table, NULL, "ok/s", 0, false);
	rp_table_column(table, NULL, "mean", 1, false);
	rp_table_column(table, NULL, "p50", 0, false);
	rp_table_column(table, NULL, "p90", 0, false);
	rp_table_column(table, NULL, "p99", 0, false);
	rp_table_column(table, NULL, "max", 1, false);
	for (size_t i = 0; i < r->n_stages; i++)
		if (has_time(&r->stages[i]))
			row(table, &r->stages[i], i + 1);
	rp_table_write(table, t->to, t->cols);
	rp_table_free(table);
}

json_t *rp_stages_json(const struct rp_run *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->n_stages; i++) {
		const struct rp_stage *s = &r->stages[i];
		json_t *o;

		if (!has_time(s))
			continue;
		o = json_object();
		rp_put_count(o, "stage", i + 1);
		rp_put_number(o, "users", s->users);
		rp_put_number(o, "users_mean", s->users_mean);
		rp_put_number(o, "from_s", s->from_s);
		rp_put_number(o, "to_s", s->to_s);
		rp_put_count(o, "ok", s->n_ok);
		rp_put_count(o, "failed", s->n_failed);
		rp_put_number(o, "errors", errors_of(s));
		rp_put_number(o, "rate_per_s", s->rate_per_s);
		rp_put(o, "response", rp_json_stat(&s->response));
		B_BUG_ON(json_array_append_new(a, o) != 0);
	}
	return a;
}

void rp_html_stages(struct b_buf *out, const struct rp_run *r)
{
	static const enum rp_quantile shown[] = { RP_P50, RP_P90, RP_P99 };
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (!r->n_stages)
		return;
	b_buf_adds(out,
		"<section id=\"stages\"><h2>Stages</h2>\n<p class=\"dim\">Transactions that lie "
		"wholly in one stage; users with a session, on average.</p>\n"
		"<div class=\"scroll\"><table><tr><th class=\"name\">stage</th><th>from</th>"
		"<th>to</th><th>users</th><th>ok</th><th>failed</th><th>errors</th><th>ok/s</th>"
		"<th>mean</th><th>p50</th><th>p90</th><th>p99</th><th>max</th></tr>\n");
	for (size_t i = 0; i < r->n_stages; i++) {
		const struct rp_stage *s = &r->stages[i];
		double errors = errors_of(s);

		if (!has_time(s))
			continue;
		b_buf_printf(out,
			"<tr><th class=\"name\">%zu: %.0f user%s</th><td>%s</td><td>%s</td>", i + 1,
			s->users, s->users == 1 ? "" : "s", rp_format_span(a, s->from_s),
			rp_format_span(b, s->to_s));
		b_buf_printf(out, "<td>%s</td><td>%s</td>", rp_format_number(a, s->users_mean),
			rp_format_count(b, s->n_ok));
		b_buf_printf(out, "<td%s>%s</td>", s->n_failed ? " class=\"bad\"" : "",
			rp_format_count(a, s->n_failed));
		b_buf_printf(out, "<td>%s</td><td>%s</td>",
			isnan(errors) ? "-" : rp_format_share(a, errors),
			rp_format_number(b, s->rate_per_s));
		rp_html_time_cell(out, s->response.mean_s);
		for (size_t k = 0; k < B_ARRAY_LEN(shown); k++)
			rp_html_percentile_cell(out, &s->response.p[shown[k]]);
		rp_html_time_cell(out, s->response.max_s);
		b_buf_adds(out, "</tr>\n");
	}
	b_buf_adds(out, "</table></div></section>\n");
}
