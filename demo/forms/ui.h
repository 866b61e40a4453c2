/*
 * demo/forms/ui.h - the frame around each screen, 80x24: title bar, key line,
 * message line.
 *
 * Rows and columns count from 0 here. A larger window shows the same 80x24; a
 * smaller one shows nothing but a request for more room, until it is resized.
 */
#ifndef DEMO_FORMS_UI_H
#define DEMO_FORMS_UI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "demo/forms/tty.h"

#define DF_ROWS        24
#define DF_COLS        80
#define DF_LABEL_COL   2
#define DF_FIELD_COL   21 /* where values stand, beside their labels */
#define DF_MESSAGE_ROW 23

struct df_ui {
	struct df_tty tty;
	bool clock;   /* --clock: the time of day in the title bar */
	bool bell;    /* with the next flush */
	bool message; /* the message line shows text */
	bool strong;  /* an error: in bold */
	char text[DF_COLS];
	const char *who; /* the user's name in the title bar; NULL: none */
};

/* Whether the window is large enough; else it is cleared and says so. */
bool df_ui_fits(void);

/* Paints the frame with the message that stands; program and title go into the title bar, keys is
   the line above the message. What is between stays: the forms library clears the window when it
   shows a form, so that comes first. */
void df_ui_frame(struct df_ui *ui, const char *program, const char *title, const char *keys);

/* Replaces the message; a bold one; that of an error, bold and with the bell. */
void df_ui_say(struct df_ui *ui, const char *fmt, ...) B_PRINTF(2, 3);
void df_ui_emphasize(struct df_ui *ui, const char *fmt, ...) B_PRINTF(2, 3);
void df_ui_complain(struct df_ui *ui, const char *fmt, ...) B_PRINTF(2, 3);
void df_ui_message_clear(struct df_ui *ui);

/* A label with its dots, and values beside labels. */
void df_ui_label(int row, const char *text);
void df_ui_text(int row, const char *text); /* and blanks up to the end of the row */
void df_ui_number(int row, int width, int64_t value);
void df_ui_money(int row, int width, int64_t cents); /* "-1,234.50", right-justified */

#define DF_MONEY_MAX_CENTS 99999999 /* 999,999.99, either way */

/* "-1,234.50" of an amount; out has room for 32 bytes. */
void df_money_format(int64_t cents, char out[32]);
/* The other way, without thousands: "-1234.5". B_EUSAGE: not an amount; B_ERANGE: too large. */
int df_money_parse(const char *text, int64_t *cents) B_CHECK;

#endif
