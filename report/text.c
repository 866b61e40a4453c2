/* The summary for people: what they know from the ends of other tools, one table first. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

#define NAME_MIN     18 /* columns of a transaction's name: as the longest one needs, within */
#define NAME_MAX     19
#define MAX_GROUPS   40
#define MAX_FAILURES 10
#define MAX_ACTIONS  20

struct text {
	const struct rp_run *r;
	FILE *to;
	bool colour;
	size_t name_cols;
};

static const char *bold(const struct text *t)
{
	return t->colour ? "\033[1m" : "";
}

static const char *red(const struct text *t)
{
	return t->colour ? "\033[1;31m" : "";
}

static const char *green(const struct text *t)
{
	return t->colour ? "\033[1;32m" : "";
}

static const char *yellow(const struct text *t)
{
	return t->colour ? "\033[33m" : "";
}

static const char *plain(const struct text *t)
{
	return t->colour ? "\033[0m" : "";
}

static void heading(const struct text *t, const char *s)
{
	fprintf(t->to, "\n%s%s%s\n", bold(t), s, plain(t));
}

/* A name in a column, padded. */
static void name_column(const struct text *t, const char *s, size_t cols)
{
	struct b_buf b = B_BUF_INIT;
	size_t used = rp_format_name(&b, s, cols);

	fputs(b_buf_cstr(&b), t->to);
	for (; used < cols; used++)
		fputc(' ', t->to);
	b_buf_release(&b);
}

static void safe(const struct text *t, const char *s, size_t cols)
{
	struct b_buf b = B_BUF_INIT;

	rp_format_name(&b, s, cols);
	fputs(b_buf_cstr(&b), t->to);
	b_buf_release(&b);
}

static void seconds(const struct text *t, double s, bool thin)
{
	char f[RP_FORMAT_SIZE], marked[RP_FORMAT_SIZE + 1];

	rp_format_s(f, s);
	snprintf(marked, sizeof marked, "%s%s", thin && !isnan(s) ? "~" : "", f);
	fprintf(t->to, " %7s", marked);
}

/* ---- Head --------------------------------------------------------------------------------- */

static void write_head(const struct text *t)
{
	const struct rp_run *r = t->r;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE], d[RP_FORMAT_SIZE];

	fprintf(t->to, "%srun%s          ", bold(t), plain(t));
	safe(t, r->dir, RP_FORMAT_COLS - 40);
	fprintf(t->to, ", %s, %s", r->outcome ? r->outcome : "outcome unknown",
		rp_format_time(a, r->started_s));
	if (r->command) {
		fputs("\n             ", t->to);
		rp_format_wrapped(t->to, r->command, 13, 13);
	}
	fputs("\nusers        ", t->to);
	if (r->config.users > 0)
		fputs(rp_format_count(a, (uint64_t)r->config.users), t->to);
	else
		fprintf(t->to, "%s seen", rp_format_count(a, r->n_users_seen));
	if (!isnan(r->from_s))
		fprintf(t->to, "   interval %s%s, from %s to %s of %s",
			rp_format_span(a, rp_interval_s(r)),
			r->interval_chosen         ? " (chosen afterwards)"
				: r->interval_open ? " (not ended)"
						   : "",
			rp_format_span(b, r->from_s), rp_format_span(c, r->to_s),
			rp_format_span(d, r->end_s));
	else
		fputs("   no measurement interval", t->to);
	fprintf(t->to, "   iterations %s\n", rp_format_count(a, r->iterations));
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void response_row(const struct text *t, const struct rp_group *g, const char *name)
{
	static const enum rp_quantile shown[] = { RP_P50, RP_P90, RP_P95, RP_P99 };
	const struct rp_stat *s = &g->measure[RP_RESPONSE];
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];

	name_column(t, name, t->name_cols);
	fprintf(t->to, " %9s %6s %7s", rp_format_count(a, g->n_ok), rp_format_count(b, g->n_failed),
		rp_format_number(c, g->rate_per_s));
	seconds(t, s->min_s, false);
	seconds(t, s->mean_s, false);
	for (size_t i = 0; i < B_ARRAY_LEN(shown); i++)
		seconds(t, s->p[shown[i]].s, s->p[shown[i]].thin);
	seconds(t, s->max_s, false);
	fputc('\n', t->to);
}

static bool any_thin(const struct rp_run *r)
{
	for (size_t i = 0; i < r->n_groups; i++)
		for (int q = 0; q < RP_N_QUANTILE - 1; q++)
			if (r->groups[i].n_ok && r->groups[i].measure[RP_RESPONSE].p[q].thin)
				return true;
	return false;
}

/* Transactions with anything to show, each through fn, then all of them together. */
static void each_group(const struct text *t,
	void (*fn)(const struct text *t, const struct rp_group *g, const char *name))
{
	const struct rp_run *r = t->r;
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < r->n_groups; i++) {
		if (!(r->groups[i].n_ok + r->groups[i].n_failed))
			continue;
		if (shown < MAX_GROUPS) {
			fn(t, &r->groups[i], r->groups[i].name);
			shown++;
		} else {
			left++;
		}
	}
	if (left)
		fprintf(t->to, "... and %zu more: rte report --csv has them all\n", left);
	if (shown != 1)
		fn(t, &r->all, "all");
}

static void write_responses(const struct text *t)
{
	heading(t, "RESPONSE TIME, last input to last change of the screen");
	fprintf(t->to, "%-*s %9s %6s %7s %7s %7s %7s %7s %7s %7s %7s\n", (int)t->name_cols,
		"transaction", "ok", "failed", "ok/s", "min", "mean", "p50", "p90", "p95", "p99",
		"max");
	each_group(t, response_row);
	if (any_thin(t->r))
		fputs("~ few samples: a p90 within 2 points needs 864, a p99 within 0.5 needs 1,521\n",
			t->to);
}

static bool has_due(const struct rp_run *r)
{
	return r->all.measure[RP_FROM_DUE].n > 0;
}

static void other_row(const struct text *t, const struct rp_group *g, const char *name)
{
	const struct rp_stat *first = &g->measure[RP_FIRST], *keying = &g->measure[RP_KEYING];
	const struct rp_stat *think = &g->measure[RP_THINK], *due = &g->measure[RP_FROM_DUE];
	char a[RP_FORMAT_SIZE];

	name_column(t, name, t->name_cols);
	fprintf(t->to, " %6s", rp_format_share(a, g->share));
	seconds(t, first->p[RP_P50].s, false);
	seconds(t, first->p[RP_P90].s, false);
	seconds(t, keying->mean_s, false);
	seconds(t, keying->p[RP_P90].s, false);
	seconds(t, think->mean_s, false);
	seconds(t, think->p[RP_P90].s, false);
	seconds(t, g->echo.mean_s, false);
	if (has_due(t->r)) {
		seconds(t, due->p[RP_P90].s, false);
		seconds(t, due->p[RP_P99].s, false);
	}
	fputc('\n', t->to);
}

static void write_others(const struct text *t)
{
	bool due = has_due(t->r);

	heading(t, "OTHER TIMES");
	fprintf(t->to, "%-*s %6s %15s %15s %15s %7s%s\n", (int)t->name_cols, "", "share",
		"first response", "keying time", "think time", "echo",
		due ? "  from due time" : "");
	fprintf(t->to, "%-*s %6s %7s %7s %7s %7s %7s %7s %7s%s\n", (int)t->name_cols, "transaction",
		"", "p50", "p90", "mean", "p90", "mean", "p90", "mean",
		due ? "     p90     p99" : "");
	each_group(t, other_row);
}

static void write_failures(const struct text *t)
{
	const struct rp_run *r = t->r;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];
	struct b_buf what = B_BUF_INIT;

	if (!r->n_failures)
		return;
	heading(t, "FAILURES");
	fprintf(t->to, "%9s %9s %9s  %-10s %s\n", "counted", "in all", "first at", "kind", "what");
	for (size_t i = 0; i < r->n_failures && i < MAX_FAILURES; i++) {
		const struct rp_failure *f = &r->failures[i];

		fprintf(t->to, "%9s", rp_format_count(a, f->n_counted));
		fprintf(t->to, " %9s %9s  %-10s ", rp_format_count(a, f->n),
			rp_format_span(b, f->first_s), f->kind);
		b_buf_clear(&what);
		if (*f->transaction)
			b_buf_printf(&what, "%.60s: ", f->transaction);
		b_buf_printf(&what, "%.300s", f->detail);
		if (f->screen)
			b_buf_printf(&what, " (%.80s)", f->screen);
		rp_format_wrapped(t->to, b_buf_cstr(&what), 42, 42);
		fputc('\n', t->to);
	}
	if (r->n_failures > MAX_FAILURES)
		fprintf(t->to, "... and %zu more kinds\n", r->n_failures - MAX_FAILURES);
	b_buf_release(&what);
}

/* ---- Sessions, time accounts, driver ------------------------------------------------------------ */

/* Where the time of all users went; parts of nothing are left out. */
static void write_accounts(const struct text *t)
{
	const struct rp_sessions *s = &t->r->sessions;
	double unexplained = s->part_s[RP_AC_OTHER] + s->unexplained_s;
	struct b_buf b = B_BUF_INIT;
	char a[RP_FORMAT_SIZE];

	b_buf_printf(&b, "users' time, %s in all:", rp_format_span(a, s->duration_s));
	for (int i = 0; i < RP_AC_OTHER; i++)
		if (s->part_s[i] > 0)
			b_buf_printf(&b, " %s %s,", rp_account_names[i],
				rp_format_share(a, s->part_s[i] / s->duration_s));
	b_buf_printf(&b,
		" unexplained %s; within these:", rp_format_share(a, unexplained / s->duration_s));
	for (int i = RP_AC_SETTLING; i < RP_AC_N; i++)
		b_buf_printf(&b, " %s %s%s", rp_account_names[i],
			rp_format_share(a, s->part_s[i] / s->duration_s),
			i + 1 < RP_AC_N ? "," : "");
	rp_format_wrapped(t->to, b_buf_cstr(&b), 0, 0);
	fputc('\n', t->to);
	b_buf_release(&b);
}

static void write_sessions(const struct text *t)
{
	const struct rp_sessions *s = &t->r->sessions;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (!s->n)
		return;
	heading(t, "SESSIONS");
	fprintf(t->to, "%s sessions:", rp_format_count(a, s->n));
	for (size_t i = 0; i < s->n_ends; i++) {
		fprintf(t->to, "%s %s ended by ", i ? "," : "", rp_format_count(a, s->ends[i].n));
		safe(t, s->ends[i].name, 20);
	}
	fprintf(t->to, "\nconnect p50 %s, max %s;", rp_format_s(a, s->connect.p[RP_P50].s),
		rp_format_s(b, s->connect.max_s));
	fprintf(t->to, " login p50 %s, max %s\n", rp_format_s(a, s->login.p[RP_P50].s),
		rp_format_s(b, s->login.max_s));
	if (s->duration_s > 0)
		write_accounts(t);
}

static void write_driver(const struct text *t)
{
	const struct rp_driver *d = &t->r->driver;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];

	heading(t, "DRIVER");
	fprintf(t->to, "keystrokes late p50 %s, p99 %s, max %s%s", rp_format_s(a, d->late_p50_s),
		rp_format_s(b, d->late_p99_s), rp_format_s(c, d->late_max_s),
		d->late_from_timeline ? " (worst second)" : "");
	if (d->keys >= 0)
		fprintf(t->to, "; %s keys", rp_format_count(a, (uint64_t)d->keys));
	if (d->reschedules >= 0)
		fprintf(t->to, ", schedule started anew %s times",
			rp_format_count(a, (uint64_t)d->reschedules));
	fputc('\n', t->to);
	if (!isnan(d->cpu_mean)) {
		fprintf(t->to, "CPU %s cores on average, %s at most",
			rp_format_number(a, d->cpu_mean), rp_format_number(b, d->cpu_max));
		if (t->r->cores > 0)
			fprintf(t->to, ", of %g", t->r->cores);
		if (!isnan(d->rss_max_kib))
			fprintf(t->to, "; memory %s MiB",
				rp_format_number(a, d->rss_max_kib / 1024));
		fputc('\n', t->to);
	}
}

static void write_actions(const struct text *t)
{
	const struct rp_run *r = t->r;
	char at[RP_FORMAT_SIZE];

	if (!r->n_actions)
		return;
	heading(t, "STEERED BY A PERSON");
	for (size_t i = 0; i < r->n_actions && i < MAX_ACTIONS; i++) {
		fprintf(t->to, "%9s  ", rp_format_span(at, fmax(0, rp_action_at(r, i))));
		safe(t, r->actions[i].text, 60);
		fputc('\n', t->to);
	}
	if (r->n_actions > MAX_ACTIONS)
		fprintf(t->to, "... and %zu more\n", r->n_actions - MAX_ACTIONS);
}

/* ---- Verdicts --------------------------------------------------------------------------------- */

static const char *value_text(char out[RP_FORMAT_SIZE], const struct rp_threshold *th)
{
	if (th->unit == RP_UNIT_S)
		return rp_format_s(out, th->value);
	if (th->unit == RP_UNIT_SHARE)
		return rp_format_share(out, th->value);
	rp_format_number(out, th->value);
	if (th->unit == RP_UNIT_RATE && !isnan(th->value)) {
		size_t n = strlen(out);

		snprintf(out + n, RP_FORMAT_SIZE - n, "/s");
	}
	return out;
}

static bool happened(const struct rp_run *r, const char *name)
{
	if (!strcmp(name, "*"))
		return true;
	for (size_t i = 0; i < r->n_groups; i++)
		if (!strcmp(r->groups[i].name, name))
			return true;
	return false;
}

static size_t write_thresholds(const struct text *t)
{
	const struct rp_run *r = t->r;
	size_t missed = 0;
	char a[RP_FORMAT_SIZE];

	if (!r->n_thresholds)
		return 0;
	heading(t, "THRESHOLDS");
	for (size_t i = 0; i < r->n_thresholds; i++) {
		const struct rp_threshold *th = &r->thresholds[i];

		missed += !th->passed;
		fprintf(t->to, "%s%-6s%s  ", th->passed ? green(t) : red(t),
			th->passed ? "met" : "MISSED", plain(t));
		name_column(t, th->text, 40);
		if (isnan(th->value))
			fprintf(t->to, "  no sample%s\n",
				happened(r, th->name) ? ""
						      : ", no such transaction; * is all together");
		else
			fprintf(t->to, "  %s\n", value_text(a, th));
	}
	return missed;
}

static void write_validity(const struct text *t)
{
	static const char *const marks[] = { "ok", "note", "warn", "BAD" };
	const struct rp_run *r = t->r;

	heading(t, "VALIDITY");
	for (size_t i = 0; i < r->n_checks; i++) {
		const struct rp_check *c = &r->checks[i];

		fprintf(t->to, "%s%-4s%s  ",
			c->level == RP_BAD               ? red(t)
				: c->level == RP_WARNING ? yellow(t)
							 : "",
			marks[c->level], plain(t));
		name_column(t, c->name, 16);
		fputs("  ", t->to);
		rp_format_wrapped(t->to, c->text, 24, 24);
		fputc('\n', t->to);
	}
}

static void write_verdict(const struct text *t, size_t missed)
{
	const struct rp_run *r = t->r;
	struct b_buf b = B_BUF_INIT;

	fputc('\n', t->to);
	if (r->n_thresholds)
		fprintf(t->to, "%s%s%s: %zu of %zu thresholds met\n", missed ? red(t) : green(t),
			missed ? "MISSED" : "MET", plain(t), r->n_thresholds - missed,
			r->n_thresholds);
	if (r->valid) {
		fprintf(t->to, "%sVALID%s\n", green(t), plain(t));
		return;
	}
	fprintf(t->to, "%sINVALID%s:", red(t), plain(t));
	for (size_t i = 0; i < r->n_checks; i++) {
		if (r->checks[i].level != RP_BAD)
			continue;
		b_buf_printf(
			&b, "%s%s: %s", b.len ? "; " : "", r->checks[i].name, r->checks[i].text);
	}
	fputc(' ', t->to);
	rp_format_wrapped(t->to, b_buf_cstr(&b), 9, 4);
	fputc('\n', t->to);
	b_buf_release(&b);
}

static void write_files(const struct text *t)
{
	static const char *const names[] = { RUNDIR_REPORT_HTML, RUNDIR_SUMMARY_JSON,
		RUNDIR_TRANSACTIONS_CSV };
	struct b_buf path = B_BUF_INIT;
	bool any = false;

	for (size_t i = 0; i < B_ARRAY_LEN(names); i++) {
		b_buf_clear(&path);
		b_buf_printf(&path, "%s/%s", t->r->dir, names[i]);
		if (access(b_buf_cstr(&path), R_OK))
			continue;
		fputs(any ? "             " : "files        ", t->to);
		safe(t, b_buf_cstr(&path), 200);
		fputc('\n', t->to);
		any = true;
	}
	b_buf_release(&path);
}

static size_t name_cols(const struct rp_run *r)
{
	size_t cols = NAME_MIN;

	for (size_t i = 0; i < r->n_groups; i++) {
		struct b_buf b = B_BUF_INIT;
		size_t used = rp_format_name(&b, r->groups[i].name, NAME_MAX);

		if (used > cols && r->groups[i].n_ok + r->groups[i].n_failed)
			cols = used;
		b_buf_release(&b);
	}
	return cols;
}

int rp_text_write(const struct rp_run *r, FILE *to)
{
	const char *no_color = getenv("NO_COLOR");
	struct text t = { r, to, isatty(fileno(to)) && !(no_color && *no_color), name_cols(r) };
	size_t missed;

	write_head(&t);
	if (r->all.n_ok + r->all.n_failed) {
		write_responses(&t);
		write_others(&t);
	}
	write_failures(&t);
	write_sessions(&t);
	write_driver(&t);
	if (r->sar.host) {
		fputc('\n', to);
		rp_sar_text(r, to);
	}
	write_actions(&t);
	missed = write_thresholds(&t);
	write_validity(&t);
	write_verdict(&t, missed);
	write_files(&t);
	return fflush(to) || ferror(to) ? B_ESYS : B_OK;
}
