/* report: runs of one kind over time: trends, thresholds that are crossed, changes of the verdict. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/report.h"
#include "report/runs.h"
#include "tests/unit/rp_dir.h"

/* 300 rows that all took response_s. */
static void run(const struct rp_dir *d, int i, double response_s, const char *outcome)
{
	char file[128];
	FILE *f;

	snprintf(file, sizeof file, "2026-%03d", i);
	rp_dir_sub(d, file);
	snprintf(file, sizeof file, "2026-%03d/%s", i, RUNDIR_TRANSACTIONS_CSV);
	f = rp_dir_rows(d, file);
	for (int k = 0; k < 300; k++) {
		struct rp_row w = { .start_s = 11 + 57.0 * k / 300 + i * 300.0,
			.counted = 1,
			.response_s = response_s,
			.keying_s = 0.5,
			.think_s = 1 };

		rp_dir_row(f, &w);
	}
	fclose(f);
	snprintf(file, sizeof file, "2026-%03d/%s", i, RUNDIR_RUN_JSON);
	f = rp_dir_open(d, file);
	fprintf(f,
		"{\"outcome\":\"%s\",\"started_s\":%.1f,\"config\":{\"users\":3,"
		"\"thresholds\":[\"query:p90<200ms\",\"*:errors<1%%\"]},\"phases\":["
		"{\"name\":\"measure\",\"start_s\":%.1f,\"end_s\":%.1f}]}",
		outcome, RP_EPOCH + i * 300.0, RP_EPOCH + i * 300.0 + 10,
		RP_EPOCH + i * 300.0 + 70);
	fclose(f);
}

static struct rp_ladder *load(const struct rp_dir *d, size_t newest)
{
	struct rp_load_options opt = { .newest = newest };
	struct b_error err = { 0 };
	struct rp_ladder *l = NULL;

	if (rp_ladder_load(&l, d->path, &opt, &err))
		fail_msg("%s", err.text);
	return l;
}

/* 0.10, 0.15, 0.20 (missed: not below), 0.25, 0.10 s; the last was stopped and does not count. */
static void crossed_and_back(void **state)
{
	static const double took[] = { 0.10, 0.15, 0.20, 0.25, 0.10, 0.9 };
	const struct rp_dir *d = *state;
	struct b_buf b = B_BUF_INIT;
	struct rp_ladder *l;
	struct rp_runs r;

	for (int i = 0; i < 6; i++)
		run(d, i, took[i], i == 5 ? "stopped" : "finished");
	l = load(d, 0);
	assert_true(rp_is_runs(l));
	rp_runs_make(&r, l);
	assert_int_equal(r.n_crossings, 2);
	assert_string_equal(r.crossings[0].threshold->text, "query:p90<200ms");
	assert_int_equal(r.crossings[0].n, 5);
	assert_int_equal(r.crossings[0].n_missed, 2);
	assert_false(r.crossings[0].missed_now);
	assert_int_equal(r.crossings[1].n_missed, 0);
	rp_runs_crossing_text(&b, &r, &r.crossings[0]);
	assert_string_equal(b_buf_cstr(&b), "met in 3 of 5 runs, last missed in 2026-003");
	assert_int_equal(r.n_changes, 2);
	assert_true(rp_runs_changed(l, 2) && rp_runs_changed(l, 4));
	assert_false(rp_runs_changed(l, 3) || rp_runs_changed(l, 5));
	b_buf_clear(&b);
	rp_runs_change_text(&b, l, 2);
	assert_string_equal(b_buf_cstr(&b), "failed, was ok: missed query:p90<200ms (200ms)");
	b_buf_clear(&b);
	rp_runs_change_text(&b, l, 4);
	assert_string_equal(b_buf_cstr(&b), "ok, was failed");
	/* The line through them by hand: mean 0.16, slope (2 x 0.10 - 2 x 0.10 + 0.25 - 0.15) / 10. */
	assert_int_equal(r.p90.n, 5);
	assert_true(fabs(r.p90.mean - 0.16) < 1e-9);
	assert_true(fabs(r.p90.slope - 0.01) < 1e-9);
	b_buf_clear(&b);
	rp_runs_trend_text(&b, &r.p90, true);
	assert_string_equal(
		b_buf_cstr(&b), "mean 160ms, +25.0% from the first run to the last: within chance");
	b_buf_release(&b);
	rp_runs_release(&r);
	rp_ladder_free(l);
}

static void a_trend(void **state)
{
	const struct rp_dir *d = *state;
	struct b_buf b = B_BUF_INIT;
	struct rp_ladder *l;
	struct rp_runs r;

	for (int i = 0; i < 8; i++)
		run(d, i, 0.100 + 0.010 * i + (i % 2 ? 0.001 : -0.001), "finished");
	l = load(d, 0);
	rp_runs_make(&r, l);
	rp_runs_trend_text(&b, &r.p90, true);
	assert_non_null(strstr(b_buf_cstr(&b), "a trend (p < 0.001)"));
	assert_int_equal(r.n_changes, 0);
	b_buf_release(&b);
	rp_runs_release(&r);
	rp_ladder_free(l);
}

/* Of many runs only the newest are read, and it is said so. */
static void the_newest(void **state)
{
	const struct rp_dir *d = *state;
	char *text = NULL;
	struct rp_ladder *l;
	size_t len;
	FILE *f;

	for (int i = 0; i < 5; i++)
		run(d, i, 0.1, "finished");
	l = load(d, 2);
	assert_int_equal(l->n_steps, 2);
	assert_int_equal(l->n_left_out, 3);
	assert_string_equal(l->steps[0].name, "2026-003");
	f = open_memstream(&text, &len);
	assert_int_equal(rp_ladder_text_write(l, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "2 runs, the newest of 5"));
	free(text);
	rp_ladder_free(l);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rp_dir_setup, rp_dir_teardown)
	const struct CMUnitTest tests[] = { T(crossed_and_back), T(a_trend), T(the_newest) };

	return cmocka_run_group_tests_name("rp_runs", tests, NULL, NULL);
}
