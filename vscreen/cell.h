/*
 * cell.h - the 8 bytes that one column of a row takes.
 *
 * glyph   0: never written, or erased; else bits 0..20 hold the code point, or with
 *         VS_G_CLUSTER an index into the table of clusters (a base with combining marks)
 * style   an index into the table of styles; 0 is the default
 * stamp   the number of the input after which the cell was last painted (screen.h)
 *
 * A wide character owns two neighbours: the left one has VS_G_WIDE, the right one is
 * VS_G_TAIL alone. One never stands without the other: whoever overwrites or cuts one half
 * erases the other (vs_seam). But as xterm has it, the left one stays for itself where the window's
 * edge took the right one away: a cell of one column that holds a wide character (vs_halve).
 */
#ifndef VSCREEN_CELL_H
#define VSCREEN_CELL_H

#include <stdbool.h>
#include <stdint.h>

struct vs_gcell {
	uint32_t glyph;
	uint16_t style;
	uint16_t stamp;
};

#define VS_G_CODE    0x001FFFFFu
#define VS_G_CLUSTER 0x01000000u
#define VS_G_WIDE    0x02000000u
#define VS_G_TAIL    0x04000000u

static inline bool vs_is_tail(const struct vs_gcell *c)
{
	return c->glyph == VS_G_TAIL;
}

static inline void vs_halve(struct vs_gcell *left)
{
	left->glyph &= ~VS_G_WIDE;
}

#endif
