#include "line/stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "line/dial.h"
#include "line/tls.h"
#include "base/banned.h"

#define OWED_MAX   65536
#define OLDEST_NS  (60 * B_NS_PER_S) /* an older stamp is the wall clock's step, not an age */
#define STEP_NS    B_NS_PER_MS       /* of the wall clock against the other, beside ... */
#define SLEW_PARTS 1000              /* ... this part of the time, by which it may be slewed */

/* What the way to an open stream came to, as the line's state. */
static int progress(struct ln_line *l, int rc)
{
	l->state = rc == B_EAGAIN ? LN_CONNECTING : rc ? LN_CLOSED : LN_OPEN;
	return rc == B_EAGAIN ? B_OK : rc;
}

static int connected(struct ln_stream *s, struct ln_line *l, struct b_error *err)
{
	const int on = 1;

	ln_dial_free(s->dial);
	s->dial = NULL;
	if (s->tls)
		return ln_tls_handshake(s->tls, l, err);
	(void)setsockopt(l->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
	s->mono_ns = b_clock_mono_ns();
	s->wall_ns = b_clock_wall_ns();
	return B_OK;
}

int ln_stream_open(struct ln_stream *s, struct ln_line *l, const struct ln_options *opt, bool tls,
	struct b_error *err)
{
	int rc = tls ? ln_tls_new(&s->tls, opt, err) : B_OK;

	if (!rc)
		rc = ln_dial_start(&s->dial, l, opt, err);
	return progress(l, rc ? rc : connected(s, l, err));
}

static int flush(struct ln_stream *s, struct ln_line *l, struct b_error *err);

/* TLS takes a whole record from the socket, which then has nothing to read. */
static unsigned wants(const struct ln_stream *s)
{
	return (s->owed.len ? LN_WANT_WRITE : 0) |
		(s->tls && ln_tls_holds(s->tls) ? LN_WANT_HELD : 0);
}

int ln_stream_drive(struct ln_stream *s, struct ln_line *l, struct b_error *err)
{
	int rc = B_OK;

	if (l->state == LN_OPEN)
		return flush(s, l, err);
	if (s->dial)
		rc = ln_dial_drive(s->dial, l, err);
	return progress(l, rc ? rc : connected(s, l, err));
}

static ssize_t broke(const struct ln_line *l, struct b_error *err)
{
	if (errno == ETIMEDOUT)
		return ln_lost(l, err);
	return b_error_set(err, B_EENV, "the connection broke: %s", strerror(errno));
}

/* Has the wall clock been set since it was looked at last? */
static bool stepped(struct ln_stream *s, int64_t mono_ns, int64_t wall_ns)
{
	int64_t passed = mono_ns - s->mono_ns, off = wall_ns - s->wall_ns - passed;

	s->mono_ns = mono_ns;
	s->wall_ns = wall_ns;
	return llabs(off) > STEP_NS + passed / SLEW_PARTS;
}

/* The kernel stamps by the wall clock: only the age is taken from it, unless that clock was set
   in between. 0: there is no stamp. */
static int64_t came_ns(struct ln_stream *s, struct msghdr *m)
{
	int64_t mono_ns = b_clock_mono_ns(), wall_ns = b_clock_wall_ns();

	if (stepped(s, mono_ns, wall_ns))
		return 0;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		struct timespec ts;
		int64_t age;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_TIMESTAMPNS)
			continue;
		memcpy(&ts, CMSG_DATA(c), sizeof ts);
		age = wall_ns - (ts.tv_sec * B_NS_PER_S + ts.tv_nsec);
		return age < 0 || age > OLDEST_NS ? 0 : mono_ns - age;
	}
	return 0;
}

static ssize_t plain_read(
	struct ln_stream *s, struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(struct timespec))];
	} control;
	struct iovec part = { buf, cap };
	struct msghdr m;
	ssize_t n;

	do {
		m = (struct msghdr){
			.msg_iov = &part,
			.msg_iovlen = 1,
			.msg_control = control.room,
			.msg_controllen = sizeof control.room,
		};
		n = recvmsg(l->fd, &m, 0);
	} while (n < 0 && errno == EINTR);
	if (n > 0) {
		l->came_ns = came_ns(s, &m);
		return n;
	}
	if (n == 0)
		return B_EOF;
	return errno == EAGAIN ? B_EAGAIN : broke(l, err);
}

static ssize_t plain_write(
	const struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	ssize_t n;

	do {
		n = send(l->fd, bytes, len, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	if (n >= 0)
		return n;
	if (errno == EAGAIN)
		return 0;
	return errno == EPIPE ? B_EOF : broke(l, err);
}

static ssize_t send_bytes(
	struct ln_stream *s, struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	return s->tls ? ln_tls_write(s->tls, bytes, len, err) : plain_write(l, bytes, len, err);
}

/* Sends what is owed, as far as it is taken; l->wants says whether some is left. */
static int flush(struct ln_stream *s, struct ln_line *l, struct b_error *err)
{
	ssize_t n = 0;

	while (s->owed.len && (n = send_bytes(s, l, s->owed.data, s->owed.len, err)) > 0)
		b_buf_consume(&s->owed, (size_t)n);
	l->wants = wants(s);
	return n < 0 ? (int)n : B_OK;
}

int ln_stream_owe(
	struct ln_stream *s, struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	if (s->owed.len + len > OWED_MAX)
		return b_error_set(err, B_EENV,
			"the SUT asks for answers without end and takes none; the line is cut");
	b_buf_add(&s->owed, bytes, len);
	l->wants = LN_WANT_WRITE;
	return B_OK;
}

ssize_t ln_stream_read(
	struct ln_stream *s, struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	ssize_t n;

	/* What cannot be sent any more is no reason not to read the SUT's last words. */
	if (s->owed.len && flush(s, l, NULL))
		b_buf_clear(&s->owed);
	if (!s->tls)
		return plain_read(s, l, buf, cap, err);
	n = ln_tls_read(s->tls, buf, cap, err);
	l->wants = wants(s);
	return n;
}

ssize_t ln_stream_write(
	struct ln_stream *s, struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	int rc = s->owed.len ? flush(s, l, err) : B_OK;

	if (rc)
		return rc;
	return s->owed.len ? 0 : send_bytes(s, l, bytes, len, err);
}

void ln_stream_close(struct ln_stream *s, struct ln_line *l)
{
	char rest[4096];

	if (s->dial)
		return;
	if (s->tls)
		ln_tls_goodbye(s->tls);
	/* Unread bytes would turn the close into a reset, and the SUT could lose our last ones. */
	shutdown(l->fd, SHUT_WR);
	for (int i = 0; i < 16 && recv(l->fd, rest, sizeof rest, MSG_DONTWAIT) > 0; i++)
		;
}

void ln_stream_release(struct ln_stream *s)
{
	ln_dial_free(s->dial);
	ln_tls_free(s->tls);
	b_buf_release(&s->owed);
}
