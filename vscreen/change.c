/* Whether a feed changed the picture, net: rows are compared by hash. */
#include <stdlib.h>
#include <string.h>

#include "vscreen/change.h"
#include "vscreen/grid.h"
#include "vscreen/mask.h"
#include "vscreen/state.h"
#include "base/banned.h"

/* A cell without its stamp, as a number. */
static inline uint64_t value(const struct vs_gcell *c)
{
	static const struct vs_gcell ones = { .glyph = UINT32_MAX, .style = UINT16_MAX };
	uint64_t v, mask;

	memcpy(&v, c, sizeof v);
	memcpy(&mask, &ones, sizeof mask);
	return v & mask;
}

/* A polynomial of the cells, in four chains, since a multiplication waits for the one before. */
static uint64_t hash_row(const struct vs_screen *s, int row)
{
	static const uint64_t k = 0x9E3779B97F4A7C15u;
	const struct vs_gcell *cells = vs_row(s, row);
	uint64_t h[4] = { 1, 2, 3, 4 };
	int c = 0;

	if (s->mask_bits) {
		const uint64_t *masked = s->mask_bits + (size_t)row * (size_t)((s->cols + 63) / 64);

		for (; c < s->cols; c++)
			if (!vs_mask_has(masked, c))
				h[0] = h[0] * k + value(&cells[c]);
		return h[0];
	}
	for (; c + 3 < s->cols; c += 4) {
		h[0] = h[0] * k + value(&cells[c]);
		h[1] = h[1] * k + value(&cells[c + 1]);
		h[2] = h[2] * k + value(&cells[c + 2]);
		h[3] = h[3] * k + value(&cells[c + 3]);
	}
	for (; c < s->cols; c++)
		h[0] = h[0] * k + value(&cells[c]);
	return ((h[0] * k + h[1]) * k + h[2]) * k + h[3];
}

void vs_shown_reset(struct vs_screen *s)
{
	for (int r = 0; r < s->rows; r++)
		s->shown[r].hash = hash_row(s, r);
	memset(s->dirty, 0, sizeof s->dirty);
}

bool vs_shown_differs(struct vs_screen *s)
{
	bool differs = s->force_change || s->row != s->seen_row || s->col != s->seen_col ||
		s->modes.visible != s->seen_visible;

	for (int w = 0; w < (s->rows + 63) / 64; w++) {
		for (; s->dirty[w]; s->dirty[w] &= s->dirty[w] - 1) {
			int r = w * 64 + __builtin_ctzll(s->dirty[w]);
			uint64_t h = hash_row(s, r);

			differs = differs || h != s->shown[r].hash;
			s->shown[r].hash = h;
		}
	}
	s->force_change = false;
	s->seen_row = s->row;
	s->seen_col = s->col;
	s->seen_visible = s->modes.visible;
	return differs;
}

void vs_update_set(struct vs_screen *s, bool open)
{
	bool changed;

	if (s->modes.sync == open)
		return;
	changed = vs_shown_differs(s);
	s->feed_changed |= changed;
	if (open) {
		s->updates++;
		s->shows |= changed;
	} else {
		s->shows |= changed || s->held;
		s->held = false;
	}
	s->modes.sync = open;
}

void vs_repainted(struct vs_screen *s)
{
	for (int r = 0; r < s->rows; r++) {
		struct vs_gcell *cells = vs_row(s, r);

		for (int c = 0; c < s->cols; c++)
			cells[c].stamp = s->stamp;
		vs_touch(s, r);
	}
}
