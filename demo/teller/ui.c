#include "demo/teller/ui.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "demo/teller/db.h"
#include "base/banned.h"

static void paint_title(struct tl_ui *ui)
{
	int len = (int)strlen(ui->title);

	attron(A_REVERSE);
	mvprintw(0, 0, "%*s", TL_COLS, "");
	mvaddstr(0, 1, "Demo Bank");
	mvaddstr(0, (TL_COLS - len) / 2, ui->title);
	if (ui->who)
		mvprintw(0, TL_COLS - 22, "%12.12s", ui->who);
	attroff(A_REVERSE);
}

static void paint_clock(struct tl_ui *ui)
{
	time_t now = (time_t)(b_clock_wall_ns() / B_NS_PER_S);
	struct tm tm;
	int y, x;

	if (!ui->clock || !localtime_r(&now, &tm))
		return;
	getyx(stdscr, y, x);
	attron(A_REVERSE);
	mvprintw(0, TL_COLS - 9, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	attroff(A_REVERSE);
	move(y, x);
}

static void paint_message(const struct tl_ui *ui)
{
	attr_t attr = ui->strong ? A_BOLD : A_NORMAL;

	move(TL_MESSAGE_ROW, 0);
	clrtoeol();
	attron(attr);
	/* The last column stays free: writing there would scroll some terminals. */
	mvaddnstr(TL_MESSAGE_ROW, 1, ui->text, TL_COLS - 2);
	attroff(attr);
}

bool tl_ui_fits(void)
{
	if (LINES >= TL_ROWS && COLS >= TL_COLS)
		return true;
	erase();
	mvprintw(0, 0, "Please make the window %dx%d.", TL_COLS, TL_ROWS);
	return false;
}

void tl_ui_frame(struct tl_ui *ui, const char *title, const char *keys)
{
	ui->title = title;
	paint_title(ui);
	paint_clock(ui);
	mvhline(TL_MESSAGE_ROW - 2, 0, 0, TL_COLS);
	mvaddstr(TL_MESSAGE_ROW - 1, 1, keys);
	if (ui->message)
		paint_message(ui);
}

static void message(struct tl_ui *ui, bool strong, const char *fmt, va_list ap)
{
	vsnprintf(ui->text, sizeof ui->text, fmt, ap);
	ui->message = true;
	ui->strong = strong;
	paint_message(ui);
}

void tl_ui_say(struct tl_ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(ui, false, fmt, ap);
	va_end(ap);
}

void tl_ui_emphasize(struct tl_ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(ui, true, fmt, ap);
	va_end(ap);
}

void tl_ui_complain(struct tl_ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(ui, true, fmt, ap);
	va_end(ap);
	ui->bell = true;
}

void tl_ui_message_clear(struct tl_ui *ui)
{
	if (ui->message) {
		move(TL_MESSAGE_ROW, 0);
		clrtoeol();
	}
	ui->message = false;
	paint_clock(ui);
}

void tl_ui_label(int row, const char *text)
{
	int len = (int)strlen(text);

	mvaddstr(row, TL_LABEL_COL, text);
	for (int col = TL_LABEL_COL + len + 1; col < TL_FIELD_COL - 2; col++)
		mvaddch(row, col, (chtype)(col % 2 ? ' ' : '.'));
}

void tl_ui_text(int row, const char *text)
{
	mvprintw(row, TL_FIELD_COL, "%-*s", TL_COLS - TL_FIELD_COL - 1, text);
}

void tl_ui_number(int row, int width, int64_t value)
{
	mvprintw(row, TL_FIELD_COL, "%*lld", width, (long long)value);
}

void tl_ui_money(int row, int width, int64_t cents)
{
	char text[32];

	tl_money_format(cents, text);
	mvprintw(row, TL_FIELD_COL, "%*s", width, text);
}

void tl_money_format(int64_t cents, char out[32])
{
	uint64_t left = cents < 0 ? -(uint64_t)cents : (uint64_t)cents;
	char back[32];
	size_t n = 0, len = 0;

	/* From the right: cents, point, then digits with a comma after each third. */
	for (int digit = 0; left || digit < 3; digit++, left /= 10) {
		if (digit == 2)
			back[n++] = '.';
		else if (digit > 2 && (digit - 2) % 3 == 0)
			back[n++] = ',';
		back[n++] = (char)('0' + left % 10);
	}
	if (cents < 0)
		back[n++] = '-';
	while (n)
		out[len++] = back[--n];
	out[len] = 0;
}

int tl_money_parse(const char *text, int64_t *cents)
{
	const char *p = text + (*text == '-' || *text == '+');
	int64_t value = 0;
	int digits = 0, after = -1;

	for (; *p; p++) {
		if (*p == '.' && after < 0) {
			after = 0;
			continue;
		}
		if (*p < '0' || *p > '9' || after == 2)
			return B_EUSAGE;
		if (value > TL_AMOUNT_MAX_CENTS)
			return B_ERANGE;
		value = value * 10 + (*p - '0');
		digits++;
		if (after >= 0)
			after++;
	}
	if (!digits)
		return B_EUSAGE;
	for (after = after < 0 ? 0 : after; after < 2; after++)
		value *= 10;
	if (value > TL_AMOUNT_MAX_CENTS)
		return B_ERANGE;
	*cents = *text == '-' ? -value : value;
	return B_OK;
}
