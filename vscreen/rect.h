/*
 * rect.h - rectangles: DECCRA, DECFRA, DECERA, DECSERA, DECCARA, DECRARA, DECRQCRA.
 */
#ifndef VSCREEN_RECT_H
#define VSCREEN_RECT_H

#include "vscreen/args.h"
#include "vscreen/state.h"

enum vs_rect_op {
	VS_RECT_COPY,   /* DECCRA */
	VS_RECT_FILL,   /* DECFRA */
	VS_RECT_ERASE,  /* DECERA */
	VS_RECT_WIPE,   /* DECSERA: erases what is not protected, leaves the looks */
	VS_RECT_CHANGE, /* DECCARA */
	VS_RECT_REVERSE /* DECRARA */
};

/* a: the arguments as they came. A rectangle that is none does nothing. */
void vs_rectangle(struct vs_screen *s, enum vs_rect_op op, const struct vs_args *a);
/* DECRQCRA over args 2..5. */
unsigned vs_checksum(const struct vs_screen *s, const struct vs_args *a);
/* The attributes that all cells of the rectangle args 0..3 have in common (XTREPORTSGR). */
void vs_rect_common(const struct vs_screen *s, const struct vs_args *a, struct vs_style *out);

#endif
