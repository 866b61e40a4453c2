#include "rte/mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

#define NOBODY   UINT32_MAX
#define DECK_MAX 1000
#define DECIMALS 3 /* weights with up to so many make an exact deck */

/* Shares of `total` in proportion to the weights, whole numbers that add up: largest remainder. */
static void divide(const double *weight, size_t n, int64_t total, int64_t *share)
{
	double sum = 0;
	int64_t left = total;

	for (size_t i = 0; i < n; i++)
		sum += weight[i];
	for (size_t i = 0; i < n; i++) {
		share[i] = (int64_t)floor((double)total * weight[i] / sum);
		left -= share[i];
	}
	for (; left > 0; left--) {
		double most = -1;
		size_t best = 0;

		for (size_t i = 0; i < n; i++) {
			double miss = (double)total * weight[i] / sum - (double)share[i];

			if (miss > most + 1e-9) {
				most = miss;
				best = i;
			}
		}
		share[best]++;
	}
}

void rte_users_divide(const struct rte_workload *w, int64_t n_users, uint32_t *script_of)
{
	double *weight = b_calloc(w->n_scripts, sizeof *weight);
	int64_t *share = b_calloc(w->n_scripts, sizeof *share);
	int64_t *turn = b_calloc(w->n_scripts, sizeof *turn);
	int64_t free_users = n_users;

	for (int64_t u = 0; u < n_users; u++)
		script_of[u] = NOBODY;
	for (size_t s = 0; s < w->n_scripts; s++) {
		weight[s] = w->scripts[s].n_users ? 0 : w->scripts[s].weight;
		for (size_t k = 0; k < w->scripts[s].n_users; k++) {
			int64_t u = w->scripts[s].users[k];

			if (u <= n_users) {
				script_of[u - 1] = (uint32_t)s;
				free_users--;
			}
		}
	}
	if (free_users)
		divide(weight, w->n_scripts, free_users, share);
	/* Smooth weighted round robin: each gets its share, and any beginning is in proportion. */
	for (int64_t u = 0; u < n_users; u++) {
		size_t best = 0;

		if (script_of[u] != NOBODY)
			continue;
		for (size_t s = 0; s < w->n_scripts; s++) {
			turn[s] += share[s];
			if (turn[s] > turn[best])
				best = s;
		}
		turn[best] -= free_users;
		script_of[u] = (uint32_t)best;
	}
	free(weight);
	free(share);
	free(turn);
}

/* ---- Mixes -------------------------------------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		int64_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

/* How often each entry is in the deck: the smallest deck that has the weights exactly, else the
   nearest one of DECK_MAX cards. */
static size_t deck_counts(const struct rte_mix_entry *e, size_t n, int64_t *count)
{
	double *weight = b_calloc(n, sizeof *weight);
	double scale = 1;
	int64_t common = 0, total = 0;
	bool exact = false;

	for (int d = 0; d <= DECIMALS && !exact; d++, scale *= 10) {
		exact = true;
		for (size_t i = 0; i < n; i++) {
			double x = e[i].weight * scale;

			count[i] = llround(x);
			exact = exact && fabs(x - (double)count[i]) < 1e-9 * fmax(1, x);
		}
	}
	for (size_t i = 0; i < n; i++)
		common = gcd(common, count[i]);
	for (size_t i = 0; i < n; i++) {
		if (common)
			count[i] /= common;
		total += count[i];
		weight[i] = e[i].weight;
	}
	if (!exact || total > DECK_MAX || !total) {
		divide(weight, n, DECK_MAX, count);
		total = DECK_MAX;
	}
	free(weight);
	return (size_t)total;
}

void rte_mix_init(struct rte_mix *m, const struct rte_mix_entry *entries, size_t n, bool deck)
{
	double sum = 0, upto = 0;

	*m = (struct rte_mix){ .n = n, .upto = b_calloc(n, sizeof *m->upto) };
	for (size_t i = 0; i < n; i++)
		sum += entries[i].weight;
	for (size_t i = 0; i < n; i++) {
		upto += entries[i].weight / sum;
		m->upto[i] = upto;
	}
	if (deck) {
		int64_t *count = b_calloc(n, sizeof *count);
		size_t k = 0;

		m->n_cards = deck_counts(entries, n, count);
		m->cards = b_calloc(m->n_cards, sizeof *m->cards);
		for (size_t i = 0; i < n; i++)
			while (count[i]-- > 0)
				m->cards[k++] = (uint16_t)i;
		free(count);
	}
}

void rte_mix_release(struct rte_mix *m)
{
	free(m->upto);
	free(m->cards);
	*m = (struct rte_mix){ 0 };
}

static void shuffle(const struct rte_mix *m, struct rte_deck *deck, struct b_random *r)
{
	deck->cards = b_reallocarray(deck->cards, m->n_cards, sizeof *deck->cards);
	memcpy(deck->cards, m->cards, m->n_cards * sizeof *deck->cards);
	deck->left = m->n_cards;
	for (size_t i = m->n_cards - 1; i > 0; i--) {
		size_t k = (size_t)b_random_int(r, 0, (int64_t)i);
		uint16_t card = deck->cards[i];

		deck->cards[i] = deck->cards[k];
		deck->cards[k] = card;
	}
}

size_t rte_mix_pick(const struct rte_mix *m, struct rte_deck *deck, struct b_random *r)
{
	double x;
	size_t i = 0;

	if (m->n_cards) {
		if (!deck->left)
			shuffle(m, deck, r);
		return deck->cards[--deck->left];
	}
	x = b_random_unit(r);
	while (i < m->n - 1 && x >= m->upto[i])
		i++;
	return i;
}
