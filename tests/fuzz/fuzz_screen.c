/*
 * Any bytes as what a SUT sends, with resizes, marks and masks between. Held against:
 * a second screen that gets the same bytes one at a time shows the same; a third that gets the
 * repaint shows the same text; halves of wide characters stand together; the cursor is on the
 * screen.
 *
 * Input: two bytes of size, then pieces: a byte N < 0xF0 is followed by N bytes to feed, F0 and
 * above are operations.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "vscreen/screen.h"
#include "vscreen/width.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct vs_screen *new_screen(int rows, int cols, const char *term, bool eight_bit)
{
	struct vs_screen *s;

	B_BUG_ON(vs_screen_new(&s,
		&(struct vs_options){
			.rows = rows, .cols = cols, .term = term, .eight_bit = eight_bit }));
	return s;
}

static void check_cells(const struct vs_screen *s)
{
	struct vs_cell cell, next;
	int rows = vs_screen_rows(s), cols = vs_screen_cols(s), row, col;

	for (int r = 0; r < rows; r++) {
		for (int c = 0; c < cols; c++) {
			vs_screen_cell(s, r, c, &cell);
			B_BUG_ON(cell.width > 2 || cell.chars[7]);
			B_BUG_ON(cell.chars[0] &&
				(cell.chars[0] < 0x20 || cell.chars[0] > 0x10FFFF));
			B_BUG_ON(cell.width == 0); /* the pair is taken below */
			if (cell.width < 2)
				continue;
			B_BUG_ON(++c >= cols);
			vs_screen_cell(s, r, c, &next);
			B_BUG_ON(next.width != 0);
		}
	}
	vs_screen_cursor(s, &row, &col);
	B_BUG_ON(row < 0 || row >= rows || col < 0 || col >= cols);
}

/* Whether the window's edge cut a wide character of the row: a repaint shows a blank there. */
static bool has_half(const struct vs_screen *s, int row)
{
	struct vs_cell cell;

	for (int c = 0; c < vs_screen_cols(s); c++) {
		vs_screen_cell(s, row, c, &cell);
		if (cell.width == 1 && vs_width(cell.chars[0]) == 2)
			return true;
	}
	return false;
}

static void check_same(const struct vs_screen *a, const struct vs_screen *b, bool all)
{
	struct b_buf x = B_BUF_INIT, y = B_BUF_INIT;
	int rows = vs_screen_rows(a), ar, ac, br, bc;

	B_BUG_ON(rows != vs_screen_rows(b));
	for (int r = 0; r < rows; r++) {
		b_buf_clear(&x);
		b_buf_clear(&y);
		if (all || !has_half(a, r)) {
			vs_screen_row(a, r, &x);
			vs_screen_row(b, r, &y);
		}
		vs_screen_row_attrs(a, r, &x);
		vs_screen_row_attrs(b, r, &y);
		B_BUG_ON(x.len != y.len || memcmp(x.data, y.data, x.len));
	}
	vs_screen_cursor(a, &ar, &ac);
	vs_screen_cursor(b, &br, &bc);
	B_BUG_ON(ar != br || ac != bc);
	B_BUG_ON(vs_screen_cursor_visible(a) != vs_screen_cursor_visible(b));
	if (all)
		B_BUG_ON(vs_screen_modes(a) != vs_screen_modes(b) ||
			vs_screen_bells(a) != vs_screen_bells(b) ||
			vs_screen_midway(a) != vs_screen_midway(b) ||
			strcmp(vs_screen_title(a), vs_screen_title(b)) != 0);
	b_buf_release(&x);
	b_buf_release(&y);
}

static void check_repaint(const struct vs_screen *s)
{
	struct vs_screen *other = new_screen(vs_screen_rows(s), vs_screen_cols(s), NULL, false);
	struct b_buf bytes = B_BUF_INIT;

	vs_screen_repaint(s, false, &bytes);
	vs_screen_feed(other, bytes.data, bytes.len);
	check_same(s, other, false);
	vs_screen_free(other);
	b_buf_release(&bytes);
}

struct pair {
	struct vs_screen *whole, *bytes;
};

static void operate(struct pair *p, uint8_t op, uint8_t x, uint8_t y)
{
	struct vs_rect mask = { x % 8, y % 8, 2, 5 };
	int rows = 1 + x % 40, cols = 1 + y % 100;

	if (op < 0xF4) {
		B_BUG_ON(vs_screen_resize(p->whole, rows, cols));
		B_BUG_ON(vs_screen_resize(p->bytes, rows, cols));
	} else if (op < 0xF8) {
		vs_screen_input_mark(p->whole);
		vs_screen_input_mark(p->bytes);
	} else if (op < 0xFA) {
		vs_screen_masks_set(p->whole, &mask, x % 2);
	} else if (op < 0xFC) {
		vs_screen_painted(p->whole, x - 10, y - 10, x, y);
		B_BUG_ON(vs_screen_resize(p->whole, 1001, 1) != B_ERANGE);
	} else {
		check_cells(p->whole);
		check_repaint(p->whole);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const terms[] = { "xterm", "screen", "vt100", "linux" };
	struct pair p;
	size_t pos = 2, n;

	if (size < 2)
		return 0;
	p.whole =
		new_screen(1 + data[0] % 30, 1 + data[1] % 90, terms[data[0] >> 6], data[1] > 0xF0);
	p.bytes =
		new_screen(1 + data[0] % 30, 1 + data[1] % 90, terms[data[0] >> 6], data[1] > 0xF0);
	while (pos < size) {
		n = data[pos++];
		if (n >= 0xF0) {
			operate(&p, (uint8_t)n, pos < size ? data[pos] : 0,
				pos + 1 < size ? data[pos + 1] : 0);
			pos += 2;
			continue;
		}
		n = n < size - pos ? n : size - pos;
		vs_screen_feed(p.whole, (const char *)data + pos, n);
		for (size_t i = 0; i < n; i++)
			vs_screen_feed(p.bytes, (const char *)data + pos + i, 1);
		pos += n;
	}
	check_cells(p.whole);
	check_same(p.whole, p.bytes, true);
	check_repaint(p.whole);
	vs_screen_free(p.whole);
	vs_screen_free(p.bytes);
	return 0;
}
