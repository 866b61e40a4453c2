#define _GNU_SOURCE /* epoll_pwait2 */
#include "rte/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

#define BATCH      512
#define FANOUT     4u
#define BEHIND_MIN 1024 /* entries left behind that are not worth a sweep */

struct entry {
	int64_t due;
	struct rte_timer *timer;
};

struct rte_loop {
	int epoll, wake;
	bool no_pwait2;     /* the kernel or its filter has none */
	struct entry *heap; /* from 1 */
	uint32_t n, cap;
	uint32_t n_behind; /* entries whose timers were moved or cleared */
	size_t n_ready;
	uint64_t waits;
	struct rte_watch wake_watch;
	struct rte_ready ready[BATCH];
	struct epoll_event events[BATCH];
};

int rte_loop_new(struct rte_loop **out, struct b_error *err)
{
	struct rte_loop *l = b_calloc(1, sizeof *l);

	l->cap = 64;
	l->heap = b_reallocarray(NULL, l->cap, sizeof *l->heap);
	l->wake_watch.fd = -1;
	l->wake = -1;
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll >= 0)
		l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->wake < 0 || rte_loop_watch(l, &l->wake_watch, l->wake, RTE_WATCH_READ)) {
		b_error_set(err, B_EENV,
			"cannot make an event loop: %s; raise the limit of open files",
			b_status_text(B_ESYS));
		rte_loop_free(l);
		return B_EENV;
	}
	*out = l;
	return B_OK;
}

void rte_loop_free(struct rte_loop *l)
{
	if (!l)
		return;
	if (l->wake >= 0)
		close(l->wake);
	if (l->epoll >= 0)
		close(l->epoll);
	free(l->heap);
	free(l);
}

int rte_loop_watch(struct rte_loop *l, struct rte_watch *w, int fd, unsigned want)
{
	struct epoll_event ev = { .data.ptr = w };
	int op = w->fd == fd ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	B_BUG_ON(w->fd >= 0 && w->fd != fd);
	if (w->fd == fd && w->want == want)
		return B_OK;
	ev.events = (want & RTE_WATCH_READ ? EPOLLIN : 0) | (want & RTE_WATCH_WRITE ? EPOLLOUT : 0);
	if (epoll_ctl(l->epoll, op, fd, &ev))
		return B_ESYS;
	w->fd = fd;
	w->want = want;
	return B_OK;
}

void rte_loop_drop(struct rte_loop *l, struct rte_watch *w)
{
	if (w->fd < 0)
		return;
	(void)epoll_ctl(l->epoll, EPOLL_CTL_DEL, w->fd, NULL);
	w->fd = -1;
	w->want = 0;
	for (size_t i = 0; i < l->n_ready; i++)
		if (l->ready[i].watch == w)
			l->ready[i].watch = NULL;
}

/*
 * ---- Timers: a 4-ary heap of instants ----
 *
 * An entry counts while its timer still has its due time; one that was moved or cleared is left
 * behind and skipped when its time comes. So sifting touches the heap alone and not the users
 * whose timers it moves, each of which would be a cache miss; measured at 1,000 users.
 */
static void sift_up(struct rte_loop *l, uint32_t slot, struct entry e)
{
	while (slot > 1) {
		uint32_t parent = (slot - 2) / FANOUT + 1;

		if (l->heap[parent].due <= e.due)
			break;
		l->heap[slot] = l->heap[parent];
		slot = parent;
	}
	l->heap[slot] = e;
}

static void sift_down(struct rte_loop *l, uint32_t slot, struct entry e)
{
	for (;;) {
		uint32_t first = (slot - 1) * FANOUT + 2, best = first;

		if (first > l->n)
			break;
		for (uint32_t c = first + 1; c < first + FANOUT && c <= l->n; c++)
			if (l->heap[c].due < l->heap[best].due)
				best = c;
		if (l->heap[best].due >= e.due)
			break;
		l->heap[slot] = l->heap[best];
		slot = best;
	}
	l->heap[slot] = e;
}

static bool is_left_behind(const struct entry *e)
{
	return e->timer->due_ns != e->due;
}

static void take_first(struct rte_loop *l)
{
	struct entry last = l->heap[l->n--];

	if (l->n)
		sift_down(l, 1, last);
}

/* Throws out all that was left behind, once that is most of the heap. */
static void compact(struct rte_loop *l)
{
	uint32_t n = 0;

	for (uint32_t i = 1; i <= l->n; i++)
		if (!is_left_behind(&l->heap[i]))
			l->heap[++n] = l->heap[i];
	l->n = n;
	l->n_behind = 0;
	for (uint32_t i = n / FANOUT + 1; i > 0 && n; i--)
		if (i <= n)
			sift_down(l, i, l->heap[i]);
}

void rte_loop_timer_set(struct rte_loop *l, struct rte_timer *t, int64_t due_ns)
{
	if (t->due_ns == due_ns)
		return;
	if (t->due_ns != RTE_TIMER_OFF && ++l->n_behind > BEHIND_MIN && l->n_behind > l->n / 2)
		compact(l);
	t->due_ns = due_ns;
	if (++l->n >= l->cap)
		l->heap = b_reallocarray(l->heap, l->cap *= 2, sizeof *l->heap);
	sift_up(l, l->n, (struct entry){ due_ns, t });
}

void rte_loop_timer_clear(struct rte_loop *l, struct rte_timer *t)
{
	if (t->due_ns != RTE_TIMER_OFF)
		l->n_behind++;
	t->due_ns = RTE_TIMER_OFF;
}

struct rte_timer *rte_loop_due(struct rte_loop *l, int64_t now, int64_t *due_ns)
{
	while (l->n && l->heap[1].due <= now) {
		struct entry e = l->heap[1];

		take_first(l);
		if (is_left_behind(&e)) {
			l->n_behind -= l->n_behind > 0;
			continue;
		}
		*due_ns = e.due;
		e.timer->due_ns = RTE_TIMER_OFF;
		return e.timer;
	}
	return NULL;
}

/* ---- Waiting ------------------------------------------------------------------------------ */

/* Until the earliest timer has been due for the slack; -1: for ever. */
static int64_t wait_ns(struct rte_loop *l)
{
	int64_t left;

	while (l->n && is_left_behind(&l->heap[1])) {
		take_first(l);
		l->n_behind -= l->n_behind > 0;
	}
	if (!l->n)
		return -1;
	left = l->heap[1].due + RTE_TIMER_SLACK_NS - b_clock_mono_ns();
	return left > 0 ? left : 0;
}

static int wait_events(struct rte_loop *l, int64_t ns)
{
	struct timespec ts = { (time_t)(ns / B_NS_PER_S), (long)(ns % B_NS_PER_S) };
	int n;

	if (ns > 0 && !l->no_pwait2) {
		n = epoll_pwait2(l->epoll, l->events, BATCH, &ts, NULL);
		if (n >= 0 || (errno != ENOSYS && errno != EPERM))
			return n;
		l->no_pwait2 = true;
	}
	if (ns > 0)
		ns = (ns + B_NS_PER_MS - 1) / B_NS_PER_MS;
	if (ns > 60000)
		ns = 60000;
	return epoll_wait(l->epoll, l->events, BATCH, (int)ns);
}

static unsigned what_of(uint32_t events)
{
	return (events & EPOLLIN ? RTE_WATCH_READ : 0) | (events & EPOLLOUT ? RTE_WATCH_WRITE : 0) |
		(events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP) ? RTE_WATCH_GONE : 0);
}

size_t rte_loop_wait(struct rte_loop *l, bool poll, struct rte_ready **out)
{
	int n = wait_events(l, poll ? 0 : wait_ns(l));
	uint64_t count;

	B_BUG_ON(n < 0 && errno != EINTR);
	l->waits++;
	l->n_ready = 0;
	for (int i = 0; i < n; i++) {
		struct rte_watch *w = l->events[i].data.ptr;

		if (w == &l->wake_watch)
			(void)!read(l->wake, &count, sizeof count);
		else
			l->ready[l->n_ready++] =
				(struct rte_ready){ w, what_of(l->events[i].events) };
	}
	*out = l->ready;
	return l->n_ready;
}

void rte_loop_wake(struct rte_loop *l)
{
	uint64_t one = 1;

	/* It can only fail when the counter is full, and then the loop wakes anyway. */
	(void)!write(l->wake, &one, sizeof one);
}

uint64_t rte_loop_waits(const struct rte_loop *l)
{
	return l->waits;
}
