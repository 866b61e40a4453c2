/*
 * demo/forms/tty.h - the terminal: keys in, frames out, and the time of both.
 *
 * curses paints, but does not read: the bytes are read here, one read(2) at a
 * time, so that the time of the last input byte is known and every byte can be
 * kept (--keys). They become curses' key codes by what curses knows of the
 * terminal. A frame is one flush; its time is taken when the last write has
 * been accepted.
 *
 * One struct df_tty a process. Order of calls: df_tty_open, then df_tty_key and
 * df_tty_flush in turn, df_tty_close.
 */
#ifndef DEMO_FORMS_TTY_H
#define DEMO_FORMS_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Besides curses' KEY_*, characters 0..255 and KEY_RESIZE (curses has adopted the new size): */
#define DF_KEY_END     (-1) /* the line is gone, or a signal asks to end */
#define DF_KEY_ESC     27   /* a lone Esc */
#define DF_KEY_UNKNOWN (-2) /* a sequence that is no key of this terminal */

/* How long Esc may wait for the rest of a sequence. */
#define DF_ESCDELAY_MS 25

struct df_tty {
	void *screen; /* curses' SCREEN */
	int signal_fd;
	int keys_fd; /* --keys; -1: not kept. Owned by the caller */
	unsigned char buf[64];
	size_t at, len; /* bytes read and not yet taken: buf[at..len) */
	bool ended;
	int64_t first_ns; /* the first byte since df_tty_count_reset */
	int64_t last_ns;  /* the read that returned the last byte taken */
	int64_t read_ns;  /* the read that filled buf */
	int64_t bytes;    /* taken since df_tty_count_reset */
	int64_t out_ns;   /* the last flush was written */
};

/* B_EUSAGE: no terminal on standard input and output; B_EENV: curses does not know TERM. */
int df_tty_open(struct df_tty *t, int keys_fd, struct b_error *err) B_CHECK;
void df_tty_close(struct df_tty *t);

/* Waits for a key. A signal to end, or the end of the line, is DF_KEY_END from then on. */
int df_tty_key(struct df_tty *t);

/* Sends what curses has gathered, all of it, and takes the time. bell: with the bell. */
void df_tty_flush(struct df_tty *t, bool bell);

/* A new transaction: first_ns and bytes count from the next byte. */
void df_tty_count_reset(struct df_tty *t);

#endif
