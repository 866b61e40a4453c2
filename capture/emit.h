/*
 * capture/emit.h - a plan as the text of a Lua script.
 *
 * What came from the SUT or the person stands in the text as string literals (b_escape_lua) or as
 * comments in which nothing can end the line. The text is indented by two blanks and at most about 100
 * columns wide.
 */
#ifndef CAPTURE_EMIT_H
#define CAPTURE_EMIT_H

#include "capture/plan.h"

struct cap_emit {
	const struct cap_plan *plan;
	const struct cap_generate_options *opt;
	const struct cap_merge *merge; /* NULL: one trace */
	size_t n_traces;
	struct b_buf *out;
	struct b_buf *warnings; /* a line each */
	size_t n_warnings;
	int depth; /* of indentation */
};

void cap_emit_script(struct cap_emit *e);
void cap_emit_csv(const struct cap_emit *e, struct b_buf *out);

/* ---- Shared by the files of the emitter --------------------------------------------------- */

/* Starts a line: indentation; then the text; the caller ends it with '\n'. */
void cap_emit_line(struct cap_emit *e, const char *fmt, ...) B_PRINTF(2, 3);
/* Appends text for a comment: escaped, at most about 60 columns of it. */
void cap_emit_comment_text(struct b_buf *out, const char *text, size_t len);
/* Notes a warning and writes it as a comment line. */
void cap_emit_warn(struct cap_emit *e, const char *fmt, ...) B_PRINTF(2, 3);
/* The number of the line that is being written. */
size_t cap_emit_line_number(const struct cap_emit *e);
/* Appends a value as a Lua literal: string, in quotes. */
void cap_emit_string(struct b_buf *out, const char *s, size_t len);

/* emit_data.c: the heading, target, terminal, data and rhythm. */
void cap_emit_head(struct cap_emit *e);
/* Appends the expression of a value: data.account or "literal". */
void cap_emit_value(const struct cap_emit *e, const struct cap_value *v, struct b_buf *out);
/* Appends its rhythm as a second argument (", rhythm.account"), or nothing. */
void cap_emit_rhythm(const struct cap_emit *e, const struct cap_act *a, struct b_buf *out);

/* emit.c: reads values from the screen that the item's response shows. */
void cap_emit_reads(struct cap_emit *e, size_t item);

/* emit_mask.c: what differs from one time to the next on the screen before a golden marker. */
#define CAP_MASKS_MAX 64
size_t cap_masks_find(
	const struct cap_emit *e, const struct cap_item *golden, struct vs_rect *out, size_t max);

/* emit_wait.c: an expect, with the reason for it. */
void cap_emit_wait(struct cap_emit *e, const struct cap_act *a);
/* The wait of an item that is no act: the first screen. */
void cap_emit_first_wait(struct cap_emit *e);

#endif
