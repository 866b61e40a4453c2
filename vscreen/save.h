/*
 * save.h - the saved cursor, the alternate screen, resets.
 */
#ifndef VSCREEN_SAVE_H
#define VSCREEN_SAVE_H

#include "vscreen/state.h"

/* DECSC and DECRC: each of the two screens has its own saved cursor. One that was never saved
   is home, in default looks. */
void vs_cursor_save(struct vs_screen *s);
void vs_cursor_restore(struct vs_screen *s);

/* Shows the alternate screen or the main one; the alternate one is made when first shown. */
void vs_alternate(struct vs_screen *s, bool on, bool clear);

/* RIS (hard) or DECSTR. */
void vs_reset(struct vs_screen *s, bool hard);

#endif
