/* line: what goes over the wire of an rlogin line, against a server in the test. RFC 1282. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>
#include <pwd.h>

#include "base/clock.h"
#include "tests/fuzz/line_peer.h"

static struct b_buf out;

static void sent(struct peer *p, const char *bytes, size_t len)
{
	int64_t until = b_clock_mono_ns() + 10 * B_NS_PER_S;

	for (peer_take(p); p->got.len < len && b_clock_mono_ns() < until; peer_take(p)) {
		struct pollfd fd = { .fd = p->fd, .events = POLLIN };

		poll(&fd, 1, 100);
	}
	assert_int_equal(p->got.len, len);
	if (len)
		assert_memory_equal(p->got.data, bytes, len);
	b_buf_clear(&p->got);
}

/* Urgent bytes come by themselves; whatever else is there is read with them. */
static void says(struct peer *p, const char *bytes, size_t len, int flags)
{
	assert_int_equal(send(p->fd, bytes, len, flags), len);
	assert_int_equal(peer_read(p, &out), B_EAGAIN);
}

/* False where rlogin cannot be: it needs a port below 1024. */
static bool open_peer(struct peer *p)
{
	const struct passwd *pw = getpwuid(getuid());
	struct b_buf hello = B_BUF_INIT;

	b_buf_clear(&out);
	if (!peer_open(p, "rlogin"))
		return false;
	assert_int_equal(ln_line_state(p->line), LN_CONNECTING);
	b_buf_addc(&hello, 0);
	b_buf_printf(&hello, "%s%cclerk%cxterm/38400%c", pw->pw_name, 0, 0, 0);
	sent(p, hello.data, hello.len);
	b_buf_release(&hello);
	return true;
}

static void session(void **state)
{
	struct peer p;

	(void)state;
	if (!open_peer(&p))
		skip();
	says(&p, "\0login: ", 8, 0);
	assert_int_equal(ln_line_state(p.line), LN_OPEN);
	assert_int_equal(out.len, 7);
	assert_memory_equal(out.data, "login: ", 7);
	assert_int_equal(ln_line_write(p.line, "\377a\r", 3, NULL), 3);
	sent(&p, "\377a\r", 3);
	assert_int_equal(ln_line_break(p.line, NULL), B_EUSAGE);
	assert_true(peer_stamps(&p));
	peer_close(&p);
}

static void window_sizes(void **state)
{
	struct peer p;

	(void)state;
	if (!open_peer(&p))
		skip();
	says(&p, "\0", 1, 0);
	/* None before the SUT has asked, and none for other control bytes (flush, no flow control). */
	assert_int_equal(ln_line_resize(p.line, 30, 100), 0);
	says(&p, "\002", 1, MSG_OOB);
	says(&p, "\020", 1, MSG_OOB);
	sent(&p, "", 0);
	says(&p, "\200", 1, MSG_OOB);
	sent(&p, "\377\377ss\0\036\0\144\0\0\0\0", 12);
	assert_int_equal(ln_line_resize(p.line, 50, 300), 0);
	sent(&p, "\377\377ss\0\062\001\054\0\0\0\0", 12);
	says(&p, "text", 4, 0);
	assert_int_equal(out.len, 4);
	peer_close(&p);
}

static void refused(void **state)
{
	struct b_error err = { 0 };
	struct peer p;

	(void)state;
	if (!open_peer(&p))
		skip();
	assert_int_equal(send(p.fd, "\001rlogind: Permission denied.\r\n", 30, 0), 30);
	while (ln_line_state(p.line) == LN_CONNECTING && !ln_line_drive(p.line, &err))
		;
	assert_int_equal(ln_line_state(p.line), LN_CLOSED);
	assert_non_null(strstr(err.text, "refused"));
	assert_non_null(strstr(err.text, "Permission denied"));
	peer_close(&p);
}

/* The reason comes after the refusal, in pieces. */
static void refused_slowly(void **state)
{
	struct b_error err = { 0 };
	struct peer p;

	(void)state;
	if (!open_peer(&p))
		skip();
	says(&p, "\001", 1, 0);
	says(&p, "rlogind: Permission", 19, 0);
	assert_int_equal(ln_line_state(p.line), LN_CONNECTING);
	assert_int_equal(send(p.fd, " denied.\r\n", 10, 0), 10);
	while (ln_line_state(p.line) == LN_CONNECTING && !ln_line_drive(p.line, &err))
		;
	assert_string_equal(err.text, "the rlogin server refused: rlogind: Permission denied.");
	peer_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(session),
		cmocka_unit_test(window_sizes),
		cmocka_unit_test(refused),
		cmocka_unit_test(refused_slowly),
	};
	int rc = cmocka_run_group_tests_name("ln_rlogin", tests, NULL, NULL);

	b_buf_release(&out);
	return rc;
}
