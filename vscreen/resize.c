/* A window of another size: rows go to and come from the saved lines, columns are cut. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/state.h"
#include "base/banned.h"

/* Copies row `from` of the old grid, `cols` wide, to row `to` of the new one. */
static void copy_row(struct vs_screen *s, const struct vs_grid *old, int from, int old_cols,
	struct vs_grid *g, int to)
{
	int n = old_cols < s->cols ? old_cols : s->cols;
	struct vs_gcell *cells = vs_row_of(s, g, to);
	const struct vs_gcell *src = old->cells + (size_t)old->lines[from].at * (size_t)old_cols;

	memcpy(cells, src, (size_t)n * sizeof *cells);
	if (n < old_cols && n > 0 && vs_is_tail(&src[n]))
		cells[n - 1].glyph = 0;
	g->lines[to].size = old->lines[from].size;
	g->lines[to].wrapped = old->lines[from].wrapped;
}

/* A grid of the new size with the old one's rows from `first` on. */
static void regrid(struct vs_screen *s, struct vs_grid *g, int old_rows, int old_cols, int first, int at)
{
	struct vs_grid old = *g;

	if (!old.cells)
		return;
	vs_grid_init(s, g);
	for (int r = 0; first + r < old_rows && at + r < s->rows; r++)
		copy_row(s, &old, first + r, old_cols, g, at + r);
	free(old.cells);
	free(old.lines);
}

int vs_screen_resize(struct vs_screen *s, int rows, int cols)
{
	int old_rows = s->rows, old_cols = s->cols, first = 0, i;
	struct vs_grid *hidden = s->grid == &s->main ? &s->alt : &s->main;

	if (rows == 0 && cols == 0) {
		rows = 24;
		cols = 80;
	}
	if (rows < 1 || cols < 1 || rows > VS_ROWS_MAX || cols > VS_COLS_MAX)
		return B_ERANGE;
	if (rows == s->rows && cols == s->cols)
		return 0;
	/* The rows above the cursor's last possible row go off at the top. */
	if (rows < old_rows && s->row >= rows)
		first = s->row - rows + 1;
	s->rows = rows;
	s->cols = cols;
	regrid(s, s->grid, old_rows, old_cols, first, 0);
	regrid(s, hidden, old_rows, old_cols, 0, 0);
	s->shown = b_reallocarray(s->shown, (size_t)rows, sizeof *s->shown);
	for (i = old_rows; i < rows; i++)
		s->shown[i] = (struct vs_shown){ 0 };
	for (i = 0; i < rows; i++)
		s->shown[i].paints++;
	s->row -= first;
	if (s->row > rows - 1)
		s->row = rows - 1;
	if (s->col > cols - 1)
		s->col = cols - 1;
	vs_margins_reset(s);
	vs_shown_reset(s);
	return 0;
}
