/* Streams that do not move each other, and distributions that have the shape they claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/random.h"
#include "base/banned.h"

static void test_streams(void **state)
{
	struct b_random a, b, c, d, e;
	int same_user = 0, same_stream = 0, same_seed = 0;

	(void)state;
	b_random_init(&a, 1, 17, B_STREAM_TYPING);
	b_random_init(&b, 1, 17, B_STREAM_TYPING);
	b_random_init(&c, 1, 18, B_STREAM_TYPING);
	b_random_init(&d, 1, 17, B_STREAM_THINK);
	b_random_init(&e, 2, 17, B_STREAM_TYPING);
	for (int i = 0; i < 100; i++) {
		int64_t v = b_random_int(&a, 0, 1000000);

		assert_int_equal(v, b_random_int(&b, 0, 1000000));
		same_user += v == b_random_int(&c, 0, 1000000);
		same_stream += v == b_random_int(&d, 0, 1000000);
		same_seed += v == b_random_int(&e, 0, 1000000);
	}
	assert_true(same_user < 3 && same_stream < 3 && same_seed < 3);
	b_random_release(&a);
	b_random_release(&a);
	b_random_release(&b);
	b_random_release(&c);
	b_random_release(&d);
	b_random_release(&e);
}

static void test_int(void **state)
{
	struct b_random r;
	int seen[7] = { 0 };
	bool high = false;

	(void)state;
	b_random_init(&r, 3, 0, B_STREAM_DATA);
	for (int i = 0; i < 7000; i++) {
		int64_t v = b_random_int(&r, -3, 3);

		assert_in_range(v + 3, 0, 6);
		seen[v + 3]++;
	}
	for (int i = 0; i < 7; i++)
		assert_in_range(seen[i], 800, 1200);
	assert_int_equal(b_random_int(&r, 5, 5), 5);
	for (int i = 0; i < 1000; i++) {
		int64_t v = b_random_int(&r, 0, INT64_C(1) << 40);

		assert_true(v >= 0 && v <= INT64_C(1) << 40);
		high = high || v > INT64_C(1) << 39;
		b_random_int(&r, INT64_MIN, INT64_MAX);
	}
	assert_true(high);
	b_random_release(&r);
}

/* What is drawn agrees with b_dist_mean_s and b_dist_cdf (Kolmogorov-Smirnov on a grid). */
static void shape(const char *text)
{
	enum { N = 20000 };
	struct b_dist d = { 0 };
	struct b_random r;
	struct b_error err = { 0 };
	double sum = 0, worst = 0, mean;
	static double v[N];

	assert_int_equal(b_dist_parse(&d, text, &err), 0);
	b_random_init(&r, 7, 1, B_STREAM_THINK);
	for (int i = 0; i < N; i++) {
		int64_t ns = b_dist_draw(&d, &r, -1, false);

		assert_true(ns >= 0);
		v[i] = (double)ns / 1e9;
		sum += v[i];
	}
	mean = b_dist_mean_s(&d);
	if (!isnan(mean) && fabs(sum / N - mean) > 0.03 * mean)
		fail_msg("%s: mean %g, expected %g", text, sum / N, mean);
	for (double x = 0; x < 40 && !isnan(mean); x += 0.37) {
		int below = 0;
		double cdf = b_dist_cdf(&d, x);

		for (int i = 0; i < N; i++)
			below += v[i] <= x;
		assert_true(cdf >= 0 && cdf <= 1);
		worst = fmax(worst, fabs((double)below / N - cdf));
	}
	if (worst > 0.015)
		fail_msg("%s: distribution off by %g", text, worst);
	b_random_release(&r);
	b_dist_release(&d);
}

static void test_shapes(void **state)
{
	(void)state;
	shape("none");
	shape("const:2.5");
	shape("uniform:1,3");
	shape("exp:3");
	shape("normal:5,2");
	shape("normal:1,2");
	shape("lognormal:4,2");
	shape("weibull:3,1.7");
	shape("cps:5");
	shape("human:.1,.3,1,.05,2");
}

static void test_exp_is_cut(void **state)
{
	struct b_random r;
	double max = 0;

	(void)state;
	b_random_init(&r, 1, 1, B_STREAM_THINK);
	for (int i = 0; i < 300000; i++)
		max = fmax(max, b_random_exp(&r, 2));
	assert_true(max <= 20 && max > 15);
	b_random_release(&r);
}

static void test_human_clips_and_ends_words(void **state)
{
	struct b_dist d = { 0 };
	struct b_random r;
	double in = 0, end = 0;

	(void)state;
	assert_int_equal(b_dist_parse(&d, "human:0.1,0.4,2,0.05,0.6", NULL), 0);
	b_random_init(&r, 1, 1, B_STREAM_TYPING);
	for (int i = 0; i < 5000; i++) {
		int64_t a = b_dist_draw(&d, &r, -1, false), b = b_dist_draw(&d, &r, -1, true);

		assert_true(a >= 50000000 && a <= 600000000 && b >= 50000000 && b <= 600000000);
		in += (double)a;
		end += (double)b;
	}
	assert_true(end > 3 * in);
	b_random_release(&r);
	b_dist_release(&d);
}

static void test_recorded(void **state)
{
	struct b_dist d = { 0 };
	struct b_random r;

	(void)state;
	b_random_init(&r, 1, 1, B_STREAM_TYPING);
	assert_int_equal(b_dist_parse(&d, "recorded", NULL), 0);
	assert_int_equal(b_dist_draw(&d, &r, 1234, false), 1234);
	assert_int_equal(b_dist_draw(&d, &r, -1, false), 0);
	assert_int_equal(b_dist_parse(&d, "recorded*0.5", NULL), 0);
	assert_int_equal(b_dist_draw(&d, &r, 1000, false), 500);
	b_random_release(&r);
	b_dist_release(&d);
}

static void test_round_trip(void **state)
{
	static const char *const texts[] = { "none", "const:0.25", "uniform:1,3", "exp:10",
		"normal:5,2", "lognormal:4,2", "weibull:3,1.7", "cps:5", "human:0.1,0.3,1,0.05,2",
		"recorded", "recorded*0.5" };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(texts); i++) {
		struct b_dist d = { 0 }, copy = { 0 };
		struct b_buf out = B_BUF_INIT;

		assert_int_equal(b_dist_parse(&d, texts[i], NULL), 0);
		b_dist_copy(&copy, &d);
		b_dist_format(&copy, &out);
		assert_string_equal(b_buf_cstr(&out), texts[i]);
		b_buf_release(&out);
		b_dist_release(&d);
		b_dist_release(&copy);
	}
}

static void test_durations(void **state)
{
	struct b_dist d = { 0 };

	(void)state;
	assert_int_equal(b_dist_parse(&d, "250ms", NULL), 0);
	assert_true(d.kind == B_DIST_CONST && fabs(d.p[0] - 0.25) < 1e-12);
	assert_int_equal(b_dist_parse(&d, "uniform:500ms,1m", NULL), 0);
	assert_true(fabs(d.p[0] - 0.5) < 1e-12 && fabs(d.p[1] - 60) < 1e-12);
}

static void test_refused(void **state)
{
	static const char *const texts[] = { "", "exp", "exp:", "exp:x", "exp:1,2", "exp:-1",
		"uniform:3,1", "uniform:1", "cps:0", "cps:5s", "gauss:1", "recorded*", "recordedx",
		"recorded*-1", "weibull:1,0", "human:1,2,3,4", "human:.1,.3,1,2,1", "const:1,",
		"lognormal:0,1", "exp:1e999", "exp:nan", "exp:0x10", "const:1e300", "exp:1e9",
		"uniform:0,1e300", "lognormal:1,1e9", "human:1e9,1,1,0,1", "human:1,1,1,0,1e9",
		"weibull:1,1e-300", "weibull:1e8,0.1", "cps:1e12", "cps:1e-300", "recorded*1e300" };
	struct b_dist d = { 0 };

	(void)state;
	assert_int_equal(b_dist_parse(&d, "const:1", NULL), 0);
	for (size_t i = 0; i < B_ARRAY_LEN(texts); i++) {
		struct b_error err = { 0 };

		if (b_dist_parse(&d, texts[i], &err) != B_EUSAGE)
			fail_msg("'%s' was taken", texts[i]);
		assert_non_null(strstr(err.text, "exp:MEAN"));
		assert_int_equal(d.kind, B_DIST_CONST);
	}
}

static void test_table(void **state)
{
	char path[] = "/tmp/rte-table-XXXXXX", text[64];
	int fd = mkstemp(path);
	struct b_error err = { 0 };
	struct b_dist d = { 0 }, copy = { 0 };
	struct b_random r;
	FILE *f;
	bool seen[3] = { false };

	(void)state;
	assert_true(fd >= 0);
	f = fdopen(fd, "w");
	fputs("# think times\n1\n2.5\n\n 4 # slow\n", f);
	fclose(f);
	snprintf(text, sizeof text, "table:%s", path);
	assert_int_equal(b_dist_parse(&d, text, &err), 0);
	b_dist_copy(&copy, &d);
	b_dist_release(&d);
	assert_int_equal(copy.n_table, 3);
	assert_true(fabs(b_dist_mean_s(&copy) - 2.5) < 1e-12);
	assert_true(fabs(b_dist_cdf(&copy, 3) - 2.0 / 3) < 1e-12);
	b_random_init(&r, 1, 1, B_STREAM_THINK);
	for (int i = 0; i < 100; i++) {
		int64_t ns = b_dist_draw(&copy, &r, -1, false);

		seen[0] = seen[0] || ns == 1000000000;
		seen[1] = seen[1] || ns == 2500000000;
		seen[2] = seen[2] || ns == 4000000000;
	}
	assert_true(seen[0] && seen[1] && seen[2]);
	b_random_release(&r);
	b_dist_release(&copy);

	f = fopen(path, "w");
	assert_non_null(f);
	fputs("1\nnonsense\n", f);
	fclose(f);
	assert_int_equal(b_dist_parse(&d, text, &err), B_EINPUT);
	assert_non_null(strstr(err.text, ":2:"));

	/* no line ever ends in it */
	f = fopen(path, "w");
	assert_non_null(f);
	for (int i = 0; i < 1000; i++)
		fputc(0, f);
	fclose(f);
	err.code = 0;
	assert_int_equal(b_dist_parse(&d, text, &err), B_EINPUT);
	assert_non_null(strstr(err.text, "no line of text"));

	/* no file; a pipe that nobody writes to would be waited for */
	err.code = 0;
	assert_int_equal(b_dist_parse(&d, "table:/dev/zero", &err), B_EINPUT);
	assert_non_null(strstr(err.text, "a pipe or a device"));
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	err.code = 0;
	assert_int_equal(b_dist_parse(&d, text, &err), B_EINPUT);
	assert_non_null(strstr(err.text, "a pipe or a device"));
	unlink(path);
	err.code = 0;
	assert_int_equal(b_dist_parse(&d, text, &err), B_EINPUT);
}

/* Whatever is drawn can be added to an instant. */
static void test_draws_are_bounded(void **state)
{
	static const char *const texts[] = { "const:9e8", "exp:9e8", "normal:9e8,9e8",
		"lognormal:9e8,9e8", "lognormal:1e-300,9e8", "weibull:9e8,1", "weibull:1,0.12",
		"cps:1.2e-9", "cps:1e6", "uniform:0,9e8", "human:9e8,9e8,1e-300,0,9e8" };
	struct b_error err = { 0 };
	struct b_random r;

	(void)state;
	b_random_init(&r, 1, 1, B_STREAM_THINK);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct b_dist d = { 0 };

		assert_int_equal(b_dist_parse(&d, texts[i], &err), 0);
		for (int k = 0; k < 100; k++) {
			int64_t ns = b_dist_draw(&d, &r, -1, k & 1);

			assert_true(ns >= 0 && ns <= INT64_MAX / 4);
		}
		b_dist_release(&d);
	}
	b_random_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_int),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_exp_is_cut),
		cmocka_unit_test(test_human_clips_and_ends_words),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_draws_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
