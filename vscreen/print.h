/*
 * print.h - text: characters onto the screen at the cursor.
 *
 * Wraps, inserts, maps by character set, joins combining marks to the character before.
 */
#ifndef VSCREEN_PRINT_H
#define VSCREEN_PRINT_H

#include <stddef.h>
#include <stdint.h>

struct vs_screen;

/* Prints the characters that the bytes (valid UTF-8) begin with, up to a control; returns how
   many bytes they took, at least 1. */
size_t vs_print(struct vs_screen *s, const char *bytes, size_t len);

/* Prints one character: a code point, or a code of the 7- or 8-bit sets. */
void vs_print_char(struct vs_screen *s, uint32_t cp);

/* REP: the last character n times more, if nothing came between. */
void vs_repeat(struct vs_screen *s, int n);

#endif
