#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/steps.h"
#include "base/banned.h"

static void cell_take(const struct vs_screen *s, int row, int col, struct cap_cell *out)
{
	struct vs_cell c;
	size_t n = 0;

	vs_screen_cell(s, row, col, &c);
	/* memset, so that rows can be compared as bytes. */
	memset(out, 0, sizeof *out);
	out->attrs = c.attrs;
	out->width = c.width;
	out->fg = c.fg;
	out->bg = c.bg;
	while (n < B_ARRAY_LEN(c.chars) && c.chars[n]) {
		if (n < CAP_CELL_CHARS)
			out->ch[n] = c.chars[n];
		n++;
	}
	out->odd = n > CAP_CELL_CHARS;
	if (n == 1 && out->ch[0] == ' ')
		out->ch[0] = 0;
}

static struct cap_row *row_take(const struct vs_screen *s, int row, int cols)
{
	struct cap_row *r = b_calloc(1, sizeof *r + (size_t)cols * sizeof r->cell[0]);

	r->refs = 1;
	r->cols = cols;
	for (int c = 0; c < cols; c++)
		cell_take(s, row, c, &r->cell[c]);
	return r;
}

static bool row_equal(const struct cap_row *a, const struct cap_row *b)
{
	return a->cols == b->cols && !memcmp(a->cell, b->cell, (size_t)a->cols * sizeof a->cell[0]);
}

struct cap_frame *cap_frame_take(const struct vs_screen *s, const struct cap_frame *like)
{
	struct cap_frame *f = b_calloc(1, sizeof *f);

	f->refs = 1;
	f->rows = vs_screen_rows(s);
	f->cols = vs_screen_cols(s);
	f->row = b_calloc((size_t)f->rows, sizeof *f->row);
	for (int r = 0; r < f->rows; r++) {
		struct cap_row *row = row_take(s, r, f->cols);

		if (like && r < like->rows && row_equal(row, like->row[r])) {
			free(row);
			row = like->row[r];
			row->refs++;
		}
		f->row[r] = row;
	}
	vs_screen_cursor(s, &f->cur_row, &f->cur_col);
	f->cur_visible = vs_screen_cursor_visible(s);
	f->modes = vs_screen_modes(s);
	return f;
}

struct cap_frame *cap_frame_ref(struct cap_frame *f)
{
	f->refs++;
	return f;
}

void cap_frame_free(struct cap_frame *f)
{
	if (!f || --f->refs)
		return;
	for (int r = 0; r < f->rows; r++)
		if (!--f->row[r]->refs)
			free(f->row[r]);
	free(f->row);
	free(f);
}

static const struct cap_cell *cell_at(const struct cap_frame *f, int row, int col)
{
	static const struct cap_cell blank = { .width = 1 };

	if (row < 0 || row >= f->rows || col < 0 || col >= f->cols)
		return &blank;
	return &f->row[row]->cell[col];
}

uint32_t cap_frame_char(const struct cap_frame *f, int row, int col)
{
	const struct cap_cell *c = cell_at(f, row, col);

	if (!c->width)
		return 0;
	return c->ch[0] ? c->ch[0] : ' ';
}

bool cap_frame_same_text(const struct cap_frame *a, const struct cap_frame *b, int row, int col)
{
	const struct cap_cell *x = cell_at(a, row, col), *y = cell_at(b, row, col);

	return x->width == y->width && !memcmp(x->ch, y->ch, sizeof x->ch);
}

bool cap_frame_same_look(const struct cap_frame *a, const struct cap_frame *b, int row, int col)
{
	return !memcmp(cell_at(a, row, col), cell_at(b, row, col), sizeof(struct cap_cell));
}

bool cap_frame_same_row(const struct cap_frame *a, const struct cap_frame *b, int row)
{
	if (row >= a->rows || row >= b->rows)
		return false;
	return a->row[row] == b->row[row] || row_equal(a->row[row], b->row[row]);
}

void cap_frame_text(const struct cap_frame *f, int row, int col, int end, struct b_buf *out)
{
	char utf8[4];

	for (int c = col; c < end; c++) {
		const struct cap_cell *cell = cell_at(f, row, c);

		if (!cell->width)
			continue;
		if (!cell->ch[0])
			b_buf_addc(out, ' ');
		for (size_t i = 0; i < CAP_CELL_CHARS && cell->ch[i]; i++)
			b_buf_add(out, utf8, b_utf8_encode(cell->ch[i], utf8));
	}
}

int cap_frame_row_end(const struct cap_frame *f, int row)
{
	int c = f->cols;

	while (c > 0 && cap_frame_char(f, row, c - 1) == ' ')
		c--;
	return c;
}
