#include "report/screen.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/width.h"
#include "base/banned.h"

#define MAX_ROWS 200
#define MAX_COLS 400
#define MAX_ARGS 16

enum { BOLD = 1, FAINT = 2, ITALIC = 4, UNDERLINE = 8, REVERSE = 16, CONCEAL = 32, STRIKE = 64 };

#define DEFAULT 0xFFFFFFFFu

struct style {
	uint32_t fg, bg; /* 0xRRGGBB or DEFAULT */
	unsigned attrs;
};

struct cell {
	uint32_t cp;   /* 0: blank */
	uint32_t mark; /* one combining character, or 0 */
	bool half;     /* the right half of a wide one */
	struct style style;
};

struct grid {
	struct cell *cells; /* MAX_ROWS x MAX_COLS */
	int rows, cols;     /* that were touched */
	int row, col;
	struct style pen;
};

/* The colours that xterm starts with. */
static uint32_t palette(unsigned n)
{
	static const uint32_t first[16] = { 0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x3B78FF,
		0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x7AA6FF,
		0xFF00FF, 0x00FFFF, 0xFFFFFF };
	static const unsigned steps[6] = { 0, 95, 135, 175, 215, 255 };

	if (n < 16)
		return first[n];
	if (n >= 232)
		return (8 + 10 * (n - 232)) * 0x010101u;
	n -= 16;
	return steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6];
}

/* ---- Painting ------------------------------------------------------------------------------ */

static struct cell *at(struct grid *g, int row, int col)
{
	return &g->cells[row * MAX_COLS + col];
}

static void touch(struct grid *g)
{
	if (g->row >= g->rows)
		g->rows = g->row + 1;
	if (g->col >= g->cols)
		g->cols = g->col + 1;
}

static void put(struct grid *g, uint32_t cp)
{
	int width = rp_width(cp);
	int before = g->col - 1;

	if (!width) {
		if (before >= 0 && at(g, g->row, before)->half)
			before--;
		if (before >= 0)
			at(g, g->row, before)->mark = cp;
		return;
	}
	if (g->col + width > MAX_COLS)
		return;
	*at(g, g->row, g->col) = (struct cell){ cp, 0, false, g->pen };
	touch(g);
	g->col++;
	if (width == 2) {
		*at(g, g->row, g->col) = (struct cell){ 0, 0, true, g->pen };
		touch(g);
		g->col++;
	}
	if (g->col >= MAX_COLS)
		g->col = MAX_COLS - 1;
}

static void erase(struct grid *g, int row, int from, int to)
{
	for (int c = from; c < to; c++)
		*at(g, row, c) = (struct cell){ .style = { DEFAULT, g->pen.bg, 0 } };
}

static void erase_display(struct grid *g, int how)
{
	for (int r = 0; r < MAX_ROWS; r++) {
		if ((how == 0 && r > g->row) || (how == 1 && r < g->row) || how >= 2)
			erase(g, r, 0, MAX_COLS);
	}
	if (how == 0)
		erase(g, g->row, g->col, MAX_COLS);
	else if (how == 1)
		erase(g, g->row, 0, g->col + 1);
}

/* 38;5;N and 38;2;R;G;B from args[*i] on; *i ends on the last one used. */
static uint32_t extended(const int *args, int n, int *i)
{
	if (*i + 2 < n && args[*i + 1] == 5) {
		*i += 2;
		return palette((unsigned)args[*i] & 255);
	}
	if (*i + 4 < n && args[*i + 1] == 2) {
		*i += 4;
		return ((uint32_t)args[*i - 2] & 255) << 16 | ((uint32_t)args[*i - 1] & 255) << 8 |
			((uint32_t)args[*i] & 255);
	}
	return DEFAULT;
}

static void select_style(struct style *s, const int *args, int n)
{
	static const unsigned on[10] = { 0, BOLD, FAINT, ITALIC, UNDERLINE, 0, 0, REVERSE, CONCEAL,
		STRIKE };
	static const unsigned off[10] = { 0, 0, BOLD | FAINT, ITALIC, UNDERLINE, 0, 0, REVERSE,
		CONCEAL, STRIKE };

	for (int i = 0; i < n; i++) {
		int a = args[i];

		if (a == 0)
			*s = (struct style){ DEFAULT, DEFAULT, 0 };
		else if (a < 10)
			s->attrs |= on[a];
		else if (a >= 20 && a < 30)
			s->attrs &= ~off[a - 20];
		else if (a >= 30 && a < 38)
			s->fg = palette((unsigned)(a - 30));
		else if (a == 38)
			s->fg = extended(args, n, &i);
		else if (a == 39)
			s->fg = DEFAULT;
		else if (a >= 40 && a < 48)
			s->bg = palette((unsigned)(a - 40));
		else if (a == 48)
			s->bg = extended(args, n, &i);
		else if (a == 49)
			s->bg = DEFAULT;
		else if (a >= 90 && a < 98)
			s->fg = palette((unsigned)(a - 90 + 8));
		else if (a >= 100 && a < 108)
			s->bg = palette((unsigned)(a - 100 + 8));
	}
}

static int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static void control(struct grid *g, char final, const int *args, int n)
{
	int first = n && args[0] > 0 ? args[0] : 1;
	int second = n > 1 && args[1] > 0 ? args[1] : 1;

	switch (final) {
	case 'H':
	case 'f':
		g->row = clamp(first - 1, 0, MAX_ROWS - 1);
		g->col = clamp(second - 1, 0, MAX_COLS - 1);
		break;
	case 'A': g->row = clamp(g->row - first, 0, MAX_ROWS - 1); break;
	case 'B': g->row = clamp(g->row + first, 0, MAX_ROWS - 1); break;
	case 'C': g->col = clamp(g->col + first, 0, MAX_COLS - 1); break;
	case 'D': g->col = clamp(g->col - first, 0, MAX_COLS - 1); break;
	case 'G': g->col = clamp(first - 1, 0, MAX_COLS - 1); break;
	case 'd': g->row = clamp(first - 1, 0, MAX_ROWS - 1); break;
	case 'X': erase(g, g->row, g->col, clamp(g->col + first, 0, MAX_COLS)); break;
	case 'K':
		if (!n || args[0] == 0)
			erase(g, g->row, g->col, MAX_COLS);
		else
			erase(g, g->row, 0, args[0] == 1 ? g->col + 1 : MAX_COLS);
		break;
	case 'J': erase_display(g, n ? args[0] : 0); break;
	case 'm':
		if (n)
			select_style(&g->pen, args, n);
		else
			g->pen = (struct style){ DEFAULT, DEFAULT, 0 };
		break;
	default: break;
	}
}

/* Behind ESC [: numbers, then the final byte. Returns how much it took. */
static size_t take_control(struct grid *g, const char *s, size_t len)
{
	int args[MAX_ARGS] = { 0 }, n = 0;
	bool private = false, number = false, over = false;
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= '0' && c <= '9') {
			if (!number && n == MAX_ARGS)
				over = true; /* as many arguments as nobody means */
			else if (!number)
				args[n++] = 0;
			number = true;
			if (!over && args[n - 1] < 100000)
				args[n - 1] = args[n - 1] * 10 + (c - '0');
		} else if (c == ';' || c == ':') {
			if (!number && n < MAX_ARGS)
				args[n++] = 0;
			number = false;
		} else if (c >= 0x40 && c <= 0x7E) {
			if (!private)
				control(g, s[i], args, n);
			return i + 1;
		} else if (c >= 0x20 && c < 0x40) {
			private = true;
		} else {
			return i;
		}
	}
	return len;
}

/* Behind ESC ] and its like: up to BEL or ESC \. */
static size_t skip_string(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\a')
			return i + 1;
		if (s[i] == '\033')
			return i + 1 < len && s[i + 1] == '\\' ? i + 2 : i;
	}
	return len;
}

static size_t take_escape(struct grid *g, const char *s, size_t len)
{
	if (!len)
		return 0;
	if (*s == '[')
		return 1 + take_control(g, s + 1, len - 1);
	if (strchr("]PX^_", *s))
		return 1 + skip_string(s + 1, len - 1);
	if (*s >= 0x20 && *s < 0x30)
		return len > 1 ? 2 : 1;
	return 1;
}

static void paint(struct grid *g, const char *s, size_t len)
{
	while (len) {
		uint32_t cp;
		size_t n = b_utf8_decode(s, len, &cp);

		if (!n) { /* cut off inside a character */
			n = len;
			cp = B_UTF8_REPLACEMENT;
		}
		if (cp == 0x1B)
			n += take_escape(g, s + n, len - n);
		else if (cp == '\r')
			g->col = 0;
		else if (cp == '\n')
			g->row = clamp(g->row + 1, 0, MAX_ROWS - 1);
		else if (cp == '\b')
			g->col = clamp(g->col - 1, 0, MAX_COLS - 1);
		else if (cp >= 0x20 && (cp < 0x7F || cp >= 0xA0))
			put(g, cp);
		s += n;
		len -= n;
	}
}

/* ---- HTML ------------------------------------------------------------------------------------ */

static bool same_style(const struct style *a, const struct style *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

static bool is_plain(const struct style *s)
{
	return s->fg == DEFAULT && s->bg == DEFAULT && !s->attrs;
}

static void open_span(struct b_buf *out, const struct style *s)
{
	uint32_t fg = s->fg == DEFAULT ? 0xE0E0E0 : s->fg, bg = s->bg == DEFAULT ? 0x101010 : s->bg;
	uint32_t swap = fg;

	if (s->attrs & REVERSE) {
		fg = bg;
		bg = swap;
	}
	if (s->attrs & CONCEAL)
		fg = bg;
	b_buf_printf(out, "<span style=\"color:#%06x;background:#%06x", (unsigned)fg, (unsigned)bg);
	if (s->attrs & BOLD)
		b_buf_adds(out, ";font-weight:bold");
	if (s->attrs & FAINT)
		b_buf_adds(out, ";opacity:.7");
	if (s->attrs & ITALIC)
		b_buf_adds(out, ";font-style:italic");
	if (s->attrs & (UNDERLINE | STRIKE))
		b_buf_printf(out, ";text-decoration:%s%s", s->attrs & UNDERLINE ? "underline " : "",
			s->attrs & STRIKE ? "line-through" : "");
	b_buf_adds(out, "\">");
}

static void add_char(struct b_buf *out, uint32_t cp)
{
	char text[4];

	b_escape_xml(out, text, b_utf8_encode(cp, text));
}

static void row_html(struct grid *g, int row, struct b_buf *out)
{
	struct style now = { DEFAULT, DEFAULT, 0 };
	int end = g->cols;

	while (end && !at(g, row, end - 1)->cp && !at(g, row, end - 1)->half &&
		is_plain(&at(g, row, end - 1)->style))
		end--;
	for (int c = 0; c < end; c++) {
		const struct cell *x = at(g, row, c);

		if (x->half)
			continue;
		if (!same_style(&x->style, &now)) {
			if (!is_plain(&now))
				b_buf_adds(out, "</span>");
			if (!is_plain(&x->style))
				open_span(out, &x->style);
			now = x->style;
		}
		add_char(out, x->cp ? x->cp : ' ');
		if (x->mark)
			add_char(out, x->mark);
	}
	if (!is_plain(&now))
		b_buf_adds(out, "</span>");
	b_buf_addc(out, '\n');
}

void rp_screen_html(struct b_buf *out, const char *data, size_t len)
{
	struct grid g = { .pen = { DEFAULT, DEFAULT, 0 } };
	bool sequences = memchr(data, '\033', len) != NULL;

	if (!sequences) { /* plain text: its lines as they stand */
		for (size_t i = 0, from = 0; i <= len; i++) {
			if (i < len && data[i] != '\n')
				continue;
			b_escape_xml(out, data + from, i - from);
			if (i < len)
				b_buf_addc(out, '\n');
			from = i + 1;
		}
		return;
	}
	g.cells = b_calloc((size_t)MAX_ROWS * MAX_COLS, sizeof *g.cells);
	for (int i = 0; i < MAX_ROWS * MAX_COLS; i++)
		g.cells[i].style = g.pen;
	paint(&g, data, len);
	for (int r = 0; r < g.rows; r++)
		row_html(&g, r, out);
	free(g.cells);
}
