/*
 * line/query.h - inside of line/: what stands behind '?' in a target: NAME=VALUE&NAME=VALUE.
 */
#ifndef LINE_QUERY_H
#define LINE_QUERY_H

#include "base/error.h"

/* The value of name, %HH decoded, or NULL. The caller's, to be freed. query may be NULL. */
char *ln_query_get(const char *query, const char *name);

/* Whether query holds known names only (names ends with NULL), each once and with a value that is
   a string. B_EUSAGE; the message lists the names. */
int ln_query_check(const char *query, const char *const *names, struct b_error *err) B_CHECK;

/* Whether verify= is yes, no or not there. B_EUSAGE. */
int ln_query_verify(const char *query, struct b_error *err) B_CHECK;

#endif
