/* Rectangles: DECCRA, DECFRA, DECERA, DECSERA, DECCARA, DECRARA, and their checksum. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/grid.h"
#include "vscreen/pen.h"
#include "vscreen/rect.h"
#include "vscreen/state.h"
#include "vscreen/width.h"
#include "base/banned.h"

struct rect {
	int top, left, bottom, right; /* half open */
};

static int limited(int v, int origin, int most)
{
	v += origin;
	return v < 1 ? 1 : v > most ? most : v;
}

/* Arguments i.. as a rectangle, from the margins' corner in origin mode. False: none. */
static bool parse_rect(const struct vs_screen *s, const struct vs_args *a, int i, struct rect *r)
{
	int row0 = s->modes.origin ? s->top : 0, col0 = s->modes.origin ? s->left : 0;
	int max_row = s->modes.origin ? s->bottom : s->rows;
	int max_col = s->modes.origin ? s->right : s->cols;
	int top = vs_arg(a, i, 0), left = vs_arg(a, i + 1, 0);
	int bottom = vs_arg(a, i + 2, 0), right = vs_arg(a, i + 3, 0);

	r->top = limited(top > 0 ? top : 1, row0, max_row + 1) - 1;
	r->left = limited(left > 0 ? left : 1, col0, max_col + 1) - 1;
	r->bottom = limited(bottom > 0 ? bottom : max_row, bottom > 0 ? row0 : 0, max_row);
	r->right = limited(right > 0 ? right : max_col, right > 0 ? col0 : 0, max_col);
	return r->top < r->bottom && r->left < r->right;
}

static void seams(struct vs_screen *s, const struct rect *r)
{
	for (int row = r->top; row < r->bottom; row++) {
		vs_seam(s, row, r->left);
		vs_seam(s, row, r->right);
		vs_touch(s, row);
	}
}

static void fill(struct vs_screen *s, const struct rect *r, uint32_t cp)
{
	bool wide = vs_width(cp) == 2;
	struct vs_style style = s->pen;
	uint16_t number;

	style.attrs &= (uint16_t)~VS_CONCEAL; /* as in change_style */
	number = vs_style_number(s, &style);
	seams(s, r);
	for (int row = r->top; row < r->bottom; row++) {
		struct vs_gcell *cells = vs_row(s, row);

		for (int c = r->left; c < r->right; c++) {
			cells[c] = (struct vs_gcell){ cp, number, s->stamp };
			if (wide && c + 1 < r->right) {
				cells[c].glyph |= VS_G_WIDE;
				cells[++c] = (struct vs_gcell){ VS_G_TAIL, number, s->stamp };
			} else if (wide) {
				cells[c].glyph = 0;
			}
		}
	}
}

static void wipe(struct vs_screen *s, const struct rect *r)
{
	seams(s, r);
	for (int row = r->top; row < r->bottom; row++) {
		struct vs_gcell *cells = vs_row(s, row);

		for (int c = r->left; c < r->right; c++) {
			if (s->protect == VS_PROTECT_DEC &&
				vs_style_of(s, cells[c].style)->attrs & VS_PROTECTED)
				continue;
			cells[c].glyph = 0;
			cells[c].stamp = s->stamp;
		}
		/* A half that was protected alone cannot stand alone. */
		for (int c = r->left; c < r->right; c++)
			if (vs_is_tail(&cells[c]) && (c == 0 || !(cells[c - 1].glyph & VS_G_WIDE)))
				cells[c].glyph = 0;
			else if (cells[c].glyph & VS_G_WIDE &&
				(c + 1 >= s->cols || !vs_is_tail(&cells[c + 1])))
				cells[c].glyph = 0;
	}
}

static void copy(struct vs_screen *s, const struct rect *from, int top, int left)
{
	int high = from->bottom - from->top, wide = from->right - from->left;
	struct vs_gcell *cells = b_reallocarray(NULL, (size_t)high * (size_t)wide, sizeof *cells);
	struct rect to = { top, left, top + high, left + wide };

	for (int r = 0; r < high; r++) {
		struct vs_gcell *line = cells + (size_t)r * (size_t)wide;

		memcpy(line, vs_row(s, from->top + r) + from->left, (size_t)wide * sizeof *line);
	}
	if (to.bottom > s->rows)
		to.bottom = s->rows;
	if (to.right > s->cols)
		to.right = s->cols;
	seams(s, &to);
	for (int r = to.top; r < to.bottom; r++) {
		const struct vs_gcell *line = cells + (size_t)(r - to.top) * (size_t)wide;
		struct vs_gcell *row = vs_row(s, r);
		int n = to.right - to.left;

		memcpy(row + to.left, line, (size_t)n * sizeof *line);
		for (int c = to.left; c < to.right; c++)
			row[c].stamp = s->stamp;
		if (vs_is_tail(&row[to.left]))
			row[to.left].glyph = 0;
		if (row[to.right - 1].glyph & VS_G_WIDE)
			row[to.right - 1].glyph = 0;
	}
	free(cells);
}

/* As xterm, which writes blanks for concealed text, text that stands there is not concealed. */
static void change_style(struct vs_style *style, const struct vs_args *a, bool reverse)
{
	static const struct {
		int op;
		uint16_t attr;
	} ops[] = { { 1, VS_BOLD }, { 4, VS_UNDERLINE }, { 5, VS_BLINK }, { 7, VS_REVERSE } };
	uint16_t was = style->attrs;

	for (int i = 4; i < a->n; i++) {
		int op = a->v[i];

		if (op == 0 && !reverse)
			style->attrs &=
				(uint16_t) ~(VS_BOLD | VS_UNDERLINE | VS_BLINK | VS_REVERSE);
		for (size_t k = 0; k < B_ARRAY_LEN(ops); k++) {
			if (op == ops[k].op)
				style->attrs = reverse ? style->attrs ^ ops[k].attr
						       : style->attrs | ops[k].attr;
			else if (!reverse && op == (ops[k].op == 1 ? 22 : 20 + ops[k].op))
				style->attrs &= (uint16_t)~ops[k].attr;
		}
	}
	if ((style->attrs ^ was) & VS_UNDERLINE)
		style->underline = style->attrs & VS_UNDERLINE ? 1 : 0;
}

static void change(struct vs_screen *s, const struct rect *r, const struct vs_args *a, bool reverse)
{
	bool exact = s->rect_extent == 2;
	int col0 = s->modes.origin ? s->left : 0, col1 = s->modes.origin ? s->right : s->cols;

	for (int row = r->top; row < r->bottom; row++) {
		struct vs_gcell *cells = vs_row(s, row);
		int from = exact || row == r->top ? r->left : col0;
		int to = exact || row == r->bottom - 1 ? r->right : col1;

		for (int c = from; c < to; c++) {
			struct vs_style style = *vs_style_of(s, cells[c].style);

			change_style(&style, a, reverse);
			cells[c].style = vs_style_number(s, &style);
			cells[c].stamp = s->stamp;
		}
		/* A wide character looks one way: as its left half. */
		for (int c = from; c <= to && c < s->cols; c++)
			if (vs_is_tail(&cells[c]))
				cells[c].style = cells[c - 1].style;
		vs_touch(s, row);
	}
}

void vs_rectangle(struct vs_screen *s, enum vs_rect_op op, const struct vs_args *a)
{
	struct rect r, to;
	struct vs_args corner;
	int cp;

	switch (op) {
	case VS_RECT_COPY:
		if (!parse_rect(s, a, 0, &r))
			return;
		corner = (struct vs_args){ .n = 2, .v = { vs_arg(a, 5, 0), vs_arg(a, 6, 0) } };
		if (parse_rect(s, &corner, 0, &to))
			copy(s, &r, to.top, to.left);
		break;
	case VS_RECT_FILL:
		cp = vs_arg(a, 0, 0);
		if ((cp >= 0xD800 && cp <= 0xDFFF) || cp >= 0xFFFE) /* no characters */
			cp = B_UTF8_REPLACEMENT;
		if (vs_width((uint32_t)cp) > 0 && parse_rect(s, a, 1, &r))
			fill(s, &r, (uint32_t)cp);
		break;
	case VS_RECT_ERASE:
		if (parse_rect(s, a, 0, &r))
			fill(s, &r, ' ');
		break;
	case VS_RECT_WIPE:
		if (parse_rect(s, a, 0, &r))
			wipe(s, &r);
		break;
	case VS_RECT_CHANGE:
	case VS_RECT_REVERSE:
		if (parse_rect(s, a, 0, &r))
			change(s, &r, a, op == VS_RECT_REVERSE);
		break;
	}
}

void vs_rect_common(const struct vs_screen *s, const struct vs_args *a, struct vs_style *out)
{
	struct rect r;
	bool first = true;

	*out = (struct vs_style){ .fg = VS_COLOUR_DEFAULT, .bg = VS_COLOUR_DEFAULT };
	if (!parse_rect(s, a, 0, &r))
		return;
	for (int row = r.top; row < r.bottom; row++) {
		const struct vs_gcell *cells = vs_row(s, row);

		for (int c = r.left; c < r.right; c++) {
			const struct vs_style *st = vs_style_of(s, cells[c].style);

			if (first) {
				*out = *st;
				first = false;
				continue;
			}
			out->attrs &= st->attrs;
			if (out->fg != st->fg)
				out->fg = VS_COLOUR_DEFAULT;
			if (out->bg != st->bg)
				out->bg = VS_COLOUR_DEFAULT;
			if (out->underline != st->underline)
				out->underline = 0;
		}
	}
}

unsigned vs_checksum(const struct vs_screen *s, const struct vs_args *a)
{
	struct rect r;
	unsigned total = 0;
	bool first = true;

	if (!parse_rect(s, a, 2, &r))
		return 0;
	for (int row = r.top; row < r.bottom; row++) {
		const struct vs_gcell *cells = vs_row(s, row);

		for (int c = r.left; c < r.right; c++) {
			uint16_t attrs = vs_style_of(s, cells[c].style)->attrs;
			uint32_t cp = cells[c].glyph & VS_G_CODE;
			unsigned ch = cells[c].glyph & (VS_G_CLUSTER | VS_G_TAIL) || !cp
				? ' '
				: cp & 0xFF;

			ch += (attrs & VS_UNDERLINE ? 0x10u : 0) +
				(attrs & VS_REVERSE ? 0x20u : 0) + (attrs & VS_BLINK ? 0x40u : 0) +
				(attrs & VS_BOLD ? 0x80u : 0);
			/* As xterm, blanks do not count but for the first cell of all. */
			if (first || ch != ' ')
				total += ch;
			first = false;
		}
	}
	return -total & 0xFFFF;
}
