/*
 * demo/forms/app.h - the loop of a forms application: screens, the ways between
 * them, and the transactions that are logged.
 *
 * A program has places, each with a screen: a menu, or a form with Enter to
 * submit it. Ways are function keys that lead to a place from everywhere, and
 * digits that do so in the menu. After each key one frame is flushed; a key
 * that submits something opens a transaction, which is logged once its frame is
 * out.
 */
#ifndef DEMO_FORMS_APP_H
#define DEMO_FORMS_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "demo/forms/form.h"
#include "demo/forms/log.h"
#include "demo/forms/options.h"
#include "demo/forms/ui.h"

#define DF_EXIT (-1) /* the place that ends the program */

struct df_app;

struct df_screen {
	const char *title, *keys;
	const struct df_item *items; /* NULL: no form */
	size_t n;
	void (*paint)(struct df_app *app); /* what stands besides the form; may be NULL */
	int (*enter)(struct df_app *app);  /* Enter: the place to go to, usually to stay */
	bool closed;                       /* only the way out leads from here */
	const char *choices;               /* a menu: its answer to a wrong key */
	int cursor_row, cursor_col;        /* without a form */
};

struct df_way {
	int key;    /* a KEY_* code, or DF_KEY_ESC */
	char digit; /* in the menu; 0: none */
	int to;
};

struct df_program {
	const char *name; /* in the title bar */
	int first;        /* the place to begin at */
	const struct df_way *ways;
	size_t n_ways;
	const struct df_screen *(*screen)(const struct df_app *app, int place);
	void *data; /* the program's own */
};

struct df_app {
	const struct df_program *program;
	const struct df_options *opt;
	struct df_ui ui;
	struct df_form *form; /* of the place; NULL: none */
	int place;
	bool fits;                 /* the window is large enough */
	bool has_result;           /* the place shows the answer to what was entered; lost when
                      it is left */
	struct df_log_entry entry; /* kind set: written to the log after the next flush */
	uint64_t served;
};

/* Runs the program until the user leaves or the line ends. B_EUSAGE, B_EENV: it cannot run on
   this terminal, or a file of the options cannot be opened; err says why. */
int df_app_run(const struct df_program *program, const struct df_options *opt,
	struct b_error *err) B_CHECK;

/* For the screens: */

/* Opens the transaction that the key just read has submitted. */
void df_app_submit(struct df_app *app, const char *kind, int64_t key);
/* Shows that it takes a while, and makes it take one (--working, --delay). */
void df_app_work(struct df_app *app, int64_t key);
/* Names the result of the transaction by the code of what was done; a failed one with err's
   message, B_EUSAGE without: the form has complained. */
void df_app_result(struct df_app *app, int rc, const struct b_error *err);

#endif
