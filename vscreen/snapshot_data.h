/*
 * vscreen/snapshot_data.h - the inside of a snapshot, shared by the snapshot_*.c files alone.
 */
#ifndef VSCREEN_SNAPSHOT_DATA_H
#define VSCREEN_SNAPSHOT_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "vscreen/golden.h"
#include "vscreen/snapshot.h"

#define VS_GOLDEN_MAGIC   "rte-golden"
#define VS_GOLDEN_VERSION 1

struct vs_golden_row {
	struct b_buf notes; /* lines of comment above it */
	struct b_buf text;  /* between the bars, as written */
	struct b_buf attrs; /* the overlay, blanks at its end cut */
};

struct vs_snapshot {
	int rows, cols;
	bool attrs;  /* attributes were recorded */
	bool cursor; /* likewise */
	bool cursor_visible;
	int cursor_row, cursor_col; /* from 0 */
	struct vs_golden_row *row;
	struct b_buf notes; /* below the last row */
};

/* Appends the letters of a row's attributes, ' ' for none, masked columns too; trimmed. */
void vs_snapshot_attrs(
	const struct vs_screen *s, int row, const struct vs_items *items, struct b_buf *out);

#endif
