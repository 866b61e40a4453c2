/* The public face: making a screen, feeding it, reading what stands there. */
#include "vscreen/screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/answer.h"
#include "vscreen/change.h"
#include "vscreen/cursor.h"
#include "vscreen/grid.h"
#include "vscreen/mask.h"
#include "vscreen/mode.h"
#include "vscreen/pen.h"
#include "vscreen/state.h"
#include "base/banned.h"

int vs_screen_new(struct vs_screen **out, const struct vs_options *opt)
{
	const struct vs_style plain = { .fg = VS_COLOUR_DEFAULT, .bg = VS_COLOUR_DEFAULT };
	int rows = opt->rows, cols = opt->cols;
	const char *term = opt->term ? opt->term : "xterm-256color";
	struct vs_screen *s;

	if (rows == 0 && cols == 0) {
		rows = 24;
		cols = 80;
	}
	if (rows < 1 || cols < 1 || rows > VS_ROWS_MAX || cols > VS_COLS_MAX)
		return B_ERANGE;
	s = b_calloc(1, sizeof *s);
	s->rows = rows;
	s->cols = cols;
	s->term = vs_term_find(term);
	s->term_name = b_strdup(term);
	s->answer = opt->answer;
	s->answer_user = opt->answer_user;
	s->eight_bit = opt->eight_bit;
	s->level = 4;
	s->stamp = 1;
	s->pen = plain;
	s->sets.gr = 2;
	vs_intern_init(&s->styles, sizeof s->pen, 16, vs_styles_limit(rows, cols), &plain);
	vs_modes_init(&s->modes);
	vs_tabs_reset(s);
	vs_margins_reset(s);
	vs_grid_init(s, &s->main);
	s->grid = &s->main;
	s->shown = b_calloc((size_t)rows, sizeof *s->shown);
	s->seen_visible = true;
	vs_shown_reset(s);
	vs_guard_init(s);
	*out = s;
	return 0;
}

void vs_screen_free(struct vs_screen *s)
{
	if (!s)
		return;
	vs_guard_release(&s->guard);
	vs_grid_release(&s->main);
	vs_grid_release(&s->alt);
	vs_intern_release(&s->styles);
	vs_intern_release(&s->clusters);
	vs_saved_lines_release(&s->saved_lines);
	vs_titles_release(s);
	free(s->shown);
	free(s->pushed);
	free(s->modes_saved);
	free(s->masks);
	free(s->mask_bits);
	free(s->term_name);
	b_buf_release(&s->title);
	b_buf_release(&s->icon_title);
	b_buf_release(&s->unanswered);
	b_buf_release(&s->printed);
	free(s);
}

bool vs_screen_feed(struct vs_screen *s, const char *bytes, size_t len)
{
	bool changed;

	s->shows = s->feed_changed = false;
	vs_guard_feed(s, bytes, len);
	changed = vs_shown_differs(s);
	if (s->modes.sync) {
		s->held |= changed;
	} else {
		s->shows |= changed || s->held;
		s->held = false;
	}
	changed |= s->feed_changed;
	s->changes += changed;
	return changed;
}

bool vs_screen_shows(const struct vs_screen *s)
{
	return s->shows;
}

bool vs_screen_show(struct vs_screen *s)
{
	bool held = s->held;

	s->held = false;
	return held;
}

uint32_t vs_screen_updates(const struct vs_screen *s)
{
	return s->updates;
}

/* ---- Since the last input ------------------------------------------------------------------- */

/* The stamps are 16 bits: before they come round, all that is old is made equally old. */
static void stamps_restart(struct vs_screen *s, struct vs_grid *g)
{
	size_t n = (size_t)s->rows * (size_t)s->cols;

	for (size_t i = 0; g->cells && i < n; i++)
		g->cells[i].stamp = 0;
}

void vs_screen_input_mark(struct vs_screen *s)
{
	if (s->stamp == UINT16_MAX) {
		stamps_restart(s, &s->main);
		stamps_restart(s, &s->alt);
		s->stamp = 0;
	}
	s->stamp++;
	s->mark_row = s->row;
	s->mark_col = s->col;
	s->cursor_moved = false;
}

bool vs_screen_painted(const struct vs_screen *s, int row, int col, int rows, int cols)
{
	int row_end, col_end;

	if (row < 0) {
		rows += row;
		row = 0;
	}
	if (col < 0) {
		cols += col;
		col = 0;
	}
	row_end = rows < s->rows - row ? row + rows : s->rows;
	col_end = cols < s->cols - col ? col + cols : s->cols;
	for (; row < row_end; row++)
		for (int c = col; c < col_end; c++)
			if (vs_row(s, row)[c].stamp == s->stamp)
				return true;
	return false;
}

bool vs_screen_cursor_moved(const struct vs_screen *s)
{
	return s->cursor_moved;
}

uint64_t vs_screen_changes(const struct vs_screen *s)
{
	return s->changes;
}

uint32_t vs_screen_row_paints(const struct vs_screen *s, int row)
{
	return s->shown[row].paints;
}

unsigned vs_screen_midway(const struct vs_screen *s)
{
	return (vs_guard_midway(&s->guard) ? (unsigned)VS_MID_SEQUENCE : 0u) |
		(s->modes.sync ? (unsigned)VS_MID_UPDATE : 0u);
}

void vs_screen_masks_set(struct vs_screen *s, const struct vs_rect *rects, size_t n)
{
	free(s->masks);
	s->masks = NULL;
	s->n_masks = n;
	if (n) {
		s->masks = b_reallocarray(NULL, n, sizeof *rects);
		memcpy(s->masks, rects, n * sizeof *rects);
	}
	vs_masks_make(s);
	vs_shown_reset(s);
}

/* ---- What stands there ---------------------------------------------------------------------- */

int vs_screen_rows(const struct vs_screen *s)
{
	return s->rows;
}

int vs_screen_cols(const struct vs_screen *s)
{
	return s->cols;
}

/* The characters of a cell that is no right half; returns how many. */
static int cell_chars(const struct vs_screen *s, const struct vs_gcell *c, uint32_t out[8])
{
	const struct vs_cluster *cl;
	int n = 0;

	if (!(c->glyph & VS_G_CLUSTER)) {
		out[0] = c->glyph & VS_G_CODE;
		return out[0] ? 1 : 0;
	}
	cl = vs_intern_get(&s->clusters, c->glyph & VS_G_CODE);
	while (n <= VS_MARKS_MAX && cl->chars[n]) {
		out[n] = cl->chars[n];
		n++;
	}
	return n;
}

void vs_screen_cell(const struct vs_screen *s, int row, int col, struct vs_cell *out)
{
	const struct vs_gcell *c = vs_row(s, row) + col;
	const struct vs_style *style = vs_style_of(s, c->style);

	*out = (struct vs_cell){
		.width = vs_is_tail(c)         ? 0
			: c->glyph & VS_G_WIDE ? 2
					       : 1,
		.underline = (uint8_t)style->underline,
		.attrs = style->attrs,
		.fg = style->fg,
		.bg = style->bg,
	};
	if (out->width)
		cell_chars(s, c, out->chars);
}

/* Appends cells from c on as long as they are ASCII or blank, which nearly all are; returns the
   first that is not. */
static int plain_text(const struct vs_gcell *cells, int c, int end, struct b_buf *out)
{
	char *to;

	b_buf_reserve(out, (size_t)(end - c));
	to = out->data + out->len;
	for (; c < end && cells[c].glyph < 0x80; c++)
		*to++ = cells[c].glyph ? (char)cells[c].glyph : ' ';
	*to = 0;
	out->len = (size_t)(to - out->data);
	return c;
}

void vs_screen_text(const struct vs_screen *s, int row, int col, int cols, struct b_buf *out)
{
	const struct vs_gcell *cells = vs_row(s, row);
	int end = cols < s->cols - col ? col + cols : s->cols;
	uint32_t chars[8];
	char utf8[4];
	int n;

	for (int c = col; c < end; c++) {
		c = plain_text(cells, c, end, out);
		if (c == end)
			break;
		if (vs_is_tail(&cells[c]) || (cells[c].glyph & VS_G_WIDE && c + 1 >= end)) {
			if (c == col || !vs_is_tail(&cells[c]))
				b_buf_addc(out, ' ');
			continue;
		}
		n = cell_chars(s, &cells[c], chars);
		if (!n)
			b_buf_addc(out, ' ');
		for (int i = 0; i < n; i++)
			b_buf_add(out, utf8, b_utf8_encode(chars[i], utf8));
	}
}

void vs_screen_row(const struct vs_screen *s, int row, struct b_buf *out)
{
	size_t from = out->len;

	vs_screen_text(s, row, 0, s->cols, out);
	while (out->len > from && out->data[out->len - 1] == ' ')
		b_buf_truncate(out, out->len - 1);
}

void vs_screen_row_attrs(const struct vs_screen *s, int row, struct b_buf *out)
{
	static const char letters[8] = { '.', 'b', 'u', 'B', 'r', 'R', 'x', 'X' };
	const struct vs_gcell *cells = vs_row(s, row);

	for (int c = 0; c < s->cols; c++) {
		uint16_t a = vs_style_of(s, cells[c].style)->attrs;

		b_buf_addc(out,
			letters[(a & VS_BOLD ? 1 : 0) | (a & VS_UNDERLINE ? 2 : 0) |
				(a & VS_REVERSE ? 4 : 0)]);
	}
}

void vs_screen_cursor(const struct vs_screen *s, int *row, int *col)
{
	*row = s->row;
	*col = s->col;
}

bool vs_screen_cursor_visible(const struct vs_screen *s)
{
	return s->modes.visible;
}

unsigned vs_screen_modes(const struct vs_screen *s)
{
	const struct vs_modes *m = &s->modes;
	unsigned bits = 0;

	bits |= m->app_cursor ? VS_MODE_APP_CURSOR : 0u;
	bits |= m->app_keypad ? VS_MODE_APP_KEYPAD : 0u;
	bits |= m->paste ? VS_MODE_PASTE : 0u;
	bits |= m->focus ? VS_MODE_FOCUS : 0u;
	bits |= m->mouse == 9 ? VS_MODE_MOUSE_X10 : 0u;
	bits |= m->mouse == 1000 || m->mouse == 1001 ? VS_MODE_MOUSE_CLICK : 0u;
	bits |= m->mouse == 1002 ? VS_MODE_MOUSE_DRAG : 0u;
	bits |= m->mouse == 1003 ? VS_MODE_MOUSE_ANY : 0u;
	bits |= m->mouse_coords == 1005 ? VS_MODE_MOUSE_UTF8 : 0u;
	bits |= m->mouse_coords == 1006 ? VS_MODE_MOUSE_SGR : 0u;
	bits |= m->mouse_coords == 1015 ? VS_MODE_MOUSE_URXVT : 0u;
	bits |= m->mouse_coords == 1016 ? VS_MODE_MOUSE_PIXELS : 0u;
	bits |= m->newline ? VS_MODE_NEWLINE : 0u;
	bits |= m->insert ? VS_MODE_INSERT : 0u;
	bits |= m->origin ? VS_MODE_ORIGIN : 0u;
	bits |= m->wrap ? VS_MODE_WRAP : 0u;
	bits |= m->reverse ? VS_MODE_REVERSE : 0u;
	bits |= s->grid == &s->alt ? VS_MODE_ALT : 0u;
	bits |= m->sync ? VS_MODE_SYNC : 0u;
	bits |= m->backarrow ? VS_MODE_BACKARROW : 0u;
	return bits;
}

const char *vs_screen_title(const struct vs_screen *s)
{
	return s->title.data ? s->title.data : "";
}

uint64_t vs_screen_bells(const struct vs_screen *s)
{
	return s->bells;
}

const char *vs_screen_unanswered(const struct vs_screen *s)
{
	return s->unanswered.data ? s->unanswered.data : "";
}

void vs_screen_print_take(struct vs_screen *s, struct b_buf *out)
{
	b_buf_add(out, s->printed.data, s->printed.len);
	b_buf_release(&s->printed);
}

static size_t grid_memory(const struct vs_screen *s, const struct vs_grid *g)
{
	return g->cells ? (size_t)s->rows * ((size_t)s->cols * sizeof *g->cells + sizeof *g->lines)
			: 0;
}

size_t vs_screen_memory(const struct vs_screen *s)
{
	return sizeof *s + grid_memory(s, &s->main) + grid_memory(s, &s->alt) +
		(size_t)s->rows * sizeof *s->shown + vs_intern_memory(&s->styles) +
		vs_intern_memory(&s->clusters) + vs_saved_lines_memory(&s->saved_lines) +
		s->n_masks * sizeof *s->masks +
		(s->mask_bits ? (size_t)s->rows * (size_t)((s->cols + 63) / 64) * 8 : 0) +
		s->title.cap + s->icon_title.cap + s->unanswered.cap + s->printed.cap +
		(s->pushed ? VS_PUSHED_MAX * sizeof *s->pushed : 0) +
		(s->modes_saved ? sizeof *s->modes_saved : 0) + vs_guard_memory(&s->guard);
}
