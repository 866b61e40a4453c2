/*
 * rte/stop_when.h - conditions that end a run early: "errors>20%", "query:p90>10s for 1m".
 *
 * A condition is a figure over the last so many seconds (30 when not said). It is looked at once
 * a second, from what the workers hand over (rte/stats.h), not before that long has gone by, and
 * not on fewer than RTE_STOP_LEAST transactions, but for rate. It belongs to the thread that
 * watches over the run; rte_stop_when_collect comes before rte_figures_collect, which takes the
 * same samples away.
 */
#ifndef RTE_STOP_WHEN_H
#define RTE_STOP_WHEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "rte/timeline.h"

#define RTE_STOP_LEAST 5

/*
 * Whether text is "[NAME:]FIGURE OP VALUE [for D]": NAME a transaction, * or nothing for all
 * together; FIGURE errors (of all that ended, sessions that failed among them), pNN, mean or max
 * of the response time, or rate (ok transactions a second); OP < or >; D 1 s to 1 h. B_EUSAGE.
 */
int rte_stop_when_check(const char *text, struct b_error *err) B_CHECK;

struct rte_stop_when;

/* texts have passed rte_stop_when_check; n may be 0. */
struct rte_stop_when *rte_stop_when_new(char *const *texts, size_t n, int64_t now);
void rte_stop_when_free(struct rte_stop_when *s); /* NULL accepted */

/*
 * Takes what came since the last time; t has just been collected. Returns whether a condition
 * holds; then *said has it with its figure, as "query:p90>10s for 1m: 12.3s".
 */
bool rte_stop_when_collect(
	struct rte_stop_when *s, const struct rte_timeline *t, struct b_buf *said);

/* Warns of each condition on a transaction that never ended: its name is spelt wrongly, maybe. */
void rte_stop_when_strangers(const struct rte_stop_when *s, const struct rte_timeline *t);

#endif
