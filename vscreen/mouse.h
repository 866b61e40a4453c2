/*
 * vscreen/mouse.h - mouse reports taken apart; the other direction is vs_mouse_encode.
 *
 * For the files behind keys.h alone.
 */
#ifndef VSCREEN_MOUSE_H
#define VSCREEN_MOUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "vscreen/keys.h"

/*
 * The length of a report CSI M b x y at the front of (s, len), which follows no sequence's
 * grammar; 0 when there is none; len + 1 when it is not yet whole.
 */
size_t vs_mouse_match(const char *s, size_t len, unsigned modes);

/* Takes one whole report apart. False when it is none, or none that these modes would give. */
bool vs_mouse_decode(const char *s, size_t len, unsigned modes, struct vs_mouse *out);

#endif
