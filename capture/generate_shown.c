/*
 * Values that the SUT had displayed before they were typed: an order number that one screen
 * gives and the next asks for. They are read from the screen at replay, by the label beside them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/plan.h"
#include "base/banned.h"

/* Shorter values stand on a screen by chance. */
#define SHOWN_MIN 4

static bool is_word(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		c >= 0xc0;
}

static bool is_number_like(const struct cap_value *v)
{
	bool digit = false;

	if (v->len < SHOWN_MIN || v->paste || v->secret || !v->name)
		return false;
	for (size_t i = 0; i < v->len; i++) {
		unsigned char c = (unsigned char)v->text[i];

		if (c <= ' ' || c > '~')
			return false;
		digit |= c >= '0' && c <= '9';
	}
	return digit;
}

static bool stands_at(const struct cap_frame *f, int row, int col, const struct cap_value *v)
{
	int len = (int)v->len;

	if (col + len > f->cols || (col > 0 && is_word(cap_frame_char(f, row, col - 1))) ||
		(col + len < f->cols && is_word(cap_frame_char(f, row, col + len))))
		return false;
	for (int i = 0; i < len; i++)
		if (cap_frame_char(f, row, col + i) != (uint32_t)(unsigned char)v->text[i])
			return false;
	return true;
}

/* How often the value stands in the frame; the place of the last. */
static int places(const struct cap_frame *f, const struct cap_value *v, int *row, int *col)
{
	int n = 0;

	for (int r = 0; r < f->rows; r++)
		for (int c = 0; c + (int)v->len <= f->cols; c++)
			if (stands_at(f, r, c, v)) {
				*row = r;
				*col = c;
				n++;
			}
	return n;
}

/* As screen.field does it: what stands behind the label in that row, up to two blanks. */
static bool field_is(
	const struct cap_frame *f, int row, const char *label, const struct cap_value *v)
{
	struct b_buf text = B_BUF_INIT;
	const char *at, *end, *blanks;
	bool is = false;

	cap_frame_text(f, row, 0, f->cols, &text);
	at = strstr(b_buf_cstr(&text), label);
	if (at) {
		at += strlen(label);
		at += strspn(at, " :._");
		blanks = strstr(at, "  ");
		end = blanks ? blanks : at + strlen(at);
		while (end > at && (end[-1] == ' ' || end[-1] == '_'))
			end--;
		is = (size_t)(end - at) == v->len && !memcmp(at, v->text, v->len);
	}
	b_buf_release(&text);
	return is;
}

static bool typed_before(const struct cap_values *v, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (v->value[i].len >= v->value[k].len &&
			strstr(v->value[i].text, v->value[k].text))
			return true;
	return false;
}

static bool shown_in(const struct cap_session *s, size_t item, struct cap_value *v)
{
	const struct cap_frame *f = s->item[item].re.after;
	struct b_buf label = B_BUF_INIT;
	int row = 0, col = 0;

	if (places(f, v, &row, &col) != 1)
		return false;
	if (cap_label_find(f, row, col, &label) && field_is(f, row, b_buf_cstr(&label), v)) {
		v->shown_label = b_buf_take(&label, NULL);
		v->shown_row = row;
		v->shown_after = item;
	}
	b_buf_release(&label);
	return v->shown_label != NULL;
}

void cap_values_shown(const struct cap_session *s, struct cap_values *v)
{
	for (size_t k = 0; k < v->n; k++) {
		struct cap_value *val = &v->value[k];
		size_t i = val->first;

		if (!is_number_like(val) || typed_before(v, k))
			continue;
		/* The latest screen that shows it; in it, where it came to stand there. */
		while ((i = cap_session_prev(s, i)) != SIZE_MAX) {
			size_t p;

			if (s->item[i].re.line_mode || !shown_in(s, i, val))
				continue;
			while ((p = cap_session_prev(s, val->shown_after)) != SIZE_MAX &&
				!s->item[val->shown_after].wait &&
				field_is(
					s->item[p].re.after, val->shown_row, val->shown_label, val))
				val->shown_after = p;
			break;
		}
		/* Nothing is waited for there: it cannot be known when it can be read. */
		if (val->shown_label && !s->item[val->shown_after].wait) {
			free(val->shown_label);
			val->shown_label = NULL;
		}
	}
}
