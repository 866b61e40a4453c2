/*
 * report/stats.h - figures of many durations: exact percentiles, their confidence, tests.
 *
 * A sample is a number of 32 bits (rp_time): microseconds below 35 minutes, milliseconds above.
 * Its order is the order of the durations, so that samples sort as plain numbers.
 * A percentile is the smallest sample at or below which that part of all samples lies (nearest
 * rank): always a time that somebody waited, and easy to check by hand.
 */
#ifndef REPORT_STATS_H
#define REPORT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t rp_time;

#define RP_TIME_NONE UINT32_MAX
#define RP_TIME_MS   0x80000000u /* set: the other bits are milliseconds */

static inline rp_time rp_time_of_us(int64_t us)
{
	if (us < 0)
		return 0;
	if (us < RP_TIME_MS)
		return (rp_time)us;
	us = (us + 500) / 1000;
	return us >= 0x7FFFFFFF ? RP_TIME_NONE - 1 : RP_TIME_MS | (rp_time)us;
}

static inline int64_t rp_time_us(rp_time t)
{
	return t & RP_TIME_MS ? (int64_t)(t & ~RP_TIME_MS) * 1000 : (int64_t)t;
}

static inline double rp_time_s(rp_time t)
{
	return (double)rp_time_us(t) * 1e-6;
}

/* The percentiles that are reported. */
enum rp_quantile { RP_P50, RP_P75, RP_P90, RP_P95, RP_P99, RP_P999, RP_N_QUANTILE };
extern const double rp_quantiles[RP_N_QUANTILE];           /* 0.5 .. 0.999 */
extern const char *const rp_quantile_names[RP_N_QUANTILE]; /* "p50" .. "p99_9" */

struct rp_percentile {
	double s;
	double low_s, high_s; /* 95 % confidence, from the order of the samples; NaN: too few */
	bool thin;            /* fewer samples than it needs (rp_quantile_needs) */
};

struct rp_stat {
	uint64_t n;
	double min_s, mean_s, sd_s, max_s; /* NaN when n is 0; sd NaN below 2 */
	struct rp_percentile p[RP_N_QUANTILE];
};

/* Sorts in place; scratch has room for n as well. */
void rp_times_sort(rp_time *v, size_t n, rp_time *scratch);

/* All figures of n sorted samples. */
void rp_stat_make(struct rp_stat *s, const rp_time *sorted, size_t n);

/* The value of percentile q (0 < q <= 1), NaN when n is 0. */
double rp_quantile_of(const rp_time *sorted, size_t n, double q);

/* How many samples make percentile i good: p90 within 2 points (864), p99 within 0.5 (1,521). */
uint64_t rp_quantile_needs(enum rp_quantile i);

/* ---- Pictures of a distribution ---------------------------------------------------------- */

#define RP_N_BINS  40
#define RP_N_CURVE 61

/* Equal bins from 0 to top_s, the last one takes what is above. */
struct rp_histogram {
	double top_s;
	uint64_t bin[RP_N_BINS], over; /* over: part of no bin */
};
void rp_histogram_make(struct rp_histogram *h, const rp_time *sorted, size_t n, double top_s);

/* Points of the percentile curve: at part q of the samples the value s; q nears 1 by halves. */
struct rp_curve {
	size_t n;
	double q[RP_N_CURVE], s[RP_N_CURVE];
};
void rp_curve_make(struct rp_curve *c, const rp_time *sorted, size_t n);

/* ---- Tests -------------------------------------------------------------------------------- */

/* Mean and variance of a few values; NaN among them are left out. */
struct rp_moments {
	size_t n;
	double mean, variance;
};
struct rp_moments rp_moments_of(const double *v, size_t n);

struct rp_welch {
	double t, df, p;  /* p two-sided; NaN when a side has fewer than 2 values */
	double low, high; /* 95 % confidence of the difference b - a */
};
/* Welch's t-test that two samples have the same mean. */
struct rp_welch rp_welch_test(struct rp_moments a, struct rp_moments b);

struct rp_trend {
	size_t n;
	double mean, slope, t, p; /* slope a step; NaN below 3 values */
};
/* The straight line through v[0..n) at x = 0, 1, ...; NaN values are left out. */
struct rp_trend rp_trend_of(const double *v, size_t n);

/* Kolmogorov's distance of sorted samples from cdf, at from_s and beyond, and its significance
   (asymptotic). NaN: no sample there. */
double rp_ks_distance(const rp_time *sorted, size_t n, double from_s,
	double (*cdf)(const void *user, double s), const void *user);
/* The same between two samples, both sorted; its significance is that of n m / (n + m) samples. */
double rp_ks_distance2(const rp_time *a, size_t n, const rp_time *b, size_t m);
double rp_ks_significance(double d, size_t n);

#endif
