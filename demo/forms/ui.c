#include "demo/forms/ui.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/banned.h"

static void paint_title(const struct df_ui *ui, const char *program, const char *title)
{
	int len = (int)strlen(title);

	attron(A_REVERSE);
	mvprintw(0, 0, "%*s", DF_COLS, "");
	mvaddstr(0, 1, program);
	mvaddstr(0, (DF_COLS - len) / 2, title);
	if (ui->who)
		mvprintw(0, DF_COLS - 22, "%12.12s", ui->who);
	attroff(A_REVERSE);
}

static void paint_clock(struct df_ui *ui)
{
	time_t now = (time_t)(b_clock_wall_ns() / B_NS_PER_S);
	struct tm tm;
	int y, x;

	if (!ui->clock || !localtime_r(&now, &tm))
		return;
	getyx(stdscr, y, x);
	attron(A_REVERSE);
	mvprintw(0, DF_COLS - 9, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	attroff(A_REVERSE);
	move(y, x);
}

static void paint_message(const struct df_ui *ui)
{
	attr_t attr = ui->strong ? A_BOLD : A_NORMAL;

	move(DF_MESSAGE_ROW, 0);
	clrtoeol();
	attron(attr);
	/* The last column stays free: writing there would scroll some terminals. */
	mvaddnstr(DF_MESSAGE_ROW, 1, ui->text, DF_COLS - 2);
	attroff(attr);
}

bool df_ui_fits(void)
{
	if (LINES >= DF_ROWS && COLS >= DF_COLS)
		return true;
	erase();
	mvprintw(0, 0, "Please make the window %dx%d.", DF_COLS, DF_ROWS);
	return false;
}

void df_ui_frame(struct df_ui *ui, const char *program, const char *title, const char *keys)
{
	paint_title(ui, program, title);
	paint_clock(ui);
	mvhline(DF_MESSAGE_ROW - 2, 0, 0, DF_COLS);
	mvaddstr(DF_MESSAGE_ROW - 1, 1, keys);
	if (ui->message)
		paint_message(ui);
}

static void message(struct df_ui *ui, bool strong, const char *fmt, va_list ap)
{
	vsnprintf(ui->text, sizeof ui->text, fmt, ap);
	ui->message = true;
	ui->strong = strong;
	paint_message(ui);
}

void df_ui_say(struct df_ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(ui, false, fmt, ap);
	va_end(ap);
}

void df_ui_emphasize(struct df_ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(ui, true, fmt, ap);
	va_end(ap);
}

void df_ui_complain(struct df_ui *ui, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message(ui, true, fmt, ap);
	va_end(ap);
	ui->bell = true;
}

void df_ui_message_clear(struct df_ui *ui)
{
	if (ui->message) {
		move(DF_MESSAGE_ROW, 0);
		clrtoeol();
	}
	ui->message = false;
	paint_clock(ui);
}

void df_ui_label(int row, const char *text)
{
	int len = (int)strlen(text);

	mvaddstr(row, DF_LABEL_COL, text);
	for (int col = DF_LABEL_COL + len + 1; col < DF_FIELD_COL - 2; col++)
		mvaddch(row, col, (chtype)(col % 2 ? ' ' : '.'));
}

void df_ui_text(int row, const char *text)
{
	mvprintw(row, DF_FIELD_COL, "%-*s", DF_COLS - DF_FIELD_COL - 1, text);
}

void df_ui_number(int row, int width, int64_t value)
{
	mvprintw(row, DF_FIELD_COL, "%*lld", width, (long long)value);
}

void df_ui_money(int row, int width, int64_t cents)
{
	char text[32];

	df_money_format(cents, text);
	mvprintw(row, DF_FIELD_COL, "%*s", width, text);
}

void df_money_format(int64_t cents, char out[32])
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

int df_money_parse(const char *text, int64_t *cents)
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
		if (value > DF_MONEY_MAX_CENTS)
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
	if (value > DF_MONEY_MAX_CENTS)
		return B_ERANGE;
	*cents = *text == '-' ? -value : value;
	return B_OK;
}
