/*
 * rte/test_child.h - one attempt at a test, in a process of its own.
 */
#ifndef RTE_TEST_CHILD_H
#define RTE_TEST_CHILD_H

#include "rte/test.h"

/*
 * Runs the test in this process, which was forked for it: its folder, the commands before it, the
 * session, the commands after it. Writes the attempt as JSON to fd. number: which attempt, from 1.
 * The caller leaves the process with _exit.
 */
void rte_test_child(const struct rte_test_plan *p, const struct rte_test *t, int number, int fd);

/* The scopes of a test from the outermost in, and their commands: "before" in that order, "after"
   in the other. dir is the test's. B_ECHECK, B_EENV. */
int rte_test_before(
	const struct rte_test *t, const char *dir, int64_t timeout_ns, struct b_error *err) B_CHECK;
int rte_test_after(
	const struct rte_test *t, const char *dir, int64_t timeout_ns, struct b_error *err) B_CHECK;

#endif
