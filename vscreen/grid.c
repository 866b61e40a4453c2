/* The cells: erasing and moving them, with the halves of wide characters kept together. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/grid.h"
#include "vscreen/pen.h"
#include "vscreen/state.h"
#include "base/banned.h"

void vs_grid_init(struct vs_screen *s, struct vs_grid *g)
{
	g->cells = b_calloc((size_t)s->rows * (size_t)s->cols, sizeof *g->cells);
	g->lines = b_calloc((size_t)s->rows, sizeof *g->lines);
	for (int r = 0; r < s->rows; r++)
		g->lines[r].at = (uint16_t)r;
}

void vs_grid_release(struct vs_grid *g)
{
	free(g->cells);
	free(g->lines);
	*g = (struct vs_grid){ 0 };
}

static struct vs_gcell blank_cell(struct vs_screen *s)
{
	vs_pen_ready(s);
	return (struct vs_gcell){ .style = s->blank_number, .stamp = s->stamp };
}

static void fill(struct vs_gcell *cells, int col, int end, struct vs_gcell with)
{
	int n = end - col, done = n < 16 ? n : 16;

	cells += col;
	for (int c = 0; c < done; c++)
		cells[c] = with;
	for (; done < n; done += done)
		memcpy(cells + done, cells,
			(size_t)(n - done < done ? n - done : done) * sizeof with);
}

void vs_seam(struct vs_screen *s, int row, int col)
{
	struct vs_gcell *cells = vs_row(s, row);

	if (col > 0 && col < s->cols && vs_is_tail(&cells[col]))
		fill(cells, col - 1, col + 1, blank_cell(s));
}

void vs_erase(struct vs_screen *s, int row, int col, int end)
{
	if (col >= end)
		return;
	vs_seam(s, row, col);
	vs_seam(s, row, end);
	fill(vs_row(s, row), col, end, blank_cell(s));
	vs_touch(s, row);
}

void vs_erase_rows(struct vs_screen *s, int row, int end)
{
	for (; row < end; row++) {
		fill(vs_row(s, row), 0, s->cols, blank_cell(s));
		s->grid->lines[row].size = VS_LINE_SINGLE;
		vs_touch(s, row);
	}
}

static void lines_reverse(struct vs_line *lines, int from, int to)
{
	struct vs_line swap;

	for (to--; from < to; from++, to--) {
		swap = lines[from];
		lines[from] = lines[to];
		lines[to] = swap;
	}
}

/* Whole rows move by their numbers: n up, as a rotation, then what came round is blanked. */
static void shift_lines(struct vs_screen *s, int top, int bottom, int n)
{
	struct vs_line *lines = s->grid->lines;
	int up = n > 0 ? n : bottom - top + n;

	if (up == 1) {
		struct vs_line first = lines[top];

		memmove(&lines[top], &lines[top + 1], (size_t)(bottom - top - 1) * sizeof *lines);
		lines[bottom - 1] = first;
	} else {
		lines_reverse(lines, top, top + up);
		lines_reverse(lines, top + up, bottom);
		lines_reverse(lines, top, bottom);
	}
	if (n > 0)
		vs_erase_rows(s, bottom - n, bottom);
	else
		vs_erase_rows(s, top, top - n);
}

static void shift_part(struct vs_screen *s, int top, int bottom, int left, int right, int n)
{
	size_t bytes = (size_t)(right - left) * sizeof(struct vs_gcell);

	for (int r = top; r < bottom; r++) {
		vs_seam(s, r, left);
		vs_seam(s, r, right);
	}
	if (n > 0) {
		for (int r = top; r < bottom - n; r++)
			memcpy(vs_row(s, r) + left, vs_row(s, r + n) + left, bytes);
		for (int r = bottom - n; r < bottom; r++)
			vs_erase(s, r, left, right);
	} else {
		for (int r = bottom - 1; r >= top - n; r--)
			memcpy(vs_row(s, r) + left, vs_row(s, r + n) + left, bytes);
		for (int r = top; r < top - n; r++)
			vs_erase(s, r, left, right);
	}
}

void vs_lines_save(struct vs_screen *s, int n)
{
	size_t cap = (size_t)s->rows * (size_t)s->cols;

	cap = cap < 1024 ? 1024 : cap > 65536 ? 65536 : cap;
	for (int r = 0; r < n; r++)
		vs_saved_lines_push(
			&s->saved_lines, cap, vs_row(s, r), s->cols, s->grid->lines[r].size);
}

void vs_shift_rows(struct vs_screen *s, int top, int bottom, int left, int right, int n)
{
	int high = bottom - top;

	n = n > high ? high : n < -high ? -high : n;
	if (!n || left >= right)
		return;
	if (left == 0 && right == s->cols) {
		if (n > 0 && top == 0 && s->grid == &s->main)
			vs_lines_save(s, n);
		shift_lines(s, top, bottom, n);
	} else {
		shift_part(s, top, bottom, left, right, n);
	}
	for (int r = top; r < bottom; r++)
		vs_touch(s, r);
}

void vs_insert_cells(struct vs_screen *s, int row, int col, int right, int n)
{
	struct vs_gcell *cells = vs_row(s, row);

	if (n > right - col)
		n = right - col;
	if (n <= 0)
		return;
	vs_seam(s, row, col);
	if (n == 1 && right == s->cols && vs_is_tail(&cells[right - 1]))
		vs_halve(&cells[right - 2]);
	else
		vs_seam(s, row, right - n);
	vs_seam(s, row, right);
	memmove(cells + col + n, cells + col, (size_t)(right - col - n) * sizeof *cells);
	fill(cells, col, col + n, blank_cell(s));
	vs_touch(s, row);
}

void vs_delete_cells(struct vs_screen *s, int row, int col, int right, int n)
{
	struct vs_gcell *cells = vs_row(s, row);

	if (n > right - col)
		n = right - col;
	if (n <= 0)
		return;
	vs_seam(s, row, col);
	vs_seam(s, row, col + n);
	vs_seam(s, row, right);
	memmove(cells + col, cells + col + n, (size_t)(right - col - n) * sizeof *cells);
	fill(cells, right - n, right, blank_cell(s));
	vs_touch(s, row);
}

void vs_single_lines(struct vs_screen *s)
{
	for (int r = 0; r < s->rows; r++)
		s->grid->lines[r].size = VS_LINE_SINGLE;
}
