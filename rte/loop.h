/*
 * rte/loop.h - a worker's event loop: descriptors to watch, and timers that wait for company.
 *
 * The owner runs the turns itself, so that it decides in which order things happen: rte_loop_wait
 * says which watches are ready and calls nobody; rte_loop_due gives the timers that are due, one
 * by one.
 *
 * What a timer costs is its wake-up, not its work. So waiting for timers ends when the earliest
 * has been due for RTE_TIMER_SLACK_NS, and all that have become due by then share the wake-up.
 * With keys at random instants that is a fifth fewer wake-ups than a grid of the same lateness,
 * and a user whose keys have a wake-up to themselves types with exact gaps, that much later.
 * A timer never comes early; a ready descriptor ends the wait at once. tests/bench/README.md has
 * the figures.
 *
 * Watches and timers are members of their owners' structs: nothing is allocated on the way of a
 * keystroke. A timer that has ever been set must live as long as the loop. All calls belong to
 * one thread, except rte_loop_wake.
 */
#ifndef RTE_LOOP_H
#define RTE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct rte_loop;

struct rte_timer {
	int64_t due_ns; /* RTE_TIMER_OFF: not set. Read it, set it by the functions below. */
	void (*fire)(struct rte_timer *t, int64_t now);
};

#define RTE_TIMER_OFF      INT64_C(-1)
#define RTE_TIMER_SLACK_NS INT64_C(1250000)
#define RTE_TIMER_INIT(function)        \
	{                               \
		RTE_TIMER_OFF, function \
	}

#define RTE_WATCH_READ  1u
#define RTE_WATCH_WRITE 2u
#define RTE_WATCH_GONE  4u /* reported only: hang-up or error; comes even when nothing is wanted */

struct rte_watch {
	int fd; /* -1: none */
	unsigned want;
	void *owner;
};

struct rte_ready {
	struct rte_watch *watch;
	unsigned what;
};

int rte_loop_new(struct rte_loop **out, struct b_error *err) B_CHECK;
void rte_loop_free(struct rte_loop *l); /* NULL accepted */

/* Watches fd for `want` (may be 0: hang-up is still reported). A watch on another descriptor than
   before must be dropped first. B_ESYS when the kernel refuses. */
int rte_loop_watch(struct rte_loop *l, struct rte_watch *w, int fd, unsigned want) B_CHECK;
/* Forgets w; call it before its descriptor is closed. Entries of the batch that rte_loop_wait
   gave last and that name w become NULL. */
void rte_loop_drop(struct rte_loop *l, struct rte_watch *w);

/* Sets or moves a timer. */
void rte_loop_timer_set(struct rte_loop *l, struct rte_timer *t, int64_t due_ns);
void rte_loop_timer_clear(struct rte_loop *l, struct rte_timer *t);

/*
 * Waits until a watch is ready, a timer is due, or another thread calls rte_loop_wake. Returns
 * the number of ready watches; *out is theirs until the next call. poll: do not wait at all.
 */
size_t rte_loop_wait(struct rte_loop *l, bool poll, struct rte_ready **out);

/* Takes the earliest timer that is due at `now` off the heap; NULL: none is. Its due time goes
   to *due_ns. */
struct rte_timer *rte_loop_due(struct rte_loop *l, int64_t now, int64_t *due_ns);

/* Ends the wait of this loop, from any thread. */
void rte_loop_wake(struct rte_loop *l);

uint64_t rte_loop_waits(const struct rte_loop *l); /* wake-ups so far */

#endif
