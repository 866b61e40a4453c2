/* A user's sessions: connecting, the parts of the script, errors, the end. */
#include "rte/user.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/arrivals.h"
#include "rte/script_test.h"
#include "rte/secret.h"
#include "rte/user_priv.h"
#include "rte/when.h"
#include "base/banned.h"

#define BACKOFF_FIRST_NS  B_NS_PER_S
#define BACKOFF_MAX_NS    (30 * B_NS_PER_S)
#define RETRY_FIRST_NS    (500 * B_NS_PER_MS)
#define GIVE_UP_AFTER     10 /* failed sessions in a row, when the work is a number of iterations */
#define FIRST_THINK_MAX_S 60.0

/* ---- State and accounts ------------------------------------------------------------------- */

static enum rte_shown shown_as(const struct rte_user *u)
{
	switch (u->state) {
	case RTE_U_PLANNED: return RTE_SHOW_PLANNED;
	case RTE_U_BACKOFF:
	case RTE_U_CONNECTING: return RTE_SHOW_CONNECTING;
	case RTE_U_DONE: return RTE_SHOW_DONE;
	case RTE_U_FAILED: return RTE_SHOW_FAILED;
	default: break;
	}
	if (u->in_part && u->part == RTE_PART_LOGIN)
		return RTE_SHOW_LOGIN;
	switch (u->state) {
	case RTE_U_TYPING:
	case RTE_U_BLOCKED: return RTE_SHOW_TYPING;
	case RTE_U_THINKING:
	case RTE_U_PACING:
	case RTE_U_BARRIER:
	case RTE_U_HELD: return RTE_SHOW_THINKING;
	default: return RTE_SHOW_WAITING;
	}
}

const char *rte_user_state_name(const struct rte_user *u)
{
	return rte_user_state_text(u->state);
}

const char *rte_user_state_text(enum rte_user_state state)
{
	static const char *const names[] = { "planned", "backing off", "connecting", "running",
		"held", "typing", "blocked", "waiting", "thinking", "pacing", "at a barrier",
		"comparing", "closing", "leaving", "done", "failed" };

	return names[state];
}

void rte_user_set_state(struct rte_user *u, enum rte_user_state state)
{
	enum rte_shown shown;

	u->state = state;
	shown = shown_as(u);
	if (shown == u->shown)
		return;
	rte_stat_add(&u->worker->stats.users[u->shown], -1);
	rte_stat_add(&u->worker->stats.users[shown], 1);
	u->shown = shown;
}

enum rte_account rte_user_part_account(const struct rte_user *u, enum rte_account inside)
{
	if (!u->in_part || u->part == RTE_PART_ITERATION)
		return inside;
	return u->part == RTE_PART_LOGIN ? RTE_AC_LOGIN : RTE_AC_LOGOUT;
}

void rte_user_account(struct rte_user *u, enum rte_account to, int64_t now)
{
	/* Login and logout are one account each, whatever is done in them. */
	to = rte_user_part_account(u, to);
	if (now > u->account_since_ns) {
		u->account_ns[u->account] += now - u->account_since_ns;
		u->account_since_ns = now;
	}
	u->account = to;
}

void rte_user_init(struct rte_user *u, struct rte_worker *w, int64_t number,
	const struct rte_role *role, const struct rte_script *script, int64_t start_ns)
{
	uint64_t seed = w->shared->w->seed, who = (uint64_t)number;

	*u = (struct rte_user){
		.timer = RTE_TIMER_INIT(rte_user_due),
		.watch = { .fd = -1, .owner = u },
		.worker = w,
		.shared = w->shared,
		.role = role,
		.script = script,
		.number = number,
		.shown = RTE_SHOW_PLANNED,
		.pace_ns = RTE_NEVER,
		.due_late_ns = RTE_NEVER,
		.blocked_at_ns = RTE_NEVER,
		.midway_ns = RTE_NEVER,
		.echo_ns = RTE_NEVER,
		.judge_ns = RTE_NEVER,
		.secrets.base = rte_failures_environment(w->shared->failures),
	};
	u->echo = w->shared->echo_every && (number - 1) % w->shared->echo_every == 0;
	b_random_init(&u->typing, seed, who, B_STREAM_TYPING);
	b_random_init(&u->think, seed, who, B_STREAM_THINK);
	b_random_init(&u->data, seed, who, B_STREAM_DATA);
	b_random_init(&u->mix, seed, who, B_STREAM_MIX);
	b_random_init(&u->engine, seed, who, B_STREAM_ENGINE);
	rte_stat_add(&w->stats.users[RTE_SHOW_PLANNED], 1);
	if (start_ns != RTE_UNKNOWN)
		rte_user_start(u, start_ns);
}

static void session_drop(struct rte_user *u)
{
	rte_loop_drop(u->worker->loop, &u->watch);
	if (u->line)
		rte_worker_part(u->worker, u->line);
	u->line = NULL;
	vs_screen_free(u->screen);
	u->screen = NULL;
	b_buf_release(&u->out);
	b_buf_release(&u->stream);
	free(u->eof_why);
	u->eof_why = NULL;
	rte_user_rule_drop(u);
}

void rte_user_release(struct rte_user *u)
{
	if (!u->worker)
		return;
	session_drop(u);
	rte_loop_timer_clear(u->worker->loop, &u->timer);
	rte_actor_free(u->actor);
	free(u->masks);
	free(u->awaited);
	free(u->tx.problem);
	free(u->closing.problem);
	free(u->deck.cards);
	rte_redactor_release(&u->secrets);
	b_random_release(&u->typing);
	b_random_release(&u->think);
	b_random_release(&u->data);
	b_random_release(&u->mix);
	b_random_release(&u->engine);
}

/* ---- Users come to an end ------------------------------------------------------------------ */

/* It has no iterations before it any more; the last one closes an interval that follows them. */
static void count_out(struct rte_user *u, int64_t now)
{
	if (u->counted_out)
		return;
	u->counted_out = true;
	if (atomic_fetch_sub(&u->shared->iterating, 1) == 1 && u->shared->phases.by_iterations)
		rte_phases_stop(&u->shared->phases, u->shared->w, now);
}

static bool iterations_left(const struct rte_user *u)
{
	int64_t most = u->shared->w->iterations, from = u->shared->arrivals ? u->iteration_from : 0;

	return most == RTE_UNSET || u->iteration - from < most;
}

/* Whether it may be started again: by arrivals, stages or steering. */
static bool may_come_again(const struct rte_user *u, enum rte_user_state state, int64_t now)
{
	return state == RTE_U_DONE && !u->no_more && (u->shared->arrivals || iterations_left(u)) &&
		rte_phases_at(&u->shared->phases, now) != RTE_RAMPDOWN;
}

static void over(struct rte_user *u, enum rte_user_state state, int64_t now)
{
	bool again = may_come_again(u, state, now);

	count_out(u, now);
	rte_user_set_state(u, state);
	/* Who comes again goes on with the rows of data that follow: they stand in the actor. */
	if (!again) {
		rte_actor_free(u->actor);
		u->actor = NULL;
	}
	rte_loop_timer_clear(u->worker->loop, &u->timer);
	u->starts = false;
	rte_worker_user_over(u->worker);
	if (again && u->shared->arrivals)
		rte_arrivals_hand_back(u->shared->arrivals, u->number);
}

void rte_user_session_end(struct rte_user *u, const char *end, const char *detail, int64_t now)
{
	struct b_buf copy = B_BUF_INIT;
	struct rte_session_row r = {
		.start_ns = u->session_ns,
		.user = u->number,
		.session = u->session,
		.script = u->role->name,
		.target = u->target ? ln_target_text(u->target) : "",
		.end = end,
		.detail = rte_redacted(&u->secrets, detail, &copy),
		.iterations = u->session_iterations,
		.late_ns = u->late_ns,
		.blocked_ns = u->blocked_ns,
	};

	if (u->actor)
		rte_actor_cancel(u->actor);
	rte_user_tx_drop(u, now);
	u->in_part = false;
	rte_user_account(u, RTE_AC_OTHER, now);
	r.duration_ns = now - u->session_ns;
	r.settling_ns = u->settling_ns;
	memcpy(r.account_ns, u->account_ns, sizeof r.account_ns);
	rte_stat_add(&u->worker->stats.sessions, 1);
	if (u->worker->session_out)
		rte_session_row_write(
			rte_outbox_buf(u->worker->session_out), &r, u->shared->wall_offset_ns);
	b_buf_release(&copy);
	session_drop(u);
}

/* ---- A session begins ----------------------------------------------------------------------- */

static void session_reset(struct rte_user *u, int64_t now)
{
	u->session++;
	u->session_ns = u->account_since_ns = now;
	u->account = RTE_AC_OTHER;
	memset(u->account_ns, 0, sizeof u->account_ns);
	u->settling_ns = u->late_ns = u->blocked_ns = 0;
	u->session_iterations = 0;
	u->connect_tries = 0;
	u->eof = u->broken = u->expected = u->output = u->relogin = u->pending = u->mark_due =
		false;
	u->keeps_stream = u->exited = false;
	u->exit_look_ns = 0;
	u->tail_len = 0;
	u->midway_ns = u->echo_ns = u->blocked_at_ns = RTE_NEVER;
	u->typist = (struct rte_typist){ .restarts = u->typist.restarts };
	u->failed_tx = NULL;
}

/* Waits, then connects. The wait is part of the session that it precedes. */
static void session_wait(struct rte_user *u, int64_t wait_ns, int64_t now)
{
	u->deadline_ns = now + wait_ns;
	rte_user_account(u, RTE_AC_BACKOFF, now);
	rte_user_set_state(u, RTE_U_BACKOFF);
	rte_user_arm(u, now);
}

static int64_t backoff(struct rte_user *u, int64_t first, int64_t nth)
{
	int64_t ns = first;

	while (--nth > 0 && ns < BACKOFF_MAX_NS)
		ns *= 2;
	if (ns > BACKOFF_MAX_NS)
		ns = BACKOFF_MAX_NS;
	/* Those that failed together do not come back together. */
	return (int64_t)((double)ns * (0.5 + b_random_unit(&u->engine)));
}

/* How a user goes on after a session that failed. */
static void failed_session(struct rte_user *u, const char *end, const char *detail, int64_t now)
{
	bool bounded = u->shared->w->iterations != RTE_UNSET;
	bool stop = u->shared->w->on_error == RTE_ON_ERROR_STOP || rte_user_is_idle(u);

	u->failed_in_row++;
	/* A transaction that failed of it has been counted. */
	if (!u->failed_tx)
		rte_stat_add(&u->worker->stats.failures, 1);
	if (!stop && bounded && u->failed_in_row >= GIVE_UP_AFTER)
		stop = true;
	rte_user_session_end(u, stop && !strcmp(end, "restart") ? "stop" : end, detail, now);
	if (u->end_session && u->session >= u->end_session)
		stop = true;
	if (u->shared->arrivals && (stop || !iterations_left(u))) {
		over(u, RTE_U_DONE, now); /* the next arrival may take it */
	} else if (stop) {
		over(u, RTE_U_FAILED, now);
	} else if (u->stopping) {
		over(u, RTE_U_DONE, now);
	} else {
		session_reset(u, now);
		session_wait(u, backoff(u, BACKOFF_FIRST_NS, u->failed_in_row), now);
	}
}

void rte_user_note(struct rte_user *u, const char *kind, const char *expected, const char *message)
{
	const struct rte_redactor *secrets = &u->secrets;
	const char *unanswered = u->screen ? vs_screen_unanswered(u->screen) : "";
	struct b_buf e = B_BUF_INIT, m = B_BUF_INIT, a = B_BUF_INIT;
	struct rte_failure f = {
		.kind = kind,
		.transaction = u->tx.name ? u->tx.name
			: u->failed_tx    ? u->failed_tx
					  : "",
		.expected = rte_redacted(secrets, expected, &e),
		.message = rte_redacted(secrets, message, &m),
		.unanswered = rte_redacted(secrets, unanswered, &a),
		.output_len = u->tail_len,
		.screen = u->screen,
		.redactor = secrets,
		.user = u->number,
		.session = u->session,
		.iteration = u->iteration,
		.at_ns = b_clock_mono_ns() + u->shared->wall_offset_ns,
	};
	const struct rte_observer *o = u->shared->observer;
	char tail[RTE_TAIL_BYTES];

	memcpy(tail, u->tail, u->tail_len);
	rte_redact_output(secrets, tail, u->tail_len, u->tail_len == RTE_TAIL_BYTES);
	f.output = tail;
	u->n_failures++;
	rte_failures_note(u->shared->failures, &f);
	if (o && o->failed)
		o->failed(o->user, u, &f);
	b_buf_release(&e);
	b_buf_release(&m);
	b_buf_release(&a);
}

static void connect_failed(struct rte_user *u, const char *why, int64_t now)
{
	char message[1100];

	rte_loop_drop(u->worker->loop, &u->watch);
	ln_line_free(u->line);
	u->line = NULL;
	/* Each refusal counts, also one that a later try makes good. */
	snprintf(message, sizeof message, "%s", why);
	rte_user_note(u, "connect", message, message);
	if (++u->connect_tries <= u->shared->w->connect_retries && !u->stopping) {
		session_wait(u, backoff(u, RETRY_FIRST_NS, u->connect_tries), now);
		return;
	}
	/* A server that lets only few begin at once refuses many before they get in. */
	atomic_fetch_add(&u->shared->attempts_failed, 1);
	failed_session(u, "error", message, now);
}

static const struct ln_target *pick_target(const struct rte_user *u)
{
	const struct rte_shared *s = u->shared;

	if (!s->n_targets)
		return u->role->target;
	return s->targets[(uint64_t)(u->number - 1 + u->connect_tries) % s->n_targets];
}

static const char *line_secret(void *user, const char *name)
{
	return rte_user_host.secret(user, name);
}

static void answer(void *user, const char *bytes, size_t len)
{
	struct rte_user *u = user;

	rte_user_write(u, bytes, len, b_clock_mono_ns());
}

static int actor_make(struct rte_user *u, struct b_error *err)
{
	struct rte_actor_options opt = {
		.script = u->script,
		.host_user = u,
		.user = u->number,
		.seed = u->shared->w->seed,
	};

	int rc;

	if (u->actor)
		return B_OK;
	rc = rte_actor_new(u->worker->lua, &opt, &u->actor, err);
	if (!rc && u->role->test)
		rte_actor_test(u->actor, u->role->test - 1, u->role->row);
	return rc;
}

static void opened(struct rte_user *u, int64_t now);

void rte_user_connect(struct rte_user *u, int64_t now)
{
	const struct rte_workload *w = u->shared->w;
	struct b_error err = { 0 };
	struct ln_options opt = {
		.term = u->role->term,
		.rows = u->role->rows,
		.cols = u->role->cols,
		.user = u->number,
		.connect_timeout_ns = w->connect_timeout_ns,
		.secret = line_secret,
		.secret_user = u,
	};

	if (u->state == RTE_U_PLANNED)
		session_reset(u, now);
	u->target = pick_target(u);
	if (actor_make(u, &err)) {
		rte_user_note(u, "error", err.text, err.text);
		rte_user_session_end(u, "error", err.text, now);
		over(u, RTE_U_FAILED, now);
		return;
	}
	opt.target = u->target;
	if (w->n_binds)
		opt.bind = w->binds[(uint64_t)(u->number - 1) % w->n_binds];
	rte_user_account(u, RTE_AC_CONNECT, now);
	rte_user_set_state(u, RTE_U_CONNECTING);
	if (ln_open(&u->line, &opt, &err)) {
		u->line = NULL;
		connect_failed(u, err.text, now);
		return;
	}
	rte_user_connecting(u, now);
}

void rte_user_connecting(struct rte_user *u, int64_t now)
{
	struct b_error err = { 0 };

	if (ln_line_state(u->line) == LN_CONNECTING && ln_line_drive(u->line, &err)) {
		connect_failed(u, err.text, now);
		return;
	}
	switch (ln_line_state(u->line)) {
	case LN_OPEN: opened(u, b_clock_mono_ns()); return;
	case LN_CLOSED: connect_failed(u, "the connection was closed", now); return;
	default: break;
	}
	rte_user_watch(u);
	rte_user_arm(u, now);
}

static enum rte_step part_start(
	struct rte_user *u, enum rte_part part, const char *function, int64_t now)
{
	u->part = part;
	u->in_part = true;
	u->part_ns = now;
	rte_user_account(u, RTE_AC_SCRIPT, now);
	rte_user_set_state(u, u->state);
	free(u->awaited);
	u->awaited = NULL;
	u->failed_tx = NULL;
	rte_actor_start(u->actor, part, function, u->iteration, u->session, &u->ask);
	return RTE_GO;
}

static void opened(struct rte_user *u, int64_t now)
{
	struct vs_options opt = {
		.rows = u->role->rows,
		.cols = u->role->cols,
		.term = u->role->term,
		.answer = answer,
		.answer_user = u,
	};

	atomic_store(&u->shared->opened, true);
	if (vs_screen_new(&u->screen, &opt)) {
		connect_failed(u, "the screen's size is out of range", now);
		return;
	}
	vs_screen_masks_set(u->screen, u->masks, u->n_masks);
	rte_meter_input(&u->meter, now);
	u->input_ns = u->change_ns = u->read_ns = u->not_before_ns = u->thought_ns = now;
	u->change_ns--; /* nothing has changed yet */
	u->looked_ns = now;
	u->unread = 0;
	u->echo_bytes = 0;
	u->state = RTE_U_RUNNING;
	rte_user_watch(u);
	rte_user_go(u, part_start(u, RTE_PART_LOGIN, NULL, now), now);
}

/* ---- Iterations ---------------------------------------------------------------------------- */

static enum rte_step iterations_over(struct rte_user *u, int64_t now)
{
	u->in_part = false;
	rte_user_account(u, RTE_AC_LOGOUT, now);
	if (!u->closing.name)
		return rte_user_logout_start(u, now);
	rte_user_set_state(u, RTE_U_CLOSING);
	rte_user_watch(u);
	return RTE_STAY;
}

static bool is_paced(const struct rte_workload *w)
{
	return w->pacing.kind != B_DIST_UNSET && w->pacing.kind != B_DIST_NONE;
}

/* A part of what the user thinks, or of its pace, before its first iteration, so that users who
   came together do not march in step. */
static int64_t first_wait(struct rte_user *u)
{
	const struct rte_workload *w = u->shared->w;
	const struct b_dist *d = is_paced(w) ? &w->pacing : &u->role->think;
	double mean = b_dist_mean_s(d);

	if (!u->shared->measured || u->shared->arrivals || !(mean > 0))
		return 0;
	if (mean > FIRST_THINK_MAX_S)
		mean = FIRST_THINK_MAX_S;
	return (int64_t)(b_random_unit(&u->engine) * mean * (double)B_NS_PER_S);
}

/* When the next iteration is due by the user's own schedule; it does not move when one is late. */
static void pace(struct rte_user *u, int64_t now)
{
	const struct b_dist *pacing = &u->shared->w->pacing;
	bool paced = is_paced(u->shared->w);

	if (u->pace_ns == RTE_NEVER) {
		u->pace_ns = now + first_wait(u);
	} else if (paced) {
		u->pace_ns += b_dist_draw(pacing, &u->think, -1, false);
	} else {
		u->pace_ns = now;
	}
	u->due_late_ns = RTE_NEVER;
	if (u->shared->arrivals && u->iteration == u->iteration_from)
		u->due_late_ns = u->session_ns > u->start_ns ? u->session_ns - u->start_ns : 0;
	else if (paced)
		u->due_late_ns = u->pace_ns < now ? now - u->pace_ns : 0;
}

static enum rte_step next_iteration(struct rte_user *u, int64_t now)
{
	u->in_part = false;
	if (u->stopping || u->no_more || u->relogin || !iterations_left(u))
		return iterations_over(u, now);
	pace(u, now);
	if (u->pace_ns <= now && !rte_user_paused(u))
		return rte_user_iteration_start(u, now);
	u->deadline_ns = u->pace_ns;
	rte_user_account(u, RTE_AC_PACING, now);
	rte_user_set_state(u, RTE_U_PACING);
	rte_user_watch(u);
	return RTE_STAY;
}

/* By the last of the shares whose time has come; a deck is of one set of shares. */
static const char *pick_function(struct rte_user *u, int64_t now)
{
	struct rte_role_mix *m;
	size_t k = u->role->n_mixes - 1;

	while (k && !rte_when_come(&u->role->mixes[k].from, u->shared->w, &u->shared->phases, now))
		k--;
	m = &u->role->mixes[k];
	if (k + 1 != u->mix_number)
		u->deck.left = 0;
	u->mix_number = (uint32_t)k + 1;
	u->function = m->entries[rte_mix_pick(&m->mix, &u->deck, &u->mix)].name;
	return u->function;
}

enum rte_step rte_user_iteration_start(struct rte_user *u, int64_t now)
{
	const struct rte_role *role = u->role;
	const char *function = role->function;

	if (u->stopping)
		return iterations_over(u, now);
	if (role->n_mixes)
		function = pick_function(u, now);
	rte_phases_iteration(&u->shared->phases, now);
	u->iteration++;
	u->not_before_ns = u->thought_ns =
		u->pace_ns > 0 && u->pace_ns < now && u->state == RTE_U_PACING ? u->pace_ns : now;
	return part_start(u, RTE_PART_ITERATION, function, now);
}

enum rte_step rte_user_logout_start(struct rte_user *u, int64_t now)
{
	/* The last response has closed: an interval that ends with it holds it. */
	if (!u->relogin)
		count_out(u, now);
	if (u->state == RTE_U_CLOSING)
		u->not_before_ns = now; /* the first key of logout was not to come before that */
	return part_start(u, RTE_PART_LOGOUT, NULL, now);
}

/* ---- Parts end ------------------------------------------------------------------------------ */

/* After logout the SUT has its say: its last output, and that it hangs up. */
static enum rte_step leave(struct rte_user *u, int64_t now)
{
	u->in_part = false;
	rte_user_settle(u, now, false);
	if (u->meter.state == RTE_METER_OPEN)
		rte_meter_ready(&u->meter, &u->role->settle, now);
	rte_user_account(u, RTE_AC_LOGOUT, now);
	if (u->eof || u->meter.state == RTE_METER_CLOSED || u->input_ns < u->part_ns) {
		rte_user_left(u, now);
		return RTE_STAY;
	}
	u->deadline_ns = now + u->role->settle.max_ns;
	rte_user_set_state(u, RTE_U_LEAVING);
	rte_user_watch(u);
	return RTE_STAY;
}

void rte_user_left(struct rte_user *u, int64_t now)
{
	bool again = u->relogin && !u->stopping;

	rte_user_session_end(u, "logout", NULL, now);
	if (u->end_session && u->session >= u->end_session)
		again = false;
	if (!again) {
		over(u, RTE_U_DONE, now);
		return;
	}
	session_reset(u, now);
	session_wait(u, 0, now);
}

enum rte_step rte_user_part_done(struct rte_user *u, int64_t now)
{
	switch (u->part) {
	case RTE_PART_LOGIN: rte_stat_add(&u->worker->stats.logins, 1); break;
	case RTE_PART_ITERATION:
		u->session_iterations++;
		u->failed_in_row = 0;
		rte_stat_add(&u->worker->stats.iterations, 1);
		if (rte_phases_counts(&u->shared->phases, u->part_ns, now))
			rte_stat_add(&u->worker->stats.iterations_measured, 1);
		atomic_store(&u->shared->progressed, true);
		if (rte_user_idles(u)) {
			u->ask.fail = RTE_FAIL_ERROR;
			u->ask.error = rte_user_idle_text;
			return rte_user_part_failed(u, now);
		}
		break;
	default: return leave(u, now);
	}
	u->no_more = u->no_more || u->ask.count < 0;
	/* There is a next session only for a next iteration. */
	u->relogin = (u->relogin || u->ask.relogin) && !u->no_more && iterations_left(u);
	return next_iteration(u, now);
}

enum rte_step rte_user_part_left(struct rte_user *u, int64_t now)
{
	rte_actor_cancel(u->actor);
	rte_user_rule_drop(u);
	if (u->part == RTE_PART_LOGOUT)
		return leave(u, now);
	u->no_more = true;
	return next_iteration(u, now);
}

static const char *kind_name(enum rte_fail_kind kind)
{
	switch (kind) {
	case RTE_FAIL_TIMEOUT: return "timeout";
	case RTE_FAIL_CHECK: return "check";
	case RTE_FAIL_DISCONNECT: return "disconnect";
	default: return "error";
	}
}

/* What the SUT's process left as its status, when it has ended: often the whole cause. */
static void add_status(const struct rte_user *u, char *message, size_t cap)
{
	size_t len = strlen(message);
	int status;

	if (!u->line || ln_line_reap(u->line, &status))
		return;
	if (WIFSIGNALED(status))
		snprintf(message + len, cap - len, "; its process was killed by signal %d",
			WTERMSIG(status));
	else
		snprintf(message + len, cap - len, "; its process ended with status %d",
			WEXITSTATUS(status));
}

enum rte_step rte_user_part_failed(struct rte_user *u, int64_t now)
{
	enum rte_on_error on_error = u->shared->w->on_error;
	enum rte_fail_kind kind = u->ask.fail;
	char message[1100];

	snprintf(message, sizeof message, "%s", u->ask.error ? u->ask.error : "failed");
	if (kind == RTE_FAIL_DISCONNECT)
		add_status(u, message, sizeof message);
	rte_user_note(u, kind_name(kind),
		(kind == RTE_FAIL_TIMEOUT || kind == RTE_FAIL_DISCONNECT) && u->awaited ? u->awaited
											: message,
		message);
	atomic_fetch_add(&u->shared->attempts_failed, 1);
	rte_user_rule_drop(u);
	if (u->part == RTE_PART_LOGOUT) {
		rte_stat_add(&u->worker->stats.failures, 1);
		rte_user_session_end(
			u, kind == RTE_FAIL_DISCONNECT ? "disconnect" : "error", message, now);
		over(u, RTE_U_DONE, now);
		return RTE_STAY;
	}
	if (u->part == RTE_PART_ITERATION && on_error == RTE_ON_ERROR_CONTINUE && !u->eof &&
		!rte_user_is_idle(u)) {
		u->in_part = false;
		return next_iteration(u, now);
	}
	failed_session(u, kind == RTE_FAIL_DISCONNECT ? "disconnect" : "restart", message, now);
	return RTE_STAY;
}

/* ---- From outside ---------------------------------------------------------------------------- */

/* A run in which nobody got anywhere says for what they all waited. */
static void note_waiting(struct rte_user *u)
{
	struct b_buf what = B_BUF_INIT, text = B_BUF_INIT;

	vs_cond_describe(u->ask.cond, &what);
	if (u->ask.file)
		b_buf_printf(&text, "%s:%d: ", u->ask.file, u->ask.line);
	b_buf_printf(&text, "still waiting at the end for %s%s", b_buf_cstr(&what),
		u->bytes_in ? "" : "; no output has come at all");
	rte_user_note(u, "unfinished", b_buf_cstr(&what), b_buf_cstr(&text));
	b_buf_release(&what);
	b_buf_release(&text);
}

void rte_user_kill(struct rte_user *u, const char *why, int64_t now)
{
	if (u->state == RTE_U_DONE || u->state == RTE_U_FAILED)
		return;
	if (u->state == RTE_U_BARRIER)
		rte_barrier_leave(u->shared->barriers, &u->ticket);
	if (u->state == RTE_U_WAITING && !atomic_load(&u->shared->progressed) &&
		!atomic_load(&u->shared->cut_by_person))
		note_waiting(u);
	u->stopping = true;
	if (u->state != RTE_U_PLANNED)
		rte_user_session_end(u, "aborted", why, now);
	if (u->starts)
		over(u, RTE_U_DONE, now);
}

void rte_user_start(struct rte_user *u, int64_t start_ns)
{
	bool again = u->state == RTE_U_DONE && !u->no_more &&
		(u->shared->arrivals || iterations_left(u));

	if (u->starts || (u->state != RTE_U_PLANNED && !again))
		return;
	u->starts = true;
	u->stopping = u->counted_out = false;
	u->failed_in_row = 0;
	u->n_idle = 0;
	u->pace_ns = RTE_NEVER;
	atomic_fetch_add(&u->shared->iterating, 1);
	rte_worker_user_begins(u->worker);
	rte_user_set_state(u, RTE_U_PLANNED);
	u->iteration_from = u->iteration;
	u->deadline_ns = u->start_ns = start_ns;
	rte_user_arm(u, start_ns);
}
