#include "report/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "base/banned.h"

#define NAME_MIN 18 /* columns of a name that are not given up for figures */
#define NAME_MAX 40
#define BAR_COLS 14
#define GAP      1 /* between columns; one more where there is room */

struct column {
	char *over, *head;
	unsigned level;
	bool left;
	size_t width;
};

struct row {
	char *name, *note;
	char **cells; /* n_columns of the table */
	size_t n_cells;
};

struct rp_table {
	char *head;
	struct column *columns;
	size_t n_columns;
	struct row *rows;
	size_t n_rows;
};

struct rp_table *rp_table_new(const char *name_head)
{
	struct rp_table *t = b_calloc(1, sizeof *t);

	t->head = b_strdup(name_head);
	return t;
}

void rp_table_free(struct rp_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_rows; i++) {
		for (size_t k = 0; k < t->rows[i].n_cells; k++)
			free(t->rows[i].cells[k]);
		free(t->rows[i].cells);
		free(t->rows[i].name);
		free(t->rows[i].note);
	}
	for (size_t k = 0; k < t->n_columns; k++) {
		free(t->columns[k].over);
		free(t->columns[k].head);
	}
	free(t->rows);
	free(t->columns);
	free(t->head);
	free(t);
}

static void widen(struct column *c, const char *text)
{
	size_t len = strlen(text);

	if (len > c->width)
		c->width = len;
}

void rp_table_column(
	struct rp_table *t, const char *over, const char *head, unsigned level, bool left)
{
	struct column *c;

	B_BUG_ON(t->n_rows);
	t->columns = b_reallocarray(t->columns, t->n_columns + 1, sizeof *t->columns);
	c = &t->columns[t->n_columns++];
	*c = (struct column){ over ? b_strdup(over) : NULL, b_strdup(head), level, left, 0 };
	widen(c, head);
	if (over)
		widen(c, over);
}

void rp_table_row(struct rp_table *t, const char *name)
{
	t->rows = b_reallocarray(t->rows, t->n_rows + 1, sizeof *t->rows);
	t->rows[t->n_rows++] = (struct row){ .name = b_strdup(name),
		.cells = b_calloc(t->n_columns + 1, sizeof(char *)) };
}

void rp_table_cell(struct rp_table *t, const char *text)
{
	struct row *r = &t->rows[t->n_rows - 1];

	B_BUG_ON(r->n_cells >= t->n_columns);
	widen(&t->columns[r->n_cells], text);
	r->cells[r->n_cells++] = b_strdup(text);
}

void rp_table_seconds(struct rp_table *t, double s)
{
	char a[RP_FORMAT_SIZE];

	rp_table_cell(t, rp_format_s(a, s));
}

void rp_table_bar(struct rp_table *t, double v, double most)
{
	int n = most > 0 && v > 0 ? (int)lround(v / most * BAR_COLS) : 0;
	char bar[BAR_COLS + 1];

	n = n > BAR_COLS ? BAR_COLS : n;
	memset(bar, '#', (size_t)n);
	bar[n] = 0;
	rp_table_cell(t, bar);
}

void rp_table_note(struct rp_table *t, const char *text)
{
	struct row *r = &t->rows[t->n_rows - 1];

	free(r->note);
	r->note = b_strdup(text);
}

/* ---- Writing ---------------------------------------------------------------------------------- */

/* Columns that the names take: what the figures of level 0 leave, and no more than they need. */
static size_t name_width(const struct rp_table *t, size_t cols)
{
	size_t first = 0, cap, need = strlen(t->head);

	for (size_t k = 0; k < t->n_columns; k++)
		if (!t->columns[k].level)
			first += GAP + t->columns[k].width;
	cap = cols > first ? cols - first : 0;
	cap = cap < NAME_MIN ? NAME_MIN : cap > NAME_MAX ? NAME_MAX : cap;
	for (size_t i = 0; i < t->n_rows; i++) {
		struct b_buf b = B_BUF_INIT;
		size_t used = rp_format_name(&b, t->rows[i].name, cap);

		need = used > need ? used : need;
		b_buf_release(&b);
	}
	return need < cap ? need : cap;
}

/* Takes columns into the next lines: by level, then in order, as long as they fit; false: none left. */
static bool choose(const struct rp_table *t, size_t room, bool *done, bool *now)
{
	size_t used = 0, taken = 0;
	bool left;
	unsigned level = 0;

	memset(now, 0, t->n_columns * sizeof *now);
	do {
		left = false;
		for (size_t k = 0; k < t->n_columns; k++) {
			size_t width = GAP + t->columns[k].width;

			left = left || (!done[k] && t->columns[k].level > level);
			if (done[k] || now[k] || t->columns[k].level != level)
				continue;
			if (taken && used + width > room)
				return true;
			now[k] = true;
			used += width;
			taken++;
		}
		level++;
	} while (left);
	return taken > 0;
}

static void pad(FILE *to, size_t n)
{
	while (n--)
		fputc(' ', to);
}

static void write_name(FILE *to, const char *name, size_t width)
{
	struct b_buf b = B_BUF_INIT;
	size_t used = rp_format_name(&b, name, width < 6 ? 6 : width);

	fputs(b_buf_cstr(&b), to);
	pad(to, width > used ? width - used : 0);
	b_buf_release(&b);
}

/* Blanks are owed until something follows: no line ends in them. */
static size_t write_cell(
	FILE *to, const struct column *c, const char *text, size_t gap, size_t owed)
{
	size_t rest = c->width - strlen(text);

	owed += gap;
	if (!*text)
		return owed + c->width;
	pad(to, owed + (c->left ? 0 : rest));
	fputs(text, to);
	return c->left ? rest : 0;
}

/* Of a block: which columns, how far apart, beside names how wide. */
struct block {
	const bool *now;
	size_t name, gap;
};

static size_t gap_of(const struct rp_table *t, size_t cols, size_t name, const bool *now)
{
	size_t used = name;

	for (size_t k = 0; k < t->n_columns; k++)
		used += now[k] ? GAP + 1 + t->columns[k].width : 0;
	return used <= cols ? GAP + 1 : GAP;
}

static void write_heads(const struct rp_table *t, FILE *to, const struct block *b)
{
	bool any = false;
	size_t owed = b->name;

	for (size_t k = 0; k < t->n_columns; k++)
		any = any || (b->now[k] && t->columns[k].over);
	for (size_t k = 0; any && k < t->n_columns; k++)
		if (b->now[k])
			owed = write_cell(to, &t->columns[k],
				t->columns[k].over ? t->columns[k].over : "", b->gap, owed);
	if (any)
		fputc('\n', to);
	write_name(to, t->head, b->name);
	owed = 0;
	for (size_t k = 0; k < t->n_columns; k++)
		if (b->now[k])
			owed = write_cell(to, &t->columns[k], t->columns[k].head, b->gap, owed);
	fputc('\n', to);
}

static void write_block(
	const struct rp_table *t, FILE *to, size_t cols, const struct block *b, bool notes)
{
	write_heads(t, to, b);
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct row *r = &t->rows[i];
		size_t owed = 0;

		write_name(to, r->name, b->name);
		for (size_t k = 0; k < r->n_cells; k++)
			if (b->now[k])
				owed = write_cell(to, &t->columns[k], r->cells[k], b->gap, owed);
		fputc('\n', to);
		if (!notes || !r->note || !*r->note)
			continue;
		fputs("    ^ ", to);
		rp_format_wrapped(to, cols, r->note, 6, 6);
		fputc('\n', to);
	}
}

void rp_table_write(const struct rp_table *t, FILE *to, size_t cols)
{
	bool *done = b_calloc(t->n_columns + 1, sizeof *done);
	bool *now = b_calloc(t->n_columns + 1, sizeof *now);
	size_t name = name_width(t, cols), n = 0;

	while (choose(t, cols > name ? cols - name : 0, done, now)) {
		struct block b = { now, name, gap_of(t, cols, name, now) };

		if (n)
			fputc('\n', to);
		write_block(t, to, cols, &b, !n++);
		for (size_t k = 0; k < t->n_columns; k++)
			done[k] = done[k] || now[k];
	}
	free(done);
	free(now);
}
