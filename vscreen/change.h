/*
 * change.h - whether a feed changed the picture.
 */
#ifndef VSCREEN_CHANGE_H
#define VSCREEN_CHANGE_H

#include <stdbool.h>

struct vs_screen;

/* Hashes every row anew: after a resize or when the masks changed. */
void vs_shown_reset(struct vs_screen *s);
/* Ends a feed; whether the picture differs from that at the end of the one before. */
bool vs_shown_differs(struct vs_screen *s);
/* Enters or leaves a synchronised update: what came before is another picture than what follows. */
void vs_update_set(struct vs_screen *s, bool open);
/* All rows of the grid now shown are painted (the alternate screen was switched). */
void vs_repainted(struct vs_screen *s);

#endif
