/*
 * demo/teller/ui.h - the frame around each screen, 80x24: title bar, key line, message line.
 *
 * Rows and columns count from 0 here. A larger window shows the same 80x24; a smaller one shows
 * nothing but a request for more room, until it is resized.
 */
#ifndef DEMO_TELLER_UI_H
#define DEMO_TELLER_UI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "demo/teller/tty.h"

#define TL_ROWS        24
#define TL_COLS        80
#define TL_LABEL_COL   2
#define TL_FIELD_COL   21 /* where values stand, beside their labels */
#define TL_MESSAGE_ROW 23

struct tl_ui {
	struct tl_tty tty;
	bool clock;   /* --clock: the time of day in the title bar */
	bool bell;    /* with the next flush */
	bool message; /* the message line shows text */
	bool strong;  /* an error: in bold */
	char text[TL_COLS];
	const char *who; /* the user's name in the title bar; NULL: none */
	const char *title;
};

/* Whether the window is large enough; else it is cleared and says so. */
bool tl_ui_fits(void);

/* Paints the frame with the message that stands; keys is the line above it. What is between
   stays: the forms library clears the window when it shows a form, so that comes first. */
void tl_ui_frame(struct tl_ui *ui, const char *title, const char *keys);

/* Replaces the message; a bold one; that of an error, bold and with the bell. */
void tl_ui_say(struct tl_ui *ui, const char *fmt, ...) B_PRINTF(2, 3);
void tl_ui_emphasize(struct tl_ui *ui, const char *fmt, ...) B_PRINTF(2, 3);
void tl_ui_complain(struct tl_ui *ui, const char *fmt, ...) B_PRINTF(2, 3);
void tl_ui_message_clear(struct tl_ui *ui);

/* A label with its dots, and values beside labels. */
void tl_ui_label(int row, const char *text);
void tl_ui_text(int row, const char *text);
void tl_ui_number(int row, int width, int64_t value);
void tl_ui_money(int row, int width, int64_t cents); /* "-1,234.50", right-justified */

/* "-1,234.50" of an amount; out has room for 32 bytes. */
void tl_money_format(int64_t cents, char out[32]);
/* The other way, without thousands: "-1234.5". B_EUSAGE: not an amount; B_ERANGE: too large. */
int tl_money_parse(const char *text, int64_t *cents) B_CHECK;

#endif
