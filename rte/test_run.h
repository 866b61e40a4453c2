/*
 * rte/test_run.h - runs the tests of a plan, each attempt in a process of its own.
 *
 * So a test that hangs, crashes or leaks is that test's failure alone, and what it sets up for
 * itself (its folder, its environment) no other sees. This process stays single-threaded: it forks.
 */
#ifndef RTE_TEST_RUN_H
#define RTE_TEST_RUN_H

#include "rte/test.h"

struct rte_test_summary {
	size_t n[RTE_TEST_BAD + 1]; /* by outcome */
	size_t written, updated;    /* golden screens */
	char **unused; /* golden screens that no test asked for; removed when updating */
	size_t n_unused;
	char **conflicts; /* golden screens that were written twice, with different screens */
	size_t n_conflicts;
	double seconds;
	bool interrupted;
	bool env; /* what failed failed because the SUT could not be reached, all of it */
};

/* Told of each test in the order of the plan, as soon as all before it have ended. */
typedef void rte_test_told_fn(void *user, const struct rte_test_plan *p, const struct rte_test *t);

void rte_test_run(
	struct rte_test_plan *p, rte_test_told_fn *told, void *user, struct rte_test_summary *out);
void rte_test_summary_release(struct rte_test_summary *s);

/* ---- test_unused.c ---- */

/* Fills what can be said of golden screens only after all: unused, conflicts, numbers. */
void rte_test_goldens_sum_up(const struct rte_test_plan *p, struct rte_test_summary *s);

#endif
