/* What a plan says of instants, in seconds from the start. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/phases.h"
#include "base/banned.h"

#define S     B_NS_PER_S
#define START (1000 * S)
#define AT(s) (START + (int64_t)((s)*1e9))
#define STARTING                                                               \
	{                                                                      \
		.users = 10, .iterations = RTE_UNSET, .measure_ns = RTE_UNSET, \
		.timeout_ns = 60 * S                                           \
	}

static void test_timed(void **state)
{
	struct rte_workload w = STARTING;
	struct rte_phases p;

	(void)state;
	w.ramp_ns = 10 * S;
	w.warmup_ns = 20 * S;
	w.measure_ns = 60 * S;
	w.continue_ns = 5 * S;
	w.rampdown_ns = 10 * S;
	rte_phases_plan(&p, &w, START);
	assert_int_equal(rte_phases_at(&p, AT(0)), RTE_RAMPUP);
	assert_int_equal(rte_phases_at(&p, AT(10)), RTE_WARMUP);
	assert_int_equal(rte_phases_at(&p, AT(29.9)), RTE_WARMUP);
	assert_int_equal(rte_phases_at(&p, AT(30)), RTE_MEASURE);
	assert_int_equal(rte_phases_at(&p, AT(90)), RTE_CONTINUE);
	assert_int_equal(rte_phases_at(&p, AT(95)), RTE_RAMPDOWN);
	assert_int_equal(rte_phases_end(&p, AT(0)), AT(10));
	assert_int_equal(rte_phases_end(&p, AT(40)), AT(90));
	assert_true(rte_phases_end(&p, AT(96)) >= AT(105));
	assert_true(rte_phases_counts(&p, AT(30), AT(90)));
	assert_false(rte_phases_counts(&p, AT(29.999), AT(50)));
	assert_false(rte_phases_counts(&p, AT(50), AT(90.001)));
	/* stopped in the middle */
	rte_phases_stop(&p, &w, AT(50));
	assert_int_equal(rte_phases_at(&p, AT(50)), RTE_RAMPDOWN);
	assert_false(rte_phases_counts(&p, AT(40), AT(51)));
	assert_true(rte_phases_counts(&p, AT(40), AT(49)));
	rte_phases_stop(&p, &w, AT(60));
	assert_int_equal(rte_phases_at(&p, AT(55)), RTE_RAMPDOWN);
	/* nobody is waited for with less patience than its own timeouts */
	w.patient = true;
	rte_phases_plan(&p, &w, START);
	rte_phases_stop(&p, &w, AT(50));
	assert_true(atomic_load(&p.cut_ns) > AT(1000000));
}

static void test_by_iterations(void **state)
{
	struct rte_workload w = STARTING;
	struct rte_phases p;

	(void)state;
	w.iterations = 2;
	w.rampdown_ns = 10 * S;
	rte_phases_plan(&p, &w, START);
	assert_int_equal(rte_phases_at(&p, AT(5)), RTE_RAMPUP);
	assert_int_equal(rte_phases_end(&p, AT(5)), RTE_UNKNOWN);
	assert_false(rte_phases_counts(&p, AT(1), AT(2)));
	rte_phases_iteration(&p, AT(3));
	rte_phases_iteration(&p, AT(4));
	assert_int_equal(rte_phases_at(&p, AT(2.9)), RTE_RAMPUP);
	assert_int_equal(rte_phases_at(&p, AT(3)), RTE_MEASURE);
	assert_true(rte_phases_counts(&p, AT(3), AT(1000)));
	rte_phases_stop(&p, &w, AT(50));
	assert_int_equal(rte_phases_at(&p, AT(50)), RTE_RAMPDOWN);
	assert_true(rte_phases_counts(&p, AT(3), AT(50)));
}

static void test_forever_and_skip(void **state)
{
	struct rte_workload w = STARTING;
	struct rte_phases p;

	(void)state;
	w.measure_ns = RTE_MEASURE_FOREVER;
	w.ramp_ns = 10 * S;
	w.continue_ns = 5 * S;
	rte_phases_plan(&p, &w, START);
	assert_int_equal(rte_phases_at(&p, AT(1e6)), RTE_MEASURE);
	assert_int_equal(rte_phases_end(&p, AT(1e6)), RTE_UNKNOWN);
	rte_phases_skip(&p, &w, AT(1e6));
	assert_int_equal(rte_phases_at(&p, AT(1e6)), RTE_CONTINUE);
	rte_phases_skip(&p, &w, AT(1e6 + 1));
	assert_int_equal(rte_phases_at(&p, AT(1e6 + 1)), RTE_RAMPDOWN);
	/* the ramp cut short: the interval keeps its length */
	w.measure_ns = 60 * S;
	rte_phases_plan(&p, &w, START);
	rte_phases_skip(&p, &w, AT(2));
	assert_int_equal(rte_phases_at(&p, AT(2)), RTE_MEASURE);
	assert_int_equal(rte_phases_end(&p, AT(2)), AT(62));
}

static void test_stages(void **state)
{
	struct rte_stage stages[] = { { 10, 60 * S }, { 50, 30 * S } };
	struct rte_workload w = STARTING;
	struct rte_phases p;

	(void)state;
	w.stages = stages;
	w.n_stages = 2;
	w.ramp_ns = 5 * S;
	rte_phases_plan(&p, &w, START);
	assert_int_equal(rte_phases_at(&p, AT(0)), RTE_MEASURE);
	assert_int_equal(rte_phases_end(&p, AT(0)), AT(90));
	assert_int_equal(rte_phases_stage(&p, &w, AT(0)), 1);
	assert_int_equal(rte_phases_stage(&p, &w, AT(59.9)), 1);
	assert_int_equal(rte_phases_stage(&p, &w, AT(60)), 2);
	assert_int_equal(rte_phases_stage(&p, &w, AT(1000)), 2);
	w.n_stages = 0;
	assert_int_equal(rte_phases_stage(&p, &w, AT(60)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timed),
		cmocka_unit_test(test_by_iterations),
		cmocka_unit_test(test_forever_and_skip),
		cmocka_unit_test(test_stages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
