/*
 * vt52.h - VT52 mode: entered with CSI ? 2 l, left with ESC <.
 *
 * While it lasts the level is 0 and the guard gives escapes here, not to the parser.
 */
#ifndef VSCREEN_VT52_H
#define VSCREEN_VT52_H

#include "vscreen/state.h"

void vs_vt52_enter(struct vs_screen *s);
void vs_vt52_escape(struct vs_screen *s, char letter);
void vs_vt52_cursor(struct vs_screen *s, int row, int col); /* ESC Y */

#endif
