#include <string.h>

#include "base/utf8.h"
#include "vscreen/cond.h"
#include "vscreen/cond_memo.h"
#include "vscreen/find.h"
#include "base/banned.h"

/* What is at hand while one condition is judged. */
struct judgement {
	const struct vs_cond_input *in;
	struct vs_rowtext row;
	bool hit;    /* something was found in the row at hand */
	bool within; /* a part of an `all`, for which old parts count too */
};

static enum vs_cond_state newness(const struct vs_cond *c, bool is_new)
{
	return is_new || c->already ? VS_COND_TRUE : VS_COND_STALE;
}

static void place(struct vs_cond_result *out, int row, int col, int cols)
{
	out->row = row;
	out->col = col;
	out->cols = cols;
}

/* The region that c asks for, clipped; false when nothing of it is on the screen. */
static bool region(const struct vs_cond *c, const struct vs_screen *s, struct vs_rect *r)
{
	r->row = c->row < 0 ? 0 : c->row;
	r->col = c->col < 0 ? 0 : c->col;
	r->rows = c->rows >= 0 ? c->rows : c->row >= 0 ? 1 : vs_screen_rows(s);
	r->cols = c->cols >= 0 ? c->cols : vs_screen_cols(s);
	return vs_rect_clip(s, r);
}

static bool have_attrs(const struct vs_screen *s, int row, int col, int cols, uint16_t attrs)
{
	struct vs_cell cell;

	for (int i = col; attrs && i < col + cols; i++) {
		vs_screen_cell(s, row, i, &cell);
		if ((cell.attrs & attrs) != attrs)
			return false;
	}
	return true;
}

/*
 * Counts an occurrence. The first one is kept, until one comes that was painted: that one
 * decides, and true says that no other need be looked for.
 */
static bool occurrence(struct judgement *j, const struct vs_cond *c, int row, int col, int cols,
	struct vs_cond_result *out)
{
	const struct vs_screen *s = j->in->screen;
	/* A match of nothing stands in the cell where it is. */
	int seen = cols ? cols : 1;

	if (!have_attrs(s, row, col, cols, c->attrs))
		return false;
	j->hit = true;
	if (out->state == VS_COND_NO) {
		place(out, row, col, cols);
		out->state = newness(c, false);
	}
	if (c->gone || out->state == VS_COND_TRUE)
		return true;
	if (!vs_screen_painted(s, row, col, 1, seen))
		return false;
	place(out, row, col, cols);
	out->state = VS_COND_TRUE;
	return true;
}

/* ---- Text, patterns and attributes in one row ------------------------------------------- */

/* Each returns 1 when the search is over, 0 when it goes on, or a negative status. */
typedef int row_fn(struct judgement *j, const struct vs_cond *c, const struct b_buf *needle,
	struct vs_cond_result *out);

static int text_in_row(struct judgement *j, const struct vs_cond *c, const struct b_buf *needle,
	struct vs_cond_result *out)
{
	size_t start;
	int col, cols;

	for (size_t from = 0; vs_rowtext_find(&j->row, needle->data, needle->len, from, &start);
		from = start + 1)
		if (vs_rowtext_span(&j->row, start, start + needle->len, &col, &cols) &&
			occurrence(j, c, j->row.row, col, cols, out))
			return 1;
	return 0;
}

static size_t trimmed(const struct b_buf *text)
{
	size_t len = text->len;

	while (len && text->data[len - 1] == ' ')
		len--;
	return len;
}

static size_t character_bytes(const char *s, size_t len)
{
	uint32_t cp;
	size_t n = len ? b_utf8_decode(s, len, &cp) : 0;

	return n ? n : 1;
}

/* All matches, one after the other. Lua anchors `^` where a search begins, so that one stands
   at the row's beginning alone only when it is searched for but once. */
static int matches_in(struct judgement *j, const struct vs_cond *c, const struct b_buf *pattern,
	size_t len, struct vs_cond_result *out)
{
	const char *text = b_buf_cstr(&j->row.text);
	size_t from = 0, start, end;

	while (from <= len) {
		int col, cols, rc;

		rc = j->in->match(j->in->match_user, pattern->data ? pattern->data : "",
			pattern->len, text, len, from, &start, &end);
		if (rc <= 0)
			return rc;
		if (start < from || end < start || end > len)
			return 0;
		vs_rowtext_span(&j->row, start, end, &col, &cols);
		if (col >= j->row.col + j->row.cols)
			col = j->row.col + j->row.cols - 1;
		if (occurrence(j, c, j->row.row, col, cols, out))
			return 1;
		if (c->text_len && c->text[0] == '^')
			break;
		/* After a match of nothing the search goes on one character further. */
		from = end > start ? end : end + character_bytes(text + end, len - end);
	}
	return 0;
}

static int match_in_row(struct judgement *j, const struct vs_cond *c, const struct b_buf *pattern,
	struct vs_cond_result *out)
{
	size_t len = j->row.text.len, cut = trimmed(&j->row.text);
	int rc;

	rc = matches_in(j, c, pattern, len, out);
	/* `$` is where the row's text ends, as well as the region's edge. */
	if (!rc && out->state == VS_COND_NO && cut < len)
		rc = matches_in(j, c, pattern, cut, out);
	return rc;
}

static int attrs_in_row(struct judgement *j, const struct vs_cond *c, const struct b_buf *needle,
	struct vs_cond_result *out)
{
	const struct vs_screen *s = j->in->screen;
	int end = j->row.col + j->row.cols;

	(void)needle;
	for (int col = j->row.col; col < end; col++) {
		int to = col;

		while (to < end && have_attrs(s, j->row.row, to, 1, c->attrs))
			to++;
		if (to > col && occurrence(j, c, j->row.row, col, to - col, out))
			return 1;
		col = to;
	}
	return 0;
}

static int judge_region(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out)
{
	const struct vs_screen *s = j->in->screen;
	row_fn *in_row = c->kind == VS_COND_MATCH ? match_in_row
		: c->text                         ? text_in_row
						  : attrs_in_row;
	enum vs_form form = in_row == match_in_row ? VS_FORM_PATTERN : VS_FORM_TEXT;
	bool new_only = j->in->new_only && !j->within && !c->gone && !c->already;
	struct b_buf needle = B_BUF_INIT;
	struct vs_rect r;
	int rc = 0;

	if (region(c, s, &r)) {
		vs_cond_memo_begin(c->memo, s, j->in->wait);
		if (c->text)
			vs_fold_text(c->text, c->text_len, form, &needle);
		for (int row = r.row; row < r.row + r.rows && rc == 0; row++) {
			if (vs_cond_memo_vain(c->memo, row) ||
				(new_only && !vs_screen_painted(s, row, r.col, 1, r.cols)))
				continue;
			vs_rowtext_load(&j->row, s, row, r.col, r.cols, form);
			j->hit = false;
			rc = in_row(j, c, &needle, out);
			if (!rc && !j->hit)
				vs_cond_memo_set_vain(c->memo, row);
		}
		b_buf_release(&needle);
	}
	if (rc < 0 || !c->gone)
		return rc < 0 ? rc : 0;
	if (out->state != VS_COND_NO)
		out->state = VS_COND_NO;
	else
		out->state = newness(c, vs_screen_painted(s, r.row, r.col, r.rows, r.cols));
	place(out, -1, -1, 0);
	return 0;
}

/* ---- The other kinds ---------------------------------------------------------------------- */

static void judge_cursor(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out)
{
	int row, col;

	vs_screen_cursor(j->in->screen, &row, &col);
	if ((c->row >= 0 && c->row != row) || (c->col >= 0 && c->col != col))
		return;
	place(out, row, col, 1);
	out->state = newness(c, vs_screen_cursor_moved(j->in->screen));
}

static int judge_stream(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out)
{
	const struct vs_cond_input *in = j->in;
	int rc = in->match(in->match_user, c->text, c->text_len, in->stream ? in->stream : "",
		in->stream_len, 0, &out->stream_start, &out->stream_end);

	if (rc > 0)
		out->state = VS_COND_TRUE;
	return rc < 0 ? rc : 0;
}

static int judge(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out);

/* The first that is new wins, else the first that is true. */
static int judge_any(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out)
{
	for (size_t i = 0; i < c->n_parts && out->state != VS_COND_TRUE; i++) {
		struct vs_cond_result part;
		int rc = judge(j, c->parts[i], &part);

		if (rc)
			return rc;
		if (part.state <= out->state)
			continue;
		*out = part;
		out->alternative = (int)i;
	}
	return 0;
}

/* Silence and the end of the line are never old, so they make nothing new. */
static bool is_timeless(const struct vs_cond *c)
{
	if (c->kind == VS_COND_ANY || c->kind == VS_COND_ALL) {
		for (size_t i = 0; i < c->n_parts; i++)
			if (!is_timeless(c->parts[i]))
				return false;
		return true;
	}
	return c->kind == VS_COND_QUIET || c->kind == VS_COND_EOF;
}

/* True when each part is; as new as its newest part, whose place and kind are told. */
static int judge_all(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out)
{
	struct vs_cond_result best = *out;
	bool best_timeless = true, within = j->within;

	for (size_t i = 0; i < c->n_parts; i++) {
		struct vs_cond_result part;
		bool timeless = is_timeless(c->parts[i]);
		int rc;

		j->within = true;
		rc = judge(j, c->parts[i], &part);
		j->within = within;
		if (rc || part.state == VS_COND_NO)
			return rc;
		if (i && (timeless || (!best_timeless && part.state <= best.state)))
			continue;
		best = part;
		best_timeless = timeless;
	}
	best.alternative = 0;
	*out = best;
	return 0;
}

static int judge(struct judgement *j, const struct vs_cond *c, struct vs_cond_result *out)
{
	int rc = 0;

	*out = (struct vs_cond_result){
		.state = VS_COND_NO, .ended_by = c->kind, .gone = c->gone, .row = -1, .col = -1
	};
	switch (c->kind) {
	case VS_COND_TEXT:
	case VS_COND_MATCH:
	case VS_COND_ATTR: rc = judge_region(j, c, out); break;
	case VS_COND_CURSOR: judge_cursor(j, c, out); break;
	case VS_COND_QUIET:
		out->state = j->in->unchanged_ns >= c->quiet_ns ? VS_COND_TRUE : VS_COND_NO;
		break;
	case VS_COND_EOF: out->state = j->in->eof ? VS_COND_TRUE : VS_COND_NO; break;
	case VS_COND_STREAM: rc = judge_stream(j, c, out); break;
	case VS_COND_ANY: rc = judge_any(j, c, out); break;
	case VS_COND_ALL: rc = judge_all(j, c, out); break;
	}
	if (!rc && c->already && out->state == VS_COND_STALE)
		out->state = VS_COND_TRUE;
	return rc;
}

int vs_cond_judge(
	const struct vs_cond *c, const struct vs_cond_input *in, struct vs_cond_result *out)
{
	struct judgement j = { .in = in };
	struct vs_cond_result result;
	int rc = judge(&j, c, &result);

	vs_rowtext_release(&j.row);
	if (!rc)
		*out = result;
	return rc;
}
