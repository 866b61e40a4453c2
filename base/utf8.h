/*
 * base/utf8.h - UTF-8 as Unicode defines it: no surrogates, no overlong forms, nothing past
 * U+10FFFF. Source: RFC 3629; Unicode 15 section 3.9 (maximal subparts).
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define B_UTF8_REPLACEMENT 0xFFFDu

/*
 * Decodes one character of the len >= 1 bytes at s. Returns the bytes that it takes (1..4) and
 * sets *cp; an invalid sequence takes its maximal subpart (at least one byte) and gives
 * U+FFFD. Returns 0 when the bytes are a valid but unfinished beginning.
 */
size_t b_utf8_decode(const char *s, size_t len, uint32_t *cp);

/* Encodes cp into out (room for 4 bytes, no NUL); a value that is no character gives U+FFFD. */
size_t b_utf8_encode(uint32_t cp, char out[4]);

/* Whether all len bytes are valid, complete UTF-8. */
bool b_utf8_valid(const char *s, size_t len);

/* The length of the unfinished character at the end of s: 0..3. */
size_t b_utf8_tail(const char *s, size_t len);

#endif
