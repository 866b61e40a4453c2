#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/random.h"
#include "report/stats.h"

static void near(double is, double want, double tolerance)
{
	if (!(fabs(is - want) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", is, want, tolerance);
}

static void times_keep_their_order(void **state)
{
	static const int64_t us[] = { 0, 1, 999999, 2147483647, 2147483648, 3600000000,
		86400000000 };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(us); i++) {
		rp_time t = rp_time_of_us(us[i]);

		/* exact in microseconds below 35 minutes, in milliseconds above */
		if (us[i] <= 2147483647)
			assert_int_equal(rp_time_us(t), us[i]);
		else
			near((double)rp_time_us(t), (double)us[i], 500);
		if (i)
			assert_true(t > rp_time_of_us(us[i - 1]));
		assert_true(t != RP_TIME_NONE);
	}
	assert_int_equal(rp_time_of_us(-5), 0);
	assert_true(rp_time_of_us(INT64_MAX / 2) < RP_TIME_NONE);
}

static int by_value(const void *a, const void *b)
{
	rp_time x = *(const rp_time *)a, y = *(const rp_time *)b;

	return (x > y) - (x < y);
}

static void sorts_as_qsort_does(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 63, 64, 65, 1000, 100000 };
	struct b_random r;

	(void)state;
	b_random_init(&r, 7, 1, B_STREAM_DATA);
	for (size_t k = 0; k < B_ARRAY_LEN(sizes); k++) {
		for (int wide = 0; wide < 3; wide++) {
			size_t n = sizes[k];
			rp_time *a = b_malloc(n * sizeof *a), *b = b_malloc(n * sizeof *b);
			rp_time *scratch = b_malloc(n * sizeof *a);

			for (size_t i = 0; i < n; i++)
				a[i] = b[i] = (rp_time)b_random_int(&r, 0,
					wide == 0           ? 3
						: wide == 1 ? 5000000
							    : 0xFFFFFFFEll);
			rp_times_sort(a, n, scratch);
			qsort(b, n, sizeof *b, by_value);
			assert_memory_equal(a, b, n * sizeof *a);
			free(a);
			free(b);
			free(scratch);
		}
	}
	b_random_release(&r);
}

static void nearest_rank(void **state)
{
	rp_time v[100];
	struct rp_stat s;

	(void)state;
	for (int i = 0; i < 100; i++)
		v[i] = (rp_time)(i + 1) * 1000; /* 1 ms .. 100 ms */
	rp_stat_make(&s, v, 100);
	assert_int_equal(s.n, 100);
	near(s.min_s, 0.001, 1e-12);
	near(s.max_s, 0.100, 1e-12);
	near(s.mean_s, 0.0505, 1e-12);
	near(s.sd_s, 0.029011491975882016, 1e-12); /* of a sample: n - 1 */
	near(s.p[RP_P50].s, 0.050, 1e-12);
	near(s.p[RP_P75].s, 0.075, 1e-12);
	near(s.p[RP_P90].s, 0.090, 1e-12);
	near(s.p[RP_P95].s, 0.095, 1e-12);
	near(s.p[RP_P99].s, 0.099, 1e-12);
	near(s.p[RP_P999].s, 0.100, 1e-12);
	/* 10 samples: 0.9 x 10 must not be taken for a little more than 9 */
	near(rp_quantile_of(v, 10, 0.9), 0.009, 1e-12);
	near(rp_quantile_of(v, 10, 0.91), 0.010, 1e-12);
	near(rp_quantile_of(v, 1, 0.5), 0.001, 1e-12);
	near(rp_quantile_of(v, 3, 1), 0.003, 1e-12);
	assert_true(isnan(rp_quantile_of(v, 0, 0.5)));
}

static void nothing_gives_nothing(void **state)
{
	struct rp_stat s;

	(void)state;
	rp_stat_make(&s, NULL, 0);
	assert_int_equal(s.n, 0);
	assert_true(isnan(s.min_s) && isnan(s.mean_s) && isnan(s.sd_s) && isnan(s.max_s));
	for (int i = 0; i < RP_N_QUANTILE; i++)
		assert_true(isnan(s.p[i].s) && s.p[i].thin);
}

static void known_distribution(void **state)
{
	enum { N = 200000 };
	rp_time *v = b_malloc(N * sizeof *v), *scratch = b_malloc(N * sizeof *v);
	struct b_random r;
	struct rp_stat s;

	(void)state;
	b_random_init(&r, 11, 1, B_STREAM_DATA);
	for (size_t i = 0; i < N; i++)
		v[i] = rp_time_of_us(
			llround(-log(1 - b_random_unit(&r)) * 1e6)); /* exp, mean 1 s */
	rp_times_sort(v, N, scratch);
	rp_stat_make(&s, v, N);
	near(s.mean_s, 1, 0.01);
	near(s.sd_s, 1, 0.02);
	near(s.p[RP_P50].s, log(2), 0.01);
	near(s.p[RP_P90].s, log(10), 0.03);
	near(s.p[RP_P99].s, log(100), 0.1);
	for (int i = 0; i < RP_N_QUANTILE; i++) {
		assert_false(s.p[i].thin);
		assert_true(s.p[i].low_s <= s.p[i].s && s.p[i].s <= s.p[i].high_s);
	}
	b_random_release(&r);
	free(v);
	free(scratch);
}

/* The range must hold the true value in about 95 of 100 trials, whatever the distribution. */
static void confidence_covers(void **state)
{
	enum { N = 1000, TRIALS = 400 };
	rp_time v[N], scratch[N];
	struct b_random r;
	int hits = 0;

	(void)state;
	b_random_init(&r, 5, 1, B_STREAM_DATA);
	for (int t = 0; t < TRIALS; t++) {
		struct rp_stat s;

		for (size_t i = 0; i < N; i++)
			v[i] = rp_time_of_us(llround(-log(1 - b_random_unit(&r)) * 1e6));
		rp_times_sort(v, N, scratch);
		rp_stat_make(&s, v, N);
		hits += s.p[RP_P90].low_s <= log(10) && log(10) <= s.p[RP_P90].high_s;
	}
	b_random_release(&r);
	assert_in_range(hits, 368, 396); /* 92 % to 99 % */
}

static void samples_needed(void **state)
{
	rp_time v[2000];
	struct rp_stat s;

	(void)state;
	assert_int_equal(rp_quantile_needs(RP_P90), 864);
	assert_int_equal(rp_quantile_needs(RP_P99), 1521);
	for (size_t i = 0; i < 2000; i++)
		v[i] = (rp_time)i;
	rp_stat_make(&s, v, 863);
	assert_true(s.p[RP_P90].thin);
	rp_stat_make(&s, v, 864);
	assert_false(s.p[RP_P90].thin);
	assert_true(s.p[RP_P99].thin);
	rp_stat_make(&s, v, 20);
	assert_true(isnan(s.p[RP_P99].high_s)); /* no sample lies surely above it */
}

static void histogram_counts_all(void **state)
{
	static const rp_time v[] = { 0, 1, 24999, 25000, 999999, 1000000, 5000000 };
	struct rp_histogram h;
	uint64_t sum;

	(void)state;
	rp_histogram_make(&h, v, 7, 1.0);
	assert_int_equal(h.bin[0], 3);
	assert_int_equal(h.bin[1], 1);
	assert_int_equal(h.bin[RP_N_BINS - 1], 1);
	assert_int_equal(h.over, 2);
	sum = h.over;
	for (int i = 0; i < RP_N_BINS; i++)
		sum += h.bin[i];
	assert_int_equal(sum, 7);
	rp_histogram_make(&h, v, 7, 0); /* no width: no bins, no division */
	assert_int_equal(h.bin[0], 0);
}

static void curve_rises(void **state)
{
	rp_time v[5000];
	struct rp_curve c;

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		v[i] = (rp_time)i * 10;
	rp_curve_make(&c, v, 5000);
	assert_in_range(c.n, 48, RP_N_CURVE);
	for (size_t i = 1; i < c.n; i++)
		assert_true(c.q[i] > c.q[i - 1] && c.s[i] >= c.s[i - 1]);
	near(c.q[c.n - 1], 1, 0);
	near(c.s[c.n - 1], 0.04999, 1e-9);
	rp_curve_make(&c, v, 0);
	assert_int_equal(c.n, 0);
}

/* Checked against the formulas and a numerical integral of Student's density. */
static void welch(void **state)
{
	static const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6,
		23.1, 19.6, 19.0, 21.7, 21.4 };
	static const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2,
		21.9, 22.1, 22.9, 30.5, 24.4 };
	static const double same[] = { 1, 1, 1 }, other[] = { 2, 2, 2 };
	struct rp_welch w = rp_welch_test(rp_moments_of(a, 15), rp_moments_of(b, 15));

	(void)state;
	near(w.t, 2.852954870, 1e-8);
	near(w.df, 27.887304, 1e-5);
	near(w.p, 0.00807194, 1e-7);
	assert_true(w.low > 0 && w.high > w.low);
	w = rp_welch_test(rp_moments_of(same, 3), rp_moments_of(same, 3));
	near(w.p, 1, 0);
	w = rp_welch_test(rp_moments_of(same, 3), rp_moments_of(other, 3));
	near(w.p, 0, 0);
	w = rp_welch_test(rp_moments_of(same, 1), rp_moments_of(other, 3));
	assert_true(isnan(w.p));
}

static void trend(void **state)
{
	double v[20];
	struct rp_trend t;

	(void)state;
	for (int i = 0; i < 20; i++)
		v[i] = 5 + 0.5 * i + (i % 2 ? 0.1 : -0.1);
	v[3] = NAN;
	t = rp_trend_of(v, 20);
	assert_int_equal(t.n, 19);
	near(t.slope, 0.5, 0.01);
	assert_true(t.p < 1e-6);
	for (int i = 0; i < 20; i++)
		v[i] = i % 2 ? 1 : 2;
	t = rp_trend_of(v, 20);
	assert_true(t.p > 0.5);
	assert_true(isnan(rp_trend_of(v, 2).slope));
}

static double uniform_cdf(const void *user, double s)
{
	(void)user;
	return s < 0 ? 0 : s > 1 ? 1 : s;
}

static void kolmogorov(void **state)
{
	rp_time v[1000];
	double d;

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		v[i] = (rp_time)(i * 1000 + 500);
	d = rp_ks_distance(v, 1000, 0, uniform_cdf, NULL);
	near(d, 0.0005, 1e-6);
	near(rp_ks_significance(d, 1000), 1, 1e-6);
	for (size_t i = 0; i < 1000; i++)
		v[i] = (rp_time)(i * 500);
	d = rp_ks_distance(v, 1000, 0, uniform_cdf, NULL);
	near(d, 0.5, 0.002);
	assert_true(rp_ks_significance(d, 1000) < 1e-9);
	/* none below 0.2: what is beyond does not know of it */
	for (size_t i = 0; i < 1000; i++)
		v[i] = (rp_time)(i < 200 ? 200000 : i * 1000 + 500);
	near(rp_ks_distance(v, 1000, 0, uniform_cdf, NULL), 0.2, 1e-3);
	near(rp_ks_distance(v, 1000, 0.201, uniform_cdf, NULL), 0.0005, 1e-3);
	assert_true(isnan(rp_ks_distance(v, 1000, 1, uniform_cdf, NULL)));
	near(rp_ks_significance(1.36 / sqrt(1000), 1000), 0.05, 0.005); /* the usual table */
}

/* Against the definition, at every point of both samples. */
static void kolmogorov_of_two(void **state)
{
	static const rp_time a[] = { 1, 2, 2, 3, 5, 8, 8, 8, 13, 21 };
	static const rp_time b[] = { 2, 4, 6, 8, 10, 12, 14 };
	double worst = 0;

	(void)state;
	for (rp_time at = 0; at < 30; at++) {
		double below_a = 0, below_b = 0;

		for (size_t i = 0; i < B_ARRAY_LEN(a); i++)
			below_a += a[i] <= at;
		for (size_t i = 0; i < B_ARRAY_LEN(b); i++)
			below_b += b[i] <= at;
		worst = fmax(worst,
			fabs(below_a / (double)B_ARRAY_LEN(a) - below_b / (double)B_ARRAY_LEN(b)));
	}
	near(rp_ks_distance2(a, B_ARRAY_LEN(a), b, B_ARRAY_LEN(b)), worst, 1e-12);
	near(rp_ks_distance2(a, B_ARRAY_LEN(a), a, B_ARRAY_LEN(a)), 0, 0);
	assert_true(isnan(rp_ks_distance2(a, 0, b, 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_keep_their_order),
		cmocka_unit_test(sorts_as_qsort_does),
		cmocka_unit_test(nearest_rank),
		cmocka_unit_test(nothing_gives_nothing),
		cmocka_unit_test(known_distribution),
		cmocka_unit_test(confidence_covers),
		cmocka_unit_test(samples_needed),
		cmocka_unit_test(histogram_counts_all),
		cmocka_unit_test(curve_rises),
		cmocka_unit_test(welch),
		cmocka_unit_test(trend),
		cmocka_unit_test(kolmogorov),
		cmocka_unit_test(kolmogorov_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
