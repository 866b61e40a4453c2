#include "report/ladder.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/format.h"
#include "report/report.h"
#include "base/banned.h"

/*
 * Knee by the asymptotes of a closed system: with few users throughput grows in proportion to
 * them, as at the lowest step; with many it stays at its greatest. The users at which the two
 * lines meet are the knee. Source: Denning and Buzen 1978, operational analysis.
 */
const char rp_knee_method[] =
	"knee: where throughput growing in proportion from the lowest step meets the greatest measured "
	"(asymptotes of a closed system)";

#define STILL_LINEAR 0.9 /* of proportional growth at the highest step: no knee yet */

static bool is_run(const char *dir)
{
	static const char *const files[] = { RUNDIR_RUN_JSON, RUNDIR_TRANSACTIONS_CSV };
	struct b_buf path = B_BUF_INIT;
	struct stat st;
	bool is = false;

	for (size_t i = 0; i < B_ARRAY_LEN(files); i++) {
		b_buf_clear(&path);
		b_buf_printf(&path, "%s/%s", dir, files[i]);
		is = is || !stat(b_buf_cstr(&path), &st);
	}
	b_buf_release(&path);
	return is;
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Folders of dir that hold a run, as steps without runs yet. */
static void find_steps(struct rp_ladder *l, const char *dir)
{
	struct dirent **list = NULL;
	int n = scandir(dir, &list, not_hidden, by_name);

	for (int i = 0; i < n; i++) {
		struct b_buf path = B_BUF_INIT;

		b_buf_printf(&path, "%s/%s", dir, list[i]->d_name);
		if (is_run(b_buf_cstr(&path))) {
			l->steps = b_reallocarray(l->steps, l->n_steps + 1, sizeof *l->steps);
			l->steps[l->n_steps++] =
				(struct rp_step){ .name = b_strdup(list[i]->d_name),
					.dir = b_strdup(b_buf_cstr(&path)),
					.users = NAN };
		}
		b_buf_release(&path);
		free(list[i]);
	}
	free(list);
}

bool rp_is_ladder(const char *dir)
{
	struct rp_ladder l = { 0 };
	bool is;

	if (is_run(dir))
		return false;
	find_steps(&l, dir);
	is = l.n_steps > 0;
	rp_ladder_release(&l);
	return is;
}

static double started(const struct rp_step *s)
{
	return s->run ? s->run->started_s : INFINITY;
}

static int by_users(const void *a, const void *b)
{
	const struct rp_step *x = a, *y = b;
	double u = isnan(x->users) ? INFINITY : x->users, v = isnan(y->users) ? INFINITY : y->users;

	if (u < v || u > v)
		return u < v ? -1 : 1;
	if (started(x) < started(y) || started(x) > started(y))
		return started(x) < started(y) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* ---- Levels ----------------------------------------------------------------------------------- */

/*
 * Little's law for a closed system: users = throughput x the time that a transaction takes one
 * of them, think time, typing and all. The time is that of the time accounts over the number
 * of transactions; where there are no accounts, what the rows say.
 */
static double little(const struct rp_run *r)
{
	const struct rp_sessions *s = &r->sessions;
	double ended = 0, each = 0;

	for (int i = 0; i < RP_N_BATCHES; i++)
		ended += (double)r->ended[i];
	ended += (double)r->all.n_failed;
	if (s->n && r->all.n_logged) {
		for (int i = RP_AC_KEYING; i <= RP_AC_BARRIER; i++)
			each += s->part_s[i];
		each /= (double)r->all.n_logged;
	} else {
		for (int m = RP_RESPONSE; m <= RP_THINK; m++)
			if (m != RP_FIRST && r->all.measure[m].n)
				each += r->all.measure[m].mean_s;
	}
	return ended / rp_interval_s(r) * each;
}

static void level_make(struct rp_step_level *v, const struct rp_step *steps)
{
	double rate = 0, min = INFINITY, mean = 0, p90 = 0, max = 0, law = 0;
	size_t n = 0;

	for (size_t i = v->first; i < v->first + v->n; i++) {
		const struct rp_run *r = steps[i].run;
		const struct rp_stat *s;

		if (!r || !r->all.n_ok)
			continue;
		s = &r->all.measure[RP_RESPONSE];
		rate += r->all.rate_per_s;
		min = fmin(min, s->min_s);
		mean += s->mean_s;
		p90 += s->p[RP_P90].s;
		max = fmax(max, s->max_s);
		law += little(r);
		n++;
	}
	v->rate_per_s = n ? rate / (double)n : (double)NAN;
	v->min_s = n ? min : (double)NAN;
	v->mean_s = n ? mean / (double)n : (double)NAN;
	v->p90_s = n ? p90 / (double)n : (double)NAN;
	v->max_s = n ? max : (double)NAN;
	v->little = n ? law / (double)n : (double)NAN;
}

static void levels_make(struct rp_ladder *l)
{
	for (size_t i = 0; i < l->n_steps; i++) {
		struct rp_step_level *last = l->n_levels ? &l->levels[l->n_levels - 1] : NULL;

		if (last && !(l->steps[i].users > last->users) && !isnan(l->steps[i].users)) {
			last->n++;
			continue;
		}
		l->levels = b_reallocarray(l->levels, l->n_levels + 1, sizeof *l->levels);
		l->levels[l->n_levels++] =
			(struct rp_step_level){ .users = l->steps[i].users, .first = i, .n = 1 };
	}
	for (size_t i = 0; i < l->n_levels; i++)
		level_make(&l->levels[i], l->steps);
}

static double knee_of(const struct rp_ladder *l)
{
	const struct rp_step_level *low = NULL, *high = NULL;
	double most = 0, knee;

	for (size_t i = 0; i < l->n_levels; i++) {
		const struct rp_step_level *v = &l->levels[i];

		if (!(v->rate_per_s > 0) || !(v->users > 0))
			continue;
		if (!low)
			low = v;
		high = v;
		most = fmax(most, v->rate_per_s);
	}
	if (!low || high == low)
		return NAN;
	if (high->rate_per_s / low->rate_per_s > STILL_LINEAR * high->users / low->users)
		return NAN;
	knee = low->users * most / low->rate_per_s;
	return knee <= high->users ? knee : (double)NAN;
}

void rp_knee_text(struct b_buf *out, const struct rp_ladder *l)
{
	size_t measured = 0;

	for (size_t i = 0; i < l->n_levels; i++)
		measured += l->levels[i].rate_per_s > 0;
	if (!isnan(l->knee))
		b_buf_printf(out, "knee at about %.0f users", l->knee);
	else if (measured > 1)
		b_buf_adds(out,
			"no knee: throughput still grows with the users, nearly in proportion");
	else
		b_buf_adds(out,
			measured ? "no knee: transactions succeeded at one step alone"
				 : "no knee: no transaction succeeded");
}

bool rp_little_text(struct b_buf *out, const struct rp_ladder *l)
{
	const char *sep = "";

	for (size_t i = 0; i < l->n_levels; i++) {
		if (isnan(l->levels[i].little))
			continue;
		b_buf_printf(out, "%s%.0f: %.1f", sep, l->levels[i].users, l->levels[i].little);
		sep = ", ";
	}
	return *sep;
}

/* Keeps the last n by name, which for a monitor is by time. */
static void newest(struct rp_ladder *l, size_t n)
{
	size_t cut = n && l->n_steps > n ? l->n_steps - n : 0;

	for (size_t i = 0; i < cut; i++) {
		free(l->steps[i].name);
		free(l->steps[i].dir);
	}
	if (cut)
		memmove(l->steps, l->steps + cut, (l->n_steps - cut) * sizeof *l->steps);
	l->n_steps -= cut;
	l->n_left_out = cut;
}

/* ---- Loading -------------------------------------------------------------------------------- */

static void step_load(struct rp_step *s, const struct rp_load_options *opt)
{
	if (rp_run_load(&s->run, s->dir, opt, &s->problem))
		return;
	s->users = s->run->config.users > 0 ? s->run->config.users : (double)s->run->n_users_seen;
}

int rp_ladder_load(struct rp_ladder **out, const char *dir, const struct rp_load_options *opt,
	struct b_error *err)
{
	struct rp_load_options each = opt ? *opt : (struct rp_load_options){ 0 };
	struct rp_ladder *l = b_calloc(1, sizeof *l);

	each.keep_rows = false;
	l->dir = b_strdup(dir);
	find_steps(l, dir);
	newest(l, each.newest);
	if (!l->n_steps) {
		rp_ladder_free(l);
		return b_error_set(err, B_ENOTFOUND, "%s holds no run directories", dir);
	}
	for (size_t i = 0; i < l->n_steps; i++) {
		step_load(&l->steps[i], &each);
		if (l->steps[i].problem.code == B_EUSAGE) { /* the options, not the run */
			int rc = b_error_set(err, B_EUSAGE, "%s", l->steps[i].problem.text);

			rp_ladder_free(l);
			return rc;
		}
	}
	qsort(l->steps, l->n_steps, sizeof *l->steps, by_users);
	levels_make(l);
	l->knee = knee_of(l);
	*out = l;
	return B_OK;
}

void rp_ladder_of_run(struct rp_ladder *l, const char *dir, struct rp_run *r)
{
	*l = (struct rp_ladder){ .dir = b_strdup(dir), .n_steps = 1, .knee = NAN };
	l->steps = b_calloc(1, sizeof *l->steps);
	l->steps[0] = (struct rp_step){ .name = b_strdup(dir),
		.dir = b_strdup(dir),
		.run = r,
		.users = r->config.users > 0 ? r->config.users : (double)r->n_users_seen };
	levels_make(l);
}

void rp_ladder_release(struct rp_ladder *l)
{
	for (size_t i = 0; i < l->n_steps; i++) {
		free(l->steps[i].name);
		free(l->steps[i].dir);
		rp_run_free(l->steps[i].run);
	}
	free(l->steps);
	free(l->levels);
	free(l->dir);
}

void rp_ladder_free(struct rp_ladder *l)
{
	if (!l)
		return;
	rp_ladder_release(l);
	free(l);
}

enum b_exit rp_step_exit(const struct rp_step *s)
{
	return s->run ? rp_run_exit(s->run) : B_EXIT_FAILED;
}

const char *rp_verdict_word(enum b_exit status)
{
	switch (status) {
	case B_EXIT_OK: return "ok";
	case B_EXIT_FAILED: return "failed";
	case B_EXIT_INVALID: return "invalid";
	default: break;
	}
	return "error";
}

enum b_exit rp_ladder_exit(const struct rp_ladder *l)
{
	enum b_exit worst = B_EXIT_OK;

	for (size_t i = 0; i < l->n_steps; i++) {
		enum b_exit one = rp_step_exit(&l->steps[i]);

		worst = one > worst ? one : worst;
	}
	return worst;
}

void rp_step_note(struct b_buf *out, const struct rp_step *s)
{
	const struct rp_run *r = s->run;
	char a[RP_FORMAT_SIZE];
	size_t from = out->len;

	if (!r) {
		b_buf_printf(out, "cannot be read: %s", s->problem.text);
		return;
	}
	if (r->outcome && strcmp(r->outcome, "finished"))
		b_buf_adds(out, !strcmp(r->outcome, "running") ? "killed" : r->outcome);
	if (r->all.n_status[RP_TIMEOUT])
		b_buf_printf(out, "%s%s timed out", out->len > from ? ", " : "",
			rp_format_count(a, r->all.n_status[RP_TIMEOUT]));
	if (r->all.n_status[RP_CHECK])
		b_buf_printf(out, "%s%s check%s failed", out->len > from ? ", " : "",
			rp_format_count(a, r->all.n_status[RP_CHECK]),
			r->all.n_status[RP_CHECK] == 1 ? "" : "s");
	if (rp_thresholds_n_missed(r)) {
		b_buf_adds(out, out->len > from ? ", " : "");
		rp_thresholds_missed(out, r);
	}
	for (size_t i = 0; i < r->n_checks; i++)
		if (r->checks[i].level == RP_BAD && strcmp(r->checks[i].name, "outcome"))
			b_buf_printf(out, "%sinvalid: %s", out->len > from ? ", " : "",
				r->checks[i].name);
}
