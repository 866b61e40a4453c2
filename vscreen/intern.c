#include "vscreen/intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

static uint32_t hash_of(const struct vs_intern *t, const unsigned char *thing)
{
	uint64_t h = 0;
	uint32_t word;

	for (uint32_t i = 0; i < t->size; i += 4) {
		memcpy(&word, thing + i, 4);
		h = (h ^ word) * 0x9E3779B97F4A7C15u;
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

static unsigned char *item(const struct vs_intern *t, uint32_t number)
{
	return t->items + (size_t)number * t->size;
}

static void slot_add(struct vs_intern *t, uint32_t number)
{
	uint32_t i = hash_of(t, item(t, number)) & (t->n_slots - 1);

	while (t->slots[i])
		i = (i + 1) & (t->n_slots - 1);
	t->slots[i] = number;
}

static void slots_rebuild(struct vs_intern *t, const uint8_t *used)
{
	memset(t->slots, 0, t->n_slots * sizeof *t->slots);
	for (uint32_t i = 1; i < t->len; i++)
		if (!used || used[i / 8] & 1u << i % 8)
			slot_add(t, i);
}

/* Only when no number is free: every thing lives. */
static void grow(struct vs_intern *t, uint32_t cap)
{
	t->cap = cap < t->limit ? cap : t->limit;
	t->items = b_reallocarray(t->items, t->cap, t->size);
	while (t->n_slots < 2 * t->cap)
		t->n_slots *= 2;
	t->slots = b_reallocarray(t->slots, t->n_slots, sizeof *t->slots);
	slots_rebuild(t, NULL);
}

void vs_intern_init(
	struct vs_intern *t, uint32_t size, uint32_t first, uint32_t limit, const void *zero)
{
	*t = (struct vs_intern){ .size = size, .n_slots = 4, .limit = limit };
	grow(t, first);
	memcpy(t->items, zero, size);
	t->len = 1;
}

void vs_intern_release(struct vs_intern *t)
{
	free(t->items);
	free(t->slots);
	free(t->free_list);
	*t = (struct vs_intern){ 0 };
}

int64_t vs_intern_find(struct vs_intern *t, const void *thing)
{
	uint32_t i, number;

	if (!memcmp(thing, t->items, t->size))
		return 0;
	for (i = hash_of(t, thing) & (t->n_slots - 1); t->slots[i]; i = (i + 1) & (t->n_slots - 1))
		if (!memcmp(thing, item(t, t->slots[i]), t->size))
			return t->slots[i];
	if (t->n_free) {
		number = t->free_list[--t->n_free];
	} else {
		if (t->len == t->cap && t->cap < t->limit)
			grow(t, t->cap * 2);
		if (t->len == t->cap)
			return -1;
		number = t->len++;
	}
	memcpy(item(t, number), thing, t->size);
	slot_add(t, number);
	return number;
}

uint32_t vs_intern_collect(struct vs_intern *t, const uint8_t *used)
{
	t->free_list = b_reallocarray(t->free_list, t->limit, sizeof *t->free_list);
	t->n_free = 0;
	for (uint32_t i = t->len; --i > 0;)
		if (!(used[i / 8] & 1u << i % 8))
			t->free_list[t->n_free++] = i;
	slots_rebuild(t, used);
	return t->n_free + t->cap - t->len;
}

size_t vs_intern_memory(const struct vs_intern *t)
{
	return (size_t)t->cap * t->size + t->n_slots * sizeof *t->slots +
		(t->free_list ? t->limit * sizeof *t->free_list : 0);
}
