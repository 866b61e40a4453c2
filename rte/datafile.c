#include "rte/datafile.h"

#include <csv.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/banned.h"

#define FILE_MAX  ((size_t)1 << 30)
#define FIELD_MAX ((size_t)1 << 20)

struct rte_table {
	struct rte_table *next;
	char *path;
	char *key;          /* path and options, by which it is found again */
	struct b_buf bytes; /* all fields, a NUL behind each */
	uint32_t *start;    /* of each field in bytes, and one past the last */
	size_t n_fields, cap;
	size_t n_columns, n_rows;
	char **columns;
};

struct rte_data {
	pthread_mutex_t lock;
	struct rte_table *tables;
};

struct rte_data *rte_data_new(void)
{
	struct rte_data *d = b_calloc(1, sizeof *d);

	B_BUG_ON(pthread_mutex_init(&d->lock, NULL) != 0);
	return d;
}

static void table_free(struct rte_table *t)
{
	for (size_t i = 0; i < t->n_columns && t->columns; i++)
		free(t->columns[i]);
	free(t->columns);
	free(t->start);
	free(t->path);
	free(t->key);
	b_buf_release(&t->bytes);
	free(t);
}

void rte_data_free(struct rte_data *d)
{
	struct rte_table *next;

	if (!d)
		return;
	for (struct rte_table *t = d->tables; t; t = next) {
		next = t->next;
		table_free(t);
	}
	pthread_mutex_destroy(&d->lock);
	free(d);
}

/* ---- Reading ----------------------------------------------------------------------------- */

struct reading {
	struct rte_table *t;
	const char *path;
	size_t in_row; /* fields of the row so far */
	size_t rows;
	bool heading; /* the first row names the columns */
	bool bad;
	struct b_error *err;
};

static void mark(struct rte_table *t, size_t at)
{
	if (t->n_fields + 1 >= t->cap) {
		t->cap = t->cap ? 2 * t->cap : 256;
		t->start = b_reallocarray(t->start, t->cap, sizeof *t->start);
	}
	t->start[t->n_fields] = (uint32_t)at;
}

static void on_field(void *field, size_t len, void *user)
{
	struct reading *r = user;
	struct rte_table *t = r->t;

	r->in_row++;
	if (r->heading) {
		t->columns = b_reallocarray(t->columns, t->n_columns + 1, sizeof *t->columns);
		t->columns[t->n_columns++] = b_strndup(field ? field : "", len);
		return;
	}
	mark(t, t->bytes.len);
	b_buf_add(&t->bytes, field ? field : "", len);
	b_buf_addc(&t->bytes, 0);
	t->n_fields++;
	mark(t, t->bytes.len);
}

static void on_row(int end, void *user)
{
	struct reading *r = user;
	struct rte_table *t = r->t;

	(void)end;
	r->rows++;
	if (r->heading) {
		r->heading = false;
	} else if (r->in_row != t->n_columns) {
		b_error_set(r->err, B_EINPUT,
			"%s: row %zu has %zu fields, and there are %zu columns", r->path, r->rows,
			r->in_row, t->n_columns);
		r->bad = true;
	} else {
		t->n_rows++;
	}
	r->in_row = 0;
}

/* The library would cut blanks around fields: they are data. */
static int no_space(unsigned char c)
{
	(void)c;
	return 0;
}

/* The library would grow a field for ever, 128 bytes at a time. */
static void *bounded_realloc(void *old, size_t size)
{
	return size > FIELD_MAX ? NULL : b_reallocarray(old, size, 1);
}

static size_t lines_in(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += s[i] == '\n';
	return n;
}

static int parse_piece(
	struct reading *r, struct csv_parser *p, const char *s, size_t len, size_t *line)
{
	size_t done = csv_parse(p, s, len, on_field, on_row, r);

	*line += lines_in(s, done);
	if (done < len && csv_error(p) == CSV_ENOMEM)
		return b_error_set(r->err, B_EINPUT,
			"%s:%zu: a field of more than 1 MiB; is a quote not closed, or this no CSV file?",
			r->path, *line);
	if (done < len)
		return b_error_set(r->err, B_EINPUT,
			"%s:%zu: a quote stands inside a field; quote the whole field and double it",
			r->path, *line);
	return r->bad ? B_EINPUT : B_OK;
}

static int parse(struct reading *r, FILE *f, char separator)
{
	char piece[65536];
	struct csv_parser p;
	size_t n, total = 0, line = 1;
	int rc = B_OK;

	if (csv_init(&p, CSV_STRICT | CSV_STRICT_FINI))
		return b_error_set(r->err, B_EENV, "no memory for the CSV parser");
	csv_set_delim(&p, (unsigned char)separator);
	csv_set_space_func(&p, no_space);
	csv_set_realloc_func(&p, bounded_realloc);
	csv_set_blk_size(&p, 4096);
	while (!rc && (n = fread(piece, 1, sizeof piece, f)) > 0) {
		size_t skip = total == 0 && n >= 3 && !memcmp(piece, "\xef\xbb\xbf", 3) ? 3 : 0;

		total += n;
		if (total > FILE_MAX)
			rc = b_error_set(r->err, B_EINPUT, "%s: larger than 1 GiB", r->path);
		else
			rc = parse_piece(r, &p, piece + skip, n - skip, &line);
	}
	if (!rc && ferror(f))
		rc = b_error_set(r->err, B_EINPUT, "cannot read %s: %s", r->path, strerror(errno));
	if (!rc && csv_fini(&p, on_field, on_row, r))
		rc = b_error_set(r->err, B_EINPUT, "%s:%zu: a quote is not closed", r->path, line);
	if (!rc && r->bad)
		rc = B_EINPUT;
	csv_free(&p);
	return rc;
}

static int check_columns(const struct rte_table *t, const char *path, struct b_error *err)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		if (!*t->columns[i])
			return b_error_set(err, B_EINPUT,
				"%s: column %zu has no name in the heading", path, i + 1);
		for (size_t j = 0; j < i; j++)
			if (!strcmp(t->columns[i], t->columns[j]))
				return b_error_set(err, B_EINPUT, "%s: two columns are named '%s'",
					path, t->columns[i]);
	}
	if (!t->n_rows)
		return b_error_set(err, B_EINPUT, "%s: no rows%s", path,
			t->n_columns ? " below the heading" : "");
	return B_OK;
}

static int table_read(const char *path, const struct rte_table_options *opt, struct rte_table **out,
	struct b_error *err)
{
	struct rte_table *t = b_calloc(1, sizeof *t);
	struct reading r = { .t = t, .path = path, .heading = !opt->columns, .err = err };
	int rc = b_file_check_again(path, err);
	FILE *f = NULL;

	if (rc)
		goto out;
	f = fopen(path, "rbe");
	if (!f) {
		rc = b_error_set(
			err, B_EINPUT, "cannot read data file %s: %s", path, strerror(errno));
		goto out;
	}
	if (opt->columns) {
		t->columns = b_calloc(opt->n_columns, sizeof *t->columns);
		for (; t->n_columns < opt->n_columns; t->n_columns++)
			t->columns[t->n_columns] = b_strdup(opt->columns[t->n_columns]);
	}
	rc = parse(&r, f, opt->separator);
	fclose(f);
	if (!rc)
		rc = check_columns(t, path, err);
out:
	if (rc)
		table_free(t);
	else
		*out = t;
	return rc;
}

static char *key_of(const char *path, const struct rte_table_options *opt)
{
	struct b_buf key = B_BUF_INIT;

	b_buf_printf(&key, "%c%s", opt->separator, path);
	for (size_t i = 0; i < opt->n_columns; i++)
		b_buf_printf(&key, "\n%s", opt->columns[i]);
	return b_buf_take(&key, NULL);
}

int rte_table_open(struct rte_data *d, const char *path, const struct rte_table_options *opt,
	const struct rte_table **out, struct b_error *err)
{
	char *key = key_of(path, opt);
	struct rte_table *t;
	int rc = B_OK;

	pthread_mutex_lock(&d->lock); /* held while reading: others want the same file */
	for (t = d->tables; t && strcmp(t->key, key) != 0; t = t->next)
		;
	if (!t)
		rc = table_read(path, opt, &t, err);
	if (!rc && !t->key) {
		t->key = key;
		t->path = b_strdup(path);
		key = NULL;
		t->next = d->tables;
		d->tables = t;
	}
	pthread_mutex_unlock(&d->lock);
	free(key);
	if (!rc)
		*out = t;
	return rc;
}

/* ---- What stands in it ------------------------------------------------------------------- */

const char *rte_data_file(const struct rte_data *d, size_t i, size_t *rows)
{
	const struct rte_table *t = d->tables;

	while (t && i--)
		t = t->next;
	if (t)
		*rows = t->n_rows;
	return t ? t->path : NULL;
}

size_t rte_table_rows(const struct rte_table *t)
{
	return t->n_rows;
}

size_t rte_table_columns(const struct rte_table *t)
{
	return t->n_columns;
}

const char *rte_table_column(const struct rte_table *t, size_t column)
{
	return t->columns[column];
}

const char *rte_table_field(const struct rte_table *t, size_t row, size_t column, size_t *len)
{
	size_t i = row * t->n_columns + column;

	*len = t->start[i + 1] - t->start[i] - 1;
	return t->bytes.data + t->start[i];
}
