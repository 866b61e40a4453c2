#include "rte/arrivals.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/random.h"
#include "base/banned.h"

#define NOBODY 0 /* users count from 1: its random numbers are the schedule's */

/* Numbers of users, first in, first out; room for all. */
struct ring {
	struct rte_arrival *list;
	size_t at, n;
};

struct rte_arrivals {
	pthread_mutex_t lock;
	size_t cap; /* of each ring */
	struct ring idle;
	struct ring *boxes;       /* a worker each */
	_Atomic int64_t *waiting; /* in each box: looked at without the lock */
	size_t n_boxes;
	struct rte_arrival_counts counts;

	/* the schedule: the watching thread's alone */
	struct b_random random;
	bool constant;
	double per_ns, ramp_ns;
	double expected; /* arrivals to be expected until the next one is due */
	int64_t start_ns, next_ns;
};

int rte_arrivals_parse(struct rte_workload *w, const char *text, struct b_error *err)
{
	size_t len = strcspn(text, "/");
	char number[32];
	double rate, per;
	const char *rest = text + len;

	if (*rest && len < sizeof number) {
		memcpy(number, text, len);
		number[len] = 0;
		per = rest[1] == 's' ? 1 : rest[1] == 'm' ? 60 : rest[1] == 'h' ? 3600 : 0;
		rest += per > 0 ? 2 : 0;
		if (per > 0 && !b_parse_double(number, &rate) && rate > 0 && rate / per <= 1e5 &&
			(!*rest || !strcmp(rest, ",exp") || !strcmp(rest, ",const"))) {
			w->arrivals_per_s = rate / per;
			w->arrivals_const = !strcmp(rest, ",const");
			return B_OK;
		}
	}
	return b_error_set(err, B_EUSAGE,
		"arrivals '%s' cannot be read; write a rate as in 5/s, 300/m or 20/h, or 5/s,const",
		text);
}

static void push(struct ring *r, size_t cap, struct rte_arrival x)
{
	B_BUG_ON(r->n == cap);
	r->list[(r->at + r->n++) % cap] = x;
}

static struct rte_arrival pop(struct ring *r, size_t cap)
{
	struct rte_arrival x = r->list[r->at];

	r->at = (r->at + 1) % cap;
	r->n--;
	return x;
}

/*
 * The n-th arrival is due when n are to be expected: the rate grows over the ramp, so until then
 * their number grows as the square of the time.
 */
static void schedule(struct rte_arrivals *a)
{
	double in_ramp = a->per_ns * a->ramp_ns / 2, at;

	a->expected += a->constant ? 1 : -log1p(-b_random_unit(&a->random));
	if (a->expected < in_ramp)
		at = sqrt(2 * a->expected * a->ramp_ns / a->per_ns);
	else
		at = a->ramp_ns + (a->expected - in_ramp) / a->per_ns;
	a->next_ns = at < (double)(RTE_UNKNOWN / 4) ? a->start_ns + (int64_t)at : RTE_UNKNOWN;
}

struct rte_arrivals *rte_arrivals_new(const struct rte_workload *w, int64_t start_ns)
{
	struct rte_arrivals *a = b_calloc(1, sizeof *a);

	pthread_mutex_init(&a->lock, NULL);
	a->cap = (size_t)w->users;
	a->n_boxes = (size_t)w->workers;
	a->boxes = b_calloc(a->n_boxes, sizeof *a->boxes);
	a->waiting = b_calloc(a->n_boxes, sizeof *a->waiting);
	a->idle.list = b_calloc(a->cap, sizeof *a->idle.list);
	for (size_t i = 0; i < a->n_boxes; i++)
		a->boxes[i].list = b_calloc(a->cap, sizeof *a->idle.list);
	for (int64_t u = 1; u <= w->users; u++)
		push(&a->idle, a->cap, (struct rte_arrival){ .user = u });
	b_random_init(&a->random, w->seed, NOBODY, B_STREAM_ENGINE);
	a->constant = w->arrivals_const;
	a->per_ns = w->arrivals_per_s / (double)B_NS_PER_S;
	a->ramp_ns = (double)w->ramp_ns;
	a->start_ns = start_ns;
	schedule(a);
	return a;
}

void rte_arrivals_free(struct rte_arrivals *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->n_boxes; i++)
		free(a->boxes[i].list);
	free(a->boxes);
	free(a->waiting);
	free(a->idle.list);
	b_random_release(&a->random);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

int64_t rte_arrivals_next(const struct rte_arrivals *a)
{
	return a->next_ns;
}

int rte_arrivals_come(struct rte_arrivals *a, const struct rte_phases *p)
{
	struct rte_arrival x = { .due_ns = a->next_ns };
	bool measured = rte_phases_at(p, a->next_ns) == RTE_MEASURE;
	int worker = -1;

	pthread_mutex_lock(&a->lock);
	a->counts.all++;
	a->counts.measured += measured;
	if (a->idle.n) {
		x.user = pop(&a->idle, a->cap).user;
		worker = (int)((size_t)(x.user - 1) % a->n_boxes);
		push(&a->boxes[worker], a->cap, x);
		atomic_fetch_add_explicit(&a->waiting[worker], 1, memory_order_release);
	} else {
		a->counts.turned_away++;
		a->counts.measured_turned_away += measured;
	}
	pthread_mutex_unlock(&a->lock);
	schedule(a);
	return worker;
}

bool rte_arrivals_take(struct rte_arrivals *a, size_t worker, struct rte_arrival *out)
{
	if (!atomic_load_explicit(&a->waiting[worker], memory_order_acquire))
		return false;
	pthread_mutex_lock(&a->lock);
	*out = pop(&a->boxes[worker], a->cap);
	atomic_fetch_sub_explicit(&a->waiting[worker], 1, memory_order_relaxed);
	pthread_mutex_unlock(&a->lock);
	return true;
}

void rte_arrivals_hand_back(struct rte_arrivals *a, int64_t user)
{
	pthread_mutex_lock(&a->lock);
	push(&a->idle, a->cap, (struct rte_arrival){ .user = user });
	pthread_mutex_unlock(&a->lock);
}

struct rte_arrival_counts rte_arrivals_counts(struct rte_arrivals *a)
{
	struct rte_arrival_counts c;

	pthread_mutex_lock(&a->lock);
	c = a->counts;
	pthread_mutex_unlock(&a->lock);
	return c;
}
