/* The TCP server: `sut tcp VARIANT [PORT]`, on the loopback address only. */
#include "tests/support/sut/sut.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

static int listen_on(uint16_t port, int backlog)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, backlog)) {
		fprintf(stderr, "sut: cannot listen on port %u: %s\n", port, strerror(errno));
		exit(3);
	}
	return fd;
}

static uint16_t port_of(int fd)
{
	struct sockaddr_in a = { 0 };
	socklen_t len = sizeof a;

	getsockname(fd, (struct sockaddr *)&a, &len);
	return ntohs(a.sin_port);
}

/* Closes so that the peer sees a reset, not an end of file. */
static void close_reset(int fd)
{
	struct linger l = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof l);
	close(fd);
}

static void half_frame(struct sut *s)
{
	struct b_buf line = B_BUF_INIT;

	sut_puts(s, "> ");
	sut_line(s, &line);
	sut_puts(s, "\r\n\033[2J\033[HBalance \033[1;3");
	b_buf_release(&line);
}

enum variant { TALK, LATE, MUTE, NO_ACCEPT, RESET_HALF, REFUSE, CLOSE, RESET, DEAF, HALF_CLOSE };

static const struct {
	const char *name;
	enum variant variant;
} variants[] = {
	{ "echo", TALK },
	{ "late", LATE },
	{ "mute", MUTE },
	{ "no-accept", NO_ACCEPT },
	{ "reset-half", RESET_HALF },
	{ "refuse", REFUSE },
	{ "close-middle", CLOSE },
	{ "reset-middle", RESET },
	{ "deaf", DEAF },
	{ "half-close", HALF_CLOSE },
};

/* One connection, in a process of its own. */
static void serve(struct sut *s, int fd, enum variant v)
{
	s->in = s->out = fd;
	switch (v) {
	case MUTE: sut_silent(s); break;
	case DEAF: sut_deaf(s); break;
	case CLOSE: half_frame(s); break;
	case RESET:
		half_frame(s);
		close_reset(fd);
		break;
	case HALF_CLOSE:
		sut_puts(s, "> ");
		shutdown(fd, SHUT_WR);
		sut_silent(s);
		break;
	case LATE:
		s->argc -= s->argc > 2 ? 2 : s->argc;
		s->argv += 2;
		sut_late(s);
		break;
	case TALK:
	case RESET_HALF:
	case REFUSE:
	case NO_ACCEPT: sut_talk(s, NULL); break;
	}
	_exit(0);
}

static int variant_find(const char *name)
{
	for (size_t i = 0; i < B_ARRAY_LEN(variants); i++)
		if (!strcmp(variants[i].name, name))
			return (int)variants[i].variant;
	fprintf(stderr, "sut: tcp has no variant '%s'; sut --help lists them\n", name);
	exit(2);
}

int sut_tcp(struct sut *s)
{
	enum variant v = (enum variant)variant_find(sut_arg(s, 0, "echo"));
	uint16_t port = (uint16_t)sut_arg_int(s, 1, 0, 65535, 0);
	int fd = listen_on(port, v == NO_ACCEPT ? 0 : 512);
	int64_t flip_ns = sut_arg_int(s, 2, 1, 600000, 500) * B_NS_PER_MS;
	int64_t next = b_clock_mono_ns() + flip_ns, n = 0;

	port = port_of(fd);
	printf("port %u\n", port);
	fflush(stdout);
	signal(SIGCHLD, SIG_IGN); /* the kernel reaps */
	signal(SIGPIPE, SIG_IGN);
	for (;;) {
		struct pollfd p = { .fd = v == NO_ACCEPT ? -1 : fd, .events = POLLIN };
		int c;

		poll(&p, 1, v == REFUSE ? 20 : -1);
		if (v == REFUSE && b_clock_mono_ns() >= next) {
			/* Open and shut in turn: while shut, connections are refused. */
			if (fd >= 0) {
				close(fd);
				fd = -1;
			} else {
				fd = listen_on(port, 512);
			}
			next += flip_ns;
			continue;
		}
		if (fd < 0 || !(p.revents & POLLIN))
			continue;
		c = accept(fd, NULL, NULL);
		if (c < 0)
			continue;
		if (v == RESET_HALF && n++ % 2) {
			close_reset(c);
			continue;
		}
		switch (fork()) {
		case 0:
			close(fd);
			serve(s, c, v);
			break;
		case -1: fprintf(stderr, "sut: cannot fork: %s\n", strerror(errno)); break;
		default: break;
		}
		close(c);
	}
}
