/*
 * rte/redact.h - a user's secrets, overwritten with asterisks wherever text is kept or shown.
 *
 * The one piece for all of it: screens and messages of failures, details in the logs, log lines,
 * traces, views. It knows what the user has typed as a secret, and the values of RTE_SECRET_* in
 * the environment. A secret is found as it was typed, as messages write it, and with the percent
 * signs of a pattern; on a screen also where it wraps into the next row. What the SUT shows of it
 * in another form, such as in capitals, is not found.
 *
 * One thread uses a redactor; a base may be shared once it is complete.
 */
#ifndef RTE_REDACT_H
#define RTE_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "vscreen/screen.h"

struct rte_secret {
	char *text; /* owned; len bytes, without control characters */
	size_t len;
};

struct rte_redactor {
	const struct rte_redactor *base; /* asked too; NULL: none */
	struct rte_secret *forms;
	size_t n;
};

/* All values of RTE_SECRET_* in the environment. */
void rte_redactor_environment(struct rte_redactor *r);
/* One more; of very many the oldest are forgotten. */
void rte_redactor_add(struct rte_redactor *r, const char *text, size_t len);
void rte_redactor_release(struct rte_redactor *r); /* also one that is all 0 */

/* text itself, or a copy without secrets in `copy`, which the caller releases. NULL for NULL. */
const char *rte_redacted(const struct rte_redactor *r, const char *text, struct b_buf *copy);

/* Overwrites each secret in terminal output, whatever escape sequences stand between its
   characters; at the end also the beginning of one; with cut, at the beginning also an end. */
void rte_redact_output(const struct rte_redactor *r, char *output, size_t len, bool cut);

/* Rectangles that cover each secret which the screen shows; when cap do not suffice, the whole
   screen. begun: also one whose echo is not complete, in front of the cursor. Returns how many. */
size_t rte_redact_screen(const struct rte_redactor *r, const struct vs_screen *s, bool begun,
	struct vs_rect *out, size_t cap);

/* Appends what paints the screen (vs_screen_paint, at most rows x cols of it; 0: all), secrets
   hidden, also one whose echo is not complete. */
void rte_redact_paint(const struct rte_redactor *r, const struct vs_screen *s, int rows, int cols,
	struct b_buf *out);

/* Appends the screen as text (vscreen/snapshot.h, with attributes and cursor), hidden likewise. */
void rte_redact_snapshot(
	const struct rte_redactor *r, const struct vs_screen *s, struct b_buf *out);

#endif
