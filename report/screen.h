/*
 * report/screen.h - a kept screen as HTML, in its colours.
 *
 * Reads what the run kept of a failed user's screen: escape sequences that paint it (NAME.ans),
 * or plain text (NAME.txt). It is no terminal: it knows cursor addressing, erasing and SGR,
 * drops everything else, and trusts nothing. What comes out is text in spans whose style this
 * file wrote itself.
 */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include <stddef.h>

#include "base/buf.h"

/* Appends the screen as the inside of a <pre>. */
void rp_screen_html(struct b_buf *out, const char *data, size_t len);

#endif
