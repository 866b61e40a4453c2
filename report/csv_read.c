#include "report/csv_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define BLOCK_BYTES    (1u << 20)
#define LINE_MAX_BYTES (16u << 20) /* a longer line is no log of ours */

/* Fills the block; what is unread moves to its start. 0 at the end of the file. */
static int fill(struct rp_csv *c, struct b_error *err)
{
	ssize_t n;

	if (c->from) {
		memmove(c->block, c->block + c->from, c->to - c->from);
		c->to -= c->from;
		c->from = 0;
	}
	if (c->to == c->cap) {
		if (c->cap >= LINE_MAX_BYTES)
			return b_error_set(err, B_EINPUT,
				"%s:%llu: the line does not end; this is no log of a run", c->path,
				(unsigned long long)c->line + 1);
		c->cap *= 2;
		c->block = b_realloc(c->block, c->cap);
	}
	do
		n = read(c->fd, c->block + c->to, c->cap - c->to);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return b_error_set(err, B_ESYS, "cannot read %s: %s", c->path, strerror(errno));
	c->to += (size_t)n;
	return n > 0;
}

/* The next whole line without its end: 1, at the end of the file 0. */
static int next_line(struct rp_csv *c, char **line, size_t *len, struct b_error *err)
{
	size_t seen = 0;

	for (;;) {
		char *start = c->block + c->from;
		size_t have = c->to - c->from;
		char *end = have > seen ? memchr(start + seen, '\n', have - seen) : NULL;
		int rc;

		if (end) {
			*line = start;
			*len = (size_t)(end - start);
			c->from += *len + 1;
			c->line++;
			if (*len && start[*len - 1] == '\r')
				--*len;
			return 1;
		}
		seen = have;
		if (c->at_end) {
			c->cut = have > 0;
			return 0;
		}
		rc = fill(c, err);
		if (rc < 0)
			return rc;
		c->at_end = !rc;
	}
}

/* A field in quotes, undone in place. Returns where it went on. */
static char *take_quoted(char *s, char *end, struct rp_field *f)
{
	char *to = ++s;

	f->s = to;
	while (s < end) {
		if (*s == '"') {
			if (s + 1 < end && s[1] == '"')
				s++;
			else
				break;
		}
		*to++ = *s++;
	}
	f->len = (size_t)(to - f->s);
	while (s < end && *s != ',')
		s++;
	return s;
}

static void split(struct rp_csv *c, char *line, size_t len)
{
	char *s = line, *end = line + len;

	c->n_fields = 0;
	while (c->n_fields < RP_CSV_MAX_COLUMNS) {
		struct rp_field *f = &c->field[c->n_fields++];

		if (s < end && *s == '"') {
			s = take_quoted(s, end, f);
		} else {
			f->s = s;
			while (s < end && *s != ',')
				s++;
			f->len = (size_t)(s - f->s);
		}
		if (s >= end)
			return;
		s++;
	}
}

int rp_csv_open(struct rp_csv *c, const char *path, struct b_error *err)
{
	struct stat st;
	char *line;
	size_t len;
	int rc;

	*c = (struct rp_csv){ .fd = -1, .header = B_BUF_INIT };
	/* A pipe by this name would let us wait for ever. */
	c->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (c->fd < 0) {
		rc = errno == ENOENT ? B_ENOTFOUND : B_ESYS;
		return b_error_set(err, rc, "cannot open %s: %s", path, strerror(errno));
	}
	if (!fstat(c->fd, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
		rp_csv_close(c);
		return b_error_set(err, B_EINPUT, "%s is no file", path);
	}
	c->path = b_strdup(path);
	c->cap = BLOCK_BYTES;
	c->block = b_malloc(c->cap);
	rc = next_line(c, &line, &len, err);
	if (rc == 0)
		rc = b_error_set(err, B_EOF, "%s is empty", path);
	if (rc < 0) {
		rp_csv_close(c);
		return rc;
	}
	b_buf_add(&c->header, line, len);
	split(c, c->header.data ? c->header.data : line, c->header.len);
	c->n_columns = c->n_fields;
	return B_OK;
}

void rp_csv_close(struct rp_csv *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	free(c->block);
	free(c->path);
	c->block = c->path = NULL;
	b_buf_release(&c->header);
}

/* Asked right after opening: the fields are still the header's. */
int rp_csv_column(const struct rp_csv *c, const char *name)
{
	B_BUG_ON(c->line != 1);
	for (size_t i = 0; i < c->n_columns; i++)
		if (rp_field_is(c->field[i], name))
			return (int)i;
	return -1;
}

int rp_csv_next(struct rp_csv *c, struct b_error *err)
{
	char *line;
	size_t len;
	int rc;

	do {
		rc = next_line(c, &line, &len, err);
		if (rc <= 0)
			return rc;
	} while (!len);
	split(c, line, len);
	return 1;
}

bool rp_field_is(struct rp_field f, const char *word)
{
	size_t n = strlen(word);

	return f.len == n && !memcmp(f.s, word, n);
}

/* The rare forms: signs, exponents. */
static bool slow_double(struct rp_field f, double *v)
{
	char text[64], *end;

	if (!f.len || f.len >= sizeof text)
		return false;
	memcpy(text, f.s, f.len);
	text[f.len] = 0;
	if (!strpbrk(text, "0123456789"))
		return false;
	*v = strtod(text, &end);
	return !*end && isfinite(*v);
}

bool rp_field_us(struct rp_field f, int64_t *us)
{
	int64_t whole = 0, part = 0;
	const char *s = f.s, *end = f.s + f.len;
	bool up = false;
	double v;

	if (!f.len)
		return false;
	while (s < end && *s >= '0' && *s <= '9' && whole < 100000000000)
		whole = whole * 10 + (*s++ - '0');
	if (s < end && *s == '.' && s > f.s) {
		int places = 0;

		for (s++; s < end && *s >= '0' && *s <= '9'; s++, places++) {
			if (places < 6)
				part = part * 10 + (*s - '0');
			else if (places == 6)
				up = *s >= '5';
		}
		for (; places < 6; places++)
			part *= 10;
	}
	if (s == end) {
		*us = whole * 1000000 + part + up;
		return true;
	}
	if (!slow_double(f, &v) || fabs(v) > 1e12)
		return false;
	*us = llround(v * 1e6);
	return true;
}

bool rp_field_int(struct rp_field f, int64_t *v)
{
	int64_t n = 0;
	double d;

	if (!f.len)
		return false;
	for (size_t i = 0; i < f.len; i++) {
		if (f.s[i] < '0' || f.s[i] > '9' || i > 17) {
			if (!slow_double(f, &d) || fabs(d) > 9e18)
				return false;
			*v = (int64_t)d;
			return true;
		}
		n = n * 10 + (f.s[i] - '0');
	}
	*v = n;
	return true;
}

double rp_field_double(struct rp_field f)
{
	double v;

	return slow_double(f, &v) ? v : (double)NAN;
}
