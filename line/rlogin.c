/*
 * The rlogin: line. A start-up string, a zero byte as the answer, and window sizes once the
 * SUT has asked for them out of band; all else is plain bytes. Source: RFC 1282.
 */
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "line/ops.h"
#include "line/query.h"
#include "line/stream.h"
#include "base/banned.h"

#define ASK_SIZE  0x80 /* out of band: window sizes are wanted */
#define ANSWER_NS (30 * B_NS_PER_S)
#define SAID_MAX  200

struct rlogin_line {
	struct ln_line base;
	struct ln_stream stream;
	struct b_buf hello; /* the start-up string, until it is queued */
	struct b_buf said;  /* why the SUT refuses, so far */
	int64_t deadline_ns;
	int rows, cols;
	bool sizes; /* the SUT wants them */
};

static int rlogin_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	static const char *const names[] = { LN_QUERY_ALIVE, NULL };
	int rc = ln_parse_host(t, rest, "513", true, err);

	return rc ? rc : ln_query_check(t->query, names, err);
}

static const char *own_name(void)
{
	const struct passwd *pw = getpwuid(getuid());

	return pw ? pw->pw_name : "rte";
}

static int hello_sent(struct rlogin_line *r, struct b_error *err)
{
	int rc;

	if (r->base.state != LN_OPEN)
		return B_OK;
	rc = ln_stream_owe(&r->stream, &r->base, r->hello.data, r->hello.len, err);
	b_buf_release(&r->hello);
	if (!rc)
		rc = ln_stream_drive(&r->stream, &r->base, err);
	r->base.state = LN_CONNECTING;
	r->base.wants |= LN_WANT_READ;
	r->base.due_ns = r->deadline_ns;
	return rc;
}

static int rlogin_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct rlogin_line *r = (struct rlogin_line *)l;
	char *user = ln_expand(opt->target->user ? opt->target->user : own_name(), opt->user);
	int rc;

	r->rows = opt->rows;
	r->cols = opt->cols;
	r->deadline_ns = b_clock_mono_ns() +
		(opt->connect_timeout_ns > 0 ? opt->connect_timeout_ns : ANSWER_NS);
	b_buf_addc(&r->hello, '\0');
	b_buf_add(&r->hello, own_name(), strlen(own_name()) + 1);
	b_buf_add(&r->hello, user, strlen(user) + 1);
	b_buf_printf(&r->hello, "%s/38400", opt->term);
	b_buf_addc(&r->hello, '\0');
	free(user);
	rc = ln_stream_open(&r->stream, l, opt, false, err);
	return rc ? rc : hello_sent(r, err);
}

/* Why not, on one line, which may come in pieces; many servers put a byte 1 in front. */
static int refusal(struct rlogin_line *r, struct b_error *err)
{
	char part[SAID_MAX];
	const char *why;
	size_t len;
	ssize_t n;

	do {
		n = ln_stream_read(&r->stream, &r->base, part, sizeof part - r->said.len, NULL);
		if (n > 0)
			b_buf_add(&r->said, part, (size_t)n);
	} while (n > 0 && r->said.len < sizeof part);
	len = r->said.len;
	if (n == B_EAGAIN && !memchr(r->said.data, '\n', len) &&
		b_clock_mono_ns() < r->deadline_ns) {
		r->base.wants |= LN_WANT_READ;
		return B_OK;
	}
	r->base.state = LN_CLOSED;
	why = r->said.data;
	if (*why == '\1') {
		why++;
		len--;
	}
	while (len && (why[len - 1] == '\n' || why[len - 1] == '\r'))
		len--;
	return b_error_set(err, B_EENV, "the rlogin server refused: %.*s", len ? (int)len : 99,
		len ? why : "it does not say why");
}

static int rlogin_drive(struct ln_line *l, struct b_error *err)
{
	struct rlogin_line *r = (struct rlogin_line *)l;
	char answer;
	ssize_t n;
	int rc;

	if (l->state == LN_OPEN)
		return ln_stream_drive(&r->stream, l, err);
	if (r->hello.len) {
		rc = ln_stream_drive(&r->stream, l, err);
		return rc ? rc : hello_sent(r, err);
	}
	if (r->said.len)
		return refusal(r, err);
	/* The zero byte alone: what follows it is the session's. */
	n = ln_stream_read(&r->stream, l, &answer, 1, err);
	if (n == B_EAGAIN && b_clock_mono_ns() < r->deadline_ns) {
		l->wants |= LN_WANT_READ;
		return B_OK;
	}
	if (n == 1 && answer) {
		b_buf_addc(&r->said, answer);
		return refusal(r, err);
	}
	if (n == 1) {
		l->state = LN_OPEN;
		l->wants &= ~LN_WANT_READ;
		l->due_ns = -1;
		return B_OK;
	}
	l->state = LN_CLOSED;
	if (n == B_EAGAIN)
		return b_error_set(err, B_EENV, "the rlogin server does not answer");
	return n == B_EOF ? b_error_set(err, B_EENV,
				    "the rlogin server refused: it closed the connection; is this "
				    "host allowed there?")
			  : (int)n;
}

static int send_size(struct rlogin_line *r, struct b_error *err)
{
	const char msg[12] = { (char)0xFF, (char)0xFF, 's', 's', (char)(r->rows >> 8),
		(char)r->rows, (char)(r->cols >> 8), (char)r->cols };
	int rc = ln_stream_owe(&r->stream, &r->base, msg, sizeof msg, err);

	return rc ? rc : ln_stream_drive(&r->stream, &r->base, err);
}

static ssize_t rlogin_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	struct rlogin_line *r = (struct rlogin_line *)l;
	unsigned char asked;
	int rc = B_OK;

	if (recv(l->fd, &asked, 1, MSG_OOB | MSG_DONTWAIT) == 1 && asked & ASK_SIZE) {
		r->sizes = true;
		rc = send_size(r, err);
	}
	return rc ? rc : ln_stream_read(&r->stream, l, buf, cap, err);
}

static ssize_t rlogin_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	return ln_stream_write(&((struct rlogin_line *)l)->stream, l, bytes, len, err);
}

static int rlogin_resize(struct ln_line *l, int rows, int cols)
{
	struct rlogin_line *r = (struct rlogin_line *)l;

	r->rows = rows;
	r->cols = cols;
	return r->sizes ? send_size(r, NULL) : B_OK;
}

static void rlogin_close(struct ln_line *l)
{
	ln_stream_close(&((struct rlogin_line *)l)->stream, l);
}

static void rlogin_release(struct ln_line *l)
{
	struct rlogin_line *r = (struct rlogin_line *)l;

	ln_stream_release(&r->stream);
	b_buf_release(&r->hello);
	b_buf_release(&r->said);
}

const struct ln_kind ln_kind_rlogin = {
	.prefix = "rlogin://",
	.form = "rlogin://[USER@]HOST[:PORT]",
	.line_size = sizeof(struct rlogin_line),
	.reserved_port = true,
	.parse = rlogin_parse,
	.open = rlogin_open,
	.drive = rlogin_drive,
	.read = rlogin_read,
	.write = rlogin_write,
	.resize = rlogin_resize,
	.close = rlogin_close,
	.release = rlogin_release,
};
