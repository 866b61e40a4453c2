#define _GNU_SOURCE /* memmem */
#include "vscreen/find.h"

#include <string.h>

#include "base/utf8.h"
#include "vscreen/cond.h"
#include "base/banned.h"

/* Appends a cell's text; *width its columns, as far as they are within the part. */
static void add_cell(const struct vs_rowtext *t, int col, int *width, struct b_buf *out)
{
	struct vs_cell c;
	char utf8[4];

	vs_screen_cell(t->screen, t->row, col, &c);
	*width = 1;
	/* A half that the part's edge cuts off is a blank. */
	if (!c.width || !c.chars[0] || (c.width == 2 && col + 1 >= t->col + t->cols)) {
		b_buf_addc(out, ' ');
		return;
	}
	*width = c.width;
	if (t->folded) {
		vs_fold_cell(c.chars, c.chars[1] ? 8 : 1, t->form, out);
		return;
	}
	for (int i = 0; i < 8 && c.chars[i]; i++)
		b_buf_add(out, utf8, b_utf8_encode(c.chars[i], utf8));
}

static bool is_ascii(const char *text, size_t len)
{
	unsigned char all = 0;

	for (size_t i = 0; i < len; i++)
		all |= (unsigned char)text[i];
	return all < 0x80;
}

void vs_rowtext_load(struct vs_rowtext *t, const struct vs_screen *s, int row, int col, int cols,
	enum vs_form form)
{
	int width;

	t->screen = s;
	t->row = row;
	t->col = col;
	t->cols = cols;
	t->form = form;
	b_buf_clear(&t->text);
	vs_screen_text(s, row, col, cols, &t->text);
	t->plain = t->text.len == (size_t)cols && is_ascii(t->text.data, t->text.len);
	t->folded = !t->plain && vs_fold_needed(t->text.data, t->text.len);
	if (!t->folded)
		return;
	b_buf_clear(&t->text);
	for (int c = col; c < col + cols; c += width)
		add_cell(t, c, &width, &t->text);
}

void vs_rowtext_release(struct vs_rowtext *t)
{
	b_buf_release(&t->text);
}

bool vs_rowtext_span(const struct vs_rowtext *t, size_t start, size_t end, int *col, int *cols)
{
	struct b_buf cell = B_BUF_INIT;
	bool whole = false;
	int first = -1, at = t->col, width;
	size_t byte = 0;

	if (t->plain && start <= end && end <= t->text.len && start < t->text.len) {
		*col = t->col + (int)start;
		*cols = (int)(end - start);
		return true;
	}
	while (at < t->col + t->cols) {
		size_t n;

		b_buf_clear(&cell);
		add_cell(t, at, &width, &cell);
		n = cell.len;
		if (first < 0 && start < byte + n) {
			first = at;
			whole = start == byte;
		}
		if (byte >= end && first >= 0)
			break;
		at += width;
		byte += n;
	}
	b_buf_release(&cell);
	*col = first < 0 ? at : first;
	*cols = first < 0 ? 0 : at - first;
	return whole && byte == end;
}

bool vs_rowtext_find(
	const struct vs_rowtext *t, const char *needle, size_t len, size_t from, size_t *start)
{
	const char *at;

	if (from > t->text.len || !len)
		return false;
	at = memmem(t->text.data + from, t->text.len - from, needle, len);
	if (!at)
		return false;
	*start = (size_t)(at - t->text.data);
	return true;
}

static void clip(int *at, int *n, int max)
{
	if (*at < 0) {
		*n = *n < 0 ? 0 : *n < -*at ? 0 : *n + *at;
		*at = 0;
	}
	if (*at > max)
		*at = max;
	if (*n > max - *at)
		*n = max - *at;
}

bool vs_rect_clip(const struct vs_screen *s, struct vs_rect *r)
{
	clip(&r->row, &r->rows, vs_screen_rows(s));
	clip(&r->col, &r->cols, vs_screen_cols(s));
	return r->rows > 0 && r->cols > 0;
}

bool vs_find_text(const struct vs_screen *s, const char *text, size_t len,
	const struct vs_rect *within, int *row, int *col, int *cols)
{
	struct vs_rect r = *within;
	struct vs_rowtext t = { 0 };
	struct b_buf needle = B_BUF_INIT;
	bool found = false;

	if (!vs_rect_clip(s, &r))
		return false;
	vs_fold_text(text, len, VS_FORM_TEXT, &needle);
	for (int i = r.row; i < r.row + r.rows && !found; i++) {
		size_t start;
		int c, n;

		vs_rowtext_load(&t, s, i, r.col, r.cols, VS_FORM_TEXT);
		for (size_t from = 0;
			!found && vs_rowtext_find(&t, needle.data, needle.len, from, &start);
			from = start + 1) {
			found = vs_rowtext_span(&t, start, start + needle.len, &c, &n);
			if (!found)
				continue;
			*row = i;
			*col = c;
			*cols = n;
		}
	}
	b_buf_release(&needle);
	vs_rowtext_release(&t);
	return found;
}
