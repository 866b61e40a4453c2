/* report: keying times against the typing that was asked for, by sums that the test makes itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/report.h"
#include "report/run.h"
#include "tests/unit/rp_dir.h"

static uint64_t seed = 7;

static double unit(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return ((double)(seed >> 33) + 0.5) / 2147483648.0;
}

/* A row of rp_dir.h has five keys, four gaps. */
static double four_exponentials(double mean)
{
	double sum = 0;

	for (int i = 0; i < 4; i++)
		sum -= mean * log(unit());
	return sum;
}

static double uniform_of_that_mean(double mean)
{
	return mean * 4 * (0.75 + 0.5 * unit());
}

static struct rp_run *typed(
	const struct rp_dir *d, const char *typing, double (*keying)(double mean), int n)
{
	char extra[80];
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);

	for (int i = 0; i < n; i++) {
		struct rp_row w = { .start_s = 15 + 50.0 * i / n,
			.counted = 1,
			.response_s = 0.1,
			.keying_s = keying(0.1),
			.think_s = 1 };

		rp_dir_row(f, &w);
	}
	fclose(f);
	snprintf(extra, sizeof extra, ",\"typing\":\"%s\"", typing);
	rp_dir_json(d, RUNDIR_RUN_JSON, 5, extra);
	return rp_dir_load(d, NULL);
}

static const struct rp_check *sheet(const struct rp_run *r, const char *name)
{
	for (size_t i = 0; i < r->n_checks; i++)
		if (!strcmp(r->checks[i].name, name))
			return &r->checks[i];
	return NULL;
}

static void shapes(void **state)
{
	static const struct {
		const char *typing;
		double (*keying)(double mean);
		int n;
		bool judged, expected;
		enum rp_level level;
	} cases[] = {
		{ "exp:100ms", four_exponentials, 3000, true, true, RP_FINE },
		{ "exp:100ms", uniform_of_that_mean, 3000, true, true, RP_WARNING },
		{ "uniform:0.05,0.15", uniform_of_that_mean, 3000, true, true, RP_WARNING },
		{ "exp:100ms", four_exponentials, 20, false, false, RP_FINE },  /* too few */
		{ "cps:10", uniform_of_that_mean, 3000, false, true, RP_FINE }, /* a constant */
		{ "human:0.1,0.2,2,0.01,1", four_exponentials, 3000, false, false, RP_FINE },
		{ "recorded", four_exponentials, 3000, false, false, RP_FINE },
	};
	const struct rp_dir *d = *state;

	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct rp_run *r = typed(d, cases[i].typing, cases[i].keying, cases[i].n);
		const struct rp_check *c = sheet(r, "keying shape");
		double sum = 0;

		if ((c != NULL) != cases[i].judged)
			fail_msg(
				"%s, case %zu: %s", cases[i].typing, i, c ? c->text : "not judged");
		if (c)
			assert_int_equal(c->level, cases[i].level);
		assert_int_equal(r->all.keying_expected, cases[i].expected);
		for (int k = 0; k < RP_N_BINS && cases[i].expected; k++)
			sum += (double)r->all.keying_bin[k];
		/* What is to be expected are as many as there are; some lie beyond the picture. */
		if (cases[i].expected)
			assert_true(sum > 0.5 * cases[i].n && sum <= cases[i].n * 1.001);
		rp_run_free(r);
	}
}

/* Mean of a Gamma distribution's bins: 4 x 0.1 s, as the drawn sums must have it. */
static void expected_mean(void **state)
{
	struct rp_run *r = typed(*state, "exp:100ms", four_exponentials, 3000);
	double sum = 0, n = 0, width = r->all.histogram[RP_KEYING].top_s / RP_N_BINS;

	for (int k = 0; k < RP_N_BINS; k++) {
		sum += (double)r->all.keying_bin[k] * (k + 0.5) * width;
		n += (double)r->all.keying_bin[k];
	}
	assert_true(fabs(sum / n - 0.4) < 0.01);
	assert_true(r->all.keying_ks < 0.03);
	rp_run_free(r);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rp_dir_setup, rp_dir_teardown)
	const struct CMUnitTest tests[] = { T(shapes), T(expected_mean) };

	return cmocka_run_group_tests_name("rp_keying", tests, NULL, NULL);
}
