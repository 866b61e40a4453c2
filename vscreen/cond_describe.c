#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/parse.h"
#include "vscreen/cond.h"
#include "base/banned.h"

static void add_attrs(uint16_t attrs, struct b_buf *out)
{
	static const char *const names[] = { "bold", "faint", "italic", "underlined", "blinking",
		"reverse", "concealed", "struck", "overlined", "protected" };

	for (size_t i = 0; i < B_ARRAY_LEN(names); i++)
		if (attrs & (1u << i))
			b_buf_printf(out, "%s ", names[i]);
}

static void add_quoted(const struct vs_cond *c, struct b_buf *out)
{
	b_buf_addc(out, '"');
	b_escape_text(out, c->text ? c->text : "", c->text_len);
	b_buf_addc(out, '"');
}

/* " in row 12, columns 3 to 10": from 1, both ends included. */
static void add_range(const char *what, int at, int n, struct b_buf *out)
{
	long long from = at + 1LL;

	if (n == 1)
		b_buf_printf(out, "%s %lld", what, from);
	else if (n < 0)
		b_buf_printf(out, "%ss from %lld on", what, from);
	else
		b_buf_printf(out, "%ss %lld to %lld", what, from, from + n - 1);
}

static void add_region(const struct vs_cond *c, struct b_buf *out)
{
	bool by_row = c->row >= 0 || c->rows >= 0, by_col = c->col >= 0 || c->cols >= 0;

	if (by_row || by_col)
		b_buf_adds(out, " in ");
	if (by_row)
		add_range("row", c->row < 0 ? 0 : c->row, c->rows < 0 ? 1 : c->rows, out);
	if (by_row && by_col)
		b_buf_adds(out, ", ");
	if (by_col)
		add_range("column", c->col < 0 ? 0 : c->col, c->cols, out);
}

static void add_cursor(const struct vs_cond *c, struct b_buf *out)
{
	b_buf_adds(out, c->row < 0 && c->col < 0 ? "the cursor moved" : "cursor at");
	if (c->row >= 0)
		b_buf_printf(out, " row %lld", c->row + 1LL);
	if (c->row >= 0 && c->col >= 0)
		b_buf_addc(out, ',');
	if (c->col >= 0)
		b_buf_printf(out, " column %lld", c->col + 1LL);
}

static void add_parts(const struct vs_cond *c, struct b_buf *out)
{
	if (c->n_parts == 1) {
		vs_cond_describe(c->parts[0], out);
		return;
	}
	b_buf_adds(out, c->kind == VS_COND_ANY ? "any of (" : "all of (");
	for (size_t i = 0; i < c->n_parts; i++) {
		if (i)
			b_buf_adds(out, "; ");
		vs_cond_describe(c->parts[i], out);
	}
	b_buf_addc(out, ')');
}

void vs_cond_describe(const struct vs_cond *c, struct b_buf *out)
{
	switch (c->kind) {
	case VS_COND_TEXT:
	case VS_COND_MATCH:
	case VS_COND_ATTR:
		if (c->gone)
			b_buf_adds(out, "no ");
		add_attrs(c->attrs, out);
		if (c->kind == VS_COND_MATCH)
			b_buf_adds(out, "match of ");
		if (c->text)
			add_quoted(c, out);
		else
			b_buf_adds(out, "cell");
		add_region(c, out);
		break;
	case VS_COND_CURSOR: add_cursor(c, out); break;
	case VS_COND_QUIET:
		b_buf_adds(out, "no change for ");
		b_format_duration(out, c->quiet_ns);
		break;
	case VS_COND_EOF: b_buf_adds(out, "the end of the line"); break;
	case VS_COND_STREAM:
		b_buf_adds(out, "output that matches ");
		add_quoted(c, out);
		break;
	case VS_COND_ANY:
	case VS_COND_ALL: add_parts(c, out); break;
	}
}
