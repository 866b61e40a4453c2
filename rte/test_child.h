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

#endif
