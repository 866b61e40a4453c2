/*
 * rte/arrivals.h - sessions that arrive at a rate, whether those before them are done or not.
 *
 * An open workload: arrivals are due by a schedule of their own, exponentially or equally far
 * apart, which a slow SUT does not slow down. Each takes a user that is free; one that finds none
 * is turned away and counted. The schedule follows from the run's seed alone; which user takes an
 * arrival depends on who was free.
 *
 * Thread-safe, by a lock that is taken a few times a session and never for a keystroke: the
 * thread that watches over the run lets them come, workers take theirs and hand users back.
 */
#ifndef RTE_ARRIVALS_H
#define RTE_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/phases.h"
#include "rte/workload.h"

struct rte_arrivals;

struct rte_arrival {
	int64_t user; /* from 1 */
	int64_t due_ns;
};

struct rte_arrival_counts {
	int64_t all, turned_away;               /* of the whole run */
	int64_t measured, measured_turned_away; /* due in the measurement interval */
};

/* "5/s", "300/m", "20/h", with ",const" behind it equally far apart. B_EUSAGE. */
int rte_arrivals_parse(struct rte_workload *w, const char *text, struct b_error *err) B_CHECK;

/* All users of w are free. Over the ramp the rate grows from nothing to the full one. w has passed
   rte_workload_check, and has a rate. */
struct rte_arrivals *rte_arrivals_new(const struct rte_workload *w, int64_t start_ns);
void rte_arrivals_free(struct rte_arrivals *a); /* NULL accepted */

/* When the next arrival is due. */
int64_t rte_arrivals_next(const struct rte_arrivals *a);
/* The next arrival comes; its user's worker (from 0) is to be woken. -1: it was turned away. */
int rte_arrivals_come(struct rte_arrivals *a, const struct rte_phases *p);

/* Takes an arrival for a user of this worker (from 0); false: there is none. */
bool rte_arrivals_take(struct rte_arrivals *a, size_t worker, struct rte_arrival *out);
/* The user's session is over. */
void rte_arrivals_hand_back(struct rte_arrivals *a, int64_t user);

struct rte_arrival_counts rte_arrivals_counts(struct rte_arrivals *a);

#endif
