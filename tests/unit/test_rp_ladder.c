/* Ladders and comparisons, from runs whose figures are known. */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "report/compare.h"
#include "report/ladder.h"
#include "report/report.h"
#include "tests/unit/rp_dir.h"

static void near(double is, double want, double tolerance)
{
	if (!(fabs(is - want) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", is, want, tolerance);
}

/* A run in a folder: n rows over the interval, responses around mean with a noise of a tenth
   that seed moves. */
static void step(
	const struct rp_dir *d, const char *name, int users, int n, double mean, unsigned seed)
{
	char file[128];
	FILE *f;

	rp_dir_sub(d, name);
	snprintf(file, sizeof file, "%s/%s", name, RUNDIR_TRANSACTIONS_CSV);
	f = rp_dir_rows(d, file);
	for (int i = 0; i < n; i++) {
		struct rp_row w = {
			.start_s = 11 + 57.0 * i / n, .counted = 1, .keying_s = 0.5, .think_s = 1
		};

		seed = seed * 1664525 + 1013904223;
		w.response_s = mean * (1 + 0.1 * ((seed >> 16) % 2001 / 1000.0 - 1));
		rp_dir_row(f, &w);
	}
	fclose(f);
	snprintf(file, sizeof file, "%s/%s", name, RUNDIR_RUN_JSON);
	rp_dir_json(d, file, users, "");
}

static struct rp_ladder *load(const struct rp_dir *d)
{
	struct b_error err = { 0 };
	struct rp_ladder *l = NULL;

	if (rp_ladder_load(&l, d->path, NULL, &err))
		fail_msg("%s", err.text);
	return l;
}

static void knee_says(const struct rp_ladder *l, const char *want)
{
	struct b_buf b = B_BUF_INIT;

	rp_knee_text(&b, l);
	assert_string_equal(b_buf_cstr(&b), want);
	b_buf_release(&b);
}

static void knee(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_ladder *l;

	step(d, "a-20", 20, 1200, 0.5, 1); /* 20/s */
	step(d, "b-5", 5, 300, 0.1, 2);    /* 5/s: one a user */
	step(d, "c-10", 10, 600, 0.1, 3);  /* 10/s */
	step(d, "d-40", 40, 1200, 2, 4);   /* 20/s still: saturated from 20 users on */
	assert_true(rp_is_ladder(d->path));
	l = load(d);
	assert_int_equal(l->n_levels, 4);
	near(l->levels[0].users, 5, 0); /* by users, not by name */
	near(l->levels[3].users, 40, 0);
	near(l->levels[2].rate_per_s, 20, 1e-9);
	near(l->levels[2].mean_s, 0.5, 0.01);
	near(l->knee, 20, 1e-9);
	rp_ladder_free(l);
}

static void no_knee_while_it_grows(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_ladder *l;

	step(d, "1", 5, 300, 0.1, 1);
	step(d, "2", 10, 590, 0.1, 2);
	l = load(d);
	assert_true(isnan(l->knee));
	knee_says(l, "no knee: throughput still grows with the users, nearly in proportion");
	rp_ladder_free(l);
}

/* Nothing grows where nothing succeeded. */
static void no_knee_of_nothing(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_ladder *l;

	step(d, "1", 5, 0, 0.1, 1);
	step(d, "2", 10, 0, 0.1, 2);
	l = load(d);
	knee_says(l, "no knee: no transaction succeeded");
	rp_ladder_free(l);
	step(d, "3", 20, 300, 0.1, 3);
	l = load(d);
	knee_says(l, "no knee: transactions succeeded at one step alone");
	rp_ladder_free(l);
}

static void repeats_make_one_level(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_ladder *l;

	step(d, "5-1", 5, 300, 0.1, 1);
	step(d, "5-2", 5, 360, 0.3, 2);
	l = load(d);
	assert_int_equal(l->n_levels, 1);
	assert_int_equal(l->levels[0].n, 2);
	near(l->levels[0].rate_per_s, 5.5, 1e-9);
	near(l->levels[0].mean_s, 0.2, 0.01);
	rp_ladder_free(l);
}

static void a_failed_step_is_shown(void **state)
{
	const struct rp_dir *d = *state;
	char *text = NULL;
	struct rp_ladder *l;
	size_t len;
	FILE *f;

	step(d, "5", 5, 300, 0.1, 1);
	rp_dir_sub(d, "10");
	rp_dir_write(d, "10/" RUNDIR_TRANSACTIONS_CSV, "this,is,nothing\n");
	rp_dir_sub(d, "notes"); /* no run: no step */
	l = load(d);
	assert_int_equal(l->n_steps, 2);
	assert_int_equal(rp_ladder_exit(l), B_EXIT_FAILED);
	f = open_memstream(&text, &len);
	assert_int_equal(rp_ladder_text_write(l, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "cannot be read"));
	free(text);
	rp_ladder_free(l);
}

static void is_no_ladder(void **state)
{
	const struct rp_dir *d = *state;
	struct b_error err = { 0 };
	struct rp_ladder *l = NULL;

	assert_false(rp_is_ladder(d->path));
	assert_false(rp_is_ladder("/nonexistent"));
	assert_int_equal(rp_ladder_load(&l, d->path, NULL, &err), B_ENOTFOUND);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	rp_dir_sub(d, "x");
	rp_dir_json(d, "x/" RUNDIR_RUN_JSON, 1, "");
	assert_false(rp_is_ladder(d->path)); /* a run of its own comes first */
}

static void documents(void **state)
{
	const struct rp_dir *d = *state;
	struct b_error err = { 0 };
	enum b_exit status;
	char path[512];
	json_t *o;

	step(d, "5", 5, 300, 0.1, 1);
	step(d, "10", 10, 600, 0.1, 2);
	assert_int_equal(rp_ladder_finish(d->path, 0, NULL, &status, &err), 0);
	assert_int_equal(status, B_EXIT_OK);
	snprintf(path, sizeof path, "%s/%s", d->path, RUNDIR_SUMMARY_JSON);
	o = json_load_file(path, 0, NULL);
	assert_int_equal(json_array_size(json_object_get(o, "levels")), 2);
	assert_true(json_is_null(json_object_get(o, "knee_users")));
	json_decref(o);
	snprintf(path, sizeof path, "%s/%s", d->path, RUNDIR_REPORT_HTML);
	assert_int_equal(access(path, R_OK), 0);
	assert_true(rp_is_ladder(d->path)); /* still */
}

/* ---- Comparisons ------------------------------------------------------------------------------ */

static struct rp_compare *compare(const struct rp_dir *d, const char *a, const char *b)
{
	char x[512], y[512];
	const char *dirs[] = { x, y };
	struct b_error err = { 0 };
	struct rp_compare *c = NULL;

	snprintf(x, sizeof x, "%s/%s", d->path, a);
	snprintf(y, sizeof y, "%s/%s", d->path, b);
	if (rp_compare_load(&c, dirs, 2, NULL, &err))
		fail_msg("%s", err.text);
	return c;
}

static void differences(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_difference x;
	struct rp_compare *c;

	step(d, "base", 5, 1000, 0.100, 1);
	step(d, "same", 5, 1000, 0.100, 99);
	step(d, "slow", 5, 1000, 0.110, 2);
	c = compare(d, "base", "same");
	assert_int_equal(c->n_lines, 1);
	assert_string_equal(c->lines[0].name, "query");
	x = rp_cell_difference(&c->lines[0].cells[0], &c->lines[0].cells[1], RP_FIG_MEAN);
	assert_false(x.stands_out);
	near(rp_column_total_s(c, 0), 100, 1);
	rp_compare_free(c);
	/* the p90 of the parts of a run with few samples is the longest of each */
	step(d, "few", 5, 24, 0.100, 3);
	c = compare(d, "base", "few");
	x = rp_cell_difference(&c->lines[0].cells[0], &c->lines[0].cells[1], RP_FIG_P90);
	assert_false(x.stands_out);
	rp_compare_free(c);
	c = compare(d, "base", "slow");
	x = rp_cell_difference(&c->lines[0].cells[0], &c->lines[0].cells[1], RP_FIG_MEAN);
	assert_true(x.stands_out && !x.from_repeats);
	near(x.part, 0.1, 0.01);
	x = rp_cell_difference(&c->lines[0].cells[0], &c->lines[0].cells[1], RP_FIG_RATE);
	assert_false(x.stands_out);
	rp_compare_free(c);
}

static void repeats_judge_the_noise(void **state)
{
	static const double before[] = { 0.100, 0.120, 0.110 }, after[] = { 0.115, 0.105, 0.125 };
	const struct rp_dir *d = *state;
	struct rp_difference x;
	struct rp_compare *c;

	rp_dir_sub(d, "A");
	rp_dir_sub(d, "B");
	for (int i = 0; i < 3; i++) {
		char name[16];

		snprintf(name, sizeof name, "A/%d", i);
		step(d, name, 5, 500, before[i], (unsigned)i);
		snprintf(name, sizeof name, "B/%d", i);
		step(d, name, 5, 500, after[i], (unsigned)i + 10);
	}
	c = compare(d, "A", "B");
	assert_false(c->by_users);
	assert_int_equal(c->lines[0].cells[0].n, 3);
	x = rp_cell_difference(&c->lines[0].cells[0], &c->lines[0].cells[1], RP_FIG_MEAN);
	assert_true(x.from_repeats);
	assert_false(x.stands_out); /* runs differ by more than that among themselves */
	near(x.part, 0.345 / 0.33 - 1, 0.01);
	rp_compare_free(c);
}

static void ladders_by_users(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_compare *c;
	char *text = NULL;
	size_t len;
	FILE *f;

	rp_dir_sub(d, "A");
	rp_dir_sub(d, "B");
	step(d, "A/1", 5, 300, 0.1, 1);
	step(d, "A/2", 10, 600, 0.1, 2);
	step(d, "B/1", 5, 300, 0.1, 3);
	step(d, "B/2", 20, 900, 0.1, 4);
	c = compare(d, "A", "B");
	assert_true(c->by_users);
	assert_int_equal(c->n_lines, 3);
	assert_string_equal(c->lines[2].name, "20 users");
	assert_int_equal(c->lines[2].cells[0].n, 0);
	f = open_memstream(&text, &len);
	assert_int_equal(rp_compare_text_write(c, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "10 users"));
	free(text);
	rp_compare_free(c);
}

static void what_cannot_be_compared(void **state)
{
	const struct rp_dir *d = *state;
	char run[512], ladder[512];
	const char *dirs[] = { run, ladder };
	struct b_error err = { 0 };
	struct rp_compare *c = NULL;

	rp_dir_sub(d, "L");
	step(d, "L/1", 5, 300, 0.1, 1);
	step(d, "L/2", 10, 600, 0.1, 2);
	step(d, "run", 5, 300, 0.1, 3);
	snprintf(run, sizeof run, "%s/run", d->path);
	snprintf(ladder, sizeof ladder, "%s/L", d->path);
	assert_int_equal(rp_compare_load(&c, dirs, 2, NULL, &err), B_EUSAGE);
	memset(&err, 0, sizeof err);
	assert_int_equal(rp_compare_load(&c, dirs, 1, NULL, &err), B_EUSAGE);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rp_dir_setup, rp_dir_teardown)
	const struct CMUnitTest tests[] = { T(knee), T(no_knee_while_it_grows),
		T(no_knee_of_nothing), T(repeats_make_one_level), T(a_failed_step_is_shown),
		T(is_no_ladder), T(documents), T(differences), T(repeats_judge_the_noise),
		T(ladders_by_users), T(what_cannot_be_compared) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
