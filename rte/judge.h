/*
 * rte/judge.h - when does a condition hold? What vscreen/cond.h says of one instant, put in time.
 *
 * A true and new condition holds at once. One that is true of what stood there before the input
 * is stale: it holds once output has arrived since the last input and the screen has not changed
 * for `settle`. Nothing is judged while the picture is unfinished: in the middle of an escape
 * sequence, or of a synchronised update, which may take RTE_SYNC_MAX_NS at most.
 *
 * Pure but for the screen that it looks at.
 */
#ifndef RTE_JUDGE_H
#define RTE_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "vscreen/cond.h"

#define RTE_SYNC_MAX_NS     (150 * INT64_C(1000000))  /* of an open synchronised update */
#define RTE_SEQUENCE_MAX_NS (1000 * INT64_C(1000000)) /* of a sequence that never ends */

struct rte_judge {
	const struct vs_screen *screen;
	vs_match_fn *match;
	void *match_user;
	int64_t settle_ns;
	int64_t input_ns;  /* the last input, or the session's start */
	int64_t change_ns; /* the last screen change in the session; the start before any */
	int64_t midway_ns; /* since when the screen has been midway without a break; -1: it is not */
	bool output;       /* output has arrived since the last input */
	bool fresh;        /* all counts as new: the first expect of a session */
	bool eof;
	const char *stream; /* output since the last input */
	size_t stream_len;
};

struct rte_verdict {
	bool holds;
	bool stale;     /* holds, but by staleness */
	int64_t due_ns; /* judge again then although nothing has come; -1: only when something has */
	struct vs_cond_result result;
};

/* Judges c as things stand at `now`. Returns 0, or a negative status for a bad pattern. */
int rte_judge(const struct rte_judge *j, const struct vs_cond *c, int64_t now,
	struct rte_verdict *out) B_CHECK;

#endif
