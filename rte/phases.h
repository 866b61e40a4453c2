/*
 * rte/phases.h - the phases of a run, as instants that all threads read without a lock.
 *
 * Ramp-up, warm-up, measurement interval, continued load, ramp-down follow one another; what is
 * not known yet lies at RTE_UNKNOWN, for ever in the future. With a number of iterations and no
 * measuring time the interval is opened by the first iteration and closed by the last one's end.
 */
#ifndef RTE_PHASES_H
#define RTE_PHASES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rte/rows.h"
#include "rte/workload.h"

#define RTE_UNKNOWN INT64_MAX

struct rte_phases {
	int64_t start_ns;
	bool by_iterations;        /* the interval follows the iterations */
	_Atomic int64_t warmup_ns; /* when each begins */
	_Atomic int64_t measure_ns;
	_Atomic int64_t continue_ns; /* the end of the measurement interval */
	_Atomic int64_t rampdown_ns;
	_Atomic int64_t cut_ns; /* what is still going on then is cut off */
};

/* Lays out the run that starts at start_ns. w has passed rte_workload_check. */
void rte_phases_plan(struct rte_phases *p, const struct rte_workload *w, int64_t start_ns);

enum rte_phase rte_phases_at(const struct rte_phases *p, int64_t at_ns);
/* When the phase that holds at `at_ns` ends; RTE_UNKNOWN: that cannot be said. */
int64_t rte_phases_end(const struct rte_phases *p, int64_t at_ns);

/* The stage of w's that holds at `at_ns`, from 1; after the last one it still holds. 0: there are none. */
size_t rte_phases_stage(const struct rte_phases *p, const struct rte_workload *w, int64_t at_ns);

/* Whether [from, to] lies wholly in the measurement interval as far as it is known. */
bool rte_phases_counts(const struct rte_phases *p, int64_t from_ns, int64_t to_ns);

/* An iteration begins: opens the interval when it follows the iterations. Any thread. */
void rte_phases_iteration(struct rte_phases *p, int64_t now);

/* Ends loading at `now`: the interval is closed if it is open, ramp-down begins and is cut off
   `rampdown` later. Nothing when ramp-down has begun. */
void rte_phases_stop(struct rte_phases *p, const struct rte_workload *w, int64_t now);

/* The next phase begins now (steering). From the interval on, that of continued load. */
void rte_phases_skip(struct rte_phases *p, const struct rte_workload *w, int64_t now);

#endif
