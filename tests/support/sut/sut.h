/*
 * tests/support/sut/sut.h - systems under test that misbehave, one mode each.
 *
 * `sut MODE [ARG...]` on a pty, or `sut tcp VARIANT` as a server on the loopback address.
 * A mode talks through struct sut and the few calls below; the table of modes in main.c says
 * what each does. Every sut ends by itself after --life seconds, so that none is left over
 * from a failed test.
 *
 * The common conversation (sut_talk): the prompt "> ", a line echoed character by character
 * and ended by CR or LF, the answer "N: LINE" on a line of its own, the prompt again; the line
 * "quit" or end of file ends it. It is the same on a pty and on a socket.
 */
#ifndef TESTS_SUPPORT_SUT_H
#define TESTS_SUPPORT_SUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

#include "base/buf.h"
#include "base/error.h"

struct sut {
	int in, out; /* the terminal, or the socket twice */
	int keys;    /* --keys: raw bytes read are appended here; -1: none */
	int argc;    /* the mode's own arguments */
	char **argv;
	bool raw; /* saved holds what the terminal was before sut_raw */
	struct termios saved;
	unsigned char last; /* last byte of sut_line: LF after CR is not another line */
	int64_t lines;      /* lines read by sut_line so far */
};

/* What a mode's function returns is the exit status of the program. */
typedef int sut_mode_fn(struct sut *s);

/* Takes the terminal out of echo and canonical mode, signals and CR mapping included.
   Nothing on a socket. */
void sut_raw(struct sut *s);
/* Back to what it was. */
void sut_cooked(struct sut *s);

#define SUT_EOF     (-1)
#define SUT_TIMEOUT (-2)
/* The next byte (0..255), SUT_EOF, or SUT_TIMEOUT after timeout_ms (-1: waits for ever).
   EINTR is SUT_TIMEOUT as well, so that signal handlers are noticed. */
int sut_getc(struct sut *s, int timeout_ms);

/* Writes all of it; false once the other side is gone. */
bool sut_write(struct sut *s, const void *data, size_t len);
bool sut_puts(struct sut *s, const char *text);
bool sut_printf(struct sut *s, const char *fmt, ...) B_PRINTF(2, 3);

/* Reads a line with echo, Backspace understood; false at end of file. */
bool sut_line(struct sut *s, struct b_buf *line);

/* The common conversation. answer writes what comes after "\r\n" for line number n; NULL: the
   plain answer. Returns 0. */
int sut_talk(struct sut *s, void (*answer)(struct sut *s, const struct b_buf *line, int64_t n));

/* Sleeps, going on after signals. */
void sut_sleep_ms(int64_t ms);

/* Argument i as a number within [min, max]; missing: otherwise. Ends the program with 2 and a
   message when it is none. */
int64_t sut_arg_int(struct sut *s, int i, int64_t min, int64_t max, int64_t otherwise);
/* Argument i, or otherwise when it is missing. */
const char *sut_arg(struct sut *s, int i, const char *otherwise);

/* times.c */
sut_mode_fn sut_echo, sut_late, sut_bursts, sut_spinner, sut_silent, sut_deaf, sut_bell, sut_clock,
	sut_dribble, sut_slow_start, sut_flood, sut_flood_stop, sut_sync;
/* ends.c */
sut_mode_fn sut_exit, sut_signal, sut_die_write, sut_die_at, sut_last_words, sut_half_open,
	sut_no_hup, sut_stop, sut_leave_modes;
/* screen.c */
sut_mode_fn sut_hostile, sut_ask, sut_resize, sut_password, sut_password_stars, sut_password_blank,
	sut_env;
/* tcp.c */
sut_mode_fn sut_tcp;

#endif
