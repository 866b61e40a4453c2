/*
 * The validity sheet: may anybody believe these figures? Each line is judged fine, a note, a
 * warning or bad; one bad line makes the run INVALID. What the limits are stands here once.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/random.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

#define SAMPLES_BAD    100 /* fewer in all: a p90 within 6 points at best */
#define SAMPLES_P90    864 /* p90 within 2 points */
#define FAILED_BAD     0.01
#define UNFINISHED_BAD 0.01
#define GUESSED_WARN   0.01 /* stale or unsettled responses */
#define GUESSED_BAD    0.10
#define DRIFT_WARN     0.10 /* of the mean, over the interval, and significant */
#define DRIFT_BAD      0.20
#define DRIFT_WARN_S   0.005 /* a drift of the response time below this is felt by nobody */
#define DRIFT_BAD_S    0.050
#define MEAN_OFF       0.05 /* think and typing against what was asked */
#define SHAPE_OFF      0.05 /* Kolmogorov's distance */
#define MIX_OFF        0.02 /* of all, beyond what chance does */
#define CPU_WARN       0.80 /* of all cores */

const char *const rp_level_names[4] = { "ok", "note", "warning", "bad" };

static struct rp_check *check_vadd(
	struct rp_run *r, enum rp_level level, const char *name, const char *fmt, va_list ap)
{
	struct b_buf text = B_BUF_INIT;

	b_buf_vprintf(&text, fmt, ap);
	r->checks = b_reallocarray(r->checks, r->n_checks + 1, sizeof *r->checks);
	r->checks[r->n_checks] =
		(struct rp_check){ level, b_strdup(name), b_buf_take(&text, NULL), false };
	return &r->checks[r->n_checks++];
}

void rp_check_add(struct rp_run *r, enum rp_level level, const char *name, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	check_vadd(r, level, name, fmt, ap);
	va_end(ap);
}

static enum rp_level worse(double v, double warn, double bad)
{
	return v > bad ? RP_BAD : v > warn ? RP_WARNING : RP_FINE;
}

/* ---- The run ---------------------------------------------------------------------------------- */

static void judge_outcome(struct rp_run *r)
{
	const char *o = r->outcome ? r->outcome : "unknown";

	if (r->json_problem.code)
		rp_check_add(r, RP_BAD, "record", "%s", r->json_problem.text);
	if (!strcmp(o, "finished"))
		rp_check_add(r, RP_FINE, "outcome", "finished");
	else if (!strcmp(o, "stopped"))
		rp_check_add(r, RP_WARNING, "outcome", "%s",
			r->outcome_detail ? r->outcome_detail : "stopped before its planned end");
	else if (!strcmp(o, "running"))
		rp_check_add(r, RP_BAD, "outcome",
			"killed, or still running: these figures are those of a part");
	else
		rp_check_add(r, RP_BAD, "outcome", "%s: the run did not come to its end%s%s", o,
			r->outcome_detail ? ": " : "", r->outcome_detail ? r->outcome_detail : "");
	if (r->bad_rows)
		rp_check_add(r, RP_WARNING, "log", "%zu rows cannot be read", r->bad_rows);
	if (r->truncated_rows)
		rp_check_add(r, RP_NOTE, "log", "the last row was cut off");
}

static void judge_samples(struct rp_run *r)
{
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];
	const struct rp_group *thin = NULL;
	size_t n_thin = 0;

	if (!r->all.n_ok) {
		rp_check_add(r, RP_BAD, "samples",
			r->all.n_failed
				? "no transaction succeeded in the measurement interval"
				: "no transaction ended in the measurement interval: nothing was measured");
		return;
	}
	for (size_t i = 0; i < r->n_groups; i++) {
		const struct rp_group *g = &r->groups[i];

		if (!(g->n_ok + g->n_failed) || g->n_ok >= SAMPLES_P90)
			continue;
		n_thin++;
		if (!thin || g->n_ok < thin->n_ok)
			thin = g;
	}
	rp_format_count(a, r->all.n_ok);
	if (r->all.n_ok < SAMPLES_BAD)
		rp_check_add(r, RP_BAD, "samples",
			"%s in all; percentiles of fewer than %d say little", a, SAMPLES_BAD);
	else if (thin)
		rp_check_add(r, RP_NOTE, "samples",
			"%s in all; %zu transaction%s with fewer than %d (p90 not within 2 points), "
			"least: %s, %s",
			a, n_thin, n_thin == 1 ? "" : "s", SAMPLES_P90, thin->name,
			rp_format_count(b, thin->n_ok));
	else
		rp_check_add(r, RP_FINE, "samples", "%s in all, %d or more of each transaction", a,
			SAMPLES_P90);
}

static void judge_failures(struct rp_run *r)
{
	const struct rp_group *g = &r->all;
	uint64_t failed = g->n_failed + g->n_edge_failed;
	uint64_t n = g->n_ok + g->n_edge + failed;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];
	double part;

	if (n) {
		part = (double)failed / (double)n;
		rp_check_add(r, worse(part, 0, FAILED_BAD), "failures",
			"%s of %s that began in the interval (%s), at most %g%%",
			rp_format_count(a, failed), rp_format_count(b, n), rp_format_share(c, part),
			FAILED_BAD * 100);
	}
	n += g->n_unfinished;
	if (n) {
		part = (double)g->n_unfinished / (double)n;
		rp_check_add(r, worse(part, UNFINISHED_BAD, UNFINISHED_BAD), "unfinished",
			"%s began in the interval and never ended (%s), at most %g%%",
			rp_format_count(a, g->n_unfinished), rp_format_share(b, part),
			UNFINISHED_BAD * 100);
	}
}

static void judge_guessed(struct rp_run *r)
{
	const struct {
		uint64_t n;
		const char *name, *text;
	} kinds[] = {
		{ r->all.n_ended[RP_BY_STALE], "stale",
			"ended on a screen that already showed what was waited for" },
		{ r->all.n_ended[RP_BY_UNSETTLED], "unsettled",
			"the screen never came to rest: the end is a guess" },
		{ r->all.n_no_output, "no output",
			"got no answer at all and have no response time" },
	};
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (!r->all.n_ok)
		return;
	for (size_t i = 0; i < B_ARRAY_LEN(kinds); i++) {
		double part = (double)kinds[i].n / (double)r->all.n_ok;

		rp_check_add(r, worse(part, GUESSED_WARN, GUESSED_BAD), kinds[i].name, "%s (%s) %s",
			rp_format_count(a, kinds[i].n), rp_format_share(b, part), kinds[i].text);
	}
	if (r->all.n_no_input)
		rp_check_add(r, RP_NOTE, "no input",
			"%s (%s) typed nothing and waited for nothing: they have no response time",
			rp_format_count(a, r->all.n_no_input),
			rp_format_share(b, (double)r->all.n_no_input / (double)r->all.n_ok));
}

/* ---- The driver -------------------------------------------------------------------------------- */

static void judge_driver(struct rp_run *r)
{
	const struct rp_driver *d = &r->driver;
	const struct rp_config *c = &r->config;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], m[RP_FORMAT_SIZE];
	double cores = r->cores > 0 ? r->cores : NAN, busy = d->cpu_mean / cores;

	if (isnan(d->late_p99_s)) {
		rp_check_add(r, RP_NOTE, "lateness", "the run left no figure");
	} else {
		enum rp_level level = worse(d->late_p99_s, c->late_warn_s, c->late_bad_s);

		rp_check_add(r, level, "lateness",
			"keystrokes p99 %s late%s, max %s; warning above %gms, bad above %gms",
			rp_format_s(a, d->late_p99_s),
			d->late_from_timeline ? " in the worst second" : "",
			rp_format_s(m, d->late_max_s), c->late_warn_s * 1e3, c->late_bad_s * 1e3);
		r->checks[r->n_checks - 1].late = level == RP_BAD;
	}
	if (isnan(busy))
		return;
	rp_check_add(r, worse(busy, CPU_WARN, INFINITY), "driver CPU",
		"%s of %g cores on average, %s at most", rp_format_number(a, d->cpu_mean), cores,
		rp_format_number(b, d->cpu_max));
}

/* ---- Steady state ------------------------------------------------------------------------------- */

/* changed: how the load was changed on purpose within the interval; NULL: it was not. */
static void judge_trend(struct rp_run *r, const char *name, const double *v, double floor_warn,
	double floor_bad, double seconds_a_unit, const char *changed)
{
	struct rp_trend t = rp_trend_of(v, RP_N_BATCHES);
	double change = t.slope * (RP_N_BATCHES - 1), part = change / t.mean;
	enum rp_level level = RP_FINE;
	char mean[RP_FORMAT_SIZE], drift[RP_FORMAT_SIZE];
	const char *why = "";

	if (t.n < RP_N_BATCHES / 2 || isnan(part))
		return;
	if (fabs(part) > DRIFT_WARN && t.p < 0.01 && fabs(change) * seconds_a_unit > floor_warn)
		level = RP_WARNING;
	if (fabs(part) > DRIFT_BAD && t.p < 0.001 && fabs(change) * seconds_a_unit > floor_bad)
		level = RP_BAD;
	if (level == RP_BAD && r->config.iterations > 0)
		level = RP_WARNING; /* ends with the last iteration: the rate falls by itself */
	if (level != RP_FINE && changed)
		level = RP_NOTE;
	if (level == RP_NOTE)
		why = ": changed on purpose, ";
	else if (level != RP_FINE)
		why = ": not steady";
	else if (fabs(part) > DRIFT_WARN)
		why = t.p < 0.01 ? ": too little to matter" : ": within chance";
	if (seconds_a_unit > 0)
		rp_format_s(mean, t.mean);
	else
		rp_format_number(mean, t.mean);
	rp_check_add(r, level, name, "mean %s, %s from start to end of the interval%s%s", mean,
		rp_format_change(drift, part), why, level == RP_NOTE ? changed : "");
}

static void judge_steady(struct rp_run *r)
{
	double rate[RP_N_BATCHES], response[RP_N_BATCHES];
	double step = rp_interval_s(r) / RP_N_BATCHES;
	struct b_buf changes = B_BUF_INIT;
	const char *changed;

	if (r->all.n_ok < SAMPLES_BAD || !(step > 0))
		return;
	changed = rp_changes_tell(r, &changes) ? b_buf_cstr(&changes) : NULL;
	for (int i = 0; i < RP_N_BATCHES; i++) {
		rate[i] = (double)r->ended[i] / step;
		response[i] = r->all.batch[i].mean_s;
	}
	judge_trend(r, "steady rate", rate, -1, -1, 0, changed);
	judge_trend(r, "steady response", response, DRIFT_WARN_S, DRIFT_BAD_S, 1, changed);
	b_buf_release(&changes);
}

/* ---- What users were asked to do ------------------------------------------------------------------ */

/* How a mean may be off without anybody being at fault. */
enum innocent { NEITHER, BELOW, ABOVE };

struct asked {
	const char *name, *by, *excuse; /* excuse: why it may be off in the innocent direction */
	enum innocent innocent;
	double mean_s;
};

static void judge_mean(struct rp_run *r, const struct asked *a, double was, double se)
{
	char was_text[RP_FORMAT_SIZE], asked_text[RP_FORMAT_SIZE], change[RP_FORMAT_SIZE];
	double off = was / a->mean_s - 1;
	bool bad = fabs(off) > MEAN_OFF && fabs(was - a->mean_s) > fmax(3 * se, 0.002);
	bool excused = bad && (off < 0 ? a->innocent == BELOW : a->innocent == ABOVE);

	rp_check_add(r,
		!bad              ? RP_FINE
			: excused ? RP_NOTE
				  : RP_WARNING,
		a->name, "mean %s, asked %s by %s (%s)%s", rp_format_s(was_text, was),
		rp_format_s(asked_text, a->mean_s), a->by, rp_format_change(change, off),
		excused ? a->excuse : "");
}

/* With pacing, what comes before a transaction is not think time alone. */
static void judge_think(struct rp_run *r)
{
	const struct rp_stat *think = &r->all.measure[RP_THINK];
	struct asked a = { "think times", r->config.think,
		": not every transaction has a whole think time in front of it", BELOW, NAN };
	const char *pacing = r->config.pacing;
	struct b_error ignored = { 0 };
	struct b_dist d = { 0 };
	bool shaped;

	if (!r->config.think || think->n < 2 || (pacing && strcmp(pacing, "none")) ||
		b_dist_parse(&d, r->config.think, &ignored))
		return;
	a.mean_s = b_dist_mean_s(&d);
	b_dist_release(&d);
	if (!(a.mean_s > 0))
		return;
	if (r->paused_s > 0 && think->mean_s > a.mean_s) {
		a.innocent = ABOVE;
		a.excuse = ": the run was paused";
	}
	judge_mean(r, &a, think->mean_s, think->sd_s / sqrt((double)think->n));
	if (isnan(r->all.think_ks) || r->checks[r->n_checks - 1].level == RP_NOTE)
		return;
	shaped = r->all.think_ks <= SHAPE_OFF || r->all.think_ks_p >= 0.001;
	rp_check_add(r, shaped ? RP_FINE : RP_WARNING, "think shape",
		"Kolmogorov distance %.3f from %s, at most %g%s", r->all.think_ks, r->config.think,
		SHAPE_OFF, shaped && r->all.think_ks > SHAPE_OFF ? ": within chance" : "");
}

static void judge_typing(struct rp_run *r)
{
	bool shaped;
	struct asked a = { "typing", r->config.typing,
		": waits inside of transactions count as keying", ABOVE, NAN };
	struct b_error ignored = { 0 };
	struct b_dist d = { 0 };

	if (!r->config.typing || !(r->all.n_gaps > 0) ||
		b_dist_parse(&d, r->config.typing, &ignored))
		return;
	a.mean_s = b_dist_mean_s(&d);
	b_dist_release(&d);
	if (!(a.mean_s > 0))
		return;
	judge_mean(r, &a, r->all.keying_sum_s / r->all.n_gaps, 0);
	if (isnan(r->all.keying_ks) || r->checks[r->n_checks - 1].level == RP_NOTE)
		return;
	shaped = r->all.keying_ks <= SHAPE_OFF || r->all.keying_ks_p >= 0.001;
	rp_check_add(r, shaped ? RP_FINE : RP_WARNING, "keying shape",
		"Kolmogorov distance %.3f from sums of %s, at most %g%s", r->all.keying_ks,
		r->config.typing, SHAPE_OFF,
		shaped && r->all.keying_ks > SHAPE_OFF ? ": within chance" : "");
}

/* Only where each function of the mix is a transaction of that name can the shares be told. */
static void judge_mix(struct rp_run *r)
{
	const struct rp_config *c = &r->config;
	double weights = 0, n = 0, worst = 0;
	const char *name = NULL;
	bool off = false;

	for (size_t i = 0; i < c->n_mix; i++) {
		const struct rp_group *g = rp_group_find(r, c->mix[i]);

		weights += c->mix_weight[i];
		if (!g && c->mix_weight[i] > 0)
			return;
		n += g ? (double)(g->n_ok + g->n_failed) : 0;
	}
	if (c->n_mix < 2 || n < SAMPLES_BAD || !(weights > 0))
		return;
	for (size_t i = 0; i < c->n_mix; i++) {
		const struct rp_group *g = rp_group_find(r, c->mix[i]);
		double want = c->mix_weight[i] / weights;
		double by = fabs((g ? (double)(g->n_ok + g->n_failed) / n : 0) - want);

		if (!name || by > worst) {
			worst = by;
			name = c->mix[i];
		}
		off = off || (by > MIX_OFF && by > 3 * sqrt(want * (1 - want) / n));
	}
	rp_check_add(r, off ? RP_WARNING : RP_FINE, "mix",
		"%s is farthest off its share, by %.1f points; at most what chance does, or %g",
		name, worst * 100, MIX_OFF * 100);
}

/* Who found no user free was not served: the SUT had less to do than was asked for. */
static void judge_arrivals(struct rp_run *r)
{
	const json_t *a = json_object_get(r->json, "arrivals");
	double all = json_number_value(json_object_get(a, "measured"));
	double away = json_number_value(json_object_get(a, "measured_turned_away"));
	double asked = json_number_value(
		json_object_get(json_object_get(r->json, "config"), "arrivals_per_s"));
	double part = all > 0 ? away / all : 0;

	if (!a)
		return;
	rp_check_add(r,
		part > UNFINISHED_BAD ? RP_WARNING
			: away > 0    ? RP_NOTE
				      : RP_FINE,
		"arrivals",
		"%.0f in the interval, %.2f/s, asked %.2f/s; %.0f (%.2f%%) found no user free", all,
		all / rp_interval_s(r), asked, away, part * 100);
}

/* ---- All ------------------------------------------------------------------------------------------ */

void rp_validity_judge(struct rp_run *r)
{
	judge_outcome(r);
	rp_steered_judge(r);
	judge_samples(r);
	judge_failures(r);
	judge_guessed(r);
	judge_driver(r);
	judge_steady(r);
	judge_think(r);
	judge_typing(r);
	judge_mix(r);
	judge_arrivals(r);
	if (r->rules)
		rp_rules_judge(r);
	r->valid = true;
	for (size_t i = 0; i < r->n_checks; i++)
		if (r->checks[i].level == RP_BAD)
			r->valid = false;
}

enum b_exit rp_run_exit(const struct rp_run *r)
{
	for (size_t i = 0; i < r->n_checks; i++)
		if (r->checks[i].late)
			return B_EXIT_INVALID;
	if (!r->all.n_ok || r->all.n_status[RP_CHECK])
		return B_EXIT_FAILED;
	for (size_t i = 0; i < r->n_thresholds; i++)
		if (!r->thresholds[i].passed)
			return B_EXIT_FAILED;
	return r->strict && !r->valid ? B_EXIT_FAILED : B_EXIT_OK;
}
