/*
 * Any bytes as what an rlogin server sends, some of them urgent: behind the zero byte all of it
 * is the session's, byte for byte, but for what is urgent; what is typed arrives between well-formed
 * window messages.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tests/fuzz/line_peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The start-up string, then text and messages of twelve bytes. Source: RFC 1282. */
static void check_sent(const struct b_buf *got, const struct b_buf *typed)
{
	size_t i = 1, strings = 0, at = 0;

	B_BUG_ON(got->len < 4 || got->data[0]);
	for (; i < got->len && strings < 3; i++)
		strings += !got->data[i];
	B_BUG_ON(strings != 3);
	while (i < got->len) {
		if (got->len - i >= 12 && !memcmp(got->data + i, "\377\377ss", 4)) {
			i += 12;
			continue;
		}
		B_BUG_ON(at >= typed->len || got->data[i++] != typed->data[at++]);
	}
	B_BUG_ON(at != typed->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct b_buf out = B_BUF_INIT, typed = B_BUF_INIT, plain = B_BUF_INIT;
	size_t step, at = 1;
	ssize_t n = B_EAGAIN;
	struct peer p;
	bool open;

	if (!size || size > 4096 || !peer_open(&p, "rlogin"))
		return 0;
	step = data[0] % 32 + 1u;
	for (int turn = 0; at < size && n == B_EAGAIN; turn++) {
		size_t len = step < size - at ? step : size - at;
		bool urgent = data[0] & 0x40 && turn % 3 == 1;

		peer_send(&p, data + at, len, urgent ? MSG_OOB : 0);
		b_buf_add(&plain, data + at, urgent ? len - 1 : len);
		at += len;
		n = peer_read(&p, &out);
		if (n == B_EAGAIN && turn % 2 && ln_line_state(p.line) == LN_OPEN) {
			if (data[0] & 0x80)
				B_BUG_ON(ln_line_resize(p.line, 10 + turn, 255));
			if (ln_line_write(p.line, "a\r\377b", 4, NULL) == 4)
				b_buf_add(&typed, "a\r\377b", 4);
		}
	}
	open = ln_line_state(p.line) == LN_OPEN;
	peer_finish(&p);
	if (n == B_EAGAIN) {
		check_sent(&p.got, &typed);
		/* An urgent byte that nobody has asked for is in the way of the next. */
		if (open && !(data[0] & 0x40))
			B_BUG_ON(plain.len != out.len + 1 || plain.data[0] ||
				(out.len && memcmp(plain.data + 1, out.data, out.len)));
		B_BUG_ON(out.len > size);
	}
	peer_close(&p);
	b_buf_release(&out);
	b_buf_release(&typed);
	b_buf_release(&plain);
	return 0;
}
