/* What each screen shows, and what Enter does on it. */
#include "demo/teller/app.h"

#include <curses.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

#define FORM_KEYS    "Enter=Do   Tab=Next field   F1=Menu   F2=Query   F3=Update   F10=Exit"
#define NUMBER_WIDTH 10
#define MONEY_WIDTH  16

/* ---- Sign on -------------------------------------------------------------------------- */

static const struct tl_item sign_on_stars[] = {
	{ "User name", 9, 16, TL_NAME },
	{ "Password", 11, 16, TL_STARS },
};
static const struct tl_item sign_on_blank[] = {
	{ "User name", 9, 16, TL_NAME },
	{ "Password", 11, 16, TL_BLANK },
};

static void paint_sign_on(struct tl_app *app)
{
	(void)app;
	mvaddstr(5, TL_LABEL_COL, "Please sign on.");
}

static enum tl_place enter_sign_on(struct tl_app *app)
{
	char user[TL_VALUE_MAX], password[TL_VALUE_MAX];
	bool right;

	tl_app_submit(app, "login", -1);
	tl_form_text(app->form, 0, user);
	tl_form_text(app->form, 1, password);
	right = *user && !strcmp(password, app->opt->password);
	memset(password, 0, sizeof password);
	if (right) {
		memcpy(app->user, user, sizeof app->user);
		app->ui.who = app->user;
		app->entry.result = "ok";
		return TL_MENU;
	}
	tl_form_clear(app->form);
	app->entry.result = "invalid";
	tl_ui_complain(&app->ui, "User name or password is wrong.");
	return TL_SIGN_ON;
}

/* ---- Main menu ------------------------------------------------------------------------ */

static void paint_menu(struct tl_app *app)
{
	static const char *const lines[] = {
		"1  F2    Account query",
		"2  F3    Account update",
		"0  F10   Exit",
	};

	(void)app;
	mvaddstr(4, 28, "Choose a function:");
	for (size_t i = 0; i < B_ARRAY_LEN(lines); i++)
		mvaddstr(7 + 2 * (int)i, 28, lines[i]);
	mvaddstr(15, 28, "Your choice");
	move(15, 41);
}

/* ---- Account query -------------------------------------------------------------------- */

static const struct tl_item query_items[] = {
	{ "Account number", 5, NUMBER_WIDTH, TL_DIGITS },
};

enum { OWNER_ROW = 7, ADDRESS_ROW, BRANCH_ROW, OPENED_ROW, BALANCE_ROW };

static void paint_query(struct tl_app *app)
{
	const struct tl_account *a = &app->account;
	enum tl_defect defect = app->opt->defect;
	char branch[64];

	tl_ui_label(OWNER_ROW, "Owner");
	tl_ui_label(ADDRESS_ROW, "Address");
	tl_ui_label(BRANCH_ROW, "Branch");
	tl_ui_label(OPENED_ROW, "Opened");
	tl_ui_label(BALANCE_ROW, defect == TL_DEFECT_LABEL ? "Ballance" : "Balance");
	for (int row = OWNER_ROW; row <= BALANCE_ROW; row++)
		tl_ui_text(row, "");
	if (!app->has_result)
		return;
	snprintf(branch, sizeof branch, "%lld %s", (long long)a->branch, a->branch_name);
	tl_ui_text(OWNER_ROW, a->owner);
	tl_ui_text(ADDRESS_ROW, a->address);
	tl_ui_text(BRANCH_ROW, branch);
	tl_ui_text(OPENED_ROW, a->opened);
	tl_ui_money(BALANCE_ROW, MONEY_WIDTH, a->balance_cents + (defect == TL_DEFECT_NUMBER));
}

static enum tl_place enter_query(struct tl_app *app)
{
	struct b_error err = { 0 };
	int64_t account = -1;
	int rc = B_EUSAGE;

	app->has_result = false;
	tl_app_submit(app, "query", -1);
	if (tl_form_number(app->form, &app->ui, 0, &account)) {
		app->entry.key = account;
		tl_app_work(app, account);
		rc = tl_db_query(app->opt->db, account, &app->account, &err);
		app->has_result = !rc;
		if (app->opt->defect != TL_DEFECT_CURSOR)
			tl_form_focus(app->form, 0);
	}
	paint_query(app);
	tl_app_result(app, rc, &err);
	if (!rc && app->opt->defect == TL_DEFECT_ATTRIBUTE)
		tl_ui_emphasize(&app->ui, "Account found.");
	else if (!rc)
		tl_ui_say(&app->ui, "Account found.");
	return TL_QUERY;
}

/* ---- Account update ------------------------------------------------------------------- */

static const struct tl_item update_items[] = {
	{ "Account number", 5, NUMBER_WIDTH, TL_DIGITS },
	{ "Teller", 6, NUMBER_WIDTH, TL_DIGITS },
	{ "Branch", 7, NUMBER_WIDTH, TL_DIGITS },
	{ "Amount", 8, NUMBER_WIDTH, TL_AMOUNT },
};

/* TL_DEFECT_ORDER */
static const struct tl_item update_items_swapped[] = {
	{ "Account number", 5, NUMBER_WIDTH, TL_DIGITS },
	{ "Branch", 6, NUMBER_WIDTH, TL_DIGITS },
	{ "Teller", 7, NUMBER_WIDTH, TL_DIGITS },
	{ "Amount", 8, NUMBER_WIDTH, TL_AMOUNT },
};

enum { ACCOUNT_ITEM, TELLER_ITEM, BRANCH_ITEM, AMOUNT_ITEM };
enum { NEW_ACCOUNT_ROW = 11, NEW_TELLER_ROW, NEW_BRANCH_ROW, ENTRY_ROW };

static void paint_update(struct tl_app *app)
{
	const struct tl_posted *p = &app->posted;

	mvaddstr(10, TL_LABEL_COL, "After the update");
	tl_ui_label(NEW_ACCOUNT_ROW, "Account balance");
	tl_ui_label(NEW_TELLER_ROW, "Teller balance");
	tl_ui_label(NEW_BRANCH_ROW, "Branch balance");
	tl_ui_label(ENTRY_ROW, "History entry");
	for (int row = NEW_ACCOUNT_ROW; row <= ENTRY_ROW; row++)
		tl_ui_text(row, "");
	if (!app->has_result)
		return;
	tl_ui_money(NEW_ACCOUNT_ROW, MONEY_WIDTH, p->account_cents);
	tl_ui_money(NEW_TELLER_ROW, MONEY_WIDTH, p->teller_cents);
	tl_ui_money(NEW_BRANCH_ROW, MONEY_WIDTH, p->branch_cents);
	tl_ui_number(ENTRY_ROW, MONEY_WIDTH, p->entry);
}

/* Reads the form. The first field that is missing or wrong gets the cursor. */
static bool read_posting(struct tl_app *app, struct tl_posting *p)
{
	bool swapped = app->opt->defect == TL_DEFECT_ORDER;
	int64_t *const values[] = {
		[ACCOUNT_ITEM] = &p->account,
		[TELLER_ITEM] = swapped ? &p->branch : &p->teller,
		[BRANCH_ITEM] = swapped ? &p->teller : &p->branch,
		[AMOUNT_ITEM] = &p->amount_cents,
	};

	for (size_t i = 0; i < B_ARRAY_LEN(values); i++)
		if (!tl_form_number(app->form, &app->ui, i, values[i]))
			return false;
	if (p->amount_cents)
		return true;
	tl_form_focus(app->form, AMOUNT_ITEM);
	tl_ui_complain(&app->ui, "Amount must not be zero.");
	return false;
}

static enum tl_place enter_update(struct tl_app *app)
{
	struct tl_posting p = { .account = -1 };
	struct b_error err = { 0 };
	int rc = B_EUSAGE;

	app->has_result = false;
	tl_app_submit(app, "update", -1);
	if (read_posting(app, &p)) {
		app->entry.key = p.account;
		tl_app_work(app, p.account);
		rc = tl_db_update(app->opt->db, &p, &app->posted, &err);
		app->has_result = !rc;
		tl_form_focus(app->form, ACCOUNT_ITEM);
	}
	paint_update(app);
	tl_app_result(app, rc, &err);
	if (!rc)
		tl_ui_say(&app->ui, "Update done.");
	return TL_UPDATE;
}

/* ---- The table ------------------------------------------------------------------------ */

const struct tl_screen *tl_screen_get(const struct tl_app *app, enum tl_place place)
{
	static const struct tl_screen stars = { "Sign on",
		"Enter=Sign on   Tab=Next field   F10=Exit", sign_on_stars,
		B_ARRAY_LEN(sign_on_stars), paint_sign_on, enter_sign_on };
	static const struct tl_screen blank = { "Sign on",
		"Enter=Sign on   Tab=Next field   F10=Exit", sign_on_blank,
		B_ARRAY_LEN(sign_on_blank), paint_sign_on, enter_sign_on };
	static const struct tl_screen menu = { "Main menu",
		"1 or F2=Query   2 or F3=Update   0 or F10=Exit", NULL, 0, paint_menu, NULL };
	static const struct tl_screen query = { "Account query", FORM_KEYS, query_items,
		B_ARRAY_LEN(query_items), paint_query, enter_query };
	static const struct tl_screen update = { "Account update", FORM_KEYS, update_items,
		B_ARRAY_LEN(update_items), paint_update, enter_update };
	static const struct tl_screen swapped = { "Account update", FORM_KEYS, update_items_swapped,
		B_ARRAY_LEN(update_items_swapped), paint_update, enter_update };

	switch (place) {
	case TL_SIGN_ON: return app->opt->login == TL_LOGIN_STARS ? &stars : &blank;
	case TL_QUERY: return &query;
	case TL_UPDATE: return app->opt->defect == TL_DEFECT_ORDER ? &swapped : &update;
	default: return &menu;
	}
}
