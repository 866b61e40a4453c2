/* Conditions as expect lines, with the reason for each. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/emit.h"
#include "base/banned.h"

#define COLUMNS 100

static void add_part(struct b_buf *out, const char *fmt, ...) B_PRINTF(2, 3);

static void add_part(struct b_buf *out, const char *fmt, ...)
{
	va_list ap;

	if (out->len)
		b_buf_adds(out, ", ");
	va_start(ap, fmt);
	b_buf_vprintf(out, fmt, ap);
	va_end(ap);
}

static size_t columns(const struct b_buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->data[i] == '\t' ? 8 : ((unsigned char)b->data[i] & 0xc0) != 0x80;
	return n;
}

/* The longest value that was typed up to the item and stands in the text, or NULL. */
static const struct cap_value *value_in(const struct cap_emit *e, size_t item, const char *text)
{
	const struct cap_values *v = e->plan->values;
	const struct cap_value *best = NULL;

	for (size_t k = 0; k < v->n; k++) {
		const struct cap_value *val = &v->value[k];

		if (val->name && !val->secret && val->last <= item && val->len >= 2 &&
			strlen(val->text) == val->len && strstr(text, val->text) &&
			(!best || val->len > best->len))
			best = val;
	}
	return best;
}

/* A text as a literal; what was typed in it is said by its name, so that other data is waited
   for when other data is typed. */
static void text_add(const struct cap_emit *e, size_t item, const char *text, struct b_buf *out)
{
	const struct cap_value *v = value_in(e, item, text);
	const char *at = v ? strstr(text, v->text) : NULL;

	if (!v) {
		cap_emit_string(out, text, strlen(text));
		return;
	}
	if (at > text) {
		cap_emit_string(out, text, (size_t)(at - text));
		b_buf_adds(out, " .. ");
	}
	cap_emit_value(e, v, out);
	if (at[v->len]) {
		b_buf_adds(out, " .. ");
		cap_emit_string(out, at + v->len, strlen(at + v->len));
	}
}

/* The table's inside, or a lone string. Returns whether it needs the braces. */
static bool wait_text(
	const struct cap_emit *e, size_t item, const struct cap_wait *w, struct b_buf *out)
{
	struct b_buf lit = B_BUF_INIT;
	bool braces = w->pattern || w->row >= 0 || w->reverse || w->gone || w->prompt ||
		w->cursor || w->quiet_ms || w->already;

	if (w->text) {
		if (w->pattern)
			cap_emit_string(&lit, w->text, strlen(w->text));
		else
			text_add(e, item, w->text, &lit);
		/* An expression needs them, too. */
		braces = braces || lit.data[0] != '"' || strstr(b_buf_cstr(&lit), "\" .. ");
		add_part(out, "%s%s", w->pattern ? "match = " : "", b_buf_cstr(&lit));
		if (w->row >= 0)
			add_part(out, "row = %d", w->row + 1);
		if (w->reverse)
			add_part(out, "attr = \"reverse\"");
		if (w->gone)
			add_part(out, "gone = true");
	}
	if (w->prompt) {
		b_buf_clear(&lit);
		cap_emit_string(&lit, w->prompt, strlen(w->prompt));
		/* A table has one match: a second one is a part of its own. */
		if (w->text && w->pattern)
			add_part(out, "all = { { match = %s } }", b_buf_cstr(&lit));
		else
			add_part(out, "match = %s", b_buf_cstr(&lit));
	}
	if (w->cursor)
		add_part(out, "cursor = { %d, %d }", w->cur_row + 1, w->cur_col + 1);
	if (w->quiet_ms)
		add_part(out, "quiet = %d", w->quiet_ms);
	if (w->already)
		add_part(out, "already = true");
	b_buf_release(&lit);
	return braces;
}

/* Where the cursor rests, by the label beside it. */
static void cursor_reason(const struct cap_item *it, struct b_buf *out)
{
	const struct cap_frame *f = it->re.after;
	struct b_buf label = B_BUF_INIT;

	if (cap_label_find(f, f->cur_row, f->cur_col, &label)) {
		b_buf_adds(out, "cursor rests by \"");
		cap_emit_comment_text(out, label.data, label.len);
		b_buf_addc(out, '"');
	} else {
		b_buf_adds(out, "cursor rests here");
	}
	b_buf_release(&label);
}

static bool shows_anything(const struct cap_frame *f)
{
	for (int r = 0; r < f->rows; r++)
		if (cap_frame_row_end(f, r))
			return true;
	return false;
}

static void reason_text(const struct cap_item *it, const struct cap_wait *w, struct b_buf *out)
{
	if (w->text) {
		if (w->gone)
			b_buf_adds(out, "erased");
		else if (w->reverse)
			b_buf_adds(out, "selected now");
		else if (w->highlight)
			b_buf_adds(out, "highlighted now");
		else if (w->repaint)
			b_buf_adds(out, "painted again");
		else if (w->moved)
			b_buf_adds(out, "moved here");
		else
			b_buf_adds(out, it->kind == CAP_START ? "the first screen" : "painted now");
		if (w->pattern)
			b_buf_adds(out, ", its digits may differ");
	}
	if (w->prompt) {
		if (out->len)
			b_buf_adds(out, "; ");
		b_buf_adds(out, w->back ? "the prompt is back" : "the prompt");
	}
	if (w->cursor) {
		if (out->len)
			b_buf_adds(out, "; ");
		cursor_reason(it, out);
	}
	if (w->already)
		b_buf_adds(out, "; may come before the last key");
	if (w->quiet_ms && w->doubt && it->kind == CAP_START)
		b_buf_printf(out, "%suntil all of it is there", out->len ? "; " : "");
	if (w->quiet_ms && !out->len && !shows_anything(it->re.after))
		b_buf_adds(out, "nothing is shown");
	else if (w->quiet_ms && !out->len)
		b_buf_adds(out, "nothing but silence tells that the answer is complete");
}

static void expect_emit(struct cap_emit *e, const struct cap_item *it, const struct cap_wait *w)
{
	struct b_buf cond = B_BUF_INIT, reason = B_BUF_INIT;
	bool braces = wait_text(e, (size_t)(it - e->plan->s->item), w, &cond);
	size_t width;

	reason_text(it, w, &reason);
	if (it->kind == CAP_START && (w->doubt || !shows_anything(it->re.after)))
		; /* a program that says nothing before the first key, or a key typed before it did */
	else if (w->quiet_ms && !w->text && !w->cursor && !w->prompt)
		cap_emit_warn(e, "line %zu: nothing but quiet could be found to wait for",
			cap_emit_line_number(e));
	else if (w->early && w->quiet_ms)
		cap_emit_warn(e,
			"line %zu: this held already on an earlier screen of the answer; the quiet "
			"waits for the rest",
			cap_emit_line_number(e));
	else if (w->early)
		cap_emit_warn(e,
			"line %zu: this held already on an earlier screen; what changed later is "
			"not waited for",
			cap_emit_line_number(e));
	width = (size_t)e->depth * 2 + 7 + columns(&cond) + (braces ? 4 : 0) + 4 + columns(&reason);
	if (width > COLUMNS)
		cap_emit_line(e, "-- %s:\n", b_buf_cstr(&reason));
	cap_emit_line(e, braces ? "expect { %s }" : "expect %s", b_buf_cstr(&cond));
	if (width <= COLUMNS)
		b_buf_printf(e->out, " -- %s", b_buf_cstr(&reason));
	b_buf_addc(e->out, '\n');
	b_buf_release(&cond);
	b_buf_release(&reason);
}

void cap_emit_wait(struct cap_emit *e, const struct cap_act *a)
{
	const struct cap_item *it = &e->plan->s->item[a->last];

	if (a->wait)
		expect_emit(e, it, a->wait);
	if (a->eof)
		cap_emit_line(e, "expect { eof = true } -- the application ends\n");
	if (a->wait || a->eof || !it->wait || a->kind == CAP_ACT_LOOK)
		return;
	/* Something was to be waited for, and nothing could be. */
	if (e->plan->waits[a->last].doubt)
		cap_emit_line(e, "-- the next key was typed ahead of the answer\n");
	else if (it->re.effect == CAP_MORE)
		cap_emit_warn(e,
			"line %zu: the screen never rests here and holds no text to wait for: the "
			"pause is kept as recorded",
			cap_emit_line_number(e));
}

void cap_emit_first_wait(struct cap_emit *e)
{
	const struct cap_item *it = &e->plan->s->item[0];

	if (e->plan->waits[0].found)
		expect_emit(e, it, &e->plan->waits[0]);
	else if (!it->re.bytes)
		cap_emit_line(e, "-- nothing was shown before the first key\n");
}
