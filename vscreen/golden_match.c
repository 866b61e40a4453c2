#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/golden.h"
#include "base/banned.h"

static bool is_word(const struct vs_item *i)
{
	return i->kind != VS_ITEM_CELL && i->kind != VS_ITEM_FILLER;
}

static bool is_blank(const struct vs_item *i)
{
	return i->kind == VS_ITEM_CELL && !strcmp(i->text, " ");
}

/* Without the blanks at the end. */
static size_t trimmed(const struct vs_items *items)
{
	size_t n = items->n;

	while (n && is_blank(&items->at[n - 1]))
		n--;
	return n;
}

/* ---- Column by column ----------------------------------------------------------------------- */

/* Which item stands in each column, -1 for none; *starts: whether it begins there. */
static void spread(const struct vs_items *items, int *at, bool *starts, int cols)
{
	int col = 0;

	for (int i = 0; i < cols; i++)
		at[i] = -1;
	for (size_t i = 0; i < items->n; i++)
		for (int w = 0; w < items->at[i].width; w++, col++)
			if (col < cols) {
				at[col] = (int)i;
				starts[col] = w == 0;
			}
}

static bool same_cell(const struct vs_items *e, int ei, bool e_starts, const struct vs_items *a,
	int ai, bool a_starts)
{
	static const struct vs_item blank = { .kind = VS_ITEM_CELL, .width = 1, .text = " " };
	const struct vs_item *x = ei < 0 ? &blank : &e->at[ei], *y = ai < 0 ? &blank : &a->at[ai];

	if (x->kind == VS_ITEM_FILLER || y->kind == VS_ITEM_FILLER)
		return true;
	return (ei < 0 || e_starts == a_starts) && !strcmp(x->text, y->text);
}

static bool match_columns(const struct vs_items *e, const struct vs_items *a, char *marks, int cols)
{
	int *at = b_calloc(2 * (size_t)cols, sizeof(*at)), wide = 0;
	bool *starts = b_calloc(2 * (size_t)cols, sizeof(*starts)), same = true;

	spread(e, at, starts, cols);
	spread(a, at + cols, starts + cols, cols);
	for (int i = 0; i < cols; i++) {
		bool eq = same_cell(e, at[i], starts[i], a, at[cols + i], starts[cols + i]);

		marks[i] = eq ? ' ' : '^';
		same = same && eq;
	}
	/* What hangs over the edge of the screen is no part of it, unless it is blank. */
	for (size_t i = 0; i < trimmed(e); i++)
		wide += e->at[i].width;
	if (wide > cols) {
		marks[cols - 1] = '^';
		same = false;
	}
	free(at);
	free(starts);
	return same;
}

/* ---- With words: as a pattern ------------------------------------------------------------ */

/* The places (before which of the actual items) that the pattern can have got to. */
struct places {
	bool *now, *next;
	size_t n; /* actual items; there are n + 1 places */
	size_t furthest;
};

static void reach(struct places *p, size_t at)
{
	p->next[at] = true;
	if (at > p->furthest)
		p->furthest = at;
}

static void step_any(struct places *p)
{
	bool on = false;

	for (size_t i = 0; i <= p->n; i++) {
		on = on || p->now[i];
		if (on)
			reach(p, i);
	}
}

/* Blanks: any number from min on, since a word beside them may be of any length. */
static void step_blanks(struct places *p, const struct vs_items *a, size_t min)
{
	for (size_t i = 0; i <= p->n; i++) {
		size_t k = 0;

		if (!p->now[i])
			continue;
		if (!min)
			reach(p, i);
		while (i + k < p->n &&
			(is_blank(&a->at[i + k]) || a->at[i + k].kind == VS_ITEM_FILLER)) {
			k++;
			if (k >= min)
				reach(p, i + k);
		}
	}
}

static void step_filler(struct places *p, const struct vs_items *a, int columns)
{
	for (size_t i = 0; i <= p->n; i++) {
		size_t k = i;
		int sum = 0;

		if (!p->now[i])
			continue;
		while (k < p->n && sum < columns)
			sum += a->at[k++].width;
		/* At the end of the row blanks are not there, but masked all the same. */
		if (sum == columns || k == p->n)
			reach(p, k);
	}
}

static void step_word(struct places *p, const struct vs_items *a, enum vs_item_kind kind)
{
	for (size_t i = 0; i < p->n; i++) {
		char word[VS_WORD_MAX];

		if (!p->now[i])
			continue;
		for (size_t k = 0; k < VS_WORD_MAX && i + k < p->n; k++) {
			const struct vs_item *item = &a->at[i + k];

			if (item->kind == VS_ITEM_FILLER) {
				reach(p, i + k + 1);
				break;
			}
			if (item->text[1]) /* no ASCII */
				break;
			word[k] = item->text[0];
			if (vs_word_is(kind, word, k + 1))
				reach(p, i + k + 1);
		}
	}
}

static void step_cell(struct places *p, const struct vs_items *a, const struct vs_item *e)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->now[i] &&
			(a->at[i].kind == VS_ITEM_FILLER || !strcmp(a->at[i].text, e->text)))
			reach(p, i + 1);
}

/* How many items from i on are alike in what `is` says. */
static size_t run(const struct vs_items *e, size_t i, size_t n, bool (*is)(const struct vs_item *))
{
	size_t k = i;

	while (k < n && is(&e->at[k]))
		k++;
	return k - i;
}

static bool is_filler(const struct vs_item *i)
{
	return i->kind == VS_ITEM_FILLER;
}

/* One step of the pattern; returns how many items it took. */
static size_t step(
	struct places *p, const struct vs_items *e, size_t i, size_t n, const struct vs_items *a)
{
	size_t blanks = run(e, i, n, is_blank), filler = run(e, i, n, is_filler);
	bool beside_word =
		(i && is_word(&e->at[i - 1])) || (i + blanks < n && is_word(&e->at[i + blanks]));

	if (blanks && beside_word) {
		step_blanks(p, a, i ? 1 : 0);
		return blanks;
	}
	if (filler) {
		step_filler(p, a, (int)filler);
		return filler;
	}
	if (e->at[i].kind == VS_ITEM_ANY)
		step_any(p);
	else if (is_word(&e->at[i]))
		step_word(p, a, e->at[i].kind);
	else
		step_cell(p, a, &e->at[i]);
	return 1;
}

static bool match_words(const struct vs_items *e, const struct vs_items *a, char *marks, int cols)
{
	size_t n = trimmed(e), end;
	struct places p = { .n = trimmed(a) };
	bool *both = b_calloc(2 * (p.n + 1), sizeof(*both)), same;

	p.now = both;
	p.next = both + p.n + 1;
	p.now[0] = true;
	for (size_t i = 0; i < n;) {
		bool *t = p.now;

		memset(p.next, 0, p.n + 1);
		i += step(&p, e, i, n, a);
		p.now = p.next;
		p.next = t;
	}
	same = p.now[p.n];
	memset(marks, ' ', (size_t)cols);
	/* Where it went wrong cannot be told for sure: from as far as it got to the end. */
	end = p.furthest < p.n ? p.n : p.furthest;
	if (!same) {
		int from = p.furthest < a->n ? a->at[p.furthest].col : cols - 1;
		int to = end && end <= a->n ? a->at[end - 1].col + a->at[end - 1].width : 0;

		for (int c = from; c < cols && (c < to || c == from); c++)
			marks[c] = '^';
	}
	free(both);
	return same;
}

/* The same to the letter, as a row written from this screen is. */
static bool identical(const struct vs_items *e, const struct vs_items *a)
{
	if (e->n != a->n)
		return false;
	for (size_t i = 0; i < e->n; i++)
		if (e->at[i].kind != a->at[i].kind || strcmp(e->at[i].text, a->at[i].text))
			return false;
	return true;
}

bool vs_items_match(
	const struct vs_items *expected, const struct vs_items *actual, char *marks, int cols)
{
	if (identical(expected, actual)) {
		memset(marks, ' ', (size_t)cols);
		return true;
	}
	for (size_t i = 0; i < expected->n; i++)
		if (is_word(&expected->at[i]))
			return match_words(expected, actual, marks, cols);
	return match_columns(expected, actual, marks, cols);
}
