#include "rte/barrier.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

struct barrier {
	char *name;
	int64_t need; /* 0: all; negative: per cent of all */
	int64_t here;
	uint64_t round;
	uint64_t late; /* the last round that did not come whole, from 1 */
};

struct rte_barriers {
	pthread_mutex_t lock;
	struct barrier *list;
	uint32_t n;
	int64_t users;
	void (*wake)(void *user);
	void *user;
};

struct rte_barriers *rte_barriers_new(void (*wake)(void *user), void *user)
{
	struct rte_barriers *b = b_calloc(1, sizeof *b);

	pthread_mutex_init(&b->lock, NULL);
	b->wake = wake;
	b->user = user;
	return b;
}

void rte_barriers_free(struct rte_barriers *b)
{
	if (!b)
		return;
	for (uint32_t i = 0; i < b->n; i++)
		free(b->list[i].name);
	free(b->list);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

static int64_t needed(const struct rte_barriers *b, const struct barrier *x)
{
	if (x->need > 0)
		return x->need;
	return x->need ? (b->users * -x->need + 99) / 100 : b->users;
}

static bool complete(struct rte_barriers *b, struct barrier *x)
{
	if (!x->here || x->here < needed(b, x))
		return false;
	x->here = 0;
	x->round++;
	return true;
}

void rte_barriers_users(struct rte_barriers *b, int64_t n)
{
	bool called = false;

	pthread_mutex_lock(&b->lock);
	b->users = n;
	for (uint32_t i = 0; i < b->n; i++)
		if (b->list[i].need <= 0 && complete(b, &b->list[i]))
			called = true;
	pthread_mutex_unlock(&b->lock);
	if (called)
		b->wake(b->user);
}

static struct barrier *find_or_add(struct rte_barriers *b, const char *name, int64_t count)
{
	for (uint32_t i = 0; i < b->n; i++)
		if (b->list[i].need == count && !strcmp(b->list[i].name, name))
			return &b->list[i];
	b->list = b_reallocarray(b->list, b->n + 1, sizeof *b->list);
	b->list[b->n] = (struct barrier){ .name = b_strdup(name), .need = count };
	return &b->list[b->n++];
}

bool rte_barrier_arrive(
	struct rte_barriers *b, const char *name, int64_t count, struct rte_ticket *ticket)
{
	struct barrier *x;
	bool called;

	pthread_mutex_lock(&b->lock);
	x = find_or_add(b, name, count);
	ticket->barrier = (uint32_t)(x - b->list) + 1;
	ticket->round = x->round;
	x->here++;
	called = complete(b, x);
	pthread_mutex_unlock(&b->lock);
	if (called)
		b->wake(b->user);
	return called;
}

bool rte_barrier_called(struct rte_barriers *b, const struct rte_ticket *ticket)
{
	bool called;

	pthread_mutex_lock(&b->lock);
	called = b->list[ticket->barrier - 1].round != ticket->round;
	pthread_mutex_unlock(&b->lock);
	return called;
}

bool rte_barrier_late(struct rte_barriers *b, const struct rte_ticket *ticket)
{
	bool late;

	pthread_mutex_lock(&b->lock);
	late = b->list[ticket->barrier - 1].late == ticket->round + 1;
	pthread_mutex_unlock(&b->lock);
	return late;
}

void rte_barrier_release(struct rte_barriers *b, const struct rte_ticket *ticket)
{
	struct barrier *x;
	bool called;

	pthread_mutex_lock(&b->lock);
	x = &b->list[ticket->barrier - 1];
	called = x->round == ticket->round;
	if (called) {
		x->late = ++x->round;
		x->here = 0;
	}
	pthread_mutex_unlock(&b->lock);
	if (called)
		b->wake(b->user);
}

void rte_barrier_leave(struct rte_barriers *b, const struct rte_ticket *ticket)
{
	struct barrier *x;

	pthread_mutex_lock(&b->lock);
	x = &b->list[ticket->barrier - 1];
	if (x->round == ticket->round && x->here > 0)
		x->here--;
	pthread_mutex_unlock(&b->lock);
}
