/*
 * capture/overlay.h - what the recorder draws over the application's screen, on the person's
 * terminal.
 *
 * A few rows at the bottom, or at the top when the place at the bottom is needed, and a marked
 * rectangle. Only sequences that every ANSI terminal knows. What was there comes back by
 * painting the virtual screen, which is why nothing may reach the terminal in between.
 */
#ifndef CAPTURE_OVERLAY_H
#define CAPTURE_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "vscreen/screen.h"

/*
 * Appends what draws n lines (UTF-8, cut at the screen's width) over the screen's last rows, or
 * its first ones. The cursor is put behind column cursor_col of the last line, -1: hidden.
 */
void cap_overlay_lines(const struct vs_screen *s, const char *const *lines, size_t n, bool top,
	int cursor_col, struct b_buf *out);

/* Appends what paints the screen as it is, with the cells of mark in reverse. */
void cap_overlay_mark(const struct vs_screen *s, const struct vs_rect *mark, struct b_buf *out);

/*
 * Appends what paints the screen as it is and gives the terminal back to the application. sign
 * (ASCII, or NULL) then stands in a corner, until the application paints there.
 */
void cap_overlay_gone(const struct vs_screen *s, const char *sign, struct b_buf *out);

/* Appends what makes sign the window's title, NULL: what gives it back its own. */
void cap_overlay_title(const struct vs_screen *s, const char *sign, struct b_buf *out);

#endif
