/*
 * line/stream.h - inside of line/: the byte stream under the network kinds: TCP, or TLS on it.
 *
 * A kind embeds one struct ln_stream in its line, opens it and drives it until it stands, then
 * reads and writes through it. What a kind owes the other side by itself (answers of a
 * negotiation) goes into the owed queue, ahead of what the caller offers next; it is sent as
 * the socket takes it.
 */
#ifndef LINE_STREAM_H
#define LINE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "line/ops.h"

struct ln_dial;
struct ln_tls;

struct ln_stream {
	struct ln_dial *dial; /* NULL once connected */
	struct ln_tls *tls;   /* NULL: plain TCP */
	struct b_buf owed;    /* what this side owes by itself; bounded, see ln_stream_owe */
	/* Both clocks at the last look at a stamp: whether the wall clock was set since. */
	int64_t mono_ns, wall_ns;
};

/* Begin and get on; l->state is LN_OPEN once the stream stands. tls: with TLS on top. An open
   stream's drive sends what is owed. B_EENV: it failed. */
int ln_stream_open(struct ln_stream *s, struct ln_line *l, const struct ln_options *opt, bool tls,
	struct b_error *err) B_CHECK;
int ln_stream_drive(struct ln_stream *s, struct ln_line *l, struct b_error *err) B_CHECK;

/* As ln_line_read and ln_line_write; both send first what is owed. */
ssize_t ln_stream_read(
	struct ln_stream *s, struct ln_line *l, char *buf, size_t cap, struct b_error *err) B_CHECK;
ssize_t ln_stream_write(struct ln_stream *s, struct ln_line *l, const char *bytes, size_t len,
	struct b_error *err) B_CHECK;

/* Queues bytes of our own; a peer that makes us owe more than 64 KiB without taking any is
   broken: B_EENV. */
int ln_stream_owe(struct ln_stream *s, struct ln_line *l, const char *bytes, size_t len,
	struct b_error *err) B_CHECK;

void ln_stream_close(struct ln_stream *s, struct ln_line *l);
void ln_stream_release(struct ln_stream *s);

#endif
