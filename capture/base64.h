/*
 * capture/base64.h - bytes as text, for what a trace's JSON cannot hold.
 *
 * Standard alphabet, padded, no line breaks. Source: RFC 4648 section 4.
 */
#ifndef CAPTURE_BASE64_H
#define CAPTURE_BASE64_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* Appends the text form of len bytes. */
void cap_base64_encode(struct b_buf *out, const char *bytes, size_t len);

/* Appends the bytes of text. B_EINPUT, and nothing appended, when it is not base64. */
int cap_base64_decode(struct b_buf *out, const char *text, size_t len) B_CHECK;

#endif
