/*
 * rte/test_plan.h - from scripts to tests, in the order in which they run.
 */
#ifndef RTE_TEST_PLAN_H
#define RTE_TEST_PLAN_H

#include "rte/test.h"
#include "rte/test_find.h"

/*
 * Loads the scripts that were found, with the suite.lua files of their folders, and lays out the
 * tests that opt selects. A script that cannot be loaded becomes a test that is bad. opt lives as
 * long as the plan. B_EUSAGE: a pattern of opt, or a line without a test.
 */
int rte_test_plan_make(struct rte_test_plan *p, struct rte_test_options *opt,
	const struct rte_finds *finds, struct b_error *err) B_CHECK;
void rte_test_plan_release(struct rte_test_plan *p);

#endif
