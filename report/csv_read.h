/*
 * report/csv_read.h - reads the logs of a run, row by row, fast and without trust.
 *
 * A log is lines of comma-separated fields, the first line names the columns; a field may stand
 * in double quotes, doubled inside, and never holds a line break (base/escape.h). Columns are
 * found by name: they may be missing, moved, or more than we know. A last line without its
 * line break was cut off by a kill and is no row.
 *
 * Reads with read(2) into one block, so that a log of gigabytes costs no memory.
 */
#ifndef REPORT_CSV_READ_H
#define REPORT_CSV_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

#define RP_CSV_MAX_COLUMNS 64

struct rp_field {
	const char *s; /* inside the block: valid until the next row. No NUL behind. */
	size_t len;
};

struct rp_csv {
	int fd;
	char *path;
	char *block;
	size_t cap, from, to; /* what is unread lies in [from, to) */
	bool at_end, cut;     /* cut: the last line had no line break */
	uint64_t line;
	size_t n_columns; /* of the header */
	size_t n_fields;  /* of this row; those beyond are empty */
	struct rp_field field[RP_CSV_MAX_COLUMNS];
	struct b_buf header;
};

/*
 * Opens a log and reads its header. B_ENOTFOUND when the file is not there, B_EOF when it holds
 * no whole line, B_ESYS. On failure nothing is left open.
 */
int rp_csv_open(struct rp_csv *c, const char *path, struct b_error *err) B_CHECK;
void rp_csv_close(struct rp_csv *c);

/* The number of a column, -1 when there is none so named. */
int rp_csv_column(const struct rp_csv *c, const char *name);

/* The next row: 1; at the end 0; a negative status on failure. Empty lines are passed over. */
int rp_csv_next(struct rp_csv *c, struct b_error *err) B_CHECK;

/* A field of this row; empty when column is -1 or the row is shorter. */
static inline struct rp_field rp_csv_field(const struct rp_csv *c, int column)
{
	static const struct rp_field none = { "", 0 };

	return column < 0 || (size_t)column >= c->n_fields ? none : c->field[column];
}

bool rp_field_is(struct rp_field f, const char *word);
/* Seconds as whole microseconds, rounded. false: empty or no number. */
bool rp_field_us(struct rp_field f, int64_t *us);
bool rp_field_int(struct rp_field f, int64_t *v);
/* NaN when empty or no number. */
double rp_field_double(struct rp_field f);

#endif
