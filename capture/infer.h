/*
 * capture/infer.h - what to wait for after each key: conditions found on the recorded screens.
 *
 * For each response that deserves a wait, candidates are gathered from the screen as the person
 * saw it before the next input (text that was painted, the cursor at rest, a prompt, the
 * reversed row of a list), and each is judged on a second replay of the very same output, piece by
 * piece, as the replay engine will judge it. The best is the one that comes true when nothing
 * else is left to come, and that a person would have named: labels and messages before
 * digits, what was written anew before what was repainted, never what ticks, never what the
 * person typed.
 */
#ifndef CAPTURE_INFER_H
#define CAPTURE_INFER_H

#include "capture/names.h"
#include "capture/steps.h"
#include "vscreen/cond.h"

/* A condition: all that is set must hold on one instant. */
struct cap_wait {
	bool found; /* false: nothing to wait for, the pause is kept as recorded */
	char *text; /* plain text, or with pattern a Lua pattern; NULL: none */
	bool pattern, gone, reverse;
	int row;      /* of text; -1: anywhere */
	char *prompt; /* a Lua pattern for the row of the prompt; NULL: none */
	bool back;    /* prompt: it had stood there before */
	bool cursor;
	int cur_row, cur_col;
	int quiet_ms;    /* 0: none */
	bool already;    /* it may have come before the last of several keys typed ahead */
	bool early;      /* it held already a while before the answer was complete */
	bool doubt;      /* the next key was typed ahead: the answer may not have been complete */
	bool repaint;    /* text: it stood there before and was painted again */
	bool moved;      /* text: it came here from elsewhere on the screen, unpainted */
	bool highlight;  /* text: in looks that few others have */
	int64_t done_ns; /* the recorded time at which the answer was complete */
};

/* infer_candidates.c: the condition as the engine judges it; the caller's. NULL when nothing is
   set. */
struct vs_cond *cap_wait_cond(const struct cap_wait *w);
void cap_wait_release(struct cap_wait *w);

struct cap_infer_options {
	/* For each item, or NULL: what differs between traces on its `after`, CAP_DIFFERS_* a cell. */
	const unsigned char *const *differing;
	/* Values that were typed in the session: text that holds one is not waited for. And their words. */
	const char *const *typed;
	size_t n_typed;
	const struct cap_words *words;
};

/*
 * Finds the wait of each item with item[i].wait set: an array of s->n_items, to be given to
 * cap_waits_free.
 */
struct cap_wait *cap_infer(const struct cap_session *s, const struct cap_infer_options *opt);
void cap_waits_free(struct cap_wait *w, size_t n);

/* ---- infer_text.c: text on a screen that can be waited for ------------------------------ */

struct cap_text {
	int row, col, end; /* where it stands */
	char *text;        /* plain, or a Lua pattern */
	bool pattern, gone, reverse;
	bool repaint;   /* none of it is new */
	bool moved;     /* it came here from elsewhere on the screen, unpainted */
	bool highlight; /* it is, in looks that few others have */
	int quality;    /* the higher, the more a person would name it */
};

struct cap_text_options {
	const struct cap_session *session;
	const struct cap_item *item;
	const uint8_t *tick;            /* as cap_session_ticks_get fills it */
	bool ticking;                   /* and whether there is anything in it */
	const unsigned char *differing; /* or NULL */
	const char *const *typed;
	size_t n_typed;
	const struct cap_words *words;
};

/* The best texts of the item's response, best first; at most max. free with cap_texts_free. */
size_t cap_texts_find(const struct cap_text_options *opt, struct cap_text *out, size_t max);
void cap_texts_free(struct cap_text *t, size_t n);

/* ---- infer_match.c: the patterns that this folder writes -------------------------------- */

/* Appends s as a Lua pattern that matches it, each run of digits by %d+. */
void cap_pattern_quote(struct b_buf *out, const char *s, size_t len);
/* A vs_match_fn for such patterns with `^`, `$` and ` *` at their ends. */
int cap_pattern_match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end);

#endif
