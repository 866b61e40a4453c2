/* Several traces of one session: what differs between them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/plan.h"
#include "base/banned.h"

/* ---- Units: what both sessions must have in common -------------------------------------- */

/* A value, or any other input; values may differ, other inputs not. */
struct unit {
	size_t last; /* item whose response ends it */
	const struct cap_value *value;
	const struct cap_item *item;
};

static size_t units_make(const struct cap_session *s, const struct cap_values *v, struct unit *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_items; i++) {
		const struct cap_value *val = cap_values_at(v, i);

		if (!cap_item_is_input(&s->item[i]))
			continue;
		out[n].value = val;
		out[n].item = &s->item[i];
		if (val)
			i = val->last;
		out[n++].last = i;
	}
	return n;
}

static bool same_input(const struct unit *a, const struct unit *b)
{
	if (a->value || b->value)
		return a->value && b->value && a->value->paste == b->value->paste;
	if (a->item->kind != b->item->kind)
		return false;
	if (a->item->kind == CAP_RESIZE)
		return a->item->rows == b->item->rows && a->item->cols == b->item->cols;
	if (a->item->kind != CAP_KEY)
		return true;
	return a->item->len == b->item->len &&
		!memcmp(a->item->bytes, b->item->bytes, a->item->len);
}

/* ---- Comparing -------------------------------------------------------------------------- */

static void differs_add(
	struct cap_merge *m, size_t item, const struct cap_frame *a, int row, int col, int what)
{
	if (!m->differing[item])
		m->differing[item] = b_calloc((size_t)a->rows, (size_t)a->cols);
	m->differing[item][row * a->cols + col] |= (unsigned char)what;
}

static void frames_compare(
	struct cap_merge *m, size_t item, const struct cap_frame *a, const struct cap_frame *b)
{
	if (a->rows != b->rows || a->cols != b->cols)
		return;
	for (int r = 0; r < a->rows; r++) {
		if (cap_frame_same_row(a, b, r))
			continue;
		for (int c = 0; c < a->cols; c++) {
			if (cap_frame_same_text(a, b, r, c))
				continue;
			differs_add(m, item, a, r, c, CAP_DIFFERS_TEXT);
		}
	}
	if (a->cur_row != b->cur_row || a->cur_col != b->cur_col)
		differs_add(m, item, a, a->cur_row, a->cur_col, CAP_DIFFERS_CURSOR);
}

/* A value is taken from the screen when it stood beside the same label in each trace. */
static void shown_agree(struct cap_value *a, const struct cap_value *b)
{
	if (a->shown_label && (!b->shown_label || strcmp(a->shown_label, b->shown_label))) {
		free(a->shown_label);
		a->shown_label = NULL;
	}
}

static void session_compare(struct cap_merge *m, struct cap_session *const *s, size_t trace,
	struct cap_values *first, struct b_buf *warnings)
{
	struct cap_values other;
	struct unit *a = b_calloc(s[0]->n_items, sizeof *a), *b;
	size_t na = units_make(s[0], first, a), nb, i;

	cap_values_find(s[trace], &other);
	b = b_calloc(s[trace]->n_items, sizeof *b);
	nb = units_make(s[trace], &other, b);
	for (i = 0; i < na && i < nb && same_input(&a[i], &b[i]); i++) {
		if (a[i].value) {
			size_t k = (size_t)(a[i].value - first->value);

			m->column[trace][k] = b_strndup(b[i].value->text, b[i].value->len);
			if (strcmp(m->column[trace][k], m->column[0][k]))
				first->value[k].differs = true;
			shown_agree(&first->value[k], b[i].value);
		}
		frames_compare(m, a[i].last, s[0]->item[a[i].last].re.after,
			s[trace]->item[b[i].last].re.after);
	}
	if ((i < na || i < nb) && warnings)
		b_buf_printf(warnings,
			"trace %zu takes another way than the first after %zu of its %zu inputs; what "
			"comes behind was not compared\n",
			trace + 1, i, nb);
	if (i < na && a[i].last < m->aligned)
		m->aligned = a[i].last;
	cap_values_release(&other);
	free(a);
	free(b);
}

/* Two places share a name when the same was typed there: in every trace. */
static bool same_everywhere(const struct cap_merge *m, size_t a, size_t b)
{
	for (size_t t = 0; t < m->n_traces; t++) {
		const char *x = m->column[t][a], *y = m->column[t][b];

		if (x && y && strcmp(x, y))
			return false;
	}
	return true;
}

static void names_settle(const struct cap_merge *m, struct cap_values *v)
{
	struct cap_names names = { .sep = '_' };

	for (size_t i = 0; i < v->n; i++) {
		struct b_buf name = B_BUF_INIT;

		if (!v->value[i].name || v->value[i].same)
			continue;
		b_buf_adds(&name, v->value[i].name);
		cap_names_give(&names, &name);
		b_buf_release(&name);
	}
	for (size_t i = 0; i < v->n; i++) {
		struct cap_value *val = &v->value[i];
		struct b_buf name = B_BUF_INIT;
		bool apart = false;

		for (size_t k = 0; val->same && k < i; k++)
			if (v->value[k].name && !strcmp(v->value[k].name, val->name)) {
				v->value[k].differs |= val->differs;
				val->differs |= v->value[k].differs;
				apart = !same_everywhere(m, k, i);
				break;
			}
		/* What differs needs a name, however short it is. */
		if (!apart && !(val->differs && !val->name && !val->secret))
			continue;
		b_buf_adds(&name, val->name ? val->name : "text");
		cap_names_give(&names, &name);
		free(val->name);
		val->name = b_buf_take(&name, NULL);
		val->same = false;
	}
	cap_names_release(&names);
}

void cap_merge_new(struct cap_session *const *s, size_t n, struct cap_values *first,
	struct b_buf *warnings, struct cap_merge *out)
{
	memset(out, 0, sizeof *out);
	out->n_items = out->aligned = s[0]->n_items;
	out->n_traces = n;
	out->n_values = first->n;
	out->differing = b_calloc(s[0]->n_items, sizeof *out->differing);
	out->column = b_calloc(n, sizeof *out->column);
	for (size_t t = 0; t < n; t++)
		out->column[t] = b_calloc(first->n + 1, sizeof **out->column);
	for (size_t k = 0; k < first->n; k++)
		out->column[0][k] = b_strndup(first->value[k].text, first->value[k].len);
	for (size_t t = 1; t < n; t++)
		session_compare(out, s, t, first, warnings);
	names_settle(out, first);
}

void cap_merge_release(struct cap_merge *m)
{
	for (size_t i = 0; i < m->n_items; i++)
		free(m->differing[i]);
	for (size_t t = 0; t < m->n_traces; t++) {
		for (size_t k = 0; k < m->n_values; k++)
			free(m->column[t][k]);
		free(m->column[t]);
	}
	free(m->differing);
	free(m->column);
	memset(m, 0, sizeof *m);
}
