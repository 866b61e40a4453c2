#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "report/report.h"
#include "report/run.h"
#include "tests/unit/rp_dir.h"

static void forms(void **state)
{
	static const char *const good[] = { "query:p90<2s", "*:errors<1%", "*:errors<0.01",
		"*:rate>10/s", "*:rate>=600/m", "a:b:p50<=250ms", "x:mean<1s,max<5s",
		" x : p99.9 < 1.5s ", "x:n>100", "x:failed<=0", "x:keying.mean>1s", "x:due.p95<3s",
		"x:first.p50<1", "x:think.min>=2s" };
	static const char *const bad[] = { "", "query", "query:", ":p90<2s", "q:p90", "q:p90<",
		"q:p90=2s", "q:p0<1s", "q:p100<1s", "q:p90<2s,", "q:p90<2kg", "q:errors<1s",
		"q:rate>10/x", "q:think.errors<1%", "q:nonsense<1", "q:p90<-1s", "q:pxx<1s" };
	struct b_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(good); i++)
		if (rp_threshold_check(good[i], &err))
			fail_msg("%s", err.text);
	for (size_t i = 0; i < B_ARRAY_LEN(bad); i++) {
		memset(&err, 0, sizeof err);
		if (rp_threshold_check(bad[i], &err) != B_EUSAGE)
			fail_msg("'%s' is no threshold", bad[i]);
		assert_non_null(strstr(err.text, "NAME:p90<2s"));
	}
}

/* 100 ok of 1 .. 100 ms and 25 failed, over 60 s. */
static void make(const struct rp_dir *d)
{
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);

	for (int i = 0; i < 125; i++) {
		struct rp_row w = { .start_s = 11 + 0.4 * i,
			.name = "q",
			.counted = 1,
			.status = i < 100 ? "ok" : "timeout",
			.response_s = i < 100 ? 0.001 * (i + 1) : -1,
			.keying_s = 2,
			.think_s = -1 };

		rp_dir_row(f, &w);
	}
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"thresholds\":[\"q:p50<1s\"]");
}

static void verdicts(void **state)
{
	static const struct {
		const char *text;
		double value;
		bool met;
	} cases[] = {
		{ "q:p90<0.091", 0.090, true },
		{ "q:p90<0.090", 0.090, false },
		{ "q:p90<=90ms", 0.090, true },
		{ "q:p85<1s", 0.085, true }, /* any percentile, exactly */
		{ "q:p99.5<1s", 0.100, true },
		{ "q:min>=1ms", 0.001, true },
		{ "*:mean<50ms", 0.0505, false },
		{ "q:errors<=20%", 0.2, true },
		{ "q:errors<20%", 0.2, false },
		{ "q:failed<=25", 25, true },
		{ "q:n>100", 100, false },
		{ "q:rate>1.6/s", 100 / 60.0, true },
		{ "q:rate>101/m", 100 / 60.0, false },
		{ "q:keying.p50<=2s", 2, true },
		{ "q:think.mean<9s", NAN, false }, /* no sample: not met */
		{ "nobody:p90<2s", NAN, false },
		{ "nobody:errors<1%", NAN, false },
	};
	const struct rp_dir *d = *state;
	const char *texts[B_ARRAY_LEN(cases)];
	struct rp_load_options opt = { .thresholds = texts, .n_thresholds = B_ARRAY_LEN(cases) };
	struct b_error err = { 0 };
	struct rp_run *r;

	make(d);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		texts[i] = cases[i].text;
	assert_int_equal(rp_run_load(&r, d->path, &opt, &err), 0);
	assert_int_equal(r->n_thresholds, B_ARRAY_LEN(cases) + 1);
	assert_string_equal(r->thresholds[0].text, "q:p50<1s"); /* the run's own, first */
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		const struct rp_threshold *t = &r->thresholds[i + 1];

		if (t->passed != cases[i].met)
			fail_msg("%s: %g", t->text, t->value);
		if (isnan(cases[i].value))
			assert_true(isnan(t->value));
		else if (fabs(t->value - cases[i].value) > 1e-9)
			fail_msg("%s: %.9g, not %.9g", t->text, t->value, cases[i].value);
	}
	assert_int_equal(rp_run_exit(r), B_EXIT_FAILED);
	rp_run_free(r);
	assert_int_equal(rp_run_load(&r, d->path, NULL, &err), 0);
	assert_int_equal(rp_run_exit(r), B_EXIT_OK);
	rp_run_free(r);
}

static void a_bad_one_in_the_run_is_an_error(void **state)
{
	const struct rp_dir *d = *state;
	struct b_error err = { 0 };
	struct rp_run *r = NULL;

	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"thresholds\":[\"nonsense\"]");
	assert_int_equal(rp_run_load(&r, d->path, NULL, &err), B_EUSAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms),
		cmocka_unit_test_setup_teardown(verdicts, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(
			a_bad_one_in_the_run_is_an_error, rp_dir_setup, rp_dir_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
