/* A ladder as text, JSON and CSV: the paper's table, and what follows from it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/format.h"
#include "report/json.h"
#include "report/ladder.h"
#include "report/report.h"
#include "report/runs.h"
#include "report/table.h"
#include "base/banned.h"

static double most_rate(const struct rp_ladder *l)
{
	double most = 0;

	for (size_t i = 0; i < l->n_steps; i++)
		if (l->steps[i].run)
			most = fmax(most, l->steps[i].run->all.rate_per_s);
	return most;
}

void rp_step_figures(struct rp_table *t, const struct rp_run *r)
{
	const struct rp_stat *m = &r->all.measure[RP_RESPONSE];
	char a[RP_FORMAT_SIZE];

	rp_table_cell(t, rp_format_number(a, r->all.rate_per_s));
	rp_table_cell(t, rp_format_count(a, r->all.n_ok));
	rp_table_cell(t, rp_format_count(a, r->all.n_failed));
	rp_table_seconds(t, m->min_s);
	rp_table_seconds(t, m->mean_s);
	rp_table_seconds(t, m->p[RP_P90].s);
	rp_table_seconds(t, m->max_s);
}

static void add_step(struct rp_table *t, const struct rp_step *s, double most)
{
	const struct rp_run *r = s->run;
	struct b_buf note = B_BUF_INIT;
	char a[RP_FORMAT_SIZE];

	snprintf(a, sizeof a, isnan(s->users) ? "?" : "%.0f", s->users);
	rp_table_row(t, a);
	if (r) {
		rp_step_figures(t, r);
		rp_table_bar(t, r->all.rate_per_s, most);
	}
	rp_step_note(&note, s);
	rp_table_note(t, b_buf_cstr(&note));
	b_buf_release(&note);
}

static void write_steps(const struct rp_ladder *l, FILE *to)
{
	struct rp_table *t = rp_table_new("users");
	double most = most_rate(l);

	rp_table_column(t, NULL, "ok/s", 0, false);
	rp_table_column(t, NULL, "ok", 0, false);
	rp_table_column(t, NULL, "failed", 0, false);
	rp_table_column(t, NULL, "min", 0, false);
	rp_table_column(t, NULL, "mean", 0, false);
	rp_table_column(t, NULL, "p90", 0, false);
	rp_table_column(t, NULL, "max", 0, false);
	rp_table_column(t, NULL, "throughput", 1, true);
	for (size_t i = 0; i < l->n_steps; i++)
		add_step(t, &l->steps[i], most);
	rp_table_write(t, to, rp_format_cols(to));
	rp_table_free(t);
}

static void write_little(const struct rp_ladder *l, FILE *to)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_adds(&b, "Little's law, users found from throughput x time of a transaction: ");
	if (rp_little_text(&b, l)) {
		rp_format_wrapped(to, rp_format_cols(to), b_buf_cstr(&b), 0, 4);
		fputc('\n', to);
	}
	b_buf_release(&b);
}

static void write_ladder(const struct rp_ladder *l, FILE *to)
{
	struct b_buf knee = B_BUF_INIT;

	write_steps(l, to);
	if (l->n_levels < 2)
		return;
	rp_knee_text(&knee, l);
	fprintf(to, "\n%s\n", b_buf_cstr(&knee));
	b_buf_release(&knee);
	rp_format_wrapped(to, rp_format_cols(to), rp_knee_method, 0, 2);
	fputc('\n', to);
	write_little(l, to);
}

int rp_ladder_text_write(const struct rp_ladder *l, FILE *to)
{
	struct b_buf b = B_BUF_INIT;
	size_t invalid = 0;

	rp_format_name(&b, l->dir, rp_format_cols(to) - 30);
	fprintf(to, "%s    %s, %zu runs", l->n_levels > 1 ? "ladder" : "runs", b_buf_cstr(&b),
		l->n_steps);
	if (l->n_left_out)
		fprintf(to, ", the newest of %zu", l->n_steps + l->n_left_out);
	fputs("\n\n", to);
	b_buf_release(&b);
	for (size_t i = 0; i < l->n_steps; i++)
		invalid += !l->steps[i].run || !l->steps[i].run->valid;
	if (rp_is_runs(l)) {
		struct rp_runs runs;

		rp_runs_make(&runs, l);
		rp_runs_text(&runs, to);
		rp_runs_release(&runs);
	} else {
		write_ladder(l, to);
	}
	if (invalid)
		fprintf(to, "\nINVALID: %zu of %zu runs; rte report RUN_DIR of each says why\n",
			invalid, l->n_steps);
	else
		fputs("\nVALID\n", to);
	return fflush(to) || ferror(to) ? B_ESYS : B_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

static json_t *step_json(const struct rp_step *s)
{
	json_t *o = json_object();
	struct b_buf note = B_BUF_INIT;

	rp_put_text(o, "name", s->name);
	rp_put_number(o, "users", s->users);
	rp_step_note(&note, s);
	rp_put_text(o, "note", b_buf_cstr(&note));
	b_buf_release(&note);
	if (!s->run)
		return o;
	rp_put_number(o, "started_s", s->run->started_s);
	rp_put_text(o, "verdict", s->run->valid ? "VALID" : "INVALID");
	rp_put_count(o, "exit_status", (uint64_t)rp_run_exit(s->run));
	rp_put_count(o, "thresholds", s->run->n_thresholds);
	rp_put_count(o, "thresholds_missed", rp_thresholds_n_missed(s->run));
	rp_put_count(o, "ok", s->run->all.n_ok);
	rp_put_count(o, "failed", s->run->all.n_failed);
	rp_put_number(o, "rate_per_s", s->run->all.rate_per_s);
	rp_put(o, "response", rp_json_stat(&s->run->all.measure[RP_RESPONSE]));
	return o;
}

static json_t *level_json(const struct rp_step_level *v)
{
	json_t *o = json_object();

	rp_put_number(o, "users", v->users);
	rp_put_count(o, "runs", v->n);
	rp_put_number(o, "rate_per_s", v->rate_per_s);
	rp_put_number(o, "min_s", v->min_s);
	rp_put_number(o, "mean_s", v->mean_s);
	rp_put_number(o, "p90_s", v->p90_s);
	rp_put_number(o, "max_s", v->max_s);
	rp_put_number(o, "users_by_littles_law", v->little);
	return o;
}

int rp_ladder_json_write(const struct rp_ladder *l, FILE *to)
{
	json_t *o = json_object(), *steps = json_array(), *levels = json_array();

	rp_put_count(o, "format", RUNDIR_FORMAT_VERSION);
	rp_put_text(o, "rte_version", RTE_VERSION);
	rp_put_text(o, "ladder", l->dir);
	rp_put_count(o, "exit_status", (uint64_t)rp_ladder_exit(l));
	for (size_t i = 0; i < l->n_steps; i++)
		B_BUG_ON(json_array_append_new(steps, step_json(&l->steps[i])) != 0);
	for (size_t i = 0; i < l->n_levels; i++)
		B_BUG_ON(json_array_append_new(levels, level_json(&l->levels[i])) != 0);
	rp_put(o, "steps", steps);
	rp_put(o, "levels", levels);
	rp_put_number(o, "knee_users", l->knee);
	rp_put_text(o, "knee_method", rp_knee_method);
	if (rp_is_runs(l)) {
		struct rp_runs runs;

		rp_runs_make(&runs, l);
		rp_put(o, "over_runs", rp_runs_json(&runs));
		rp_runs_release(&runs);
	}
	return rp_json_dump(o, to);
}

/* ---- CSV ---------------------------------------------------------------------------------------- */

static void number(FILE *to, double v)
{
	if (isnan(v))
		fputc(',', to);
	else
		fprintf(to, ",%.9g", v);
}

int rp_ladder_csv_write(const struct rp_ladder *l, FILE *to)
{
	fputs("step,users,rate_per_s,ok,failed,min_s,mean_s,p90_s,max_s,verdict,note\n", to);
	for (size_t i = 0; i < l->n_steps; i++) {
		const struct rp_step *s = &l->steps[i];
		const struct rp_stat *t = s->run ? &s->run->all.measure[RP_RESPONSE] : NULL;
		struct b_buf name = B_BUF_INIT, note = B_BUF_INIT, field = B_BUF_INIT;

		b_escape_csv(&name, s->name, strlen(s->name));
		rp_step_note(&note, s);
		b_escape_csv(&field, b_buf_cstr(&note), note.len);
		fputs(b_buf_cstr(&name), to);
		number(to, s->users);
		number(to, s->run ? s->run->all.rate_per_s : (double)NAN);
		fprintf(to, ",%llu,%llu", s->run ? (unsigned long long)s->run->all.n_ok : 0,
			s->run ? (unsigned long long)s->run->all.n_failed : 0);
		number(to, t ? t->min_s : (double)NAN);
		number(to, t ? t->mean_s : (double)NAN);
		number(to, t ? t->p[RP_P90].s : (double)NAN);
		number(to, t ? t->max_s : (double)NAN);
		fprintf(to, ",%s,%s\n", s->run && s->run->valid ? "VALID" : "INVALID",
			b_buf_cstr(&field));
		b_buf_release(&name);
		b_buf_release(&note);
		b_buf_release(&field);
	}
	return fflush(to) || ferror(to) ? B_ESYS : B_OK;
}
