/*
 * demo/teller/app.h - the application: its screens, and the loop that runs them.
 *
 *   sign on (--login) -> main menu -> account query
 *                                  -> account update
 *
 * F1 or Esc: main menu, F2: query, F3: update, F10: exit, from everywhere past the sign-on;
 * the menu takes the digits 1, 2 and 0 as well. Enter submits a form from any of its fields.
 */
#ifndef DEMO_TELLER_APP_H
#define DEMO_TELLER_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "demo/teller/db.h"
#include "demo/teller/form.h"
#include "demo/teller/log.h"
#include "demo/teller/ui.h"

enum tl_login { TL_LOGIN_NONE, TL_LOGIN_BLANK, TL_LOGIN_STARS };

/* Faults on request, for tests of tests: each changes one thing that a person would notice. */
enum tl_defect {
	TL_DEFECT_NONE,
	TL_DEFECT_LABEL,     /* a label of the query form is misspelt */
	TL_DEFECT_NUMBER,    /* the query shows a cent too much */
	TL_DEFECT_ATTRIBUTE, /* "Account found." is bold */
	TL_DEFECT_ORDER,     /* branch stands in front of teller in the update form */
	TL_DEFECT_CURSOR     /* after a query the cursor rests behind the number */
};

struct tl_app_options {
	struct tl_db *db;
	struct tl_log log;
	int keys_fd;                        /* -1: keys are not kept */
	int64_t delay_min_ms, delay_max_ms; /* added to each query and update */
	bool working;                       /* say "Working" before the database is asked */
	bool clock;
	enum tl_login login;
	enum tl_defect defect;
	const char *password; /* of every user */
};

/* Runs the application until the user leaves or the line ends. B_EUSAGE, B_EENV: it cannot run
   on this terminal; err says why. */
int tl_app_run(const struct tl_app_options *opt, struct b_error *err) B_CHECK;

/* ---- Between app.c and screens.c ------------------------------------------------------ */

/* The numbers stand in the log. */
enum tl_place { TL_SIGN_ON, TL_MENU = 1, TL_QUERY = 2, TL_UPDATE = 3, TL_EXIT };

struct tl_app {
	const struct tl_app_options *opt;
	struct tl_ui ui;
	struct tl_form *form; /* of the place; NULL: none */
	enum tl_place place;
	bool fits; /* the window is large enough */
	char user[TL_VALUE_MAX];
	bool has_result; /* the place shows account or posted */
	struct tl_account account;
	struct tl_posted posted;
	struct tl_log_entry entry; /* kind set: written to the log after the next flush */
	uint64_t served;
};

/* Opens the transaction that the key just read has submitted. */
void tl_app_submit(struct tl_app *app, const char *kind, int64_t key);
/* Shows that it takes a while, and makes it take one (--working, --delay). */
void tl_app_work(struct tl_app *app, int64_t key);
/* Names the result of the transaction; for a failed one with a message for the person. */
void tl_app_result(struct tl_app *app, int rc, const struct b_error *err);

struct tl_screen {
	const char *title, *keys;
	const struct tl_item *items; /* NULL: no form */
	size_t n;
	void (*paint)(struct tl_app *app);          /* what stands besides the form; may be NULL */
	enum tl_place (*enter)(struct tl_app *app); /* Enter: where to go, usually to stay */
};

const struct tl_screen *tl_screen_get(const struct tl_app *app, enum tl_place place);

#endif
