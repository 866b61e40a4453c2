#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "line/dial.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

#define TIMEOUT_NS (30 * B_NS_PER_S)

struct ln_dial {
	char *host, *port;
	struct addrinfo *own;  /* addresses that are this line's alone */
	struct addrinfo *next; /* to be tried after the present one */
	struct addrinfo *bind;
	int64_t deadline_ns;
	int error; /* of the last address */
	bool inline_urgent;
	int reserved; /* the port of 512..1023 to try next; 0: any port will do */
};

static int lookup(struct addrinfo **out, const char *host, const char *port, struct b_error *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	int rc = getaddrinfo(host, port, &hints, out);

	if (rc)
		return b_error_set(err, B_EENV,
			"cannot find host %s: %s; check the name or give an address", host,
			rc == EAI_SYSTEM ? strerror(errno) : gai_strerror(rc));
	return B_OK;
}

int ln_dial_lookup(const struct ln_target *t, struct b_error *err)
{
	struct ln_target *shared = (struct ln_target *)(uintptr_t)t;
	int rc = B_OK;

	if (!t->host || ln_has_user(t->host) || ln_has_user(t->port))
		return B_OK;
	pthread_mutex_lock(&shared->lock);
	if (!shared->addresses)
		rc = lookup(&shared->addresses, t->host, t->port, err);
	pthread_mutex_unlock(&shared->lock);
	return rc;
}

static int set_source(struct ln_dial *d, const char *address, struct b_error *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST };

	if (address && getaddrinfo(address, NULL, &hints, &d->bind))
		return b_error_set(err, B_EUSAGE,
			"source address '%s' is no address; give one of this machine's", address);
	return B_OK;
}

int ln_bind_check(const char *text, struct b_error *err)
{
	struct ln_dial d = { 0 };
	int fd = -1, rc = set_source(&d, text, err);

	if (rc)
		return rc;
	fd = socket(d.bind->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, d.bind->ai_addr, d.bind->ai_addrlen))
		rc = b_error_set(err, B_EENV,
			"source address %s cannot be used: %s; it must be this machine's, see `ip "
			"address`",
			text, strerror(errno));
	if (fd >= 0)
		close(fd);
	freeaddrinfo(d.bind);
	return rc;
}

#define RESERVED_MIN 512
#define RESERVED_MAX 1023

/* Binds fd to the source address, or to any of a's family, at that port (0: any). */
static int bind_source(const struct ln_dial *d, const struct addrinfo *a, int fd, int port)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} from = { .any = { .sa_family = (sa_family_t)a->ai_family } };

	if (d->bind)
		memcpy(&from, d->bind->ai_addr, d->bind->ai_addrlen);
	/* The port stands at the same place in both. */
	from.v4.sin_port = htons((uint16_t)port);
	return bind(fd, &from.any, a->ai_addrlen) ? errno : 0;
}

/*
 * A host that vanishes sends no farewell. An idle line is asked for a sign of life, and what was
 * sent must be acknowledged, both within alive_ns. Source: tcp(7), RFC 5482.
 */
static void set_alive(int fd, int64_t alive_ns)
{
	const int on = 1, s = (int)(alive_ns / B_NS_PER_S), probes = 3;
	const int idle = s > 3 ? s / 2 : 1, every = s > 11 ? s / 6 : 1;
	const unsigned ms = (unsigned)(alive_ns / B_NS_PER_MS);

	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof ms);
}

int ln_lost(const struct ln_line *l, struct b_error *err)
{
	return b_error_set(err, B_EENV,
		"the SUT's host is gone: it has acknowledged nothing for %lld s; check it and the "
		"network (?alive=D waits longer)",
		(long long)(l->target->alive_ns / B_NS_PER_S));
}

/* A descriptor connected, or connecting, to a from a port (0: any). 0 or errno. */
static int try_port(const struct ln_dial *d, const struct addrinfo *a, int port, int *out)
{
	const int on = 1;
	int e = 0, fd = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return errno;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if (d->inline_urgent)
		(void)setsockopt(fd, SOL_SOCKET, SO_OOBINLINE, &on, sizeof on);
	if (port)
		(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
#ifdef IP_BIND_ADDRESS_NO_PORT
	else if (d->bind)
		/* The port is chosen at connect: then only address pairs must differ. */
		(void)setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
#endif
	if (d->bind || port)
		e = bind_source(d, a, fd, port);
	if (!e && connect(fd, a->ai_addr, a->ai_addrlen) && errno != EINPROGRESS)
		e = errno;
	if (e)
		close(fd);
	else
		*out = fd;
	return e;
}

/* Connects to one address. 0: done or under way; else errno. */
static int try_address(struct ln_dial *d, const struct addrinfo *a, int *fd)
{
	int e;

	if (!d->reserved)
		return try_port(d, a, 0, fd);
	for (int tries = RESERVED_MAX - RESERVED_MIN; tries >= 0; tries--) {
		e = try_port(d, a, d->reserved, fd);
		d->reserved = d->reserved > RESERVED_MIN ? d->reserved - 1 : RESERVED_MAX;
		if (e != EADDRINUSE && e != EADDRNOTAVAIL)
			return e;
	}
	return EADDRNOTAVAIL;
}

static int failed(const struct ln_dial *d, struct b_error *err)
{
	const char *what = "is the SUT running, and is the port right?";

	switch (d->error) {
	case EMFILE: what = "raise ulimit -n"; break;
	case ENFILE: what = "raise sysctl fs.file-max"; break;
	case EADDRNOTAVAIL:
		what = d->bind ? "the source address must be this machine's, with ports left"
			       : "no local ports left; give more source addresses with --bind";
		break;
	case EACCES:
		if (d->reserved)
			what = "rlogin needs a port below 1024: run as root or give the program "
			       "CAP_NET_BIND_SERVICE";
		break;
	case ENETUNREACH:
	case EHOSTUNREACH: what = "check the network"; break;
	case ETIMEDOUT: what = "nothing answers there; check the address and firewalls"; break;
	default: break;
	}
	return b_error_set(err, B_EENV, "cannot connect to %s port %s: %s; %s", d->host, d->port,
		d->error ? strerror(d->error) : "no address of this kind", what);
}

/* Goes on to the next address that lets itself be tried. */
static int advance(struct ln_dial *d, struct ln_line *l, struct b_error *err)
{
	int old = l->fd;

	l->fd = -1;
	while (d->next && l->fd < 0) {
		struct addrinfo *a = d->next;
		int64_t now = b_clock_mono_ns(), share = 1;

		d->next = a->ai_next;
		if (d->bind && d->bind->ai_family != a->ai_family)
			continue;
		for (struct addrinfo *more = d->next; more; more = more->ai_next)
			share++;
		d->error = try_address(d, a, &l->fd);
		if (d->error)
			l->fd = -1;
		l->due_ns = now + (d->deadline_ns - now) / share;
	}
	/* Closed only now, so that the new descriptor's number is another: whoever watches
	   descriptors by number sees that it is not the same. */
	if (old >= 0)
		close(old);
	if (l->fd < 0) {
		l->due_ns = -1;
		l->wants = 0;
		return failed(d, err);
	}
	l->wants = LN_WANT_WRITE;
	return B_EAGAIN;
}

int ln_dial_start(
	struct ln_dial **out, struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	const struct ln_target *t = opt->target;
	struct ln_dial *d = b_calloc(1, sizeof *d);
	int rc;

	d->host = ln_expand(t->host, opt->user);
	d->port = ln_expand(t->port, opt->user);
	d->deadline_ns = b_clock_mono_ns() +
		(opt->connect_timeout_ns > 0 ? opt->connect_timeout_ns : TIMEOUT_NS);
	d->inline_urgent = l->kind->inline_urgent;
	if (l->kind->reserved_port)
		d->reserved = RESERVED_MAX - (int)(opt->user % (RESERVED_MAX - RESERVED_MIN + 1));
	rc = ln_port_check(d->port, err);
	if (!rc)
		rc = set_source(d, opt->bind, err);
	if (!rc)
		rc = ln_dial_lookup(t, err);
	if (!rc && t->addresses)
		d->next = t->addresses;
	else if (!rc && !(rc = lookup(&d->own, d->host, d->port, err)))
		d->next = d->own;
	if (!rc)
		rc = advance(d, l, err);
	/* On the loopback a connection often stands, or is refused, by now. */
	if (rc == B_EAGAIN)
		rc = ln_dial_drive(d, l, err);
	if (rc == B_EAGAIN)
		*out = d;
	else
		ln_dial_free(d);
	return rc;
}

int ln_dial_drive(struct ln_dial *d, struct ln_line *l, struct b_error *err)
{
	for (;;) {
		struct pollfd p = { .fd = l->fd, .events = POLLOUT };
		socklen_t len = sizeof d->error;
		int rc;

		if (poll(&p, 1, 0) > 0) {
			if (getsockopt(l->fd, SOL_SOCKET, SO_ERROR, &d->error, &len))
				d->error = errno;
			if (!d->error) {
				/* Not before: connecting has its own time. */
				set_alive(l->fd, l->target->alive_ns);
				l->wants = 0;
				l->due_ns = -1;
				return B_OK;
			}
		} else if (b_clock_mono_ns() < l->due_ns) {
			return B_EAGAIN;
		} else {
			d->error = ETIMEDOUT;
		}
		rc = advance(d, l, err);
		if (rc != B_EAGAIN)
			return rc;
	}
}

void ln_dial_free(struct ln_dial *d)
{
	if (!d)
		return;
	if (d->own)
		freeaddrinfo(d->own);
	if (d->bind)
		freeaddrinfo(d->bind);
	free(d->host);
	free(d->port);
	free(d);
}
