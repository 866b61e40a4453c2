/* Bytes of a tty device: a pty's master, a serial line. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "line/ops.h"
#include "base/banned.h"

ssize_t ln_tty_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	ssize_t n;

	do {
		n = read(l->fd, buf, cap);
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		return n;
	/* EIO: a pty's slave is closed and all that it wrote was read. A hung-up serial line reads
	   as end of file. */
	if (n == 0 || errno == EIO)
		return B_EOF;
	if (errno == EAGAIN)
		return B_EAGAIN;
	return b_error_set(err, B_EENV, "cannot read from the line: %s", strerror(errno));
}

ssize_t ln_tty_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	ssize_t n;

	do {
		n = write(l->fd, bytes, len);
	} while (n < 0 && errno == EINTR);
	if (n >= 0)
		return n;
	if (errno == EAGAIN)
		return 0;
	if (errno == EIO)
		return B_EOF;
	return b_error_set(err, B_EENV, "cannot write to the line: %s", strerror(errno));
}
