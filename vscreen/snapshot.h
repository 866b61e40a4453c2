/*
 * vscreen/snapshot.h - a screen as text that a person can read in a diff.
 *
 * The golden screens of `rte test`, the screens kept on failure. Rows as they stand between
 * bars, the cursor on a line of its own, attributes as an overlay only for rows that have any,
 * masked cells as a filler. doc/rte-golden.5 describes the format. The same screen gives the
 * same bytes on every machine.
 */
#ifndef VSCREEN_SNAPSHOT_H
#define VSCREEN_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "vscreen/screen.h"

struct vs_snapshot_options {
	bool attrs;                  /* with the attribute overlay */
	bool cursor;                 /* with the cursor line */
	const struct vs_rect *masks; /* cells shown as filler */
	size_t n_masks;
};

/* Appends the snapshot of s. */
void vs_snapshot_write(
	const struct vs_screen *s, const struct vs_snapshot_options *opt, struct b_buf *out);

/* A snapshot read back. Opaque; rows of UTF-8 text. */
struct vs_snapshot;
/* B_EINPUT with line number when the text is no snapshot. The snapshot is the caller's. */
int vs_snapshot_parse(
	struct vs_snapshot **out, const char *text, size_t len, struct b_error *err) B_CHECK;
void vs_snapshot_free(struct vs_snapshot *g);
void vs_snapshot_size(const struct vs_snapshot *g, int *rows, int *cols);
/* Whether attributes were recorded. */
bool vs_snapshot_has_attrs(const struct vs_snapshot *g);

/*
 * Appends the snapshot of s as a new version of g: rows that s still matches stay as g words
 * them, with their placeholders, and g's notes stay. g may be NULL.
 */
void vs_snapshot_update(const struct vs_snapshot *g, const struct vs_screen *s,
	const struct vs_snapshot_options *opt, struct b_buf *out);

/*
 * Compares a screen with a snapshot: masked cells of either are equal to anything, `{date}`,
 * `{time}`, `{number}` and `{any}` in the snapshot's rows match such a thing. Attributes and
 * cursor are compared when opt asks for them and the snapshot has them. Returns 0 when equal,
 * else the number of differing rows (the cursor and the size count as one each), and appends a
 * readable diff: expected and actual row with the differing cells marked below. The diff is
 * plain text, whatever the SUT sent.
 */
int vs_snapshot_compare(const struct vs_snapshot *g, const struct vs_screen *s,
	const struct vs_snapshot_options *opt, struct b_buf *diff);

#endif
