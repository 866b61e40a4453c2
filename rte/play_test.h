/*
 * rte/play_test.h - rte play SCRIPT.lua:LINE: one test as rte test runs it, with a person looking on.
 *
 * The same folder, the same commands around it, the same setup; but the person's rhythm, and the
 * person's terminal.
 */
#ifndef RTE_PLAY_TEST_H
#define RTE_PLAY_TEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/workload.h"

struct rte_play_test;

/* Whether arg is FILE:LINE, and FILE is there. */
bool rte_play_test_is(const char *arg);
/*
 * Finds the test, makes it w's one script, sets up what stands around it and runs what stands
 * before it. *dir: its folder, *user: whose part it is (its row of data). B_EUSAGE, B_EINPUT,
 * B_EENV, B_ECHECK.
 */
int rte_play_test_begin(struct rte_play_test **out, const char *arg, struct rte_workload *w,
	const char **dir, int64_t *user, struct b_error *err) B_CHECK;
/* Runs what stands behind it, removes its folder. B_ECHECK. NULL accepted. */
int rte_play_test_end(struct rte_play_test *t, struct b_error *err) B_CHECK;

#endif
