/*
 * rte/stats.h - what a worker tells others while it runs.
 *
 * Two kinds. struct rte_stats: counters and gauges that the worker alone writes and any thread
 * reads, without a lock. struct rte_share: histograms and sums of the last second, handed over
 * by the worker shortly before the second ends, when they are collected; it only tries the lock,
 * so it never waits for a reader: when it fails, or comes too late, the second's figures stay with
 * the worker and go with the next ones.
 */
#ifndef RTE_STATS_H
#define RTE_STATS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hist.h"

/* A user's state as it is shown. */
enum rte_shown {
	RTE_SHOW_PLANNED,
	RTE_SHOW_CONNECTING, /* also the back-off before it */
	RTE_SHOW_LOGIN,
	RTE_SHOW_TYPING,
	RTE_SHOW_WAITING,
	RTE_SHOW_THINKING, /* also pacing and barriers */
	RTE_SHOW_DONE,
	RTE_SHOW_FAILED,
	RTE_N_SHOWN
};

/* As run directories and displays name them: "planned", "thinking", ... */
extern const char *const rte_shown_names[RTE_N_SHOWN];

struct rte_stats {
	_Atomic int64_t users[RTE_N_SHOWN];
	_Atomic int64_t keys, bytes_in, bytes_out;
	_Atomic int64_t transactions; /* ended, of any status */
	_Atomic int64_t failures;     /* transactions and sessions that failed */
	_Atomic int64_t iterations, sessions, logins;
	_Atomic int64_t iterations_measured; /* those that lie wholly in the interval */
	_Atomic int64_t stale, unsettled;
	_Atomic int64_t reschedules; /* keystroke schedules that started anew, in the interval */
	_Atomic int64_t blocked_ns;  /* lines that took no bytes */
	_Atomic int64_t cpu_ns;      /* of the worker's thread */
	_Atomic int64_t waits;       /* wake-ups */
	_Atomic int64_t alive_ns;    /* when the loop last came round (watchdog) */
};

/* Only the worker that owns the counter may call this. */
static inline void rte_stat_add(_Atomic int64_t *at, int64_t n)
{
	atomic_store_explicit(
		at, atomic_load_explicit(at, memory_order_relaxed) + n, memory_order_relaxed);
}

static inline void rte_stat_set(_Atomic int64_t *at, int64_t v)
{
	atomic_store_explicit(at, v, memory_order_relaxed);
}

static inline int64_t rte_stat_get(const _Atomic int64_t *at)
{
	return atomic_load_explicit(at, memory_order_relaxed);
}

/* Figures of one transaction name. */
struct rte_tx_figures {
	struct b_hist *response; /* counted and ok, of the whole interval */
	struct b_hist *recent;   /* ok, since the last collection */
	uint64_t ok, failed;     /* of the whole run */
};

/* What one second, or more when nobody collected, brought. */
struct rte_second {
	uint64_t transactions, failures;
	struct b_hist *response; /* of ok transactions that ended in it */
	struct b_hist *late;     /* of keystrokes */
	int64_t wake_late_ns;    /* how late a timer was seen, at most */
};

struct rte_share {
	pthread_mutex_t lock;
	struct rte_second second;
	struct b_hist *late;       /* of keystrokes due in the measurement interval */
	struct b_hist *wakes;      /* how late timers were seen, in the interval */
	struct rte_tx_figures *tx; /* by the number of the name (rte/names.h) */
	size_t n_tx;
};

void rte_second_init(struct rte_second *s);
void rte_second_clear(struct rte_second *s);
void rte_second_merge(struct rte_second *into, const struct rte_second *from);
void rte_second_release(struct rte_second *s);

void rte_share_init(struct rte_share *s);
void rte_share_release(struct rte_share *s);
/* Adds all of from (the worker's own) to into, and clears what was moved. Locks as said above when
   wait is false; returns false when it did nothing. */
bool rte_share_publish(struct rte_share *into, struct rte_share *from, bool wait);
/* When a worker hands over next: shortly before each whole second since start_ns. */
int64_t rte_share_due(int64_t start_ns, int64_t now);
/* The figures of name number `tx`, made when they are not there yet. */
struct rte_tx_figures *rte_share_tx(struct rte_share *s, size_t tx);

#endif
