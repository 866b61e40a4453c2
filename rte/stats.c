#include "rte/stats.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

#define AHEAD_NS (50 * B_NS_PER_MS) /* of the end of a second: a busy worker may be so late */

const char *const rte_shown_names[RTE_N_SHOWN] = { "planned", "connecting", "login", "typing",
	"waiting", "thinking", "done", "failed" };

void rte_second_init(struct rte_second *s)
{
	*s = (struct rte_second){ .response = b_hist_new(), .late = b_hist_new() };
}

void rte_second_clear(struct rte_second *s)
{
	s->transactions = s->failures = 0;
	s->wake_late_ns = 0;
	b_hist_clear(s->response);
	b_hist_clear(s->late);
}

void rte_second_merge(struct rte_second *into, const struct rte_second *from)
{
	into->transactions += from->transactions;
	into->failures += from->failures;
	b_hist_merge(into->response, from->response);
	b_hist_merge(into->late, from->late);
	if (from->wake_late_ns > into->wake_late_ns)
		into->wake_late_ns = from->wake_late_ns;
}

void rte_second_release(struct rte_second *s)
{
	b_hist_free(s->response);
	b_hist_free(s->late);
}

void rte_share_init(struct rte_share *s)
{
	*s = (struct rte_share){ .late = b_hist_new(), .wakes = b_hist_new() };
	pthread_mutex_init(&s->lock, NULL);
	rte_second_init(&s->second);
}

void rte_share_release(struct rte_share *s)
{
	for (size_t i = 0; i < s->n_tx; i++) {
		b_hist_free(s->tx[i].response);
		b_hist_free(s->tx[i].recent);
	}
	free(s->tx);
	rte_second_release(&s->second);
	b_hist_free(s->late);
	b_hist_free(s->wakes);
	pthread_mutex_destroy(&s->lock);
}

struct rte_tx_figures *rte_share_tx(struct rte_share *s, size_t tx)
{
	if (tx >= s->n_tx) {
		s->tx = b_reallocarray(s->tx, tx + 1, sizeof *s->tx);
		for (; s->n_tx <= tx; s->n_tx++)
			s->tx[s->n_tx] =
				(struct rte_tx_figures){ b_hist_new(), b_hist_new(), 0, 0 };
	}
	return &s->tx[tx];
}

static void move(struct b_hist *into, struct b_hist *from)
{
	if (!b_hist_count(from))
		return;
	b_hist_merge(into, from);
	b_hist_clear(from);
}

bool rte_share_publish(struct rte_share *into, struct rte_share *from, bool wait)
{
	if (wait)
		pthread_mutex_lock(&into->lock);
	else if (pthread_mutex_trylock(&into->lock))
		return false;
	rte_second_merge(&into->second, &from->second);
	rte_second_clear(&from->second);
	move(into->late, from->late);
	move(into->wakes, from->wakes);
	for (size_t i = 0; i < from->n_tx; i++) {
		struct rte_tx_figures *to = rte_share_tx(into, i), *f = &from->tx[i];

		move(to->response, f->response);
		move(to->recent, f->recent);
		to->ok += f->ok;
		to->failed += f->failed;
		f->ok = f->failed = 0;
	}
	pthread_mutex_unlock(&into->lock);
	return true;
}

int64_t rte_share_due(int64_t start_ns, int64_t now)
{
	int64_t into = (now - start_ns + AHEAD_NS) % B_NS_PER_S;

	return now - into + (into < 0 ? 0 : B_NS_PER_S);
}
