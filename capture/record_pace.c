/*
 * Keystrokes from a pipe come all at once; an application that discards what is typed before
 * its prompt, or that has not yet put up its screen, would lose them. So they are typed as a
 * person would: characters up to the next key that is none, then the answer is waited for.
 */
#include "base/clock.h"
#include "capture/record_priv.h"
#include "base/banned.h"

#define REST_NS    (100 * B_NS_PER_MS) /* an answer that has come to rest */
#define SILENCE_NS B_NS_PER_S          /* no answer: none will come */
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

	if (!p->on || !p->waiting)
		return -1;
	if (r->last_output_ns < p->since_ns)
		return p->since_ns + p->silence_ns;
	rest = r->last_output_ns + REST_NS;
	return rest < most ? rest : most;
}

void rec_pace_send(struct recorder *r)
{
	struct rec_pace *p = &r->pace;
	int64_t now = rec_now(r);
	size_t n = 0;

	if (p->waiting && now < rec_pace_due(r))
		return;
	p->waiting = false;
	while (n < p->queue.len && !p->waiting) {
		struct cap_typed t;

		n += cap_typed_next(&p->typed, p->queue.data + n, p->queue.len - n, now, &t);
		p->waiting = t.kind == CAP_TYPED_KEY;
	}
	if (!n)
		return;
	/* What comes in the same turn of the loop is behind it. */
	p->since_ns = rec_now(r);
	p->silence_ns = SILENCE_NS;
	rec_keys_take(r, now, p->queue.data, n);
	b_buf_consume(&p->queue, n);
	if (r->keys.mode != KEYS_OFF)
		p->waiting = false; /* the recorder's own keys are answered at once */
}

void rec_pace_add(struct recorder *r, const char *bytes, size_t len)
{
	b_buf_add(&r->pace.queue, bytes, len);
	rec_pace_send(r);
}
