/*
 * Keying times against the typing that was asked for. A keying time is the sum of as many gaps as
 * there are keys after the first, so what is to be expected follows from the gaps' distribution and
 * from how many keys each transaction had. For sums there is no closed form: they are drawn, from a
 * stream of their own with a fixed seed, as many of each length as the run had.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"
#include "report/run.h"
#include "base/banned.h"

#define DRAWS   200000 /* gaps a transaction, about */
#define SUMS    20000  /* at most; the comparison is no better than they are many */
#define SUMS_OK 500    /* fewer say nothing */
#define SAMPLES 30

void rp_gaps_add(struct rp_gaps *g, double keys)
{
	size_t gaps;

	if (!(keys >= 1))
		return;
	if (!g->n)
		g->n = b_calloc(RP_MAX_GAPS, sizeof *g->n);
	gaps = keys > RP_MAX_GAPS ? RP_MAX_GAPS - 1 : (size_t)keys - 1;
	g->n[gaps]++;
	g->cut = g->cut || keys > RP_MAX_GAPS;
}

void rp_gaps_join(struct rp_gaps *to, const struct rp_gaps *from)
{
	if (!from->n)
		return;
	if (!to->n)
		to->n = b_calloc(RP_MAX_GAPS, sizeof *to->n);
	for (size_t i = 0; i < RP_MAX_GAPS; i++)
		to->n[i] += from->n[i];
	to->cut = to->cut || from->cut;
}

static bool can_draw(const struct b_dist *d)
{
	/* human: what ends a word is not in the log; recorded: nor is the recording. */
	return d->kind != B_DIST_HUMAN && d->kind != B_DIST_RECORDED && d->kind != B_DIST_UNSET &&
		d->kind != B_DIST_NONE;
}

/* Against a constant any jitter is far off. */
static bool has_shape(const struct b_dist *d)
{
	return d->kind != B_DIST_CONST && d->kind != B_DIST_CPS;
}

/* Sums of gaps, as the run's transactions were long; sorted, the caller's. */
static rp_time *draw(const struct rp_gaps *g, const struct b_dist *d, size_t *n)
{
	uint64_t all = 0, gaps = 0, upto = 0;
	struct b_random random;
	rp_time *v, *scratch;
	size_t at = 0;

	for (size_t i = 0; i < RP_MAX_GAPS; i++) {
		all += g->n[i];
		gaps += g->n[i] * i;
	}
	*n = gaps ? (size_t)fmin(SUMS, (double)DRAWS * (double)all / (double)gaps) : 0;
	if (*n < SUMS_OK)
		return NULL;
	v = b_malloc(*n * sizeof *v);
	b_random_init(&random, 1, all, B_STREAM_ENGINE);
	for (size_t i = 0; i < RP_MAX_GAPS; i++) {
		size_t until;

		upto += g->n[i];
		until = (size_t)((double)upto / (double)all * (double)*n + 0.5);
		for (; at < until && at < *n; at++) {
			int64_t ns = 0;

			for (size_t k = 0; k < i; k++)
				ns += b_dist_draw(d, &random, -1, false);
			v[at] = rp_time_of_us(ns / 1000);
		}
	}
	b_random_release(&random);
	*n = at;
	scratch = b_malloc(*n * sizeof *scratch);
	rp_times_sort(v, *n, scratch);
	free(scratch);
	return v;
}

void rp_keying_make(struct rp_group *to, const struct rp_run *r, const rp_time *sorted, size_t n)
{
	struct b_error ignored = { 0 };
	struct rp_histogram h;
	struct b_dist d = { 0 };
	rp_time *want;
	size_t m;

	to->keying_ks = to->keying_ks_p = NAN;
	to->keying_expected = false;
	if (n < SAMPLES || !to->gaps.n || to->gaps.cut || !r->config.typing ||
		b_dist_parse(&d, r->config.typing, &ignored))
		return;
	want = can_draw(&d) ? draw(&to->gaps, &d, &m) : NULL;
	if (want) {
		rp_histogram_make(&h, want, m, to->histogram[RP_KEYING].top_s);
		for (int i = 0; i < RP_N_BINS; i++)
			to->keying_bin[i] = (float)((double)h.bin[i] * (double)n / (double)m);
		to->keying_expected = true;
	}
	if (want && has_shape(&d)) {
		to->keying_ks = rp_ks_distance2(sorted, n, want, m);
		to->keying_ks_p = rp_ks_significance(to->keying_ks, n * m / (n + m));
	}
	free(want);
	b_dist_release(&d);
}
