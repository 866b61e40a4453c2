/*
 * base/escape.h - foreign bytes made harmless for the place where they are shown.
 *
 * What a SUT sends is hostile. Each function appends to out the form of s (len bytes, any
 * bytes) that is plain text in its medium: no control character, no invalid UTF-8, no way
 * out of the quotes. Source: JSON RFC 8259 section 7; XML 1.0 section 2.2; Lua 5.4 manual 3.1.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stddef.h>

#include "base/buf.h"

/* For messages, logs and the person's terminal: controls (C0, DEL, C1) and invalid bytes as
   \n \t \e or \xHH, a backslash as itself, bidirectional controls and what is no character
   (U+FFFE) as \u{HHHH}. */
void b_escape_text(struct b_buf *out, const char *s, size_t len);

/* The inside of a JSON string (without the quotes); an invalid byte becomes U+FFFD. */
void b_escape_json(struct b_buf *out, const char *s, size_t len);

/* HTML or XML text and attribute values: & < > " ' as entities; what XML 1.0 does not allow
   becomes U+FFFD. */
void b_escape_xml(struct b_buf *out, const char *s, size_t len);

/* A whole Lua string literal in double quotes. Valid printable UTF-8 stays readable, all else
   is \n, \t, \r or \ddd: the literal gives back exactly the bytes. */
void b_escape_lua(struct b_buf *out, const char *s, size_t len);

/* One CSV field: in double quotes when it holds a comma, a quote or a line break; controls
   and invalid bytes first as b_escape_text. Source: RFC 4180. */
void b_escape_csv(struct b_buf *out, const char *s, size_t len);

#endif
