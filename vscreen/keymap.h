/*
 * vscreen/keymap.h - what a TERM's keys send, as the decoder needs to know it.
 *
 * For the files behind keys.h alone.
 */
#ifndef VSCREEN_KEYMAP_H
#define VSCREEN_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "vscreen/keyname.h"
#include "vscreen/keys.h"

/* Encodes a key. Returns its length, or 0 when the TERM has no such key. */
int vs_keymap_encode(const struct vs_keymap *m, const struct vs_keyname *k, unsigned modes,
	char out[VS_KEY_MAX]);

/*
 * The longest of the TERM's own key strings at the front of (s, len), or 0. *longer: all of
 * the len bytes are the beginning of a longer one. Lone Esc is no such string.
 */
size_t vs_keymap_match(const struct vs_keymap *m, const char *s, size_t len, bool *longer);

/*
 * The key whose own string these bytes are under the modes, with an Esc in front for M- too: the
 * one that people would name when several send the same. False when there is none.
 */
bool vs_keymap_lookup(const struct vs_keymap *m, const char *s, size_t len, unsigned modes,
	struct vs_keyname *out);

#endif
