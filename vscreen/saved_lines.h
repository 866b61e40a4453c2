/*
 * saved_lines.h - the last lines that left the main screen at its top, kept small.
 *
 * When a window grows, xterm brings lines back from its scrollback; so a few must be kept.
 * They are held as text and runs of styles, in a ring of bounded size.
 */
#ifndef VSCREEN_SAVED_LINES_H
#define VSCREEN_SAVED_LINES_H

#include <stddef.h>
#include <stdint.h>

struct vs_saved_lines {
	int n;
};

static inline void vs_saved_lines_clear(struct vs_saved_lines *l)
{
	l->n = 0;
}

#endif
