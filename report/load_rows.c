/* transactions.csv: the rows into columns, names into numbers, failures into kinds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "report/csv_read.h"
#include "report/run.h"
#include "base/banned.h"

#define MAX_GROUPS   4000 /* names beyond go to OTHERS: a script may make them from data */
#define MAX_FAILURES 500
#define MAX_USERS    1000000
#define HASH_SLOTS   16384
#define OTHERS       "(others)"

const char *const rp_status_names[RP_N_STATUS] = { "ok", "timeout", "check", "disconnect", "error",
	"unfinished", "aborted" };
const char *const rp_phase_names[RP_N_PHASE] = { "rampup", "warmup", "measure", "continue",
	"rampdown" };
const char *const rp_ended_names[RP_N_ENDED] = { "text", "cursor", "attr", "gone", "quiet", "eof",
	"stream", "stale", "unsettled", "none", "timeout", "other" };

struct columns {
	int start, user, session, iteration, transaction, phase, counted, status, response, first,
		ready, keying, think, due_late, echo_mean, echo_max, keys, in, out, ended, detail;
};

/* Where a user stands, to count iterations and think times. */
struct user_seen {
	int64_t session, iteration;
	size_t group;      /* of the row before */
	bool seen, thinks; /* thinks: that row counted and was ok */
};

struct loader {
	struct rp_run *r;
	struct rp_csv csv;
	struct columns at;
	uint32_t *group_slots, *failure_slots; /* index + 1; 0 is free */
	size_t others;                         /* group number + 1 of OTHERS */
	struct b_buf shape;
	struct user_seen *users;
	size_t n_users;
};

static uint64_t hash_bytes(uint64_t h, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001B3u;
	return h;
}

static uint64_t hash_end(uint64_t h)
{
	h ^= h >> 29;
	h *= 0xBF58476D1CE4E5B9u;
	return h ^ h >> 32;
}

#define HASH_START 0xCBF29CE484222325u

/* ---- Names of transactions ----------------------------------------------------------------- */

static size_t group_add(struct rp_run *r, const char *name, size_t len)
{
	r->groups = b_reallocarray(r->groups, r->n_groups + 1, sizeof *r->groups);
	memset(&r->groups[r->n_groups], 0, sizeof *r->groups);
	r->groups[r->n_groups].name = b_strndup(name, len);
	return r->n_groups++;
}

static size_t group_of(struct loader *l, struct rp_field f)
{
	struct rp_run *r = l->r;
	size_t slot;

	f.len = strnlen(f.s, f.len);
	slot = hash_end(hash_bytes(HASH_START, f.s, f.len)) % HASH_SLOTS;
	for (; l->group_slots[slot]; slot = (slot + 1) % HASH_SLOTS)
		if (rp_field_is(f, r->groups[l->group_slots[slot] - 1].name))
			return l->group_slots[slot] - 1;
	if (r->n_groups >= MAX_GROUPS) {
		if (!l->others)
			l->others = group_add(r, OTHERS, strlen(OTHERS)) + 1;
		return l->others - 1;
	}
	l->group_slots[slot] = (uint32_t)group_add(r, f.s, f.len) + 1;
	return r->n_groups - 1;
}

/* ---- Failures ------------------------------------------------------------------------------- */

static void failure_note(
	struct loader *l, enum rp_status status, size_t group, bool counted, double at_s)
{
	struct rp_run *r = l->r;
	struct rp_field d = rp_csv_field(&l->csv, l->at.detail);
	const char *name = r->groups[group].name;
	uint64_t h = hash_bytes(HASH_START + status, name, strlen(name) + 1);
	struct rp_failure *f = NULL;
	size_t slot;

	b_buf_clear(&l->shape);
	rp_failure_shape(&l->shape, d.s, strnlen(d.s, d.len));
	slot = hash_end(hash_bytes(h, b_buf_cstr(&l->shape), l->shape.len)) % HASH_SLOTS;
	for (; l->failure_slots[slot]; slot = (slot + 1) % HASH_SLOTS) {
		f = &r->failures[l->failure_slots[slot] - 1];
		if (f->status == status && !strcmp(f->shape, l->shape.data) &&
			!strcmp(f->transaction, name))
			break;
	}
	if (!l->failure_slots[slot]) {
		if (r->n_failures >= MAX_FAILURES) {
			r->failures_dropped++;
			return;
		}
		r->failures = b_reallocarray(r->failures, r->n_failures + 1, sizeof *r->failures);
		f = &r->failures[r->n_failures++];
		*f = (struct rp_failure){ .status = status,
			.kind = b_strdup(rp_status_names[status]),
			.transaction = b_strdup(name),
			.detail = b_strndup(d.s, strnlen(d.s, d.len)),
			.shape = b_strdup(l->shape.data),
			.first_s = at_s };
		l->failure_slots[slot] = (uint32_t)r->n_failures;
	}
	f->n++;
	f->n_counted += counted;
	f->first_s = fmin(f->first_s, at_s);
	f->last_s = fmax(f->last_s, at_s);
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static void rows_grow(struct rp_rows *w)
{
	size_t cap = w->cap ? w->cap * 2 : 65536;

	w->start_ms = b_reallocarray(w->start_ms, cap, sizeof *w->start_ms);
	w->response = b_reallocarray(w->response, cap, sizeof *w->response);
	w->first = b_reallocarray(w->first, cap, sizeof *w->first);
	w->keying = b_reallocarray(w->keying, cap, sizeof *w->keying);
	w->think = b_reallocarray(w->think, cap, sizeof *w->think);
	if (w->due_late)
		w->due_late = b_reallocarray(w->due_late, cap, sizeof *w->due_late);
	if (w->echo)
		w->echo = b_reallocarray(w->echo, cap, sizeof *w->echo);
	if (w->stage)
		w->stage = b_reallocarray(w->stage, cap, sizeof *w->stage);
	w->group = b_reallocarray(w->group, cap, sizeof *w->group);
	w->bits = b_reallocarray(w->bits, cap, sizeof *w->bits);
	w->cap = cap;
}

void rp_rows_release(struct rp_rows *w)
{
	free(w->start_ms);
	free(w->response);
	free(w->first);
	free(w->keying);
	free(w->think);
	free(w->due_late);
	free(w->echo);
	free(w->group);
	free(w->stage);
	free(w->bits);
	memset(w, 0, sizeof *w);
}

/* A column that most runs do not have: made when the first value comes. */
static void set_rare(rp_time **column, const struct rp_rows *w, rp_time v, rp_time nothing)
{
	if (!*column) {
		if (v == nothing)
			return;
		*column = b_reallocarray(NULL, w->cap, sizeof **column);
		for (size_t i = 0; i < w->n; i++)
			(*column)[i] = nothing;
	}
	(*column)[w->n] = v;
}

static int64_t us_or(const struct loader *l, int column, int64_t otherwise)
{
	int64_t us;

	return rp_field_us(rp_csv_field(&l->csv, column), &us) ? us : otherwise;
}

static rp_time time_of(const struct loader *l, int column)
{
	int64_t us = us_or(l, column, -1);

	return us < 0 ? RP_TIME_NONE : rp_time_of_us(us);
}

static size_t word_of(struct rp_field f, const char *const *words, size_t n, size_t otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (rp_field_is(f, words[i]))
			return i;
	return otherwise;
}

/* NULL: a row that does not say whose it is. */
static struct user_seen *user_of(struct loader *l)
{
	int64_t user;

	if (!rp_field_int(rp_csv_field(&l->csv, l->at.user), &user) || user < 0 ||
		user >= MAX_USERS)
		return NULL;
	if ((size_t)user >= l->n_users) {
		size_t n = (size_t)user * 2 + 64;

		l->users = b_reallocarray(l->users, n, sizeof *l->users);
		memset(l->users + l->n_users, 0, (n - l->n_users) * sizeof *l->users);
		l->n_users = n;
	}
	return &l->users[user];
}

static void count_iteration(struct loader *l, struct user_seen *u)
{
	int64_t session = 0, iteration = 0;

	(void)!rp_field_int(rp_csv_field(&l->csv, l->at.session), &session);
	(void)!rp_field_int(rp_csv_field(&l->csv, l->at.iteration), &iteration);
	l->r->n_users_seen += !u->seen;
	u->seen = true;
	/* 0 is login or logout. */
	if (iteration <= 0 || (u->session == session && u->iteration == iteration))
		return;
	l->r->iterations++;
	u->session = session;
	u->iteration = iteration;
}

/* A user's rows stand in their order: what was thought in front of this one is what was thought
   behind the one before. */
static void count_think(struct loader *l, struct user_seen *u, size_t group, bool counted_ok)
{
	int64_t think = us_or(l, l->at.think, -1);

	if (u->thinks && think >= 0) {
		struct rp_group *before = &l->r->groups[u->group];

		before->think_after_sum_s += (double)think * 1e-6;
		before->n_think_after++;
	}
	u->thinks = counted_ok;
	u->group = group;
}

/* What a counted row adds to its transaction besides its times. */
static void count_row(struct loader *l, struct rp_group *g, enum rp_status status)
{
	double keys = rp_field_double(rp_csv_field(&l->csv, l->at.keys));
	int64_t keying = us_or(l, l->at.keying, -1), bytes;
	double echo = rp_field_double(rp_csv_field(&l->csv, l->at.echo_max));

	g->n_status[status]++;
	if (status == RP_OK && us_or(l, l->at.response, -1) < 0)
		*(keys > 0 ? &g->n_no_output : &g->n_no_input) += 1;
	if (status == RP_OK)
		g->n_ended[word_of(rp_csv_field(&l->csv, l->at.ended), rp_ended_names, RP_BY_OTHER,
			RP_BY_OTHER)]++;
	if (rp_field_int(rp_csv_field(&l->csv, l->at.in), &bytes) && bytes > 0)
		g->bytes_in += (uint64_t)bytes;
	if (rp_field_int(rp_csv_field(&l->csv, l->at.out), &bytes) && bytes > 0)
		g->bytes_out += (uint64_t)bytes;
	if (echo > g->echo_max_s)
		g->echo_max_s = echo;
	if (keys > 0)
		g->keys += keys;
	if (status == RP_OK && keying >= 0)
		rp_gaps_add(&g->gaps, keys);
	if (keys > 1 && keying >= 0) {
		g->n_gaps += keys - 1;
		g->keying_sum_s += (double)keying * 1e-6;
	}
}

/* From its first input to its end. */
static void reach(const struct loader *l, int64_t start_us, int64_t *begin_us, int64_t *end_us)
{
	int64_t response = us_or(l, l->at.response, 0), ready = us_or(l, l->at.ready, 0);

	*begin_us = start_us - us_or(l, l->at.keying, 0);
	*end_us = start_us + (response > ready ? response : ready);
}

static void set_stage(const struct loader *l, struct rp_rows *w, int64_t start_us)
{
	int64_t begin, end;

	if (!l->r->n_stages)
		return;
	if (!w->stage)
		w->stage = b_reallocarray(NULL, w->cap, sizeof *w->stage);
	reach(l, start_us, &begin, &end);
	w->stage[w->n] = (uint16_t)rp_stages_find(l->r, begin, end);
}

/* Whether the row counts, and if not, whether it began in the interval. */
static bool judge_row(const struct loader *l, int64_t start_us, enum rp_phase phase, bool *began)
{
	const struct rp_run *r = l->r;
	int64_t begin, end;

	reach(l, start_us, &begin, &end);
	if (!r->interval_chosen) {
		*began = phase == RP_MEASURE;
		return rp_field_is(rp_csv_field(&l->csv, l->at.counted), "1");
	}
	*began = begin >= llround(r->from_s * 1e6) && begin <= llround(r->to_s * 1e6);
	return *began && end <= llround(r->to_s * 1e6);
}

static void load_row(struct loader *l, int64_t base_us)
{
	struct rp_run *r = l->r;
	struct rp_rows *w = &r->rows;
	struct rp_field status_word = rp_csv_field(&l->csv, l->at.status);
	enum rp_status status =
		(enum rp_status)word_of(status_word, rp_status_names, RP_N_STATUS, RP_ERROR);
	enum rp_phase phase = (enum rp_phase)word_of(
		rp_csv_field(&l->csv, l->at.phase), rp_phase_names, RP_N_PHASE, RP_MEASURE);
	struct user_seen *user = user_of(l);
	rp_time due;
	int64_t start_us, ms, response;
	struct rp_group *g;
	bool counted, began;
	size_t group;

	if (!rp_field_us(rp_csv_field(&l->csv, l->at.start), &start_us) || !status_word.len) {
		r->bad_rows++;
		return;
	}
	if (w->n == w->cap)
		rows_grow(w);
	start_us -= base_us;
	group = group_of(l, rp_csv_field(&l->csv, l->at.transaction));
	g = &r->groups[group];
	g->n_logged++;
	counted = judge_row(l, start_us, phase, &began);
	if (status == RP_UNFINISHED || status == RP_ABORTED)
		counted = false;
	if (user)
		count_think(l, user, group, counted && status == RP_OK);
	if (counted && user)
		count_iteration(l, user);
	if (counted) {
		count_row(l, g, status);
		r->counted_from_s = fmin(
			r->counted_from_s, (double)(start_us - us_or(l, l->at.keying, 0)) * 1e-6);
		r->counted_to_s = fmax(
			r->counted_to_s, (double)(start_us + us_or(l, l->at.response, 0)) * 1e-6);
	} else if (began && status == RP_UNFINISHED)
		g->n_unfinished++;
	else if (began && status == RP_ABORTED)
		g->n_aborted++;
	else if (began && status == RP_OK)
		g->n_edge++;
	else if (began)
		g->n_edge_failed++;
	if (rp_status_failed(status))
		failure_note(l, status, group, counted, (double)start_us * 1e-6);

	ms = start_us > 0 ? start_us / 1000 : 0;
	w->start_ms[w->n] = ms > UINT32_MAX ? UINT32_MAX : (uint32_t)ms;
	w->response[w->n] = time_of(l, l->at.response);
	w->first[w->n] = time_of(l, l->at.first);
	w->keying[w->n] = time_of(l, l->at.keying);
	w->think[w->n] = time_of(l, l->at.think);
	due = time_of(l, l->at.due_late);
	set_rare(&w->due_late, w, due == RP_TIME_NONE ? 0 : due, 0);
	set_rare(&w->echo, w, time_of(l, l->at.echo_mean), RP_TIME_NONE);
	set_stage(l, w, start_us);
	w->group[w->n] = (uint16_t)group;
	w->bits[w->n] = (uint8_t)((unsigned)status | (unsigned)phase << 3 | (unsigned)counted << 6);
	w->n++;
	response = us_or(l, l->at.response, 0);
	r->end_s = fmax(r->end_s, (double)(start_us + response) * 1e-6);
}

static void find_columns(struct columns *at, const struct rp_csv *c)
{
	const struct {
		int *to;
		const char *name;
	} all[] = {
		{ &at->start, "start" },
		{ &at->user, "user" },
		{ &at->session, "session" },
		{ &at->iteration, "iteration" },
		{ &at->transaction, "transaction" },
		{ &at->phase, "phase" },
		{ &at->counted, "counted" },
		{ &at->status, "status" },
		{ &at->response, "response_s" },
		{ &at->first, "first_response_s" },
		{ &at->ready, "ready_s" },
		{ &at->keying, "keying_s" },
		{ &at->think, "think_before_s" },
		{ &at->due_late, "due_late_s" },
		{ &at->echo_mean, "echo_mean_s" },
		{ &at->echo_max, "echo_max_s" },
		{ &at->keys, "keys" },
		{ &at->in, "bytes_in" },
		{ &at->out, "bytes_out" },
		{ &at->ended, "ended_by" },
		{ &at->detail, "detail" },
	};

	for (size_t i = 0; i < B_ARRAY_LEN(all); i++)
		*all[i].to = rp_csv_column(c, all[i].name);
}

static int load_all(struct loader *l, struct b_error *err)
{
	struct rp_run *r = l->r;
	int64_t base_us;
	int rc;

	find_columns(&l->at, &l->csv);
	if (l->at.start < 0 || l->at.transaction < 0 || l->at.status < 0)
		return b_error_set(err, B_EINPUT,
			"%s has no columns start, transaction and status: it is no log of rte run",
			l->csv.path);
	l->group_slots = b_calloc(HASH_SLOTS, sizeof *l->group_slots);
	l->failure_slots = b_calloc(HASH_SLOTS, sizeof *l->failure_slots);
	base_us = llround(r->started_s * 1e6);
	while ((rc = rp_csv_next(&l->csv, err)) > 0)
		load_row(l, base_us);
	r->truncated_rows = l->csv.cut;
	free(l->group_slots);
	free(l->failure_slots);
	free(l->users);
	b_buf_release(&l->shape);
	return rc;
}

/* Transactions in the order of their names, so that a report never depends on who came first. */
static int by_name(const void *a, const void *b)
{
	const struct rp_group *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void groups_sort(struct rp_run *r)
{
	uint16_t *now;

	if (!r->n_groups)
		return;
	now = b_malloc(r->n_groups * sizeof *now);
	for (size_t i = 0; i < r->n_groups; i++)
		r->groups[i].number = i;
	qsort(r->groups, r->n_groups, sizeof *r->groups, by_name);
	for (size_t i = 0; i < r->n_groups; i++)
		now[r->groups[i].number] = (uint16_t)i;
	for (size_t i = 0; i < r->rows.n; i++)
		r->rows.group[i] = now[r->rows.group[i]];
	free(now);
}

int rp_load_rows(struct rp_run *r, struct b_error *err)
{
	struct loader l = { .r = r };
	struct b_buf path = B_BUF_INIT;
	struct b_error why = { 0 };
	int rc;

	b_buf_printf(&path, "%s/%s", r->dir, RUNDIR_TRANSACTIONS_CSV);
	rc = rp_csv_open(&l.csv, b_buf_cstr(&path), &why);
	b_buf_release(&path);
	if (rc == B_ENOTFOUND || rc == B_EOF)
		return B_OK; /* a run that was killed before its first row */
	if (rc)
		return b_error_set(err, rc, "%s", why.text);
	rc = load_all(&l, err);
	groups_sort(r);
	rp_csv_close(&l.csv);
	return rc;
}
