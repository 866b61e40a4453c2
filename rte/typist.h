/*
 * rte/typist.h - the keystroke schedule: when each key is due, and how late it left.
 *
 * Pure. A key is due at the previous key's due time plus its gap, but not before what it waits
 * for (a think time, a fulfilled wait, a line that takes bytes again): waiting for the SUT is no
 * lateness of ours. A key that leaves more than its gap late starts the schedule anew from then,
 * so that a driver that fell behind never types in bursts; that is counted.
 */
#ifndef RTE_TYPIST_H
#define RTE_TYPIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"

struct rte_typist {
	bool started;
	bool word;      /* the last character was part of a word */
	int64_t due_ns; /* of the next key once scheduled, else of the last one */
	int64_t gap_ns;
	uint64_t restarts;
};

/* Schedules the next key. Returns when it is due. */
int64_t rte_typist_next(struct rte_typist *t, int64_t gap_ns, int64_t not_before_ns);

/* The key's write was attempted at `at`. Returns its lateness, >= 0. */
int64_t rte_typist_sent(struct rte_typist *t, int64_t at);

/* Draws the gap in front of a character (cp: its code point; 0: a named key). recorded_ns as
   b_dist_draw. Exactly one draw a key, whatever came of the last one. */
int64_t rte_typist_gap(struct rte_typist *t, const struct b_dist *typing, struct b_random *r,
	uint32_t cp, int64_t recorded_ns);

#endif
