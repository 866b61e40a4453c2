/*
 * Any bytes as what a telnet server sends, in pieces, while the user types and resizes: what
 * comes out is never more than went in; what is typed arrives byte for byte between well-formed
 * answers, and there are only so many of those.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tests/fuzz/line_peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IAC = 255, DONT = 254, WILL = 251, SB = 250, BREAK = 243, SE = 240 };

/* What a server makes of our bytes: the text without commands, CR NUL as CR. */
static void decode(const struct b_buf *wire, struct b_buf *text)
{
	const unsigned char *p = (const unsigned char *)wire->data;
	size_t i = 0, n = wire->len;

	while (i < n) {
		if (p[i] != IAC) {
			b_buf_addc(text, (char)p[i]);
			if (p[i] == '\r' && i + 1 < n && p[i + 1] == 0)
				i++;
			i++;
			continue;
		}
		B_BUG_ON(++i >= n);
		if (p[i] == IAC) {
			b_buf_addc(text, (char)IAC);
			i++;
		} else if (p[i] >= WILL && p[i] <= DONT) {
			B_BUG_ON(i + 1 >= n);
			i += 2;
		} else if (p[i] == SB) {
			for (i++; i + 1 < n && !(p[i] == IAC && p[i + 1] == SE); i++)
				i += p[i] == IAC;
			B_BUG_ON(i + 1 >= n);
			i += 2;
		} else {
			B_BUG_ON(p[i] != BREAK);
			i++;
		}
	}
}

static void type(struct peer *p, const char *keys, size_t len, struct b_buf *typed)
{
	ssize_t n = ln_line_write(p->line, keys, len, NULL);

	if (n > 0)
		b_buf_add(typed, keys, (size_t)n);
	B_BUG_ON(n > (ssize_t)len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct b_buf out = B_BUF_INIT, typed = B_BUF_INIT, text = B_BUF_INIT;
	size_t at = 1, step, sent = 0;
	ssize_t n = B_EAGAIN;
	struct peer p;

	if (!size || size > 4096 || !peer_open(&p, "telnet"))
		return 0;
	step = data[0] % 64 + 1u;
	for (int turn = 0; at < size && n == B_EAGAIN; turn++, at += step) {
		size_t len = step < size - at ? step : size - at;

		peer_send(&p, data + at, len, 0);
		sent += len;
		n = peer_read(&p, &out);
		if (n != B_EAGAIN)
			break;
		switch ((data[0] >> 6) + turn % 4) {
		case 1: type(&p, "a\r\377\377b\r\n\0c", 9, &typed); break;
		case 2: B_BUG_ON(ln_line_resize(p.line, 255, 13 + turn)); break;
		case 3: (void)!ln_line_break(p.line, NULL); break;
		default: break;
		}
	}
	(void)!ln_line_drive(p.line, NULL);
	peer_finish(&p);
	B_BUG_ON(out.len > sent);
	/* Each three bytes may ask for one answer; the longest names the terminal or the user. */
	B_BUG_ON(p.got.len > 64 * (sent + 64));
	if (n == B_EAGAIN) {
		decode(&p.got, &text);
		/* Before BINARY is agreed CR LF goes as CR NUL LF. */
		B_BUG_ON(text.len != typed.len ||
			(text.len && memcmp(text.data, typed.data, text.len)));
	}
	peer_close(&p);
	b_buf_release(&out);
	b_buf_release(&typed);
	b_buf_release(&text);
	return 0;
}
