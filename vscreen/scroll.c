/* Lines and characters inserted, deleted and scrolled, within the margins. */
#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/grid.h"
#include "vscreen/pen.h"
#include "vscreen/state.h"
#include "base/banned.h"

void vs_scroll_up(struct vs_screen *s, int n)
{
	vs_shift_rows(s, s->top, s->bottom, vs_left_margin(s), vs_right_margin(s), n);
}

void vs_scroll_down(struct vs_screen *s, int n)
{
	vs_shift_rows(s, s->top, s->bottom, vs_left_margin(s), vs_right_margin(s), -n);
}

static bool in_margins(const struct vs_screen *s)
{
	return s->row >= s->top && s->row < s->bottom && s->col >= vs_left_margin(s) &&
		s->col < vs_right_margin(s);
}

void vs_insert_lines(struct vs_screen *s, int n)
{
	if (!in_margins(s))
		return;
	s->col = vs_left_margin(s);
	vs_wrap_cancel(s);
	vs_shift_rows(s, s->row, s->bottom, vs_left_margin(s), vs_right_margin(s), -n);
}

void vs_delete_lines(struct vs_screen *s, int n)
{
	if (!in_margins(s))
		return;
	s->col = vs_left_margin(s);
	vs_wrap_cancel(s);
	vs_shift_rows(s, s->row, s->bottom, vs_left_margin(s), vs_right_margin(s), n);
}

void vs_insert_chars(struct vs_screen *s, int n)
{
	vs_wrap_cancel(s);
	if (s->col >= vs_left_margin(s) && s->col < vs_right_margin(s))
		vs_insert_cells(s, s->row, s->col, vs_right_margin(s), n);
}

void vs_delete_chars(struct vs_screen *s, int n)
{
	if (s->col < s->left || s->col >= s->right)
		return;
	vs_wrap_cancel(s);
	vs_delete_cells(s, s->row, s->col, vs_right_margin(s), n);
}

void vs_scroll_columns(struct vs_screen *s, int col, int n, bool to_left)
{
	if (s->row < s->top || s->row >= s->bottom || s->col < s->left || s->col >= s->right)
		return;
	for (int r = s->top; r < s->bottom; r++) {
		if (to_left)
			vs_delete_cells(s, r, col, vs_right_margin(s), n);
		else
			vs_insert_cells(s, r, col, vs_right_margin(s), n);
	}
}

void vs_column_index(struct vs_screen *s, bool back)
{
	bool inside = s->col >= s->left && s->col < s->right;

	if (back && inside && s->col == vs_left_margin(s))
		vs_scroll_columns(s, s->col, 1, false);
	else if (back)
		vs_cursor_back(s, 1);
	else if (inside && s->col == vs_right_margin(s) - 1)
		vs_scroll_columns(s, vs_left_margin(s), 1, true);
	else
		vs_cursor_forward(s, 1);
}

void vs_line_size_set(struct vs_screen *s, enum vs_line_size size)
{
	struct vs_line *line = &s->grid->lines[s->row];

	if (s->modes.lr_margins || line->size == size)
		return;
	if (size != VS_LINE_SINGLE && s->col > s->cols / 2)
		s->col = s->cols / 2;
	line->size = (uint8_t)size;
	vs_touch(s, s->row);
}

void vs_align(struct vs_screen *s)
{
	s->modes.origin = false;
	s->pen = (struct vs_style){
		.fg = s->pen.fg, .bg = s->pen.bg, .attrs = s->pen.attrs & VS_PROTECTED
	};
	s->pen_stale = true;
	vs_margins_reset(s);
	vs_single_lines(s);
	vs_cursor_set(s, 0, 0);
	for (int r = 0; r < s->rows; r++) {
		struct vs_gcell *cells = vs_row(s, r);

		for (int c = 0; c < s->cols; c++)
			cells[c] = (struct vs_gcell){ 'E', 0, s->stamp };
		vs_touch(s, r);
	}
}
