/* timeline.csv and sessions.csv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/csv_read.h"
#include "report/run.h"
#include "base/banned.h"

const char *const rp_account_names[RP_AC_N] = { "connect", "login", "keying", "response", "script",
	"think", "pacing", "barrier", "logout", "backoff", "other", "settling", "late", "blocked" };

/* A log that is not there or still empty is no failure: 0 with c closed; 1 with c open. */
static int open_log(struct rp_csv *c, const struct rp_run *r, const char *name, struct b_error *err)
{
	struct b_buf path = B_BUF_INIT;
	struct b_error why = { 0 };
	int rc;

	b_buf_printf(&path, "%s/%s", r->dir, name);
	rc = rp_csv_open(c, b_buf_cstr(&path), &why);
	b_buf_release(&path);
	if (rc == B_ENOTFOUND || rc == B_EOF)
		return 0;
	return rc ? b_error_set(err, rc, "%s", why.text) : 1;
}

/* ---- timeline.csv ------------------------------------------------------------------------- */

static const char *const timeline_columns[RP_TL_N] = { "time", "users_planned", "users_connecting",
	"users_login", "users_typing", "users_waiting", "users_thinking", "users_done",
	"users_failed", "transactions", "failures", "p50_s", "p90_s", "p99_s", "max_s", "keys",
	"bytes_in", "bytes_out", "late_p50_s", "late_p99_s", "late_max_s", "cpu_driver",
	"rss_kib" };

static void timeline_row(struct rp_run *r, const struct rp_csv *c, const int *at, int at_phase)
{
	struct rp_timeline *t = &r->timeline;
	double time = rp_field_double(rp_csv_field(c, at[RP_TL_TIME]));
	struct rp_field phase = rp_csv_field(c, at_phase);

	if (!(time > 0 && time < 9e9)) {
		r->bad_rows++;
		return;
	}
	if (isnan(r->started_s))
		r->started_s = time;
	if (t->n == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 256;
		t->v = b_reallocarray(t->v, t->cap, sizeof *t->v);
		t->phase = b_reallocarray(t->phase, t->cap, sizeof *t->phase);
	}
	for (int i = 0; i < RP_TL_N; i++)
		t->v[t->n][i] = (float)rp_field_double(rp_csv_field(c, at[i]));
	t->v[t->n][RP_TL_TIME] = (float)(time - r->started_s);
	t->phase[t->n] = RP_N_PHASE;
	for (int i = 0; i < RP_N_PHASE; i++)
		if (rp_field_is(phase, rp_phase_names[i]))
			t->phase[t->n] = (uint8_t)i;
	t->n++;
	r->end_s = fmax(r->end_s, time - r->started_s);
}

int rp_load_timeline(struct rp_run *r, struct b_error *err)
{
	int at[RP_TL_N], at_phase, rc;
	struct rp_csv c;

	rc = open_log(&c, r, RUNDIR_TIMELINE_CSV, err);
	if (rc <= 0)
		return rc;
	for (int i = 0; i < RP_TL_N; i++)
		at[i] = rp_csv_column(&c, timeline_columns[i]);
	at_phase = rp_csv_column(&c, "phase");
	while ((rc = rp_csv_next(&c, err)) > 0)
		timeline_row(r, &c, at, at_phase);
	rp_csv_close(&c);
	return rc;
}

double rp_timeline_users(const struct rp_timeline *t, size_t i)
{
	double sum = NAN;

	for (int k = RP_TL_CONNECTING; k <= RP_TL_THINKING; k++)
		if (!isnan(t->v[i][k]))
			sum = (isnan(sum) ? 0 : sum) + (double)t->v[i][k];
	return sum;
}

/* ---- sessions.csv ------------------------------------------------------------------------- */

struct session_columns {
	int user, end, iterations, duration, part[RP_AC_N];
};

struct samples {
	rp_time *v;
	size_t n, cap;
};

static void sample_add(struct samples *s, double seconds)
{
	if (!(seconds >= 0))
		return;
	if (s->n == s->cap) {
		s->cap = s->cap ? s->cap * 2 : 256;
		s->v = b_reallocarray(s->v, s->cap, sizeof *s->v);
	}
	s->v[s->n++] = rp_time_of_us(llround(fmin(seconds, 1e9) * 1e6));
}

static void samples_finish(struct samples *s, struct rp_stat *stat)
{
	rp_time *scratch = b_malloc(s->n * sizeof *scratch);

	rp_times_sort(s->v, s->n, scratch);
	rp_stat_make(stat, s->v, s->n);
	free(scratch);
	free(s->v);
}

static void count_end(struct rp_sessions *s, struct rp_field end)
{
	for (size_t i = 0; i < s->n_ends; i++) {
		if (rp_field_is(end, s->ends[i].name)) {
			s->ends[i].n++;
			return;
		}
	}
	if (s->n_ends >= 20)
		return;
	s->ends = b_reallocarray(s->ends, s->n_ends + 1, sizeof *s->ends);
	s->ends[s->n_ends++] = (struct rp_count){ b_strndup(end.s, end.len), 1 };
}

static void user_add(
	struct rp_sessions *s, size_t *cap, int64_t user, const struct rp_user_account *a)
{
	if (s->n_users == *cap) {
		*cap = *cap ? *cap * 2 : 256;
		s->users = b_reallocarray(s->users, *cap, sizeof *s->users);
	}
	s->users[s->n_users] = *a;
	s->users[s->n_users++].user = user;
}

static int by_user(const void *a, const void *b)
{
	const struct rp_user_account *x = a, *y = b;

	return (x->user > y->user) - (x->user < y->user);
}

/* Sessions of one user become one account. */
static void users_join(struct rp_sessions *s)
{
	size_t to = 0;

	if (!s->n_users)
		return;
	qsort(s->users, s->n_users, sizeof *s->users, by_user);
	for (size_t i = 1; i < s->n_users; i++) {
		struct rp_user_account *a = &s->users[to], *b = &s->users[i];

		if (a->user != b->user) {
			s->users[++to] = *b;
			continue;
		}
		a->sessions += b->sessions;
		a->iterations += b->iterations;
		a->duration_s += b->duration_s;
		for (int k = 0; k < RP_AC_N; k++)
			a->part_s[k] += b->part_s[k];
	}
	s->n_users = to + 1;
}

static void session_row(struct rp_run *r, const struct rp_csv *c, const struct session_columns *at,
	struct rp_user_account *a)
{
	struct rp_sessions *s = &r->sessions;
	double duration = rp_field_double(rp_csv_field(c, at->duration)), sum = 0;
	int64_t iterations = 0;

	(void)!rp_field_int(rp_csv_field(c, at->iterations), &iterations);
	*a = (struct rp_user_account){ .sessions = 1, .iterations = iterations };
	for (int k = 0; k < RP_AC_N; k++) {
		double v = rp_field_double(rp_csv_field(c, at->part[k]));

		a->part_s[k] = isnan(v) ? 0 : v;
		s->part_s[k] += a->part_s[k];
		if (k < RP_AC_N_PARTS)
			sum += a->part_s[k];
	}
	a->duration_s = isnan(duration) ? sum : duration;
	s->duration_s += a->duration_s;
	s->unexplained_s += fabs(a->duration_s - sum);
	s->iterations += iterations > 0 ? (uint64_t)iterations : 0;
	s->n++;
	count_end(s, rp_csv_field(c, at->end));
}

int rp_load_sessions(struct rp_run *r, struct b_error *err)
{
	struct samples connect = { 0 }, login = { 0 };
	struct session_columns at;
	struct rp_user_account a;
	size_t cap = 0;
	struct rp_csv c;
	int64_t user;
	int rc;

	rc = open_log(&c, r, RUNDIR_SESSIONS_CSV, err);
	if (rc <= 0)
		return rc;
	r->sessions.present = true;
	at.user = rp_csv_column(&c, "user");
	at.end = rp_csv_column(&c, "end");
	at.iterations = rp_csv_column(&c, "iterations");
	at.duration = rp_csv_column(&c, "duration_s");
	for (int k = 0; k < RP_AC_N; k++) {
		char name[32];

		snprintf(name, sizeof name, "%s_s", rp_account_names[k]);
		at.part[k] = rp_csv_column(&c, name);
	}
	while ((rc = rp_csv_next(&c, err)) > 0) {
		session_row(r, &c, &at, &a);
		sample_add(&connect, rp_field_double(rp_csv_field(&c, at.part[RP_AC_CONNECT])));
		sample_add(&login, rp_field_double(rp_csv_field(&c, at.part[RP_AC_LOGIN])));
		if (rp_field_int(rp_csv_field(&c, at.user), &user))
			user_add(&r->sessions, &cap, user, &a);
	}
	rp_csv_close(&c);
	samples_finish(&connect, &r->sessions.connect);
	samples_finish(&login, &r->sessions.login);
	users_join(&r->sessions);
	return rc;
}
