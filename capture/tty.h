/*
 * capture/tty.h - the person's own terminal while a session is recorded on it.
 *
 * Raw in between, so that every key reaches the application; as it was, bit for bit, on every
 * way out, a crash included: for that one pointer and a few bytes are global, since a signal
 * handler has nothing else. One such terminal a process.
 *
 * Order of calls: cap_tty_open; cap_tty_leftovers whenever the screen's modes changed;
 * cap_tty_close.
 */
#ifndef CAPTURE_TTY_H
#define CAPTURE_TTY_H

#include <stdbool.h>
#include <termios.h>

#include "base/buf.h"
#include "vscreen/screen.h"

struct cap_tty {
	int in, out; /* to read from and write to without blocking; ours, to be closed */
	bool in_is_tty, out_is_tty;
	bool raw; /* the modes below are to be restored, on the tty that in or out is */
	struct termios saved;
};

/*
 * Takes over in_fd and out_fd (any kind of file; they stay open). A terminal on in_fd is made
 * raw, and fatal signals restore it from now on. B_ESYS when in_fd is a terminal that cannot be
 * made raw.
 */
int cap_tty_open(struct cap_tty *t, int in_fd, int out_fd) B_CHECK;

/* The window's size; false when there is no terminal or it does not know. */
bool cap_tty_size(const struct cap_tty *t, int *rows, int *cols);

/* Notes what a crash would have to undo: the modes that the application has switched on. */
void cap_tty_leftovers(const struct vs_screen *s);

/* Appends what undoes them, the cursor then being where a message can begin. */
void cap_tty_undo(const struct vs_screen *s, struct b_buf *out);

/* Restores the terminal and takes the signal handlers back. drained: all output was written, so
   that it may be waited for. May be called twice. */
void cap_tty_close(struct cap_tty *t, bool drained);

/* Restores and takes over again, around a stop of the whole process (SIGTSTP). */
void cap_tty_suspend(struct cap_tty *t);
void cap_tty_resume(struct cap_tty *t);

#endif
