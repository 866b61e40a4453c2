/* A user's line: reading, feeding the screen, writing, and when to watch it. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

#define STREAM_MAX    65536      /* bytes kept for stream conditions; older ones go */
#define LAZY_GAP_NS   B_NS_PER_S /* a line is looked at least so often while its user types */
#define READ_BYTES    16384
#define READS_A_KEY   4
#define UNREAD_KEYS   5   /* keys typed on before the echo is read */
#define UNREAD_BYTES  512 /* of echo that may wait in the line, by the measure of the last keys */
#define UNREAD_NS     B_NS_PER_S
#define EXIT_LOOK_NS  B_NS_PER_S          /* how often it is asked whether the program has ended */
#define LAST_WORDS_NS (250 * B_NS_PER_MS) /* without output: then a program's end is the line's */

bool rte_user_reads(const struct rte_user *u)
{
	return u->line && !u->eof && u->state != RTE_U_CONNECTING;
}

/* While a user types on, a wake-up for each echo would be half of the cost of a key: the echo is
   read when the next key is due. A long gap, and a sampled user, are watched all the same. */
static bool lazy(const struct rte_user *u, int64_t now)
{
	return u->state == RTE_U_TYPING && !u->echo && u->typist.due_ns - now < LAZY_GAP_NS;
}

void rte_user_watch(struct rte_user *u)
{
	unsigned want = 0, wants;
	int fd;

	if (!u->line)
		return;
	fd = ln_line_fd(u->line);
	if (fd < 0 || u->eof) {
		rte_loop_drop(u->worker->loop, &u->watch);
		return;
	}
	wants = ln_line_wants(u->line);
	if (u->watch.fd >= 0 && u->watch.fd != fd)
		rte_loop_drop(u->worker->loop, &u->watch);
	if (u->state == RTE_U_CONNECTING)
		want = (wants & LN_WANT_READ ? RTE_WATCH_READ : 0);
	else if (u->out.len || !lazy(u, b_clock_mono_ns()))
		want = RTE_WATCH_READ;
	if (wants & LN_WANT_WRITE || (want && wants & LN_WANT_HELD))
		want |= RTE_WATCH_WRITE;
	if (rte_loop_watch(u->worker->loop, &u->watch, fd, want))
		rte_user_eof(u, "its descriptor cannot be watched", b_clock_mono_ns());
}

/* ---- Reading ------------------------------------------------------------------------------ */

static void keep_tail(struct rte_user *u, const char *bytes, size_t len)
{
	size_t keep;

	if (len >= RTE_TAIL_BYTES) {
		memcpy(u->tail, bytes + (len - RTE_TAIL_BYTES), RTE_TAIL_BYTES);
		u->tail_len = RTE_TAIL_BYTES;
		return;
	}
	keep = RTE_TAIL_BYTES - len < u->tail_len ? RTE_TAIL_BYTES - len : u->tail_len;
	memmove(u->tail, u->tail + (u->tail_len - keep), keep);
	memcpy(u->tail + keep, bytes, len);
	u->tail_len = keep + len;
}

static void keep_stream(struct rte_user *u, const char *bytes, size_t len)
{
	if (len > STREAM_MAX) {
		bytes += len - STREAM_MAX;
		len = STREAM_MAX;
	}
	if (u->stream.len + len > STREAM_MAX)
		b_buf_consume(&u->stream, u->stream.len + len - STREAM_MAX);
	b_buf_add(&u->stream, bytes, len);
}

static void take_echo(struct rte_user *u, int64_t at)
{
	int64_t echo = at - u->echo_ns;

	if (u->tx.name) {
		u->tx.echo_n++;
		u->tx.echo_sum_ns += echo;
		if (echo > u->tx.echo_max_ns)
			u->tx.echo_max_ns = echo;
	}
	u->echo_ns = RTE_NEVER;
}

/* What was painted since the input matters only where there is output: keys in a row cost the
   screen one mark. */
void rte_user_mark_screen(struct rte_user *u)
{
	if (u->mark_due && u->screen)
		vs_screen_input_mark(u->screen);
	u->mark_due = false;
}

void rte_user_look_ahead(const struct rte_user *u)
{
	if (u->state != RTE_U_TYPING)
		return;
	__builtin_prefetch(u->line);
	if (!rte_user_may_wait(u, u->typist.due_ns)) {
		__builtin_prefetch(u->screen);
		__builtin_prefetch((const char *)u->screen + 64);
		__builtin_prefetch((const char *)u->screen + 128);
	}
}

/* When the open update is shown, whatever comes; in the past: that was done, or none is open. */
static int64_t update_ends(const struct rte_user *u)
{
	return vs_screen_midway(u->screen) & VS_MID_UPDATE ? u->midway_ns + RTE_SYNC_MAX_NS : 0;
}

/* After output that began or ended in an unfinished picture: whether a person sees a change. */
static bool take_unfinished(struct rte_user *u, int64_t at)
{
	uint32_t updates = vs_screen_updates(u->screen);
	bool shows = vs_screen_shows(u->screen);

	if (!vs_screen_midway(u->screen))
		u->midway_ns = RTE_NEVER;
	else if (u->midway_ns == RTE_NEVER || updates != u->updates)
		u->midway_ns = at;
	u->updates = updates;
	/* One that has been open for too long hides nothing any more. */
	if (u->midway_ns != RTE_NEVER && update_ends(u) <= at)
		shows |= vs_screen_show(u->screen);
	return shows;
}

void rte_user_show(struct rte_user *u, int64_t now)
{
	int64_t at = u->screen ? update_ends(u) : 0;

	if (!at || now < at || !vs_screen_show(u->screen))
		return;
	u->change_ns = at;
	rte_meter_change(&u->meter, &u->role->settle, at);
}

void rte_user_take(struct rte_user *u, const char *bytes, size_t len, int64_t at)
{
	const struct rte_observer *o = u->shared->observer;
	/* What came before the last input is no answer to it, whenever it is read. */
	bool answers = at >= u->input_ns, changed;

	if (!u->screen)
		return;
	if (u->midway_ns != RTE_NEVER)
		rte_user_show(u, at);
	u->bytes_in += len;
	rte_stat_add(&u->worker->stats.bytes_in, (int64_t)len);
	keep_tail(u, bytes, len);
	if (u->keeps_stream)
		keep_stream(u, bytes, len);
	if (o && o->output)
		o->output(o->user, u, bytes, len, at);
	if (answers)
		rte_user_mark_screen(u);
	changed = vs_screen_feed(u->screen, bytes, len);
	u->output |= answers;
	u->read_ns = u->looked_ns = at;
	u->unread = 0;
	if (u->midway_ns != RTE_NEVER || vs_screen_midway(u->screen))
		changed = take_unfinished(u, at);
	if (changed)
		u->change_ns = at;
	if (u->echo_ns != RTE_NEVER && at >= u->echo_ns)
		take_echo(u, at);
	if (answers)
		rte_meter_output(&u->meter, &u->role->settle, at, changed);
	if (u->midway_ns != RTE_NEVER && update_ends(u) > at)
		rte_meter_hold(&u->meter, update_ends(u));
	if (u->state != RTE_U_TYPING)
		rte_worker_queue(u->worker, u);
}

void rte_user_eof(struct rte_user *u, const char *why, int64_t at)
{
	/* Nothing will close an open update. */
	if (u->midway_ns != RTE_NEVER && u->screen && vs_screen_show(u->screen)) {
		u->change_ns = at;
		rte_meter_change(&u->meter, &u->role->settle, at);
	}
	u->eof = true;
	u->read_ns = at;
	if (why && !u->eof_why)
		u->eof_why = b_strdup(why);
	rte_loop_drop(u->worker->loop, &u->watch);
	rte_worker_queue(u->worker, u);
}

/*
 * A program that has ended may leave a child behind that keeps the terminal open, and then no end
 * of the line comes. Asked for by its pid, since a descriptor a user for that would be dear; only
 * while the user waits and nothing comes.
 */
void rte_user_exit_look(struct rte_user *u, int64_t now)
{
	int64_t quiet = u->read_ns > u->wait_from_ns ? u->read_ns : u->wait_from_ns;
	int status;

	if ((u->state != RTE_U_WAITING && u->state != RTE_U_GOLDEN) || u->eof ||
		now < quiet + LAST_WORDS_NS || now < u->exit_look_ns)
		return;
	if (u->exited) {
		rte_user_eof(
			u, "its process has ended, and a child of it keeps the terminal open", now);
		return;
	}
	u->exited = ln_line_reap(u->line, &status) == B_OK;
	/* What it said last may be on its way. */
	u->exit_look_ns = now + (u->exited ? LAST_WORDS_NS : EXIT_LOOK_NS);
}

/*
 * Whether the line need not be read before the next key. The echo of a few plain keys may wait:
 * it cannot fill the line, and nobody looks at the screen. An application that paints much for
 * each key is read at each.
 */
bool rte_user_may_wait(const struct rte_user *u, int64_t now)
{
	return u->unread < UNREAD_KEYS && (u->unread + 1) * u->echo_bytes <= UNREAD_BYTES &&
		now - u->looked_ns < UNREAD_NS;
}

/* How much output a key brings: the most of late, forgotten slowly. */
static void learn_echo(struct rte_user *u, size_t keys, size_t bytes)
{
	size_t each = keys ? bytes / keys : 0;

	if (each > UINT16_MAX)
		each = UINT16_MAX;
	if (each >= u->echo_bytes)
		u->echo_bytes = (uint16_t)each;
	else
		u->echo_bytes = (uint16_t)(u->echo_bytes - (u->echo_bytes - each + 7) / 8);
}

void rte_user_read(struct rte_user *u)
{
	uint64_t before = u->bytes_in;
	size_t keys = u->unread;
	int64_t now;

	char *buf = u->worker->arena;
	struct b_error err = { 0 };
	ssize_t n = READ_BYTES;

	for (int i = 0; i < READS_A_KEY && n == READ_BYTES && !u->eof; i++) {
		n = ln_line_read(u->line, buf, READ_BYTES, &err);
		now = b_clock_mono_ns();
		u->looked_ns = now;
		if (n > 0)
			rte_user_take(u, buf, (size_t)n, ln_line_came_ns(u->line));
		else if (n != B_EAGAIN)
			rte_user_eof(u, n == B_EOF ? NULL : err.text, now);
	}
	learn_echo(u, keys, (size_t)(u->bytes_in - before));
	u->unread = 0;
}

/* ---- Writing ------------------------------------------------------------------------------ */

/* The line takes nothing any more. What the SUT said last may still be there to be read, but not
   from here: this may be called out of the middle of the screen's parser. */
static void broken(struct rte_user *u, const char *why)
{
	b_buf_clear(&u->out);
	u->broken = true;
	if (why && !u->eof_why)
		u->eof_why = b_strdup(why);
	rte_worker_queue(u->worker, u);
}

void rte_user_last_words(struct rte_user *u)
{
	u->broken = false;
	rte_user_read(u);
	if (!u->eof)
		rte_user_eof(u, NULL, b_clock_mono_ns());
}

static ssize_t offer(struct rte_user *u, const char *bytes, size_t len)
{
	struct b_error err = { 0 };
	ssize_t n = ln_line_write(u->line, bytes, len, &err);

	if (n < 0 && n != B_EAGAIN) {
		broken(u, n == B_EOF ? NULL : err.text);
		return -1;
	}
	if (n < 0)
		n = 0;
	u->bytes_out += (uint64_t)n;
	rte_stat_add(&u->worker->stats.bytes_out, n);
	return n;
}

bool rte_user_write(struct rte_user *u, const char *bytes, size_t len, int64_t now)
{
	ssize_t n = 0;

	if (u->eof || u->broken || !u->line)
		return true; /* whoever waits is told of the end */
	if (!u->out.len) {
		n = offer(u, bytes, len);
		if (n < 0 || (size_t)n == len)
			return true;
	}
	b_buf_add(&u->out, bytes + n, len - (size_t)n);
	if (u->blocked_at_ns == RTE_NEVER)
		u->blocked_at_ns = now;
	rte_user_watch(u);
	return false;
}

void rte_user_unblocked(struct rte_user *u, int64_t now)
{
	if (u->blocked_at_ns == RTE_NEVER)
		return;
	u->blocked_ns += now - u->blocked_at_ns;
	rte_stat_add(&u->worker->stats.blocked_ns, now - u->blocked_at_ns);
	u->blocked_at_ns = RTE_NEVER;
}

bool rte_user_drain(struct rte_user *u, int64_t now)
{
	ssize_t n;

	if (!u->out.len)
		return true;
	n = offer(u, u->out.data, u->out.len);
	if (n > 0) {
		b_buf_consume(&u->out, (size_t)n);
		if (u->state == RTE_U_BLOCKED)
			rte_user_type_blocked(u, now);
	}
	if (u->out.len)
		return false;
	rte_user_unblocked(u, now);
	return true;
}
