/*
 * vscreen/keyframe.h - cuts what is typed into keys: where one ends, not what it is.
 *
 * For the files behind keys.h alone. Source: ECMA-48 section 5.4 (CSI), 5.6 (control strings);
 * xterm ctlseqs.
 */
#ifndef VSCREEN_KEYFRAME_H
#define VSCREEN_KEYFRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "vscreen/keymap.h"

enum vs_frame_kind {
	VS_FRAME_MORE,  /* the beginning of something longer; len is 0 */
	VS_FRAME_KEY,   /* a character, a control, one of the TERM's key strings, SS3 x */
	VS_FRAME_META,  /* Esc and a key: a key with M-, or two keys */
	VS_FRAME_CSI,   /* a whole control sequence */
	VS_FRAME_MOUSE, /* CSI M b x y */
	VS_FRAME_RAW    /* what is no key: a sequence cut short, bytes that are no UTF-8 */
};

struct vs_frame {
	enum vs_frame_kind kind;
	size_t len;
};

/*
 * The key at the front of the len >= 1 bytes at s. whole: nothing is to come in time that
 * could belong to it, so the kind is not VS_FRAME_MORE. modes: bits of enum vs_mode.
 */
struct vs_frame vs_frame_take(
	const struct vs_keymap *m, const char *s, size_t len, unsigned modes, bool whole);

enum vs_string { VS_STRING_NO, VS_STRING_MORE, VS_STRING_WHOLE };

/*
 * Whether an answer that is a control string (OSC, DCS, APC) stands at the front of (s, len):
 * no, its beginning, or whole, then with its length in *end. *scanned is how far an earlier
 * call has looked, 0 at first.
 */
enum vs_string vs_frame_string(const char *s, size_t len, size_t *scanned, size_t *end);

/* A whole control sequence taken apart. */
struct vs_csi {
	char prefix;       /* one of < = > ?, or 0 */
	char intermediate; /* the last one, or 0 */
	char final;
	int n;         /* parameters */
	int params[4]; /* the first four, -1 when not given */
};

/* False when (s, len) is no whole control sequence. */
bool vs_csi_parse(const char *s, size_t len, struct vs_csi *out);

#endif
