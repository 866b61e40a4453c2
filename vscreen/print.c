/* Text: characters onto the screen, wrapping, insert mode, wide and combining ones, REP. */
#include <string.h>

#include "base/utf8.h"
#include "vscreen/compose.h"
#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/grid.h"
#include "vscreen/pen.h"
#include "vscreen/print.h"
#include "vscreen/state.h"
#include "vscreen/width.h"
#include "base/banned.h"

static void wrap_line(struct vs_screen *s)
{
	vs_index(s);
	s->col = vs_left_margin(s);
}

/* The column behind the last one that text may take here; left of it when the cursor stands
   right of the right margin. */
static int text_end(const struct vs_screen *s)
{
	int end = vs_line_cols(s, s->row);
	int right = vs_right_margin(s);

	if (s->grid->lines[s->row].size != VS_LINE_SINGLE)
		right = (right - 1) / 2 + 1;
	return s->col >= right ? end : right < end ? right : end;
}

static void wrap_if_pending(struct vs_screen *s)
{
	if (!s->wrap_pending)
		return;
	s->wrap_pending = false;
	if (s->modes.wrap)
		wrap_line(s);
}

/* After n columns of text up to `end`. */
static void advance(struct vs_screen *s, int n, int end)
{
	s->wrote_row = s->row;
	s->col += n;
	s->wrap_pending = s->col == end;
	if (s->wrap_pending)
		s->col--;
	s->wrote = true;
}

/* Without autowrap the last wide character of a run takes the place of the one before it; `before`
   is what was printed right before, 0 when a control or a sequence came between. */
static bool put_over(struct vs_screen *s, uint32_t before)
{
	if (s->modes.wrap || !s->wrote || s->wrote_row != s->row || vs_width(before) != 2 ||
		!(vs_row(s, s->row)[s->wrote_col].glyph & VS_G_WIDE))
		return false;
	s->col = s->wrote_col;
	return true;
}

/* One character of width 1 or 2 at the cursor. */
static void put(struct vs_screen *s, uint32_t glyph, int width, uint32_t before)
{
	bool wrapped = s->wrap_pending && s->modes.wrap;
	struct vs_gcell *cells;
	int end;

	wrap_if_pending(s);
	end = text_end(s);
	if (s->col + width > end && !(width == 2 && put_over(s, before))) {
		/* A wide one at the edge goes to the next line, if it can. */
		if (!s->modes.wrap || wrapped || s->col <= vs_left_margin(s) || width > end)
			return;
		wrap_line(s);
		end = text_end(s);
		if (s->col + width > end)
			return;
	}
	if (s->modes.insert)
		vs_insert_chars(s, width);
	vs_pen_ready(s);
	vs_seam(s, s->row, s->col);
	vs_seam(s, s->row, s->col + width);
	if (s->pen.attrs & VS_CONCEAL) /* as xterm: what is concealed is not even there */
		glyph = ' ';
	cells = vs_row(s, s->row) + s->col;
	cells[0] = (struct vs_gcell){ glyph, s->pen_number, s->stamp };
	if (width == 2 && !(s->pen.attrs & VS_CONCEAL)) {
		cells[0].glyph |= VS_G_WIDE;
		cells[1] = (struct vs_gcell){ VS_G_TAIL, s->pen_number, s->stamp };
	} else if (width == 2) {
		cells[1] = cells[0];
	}
	vs_touch(s, s->row);
	s->wrote_col = s->col;
	advance(s, width, end);
}

/* A mark joins the character written last, or else the one under the cursor. */
static void combine(struct vs_screen *s, uint32_t mark)
{
	int row = s->wrote ? s->wrote_row : s->row;
	int col = s->wrote ? s->wrote_col : s->col;
	struct vs_gcell *cell;
	struct vs_cluster cl = { { 0 } };
	uint32_t flags;

	if (row >= s->rows || col >= s->cols)
		return;
	cell = vs_row(s, row) + col;
	if (vs_is_tail(cell) && col > 0)
		cell--;
	flags = cell->glyph & VS_G_WIDE;
	if (cell->glyph & VS_G_CLUSTER)
		cl = *(const struct vs_cluster *)vs_intern_get(
			&s->clusters, cell->glyph & VS_G_CODE);
	else
		cl.chars[0] = cell->glyph & VS_G_CODE ? cell->glyph & VS_G_CODE : ' ';
	vs_compose_join(&cl, mark, flags ? 2 : 1);
	cell->glyph = (cl.chars[1] ? vs_cluster_glyph(s, &cl) : cl.chars[0]) | flags;
	cell->stamp = s->stamp;
	vs_touch(s, row);
}

void vs_print_char(struct vs_screen *s, uint32_t cp)
{
	uint32_t before = s->last_char;
	uint8_t set;
	int width;

	if (cp >= 0x300 && vs_width(cp) == 0) {
		if (!vs_is_format(cp))
			combine(s, cp);
		return;
	}
	s->last_char = cp;
	if (cp < 0x100) {
		set = cp >= 0x80 ? s->sets.g[s->sets.gr]
				 : s->sets.g[s->sets.single ? s->sets.single : s->sets.gl];
		if (set != VS_CS_ASCII) {
			cp = vs_charset_map(set, cp, s->modes.national, s->level, s->level == 0);
			if (cp == 0x7F)
				return;
			if (!cp)
				cp = ' ';
		}
	}
	s->sets.single = 0;
	width = vs_width(cp);
	put(s, cp, width == 2 ? 2 : 1, before);
}

/* A run of printing ASCII, where nothing about it is special. Returns how much it took. */
static size_t print_ascii(struct vs_screen *s, const unsigned char *text, size_t len)
{
	size_t done = 0, n;
	struct vs_gcell *cells, cell;
	int end;

	vs_pen_ready(s);
	cell = (struct vs_gcell){ 0, s->pen_number, s->stamp };
	while (done < len) {
		wrap_if_pending(s);
		end = text_end(s);
		if (s->col >= end)
			return done; /* the slow way decides */
		cells = vs_row(s, s->row) + s->col;
		vs_seam(s, s->row, s->col);
		for (n = 0; done + n < len && n < (size_t)(end - s->col); n++) {
			unsigned char c = text[done + n];

			if (c < 0x20 || c >= 0x7F)
				break;
			cell.glyph = c;
			cells[n] = cell;
		}
		if (!n)
			break;
		if (s->col + (int)n < s->cols && vs_is_tail(&cells[n]))
			cells[n] = (struct vs_gcell){ 0, s->blank_number, s->stamp };
		vs_touch(s, s->row);
		done += n;
		s->wrote_col = s->col + (int)n - 1;
		s->last_char = text[done - 1];
		advance(s, (int)n, end);
		if (done < len && (text[done] < 0x20 || text[done] >= 0x7F))
			break;
	}
	return done;
}

size_t vs_print(struct vs_screen *s, const char *bytes, size_t len)
{
	size_t pos = 0, n;
	uint32_t cp;

	while (pos < len) {
		unsigned char c = (unsigned char)bytes[pos];

		if (c < 0x20 || c == 0x7F)
			break;
		if (c < 0x80 && s->sets.g[s->sets.gl] == VS_CS_ASCII && !s->sets.single &&
			!s->modes.insert && !(s->pen.attrs & VS_CONCEAL)) {
			n = print_ascii(s, (const unsigned char *)bytes + pos, len - pos);
			pos += n;
			if (n)
				continue;
		}
		if (c < 0x80) {
			vs_print_char(s, c);
			pos++;
			continue;
		}
		n = b_utf8_decode(bytes + pos, len - pos, &cp);
		if (!n) /* the guard gives whole ones */
			break;
		vs_print_char(s, cp);
		pos += n;
	}
	return pos ? pos : 1;
}

void vs_repeat(struct vs_screen *s, int n)
{
	uint32_t cp = s->last_char;
	int most = 2 * s->rows * s->cols;
	int period = (vs_right_margin(s) - vs_left_margin(s)) / (vs_width(cp) == 2 ? 2 : 1);

	if (!cp)
		return;
	/* When the screen is full of it, only where a row ends still counts. */
	if (n > most && period > 0)
		n = most + (n - most) % period;
	while (n-- > 0)
		vs_print_char(s, cp);
	s->last_char = 0;
}
