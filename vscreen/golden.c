#include "vscreen/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/mask.h"
#include "vscreen/width.h"
#include "base/banned.h"

static const struct {
	const char *name;
	enum vs_item_kind kind;
} words[] = {
	{ "date", VS_ITEM_DATE },
	{ "time", VS_ITEM_TIME },
	{ "number", VS_ITEM_NUMBER },
	{ "any", VS_ITEM_ANY },
};

void vs_items_release(struct vs_items *items)
{
	free(items->at);
	*items = (struct vs_items)VS_ITEMS_INIT;
}

static struct vs_item *add(struct vs_items *items, enum vs_item_kind kind, int width)
{
	if (items->n == items->cap) {
		items->cap = items->cap ? items->cap * 2 : 128;
		items->at = b_reallocarray(items->at, items->cap, sizeof(*items->at));
	}
	items->at[items->n] = (struct vs_item){ .kind = kind, .width = width };
	return &items->at[items->n++];
}

/* Appends to an item's text what fits. */
static void add_text(struct vs_item *item, uint32_t cp)
{
	size_t len = strlen(item->text);

	if (len + 4 < sizeof(item->text))
		item->text[len + b_utf8_encode(cp, item->text + len)] = '\0';
}

/* ---- From a screen ------------------------------------------------------------------------ */

void vs_items_of_screen(struct vs_items *out, const struct vs_screen *s, int row,
	const struct vs_rect *masks, size_t n_masks)
{
	uint64_t bits[VS_MASK_WORDS];
	int cols = vs_screen_cols(s);
	bool any = vs_mask_row(bits, row, cols, masks, n_masks);

	out->n = 0;
	for (int col = 0, width; col < cols; col += width) {
		struct vs_cell cell;
		struct vs_item *item;
		bool masked = false, none;

		vs_screen_cell(s, row, col, &cell);
		/* Half a wide character is none that a file could hold in one column. */
		none = !cell.width || !cell.chars[0] ||
			(cell.width == 1 && vs_width(cell.chars[0]) == 2);
		width = cell.width > 1 && col + 1 < cols ? 2 : 1;
		for (int i = 0; any && i < width; i++)
			masked = masked || vs_mask_has(bits, col + i);
		for (int i = 0; masked && i < width; i++)
			add(out, VS_ITEM_FILLER, 1)->col = col + i;
		if (masked)
			continue;
		item = add(out, VS_ITEM_CELL, width);
		item->col = col;
		if (none)
			item->text[0] = ' ';
		for (int i = 0; !none && i < 8 && cell.chars[i]; i++)
			add_text(item, cell.chars[i]);
	}
}

/* What a word in braces is made of, {U+HHHH} included. */
static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '+';
}

/* ---- As text -------------------------------------------------------------------------------- */

/* What a person does not see in a row, or what changes how the rest of it looks. */
static bool is_hidden(uint32_t cp)
{
	return vs_width(cp) <= 0 || cp == 0xA0 || cp == 0xAD || (cp >= 0x2000 && cp <= 0x200F) ||
		(cp >= 0x2028 && cp <= 0x202F) || (cp >= 0x205F && cp <= 0x206F) || cp == 0xFEFF ||
		(cp >= 0xFFF9 && cp <= 0xFFFB) || (cp & 0xFFFE) == 0xFFFE || cp >= 0xE0000;
}

/* Whether a cell's first character, cp, is written as {U+HHHH}. */
static bool is_coded(const struct vs_item *item, uint32_t cp)
{
	return is_hidden(cp) || !strncmp(item->text, VS_FILLER, strlen(VS_FILLER));
}

/* Whether an item's text begins with a brace when it is written. */
static bool begins_with_brace(const struct vs_item *item)
{
	uint32_t cp;

	if (item->kind == VS_ITEM_FILLER)
		return false;
	if (item->kind != VS_ITEM_CELL || item->text[0] == '{')
		return true;
	b_utf8_decode(item->text, strlen(item->text), &cp);
	return is_coded(item, cp);
}

/* Whether a brace is followed by what would make it one of ours: another, or WORD}. */
static bool is_taken(const struct vs_items *items, size_t i)
{
	size_t k = i + 1;

	if (k < items->n && begins_with_brace(&items->at[k]))
		return true;
	while (k < items->n && items->at[k].kind == VS_ITEM_CELL && !items->at[k].text[1] &&
		is_word_char(items->at[k].text[0]))
		k++;
	return k > i + 1 && k < items->n && items->at[k].text[0] == '}';
}

int vs_items_write(const struct vs_items *items, size_t i, struct b_buf *out)
{
	const struct vs_item *item = &items->at[i];
	size_t first, before = out->len;
	uint32_t cp;

	if (item->kind == VS_ITEM_FILLER) {
		b_buf_adds(out, VS_FILLER);
		return 1;
	}
	for (size_t w = 0; w < B_ARRAY_LEN(words); w++) {
		if (item->kind != words[w].kind)
			continue;
		b_buf_printf(out, "{%s}", words[w].name);
		return (int)(out->len - before);
	}
	first = b_utf8_decode(item->text, strlen(item->text), &cp);
	if (cp == '{' && is_taken(items, i)) {
		b_buf_adds(out, "{{");
		b_buf_adds(out, item->text + first);
		return 2;
	}
	if (is_coded(item, cp)) {
		b_buf_printf(out, "{U+%04X}", (unsigned)cp);
		before = out->len - before;
		b_buf_adds(out, item->text + first);
		return (int)before;
	}
	b_buf_adds(out, item->text);
	return item->width;
}

/* ---- From text ------------------------------------------------------------------------------ */

/* "U+HHHH" of 4 to 6 digits; false when it is no such thing. */
static bool code_point(const char *s, size_t len, uint32_t *cp)
{
	uint32_t v = 0;

	if (len < 6 || len > 8 || s[0] != 'U' || s[1] != '+')
		return false;
	for (size_t i = 2; i < len; i++) {
		const char *digits = "0123456789ABCDEF", *at = strchr(digits, s[i]);

		if (!s[i] || !at)
			return false;
		v = v * 16 + (uint32_t)(at - digits);
	}
	if (v < 0x20 || v > 0x10FFFF || (v >= 0xD800 && v < 0xE000))
		return false;
	*cp = v;
	return true;
}

/* What follows a brace. Returns how much of it the brace takes: {x is a brace and an x. */
static int parse_brace(struct vs_items *out, const char *s, size_t len, struct b_error *err)
{
	size_t n = 0;
	uint32_t cp;

	while (n < len && is_word_char(s[n]))
		n++;
	if (!n || n == len || s[n] != '}') {
		add_text(add(out, VS_ITEM_CELL, 1), '{');
		return len && s[0] == '{' ? 1 : 0;
	}
	for (size_t i = 0; i < B_ARRAY_LEN(words); i++) {
		if (n != strlen(words[i].name) || memcmp(s, words[i].name, n))
			continue;
		add(out, words[i].kind, 0);
		return (int)n + 1;
	}
	if (!code_point(s, n, &cp))
		return b_error_set(err, B_EINPUT,
			"{%.*s} is none of {date}, {time}, {number}, {any}, {U+HHHH}; write {{%.*s} for "
			"this text on the screen",
			(int)n, s, (int)n, s);
	add_text(add(out, VS_ITEM_CELL, vs_width(cp) == 2 ? 2 : 1), cp);
	return (int)n + 1;
}

static int parse_character(struct vs_items *out, const char *s, size_t len, struct b_error *err)
{
	struct vs_item *last = out->n ? &out->at[out->n - 1] : NULL;
	uint32_t cp;
	size_t n = b_utf8_decode(s, len, &cp);
	int width;

	if (!n || !b_utf8_valid(s, n))
		return b_error_set(err, B_EINPUT, "the row is not UTF-8");
	width = vs_width(cp);
	if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0))
		return b_error_set(err, B_EINPUT, "the row holds a control character");
	if (!strncmp(s, VS_FILLER, n) && n == strlen(VS_FILLER))
		add(out, VS_ITEM_FILLER, 1);
	else if (width == 0 && last && last->kind == VS_ITEM_CELL)
		add_text(last, cp); /* a mark belongs to what it stands on */
	else
		add_text(add(out, VS_ITEM_CELL, width == 2 ? 2 : 1), cp);
	return (int)n;
}

int vs_items_parse(struct vs_items *out, const char *text, size_t len, struct b_error *err)
{
	out->n = 0;
	while (len) {
		bool brace = *text == '{';
		int n = brace ? parse_brace(out, text + 1, len - 1, err)
			      : parse_character(out, text, len, err);

		if (n < 0)
			return n;
		text += n + brace;
		len -= (size_t)n + brace;
	}
	return 0;
}
