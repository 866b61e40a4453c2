/*
 * sgr.h - the pen: SGR, and XTPUSHSGR with XTPOPSGR.
 */
#ifndef VSCREEN_SGR_H
#define VSCREEN_SGR_H

#include "base/buf.h"
#include "vscreen/args.h"
#include "vscreen/state.h"

void vs_sgr(struct vs_screen *s, const struct vs_args *a);
void vs_pen_push(struct vs_screen *s, const struct vs_args *a);
void vs_pen_pop(struct vs_screen *s);
/* Appends the SGR arguments that give a style, "0;1;31". */
void vs_sgr_format(const struct vs_style *style, struct b_buf *out);

#endif
