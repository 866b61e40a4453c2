/*
 * demo/teller/form.h - input fields beside labels, on curses' forms library.
 *
 * The library refuses bad input without a word; here every refusal is a message. Tab, Down and
 * S-Tab, Up move between the fields, Left, Right, Home and End within one, Backspace and Delete
 * erase, C-u empties. What is typed in front of a value replaces it. A number is right-justified
 * once its field is left.
 */
#ifndef DEMO_TELLER_FORM_H
#define DEMO_TELLER_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "demo/teller/ui.h"

#define TL_ITEMS_MAX 4
#define TL_VALUE_MAX 32

enum tl_item_kind {
	TL_DIGITS,
	TL_AMOUNT,
	TL_NAME,
	TL_STARS, /* a password, an asterisk a character */
	TL_BLANK  /* a password that shows nothing at all */
};

struct tl_item {
	const char *label; /* also names the field in messages */
	int row, width;
	enum tl_item_kind kind;
};

struct tl_form;

/* The items must live as long as the form. Aborts when curses has no memory. */
struct tl_form *tl_form_new(const struct tl_item *items, size_t n);
void tl_form_free(struct tl_form *f); /* NULL accepted */

void tl_form_show(struct tl_form *f);  /* clears the window, paints labels and fields */
void tl_form_hide(struct tl_form *f);  /* keeps what was typed */
void tl_form_clear(struct tl_form *f); /* empties all fields, cursor in the first */
void tl_form_focus(struct tl_form *f, size_t i);
/* Puts the terminal's cursor where the form's is: last before a flush. */
void tl_form_cursor(struct tl_form *f);

/* Whether the key was the form's; others (Enter, function keys, Esc) are the screen's. */
bool tl_form_key(struct tl_form *f, struct tl_ui *ui, int key);

/* Takes what stands in the current field; call it before reading values. */
void tl_form_sync(struct tl_form *f);
/* A field's text without blanks around it, at most TL_VALUE_MAX - 1 bytes. */
void tl_form_text(const struct tl_form *f, size_t i, char out[TL_VALUE_MAX]);
/* A field as a number (TL_DIGITS) or as cents (TL_AMOUNT). Complains when it is empty or wrong,
   puts the cursor there, and returns false. */
bool tl_form_number(struct tl_form *f, struct tl_ui *ui, size_t i, int64_t *out);

#endif
