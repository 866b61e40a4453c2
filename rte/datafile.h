/*
 * rte/datafile.h - data files of scripts: CSV tables, read once, shared by all workers.
 *
 * A table is immutable once it is made, so reading it needs no lock; struct rte_data (script.h)
 * keeps those that were opened. Fields are bytes exactly as the file has them.
 */
#ifndef RTE_DATAFILE_H
#define RTE_DATAFILE_H

#include <stddef.h>

#include "base/error.h"
#include "rte/script.h"

struct rte_table;

struct rte_table_options {
	char separator;
	const char *const *columns; /* their names, when the file has no heading; else NULL */
	size_t n_columns;
};

/*
 * Gives the table of a file, reading it when it is new to d. The table is d's. B_EINPUT, with
 * file and line, when it cannot be read, is no CSV, has rows of unequal length or none.
 */
int rte_table_open(struct rte_data *d, const char *path, const struct rte_table_options *opt,
	const struct rte_table **out, struct b_error *err) B_CHECK;

/* The i-th file that was opened, and its rows; NULL: there are not so many. */
const char *rte_data_file(const struct rte_data *d, size_t i, size_t *rows);

size_t rte_table_rows(const struct rte_table *t);
size_t rte_table_columns(const struct rte_table *t);
const char *rte_table_column(const struct rte_table *t, size_t column); /* its name */
/* The field's bytes; a NUL stands behind them. row and column must exist. */
const char *rte_table_field(const struct rte_table *t, size_t row, size_t column, size_t *len);

#endif
