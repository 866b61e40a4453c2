/*
 * rte/viewer.h - a virtual screen on the person's own terminal, and the person's keys.
 *
 * The terminal is put into raw mode and its alternate screen and given back as it was, on every
 * way out that the program itself takes. What is painted comes from vs_screen_repaint alone.
 */
#ifndef RTE_VIEWER_H
#define RTE_VIEWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "rte/redact.h"
#include "vscreen/screen.h"

struct rte_viewer;

/* B_EENV when standard input or output is no terminal. */
int rte_viewer_new(struct rte_viewer **out, struct b_error *err) B_CHECK;
/* Gives the terminal back; NULL accepted. */
void rte_viewer_free(struct rte_viewer *v);

/* Paints s without secrets, and below it a line of text (escaped). Of a screen that does not fit, the
   part at the top left, and how much that is in the terminal's last row. Where there is no room, over says
   that it stands in the terminal's last row all the same, or in the first while the cursor is in
   the last. */
void rte_viewer_paint(struct rte_viewer *v, const struct vs_screen *s,
	const struct rte_redactor *secrets, const char *status, bool over);
/* Where the script stands from now on: painted beside the screen, or below it, where there is room. */
void rte_viewer_script(struct rte_viewer *v, const char *file, int line);
/* Reads keys of the person: their number, 0 when there are none now, -1 at the end. */
int rte_viewer_keys(struct rte_viewer *v, char *buf, size_t cap);
int rte_viewer_fd(const struct rte_viewer *v); /* readable when the person typed */

#endif
