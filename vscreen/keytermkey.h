/*
 * vscreen/keytermkey.h - the one place that talks to libtermkey.
 *
 * It is asked for the name of one key's bytes, whole, and never sees the stream: what would
 * harm or mislead it (CSI with many arguments, replies, mouse reports, pastes) is taken out
 * before. For the files behind keys.h alone.
 */
#ifndef VSCREEN_KEYTERMKEY_H
#define VSCREEN_KEYTERMKEY_H

#include <stdbool.h>
#include <stddef.h>

#include "vscreen/keymap.h"
#include "vscreen/keyname.h"

struct vs_termkey;

/* NULL when libtermkey refuses. The keymap need not outlive it. */
struct vs_termkey *vs_termkey_new(const struct vs_keymap *m);
void vs_termkey_free(struct vs_termkey *t); /* NULL accepted */

/* Names a key from all of its 1..VS_KEY_MAX bytes; false when they are not exactly one key. */
bool vs_termkey_name(struct vs_termkey *t, const char *s, size_t len, struct vs_keyname *out);

#endif
