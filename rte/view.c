#include "rte/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/worker.h"
#include "base/banned.h"

#define LIST_EVERY_NS (900 * B_NS_PER_MS)
#define LIST_A_TICK   2000 /* users: each is a few cache misses */

struct rte_views *rte_views_new(size_t n_workers)
{
	struct rte_views *v = b_calloc(1, sizeof *v);

	for (size_t i = 0; i < RTE_VIEWS_MAX; i++)
		pthread_mutex_init(&v->slots[i].lock, NULL);
	v->lists = b_calloc(n_workers, sizeof *v->lists);
	v->n_lists = n_workers;
	for (size_t i = 0; i < n_workers; i++)
		pthread_mutex_init(&v->lists[i].lock, NULL);
	return v;
}

void rte_views_free(struct rte_views *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < RTE_VIEWS_MAX; i++) {
		b_buf_release(&v->slots[i].screen);
		pthread_mutex_destroy(&v->slots[i].lock);
	}
	for (size_t i = 0; i < v->n_lists; i++) {
		free(v->lists[i].lines);
		free(v->lists[i].filling);
		pthread_mutex_destroy(&v->lists[i].lock);
	}
	free(v->lists);
	free(v);
}

/* ---- The worker's part ---------------------------------------------------------------------- */

static void line_of(const struct rte_user *u, int64_t now, struct rte_view_line *l)
{
	int64_t end;

	*l = (struct rte_view_line){
		.number = u->number,
		.state = u->state,
		.role = (size_t)(u->role - u->shared->roles),
		.session = u->session,
		.iteration = u->iteration,
		.failures = u->n_failures,
		.waited_ns = -1,
		.transaction = u->tx.name,
	};
	if (!u->screen)
		return;
	l->waiting = u->state == RTE_U_WAITING;
	end = l->waiting ? now : rte_meter_end(&u->meter);
	if (end != RTE_NEVER && end >= u->meter.input_ns)
		l->waited_ns = end - u->meter.input_ns;
}

static void list_serve(
	struct rte_view_list *l, const struct rte_worker *w, int64_t since, int64_t now)
{
	size_t until = l->at + LIST_A_TICK;

	/* Who has just begun to look does not wait for the next second. */
	if (now < l->next_ns && !l->at && l->told_ns >= since)
		return;
	if (w->n_users > l->filling_cap) {
		l->filling_cap = w->n_users;
		l->filling = b_reallocarray(l->filling, l->filling_cap, sizeof *l->filling);
	}
	for (; l->at < w->n_users && l->at < until; l->at++)
		line_of(&w->users[l->at], now, &l->filling[l->at]);
	if (l->at < w->n_users || pthread_mutex_trylock(&l->lock))
		return;
	{
		struct rte_view_line *lines = l->lines;
		size_t cap = l->cap;

		l->lines = l->filling;
		l->cap = l->filling_cap;
		l->n = l->at;
		l->told_ns = now;
		l->filling = lines;
		l->filling_cap = cap;
	}
	pthread_mutex_unlock(&l->lock);
	l->at = 0;
	l->next_ns = now + LIST_EVERY_NS;
}

static void copy(char *out, size_t cap, const char *s)
{
	snprintf(out, cap, "%s", s ? s : "");
}

static void describe(const struct rte_user *u, struct rte_view_user *info)
{
	struct b_buf b = B_BUF_INIT, clean = B_BUF_INIT;

	switch (u->state) {
	case RTE_U_WAITING:
		if (u->ask.kind == RTE_ASK_EXPECT && u->ask.cond)
			vs_cond_describe(u->ask.cond, &b);
		break;
	case RTE_U_TYPING:
	case RTE_U_BLOCKED:
		/* What is typed may be a secret: only how far it is. */
		if (u->ask.kind == RTE_ASK_PRESS)
			b_buf_printf(&b, "key %.*s", (int)(u->ask.len < 40 ? u->ask.len : 40),
				u->ask.bytes);
		else
			b_buf_printf(&b, "%zu of %zu bytes typed", u->typed, u->ask.len);
		break;
	case RTE_U_BARRIER:
		b_buf_printf(
			&b, "barrier %.*s", (int)(u->ask.len < 80 ? u->ask.len : 80), u->ask.bytes);
		break;
	default: break;
	}
	copy(info->awaits, sizeof info->awaits, rte_redacted(&u->secrets, b_buf_cstr(&b), &clean));
	b_buf_release(&b);
	b_buf_release(&clean);
}

/* Where the script stands is known while it runs a part. */
static void place(const struct rte_user *u, struct rte_view_user *info)
{
	if (!u->in_part || !u->actor)
		return;
	copy(info->file, sizeof info->file, u->ask.file ? u->ask.file : u->role->path);
	info->at_line = u->ask.file ? u->ask.line : 0;
}

static bool has_deadline(enum rte_user_state s)
{
	return s == RTE_U_WAITING || s == RTE_U_THINKING || s == RTE_U_PACING ||
		s == RTE_U_BARRIER || s == RTE_U_BACKOFF || s == RTE_U_GOLDEN;
}

static void slot_serve(struct rte_view_slot *s, const struct rte_user *u, int64_t now)
{
	struct rte_view_user info = { .part = u->part, .in_part = u->in_part, .left_ns = -1 };
	struct b_buf screen = B_BUF_INIT, clean = B_BUF_INIT, old;

	line_of(u, now, &info.line);
	describe(u, &info);
	place(u, &info);
	copy(info.error, sizeof info.error, rte_redacted(&u->secrets, u->eof_why, &clean));
	info.bytes_in = u->bytes_in;
	info.bytes_out = u->bytes_out;
	if (has_deadline(u->state) && u->deadline_ns != INT64_MAX && u->deadline_ns >= now)
		info.left_ns = u->deadline_ns - now;
	if (u->screen) {
		info.rows = vs_screen_rows(u->screen);
		info.cols = vs_screen_cols(u->screen);
		copy(info.title, sizeof info.title,
			rte_redacted(&u->secrets, vs_screen_title(u->screen), &clean));
		rte_redact_paint(&u->secrets, u->screen, 0, 0, &screen);
	}
	if (!pthread_mutex_trylock(&s->lock)) {
		old = s->screen;
		s->screen = screen;
		screen = old;
		s->info = info;
		s->of = u->number;
		s->number++;
		pthread_mutex_unlock(&s->lock);
	}
	b_buf_release(&screen);
	b_buf_release(&clean);
}

void rte_views_serve(struct rte_views *v, struct rte_worker *w, int64_t now)
{
	if (atomic_load_explicit(&v->list_wanted, memory_order_relaxed))
		list_serve(&v->lists[w->number - 1], w, atomic_load(&v->list_since_ns), now);
	for (size_t i = 0; i < RTE_VIEWS_MAX; i++) {
		int64_t user = atomic_load_explicit(&v->slots[i].user, memory_order_relaxed);
		int64_t workers = w->shared->w->workers;

		if (!user || (user - 1) % workers != w->number - 1 ||
			(size_t)((user - 1) / workers) >= w->n_users)
			continue;
		/* Neighbours went to different workers. */
		slot_serve(&v->slots[i], &w->users[(user - 1) / workers], now);
	}
}

/* ---- For those who look --------------------------------------------------------------------- */

bool rte_views_list_ready(struct rte_views *v)
{
	int64_t since = atomic_load(&v->list_since_ns);
	bool ready = true;

	for (size_t i = 0; i < v->n_lists && ready; i++) {
		pthread_mutex_lock(&v->lists[i].lock);
		ready = v->lists[i].told_ns >= since;
		pthread_mutex_unlock(&v->lists[i].lock);
	}
	return ready;
}

struct rte_view_line *rte_views_list(struct rte_views *v, size_t *n)
{
	struct rte_view_line *all = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < v->n_lists; i++) {
		struct rte_view_list *l = &v->lists[i];

		pthread_mutex_lock(&l->lock);
		if (*n + l->n > cap) {
			cap = *n + l->n;
			all = b_reallocarray(all, cap, sizeof *all);
		}
		if (l->n)
			memcpy(all + *n, l->lines, l->n * sizeof *all);
		*n += l->n;
		pthread_mutex_unlock(&l->lock);
	}
	return all;
}
