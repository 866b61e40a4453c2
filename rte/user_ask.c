/* What a script asks: begun, waited for, fulfilled or failed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/judge.h"
#include "rte/user_priv.h"
#include "base/banned.h"

#define ASKS_A_TURN 100 /* of a script that never waits, before others have their turn */

/* ---- Replies ------------------------------------------------------------------------------ */

enum rte_step rte_user_reply(struct rte_user *u, const struct rte_reply *reply, int64_t now)
{
	static const struct rte_reply done;

	rte_user_account(u, RTE_AC_SCRIPT, now);
	rte_actor_resume(u->actor, reply ? reply : &done, &u->ask);
	return RTE_GO;
}

enum rte_step rte_user_fail(
	struct rte_user *u, enum rte_fail_kind kind, int64_t now, const char *fmt, ...)
{
	struct rte_reply reply = { .fail = kind };
	char message[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof message, fmt, ap);
	va_end(ap);
	reply.error = message;
	/* What a script does about it, it cannot do before: a key that follows is not late for it,
	   and one that is refused again and again stands behind the keys of others. */
	u->not_before_ns = now;
	return rte_user_reply(u, &reply, now);
}

void rte_user_settle(struct rte_user *u, int64_t now, bool close_it)
{
	if (u->midway_ns != RTE_NEVER)
		rte_user_show(u, now);
	if (!rte_meter_tick(&u->meter, &u->role->settle, now)) {
		if (!close_it)
			return;
		rte_meter_close(&u->meter, now);
	}
	rte_user_tx_closed(u);
}

/* ---- Waiting for a condition -------------------------------------------------------------- */

static bool has_stream(const struct vs_cond *c)
{
	bool found = c->kind == VS_COND_STREAM;

	for (size_t i = 0; i < c->n_parts && !found; i++)
		found = has_stream(c->parts[i]);
	return found;
}

static const char *ended_by(const struct rte_verdict *v)
{
	static const char *const names[] = {
		[VS_COND_TEXT] = "text",
		[VS_COND_MATCH] = "text",
		[VS_COND_CURSOR] = "cursor",
		[VS_COND_ATTR] = "attr",
		[VS_COND_QUIET] = "quiet",
		[VS_COND_EOF] = "eof",
		[VS_COND_STREAM] = "stream",
	};

	if (v->stale)
		return "stale";
	if (v->result.gone)
		return "gone";
	return v->result.ended_by < B_ARRAY_LEN(names) ? names[v->result.ended_by] : "text";
}

static enum rte_step fulfilled(struct rte_user *u, const struct rte_verdict *v, int64_t now)
{
	struct rte_reply reply = { .result = &v->result };

	u->expected = true;
	if (!atomic_load_explicit(&u->shared->progressed, memory_order_relaxed))
		atomic_store(&u->shared->progressed, true);
	if (u->meter.state == RTE_METER_OPEN)
		rte_meter_ready(&u->meter, &u->role->settle, now);
	if (u->tx.name) {
		u->tx.ended_by = ended_by(v);
		u->tx.stale = u->tx.stale || v->stale;
	}
	u->not_before_ns = now;
	if (v->result.ended_by == VS_COND_STREAM) {
		reply.stream = u->stream.data;
		reply.stream_len = u->stream.len;
	}
	return rte_user_reply(u, &reply, now);
}

static void await(struct rte_user *u, const struct vs_cond *c)
{
	struct b_buf text = B_BUF_INIT;

	vs_cond_describe(c, &text);
	free(u->awaited);
	u->awaited = b_buf_take(&text, NULL);
}

static enum rte_step missed(struct rte_user *u, enum rte_fail_kind kind, int64_t now)
{
	struct b_buf span = B_BUF_INIT;
	enum rte_step step;
	int64_t timeout = u->ask.timeout_ns >= 0 ? u->ask.timeout_ns : u->role->timeout_ns;
	const char *unanswered = vs_screen_unanswered(u->screen);

	await(u, u->ask.cond);
	b_format_duration(&span, timeout);
	if (kind == RTE_FAIL_DISCONNECT)
		step = rte_user_fail(u, kind, now, "the line was closed%s%s%swhile waiting for %s",
			u->eof_why ? ": " : " ", u->eof_why ? u->eof_why : "",
			u->eof_why ? ", " : "", u->awaited);
	else
		step = rte_user_fail(u, kind, now, "not there within %s: %s%s%s%s",
			b_buf_cstr(&span), u->awaited,
			*unanswered ? "; the application waits for an answer to " : "", unanswered,
			u->output             ? ""
				: u->bytes_in ? "; no output has come since the last input"
					      : "; no output has come at all");
	b_buf_release(&span);
	return step;
}

/* A rule of `unexpected` takes over; the wait goes on when it is done. */
static enum rte_step interrupt(struct rte_user *u, size_t rule, int64_t now)
{
	/* The second time in one wait the copy is there already. */
	if (u->ask.cond != u->interrupted_cond) {
		vs_cond_free(u->interrupted_cond);
		u->interrupted_cond = vs_cond_copy(u->ask.cond);
	}
	u->interrupted = b_malloc(sizeof *u->interrupted);
	*u->interrupted = u->ask;
	u->interrupted->cond = u->interrupted_cond;
	u->interrupted_deadline_ns = u->deadline_ns;
	u->ruled = rule;
	u->ruled_input_ns = u->input_ns;
	u->ruled_change_ns = u->change_ns;
	rte_user_account(u, RTE_AC_SCRIPT, now);
	u->not_before_ns = now;
	rte_actor_rule_start(u->actor, rule, &u->ask);
	return RTE_GO;
}

static int64_t earlier(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

/* Whether a condition can hold although nothing has come since the last input. */
static bool needs_no_output(const struct vs_cond *c)
{
	bool found = c->already || c->kind == VS_COND_QUIET || c->kind == VS_COND_EOF;

	for (size_t i = 0; i < c->n_parts && !found; i++)
		found = needs_no_output(c->parts[i]);
	return found;
}

struct rte_judge rte_user_judge(struct rte_user *u)
{
	rte_user_mark_screen(u);
	return (struct rte_judge){
		.screen = u->screen,
		.match = rte_lua_match,
		.match_user = u->worker->lua,
		.settle_ns = u->role->settle.settle_ns,
		.input_ns = u->input_ns,
		.change_ns = u->change_ns,
		.midway_ns = u->midway_ns,
		.output = u->output,
		.fresh = !u->expected,
		.eof = u->eof,
		.stream = u->stream.data,
		.stream_len = u->stream.len,
	};
}

/* Judges the condition, then the rules; at: the instant that is looked at. */
static enum rte_step judge(struct rte_user *u, int64_t at)
{
	struct rte_verdict v;
	struct rte_judge j;

	if (u->midway_ns != RTE_NEVER)
		rte_user_show(u, at);
	j = rte_user_judge(u);
	/* When a wait begins nothing new can stand there yet: not worth a search of the screen. */
	if (!u->output && u->expected && !u->eof && at < u->deadline_ns &&
		!needs_no_output(u->ask.cond)) {
		u->judge_ns = RTE_NEVER;
		return RTE_STAY;
	}
	if (rte_judge(&j, u->ask.cond, at, &v))
		return rte_user_fail(u, RTE_FAIL_ERROR, at, "bad pattern in what is expected");
	if (v.holds)
		return fulfilled(u, &v, at);
	u->judge_ns = v.due_ns;
	/* Before the rules: one that holds again and again does not prolong the wait. */
	if (u->eof)
		return missed(u, RTE_FAIL_DISCONNECT, at);
	if (at >= u->deadline_ns)
		return missed(u, RTE_FAIL_TIMEOUT, at);
	j.fresh = false;
	for (size_t i = 0; i < rte_actor_rules(u->actor) && !u->interrupted; i++) {
		/* A rule that did nothing has had its turn, until there is something new. */
		if (i <= u->ruled && u->input_ns == u->ruled_input_ns &&
			u->change_ns == u->ruled_change_ns)
			continue;
		if (rte_judge(&j, rte_actor_rule(u->actor, i), at, &v))
			continue;
		if (v.holds)
			return interrupt(u, i, at);
		u->judge_ns = earlier(u->judge_ns, v.due_ns);
	}
	return RTE_STAY;
}

static enum rte_step wait_begin(struct rte_user *u, int64_t now)
{
	if (!u->keeps_stream && has_stream(u->ask.cond)) {
		u->keeps_stream = true;
		b_buf_add(&u->stream, u->tail, u->tail_len);
	}
	/* A transaction that only waits counts from its beginning. */
	if (u->tx.name && !u->tx.keys && !u->tx.waited) {
		rte_user_settle(u, now, true);
		rte_meter_input(&u->meter, u->tx.begin_ns);
		if (u->output && u->read_ns >= u->tx.begin_ns)
			rte_meter_output(&u->meter, &u->role->settle, u->read_ns,
				u->change_ns >= u->tx.begin_ns);
	}
	u->tx.waited = true;
	u->wait_from_ns = now;
	/* What ended transactions wait for is not prolonged by a later wait. */
	if (!u->closing.name)
		rte_meter_wait(&u->meter);
	rte_user_account(u, RTE_AC_RESPONSE, now);
	rte_user_set_state(u, RTE_U_WAITING);
	rte_user_watch(u);
	return judge(u, now);
}

/* ---- Thinking ----------------------------------------------------------------------------- */

static const struct b_dist *think_of(const struct rte_user *u)
{
	static const struct b_dist as_recorded = { .kind = B_DIST_RECORDED, .p = { 1 } };

	if (u->ask.dist)
		return u->ask.dist;
	if (u->tx_think)
		return u->tx_think;
	return u->role->think.kind == B_DIST_UNSET ? &as_recorded : &u->role->think;
}

/* Think time counts from the last change that the user saw, or the last thought. */
static int64_t think_from(const struct rte_user *u, int64_t now)
{
	int64_t from = now;

	if (u->change_ns >= u->input_ns)
		from = u->change_ns;
	else if (u->output)
		from = u->read_ns;
	return from > u->thought_ns ? from : u->thought_ns;
}

static enum rte_step think_begin(struct rte_user *u, int64_t now)
{
	bool pause = u->ask.kind == RTE_ASK_PAUSE;
	int64_t from = now;

	u->wait_ns = pause ? b_dist_draw(u->ask.dist, &u->think, u->ask.recorded_ns, false)
			   : b_dist_draw(think_of(u), &u->think, u->ask.recorded_ns, false);
	/* A pause follows the key, not the screen. */
	if (pause)
		from = u->input_ns > u->thought_ns ? u->input_ns : u->thought_ns;
	else
		from = think_from(u, now);
	u->wait_follows = !pause;
	u->deadline_ns = u->wait_ns < INT64_MAX - from ? from + u->wait_ns : INT64_MAX;
	rte_user_account(u, RTE_AC_THINK, now);
	if (!u->wait_ns || u->deadline_ns <= now || (u->stopping && !pause)) {
		u->thought_ns = u->not_before_ns = now;
		return rte_user_reply(u, NULL, now);
	}
	rte_user_set_state(u, RTE_U_THINKING);
	rte_user_watch(u);
	return RTE_STAY;
}

/* Output came while thinking: a change that belongs to the response moves the end. */
static void think_follow(struct rte_user *u)
{
	if (!u->wait_follows || u->meter.state != RTE_METER_SETTLING ||
		u->meter.change_ns == RTE_NEVER || u->meter.change_ns != u->change_ns)
		return;
	if (u->change_ns + u->wait_ns > u->deadline_ns)
		u->deadline_ns = u->change_ns + u->wait_ns;
}

static enum rte_step think_due(struct rte_user *u, int64_t now)
{
	rte_user_settle(u, now, false);
	think_follow(u);
	if (now < u->deadline_ns)
		return RTE_STAY;
	u->thought_ns = u->not_before_ns = u->deadline_ns;
	return rte_user_reply(u, NULL, now);
}

/* ---- Others ------------------------------------------------------------------------------- */

static enum rte_step barrier_begin(struct rte_user *u, int64_t now)
{
	int64_t timeout = u->ask.timeout_ns >= 0 ? u->ask.timeout_ns : u->role->timeout_ns;

	rte_user_account(u, RTE_AC_BARRIER, now);
	if (u->stopping ||
		rte_barrier_arrive(u->shared->barriers, u->ask.bytes, u->ask.count, &u->ticket)) {
		u->thought_ns = u->not_before_ns = now;
		return rte_user_reply(u, NULL, now);
	}
	u->deadline_ns = now + timeout;
	rte_user_set_state(u, RTE_U_BARRIER);
	rte_user_watch(u);
	return RTE_STAY;
}

static enum rte_step barrier_over(struct rte_user *u, bool called, int64_t now)
{
	struct rte_reply reply = { 0 };

	if (called) {
		reply.not_all = u->ask.soft && rte_barrier_late(u->shared->barriers, &u->ticket);
	} else if (u->ask.soft && !u->stopping) {
		rte_barrier_release(u->shared->barriers, &u->ticket);
		reply.not_all = true;
	} else {
		rte_barrier_leave(u->shared->barriers, &u->ticket);
		if (!u->stopping)
			return rte_user_fail(u, RTE_FAIL_TIMEOUT, now,
				"the others did not come to the barrier '%s' in time",
				u->ask.bytes);
	}
	u->thought_ns = u->not_before_ns = now;
	return rte_user_reply(u, &reply, now);
}

static enum rte_step resize(struct rte_user *u, int64_t now)
{
	if (vs_screen_resize(u->screen, u->ask.rows, u->ask.cols) ||
		ln_line_resize(u->line, u->ask.rows, u->ask.cols))
		return rte_user_fail(u, RTE_FAIL_ERROR, now, "the window cannot be %d x %d",
			u->ask.cols, u->ask.rows);
	return rte_user_reply(u, NULL, now);
}

static enum rte_step interact_begin(struct rte_user *u, int64_t now)
{
	const struct rte_observer *o = u->shared->observer;

	if (!o || !o->interact)
		return rte_user_fail(u, RTE_FAIL_ERROR, now,
			"interact: there is no person here; it works in rte play --watch");
	rte_user_account(u, RTE_AC_OTHER, now);
	rte_user_set_state(u, RTE_U_HELD);
	o->interact(o->user, u);
	return RTE_STAY;
}

/* ---- Going on ----------------------------------------------------------------------------- */

static enum rte_step rule_done(struct rte_user *u, int64_t now)
{
	if (u->ask.count < 0)
		return rte_user_part_left(u, now);
	u->ask = *u->interrupted;
	free(u->interrupted);
	u->interrupted = NULL;
	u->deadline_ns = u->interrupted_deadline_ns;
	u->wait_from_ns = now;
	rte_user_account(u, RTE_AC_RESPONSE, now);
	rte_user_set_state(u, RTE_U_WAITING);
	rte_user_watch(u);
	return judge(u, now);
}

void rte_user_rule_drop(struct rte_user *u)
{
	free(u->interrupted);
	u->interrupted = NULL;
	vs_cond_free(u->interrupted_cond);
	u->interrupted_cond = NULL;
}

/* The wait that the rule interrupted fails of what the rule failed of. */
static enum rte_step rule_failed(struct rte_user *u, int64_t now)
{
	enum rte_fail_kind kind = u->ask.fail;
	char message[1024];

	snprintf(message, sizeof message, "%s", u->ask.error ? u->ask.error : "");
	u->ask = *u->interrupted;
	free(u->interrupted);
	u->interrupted = NULL;
	return rte_user_fail(u, kind, now, "an unexpected screen: %s", message);
}

static enum rte_step begin(struct rte_user *u, int64_t now)
{
	int64_t timeout;

	if (u->ask.secret && u->ask.len)
		rte_redactor_add(&u->secrets, u->ask.bytes, u->ask.len);
	switch (u->ask.kind) {
	case RTE_ASK_DONE:
		if (u->interrupted)
			return rule_done(u, now);
		return rte_user_part_done(u, now);
	case RTE_ASK_FAILED:
		return u->interrupted ? rule_failed(u, now) : rte_user_part_failed(u, now);
	case RTE_ASK_SEND:
	case RTE_ASK_PRESS:
	case RTE_ASK_PASTE:
	case RTE_ASK_RAW:
	case RTE_ASK_MOUSE: return rte_user_type_begin(u, now);
	case RTE_ASK_EXPECT:
		if (!u->interrupted && u->interrupted_cond)
			rte_user_rule_drop(u);
		timeout = u->ask.timeout_ns >= 0 ? u->ask.timeout_ns : u->role->timeout_ns;
		u->deadline_ns = timeout < INT64_MAX - now ? now + timeout : INT64_MAX;
		return wait_begin(u, now);
	case RTE_ASK_THINK:
	case RTE_ASK_PAUSE: return think_begin(u, now);
	case RTE_ASK_BARRIER: return barrier_begin(u, now);
	case RTE_ASK_RESIZE: return resize(u, now);
	case RTE_ASK_GOLDEN: return rte_user_golden_begin(u, now);
	case RTE_ASK_INTERACT: return interact_begin(u, now);
	}
	return RTE_STAY;
}

static bool held(struct rte_user *u)
{
	const struct rte_observer *o = u->shared->observer;

	if (!o || !o->step || u->ask.kind == RTE_ASK_DONE || u->ask.kind == RTE_ASK_FAILED)
		return false;
	rte_user_set_state(u, RTE_U_HELD);
	return !o->step(o->user, u);
}

void rte_user_go(struct rte_user *u, enum rte_step step, int64_t now)
{
	for (int n = 0; step == RTE_GO; n++) {
		if (n == ASKS_A_TURN) {
			u->pending = true;
			rte_user_set_state(u, RTE_U_RUNNING);
			break;
		}
		if (held(u))
			break;
		step = begin(u, b_clock_mono_ns());
		if (step == RTE_STAY)
			u->n_idle = 0;
	}
	rte_user_arm(u, now);
}

void rte_user_person(struct rte_user *u, const char *bytes, size_t len, int64_t now)
{
	if (!len)
		return;
	rte_user_mark_input(u, now);
	rte_user_write(u, bytes, len, now);
}

void rte_user_go_on(struct rte_user *u, int64_t now)
{
	if (u->state != RTE_U_HELD)
		return;
	if (u->ask.kind == RTE_ASK_INTERACT) {
		u->thought_ns = u->not_before_ns = now;
		rte_user_go(u, rte_user_reply(u, NULL, now), now);
	} else {
		u->not_before_ns = now;
		rte_user_go(u, begin(u, now), now);
	}
}

void rte_user_barrier(struct rte_user *u, int64_t now)
{
	if (u->state == RTE_U_BARRIER && rte_barrier_called(u->shared->barriers, &u->ticket))
		rte_user_go(u, barrier_over(u, true, now), now);
}

/* ---- Time ---------------------------------------------------------------------------------- */

/* A pause of the run holds it; what follows a lone Esc goes on. */
static bool holds(const struct rte_user *u)
{
	return rte_user_paused(u) &&
		(u->state == RTE_U_PACING ||
			(u->state == RTE_U_THINKING && u->ask.kind != RTE_ASK_PAUSE));
}

/* When the state is next due for something; RTE_NEVER: only when something comes. */
static int64_t due_of(const struct rte_user *u)
{
	int64_t settle = rte_meter_due(&u->meter, &u->role->settle);

	/* Output that comes in the turn in which it had settled closes it: the row is due. */
	if (u->closing.name && u->meter.state == RTE_METER_CLOSED)
		settle = u->meter.closed_ns;
	switch (u->state) {
	case RTE_U_CONNECTING: return u->line ? ln_line_due_ns(u->line) : RTE_NEVER;
	case RTE_U_TYPING: return u->typist.due_ns;
	case RTE_U_WAITING: return earlier(u->deadline_ns, u->judge_ns);
	case RTE_U_GOLDEN: return earlier(u->deadline_ns, u->judge_ns);
	case RTE_U_PLANNED: return u->starts && !rte_user_paused(u) ? u->deadline_ns : RTE_NEVER;
	case RTE_U_BACKOFF: return rte_user_paused(u) ? RTE_NEVER : u->deadline_ns;
	case RTE_U_THINKING:
	case RTE_U_PACING: return earlier(holds(u) ? RTE_NEVER : u->deadline_ns, settle);
	case RTE_U_BARRIER:
	case RTE_U_LEAVING: return earlier(u->deadline_ns, settle);
	case RTE_U_CLOSING: return settle;
	default: return RTE_NEVER;
	}
}

void rte_user_arm(struct rte_user *u, int64_t now)
{
	struct rte_loop *loop = u->worker->loop;
	int64_t due = u->pending ? now : due_of(u);

	/* An open line may owe something at a time of its own: the end of a break, a sign of life. */
	if (u->line && u->state != RTE_U_CONNECTING)
		due = earlier(due, ln_line_due_ns(u->line));

	if (due == RTE_NEVER)
		rte_loop_timer_clear(loop, &u->timer);
	else
		rte_loop_timer_set(loop, &u->timer, due);
}

static enum rte_step timer_due(struct rte_user *u, int64_t now)
{
	switch (u->state) {
	case RTE_U_PLANNED:
	case RTE_U_BACKOFF:
		if (!rte_user_paused(u))
			rte_user_connect(u, now);
		return RTE_STAY;
	case RTE_U_CONNECTING: rte_user_connecting(u, now); return RTE_STAY;
	case RTE_U_TYPING: return now >= u->typist.due_ns ? rte_user_type_due(u, now) : RTE_STAY;
	case RTE_U_WAITING: return judge(u, now);
	case RTE_U_GOLDEN: return rte_user_golden_due(u, now);
	case RTE_U_THINKING:
		if (!holds(u))
			return think_due(u, now);
		rte_user_settle(u, now, false);
		return RTE_STAY;
	case RTE_U_PACING:
		rte_user_settle(u, now, false);
		return now >= u->deadline_ns && !holds(u) ? rte_user_iteration_start(u, now)
							  : RTE_STAY;
	case RTE_U_BARRIER:
		rte_user_settle(u, now, false);
		return now >= u->deadline_ns ? barrier_over(u, false, now) : RTE_STAY;
	case RTE_U_CLOSING:
		rte_user_settle(u, now, false);
		return u->closing.name ? RTE_STAY : rte_user_logout_start(u, now);
	case RTE_U_LEAVING:
		rte_user_settle(u, now, false);
		if (u->eof || now >= u->deadline_ns || u->meter.state == RTE_METER_CLOSED)
			rte_user_left(u, now);
		return RTE_STAY;
	default: return RTE_STAY;
	}
}

void rte_user_due(struct rte_timer *t, int64_t now)
{
	struct rte_user *u = (struct rte_user *)t;

	if (u->line && u->state != RTE_U_CONNECTING && ln_line_due_ns(u->line) >= 0 &&
		now >= ln_line_due_ns(u->line)) {
		/* A line that is torn says so to whoever reads it next. */
		(void)!ln_line_drive(u->line, NULL);
		rte_user_watch(u);
	}
	if (u->pending) {
		u->pending = false;
		rte_user_go(u, RTE_GO, now);
	} else {
		rte_user_go(u, timer_due(u, now), now);
	}
}

/* ---- What came ----------------------------------------------------------------------------- */

void rte_user_ready(struct rte_user *u, unsigned what, int64_t now)
{
	if (u->state == RTE_U_CONNECTING) {
		rte_user_connecting(u, now);
		return;
	}
	if (!(what & RTE_WATCH_WRITE) || !u->line)
		return;
	/* A line that is torn here says so to whoever reads it next. */
	(void)!ln_line_drive(u->line, NULL);
	if (!rte_user_drain(u, now))
		return;
	if (u->state == RTE_U_BLOCKED)
		rte_user_go(u, rte_user_type_taken(u, now), now);
	rte_user_watch(u);
}

void rte_user_run(struct rte_user *u, int64_t now)
{
	const struct rte_observer *o = u->shared->observer;
	enum rte_step step = RTE_STAY;

	if (u->broken && u->line)
		rte_user_last_words(u);
	if (o && o->changed)
		o->changed(o->user, u);
	switch (u->state) {
	case RTE_U_WAITING:
		/* The instant of the last read, not of this moment: that is when it was there. */
		step = judge(u, u->read_ns > u->wait_from_ns ? u->read_ns : now);
		break;
	case RTE_U_GOLDEN: step = rte_user_golden_due(u, now); break;
	case RTE_U_THINKING: think_follow(u); break;
	case RTE_U_BLOCKED:
		if (u->eof)
			step = rte_user_fail(u, RTE_FAIL_DISCONNECT, now, "the line was closed%s%s",
				u->eof_why ? ": " : "", u->eof_why ? u->eof_why : "");
		break;
	case RTE_U_TYPING: return; /* the key that is due finds the end of the line */
	case RTE_U_LEAVING:
		if (u->eof)
			rte_user_left(u, now);
		break;
	default: break;
	}
	rte_user_go(u, step, now);
}

/* ---- Steering ------------------------------------------------------------------------------ */

void rte_user_pause(struct rte_user *u, int64_t now)
{
	if (u->state == RTE_U_PLANNED || u->state == RTE_U_BACKOFF || holds(u))
		rte_user_arm(u, now);
}

void rte_user_resume(struct rte_user *u, int64_t paused_ns, int64_t now)
{
	int64_t from = paused_ns;

	/* The whole schedule moves; a think time only by what it lay in the pause. */
	if (u->pace_ns != RTE_NEVER)
		u->pace_ns += now - paused_ns;
	switch (u->state) {
	case RTE_U_THINKING:
		if (u->ask.kind == RTE_ASK_PAUSE)
			return;
		if (u->deadline_ns - u->wait_ns > from)
			from = u->deadline_ns - u->wait_ns;
		break;
	case RTE_U_PLANNED:
	case RTE_U_BACKOFF:
	case RTE_U_PACING: break;
	default: return;
	}
	if (u->deadline_ns < INT64_MAX - (now - from))
		u->deadline_ns += now - from;
	rte_user_arm(u, now);
}

/* ---- Stopping ------------------------------------------------------------------------------ */

void rte_user_stop(struct rte_user *u, int64_t now)
{
	if (u->stopping || !u->starts)
		return;
	u->stopping = true;
	switch (u->state) {
	case RTE_U_PLANNED:
	case RTE_U_BACKOFF:
	case RTE_U_CONNECTING: rte_user_kill(u, "stopped before it was connected", now); break;
	case RTE_U_THINKING:
		if (u->ask.kind != RTE_ASK_THINK)
			break;
		u->deadline_ns = now;
		rte_user_go(u, think_due(u, now), now);
		break;
	case RTE_U_PACING: rte_user_go(u, rte_user_iteration_start(u, now), now); break;
	case RTE_U_BARRIER: rte_user_go(u, barrier_over(u, false, now), now); break;
	default: break;
	}
}
