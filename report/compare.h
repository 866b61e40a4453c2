/*
 * report/compare.h - figures of several runs or ladders side by side (private to report/).
 *
 * A column is what stood on the command line: a run, or a directory of runs. A line is a
 * transaction; when the directories are ladders, it is a number of users. A cell holds the runs
 * of its column that have such a line: more than one where there are repeats.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/format.h"
#include "report/ladder.h"

enum rp_figure {
	RP_FIG_MEAN,
	RP_FIG_P90,
	RP_FIG_P99,
	RP_FIG_MAX,
	RP_FIG_RATE,
	RP_FIG_FAILED,
	RP_N_FIGURE
};

struct rp_figure_kind {
	const char *key, *title, *unit; /* unit: s, per_s or count */
};
extern const struct rp_figure_kind rp_figure_kinds[RP_N_FIGURE];

struct rp_cell {
	const struct rp_group **groups;
	const struct rp_run **runs;
	size_t n;
};

struct rp_line {
	char *name; /* of the transaction, or "N users" */
	double users;
	struct rp_cell *cells; /* a column each */
};

struct rp_compare {
	struct rp_ladder *columns;
	size_t n_columns;
	bool by_users; /* lines are numbers of users */
	struct rp_line *lines;
	size_t n_lines;
	struct rp_line all; /* all transactions together; unused by users */
};

/* What a cell says of a figure: the mean of its runs; NaN: nothing. */
double rp_cell_value(const struct rp_cell *c, enum rp_figure f);

struct rp_difference {
	double part;     /* (b - a) / a; NaN: none */
	double p;        /* of the test; NaN: it could not be made */
	bool stands_out; /* p below RP_STANDS_OUT */
	bool from_repeats;
};
struct rp_difference rp_cell_difference(
	const struct rp_cell *a, const struct rp_cell *b, enum rp_figure f);

/* What a column is called: "A".."Z", then by its number. */
const char *rp_column_name(char out[RP_FORMAT_SIZE], size_t column);

/* Sum of all response times of a column, over its runs' mean: what the whole took. */
double rp_column_total_s(const struct rp_compare *c, size_t column);

#define RP_STANDS_OUT 0.01
extern const char rp_compare_method[];

#endif
