/* line: what goes over the wire of a telnet line, byte for byte, against a server in the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <poll.h>

#include "base/clock.h"
#include "tests/fuzz/line_peer.h"

#define IAC   "\377"
#define DONT  "\376"
#define DO    "\375"
#define WONT  "\374"
#define WILL  "\373"
#define SB    "\372"
#define SE    "\360"
#define ECHO_ "\001"
#define BIN   "\000"
#define SGA   "\003"
#define TTYPE "\030"
#define NAWS  "\037"
#define ENV   "\047"

/* Bytes may hold NUL: the length is the literal's. */
#define SAYS(p, text)  says((p), text, sizeof(text) - 1)
#define SENT(p, text)  sent((p), text, sizeof(text) - 1)
#define SHOWS(p, text) shows((p), text, sizeof(text) - 1)
#define TYPES(p, text) \
	assert_int_equal(ln_line_write((p)->line, text, sizeof(text) - 1, NULL), sizeof(text) - 1)

static struct b_buf out;

static void says(struct peer *p, const char *bytes, size_t len)
{
	assert_int_equal(send(p->fd, bytes, len, MSG_NOSIGNAL), len);
	assert_int_equal(peer_read(p, &out), B_EAGAIN);
}

/* The line sends exactly these bytes. */
static void sent(struct peer *p, const char *bytes, size_t len)
{
	int64_t until = b_clock_mono_ns() + 10 * B_NS_PER_S;

	for (peer_take(p); p->got.len < len && b_clock_mono_ns() < until; peer_take(p)) {
		struct pollfd fd = { .fd = p->fd, .events = POLLIN };

		poll(&fd, 1, 100);
	}
	if (p->got.len != len || (len && memcmp(p->got.data, bytes, len) != 0)) {
		for (size_t i = 0; i < p->got.len; i++)
			print_error(" %02x", (unsigned char)p->got.data[i]);
		fail_msg(" is what was sent, %zu bytes; wanted were %zu", p->got.len, len);
	}
	b_buf_clear(&p->got);
}

/* The user sees exactly these bytes. */
static void shows(struct peer *p, const char *bytes, size_t len)
{
	(void)p;
	assert_int_equal(out.len, len);
	if (len)
		assert_memory_equal(out.data, bytes, len);
	b_buf_clear(&out);
}

static void open_peer(struct peer *p)
{
	b_buf_clear(&out);
	assert_true(peer_open(p, "telnet"));
	assert_int_equal(ln_line_state(p->line), LN_OPEN);
}

static void window_size(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	/* Nobody asked: no size goes out. */
	assert_int_equal(ln_line_resize(p.line, 30, 100), 0);
	SENT(&p, "");
	SAYS(&p, IAC DO NAWS);
	SENT(&p, IAC WILL NAWS IAC SB NAWS "\0\144\0\036" IAC SE);
	/* Again at each resize; a byte that is IAC is doubled. */
	assert_int_equal(ln_line_resize(p.line, 255, 255 * 256 + 255), 0);
	SENT(&p, IAC SB NAWS IAC IAC IAC IAC "\0" IAC IAC IAC SE);
	SAYS(&p, IAC DONT NAWS);
	SENT(&p, IAC WONT NAWS);
	assert_int_equal(ln_line_resize(p.line, 24, 80), 0);
	SENT(&p, "");
	peer_close(&p);
}

static void terminal_type(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	SAYS(&p, IAC DO TTYPE);
	SENT(&p, IAC WILL TTYPE);
	/* The same again is the end of the list. */
	for (int i = 0; i < 3; i++) {
		SAYS(&p, IAC SB TTYPE "\001" IAC SE);
		SENT(&p, IAC SB TTYPE "\0xterm" IAC SE);
	}
	SHOWS(&p, "");
	peer_close(&p);
}

static void environment(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	SAYS(&p, IAC DO ENV IAC SB ENV "\001" IAC SE);
	SENT(&p, IAC WILL ENV IAC SB ENV "\0\0USER\001clerk" IAC SE);
	/* Asked for one variable, or another: what there is. */
	SAYS(&p, IAC SB ENV "\001\0USER" IAC SE);
	SENT(&p, IAC SB ENV "\0\0USER\001clerk" IAC SE);
	peer_close(&p);
}

static void carriage_returns(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	/* Not binary: CR NUL either way; CR LF of the server stays. */
	TYPES(&p, "a\rb\n");
	SENT(&p, "a\r\0b\n");
	SAYS(&p, "x\r\0y\r\nz\r");
	SAYS(&p, "\0.");
	SHOWS(&p, "x\ry\r\nz\r.");
	/* The server sends binary: its NULs are its own. Ours is not. */
	SAYS(&p, IAC WILL BIN);
	SENT(&p, IAC DO BIN);
	SAYS(&p, "x\r\0y");
	SHOWS(&p, "x\r\0y");
	TYPES(&p, "\r");
	SENT(&p, "\r\0");
	/* Both. */
	SAYS(&p, IAC DO BIN);
	SENT(&p, IAC WILL BIN);
	TYPES(&p, "a\r\0b");
	SENT(&p, "a\r\0b");
	/* And back. */
	SAYS(&p, IAC DONT BIN IAC WONT BIN);
	SENT(&p, IAC WONT BIN IAC DONT BIN);
	TYPES(&p, "\r");
	SENT(&p, "\r\0");
	SAYS(&p, "x\r\0y");
	SHOWS(&p, "x\ry");
	peer_close(&p);
}

static void escaping_and_commands(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	TYPES(&p, "\377a\377\377");
	SENT(&p, IAC IAC "a" IAC IAC IAC IAC);
	SAYS(&p, "a" IAC IAC "b" IAC);
	SAYS(&p, IAC "c" IAC "\361" IAC "\371d"); /* NOP and Go Ahead show nothing */
	SHOWS(&p, "a\377b\377cd");
	assert_int_equal(ln_line_break(p.line, NULL), 0);
	TYPES(&p, "x");
	SENT(&p, IAC "\363x");
	/* A Synch: its data mark comes as urgent data, and stays out of the text. */
	SAYS(&p, "before" IAC);
	assert_int_equal(send(p.fd, "\362", 1, MSG_OOB), 1);
	SAYS(&p, "after");
	SHOWS(&p, "beforeafter");
	assert_int_equal(send(p.fd, IAC, 1, MSG_OOB), 1);
	SAYS(&p, "\362after");
	SHOWS(&p, "after");
	peer_close(&p);
}

static void refusals(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	SAYS(&p, IAC DO "\045" IAC WILL "\046" IAC DO ECHO_ IAC WILL ECHO_ IAC WILL SGA IAC DO SGA);
	SENT(&p,
		IAC WONT "\045" IAC DONT
			 "\046" IAC WONT ECHO_ IAC DO ECHO_ IAC DO SGA IAC WILL SGA);
	/* What stands already is no news, and wants no answer: no loop. RFC 1143. */
	SAYS(&p, IAC WILL ECHO_ IAC WILL ECHO_ IAC DO SGA IAC WONT "\046" IAC DONT "\045");
	SENT(&p, "");
	peer_close(&p);
}

/* A server that negotiates for ever gets each of its changes answered and nothing more. */
static void endless(void **state)
{
	struct peer p;

	(void)state;
	open_peer(&p);
	for (int i = 0; i < 20000; i++) {
		SAYS(&p, IAC WILL ECHO_ IAC DO SGA IAC DO "\052");
		assert_true(p.got.len <= 9);
		b_buf_clear(&p.got);
		SAYS(&p, IAC WONT ECHO_ IAC DONT SGA);
		assert_true(p.got.len <= 6);
		b_buf_clear(&p.got);
	}
	SAYS(&p, "done");
	SHOWS(&p, "done");
	peer_close(&p);
}

/* One that never takes the answers is cut off before they fill the memory. */
static void greedy(void **state)
{
	char ask[3 * 4000];
	struct b_error err = { 0 };
	ssize_t rc = B_EAGAIN;
	struct peer p;
	char buf[512];

	(void)state;
	open_peer(&p);
	for (size_t i = 0; i < sizeof ask; i += 3)
		memcpy(ask + i, i % 2 ? IAC WILL ECHO_ : IAC WONT ECHO_, 3);
	for (int i = 0; i < 200000 && rc != B_EENV; i++) {
		(void)!send(p.fd, ask, sizeof ask, MSG_NOSIGNAL | MSG_DONTWAIT);
		rc = ln_line_read(p.line, buf, sizeof buf, &err);
	}
	assert_int_equal(rc, B_EENV);
	assert_non_null(strstr(err.text, "asks for answers without end"));
	peer_close(&p);
}

static void garbage(void **state)
{
	char block[4096], buf[512];
	struct b_error err = { 0 };
	ssize_t rc = B_EAGAIN;
	struct peer p;

	(void)state;
	open_peer(&p);
	/* A message that never ends is no text. */
	assert_int_equal(send(p.fd, IAC SB TTYPE, 3, 0), 3);
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 100 && rc != B_EENV; i++) {
		(void)!send(p.fd, block, sizeof block, MSG_NOSIGNAL | MSG_DONTWAIT);
		rc = ln_line_read(p.line, buf, sizeof buf, &err);
		assert_true(rc < 0);
	}
	assert_int_equal(rc, B_EENV);
	assert_non_null(strstr(err.text, "telnet negotiation is broken"));
	peer_close(&p);
}

static void when_it_came(void **state)
{
	struct peer p;

	(void)state;
	assert_true(peer_open(&p, "telnet"));
	SAYS(&p, IAC DO BIN IAC WILL BIN "hello");
	assert_true(peer_stamps(&p));
	peer_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(window_size),
		cmocka_unit_test(terminal_type),
		cmocka_unit_test(environment),
		cmocka_unit_test(carriage_returns),
		cmocka_unit_test(escaping_and_commands),
		cmocka_unit_test(refusals),
		cmocka_unit_test(endless),
		cmocka_unit_test(greedy),
		cmocka_unit_test(garbage),
		cmocka_unit_test(when_it_came),
	};
	int rc = cmocka_run_group_tests_name("ln_telnet", tests, NULL, NULL);

	b_buf_release(&out);
	return rc;
}
