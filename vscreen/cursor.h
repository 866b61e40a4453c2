/*
 * cursor.h - where the cursor goes; margins and tab stops.
 *
 * All moves stop at the margins as xterm's do, and cancel a pending wrap, but for tabs.
 */
#ifndef VSCREEN_CURSOR_H
#define VSCREEN_CURSOR_H

#include "vscreen/state.h"

static inline int vs_left_margin(const struct vs_screen *s)
{
	return s->modes.lr_margins ? s->left : 0;
}

static inline int vs_right_margin(const struct vs_screen *s)
{
	return s->modes.lr_margins ? s->right : s->cols;
}

static inline void vs_wrap_cancel(struct vs_screen *s)
{
	s->wrap_pending = false;
	s->wrote = false;
}

/* Columns of a row, half for lines of double width. */
int vs_line_cols(const struct vs_screen *s, int row);

/* To row, col; from the margins' corner in origin mode. Clipped. */
void vs_cursor_set(struct vs_screen *s, int row, int col);
void vs_cursor_up(struct vs_screen *s, int n);
void vs_cursor_down(struct vs_screen *s, int n);
void vs_cursor_forward(struct vs_screen *s, int n);
void vs_cursor_back(struct vs_screen *s, int n);
void vs_carriage_return(struct vs_screen *s);
void vs_index(struct vs_screen *s);
void vs_reverse_index(struct vs_screen *s);
/* The cursor as vs_cursor_set takes it. */
int vs_cursor_row(const struct vs_screen *s);
int vs_cursor_col(const struct vs_screen *s);
void vs_tab_forward(struct vs_screen *s, int n);
void vs_tab_back(struct vs_screen *s, int n);
void vs_tab_set(struct vs_screen *s, int col, bool on);
void vs_tabs_clear(struct vs_screen *s);
void vs_tabs_reset(struct vs_screen *s);
void vs_margins_reset(struct vs_screen *s);

#endif
