/*
 * fold.h - text in one form, for comparing: the same characters however they are coded.
 *
 * A script may hold U+00E9 or U+0065 U+0301, U+212B or U+00C5, marks in another order; on the
 * screen they are one. Text is taken character by character as cells hold it (compose.h), each
 * brought into a normal form of Unicode by utf8proc. What is never seen is left out: formatting,
 * variation selectors. For the files behind cond.h alone.
 */
#ifndef VSCREEN_FOLD_H
#define VSCREEN_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum vs_form {
	VS_FORM_TEXT,   /* taken apart (NFD): for finding text; two cells of an Indic vowel are
			   found by the one character that they make */
	VS_FORM_PATTERN /* put together (NFC): for patterns, which a person thinks of so */
};

/* Whether text of that many bytes has anything to be folded; most has not. */
bool vs_fold_needed(const char *text, size_t len);

/* Appends a cell's code points, base first, 0 ends or n of them. */
void vs_fold_cell(const uint32_t *chars, int n, enum vs_form form, struct b_buf *out);

/* Appends text that came from elsewhere; any bytes. */
void vs_fold_text(const char *text, size_t len, enum vs_form form, struct b_buf *out);

#endif
