/*
 * charset.h - the character sets of DEC terminals, as Unicode.
 *
 * G0..G3 hold sets that the application designates (ESC ( 0 ...). Line drawing and the
 * supplemental and technical sets always work; the national ones only while DECNRCM (mode 42)
 * is on, as on the terminals. Source: VT220, VT320 and VT520 programmer information; which
 * designator works when, as in xterm.
 */
#ifndef VSCREEN_CHARSET_H
#define VSCREEN_CHARSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum vs_charset {
	VS_CS_ASCII = 0,
	VS_CS_BRITISH,
	VS_CS_GRAPHICS, /* DEC special graphics: line drawing */
	VS_CS_LATIN1,
	VS_CS_TABLE /* this and above: a table each, in charset.c */
};

/*
 * The set of a designator: "B", "0", "%5" ...; is96 for those of ESC - . /. level: 1..4 of the
 * conformance level. One that is not known is ASCII.
 */
uint8_t vs_charset_find(const char *name, size_t len, bool is96, int level, bool national);

/* The designator of a set, as DECCIR reports it. */
const char *vs_charset_name(uint8_t set);
bool vs_charset_is96(uint8_t set);

/* The character that code (0x20..0xFF) shows in the set; 0 is a blank. */
uint32_t vs_charset_map(uint8_t set, uint32_t code, bool national, int level, bool vt52);

#endif
