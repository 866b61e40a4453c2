#include "capture/typed.h"

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/banned.h"

/* An Esc that is followed by nothing for so long was the Esc key. */
#define ESC_WAIT_NS    (50 * B_NS_PER_MS)
/* No terminal takes so long in the middle of a sequence or a character. */
#define MIDDLE_WAIT_NS B_NS_PER_S

enum { GROUND, CHARACTER, ESC, CSI, SS3, LINUX_F, MOUSE, STRING, STRING_ESC };

static bool has_params(const char *s, size_t len)
{
	return memchr(s, ';', len);
}

/* s: from ESC on, or the part of it that this read has. */
static enum cap_typed_kind kind_of_csi(const char *s, size_t len)
{
	char last = s[len - 1];

	if (len == 6 && !memcmp(s, "\033[200~", 6))
		return CAP_TYPED_BRACKET;
	if (len == 6 && !memcmp(s, "\033[201~", 6))
		return CAP_TYPED_BRACKET;
	if (len == 3 && (last == 'I' || last == 'O'))
		return CAP_TYPED_ANSWER;
	if (last == 'R' && has_params(s, len))
		return CAP_TYPED_ANSWER;
	if (strchr("cnyt", last) || (strchr("uS", last) && memchr(s, '?', len)) ||
		(last == 'm' && len > 2 && s[2] == '>'))
		return CAP_TYPED_ANSWER;
	return CAP_TYPED_KEY;
}

/* The character at s in ground state. */
static size_t plain(struct cap_typed_state *st, const char *s, size_t len, struct cap_typed *out)
{
	unsigned char c = (unsigned char)*s;
	uint32_t cp;
	size_t n;

	if (c == 0x1B) {
		st->state = ESC;
		return 0;
	}
	if (c == 0x7F || c == 0x08 || c == 0x15 || c == 0x17) {
		out->kind = CAP_TYPED_ERASE;
		return 1;
	}
	if (c < 0x20)
		return 1;
	out->kind = CAP_TYPED_TEXT;
	n = b_utf8_decode(s, len, &cp);
	if (!n) {
		st->state = CHARACTER;
		st->count = (c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : 2) - (int)len;
		n = len;
	}
	return n;
}

/* One more byte of a sequence; true when it is the last. */
static bool step(struct cap_typed_state *st, char c)
{
	switch (st->state) {
	case ESC:
		st->state = c == '['              ? CSI
			: c == 'O'                ? SS3
			: strchr("]PX^_", c) && c ? STRING
						  : GROUND;
		return st->state == GROUND;
	case CSI:
		if (c == 'M' || c == '[') {
			/* Only right behind CSI: CSI M is then a mouse report, CSI [ a key of
			   the Linux console. count tells how many bytes there were. */
			if (!st->count) {
				st->state = c == 'M' ? MOUSE : LINUX_F;
				return false;
			}
		}
		st->count++;
		return c >= 0x40 && c <= 0x7E;
	case MOUSE: return ++st->count == 3;
	case STRING:
		if (c == 0x1B)
			st->state = STRING_ESC;
		return c == 0x07;
	case STRING_ESC:
		if (c != '\\')
			st->state = STRING;
		return c == '\\';
	default: /* SS3, LINUX_F */ return true;
	}
}

static void forget_what_is_stale(struct cap_typed_state *st, int64_t at_ns)
{
	int64_t age = at_ns - st->at_ns;

	if (st->state == ESC && age > ESC_WAIT_NS)
		st->state = GROUND;
	if (st->state != STRING && age > MIDDLE_WAIT_NS)
		st->state = GROUND;
	st->at_ns = at_ns;
}

size_t cap_typed_next(struct cap_typed_state *st, const char *bytes, size_t len, int64_t at_ns,
	struct cap_typed *out)
{
	size_t n = 0;
	int begun;

	forget_what_is_stale(st, at_ns);
	if (st->state == ESC && *bytes == 0x1B)
		st->state = GROUND; /* Esc was typed before */
	*out = (struct cap_typed){ .kind = CAP_TYPED_KEY, .bytes = bytes };
	out->more = st->state != GROUND;
	if (st->state == CHARACTER) {
		out->kind = CAP_TYPED_TEXT;
		while (n < len && st->count && ((unsigned char)bytes[n] & 0xC0) == 0x80) {
			n++;
			st->count--;
		}
		if (n < len || !st->count)
			st->state = GROUND;
		if (n) {
			out->len = n;
			return n;
		}
		out->kind = CAP_TYPED_KEY;
		out->more = 0;
	}
	if (st->state == GROUND) {
		n = plain(st, bytes, len, out);
		if (n) {
			out->len = n;
			return n;
		}
		n = 1; /* ESC */
	}
	begun = st->state;
	while (n < len) {
		bool last;

		begun = st->state;
		/* ESC ESC is Esc and what follows. */
		if (st->state == ESC && bytes[n] == 0x1B)
			break;
		if (st->state == ESC)
			st->count = 0;
		last = step(st, bytes[n++]);
		if (last) {
			st->state = GROUND;
			if (begun == CSI)
				out->kind = kind_of_csi(bytes, n);
			break;
		}
	}
	if (begun == STRING || begun == STRING_ESC)
		out->kind = CAP_TYPED_ANSWER;
	if (st->state == ESC && n < len)
		st->state = GROUND;
	out->len = n;
	return n;
}
