/*
 * The stages of a run with --stages: figures of each, and at which instants the load was changed
 * on purpose (a stage, another mix).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/parse.h"
#include "report/format.h"
#include "report/run.h"
#include "base/banned.h"

#define MAX_STAGES  1000
#define MAX_CHANGES 10000
#define EDGE_S      0.05 /* a change at the edge of the interval does not lie within it */
#define NAMED       3    /* changes that are told one by one */

/* ---- When they were --------------------------------------------------------------------------- */

/* Stages follow one another from the start of the run on. */
void rp_stages_load(struct rp_run *r)
{
	const json_t *a = json_object_get(json_object_get(r->json, "config"), "stages"), *v;
	double at = 0;
	size_t i;

	json_array_foreach(a, i, v)
	{
		double length = json_number_value(json_object_get(v, "duration_s"));

		if (!(length > 0 && length < 1e9) || i == MAX_STAGES)
			break;
		r->stages = b_reallocarray(r->stages, i + 1, sizeof *r->stages);
		r->stages[i] = (struct rp_stage){
			.users = fmin(1e9, json_number_value(json_object_get(v, "users"))),
			.from_s = at,
			.to_s = at + length,
			.users_mean = NAN,
		};
		r->n_stages++;
		at += length;
	}
}

/* How many had a session at the ends of its seconds: those within it, for at its edges, which are
   looked at a moment late, they come and go. */
static void users_make(struct rp_run *r, struct rp_stage *s)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < r->timeline.n; i++) {
		double at = (double)r->timeline.v[i][RP_TL_TIME];
		double users = rp_timeline_users(&r->timeline, i);

		if (at > s->from_s + 0.5 && at < s->to_s && !isnan(users)) {
			sum += users;
			n++;
		}
	}
	if (n)
		s->users_mean = sum / (double)n;
}

/* ---- Their rows --------------------------------------------------------------------------------- */

static int64_t us_of(double s)
{
	return llround(s * 1e6);
}

/* They are in their order, without gaps; as with --from and --to, ends are within. */
size_t rp_stages_find(const struct rp_run *r, int64_t begin_us, int64_t end_us)
{
	size_t low = 0, high = r->n_stages;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (us_of(r->stages[middle].to_s) <= begin_us)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == r->n_stages || begin_us < 0 || end_us > us_of(r->stages[low].to_s))
		return 0;
	return low + 1;
}

/* Samples side by side by their stage, then sorted there. */
static void responses_make(struct rp_run *r)
{
	const struct rp_rows *w = &r->rows;
	size_t *at = b_calloc(r->n_stages + 2, sizeof *at), n = 0;
	rp_time *v, *scratch;

	for (size_t i = 0; i < w->n; i++) {
		size_t s = w->stage[i];
		bool ok = rp_row_status(w, i) == RP_OK;

		if (!s || !rp_row_counted(w, i))
			continue;
		*(ok ? &r->stages[s - 1].n_ok : &r->stages[s - 1].n_failed) += 1;
		at[s + 1] += ok && w->response[i] != RP_TIME_NONE;
	}
	for (size_t s = 1; s <= r->n_stages + 1; s++)
		at[s] = n += at[s];
	v = b_malloc((n + 1) * sizeof *v);
	scratch = b_malloc((n + 1) * sizeof *v);
	for (size_t i = 0; i < w->n; i++)
		if (w->stage[i] && rp_row_counted(w, i) && rp_row_status(w, i) == RP_OK &&
			w->response[i] != RP_TIME_NONE)
			v[at[w->stage[i]]++] = w->response[i];
	/* Each one's place has moved to its end. */
	for (size_t s = 0, from = 0; s < r->n_stages; from = at[++s]) {
		rp_times_sort(v + from, at[s + 1] - from, scratch);
		rp_stat_make(&r->stages[s].response, v + from, at[s + 1] - from);
	}
	free(v);
	free(scratch);
	free(at);
}

void rp_stages_make(struct rp_run *r)
{
	if (!r->n_stages)
		return;
	if (r->rows.stage)
		responses_make(r);
	for (size_t i = 0; i < r->n_stages; i++) {
		struct rp_stage *s = &r->stages[i];

		s->from_s = fmax(s->from_s, r->from_s);
		s->to_s = fmin(s->to_s, r->to_s);
		users_make(r, s);
		s->rate_per_s = s->to_s > s->from_s ? (double)s->n_ok / (s->to_s - s->from_s) : 0;
	}
}

/* ---- Changes on purpose --------------------------------------------------------------------------- */

static bool is_inside(const struct rp_run *r, double at_s)
{
	return at_s > r->from_s + EDGE_S && at_s < r->to_s - EDGE_S;
}

/* "measure", "stage 2" or "5m" in seconds since the start of the run; NaN: it did not come. */
static double when_of(const struct rp_run *r, const char *text)
{
	int64_t n;

	if (!strncmp(text, "stage ", 6) && !b_parse_int(text + 6, 1, MAX_STAGES, &n))
		return (size_t)n <= r->n_stages ? r->stages[n - 1].from_s : (double)NAN;
	for (size_t i = 0; i < r->n_phases; i++)
		if (!strcmp(text, r->phases[i].name))
			return r->phases[i].start_s;
	return b_parse_duration(text, &n) ? (double)NAN : (double)n * 1e-9;
}

void rp_changes_each(
	const struct rp_run *r, void (*fn)(void *user, const char *what, double at_s), void *user)
{
	const json_t *scripts = json_object_get(json_object_get(r->json, "config"), "scripts");
	const json_t *script, *m;
	char name[32];
	size_t i, k, n = 0;

	for (i = 1; i < r->n_stages; i++) {
		snprintf(name, sizeof name, "stage %zu", i + 1);
		if (is_inside(r, r->stages[i].from_s) &&
			r->stages[i].users != r->stages[i - 1].users)
			fn(user, name, r->stages[i].from_s);
	}
	json_array_foreach(scripts, i, script)
		json_array_foreach(json_object_get(script, "mixes"), k, m)
	{
		const char *from = json_string_value(json_object_get(m, "from"));
		double at = from && n++ < MAX_CHANGES ? when_of(r, from) : (double)NAN;

		if (is_inside(r, at))
			fn(user, "another mix", at);
	}
}

struct telling {
	struct b_buf *out;
	size_t n;
};

static void tell(void *user, const char *what, double at_s)
{
	struct telling *t = user;
	char a[RP_FORMAT_SIZE];

	t->n++;
	if (t->n <= NAMED)
		b_buf_printf(
			t->out, "%s%s at %s", t->n > 1 ? ", " : "", what, rp_format_span(a, at_s));
	else if (t->n == NAMED + 1)
		b_buf_adds(t->out, ", ...");
}

size_t rp_changes_tell(const struct rp_run *r, struct b_buf *out)
{
	struct telling t = { .out = out };

	rp_changes_each(r, tell, &t);
	return t.n;
}
