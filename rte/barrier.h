/*
 * rte/barrier.h - users of all workers meet: nobody goes on before so many have come.
 *
 * Thread-safe; a meeting is rare, so a lock is what it may cost. Who waits holds a ticket; when
 * the last one comes all tickets of that round are called, and the workers are woken (by the
 * function given) to ask for theirs.
 */
#ifndef RTE_BARRIER_H
#define RTE_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

struct rte_barriers;

struct rte_ticket {
	uint32_t barrier; /* from 1; 0: none */
	uint64_t round;
};

/* wake is called, with the lock not held, when tickets were called. */
struct rte_barriers *rte_barriers_new(void (*wake)(void *user), void *user);
void rte_barriers_free(struct rte_barriers *b); /* NULL accepted */

/* How many users there are for a barrier of all (count 0): who ends or fails is no longer waited
   for. Calls those that are complete by it. */
void rte_barriers_users(struct rte_barriers *b, int64_t n);

/* Comes to the barrier. count > 0: so many users meet; 0: all; < 0: so many per cent of all, at least
   one. Returns true when the meeting is complete: do not wait. */
bool rte_barrier_arrive(
	struct rte_barriers *b, const char *name, int64_t count, struct rte_ticket *ticket);
/* Whether the ticket was called. */
bool rte_barrier_called(struct rte_barriers *b, const struct rte_ticket *ticket);
/* Whether it was called because the time of one who waited was up (rte_barrier_release). */
bool rte_barrier_late(struct rte_barriers *b, const struct rte_ticket *ticket);
/* Calls all tickets of this one's round though not all have come. */
void rte_barrier_release(struct rte_barriers *b, const struct rte_ticket *ticket);
/* Gives a ticket back that was not called (a timeout, a cancelled user). */
void rte_barrier_leave(struct rte_barriers *b, const struct rte_ticket *ticket);

#endif
