/* line: connections, and what goes wrong with them. All on the loopback. */
#include "tests/unit/wall_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "line/line.h"

#define DEADLINE_NS (20 * B_NS_PER_S)

static int listener(const char *address, int backlog, int *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(inet_pton(AF_INET, address, &a.sin_addr), 1);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
	if (backlog >= 0)
		assert_int_equal(listen(fd, backlog), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	*port = ntohs(a.sin_port);
	return fd;
}

static struct ln_target *target(const char *host, int port)
{
	struct b_error err = { 0 };
	struct ln_target *t = NULL;
	char text[128];

	snprintf(text, sizeof text, "tcp://%s:%d", host, port);
	if (ln_target_parse(&t, text, &err))
		fail_msg("%s", err.text);
	return t;
}

static struct ln_options options(const struct ln_target *t)
{
	return (struct ln_options){ .target = t, .term = "xterm", .rows = 24, .cols = 80 };
}

static void wait_line(struct ln_line *l, unsigned wants)
{
	struct pollfd p = { .fd = ln_line_fd(l) };

	p.events = (short)((wants & LN_WANT_READ ? POLLIN : 0) |
		(wants & LN_WANT_WRITE ? POLLOUT : 0));
	if (poll(&p, 1, (int)(DEADLINE_NS / B_NS_PER_MS)) <= 0)
		fail_msg("nothing came in time");
}

static int connect_to_the_end(struct ln_line *l, struct b_error *err)
{
	while (ln_line_state(l) == LN_CONNECTING) {
		int64_t due_ms = (ln_line_due_ns(l) - b_clock_mono_ns()) / B_NS_PER_MS;
		struct pollfd p = { .fd = ln_line_fd(l), .events = POLLOUT };
		int rc;

		assert_int_equal(ln_line_wants(l), LN_WANT_WRITE);
		assert_int_equal(ln_line_write(l, "x", 1, err), 0);
		poll(&p, 1, due_ms < 0 ? 0 : (int)due_ms + 1);
		rc = ln_line_drive(l, err);
		if (rc)
			return rc;
	}
	return B_OK;
}

static struct ln_line *open_line(const struct ln_options *opt)
{
	struct b_error err = { 0 };
	struct ln_line *l = NULL;

	if (ln_open(&l, opt, &err) || connect_to_the_end(l, &err))
		fail_msg("%s", err.text);
	assert_int_equal(ln_line_state(l), LN_OPEN);
	assert_int_equal(ln_line_wants(l), 0);
	assert_int_equal(ln_line_due_ns(l), -1);
	return l;
}

static ssize_t read_line(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	ssize_t n;

	while ((n = ln_line_read(l, buf, cap, err)) == B_EAGAIN)
		wait_line(l, LN_WANT_READ);
	return n;
}

/* The stamp is of the arrival, not of the read. The kernel begins to stamp soon after it is asked. */
static void when_it_came(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	struct ln_target *t = target("localhost", port);
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);
	int64_t began = b_clock_mono_ns(), sent, there;
	char buf[64];

	(void)state;
	peer = accept(fd, NULL, NULL);
	do {
		sent = b_clock_mono_ns();
		assert_int_equal(send(peer, "x", 1, 0), 1);
		wait_line(l, LN_WANT_READ);
		there = b_clock_mono_ns();
		assert_int_equal(ln_line_read(l, buf, sizeof buf, NULL), 1);
		assert_true(b_clock_mono_ns() - began < DEADLINE_NS);
	} while (ln_line_came_ns(l) > there);
	assert_true(ln_line_came_ns(l) > sent - B_NS_PER_MS);
	close(peer);
	ln_line_free(l);
	ln_target_free(t);
	close(fd);
}

/* While bytes wait to be read, the wall clock is set: they came not long before they were sent. */
static void wall_clock_set(void **state)
{
	static const time_t steps[] = { 7, 0, -7, 0, 59, 0, 3600, 0, -3600, 0 };
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	struct ln_target *t = target("localhost", port);
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);
	char buf[64];

	(void)state;
	peer = accept(fd, NULL, NULL);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		int64_t sent = b_clock_mono_ns();

		assert_int_equal(send(peer, "x", 1, 0), 1);
		wait_line(l, LN_WANT_READ);
		wall_step_s = steps[i];
		assert_int_equal(ln_line_read(l, buf, sizeof buf, NULL), 1);
		assert_true(ln_line_came_ns(l) > sent - 2 * B_NS_PER_MS);
		assert_true(ln_line_came_ns(l) <= b_clock_mono_ns());
	}
	close(peer);
	ln_line_free(l);
	ln_target_free(t);
	close(fd);
}

static void conversation(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer, status;
	struct ln_target *t = target("localhost", port);
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);
	char buf[64];

	(void)state;
	peer = accept(fd, NULL, NULL);
	assert_int_equal(ln_line_write(l, "hello", 5, NULL), 5);
	assert_int_equal(recv(peer, buf, 5, MSG_WAITALL), 5);
	assert_int_equal(send(peer, "\0there", 6, 0), 6);
	assert_int_equal(read_line(l, buf, sizeof buf, NULL), 6);
	assert_memory_equal(buf, "\0there", 6);
	assert_int_equal(ln_line_read(l, buf, sizeof buf, NULL), B_EAGAIN);
	/* It has neither size, nor modes, nor a process. */
	assert_int_equal(ln_line_resize(l, 10, 10), 0);
	assert_false(ln_line_is_secret(l));
	assert_int_equal(ln_line_reap(l, &status), B_ENOTFOUND);
	assert_int_equal(ln_line_exit_fd(l), -1);
	assert_false(ln_line_is_stopped(l));
	ln_line_kill(l, 15);
	/* What is queued comes before the end. */
	assert_int_equal(send(peer, "bye", 3, 0), 3);
	close(peer);
	assert_int_equal(read_line(l, buf, sizeof buf, NULL), 3);
	assert_int_equal(read_line(l, buf, sizeof buf, NULL), B_EOF);
	assert_int_equal(ln_line_read(l, buf, sizeof buf, NULL), B_EOF);
	assert_int_equal(ln_line_write(l, "x", 1, NULL), B_EOF);
	ln_line_free(l);
	ln_target_free(t);
	close(fd);
}

static void closing_loses_nothing(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	struct ln_target *t = target("127.0.0.1", port);
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);
	char buf[64];

	(void)state;
	peer = accept(fd, NULL, NULL);
	/* Output that nobody read must not turn the close into a reset. */
	assert_int_equal(send(peer, "unread", 6, 0), 6);
	wait_line(l, LN_WANT_READ);
	assert_int_equal(ln_line_write(l, "logout", 6, NULL), 6);
	ln_line_close(l);
	assert_int_equal(recv(peer, buf, 6, MSG_WAITALL), 6);
	assert_int_equal(recv(peer, buf, 1, 0), 0);
	ln_line_free(l);
	ln_target_free(t);
	close(peer);
	close(fd);
}

static void reset_is_no_end(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	const struct linger now = { .l_onoff = 1 };
	struct ln_target *t = target("127.0.0.1", port);
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);
	struct b_error err = { 0 };
	char buf[64];

	(void)state;
	peer = accept(fd, NULL, NULL);
	assert_int_equal(setsockopt(peer, SOL_SOCKET, SO_LINGER, &now, sizeof now), 0);
	close(peer);
	assert_int_equal(read_line(l, buf, sizeof buf, &err), B_EENV);
	assert_non_null(strstr(err.text, "the connection broke: Connection reset"));
	ln_line_free(l);
	ln_target_free(t);
	close(fd);
}

static void refused(void **state)
{
	int port, fd = listener("127.0.0.1", -1, &port); /* bound, but nobody listens */
	struct ln_target *t = target("127.0.0.1", port);
	struct ln_options opt = options(t);
	struct b_error err = { 0 };
	struct ln_line *l = NULL;
	int rc = ln_open(&l, &opt, &err);

	(void)state;
	if (!rc) {
		rc = connect_to_the_end(l, &err);
		assert_int_equal(ln_line_state(l), LN_CLOSED);
	}
	assert_int_equal(rc, B_EENV);
	assert_non_null(strstr(err.text, "cannot connect to 127.0.0.1 port"));
	assert_non_null(strstr(err.text, "Connection refused; is the SUT running"));
	ln_line_free(l);
	ln_target_free(t);
	close(fd);
}

/* A host's first address refuses, the next one answers. */
static void next_address(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	struct ln_target *t = target("localhost", port); /* ::1 first, where there is one */
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);

	(void)state;
	peer = accept(fd, NULL, NULL);
	assert_true(peer >= 0);
	ln_line_free(l);
	ln_target_free(t);
	close(peer);
	close(fd);
}

/* A full backlog: the connection never stands, and nobody answers. */
static void silence(void **state)
{
	int port, fd = listener("127.0.0.1", 0, &port), fill[8];
	struct ln_target *t = target("127.0.0.1", port);
	struct ln_options opt = options(t);
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	struct b_error err = { 0 };
	struct ln_line *l = NULL;
	int64_t before;

	(void)state;
	assert_int_equal(inet_pton(AF_INET, "127.0.0.1", &a.sin_addr), 1);
	for (size_t i = 0; i < B_ARRAY_LEN(fill); i++) {
		fill[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		(void)!connect(fill[i], (struct sockaddr *)&a, sizeof a);
	}
	opt.connect_timeout_ns = 150 * B_NS_PER_MS;
	before = b_clock_mono_ns();
	assert_int_equal(ln_open(&l, &opt, &err), 0);
	assert_int_equal(ln_line_state(l), LN_CONNECTING);
	assert_int_equal(ln_line_read(l, (char[1]){ 0 }, 1, &err), B_EAGAIN);
	assert_true(ln_line_due_ns(l) > before);
	assert_int_equal(connect_to_the_end(l, &err), B_EENV);
	assert_true(b_clock_mono_ns() - before >= opt.connect_timeout_ns);
	assert_non_null(strstr(err.text, "timed out; nothing answers there"));
	ln_line_free(l);
	ln_target_free(t);
	for (size_t i = 0; i < B_ARRAY_LEN(fill); i++)
		close(fill[i]);
	close(fd);
}

static void bounded_by_the_peer(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	struct ln_target *t = target("127.0.0.1", port);
	struct ln_options opt = options(t);
	struct ln_line *l = open_line(&opt);
	static char block[65536];
	size_t sent = 0, got = 0;
	ssize_t n;

	(void)state;
	peer = accept(fd, NULL, NULL);
	/* Nobody reads: some day nothing more is taken. */
	while ((n = ln_line_write(l, block, sizeof block, NULL)) > 0)
		sent += (size_t)n;
	assert_int_equal(n, 0);
	assert_int_equal(ln_line_wants(l), LN_WANT_WRITE);
	while (got < sent && (n = recv(peer, block, sizeof block, 0)) > 0)
		got += (size_t)n;
	assert_int_equal(got, sent);
	wait_line(l, LN_WANT_WRITE);
	assert_int_equal(ln_line_write(l, "x", 1, NULL), 1);
	assert_int_equal(ln_line_wants(l), 0);
	ln_line_free(l);
	ln_target_free(t);
	close(peer);
	close(fd);
}

static void source_addresses(void **state)
{
	int port, fd = listener("127.0.0.1", 5, &port), peer;
	struct ln_target *t = target("127.0.0.1", port);
	struct ln_options opt = options(t);
	struct sockaddr_in a;
	socklen_t len = sizeof a;
	struct b_error err = { 0 };
	struct ln_line *l;
	char from[64];

	(void)state;
	opt.bind = "127.0.0.5";
	l = open_line(&opt);
	peer = accept(fd, (struct sockaddr *)&a, &len);
	assert_string_equal(inet_ntop(AF_INET, &a.sin_addr, from, sizeof from), "127.0.0.5");
	close(peer);
	ln_line_free(l);
	l = NULL;
	opt.bind = "not an address";
	assert_int_equal(ln_open(&l, &opt, &err), B_EUSAGE);
	assert_non_null(strstr(err.text, "source address 'not an address'"));
	err = (struct b_error){ 0 };
	opt.bind = "192.0.2.1"; /* nobody's */
	assert_int_equal(ln_open(&l, &opt, &err), B_EENV);
	assert_non_null(strstr(err.text, "must be this machine's"));
	err = (struct b_error){ 0 };
	opt.bind = "::1"; /* of the other kind */
	assert_int_equal(ln_open(&l, &opt, &err), B_EENV);
	assert_non_null(strstr(err.text, "no address of this kind"));
	assert_null(l);
	ln_target_free(t);
	close(fd);
}

static void user_in_the_host(void **state)
{
	int port, fd = listener("127.0.0.3", 5, &port), peer;
	struct ln_target *t = target("127.0.0.{user}", port);
	struct ln_options opt = options(t);
	struct ln_line *l;

	(void)state;
	opt.user = 3;
	l = open_line(&opt);
	peer = accept(fd, NULL, NULL);
	assert_true(peer >= 0);
	close(peer);
	ln_line_free(l);
	ln_target_free(t);
	close(fd);
}

static void unknown_host(void **state)
{
	struct ln_target *t = target("no-such-host.invalid", 7000);
	const struct ln_target *const targets[] = { t };
	struct ln_options opt = options(t);
	struct b_error err = { 0 };
	struct ln_line *l = NULL;

	(void)state;
	assert_int_equal(ln_limits_check(targets, 1, 1, &err), B_EENV);
	assert_non_null(strstr(err.text, "cannot find host no-such-host.invalid"));
	err = (struct b_error){ 0 };
	assert_int_equal(ln_open(&l, &opt, &err), B_EENV);
	assert_non_null(strstr(err.text, "check the name or give an address"));
	assert_null(l);
	ln_target_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(when_it_came),
		cmocka_unit_test(wall_clock_set),
		cmocka_unit_test(conversation),
		cmocka_unit_test(closing_loses_nothing),
		cmocka_unit_test(reset_is_no_end),
		cmocka_unit_test(refused),
		cmocka_unit_test(next_address),
		cmocka_unit_test(silence),
		cmocka_unit_test(bounded_by_the_peer),
		cmocka_unit_test(source_addresses),
		cmocka_unit_test(user_in_the_host),
		cmocka_unit_test(unknown_host),
	};

	return cmocka_run_group_tests_name("ln_tcp", tests, NULL, NULL);
}
