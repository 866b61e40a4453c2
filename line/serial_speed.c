#include "line/serial_speed.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>

#include "base/banned.h"

_Static_assert(sizeof(struct termios2) <= sizeof(struct ln_serial_saved), "room for termios2");

/* asm/ioctls.h cannot be included beside sys/ioctl.h; the numbers are the header's formula. */
#ifndef TCGETS2
#define TCGETS2 _IOR('T', 0x2A, struct termios2)
#define TCSETS2 _IOW('T', 0x2B, struct termios2)
#endif

int ln_serial_save(int fd, struct ln_serial_saved *out)
{
	return ioctl(fd, TCGETS2, out->words) ? B_ESYS : B_OK;
}

void ln_serial_restore(int fd, const struct ln_serial_saved *saved)
{
	(void)ioctl(fd, TCSETS2, saved->words);
}

int ln_serial_speed(int fd, int64_t baud)
{
	struct termios2 tio;

	if (ioctl(fd, TCGETS2, &tio))
		return B_ESYS;
	tio.c_cflag &= ~(tcflag_t)(CBAUD | CBAUD << IBSHIFT);
	tio.c_cflag |= BOTHER | BOTHER << IBSHIFT;
	tio.c_ispeed = tio.c_ospeed = (speed_t)baud;
	return ioctl(fd, TCSETS2, &tio) ? B_ESYS : B_OK;
}
