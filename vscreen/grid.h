/*
 * grid.h - the cells: erasing and moving them.
 *
 * Keeps the halves of wide characters together and marks rows as touched. Knows no cursor, no
 * margins and no modes: whoever calls gives ranges, which lie on the screen.
 */
#ifndef VSCREEN_GRID_H
#define VSCREEN_GRID_H

#include "vscreen/state.h"

void vs_grid_init(struct vs_screen *s, struct vs_grid *g);
void vs_grid_release(struct vs_grid *g);

/* Before cells on one side of column col alone change: a wide character that straddles the
   line in front of col is erased whole. 0 <= col <= cols. */
void vs_seam(struct vs_screen *s, int row, int col);

/* Erases cells [col, end): blank, with the pen's colours, stamped. Halves go whole. */
void vs_erase(struct vs_screen *s, int row, int col, int end);

/* Erases whole rows [row, end), and makes them single-sized. */
void vs_erase_rows(struct vs_screen *s, int row, int end);

/* Moves rows [top, bottom) within columns [left, right) by n: up when n > 0. What comes in is
   blank. Rows that leave the main screen at its top are saved. */
void vs_shift_rows(struct vs_screen *s, int top, int bottom, int left, int right, int n);

/* Saves rows [0, n) before they go. */
void vs_lines_save(struct vs_screen *s, int n);

/* Within [col, right) of a row: inserts n blanks, or deletes n cells. */
void vs_insert_cells(struct vs_screen *s, int row, int col, int right, int n);
void vs_delete_cells(struct vs_screen *s, int row, int col, int right, int n);

/* Makes all lines single-sized again. */
void vs_single_lines(struct vs_screen *s);

#endif
