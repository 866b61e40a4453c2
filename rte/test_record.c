#include "rte/test_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/ask_text.h"
#include "vscreen/snapshot.h"
#include "base/banned.h"

#define STEPS_MAX    1000
#define SHOTS_MAX    2000
#define BYTES_MAX    ((size_t)16 << 20)
#define LOG_MAX      1000
#define FAILURES_MAX 100
#define SECRETS_MAX  64
#define OUTPUT_SHOWN 200

void rte_record_init(struct rte_record *r, const struct rte_test *t,
	const struct rte_test_options *opt, struct rte_solo *solo)
{
	*r = (struct rte_record){
		.test = t,
		.opt = opt,
		.solo = solo,
		.failures = json_array(),
		.goldens = json_array(),
		.asked = json_array(),
		.transactions = json_array(),
		.log = json_array(),
	};
}

void rte_record_release(struct rte_record *r)
{
	json_decref(r->failures);
	json_decref(r->goldens);
	json_decref(r->asked);
	json_decref(r->transactions);
	json_decref(r->log);
	for (size_t i = 0; i < r->n_steps; i++) {
		free(r->steps[i].what);
		free(r->steps[i].file);
	}
	for (size_t i = 0; i < r->n_shots; i++)
		free(r->shots[i].paint);
	for (size_t i = 0; i < r->n_differing; i++) {
		free(r->differing[i].name);
		free(r->differing[i].path);
		free(r->differing[i].actual);
		free(r->differing[i].diff);
	}
	free(r->steps);
	free(r->shots);
	free(r->events);
	free(r->differing);
	free(r->skipped);
	free(r->diff);
	b_buf_release(&r->bytes);
}

static void opened(struct rte_record *r, const struct rte_user *u)
{
	if (!r->opened_ns)
		r->opened_ns = u->session_ns;
}

static int64_t since_opening(const struct rte_record *r, int64_t at)
{
	return r->opened_ns && at > r->opened_ns ? at - r->opened_ns : 0;
}

/* ---- Screens and steps --------------------------------------------------------------------- */

size_t rte_record_shot(struct rte_record *r, const struct rte_user *u)
{
	const struct rte_shot *last = r->n_shots ? &r->shots[r->n_shots - 1] : NULL;
	struct b_buf b = B_BUF_INIT;
	struct rte_shot *now;

	if (!u->screen || r->n_shots == SHOTS_MAX)
		return RTE_NO_SHOT;
	rte_redact_paint(&u->secrets, u->screen, 0, 0, &b);
	if (last && last->len == b.len && !memcmp(last->paint, b.data, b.len)) {
		b_buf_release(&b);
		return r->n_shots - 1;
	}
	r->shots = b_reallocarray(r->shots, r->n_shots + 1, sizeof *r->shots);
	now = &r->shots[r->n_shots];
	now->len = b.len;
	now->paint = b_buf_take(&b, NULL);
	vs_screen_cursor(u->screen, &now->row, &now->col);
	if (!vs_screen_cursor_visible(u->screen))
		now->row = -1;
	return r->n_shots++;
}

/* The steps in the middle of a long test are the ones that nobody misses. */
static void make_room(struct rte_record *r)
{
	size_t from = STEPS_MAX / 4, n = STEPS_MAX / 4;

	if (r->n_steps < STEPS_MAX)
		return;
	for (size_t i = from; i < from + n; i++) {
		free(r->steps[i].what);
		free(r->steps[i].file);
	}
	memmove(r->steps + from, r->steps + from + n, (r->n_steps - from - n) * sizeof *r->steps);
	r->n_steps -= n;
	r->steps_left_out += n;
}

static void add_event(struct rte_record *r, int64_t at, char code, const char *bytes, size_t len)
{
	if (r->bytes.len + len > BYTES_MAX || r->too_much) {
		r->too_much = true;
		return;
	}
	r->events = b_reallocarray(r->events, r->n_events + 1, sizeof *r->events);
	r->events[r->n_events++] =
		(struct rte_event_record){ since_opening(r, at), code, r->bytes.len, len };
	b_buf_add(&r->bytes, bytes, len);
}

static bool step(void *user, struct rte_user *u)
{
	const struct rte_ask *a = &u->ask;
	struct rte_record *r = user;
	struct b_buf what = B_BUF_INIT;
	int64_t now = b_clock_mono_ns();
	char size[32];

	opened(r, u);
	make_room(r);
	rte_ask_describe(a, &what);
	rte_redact_output(&u->secrets, what.data, what.len, false);
	r->steps = b_reallocarray(r->steps, r->n_steps + 1, sizeof *r->steps);
	r->steps[r->n_steps++] = (struct rte_step_record){
		.part = u->part,
		.what = b_buf_take(&what, NULL),
		.file = a->file ? b_strdup(a->file) : NULL,
		.line = a->line,
		.at_ns = since_opening(r, now),
		.shot = rte_record_shot(r, u),
	};
	if (a->kind == RTE_ASK_GOLDEN)
		json_array_append_new(r->asked, rte_test_escaped(a->bytes, a->len));
	if (a->kind == RTE_ASK_RESIZE) {
		snprintf(size, sizeof size, "%dx%d", a->cols, a->rows);
		add_event(r, now, 'r', size, strlen(size));
	}
	return true;
}

/* ---- Bytes --------------------------------------------------------------------------------- */

static void output(void *user, struct rte_user *u, const char *bytes, size_t len, int64_t at)
{
	struct rte_record *r = user;

	opened(r, u);
	add_event(r, at, 'o', bytes, len);
}

static void input(void *user, struct rte_user *u, const char *bytes, size_t len, int64_t at)
{
	struct rte_record *r = user;
	struct b_buf label = B_BUF_INIT;

	opened(r, u);
	if (!u->ask.secret) {
		add_event(r, at, 'i', bytes, len);
		return;
	}
	if (u->typed)
		return;
	b_buf_printf(&label, "secret %s", u->ask.secret_name ? u->ask.secret_name : "");
	add_event(r, at, 'm', label.data, label.len);
	b_buf_release(&label);
}

/* ---- What went wrong ------------------------------------------------------------------------ */

static json_t *screen_text(const struct rte_user *u)
{
	struct vs_rect hits[SECRETS_MAX];
	struct vs_snapshot_options opt = { .cursor = true, .masks = hits };
	struct b_buf b = B_BUF_INIT;
	json_t *v;

	opt.n_masks = rte_redact_screen(&u->secrets, u->screen, true, hits, SECRETS_MAX);
	vs_snapshot_write(u->screen, &opt, &b);
	v = json_string(b_buf_cstr(&b));
	b_buf_release(&b);
	return v;
}

/* The last output, whatever secret it shows overwritten. */
static json_t *last_output(const struct rte_record *r, const struct rte_user *u)
{
	struct b_buf b = B_BUF_INIT;
	size_t from;
	json_t *v;

	for (size_t i = 0; i < r->n_events; i++)
		if (r->events[i].code == 'o')
			b_buf_add(&b, r->bytes.data + r->events[i].from, r->events[i].len);
	rte_redact_output(&u->secrets, b.data, b.len, false);
	from = b.len > OUTPUT_SHOWN ? b.len - OUTPUT_SHOWN : 0;
	v = rte_test_escaped(b_buf_cstr(&b) + from, b.len - from);
	b_buf_release(&b);
	return v;
}

static void set_text(json_t *o, const char *name, const char *text)
{
	if (text && *text)
		json_object_set_new(o, name, rte_test_escaped(text, strlen(text)));
}

static json_t *failure_new(struct rte_record *r, const struct rte_user *u, const char *kind,
	const char *message, const char *file, int line)
{
	json_t *o = json_object();
	struct b_buf place = B_BUF_INIT;

	if (file) {
		b_buf_printf(&place, "%s:%d: ", file, line);
		if (!strncmp(message, place.data, place.len))
			message += place.len;
		b_buf_release(&place);
		set_text(o, "file", file);
		json_object_set_new(o, "line", json_integer(line));
	}
	json_object_set_new(o, "kind", json_string(kind));
	json_object_set_new(o, "message", rte_test_escaped(message, strlen(message)));
	if (r->diff) {
		json_object_set_new(o, "diff", json_string(r->diff));
		json_object_set_new(o, "kind", json_string("golden"));
		free(r->diff);
		r->diff = NULL;
	}
	if (u && u->screen) {
		json_object_set_new(o, "screen", screen_text(u));
		json_object_set_new(o, "output", last_output(r, u));
		rte_record_shot(r, u);
	}
	return o;
}

static bool full(const struct rte_record *r)
{
	return json_array_size(r->failures) >= FAILURES_MAX;
}

void rte_record_fail(struct rte_record *r, const struct rte_user *u, const char *kind,
	const char *message, const char *file, int line)
{
	if (!full(r))
		json_array_append_new(r->failures, failure_new(r, u, kind, message, file, line));
}

static void failed(void *user, struct rte_user *u, const struct rte_failure *f)
{
	struct rte_record *r = user;
	const char *file = u->ask.file;
	int line = u->ask.line;
	json_t *o;

	/* A soft check is told of while the script runs, and stands where that is. */
	if (u->ask.kind != RTE_ASK_FAILED && u->actor) {
		const char *here;
		int at;

		rte_actor_place(u->actor, &here, &at);
		if (here) {
			file = here;
			line = at;
		}
	}
	if (full(r))
		return;
	o = failure_new(r, u, f->kind, f->message, file, line);
	set_text(o, "transaction", f->transaction);
	set_text(o, "unanswered", f->unanswered);
	if (strcmp(f->expected, f->message) &&
		(!strcmp(f->kind, "timeout") || !strcmp(f->kind, "disconnect")))
		set_text(o, "expected", f->expected);
	json_array_append_new(r->failures, o);
}

static void skipped(void *user, struct rte_user *u, const char *reason)
{
	struct rte_record *r = user;

	(void)u;
	if (!r->skipped)
		r->skipped = b_strdup(reason);
}

static void log_text(void *user, struct rte_user *u, const char *text)
{
	struct rte_record *r = user;

	(void)u;
	if (json_array_size(r->log) < LOG_MAX)
		json_array_append_new(r->log, rte_test_escaped(text, strlen(text)));
}

static void transaction(
	void *user, struct rte_user *u, const struct rte_tx *tx, const struct rte_tx_row *row)
{
	struct rte_record *r = user;
	json_t *o = json_object();

	set_text(o, "name", row->transaction);
	json_object_set_new(o, "status", json_string(rte_tx_status_name(row->status)));
	if (row->response_ns != RTE_NEVER)
		json_object_set_new(o, "response_s", json_real((double)row->response_ns / 1e9));
	if (tx->max_s > 0)
		json_object_set_new(o, "max_s", json_real(tx->max_s));
	json_array_append_new(r->transactions, o);
	/* Other failures have been told. */
	if (row->over_budget) {
		struct b_buf b = B_BUF_INIT;

		b_buf_printf(&b, "transaction '%s' %s", row->transaction, row->detail);
		rte_record_fail(r, u, "budget", b_buf_cstr(&b), tx->file, tx->line);
		b_buf_release(&b);
	}
}

struct rte_observer rte_record_observer(struct rte_record *r)
{
	return (struct rte_observer){
		.user = r,
		.step = step,
		.failed = failed,
		.log = log_text,
		.golden = rte_record_golden,
		.skipped = skipped,
		.transaction = transaction,
		.output = output,
		.input = input,
	};
}
