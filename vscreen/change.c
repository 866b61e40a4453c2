/* Whether a feed changed the picture, net: rows are compared by hash. */
#include <stdlib.h>
#include <string.h>

#include "vscreen/state.h"
#include "base/banned.h"

static uint64_t mix(uint64_t h, const struct vs_gcell *c)
{
	h = (h ^ ((uint64_t)c->style << 32 | c->glyph)) * 0x9E3779B97F4A7C15u;
	return h ^ h >> 29;
}

static bool is_masked(const struct vs_screen *s, int row, int col)
{
	for (size_t i = 0; i < s->n_masks; i++) {
		const struct vs_rect *m = &s->masks[i];

		if (row >= m->row && row - m->row < m->rows && col >= m->col && col - m->col < m->cols)
			return true;
	}
	return false;
}

static uint64_t hash_row(const struct vs_screen *s, int row)
{
	const struct vs_gcell *cells = vs_row(s, row);
	uint64_t a = 1, b = 2;
	int c = 0;

	if (!s->n_masks) {
		/* Two chains, since a multiplication waits for the one before. */
		for (; c + 1 < s->cols; c += 2) {
			a = mix(a, &cells[c]);
			b = mix(b, &cells[c + 1]);
		}
		if (c < s->cols)
			a = mix(a, &cells[c]);
	} else {
		for (; c < s->cols; c++)
			if (!is_masked(s, row, c))
				a = mix(a, &cells[c]);
	}
	return a ^ (b << 1 | b >> 63);
}

void vs_shown_reset(struct vs_screen *s)
{
	for (int r = 0; r < s->rows; r++) {
		s->shown[r].hash = hash_row(s, r);
		s->shown[r].dirty = false;
	}
}

bool vs_shown_differs(struct vs_screen *s)
{
	bool differs = s->force_change || s->row != s->seen_row || s->col != s->seen_col ||
		s->modes.visible != s->seen_visible;
	uint64_t h;

	for (int r = 0; r < s->rows; r++) {
		if (!s->shown[r].dirty)
			continue;
		s->shown[r].dirty = false;
		h = hash_row(s, r);
		if (h != s->shown[r].hash) {
			s->shown[r].hash = h;
			differs = true;
		}
	}
	s->force_change = false;
	s->seen_row = s->row;
	s->seen_col = s->col;
	s->seen_visible = s->modes.visible;
	return differs;
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
