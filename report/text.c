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
#include "report/text_priv.h"
#include "base/banned.h"

#define MAX_ACTIONS 20

static const char *bold(const struct rp_text *t)
{
	return t->colour ? "\033[1m" : "";
}

static const char *red(const struct rp_text *t)
{
	return t->colour ? "\033[1;31m" : "";
}

static const char *green(const struct rp_text *t)
{
	return t->colour ? "\033[1;32m" : "";
}

static const char *yellow(const struct rp_text *t)
{
	return t->colour ? "\033[33m" : "";
}

static const char *plain(const struct rp_text *t)
{
	return t->colour ? "\033[0m" : "";
}

void rp_text_heading(const struct rp_text *t, const char *s)
{
	fprintf(t->to, "\n%s%s%s\n", bold(t), s, plain(t));
}

/* A name in a column, padded. */
static void name_column(const struct rp_text *t, const char *s, size_t cols)
{
	struct b_buf b = B_BUF_INIT;
	size_t used = rp_format_name(&b, s, cols);

	fputs(b_buf_cstr(&b), t->to);
	for (; used < cols; used++)
		fputc(' ', t->to);
	b_buf_release(&b);
}

static void safe(const struct rp_text *t, const char *s, size_t cols)
{
	struct b_buf b = B_BUF_INIT;

	rp_format_name(&b, s, cols);
	fputs(b_buf_cstr(&b), t->to);
	b_buf_release(&b);
}

/* ---- Head --------------------------------------------------------------------------------- */

/* Text from column col on, wrapped and with the line end behind. */
static void wrapped(const struct rp_text *t, struct b_buf *b, size_t col, size_t indent)
{
	rp_format_wrapped(t->to, t->cols, b_buf_cstr(b), col, indent);
	fputc('\n', t->to);
	b_buf_release(b);
}

/* A word of the head, and what stands beside it. */
static void pair(const struct rp_text *t, const char *word, struct b_buf *b)
{
	fprintf(t->to, "%s%-12s%s ", bold(t), word, plain(t));
	wrapped(t, b, 13, 13);
}

static void write_interval(const struct rp_text *t)
{
	const struct rp_run *r = t->r;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE], d[RP_FORMAT_SIZE];
	struct b_buf text = B_BUF_INIT;

	if (isnan(r->from_s))
		b_buf_adds(&text, "none: nothing was measured");
	else
		b_buf_printf(&text, "%s%s, from %s to %s of %s",
			rp_format_span(a, rp_interval_s(r)),
			r->interval_chosen         ? " (chosen afterwards)"
				: r->interval_open ? " (not ended)"
						   : "",
			rp_format_span(b, r->from_s), rp_format_span(c, r->to_s),
			rp_format_span(d, r->end_s));
	pair(t, "interval", &text);
}

static void write_head(const struct rp_text *t)
{
	const struct rp_run *r = t->r;
	struct b_buf text = B_BUF_INIT;
	char a[RP_FORMAT_SIZE];

	b_buf_printf(&text, "%s, %s, %s", r->dir, r->outcome ? r->outcome : "outcome unknown",
		rp_format_time(a, r->started_s));
	pair(t, "run", &text);
	if (r->command) {
		b_buf_adds(&text, r->command);
		pair(t, "command", &text);
	}
	if (r->config.users > 0)
		b_buf_adds(&text, rp_format_count(a, (uint64_t)r->config.users));
	else
		b_buf_printf(&text, "%s seen", rp_format_count(a, r->n_users_seen));
	b_buf_printf(&text, "; %s iteration%s in the interval", rp_format_count(a, r->iterations),
		r->iterations == 1 ? "" : "s");
	pair(t, "users", &text);
	write_interval(t);
}

/* ---- Sessions, time accounts, driver ------------------------------------------------------------ */

/* Where the time of all users went; parts of nothing are left out. */
static void write_accounts(const struct rp_text *t)
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
	wrapped(t, &b, 0, 2);
}

static void write_sessions(const struct rp_text *t)
{
	const struct rp_sessions *s = &t->r->sessions;
	struct b_buf text = B_BUF_INIT;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	if (!s->n)
		return;
	rp_text_heading(t, "SESSIONS");
	b_buf_printf(&text, "%s session%s:", rp_format_count(a, s->n), s->n == 1 ? "" : "s");
	for (size_t i = 0; i < s->n_ends; i++)
		b_buf_printf(&text, "%s %s ended by %.20s", i ? "," : "",
			rp_format_count(a, s->ends[i].n), s->ends[i].name);
	wrapped(t, &text, 0, 2);
	b_buf_printf(&text, "connect p50 %s, max %s;", rp_format_s(a, s->connect.p[RP_P50].s),
		rp_format_s(b, s->connect.max_s));
	b_buf_printf(&text, " login p50 %s, max %s", rp_format_s(a, s->login.p[RP_P50].s),
		rp_format_s(b, s->login.max_s));
	wrapped(t, &text, 0, 2);
	if (s->duration_s > 0)
		write_accounts(t);
}

static void write_driver(const struct rp_text *t)
{
	const struct rp_driver *d = &t->r->driver;
	struct b_buf text = B_BUF_INIT;
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];

	rp_text_heading(t, "DRIVER");
	b_buf_printf(&text, "keystrokes late p50 %s, p99 %s, max %s%s",
		rp_format_s(a, d->late_p50_s), rp_format_s(b, d->late_p99_s),
		rp_format_s(c, d->late_max_s), d->late_from_timeline ? " (worst second)" : "");
	if (d->keys >= 0)
		b_buf_printf(&text, "; %s keys", rp_format_count(a, (uint64_t)d->keys));
	if (d->reschedules >= 0)
		b_buf_printf(&text, ", schedule started anew %s times",
			rp_format_count(a, (uint64_t)d->reschedules));
	if (d->late_out_of_range > 0)
		b_buf_printf(&text, ", %s later than its histogram reaches (2.5h)",
			rp_format_count(a, (uint64_t)d->late_out_of_range));
	wrapped(t, &text, 0, 2);
	rp_driver_tell(t->r, &text);
	if (text.len)
		wrapped(t, &text, 0, 2);
	if (isnan(d->cpu_mean))
		return;
	b_buf_printf(&text, "CPU %s cores on average, %s at most", rp_format_number(a, d->cpu_mean),
		rp_format_number(b, d->cpu_max));
	if (t->r->cores > 0)
		b_buf_printf(&text, ", of %g", t->r->cores);
	if (!isnan(d->rss_max_kib))
		b_buf_printf(&text, "; memory %s MiB", rp_format_number(a, d->rss_max_kib / 1024));
	wrapped(t, &text, 0, 2);
}

static void write_actions(const struct rp_text *t)
{
	const struct rp_run *r = t->r;
	char at[RP_FORMAT_SIZE];

	if (!r->n_actions)
		return;
	rp_text_heading(t, "STEERED");
	for (size_t i = 0; i < r->n_actions && i < MAX_ACTIONS; i++) {
		fprintf(t->to, "%9s  ", rp_format_span(at, fmax(0, rp_action_at(r, i))));
		safe(t, r->actions[i].text, 50);
		if (r->actions[i].by) {
			fputs(" by ", t->to);
			safe(t, r->actions[i].by, 12);
		}
		fputc('\n', t->to);
	}
	if (r->n_actions > MAX_ACTIONS)
		fprintf(t->to, "... and %zu more\n", r->n_actions - MAX_ACTIONS);
}

/* ---- Verdicts --------------------------------------------------------------------------------- */

static bool happened(const struct rp_run *r, const char *name)
{
	if (!strcmp(name, "*"))
		return true;
	for (size_t i = 0; i < r->n_groups; i++)
		if (!strcmp(r->groups[i].name, name))
			return true;
	return false;
}

static size_t write_thresholds(const struct rp_text *t)
{
	const struct rp_run *r = t->r;
	size_t missed = 0;
	char a[RP_FORMAT_SIZE];

	if (!r->n_thresholds)
		return 0;
	rp_text_heading(t, "THRESHOLDS");
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
			fprintf(t->to, "  %s\n", rp_threshold_value(a, th));
	}
	return missed;
}

static void write_validity(const struct rp_text *t)
{
	static const char *const marks[] = { "ok", "note", "warn", "BAD" };
	const struct rp_run *r = t->r;

	rp_text_heading(t, "VALIDITY");
	for (size_t i = 0; i < r->n_checks; i++) {
		const struct rp_check *c = &r->checks[i];

		fprintf(t->to, "%s%-4s%s  ",
			c->level == RP_BAD               ? red(t)
				: c->level == RP_WARNING ? yellow(t)
							 : "",
			marks[c->level], plain(t));
		name_column(t, c->name, 16);
		fputs("  ", t->to);
		rp_format_wrapped(t->to, t->cols, c->text, 24, 24);
		fputc('\n', t->to);
	}
}

static void write_verdict(const struct rp_text *t, size_t missed)
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
	rp_format_wrapped(t->to, t->cols, b_buf_cstr(&b), 9, 4);
	fputc('\n', t->to);
	b_buf_release(&b);
}

static void write_files(const struct rp_text *t)
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

int rp_text_write(const struct rp_run *r, FILE *to)
{
	const char *no_color = getenv("NO_COLOR");
	struct rp_text t = { r, to, rp_format_cols(to),
		isatty(fileno(to)) && !(no_color && *no_color) };
	size_t missed;

	write_head(&t);
	rp_text_figures(&t);
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
