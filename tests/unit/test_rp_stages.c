/* Stages: a row each of what lies wholly in one; a load that was changed on purpose is no drift. */
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

#define STAGES                                                                          \
	",\"stages\":[{\"users\":1,\"duration_s\":10},{\"users\":2,\"duration_s\":30}," \
	"{\"users\":8,\"duration_s\":30},{\"users\":9,\"duration_s\":30}]"
#define MIXES(from) \
	",\"scripts\":[{\"path\":\"a.lua\",\"mixes\":[{\"from\":null},{\"from\":" from "}]}]"

/* n rows evenly from from_s on, a second or more apart from the end. */
static void rows(FILE *f, double from_s, double to_s, int n, double response_s)
{
	for (int i = 0; i < n; i++) {
		struct rp_row w = { .start_s = from_s + 0.3 + (to_s - from_s - 1) * i / n,
			.name = "query",
			.counted = 1,
			.response_s = response_s,
			.keying_s = 0.2,
			.think_s = 1 };

		rp_dir_row(f, &w);
	}
}

static void growing(const struct rp_dir *d, const char *config)
{
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);

	rows(f, 10, 40, 100, 0.010);
	rows(f, 40, 70, 400, 0.200);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 9, config);
}

static void a_row_a_stage(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_load_options opt = { .from_set = true, .from_s = 40, .to_set = true, .to_s = 70 };
	struct rp_row across = {
		.start_s = 39.9, .counted = 1, .response_s = 0.2, .keying_s = 0.1
	};
	struct rp_row typed = { .start_s = 40.1, .counted = 1, .response_s = 0.1, .keying_s = 0.2 };
	struct rp_row failed = {
		.start_s = 50, .status = "timeout", .counted = 1, .response_s = 1, .keying_s = 0
	};
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r, *part;

	rows(f, 10, 40, 100, 0.010);
	rows(f, 40, 70, 400, 0.200);
	rp_dir_row(f, &across);
	rp_dir_row(f, &typed);
	rp_dir_row(f, &failed);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 9, STAGES);
	r = rp_dir_load(d, NULL);
	assert_int_equal(r->n_stages, 4);
	assert_false(r->stages[0].to_s > r->stages[0].from_s); /* before the interval */
	assert_false(r->stages[3].to_s > r->stages[3].from_s);
	assert_int_equal(r->stages[1].n_ok, 100);
	assert_int_equal(r->stages[2].n_ok, 400);
	assert_int_equal(r->stages[2].n_failed, 1);
	assert_true(fabs(r->stages[1].response.p[RP_P99].s - 0.010) < 1e-9);
	assert_true(fabs(r->stages[2].rate_per_s - 400 / 30.0) < 1e-9);
	part = rp_dir_load(d, &opt); /* the same as when that interval is chosen */
	assert_int_equal(part->all.n_ok, r->stages[2].n_ok);
	assert_int_equal(part->stages[2].n_ok, r->stages[2].n_ok);
	assert_true(
		fabs(part->all.measure[RP_RESPONSE].mean_s - r->stages[2].response.mean_s) < 1e-9);
	rp_run_free(part);
	rp_run_free(r);
}

static void growth_is_no_drift_where_it_was_asked_for(void **state)
{
	static const struct {
		const char *config, *text;
		enum rp_level level;
	} cases[] = {
		{ STAGES, "changed on purpose, stage 3 at 40s", RP_NOTE },
		{ MIXES("\"40s\""), "changed on purpose, another mix at 40s", RP_NOTE },
		{ MIXES("\"measure\""), "not steady",
			RP_BAD }, /* as the interval begins: no change in it */
		{ MIXES("\"lunch\""), "not steady", RP_BAD },
		{ MIXES("7"), "not steady", RP_BAD },
		{ "", "not steady", RP_BAD },
	};
	const struct rp_dir *d = *state;

	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		const struct rp_check *c;
		struct rp_run *r;

		growing(d, cases[i].config);
		r = rp_dir_load(d, NULL);
		c = rp_dir_check(r, "steady rate");
		assert_int_equal(c->level, cases[i].level);
		assert_non_null(strstr(c->text, cases[i].text));
		c = rp_dir_check(r, "steady response");
		assert_int_equal(c->level, cases[i].level);
		assert_non_null(strstr(c->text, cases[i].text));
		rp_run_free(r);
	}
}

static void hostile_stages(void **state)
{
	static const char *const configs[] = { ",\"stages\":7", ",\"stages\":[7]",
		",\"stages\":[{\"users\":\"x\",\"duration_s\":-1}]",
		",\"stages\":[{\"users\":1e308,\"duration_s\":60},{\"duration_s\":1e300}]",
		",\"stages\":[{\"duration_s\":0.001}]" };
	const struct rp_dir *d = *state;

	for (size_t i = 0; i < B_ARRAY_LEN(configs); i++) {
		struct rp_run *r;
		FILE *to = tmpfile();

		growing(d, configs[i]);
		r = rp_dir_load(d, NULL);
		assert_true(r->n_stages <= 1);
		assert_int_equal(rp_text_write(r, to), B_OK);
		assert_int_equal(rp_json_write(r, to), B_OK);
		fclose(to);
		rp_run_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_row_a_stage, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(
			growth_is_no_drift_where_it_was_asked_for, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(hostile_stages, rp_dir_setup, rp_dir_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
