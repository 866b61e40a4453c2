/*
 * vscreen/cond.h - conditions on a screen: what a script waits for.
 *
 * A condition is a small tree, built once, then only judged, by one thread at a time. All of
 * it is judged on one instant of the screen. What stood there before the input must not satisfy
 * it, so the result tells three things apart:
 *
 *   VS_COND_NO     not true
 *   VS_COND_STALE  true, but nothing of it was painted since the last input
 *   VS_COND_TRUE   true and new: a matched cell was painted, or the cursor moved and rests
 *                  there, since the last input mark (or `already` lifts this)
 *
 * `all` is true when each part is true and at least one of them is new (silence and the end of
 * the line make nothing new), `any` when one alternative is. `gone` is new when the region
 * where the text would stand was painted.
 *
 * The caller decides what a stale condition means in time (DESIGN, "When does a condition
 * hold?"), and never asks while vs_screen_midway says that the picture is unfinished.
 *
 * Columns are screen columns: a wide character takes two, and a region's edge that cuts one
 * leaves a blank. A character matches with its marks, however they are coded (fold.h); text
 * stands in one row.
 */
#ifndef VSCREEN_COND_H
#define VSCREEN_COND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "vscreen/screen.h"

enum vs_cond_kind {
	VS_COND_TEXT,   /* plain text */
	VS_COND_MATCH,  /* a pattern, judged by the caller's matcher on a row's text */
	VS_COND_CURSOR, /* cursor at row, col (either may be -1: any) */
	VS_COND_ATTR,   /* any cell of the region, or of the text, has these attributes */
	VS_COND_QUIET,  /* the screen has not changed for quiet_ns */
	VS_COND_EOF,    /* the line was closed */
	VS_COND_STREAM, /* a pattern on the output since the last input */
	VS_COND_ANY,
	VS_COND_ALL
};

/*
 * Finds pattern in the len bytes of subject, from byte `from` on. Returns 1 and sets
 * [*start, *end), 0 when there is none, or a negative enum b_status for a bad pattern.
 */
typedef int vs_match_fn(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end);

struct vs_cond {
	enum vs_cond_kind kind;
	bool gone;    /* TEXT, MATCH, ATTR: holds when it is not there */
	bool already; /* what stood there before the input counts */
	char *text;   /* TEXT, MATCH, STREAM: owned; ATTR: may be NULL */
	size_t text_len;
	/* Region, -1: not given. row without rows is one row; col without cols goes to the end
	   of the row. CURSOR: row and col of the cursor. */
	int row, col, rows, cols;
	uint16_t attrs; /* ATTR, and with TEXT or MATCH: the matched cells must have all of these */
	int64_t quiet_ns;
	struct vs_cond **parts; /* ANY, ALL: owned */
	size_t n_parts;
	struct vs_cond_memo *memo; /* of the judge alone */
};

/* A condition of that kind with no region and nothing else set; the caller fills it. */
struct vs_cond *vs_cond_new(enum vs_cond_kind kind);
void vs_cond_free(struct vs_cond *c); /* with its parts; NULL accepted */
void vs_cond_text_set(struct vs_cond *c, const char *text, size_t len); /* copies */
void vs_cond_part_add(struct vs_cond *c, struct vs_cond *part);         /* takes part */

/* Copies cond and its parts. */
struct vs_cond *vs_cond_copy(const struct vs_cond *c);

enum vs_cond_state { VS_COND_NO, VS_COND_STALE, VS_COND_TRUE };

struct vs_cond_input {
	const struct vs_screen *screen;
	bool eof;
	int64_t unchanged_ns; /* since the last screen change or input */
	const char *stream;   /* output since the last input, bounded by the caller */
	size_t stream_len;
	vs_match_fn *match; /* needed for MATCH and STREAM */
	void *match_user;
	/* Not 0: rows that were searched in vain are searched again only when they were painted,
	   for as long as this number stays the same. No two waits on screens that stood at one
	   address may share one: the time of the last input in ns serves. */
	uint64_t wait;
	/* The caller has no use for STALE now: rows without new paint are not searched where that
	   can be known beforehand, and what stands there may come out as NO. */
	bool new_only;
};

struct vs_cond_result {
	enum vs_cond_state state;
	enum vs_cond_kind ended_by; /* the kind that decided; with gone set: */
	bool gone;
	int alternative;    /* ANY at the top: which one, from 0; else 0 */
	int row, col, cols; /* where the text or match was found; -1: nowhere */
	size_t stream_start, stream_end;
};

/*
 * Judges c. Returns 0, or a negative status from the matcher (a bad pattern). A MATCH is
 * judged on each row of the region by itself, up to its edge and, failing that, up to the last
 * character before the blanks at its end, so that `$` finds both.
 */
int vs_cond_judge(const struct vs_cond *c, const struct vs_cond_input *in,
	struct vs_cond_result *out) B_CHECK;

/* Appends the condition as a person would write it: `"Balance" in row 12`. Escaped. */
void vs_cond_describe(const struct vs_cond *c, struct b_buf *out);

/* When a QUIET part could come true by time alone: ns of unchanged screen, or -1. */
int64_t vs_cond_quiet_ns(const struct vs_cond *c);

/*
 * Finds text on the screen within rect. Returns true and the first cell of the first
 * occurrence. Rows are searched one by one; columns are screen columns, wide characters
 * take two.
 */
bool vs_find_text(const struct vs_screen *s, const char *text, size_t len,
	const struct vs_rect *within, int *row, int *col, int *cols);

#endif
