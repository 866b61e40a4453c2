/* The serial: line: a tty device, raw, for one session alone; its settings are put back. */
#define _DEFAULT_SOURCE /* cfmakeraw, CRTSCTS, flock */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "line/ops.h"
#include "line/query.h"
#include "base/banned.h"

struct serial_line {
	struct ln_line base;
	struct termios before; /* put back at the end */
	bool changed;
};

static const char *const query_names[] = { "baud", "bits", "parity", "stop", "flow", NULL };

static const struct {
	int64_t baud;
	speed_t speed;
} speeds[] = {
	{ 50, B50 },
	{ 75, B75 },
	{ 110, B110 },
	{ 134, B134 },
	{ 150, B150 },
	{ 200, B200 },
	{ 300, B300 },
	{ 600, B600 },
	{ 1200, B1200 },
	{ 1800, B1800 },
	{ 2400, B2400 },
	{ 4800, B4800 },
	{ 9600, B9600 },
	{ 19200, B19200 },
	{ 38400, B38400 },
	{ 57600, B57600 },
	{ 115200, B115200 },
	{ 230400, B230400 },
	{ 460800, B460800 },
	{ 921600, B921600 },
};

/* ---- Settings: baud=9600&bits=8&parity=none&stop=1&flow=none ------------------------------ */

/* Which of the NULL-ended words the query gives for name; the first is the default. */
static int choice(const char *query, const char *name, const char *const *words, size_t *which,
	struct b_error *err)
{
	char *value = ln_query_get(query, name);
	size_t i = 0;

	while (value && words[i] && strcmp(value, words[i]))
		i++;
	if (!words[i]) {
		b_error_set(err, B_EUSAGE, "%s=%s is not known; %s and the like are", name, value,
			words[0]);
		free(value);
		return B_EUSAGE;
	}
	free(value);
	*which = i;
	return B_OK;
}

static int set_speed(struct termios *tio, const char *query, struct b_error *err)
{
	char *value = ln_query_get(query, "baud");
	int64_t baud = 9600;
	int rc = value ? b_parse_int(value, 1, 921600, &baud) : B_OK;

	free(value);
	for (size_t i = 0; !rc && i < B_ARRAY_LEN(speeds); i++)
		if (speeds[i].baud == baud)
			return cfsetispeed(tio, speeds[i].speed) ||
					cfsetospeed(tio, speeds[i].speed)
				? B_ESYS
				: B_OK;
	return b_error_set(err, B_EUSAGE,
		"baud is one of the usual speeds from 50 to 921600, such as 9600 or 115200");
}

/* tio as the query says, raw in all else. */
static int settings(struct termios *tio, const char *query, struct b_error *err)
{
	static const char *const bits[] = { "8", "7", "6", "5", NULL };
	static const tcflag_t sizes[] = { CS8, CS7, CS6, CS5 };
	static const char *const parities[] = { "none", "even", "odd", NULL };
	static const char *const stops[] = { "1", "2", NULL };
	static const char *const flows[] = { "none", "rtscts", "xonxoff", NULL };
	size_t size, parity, stop, flow;
	int rc;

	if ((rc = ln_query_check(query, query_names, err)) ||
		(rc = choice(query, "bits", bits, &size, err)) ||
		(rc = choice(query, "parity", parities, &parity, err)) ||
		(rc = choice(query, "stop", stops, &stop, err)) ||
		(rc = choice(query, "flow", flows, &flow, err)))
		return rc;
	cfmakeraw(tio);
	tio->c_cflag &= ~(tcflag_t)(CSIZE | PARENB | PARODD | CSTOPB | CRTSCTS);
	tio->c_cflag |= sizes[size] | CREAD | HUPCL;
	if (parity)
		tio->c_cflag |= parity == 2 ? PARENB | PARODD : PARENB;
	if (stop)
		tio->c_cflag |= CSTOPB;
	if (flow == 1)
		tio->c_cflag |= CRTSCTS;
	if (flow == 2)
		tio->c_iflag |= IXON | IXOFF;
	tio->c_cc[VMIN] = 1;
	tio->c_cc[VTIME] = 0;
	return set_speed(tio, query, err);
}

static int serial_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	size_t len = strcspn(rest, "?");
	struct termios scratch = { 0 };

	if (*rest != '/')
		return b_error_set(err, B_EUSAGE, "a device is wanted, such as /dev/ttyS0");
	t->path = b_strndup(rest, len);
	if (rest[len])
		t->query = b_strdup(rest + len + 1);
	return settings(&scratch, t->query, err);
}

/* ---- The line ----------------------------------------------------------------------------- */

static int serial_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct serial_line *s = (struct serial_line *)l;
	char *path = ln_expand(opt->target->path, opt->user);
	struct termios tio;
	int rc = B_OK;

	l->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	/* TIOCEXCL does not hold root off; the lock does, among programs that ask for one. */
	if (l->fd < 0)
		rc = b_error_set(err, B_EENV, "cannot open %s: %s", path, strerror(errno));
	else if (flock(l->fd, LOCK_EX | LOCK_NB) || ioctl(l->fd, TIOCEXCL))
		rc = b_error_set(err, B_EENV, "%s is in use: %s; end the other program", path,
			strerror(errno));
	else if (tcgetattr(l->fd, &s->before))
		rc = b_error_set(err, B_EENV, "%s is no serial line: %s", path, strerror(errno));
	if (!rc) {
		tio = s->before;
		rc = settings(&tio, opt->target->query, err);
	}
	/* CLOCAL stays as it was: whether a modem's hang-up counts is the machine's setting. */
	if (!rc && tcsetattr(l->fd, TCSANOW, &tio))
		rc = b_error_set(
			err, B_EENV, "%s does not take its settings: %s", path, strerror(errno));
	s->changed = !rc;
	free(path);
	l->state = rc ? LN_CLOSED : LN_OPEN;
	return rc;
}

static void serial_close(struct ln_line *l)
{
	struct serial_line *s = (struct serial_line *)l;

	if (!s->changed)
		return;
	(void)tcsetattr(l->fd, TCSANOW, &s->before);
	(void)ioctl(l->fd, TIOCNXCL);
}

const struct ln_kind ln_kind_serial = {
	.prefix = "serial:",
	.form = "serial:/dev/NAME?baud=9600",
	.line_size = sizeof(struct serial_line),
	.parse = serial_parse,
	.open = serial_open,
	.read = ln_tty_read,
	.write = ln_tty_write,
	.close = serial_close,
};
