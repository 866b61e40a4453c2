/*
 * compose.h - a character and a mark that are one character together (U+0065 U+0301 is U+00E9).
 *
 * xterm shows and hands out the composed one, so a search for it finds it however it was sent.
 */
#ifndef VSCREEN_COMPOSE_H
#define VSCREEN_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

struct vs_cluster;

/* The composed character, or 0. Source: UnicodeData.txt 15, canonical decompositions of the BMP;
   as xterm, also those that Unicode excludes from composition (Hebrew points, nukta). */
uint32_t vs_compose(uint32_t base, uint32_t mark);

/* A mark joins the characters of a cell of that width; one too many is left out. */
void vs_compose_join(struct vs_cluster *cell, uint32_t mark, int width);

/* Whether cp formats text and is never seen (zero width joiner, marks of direction ...). */
bool vs_is_format(uint32_t cp);

#endif
