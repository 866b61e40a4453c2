/* Numbers for styles and clusters, and what happens when their tables are full. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/pen.h"
#include "vscreen/saved_lines.h"
#include "vscreen/state.h"
#include "base/banned.h"

/* Room for the styles of two full screens of cells, each in its own colours. */
uint32_t vs_styles_limit(int rows, int cols)
{
	uint32_t n = 2u * (uint32_t)rows * (uint32_t)cols + 256;

	return n < 1024 ? 1024 : n > 65535 ? 65535 : n;
}

uint32_t vs_clusters_limit(int rows, int cols)
{
	return 2u * (uint32_t)rows * (uint32_t)cols + 64;
}

const struct vs_style *vs_style_of(const struct vs_screen *s, uint16_t number)
{
	return vs_intern_get(&s->styles, number);
}

static void mark(uint8_t *used, uint32_t number)
{
	used[number / 8] |= (uint8_t)(1u << number % 8);
}

static void mark_grid(
	const struct vs_screen *s, const struct vs_grid *g, uint8_t *styles, uint8_t *clusters)
{
	size_t n = (size_t)s->rows * (size_t)s->cols;

	for (size_t i = 0; g->cells && i < n; i++) {
		if (styles)
			mark(styles, g->cells[i].style);
		else if (g->cells[i].glyph & VS_G_CLUSTER)
			mark(clusters, g->cells[i].glyph & VS_G_CODE);
	}
}

/* Gives up what no cell uses. The hashes of rows know numbers only, and a number that is given
   to another thing could look unchanged: this feed counts as a change. */
static void collect(struct vs_screen *s, struct vs_intern *t)
{
	uint8_t *used = b_calloc(t->len / 8 + 1, 1);
	bool styles = t == &s->styles;

	mark_grid(s, &s->main, styles ? used : NULL, styles ? NULL : used);
	mark_grid(s, &s->alt, styles ? used : NULL, styles ? NULL : used);
	if (styles) {
		mark(used, s->pen_number);
		mark(used, s->blank_number);
	}
	vs_saved_lines_clear(&s->saved_lines);
	vs_intern_collect(t, used);
	s->force_change = true;
	free(used);
}

uint16_t vs_style_number(struct vs_screen *s, const struct vs_style *style)
{
	int64_t n = vs_intern_find(&s->styles, style);

	if (n < 0) {
		collect(s, &s->styles);
		n = vs_intern_find(&s->styles, style);
	}
	return n < 0 ? 0 : (uint16_t)n;
}

uint32_t vs_cluster_glyph(struct vs_screen *s, const struct vs_cluster *c)
{
	static const struct vs_cluster none;
	int64_t n;

	if (!s->clusters.items)
		vs_intern_init(
			&s->clusters, sizeof *c, 8, vs_clusters_limit(s->rows, s->cols), &none);
	n = vs_intern_find(&s->clusters, c);
	if (n < 0) {
		collect(s, &s->clusters);
		n = vs_intern_find(&s->clusters, c);
	}
	return n < 0 ? c->chars[0] : VS_G_CLUSTER | (uint32_t)n;
}

void vs_pen_refresh(struct vs_screen *s)
{
	struct vs_style blank = { .fg = s->pen.fg, .bg = s->pen.bg };

	/* xterm erases with the background alone; the foreground of a blank is never seen. */
	blank.fg = VS_COLOUR_DEFAULT;
	s->pen_stale = false;
	s->pen_number = vs_style_number(s, &s->pen);
	s->blank_number = vs_style_number(s, &blank);
}
