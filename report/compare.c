#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "report/report.h"
#include "base/banned.h"

/*
 * Response times within a run are not independent of each other (a slow second hits everybody),
 * so a test on the single samples would call every difference significant. Repeats are
 * independent; without them the means of a few long stretches nearly are.
 */
const char rp_compare_method[] =
	"* stands out of the noise: Welch's t-test, p < 0.01, on the repeats of each side where both have "
	"two or more, else on 20 equal parts of each measurement interval";

const struct rp_figure_kind rp_figure_kinds[RP_N_FIGURE] = {
	[RP_FIG_MEAN] = { "mean_s", "mean response time", "s" },
	[RP_FIG_P90] = { "p90_s", "p90 of the response time", "s" },
	[RP_FIG_P99] = { "p99_s", "p99 of the response time", "s" },
	[RP_FIG_MAX] = { "max_s", "longest response time", "s" },
	[RP_FIG_RATE] = { "rate_per_s", "ok transactions a second", "per_s" },
	[RP_FIG_FAILED] = { "failed", "failed transactions", "count" },
};

static double figure_of(const struct rp_group *g, enum rp_figure f)
{
	const struct rp_stat *s = &g->measure[RP_RESPONSE];

	switch (f) {
	case RP_FIG_MEAN: return s->mean_s;
	case RP_FIG_P90: return s->p[RP_P90].s;
	case RP_FIG_P99: return s->p[RP_P99].s;
	case RP_FIG_MAX: return s->max_s;
	case RP_FIG_RATE: return g->rate_per_s;
	case RP_FIG_FAILED:
	case RP_N_FIGURE: break;
	}
	return (double)g->n_failed;
}

static struct rp_moments moments_of_runs(const struct rp_cell *c, enum rp_figure f)
{
	double *v = b_calloc(c->n, sizeof *v);
	struct rp_moments m;

	for (size_t i = 0; i < c->n; i++)
		v[i] = figure_of(c->groups[i], f);
	m = rp_moments_of(v, c->n);
	free(v);
	return m;
}

double rp_cell_value(const struct rp_cell *c, enum rp_figure f)
{
	return c->n ? moments_of_runs(c, f).mean : (double)NAN;
}

/* Of fewer samples the p90 is the longest, and the lower the fewer there are: two runs that differ in
   their rates alone would differ in it. */
#define P90_SAMPLES 10

/* The figure in each part of one run's interval. */
static struct rp_moments moments_of_parts(const struct rp_cell *c, enum rp_figure f)
{
	const struct rp_group *g = c->groups[0];
	double v[RP_N_BATCHES], step = rp_interval_s(c->runs[0]) / RP_N_BATCHES;

	for (int i = 0; i < RP_N_BATCHES; i++) {
		const struct rp_batch *b = &g->batch[i];

		v[i] = f == RP_FIG_MEAN    ? (b->n ? b->mean_s : (double)NAN)
			: f == RP_FIG_P90  ? (b->n >= P90_SAMPLES ? b->p90_s : (double)NAN)
			: f == RP_FIG_RATE ? (double)b->n / step
					   : (double)NAN;
	}
	if (f == RP_FIG_RATE) /* rows cut at the edges are missing from the outer parts */
		v[0] = v[RP_N_BATCHES - 1] = NAN;
	return rp_moments_of(v, RP_N_BATCHES);
}

struct rp_difference rp_cell_difference(
	const struct rp_cell *a, const struct rp_cell *b, enum rp_figure f)
{
	struct rp_difference d = { NAN, NAN, false, false };
	double was = rp_cell_value(a, f), is = rp_cell_value(b, f);

	if (isnan(was) || isnan(is))
		return d;
	if (was > 0)
		d.part = is / was - 1;
	if (a->n > 1 && b->n > 1) {
		d.from_repeats = true;
		d.p = rp_welch_test(moments_of_runs(a, f), moments_of_runs(b, f)).p;
	} else {
		struct rp_moments x = moments_of_parts(a, f), y = moments_of_parts(b, f);

		if (x.n >= RP_N_BATCHES / 2 && y.n >= RP_N_BATCHES / 2)
			d.p = rp_welch_test(x, y).p;
	}
	d.stands_out = d.p < RP_STANDS_OUT;
	return d;
}

const char *rp_column_name(char out[RP_FORMAT_SIZE], size_t column)
{
	if (column < 26)
		snprintf(out, RP_FORMAT_SIZE, "%c", (char)('A' + column));
	else
		snprintf(out, RP_FORMAT_SIZE, "%zu", column + 1);
	return out;
}

double rp_column_total_s(const struct rp_compare *c, size_t column)
{
	const struct rp_cell *cell = &c->all.cells[column];
	double sum = 0;

	for (size_t i = 0; i < cell->n; i++) {
		const struct rp_stat *s = &cell->groups[i]->measure[RP_RESPONSE];

		sum += s->n ? s->mean_s * (double)s->n : 0;
	}
	return cell->n ? sum / (double)cell->n : (double)NAN;
}

/* ---- Lines ------------------------------------------------------------------------------------- */

static void cell_add(struct rp_cell *c, const struct rp_group *g, const struct rp_run *r)
{
	c->groups = b_reallocarray(c->groups, c->n + 1, sizeof(const struct rp_group *));
	c->runs = b_reallocarray(c->runs, c->n + 1, sizeof(const struct rp_run *));
	c->groups[c->n] = g;
	c->runs[c->n++] = r;
}

static struct rp_line *line_of(struct rp_compare *c, const char *name, double users)
{
	struct rp_line *l;

	for (size_t i = 0; i < c->n_lines; i++)
		if (!strcmp(c->lines[i].name, name))
			return &c->lines[i];
	c->lines = b_reallocarray(c->lines, c->n_lines + 1, sizeof *c->lines);
	l = &c->lines[c->n_lines++];
	*l = (struct rp_line){ b_strdup(name), users, b_calloc(c->n_columns, sizeof *l->cells) };
	return l;
}

static void add_run(struct rp_compare *c, size_t column, const struct rp_step *s)
{
	const struct rp_run *r = s->run;
	char name[32];

	if (!r)
		return;
	if (c->by_users) {
		snprintf(name, sizeof name, "%.0f users", s->users);
		cell_add(&line_of(c, name, s->users)->cells[column], &r->all, r);
		return;
	}
	for (size_t i = 0; i < r->n_groups; i++)
		if (r->groups[i].n_ok + r->groups[i].n_failed)
			cell_add(&line_of(c, r->groups[i].name, NAN)->cells[column], &r->groups[i],
				r);
	cell_add(&c->all.cells[column], &r->all, r);
}

static int by_users_and_name(const void *a, const void *b)
{
	const struct rp_line *x = a, *y = b;

	if (x->users < y->users || x->users > y->users)
		return x->users < y->users ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void lines_make(struct rp_compare *c)
{
	c->all.cells = b_calloc(c->n_columns, sizeof *c->all.cells);
	for (size_t k = 0; k < c->n_columns; k++)
		for (size_t i = 0; i < c->columns[k].n_steps; i++)
			add_run(c, k, &c->columns[k].steps[i]);
	if (c->n_lines)
		qsort(c->lines, c->n_lines, sizeof *c->lines, by_users_and_name);
}

/* ---- Loading --------------------------------------------------------------------------------- */

static int column_load(struct rp_ladder *to, const char *dir, const struct rp_load_options *opt,
	struct b_error *err)
{
	struct rp_ladder *l;
	struct rp_run *r;
	int rc;

	if (!rp_is_ladder(dir)) {
		rc = rp_run_load(&r, dir, opt, err);
		if (!rc)
			rp_ladder_of_run(to, dir, r);
		return rc;
	}
	rc = rp_ladder_load(&l, dir, opt, err);
	if (!rc) {
		*to = *l;
		free(l);
	}
	return rc;
}

int rp_compare_load(struct rp_compare **out, const char *const *dirs, size_t n,
	const struct rp_load_options *opt, struct b_error *err)
{
	struct rp_compare *c;
	size_t n_ladders = 0;
	int rc = B_OK;

	if (n < 2)
		return b_error_set(
			err, B_EUSAGE, "one run alone cannot be compared; give two or more");
	c = b_calloc(1, sizeof *c);
	c->columns = b_calloc(n, sizeof *c->columns);
	for (size_t i = 0; i < n && !rc; i++) {
		rc = column_load(&c->columns[i], dirs[i], opt, err);
		if (!rc)
			c->n_columns++;
	}
	for (size_t i = 0; i < c->n_columns && !rc; i++)
		n_ladders += c->columns[i].n_levels > 1;
	if (!rc && n_ladders && n_ladders < n)
		rc = b_error_set(err, B_EUSAGE,
			"ladders and single runs cannot stand side by side; compare a run with the "
			"directory of a step");
	if (rc) {
		rp_compare_free(c);
		return rc;
	}
	c->by_users = n_ladders > 0;
	lines_make(c);
	*out = c;
	return B_OK;
}

static void free_cells(struct rp_cell *cells, size_t n)
{
	for (size_t i = 0; cells && i < n; i++) {
		free(cells[i].groups);
		free(cells[i].runs);
	}
	free(cells);
}

void rp_compare_free(struct rp_compare *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_lines; i++) {
		free(c->lines[i].name);
		free_cells(c->lines[i].cells, c->n_columns);
	}
	free_cells(c->all.cells, c->n_columns);
	free(c->lines);
	for (size_t i = 0; i < c->n_columns; i++)
		rp_ladder_release(&c->columns[i]);
	free(c->columns);
	free(c);
}
