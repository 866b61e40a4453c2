/*
 * capture/typed.h - what a person's terminal sends, cut into keystrokes of a few kinds.
 *
 * Only as fine as the recorder needs to tell secrets from keys: it names nothing (that is
 * vscreen/keys.h), needs no TERM, and gives back every byte, in order, in the read it came
 * with. Source: ECMA-48 section 5; xterm ctlseqs.
 */
#ifndef CAPTURE_TYPED_H
#define CAPTURE_TYPED_H

#include <stddef.h>
#include <stdint.h>

enum cap_typed_kind {
	CAP_TYPED_TEXT,   /* a printable character */
	CAP_TYPED_ERASE,  /* Backspace, C-h, C-w, C-u */
	CAP_TYPED_ANSWER, /* the terminal's answer to a query, or a focus report: nobody typed it */
	CAP_TYPED_BRACKET, /* begin or end of a bracketed paste */
	CAP_TYPED_KEY      /* any other: Enter, Tab, Esc, function keys, C-c, ... */
};

struct cap_typed {
	enum cap_typed_kind kind;
	const char *bytes; /* within the read */
	size_t len;
	int more; /* goes on with the keystroke that the last read broke off */
};

/* Where a read left off; all zero at the start. */
struct cap_typed_state {
	int state;
	int count;     /* bytes still to come of a character or a mouse report */
	int64_t at_ns; /* of the last byte */
};

/* Takes the next keystroke, or the part of it that has come, off (bytes, len), len > 0, which
   was read at at_ns. Returns how many bytes it took. */
size_t cap_typed_next(struct cap_typed_state *st, const char *bytes, size_t len, int64_t at_ns,
	struct cap_typed *out);

#endif
