/*
 * rte/watchdog.h - sees to it that no script holds a worker up.
 *
 * A script that never waits is ended by the Lua side's count of instructions. What that cannot
 * see (a pattern that runs away inside of C, a worker that is starved) is seen from here: a
 * worker whose Lua state has run for too long is interrupted and the user's script fails of it;
 * one that does not come back all the same is named in a message. Called by the thread that
 * watches over the run.
 */
#ifndef RTE_WATCHDOG_H
#define RTE_WATCHDOG_H

#include <stddef.h>
#include <stdint.h>

#include "rte/worker.h"

#define RTE_WATCHDOG_INTERRUPT_NS (2 * INT64_C(1000000000))
#define RTE_WATCHDOG_STUCK_NS     (10 * INT64_C(1000000000))

/* told: a flag a worker, zeroed at the start. Returns how many workers are stuck. */
size_t rte_watchdog_look(struct rte_worker *const *workers, size_t n, bool *told, int64_t now);

#endif
