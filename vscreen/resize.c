/* A window of another size, as xterm keeps what stood there: nothing is wrapped anew. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/change.h"
#include "vscreen/cursor.h"
#include "vscreen/grid.h"
#include "vscreen/mask.h"
#include "vscreen/pen.h"
#include "vscreen/state.h"
#include "vscreen/width.h"
#include "base/banned.h"

/* The left half of a wide character that the window's edge cut: in a window that gets wider it has its
   other half again. */
static bool is_half(const struct vs_screen *s, const struct vs_gcell *c)
{
	uint32_t cp = c->glyph & VS_G_CODE;
	const struct vs_cluster *cl;

	if (c->glyph & (VS_G_WIDE | VS_G_TAIL))
		return false;
	if (c->glyph & VS_G_CLUSTER) {
		cl = vs_intern_get(&s->clusters, cp);
		cp = cl->chars[0];
	}
	return vs_width(cp) == 2;
}

/* Copies a row of the old grid, cut or with blanks behind, to row `to` of the new one. */
static void copy_row(struct vs_screen *s, const struct vs_grid *old, int from, int old_cols,
	struct vs_grid *g, int to)
{
	int n = old_cols < s->cols ? old_cols : s->cols;
	struct vs_gcell *cells = vs_row_of(s, g, to);
	const struct vs_gcell *src = old->cells + (size_t)old->lines[from].at * (size_t)old_cols;

	memcpy(cells, src, (size_t)n * sizeof *cells);
	if (s->cols > n && is_half(s, &cells[n - 1])) {
		cells[n - 1].glyph |= VS_G_WIDE;
		cells[n] = cells[n - 1];
		cells[n].glyph = VS_G_TAIL;
	} else {
		vs_halve(&cells[n - 1]);
	}
	g->lines[to].size = old->lines[from].size;
}

/* A grid of the new size with the old one's rows from `first` on, put at row `at`. */
static void regrid(
	struct vs_screen *s, struct vs_grid *g, int old_rows, int old_cols, int first, int at)
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

/* Lines come back from above into the rows [0, n) that were kept free for them. */
static void bring_back(struct vs_screen *s, int n)
{
	int size;

	for (int r = n - 1; r >= 0; r--) {
		size = vs_saved_lines_pop(&s->saved_lines, vs_row(s, r), s->cols);
		if (size >= 0)
			s->grid->lines[r].size = (uint8_t)size;
	}
}

static void limits_raise(struct vs_screen *s)
{
	uint32_t n = vs_styles_limit(s->rows, s->cols);

	if (n > s->styles.limit)
		s->styles.limit = n;
	n = vs_clusters_limit(s->rows, s->cols);
	if (s->clusters.items && n > s->clusters.limit)
		s->clusters.limit = n;
}

/* All rows count as painted, and from where none of them was before: a row that goes away and
   comes back must not show a number that it had. */
static void shown_resize(struct vs_screen *s, int old_rows)
{
	uint32_t most = 0;

	for (int i = 0; i < old_rows; i++)
		if (s->shown[i].paints > most)
			most = s->shown[i].paints;
	s->shown = b_reallocarray(s->shown, (size_t)s->rows, sizeof *s->shown);
	for (int i = 0; i < s->rows; i++)
		s->shown[i] = (struct vs_shown){ .paints = most + 1 };
	vs_masks_make(s);
}

int vs_screen_resize(struct vs_screen *s, int rows, int cols)
{
	int old_rows = s->rows, old_cols = s->cols, off = 0, back = 0;
	struct vs_grid *hidden = s->grid == &s->main ? &s->alt : &s->main;

	if (rows == 0 && cols == 0) {
		rows = 24;
		cols = 80;
	}
	if (rows < 1 || cols < 1 || rows > VS_ROWS_MAX || cols > VS_COLS_MAX)
		return B_ERANGE;
	if (rows == s->rows && cols == s->cols)
		return 0;
	/* Fewer rows: those at the top go, when the cursor would be below the window. */
	if (s->row >= rows) {
		off = s->row - rows + 1;
		vs_lines_save(s, off);
	} else if (rows > old_rows) {
		back = s->saved_lines.n < rows - old_rows ? s->saved_lines.n : rows - old_rows;
	}
	s->rows = rows;
	s->cols = cols;
	regrid(s, s->grid, old_rows, old_cols, off, back);
	bring_back(s, back);
	regrid(s, hidden, old_rows, old_cols, off, 0);
	shown_resize(s, old_rows);
	if (s->grid == &s->alt)
		s->saved[0].row += back;
	s->row += back - off;
	s->mark_row += back - off; /* a resize is no move of the application's */
	s->mark_col = s->mark_col < cols ? s->mark_col : cols - 1;
	s->col = s->col < cols ? s->col : cols - 1;
	s->wrote_row = s->row;
	s->wrote = false;
	s->modes.origin = false;
	vs_margins_reset(s);
	limits_raise(s);
	vs_shown_reset(s);
	s->seen_row = s->row;
	s->seen_col = s->col;
	return 0;
}
