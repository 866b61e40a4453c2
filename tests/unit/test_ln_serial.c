/* line: serial lines, on a pty: settings that no tool shows, breaks, who keeps whom out. */
#define _GNU_SOURCE /* posix_openpt's friends, flock */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "line/line.h"
#include "line/serial_speed.h"

struct cable {
	int master, slave; /* slave: as the tests see the device */
	char path[64];
	struct ln_target *target;
	struct ln_line *line;
};

static int plug(struct cable *c, const char *query, struct b_error *err)
{
	struct ln_options opt = { .term = "xterm", .rows = 24, .cols = 80 };
	char text[160];

	c->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(c->master >= 0 && !grantpt(c->master) && !unlockpt(c->master));
	assert_int_equal(ptsname_r(c->master, c->path, sizeof c->path), 0);
	c->slave = open(c->path, O_RDWR | O_NOCTTY);
	assert_true(c->slave >= 0);
	snprintf(text, sizeof text, "serial:%s%s", c->path, query);
	assert_int_equal(ln_target_parse(&c->target, text, err), 0);
	opt.target = c->target;
	return ln_open(&c->line, &opt, err);
}

static void unplug(struct cable *c)
{
	ln_line_free(c->line);
	ln_target_free(c->target);
	close(c->slave);
	close(c->master);
}

static void any_speed_and_back(void **state)
{
	struct ln_serial_saved before = { 0 }, now = { 0 };
	struct cable c;

	(void)state;
	assert_int_equal(plug(&c, "", NULL), 0);
	ln_line_close(c.line);
	/* A speed that termios(3) has no name for stands there before, and comes back. */
	assert_int_equal(ln_serial_speed(c.slave, 12345), 0);
	assert_int_equal(ln_serial_save(c.slave, &before), 0);
	ln_line_free(c.line);
	{
		struct ln_options opt = { .target = c.target, .term = "x", .rows = 1, .cols = 1 };

		assert_int_equal(ln_open(&c.line, &opt, NULL), 0);
	}
	assert_int_equal(ln_serial_save(c.slave, &now), 0);
	assert_memory_not_equal(&now, &before, sizeof now);
	ln_line_close(c.line);
	assert_int_equal(ln_serial_save(c.slave, &now), 0);
	assert_memory_equal(&now, &before, sizeof now);
	unplug(&c);
}

static void odd_speed(void **state)
{
	struct ln_serial_saved now = { 0 };
	struct cable c;
	bool there = false;

	(void)state;
	assert_int_equal(plug(&c, "?baud=31250", NULL), 0);
	assert_int_equal(ln_serial_save(c.slave, &now), 0);
	for (size_t i = 0; i + 1 < sizeof now.words / sizeof *now.words; i++)
		there = there || (now.words[i] == 31250 && now.words[i + 1] == 31250);
	assert_true(there);
	unplug(&c);
}

static void break_holds_what_follows(void **state)
{
	struct pollfd fd = { .events = POLLIN };
	int64_t begun = b_clock_mono_ns();
	struct cable c;
	char buf[64];

	(void)state;
	assert_int_equal(plug(&c, "", NULL), 0);
	assert_int_equal(ln_line_write(c.line, "before", 6, NULL), 6);
	assert_int_equal(read(c.master, buf, sizeof buf), 6);
	assert_int_equal(ln_line_break(c.line, NULL), 0);
	assert_true(ln_line_due_ns(c.line) >= begun + LN_BREAK_MS * B_NS_PER_MS);
	assert_int_equal(ln_line_write(c.line, "af", 2, NULL), 2);
	assert_int_equal(ln_line_write(c.line, "ter", 3, NULL), 3);
	fd.fd = c.master;
	assert_int_equal(poll(&fd, 1, 0), 0);
	/* Nothing wakes anybody but the time. */
	assert_int_equal(ln_line_wants(c.line), 0);
	assert_int_equal(ln_line_drive(c.line, NULL), 0);
	while (b_clock_mono_ns() < ln_line_due_ns(c.line))
		poll(NULL, 0, 10);
	assert_int_equal(ln_line_drive(c.line, NULL), 0);
	assert_int_equal(ln_line_due_ns(c.line), -1);
	assert_int_equal(read(c.master, buf, sizeof buf), 5);
	assert_memory_equal(buf, "after", 5);
	assert_int_equal(ln_line_write(c.line, "!", 1, NULL), 1);
	assert_int_equal(read(c.master, buf, sizeof buf), 1);
	unplug(&c);
}

static void one_at_a_time(void **state)
{
	struct ln_options opt = { .term = "xterm", .rows = 24, .cols = 80 };
	struct b_error err = { 0 };
	struct ln_line *second = NULL;
	struct cable c;

	(void)state;
	assert_int_equal(plug(&c, "", &err), 0);
	opt.target = c.target;
	assert_int_equal(ln_open(&second, &opt, &err), B_EENV);
	/* Root passes TIOCEXCL and is stopped by the lock. */
	assert_non_null(strstr(err.text, geteuid() ? "busy" : "is in use"));
	ln_line_close(c.line);
	assert_int_equal(ln_open(&second, &opt, &err), 0);
	ln_line_free(second);
	unplug(&c);
}

static void hang_up(void **state)
{
	struct cable c;
	char buf[16];
	ssize_t n;

	(void)state;
	assert_int_equal(plug(&c, "", NULL), 0);
	assert_int_equal(write(c.master, "last", 4), 4);
	close(c.master);
	c.master = -1;
	n = ln_line_read(c.line, buf, sizeof buf, NULL);
	assert_true(n == 4 || n == B_EOF); /* a pty that hangs up throws away */
	while (n > 0)
		n = ln_line_read(c.line, buf, sizeof buf, NULL);
	assert_int_equal(n, B_EOF);
	assert_int_equal(ln_line_write(c.line, "x", 1, NULL), B_EOF);
	unplug(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_speed_and_back),
		cmocka_unit_test(odd_speed),
		cmocka_unit_test(break_holds_what_follows),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(hang_up),
	};

	return cmocka_run_group_tests_name("ln_serial", tests, NULL, NULL);
}
