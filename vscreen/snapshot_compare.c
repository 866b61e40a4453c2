#include <string.h>

#include "base/mem.h"
#include "vscreen/snapshot_data.h"
#include "base/banned.h"

struct comparison {
	const struct vs_snapshot *g;
	const struct vs_screen *s;
	const struct vs_snapshot_options *opt;
	struct b_buf *diff;
	int cols;
	struct vs_items expected, actual;
	char *marks; /* a char a column */
	struct b_buf attrs;
};

/* Ends a line, without blanks at its end. */
static void end_line(struct b_buf *b)
{
	while (b->len && b->data[b->len - 1] == ' ')
		b_buf_truncate(b, b->len - 1);
	b_buf_addc(b, '\n');
}

static void show(struct b_buf *out, const char *what, char edge, const struct b_buf *text)
{
	b_buf_printf(out, "  %-8s %c", what, edge);
	b_buf_add(out, text->data, text->len);
	if (edge == '|')
		b_buf_addc(out, edge);
	b_buf_addc(out, '\n');
}

/* The row as it was expected and as it is, with the cells that differ marked below. */
static void show_row(const struct comparison *c, int row)
{
	struct b_buf expected = B_BUF_INIT, text = B_BUF_INIT, below = B_BUF_INIT;

	for (size_t i = 0; i < c->expected.n; i++)
		vs_items_write(&c->expected, i, &expected);
	for (size_t i = 0; i < c->actual.n; i++) {
		const struct vs_item *item = &c->actual.at[i];
		bool differs = memchr(c->marks + item->col, '^', (size_t)item->width) != NULL;

		for (int n = vs_items_write(&c->actual, i, &text); n > 0; n--)
			b_buf_addc(&below, differs ? '^' : ' ');
	}
	b_buf_printf(c->diff, "row %d:\n", row + 1);
	show(c->diff, "expected", '|', &expected);
	show(c->diff, "actual", '|', &text);
	b_buf_printf(c->diff, "%12s", "");
	b_buf_add(c->diff, below.data, below.len);
	end_line(c->diff);
	b_buf_release(&expected);
	b_buf_release(&text);
	b_buf_release(&below);
}

/* Sets '^' for the columns that either side masks; a word in a row may move the expected ones. */
static void masked_columns(const struct comparison *c, char *masked)
{
	int at = 0;

	memset(masked, ' ', (size_t)c->cols);
	for (size_t i = 0; i < c->expected.n && at < c->cols; i++) {
		if (c->expected.at[i].kind == VS_ITEM_FILLER)
			masked[at] = '^';
		at += c->expected.at[i].width;
	}
	for (size_t i = 0; i < c->actual.n; i++)
		if (c->actual.at[i].kind == VS_ITEM_FILLER)
			masked[c->actual.at[i].col] = '^';
}

static char letter(const struct b_buf *attrs, int col)
{
	return (size_t)col < attrs->len ? attrs->data[col] : ' ';
}

static bool attrs_differ(struct comparison *c, int row)
{
	const struct b_buf *expected = &c->g->row[row].attrs;
	bool differ = false;

	b_buf_clear(&c->attrs);
	vs_snapshot_attrs(c->s, row, &c->actual, &c->attrs);
	masked_columns(c, c->marks);
	for (int col = 0; col < c->cols; col++) {
		bool other =
			letter(expected, col) != letter(&c->attrs, col) && c->marks[col] == ' ';

		c->marks[col] = other ? '^' : ' ';
		differ = differ || other;
	}
	return differ;
}

static void show_attrs(const struct comparison *c, int row)
{
	const struct b_buf *expected = &c->g->row[row].attrs;

	b_buf_printf(c->diff, "row %d, attributes:\n", row + 1);
	show(c->diff, "expected", ':', expected);
	show(c->diff, "actual", ':', &c->attrs);
	b_buf_printf(c->diff, "%12s", "");
	b_buf_add(c->diff, c->marks, (size_t)c->cols);
	end_line(c->diff);
}

/* Returns 1 when the row differs. */
static int compare_row(struct comparison *c, int row)
{
	const struct b_buf *text = &c->g->row[row].text;
	int differs = 0;

	vs_items_of_screen(&c->actual, c->s, row, c->opt->masks, c->opt->n_masks);
	B_BUG_ON(vs_items_parse(&c->expected, text->data, text->len, NULL)); /* it was once */
	if (!vs_items_match(&c->expected, &c->actual, c->marks, c->cols)) {
		show_row(c, row);
		differs = 1;
	}
	if (c->opt->attrs && c->g->attrs && attrs_differ(c, row)) {
		show_attrs(c, row);
		differs = 1;
	}
	return differs;
}

static void add_cursor(bool visible, int row, int col, struct b_buf *out)
{
	if (visible)
		b_buf_printf(out, "row %d, column %d", row + 1, col + 1);
	else
		b_buf_adds(out, "hidden");
}

static int compare_cursor(const struct comparison *c)
{
	const struct vs_snapshot *g = c->g;
	bool visible = vs_screen_cursor_visible(c->s);
	int row, col;

	vs_screen_cursor(c->s, &row, &col);
	if (visible == g->cursor_visible &&
		(!visible || (row == g->cursor_row && col == g->cursor_col)))
		return 0;
	b_buf_adds(c->diff, "cursor: expected ");
	add_cursor(g->cursor_visible, g->cursor_row, g->cursor_col, c->diff);
	b_buf_adds(c->diff, ", actual ");
	add_cursor(visible, row, col, c->diff);
	b_buf_addc(c->diff, '\n');
	return 1;
}

int vs_snapshot_compare(const struct vs_snapshot *g, const struct vs_screen *s,
	const struct vs_snapshot_options *opt, struct b_buf *diff)
{
	struct comparison c = { .g = g,
		.s = s,
		.opt = opt,
		.diff = diff,
		.cols = vs_screen_cols(s),
		.expected = VS_ITEMS_INIT };
	struct b_buf marks = B_BUF_INIT;
	int rows = vs_screen_rows(s), n = 0;

	if (rows != g->rows || c.cols != g->cols) {
		b_buf_printf(diff, "size: expected %dx%d, actual %dx%d\n", g->cols, g->rows, c.cols,
			rows);
		n++;
	}
	b_buf_reserve(&marks, (size_t)c.cols);
	c.marks = marks.data;
	for (int row = 0; row < rows && row < g->rows; row++)
		n += compare_row(&c, row);
	if (opt->cursor && g->cursor)
		n += compare_cursor(&c);
	b_buf_release(&marks);
	b_buf_release(&c.attrs);
	vs_items_release(&c.expected);
	vs_items_release(&c.actual);
	return n;
}
