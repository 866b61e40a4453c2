/*
 * capture/infer_priv.h - what the files behind capture/infer.h share: candidates for a wait.
 */
#ifndef CAPTURE_INFER_PRIV_H
#define CAPTURE_INFER_PRIV_H

#include "capture/infer.h"

struct cap_candidate {
	struct cap_wait w;
	struct vs_cond *cond;
	int base; /* its cost when it holds just at the end */
	bool held, stale, lost;
	int64_t held_ns, stale_ns;
	int rest; /* cells still to change when it first held */
	bool true_now;
	bool persists; /* through the response to the next input */
};

struct cap_response_run {
	const struct cap_item *item;
	uint8_t *tick;
	const unsigned char *differing;
	struct cap_candidate *c;
	size_t n;
	bool ticking;    /* the screen never rests: how much is left to come says little */
	bool ahead;      /* keys without an answer of their own came right before it */
	int64_t done_ns; /* when the screen was as the person saw it, -1: not yet */
	int64_t last_ns; /* of output */
};

/* Gathers the candidates for the response's item into r->c (infer_candidates.c). */
void cap_candidates_find(struct cap_response_run *r, const struct cap_session *s,
	const struct cap_infer_options *opt);
void cap_response_release(struct cap_response_run *r);

/* ---- infer_rest.c ------------------------------------------------------------------------ */

#define CAP_AHEAD_NS     (30 * 1000000LL) /* nobody reads an answer in less: typed ahead, perhaps */
#define CAP_LATE_NS      (150 * 1000000LL)
#define CAP_QUIET_MIN_MS 200

/* A silence that is longer than any within the response. */
int cap_rest_quiet_ms(const struct cap_session *s, const struct cap_response_run *r);
/* Whether the first screen was cut off by a key while it was painted, and is not one that never
   comes to rest. */
bool cap_rest_is_half_painted(const struct cap_session *s, const struct cap_response_run *r);
/* Whether characters became others by a late burst. */
bool cap_rest_changes_unasked(const struct cap_item *it);
/* Whether to wait for a silence of so long: a screen that changes unasked may never rest, unless
   the recording shows that it did. */
bool cap_rest_may_come(const struct cap_session *s, const struct cap_item *it, int quiet_ms);

#endif
