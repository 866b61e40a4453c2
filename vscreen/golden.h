/*
 * vscreen/golden.h - a row of a snapshot as text, and taken apart again.
 *
 * In a row's text a masked column is the filler, {date}, {time}, {number} and {any} stand for
 * such a thing, and {U+HHHH} for a character that cannot be seen or would turn the text around.
 * A brace that would look like one of these is doubled. All else is itself. For the files
 * behind snapshot.h alone.
 */
#ifndef VSCREEN_GOLDEN_H
#define VSCREEN_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "vscreen/screen.h"

#define VS_FILLER "\342\226\221" /* U+2591, a light shade */

#define VS_CELL_TEXT_MAX 36

enum vs_item_kind {
	VS_ITEM_CELL,   /* a character with its marks */
	VS_ITEM_FILLER, /* one masked column */
	VS_ITEM_DATE,
	VS_ITEM_TIME,
	VS_ITEM_NUMBER,
	VS_ITEM_ANY
};

/* One thing in a row, of a snapshot or of a screen. */
struct vs_item {
	enum vs_item_kind kind;
	int col, width; /* of the screen's: which columns; of a snapshot's: width alone */
	char text[VS_CELL_TEXT_MAX]; /* CELL: UTF-8 */
};

struct vs_items {
	struct vs_item *at;
	size_t n, cap;
};

#define VS_ITEMS_INIT      \
	{                  \
		NULL, 0, 0 \
	}

void vs_items_release(struct vs_items *items);

/* Takes a row's text apart. B_EINPUT with a message about the text (without row or line). */
int vs_items_parse(struct vs_items *out, const char *text, size_t len, struct b_error *err) B_CHECK;

/* A row of the screen; columns within one of the masks are fillers, wide characters whole. */
void vs_items_of_screen(struct vs_items *out, const struct vs_screen *s, int row,
	const struct vs_rect *masks, size_t n_masks);

/* Appends the i-th item as it is written in its row; returns the columns that this text takes. */
int vs_items_write(const struct vs_items *items, size_t i, struct b_buf *out);

/* Whether a thing of that kind (DATE, TIME, NUMBER) is all of the len ASCII bytes at s. */
bool vs_word_is(enum vs_item_kind kind, const char *s, size_t len);

#define VS_WORD_MAX 40 /* longer ones are none */

/*
 * Compares a row. Returns true when it is as expected; else marks, one char a column of the
 * screen, is set to '^' where it differs and ' ' elsewhere.
 */
bool vs_items_match(
	const struct vs_items *expected, const struct vs_items *actual, char *marks, int cols);

#endif
