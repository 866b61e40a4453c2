/* The keystroke schedule: no drift, no bursts, one draw a key. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "rte/typist.h"
#include "base/banned.h"

#define MS B_NS_PER_MS

static void test_no_drift(void **state)
{
	struct rte_typist t = { 0 };
	int64_t due = rte_typist_next(&t, 200 * MS, 1000 * MS);

	(void)state;
	assert_int_equal(due, 1000 * MS);
	/* each key leaves 1 ms late: the schedule does not move */
	for (int i = 1; i <= 100; i++) {
		assert_int_equal(rte_typist_sent(&t, due + MS), MS);
		due = rte_typist_next(&t, 200 * MS, 0);
		assert_int_equal(due, (1000 + 200 * i) * MS);
	}
	assert_int_equal(t.restarts, 0);
}

static void test_no_burst(void **state)
{
	struct rte_typist t = { 0 };

	(void)state;
	rte_typist_next(&t, 100 * MS, 1000 * MS);
	rte_typist_sent(&t, 1000 * MS);
	rte_typist_next(&t, 100 * MS, 0);
	/* the driver hung for a second */
	assert_int_equal(rte_typist_sent(&t, 2100 * MS), 1000 * MS);
	assert_int_equal(t.restarts, 1);
	assert_int_equal(rte_typist_next(&t, 100 * MS, 0), 2200 * MS);
	/* less than one gap late: it catches up */
	rte_typist_sent(&t, 2290 * MS);
	assert_int_equal(t.restarts, 1);
	assert_int_equal(rte_typist_next(&t, 100 * MS, 0), 2300 * MS);
}

static void test_waiting_is_not_late(void **state)
{
	struct rte_typist t = { 0 };

	(void)state;
	rte_typist_next(&t, 100 * MS, 0);
	rte_typist_sent(&t, 0);
	/* the SUT took 5 s to answer */
	assert_int_equal(rte_typist_next(&t, 100 * MS, 5000 * MS), 5000 * MS);
	assert_int_equal(rte_typist_sent(&t, 5001 * MS), MS);
	/* it answered faster than the gap: typing keeps its rate */
	assert_int_equal(rte_typist_next(&t, 100 * MS, 5002 * MS), 5100 * MS);
	assert_int_equal(t.restarts, 0);
}

static void test_without_gaps(void **state)
{
	struct rte_typist t = { 0 };

	(void)state;
	rte_typist_next(&t, 0, 1000 * MS);
	rte_typist_sent(&t, 1003 * MS);
	assert_int_equal(rte_typist_next(&t, 0, 0), 1003 * MS);
	assert_int_equal(t.restarts, 0);
}

static void test_gaps_are_reproducible(void **state)
{
	struct rte_typist t = { 0 }, u = { 0 };
	struct b_dist d = { 0 };
	struct b_random a, b;

	(void)state;
	assert_int_equal(b_dist_parse(&d, "human:0.1,0.3,1,0.01,2", NULL), 0);
	b_random_init(&a, 1, 1, B_STREAM_TYPING);
	b_random_init(&b, 1, 1, B_STREAM_TYPING);
	for (const char *s = "pay 100.00 to the bearer"; *s; s++)
		assert_int_equal(rte_typist_gap(&t, &d, &a, (unsigned char)*s, -1),
			rte_typist_gap(&u, &d, &b, (unsigned char)*s, -1));
	b_random_release(&a);
	b_random_release(&b);
	b_dist_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_drift),
		cmocka_unit_test(test_no_burst),
		cmocka_unit_test(test_waiting_is_not_late),
		cmocka_unit_test(test_without_gaps),
		cmocka_unit_test(test_gaps_are_reproducible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
