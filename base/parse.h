/*
 * base/parse.h - numbers, durations and sizes as people write them on a command line.
 *
 * Each takes a whole NUL-terminated string: anything left over is an error, as is an empty
 * string. On failure the result is left alone and B_EUSAGE or B_ERANGE is returned.
 */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* A decimal integer within [min, max]. */
int b_parse_int(const char *s, int64_t min, int64_t max, int64_t *out) B_CHECK;

/* A finite decimal number. The program never sets LC_NUMERIC, so the point is a point. */
int b_parse_double(const char *s, double *out) B_CHECK;

/* A duration: number and unit `us`, `ms`, `s`, `m` or `h` ("250ms", "1.5s", "5m"), sums as in
   "1m30s", or a bare number of seconds. Not negative; result in ns. */
int b_parse_duration(const char *s, int64_t *ns) B_CHECK;

/* "COLSxROWS", both 1..1000. */
int b_parse_size(const char *s, int *cols, int *rows) B_CHECK;

/* Appends the shortest exact form of a duration: "250ms", "20s", "1m30s". */
void b_format_duration(struct b_buf *out, int64_t ns);

#endif
