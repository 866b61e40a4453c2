#include "base/hist.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/banned.h"

/*
 * Block 0 holds 0..127 ns one by one, block k the octave [128 << (k-1), 128 << k) in 128 steps.
 * A block comes into being with its first sample.
 */
#define STEPS_LOG2 7
#define STEPS      (1 << STEPS_LOG2)
#define BLOCKS     37 /* up to 2^43 ns = 2.4 h */
#define TOP_NS     ((int64_t)STEPS << (BLOCKS - 1))

struct b_hist {
	uint64_t n, under, over;
	int64_t min, max;
	double sum, sum_sq;
	uint64_t *block[BLOCKS];
};

struct b_hist *b_hist_new(void)
{
	return b_calloc(1, sizeof(struct b_hist));
}

void b_hist_free(struct b_hist *h)
{
	if (!h)
		return;
	for (int i = 0; i < BLOCKS; i++)
		free(h->block[i]);
	free(h);
}

void b_hist_clear(struct b_hist *h)
{
	for (int i = 0; i < BLOCKS; i++)
		for (int k = 0; h->block[i] && k < STEPS; k++)
			h->block[i][k] = 0;
	h->n = h->under = h->over = 0;
	h->min = h->max = 0;
	h->sum = h->sum_sq = 0;
}

static uint64_t *block_at(struct b_hist *h, int b)
{
	if (!h->block[b])
		h->block[b] = b_calloc(STEPS, sizeof *h->block[b]);
	return h->block[b];
}

void b_hist_add(struct b_hist *h, int64_t ns)
{
	int64_t v = ns;
	int e, b = 0, step;

	if (v < 0) {
		h->under++;
		v = 0;
	}
	if (!h->n || v < h->min)
		h->min = v;
	if (!h->n || v > h->max)
		h->max = v;
	h->n++;
	h->sum += (double)v;
	h->sum_sq += (double)v * (double)v;
	if (v >= TOP_NS) {
		h->over++;
		v = TOP_NS - 1;
	}
	if (v < STEPS) {
		step = (int)v;
	} else {
		e = 63 - __builtin_clzll((unsigned long long)v);
		b = e - STEPS_LOG2 + 1;
		step = (int)(v >> (e - STEPS_LOG2)) & (STEPS - 1);
	}
	block_at(h, b)[step]++;
}

void b_hist_merge(struct b_hist *into, const struct b_hist *from)
{
	if (!from->n)
		return;
	if (!into->n || from->min < into->min)
		into->min = from->min;
	if (!into->n || from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	into->under += from->under;
	into->over += from->over;
	into->sum += from->sum;
	into->sum_sq += from->sum_sq;
	for (int b = 0; b < BLOCKS; b++) {
		uint64_t *to;

		if (!from->block[b])
			continue;
		to = block_at(into, b);
		for (int k = 0; k < STEPS; k++)
			to[k] += from->block[b][k];
	}
}

uint64_t b_hist_count(const struct b_hist *h)
{
	return h->n;
}

uint64_t b_hist_under(const struct b_hist *h)
{
	return h->under;
}

uint64_t b_hist_over(const struct b_hist *h)
{
	return h->over;
}

int64_t b_hist_min(const struct b_hist *h)
{
	return h->min;
}

int64_t b_hist_max(const struct b_hist *h)
{
	return h->max;
}

double b_hist_mean(const struct b_hist *h)
{
	return h->n ? h->sum / (double)h->n : 0;
}

double b_hist_sd(const struct b_hist *h)
{
	double n = (double)h->n;

	if (h->n < 2)
		return 0;
	return sqrt(fmax(0, (h->sum_sq - h->sum * h->sum / n) / (n - 1)));
}

static int64_t step_from(int b, int step)
{
	return b ? ((int64_t)STEPS + step) << (b - 1) : step;
}

static int64_t step_width(int b)
{
	return b ? (int64_t)1 << (b - 1) : 1;
}

int64_t b_hist_quantile(const struct b_hist *h, double q)
{
	uint64_t want, seen = 0;
	int64_t v;

	if (!h->n)
		return 0;
	want = q <= 0 ? 1 : (uint64_t)ceil(q * (double)h->n);
	if (want < 1)
		want = 1;
	if (want >= h->n)
		return h->max;
	for (int b = 0; b < BLOCKS; b++) {
		for (int k = 0; h->block[b] && k < STEPS; k++) {
			seen += h->block[b][k];
			if (seen < want)
				continue;
			v = step_from(b, k) + step_width(b) / 2;
			if (v < h->min)
				return h->min;
			return v > h->max ? h->max : v;
		}
	}
	return h->max;
}

void b_hist_each(const struct b_hist *h,
	void (*fn)(void *user, int64_t from_ns, int64_t to_ns, uint64_t count), void *user)
{
	for (int b = 0; b < BLOCKS; b++) {
		for (int k = 0; h->block[b] && k < STEPS; k++) {
			int64_t from = step_from(b, k);

			if (h->block[b][k])
				fn(user, from, from + step_width(b), h->block[b][k]);
		}
	}
}
