#include "rte/control_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/rundir.h"
#include "rte/run_priv.h"
#include "base/banned.h"

#define MAX_TX     40
#define MAX_ERRORS 20
#define MAX_POINTS 60

/* Three digits do for looking at. */
static json_t *rough(double v)
{
	double scale;

	if (!isfinite(v) || v < 0)
		return json_null();
	if (v <= 0)
		return json_integer(0);
	scale = pow(10, 3 - ceil(log10(v)));
	return json_real(round(v * scale) / scale);
}

static json_t *quantile(const struct b_hist *h, double q)
{
	return b_hist_count(h) ? rough((double)b_hist_quantile(h, q) / 1e9) : json_null();
}

static json_t *since_start(const struct rte_run *r, int64_t at)
{
	return at == RTE_UNKNOWN ? json_null() : json_real((double)(at - r->start_ns) / 1e9);
}

static json_t *span_json(const struct rte_span *s)
{
	json_t *o;

	if (!s)
		return json_null();
	o = json_object();
	json_object_set_new(o, "ok", json_integer((json_int_t)s->ok));
	json_object_set_new(o, "failed", json_integer((json_int_t)s->failed));
	json_object_set_new(o, "rate", rough((double)s->rate));
	json_object_set_new(o, "p50", rough((double)s->p50_s));
	json_object_set_new(o, "p90", rough((double)s->p90_s));
	json_object_set_new(o, "max", rough((double)s->max_s));
	return o;
}

/* Oldest first. */
static void history(json_t *o, const struct rte_figures *f, const struct rte_figure *g)
{
	json_t *rate = json_array(), *p90 = json_array();

	for (uint64_t back = MAX_POINTS; back-- > 0;) {
		const struct rte_span *s = rte_figure_span(f, g, back);

		if (!s)
			continue;
		json_array_append_new(rate, rough((double)s->rate));
		json_array_append_new(p90, rough((double)s->p90_s));
	}
	json_object_set_new(o, "rates", rate);
	json_object_set_new(o, "p90s", p90);
}

static json_t *figure_json(
	const struct rte_figures *f, const struct rte_figure *g, const char *name, double run_s)
{
	json_t *o = json_object();

	json_object_set_new(o, "name", rte_json_text(name));
	json_object_set_new(o, "ok", json_integer((json_int_t)g->ok));
	json_object_set_new(o, "failed", json_integer((json_int_t)g->failed));
	json_object_set_new(o, "rate", rough(run_s > 0 ? (double)g->ok / run_s : 0));
	json_object_set_new(o, "p50", quantile(g->all, 0.5));
	json_object_set_new(o, "p90", quantile(g->all, 0.9));
	json_object_set_new(o, "max", quantile(g->all, 1));
	json_object_set_new(o, "last", span_json(rte_figure_span(f, g, 0)));
	history(o, f, g);
	return o;
}

static json_t *transactions_json(struct rte_run *r, double run_s)
{
	struct rte_figures *f = &r->figures;
	json_t *a = json_array();

	for (size_t i = 0; i < f->n_tx && i < MAX_TX; i++)
		json_array_append_new(
			a, figure_json(f, f->tx[i], rte_names_text(r->shared.names, i), run_s));
	return a;
}

static int newer(const void *a, const void *b)
{
	double x = json_number_value(json_object_get(*(json_t *const *)a, "last_s"));
	double y = json_number_value(json_object_get(*(json_t *const *)b, "last_s"));

	return (x < y) - (x > y);
}

/* Newest first. */
static json_t *errors_json(struct rte_run *r)
{
	json_t *all = rte_failures_json(r->shared.failures), *a = json_array();
	size_t n = json_array_size(all);
	json_t **list = b_calloc(n + 1, sizeof(json_t *));
	double start_s = (double)(r->start_ns + r->shared.wall_offset_ns) / 1e9;

	for (size_t i = 0; i < n; i++)
		list[i] = json_array_get(all, i);
	qsort(list, n, sizeof(json_t *), newer);
	for (size_t i = 0; i < n && i < MAX_ERRORS; i++) {
		json_t *o = json_object();
		double last = json_number_value(json_object_get(list[i], "last_s"));

		json_object_set(o, "kind", json_object_get(list[i], "kind"));
		json_object_set(o, "transaction", json_object_get(list[i], "transaction"));
		json_object_set(o, "text", json_object_get(list[i], "message"));
		json_object_set(o, "count", json_object_get(list[i], "count"));
		json_object_set(o, "user", json_object_get(list[i], "user"));
		json_object_set_new(o, "last", json_real(last - start_s));
		json_array_append_new(a, o);
	}
	free(list);
	json_decref(all);
	return a;
}

/* Values that the live histograms could not tell apart any more. */
static uint64_t out_of_range(const struct rte_figures *f)
{
	uint64_t n = b_hist_over(f->late) + b_hist_under(f->late);

	for (size_t i = 0; i < f->n_tx; i++)
		n += b_hist_over(f->tx[i]->all) + b_hist_under(f->tx[i]->all);
	return n;
}

static json_t *driver_json(struct rte_run *r)
{
	const struct rte_moment *m = &r->timeline.moment;
	json_t *o = json_object(), *workers = json_array();
	int64_t reschedules = 0;

	json_object_set_new(o, "late_p50", quantile(m->second.late, 0.5));
	json_object_set_new(o, "late_p99", quantile(m->second.late, 0.99));
	json_object_set_new(o, "late_max", quantile(m->second.late, 1));
	json_object_set_new(o, "all_late_p99", quantile(r->figures.late, 0.99));
	json_object_set_new(o, "late_warn", rte_json_seconds(r->w->lateness_warn_ns));
	json_object_set_new(o, "late_bad", rte_json_seconds(r->w->lateness_bad_ns));
	json_object_set_new(o, "cpu", rough(m->cpu));
	json_object_set_new(o, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(o, "rss_kib", json_integer(m->rss_kib));
	json_object_set_new(o, "keys", json_integer(m->keys));
	json_object_set_new(o, "bytes_in", json_integer(m->bytes_in));
	json_object_set_new(o, "bytes_out", json_integer(m->bytes_out));
	for (size_t i = 0; i < r->n_workers; i++) {
		const struct rte_stats *s = &r->workers[i]->stats;

		reschedules += rte_stat_get(&s->reschedules);
		json_array_append_new(workers, rough((double)rte_stat_get(&s->cpu_ns) / 1e9));
	}
	json_object_set_new(o, "workers_cpu_s", workers);
	json_object_set_new(o, "reschedules", json_integer(reschedules));
	json_object_set_new(o, "out_of_range", json_integer((json_int_t)out_of_range(&r->figures)));
	json_object_set_new(
		o, "log_queue", json_integer((json_int_t)rte_writer_queue_bytes(r->writer)));
	return o;
}

/* Sessions that were due to begin so far; null: users iterate on their own. */
static json_t *arrivals_json(const struct rte_run *r)
{
	const struct rte_moment *m = &r->timeline.moment;
	json_t *o;

	if (!r->shared.arrivals)
		return json_null();
	o = json_object();
	json_object_set_new(o, "per_s", json_real(r->w->arrivals_per_s));
	json_object_set_new(o, "all", json_integer(m->arrivals));
	json_object_set_new(o, "begun", json_integer(m->arrivals - m->turned_away));
	json_object_set_new(o, "turned_away", json_integer(m->turned_away));
	return o;
}

static int64_t phase_from(const struct rte_run *r, enum rte_phase phase)
{
	const struct rte_phases *p = &r->shared.phases;

	switch (phase) {
	case RTE_WARMUP: return atomic_load(&p->warmup_ns);
	case RTE_MEASURE: return atomic_load(&p->measure_ns);
	case RTE_CONTINUE: return atomic_load(&p->continue_ns);
	case RTE_RAMPDOWN: return atomic_load(&p->rampdown_ns);
	default: return p->start_ns;
	}
}

static void phases_json(json_t *o, struct rte_run *r, int64_t now)
{
	enum rte_phase phase = rte_phases_at(&r->shared.phases, now);
	size_t stage = rte_phases_stage(&r->shared.phases, r->w, now);

	json_object_set_new(o, "phase", json_string(rte_phase_name(phase)));
	json_object_set_new(o, "stage", stage ? json_integer((json_int_t)stage) : json_null());
	json_object_set_new(o, "phase_from", since_start(r, phase_from(r, phase)));
	json_object_set_new(o, "phase_to", since_start(r, rte_phases_end(&r->shared.phases, now)));
	json_object_set_new(
		o, "load_to", since_start(r, atomic_load(&r->shared.phases.rampdown_ns)));
	json_object_set_new(o, "paused", json_boolean(atomic_load(&r->shared.paused_ns) != 0));
	json_object_set_new(o, "stopping", json_boolean(r->ending));
}

json_t *rte_control_state_json(struct rte_run *r, int64_t now)
{
	const struct rte_moment *m = &r->timeline.moment;
	json_t *o = json_object(), *users = json_object();
	double run_s = (double)(now - r->start_ns) / 1e9;

	json_object_set_new(o, "type", json_string("state"));
	json_object_set_new(o, "dir", rte_json_text(r->opt->dir));
	json_object_set_new(o, "at", json_real(run_s));
	phases_json(o, r, now);
	json_object_set_new(o, "wanted", json_integer(atomic_load(&r->shared.users_wanted)));
	json_object_set_new(o, "room", json_integer(r->shared.users_room));
	for (int k = 0; k < RTE_N_SHOWN; k++) {
		int64_t n = 0;

		for (size_t i = 0; i < r->n_workers; i++)
			n += rte_stat_get(&r->workers[i]->stats.users[k]);
		json_object_set_new(users, rte_shown_names[k], json_integer(n));
	}
	json_object_set_new(o, "users", users);
	json_object_set_new(o, "arrivals", arrivals_json(r));
	json_object_set_new(o, "iterations", json_integer(m->iterations));
	json_object_set_new(o, "iterations_all",
		r->w->iterations == RTE_UNSET ? json_null()
					      : json_integer(r->w->iterations * r->w->users));
	json_object_set_new(o, "failures", json_integer(m->failures));
	json_object_set_new(o, "span_s", json_integer(RTE_SPAN_S));
	json_object_set_new(o, "all", figure_json(&r->figures, &r->figures.total, "all", run_s));
	json_object_set_new(o, "transactions", transactions_json(r, run_s));
	json_object_set_new(o, "errors", errors_json(r));
	json_object_set_new(o, "driver", driver_json(r));
	return o;
}

/* ---- Users ---------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
	const struct rte_view_line *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

/* Those who wait now first, the longest wait on top; then by their last response. */
static int by_wait(const void *a, const void *b)
{
	const struct rte_view_line *x = a, *y = b;

	if (x->waited_ns != y->waited_ns)
		return x->waited_ns < y->waited_ns ? 1 : -1;
	return by_number(a, b);
}

static int by_failures(const void *a, const void *b)
{
	const struct rte_view_line *x = a, *y = b;
	bool fx = x->state == RTE_U_FAILED, fy = y->state == RTE_U_FAILED;

	if (fx != fy)
		return fx ? -1 : 1;
	if (x->failures != y->failures)
		return x->failures < y->failures ? 1 : -1;
	return by_number(a, b);
}

static void line_json(json_t *o, struct rte_run *r, const struct rte_view_line *l)
{
	json_object_set_new(o, "user", json_integer(l->number));
	json_object_set_new(o, "state", json_string(rte_user_state_text(l->state)));
	json_object_set_new(o, "script", rte_json_text(r->roles.list[l->role].name));
	json_object_set_new(o, "session", json_integer(l->session));
	json_object_set_new(o, "iteration", json_integer(l->iteration));
	json_object_set_new(o, "failures", json_integer(l->failures));
	json_object_set_new(o, "waiting", json_boolean(l->waiting));
	json_object_set_new(o, "response", rte_json_seconds(l->waited_ns));
	json_object_set_new(o, "transaction", rte_json_text(l->transaction));
}

json_t *rte_control_list_json(struct rte_run *r, struct rte_view_line *lines, size_t n_lines,
	enum rte_list_order order, size_t from, size_t n)
{
	static int (*const orders[])(
		const void *a, const void *b) = { by_number, by_wait, by_failures };
	static const char *const names[] = { "number", "slow", "failed" };
	json_t *o = json_object(), *a = json_array();

	if (n_lines)
		qsort(lines, n_lines, sizeof *lines, orders[order]);
	for (size_t i = from; i < n_lines && i - from < n; i++) {
		json_t *l = json_object();

		line_json(l, r, &lines[i]);
		json_array_append_new(a, l);
	}
	json_object_set_new(o, "type", json_string("users"));
	json_object_set_new(o, "order", json_string(names[order]));
	json_object_set_new(o, "from", json_integer((json_int_t)from));
	json_object_set_new(o, "of", json_integer((json_int_t)n_lines));
	json_object_set_new(o, "users", a);
	return o;
}

/* A condition as vs_cond_describe words it is escaped already. */
static json_t *described(const char *s)
{
	json_t *v = json_string(s);

	return v ? v : rte_json_text(s);
}

json_t *rte_control_user_json(struct rte_run *r, const struct rte_view_slot *s)
{
	static const char *const parts[] = { "setup", "login", "iteration", "logout", "teardown" };
	const struct rte_view_user *u = &s->info;
	json_t *o = json_object(), *screen;

	json_object_set_new(o, "type", json_string("user"));
	line_json(o, r, &u->line);
	json_object_set_new(o, "part", u->in_part ? json_string(parts[u->part]) : json_null());
	json_object_set_new(o, "file", rte_json_text(u->file));
	json_object_set_new(o, "line", json_integer(u->at_line));
	json_object_set_new(o, "awaits", described(u->awaits));
	json_object_set_new(o, "left", rte_json_seconds(u->left_ns));
	json_object_set_new(o, "title", rte_json_text(u->title));
	json_object_set_new(o, "error", rte_json_text(u->error));
	json_object_set_new(o, "bytes_in", json_integer((json_int_t)u->bytes_in));
	json_object_set_new(o, "bytes_out", json_integer((json_int_t)u->bytes_out));
	json_object_set_new(o, "rows", json_integer(u->rows));
	json_object_set_new(o, "cols", json_integer(u->cols));
	/* Our own sequences, in UTF-8. */
	screen = json_stringn(s->screen.data ? s->screen.data : "", s->screen.len);
	json_object_set_new(o, "screen", screen ? screen : json_null());
	return o;
}
