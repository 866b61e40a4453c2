/* Waiting for a condition, and the rules of `unexpected` that may come between. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/judge.h"
#include "rte/user_priv.h"
#include "base/banned.h"

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
		step = rte_user_fail(u, kind, now, "not there within %s: %s%s%s%s%s",
			b_buf_cstr(&span), u->awaited,
			*unanswered ? "; the application waits for an answer to " : "", unanswered,
			u->output             ? ""
				: u->bytes_in ? "; no output has come since the last input"
					      : "; no output has come at all",
			ln_line_is_stopped(u->line) ? "; its process is stopped" : "");
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
enum rte_step rte_user_wait_due(struct rte_user *u, int64_t at)
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
		u->judge_ns = rte_user_earlier(u->judge_ns, v.due_ns);
	}
	return RTE_STAY;
}

enum rte_step rte_user_wait_begin(struct rte_user *u, int64_t now)
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
	return rte_user_wait_due(u, now);
}

/* ---- Rules --------------------------------------------------------------------------------- */

enum rte_step rte_user_rule_done(struct rte_user *u, int64_t now)
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
	return rte_user_wait_due(u, now);
}

void rte_user_rule_drop(struct rte_user *u)
{
	free(u->interrupted);
	u->interrupted = NULL;
	vs_cond_free(u->interrupted_cond);
	u->interrupted_cond = NULL;
}

/* The wait that the rule interrupted fails of what the rule failed of. */
enum rte_step rte_user_rule_failed(struct rte_user *u, int64_t now)
{
	enum rte_fail_kind kind = u->ask.fail;
	char message[1024];

	snprintf(message, sizeof message, "%s", u->ask.error ? u->ask.error : "");
	u->ask = *u->interrupted;
	free(u->interrupted);
	u->interrupted = NULL;
	return rte_user_fail(u, kind, now, "an unexpected screen: %s", message);
}
