/*
 * dispatch.h - what each control, escape and CSI sequence does: the contents of this terminal.
 *
 * Called by the parser.
 */
#ifndef VSCREEN_DISPATCH_H
#define VSCREEN_DISPATCH_H

#include <stddef.h>
#include "vscreen/args.h"

struct vs_screen;

void vs_control(struct vs_screen *s, unsigned char c); /* C0, and C1 from ESC 4/0..5/15 */
void vs_escape(struct vs_screen *s, const char *seq, size_t len); /* without ESC */
void vs_csi(
	struct vs_screen *s, char leader, const struct vs_args *a, const char *inter, char final);

#endif
