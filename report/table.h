/*
 * report/table.h - a table of figures for a terminal or a log (private to report/).
 *
 * A row has a name and a cell a column; a column is as wide as what stands in it. Where not all
 * columns fit beside the names, those of the lowest level stand together, in their order, and the
 * others follow below under the names again: nothing is left out, and no line is wider than asked.
 * Names are escaped and shortened in their middle; cells and heads are taken as they are.
 *
 *   rp_table_new, rp_table_column for each, then rp_table_row and rp_table_cell for each column,
 *   in order; rp_table_write; rp_table_free.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rp_table;

struct rp_table *rp_table_new(const char *name_head);
void rp_table_free(struct rp_table *t); /* NULL accepted */

/* over: a word above the head, or NULL. level: 0 stands in the first lines, higher ones where there
   is room. left: its text stands at the left. */
void rp_table_column(
	struct rp_table *t, const char *over, const char *head, unsigned level, bool left);
void rp_table_row(struct rp_table *t, const char *name);
void rp_table_cell(struct rp_table *t, const char *text); /* of the last row, the next column */
void rp_table_seconds(struct rp_table *t, double s);
/* A bar of marks as long as v is of most. */
void rp_table_bar(struct rp_table *t, double v, double most);
/* A remark below the last row, escaped and wrapped; once, however the table is cut. */
void rp_table_note(struct rp_table *t, const char *text);

/* cols: of the terminal, 40 or more. */
void rp_table_write(const struct rp_table *t, FILE *to, size_t cols);

#endif
