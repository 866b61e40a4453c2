/* What a command line may say of a workload, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/workload.h"
#include "base/banned.h"

static void test_defaults(void **state)
{
	struct rte_workload w;
	struct b_error err = { 0 };

	(void)state;
	rte_workload_init(&w);
	assert_int_equal(rte_workload_check(&w, &err), B_EUSAGE);
	assert_int_equal(rte_workload_script_add(&w, "a.lua", &err), 0);
	assert_int_equal(rte_workload_check(&w, NULL), 0);
	assert_int_equal(w.iterations, 1);
	assert_int_equal(w.workers, 1);
	assert_true(w.seed_set);
	assert_int_equal(w.continue_ns, 30 * B_NS_PER_S);
	w.users = 2501;
	w.workers = RTE_UNSET;
	w.ramp_ns = RTE_UNSET;
	assert_int_equal(rte_workload_check(&w, NULL), 0);
	assert_int_equal(w.ramp_ns, 30 * B_NS_PER_S);
	assert_in_range(w.workers, 1, 2);
	rte_workload_release(&w);
}

static void test_scripts(void **state)
{
	struct rte_workload w;
	struct b_error err = { 0 };

	(void)state;
	rte_workload_init(&w);
	assert_int_equal(rte_workload_script_add(&w, "a.lua=3", NULL), 0);
	assert_int_equal(rte_workload_script_add(&w, "b.lua", NULL), 0);
	assert_int_equal(rte_workload_script_add(&w, "b.lua=0", &err), B_EUSAGE);
	assert_int_equal(rte_workload_script_add(&w, "b.lua=many", NULL), B_EUSAGE);
	assert_int_equal(w.n_scripts, 2);
	assert_string_equal(w.scripts[0].path, "a.lua");
	assert_true(w.scripts[0].weight > 2.9 && w.scripts[0].weight < 3.1);
	rte_workload_release(&w);
}

static void test_named_users(void **state)
{
	struct rte_workload w;
	struct b_error err = { 0 };

	(void)state;
	rte_workload_init(&w);
	assert_int_equal(rte_workload_script_add(&w, "a.lua", NULL), 0);
	assert_int_equal(rte_workload_script_add(&w, "b.lua", NULL), 0);
	w.users = 3;
	w.scripts[1].users = b_calloc(2, sizeof(int64_t));
	w.scripts[1].n_users = 2;
	w.scripts[1].users[0] = 1;
	w.scripts[1].users[1] = 4;
	assert_int_equal(rte_workload_check(&w, &err), B_EUSAGE);
	assert_non_null(strstr(err.text, "user 4"));
	w.scripts[1].users[1] = 1;
	err.code = 0;
	assert_int_equal(rte_workload_check(&w, &err), B_EUSAGE);
	w.scripts[1].users[1] = 2;
	assert_int_equal(rte_workload_check(&w, NULL), 0);
	/* all scripts name users, and user 3 has none */
	w.scripts[0].users = b_calloc(1, sizeof(int64_t));
	w.scripts[0].n_users = 1;
	w.scripts[0].users[0] = 1;
	w.scripts[1].n_users = 1;
	w.scripts[1].users[0] = 2;
	err.code = 0;
	assert_int_equal(rte_workload_check(&w, &err), B_EUSAGE);
	assert_non_null(strstr(err.text, "user 3"));
	rte_workload_release(&w);
}

static void test_ladder_and_stages(void **state)
{
	static const char *const bad_ladder[] = { "", "5,", ",5", "5,,6", "5;6", "0", "-1", "x" };
	static const char *const bad_stages[] = { "", "10", "10 usersx 1m", "10 user", "10 users",
		"10 1m,", "x 1m", "10 x", "10 0s", "1m 10" };
	struct rte_workload w;

	(void)state;
	rte_workload_init(&w);
	assert_int_equal(rte_workload_script_add(&w, "a.lua", NULL), 0);
	assert_int_equal(rte_workload_ladder_parse(&w, "5, 10,20", NULL), 0);
	assert_int_equal(w.n_ladder, 3);
	assert_int_equal(w.ladder[2], 20);
	for (size_t i = 0; i < B_ARRAY_LEN(bad_ladder); i++)
		assert_int_equal(rte_workload_ladder_parse(&w, bad_ladder[i], NULL), B_EUSAGE);
	assert_int_equal(rte_workload_stages_parse(&w, "1 user 1m, 50 users 5m,0 30s", NULL), 0);
	assert_int_equal(w.n_stages, 3);
	assert_int_equal(w.stages[1].users, 50);
	assert_int_equal(w.stages[1].duration_ns, 300 * B_NS_PER_S);
	for (size_t i = 0; i < B_ARRAY_LEN(bad_stages); i++)
		assert_int_equal(rte_workload_stages_parse(&w, bad_stages[i], NULL), B_EUSAGE);
	assert_int_equal(rte_workload_check(&w, NULL), B_EUSAGE);
	w.n_ladder = 0;
	assert_int_equal(rte_workload_check(&w, NULL), 0);
	assert_int_equal(w.users, 50);
	/* their sum, not each */
	assert_int_equal(rte_workload_stages_parse(&w, "1 200000h, 2 50000h", NULL), 0);
	assert_int_equal(rte_workload_check(&w, NULL), 0);
	assert_int_equal(rte_workload_stages_parse(&w, "1 200000h, 2 50001h", NULL), 0);
	assert_int_equal(rte_workload_check(&w, NULL), B_EUSAGE);
	rte_workload_release(&w);
}

static void test_refused(void **state)
{
	struct rte_workload w;

	(void)state;
	rte_workload_init(&w);
	assert_int_equal(rte_workload_script_add(&w, "a.lua", NULL), 0);
	w.measure_ns = RTE_MEASURE_FOREVER;
	w.repeat = 2;
	assert_int_equal(rte_workload_check(&w, NULL), B_EUSAGE);
	w.repeat = 1;
	assert_int_equal(rte_workload_check(&w, NULL), 0);
	w.lateness_bad_ns = 1;
	assert_int_equal(rte_workload_check(&w, NULL), B_EUSAGE);
	rte_workload_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_scripts),
		cmocka_unit_test(test_named_users),
		cmocka_unit_test(test_ladder_and_stages),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
