/*
 * width.h - how many columns a character takes.
 *
 * A table of Unicode 15 ranges of our own: the C library's wcwidth depends on the locale of
 * the machine. East Asian wide and emoji presentation 2, combining marks 0, ambiguous 1.
 */
#ifndef VSCREEN_WIDTH_H
#define VSCREEN_WIDTH_H

#include <stdint.h>

/* 0, 1 or 2; -1 for what is no character to be shown (controls, formats). */
int vs_width(uint32_t cp);

#endif
