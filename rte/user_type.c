/* Keys: when each is due, what it is for the screen's modes then, and that it was sent. */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "rte/user_priv.h"
#include "base/banned.h"

static const struct b_dist *typing_of(const struct rte_user *u)
{
	return u->tx_typing ? u->tx_typing : &u->role->typing;
}

/* The recorded gap in front of the next character; -1: none. */
static int64_t recorded_gap(const struct rte_user *u)
{
	const struct rte_ask *a = &u->ask;

	if (a->kind == RTE_ASK_SEND && u->character > 0)
		return u->character <= a->n_gaps ? a->gaps_ms[u->character - 1] * B_NS_PER_MS : -1;
	return a->recorded_ns;
}

/* Takes the next character of a text out of the script's memory, which will be cold by the time
   it is due. Returns its code point. */
static uint32_t next_character(struct rte_user *u)
{
	size_t left = u->ask.len - u->typed, n;
	uint32_t cp;

	n = b_utf8_decode(u->ask.bytes + u->typed, left, &cp);
	u->next_len = (uint8_t)(n ? n : left);
	memcpy(u->next, u->ask.bytes + u->typed, u->next_len);
	return cp;
}

/* Every key takes one draw, so that what was typed before moves no later gap. As recorded, unless
   something else was said; a script that was not recorded types at the default rate. */
static void schedule(struct rte_user *u)
{
	static const struct b_dist as_recorded = { .kind = B_DIST_RECORDED, .p = { 1 } };
	static const struct b_dist as_default = { .kind = B_DIST_CPS, .p = { 10 } };
	const struct b_dist *typing = typing_of(u);
	int64_t recorded = recorded_gap(u), gap;
	uint32_t cp = 0;

	if (u->ask.kind == RTE_ASK_SEND)
		cp = next_character(u);
	if (typing->kind == B_DIST_UNSET)
		typing = &as_recorded;
	if (typing->kind == B_DIST_RECORDED && recorded < 0 && !u->recorded)
		typing = &as_default;
	gap = rte_typist_gap(&u->typist, typing, &u->typing, cp, recorded);
	rte_typist_next(&u->typist, gap, u->not_before_ns);
	u->not_before_ns = RTE_NEVER;
}

enum rte_step rte_user_type_begin(struct rte_user *u, int64_t now)
{
	if (u->eof)
		return rte_user_fail(u, RTE_FAIL_DISCONNECT, now, "the line was closed%s%s",
			u->eof_why ? ": " : "", u->eof_why ? u->eof_why : "");
	u->typed = u->character = 0;
	if (u->ask.kind == RTE_ASK_SEND && !u->ask.len)
		return rte_user_reply(u, NULL, now);
	if (u->ask.recorded_ns >= 0 || u->ask.n_gaps)
		u->recorded = true;
	schedule(u);
	rte_user_account(u, RTE_AC_KEYING, now);
	rte_user_set_state(u, RTE_U_TYPING);
	rte_user_watch(u);
	return RTE_STAY;
}

/* The bytes of the key that is due now. Returns them and their length, or a negative status with
   the message for the script. */
static ssize_t encode(struct rte_user *u, char key[VS_KEY_MAX], struct b_buf *paste,
	const char **bytes, struct b_error *err)
{
	const struct rte_ask *a = &u->ask;
	unsigned modes;
	int n;

	/* Text is what it is; the modes lie where a keystroke need not look. */
	modes = a->kind == RTE_ASK_SEND || a->kind == RTE_ASK_RAW ? 0 : vs_screen_modes(u->screen);
	switch (a->kind) {
	case RTE_ASK_SEND: *bytes = u->next; return u->next_len;
	case RTE_ASK_RAW: *bytes = a->bytes; return (ssize_t)a->len;
	case RTE_ASK_PRESS:
		n = vs_key_encode(u->role->keymap, a->bytes, modes, key, err);
		*bytes = key;
		return n;
	case RTE_ASK_MOUSE:
		n = vs_mouse_encode(&a->mouse, modes, paste);
		if (n == B_ENOTFOUND)
			return b_error_set(err, n, "mouse: the application has not asked for it");
		break;
	default: vs_paste_encode(a->bytes, a->len, modes, paste); break;
	}
	*bytes = b_buf_cstr(paste);
	return (ssize_t)paste->len;
}

static bool is_break(const struct rte_user *u)
{
	return u->ask.kind == RTE_ASK_PRESS && u->ask.len == strlen(RTE_KEY_BREAK) &&
		!memcmp(u->ask.bytes, RTE_KEY_BREAK, u->ask.len);
}

/* What an input does to everything that counts from it. */
void rte_user_mark_input(struct rte_user *u, int64_t at)
{
	int64_t before_end = rte_meter_end(&u->meter);

	rte_user_settle(u, at, true);
	rte_user_tx_input(u, at, before_end);
	rte_meter_input(&u->meter, at);
	u->input_ns = at;
	u->output = false;
	if (u->keeps_stream)
		b_buf_clear(&u->stream);
	u->mark_due = true;
}

static void note_lateness(struct rte_user *u, int64_t due, int64_t at)
{
	struct rte_worker *w = u->worker;
	uint64_t restarts = u->typist.restarts;
	int64_t late = rte_typist_sent(&u->typist, at);

	u->late_ns += late;
	b_hist_add(w->own.second.late, late);
	if (rte_phases_at(&u->shared->phases, due) != RTE_MEASURE)
		return;
	b_hist_add(w->own.late, late);
	if (u->typist.restarts != restarts)
		rte_stat_add(&w->stats.reschedules, 1);
}

static enum rte_step sent(struct rte_user *u, int64_t at)
{
	if (u->ask.kind == RTE_ASK_SEND) {
		u->typed += u->next_len;
		u->character++;
		if (u->typed < u->ask.len) {
			schedule(u);
			rte_user_set_state(u, RTE_U_TYPING);
			return RTE_STAY;
		}
	}
	return rte_user_reply(u, NULL, at);
}

enum rte_step rte_user_type_due(struct rte_user *u, int64_t now)
{
	const struct rte_observer *o = u->shared->observer;
	struct b_buf paste = B_BUF_INIT;
	struct b_error err = { 0 };
	char key[VS_KEY_MAX];
	const char *bytes = NULL;
	int64_t at;
	ssize_t n;
	bool taken;

	/* The echo of the keys before, and the modes by which this one is encoded. */
	if (!(u->watch.want & RTE_WATCH_READ) &&
		(u->ask.kind == RTE_ASK_MOUSE || u->ask.kind == RTE_ASK_PASTE ||
			!rte_user_may_wait(u, now)))
		rte_user_read(u);
	if (u->eof)
		return rte_user_fail(u, RTE_FAIL_DISCONNECT, now, "the line was closed%s%s",
			u->eof_why ? ": " : "", u->eof_why ? u->eof_why : "");
	/* A break is no bytes. */
	n = is_break(u) ? ln_line_break(u->line, &err) : encode(u, key, &paste, &bytes, &err);
	if (u->unread && n > 1 && u->ask.kind == RTE_ASK_PRESS) {
		rte_user_read(u);
		n = u->eof ? 1 : encode(u, key, &paste, &bytes, &err);
	}
	if (n < 0) {
		b_buf_release(&paste);
		return rte_user_fail(u, RTE_FAIL_ERROR, now, "%s", err.text);
	}
	if (u->unread < UINT8_MAX)
		u->unread++;
	at = b_clock_mono_ns();
	note_lateness(u, u->typist.due_ns, at);
	rte_user_mark_input(u, at);
	rte_stat_add(&u->worker->stats.keys, 1);
	if (u->echo)
		u->echo_ns = at;
	if (o && o->input)
		o->input(o->user, u, bytes, (size_t)n, at);
	taken = !n || rte_user_write(u, bytes, (size_t)n, at);
	b_buf_release(&paste);
	if (!taken) {
		rte_user_set_state(u, RTE_U_BLOCKED);
		rte_user_type_blocked(u, at);
		return RTE_STAY;
	}
	return sent(u, at);
}

void rte_user_type_blocked(struct rte_user *u, int64_t now)
{
	u->deadline_ns =
		u->role->timeout_ns < INT64_MAX - now ? now + u->role->timeout_ns : INT64_MAX;
}

enum rte_step rte_user_type_stuck(struct rte_user *u, int64_t now)
{
	struct b_buf span = B_BUF_INIT;
	enum rte_step step;

	b_format_duration(&span, u->role->timeout_ns);
	step = rte_user_fail(u, RTE_FAIL_TIMEOUT, now,
		"the SUT has taken nothing of what is typed for %s%s", b_buf_cstr(&span),
		ln_line_is_stopped(u->line) ? "; its process is stopped" : "");
	b_buf_release(&span);
	return step;
}

enum rte_step rte_user_type_taken(struct rte_user *u, int64_t at)
{
	/* The input counts from when the line had it, and so does the next key's gap. */
	rte_meter_input(&u->meter, at);
	u->input_ns = at;
	u->typist.due_ns = at;
	return sent(u, at);
}
