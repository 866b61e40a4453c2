/*
 * rte/metrics.h - the figures of a run that goes on, for a monitoring system to fetch by HTTP.
 *
 * OpenMetrics text 1.0 at /metrics, by libmicrohttpd in a thread of its own; names and labels are
 * stable and stand in rte-watch(1). On the loopback address unless another one is given: whoever
 * can connect can read. Workers are never waited for.
 *
 * Source: OpenMetrics 1.0.0 (prometheus/OpenMetrics, specification/OpenMetrics.md).
 */
#ifndef RTE_METRICS_H
#define RTE_METRICS_H

#include "base/buf.h"
#include "base/error.h"

struct rte_metrics;
struct rte_run;

/* Whether `where` can be read: PORT, ADDR:PORT or [ADDR]:PORT, a numeric address or localhost.
   B_EUSAGE. */
int rte_metrics_check(const char *where, struct b_error *err) B_CHECK;

/* Serves r until rte_metrics_free. B_EENV: the port is taken, the address not ours. */
int rte_metrics_new(struct rte_metrics **out, struct rte_run *r, const char *where,
	struct b_error *err) B_CHECK;
void rte_metrics_free(struct rte_metrics *m); /* NULL accepted */

/* Appends the text itself. Any thread, between the start of the workers and their end. */
void rte_metrics_text(struct rte_run *r, struct b_buf *out);

#endif
