/*
 * pen.h - numbers for styles and clusters, and what happens when their tables are full.
 *
 * Cells hold numbers (intern.h). The pen's own number and that of a blank in its background are
 * worked out when they are first needed after a change (vs_pen_ready).
 */
#ifndef VSCREEN_PEN_H
#define VSCREEN_PEN_H

#include "vscreen/state.h"

/* The most that the tables take on a screen of that size. */
uint32_t vs_styles_limit(int rows, int cols);
uint32_t vs_clusters_limit(int rows, int cols);

/* The number of a style: 0, the default one, when the table is full of living ones. */
uint16_t vs_style_number(struct vs_screen *s, const struct vs_style *style);
const struct vs_style *vs_style_of(const struct vs_screen *s, uint16_t number);

/* The glyph of a cell that shows the cluster; its base alone when the table is full. */
uint32_t vs_cluster_glyph(struct vs_screen *s, const struct vs_cluster *c);

void vs_pen_refresh(struct vs_screen *s);

/* Before pen_number and blank_number are used. */
static inline void vs_pen_ready(struct vs_screen *s)
{
	if (s->pen_stale)
		vs_pen_refresh(s);
}

#endif
