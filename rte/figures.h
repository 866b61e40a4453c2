/*
 * rte/figures.h - what is shown of a run while it goes on: figures of each transaction, of the
 * last span and since the start, and how they went over the last minutes.
 *
 * Collected once a second by the thread that watches over the run, from what the workers hand
 * over (rte/stats.h). Another thread (rte/metrics.c) may read under the lock. These figures come
 * from histograms and are for looking at; the report computes its own from the log.
 */
#ifndef RTE_FIGURES_H
#define RTE_FIGURES_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hist.h"
#include "rte/timeline.h"

#define RTE_SPAN_S 5   /* "the last interval" of the display */
#define RTE_SPANS  120 /* how many are kept */

struct rte_span {
	uint64_t ok, failed;
	float rate;                /* ok a second */
	float p50_s, p90_s, max_s; /* of response times; negative: no sample */
};

/* Of one transaction, or of all together. */
struct rte_figure {
	uint64_t ok, failed;   /* since the start */
	struct b_hist *all;    /* response times of ok ones since the start */
	struct b_hist *recent; /* of the span under way */
	uint64_t span_ok, span_failed;
	struct rte_span span[RTE_SPANS]; /* a ring: rte_figure_span */
};

struct rte_figures {
	pthread_mutex_t lock;
	struct rte_figure total;
	struct rte_figure **tx; /* by the number of the name (rte/names.h) */
	size_t n_tx;
	struct b_hist *late; /* of all keystrokes since the start */
	uint64_t n_spans;    /* that have ended */
	int64_t span_from_ns;
};

void rte_figures_init(struct rte_figures *f, int64_t now);
void rte_figures_release(struct rte_figures *f);

/* Takes what came since the last time; t has just been collected. */
void rte_figures_collect(struct rte_figures *f, struct rte_timeline *t);

/* The span that ended `back` spans ago (0: the last one); NULL: there is none. */
const struct rte_span *rte_figure_span(
	const struct rte_figures *f, const struct rte_figure *g, uint64_t back);

#endif
