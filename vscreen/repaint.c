/* The screen as escape sequences, for a person's own terminal. */
#include "base/utf8.h"
#include "vscreen/grid.h"
#include "vscreen/mask.h"
#include "vscreen/pen.h"
#include "vscreen/sgr.h"
#include "vscreen/state.h"
#include "vscreen/width.h"
#include "base/banned.h"

static void put_cell(const struct vs_screen *s, int row, int col, struct b_buf *out)
{
	struct vs_cell cell;
	char utf8[4];

	vs_screen_cell(s, row, col, &cell);
	/* Half a wide character would take the next column too. */
	if (!cell.chars[0] || (cell.width == 1 && vs_width(cell.chars[0]) == 2)) {
		b_buf_addc(out, ' ');
		return;
	}
	for (int i = 0; i < 8 && cell.chars[i]; i++)
		b_buf_add(out, utf8, b_utf8_encode(cell.chars[i], utf8));
}

/* The cells that must be painted on a cleared screen: up to the last that is no plain blank. */
static int row_end(const struct vs_screen *s, int row)
{
	const struct vs_gcell *cells = vs_row(s, row);
	int n = s->cols;

	while (n > 0 && (!cells[n - 1].glyph || cells[n - 1].glyph == ' ') && !cells[n - 1].style)
		n--;
	return n;
}

static void put_style(const struct vs_screen *s, uint16_t number, struct b_buf *out)
{
	b_buf_adds(out, "\033[");
	vs_sgr_format(vs_style_of(s, number), out);
	b_buf_addc(out, 'm');
}

static void paint_row(const struct vs_screen *s, const struct vs_paint *how, int row,
	uint16_t *style, struct b_buf *out)
{
	static const char sizes[] = "5634"; /* ESC # */
	const struct vs_gcell *cells = vs_row(s, row);
	uint64_t bits[VS_MASK_WORDS];
	bool masked = how->n_masks && vs_mask_row(bits, row, s->cols, how->masks, how->n_masks);
	int end = row_end(s, row);

	if (end > how->cols)
		end = how->cols;
	if (!end)
		return;
	b_buf_printf(out, "\033[%d;1H", row + 1);
	for (int c = 0; c < end; c++) {
		/* Half of a wide character that does not fit is nothing, or more than its cell. */
		bool cut = cells[c].glyph & VS_G_WIDE && c + 1 == how->cols && c + 1 < s->cols;

		if (cut || (masked && vs_mask_has(bits, c))) {
			b_buf_addc(out, cut ? ' ' : '*');
			continue;
		}
		if (vs_is_tail(&cells[c]))
			continue;
		if (cells[c].style != *style) {
			*style = cells[c].style;
			put_style(s, *style, out);
		}
		put_cell(s, row, c, out);
		/* The other terminal may think otherwise of the width. */
		if (cells[c].glyph & (VS_G_WIDE | VS_G_CLUSTER) && c + 1 < end)
			b_buf_printf(out, "\033[%d;%dH", row + 1,
				c + (cells[c].glyph & VS_G_WIDE ? 3 : 2));
	}
	if (s->grid->lines[row].size != VS_LINE_SINGLE)
		b_buf_printf(out, "\033#%c", sizes[s->grid->lines[row].size]);
}

static void set(struct b_buf *out, const char *mode, bool on)
{
	b_buf_printf(out, "\033[%s%c", mode, on ? 'h' : 'l');
}

static void paint_keyboard_modes(const struct vs_screen *s, struct b_buf *out)
{
	const struct vs_modes *m = &s->modes;

	set(out, "?1", m->app_cursor);
	b_buf_adds(out, m->app_keypad ? "\033=" : "\033>");
	set(out, "?67", m->backarrow);
	set(out, "20", m->newline);
	set(out, "?2004", m->paste);
	set(out, "?1004", m->focus);
	b_buf_adds(out, "\033[?9;1000;1002;1003;1005;1006;1015;1016l");
	if (m->mouse)
		b_buf_printf(out, "\033[?%dh", m->mouse);
	if (m->mouse_coords)
		b_buf_printf(out, "\033[?%dh", m->mouse_coords);
}

/* Margins move the cursor, so it is set after them. */
static void paint_margins(const struct vs_screen *s, struct b_buf *out)
{
	b_buf_printf(out, "\033[%d;%dr", s->top + 1, s->bottom);
	if (s->modes.lr_margins)
		b_buf_printf(out, "\033[?69h\033[%d;%ds", s->left + 1, s->right);
	set(out, "?6", s->modes.origin);
}

/* How the application writes from here on: nothing of this moves the cursor. */
static void paint_text_modes(const struct vs_screen *s, struct b_buf *out)
{
	static const char g94[] = "()*+", g96[] = " -./";
	static const char *const shifts[] = { "\017", "\016", "\033n", "\033o" };
	const struct vs_modes *m = &s->modes;

	set(out, "?5", m->reverse);
	set(out, "?7", m->wrap);
	set(out, "?45", m->reverse_wrap);
	set(out, "4", m->insert);
	if (s->cursor_shape)
		b_buf_printf(out, "\033[%d q", s->cursor_shape);
	for (int i = 0; i < 4 && !m->national; i++) {
		uint8_t g = s->sets.g[i];

		b_buf_printf(
			out, "\033%c%s", vs_charset_is96(g) ? g96[i] : g94[i], vs_charset_name(g));
	}
	b_buf_adds(out, shifts[s->sets.gl & 3]);
	b_buf_adds(out, "\033[");
	vs_sgr_format(&s->pen, out);
	b_buf_addc(out, 'm');
}

/* The cursor; a pending wrap by writing the last character anew. */
static void paint_cursor(const struct vs_screen *s, bool full, struct b_buf *out)
{
	bool origin = full && s->modes.origin, pending = full && s->wrap_pending;
	int row = s->row - (origin ? s->top : 0), col = s->col - (origin ? s->left : 0);
	const struct vs_gcell *cells = vs_row(s, s->row);

	if (pending && s->col > 0 && vs_is_tail(&cells[s->col]))
		col--;
	b_buf_printf(out, "\033[%d;%dH", row + 1 > 0 ? row + 1 : 1, col + 1 > 0 ? col + 1 : 1);
	if (pending) {
		int at = s->col - (s->col > 0 && vs_is_tail(&cells[s->col]));

		put_style(s, cells[at].style, out);
		put_cell(s, s->row, at, out);
	}
}

static void paint_cells(const struct vs_screen *s, const struct vs_paint *how, struct b_buf *out)
{
	uint16_t style = 0;

	b_buf_adds(out,
		"\033[?25l\033[?7l\033[?6l\033[?69l\033[4l\033[r\033(B\017\033[0m\033[H\033[2J");
	for (int r = 0; r < how->rows; r++)
		paint_row(s, how, r, &style, out);
}

void vs_screen_paint(const struct vs_screen *s, const struct vs_paint *how, struct b_buf *out)
{
	struct vs_paint part = *how;

	if (!part.rows || part.rows > s->rows)
		part.rows = s->rows;
	if (!part.cols || part.cols > s->cols)
		part.cols = s->cols;
	paint_cells(s, &part, out);
	b_buf_adds(out, "\033[0m\033[?7h");
	if (s->row >= part.rows || s->col >= part.cols)
		return;
	paint_cursor(s, false, out);
	if (s->modes.visible)
		b_buf_adds(out, "\033[?25h");
}

static void repaint(const struct vs_screen *s, bool full, const char *over, struct b_buf *out)
{
	if (full)
		set(out, "?1049", s->grid == &s->alt);
	paint_cells(s, &(struct vs_paint){ .rows = s->rows, .cols = s->cols }, out);
	b_buf_adds(out, over);
	b_buf_adds(out, "\033[0m\033[?7h");
	if (full) {
		paint_keyboard_modes(s, out);
		paint_margins(s, out);
	}
	paint_cursor(s, full, out);
	if (full)
		paint_text_modes(s, out);
	if (s->modes.visible)
		b_buf_adds(out, "\033[?25h");
}

void vs_screen_repaint(const struct vs_screen *s, bool full, struct b_buf *out)
{
	repaint(s, full, "", out);
}

void vs_screen_repaint_over(const struct vs_screen *s, const char *over, struct b_buf *out)
{
	repaint(s, true, over, out);
}
