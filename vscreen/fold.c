#include "vscreen/fold.h"

#include <utf8proc.h>

#include "base/utf8.h"
#include "vscreen/compose.h"
#include "vscreen/state.h"
#include "vscreen/width.h"
#include "base/banned.h"

#define CELL_CHARS 8  /* of vs_cell */
#define PARTS_MAX  32 /* a character comes apart into four at most */

static bool is_selector(uint32_t cp)
{
	return (cp >= 0xFE00 && cp <= 0xFE0F) || (cp >= 0xE0100 && cp <= 0xE01EF);
}

/* Whether cp stays as it is in every form. */
static bool is_plain(uint32_t cp)
{
	const utf8proc_property_t *p;

	if (cp < 0xC0 || (cp >= 0x2500 && cp <= 0x25FF)) /* lines and blocks are met often */
		return true;
	if ((cp >= 0xAC00 && cp <= 0xD7A3) || is_selector(cp) || vs_is_format(cp))
		return false;
	p = utf8proc_get_property((utf8proc_int32_t)cp);
	return p->decomp_seqindex == UINT16_MAX && !p->combining_class && vs_width(cp) != 0;
}

bool vs_fold_needed(const char *text, size_t len)
{
	uint32_t cp;
	size_t n;

	for (; len; text += n, len -= n) {
		n = 1;
		if (!(*text & 0x80))
			continue;
		n = b_utf8_decode(text, len, &cp);
		if (!n || !is_plain(cp))
			return true;
	}
	return false;
}

static void add(struct b_buf *out, uint32_t cp)
{
	char utf8[4];

	b_buf_add(out, utf8, b_utf8_encode(cp, utf8));
}

void vs_fold_cell(const uint32_t *chars, int n, enum vs_form form, struct b_buf *out)
{
	struct b_buf text = B_BUF_INIT;
	utf8proc_int32_t parts[PARTS_MAX];
	utf8proc_ssize_t len;

	if (n == 1 && is_plain(chars[0])) {
		add(out, chars[0]);
		return;
	}
	for (int i = 0; i < n && i < CELL_CHARS && chars[i]; i++)
		if (!is_selector(chars[i]))
			add(&text, chars[i]);
	len = utf8proc_decompose((const utf8proc_uint8_t *)b_buf_cstr(&text),
		(utf8proc_ssize_t)text.len, parts, PARTS_MAX, UTF8PROC_DECOMPOSE);
	/* What utf8proc refuses stays as it is. */
	if (len < 0 || len > PARTS_MAX) {
		b_buf_add(out, text.data, text.len);
		b_buf_release(&text);
		return;
	}
	if (form == VS_FORM_PATTERN)
		len = utf8proc_normalize_utf32(parts, len, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
	for (utf8proc_ssize_t i = 0; i < len; i++)
		add(out, (uint32_t)parts[i]);
	b_buf_release(&text);
}

/* Takes one character off the text; *n its length. Bytes that are no UTF-8 give false. */
static bool next_char(const char *text, size_t len, uint32_t *cp, size_t *n)
{
	*n = b_utf8_decode(text, len, cp);
	if (!*n)
		*n = len;
	return b_utf8_valid(text, *n);
}

void vs_fold_text(const char *text, size_t len, enum vs_form form, struct b_buf *out)
{
	struct vs_cluster cell = { { 0 } };
	uint32_t cp;
	size_t n;

	if (!vs_fold_needed(text, len)) {
		b_buf_add(out, text, len);
		return;
	}
	for (; len; text += n, len -= n) {
		bool valid = next_char(text, len, &cp, &n);

		if (valid && vs_is_format(cp))
			continue;
		if (valid && cell.chars[0] && vs_width(cp) == 0) {
			vs_compose_join(&cell, cp, vs_width(cell.chars[0]));
			continue;
		}
		vs_fold_cell(cell.chars, cell.chars[0] ? VS_MARKS_MAX + 1 : 0, form, out);
		cell = (struct vs_cluster){ { valid ? cp : 0 } };
		if (!valid || !cp) /* compared as they stand: on no screen */
			b_buf_add(out, text, n);
	}
	vs_fold_cell(cell.chars, cell.chars[0] ? VS_MARKS_MAX + 1 : 0, form, out);
}
