#include "base/utf8.h"

#include "base/banned.h"

size_t b_utf8_decode(const char *s, size_t len, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned lo = 0x80, hi = 0xBF;
	size_t need, i;
	uint32_t c;

	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	*cp = B_UTF8_REPLACEMENT;
	if (p[0] >= 0xC2 && p[0] <= 0xDF) {
		need = 1;
		c = p[0] & 0x1Fu;
	} else if ((p[0] & 0xF0) == 0xE0) {
		need = 2;
		c = p[0] & 0x0Fu;
		if (p[0] == 0xE0)
			lo = 0xA0;
		else if (p[0] == 0xED)
			hi = 0x9F;
	} else if (p[0] >= 0xF0 && p[0] <= 0xF4) {
		need = 3;
		c = p[0] & 0x07u;
		if (p[0] == 0xF0)
			lo = 0x90;
		else if (p[0] == 0xF4)
			hi = 0x8F;
	} else {
		return 1;
	}
	for (i = 1; i <= need; i++) {
		if (i == len)
			return 0;
		if (p[i] < lo || p[i] > hi)
			return i;
		c = c << 6 | (p[i] & 0x3Fu);
		lo = 0x80;
		hi = 0xBF;
	}
	*cp = c;
	return need + 1;
}

size_t b_utf8_encode(uint32_t cp, char out[4])
{
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = B_UTF8_REPLACEMENT;
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}

bool b_utf8_valid(const char *s, size_t len)
{
	uint32_t cp;
	size_t n;

	for (; len; s += n, len -= n) {
		n = b_utf8_decode(s, len, &cp);
		if (!n || (cp == B_UTF8_REPLACEMENT && n != 3))
			return false;
		if (cp == B_UTF8_REPLACEMENT && (unsigned char)s[0] != 0xEF)
			return false;
		if (cp == B_UTF8_REPLACEMENT &&
			((unsigned char)s[1] != 0xBF || (unsigned char)s[2] != 0xBD))
			return false;
	}
	return true;
}

size_t b_utf8_tail(const char *s, size_t len)
{
	uint32_t cp;

	for (size_t back = 1; back <= 3 && back <= len; back++)
		if ((unsigned char)s[len - back] >= 0xC0)
			return b_utf8_decode(s + len - back, back, &cp) ? 0 : back;
	return 0;
}
