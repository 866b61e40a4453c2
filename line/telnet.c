/*
 * The telnet: and telnets: lines. libtelnet keeps the negotiation (RFC 1143, so that it never
 * loops); we decide what to agree to: the SUT echoes, nobody goes ahead, eight bits both ways,
 * terminal type, window size, user name. All else is refused.
 */
#include <stdlib.h>
#include <string.h>

#include <stddef.h>
#include <libtelnet.h>

#include "base/mem.h"
#include "line/ops.h"
#include "line/query.h"
#include "line/stream.h"
#include "line/tls.h"
#include "base/banned.h"

struct telnet_line {
	struct ln_line base;
	struct ln_stream stream;
	telnet_t *telnet;
	char *term, *user;
	int rows, cols;
	bool naws;        /* the SUT wants window sizes */
	bool send_binary; /* CR is sent alone */
	bool recv_binary;
	bool after_cr; /* of what was received: a NUL behind it is dropped */
	/* during one read: where decoded data go */
	char *out;
	size_t out_len;
	int broken; /* a status: the line cannot go on */
	struct b_error *err;
};

/* We and the SUT, for each option: will we do it when asked, do we want it done. */
static const telnet_telopt_t options[] = {
	{ TELNET_TELOPT_ECHO, TELNET_WONT, TELNET_DO },
	{ TELNET_TELOPT_SGA, TELNET_WILL, TELNET_DO },
	{ TELNET_TELOPT_BINARY, TELNET_WILL, TELNET_DO },
	{ TELNET_TELOPT_TTYPE, TELNET_WILL, TELNET_DONT },
	{ TELNET_TELOPT_NAWS, TELNET_WILL, TELNET_DONT },
	{ TELNET_TELOPT_NEW_ENVIRON, TELNET_WILL, TELNET_DONT },
	{ -1, 0, 0 },
};

static int telnet_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	static const char *const names[] = { LN_QUERY_ALIVE, NULL };
	bool tls = t->kind == &ln_kind_telnets;
	int rc = ln_parse_host(t, rest, tls ? "992" : "23", true, err);

	if (rc)
		return rc;
	return tls ? ln_tls_query_check(t, err) : ln_query_check(t->query, names, err);
}

/* ---- What libtelnet tells ---------------------------------------------------------------- */

/* Source: RFC 1073. libtelnet doubles the bytes that are IAC. */
static void send_size(struct telnet_line *t)
{
	const char size[4] = {
		(char)(t->cols >> 8),
		(char)t->cols,
		(char)(t->rows >> 8),
		(char)t->rows,
	};

	telnet_begin_sb(t->telnet, TELNET_TELOPT_NAWS);
	telnet_send(t->telnet, size, sizeof size);
	telnet_finish_sb(t->telnet);
}

/* Source: RFC 1572. libtelnet 0.21's own function for this leaves out IS. */
static void send_environment(struct telnet_line *t)
{
	static const char is = TELNET_ENVIRON_IS;
	static const char name[] = "\0USER\1"; /* VAR, the name, VALUE */

	telnet_begin_sb(t->telnet, TELNET_TELOPT_NEW_ENVIRON);
	telnet_send(t->telnet, &is, 1);
	if (t->user) {
		telnet_send(t->telnet, name, sizeof name - 1);
		telnet_send(t->telnet, t->user, strlen(t->user));
	}
	telnet_finish_sb(t->telnet);
}

/* Received text: CR NUL is a CR, and CR LF stays, unless the line is binary. Source: RFC 854. */
static void take_data(struct telnet_line *t, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool drop = t->after_cr && bytes[i] == '\0' && !t->recv_binary;

		t->after_cr = bytes[i] == '\r';
		if (!drop)
			t->out[t->out_len++] = bytes[i];
	}
}

static void agreed(struct telnet_line *t, unsigned char option, bool on)
{
	if (option == TELNET_TELOPT_BINARY)
		t->send_binary = on;
	if (option != TELNET_TELOPT_NAWS)
		return;
	t->naws = on;
	if (on)
		send_size(t);
}

static void on_event(telnet_t *telnet, telnet_event_t *ev, void *user)
{
	struct telnet_line *t = user;

	(void)telnet;
	switch (ev->type) {
	case TELNET_EV_DATA: take_data(t, ev->data.buffer, ev->data.size); break;
	case TELNET_EV_SEND:
		if (!t->broken)
			t->broken = ln_stream_owe(
				&t->stream, &t->base, ev->data.buffer, ev->data.size, t->err);
		break;
	case TELNET_EV_DO: agreed(t, ev->neg.telopt, true); break;
	case TELNET_EV_DONT: agreed(t, ev->neg.telopt, false); break;
	case TELNET_EV_WILL:
	case TELNET_EV_WONT:
		if (ev->neg.telopt == TELNET_TELOPT_BINARY)
			t->recv_binary = ev->type == TELNET_EV_WILL;
		break;
	case TELNET_EV_TTYPE:
		/* One type, told again each time: that ends a server's cycling. RFC 1091. */
		if (ev->ttype.cmd == TELNET_TTYPE_SEND)
			telnet_ttype_is(t->telnet, t->term);
		break;
	case TELNET_EV_ENVIRON:
		if (ev->environ.cmd == TELNET_ENVIRON_SEND)
			send_environment(t);
		break;
	case TELNET_EV_WARNING:
		/* After too long a message libtelnet would go on with the rest of it as text. Its
		   error code is left empty. */
		if (!strstr(ev->error.msg, "buffer size"))
			break;
		/* fallthrough */
	case TELNET_EV_ERROR:
		if (!t->broken)
			t->broken = b_error_set(t->err, B_EENV,
				"the SUT's telnet negotiation is broken: %s", ev->error.msg);
		break;
	default: break;
	}
}

/* ---- The line ---------------------------------------------------------------------------- */

static int telnet_line_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct telnet_line *t = (struct telnet_line *)l;
	const char *user = opt->target->user;

	t->term = b_strdup(opt->term);
	t->user = user ? ln_expand(user, opt->user) : NULL;
	t->rows = opt->rows;
	t->cols = opt->cols;
	t->telnet = telnet_init(options, on_event, 0, t);
	B_BUG_ON(!t->telnet);
	return ln_stream_open(&t->stream, l, opt, l->kind == &ln_kind_telnets, err);
}

static int telnet_line_drive(struct ln_line *l, struct b_error *err)
{
	return ln_stream_drive(&((struct telnet_line *)l)->stream, l, err);
}

static ssize_t telnet_line_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	struct telnet_line *t = (struct telnet_line *)l;
	char raw[16384];
	ssize_t n;

	/* What is decoded is never longer than what was read. A read that held nothing but
	   negotiation is followed by another, but a SUT that only negotiates holds nobody up. */
	for (int i = 0; i < 4; i++) {
		n = ln_stream_read(&t->stream, l, raw, cap < sizeof raw ? cap : sizeof raw, err);
		if (n <= 0)
			return n;
		t->out = buf;
		t->out_len = 0;
		t->err = err;
		telnet_recv(t->telnet, raw, (size_t)n);
		t->err = NULL;
		if (!t->broken && t->stream.owed.len)
			t->broken = ln_stream_drive(&t->stream, l, err);
		if (t->broken)
			return t->broken;
		if (t->out_len)
			return (ssize_t)t->out_len;
	}
	return B_EAGAIN;
}

/* How much of bytes goes out in one piece, and what it becomes: IAC doubled, CR as CR NUL. */
static size_t encode(
	const struct telnet_line *t, const char *bytes, size_t len, char *wire, size_t *wire_len)
{
	size_t i, n = 0;

	for (i = 0; i < len && n + 2 <= 4096; i++) {
		wire[n++] = bytes[i];
		if ((unsigned char)bytes[i] == TELNET_IAC)
			wire[n++] = bytes[i];
		else if (bytes[i] == '\r' && !t->send_binary)
			wire[n++] = '\0';
	}
	*wire_len = n;
	return i;
}

static ssize_t telnet_line_write(
	struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	struct telnet_line *t = (struct telnet_line *)l;
	size_t taken = 0, wire_len, n;
	char wire[4096];
	ssize_t sent;
	int rc;

	while (taken < len) {
		n = encode(t, bytes + taken, len - taken, wire, &wire_len);
		sent = ln_stream_write(&t->stream, l, wire, wire_len, err);
		if (sent <= 0)
			return taken ? (ssize_t)taken : sent;
		taken += n;
		if ((size_t)sent == wire_len)
			continue;
		/* The rest of the piece was promised; the line sends it by itself. */
		rc = ln_stream_owe(&t->stream, l, wire + sent, wire_len - (size_t)sent, err);
		return rc ? rc : (ssize_t)taken;
	}
	return (ssize_t)taken;
}

static int telnet_line_resize(struct ln_line *l, int rows, int cols)
{
	struct telnet_line *t = (struct telnet_line *)l;

	t->rows = rows;
	t->cols = cols;
	if (t->naws)
		send_size(t);
	return t->broken ? t->broken : ln_stream_drive(&t->stream, l, NULL);
}

static int telnet_line_break(struct ln_line *l, struct b_error *err)
{
	struct telnet_line *t = (struct telnet_line *)l;

	t->err = err;
	telnet_iac(t->telnet, TELNET_BREAK);
	t->err = NULL;
	return t->broken ? t->broken : ln_stream_drive(&t->stream, l, err);
}

static void telnet_line_close(struct ln_line *l)
{
	ln_stream_close(&((struct telnet_line *)l)->stream, l);
}

static void telnet_line_release(struct ln_line *l)
{
	struct telnet_line *t = (struct telnet_line *)l;

	ln_stream_release(&t->stream);
	if (t->telnet)
		telnet_free(t->telnet);
	free(t->term);
	free(t->user);
}

#define TELNET_KIND(prefix_, form_)                                                               \
	{                                                                                         \
		.prefix = prefix_, .form = form_, .line_size = sizeof(struct telnet_line),        \
		.inline_urgent = true, .parse = telnet_parse, .open = telnet_line_open,           \
		.drive = telnet_line_drive, .read = telnet_line_read, .write = telnet_line_write, \
		.resize = telnet_line_resize, .send_break = telnet_line_break,                    \
		.close = telnet_line_close, .release = telnet_line_release                        \
	}

const struct ln_kind ln_kind_telnet = TELNET_KIND("telnet://", "telnet://[USER@]HOST[:PORT]");
const struct ln_kind ln_kind_telnets =
	TELNET_KIND("telnets://", "telnets://[USER@]HOST[:PORT][?ca=FILE&verify=no]");
