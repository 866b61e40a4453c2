#define _GNU_SOURCE /* memmem */
#include "rte/redact.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "rte/secret.h"
#include "vscreen/snapshot.h"
#include "base/banned.h"

#define FORMS_MAX 200
#define HITS_MAX  64

/* ---- What is known --------------------------------------------------------------------------- */

static bool is_control(unsigned char c)
{
	return c < 0x20 || c == 0x7F;
}

static void forget_oldest(struct rte_redactor *r)
{
	memset(r->forms[0].text, 0, r->forms[0].len);
	free(r->forms[0].text);
	memmove(r->forms, r->forms + 1, --r->n * sizeof *r->forms);
}

static void add_form(struct rte_redactor *r, const struct b_buf *form)
{
	if (!form->len)
		return;
	for (size_t i = 0; i < r->n; i++)
		if (r->forms[i].len == form->len &&
			!memcmp(r->forms[i].text, form->data, form->len))
			return;
	if (r->n == FORMS_MAX)
		forget_oldest(r);
	r->forms = b_reallocarray(r->forms, r->n + 1, sizeof *r->forms);
	r->forms[r->n++] = (struct rte_secret){ b_strndup(form->data, form->len), form->len };
}

void rte_redactor_add(struct rte_redactor *r, const char *text, size_t len)
{
	struct b_buf form = B_BUF_INIT;

	/* As a screen shows it. */
	for (size_t i = 0; i < len; i++)
		if (!is_control((unsigned char)text[i]))
			b_buf_addc(&form, text[i]);
	add_form(r, &form);
	/* As messages do. */
	b_buf_clear(&form);
	b_escape_text(&form, text, len);
	add_form(r, &form);
	/* As a pattern for it does. */
	b_buf_clear(&form);
	for (size_t i = 0; i < len; i++) {
		if (ispunct((unsigned char)text[i]))
			b_buf_addc(&form, '%');
		if (!is_control((unsigned char)text[i]))
			b_buf_addc(&form, text[i]);
	}
	add_form(r, &form);
	if (form.data)
		memset(form.data, 0, form.len);
	b_buf_release(&form);
}

void rte_redactor_environment(struct rte_redactor *r)
{
	const char *prefix = RTE_SECRET_PREFIX, *value;

	for (char **e = environ; *e; e++) {
		value = strchr(*e, '=');
		if (value && !strncmp(*e, prefix, strlen(prefix)))
			rte_redactor_add(r, value + 1, strlen(value + 1));
	}
}

void rte_redactor_release(struct rte_redactor *r)
{
	while (r->n)
		forget_oldest(r);
	free(r->forms);
	*r = (struct rte_redactor){ .base = r->base };
}

static bool knows_none(const struct rte_redactor *r)
{
	while (r && !r->n)
		r = r->base;
	return !r;
}

/* ---- In text and in output -------------------------------------------------------------------- */

/* Where the next printable byte stands, from i on; len: none. */
static size_t next_printable(const char *s, size_t len, size_t i)
{
	while (i < len && is_control((unsigned char)s[i])) {
		if (s[i++] != '\x1b' || i == len)
			continue;
		if (s[i++] != '[')
			continue;
		while (i < len && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x40)
			i++;
		i += i < len;
	}
	return i;
}

static bool matches(const struct rte_secret *secret, const char *s, const size_t *at, size_t len)
{
	size_t k = 0;

	while (k < len && s[at[k]] == secret->text[k])
		k++;
	return k == len;
}

static void overwrite(const struct rte_secret *secret, char *s, const size_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t len = n - i < secret->len ? n - i : secret->len;

		/* At the very end a beginning may stand alone: the rest of its echo is to come, or
		   was cut off. */
		if ((len == secret->len || len > 1) && matches(secret, s, at + i, len))
			while (len-- > 0)
				s[at[i + len]] = '*';
	}
}

/* The same at the very beginning, where a secret's end may stand alone. */
static void overwrite_end(const struct rte_secret *secret, char *s, const size_t *at, size_t n)
{
	for (size_t gone = 1; gone + 1 < secret->len; gone++) {
		struct rte_secret end = { secret->text + gone, secret->len - gone };

		if (end.len > n || !matches(&end, s, at, end.len))
			continue;
		for (size_t i = 0; i < end.len; i++)
			s[at[i]] = '*';
		return;
	}
}

void rte_redact_output(const struct rte_redactor *r, char *output, size_t len, bool cut)
{
	size_t *at, n = 0;

	if (!len || knows_none(r))
		return;
	at = b_reallocarray(NULL, len, sizeof *at);
	for (size_t i = next_printable(output, len, 0); i < len;
		i = next_printable(output, len, i + 1))
		at[n++] = i;
	for (; r; r = r->base)
		for (size_t i = 0; i < r->n; i++) {
			if (cut)
				overwrite_end(&r->forms[i], output, at, n);
			overwrite(&r->forms[i], output, at, n);
		}
	free(at);
}

const char *rte_redacted(const struct rte_redactor *r, const char *text, struct b_buf *copy)
{
	if (!text || !*text || knows_none(r))
		return text;
	b_buf_clear(copy);
	b_buf_adds(copy, text);
	rte_redact_output(r, copy->data, copy->len, false);
	return b_buf_cstr(copy);
}

/* ---- On a screen ------------------------------------------------------------------------------ */

/* A screen's text in one piece, row after row, and from which cell each byte comes. */
struct shown {
	const struct vs_screen *screen;
	struct b_buf text;
	int *cells; /* [text.len]: row * columns + column */
};

static void shown_load(struct shown *t, const struct vs_screen *s)
{
	int rows = vs_screen_rows(s), cols = vs_screen_cols(s);
	struct vs_cell cell;
	char utf8[4];
	size_t cap = 0;

	*t = (struct shown){ .screen = s };
	for (int i = 0; i < rows * cols; i++) {
		size_t from = t->text.len;

		vs_screen_cell(s, i / cols, i % cols, &cell);
		if (!cell.width)
			continue;
		if (!cell.chars[0])
			b_buf_addc(&t->text, ' ');
		for (int k = 0; k < 8 && cell.chars[k]; k++)
			b_buf_add(&t->text, utf8, b_utf8_encode(cell.chars[k], utf8));
		if (t->text.len > cap) {
			cap = t->text.len * 2 + 256;
			t->cells = b_reallocarray(t->cells, cap, sizeof *t->cells);
		}
		while (from < t->text.len)
			t->cells[from++] = i;
	}
}

static void shown_release(struct shown *t)
{
	b_buf_release(&t->text);
	free(t->cells);
}

/* The cells of the bytes [from, from + len), a rectangle a row; more than cap: the whole screen. */
static size_t cover(
	const struct shown *t, size_t from, size_t len, struct vs_rect *out, size_t n, size_t cap)
{
	int cols = vs_screen_cols(t->screen);
	int first = t->cells[from], last = t->cells[from + len - 1];
	struct vs_cell cell;

	vs_screen_cell(t->screen, last / cols, last % cols, &cell);
	last += cell.width == 2;
	for (; first <= last && n < cap; n++) {
		int col = first % cols, row = first / cols;
		int to = last / cols == row ? last % cols + 1 : cols;

		out[n] = (struct vs_rect){ row, col, 1, to - col };
		first += to - col;
	}
	if (first <= last)
		out[0] = (struct vs_rect){ 0, 0, vs_screen_rows(t->screen), cols };
	return n;
}

static size_t find_all(const struct shown *t, const struct rte_secret *secret, struct vs_rect *out,
	size_t n, size_t cap)
{
	const char *text = t->text.data, *hit;
	size_t from = 0;

	while (from < t->text.len &&
		(hit = memmem(text + from, t->text.len - from, secret->text, secret->len))) {
		n = cover(t, (size_t)(hit - text), secret->len, out, n, cap);
		from = (size_t)(hit - text) + secret->len;
	}
	return n;
}

/* How much of a secret's beginning ends at byte `end`: its echo is not complete. */
static size_t begun_before(const struct shown *t, const struct rte_secret *secret, size_t end)
{
	size_t len = secret->len - 1 < end ? secret->len - 1 : end;

	while (len && memcmp(t->text.data + end - len, secret->text, len) != 0)
		len--;
	return len;
}

static size_t find_begun(const struct shown *t, const struct rte_secret *secret,
	struct vs_rect *out, size_t n, size_t cap)
{
	int row, col, cols = vs_screen_cols(t->screen), at;
	size_t end = 0, len;

	vs_screen_cursor(t->screen, &row, &col);
	at = row * cols + col;
	while (end < t->text.len && t->cells[end] < at)
		end++;
	len = begun_before(t, secret, end);
	/* After the last column the cursor stays on what was written there. */
	while (!len && col == cols - 1 && end < t->text.len && t->cells[end] == at)
		end++;
	if (!len)
		len = begun_before(t, secret, end);
	return len ? cover(t, end - len, len, out, n, cap) : n;
}

size_t rte_redact_screen(const struct rte_redactor *r, const struct vs_screen *s, bool begun,
	struct vs_rect *out, size_t cap)
{
	struct shown t;
	size_t n = 0;

	if (knows_none(r))
		return 0;
	shown_load(&t, s);
	for (; r; r = r->base)
		for (size_t i = 0; i < r->n; i++) {
			n = find_all(&t, &r->forms[i], out, n, cap);
			if (begun)
				n = find_begun(&t, &r->forms[i], out, n, cap);
		}
	shown_release(&t);
	return n;
}

void rte_redact_paint(const struct rte_redactor *r, const struct vs_screen *s, int rows, int cols,
	struct b_buf *out)
{
	struct vs_rect hits[HITS_MAX];

	vs_screen_paint(s,
		&(struct vs_paint){
			.rows = rows,
			.cols = cols,
			.masks = hits,
			.n_masks = rte_redact_screen(r, s, true, hits, HITS_MAX),
		},
		out);
}

void rte_redact_snapshot(const struct rte_redactor *r, const struct vs_screen *s, struct b_buf *out)
{
	struct vs_rect hits[HITS_MAX];
	struct vs_snapshot_options opt = {
		.attrs = true,
		.cursor = true,
		.masks = hits,
		.n_masks = rte_redact_screen(r, s, true, hits, HITS_MAX),
	};

	vs_snapshot_write(s, &opt, out);
}
