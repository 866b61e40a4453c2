#include "report/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/json.h"
#include "report/report.h"
#include "base/banned.h"

#define SIGNIFICANT 0.01

bool rp_is_runs(const struct rp_ladder *l)
{
	return l->n_levels == 1 && l->n_steps > 1;
}

const struct rp_threshold *rp_runs_threshold(const struct rp_run *r, const char *text)
{
	for (size_t i = 0; r && i < r->n_thresholds; i++)
		if (!strcmp(r->thresholds[i].text, text))
			return &r->thresholds[i];
	return NULL;
}

/* A run that a person cut short says nothing of the service. */
static bool was_stopped(const struct rp_step *s)
{
	return s->run && s->run->outcome && !strcmp(s->run->outcome, "stopped");
}

const struct rp_step *rp_runs_before(const struct rp_ladder *l, size_t i)
{
	while (i-- > 0)
		if (!was_stopped(&l->steps[i]))
			return &l->steps[i];
	return NULL;
}

enum b_exit rp_ladder_last_exit(const struct rp_ladder *l)
{
	const struct rp_step *last = rp_runs_before(l, l->n_steps);

	return last ? rp_step_exit(last) : B_EXIT_OK;
}

bool rp_runs_changed(const struct rp_ladder *l, size_t i)
{
	const struct rp_step *before = rp_runs_before(l, i);

	return before && !was_stopped(&l->steps[i]) &&
		rp_step_exit(&l->steps[i]) != rp_step_exit(before);
}

static struct rp_crossing *crossing_of(struct rp_runs *r, const char *text)
{
	for (size_t i = 0; i < r->n_crossings; i++)
		if (!strcmp(r->crossings[i].threshold->text, text))
			return &r->crossings[i];
	r->crossings = b_reallocarray(r->crossings, r->n_crossings + 1, sizeof *r->crossings);
	r->crossings[r->n_crossings] = (struct rp_crossing){ 0 };
	return &r->crossings[r->n_crossings++];
}

static void crossings_make(struct rp_runs *r)
{
	const struct rp_ladder *l = r->l;

	for (size_t i = 0; i < l->n_steps; i++) {
		const struct rp_run *run = was_stopped(&l->steps[i]) ? NULL : l->steps[i].run;

		for (size_t k = 0; run && k < run->n_thresholds; k++) {
			const struct rp_threshold *t = &run->thresholds[k];
			struct rp_crossing *c = crossing_of(r, t->text);

			c->threshold = t;
			c->n++;
			c->missed_now = !t->passed;
			if (t->passed)
				continue;
			c->n_missed++;
			c->last_missed = i;
		}
	}
}

void rp_runs_make(struct rp_runs *to, const struct rp_ladder *l)
{
	double *v = b_calloc(3 * l->n_steps, sizeof *v);
	double *rate = v, *mean = v + l->n_steps, *p90 = v + 2 * l->n_steps;

	*to = (struct rp_runs){ .l = l };
	for (size_t i = 0; i < l->n_steps; i++) {
		const struct rp_run *r = l->steps[i].run;
		bool any = r && r->all.n_ok && !was_stopped(&l->steps[i]);

		rate[i] = any ? r->all.rate_per_s : (double)NAN;
		mean[i] = any ? r->all.measure[RP_RESPONSE].mean_s : (double)NAN;
		p90[i] = any ? r->all.measure[RP_RESPONSE].p[RP_P90].s : (double)NAN;
		to->n_changes += rp_runs_changed(l, i);
	}
	to->rate = rp_trend_of(rate, l->n_steps);
	to->mean = rp_trend_of(mean, l->n_steps);
	to->p90 = rp_trend_of(p90, l->n_steps);
	free(v);
	crossings_make(to);
}

void rp_runs_release(struct rp_runs *r)
{
	free(r->crossings);
}

/* The line's rise from the first run to the last, as a part of the mean. */
static double rise(const struct rp_trend *t)
{
	return t->slope * (double)(t->n - 1) / t->mean;
}

void rp_runs_trend_text(struct b_buf *out, const struct rp_trend *t, bool seconds)
{
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (t->n < 3 || isnan(rise(t)))
		return;
	b_buf_printf(out, "mean %s, %s from the first run to the last: ",
		seconds ? rp_format_s(a, t->mean) : rp_format_number(a, t->mean),
		rp_format_change(b, rise(t)));
	if (t->p < SIGNIFICANT)
		b_buf_printf(out, "a trend (p %s)", t->p < 0.001 ? "< 0.001" : "< 0.01");
	else
		b_buf_adds(out, "within chance");
}

void rp_runs_crossing_text(struct b_buf *out, const struct rp_runs *r, const struct rp_crossing *c)
{
	b_buf_printf(out, "met in %zu of %zu runs", c->n - c->n_missed, c->n);
	if (c->missed_now)
		b_buf_adds(out, ", missed in the last");
	else if (c->n_missed)
		b_buf_printf(out, ", last missed in %.60s", r->l->steps[c->last_missed].name);
}

void rp_runs_change_text(struct b_buf *out, const struct rp_ladder *l, size_t i)
{
	enum b_exit now = rp_step_exit(&l->steps[i]);
	struct b_buf why = B_BUF_INIT;

	b_buf_printf(out, "%s, was %s", rp_verdict_word(now),
		rp_verdict_word(rp_step_exit(rp_runs_before(l, i))));
	if (now != B_EXIT_OK)
		rp_step_note(&why, &l->steps[i]);
	if (why.len)
		b_buf_printf(out, ": %s", b_buf_cstr(&why));
	b_buf_release(&why);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static json_t *trend_json(const struct rp_trend *t)
{
	json_t *o = json_object();

	rp_put_count(o, "runs", t->n);
	rp_put_number(o, "mean", t->mean);
	rp_put_number(o, "change", t->n < 3 ? (double)NAN : rise(t));
	rp_put_number(o, "p", t->p);
	return o;
}

json_t *rp_runs_json(const struct rp_runs *r)
{
	json_t *o = json_object(), *list = json_array();

	rp_put(o, "rate_per_s", trend_json(&r->rate));
	rp_put(o, "mean_s", trend_json(&r->mean));
	rp_put(o, "p90_s", trend_json(&r->p90));
	rp_put_count(o, "verdict_changes", r->n_changes);
	for (size_t i = 0; i < r->n_crossings; i++) {
		json_t *t = json_object();

		rp_put_text(t, "threshold", r->crossings[i].threshold->text);
		rp_put_count(t, "runs", r->crossings[i].n);
		rp_put_count(t, "missed", r->crossings[i].n_missed);
		rp_put(t, "missed_in_last", json_boolean(r->crossings[i].missed_now));
		B_BUG_ON(json_array_append_new(list, t) != 0);
	}
	rp_put(o, "thresholds", list);
	return o;
}
