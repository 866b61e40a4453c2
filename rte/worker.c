#define _GNU_SOURCE /* pthread_tryjoin_np */
#include "rte/worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/arrivals.h"
#include "rte/view.h"
#include "base/banned.h"

#define ARENA_BYTES    (256 * 1024)
#define READ_BYTES     16384 /* of one line in one turn: a flood does not starve the others */
#define READS_MAX      512
#define TIMERS_A_TURN  256
#define TIMERS_A_BATCH 32
#define HOT_LINES      10 /* cache lines of a user that a keystroke touches */
#define TICK_NS        (250 * B_NS_PER_MS)
#define LAST_TICK_NS   (10 * B_NS_PER_MS) /* when only processes are waited for */
#define HANGUP_NS      (2 * B_NS_PER_S)   /* for a process to end by itself after hang-up */
#define KILL_NS        (1 * B_NS_PER_S)   /* then, after SIGKILL */
#define STOP_SPREAD    2 /* users are told to go during the first half of ramp-down */

int rte_worker_new(
	struct rte_worker **out, const struct rte_worker_options *opt, struct b_error *err)
{
	struct rte_shared *s = opt->shared;
	struct rte_lua_options lua = {
		.host = &rte_user_host,
		.data = s->data,
		.allow_unsafe = opt->allow_unsafe,
		.sets = (const char *const *)s->w->sets,
		.n_sets = s->w->n_sets,
		.n_users = s->w->users,
		.dir = opt->dir,
		.screens = opt->screens,
	};
	struct rte_worker *w = b_calloc(1, sizeof *w);
	int rc;

	w->shared = s;
	w->number = opt->number;
	rte_share_init(&w->own);
	rte_share_init(&w->share);
	rc = rte_loop_new(&w->loop, err);
	if (!rc)
		rc = rte_lua_new(&w->lua, &lua, err);
	w->scripts = b_calloc(s->n_roles, sizeof(struct rte_script *));
	for (size_t i = 0; i < s->n_roles && !rc; i++)
		rc = rte_script_load_set(w->lua, s->roles[i].path, s->roles[i].sets,
			s->roles[i].n_sets, s->roles[i].keymap, &w->scripts[i], err);
	if (rc) {
		rte_worker_free(w);
		return rc;
	}
	if (opt->writer) {
		w->tx_out = rte_outbox_new(opt->writer, opt->tx_file);
		w->session_out = rte_outbox_new(opt->writer, opt->session_file);
		w->log_out = rte_outbox_new(opt->writer, opt->log_file);
	}
	w->names = rte_names_cache_new(s->names);
	w->users = b_calloc(opt->n_users, sizeof *w->users);
	w->queue = b_calloc(opt->n_users, sizeof(struct rte_user *));
	w->running = b_calloc(opt->n_users, sizeof(struct rte_user *));
	w->arena = b_malloc(ARENA_BYTES);
	w->reads = b_calloc(READS_MAX, sizeof *w->reads);
	*out = w;
	return B_OK;
}

void rte_worker_free(struct rte_worker *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n_users; i++)
		rte_user_release(&w->users[i]);
	for (size_t i = 0; i < w->n_partings; i++)
		ln_line_free(w->partings[i].line);
	free(w->partings);
	rte_lua_free(w->lua);
	free(w->scripts);
	rte_loop_free(w->loop);
	rte_names_cache_free(w->names);
	rte_share_release(&w->own);
	rte_share_release(&w->share);
	free(w->users);
	free(w->queue);
	free(w->running);
	free(w->arena);
	free(w->reads);
	free(w);
}

void rte_worker_add(struct rte_worker *w, int64_t number, size_t role, int64_t start_ns)
{
	struct rte_user *u = &w->users[w->n_users++];

	rte_user_init(u, w, number, &w->shared->roles[role], w->scripts[role]);
	if (start_ns != RTE_UNKNOWN)
		rte_user_start(u, start_ns);
}

void rte_worker_queue(struct rte_worker *w, struct rte_user *u)
{
	if (u->queued)
		return;
	u->queued = true;
	w->queue[w->n_queue++] = u;
}

/* ---- Lines that are over ------------------------------------------------------------------- */

void rte_worker_part(struct rte_worker *w, struct ln_line *line)
{
	int64_t now = b_clock_mono_ns();
	int status;

	ln_line_close(line);
	if (ln_line_reap(line, &status) != B_EAGAIN) {
		ln_line_free(line);
		return;
	}
	if (w->n_partings == w->cap_partings) {
		w->cap_partings = w->cap_partings ? w->cap_partings * 2 : 16;
		w->partings = b_reallocarray(w->partings, w->cap_partings, sizeof *w->partings);
	}
	w->partings[w->n_partings++] =
		(struct rte_parting){ line, now + HANGUP_NS, now + HANGUP_NS + KILL_NS };
}

static void partings_reap(struct rte_worker *w, int64_t now)
{
	int status;

	for (size_t i = 0; i < w->n_partings;) {
		struct rte_parting *p = &w->partings[i];

		if (ln_line_reap(p->line, &status) != B_EAGAIN || now >= p->drop_ns) {
			ln_line_free(p->line);
			*p = w->partings[--w->n_partings];
			continue;
		}
		if (now >= p->kill_ns) {
			ln_line_kill(p->line, SIGKILL);
			p->kill_ns = p->drop_ns;
		}
		i++;
	}
}

void rte_worker_user_begins(struct rte_worker *w)
{
	w->n_left++;
	rte_barriers_users(w->shared->barriers, atomic_fetch_add(&w->shared->users_alive, 1) + 1);
}

void rte_worker_user_over(struct rte_worker *w)
{
	w->n_left--;
	/* Nothing but processes to wait for: soon, not at the next tick. */
	if (!w->n_left && w->n_partings)
		rte_loop_timer_set(w->loop, &w->tick, b_clock_mono_ns() + LAST_TICK_NS);
	rte_barriers_users(w->shared->barriers, atomic_fetch_sub(&w->shared->users_alive, 1) - 1);
	if (!w->n_left && w->shared->wake)
		w->shared->wake(w->shared->wake_user);
}

/* ---- A turn ---------------------------------------------------------------------------------- */

static void read_line(struct rte_worker *w, struct rte_user *u, size_t *used)
{
	struct b_error err = { 0 };
	ssize_t n = ln_line_read(u->line, w->arena + *used, READ_BYTES, &err);
	int64_t at = ln_line_came_ns(u->line);

	if (n > 0) {
		w->reads[w->n_reads++] = (struct rte_worker_read){ u, *used, (size_t)n, at };
		*used += (size_t)n;
	} else if (n != B_EAGAIN) {
		rte_user_eof(u, n == B_EOF ? NULL : err.text, at);
	}
	/* Reading can make a line owe something by itself, such as telnet's answers. */
	if (ln_line_wants(u->line))
		rte_user_watch(u);
}

/* Reads and stamps every ready line; what does not fit is ready again in the next turn. */
static void read_all(struct rte_worker *w, const struct rte_ready *ready, size_t n)
{
	size_t used = 0;

	w->n_reads = 0;
	for (size_t i = 0; i < n; i++) {
		struct rte_user *u = ready[i].watch ? ready[i].watch->owner : NULL;

		/* Whatever it is ready for: a line may hold what was taken from its descriptor. */
		if (!u)
			continue;
		if (w->n_reads == READS_MAX || used + READ_BYTES > ARENA_BYTES)
			break;
		if (rte_user_reads(u))
			read_line(w, u, &used);
	}
}

static void parse_all(struct rte_worker *w)
{
	for (size_t i = 0; i < w->n_reads; i++) {
		struct rte_worker_read *r = &w->reads[i];

		rte_user_take(r->user, w->arena + r->from, r->len, r->at_ns);
	}
}

static void other_ready(struct rte_ready *ready, size_t n, int64_t now)
{
	for (size_t i = 0; i < n; i++) {
		struct rte_user *u = ready[i].watch ? ready[i].watch->owner : NULL;

		if (u && (ready[i].what & RTE_WATCH_WRITE || !rte_user_reads(u)))
			rte_user_ready(u, ready[i].what, now);
		if (!u && ready[i].watch) {
			struct rte_side *side = (struct rte_side *)ready[i].watch;

			side->ready(side->user, now);
		}
	}
}

/* Running one may queue others, or the same again: those run in the next turn. Once the worker is to
   end, none: each could hold it up. They are killed behind this turn. */
static void run_queue(struct rte_worker *w, int64_t now)
{
	struct rte_user **batch = w->queue;
	size_t n = w->n_queue;

	w->queue = w->running;
	w->n_queue = 0;
	w->running = batch;
	for (size_t i = 0; i < n; i++) {
		batch[i]->queued = false;
		if (!atomic_load_explicit(&w->end, memory_order_relaxed))
			rte_user_run(batch[i], now);
	}
}

/*
 * Users whose keys are due have not been looked at for a while: their memory has gone from the
 * caches. Those of a batch are asked for together, so that the misses overlap.
 */
static void look_ahead(struct rte_timer *const *batch, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t line = 0; line < HOT_LINES; line++)
			__builtin_prefetch((const char *)batch[i] + line * 64);
	for (size_t i = 0; i < n; i++)
		if (batch[i]->fire == rte_user_due)
			rte_user_look_ahead((const struct rte_user *)batch[i]);
}

static void fire_timers(struct rte_worker *w)
{
	int64_t now = b_clock_mono_ns(), due;
	bool measure = rte_phases_at(&w->shared->phases, now) == RTE_MEASURE;
	struct rte_timer *batch[TIMERS_A_BATCH];
	size_t n = TIMERS_A_BATCH;

	for (int fired = 0; n == TIMERS_A_BATCH && fired < TIMERS_A_TURN; fired += (int)n) {
		for (n = 0; n < TIMERS_A_BATCH; n++) {
			batch[n] = rte_loop_due(w->loop, now, &due);
			if (!batch[n])
				break;
			if (measure)
				b_hist_add(w->own.wakes, now - due);
			/* The earliest comes first. */
			if (!n && now - due > w->own.second.wake_late_ns)
				w->own.second.wake_late_ns = now - due;
		}
		if (n > 1)
			look_ahead(batch, n);
		for (size_t i = 0; i < n; i++)
			batch[i]->fire(batch[i], now);
	}
	w->more = n == TIMERS_A_BATCH;
}

static void turn(struct rte_worker *w)
{
	struct rte_ready *ready;
	size_t n = rte_loop_wait(w->loop, w->more || w->n_queue, &ready);
	int64_t now;

	read_all(w, ready, n);
	parse_all(w);
	now = b_clock_mono_ns();
	other_ready(ready, n, now);
	run_queue(w, now);
	fire_timers(w);
}

/* ---- Once in a while -------------------------------------------------------------------------- */

static int64_t thread_cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts))
		return 0;
	return (int64_t)ts.tv_sec * B_NS_PER_S + ts.tv_nsec;
}

/* More are wanted than ever were: this worker's share of them is made. */
static void users_extend(struct rte_worker *w, int64_t wanted)
{
	const struct rte_shared *s = w->shared;
	int64_t number;

	if (!s->script_of)
		return;
	while ((number = (int64_t)w->n_users * s->w->workers + w->number) <= wanted)
		rte_worker_add(w, number, s->script_of[number - 1], RTE_UNKNOWN);
}

/* Those who were about to begin something at the pause go on as far apart as they were. */
static void pause_look(struct rte_worker *w, int64_t now)
{
	int64_t paused = atomic_load_explicit(&w->shared->paused_ns, memory_order_acquire);

	if (paused == w->paused_seen)
		return;
	for (size_t i = 0; i < w->n_users; i++) {
		if (w->paused_seen)
			rte_user_resume(&w->users[i], w->paused_seen, now);
		else
			rte_user_pause(&w->users[i], now);
	}
	w->paused_seen = paused;
}

/* Users come and go as they are wanted; in ramp-down they are told to go one after the other. */
static void users_look(struct rte_worker *w, int64_t now)
{
	struct rte_shared *s = w->shared;
	int64_t from = atomic_load_explicit(&s->phases.rampdown_ns, memory_order_acquire);
	int64_t spread = s->w->rampdown_ns / STOP_SPREAD;
	int64_t wanted = atomic_load_explicit(&s->users_wanted, memory_order_acquire);
	int64_t ramp = atomic_load_explicit(&s->spread_ns, memory_order_relaxed);
	int64_t before = w->wanted_seen;
	int64_t most = wanted > s->w->users ? wanted : s->w->users;

	if (from > now)
		users_extend(w, wanted);
	for (size_t i = 0; i < w->n_users; i++) {
		struct rte_user *u = &w->users[i];

		rte_user_exit_look(u, now);
		if (from <= now) {
			if (now >= from + (u->number - 1) * spread / most)
				rte_user_stop(u, now);
		} else if (u->number > wanted) {
			rte_user_stop(u, now);
		} else if (u->number > before) {
			rte_user_start(
				u, now + ramp * (u->number - before - 1) / (wanted - before));
		}
	}
	w->wanted_seen = wanted;
}

static void barriers_look(struct rte_worker *w, int64_t now)
{
	uint32_t epoch = atomic_load_explicit(&w->barrier_epoch, memory_order_acquire);

	if (epoch == w->barrier_seen)
		return;
	w->barrier_seen = epoch;
	for (size_t i = 0; i < w->n_users; i++)
		rte_user_barrier(&w->users[i], now);
}

/* Sessions that are to begin, each with a user of ours that was free. */
static void arrivals_look(struct rte_worker *w)
{
	struct rte_arrival x;

	while (w->shared->arrivals &&
		rte_arrivals_take(w->shared->arrivals, (size_t)w->number - 1, &x))
		rte_user_start(&w->users[(x.user - 1) / w->shared->w->workers], x.due_ns);
}

static void kill_users(struct rte_worker *w, int64_t now)
{
	bool person = atomic_load(&w->shared->cut_by_person);

	for (size_t i = 0; i < w->n_users; i++)
		rte_user_kill(&w->users[i],
			person ? "the run was stopped" : "the time for ramp-down was over", now);
}

/* What other threads wish; looked at whenever the loop comes round, for they wake it. */
static void wishes(struct rte_worker *w, int64_t now)
{
	barriers_look(w, now);
	pause_look(w, now);
	arrivals_look(w);
	if (atomic_load_explicit(&w->kill_users, memory_order_acquire) ||
		now >= atomic_load_explicit(&w->shared->phases.cut_ns, memory_order_acquire))
		kill_users(w, now);
}

static void tick(struct rte_timer *t, int64_t now)
{
	struct rte_worker *w = (struct rte_worker *)((char *)t - offsetof(struct rte_worker, tick));
	int64_t next;

	users_look(w, now);
	partings_reap(w, now);
	if (w->shared->views)
		rte_views_serve(w->shared->views, w, now);
	rte_stat_set(&w->stats.cpu_ns, thread_cpu_ns());
	rte_stat_set(&w->stats.waits, (int64_t)rte_loop_waits(w->loop));
	if (w->tx_out) {
		rte_outbox_flush(w->tx_out);
		rte_outbox_flush(w->session_out);
		rte_outbox_flush(w->log_out);
	}
	if (now >= w->second_ns) {
		rte_share_publish(&w->share, &w->own, false);
		w->second_ns = rte_share_due(w->shared->phases.start_ns, now);
	}
	next = now + (w->n_partings && !w->n_left ? LAST_TICK_NS : TICK_NS);
	rte_loop_timer_set(w->loop, &w->tick, next < w->second_ns ? next : w->second_ns);
}

static bool goes_on(const struct rte_worker *w, int64_t now)
{
	/* Processes that were hung up have their time to end, at the end of the run, too. */
	if (atomic_load_explicit(&w->end, memory_order_acquire))
		return !w->n_left && w->n_partings;
	if (w->n_left || w->n_partings)
		return true;
	/* Others have users yet, or some may be wanted again. */
	return (atomic_load_explicit(&w->shared->stays, memory_order_relaxed) ||
		       (w->shared->script_of && atomic_load(&w->shared->users_alive) > 0)) &&
		now < atomic_load_explicit(&w->shared->phases.rampdown_ns, memory_order_acquire);
}

void rte_worker_run(struct rte_worker *w)
{
	/* The loop lets timers wait for company; the kernel's slack of 50 us on top would be
	   lateness. */
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
	w->tick = (struct rte_timer)RTE_TIMER_INIT(tick);
	rte_loop_timer_set(w->loop, &w->tick, b_clock_mono_ns());
	for (int64_t now = b_clock_mono_ns(); goes_on(w, now);) {
		turn(w);
		now = b_clock_mono_ns();
		rte_stat_set(&w->stats.alive_ns, now);
		wishes(w, now);
	}
	rte_stat_set(&w->stats.cpu_ns, thread_cpu_ns());
	rte_stat_set(&w->stats.waits, (int64_t)rte_loop_waits(w->loop));
	rte_share_publish(&w->share, &w->own, true);
}

static void *worker_main(void *arg)
{
	struct rte_worker *w = arg;
	char name[16];

	snprintf(name, sizeof name, "rte-worker-%d", w->number % 1000);
	prctl(PR_SET_NAME, name, 0, 0, 0);
	rte_worker_run(w);
	return NULL;
}

int rte_worker_start(struct rte_worker *w, struct b_error *err)
{
	int rc = pthread_create(&w->thread, NULL, worker_main, w);

	if (rc)
		return b_error_set(err, B_EENV, "cannot start worker %d: %s; use fewer --workers",
			w->number, strerror(rc));
	w->threaded = true;
	return B_OK;
}

bool rte_worker_join(struct rte_worker *w, int64_t wait_ns)
{
	int64_t until = b_clock_mono_ns() + wait_ns;
	struct timespec nap = { 0, B_NS_PER_MS };

	atomic_store_explicit(&w->end, true, memory_order_release);
	rte_loop_wake(w->loop);
	/* pthread_timedjoin_np goes by the wall clock, which may be set. */
	while (w->threaded && pthread_tryjoin_np(w->thread, NULL)) {
		if (b_clock_mono_ns() >= until)
			return false;
		nanosleep(&nap, NULL);
	}
	w->threaded = false;
	return true;
}
