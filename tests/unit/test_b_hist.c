/* The histogram against a sorted array of the same samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "base/hist.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/banned.h"

#define N 20000

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void test_empty(void **state)
{
	struct b_hist *h = b_hist_new();

	(void)state;
	assert_int_equal(b_hist_count(h), 0);
	assert_int_equal(b_hist_min(h), 0);
	assert_int_equal(b_hist_max(h), 0);
	assert_int_equal(b_hist_quantile(h, 0.5), 0);
	assert_true(b_hist_mean(h) == 0 && b_hist_sd(h) == 0);
	b_hist_free(h);
	b_hist_free(NULL);
}

static void test_quantiles(void **state)
{
	static const double qs[] = { 0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1 };
	struct b_hist *h = b_hist_new();
	int64_t *v = b_reallocarray(NULL, N, sizeof *v);
	struct b_random r;
	double sum = 0, sq = 0, mean;

	(void)state;
	b_random_init(&r, 1, 0, B_STREAM_DATA);
	/* nine decades */
	for (int i = 0; i < N; i++) {
		v[i] = (int64_t)pow(10, 9 * b_random_unit(&r));
		b_hist_add(h, v[i]);
		sum += (double)v[i];
	}
	mean = sum / N;
	for (int i = 0; i < N; i++)
		sq += ((double)v[i] - mean) * ((double)v[i] - mean);
	qsort(v, N, sizeof *v, by_value);
	for (size_t i = 0; i < B_ARRAY_LEN(qs); i++) {
		int64_t rank = (int64_t)ceil(qs[i] * N);
		double want = (double)v[rank ? rank - 1 : 0];

		assert_true(fabs((double)b_hist_quantile(h, qs[i]) - want) <= want * 0.004 + 1);
	}
	assert_int_equal(b_hist_min(h), v[0]);
	assert_int_equal(b_hist_max(h), v[N - 1]);
	assert_true(fabs(b_hist_mean(h) / mean - 1) < 1e-9);
	assert_true(fabs(b_hist_sd(h) / sqrt(sq / (N - 1)) - 1) < 1e-6);
	b_random_release(&r);
	free(v);
	b_hist_free(h);
}

static void test_out_of_range(void **state)
{
	struct b_hist *h = b_hist_new();

	(void)state;
	b_hist_add(h, -5);
	b_hist_add(h, INT64_MAX);
	b_hist_add(h, 1000);
	assert_int_equal(b_hist_count(h), 3);
	assert_int_equal(b_hist_under(h), 1);
	assert_int_equal(b_hist_over(h), 1);
	assert_int_equal(b_hist_min(h), 0);
	assert_true(b_hist_max(h) == INT64_MAX);
	b_hist_free(h);
}

static void add_up(void *user, int64_t from, int64_t to, uint64_t n)
{
	uint64_t *total = user;

	assert_true(from < to);
	assert_true((double)(to - from) <= fmax(1, (double)from / 128));
	*total += n;
}

static void test_merge(void **state)
{
	struct b_hist *a = b_hist_new(), *b = b_hist_new(), *all = b_hist_new();
	uint64_t total = 0;

	(void)state;
	for (int64_t i = 0; i < 3000; i++) {
		b_hist_add(i % 3 ? a : b, i * i * 17);
		b_hist_add(all, i * i * 17);
	}
	b_hist_merge(a, b);
	assert_int_equal(b_hist_count(a), b_hist_count(all));
	for (double q = 0; q <= 1; q += 0.01)
		assert_int_equal(b_hist_quantile(a, q), b_hist_quantile(all, q));
	b_hist_each(a, add_up, &total);
	assert_int_equal(total, 3000);
	b_hist_clear(a);
	b_hist_merge(a, b);
	assert_int_equal(b_hist_min(a), b_hist_min(b));
	assert_int_equal(b_hist_count(a), b_hist_count(b));
	b_hist_free(a);
	b_hist_free(b);
	b_hist_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_out_of_range),
		cmocka_unit_test(test_merge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
