/*
 * demo/teller/tty.h - the terminal: keys in, frames out, and the time of both.
 *
 * curses paints, but does not read: the bytes are read here, one read(2) at a time, so that the
 * time of the last input byte is known and every byte can be kept (--keys). They become curses'
 * key codes by what curses knows of the terminal. A frame is one flush; its time is taken when
 * the last write has been accepted.
 *
 * One struct tl_tty a process. Order of calls: tl_tty_open, then tl_tty_key and tl_tty_flush in
 * turn, tl_tty_close.
 */
#ifndef DEMO_TELLER_TTY_H
#define DEMO_TELLER_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Besides curses' KEY_*, characters 0..255 and KEY_RESIZE (curses has adopted the new size): */
#define TL_KEY_END     (-1) /* the line is gone, or a signal asks to end */
#define TL_KEY_ESC     27   /* a lone Esc */
#define TL_KEY_UNKNOWN (-2) /* a sequence that is no key of this terminal */

/* How long Esc may wait for the rest of a sequence. */
#define TL_ESCDELAY_MS 25

struct tl_tty {
	void *screen; /* curses' SCREEN */
	int signal_fd;
	int keys_fd; /* --keys; -1: not kept. Owned by the caller */
	unsigned char buf[64];
	size_t at, len; /* bytes read and not yet taken: buf[at..len) */
	bool ended;
	int64_t first_ns; /* the first byte since tl_tty_count_reset */
	int64_t last_ns;  /* the read that returned the last byte taken */
	int64_t read_ns;  /* the read that filled buf */
	int64_t bytes;    /* taken since tl_tty_count_reset */
	int64_t out_ns;   /* the last flush was written */
};

/* B_EUSAGE: no terminal on standard input and output; B_EENV: curses does not know TERM. */
int tl_tty_open(struct tl_tty *t, int keys_fd, struct b_error *err) B_CHECK;
void tl_tty_close(struct tl_tty *t);

/* Waits for a key. A signal to end, or the end of the line, is TL_KEY_END from then on. */
int tl_tty_key(struct tl_tty *t);

/* Sends what curses has gathered, all of it, and takes the time. bell: with the bell. */
void tl_tty_flush(struct tl_tty *t, bool bell);

/* A new transaction: first_ns and bytes count from the next byte. */
void tl_tty_count_reset(struct tl_tty *t);

#endif
