/*
 * demo/forms/form.h - input fields beside labels, on curses' forms library.
 *
 * The library refuses bad input without a word; here every refusal is a
 * message. Tab, Down and S-Tab, Up move between the fields, Left, Right, Home
 * and End within one, Backspace and Delete erase, C-u empties. What is typed in
 * front of a value replaces it. A number is right-justified once its field is
 * left.
 */
#ifndef DEMO_FORMS_FORM_H
#define DEMO_FORMS_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "demo/forms/ui.h"

#define DF_VALUE_MAX 32

enum df_item_kind {
	DF_DIGITS,
	DF_AMOUNT,
	DF_NAME,
	DF_STARS, /* a password, an asterisk a character */
	DF_BLANK  /* a password that shows nothing at all */
};

struct df_item {
	const char *label; /* also names the field in messages */
	int row, width;
	enum df_item_kind kind;
	int col; /* 0: beside its label; else there, and the label is not painted */
};

struct df_form;

/* The items must live as long as the form. Aborts when curses has no memory. */
struct df_form *df_form_new(const struct df_item *items, size_t n);
void df_form_free(struct df_form *f); /* NULL accepted */

void df_form_show(struct df_form *f);  /* clears the window, paints labels and fields */
void df_form_hide(struct df_form *f);  /* keeps what was typed */
void df_form_clear(struct df_form *f); /* empties all fields, cursor in the first */
size_t df_form_current(const struct df_form *f);
void df_form_focus(struct df_form *f, size_t i);
/* Puts the terminal's cursor where the form's is: last before a flush. */
void df_form_cursor(struct df_form *f);

/* Whether the key was the form's; others (Enter, function keys, Esc) are the screen's. */
bool df_form_key(struct df_form *f, struct df_ui *ui, int key);

/* Takes what stands in the current field; call it before reading values. */
void df_form_sync(struct df_form *f);
/* A field's text without blanks around it, at most DF_VALUE_MAX - 1 bytes. */
void df_form_text(const struct df_form *f, size_t i, char out[DF_VALUE_MAX]);
void df_form_set(struct df_form *f, size_t i, const char *text);
/* A field as a number (DF_DIGITS) or as cents (DF_AMOUNT). Complains when it is empty or wrong,
   puts the cursor there, and returns false. */
bool df_form_number(struct df_form *f, struct df_ui *ui, size_t i, int64_t *out);

#endif
