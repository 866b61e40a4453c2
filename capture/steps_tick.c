/*
 * Cells that a program changes without being asked: clocks, spinners, tables of figures.
 *
 * One late burst after a key is an answer. Two or more on the same cells, after one key, tick;
 * a program that comes up may need more than two.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/steps.h"
#include "base/banned.h"

#define TICKS_MIN       2
#define TICKS_MIN_START 3

/* Whether f shows the screen on which t ticks: most of what stands still there stands in f. */
static bool similar(const struct cap_tick *t, const struct cap_frame *f)
{
	int still = 0, same = 0;

	if (t->frame->rows != f->rows || t->frame->cols != f->cols ||
		(t->frame->modes & VS_MODE_ALT) != (f->modes & VS_MODE_ALT))
		return false;
	for (int r = 0; r < f->rows; r++)
		for (int c = 0; c < f->cols; c++) {
			if (t->count[r * f->cols + c] || cap_frame_char(t->frame, r, c) == ' ')
				continue;
			still++;
			same += cap_frame_same_text(t->frame, f, r, c);
		}
	return same * 10 >= still * 6;
}

static bool ticks(const struct cap_item *it)
{
	const struct cap_response *re = &it->re;
	int min = it->kind == CAP_START ? TICKS_MIN_START : TICKS_MIN;

	if (!re->spontaneous)
		return false;
	for (int i = 0; i < re->after->rows * re->after->cols; i++)
		if (re->spontaneous[i] >= min)
			return true;
	return false;
}

static void counts_add(uint8_t *to, const uint8_t *from, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = (uint8_t)(to[i] + from[i] > 255 ? 255 : to[i] + from[i]);
}

static void context_add(struct cap_session *s, const struct cap_response *re)
{
	int n = re->after->rows * re->after->cols;
	size_t t;

	for (t = 0; t < s->n_ticks && !similar(&s->tick[t], re->after); t++)
		;
	if (t == s->n_ticks) {
		s->tick = b_reallocarray(s->tick, s->n_ticks + 1, sizeof *s->tick);
		s->tick[t].frame = cap_frame_ref(re->after);
		s->tick[t].count = b_calloc((size_t)n, 1);
		s->n_ticks++;
	}
	counts_add(s->tick[t].count, re->spontaneous, n);
}

/* Whether the cells that changed unasked in both are for the most part the same. */
static bool overlap(const struct cap_response *a, const struct cap_response *b)
{
	int n = a->after->rows * a->after->cols, both = 0, one = 0;

	if (a->after->rows != b->after->rows || a->after->cols != b->after->cols)
		return false;
	for (int i = 0; i < n; i++) {
		both += a->spontaneous[i] && b->spontaneous[i];
		one += a->spontaneous[i] || b->spontaneous[i];
	}
	return both > 0 && both * 4 >= one;
}

/*
 * A program that changed something before any key, and changed the same after a key and an
 * answer, once each: nobody asked for it twice.
 */
static bool ticks_from_start(const struct cap_session *s)
{
	const struct cap_response *start = &s->item[0].re;

	if (!start->spontaneous)
		return false;
	for (size_t i = 1; i < s->n_items; i++)
		if (s->item[i].re.after && s->item[i].re.spontaneous &&
			overlap(start, &s->item[i].re))
			return true;
	return false;
}

void cap_session_ticks_find(struct cap_session *s)
{
	for (size_t i = 0; i < s->n_items; i++)
		if (s->item[i].re.after && ticks(&s->item[i]))
			context_add(s, &s->item[i].re);
	if (!ticks(&s->item[0]) && ticks_from_start(s))
		context_add(s, &s->item[0].re);
	/* A screen that is known to tick: a single late burst on it is a tick as well. */
	for (size_t i = 0; i < s->n_items; i++) {
		const struct cap_response *re = &s->item[i].re;

		if (!re->after || !re->spontaneous || ticks(&s->item[i]))
			continue;
		for (size_t t = 0; t < s->n_ticks; t++)
			if (similar(&s->tick[t], re->after))
				counts_add(s->tick[t].count, re->spontaneous,
					re->after->rows * re->after->cols);
	}
}

bool cap_session_ticks_get(const struct cap_session *s, const struct cap_frame *f, uint8_t *out)
{
	int n = f->rows * f->cols;
	bool any = false;

	memset(out, 0, (size_t)n);
	for (size_t t = 0; t < s->n_ticks; t++) {
		if (!similar(&s->tick[t], f))
			continue;
		for (int i = 0; i < n; i++) {
			if (!s->tick[t].count[i])
				continue;
			any = true;
			out[i] = 1;
			for (int c = i / f->cols * f->cols; c < (i / f->cols + 1) * f->cols; c++)
				if (!out[c])
					out[c] = 2;
		}
	}
	return any;
}
