/* Secrets: what is typed, cut into runs; what time does to them. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/secret_priv.h"
#include "base/banned.h"

/* Nothing came of a character for so long: it was a key that does nothing to see. */
#define NOTHING_NS   (2 * B_NS_PER_S)
/* Something came of it elsewhere on the screen, and so long after still nothing in its row. */
#define ELSEWHERE_NS (300 * B_NS_PER_MS)
/* Nothing was shown of a run for so long, and its label asks for a secret: what the program says of
   it once it is submitted (dialog --stdout prints it) comes too late. */
#define UNSEEN_NS    (150 * B_NS_PER_MS)
/* Output, or a key that may move the cursor, came so short a time before the first character that
   its field may not be there yet. */
#define UNSETTLED_NS (30 * B_NS_PER_MS)
/* Nothing came of a submitting key for so long: the characters before it stay unseen. */
#define ANSWER_NS    B_NS_PER_S

int cap_secret_new(
	struct cap_secret **out, const struct cap_secret_options *opt, struct b_error *err)
{
	struct cap_secret *s = b_calloc(1, sizeof *s);
	int rc = cap_secret_labels_new(&s->labels, opt->label_pattern, err);

	if (rc) {
		free(s);
		return rc;
	}
	s->opt = *opt;
	s->shown_ns = s->key_ns = -UNSETTLED_NS;
	if (getrandom(&s->hash_key, sizeof s->hash_key, GRND_NONBLOCK) < 0)
		s->hash_key = (uint64_t)b_clock_mono_ns();
	*out = s;
	return B_OK;
}

void cap_secret_free(struct cap_secret *s)
{
	if (!s)
		return;
	sec_queue_release(s);
	cap_secret_labels_free(s->labels);
	free(s);
}

static struct sec_run *first_unknown(const struct cap_secret *s)
{
	struct sec_run *r = s->head;

	while (r && r->verdict != SEC_UNKNOWN)
		r = r->next;
	return r;
}

static int64_t due_of(const struct sec_run *r)
{
	if (sec_waits_for_answer(r))
		return r->last_ns + ANSWER_NS;
	if (r->line || r->told || r->labelled || r->painted)
		return -1;
	if (r->elsewhere_ns > r->last_ns)
		return r->elsewhere_ns + ELSEWHERE_NS;
	return r->last_ns + NOTHING_NS;
}

/* Goes on with the runs behind one that was decided. */
static void advance(struct cap_secret *s, int64_t at_ns, bool hidden)
{
	struct sec_run *r;

	while ((r = first_unknown(s))) {
		if (!r->based) {
			sec_judge(s, r, at_ns, hidden);
			r->last_ns = at_ns;
			if (!r->based)
				break;
		}
		if (r->verdict == SEC_UNKNOWN && due_of(r) >= 0 && at_ns >= due_of(r)) {
			/* A program that turned echo off right after its prompt. */
			if (hidden && r->open && r->n_typed) {
				r->line = true;
				break;
			}
			sec_conclude(r);
			if (r->open) {
				r->open = false;
				s->open = NULL;
			}
		}
		if (r->verdict == SEC_UNKNOWN)
			break;
	}
	sec_queue_emit(s);
}

/* ---- Calls ----------------------------------------------------------------------------- */

static struct sec_run *open_run(struct cap_secret *s, int64_t at_ns, bool hidden)
{
	struct sec_run *r = s->open;

	if (r)
		return r;
	r = b_calloc(1, sizeof *r);
	r->open = true;
	r->told = s->told;
	r->first_ns = r->last_ns = at_ns;
	r->elsewhere_ns = -1;
	r->unsettled = at_ns - s->shown_ns < UNSETTLED_NS || at_ns - s->key_ns < UNSETTLED_NS;
	sec_name_it(s, r);
	if (s->tail)
		s->tail->next = r;
	else
		s->head = r;
	s->tail = r;
	s->open = r;
	if (first_unknown(s) == r)
		sec_judge(s, r, at_ns, hidden);
	return r;
}

static void add_char(struct sec_run *r, const char *bytes, size_t len)
{
	uint32_t cp;

	if (!b_utf8_decode(bytes, len, &cp))
		cp = B_UTF8_REPLACEMENT;
	if (r->n_typed == r->typed_cap) {
		size_t cap = r->typed_cap ? 2 * r->typed_cap : 16;
		uint32_t *bigger = b_calloc(cap, sizeof *bigger);

		if (r->typed) {
			memcpy(bigger, r->typed, r->n_typed * sizeof *bigger);
			explicit_bzero(r->typed, r->typed_cap * sizeof *r->typed);
			free(r->typed);
		}
		r->typed = bigger;
		r->typed_cap = cap;
	}
	r->typed[r->n_typed++] = cp;
	r->any = true;
}

static void erase(struct sec_run *r, char key)
{
	bool all = key == 0x15 || key == 0x17; /* C-u, C-w */

	if (r->n_typed)
		r->n_typed = all ? 0 : r->n_typed - 1;
	else if (r->painted)
		r->painted--;
	if (all)
		r->painted = 0;
	r->erased = true;
}

static void close_run(struct cap_secret *s, struct sec_run *r, int64_t at_ns)
{
	bool unseen = r->labelled && r->based && at_ns - r->first_ns >= UNSEEN_NS;

	r->open = false;
	r->last_ns = at_ns;
	s->open = NULL;
	if (r->verdict == SEC_UNKNOWN &&
		(r->line || r->told || r->painted || unseen || !r->n_typed))
		sec_conclude(r);
}

static void take(struct cap_secret *s, const struct cap_typed *t, int64_t at_ns, bool hidden)
{
	struct sec_run *r = s->open;

	switch (t->kind) {
	case CAP_TYPED_TEXT:
		r = open_run(s, at_ns, hidden);
		sec_queue_add(s, r, at_ns, t->bytes, t->len);
		if (!t->more)
			add_char(r, t->bytes, t->len);
		r->line = r->line || hidden;
		break;
	case CAP_TYPED_ERASE:
		if (r)
			erase(r, *t->bytes);
		sec_queue_add(s, r, at_ns, t->bytes, t->len);
		break;
	case CAP_TYPED_BRACKET:
		if (t->bytes[t->len - 2] == '0')
			r = open_run(s, at_ns, hidden);
		sec_queue_add(s, r, at_ns, t->bytes, t->len);
		break;
	case CAP_TYPED_ANSWER: sec_queue_add(s, NULL, at_ns, t->bytes, t->len); break;
	case CAP_TYPED_KEY:
		if (r)
			close_run(s, r, at_ns);
		sec_queue_add(s, NULL, at_ns, t->bytes, t->len);
		s->key_ns = at_ns;
		break;
	}
}

void cap_secret_typed(
	struct cap_secret *s, int64_t at_ns, const char *bytes, size_t len, bool hidden)
{
	s->read++;
	if (hidden && s->open && s->open->n_typed && !s->open->painted)
		s->open->line = true;
	while (len) {
		struct cap_typed t;
		size_t n = cap_typed_next(&s->typed, bytes, len, at_ns, &t);

		take(s, &t, at_ns, hidden);
		bytes += n;
		len -= n;
	}
	advance(s, at_ns, hidden);
}

void cap_secret_shown(struct cap_secret *s, int64_t at_ns, bool hidden)
{
	struct sec_run *r = first_unknown(s);

	if (vs_screen_changes(s->opt.screen) != s->changes) {
		s->changes = vs_screen_changes(s->opt.screen);
		s->shown_ns = at_ns;
	}
	if (r)
		sec_judge(s, r, at_ns, hidden);
	advance(s, at_ns, hidden);
}

void cap_secret_tell(struct cap_secret *s, int64_t at_ns, bool on)
{
	if (s->told == on)
		return;
	s->told = on;
	if (s->open)
		close_run(s, s->open, at_ns);
	advance(s, at_ns, false);
}

void cap_secret_finish(struct cap_secret *s, int64_t at_ns)
{
	struct sec_run *r;

	if (s->open)
		close_run(s, s->open, at_ns);
	while ((r = first_unknown(s))) {
		if (!r->based)
			sec_look(s, r);
		sec_conclude(r);
	}
	sec_queue_emit(s);
}

bool cap_secret_holds(const struct cap_secret *s)
{
	return s->n_queue > 0;
}

int64_t cap_secret_due_ns(const struct cap_secret *s)
{
	const struct sec_run *r = first_unknown(s);

	return r ? due_of(r) : -1;
}
