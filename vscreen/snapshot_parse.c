#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "vscreen/snapshot_data.h"
#include "base/banned.h"

struct parser {
	struct vs_snapshot *g;
	int line;      /* from 1 */
	int rows;      /* that were read */
	bool overlaid; /* the row above has its overlay */
	struct b_buf notes;
	struct vs_items items;
	struct b_error *err;
};

static bool starts(const char *s, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(s, with, strlen(with));
}

/* The next word of (*s, *len), in out; false when there is none or it is too long. */
static bool next_word(const char **s, size_t *len, char out[16])
{
	size_t n = 0;

	while (*len && **s == ' ') {
		++*s;
		--*len;
	}
	while (n < *len && (*s)[n] != ' ')
		n++;
	if (!n || n > 15)
		return false;
	memcpy(out, *s, n);
	out[n] = '\0';
	*s += n;
	*len -= n;
	return true;
}

/* rte-golden 1 80x24 [attributes] */
static int parse_head(struct parser *p, const char *s, size_t len)
{
	struct vs_snapshot *g = p->g;
	char word[16];

	if (!next_word(&s, &len, word) || strcmp(word, VS_GOLDEN_MAGIC))
		return b_error_set(p->err, B_EINPUT,
			"the first line is not \"" VS_GOLDEN_MAGIC
			" 1 COLSxROWS\", so this is no golden screen");
	if (!next_word(&s, &len, word) || strcmp(word, "1"))
		return b_error_set(p->err, B_EINPUT,
			"this version of the format is not known; write the golden screen anew");
	if (!next_word(&s, &len, word) || b_parse_size(word, &g->cols, &g->rows))
		return b_error_set(p->err, B_EINPUT, "no size COLSxROWS, each 1 to 1000, as 80x24");
	while (next_word(&s, &len, word)) {
		if (strcmp(word, "attributes"))
			return b_error_set(p->err, B_EINPUT,
				"\"%s\" is not known here; only \"attributes\" is", word);
		g->attrs = true;
	}
	if (len)
		return b_error_set(
			p->err, B_EINPUT, "cannot be read from \"%.*s\" on", (int)len, s);
	g->row = b_calloc((size_t)g->rows, sizeof(*g->row));
	return 0;
}

static int parse_row(struct parser *p, const char *s, size_t len)
{
	struct vs_golden_row *row;

	if (p->rows == p->g->rows)
		return b_error_set(
			p->err, B_EINPUT, "more than the %d rows of the screen", p->g->rows);
	if (len < 2 || s[len - 1] != '|')
		return b_error_set(p->err, B_EINPUT, "the row has no bar at its end");
	if (vs_items_parse(&p->items, s + 1, len - 2, p->err))
		return B_EINPUT;
	row = &p->g->row[p->rows++];
	b_buf_add(&row->text, s + 1, len - 2);
	row->notes = p->notes;
	p->notes = (struct b_buf)B_BUF_INIT;
	p->overlaid = false;
	return 0;
}

static int parse_overlay(struct parser *p, const char *s, size_t len)
{
	struct vs_golden_row *row;

	if (!p->rows || p->overlaid || p->notes.len)
		return b_error_set(
			p->err, B_EINPUT, "attributes stand right below their row, in one line");
	if (!p->g->attrs)
		return b_error_set(p->err, B_EINPUT,
			"attributes, but the first line does not end with \"attributes\"");
	while (len > 1 && s[len - 1] == ' ')
		len--;
	if (len - 1 > (size_t)p->g->cols)
		return b_error_set(p->err, B_EINPUT, "more attributes than columns");
	row = &p->g->row[p->rows - 1];
	for (size_t i = 1; i < len; i++) {
		if (!memchr(" .burBRxX", s[i], 9))
			return b_error_set(p->err, B_EINPUT,
				"\"%.1s\" is no attribute; they are b, u, r, B, R, x, X and a blank",
				s + i);
		b_buf_addc(&row->attrs, s[i] == '.' ? ' ' : s[i]);
	}
	p->overlaid = true;
	return 0;
}

/* cursor ROW COL, or cursor hidden */
static int parse_cursor(struct parser *p, const char *s, size_t len)
{
	char word[16];
	int64_t row, col;

	if (p->g->cursor)
		return b_error_set(p->err, B_EINPUT, "a second cursor");
	p->g->cursor = true;
	if (!next_word(&s, &len, word) || !next_word(&s, &len, word))
		return b_error_set(p->err, B_EINPUT,
			"the cursor's line is \"cursor ROW COL\" or \"cursor hidden\"");
	if (!strcmp(word, "hidden") && !len)
		return 0;
	if (b_parse_int(word, 1, p->g->rows, &row) || !next_word(&s, &len, word) ||
		b_parse_int(word, 1, p->g->cols, &col) || len)
		return b_error_set(p->err, B_EINPUT,
			"the cursor's line is \"cursor ROW COL\", on the screen and from 1, or \"cursor hidden\"");
	p->g->cursor_visible = true;
	p->g->cursor_row = (int)row - 1;
	p->g->cursor_col = (int)col - 1;
	return 0;
}

static int parse_note(struct parser *p, const char *s, size_t len)
{
	bool plain = b_utf8_valid(s, len);
	uint32_t cp;

	for (size_t i = 0; plain && i < len; i += b_utf8_decode(s + i, len - i, &cp)) {
		b_utf8_decode(s + i, len - i, &cp);
		plain = (cp >= 0x20 || cp == '\t') && (cp < 0x7F || cp >= 0xA0);
	}
	if (!plain)
		return b_error_set(
			p->err, B_EINPUT, "the note holds a control character or is not UTF-8");
	b_buf_add(&p->notes, s, len);
	b_buf_addc(&p->notes, '\n');
	return 0;
}

static int parse_line(struct parser *p, const char *s, size_t len)
{
	if (p->line == 1)
		return parse_head(p, s, len);
	if (!len)
		return 0;
	if (*s == '#')
		return parse_note(p, s, len);
	if (*s == '|')
		return parse_row(p, s, len);
	if (*s == ':')
		return parse_overlay(p, s, len);
	if (starts(s, len, "cursor "))
		return parse_cursor(p, s, len);
	return b_error_set(p->err, B_EINPUT,
		"cannot be read: a line is |a row|, :attributes, cursor ROW COL or # a note");
}

static int parse(struct parser *p, const char *text, size_t len)
{
	while (len || !p->line) {
		const char *end = len ? memchr(text, '\n', len) : NULL;
		size_t n = end ? (size_t)(end - text) : len, line = n;
		int rc;

		if (line && text[line - 1] == '\r')
			line--;
		p->line++;
		rc = parse_line(p, text, line);
		if (rc)
			return rc;
		n += end != NULL;
		text += n;
		len -= n;
	}
	if (p->rows < p->g->rows)
		return b_error_set(
			p->err, B_EINPUT, "ends after %d of the %d rows", p->rows, p->g->rows);
	p->g->notes = p->notes;
	p->notes = (struct b_buf)B_BUF_INIT;
	return 0;
}

int vs_snapshot_parse(struct vs_snapshot **out, const char *text, size_t len, struct b_error *err)
{
	struct parser p = { .g = b_calloc(1, sizeof(struct vs_snapshot)), .err = err };
	int rc = parse(&p, text, len);

	vs_items_release(&p.items);
	b_buf_release(&p.notes);
	if (rc) {
		b_error_prefix(err, "line %d", p.line);
		vs_snapshot_free(p.g);
		return rc;
	}
	*out = p.g;
	return 0;
}

void vs_snapshot_free(struct vs_snapshot *g)
{
	if (!g)
		return;
	for (int i = 0; g->row && i < g->rows; i++) {
		b_buf_release(&g->row[i].notes);
		b_buf_release(&g->row[i].text);
		b_buf_release(&g->row[i].attrs);
	}
	free(g->row);
	b_buf_release(&g->notes);
	free(g);
}

void vs_snapshot_size(const struct vs_snapshot *g, int *rows, int *cols)
{
	*rows = g->rows;
	*cols = g->cols;
}

bool vs_snapshot_has_attrs(const struct vs_snapshot *g)
{
	return g->attrs;
}
