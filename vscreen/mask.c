/* Masks: rectangles as bits, so that their number does not count for each cell. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/mask.h"
#include "vscreen/state.h"
#include "base/banned.h"

static void set_bits(uint64_t *bits, int from, int to)
{
	for (int w = from / 64; w <= (to - 1) / 64; w++) {
		uint64_t word = UINT64_MAX;

		if (w == from / 64)
			word &= UINT64_MAX << from % 64;
		if (w == (to - 1) / 64)
			word &= UINT64_MAX >> (63 - (to - 1) % 64);
		bits[w] |= word;
	}
}

bool vs_mask_row(uint64_t *bits, int row, int cols, const struct vs_rect *rects, size_t n)
{
	bool any = false;

	memset(bits, 0, (size_t)(cols + 63) / 64 * sizeof *bits);
	for (size_t i = 0; i < n; i++) {
		const struct vs_rect *r = &rects[i];
		int from = r->col > 0 ? r->col : 0;
		int to = r->cols < cols - r->col ? r->col + r->cols : cols;

		if (row < r->row || row - r->row >= r->rows || from >= to)
			continue;
		set_bits(bits, from, to);
		any = true;
	}
	return any;
}

void vs_masks_make(struct vs_screen *s)
{
	size_t words = (size_t)(s->cols + 63) / 64;

	free(s->mask_bits);
	s->mask_bits = NULL;
	if (!s->n_masks)
		return;
	s->mask_bits = b_calloc((size_t)s->rows * words, sizeof *s->mask_bits);
	for (int r = 0; r < s->rows; r++)
		vs_mask_row(s->mask_bits + (size_t)r * words, r, s->cols, s->masks, s->n_masks);
}
