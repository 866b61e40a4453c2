/*
 * mode.h - modes: set, reset, saved, restored, reported.
 */
#ifndef VSCREEN_MODE_H
#define VSCREEN_MODE_H

#include "vscreen/args.h"
#include "vscreen/state.h"

void vs_modes_init(struct vs_modes *m);
void vs_mode_ansi(struct vs_screen *s, const struct vs_args *a, bool on);
void vs_mode_dec(struct vs_screen *s, const struct vs_args *a, bool on);
void vs_modes_save(struct vs_screen *s, const struct vs_args *a);
void vs_modes_restore(struct vs_screen *s, const struct vs_args *a);
/* DECRPM: 0 not known, 1 set, 2 reset, 3 always set, 4 always reset. */
int vs_mode_ansi_report(const struct vs_screen *s, int mode);
int vs_mode_dec_report(const struct vs_screen *s, int mode);

#endif
