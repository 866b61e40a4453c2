/* A comparison as text and JSON: lines down, runs across, a table a figure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/compare.h"
#include "report/format.h"
#include "report/json.h"
#include "report/report.h"
#include "base/banned.h"

#define NAME_COLS 20
#define CELL_COLS 16 /* of a run: its figure, and how it differs */

static const char *format(char out[RP_FORMAT_SIZE], enum rp_figure f, double v)
{
	if (*rp_figure_kinds[f].unit == 's')
		return rp_format_s(out, v);
	if (isnan(v))
		return "-";
	if (*rp_figure_kinds[f].unit == 'c')
		return rp_format_count(out, (uint64_t)llround(v));
	return rp_format_number(out, v);
}

static void name_column(FILE *to, const char *name)
{
	struct b_buf b = B_BUF_INIT;
	size_t used = rp_format_name(&b, name, NAME_COLS);

	fprintf(to, "%s%*s", b_buf_cstr(&b), (int)(NAME_COLS - used), "");
	b_buf_release(&b);
}

static void write_line(const struct rp_line *l, const char *name, enum rp_figure f, size_t from,
	size_t upto, FILE *to)
{
	char v[RP_FORMAT_SIZE], part[RP_FORMAT_SIZE], change[RP_FORMAT_SIZE + 1];

	name_column(to, name);
	for (size_t k = from; k < upto; k++) {
		struct rp_difference d = rp_cell_difference(&l->cells[0], &l->cells[k], f);

		*change = 0;
		if (k && !isnan(d.part))
			snprintf(change, sizeof change, "%s%s", rp_format_change(part, d.part),
				d.stands_out ? "*" : " ");
		fprintf(to, " %7s %7s", format(v, f, rp_cell_value(&l->cells[k], f)), change);
	}
	fputc('\n', to);
}

static void write_total(const struct rp_compare *c, size_t from, size_t upto, FILE *to)
{
	char v[RP_FORMAT_SIZE], part[RP_FORMAT_SIZE], change[RP_FORMAT_SIZE + 1];
	double first = rp_column_total_s(c, 0);

	name_column(to, "total, all waits");
	for (size_t k = from; k < upto; k++) {
		double is = rp_column_total_s(c, k);

		*change = 0;
		if (k && first > 0 && !isnan(is))
			snprintf(change, sizeof change, "%s ",
				rp_format_change(part, is / first - 1));
		fprintf(to, " %7s %7s", rp_format_s(v, is), change);
	}
	fputc('\n', to);
}

/* Whether any cell has a figure other than 0: a table of nothing says nothing. */
static bool has_any(const struct rp_compare *c, enum rp_figure f)
{
	for (size_t i = 0; i < c->n_lines; i++)
		for (size_t k = 0; k < c->n_columns; k++)
			if (rp_cell_value(&c->lines[i].cells[k], f) > 0)
				return true;
	return false;
}

static void write_table(
	const struct rp_compare *c, enum rp_figure f, size_t from, size_t upto, FILE *to)
{
	char name[RP_FORMAT_SIZE], title[64];

	snprintf(title, sizeof title, "%s", rp_figure_kinds[f].title);
	for (char *s = title; *s; s++)
		if (*s >= 'a' && *s <= 'z' && f != RP_N_FIGURE)
			*s = (char)(*s - 'a' + 'A');
	fprintf(to, "\n%s\n%-*s", title, NAME_COLS, c->by_users ? "users" : "transaction");
	for (size_t k = from; k < upto; k++)
		fprintf(to, " %7s %7s", rp_column_name(name, k), k ? "vs A " : "");
	fputc('\n', to);
	for (size_t i = 0; i < c->n_lines; i++)
		write_line(&c->lines[i], c->lines[i].name, f, from, upto, to);
	if (c->by_users)
		return;
	write_line(&c->all, "all", f, from, upto, to);
	if (f == RP_FIG_MEAN)
		write_total(c, from, upto, to);
}

static void write_columns(const struct rp_compare *c, FILE *to)
{
	char name[RP_FORMAT_SIZE], a[RP_FORMAT_SIZE];

	for (size_t k = 0; k < c->n_columns; k++) {
		const struct rp_ladder *l = &c->columns[k];
		struct b_buf b = B_BUF_INIT;
		size_t valid = 0;

		for (size_t i = 0; i < l->n_steps; i++)
			valid += l->steps[i].run && l->steps[i].run->valid;
		rp_format_name(&b, l->dir, rp_format_cols(to) - 52);
		fprintf(to, "%-2s %s", rp_column_name(name, k), b_buf_cstr(&b));
		if (l->n_steps == 1 && l->steps[0].run)
			fprintf(to, ", %.0f users, %s, %s", l->steps[0].users,
				rp_format_time(a, l->steps[0].run->started_s),
				valid ? "VALID" : "INVALID");
		else
			fprintf(to, ", %zu runs, %zu VALID", l->n_steps, valid);
		if (c->by_users && !isnan(l->knee))
			fprintf(to, ", knee at about %.0f users", l->knee);
		fputc('\n', to);
		b_buf_release(&b);
	}
}

int rp_compare_text_write(const struct rp_compare *c, FILE *to)
{
	size_t across = (rp_format_cols(to) - NAME_COLS) / CELL_COLS;

	write_columns(c, to);
	for (size_t from = 0; from < c->n_columns; from += across) {
		size_t upto = from + across < c->n_columns ? from + across : c->n_columns;

		for (int f = 0; f < RP_N_FIGURE; f++)
			if (has_any(c, (enum rp_figure)f))
				write_table(c, (enum rp_figure)f, from, upto, to);
	}
	fputc('\n', to);
	rp_format_wrapped(to, rp_format_cols(to), rp_compare_method, 0, 2);
	fputc('\n', to);
	return fflush(to) || ferror(to) ? B_ESYS : B_OK;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static json_t *cell_json(const struct rp_line *l, size_t column)
{
	json_t *o = json_object(), *against = json_object();

	rp_put_count(o, "runs", l->cells[column].n);
	for (int f = 0; f < RP_N_FIGURE; f++) {
		struct rp_difference d =
			rp_cell_difference(&l->cells[0], &l->cells[column], (enum rp_figure)f);
		json_t *one = json_object();

		rp_put_number(o, rp_figure_kinds[f].key,
			rp_cell_value(&l->cells[column], (enum rp_figure)f));
		rp_put_number(one, "change", d.part);
		rp_put_number(one, "p", d.p);
		rp_put(one, "stands_out", json_boolean(d.stands_out));
		rp_put(one, "from_repeats", json_boolean(d.from_repeats));
		rp_put(against, rp_figure_kinds[f].key, one);
	}
	if (column)
		rp_put(o, "against_first", against);
	else
		json_decref(against);
	return o;
}

static json_t *line_json(const struct rp_compare *c, const struct rp_line *l, const char *name)
{
	json_t *o = json_object(), *cells = json_array();

	rp_put_text(o, c->by_users ? "level" : "transaction", name);
	if (c->by_users)
		rp_put_number(o, "users", l->users);
	for (size_t k = 0; k < c->n_columns; k++)
		B_BUG_ON(json_array_append_new(cells, cell_json(l, k)) != 0);
	rp_put(o, "columns", cells);
	return o;
}

int rp_compare_json_write(const struct rp_compare *c, FILE *to)
{
	json_t *o = json_object(), *columns = json_array(), *lines = json_array();

	rp_put_count(o, "format", RUNDIR_FORMAT_VERSION);
	rp_put_text(o, "rte_version", RTE_VERSION);
	for (size_t k = 0; k < c->n_columns; k++) {
		json_t *one = json_object();

		rp_put_text(one, "run", c->columns[k].dir);
		rp_put_count(one, "runs", c->columns[k].n_steps);
		rp_put_number(one, "knee_users", c->columns[k].knee);
		if (!c->by_users)
			rp_put_number(one, "total_response_s", rp_column_total_s(c, k));
		B_BUG_ON(json_array_append_new(columns, one) != 0);
	}
	rp_put(o, "columns", columns);
	for (size_t i = 0; i < c->n_lines; i++)
		B_BUG_ON(json_array_append_new(
				 lines, line_json(c, &c->lines[i], c->lines[i].name)) != 0);
	rp_put(o, "lines", lines);
	if (!c->by_users)
		rp_put(o, "all", line_json(c, &c->all, "*"));
	rp_put_text(o, "method", rp_compare_method);
	return rp_json_dump(o, to);
}
