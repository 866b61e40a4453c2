/* Runs over time as text: a line a run, then what became of them. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "report/format.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/table.h"
#include "base/banned.h"

#define MAX_ROWS    60 /* the newest; the page and --csv have all */
#define MAX_CHANGES 20

static double most_p90(const struct rp_ladder *l, size_t from)
{
	double most = 0;

	for (size_t i = from; i < l->n_steps; i++)
		if (l->steps[i].run)
			most = fmax(most, l->steps[i].run->all.measure[RP_RESPONSE].p[RP_P90].s);
	return most;
}

static void row(struct rp_table *t, const struct rp_step *s, double most)
{
	const struct rp_run *r = s->run;
	struct b_buf note = B_BUF_INIT;

	rp_table_row(t, s->name);
	rp_table_cell(t, rp_verdict_word(rp_step_exit(s)));
	if (r) {
		rp_step_figures(t, r);
		rp_table_bar(t, r->all.measure[RP_RESPONSE].p[RP_P90].s, most);
	}
	rp_step_note(&note, s);
	rp_table_note(t, b_buf_cstr(&note));
	b_buf_release(&note);
}

static void write_table(const struct rp_ladder *l, FILE *to)
{
	size_t from = l->n_steps > MAX_ROWS ? l->n_steps - MAX_ROWS : 0;
	struct rp_table *t = rp_table_new("run");
	double most = most_p90(l, from);

	rp_table_column(t, NULL, "verdict", 0, true);
	rp_table_column(t, NULL, "ok/s", 0, false);
	rp_table_column(t, NULL, "ok", 0, false);
	rp_table_column(t, NULL, "failed", 0, false);
	rp_table_column(t, NULL, "min", 2, false);
	rp_table_column(t, NULL, "mean", 0, false);
	rp_table_column(t, NULL, "p90", 0, false);
	rp_table_column(t, NULL, "max", 1, false);
	rp_table_column(t, NULL, "p90 bars", 0, true);
	for (size_t i = from; i < l->n_steps; i++)
		row(t, &l->steps[i], most);
	if (from)
		fprintf(to, "the newest %d; --csv and --html have all\n", MAX_ROWS);
	rp_table_write(t, to, rp_format_cols(to));
	rp_table_free(t);
}

static void write_trend(const char *name, const struct rp_trend *t, bool seconds, FILE *to)
{
	struct b_buf b = B_BUF_INIT;

	rp_runs_trend_text(&b, t, seconds);
	if (b.len) {
		fprintf(to, "%-14s ", name);
		rp_format_wrapped(to, rp_format_cols(to), b_buf_cstr(&b), 15, 15);
		fputc('\n', to);
	}
	b_buf_release(&b);
}

static void write_crossings(const struct rp_runs *r, FILE *to)
{
	struct b_buf b = B_BUF_INIT;

	if (!r->n_crossings)
		return;
	fputs("\nTHRESHOLDS\n", to);
	for (size_t i = 0; i < r->n_crossings; i++) {
		const struct rp_crossing *c = &r->crossings[i];

		b_buf_clear(&b);
		b_buf_printf(&b, "%.100s ", c->threshold->text);
		rp_runs_crossing_text(&b, r, c);
		fprintf(to, "%-6s  ", c->missed_now ? "MISSED" : "met");
		rp_format_wrapped(to, rp_format_cols(to), b_buf_cstr(&b), 8, 8);
		fputc('\n', to);
	}
	b_buf_release(&b);
}

static void write_changes(const struct rp_runs *r, FILE *to)
{
	const struct rp_ladder *l = r->l;
	size_t skip = r->n_changes > MAX_CHANGES ? r->n_changes - MAX_CHANGES : 0;
	struct b_buf b = B_BUF_INIT;

	if (!r->n_changes)
		return;
	fputs("\nCHANGES OF VERDICT\n", to);
	if (skip)
		fprintf(to, "%zu earlier ones, and\n", skip);
	for (size_t i = 1; i < l->n_steps; i++) {
		if (!rp_runs_changed(l, i))
			continue;
		if (skip) {
			skip--;
			continue;
		}
		b_buf_clear(&b);
		b_buf_printf(&b, "%.60s: ", l->steps[i].name);
		rp_runs_change_text(&b, l, i);
		rp_format_wrapped(to, rp_format_cols(to), b_buf_cstr(&b), 0, 4);
		fputc('\n', to);
	}
	b_buf_release(&b);
}

void rp_runs_text(const struct rp_runs *r, FILE *to)
{
	write_table(r->l, to);
	if (r->mean.n >= 3) {
		fputs("\nOVER THE RUNS\n", to);
		write_trend("ok/s", &r->rate, false, to);
		write_trend("mean response", &r->mean, true, to);
		write_trend("p90", &r->p90, true, to);
	}
	write_crossings(r, to);
	write_changes(r, to);
}
