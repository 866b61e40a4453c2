/*
 * rte/timeline.h - the run second by second: collected from the workers, written as a row.
 *
 * Belongs to the thread that watches over the run.
 */
#ifndef RTE_TIMELINE_H
#define RTE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "rte/stats.h"
#include "rte/worker.h"
#include "rte/writer.h"

/* The state of the run as it was collected last. */
struct rte_moment {
	int64_t at_ns, span_ns; /* its end, and what it spans */
	int64_t users[RTE_N_SHOWN];
	struct rte_second second;
	int64_t keys, bytes_in, bytes_out; /* in the span */
	double cpu;                        /* the driver's CPUs in use */
	int64_t rss_kib;
	/* since the start */
	int64_t transactions, failures, iterations, sessions, all_keys;
	int64_t arrivals, turned_away; /* 0 without arrivals (rte/arrivals.h) */
};

struct rte_timeline {
	struct rte_worker **workers;
	size_t n_workers;
	struct rte_shared *shared;
	struct rte_outbox *out; /* NULL: no log */
	struct rte_moment moment;
	int64_t last_ns, last_cpu_ns, last_keys, last_in, last_out, last_arrivals, last_turned_away;
	int64_t max_rss_kib;
	int64_t *last_worker_cpu_ns; /* a worker each */
	size_t log_queue_bytes;      /* the most since the last row: of whoever looks */
};

void rte_timeline_init(struct rte_timeline *t, struct rte_shared *s, struct rte_worker **workers,
	size_t n, struct rte_outbox *out, int64_t now);
void rte_timeline_release(struct rte_timeline *t);
/* Collects what there is since the last time into t->moment, and writes the row. */
void rte_timeline_collect(struct rte_timeline *t, int64_t now);

/* What this process has used of the CPUs, and holds of memory. Any thread. */
int64_t rte_driver_cpu_ns(void);
int64_t rte_driver_rss_kib(void);

#endif
