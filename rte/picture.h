/*
 * rte/picture.h - a screen as text (vscreen/snapshot.h) on a terminal of so many columns.
 */
#ifndef RTE_PICTURE_H
#define RTE_PICTURE_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Appends the snapshot so that no line of it is wrapped: as it is where there is room, without its
 * frame and attributes where the screen alone fits; else the columns that fit, and which they are.
 */
void rte_picture(const char *snapshot, size_t cols, struct b_buf *out);

#endif
