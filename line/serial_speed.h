/*
 * line/serial_speed.h - inside of line/: speeds that termios(3) has no name for, and all of a
 * line's settings kept and put back bit for bit, such a speed included. Linux's own interface,
 * whose header cannot stand beside termios.h. Source: ioctl_tty(2), TCGETS2 and BOTHER.
 */
#ifndef LINE_SERIAL_SPEED_H
#define LINE_SERIAL_SPEED_H

#include <stdint.h>

#include "base/error.h"

#define LN_BAUD_MIN 50
#define LN_BAUD_MAX 4000000

struct ln_serial_saved {
	uint32_t words[16]; /* a struct termios2 */
};

int ln_serial_save(int fd, struct ln_serial_saved *out) B_CHECK; /* B_ESYS: no tty; see errno */
void ln_serial_restore(int fd, const struct ln_serial_saved *saved);

/* Any baud rate, both ways; the driver takes the nearest that it can. B_ESYS: see errno. */
int ln_serial_speed(int fd, int64_t baud) B_CHECK;

#endif
