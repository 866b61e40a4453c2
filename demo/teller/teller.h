/*
 * demo/teller/teller.h - the teller's screens.
 *
 *   sign on (--login) -> main menu -> account query
 *                                  -> account update
 *
 * F1 or Esc: main menu, F2: query, F3: update, F10: exit, from everywhere past
 * the sign-on; the menu takes the digits 1, 2 and 0 as well. Enter submits a
 * form from any of its fields.
 */
#ifndef DEMO_TELLER_TELLER_H
#define DEMO_TELLER_TELLER_H

#include "base/error.h"
#include "demo/forms/options.h"
#include "demo/teller/db.h"

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

struct tl_options {
	struct df_options common;
	enum tl_login login;
	enum tl_defect defect;
	const char *password; /* of every user */
};

/* Runs the teller at this terminal; errors as df_app_run. */
int tl_run(struct tl_db *db, const struct tl_options *opt, struct b_error *err) B_CHECK;

#endif
