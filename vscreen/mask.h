/*
 * mask.h - which cells of a row lie in any of many rectangles: a bit a cell.
 */
#ifndef VSCREEN_MASK_H
#define VSCREEN_MASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vscreen/screen.h"

#define VS_MASK_WORDS ((VS_COLS_MAX + 63) / 64)

static inline bool vs_mask_has(const uint64_t *bits, int col)
{
	return bits[col / 64] >> col % 64 & 1;
}

/* Sets the bits of a row of cols columns; words: (cols + 63) / 64. Returns whether any is set. */
bool vs_mask_row(uint64_t *bits, int row, int cols, const struct vs_rect *rects, size_t n);

/* Makes s->mask_bits anew: when the masks or the size changed. */
void vs_masks_make(struct vs_screen *s);

#endif
