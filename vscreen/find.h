/*
 * vscreen/find.h - a row's text as bytes, and back from bytes to columns.
 *
 * For searching: text is matched on bytes, but what is asked and answered are columns as a
 * person counts them. For the files behind cond.h alone.
 */
#ifndef VSCREEN_FIND_H
#define VSCREEN_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "vscreen/fold.h"
#include "vscreen/screen.h"

struct vs_rowtext {
	const struct vs_screen *screen;
	int row, col, cols; /* what part of which row */
	enum vs_form form;
	bool plain; /* a byte a column */
	bool folded;
	struct b_buf text; /* in that form, not trimmed */
};

/* Starts with { 0 }. Cells [col, col+cols) must be on the screen. */
void vs_rowtext_load(struct vs_rowtext *t, const struct vs_screen *s, int row, int col, int cols,
	enum vs_form form);
void vs_rowtext_release(struct vs_rowtext *t);

/*
 * The cells that the bytes [start, end) come from. Returns whether they are exactly those
 * cells' text: false when a character begins or ends within (an e of an e with a mark).
 */
bool vs_rowtext_span(const struct vs_rowtext *t, size_t start, size_t end, int *col, int *cols);

/* Finds needle, in the same form, from byte `from` on; false when there is none. */
bool vs_rowtext_find(
	const struct vs_rowtext *t, const char *needle, size_t len, size_t from, size_t *start);

/* Clips r to the screen; false when nothing is left. */
bool vs_rect_clip(const struct vs_screen *s, struct vs_rect *r);

#endif
