/*
 * tests/fuzz/line_peer.h - a line whose SUT is the fuzzer's input: a real connection on the
 * loopback, the other end of which is ours.
 *
 * Order of calls: peer_open; peer_send and peer_read as often as wished; peer_close. The other
 * end goes with a reset, so that thousands of connections a second leave no ports behind.
 */
#ifndef TESTS_FUZZ_LINE_PEER_H
#define TESTS_FUZZ_LINE_PEER_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "line/line.h"

struct peer {
	struct ln_target *target;
	struct ln_line *line;
	int fd;
	struct b_buf got; /* what the line has sent */
};

static inline int peer_listener(int *port)
{
	static int fd = -1, kept;
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0) {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		B_BUG_ON(bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 8));
		B_BUG_ON(getsockname(fd, (struct sockaddr *)&a, &len));
		kept = ntohs(a.sin_port);
	}
	*port = kept;
	return fd;
}

/* False: no line can be had here (rlogin without root). */
static inline bool peer_open(struct peer *p, const char *kind)
{
	struct ln_options opt = { .term = "xterm", .rows = 24, .cols = 80, .user = 1 };
	struct b_error err = { 0 };
	const int on = 1;
	char text[64];
	int port, fd = peer_listener(&port);

	*p = (struct peer){ .fd = -1 };
	snprintf(text, sizeof text, "%s://clerk@127.0.0.1:%d", kind, port);
	B_BUG_ON(ln_target_parse(&p->target, text, &err));
	opt.target = p->target;
	if (ln_open(&p->line, &opt, &err)) {
		ln_target_free(p->target);
		return false;
	}
	p->fd = accept(fd, NULL, NULL);
	B_BUG_ON(p->fd < 0);
	/* Or a second small piece waits for the first one's acknowledgement. */
	(void)setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return true;
}

static inline void peer_send(struct peer *p, const uint8_t *data, size_t len, int flags)
{
	struct pollfd there = { .fd = ln_line_fd(p->line), .events = POLLIN | POLLPRI };

	(void)!send(p->fd, data, len, flags | MSG_NOSIGNAL);
	/* A busy machine delivers a little later. */
	if (there.fd >= 0)
		poll(&there, 1, 1000);
}

static inline void peer_take(struct peer *p)
{
	char buf[4096];
	ssize_t n;

	while ((n = recv(p->fd, buf, sizeof buf, MSG_DONTWAIT)) > 0)
		b_buf_add(&p->got, buf, (size_t)n);
}

/* Reads all that the line gives now; its bytes are added to out. Returns the last status. */
static inline ssize_t peer_read(struct peer *p, struct b_buf *out)
{
	struct b_error err = { 0 };
	char buf[512];
	ssize_t n = B_EAGAIN;

	for (int i = 0; i < 64; i++) {
		if (ln_line_state(p->line) == LN_CONNECTING || ln_line_wants(p->line)) {
			if (ln_line_drive(p->line, &err))
				return B_EENV;
		}
		n = ln_line_read(p->line, buf, sizeof buf, &err);
		B_BUG_ON(n > (ssize_t)sizeof buf || n == 0);
		B_BUG_ON(n == B_EENV && !*err.text);
		if (n < 0)
			break;
		b_buf_add(out, buf, (size_t)n);
	}
	peer_take(p);
	return n;
}

/* Whether bytes bear the time when they came, not that of the read. The kernel begins to stamp
   soon after it is asked. */
static inline bool peer_stamps(struct peer *p)
{
	int64_t until = b_clock_mono_ns() + 20 * B_NS_PER_S;
	struct b_error err = { 0 };
	int64_t sent, there;
	char buf[8];

	do {
		sent = b_clock_mono_ns();
		peer_send(p, (const uint8_t *)"x", 1, 0);
		there = b_clock_mono_ns();
		if (ln_line_read(p->line, buf, sizeof buf, &err) != 1)
			return false;
	} while (ln_line_came_ns(p->line) > there && there < until);
	return ln_line_came_ns(p->line) <= there && ln_line_came_ns(p->line) > sent - B_NS_PER_MS;
}

/* The line closes; all that it has sent is then in got. */
static inline void peer_finish(struct peer *p)
{
	char buf[4096];
	ssize_t n;

	ln_line_close(p->line);
	while ((n = recv(p->fd, buf, sizeof buf, 0)) > 0)
		b_buf_add(&p->got, buf, (size_t)n);
}

static inline void peer_close(struct peer *p)
{
	const struct linger now = { .l_onoff = 1 };

	(void)setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
	close(p->fd);
	ln_line_free(p->line);
	ln_target_free(p->target);
	b_buf_release(&p->got);
}

#endif
