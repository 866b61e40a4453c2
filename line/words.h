/*
 * line/words.h - a command line into words, and back.
 *
 * Splits as a POSIX shell would that expands nothing: blanks part, single quotes, double quotes
 * and backslashes quote. What a shell would have to do more for (pipes, variables, patterns,
 * built-in commands) is left to a shell. Source: POSIX XCU 2.2, 2.3.
 */
#ifndef LINE_WORDS_H
#define LINE_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * Splits command. When it needs a shell the words are "/bin/sh", "-c" and the command. {user}
 * counts as plain text. B_EUSAGE: it is empty, or a quote is not closed. The array (NULL ends)
 * is the caller's, for ln_words_free.
 */
int ln_words_split(char ***out, const char *command, struct b_error *err) B_CHECK;
void ln_words_free(char **words); /* NULL accepted */

/* Appends the words quoted such that splitting gives the same words and never needs a shell. */
void ln_words_quote(struct b_buf *out, char *const words[]);

#endif
