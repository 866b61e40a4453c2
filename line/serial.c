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

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "line/ops.h"
#include "line/query.h"
#include "line/serial_speed.h"
#include "base/banned.h"

struct serial_line {
	struct ln_line base;
	struct ln_serial_saved before; /* put back at the end */
	bool changed;
	struct b_buf held; /* written while a break lasts */
};

#define HELD_MAX 65536

static const char *const query_names[] = { "baud", "bits", "parity", "stop", "flow", NULL };

/* ---- Settings: baud=9600&bits=8&parity=none&stop=1&flow=none ------------------------------ */

static void bad_choice(
	const char *name, const char *value, const char *const *words, struct b_error *err)
{
	struct b_buf list = B_BUF_INIT;

	for (size_t i = 0; words[i]; i++)
		b_buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
	b_error_set(
		err, B_EUSAGE, "%s=%s is not known; known are %s", name, value, b_buf_cstr(&list));
	b_buf_release(&list);
}

/* Which of the NULL-ended words the query gives for name; the first is the default. */
static int choice(const char *query, const char *name, const char *const *words, size_t *which,
	struct b_error *err)
{
	char *value = ln_query_get(query, name);
	size_t i = 0;

	while (value && words[i] && strcmp(value, words[i]))
		i++;
	if (!words[i]) {
		bad_choice(name, value, words, err);
		free(value);
		return B_EUSAGE;
	}
	free(value);
	*which = i;
	return B_OK;
}

static int parse_speed(const char *query, int64_t *baud, struct b_error *err)
{
	char *value = ln_query_get(query, "baud");
	int rc = B_OK;

	*baud = 9600;
	if (value && b_parse_int(value, LN_BAUD_MIN, LN_BAUD_MAX, baud))
		rc = b_error_set(err, B_EUSAGE,
			"baud=%s is no speed from %d to %d, such as 9600 or 115200", value,
			LN_BAUD_MIN, LN_BAUD_MAX);
	free(value);
	return rc;
}

/* tio as the query says, but for the speed; raw in all else. */
static int settings(struct termios *tio, int64_t *baud, const char *query, struct b_error *err)
{
	static const char *const bits[] = { "8", "7", "6", "5", NULL };
	static const tcflag_t sizes[] = { CS8, CS7, CS6, CS5 };
	static const char *const parities[] = { "none", "even", "odd", "mark", "space", NULL };
	static const char *const stops[] = { "1", "2", NULL };
	static const char *const flows[] = { "none", "rtscts", "xonxoff", NULL };
	static const tcflag_t parity_flags[] = { 0, PARENB, PARENB | PARODD,
		PARENB | PARODD | CMSPAR, PARENB | CMSPAR };
	size_t size, parity, stop, flow;
	int rc;

	if ((rc = ln_query_check(query, query_names, err)) ||
		(rc = choice(query, "bits", bits, &size, err)) ||
		(rc = choice(query, "parity", parities, &parity, err)) ||
		(rc = choice(query, "stop", stops, &stop, err)) ||
		(rc = choice(query, "flow", flows, &flow, err)))
		return rc;
	cfmakeraw(tio);
	tio->c_cflag &= ~(tcflag_t)(CSIZE | PARENB | PARODD | CMSPAR | CSTOPB | CRTSCTS);
	tio->c_cflag |= sizes[size] | parity_flags[parity] | CREAD | HUPCL;
	if (stop)
		tio->c_cflag |= CSTOPB;
	if (flow == 1)
		tio->c_cflag |= CRTSCTS;
	if (flow == 2)
		tio->c_iflag |= IXON | IXOFF;
	tio->c_cc[VMIN] = 1;
	tio->c_cc[VTIME] = 0;
	return parse_speed(query, baud, err);
}

static int serial_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	size_t len = strcspn(rest, "?");
	struct termios scratch = { 0 };
	int64_t baud;

	if (*rest != '/')
		return b_error_set(err, B_EUSAGE, "a device is wanted, such as /dev/ttyS0");
	t->path = b_strndup(rest, len);
	if (rest[len])
		t->query = b_strdup(rest + len + 1);
	return settings(&scratch, &baud, t->query, err);
}

/* Usual speeds by their names, for the sake of who looks at the device meanwhile: stty knows no
   others. cfsetspeed takes numbers and names alike, of which 4097 to 4111 are both. */
static int apply(int fd, struct termios *tio, int64_t baud)
{
	bool usual = baud >> 4 != 4096 >> 4 && !cfsetspeed(tio, (speed_t)baud);

	if (tcsetattr(fd, TCSANOW, tio))
		return B_ESYS;
	return usual ? B_OK : ln_serial_speed(fd, baud);
}

/* ---- The line ----------------------------------------------------------------------------- */

static void serial_close(struct ln_line *l)
{
	struct serial_line *s = (struct serial_line *)l;

	if (!s->changed)
		return;
	if (l->due_ns >= 0)
		(void)ioctl(l->fd, TIOCCBRK);
	ln_serial_restore(l->fd, &s->before);
	(void)ioctl(l->fd, TIOCNXCL);
}

static int serial_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct serial_line *s = (struct serial_line *)l;
	char *path = ln_expand(opt->target->path, opt->user);
	struct termios tio;
	int64_t baud;
	int rc = B_OK;

	l->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	/* TIOCEXCL does not hold root off; the lock does, among programs that ask for one. */
	if (l->fd < 0)
		rc = b_error_set(err, B_EENV, "cannot open %s: %s", path, strerror(errno));
	else if (ln_serial_save(l->fd, &s->before) || tcgetattr(l->fd, &tio))
		rc = b_error_set(err, B_EENV, "%s is no serial line: %s", path, strerror(errno));
	else if (flock(l->fd, LOCK_EX | LOCK_NB) || ioctl(l->fd, TIOCEXCL))
		rc = b_error_set(err, B_EENV, "%s is in use: %s; end the other program", path,
			strerror(errno));
	if (!rc)
		rc = settings(&tio, &baud, opt->target->query, err);
	/* CLOCAL stays as it was: whether a modem's hang-up counts is the machine's setting. */
	s->changed = !rc;
	if (!rc && apply(l->fd, &tio, baud))
		rc = b_error_set(
			err, B_EENV, "%s does not take its settings: %s", path, strerror(errno));
	if (rc && l->fd >= 0)
		serial_close(l);
	free(path);
	l->state = rc ? LN_CLOSED : LN_OPEN;
	return rc;
}

/* tcsendbreak(3) would wait for its end. */
static int serial_break(struct ln_line *l, struct b_error *err)
{
	if (ioctl(l->fd, TIOCSBRK))
		return b_error_set(err, B_EENV, "no break on this line: %s", strerror(errno));
	l->due_ns = b_clock_mono_ns() + LN_BREAK_MS * B_NS_PER_MS;
	return B_OK;
}

/* Ends the break; what was written meanwhile goes out. */
static int serial_drive(struct ln_line *l, struct b_error *err)
{
	struct serial_line *s = (struct serial_line *)l;
	ssize_t n = 0;

	if (l->due_ns >= 0 && b_clock_mono_ns() < l->due_ns)
		return B_OK;
	if (l->due_ns >= 0)
		(void)ioctl(l->fd, TIOCCBRK);
	l->due_ns = -1;
	while (s->held.len && (n = ln_tty_write(l, s->held.data, s->held.len, err)) > 0)
		b_buf_consume(&s->held, (size_t)n);
	l->wants = s->held.len ? LN_WANT_WRITE : 0;
	return n < 0 && n != B_EOF ? (int)n : B_OK;
}

static ssize_t serial_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	struct serial_line *s = (struct serial_line *)l;

	if (l->due_ns < 0 && !s->held.len)
		return ln_tty_write(l, bytes, len, err);
	if (s->held.len + len > HELD_MAX)
		len = HELD_MAX - s->held.len;
	b_buf_add(&s->held, bytes, len);
	return (ssize_t)len;
}

static void serial_release(struct ln_line *l)
{
	b_buf_release(&((struct serial_line *)l)->held);
}

const struct ln_kind ln_kind_serial = {
	.prefix = "serial:",
	.form = "serial:/dev/NAME?baud=9600",
	.line_size = sizeof(struct serial_line),
	.parse = serial_parse,
	.open = serial_open,
	.read = ln_tty_read,
	.drive = serial_drive,
	.write = serial_write,
	.send_break = serial_break,
	.close = serial_close,
	.release = serial_release,
};
