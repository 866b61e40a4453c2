/*
 * sessiondiff - whether two traces hold the same session.
 *
 *   sessiondiff [-m ROW,COL,ROWS,COLS]... RECORDED.cast REPLAYED.cast
 *
 * Compares the keys (answers to queries and focus reports are none), and the screen on which the
 * person last rested before the end, with dates, times, ticking cells and the rectangles of -m left aside.
 * Exit status: 0 the same, 1 not, with what differs on standard error; 2 a trace cannot be read.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "capture/emit.h"
#include "capture/steps.h"
#include "capture/trace.h"
#include "base/banned.h"

struct side {
	const char *path;
	struct cap_trace *trace;
	struct cap_session *s;
	struct b_buf keys;
};

static int side_load(struct side *side, const char *path)
{
	struct b_error err = { 0 };
	int rc = cap_trace_load(&side->trace, path, &err);

	side->path = path;
	if (!rc)
		rc = cap_session_new(&side->s, side->trace, &err);
	if (rc) {
		fprintf(stderr, "sessiondiff: %s\n", err.text);
		return rc;
	}
	for (size_t i = 0; i < side->s->n_items; i++) {
		const struct cap_item *it = &side->s->item[i];

		if (it->kind == CAP_KEY)
			b_buf_add(&side->keys, it->bytes, it->len);
		else if (it->kind == CAP_SECRET)
			b_buf_printf(&side->keys, "<secret %s>", it->label);
	}
	return 0;
}

static void side_release(struct side *side)
{
	cap_session_free(side->s);
	cap_trace_free(side->trace);
	b_buf_release(&side->keys);
}

/* So soon after each other keys come faster than their echo. */
#define FAST_NS (100 * 1000000LL)

/* The item before which the person last rested: that many keys from the end of both sessions. */
static size_t last_rest(const struct cap_session *s)
{
	size_t keys = 0;
	int64_t next_ns = INT64_MAX;

	for (size_t i = s->n_items; i-- > 1;) {
		const struct cap_item *it = &s->item[i];

		if (it->kind != CAP_KEY)
			continue;
		if (keys && next_ns - it->at_ns >= FAST_NS)
			break;
		keys++;
		next_ns = it->at_ns;
	}
	return keys;
}

static const struct cap_item *item_from_end(const struct cap_session *s, size_t keys)
{
	for (size_t i = s->n_items; keys && i-- > 1;)
		if (s->item[i].kind == CAP_KEY && !--keys)
			return &s->item[i];
	return NULL;
}

static int keys_compare(const struct side *a, const struct side *b)
{
	struct b_buf x = B_BUF_INIT, y = B_BUF_INIT;
	int rc = a->keys.len != b->keys.len ||
		(a->keys.len && memcmp(a->keys.data, b->keys.data, a->keys.len) != 0);

	if (rc) {
		b_escape_text(&x, a->keys.data, a->keys.len);
		b_escape_text(&y, b->keys.data, b->keys.len);
		fprintf(stderr, "keys differ:\n  %s: %s\n  %s: %s\n", a->path, b_buf_cstr(&x),
			b->path, b_buf_cstr(&y));
	}
	b_buf_release(&x);
	b_buf_release(&y);
	return rc;
}

static void cells_mask(
	unsigned char *map, const struct cap_frame *f, const struct vs_rect *r, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (int row = r[i].row; row < r[i].row + r[i].rows && row < f->rows; row++)
			for (int col = r[i].col; col < r[i].col + r[i].cols && col < f->cols; col++)
				map[row * f->cols + col] = 1;
}

static void side_mask(unsigned char *map, const struct side *side, const struct cap_item *it)
{
	struct cap_plan plan = { .s = side->s };
	struct cap_emit e = { .plan = &plan };
	struct vs_rect rect[CAP_MASKS_MAX];

	cells_mask(map, it->before, rect, cap_masks_find(&e, it, rect, CAP_MASKS_MAX));
}

static int screens_compare(
	const struct side *a, const struct side *b, const struct vs_rect *masks, size_t n_masks)
{
	size_t keys = last_rest(a->s);
	const struct cap_item *x = item_from_end(a->s, keys), *y = item_from_end(b->s, keys);
	const struct cap_frame *f, *g;
	unsigned char *map;
	int rc = 0;

	if (!x || !y)
		return 0;
	f = x->before;
	g = y->before;
	if (f->rows != g->rows || f->cols != g->cols) {
		fprintf(stderr, "the last screens are %dx%d and %dx%d\n", f->cols, f->rows, g->cols,
			g->rows);
		return 1;
	}
	map = b_calloc((size_t)f->rows, (size_t)f->cols);
	cells_mask(map, f, masks, n_masks);
	side_mask(map, a, x);
	side_mask(map, b, y);
	for (int row = 0; row < f->rows; row++) {
		struct b_buf p = B_BUF_INIT, q = B_BUF_INIT;
		bool same = true;

		for (int col = 0; col < f->cols; col++)
			same = same &&
				(map[row * f->cols + col] || cap_frame_same_text(f, g, row, col));
		if (!same) {
			cap_frame_text(f, row, 0, f->cols, &p);
			cap_frame_text(g, row, 0, f->cols, &q);
			fprintf(stderr, "row %d of the last screen differs:\n  |%s|\n  |%s|\n",
				row + 1, b_buf_cstr(&p), b_buf_cstr(&q));
			rc = 1;
		}
		b_buf_release(&p);
		b_buf_release(&q);
	}
	free(map);
	return rc;
}

int main(int argc, char **argv)
{
	struct vs_rect masks[32];
	struct side a = { 0 }, b = { 0 };
	size_t n = 0;
	int c, rc;

	while ((c = getopt(argc, argv, "m:")) != -1) {
		struct vs_rect *m = &masks[n];

		if (c != 'm' || n == B_ARRAY_LEN(masks) ||
			sscanf(optarg, "%d,%d,%d,%d", &m->row, &m->col, &m->rows, &m->cols) != 4)
			return 2;
		m->row--;
		m->col--;
		n++;
	}
	if (argc - optind != 2 || side_load(&a, argv[optind]) || side_load(&b, argv[optind + 1]))
		return 2;
	rc = keys_compare(&a, &b) | screens_compare(&a, &b, masks, n);
	side_release(&a);
	side_release(&b);
	return rc;
}
