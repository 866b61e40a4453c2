/*
 * presentation.h - the cursor and the tab stops, told to an application and set again by it.
 *
 * DECRQPSR asks (CSI 1 $ w, CSI 2 $ w), DECCIR and DECTABSR are the reports, DECRSPS puts a report
 * back (DCS 1 $ t ..., DCS 2 $ t ...). Source: VT420 programmer reference; xterm's reading of it.
 */
#ifndef VSCREEN_PRESENTATION_H
#define VSCREEN_PRESENTATION_H

#include "vscreen/state.h"

void vs_report_cursor_state(struct vs_screen *s);
void vs_report_tabs(struct vs_screen *s);

/* A report as it was told, without what stands in front of its first value; a NUL ends it. What
   is wrong in it ends it: what stood before holds. */
void vs_restore_cursor_state(struct vs_screen *s, const char *report);
void vs_restore_tabs(struct vs_screen *s, const char *report);

#endif
