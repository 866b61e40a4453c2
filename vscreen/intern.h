/*
 * intern.h - a bounded table of things, each kept once and known by its number.
 *
 * Cells hold the numbers of styles (attributes and colours) and of clusters (a character with
 * combining marks). Numbers of living things never change, number 0 is the empty thing (all
 * bytes as given at init) and always lives. When the table is full the owner marks what is
 * still used and the rest is given up (vs_intern_collect).
 */
#ifndef VSCREEN_INTERN_H
#define VSCREEN_INTERN_H

#include <stddef.h>
#include <stdint.h>

struct vs_intern {
	unsigned char *items; /* [cap] things of `size` bytes, compared byte by byte */
	uint32_t *slots;      /* hash table of numbers, 0: free */
	uint32_t *free_list;  /* numbers given up; NULL until the first collection */
	uint32_t size, len, cap, n_slots, n_free;
	uint32_t limit; /* most things */
};

/* size: a multiple of 4, no padding that is not zeroed. Nothing is allocated for more than
   `first` things until they come. */
void vs_intern_init(
	struct vs_intern *t, uint32_t size, uint32_t first, uint32_t limit, const void *zero);
void vs_intern_release(struct vs_intern *t);

/* The thing's number; -1 when it is new and the table is full. */
int64_t vs_intern_find(struct vs_intern *t, const void *thing);

/* The thing of a number; valid until the next find. */
static inline const void *vs_intern_get(const struct vs_intern *t, uint32_t number)
{
	return t->items + (size_t)number * t->size;
}

/* Gives up every thing whose bit in used (t->len bits) is not set. Returns how many are free. */
uint32_t vs_intern_collect(struct vs_intern *t, const uint8_t *used);

size_t vs_intern_memory(const struct vs_intern *t);

#endif
