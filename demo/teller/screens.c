/* What each screen shows, and what Enter does on it. */
#include <curses.h>
#include <string.h>

#include "base/mem.h"
#include "demo/forms/app.h"
#include "demo/teller/teller.h"
#include "base/banned.h"

#define FORM_KEYS    "Enter=Do   Tab=Next field   F1=Menu   F2=Query   F3=Update   F10=Exit"
#define NUMBER_WIDTH 10
#define MONEY_WIDTH  16

/* The numbers stand in the log. */
enum place { SIGN_ON, MENU = 1, QUERY = 2, UPDATE = 3 };

struct teller {
	struct tl_db *db;
	const struct tl_options *opt;
	char user[DF_VALUE_MAX];
	struct tl_account account; /* what the query shows */
	struct tl_posted posted;   /* what the update shows */
};

static struct teller *teller(const struct df_app *app)
{
	return app->program->data;
}

/* ---- Sign on -------------------------------------------------------------------------- */

static const struct df_item sign_on_stars[] = {
	{ "User name", 9, 16, DF_NAME, 0 },
	{ "Password", 11, 16, DF_STARS, 0 },
};
static const struct df_item sign_on_blank[] = {
	{ "User name", 9, 16, DF_NAME, 0 },
	{ "Password", 11, 16, DF_BLANK, 0 },
};

static void paint_sign_on(struct df_app *app)
{
	(void)app;
	mvaddstr(5, DF_LABEL_COL, "Please sign on.");
}

static int enter_sign_on(struct df_app *app)
{
	char user[DF_VALUE_MAX], password[DF_VALUE_MAX];
	bool right;

	df_app_submit(app, "login", -1);
	df_form_text(app->form, 0, user);
	df_form_text(app->form, 1, password);
	right = *user && !strcmp(password, teller(app)->opt->password);
	memset(password, 0, sizeof password);
	if (right) {
		memcpy(teller(app)->user, user, sizeof user);
		app->ui.who = teller(app)->user;
		app->entry.result = "ok";
		return MENU;
	}
	df_form_clear(app->form);
	app->entry.result = "invalid";
	df_ui_complain(&app->ui, "User name or password is wrong.");
	return SIGN_ON;
}

/* ---- Main menu ------------------------------------------------------------------------ */

enum { CHOICE_ROW = 15, CHOICE_COL = 41 };

static void paint_menu(struct df_app *app)
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
	mvaddstr(CHOICE_ROW, 28, "Your choice");
}

/* ---- Account query -------------------------------------------------------------------- */

static const struct df_item query_items[] = {
	{ "Account number", 5, NUMBER_WIDTH, DF_DIGITS, 0 },
};

enum { OWNER_ROW = 7, ADDRESS_ROW, BRANCH_ROW, OPENED_ROW, BALANCE_ROW };

static void paint_query(struct df_app *app)
{
	const struct tl_account *a = &teller(app)->account;
	enum tl_defect defect = teller(app)->opt->defect;
	char branch[64];

	df_ui_label(OWNER_ROW, "Owner");
	df_ui_label(ADDRESS_ROW, "Address");
	df_ui_label(BRANCH_ROW, "Branch");
	df_ui_label(OPENED_ROW, "Opened");
	df_ui_label(BALANCE_ROW, defect == TL_DEFECT_LABEL ? "Ballance" : "Balance");
	for (int row = OWNER_ROW; row <= BALANCE_ROW; row++)
		df_ui_text(row, "");
	if (!app->has_result)
		return;
	snprintf(branch, sizeof branch, "%lld %s", (long long)a->branch, a->branch_name);
	df_ui_text(OWNER_ROW, a->owner);
	df_ui_text(ADDRESS_ROW, a->address);
	df_ui_text(BRANCH_ROW, branch);
	df_ui_text(OPENED_ROW, a->opened);
	df_ui_money(BALANCE_ROW, MONEY_WIDTH, a->balance_cents + (defect == TL_DEFECT_NUMBER));
}

static int enter_query(struct df_app *app)
{
	struct b_error err = { 0 };
	int64_t account = -1;
	int rc = B_EUSAGE;

	app->has_result = false;
	df_app_submit(app, "query", -1);
	if (df_form_number(app->form, &app->ui, 0, &account)) {
		app->entry.key = account;
		df_app_work(app, account);
		rc = tl_db_query(teller(app)->db, account, &teller(app)->account, &err);
		app->has_result = !rc;
		if (teller(app)->opt->defect != TL_DEFECT_CURSOR)
			df_form_focus(app->form, 0);
	}
	paint_query(app);
	df_app_result(app, rc, &err);
	if (!rc && teller(app)->opt->defect == TL_DEFECT_ATTRIBUTE)
		df_ui_emphasize(&app->ui, "Account found.");
	else if (!rc)
		df_ui_say(&app->ui, "Account found.");
	return QUERY;
}

/* ---- Account update ------------------------------------------------------------------- */

static const struct df_item update_items[] = {
	{ "Account number", 5, NUMBER_WIDTH, DF_DIGITS, 0 },
	{ "Teller", 6, NUMBER_WIDTH, DF_DIGITS, 0 },
	{ "Branch", 7, NUMBER_WIDTH, DF_DIGITS, 0 },
	{ "Amount", 8, NUMBER_WIDTH, DF_AMOUNT, 0 },
};

/* TL_DEFECT_ORDER */
static const struct df_item update_items_swapped[] = {
	{ "Account number", 5, NUMBER_WIDTH, DF_DIGITS, 0 },
	{ "Branch", 6, NUMBER_WIDTH, DF_DIGITS, 0 },
	{ "Teller", 7, NUMBER_WIDTH, DF_DIGITS, 0 },
	{ "Amount", 8, NUMBER_WIDTH, DF_AMOUNT, 0 },
};

enum { ACCOUNT_ITEM, TELLER_ITEM, BRANCH_ITEM, AMOUNT_ITEM };
enum { NEW_ACCOUNT_ROW = 11, NEW_TELLER_ROW, NEW_BRANCH_ROW, ENTRY_ROW };

static void paint_update(struct df_app *app)
{
	const struct tl_posted *p = &teller(app)->posted;

	mvaddstr(10, DF_LABEL_COL, "After the update");
	df_ui_label(NEW_ACCOUNT_ROW, "Account balance");
	df_ui_label(NEW_TELLER_ROW, "Teller balance");
	df_ui_label(NEW_BRANCH_ROW, "Branch balance");
	df_ui_label(ENTRY_ROW, "History entry");
	for (int row = NEW_ACCOUNT_ROW; row <= ENTRY_ROW; row++)
		df_ui_text(row, "");
	if (!app->has_result)
		return;
	df_ui_money(NEW_ACCOUNT_ROW, MONEY_WIDTH, p->account_cents);
	df_ui_money(NEW_TELLER_ROW, MONEY_WIDTH, p->teller_cents);
	df_ui_money(NEW_BRANCH_ROW, MONEY_WIDTH, p->branch_cents);
	df_ui_number(ENTRY_ROW, MONEY_WIDTH, p->entry);
}

/* Reads the form. The first field that is missing or wrong gets the cursor. */
static bool read_posting(struct df_app *app, struct tl_posting *p)
{
	bool swapped = teller(app)->opt->defect == TL_DEFECT_ORDER;
	int64_t *const values[] = {
		[ACCOUNT_ITEM] = &p->account,
		[TELLER_ITEM] = swapped ? &p->branch : &p->teller,
		[BRANCH_ITEM] = swapped ? &p->teller : &p->branch,
		[AMOUNT_ITEM] = &p->amount_cents,
	};

	for (size_t i = 0; i < B_ARRAY_LEN(values); i++)
		if (!df_form_number(app->form, &app->ui, i, values[i]))
			return false;
	if (p->amount_cents)
		return true;
	df_form_focus(app->form, AMOUNT_ITEM);
	df_ui_complain(&app->ui, "Amount must not be zero.");
	return false;
}

static int enter_update(struct df_app *app)
{
	struct tl_posting p = { .account = -1 };
	struct b_error err = { 0 };
	int rc = B_EUSAGE;

	app->has_result = false;
	df_app_submit(app, "update", -1);
	if (read_posting(app, &p)) {
		app->entry.key = p.account;
		df_app_work(app, p.account);
		rc = tl_db_update(teller(app)->db, &p, &teller(app)->posted, &err);
		app->has_result = !rc;
		df_form_focus(app->form, ACCOUNT_ITEM);
	}
	paint_update(app);
	df_app_result(app, rc, &err);
	if (!rc)
		df_ui_say(&app->ui, "Update done.");
	return UPDATE;
}

/* ---- The tables ----------------------------------------------------------------------- */

static const struct df_screen sign_on_with_stars = {
	.title = "Sign on",
	.keys = "Enter=Sign on   Tab=Next field   F10=Exit",
	.items = sign_on_stars,
	.n = B_ARRAY_LEN(sign_on_stars),
	.paint = paint_sign_on,
	.enter = enter_sign_on,
	.closed = true,
};
static const struct df_screen sign_on_with_blanks = {
	.title = "Sign on",
	.keys = "Enter=Sign on   Tab=Next field   F10=Exit",
	.items = sign_on_blank,
	.n = B_ARRAY_LEN(sign_on_blank),
	.paint = paint_sign_on,
	.enter = enter_sign_on,
	.closed = true,
};
static const struct df_screen menu = {
	.title = "Main menu",
	.keys = "1 or F2=Query   2 or F3=Update   0 or F10=Exit",
	.paint = paint_menu,
	.choices = "Choose 1, 2 or 0.",
	.cursor_row = CHOICE_ROW,
	.cursor_col = CHOICE_COL,
};
static const struct df_screen query = {
	.title = "Account query",
	.keys = FORM_KEYS,
	.items = query_items,
	.n = B_ARRAY_LEN(query_items),
	.paint = paint_query,
	.enter = enter_query,
};
static const struct df_screen update = {
	.title = "Account update",
	.keys = FORM_KEYS,
	.items = update_items,
	.n = B_ARRAY_LEN(update_items),
	.paint = paint_update,
	.enter = enter_update,
};
static const struct df_screen update_swapped = {
	.title = "Account update",
	.keys = FORM_KEYS,
	.items = update_items_swapped,
	.n = B_ARRAY_LEN(update_items_swapped),
	.paint = paint_update,
	.enter = enter_update,
};

static const struct df_screen *screen(const struct df_app *app, int place)
{
	const struct tl_options *opt = teller(app)->opt;

	switch (place) {
	case SIGN_ON:
		return opt->login == TL_LOGIN_STARS ? &sign_on_with_stars : &sign_on_with_blanks;
	case QUERY: return &query;
	case UPDATE: return opt->defect == TL_DEFECT_ORDER ? &update_swapped : &update;
	default: return &menu;
	}
}

static const struct df_way ways[] = {
	{ KEY_F(1), 0, MENU },
	{ DF_KEY_ESC, 0, MENU },
	{ KEY_F(2), '1', QUERY },
	{ KEY_F(3), '2', UPDATE },
	{ KEY_F(10), '0', DF_EXIT },
};

int tl_run(struct tl_db *db, const struct tl_options *opt, struct b_error *err)
{
	struct teller t = { .db = db, .opt = opt };
	const struct df_program program = {
		.name = "Demo Bank",
		.first = opt->login == TL_LOGIN_NONE ? MENU : SIGN_ON,
		.ways = ways,
		.n_ways = B_ARRAY_LEN(ways),
		.screen = screen,
		.data = &t,
	};

	return df_app_run(&program, &opt->common, err);
}
