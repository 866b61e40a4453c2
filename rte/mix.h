/*
 * rte/mix.h - who does what: users divided among scripts, and each iteration's pick of a mix.
 *
 * Pure. The division depends on weights and numbers alone; a pick on the user's mix stream alone.
 */
#ifndef RTE_MIX_H
#define RTE_MIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/random.h"
#include "rte/script.h"
#include "rte/workload.h"

/*
 * Sets script_of[0 .. n_users) to the index of each user's script. Users named for a script get
 * it; the others are divided by weight among the scripts that name none (largest remainder) and
 * interleaved, so that a ramp-up brings them in proportion. w has passed rte_workload_check;
 * named users beyond n_users are ignored.
 */
void rte_users_divide(const struct rte_workload *w, int64_t n_users, uint32_t *script_of);

/* A script's mix, shared by its users. */
struct rte_mix {
	size_t n;
	double *upto;    /* running sum of the weights, last is 1 */
	uint16_t *cards; /* with a deck: an entry's number as often as it is in the deck */
	size_t n_cards;  /* 0: picked at random */
};

void rte_mix_init(struct rte_mix *m, const struct rte_mix_entry *entries, size_t n, bool deck);
void rte_mix_release(struct rte_mix *m);

/* A user's deck; zero-initialise, free cards in the end. */
struct rte_deck {
	uint16_t *cards;
	size_t left;
};

/* The entry for the next iteration. With a deck: the next card; a used-up deck is shuffled anew. */
size_t rte_mix_pick(const struct rte_mix *m, struct rte_deck *deck, struct b_random *r);

#endif
