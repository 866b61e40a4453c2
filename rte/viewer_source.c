#include "rte/viewer_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/width.h"
#include "base/banned.h"

#define SOURCE_MAX ((size_t)1 << 20)
#define TAB        2 /* columns that a tab is shown as */
#define NUMBER     6 /* columns of the line's number */

struct rte_source {
	char *file;
	struct b_buf text;
};

struct rte_source *rte_source_new(void)
{
	return b_calloc(1, sizeof(struct rte_source));
}

void rte_source_free(struct rte_source *s)
{
	if (!s)
		return;
	free(s->file);
	b_buf_release(&s->text);
	free(s);
}

static void read_file(struct rte_source *s, const char *file)
{
	FILE *f;

	if (s->file && !strcmp(s->file, file))
		return;
	free(s->file);
	s->file = b_strdup(file);
	b_buf_clear(&s->text);
	f = fopen(file, "re");
	if (!f)
		return;
	b_buf_reserve(&s->text, SOURCE_MAX);
	s->text.len = fread(s->text.data, 1, SOURCE_MAX, f);
	fclose(f);
}

/* The n-th line from 1; NULL: there is none. */
static const char *line_at(const struct rte_source *s, int n, size_t *len)
{
	const char *p = s->text.data, *end = p + s->text.len, *eol;

	for (; p && p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (!eol)
			eol = end;
		if (--n == 0) {
			*len = (size_t)(eol - p);
			return p;
		}
	}
	return NULL;
}

/* As much of a line as fits into cols columns, blanks behind it. */
static void add_clipped(struct b_buf *out, const char *s, size_t len, int cols)
{
	struct b_buf plain = B_BUF_INIT, shown = B_BUF_INIT;
	int used = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\t')
			b_buf_printf(&plain, "%*s", TAB, "");
		else if (s[i] != '\r')
			b_buf_addc(&plain, s[i]);
	}
	b_escape_text(&shown, b_buf_cstr(&plain), plain.len);
	for (size_t i = 0, n; i < shown.len; i += n) {
		uint32_t cp = ' ';
		int width;

		n = b_utf8_decode(shown.data + i, shown.len - i, &cp);
		n = n ? n : 1;
		width = rp_width(cp);
		if (used + width > cols)
			break;
		b_buf_add(out, shown.data + i, n);
		used += width;
	}
	b_buf_printf(out, "%*s", cols - used, "");
	b_buf_release(&plain);
	b_buf_release(&shown);
}

void rte_source_paint(struct rte_source *s, const char *file, int line, int row, int col, int rows,
	int cols, struct b_buf *out)
{
	int first = line - rows / 2 > 1 ? line - rows / 2 : 1;

	if (cols <= NUMBER + 2 || rows < 1)
		return;
	read_file(s, file);
	for (int i = 0; i < rows; i++) {
		int n = first + i;
		const char *text;
		size_t len = 0;

		text = line_at(s, n, &len);
		b_buf_printf(out, "\033[%d;%dH\033[0m", row + i, col);
		if (!text) {
			b_buf_printf(out, "%*s", cols, "");
			continue;
		}
		b_buf_adds(out, n == line ? "\033[7m" : "");
		b_buf_printf(out, "%c%*d ", n == line ? '>' : ' ', NUMBER - 2, n);
		add_clipped(out, text, len, cols - NUMBER);
		b_buf_adds(out, "\033[0m");
	}
}
