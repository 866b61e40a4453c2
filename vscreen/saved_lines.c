#include "vscreen/saved_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/screen.h"
#include "base/banned.h"

/*
 * A line: its cells, then the size, then the length of all that as two bytes, so that the newest
 * can be taken off the end. Cells: 00 a blank, 20..7E itself, 80 and two bytes a style for those
 * that follow, 81 and four bytes a glyph. A line begins with style 0; right halves are implied.
 */
#define STYLE          0x80
#define GLYPH          0x81
#define LINE_MAX_BYTES (VS_COLS_MAX * 8 + 3)

void vs_saved_lines_release(struct vs_saved_lines *l)
{
	free(l->ring);
	*l = (struct vs_saved_lines){ 0 };
}

void vs_saved_lines_clear(struct vs_saved_lines *l)
{
	l->start = l->len = 0;
	l->n = 0;
}

static size_t encode(const struct vs_gcell *cells, int cols, uint8_t size, unsigned char *out)
{
	uint16_t style = 0;
	size_t n = 0;

	while (cols > 0 && !cells[cols - 1].glyph && !cells[cols - 1].style)
		cols--;
	for (int c = 0; c < cols; c++) {
		uint32_t g = cells[c].glyph;

		if (g == VS_G_TAIL)
			continue;
		if (cells[c].style != style) {
			style = cells[c].style;
			out[n++] = STYLE;
			memcpy(out + n, &style, 2);
			n += 2;
		}
		if (g < STYLE) {
			out[n++] = (unsigned char)g;
		} else {
			out[n++] = GLYPH;
			memcpy(out + n, &g, 4);
			n += 4;
		}
	}
	out[n++] = size;
	out[n] = (unsigned char)((n + 2) & 0xFF);
	out[n + 1] = (unsigned char)((n + 2) >> 8);
	return n + 2;
}

static void ring_copy_out(const struct vs_saved_lines *l, size_t at, unsigned char *to, size_t n)
{
	size_t first;

	at %= l->cap;
	first = n < l->cap - at ? n : l->cap - at;
	memcpy(to, l->ring + at, first);
	memcpy(to + first, l->ring, n - first);
}

static void ring_copy_in(struct vs_saved_lines *l, size_t at, const unsigned char *from, size_t n)
{
	size_t first;

	at %= l->cap;
	first = n < l->cap - at ? n : l->cap - at;
	memcpy(l->ring + at, from, first);
	memcpy(l->ring, from + first, n - first);
}

static size_t newest_len(const struct vs_saved_lines *l)
{
	unsigned char b[2];

	ring_copy_out(l, l->start + l->len - 2, b, 2);
	return b[0] | (size_t)b[1] << 8;
}

/* The ring holds no lengths at the front: the oldest line ends where, read from the end, the
   last one begins. Done for a quarter of the ring at a time. */
static void drop_oldest(struct vs_saved_lines *l, size_t room)
{
	size_t keep = l->cap - room, len = 0;
	struct vs_saved_lines rest = *l;
	int n = 0;

	while (rest.n) {
		size_t line = newest_len(&rest);

		if (len + line > keep)
			break;
		len += line;
		n++;
		rest.len -= line;
		rest.n--;
	}
	l->start = (l->start + l->len - len) % l->cap;
	l->len = len;
	l->n = n;
}

void vs_saved_lines_push(
	struct vs_saved_lines *l, size_t cap, const struct vs_gcell *cells, int cols, uint8_t size)
{
	unsigned char line[LINE_MAX_BYTES];
	size_t n = encode(cells, cols, size, line);

	if (!l->ring) {
		l->ring = b_malloc(cap);
		l->cap = cap;
	}
	if (n > l->cap) {
		vs_saved_lines_clear(l);
		return;
	}
	if (l->len + n > l->cap || l->n == VS_ROWS_MAX)
		drop_oldest(l, n > l->cap / 4 ? n : l->cap / 4);
	ring_copy_in(l, l->start + l->len, line, n);
	l->len += n;
	l->n++;
}

int vs_saved_lines_pop(struct vs_saved_lines *l, struct vs_gcell *cells, int cols)
{
	unsigned char line[LINE_MAX_BYTES];
	uint16_t style = 0;
	uint32_t g;
	size_t n, i = 0;
	int c = 0;

	if (!l->n)
		return -1;
	n = newest_len(l);
	l->len -= n;
	l->n--;
	ring_copy_out(l, l->start + l->len, line, n);
	n -= 3; /* the size, the length */
	while (i < n && c < cols) {
		if (line[i] == STYLE) {
			memcpy(&style, line + i + 1, 2);
			i += 3;
			continue;
		}
		if (line[i] == GLYPH) {
			memcpy(&g, line + i + 1, 4);
			i += 5;
		} else {
			g = line[i++];
		}
		if (c + 1 >= cols)
			g &= ~VS_G_WIDE;
		cells[c++] = (struct vs_gcell){ .glyph = g, .style = style };
		if (g & VS_G_WIDE)
			cells[c++] = (struct vs_gcell){ .glyph = VS_G_TAIL, .style = style };
	}
	return line[n];
}

size_t vs_saved_lines_memory(const struct vs_saved_lines *l)
{
	return l->cap;
}
