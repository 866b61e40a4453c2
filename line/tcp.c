/* The tcp: and tcps: lines: a connection and its bytes, nothing between. They carry no size. */
#include "line/ops.h"
#include "line/stream.h"
#include "line/query.h"
#include "line/tls.h"
#include "base/banned.h"

struct tcp_line {
	struct ln_line base;
	struct ln_stream stream;
};

static struct ln_stream *stream(struct ln_line *l)
{
	return &((struct tcp_line *)l)->stream;
}

static int tcp_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	static const char *const names[] = { LN_QUERY_ALIVE, NULL };
	int rc = ln_parse_host(t, rest, NULL, false, err);

	return rc ? rc : ln_query_check(t->query, names, err);
}

static int tcps_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	int rc = ln_parse_host(t, rest, NULL, false, err);

	return rc ? rc : ln_tls_query_check(t, err);
}

static int tcp_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	return ln_stream_open(stream(l), l, opt, l->kind == &ln_kind_tcps, err);
}

static int tcp_drive(struct ln_line *l, struct b_error *err)
{
	return ln_stream_drive(stream(l), l, err);
}

static ssize_t tcp_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	return ln_stream_read(stream(l), l, buf, cap, err);
}

static ssize_t tcp_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	return ln_stream_write(stream(l), l, bytes, len, err);
}

static void tcp_close(struct ln_line *l)
{
	ln_stream_close(stream(l), l);
}

static void tcp_release(struct ln_line *l)
{
	ln_stream_release(stream(l));
}

#define TCP_KIND(prefix_, form_, parse_)                                                 \
	{                                                                                \
		.prefix = prefix_, .form = form_, .line_size = sizeof(struct tcp_line),  \
		.parse = parse_, .open = tcp_open, .drive = tcp_drive, .read = tcp_read, \
		.write = tcp_write, .close = tcp_close, .release = tcp_release           \
	}

const struct ln_kind ln_kind_tcp = TCP_KIND("tcp://", "tcp://HOST:PORT", tcp_parse);
const struct ln_kind ln_kind_tcps =
	TCP_KIND("tcps://", "tcps://HOST:PORT[?ca=FILE&verify=no]", tcps_parse);
