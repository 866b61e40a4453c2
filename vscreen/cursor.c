/* Where the cursor goes, within margins; tab stops. */
#include <string.h>

#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/state.h"
#include "base/banned.h"

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

int vs_line_cols(const struct vs_screen *s, int row)
{
	return s->grid->lines[row].size == VS_LINE_SINGLE ? s->cols : (s->cols - 1) / 2 + 1;
}

void vs_cursor_set(struct vs_screen *s, int row, int col)
{
	bool origin = s->modes.origin;

	s->col = min_int(
		max_int(col + (origin ? s->left : 0), 0), (origin ? s->right : s->cols) - 1);
	s->row = min_int(
		max_int(row + (origin ? s->top : 0), 0), (origin ? s->bottom : s->rows) - 1);
	vs_wrap_cancel(s);
}

int vs_cursor_row(const struct vs_screen *s)
{
	return s->modes.origin ? max_int(s->row - s->top, 0) : s->row;
}

int vs_cursor_col(const struct vs_screen *s)
{
	return s->modes.origin ? max_int(s->col - vs_left_margin(s), 0) : s->col;
}

void vs_cursor_up(struct vs_screen *s, int n)
{
	s->row = max_int(s->row - n, s->row < s->top ? 0 : s->top);
	vs_wrap_cancel(s);
}

void vs_cursor_down(struct vs_screen *s, int n)
{
	s->row = min_int(s->row + n, (s->row >= s->bottom ? s->rows : s->bottom) - 1);
	vs_wrap_cancel(s);
}

void vs_cursor_forward(struct vs_screen *s, int n)
{
	int end;

	if (s->modes.lr_margins)
		end = s->col >= s->right ? s->cols : s->right;
	else
		end = vs_line_cols(s, s->row);
	s->col = min_int(s->col + n, end - 1);
	vs_wrap_cancel(s);
}

void vs_cursor_back(struct vs_screen *s, int n)
{
	int left = vs_left_margin(s), before = s->col, in_row, offset, length;
	bool reverse = s->modes.reverse_wrap && s->modes.wrap;

	if (reverse && s->wrap_pending)
		n--;
	if (before < left)
		left = 0;
	s->col -= n;
	if (s->col < left && !reverse) {
		s->col = left;
	} else if (s->col < left) {
		/* As xterm: the screen is one long row, and within the margins a ring. */
		in_row = vs_right_margin(s) - left;
		offset = in_row * s->row + s->col - left;
		if (before == left && before >= s->left && before < s->right && s->row == s->top) {
			offset = s->bottom * in_row - 1;
		} else if (offset < 0) {
			length = in_row * s->rows;
			offset += (-offset / length + 1) * length;
		}
		s->row = min_int(offset / in_row, s->rows - 1);
		s->col = offset % in_row + left;
	}
	vs_wrap_cancel(s);
}

void vs_carriage_return(struct vs_screen *s)
{
	int left = vs_left_margin(s);

	s->col = s->modes.origin || s->col >= left ? left : 0;
	vs_wrap_cancel(s);
}

static bool out_of_columns(const struct vs_screen *s)
{
	return s->modes.lr_margins && (s->col < s->left || s->col >= s->right);
}

void vs_index(struct vs_screen *s)
{
	if (s->row != s->bottom - 1 || out_of_columns(s)) {
		vs_cursor_down(s, 1);
	} else {
		vs_wrap_cancel(s);
		vs_scroll_up(s, 1);
	}
}

void vs_reverse_index(struct vs_screen *s)
{
	if (s->row != s->top || out_of_columns(s)) {
		vs_cursor_up(s, 1);
	} else {
		vs_scroll_down(s, 1);
		vs_wrap_cancel(s);
	}
}

void vs_margins_reset(struct vs_screen *s)
{
	s->top = s->left = 0;
	s->bottom = s->rows;
	s->right = s->cols;
}

/* ---- Tabs: a tab moves the cursor and keeps a pending wrap, as in xterm --------------------- */

static bool is_tab(const struct vs_screen *s, int col)
{
	return s->tabs[col / 64] >> col % 64 & 1;
}

void vs_tab_set(struct vs_screen *s, int col, bool on)
{
	uint64_t bit = 1ULL << col % 64;

	if (on)
		s->tabs[col / 64] |= bit;
	else
		s->tabs[col / 64] &= ~bit;
}

void vs_tabs_clear(struct vs_screen *s)
{
	memset(s->tabs, 0, sizeof s->tabs);
}

void vs_tabs_reset(struct vs_screen *s)
{
	memset(s->tabs, 1, sizeof s->tabs); /* each byte's lowest bit: every eighth column */
}

void vs_tab_forward(struct vs_screen *s, int n)
{
	int end;

	if (s->modes.more_fix && s->wrap_pending && s->modes.wrap) {
		vs_index(s);
		s->col = 0;
		vs_wrap_cancel(s);
	}
	end = s->modes.lr_margins ? s->right : vs_line_cols(s, s->row);
	while (n-- > 0) {
		int col = s->col + 1;

		while (col < end - 1 && !is_tab(s, col))
			col++;
		if (col >= end) { /* right of the margin xterm comes back to it */
			s->col = end - 1;
			break;
		}
		s->col = col;
	}
}

void vs_tab_back(struct vs_screen *s, int n)
{
	int left = s->modes.origin ? vs_left_margin(s) : 0;

	while (n-- > 0 && s->col > left) {
		int col = s->col - 1;

		while (col > 0 && !is_tab(s, col))
			col--;
		s->col = max_int(col, left);
	}
}
