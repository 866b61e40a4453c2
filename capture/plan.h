/*
 * capture/plan.h - what a script will do, before it is written down: values, acts, steps.
 *
 * An act is one thing that the person did (typed a value, pressed a key) and what is waited for after
 * it. A step is what lies between two answers: it ends with the key that submitted. Steps are
 * divided into login, iteration and logout.
 *
 * Order of calls: cap_values_find, then the conditions (capture/infer.h), then cap_plan_new;
 * the plan is read by capture/emit.c.
 */
#ifndef CAPTURE_PLAN_H
#define CAPTURE_PLAN_H

#include "capture/generate.h"
#include "capture/infer.h"
#include "capture/names.h"
#include "capture/steps.h"

/* ---- Values: what was typed into fields (generate_values.c) ---------------------------- */

struct cap_value {
	size_t first, last; /* items, all of them typing, or one paste */
	char *text;         /* as typed, UTF-8 or not; a paste's text */
	size_t len;
	bool paste;
	bool silent;  /* nothing of it was shown */
	char *secret; /* it was masked, or hidden and its label asks for a secret: its name */
	char *label;  /* as on the screen beside the field, or NULL */
	int row, col; /* of the cursor before it */
	char *name;   /* in the script's data table; NULL: too short, stands in place */
	char *rhythm; /* the name of its gaps; NULL: as its name, or in place */
	bool same;    /* the same name and value stand in the table already */
	/* Taken from the screen: the value stood there, beside a label, before it was typed. */
	char *shown_label; /* or NULL */
	enum { CAP_SHOWN_FIELD, CAP_SHOWN_ROW, CAP_SHOWN_LINES } shown_how;
	int shown_row;
	size_t shown_after; /* the item whose response showed it */
	bool differs;       /* between traces */
};

struct cap_values {
	struct cap_value *value;
	size_t n;
	struct cap_words words; /* of them all */
};

/* Finds and names what was typed in a classified session. */
void cap_values_find(const struct cap_session *s, struct cap_values *out);
/* Finds out which of them the SUT had shown before, and how to read them there: as a field, out
   of its row, or in line mode out of the latest line; part of cap_values_find (generate_shown.c). */
void cap_values_shown(const struct cap_session *s, struct cap_values *v);
/* Appends the expression of Lua that reads it. */
void cap_value_read_add(const struct cap_value *v, struct b_buf *out);
void cap_values_release(struct cap_values *v);
/* The value that begins with item i, or NULL. */
struct cap_value *cap_values_at(const struct cap_values *v, size_t i);

/* ---- Acts and steps (generate_plan.c) --------------------------------------------------- */

enum cap_act_kind {
	CAP_ACT_SEND,
	CAP_ACT_PASTE,
	CAP_ACT_PRESS,
	CAP_ACT_RAW,
	CAP_ACT_MOUSE,
	CAP_ACT_SECRET,
	CAP_ACT_RESIZE,
	CAP_ACT_LOOK,   /* nothing but its wait */
	CAP_ACT_MARKER, /* golden, mask, comment */
	CAP_ACT_PAUSED  /* the recording was paused here */
};

struct cap_act {
	enum cap_act_kind kind;
	size_t first, last;            /* items */
	const struct cap_value *value; /* SEND, PASTE; NULL for a burst that is pasted in place */
	char *text;                    /* PASTE without a value */
	size_t len;
	int64_t before_ns;           /* the recorded pause in front of it, -1: none */
	int64_t esc_pause_ns;        /* to keep after a lone Esc; 0: none */
	int64_t click_pause_ns;      /* to keep between mouse buttons; 0: none */
	const struct cap_wait *wait; /* NULL: none */
	bool eof;                    /* the application ends with it */
};

struct cap_step {
	size_t first, n;  /* acts */
	size_t state;     /* the item whose response is the screen it begins with */
	int64_t think_ns; /* -1: none */
	bool transaction;
	char *name; /* of the transaction */
};

struct cap_plan {
	const struct cap_session *s;
	const struct cap_values *values;
	const struct cap_wait *waits; /* one an item */
	struct cap_act *act;
	size_t n_acts;
	struct cap_step *step;
	size_t n_steps;
	/* login: steps [0, login_end), iteration [login_end, iter_end), logout the rest. */
	size_t login_end, iter_end;
	bool relogin;  /* the iteration does not end where it began */
	bool brackets; /* the application asks for brackets about a paste, at one time or another */
	bool eof;      /* the application ended at the end of the recording */
	size_t n_keys;
};

void cap_plan_new(const struct cap_session *s, const struct cap_values *v,
	const struct cap_wait *waits, struct cap_plan *out);
void cap_plan_release(struct cap_plan *p);
/* The name of the secret that a SECRET act types. */
const char *cap_act_secret(const struct cap_plan *p, const struct cap_act *a);

/* Divides the steps (generate_split.c); called by cap_plan_new. */
void cap_plan_split(struct cap_plan *p);

/* Whether two states are the same screen to a person: equal but for digits, ticks and a message
   on the last lines; in line mode, the same prompt. a, b: items. */
bool cap_same_state(const struct cap_session *s, size_t a, size_t b);

/* ---- Several traces of one session (generate_merge.c) ----------------------------------- */

struct cap_merge {
	unsigned char **differing; /* for each item of the first session, or NULL entries */
	size_t n_items;
	char ***column; /* column[trace][value]: the values of each trace, [0] the first's own */
	size_t n_traces, n_values;
	size_t aligned; /* items of the first session that all traces share */
};

/*
 * Compares the other sessions with the first: what differs on the screens goes to differing,
 * what differs in the input marks values as differing. A session that takes another way is compared up to
 * there, with a line in warnings.
 */
void cap_merge_new(struct cap_session *const *s, size_t n, struct cap_values *first,
	struct b_buf *warnings, struct cap_merge *out);
void cap_merge_release(struct cap_merge *m);

#endif
