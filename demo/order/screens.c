/* What each screen of order entry shows, and what Enter does on it. */
#include "demo/order/order.h"

#include <curses.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "demo/forms/app.h"
#include "base/banned.h"

#define FORM_KEYS "Enter=Do   Tab=Next field   F1=Menu   F2=New order   F3=Status   F10=Exit"

/* The numbers stand in the log. */
enum place { MENU = 1, NEW = 2, STATUS = 3 };

struct order {
	struct or_db *db;
	int64_t warehouse;
	struct or_order shown;
	bool with_lines; /* the lines of shown were found */
};

static struct order *order(const struct df_app *app)
{
	return app->program->data;
}

/* ---- The parts of both forms ---------------------------------------------------------- */

enum { HEAD_ROW = 2, CUSTOMER_ROW, NUMBER_ROW, TITLES_ROW, FIRST_LINE_ROW };
enum {
	DISTRICT_COL = 27,
	DATE_COL = 59,
	CUSTOMER_COL = 12,
	NAME_COL = 27,
	CREDIT_COL = 59,
	DISCOUNT_COL = 73,
	NUMBER_COL = 12,
	COUNT_COL = 27,
	TAX_COL = 38,
	TOTAL_COL = 67,
	SUPPLIER_COL = 1,
	ITEM_COL = 7,
	ITEM_NAME_COL = 15,
	QUANTITY_COL = 40,
	STOCK_COL = 45,
	BRAND_COL = 52,
	PRICE_COL = 56,
	AMOUNT_COL = 67
};
enum { NUMBER_WIDTH = 8, ITEM_WIDTH = 6, TOTAL_WIDTH = 11 };

static void blank(int row, int col, int width)
{
	mvprintw(row, col, "%*s", width, "");
}

static void money(int row, int col, int width, int64_t cents)
{
	char text[32];

	df_money_format(cents, text);
	mvprintw(row, col, "%*s", width, text);
}

static void paint_labels(int64_t warehouse)
{
	mvprintw(HEAD_ROW, 1, "Warehouse  %-4lld", (long long)warehouse);
	mvaddstr(HEAD_ROW, 18, "District");
	mvaddstr(HEAD_ROW, 54, "Date");
	mvaddstr(CUSTOMER_ROW, 1, "Customer");
	mvaddstr(CUSTOMER_ROW, 18, "Name");
	mvaddstr(CUSTOMER_ROW, 52, "Credit");
	mvaddstr(CUSTOMER_ROW, 64, "Discount");
	mvaddstr(NUMBER_ROW, 1, "Order");
	mvaddstr(NUMBER_ROW, 21, "Lines");
	mvaddstr(NUMBER_ROW, 32, "Taxes");
	mvaddstr(NUMBER_ROW, 60, "Total");
	attron(A_BOLD);
	mvaddstr(TITLES_ROW, 1,
		"Supp  Item    Item name               Qty  Stock  B/G     Price      Amount");
	attroff(A_BOLD);
}

static void paint_head(const struct or_order *o)
{
	time_t when = (time_t)o->time_s;
	struct tm tm;

	if (localtime_r(&when, &tm))
		mvprintw(HEAD_ROW, DATE_COL, "%04d-%02d-%02d %02d:%02d:%02d", tm.tm_year + 1900,
			tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	mvprintw(CUSTOMER_ROW, NAME_COL, "%-24.24s", o->name);
	mvprintw(CUSTOMER_ROW, CREDIT_COL, "%-2s", o->credit);
}

static void paint_sums(const struct or_order *o)
{
	mvprintw(CUSTOMER_ROW, DISCOUNT_COL, "%2d.%02d", (int)(o->discount_bp / 100),
		(int)(o->discount_bp % 100));
	mvprintw(NUMBER_ROW, COUNT_COL, "%2d", o->n_lines);
	mvprintw(NUMBER_ROW, TAX_COL, "%2d.%02d %2d.%02d", (int)(o->warehouse_tax_bp / 100),
		(int)(o->warehouse_tax_bp % 100), (int)(o->district_tax_bp / 100),
		(int)(o->district_tax_bp % 100));
	money(NUMBER_ROW, TOTAL_COL, TOTAL_WIDTH, o->total_cents);
}

static void paint_line(int row, const struct or_line *l, bool with_stock)
{
	mvprintw(row, ITEM_NAME_COL, "%-24.24s", l->name);
	if (with_stock)
		mvprintw(row, STOCK_COL, "%5lld", (long long)l->stock);
	mvaddch(row, BRAND_COL, l->original ? 'B' : 'G');
	money(row, PRICE_COL, 9, l->price_cents);
	money(row, AMOUNT_COL, TOTAL_WIDTH, l->amount_cents);
}

static void blank_results(void)
{
	blank(HEAD_ROW, DATE_COL, 19);
	blank(CUSTOMER_ROW, NAME_COL, 24);
	blank(CUSTOMER_ROW, CREDIT_COL, 2);
	blank(CUSTOMER_ROW, DISCOUNT_COL, 5);
	blank(NUMBER_ROW, COUNT_COL, 2);
	blank(NUMBER_ROW, TAX_COL, 11);
	blank(NUMBER_ROW, TOTAL_COL, TOTAL_WIDTH);
	for (int i = 0; i < OR_LINES_MAX; i++) {
		blank(FIRST_LINE_ROW + i, ITEM_NAME_COL, 24);
		blank(FIRST_LINE_ROW + i, STOCK_COL, AMOUNT_COL + TOTAL_WIDTH - STOCK_COL);
	}
}

/* ---- Main menu ------------------------------------------------------------------------ */

enum { CHOICE_ROW = 15, CHOICE_COL = 41 };

static void paint_menu(struct df_app *app)
{
	(void)app;
	mvaddstr(4, 28, "Choose a function:");
	mvaddstr(7, 28, "1  F2    New order");
	mvaddstr(9, 28, "2  F3    Order status");
	mvaddstr(11, 28, "0  F10   Exit");
	mvaddstr(CHOICE_ROW, 28, "Your choice");
}

/* ---- New order ------------------------------------------------------------------------ */

enum { DISTRICT_ITEM, CUSTOMER_ITEM, FIRST_LINE_ITEM, LINE_ITEMS = 3 };

#define LINE(row)                                                 \
	{ "Supply warehouse", row, 4, DF_DIGITS, SUPPLIER_COL },  \
		{ "Item", row, ITEM_WIDTH, DF_DIGITS, ITEM_COL }, \
	{                                                         \
		"Quantity", row, 2, DF_DIGITS, QUANTITY_COL       \
	}

static const struct df_item new_items[] = {
	{ "District", HEAD_ROW, 2, DF_DIGITS, DISTRICT_COL },
	{ "Customer", CUSTOMER_ROW, 4, DF_DIGITS, CUSTOMER_COL },
	LINE(FIRST_LINE_ROW),
	LINE(FIRST_LINE_ROW + 1),
	LINE(FIRST_LINE_ROW + 2),
	LINE(FIRST_LINE_ROW + 3),
	LINE(FIRST_LINE_ROW + 4),
	LINE(FIRST_LINE_ROW + 5),
	LINE(FIRST_LINE_ROW + 6),
	LINE(FIRST_LINE_ROW + 7),
	LINE(FIRST_LINE_ROW + 8),
	LINE(FIRST_LINE_ROW + 9),
	LINE(FIRST_LINE_ROW + 10),
	LINE(FIRST_LINE_ROW + 11),
	LINE(FIRST_LINE_ROW + 12),
	LINE(FIRST_LINE_ROW + 13),
	LINE(FIRST_LINE_ROW + 14),
};

static void paint_new(struct df_app *app)
{
	const struct or_order *o = &order(app)->shown;

	paint_labels(order(app)->warehouse);
	blank_results();
	blank(NUMBER_ROW, NUMBER_COL, NUMBER_WIDTH);
	if (!app->has_result)
		return;
	mvprintw(NUMBER_ROW, NUMBER_COL, "%*lld", NUMBER_WIDTH, (long long)o->number);
	paint_head(o);
	/* TPC-C 2.4.3.4: of an order with an invalid item only this much is shown. */
	if (!order(app)->with_lines)
		return;
	paint_sums(o);
	for (int i = 0; i < o->n_lines; i++)
		paint_line(FIRST_LINE_ROW + i, &o->line[i], true);
}

static bool is_empty(const struct df_form *f, size_t i)
{
	char text[DF_VALUE_MAX];

	df_form_text(f, i, text);
	return !*text;
}

/* A line with nothing in it ends the order; a supply warehouse left empty is the own one. */
static bool read_line(struct df_app *app, int i, struct or_line *l)
{
	size_t at = FIRST_LINE_ITEM + (size_t)i * LINE_ITEMS;

	l->supplier = order(app)->warehouse;
	if (!is_empty(app->form, at) && !df_form_number(app->form, &app->ui, at, &l->supplier))
		return false;
	if (!df_form_number(app->form, &app->ui, at + 1, &l->item) ||
		!df_form_number(app->form, &app->ui, at + 2, &l->quantity))
		return false;
	if (l->quantity)
		return true;
	df_form_focus(app->form, at + 2);
	df_ui_complain(&app->ui, "Quantity must not be zero.");
	return false;
}

static bool read_new(struct df_app *app, struct or_order *o)
{
	*o = (struct or_order){ .warehouse = order(app)->warehouse };
	if (!df_form_number(app->form, &app->ui, DISTRICT_ITEM, &o->district) ||
		!df_form_number(app->form, &app->ui, CUSTOMER_ITEM, &o->customer))
		return false;
	for (int i = 0; i < OR_LINES_MAX; i++) {
		size_t at = FIRST_LINE_ITEM + (size_t)i * LINE_ITEMS;

		if (i && is_empty(app->form, at) && is_empty(app->form, at + 1) &&
			is_empty(app->form, at + 2))
			break;
		if (!read_line(app, i, &o->line[i]))
			return false;
		o->n_lines = i + 1;
	}
	return true;
}

static int enter_new(struct df_app *app)
{
	struct order *data = order(app);
	struct b_error err = { 0 };
	int rc = B_EUSAGE;

	app->has_result = false;
	df_app_submit(app, "new-order", -1);
	if (read_new(app, &data->shown)) {
		app->entry.key = data->shown.customer;
		df_app_work(app, data->shown.customer);
		rc = or_db_enter(data->db, &data->shown, &err);
		data->with_lines = !rc;
		app->has_result = !rc || (rc == B_ENOTFOUND && data->shown.number);
		df_form_focus(app->form, DISTRICT_ITEM);
	}
	paint_new(app);
	df_app_result(app, rc, &err);
	if (!rc)
		df_ui_say(&app->ui, "Order entered.");
	return NEW;
}

/* ---- Order status --------------------------------------------------------------------- */

static const struct df_item status_items[] = {
	{ "District", HEAD_ROW, 2, DF_DIGITS, DISTRICT_COL },
	{ "Order", NUMBER_ROW, NUMBER_WIDTH, DF_DIGITS, NUMBER_COL },
};

static void paint_status(struct df_app *app)
{
	const struct or_order *o = &order(app)->shown;

	paint_labels(order(app)->warehouse);
	blank_results();
	blank(CUSTOMER_ROW, CUSTOMER_COL, 4);
	for (int i = 0; i < OR_LINES_MAX; i++) {
		blank(FIRST_LINE_ROW + i, SUPPLIER_COL, ITEM_NAME_COL - SUPPLIER_COL);
		blank(FIRST_LINE_ROW + i, QUANTITY_COL, 2);
	}
	if (!app->has_result)
		return;
	mvprintw(CUSTOMER_ROW, CUSTOMER_COL, "%4lld", (long long)o->customer);
	paint_head(o);
	paint_sums(o);
	for (int i = 0; i < o->n_lines; i++) {
		const struct or_line *l = &o->line[i];

		mvprintw(FIRST_LINE_ROW + i, SUPPLIER_COL, "%4lld", (long long)l->supplier);
		mvprintw(FIRST_LINE_ROW + i, ITEM_COL, "%6lld", (long long)l->item);
		mvprintw(FIRST_LINE_ROW + i, QUANTITY_COL, "%2lld", (long long)l->quantity);
		paint_line(FIRST_LINE_ROW + i, l, false);
	}
}

static int enter_status(struct df_app *app)
{
	struct order *data = order(app);
	struct or_order *o = &data->shown;
	struct b_error err = { 0 };
	int rc = B_EUSAGE;

	app->has_result = false;
	df_app_submit(app, "status", -1);
	*o = (struct or_order){ .warehouse = data->warehouse };
	if (df_form_number(app->form, &app->ui, 0, &o->district) &&
		df_form_number(app->form, &app->ui, 1, &o->number)) {
		app->entry.key = o->number;
		df_app_work(app, o->number);
		rc = or_db_status(data->db, o, &err);
		app->has_result = !rc;
		df_form_focus(app->form, 0);
	}
	paint_status(app);
	df_app_result(app, rc, &err);
	if (!rc)
		df_ui_say(&app->ui, "Order found.");
	return STATUS;
}

/* ---- The tables ----------------------------------------------------------------------- */

static const struct df_screen menu = {
	.title = "Main menu",
	.keys = "1 or F2=New order   2 or F3=Order status   0 or F10=Exit",
	.paint = paint_menu,
	.choices = "Choose 1, 2 or 0.",
	.cursor_row = CHOICE_ROW,
	.cursor_col = CHOICE_COL,
};
static const struct df_screen new_order = {
	.title = "New order",
	.keys = FORM_KEYS,
	.items = new_items,
	.n = B_ARRAY_LEN(new_items),
	.paint = paint_new,
	.enter = enter_new,
};
static const struct df_screen status = {
	.title = "Order status",
	.keys = FORM_KEYS,
	.items = status_items,
	.n = B_ARRAY_LEN(status_items),
	.paint = paint_status,
	.enter = enter_status,
};

static const struct df_screen *screen(const struct df_app *app, int place)
{
	(void)app;
	return place == NEW ? &new_order : place == STATUS ? &status : &menu;
}

static const struct df_way ways[] = {
	{ KEY_F(1), 0, MENU },
	{ DF_KEY_ESC, 0, MENU },
	{ KEY_F(2), '1', NEW },
	{ KEY_F(3), '2', STATUS },
	{ KEY_F(10), '0', DF_EXIT },
};

int or_run(struct or_db *db, int64_t warehouse, const struct df_options *opt, struct b_error *err)
{
	struct order data = { .db = db, .warehouse = warehouse };
	const struct df_program program = {
		.name = "Demo Orders",
		.first = MENU,
		.ways = ways,
		.n_ways = B_ARRAY_LEN(ways),
		.screen = screen,
		.data = &data,
	};

	return df_app_run(&program, opt, err);
}
