/* The tables of the text report: what people know from the ends of other tools. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/table.h"
#include "report/text_priv.h"
#include "base/banned.h"

#define MAX_GROUPS   40
#define MAX_FAILURES 10

static const char *thin_mark(const struct rp_percentile *p)
{
	return p->thin && !isnan(p->s) ? "~" : "";
}

static void cell_percentile(struct rp_table *t, const struct rp_percentile *p)
{
	char a[RP_FORMAT_SIZE], marked[RP_FORMAT_SIZE + 1];

	snprintf(marked, sizeof marked, "%s%s", thin_mark(p), rp_format_s(a, p->s));
	rp_table_cell(t, marked);
}

/* Transactions with anything to show, each through fn, then all of them together. */
static void each_group(const struct rp_run *r, struct rp_table *t,
	void (*fn)(struct rp_table *t, const struct rp_group *g, bool due), bool due)
{
	size_t shown = 0;

	for (size_t i = 0; i < r->n_groups && shown < MAX_GROUPS; i++) {
		if (!(r->groups[i].n_ok + r->groups[i].n_failed))
			continue;
		rp_table_row(t, r->groups[i].name);
		fn(t, &r->groups[i], due);
		shown++;
	}
	if (shown == 1)
		return;
	rp_table_row(t, "all");
	fn(t, &r->all, due);
}

static size_t left_out(const struct rp_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_groups; i++)
		n += r->groups[i].n_ok + r->groups[i].n_failed > 0;
	return n > MAX_GROUPS ? n - MAX_GROUPS : 0;
}

/* ---- Response times --------------------------------------------------------------------------- */

/* Level 0 is what is read first; the rest stands beside it or below. */
static const unsigned levels[RP_N_QUANTILE] = {
	[RP_P50] = 0, [RP_P75] = 2, [RP_P90] = 0, [RP_P95] = 1, [RP_P99] = 0, [RP_P999] = 2
};
static const char *const heads[RP_N_QUANTILE] = { "p50", "p75", "p90", "p95", "p99", "p99.9" };

static void response_row(struct rp_table *t, const struct rp_group *g, bool due)
{
	const struct rp_stat *s = &g->measure[RP_RESPONSE];
	char a[RP_FORMAT_SIZE];

	(void)due;
	rp_table_cell(t, rp_format_count(a, g->n_ok));
	rp_table_cell(t, rp_format_count(a, g->n_failed));
	rp_table_cell(t, rp_format_number(a, g->rate_per_s));
	rp_table_cell(t, rp_format_share(a, g->share));
	rp_table_seconds(t, s->min_s);
	rp_table_seconds(t, s->mean_s);
	rp_table_seconds(t, s->sd_s);
	for (int i = 0; i < RP_N_QUANTILE; i++)
		cell_percentile(t, &s->p[i]);
	rp_table_seconds(t, s->max_s);
}

static bool any_thin(const struct rp_run *r)
{
	for (size_t i = 0; i < r->n_groups; i++)
		for (int q = 0; q < RP_N_QUANTILE; q++)
			if (*thin_mark(&r->groups[i].measure[RP_RESPONSE].p[q]))
				return true;
	return false;
}

static void add_range(struct b_buf *b, const char *name, const struct rp_percentile *p)
{
	char low[RP_FORMAT_SIZE], high[RP_FORMAT_SIZE];

	if (!isnan(p->low_s) && !isnan(p->high_s))
		b_buf_printf(b, "%s %s %s to %s", b->len ? "," : "", name,
			rp_format_s(low, p->low_s), rp_format_s(high, p->high_s));
}

static void write_confidence(const struct rp_text *t)
{
	const struct rp_percentile *p = t->r->all.measure[RP_RESPONSE].p;
	struct b_buf ranges = B_BUF_INIT, b = B_BUF_INIT;

	add_range(&ranges, "p50", &p[RP_P50]);
	add_range(&ranges, "p90", &p[RP_P90]);
	add_range(&ranges, "p99", &p[RP_P99]);
	if (ranges.len)
		b_buf_printf(&b, "all, with 95%% confidence:%s", b_buf_cstr(&ranges));
	if (any_thin(t->r))
		b_buf_printf(&b,
			"%s~ few samples: a p90 within 2 points needs 864, a p99 within 0.5 needs 1,521",
			b.len ? "\n" : "");
	for (const char *s = b_buf_cstr(&b), *nl; *s; s = nl) {
		size_t n = strcspn(s, "\n");
		char *line = b_strndup(s, n);

		rp_format_wrapped(t->to, t->cols, line, 0, 2);
		fputc('\n', t->to);
		free(line);
		nl = s + n + (s[n] == '\n');
	}
	b_buf_release(&ranges);
	b_buf_release(&b);
}

static void write_responses(const struct rp_text *t)
{
	struct rp_table *table = rp_table_new("transaction");
	size_t left = left_out(t->r);

	rp_text_heading(t, "RESPONSE TIME, last input to last change of the screen");
	rp_table_column(table, NULL, "ok", 0, false);
	rp_table_column(table, NULL, "failed", 0, false);
	rp_table_column(table, NULL, "ok/s", 0, false);
	rp_table_column(table, NULL, "share", 2, false);
	rp_table_column(table, NULL, "min", 1, false);
	rp_table_column(table, NULL, "mean", 0, false);
	rp_table_column(table, NULL, "sd", 2, false);
	for (int i = 0; i < RP_N_QUANTILE; i++)
		rp_table_column(table, NULL, heads[i], levels[i], false);
	rp_table_column(table, NULL, "max", 0, false);
	each_group(t->r, table, response_row, false);
	rp_table_write(table, t->to, t->cols);
	rp_table_free(table);
	if (left)
		fprintf(t->to, "... and %zu more: rte report --csv has them all\n", left);
	write_confidence(t);
}

/* ---- Other times ------------------------------------------------------------------------------ */

static void other_row(struct rp_table *t, const struct rp_group *g, bool due)
{
	const struct rp_stat *m = g->measure;

	rp_table_seconds(t, m[RP_FIRST].p[RP_P50].s);
	rp_table_seconds(t, m[RP_FIRST].p[RP_P90].s);
	rp_table_seconds(t, m[RP_KEYING].mean_s);
	rp_table_seconds(t, m[RP_KEYING].p[RP_P90].s);
	rp_table_seconds(t, m[RP_THINK].mean_s);
	rp_table_seconds(t, m[RP_THINK].p[RP_P90].s);
	rp_table_seconds(t, g->echo.mean_s);
	if (!due)
		return;
	rp_table_seconds(t, m[RP_FROM_DUE].p[RP_P90].s);
	rp_table_seconds(t, m[RP_FROM_DUE].p[RP_P99].s);
}

static void write_others(const struct rp_text *t)
{
	struct rp_table *table = rp_table_new("transaction");
	bool due = t->r->all.measure[RP_FROM_DUE].n > 0;

	rp_text_heading(t,
		due ? "OTHER TIMES; from due: response time from when pacing wanted the start"
		    : "OTHER TIMES");
	rp_table_column(table, "first", "p50", 0, false);
	rp_table_column(table, "output", "p90", 0, false);
	rp_table_column(table, "keying", "mean", 0, false);
	rp_table_column(table, "", "p90", 0, false);
	rp_table_column(table, "think", "mean", 0, false);
	rp_table_column(table, "", "p90", 0, false);
	rp_table_column(table, "echo", "mean", 0, false);
	if (due) {
		rp_table_column(table, "from due", "p90", 0, false);
		rp_table_column(table, "", "p99", 0, false);
	}
	each_group(t->r, table, other_row, due);
	rp_table_write(table, t->to, t->cols);
	rp_table_free(table);
}

/* ---- Failures ---------------------------------------------------------------------------------- */

static void write_failures(const struct rp_text *t)
{
	const struct rp_run *r = t->r;
	char a[RP_FORMAT_SIZE];
	struct b_buf what = B_BUF_INIT;

	if (!r->n_failures)
		return;
	rp_text_heading(t, "FAILURES, by what was expected");
	fprintf(t->to, "%8s %8s %10s  %s\n", "counted", "in all", "first at", "kind");
	for (size_t i = 0; i < r->n_failures && i < MAX_FAILURES; i++) {
		const struct rp_failure *f = &r->failures[i];

		fprintf(t->to, "%8s", rp_format_count(a, f->n_counted));
		fprintf(t->to, " %8s", rp_format_count(a, f->n));
		fprintf(t->to, " %10s  ", rp_format_span(a, f->first_s));
		b_buf_clear(&what);
		b_buf_printf(
			&what, "%s%s%.60s", f->kind, *f->transaction ? " in " : "", f->transaction);
		rp_format_wrapped(t->to, t->cols, b_buf_cstr(&what), 30, 30);
		b_buf_clear(&what);
		b_buf_printf(&what, "%.300s", f->detail);
		if (f->screen)
			b_buf_printf(&what, "%s(%.80s)", what.len ? " " : "", f->screen);
		if (what.len) {
			fprintf(t->to, "\n%*s", 30, "");
			rp_format_wrapped(t->to, t->cols, b_buf_cstr(&what), 30, 30);
		}
		fputc('\n', t->to);
	}
	if (r->n_failures > MAX_FAILURES)
		fprintf(t->to, "... and %zu more kinds\n", r->n_failures - MAX_FAILURES);
	b_buf_release(&what);
}

void rp_text_figures(const struct rp_text *t)
{
	if (t->r->all.n_ok + t->r->all.n_failed) {
		write_responses(t);
		rp_text_stages(t);
		write_others(t);
	}
	write_failures(t);
}
