/*
 * rte/display_priv.h - inside of rte/display*.c: what is known of the run, and what is shown.
 */
#ifndef RTE_DISPLAY_PRIV_H
#define RTE_DISPLAY_PRIV_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "rte/display.h"
#include "rte/display_term.h"

#define RTE_LOG_SHOWN 50

enum rte_page { RTE_PAGE_RUN, RTE_PAGE_LIST, RTE_PAGE_USER, RTE_PAGE_HELP };

enum rte_prompt {
	RTE_PROMPT_NONE,
	RTE_PROMPT_USERS, /* a number of users */
	RTE_PROMPT_USER,  /* the number of one */
	RTE_PROMPT_NEXT,  /* y or n */
	RTE_PROMPT_STOP,
	RTE_PROMPT_STOP_NOW
};

struct rte_display {
	const struct rte_display_options *opt;
	int fd;
	struct b_buf in;
	json_t *state, *list, *user; /* as they were told last; NULL: not yet */
	int64_t state_ns;            /* when the state was told */
	char *log[RTE_LOG_SHOWN];    /* a ring */
	size_t n_log;
	char said[300]; /* what the run answered last */
	int64_t said_ns;

	enum rte_page page, back;  /* back: from which page the user or the help was opened */
	const char *order;         /* of the list */
	size_t list_from, list_at; /* first line shown; the one under the cursor, in all */
	int64_t user_number;
	struct vs_screen *screen; /* of the user, painted anew */
	int screen_rows, screen_cols;
	bool zoomed;
	int pan_rows; /* moved by the person, against what the cursor asks for */
	enum rte_prompt prompt;
	char typed[12];
	bool leaves, ended;
};

/* ---- display.c ---- */
/* Sends a line to the run. */
void rte_display_say(struct rte_display *d, const char *fmt, ...) B_PRINTF(2, 3);

/* Members of an object that may be missing or null: NaN, "" and 0. */
double rte_display_number(const json_t *o, const char *key);
const char *rte_display_text(const json_t *o, const char *key);

#define RTE_TIME_SIZE 16
/* "0.31ms", "24.4ms", "1.23s", "-": at most six columns. */
const char *rte_display_time(char out[RTE_TIME_SIZE], double s);
/* "4.61", "120", "1.2k", "-": at most five columns. */
const char *rte_display_amount(char out[RTE_TIME_SIZE], double v);
/* Whole seconds as people say them: "1m12s". */
const char *rte_display_span(char out[32], double s);

/* ---- display_run.c ---- */
void rte_display_run_draw(const struct rte_display *d);
void rte_display_help_draw(const struct rte_display *d);

/* ---- display_user.c ---- */
void rte_display_list_draw(struct rte_display *d);
void rte_display_list_ask(struct rte_display *d);
void rte_display_user_draw(struct rte_display *d);
/* A user was told: its screen is painted. */
void rte_display_user_take(struct rte_display *d);
/* Looks at that user from now on; 0: at none. */
void rte_display_user_open(struct rte_display *d, int64_t number);
/* Keys of these pages; false: not ours. */
bool rte_display_list_key(struct rte_display *d, int key);
bool rte_display_user_key(struct rte_display *d, int key);

#endif
