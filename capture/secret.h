/*
 * capture/secret.h - which of the typed characters are secret.
 *
 * A pure state machine between what is typed, what the screen then shows, and the trace. Typed
 * characters are held back until they are known to be keys or a secret; keys come out as they
 * were read, with their own times; a secret comes out as its name alone. Secret is
 *
 *   line   what is typed while the line has ECHO off and ICANON on;
 *   mask   a run of characters, each of which paints one mask character at the cursor;
 *   label  a run of characters that paints nothing, in front of which the label asks for a
 *          secret, and after which a submitting key follows;
 *   told   what is typed while the person has said so.
 *
 * All else are keys: a character that shows up, that changes its row in any other way, or that
 * nothing came of for two seconds. A run that may still be a secret is in memory alone; it is
 * wiped when it is known to be one, and at the end counts as one when rule line, mask or label
 * spoke for it.
 *
 * Order of calls: cap_secret_typed when keystrokes were read, before they are sent;
 * cap_secret_shown whenever the screen has taken what was read from the line, and when
 * cap_secret_due_ns has come; cap_secret_finish at the end.
 */
#ifndef CAPTURE_SECRET_H
#define CAPTURE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "vscreen/screen.h"

/* Takes an event for the trace: code 'i' with what was typed, or 'm' with "secret NAME". Times
   never fall. */
typedef void cap_secret_emit_fn(void *user, int64_t at_ns, char code, const char *data, size_t len);

struct cap_secret_options {
	const struct vs_screen *screen; /* read in each call */
	const char *label_pattern;      /* see cap_secret_labels_new; may be NULL */
	cap_secret_emit_fn *emit;
	void *user;
};

struct cap_secret;

/* B_EUSAGE when the pattern is none. */
int cap_secret_new(
	struct cap_secret **out, const struct cap_secret_options *opt, struct b_error *err) B_CHECK;
void cap_secret_free(struct cap_secret *s); /* forgets what is held; NULL accepted */

/* hidden: the line's own word at this moment, ln_line_is_secret. */
void cap_secret_typed(
	struct cap_secret *s, int64_t at_ns, const char *bytes, size_t len, bool hidden);
void cap_secret_shown(struct cap_secret *s, int64_t at_ns, bool hidden);

/* From now on (or no longer) all that is typed is secret, because the person says so. */
void cap_secret_tell(struct cap_secret *s, int64_t at_ns, bool on);

/* Nothing more will be shown: what is held is decided now. */
void cap_secret_finish(struct cap_secret *s, int64_t at_ns);

bool cap_secret_holds(const struct cap_secret *s);     /* anything that is not decided */
int64_t cap_secret_due_ns(const struct cap_secret *s); /* -1: nothing is due */

#endif
