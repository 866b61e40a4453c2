/* The tcp: line: a connection and its bytes, nothing between. It carries no size. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"
#include "line/dial.h"
#include "line/ops.h"
#include "base/banned.h"

struct tcp_line {
	struct ln_line base;
	struct ln_dial *dial; /* NULL once connected */
};

static int tcp_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	return ln_parse_host(t, rest, NULL, false, err);
}

static int tcp_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct tcp_line *t = (struct tcp_line *)l;
	int rc = ln_dial_start(&t->dial, l, opt, err);

	l->state = rc == B_EAGAIN ? LN_CONNECTING : LN_OPEN;
	return rc == B_EAGAIN ? B_OK : rc;
}

static int tcp_drive(struct ln_line *l, struct b_error *err)
{
	struct tcp_line *t = (struct tcp_line *)l;
	int rc = ln_dial_drive(t->dial, l, err);

	if (rc == B_EAGAIN)
		return B_OK;
	ln_dial_free(t->dial);
	t->dial = NULL;
	l->state = rc ? LN_CLOSED : LN_OPEN;
	return rc;
}

static ssize_t tcp_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	ssize_t n;

	do {
		n = recv(l->fd, buf, cap, 0);
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		return n;
	if (n == 0)
		return B_EOF;
	if (errno == EAGAIN)
		return B_EAGAIN;
	return b_error_set(err, B_EENV, "the connection broke: %s", strerror(errno));
}

static ssize_t tcp_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	ssize_t n;

	do {
		n = send(l->fd, bytes, len, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n >= 0)
		return n;
	if (errno == EAGAIN)
		return 0;
	if (errno == EPIPE)
		return B_EOF;
	return b_error_set(err, B_EENV, "the connection broke: %s", strerror(errno));
}

static void tcp_close(struct ln_line *l)
{
	char rest[4096];

	/* Unread bytes would turn the close into a reset, and the SUT could lose our last ones. */
	shutdown(l->fd, SHUT_WR);
	for (int i = 0; i < 16 && recv(l->fd, rest, sizeof rest, MSG_DONTWAIT) > 0; i++)
		;
}

static void tcp_release(struct ln_line *l)
{
	ln_dial_free(((struct tcp_line *)l)->dial);
}

const struct ln_kind ln_kind_tcp = {
	.prefix = "tcp://",
	.form = "tcp://HOST:PORT",
	.line_size = sizeof(struct tcp_line),
	.parse = tcp_parse,
	.open = tcp_open,
	.drive = tcp_drive,
	.read = tcp_read,
	.write = tcp_write,
	.close = tcp_close,
	.release = tcp_release,
};
