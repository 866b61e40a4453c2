/*
 * rte/pattern.h - Lua's patterns, with a bound on the work that one match may take.
 *
 * The same language as string.find of Lua 5.4 (manual 6.4.1): classes, sets, * + - ?, %b, %f,
 * %1, captures, anchors. Works on bytes, and its classes are those of the C locale, so a
 * pattern means the same on every machine. What Lua's own matcher lacks is an end: there a
 * pattern such as "(.-)(.-)(.-)x" on a long subject holds its thread for hours, where no hook
 * reaches it. Here it is refused after so many steps. Pure functions, any thread.
 */
#ifndef RTE_PATTERN_H
#define RTE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define RTE_PATTERN_CAPTURES    32
#define RTE_PATTERN_SUBJECT_MAX ((size_t)1 << 20) /* bytes; a longer subject is refused */

struct rte_pattern_in {
	const char *pattern, *subject; /* any bytes; need no NUL behind them */
	size_t pattern_len, subject_len;
	size_t from;    /* where to begin, <= subject_len; "^" anchors here */
	uint64_t steps; /* bound of the work: single comparisons, about 3 ns each */
	bool whole;     /* gmatch: "^" is no anchor but a character */
};

struct rte_capture {
	size_t start, len;
	bool position; /* "()": the value is the offset start, not text */
};

struct rte_pattern_match {
	size_t start, end; /* of the whole match, half open */
	size_t n_captures;
	struct rte_capture captures[RTE_PATTERN_CAPTURES];
	uint64_t steps;    /* that it took; set in every case */
	const char *error; /* why it was refused; a constant text, no position */
};

/*
 * Finds the first match. Returns 1 and fills out, 0 when there is none, B_EINPUT for a
 * malformed pattern, B_ERANGE when it took too many steps or the subject is too long; for
 * both, out->error says why.
 */
int rte_pattern_find(const struct rte_pattern_in *in, struct rte_pattern_match *out);

/* Whether a pattern is well formed: 0, or B_EINPUT with *error set. */
int rte_pattern_check(const char *pattern, size_t len, const char **error) B_CHECK;

#endif
