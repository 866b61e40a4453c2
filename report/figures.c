/*
 * From rows to figures. Samples are gathered by a counting sort on a key (transaction, batch or
 * point in time), so that each key's samples lie side by side, are sorted there and read off.
 * A column is given back as soon as its figures are made: five million rows stay under 200 MiB.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "report/run.h"
#include "base/banned.h"

const char *const rp_measure_names[RP_N_MEASURE] = { "response", "first_response", "keying",
	"think", "response_from_due" };

#define SKIP       SIZE_MAX
#define GAPS_VARY  3  /* few gaps are longer than so many times their mean */
#define MAX_KEYING 40 /* transactions whose keying times are held against the typing */

/* What is gathered: the sample of a row, and the key under which. */
struct gather {
	const struct rp_run *r;
	enum rp_measure measure;
	size_t (*key)(const struct gather *g, size_t row); /* SKIP: no sample */
	size_t n_keys;
	/* for keys by time */
	double from_ms, step_ms;
	size_t n_steps;
	const size_t *series_of; /* group -> series, SKIP */
	/* the result: samples of key k in v[at[k]..at[k+1]) */
	rp_time *v, *scratch;
	size_t *at, n;
};

static rp_time sample(const struct gather *g, size_t i)
{
	const struct rp_rows *w = &g->r->rows;

	switch (g->measure) {
	case RP_RESPONSE: return w->response[i];
	case RP_FIRST: return w->first[i];
	case RP_KEYING: return w->keying[i];
	case RP_THINK: return w->think[i];
	case RP_FROM_DUE:
		if (!w->due_late || w->response[i] == RP_TIME_NONE)
			return RP_TIME_NONE;
		return rp_time_of_us(rp_time_us(w->response[i]) + rp_time_us(w->due_late[i]));
	case RP_N_MEASURE: /* the echo times */ return w->echo ? w->echo[i] : RP_TIME_NONE;
	}
	return RP_TIME_NONE;
}

static void gather(struct gather *g)
{
	const struct rp_rows *w = &g->r->rows;
	size_t sum = 0, k;

	g->at = b_calloc(g->n_keys + 1, sizeof *g->at);
	for (size_t i = 0; i < w->n; i++)
		if ((k = g->key(g, i)) != SKIP)
			g->at[k]++;
	for (k = 0; k <= g->n_keys; k++) {
		size_t count = g->at[k];

		g->at[k] = sum;
		sum += count;
	}
	g->n = sum;
	g->v = b_malloc(sum * sizeof *g->v);
	for (size_t i = 0; i < w->n; i++)
		if ((k = g->key(g, i)) != SKIP)
			g->v[g->at[k]++] = sample(g, i);
	/* Each key's place has moved to its end, which is the next one's start. */
	memmove(g->at + 1, g->at, g->n_keys * sizeof *g->at);
	g->at[0] = 0;
	g->scratch = b_malloc(sum * sizeof *g->scratch);
}

static void gather_release(struct gather *g)
{
	free(g->v);
	free(g->scratch);
	free(g->at);
}

static size_t sort_key(struct gather *g, size_t k)
{
	size_t n = g->at[k + 1] - g->at[k];

	rp_times_sort(g->v + g->at[k], n, g->scratch);
	return n;
}

/* ---- Figures of each transaction ---------------------------------------------------------- */

static bool is_sample(const struct gather *g, size_t i)
{
	const struct rp_rows *w = &g->r->rows;

	return rp_row_counted(w, i) && rp_row_status(w, i) == RP_OK && sample(g, i) != RP_TIME_NONE;
}

static size_t key_group(const struct gather *g, size_t i)
{
	return is_sample(g, i) ? g->r->rows.group[i] : SKIP;
}

static double asked_cdf(const void *user, double s)
{
	return b_dist_cdf(user, s);
}

/* Only where the distribution is one with a shape: against a constant any jitter is far off. */
static bool has_shape(const struct b_dist *d)
{
	return d->kind == B_DIST_EXP || d->kind == B_DIST_UNIFORM || d->kind == B_DIST_NORMAL ||
		d->kind == B_DIST_LOGNORMAL || d->kind == B_DIST_WEIBULL;
}

/* A key does not come before the gap since the last one is over: a think time shorter than that is
   as long, and only beyond can the shape be what was asked for. */
static double shape_from(const struct rp_run *r)
{
	struct b_error ignored = { 0 };
	struct b_dist typing = { 0 };
	double gap_s;

	if (!r->config.typing || b_dist_parse(&typing, r->config.typing, &ignored))
		return 0;
	gap_s = b_dist_mean_s(&typing) * (has_shape(&typing) ? GAPS_VARY : 1);
	b_dist_release(&typing);
	return gap_s > 0 ? gap_s * 1.05 + 0.01 : 0; /* and the key may be late by as much */
}

static void think_shape(struct rp_group *to, const struct rp_run *r, const rp_time *v, size_t n)
{
	struct b_error ignored = { 0 };
	struct b_dist d = { 0 };

	to->think_ks = to->think_ks_p = NAN;
	if (!n || !r->config.think || b_dist_parse(&d, r->config.think, &ignored))
		return;
	if (has_shape(&d)) {
		to->think_ks = rp_ks_distance(v, n, shape_from(r), asked_cdf, &d);
		to->think_ks_p = rp_ks_significance(to->think_ks, n);
	}
	b_dist_release(&d);
}

/* TPC wants its response histograms to 4 x p90 and think times to 4 x mean; where nothing lies
   so far out the picture ends with the last sample. */
static double histogram_top(const struct rp_stat *s, enum rp_measure m)
{
	double top = m == RP_RESPONSE ? 4 * s->p[RP_P90].s : 4 * s->mean_s;

	return fmin(top, s->max_s * 1.0001 + 1e-6);
}

static void figures_of(
	struct rp_group *to, struct rp_run *r, enum rp_measure m, const rp_time *v, size_t n)
{
	if (m == RP_N_MEASURE) {
		rp_stat_make(&to->echo, v, n);
		return;
	}
	rp_stat_make(&to->measure[m], v, n);
	rp_thresholds_sample(r, to, m, v, n);
	if (m == RP_RESPONSE || m == RP_KEYING || m == RP_THINK)
		rp_histogram_make(&to->histogram[m], v, n, histogram_top(&to->measure[m], m));
	if (m == RP_RESPONSE)
		rp_curve_make(&to->curve, v, n);
	if (m == RP_THINK)
		think_shape(to, r, v, n);
	if (m == RP_KEYING && (to == &r->all || to - r->groups < MAX_KEYING))
		rp_keying_make(to, r, v, n);
}

static void measure_make(struct rp_run *r, enum rp_measure m)
{
	struct gather g = { .r = r, .measure = m, .key = key_group, .n_keys = r->n_groups };

	gather(&g);
	for (size_t k = 0; k < r->n_groups; k++) {
		size_t n = sort_key(&g, k);

		figures_of(&r->groups[k], r, m, g.v + g.at[k], n);
	}
	rp_times_sort(g.v, g.n, g.scratch);
	figures_of(&r->all, r, m, g.v, g.n);
	gather_release(&g);
}

/* ---- Batches: the interval in equal parts, for trends and comparisons ------------------------ */

static double end_ms(const struct rp_rows *w, size_t i)
{
	double end = (double)w->start_ms[i];

	if (w->response[i] != RP_TIME_NONE)
		end += (double)rp_time_us(w->response[i]) * 1e-3;
	return end;
}

static size_t step_of(const struct gather *g, size_t i)
{
	double step = (end_ms(&g->r->rows, i) - g->from_ms) / g->step_ms;

	if (step < 0)
		return 0;
	return step >= (double)g->n_steps ? g->n_steps - 1 : (size_t)step;
}

static size_t key_batch(const struct gather *g, size_t i)
{
	if (!is_sample(g, i))
		return SKIP;
	return g->r->rows.group[i] * (size_t)RP_N_BATCHES + step_of(g, i);
}

static size_t key_batch_all(const struct gather *g, size_t i)
{
	return is_sample(g, i) ? step_of(g, i) : SKIP;
}

static void batch_make(struct rp_batch *b, struct gather *g, size_t k)
{
	size_t n = sort_key(g, k);
	double sum = 0;

	for (size_t i = g->at[k]; i < g->at[k + 1]; i++)
		sum += rp_time_s(g->v[i]);
	b->n = n;
	b->mean_s = n ? sum / (double)n : (double)NAN;
	b->p90_s = rp_quantile_of(g->v + g->at[k], n, 0.9);
}

static void batches_make(struct rp_run *r)
{
	struct gather g = { .r = r,
		.measure = RP_RESPONSE,
		.key = key_batch,
		.n_keys = r->n_groups * RP_N_BATCHES,
		.n_steps = RP_N_BATCHES };

	g.from_ms = r->from_s * 1e3;
	g.step_ms = rp_interval_s(r) * 1e3 / RP_N_BATCHES;
	if (!(g.step_ms > 0))
		return;
	gather(&g);
	for (size_t k = 0; k < g.n_keys; k++)
		batch_make(&r->groups[k / RP_N_BATCHES].batch[k % RP_N_BATCHES], &g, k);
	gather_release(&g);
	g.key = key_batch_all;
	g.n_keys = RP_N_BATCHES;
	gather(&g);
	for (size_t k = 0; k < g.n_keys; k++)
		batch_make(&r->all.batch[k], &g, k);
	gather_release(&g);
	/* Everything that ended counts for the rate: rows cut at the edges would lower its ends. */
	for (size_t i = 0; i < r->rows.n; i++) {
		double end = end_ms(&r->rows, i);

		if (rp_row_status(&r->rows, i) == RP_OK && end >= g.from_ms && end < r->to_s * 1e3)
			r->ended[step_of(&g, i)]++;
	}
}

/* ---- Sums ---------------------------------------------------------------------------------- */

static void add_counts(struct rp_group *all, const struct rp_group *g)
{
	for (int i = 0; i < RP_N_STATUS; i++)
		all->n_status[i] += g->n_status[i];
	for (int i = 0; i < RP_N_ENDED; i++)
		all->n_ended[i] += g->n_ended[i];
	all->n_no_output += g->n_no_output;
	all->n_no_input += g->n_no_input;
	all->n_ok += g->n_ok;
	all->n_failed += g->n_failed;
	all->n_unfinished += g->n_unfinished;
	all->n_aborted += g->n_aborted;
	all->n_edge += g->n_edge;
	all->n_edge_failed += g->n_edge_failed;
	all->n_logged += g->n_logged;
	all->keys += g->keys;
	all->keying_sum_s += g->keying_sum_s;
	all->n_gaps += g->n_gaps;
	all->think_after_sum_s += g->think_after_sum_s;
	all->n_think_after += g->n_think_after;
	all->bytes_in += g->bytes_in;
	all->bytes_out += g->bytes_out;
	all->echo_max_s = fmax(all->echo_max_s, g->echo_max_s);
	rp_gaps_join(&all->gaps, &g->gaps);
}

static void counts_make(struct rp_run *r)
{
	double seconds = rp_interval_s(r);

	r->all.name = b_strdup("*");
	for (size_t i = 0; i < r->n_groups; i++) {
		struct rp_group *g = &r->groups[i];

		g->n_ok = g->n_status[RP_OK];
		for (int s = 0; s < RP_N_STATUS; s++)
			if (rp_status_failed((enum rp_status)s))
				g->n_failed += g->n_status[s];
		g->rate_per_s = seconds > 0 ? (double)g->n_ok / seconds : 0;
		add_counts(&r->all, g);
	}
	r->all.rate_per_s = seconds > 0 ? (double)r->all.n_ok / seconds : 0;
	r->all.share = 1;
	for (size_t i = 0; i < r->n_groups; i++) {
		double all = (double)(r->all.n_ok + r->all.n_failed);

		r->groups[i].share =
			all > 0 ? (double)(r->groups[i].n_ok + r->groups[i].n_failed) / all : 0;
	}
}

/* A column that no figure needs any more. */
static void drop(void *column_at, bool keep)
{
	void **column = column_at;

	if (keep)
		return;
	free(*column);
	*column = NULL;
}

void rp_figures_make(struct rp_run *r, bool keep_rows)
{
	struct rp_rows *w = &r->rows;

	counts_make(r);
	batches_make(r);
	rp_stages_make(r);
	drop(&w->start_ms, keep_rows);
	measure_make(r, RP_RESPONSE);
	measure_make(r, RP_FROM_DUE);
	drop(&w->response, keep_rows);
	drop(&w->due_late, keep_rows);
	measure_make(r, RP_FIRST);
	drop(&w->first, keep_rows);
	measure_make(r, RP_KEYING);
	drop(&w->keying, keep_rows);
	measure_make(r, RP_THINK);
	drop(&w->think, keep_rows);
	measure_make(r, RP_N_MEASURE);
	if (!keep_rows)
		rp_rows_release(w);
}

const struct rp_group *rp_group_find(const struct rp_run *r, const char *name)
{
	if (!strcmp(name, "*"))
		return &r->all;
	for (size_t i = 0; i < r->n_groups; i++)
		if (!strcmp(r->groups[i].name, name))
			return &r->groups[i];
	return NULL;
}

/* ---- Curves over the whole run --------------------------------------------------------------- */

#define MAX_POINTS 400
#define MAX_SERIES 13 /* all together and the twelve most frequent */

static double nice_step(double seconds)
{
	static const double steps[] = { 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
		7200, 14400, 43200, 86400 };

	for (size_t i = 0; i < B_ARRAY_LEN(steps); i++)
		if (seconds / steps[i] <= MAX_POINTS)
			return steps[i];
	return ceil(seconds / MAX_POINTS);
}

static size_t key_series(const struct gather *g, size_t i)
{
	const struct rp_rows *w = &g->r->rows;
	size_t s = g->series_of ? g->series_of[w->group[i]] : 0;

	if (s == SKIP || rp_row_status(w, i) != RP_OK || w->response[i] == RP_TIME_NONE)
		return SKIP;
	return s * g->n_steps + step_of(g, i);
}

static void points_make(struct rp_run *r, const size_t *series_of, size_t first, size_t n)
{
	struct rp_series *s = &r->series;
	struct gather g = { .r = r,
		.measure = RP_RESPONSE,
		.key = key_series,
		.n_keys = n * s->n_points,
		.step_ms = s->step_s * 1e3,
		.n_steps = s->n_points,
		.series_of = series_of };

	gather(&g);
	for (size_t k = 0; k < g.n_keys; k++) {
		struct rp_point *p = &s->points[first * s->n_points + k];
		size_t count = sort_key(&g, k);
		const rp_time *v = g.v + g.at[k];

		p->ok = count;
		p->p50_s = (float)rp_quantile_of(v, count, 0.5);
		p->p90_s = (float)rp_quantile_of(v, count, 0.9);
		p->p99_s = (float)rp_quantile_of(v, count, 0.99);
		p->max_s = (float)rp_quantile_of(v, count, 1);
	}
	/* A failure has no response time to end it: it stands where it began. */
	for (size_t i = 0; i < r->rows.n; i++) {
		size_t of = series_of ? series_of[r->rows.group[i]] : 0;

		if (of != SKIP && rp_status_failed(rp_row_status(&r->rows, i)))
			s->points[(first + of) * s->n_points + step_of(&g, i)].failed++;
	}
	gather_release(&g);
}

void rp_series_make(struct rp_run *r)
{
	struct rp_series *s = &r->series;
	size_t *series_of, n = 0;

	s->step_s = nice_step(r->end_s);
	s->n_points = (size_t)(r->end_s / s->step_s) + 1;
	series_of = b_malloc(r->n_groups * sizeof *series_of);
	for (size_t i = 0; i < r->n_groups; i++)
		series_of[i] = SKIP;
	s->group = b_calloc(MAX_SERIES, sizeof *s->group);
	while (n + 1 < MAX_SERIES && n < r->n_groups) {
		size_t best = SKIP;

		for (size_t i = 0; i < r->n_groups; i++)
			if (series_of[i] == SKIP &&
				(best == SKIP || r->groups[i].n_logged > r->groups[best].n_logged))
				best = i;
		series_of[best] = n++;
		s->group[n] = best;
	}
	s->n_groups = n + 1;
	s->points = b_calloc(s->n_groups * s->n_points, sizeof *s->points);
	points_make(r, NULL, 0, 1);
	if (n > 1)
		points_make(r, series_of, 1, n);
	else if (n)
		memcpy(s->points + s->n_points, s->points, s->n_points * sizeof *s->points);
	free(series_of);
}
