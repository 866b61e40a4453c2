/*
 * Keystrokes from a pipe come all at once; an application that discards what is typed before
 * its prompt, or that has not yet put up its screen, would lose them. So they are typed as a
 * person would: characters, their echo, the key behind them, its answer.
 */
#include "base/clock.h"
#include "capture/record_priv.h"
#include "base/banned.h"

#define REST_NS    (150 * B_NS_PER_MS) /* an answer that has come to rest */
#define ECHO_NS    (300 * B_NS_PER_MS) /* no echo: none will come */
#define SILENCE_NS B_NS_PER_S          /* the same for the answer to a key */
#define FIRST_NS   (3 * B_NS_PER_S)    /* the same for the first screen */
#define MOST_NS    (5 * B_NS_PER_S)    /* an answer that never rests */

void rec_pace_init(struct recorder *r)
{
	r->pace.on = !r->tty.in_is_tty;
	r->pace.waiting = true;
	r->pace.silence_ns = FIRST_NS;
}

int64_t rec_pace_due(const struct recorder *r)
{
	const struct rec_pace *p = &r->pace;
	int64_t rest, most = p->since_ns + MOST_NS;

	if (!p->queue.len)
		return -1;
	if (!p->waiting)
		return rec_now(r);
	if (r->last_output_ns <= p->since_ns)
		return p->since_ns + p->silence_ns;
	rest = r->last_output_ns + REST_NS;
	return rest < most ? rest : most;
}

/* The length of what is typed in one go: characters up to a key, or one key. */
static size_t next_group(struct rec_pace *p, int64_t now)
{
	struct cap_typed_state at;
	struct cap_typed t;
	size_t n = 0, used;

	do {
		at = p->typed;
		used = cap_typed_next(&p->typed, p->queue.data + n, p->queue.len - n, now, &t);
		if (t.kind == CAP_TYPED_KEY && n) {
			p->typed = at; /* it comes next */
			p->silence_ns = ECHO_NS;
			return n;
		}
		n += used;
	} while (t.kind != CAP_TYPED_KEY && n < p->queue.len);
	p->silence_ns = t.kind == CAP_TYPED_KEY ? SILENCE_NS : ECHO_NS;
	return n;
}

void rec_pace_send(struct recorder *r)
{
	struct rec_pace *p = &r->pace;
	struct b_buf group = B_BUF_INIT;
	int64_t now = rec_now(r);
	size_t n;

	if (!p->queue.len || (p->waiting && now < rec_pace_due(r)))
		return;
	n = next_group(p, now);
	b_buf_add(&group, p->queue.data, n);
	b_buf_consume(&p->queue, n);
	p->waiting = true;
	p->since_ns = now;
	rec_keys_take(r, now, group.data, group.len);
	if (r->keys.mode != KEYS_OFF)
		p->waiting = false; /* the recorder's own keys are answered at once */
	b_buf_release(&group);
}

void rec_pace_add(struct recorder *r, const char *bytes, size_t len)
{
	b_buf_add(&r->pace.queue, bytes, len);
	rec_pace_send(r);
}
