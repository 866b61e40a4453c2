/* A user's sessions: connecting, coming again after a failure, the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/script_test.h"
#include "rte/user_priv.h"
#include "base/banned.h"

#define BACKOFF_FIRST_NS B_NS_PER_S
#define BACKOFF_MAX_NS   (30 * B_NS_PER_S)
#define RETRY_FIRST_NS   (500 * B_NS_PER_MS)
#define GIVE_UP_AFTER    10 /* failed sessions in a row, when the work is a number of iterations */

/* ---- The end ------------------------------------------------------------------------------- */

void rte_user_session_drop(struct rte_user *u)
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
	};

	if (u->actor)
		rte_actor_cancel(u->actor);
	rte_user_tx_drop(u, now);
	u->in_part = false;
	rte_user_account(u, RTE_AC_OTHER, now);
	rte_user_unblocked(u, now);
	r.blocked_ns = u->blocked_ns;
	r.duration_ns = now - u->session_ns;
	r.settling_ns = u->settling_ns;
	memcpy(r.account_ns, u->account_ns, sizeof r.account_ns);
	rte_stat_add(&u->worker->stats.sessions, 1);
	if (u->worker->session_out)
		rte_session_row_write(
			rte_outbox_buf(u->worker->session_out), &r, u->shared->wall_offset_ns);
	b_buf_release(&copy);
	rte_user_session_drop(u);
}

/* ---- The next one -------------------------------------------------------------------------- */

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
void rte_user_session_failed(struct rte_user *u, const char *end, const char *detail, int64_t now)
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
	if (u->shared->arrivals && (stop || !rte_user_iterations_left(u))) {
		rte_user_over(u, RTE_U_DONE, now); /* the next arrival may take it */
	} else if (stop) {
		rte_user_over(u, RTE_U_FAILED, now);
	} else if (u->stopping) {
		rte_user_over(u, RTE_U_DONE, now);
	} else {
		session_reset(u, now);
		session_wait(u, backoff(u, BACKOFF_FIRST_NS, u->failed_in_row), now);
	}
}

void rte_user_left(struct rte_user *u, int64_t now)
{
	bool again = u->relogin && !u->stopping;

	rte_user_session_end(u, "logout", NULL, now);
	if (u->end_session && u->session >= u->end_session)
		again = false;
	if (!again) {
		rte_user_over(u, RTE_U_DONE, now);
		return;
	}
	session_reset(u, now);
	session_wait(u, 0, now);
}

/* ---- Connecting ---------------------------------------------------------------------------- */

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
	rte_user_session_failed(u, "error", message, now);
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

/* Returns whether the session goes on. */
static bool opened(struct rte_user *u, int64_t now)
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
		return false;
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
	return true;
}

bool rte_user_connecting(struct rte_user *u, int64_t now)
{
	struct b_error err = { 0 };

	if (ln_line_state(u->line) == LN_CONNECTING && ln_line_drive(u->line, &err)) {
		connect_failed(u, err.text, now);
		return false;
	}
	switch (ln_line_state(u->line)) {
	case LN_OPEN: return opened(u, b_clock_mono_ns());
	case LN_CLOSED: connect_failed(u, "the connection was closed", now); return false;
	default: break;
	}
	rte_user_watch(u);
	rte_user_arm(u, now);
	return false;
}

bool rte_user_connect(struct rte_user *u, int64_t now)
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
		rte_user_over(u, RTE_U_FAILED, now);
		return false;
	}
	opt.target = u->target;
	if (w->n_binds)
		opt.bind = w->binds[(uint64_t)(u->number - 1) % w->n_binds];
	rte_user_account(u, RTE_AC_CONNECT, now);
	rte_user_set_state(u, RTE_U_CONNECTING);
	if (ln_open(&u->line, &opt, &err)) {
		u->line = NULL;
		connect_failed(u, err.text, now);
		return false;
	}
	return rte_user_connecting(u, now);
}
