/*
 * report/format.h - numbers as people read them.
 *
 * Each writes into out (room for RP_FORMAT_SIZE) and returns it, so that several can stand in one
 * printf with a buffer each. NaN, "there is none", is "-".
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

#define RP_FORMAT_SIZE 32

/* Three figures and a unit: "0.85ms", "12.3ms", "1.23s", "123s". */
const char *rp_format_s(char out[RP_FORMAT_SIZE], double s);
/* "1,234,567" */
const char *rp_format_count(char out[RP_FORMAT_SIZE], uint64_t n);
/* Four figures: "0.1234", "12.34", "1,234". */
const char *rp_format_number(char out[RP_FORMAT_SIZE], double v);
/* "+12.3%", "-4.0%", "+1911%" of a part of one by which something changed. */
const char *rp_format_change(char out[RP_FORMAT_SIZE], double part);
/* "0.00%", "12.3%", "100%" of a part of one. */
const char *rp_format_share(char out[RP_FORMAT_SIZE], double part);
/* A length of time in words: "30s", "12m30s", "2h". */
const char *rp_format_span(char out[RP_FORMAT_SIZE], double s);
/* "2026-11-30 12:44:25 UTC" of seconds since the epoch. */
const char *rp_format_time(char out[RP_FORMAT_SIZE], double epoch_s);

/* Appends s escaped for a terminal; when it is longer than cols >= 6 columns, its middle becomes
   "...". Returns the columns that it takes. */
size_t rp_format_name(struct b_buf *out, const char *s, size_t cols);

/* How wide lines to `to` may be: as the terminal; what is none, as COLUMNS says, else 80. */
size_t rp_format_cols(FILE *to);

/* Prints the words of s from column col on, broken at blanks so that lines have no more than cols
   columns, those after the first at column indent. A word that fits no line is cut. Escaped; no line
   end behind. Returns the column behind the last word. */
size_t rp_format_wrapped(FILE *to, size_t cols, const char *s, size_t col, size_t indent);

#endif
