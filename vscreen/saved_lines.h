/*
 * saved_lines.h - the last lines that left the main screen at its top, kept small.
 *
 * When a window grows, xterm brings lines back from its scrollback, so a few are kept: as
 * bytes, one for most cells, in a ring that takes as many bytes as the screen has cells; the
 * oldest go first. (xterm keeps 1024 lines. A window that grows by more rows than are kept here
 * has blank rows at the bottom where xterm has old lines at the top.)
 */
#ifndef VSCREEN_SAVED_LINES_H
#define VSCREEN_SAVED_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "vscreen/cell.h"

struct vs_saved_lines {
	unsigned char *ring; /* [cap]; NULL until the first line */
	size_t cap, start, len;
	int n; /* lines */
};

void vs_saved_lines_release(struct vs_saved_lines *l);
void vs_saved_lines_clear(struct vs_saved_lines *l);

/* Keeps a row of cols cells. cap: bytes of the ring, looked at when it is made. size: enum
   vs_line_size. */
void vs_saved_lines_push(
	struct vs_saved_lines *l, size_t cap, const struct vs_gcell *cells, int cols, uint8_t size);

/* Takes the newest line into a blank row of cols cells. Returns its size, or -1: none is left. */
int vs_saved_lines_pop(struct vs_saved_lines *l, struct vs_gcell *cells, int cols);

size_t vs_saved_lines_memory(const struct vs_saved_lines *l);

#endif
