/*
 * vscreen/keymap_data.h - the inside of a keymap, shared by keymap.c and keyencode.c alone.
 */
#ifndef VSCREEN_KEYMAP_DATA_H
#define VSCREEN_KEYMAP_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "vscreen/keyname.h"
#include "vscreen/keys.h"

/* How the TERM sends modified keys that its entry does not list. */
enum vs_keystyle {
	VS_STYLE_PLAIN, /* it has none */
	VS_STYLE_XTERM, /* CSI 1;m X, CSI n;m ~ */
	VS_STYLE_RXVT   /* CSI n $ ^ @ for S, C, C-S; CSI a..d, ESC O a..d */
};

struct vs_keystring {
	struct vs_keyname name;
	unsigned char len;
	char bytes[VS_KEY_MAX];
};

struct vs_keymap {
	char *term;
	enum vs_keystyle style;
	bool ansi; /* keys are ECMA-48 sequences, so DEC's modes and keypad apply */
	char *named[VS_K_N][VS_MODS]; /* owned, NULL: not in the entry */
	char *function[VS_F_MAX + 1]; /* likewise */
	struct vs_keystring *strings; /* for decoding, the preferred name first */
	size_t n_strings;
};

#endif
