/*
 * rte/when.h - from when on something holds in a run, as people say it: "measure", "stage 3",
 * "5m".
 *
 * A phase's name (rampup, warmup, measure, continue, rampdown), a stage by its number from 1, or
 * a time since the start of the run. Phases may be moved while the run goes on (steering), so
 * whether the time has come is asked each time, and nothing is kept.
 */
#ifndef RTE_WHEN_H
#define RTE_WHEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "rte/workload.h"

struct rte_phases;

/* B_EUSAGE with the message when text is none of these. */
int rte_when_parse(struct rte_when *t, const char *text, struct b_error *err) B_CHECK;
/* Whether the run of w that is laid out by p is as far at `now`. */
bool rte_when_come(const struct rte_when *t, const struct rte_workload *w,
	const struct rte_phases *p, int64_t now);
/* Appends it as rte_when_parse reads it; nothing for the start. */
void rte_when_format(const struct rte_when *t, struct b_buf *out);

#endif
