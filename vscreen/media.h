/*
 * media.h - media copy: print jobs are kept for the script, never shown.
 */
#ifndef VSCREEN_MEDIA_H
#define VSCREEN_MEDIA_H

#include <stdbool.h>
#include <stddef.h>

struct vs_screen;

/* CSI n i, or CSI ? n i (dec). */
void vs_media_copy(struct vs_screen *s, int what, bool dec);

/* Bytes between CSI 5 i and CSI 4 i. */
void vs_print_job(struct vs_screen *s, const char *bytes, size_t len);

#endif
