/* Erasing, and the marks that protect from it. */
#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/grid.h"
#include "vscreen/pen.h"
#include "vscreen/state.h"
#include "base/banned.h"

static bool is_protected(const struct vs_screen *s, const struct vs_gcell *c)
{
	return vs_style_of(s, c->style)->attrs & VS_PROTECTED;
}

/* Erases [col, end) except what is protected; returns whether there was such a cell. */
static bool erase_unprotected(struct vs_screen *s, int row, int col, int end)
{
	bool found = false;

	while (col < end) {
		int from = col;

		while (col < end && !is_protected(s, &vs_row(s, row)[col]))
			col++;
		vs_erase(s, row, from, col);
		while (col < end && is_protected(s, &vs_row(s, row)[col])) {
			found = true;
			col++;
		}
	}
	return found;
}

static bool erase(struct vs_screen *s, int row, int col, int end)
{
	vs_wrap_cancel(s);
	if (s->protect != VS_PROTECT_OFF)
		return erase_unprotected(s, row, col, end);
	vs_erase(s, row, col, end);
	return false;
}

void vs_clear_screen(struct vs_screen *s)
{
	vs_wrap_cancel(s);
	vs_erase_rows(s, 0, s->rows);
}

static void erase_right(struct vs_screen *s, int n)
{
	int end = n < s->cols - s->col ? s->col + n : s->cols;

	erase(s, s->row, s->col, end);
	vs_wrap_cancel(s);
}

/* Rows [row, end), whole. */
static bool erase_rows(struct vs_screen *s, int row, int end)
{
	bool found = false;

	if (s->protect == VS_PROTECT_OFF) {
		vs_erase_rows(s, row, end);
		return false;
	}
	for (; row < end; row++)
		found |= erase(s, row, 0, s->cols);
	return found;
}

/* The marks that were set in DEC's way do not hold against ED, EL and ECH, only against DECSED
   and DECSEL; those set with SPA hold against all. */
static uint8_t protect_for(struct vs_screen *s, enum vs_protect mode)
{
	uint8_t saved = s->protect;

	if (saved == VS_PROTECT_DEC && saved != mode)
		s->protect = VS_PROTECT_OFF;
	return saved;
}

void vs_erase_display(struct vs_screen *s, int what, enum vs_protect mode)
{
	uint8_t saved = protect_for(s, mode);

	if ((what == 0 && s->row == 0 && s->col == 0) ||
		(what == 1 && s->row == s->rows - 1 && s->col == s->cols - 1))
		what = 2;
	switch (what) {
	case 0:
		erase_right(s, s->cols);
		erase_rows(s, s->row + 1, s->rows);
		break;
	case 1:
		erase_rows(s, 0, s->row);
		erase(s, s->row, 0, s->col + 1);
		break;
	case 2:
		if (s->protect == VS_PROTECT_OFF)
			vs_clear_screen(s);
		else if (!erase_rows(s, 0, s->rows))
			saved = VS_PROTECT_OFF;
		break;
	default: /* 3: the scrollback */
		if (what == 3)
			vs_saved_lines_clear(&s->saved_lines);
		break;
	}
	s->protect = saved;
}

void vs_erase_line(struct vs_screen *s, int what, enum vs_protect mode)
{
	uint8_t saved = protect_for(s, mode);

	if (what == 0)
		erase_right(s, s->cols);
	else if (what == 1)
		erase(s, s->row, 0, s->col + 1);
	else if (what == 2)
		erase(s, s->row, 0, s->cols);
	s->protect = saved;
}

void vs_erase_chars(struct vs_screen *s, int n)
{
	uint8_t saved = protect_for(s, VS_PROTECT_OFF);

	erase_right(s, n);
	s->protect = saved;
}
