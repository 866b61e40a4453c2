/* What was done to the run while it went on, and how much of it fell into the interval. */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "report/format.h"
#include "report/run.h"
#include "base/banned.h"

#define EDGE_S 0.05 /* `next` that opens the interval, or ends it, is at its edge */

/* What the load is changed by; what ends the run is told by its outcome. */
static bool changes_load(const char *action)
{
	return !strncmp(action, "users ", 6) || !strcmp(action, "pause") ||
		!strcmp(action, "resume");
}

/* What a stop condition did was asked for, and is told by the outcome. */
static bool by_person(const struct rp_action *a)
{
	return !a->by || strcmp(a->by, "condition") != 0;
}

static double overlap(const struct rp_run *r, double from, double to)
{
	double a = fmax(from, r->from_s), b = fmin(to, r->to_s);

	return b > a ? b - a : 0;
}

void rp_steered_make(struct rp_run *r)
{
	double paused_at = NAN;

	r->n_inside = 0;
	r->paused_s = 0;
	for (size_t i = 0; i < r->n_actions; i++) {
		const char *what = r->actions[i].text;
		double at = rp_action_at(r, i);

		r->n_inside +=
			changes_load(what) && at > r->from_s + EDGE_S && at < r->to_s - EDGE_S;
		if (!strcmp(what, "pause") && isnan(paused_at))
			paused_at = at;
		if (strcmp(what, "resume") || isnan(paused_at))
			continue;
		r->paused_s += overlap(r, paused_at, at);
		paused_at = NAN;
	}
	if (!isnan(paused_at))
		r->paused_s += overlap(r, paused_at, r->end_s);
}

/* A run that was steered is not the one that was asked for; within the interval its figures are of
   two runs in one. */
void rp_steered_judge(struct rp_run *r)
{
	struct b_buf b = B_BUF_INIT;
	char a[RP_FORMAT_SIZE];
	size_t n = 0;

	for (size_t i = 0; i < r->n_actions; i++)
		if (by_person(&r->actions[i]) && ++n <= 3)
			b_buf_printf(&b, "%s %.40s at %s", n > 1 ? "," : "", r->actions[i].text,
				rp_format_span(a, fmax(0, rp_action_at(r, i))));
	if (!n) {
		b_buf_release(&b);
		return;
	}
	if (n > 3)
		b_buf_adds(&b, ", ...");
	if (r->n_inside)
		b_buf_printf(&b, "; %zu changed the load within the interval", r->n_inside);
	if (r->paused_s > 0)
		b_buf_printf(&b, "; paused for %s of it", rp_format_span(a, r->paused_s));
	rp_check_add(r, r->n_inside || r->paused_s > 0 ? RP_WARNING : RP_NOTE, "steered",
		"%zu time%s by a person:%s", n, n == 1 ? "" : "s", b_buf_cstr(&b));
	b_buf_release(&b);
}
