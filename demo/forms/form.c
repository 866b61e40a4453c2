#include "demo/forms/form.h"

#include <curses.h>
#include <form.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

struct df_form {
	FORM *form;
	FIELD **fields; /* n and a NULL */
	const struct df_item *items;
	size_t n;
	char secret[DF_VALUE_MAX]; /* the password: it never goes into a field */
	size_t secret_len;
	bool shown;
};

#define CTRL(c) ((c)&31)

static bool is_secret(const struct df_item *item)
{
	return item->kind == DF_STARS || item->kind == DF_BLANK;
}

struct df_form *df_form_new(const struct df_item *items, size_t n)
{
	struct df_form *f = b_calloc(1, sizeof *f);

	f->items = items;
	f->n = n;
	f->fields = b_calloc(n + 1, sizeof(FIELD *));
	for (size_t i = 0; i < n; i++) {
		f->fields[i] = new_field(1, items[i].width, items[i].row,
			items[i].col ? items[i].col : DF_FIELD_COL, 0, 0);
		B_BUG_ON(!f->fields[i]);
		set_field_back(f->fields[i], A_UNDERLINE);
		/* A full field would send the cursor on by itself. */
		field_opts_off(f->fields[i], O_AUTOSKIP);
		if (items[i].kind == DF_DIGITS || items[i].kind == DF_AMOUNT)
			set_field_just(f->fields[i], JUSTIFY_RIGHT);
	}
	f->form = new_form(f->fields);
	B_BUG_ON(!f->form);
	/* Backspace at the beginning of a field would go to the one before. */
	form_opts_off(f->form, O_BS_OVERLOAD | O_NL_OVERLOAD);
	set_form_win(f->form, stdscr);
	set_form_sub(f->form, stdscr);
	return f;
}

void df_form_free(struct df_form *f)
{
	if (!f)
		return;
	df_form_hide(f);
	free_form(f->form);
	for (size_t i = 0; i < f->n; i++)
		free_field(f->fields[i]);
	memset(f->secret, 0, sizeof f->secret);
	free(f->fields);
	free(f);
}

size_t df_form_current(const struct df_form *f)
{
	return (size_t)field_index(current_field(f->form));
}

void df_form_show(struct df_form *f)
{
	f->shown = post_form(f->form) == E_OK;
	form_driver(f->form, REQ_INS_MODE);
	for (size_t i = 0; i < f->n; i++)
		if (!f->items[i].col)
			df_ui_label(f->items[i].row, f->items[i].label);
}

void df_form_hide(struct df_form *f)
{
	if (f->shown) {
		df_form_sync(f);
		unpost_form(f->form);
	}
	f->shown = false;
}

void df_form_focus(struct df_form *f, size_t i)
{
	set_current_field(f->form, f->fields[i]);
	form_driver(f->form, REQ_BEG_FIELD);
}

void df_form_clear(struct df_form *f)
{
	for (size_t i = 0; i < f->n; i++)
		set_field_buffer(f->fields[i], 0, "");
	f->secret_len = 0;
	df_form_focus(f, 0);
}

void df_form_cursor(struct df_form *f)
{
	if (f->shown)
		pos_form_cursor(f->form);
}

void df_form_sync(struct df_form *f)
{
	form_driver(f->form, REQ_VALIDATION);
}

void df_form_text(const struct df_form *f, size_t i, char out[DF_VALUE_MAX])
{
	const char *text = is_secret(&f->items[i]) ? f->secret : field_buffer(f->fields[i], 0);
	size_t len = is_secret(&f->items[i]) ? f->secret_len : strlen(text);

	while (len && text[len - 1] == ' ')
		len--;
	while (len && *text == ' ') {
		text++;
		len--;
	}
	if (len >= DF_VALUE_MAX)
		len = DF_VALUE_MAX - 1;
	memcpy(out, text, len);
	out[len] = 0;
}

void df_form_set(struct df_form *f, size_t i, const char *text)
{
	set_field_buffer(f->fields[i], 0, text);
}

/* What is wrong with a value, or NULL. */
static const char *wrong(const struct df_item *item, const char *text, int64_t *out)
{
	if (item->kind == DF_DIGITS)
		return b_parse_int(text, 0, INT64_MAX, out) ? "must be a number" : NULL;
	switch (df_money_parse(text, out)) {
	case B_OK: return NULL;
	case B_ERANGE: return "must not be beyond 999,999.99";
	default: return "must look like 120 or -120.50";
	}
}

bool df_form_number(struct df_form *f, struct df_ui *ui, size_t i, int64_t *out)
{
	const char *label = f->items[i].label, *what;
	char text[DF_VALUE_MAX];

	df_form_text(f, i, text);
	what = *text ? wrong(&f->items[i], text, out) : "is missing";
	if (!what)
		return true;
	df_form_focus(f, i);
	df_ui_complain(ui, "%s %s.", label, what);
	return false;
}

static void go(struct df_form *f, struct df_ui *ui, int request)
{
	size_t i = df_form_current(f);
	char text[DF_VALUE_MAX];
	int64_t value;

	df_form_sync(f);
	df_form_text(f, i, text);
	if ((f->items[i].kind == DF_DIGITS || f->items[i].kind == DF_AMOUNT) && *text &&
		!df_form_number(f, ui, i, &value))
		return;
	form_driver(f->form, request);
}

static bool allowed(const struct df_item *item, int key)
{
	switch (item->kind) {
	case DF_DIGITS: return key >= '0' && key <= '9';
	case DF_AMOUNT: return (key >= '0' && key <= '9') || key == '.' || key == '-' || key == '+';
	default: return key > ' ' && key < 127;
	}
}

static const char *allowed_text(const struct df_item *item)
{
	switch (item->kind) {
	case DF_DIGITS: return "Only digits may stand here.";
	case DF_AMOUNT: return "Only digits, a point and a sign may stand here.";
	default: return "Only letters, digits and signs may stand here.";
	}
}

static void type(struct df_form *f, struct df_ui *ui, int key)
{
	const struct df_item *item = &f->items[df_form_current(f)];

	if (!allowed(item, key)) {
		df_ui_complain(ui, "%s", allowed_text(item));
		return;
	}
	if (is_secret(item)) {
		if (f->secret_len + 1 >= DF_VALUE_MAX) {
			df_ui_complain(ui, "%s is full.", item->label);
			return;
		}
		f->secret[f->secret_len++] = (char)key;
		if (item->kind == DF_STARS)
			form_driver(f->form, '*');
		return;
	}
	if (form_driver(f->form, key) != E_OK)
		df_ui_complain(ui, "%s is full.", item->label);
}

static void rub_out(struct df_form *f)
{
	const struct df_item *item = &f->items[df_form_current(f)];

	if (is_secret(item) && f->secret_len)
		f->secret_len--;
	if (item->kind != DF_BLANK)
		form_driver(f->form, REQ_DEL_PREV);
}

static void empty(struct df_form *f)
{
	if (is_secret(&f->items[df_form_current(f)]))
		f->secret_len = 0;
	form_driver(f->form, REQ_CLR_FIELD);
}

bool df_form_key(struct df_form *f, struct df_ui *ui, int key)
{
	bool secret = is_secret(&f->items[df_form_current(f)]);

	switch (key) {
	case '\t':
	case KEY_DOWN: go(f, ui, REQ_NEXT_FIELD); break;
	case KEY_BTAB:
	case KEY_UP: go(f, ui, REQ_PREV_FIELD); break;
	case KEY_BACKSPACE:
	case 127:
	case CTRL('h'): rub_out(f); break;
	case CTRL('u'): empty(f); break;
	/* In a password the cursor stays at its end: what is typed is not what is shown. */
	case KEY_LEFT: (void)(secret || form_driver(f->form, REQ_PREV_CHAR)); break;
	case KEY_RIGHT: (void)(secret || form_driver(f->form, REQ_NEXT_CHAR)); break;
	case KEY_HOME: (void)(secret || form_driver(f->form, REQ_BEG_FIELD)); break;
	case KEY_END: (void)(secret || form_driver(f->form, REQ_END_FIELD)); break;
	case KEY_DC: (void)(secret || form_driver(f->form, REQ_DEL_CHAR)); break;
	default:
		if (key < ' ' || key > 255)
			return false;
		type(f, ui, key);
	}
	return true;
}
