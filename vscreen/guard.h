/*
 * guard.h - the stream guard: any bytes in, clean pieces for the parser out.
 *
 * What a SUT sends is hostile, and comes cut anywhere. The guard holds back what is not whole:
 * a UTF-8 character, an escape sequence, a control string. So the parser sees whole things
 * only, and the same bytes give the same screen however they are cut.
 *
 * - UTF-8 is decoded as xterm does it: what is invalid becomes U+FFFD, one for each beginning
 *   or stray byte; U+0080..U+009F are ignored. On an 8-bit line C1 controls act and A0..FF are
 *   ISO 8859-1.
 * - CSI arguments: 30 are kept as xterm keeps them, none above 65535; what is more than the
 *   parser can hold goes in several sequences where that means the same (SGR, modes).
 * - Controls within a sequence act at once, CAN and SUB end it, ESC begins another.
 * - OSC, DCS, APC, PM, SOS, and on a screen or tmux TERM `ESC k`, are gathered whole, the first
 *   VS_STRING_MAX bytes of them.
 * - Bytes between CSI 5 i and CSI 4 i are a print job.
 */
#ifndef VSCREEN_GUARD_H
#define VSCREEN_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define VS_ARGS_CAP   30   /* as xterm */
#define VS_STRING_MAX 4096 /* bytes kept of a control string */

struct vs_screen;

enum vs_guard_state {
	VS_GUARD_GROUND,
	VS_GUARD_ESC,        /* ESC and intermediates */
	VS_GUARD_CSI,        /* arguments */
	VS_GUARD_CSI_INTER,  /* one intermediate was seen */
	VS_GUARD_CSI_IGNORE, /* to the final byte */
	VS_GUARD_STRING,
	VS_GUARD_PRINT,    /* a print job */
	VS_GUARD_VT52_ROW, /* ESC Y in VT52 mode */
	VS_GUARD_VT52_COL
};

struct vs_guard {
	void *parser; /* libvterm's */
	uint8_t state;
	bool utf8;
	bool string_esc; /* ESC was seen within a string */
	char string_kind;
	bool string_cut;
	uint8_t held_len, held_need; /* bytes of an unfinished character */
	unsigned char held[6];
	/* the sequence so far, without ESC and [ */
	char leader, inter;
	uint8_t esc_len;
	char esc[4];
	uint8_t n_args;
	bool esc_dropped; /* an ESC sequence too long to mean anything */
	int32_t args[VS_ARGS_CAP];
	uint32_t subs; /* bit i: argument i is joined to the one before */
	struct b_buf string;
	size_t string_len; /* bytes seen of it */
};

void vs_guard_init(struct vs_screen *s);
void vs_guard_release(struct vs_guard *g);
void vs_guard_feed(struct vs_screen *s, const char *bytes, size_t len);
/* Forgets a sequence that was begun (a reset). */
void vs_guard_ground(struct vs_guard *g);
/* Whether something is held back. */
bool vs_guard_midway(const struct vs_guard *g);

size_t vs_guard_memory(const struct vs_guard *g);

#endif
