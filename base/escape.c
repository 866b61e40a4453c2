#include "base/escape.h"

#include <string.h>

#include "base/utf8.h"
#include "base/banned.h"

static bool is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
}

/* Characters that turn the direction of the text around them, or are no text at all. */
static bool is_deceptive(uint32_t cp)
{
	return (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069) || cp == 0x200E ||
		cp == 0x200F || cp == 0x2028 || cp == 0x2029 || cp == 0xFEFF ||
		(cp & 0xFFFE) == 0xFFFE || (cp >= 0xFDD0 && cp <= 0xFDEF);
}

/*
 * Takes one character off (s, len). Returns its length; *ok is false when its bytes are no
 * valid character, whose length is then that of the bad bytes.
 */
static size_t next_char(const char *s, size_t len, uint32_t *cp, bool *ok)
{
	size_t n = b_utf8_decode(s, len, cp);

	*ok = n && (*cp != B_UTF8_REPLACEMENT || (n == 3 && !memcmp(s, "\xEF\xBF\xBD", 3)));
	return n ? n : len;
}

static void add_hex(struct b_buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		b_buf_printf(out, "\\x%02x", (unsigned char)s[i]);
}

void b_escape_text(struct b_buf *out, const char *s, size_t len)
{
	uint32_t cp;
	size_t n;
	bool ok;

	for (; len; s += n, len -= n) {
		n = next_char(s, len, &cp, &ok);
		if (!ok ||
			(is_control(cp) && n == 1 && cp != '\n' && cp != '\r' && cp != '\t' &&
				cp != 0x1B))
			add_hex(out, s, n);
		else if (cp == '\n')
			b_buf_adds(out, "\\n");
		else if (cp == '\r')
			b_buf_adds(out, "\\r");
		else if (cp == '\t')
			b_buf_adds(out, "\\t");
		else if (cp == 0x1B)
			b_buf_adds(out, "\\e");
		else if (is_control(cp) || is_deceptive(cp))
			b_buf_printf(out, "\\u{%04X}", (unsigned)cp);
		else
			b_buf_add(out, s, n);
	}
}

void b_escape_json(struct b_buf *out, const char *s, size_t len)
{
	uint32_t cp;
	size_t n;
	bool ok;

	for (; len; s += n, len -= n) {
		n = next_char(s, len, &cp, &ok);
		if (!ok)
			b_buf_adds(out, "\xEF\xBF\xBD");
		else if (cp == '"' || cp == '\\')
			b_buf_printf(out, "\\%c", (char)cp);
		else if (cp == '\n')
			b_buf_adds(out, "\\n");
		else if (cp == '\r')
			b_buf_adds(out, "\\r");
		else if (cp == '\t')
			b_buf_adds(out, "\\t");
		else if (is_control(cp) || cp == 0x2028 || cp == 0x2029)
			b_buf_printf(out, "\\u%04x", (unsigned)cp);
		else
			b_buf_add(out, s, n);
	}
}

void b_escape_xml(struct b_buf *out, const char *s, size_t len)
{
	uint32_t cp;
	size_t n;
	bool ok;

	for (; len; s += n, len -= n) {
		n = next_char(s, len, &cp, &ok);
		if (!ok || (is_control(cp) && cp != '\n' && cp != '\t' && cp != '\r') ||
			cp == 0xFFFE || cp == 0xFFFF)
			b_buf_adds(out, "\xEF\xBF\xBD");
		else if (cp == '&')
			b_buf_adds(out, "&amp;");
		else if (cp == '<')
			b_buf_adds(out, "&lt;");
		else if (cp == '>')
			b_buf_adds(out, "&gt;");
		else if (cp == '"')
			b_buf_adds(out, "&quot;");
		else if (cp == '\'')
			b_buf_adds(out, "&#39;");
		else
			b_buf_add(out, s, n);
	}
}

void b_escape_lua(struct b_buf *out, const char *s, size_t len)
{
	uint32_t cp;
	size_t n;
	bool ok;

	b_buf_addc(out, '"');
	for (; len; s += n, len -= n) {
		n = next_char(s, len, &cp, &ok);
		if (ok && (cp == '"' || cp == '\\'))
			b_buf_printf(out, "\\%c", (char)cp);
		else if (ok && cp == '\n')
			b_buf_adds(out, "\\n");
		else if (ok && cp == '\r')
			b_buf_adds(out, "\\r");
		else if (ok && cp == '\t')
			b_buf_adds(out, "\\t");
		else if (ok && !is_control(cp) && !is_deceptive(cp))
			b_buf_add(out, s, n);
		else
			for (size_t i = 0; i < n; i++)
				b_buf_printf(out, "\\%03u", (unsigned)(unsigned char)s[i]);
	}
	b_buf_addc(out, '"');
}

void b_escape_csv(struct b_buf *out, const char *s, size_t len)
{
	struct b_buf text = B_BUF_INIT;

	b_escape_text(&text, s, len);
	if (text.len && strpbrk(b_buf_cstr(&text), ",\"")) {
		b_buf_addc(out, '"');
		for (size_t i = 0; i < text.len; i++) {
			if (text.data[i] == '"')
				b_buf_addc(out, '"');
			b_buf_addc(out, text.data[i]);
		}
		b_buf_addc(out, '"');
	} else {
		b_buf_add(out, text.data, text.len);
	}
	b_buf_release(&text);
}
