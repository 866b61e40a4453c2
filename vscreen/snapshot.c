#include <string.h>

#include "vscreen/snapshot_data.h"
#include "base/banned.h"

void vs_snapshot_attrs(
	const struct vs_screen *s, int row, const struct vs_items *items, struct b_buf *out)
{
	size_t from = out->len;

	vs_screen_row_attrs(s, row, out);
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '.')
			out->data[i] = ' ';
	for (size_t i = 0; i < items->n; i++)
		if (items->at[i].kind == VS_ITEM_FILLER)
			out->data[from + (size_t)items->at[i].col] = ' ';
	while (out->len > from && out->data[out->len - 1] == ' ')
		b_buf_truncate(out, out->len - 1);
}

static void write_items(const struct vs_items *items, struct b_buf *out)
{
	b_buf_addc(out, '|');
	for (size_t i = 0; i < items->n; i++)
		vs_items_write(items, i, out);
	b_buf_adds(out, "|\n");
}

static void write_cursor(const struct vs_screen *s, struct b_buf *out)
{
	int row, col;

	vs_screen_cursor(s, &row, &col);
	if (vs_screen_cursor_visible(s))
		b_buf_printf(out, "cursor %d %d\n", row + 1, col + 1);
	else
		b_buf_adds(out, "cursor hidden\n"); /* nobody sees where */
}

/* The row as g has it, when it says the same in its own words. */
static bool keep(const struct vs_snapshot *g, int row, const struct vs_items *items, int cols,
	struct b_buf *out)
{
	struct vs_items expected = VS_ITEMS_INIT;
	struct b_buf marks = B_BUF_INIT;
	bool same;

	if (!g || row >= g->rows)
		return false;
	b_buf_add(out, g->row[row].notes.data, g->row[row].notes.len);
	b_buf_reserve(&marks, (size_t)cols);
	same = !vs_items_parse(&expected, g->row[row].text.data, g->row[row].text.len, NULL) &&
		vs_items_match(&expected, items, marks.data, cols);
	if (same) {
		b_buf_addc(out, '|');
		b_buf_add(out, g->row[row].text.data, g->row[row].text.len);
		b_buf_adds(out, "|\n");
	}
	b_buf_release(&marks);
	vs_items_release(&expected);
	return same;
}

void vs_snapshot_update(const struct vs_snapshot *g, const struct vs_screen *s,
	const struct vs_snapshot_options *opt, struct b_buf *out)
{
	int rows = vs_screen_rows(s), cols = vs_screen_cols(s);
	struct vs_items items = VS_ITEMS_INIT;
	struct b_buf attrs = B_BUF_INIT;

	b_buf_printf(out, "%s %d %dx%d%s\n", VS_GOLDEN_MAGIC, VS_GOLDEN_VERSION, cols, rows,
		opt->attrs ? " attributes" : "");
	for (int row = 0; row < rows; row++) {
		vs_items_of_screen(&items, s, row, opt->masks, opt->n_masks);
		if (!keep(g, row, &items, cols, out))
			write_items(&items, out);
		if (!opt->attrs)
			continue;
		b_buf_clear(&attrs);
		vs_snapshot_attrs(s, row, &items, &attrs);
		if (attrs.len) {
			b_buf_addc(out, ':');
			b_buf_add(out, attrs.data, attrs.len);
			b_buf_addc(out, '\n');
		}
	}
	if (g)
		b_buf_add(out, g->notes.data, g->notes.len);
	if (opt->cursor)
		write_cursor(s, out);
	b_buf_release(&attrs);
	vs_items_release(&items);
}

void vs_snapshot_write(
	const struct vs_screen *s, const struct vs_snapshot_options *opt, struct b_buf *out)
{
	vs_snapshot_update(NULL, s, opt, out);
}
