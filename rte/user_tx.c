/* Transactions: what the script brackets, and the rows that come of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "rte/script_test.h"
#include "rte/secret.h"
#include "rte/user_priv.h"
#include "base/banned.h"

/* ---- What the script calls ---------------------------------------------------------------- */

static void options_drop(struct rte_user *u)
{
	if (u->tx_typing)
		b_dist_release(u->tx_typing);
	free(u->tx_typing);
	u->tx_typing = NULL;
}

static void think_drop(struct rte_user *u)
{
	if (u->tx_think)
		b_dist_release(u->tx_think);
	free(u->tx_think);
	u->tx_think = NULL;
}

static struct b_dist *dist_copy(const struct b_dist *d)
{
	struct b_dist *copy;

	if (!d || d->kind == B_DIST_UNSET)
		return NULL;
	copy = b_calloc(1, sizeof *copy);
	b_dist_copy(copy, d);
	return copy;
}

static int tx_begin(
	void *host_user, const char *name, const struct rte_tx_options *opt, struct b_error *err)
{
	struct rte_user *u = host_user;
	struct b_buf copy = B_BUF_INIT;
	struct rte_tx tx = {
		.begin_ns = b_clock_mono_ns(),
		.first_input_ns = RTE_NEVER,
		.think_before_ns = RTE_NEVER,
		.due_late_ns = u->due_late_ns,
		.in_iteration = u->part == RTE_PART_ITERATION,
		.iteration = u->part == RTE_PART_ITERATION ? u->iteration : 0,
		.in_before = u->bytes_in,
		.out_before = u->bytes_out,
		.ended_by = "none",
	};

	if (u->tx.name)
		return b_error_set(err, B_EUSAGE,
			"transaction '%s' begins inside of transaction '%s'; end that first", name,
			u->tx.name);
	if (rte_user_is_idle(u))
		return b_error_set(err, B_EUSAGE, "%s", rte_user_idle_text);
	if (!u->screen)
		return b_error_set(err, B_EUSAGE,
			"transaction '%s': there is no session here; use it in login, iteration or logout",
			name);
	if (tx.in_iteration && u->role->n_mixes > 1 && !strcmp(name, u->function))
		tx.mix_number = u->mix_number;
	tx.number = rte_names_number(
		u->worker->names, rte_redacted(&u->secrets, name, &copy), &tx.name);
	b_buf_release(&copy);
	if (opt)
		tx.max_s = opt->max_s;
	rte_actor_place(u->actor, &tx.file, &tx.line);
	u->tx = tx;
	think_drop(u);
	u->tx_typing = dist_copy(opt ? opt->typing : NULL);
	u->tx_think = dist_copy(opt ? opt->think : NULL);
	return B_OK;
}

void rte_user_tx_input(struct rte_user *u, int64_t at, int64_t before_end)
{
	struct rte_tx *tx = &u->tx;

	if (!tx->name)
		return;
	tx->ended_by = "none";
	if (!tx->keys++) {
		tx->first_input_ns = at;
		if (before_end != RTE_NEVER)
			tx->think_before_ns = at - before_end;
	}
}

static enum rte_tx_status status_of(const struct rte_user *u, enum rte_fail_kind kind)
{
	switch (kind) {
	case RTE_FAIL_TIMEOUT: return RTE_TX_TIMEOUT;
	case RTE_FAIL_CHECK: return RTE_TX_CHECK;
	case RTE_FAIL_DISCONNECT: return RTE_TX_DISCONNECT;
	case RTE_FAIL_CANCEL:
		return atomic_load(&u->shared->cut_by_person) ? RTE_TX_ABORTED : RTE_TX_UNFINISHED;
	case RTE_FAIL_LEFT: return RTE_TX_ABORTED;
	default: return RTE_TX_ERROR;
	}
}

/* The instant from which the response counts: the last input, or the beginning of a transaction
   that only waits. */
static int64_t row_start(const struct rte_user *u, const struct rte_tx *tx)
{
	return tx->keys || tx->waited ? u->meter.input_ns : tx->begin_ns;
}

static void count(struct rte_user *u, const struct rte_tx *tx, const struct rte_tx_row *r)
{
	struct rte_worker *w = u->worker;
	struct rte_tx_figures *f = rte_share_tx(&w->own, tx->number);
	bool ok = r->status == RTE_TX_OK;
	bool failed = !ok && r->status != RTE_TX_UNFINISHED && r->status != RTE_TX_ABORTED;

	rte_stat_add(&w->stats.transactions, 1);
	w->own.second.transactions++;
	if (failed) {
		rte_stat_add(&w->stats.failures, 1);
		w->own.second.failures++;
		f->failed++;
	}
	if (!ok)
		return;
	f->ok++;
	if (tx->stale)
		rte_stat_add(&w->stats.stale, 1);
	if (!strcmp(r->ended_by, "unsettled"))
		rte_stat_add(&w->stats.unsettled, 1);
	if (r->response_ns == RTE_NEVER)
		return;
	b_hist_add(w->own.second.response, r->response_ns);
	b_hist_add(f->recent, r->response_ns);
	if (r->counted)
		b_hist_add(f->response, r->response_ns);
}

static int64_t since(int64_t at, int64_t from)
{
	return at == RTE_NEVER ? RTE_NEVER : at - from;
}

/* The row of a transaction; ok ones take their figures from the exchange that has closed. */
static void row_write(struct rte_user *u, struct rte_tx *tx, enum rte_tx_status status,
	const char *detail, int64_t now)
{
	int64_t start = row_start(u, tx), end = rte_meter_end(&u->meter);
	bool measured = tx->keys || tx->waited;
	int64_t began = tx->first_input_ns != RTE_NEVER ? tx->first_input_ns : tx->begin_ns;
	struct rte_tx_row r = {
		.start_ns = start,
		.user = u->number,
		.session = u->session,
		.iteration = tx->iteration,
		.script = u->role->name,
		.transaction = tx->name,
		.phase = rte_phases_at(&u->shared->phases, began),
		.status = status,
		.first_response_ns = measured ? since(u->meter.first_output_ns, start) : RTE_NEVER,
		.ready_ns = measured ? since(u->meter.ready_ns, start) : RTE_NEVER,
		.keying_ns = tx->keys ? start - tx->first_input_ns : RTE_NEVER,
		.think_before_ns = tx->think_before_ns,
		.due_late_ns = tx->due_late_ns,
		.echo_mean_ns = tx->echo_n ? tx->echo_sum_ns / tx->echo_n : RTE_NEVER,
		.echo_max_ns = tx->echo_n ? tx->echo_max_ns : RTE_NEVER,
		.keys = tx->keys,
		.bytes_in = u->bytes_in - tx->in_before,
		.bytes_out = u->bytes_out - tx->out_before,
		.ended_by = tx->ended_by,
		.detail = detail ? detail : tx->problem,
	};
	const struct rte_observer *o = u->shared->observer;
	struct b_buf copy = B_BUF_INIT;
	char budget[100];

	if (status == RTE_TX_OK && tx->problem)
		r.status = RTE_TX_CHECK;
	if (r.status == RTE_TX_OK || r.status == RTE_TX_CHECK) {
		r.response_ns = measured ? since(end, start) : RTE_NEVER;
		if (r.response_ns == RTE_NEVER)
			r.ended_by = "none";
		else if (u->meter.unsettled)
			r.ended_by = "unsettled";
		/* Of what failed already, that failure is told. */
		if (r.status == RTE_TX_OK && tx->max_s > 0 &&
			(double)r.response_ns > tx->max_s * 1e9) {
			snprintf(budget, sizeof budget, "took %.3fs, its budget is %.3fs",
				(double)r.response_ns / 1e9, tx->max_s);
			r.status = RTE_TX_CHECK;
			r.over_budget = true;
			r.detail = budget;
		}
		if (!strcmp(tx->ended_by, "none"))
			r.ready_ns = RTE_NEVER; /* nothing was waited for after the last input */
		if (end == RTE_NEVER)
			end = measured ? u->meter.closed_ns : now;
	} else {
		/* How long it was waited for; no sample. */
		r.response_ns = now - start;
		end = now;
		r.ready_ns = RTE_NEVER;
		r.ended_by = r.status == RTE_TX_TIMEOUT ? "timeout" : "none";
	}
	if (status != RTE_TX_UNFINISHED && status != RTE_TX_ABORTED)
		r.counted = rte_phases_counts(&u->shared->phases, began, end);
	if (r.counted && tx->mix_number)
		atomic_fetch_add_explicit(
			&u->role->mixes[tx->mix_number - 1].counted, 1, memory_order_relaxed);
	r.detail = rte_redacted(&u->secrets, r.detail, &copy);
	count(u, tx, &r);
	if (o && o->transaction)
		o->transaction(o->user, u, tx, &r);
	if (u->worker->tx_out)
		rte_tx_row_write(rte_outbox_buf(u->worker->tx_out), &r, u->shared->wall_offset_ns);
	b_buf_release(&copy);
	free(tx->problem);
	tx->problem = NULL;
	tx->name = NULL;
}

/* A script that never types and never waits would fill the log, and keep its worker busy, as fast
   as the machine can. */
#define IDLE_MAX 1000

const char rte_user_idle_text[] =
	"1000 transactions or iterations in a row did nothing: no key, no wait; use send, expect, "
	"think or pause in them";

bool rte_user_is_idle(const struct rte_user *u)
{
	return u->n_idle >= IDLE_MAX;
}

bool rte_user_idles(struct rte_user *u)
{
	if (!rte_user_is_idle(u))
		u->n_idle++;
	return rte_user_is_idle(u);
}

static int tx_end(void *host_user, enum rte_fail_kind fail, const char *detail, struct b_error *err)
{
	struct rte_user *u = host_user;
	int64_t now = b_clock_mono_ns();

	if (!u->tx.name)
		return b_error_set(err, B_EUSAGE, "no transaction is open");
	options_drop(u);
	if (fail != RTE_FAIL_NONE) {
		think_drop(u);
		u->failed_tx = u->tx.name;
		row_write(u, &u->tx, status_of(u, fail), detail, now);
		return B_OK;
	}
	if (!u->tx.keys && !u->tx.waited) {
		row_write(u, &u->tx, RTE_TX_OK, NULL, now);
		if (rte_user_idles(u))
			return b_error_set(err, B_EUSAGE, "%s", rte_user_idle_text);
		return B_OK;
	}
	/* Nothing waits any more: what still comes may come until it has settled. */
	if (u->meter.state == RTE_METER_OPEN)
		rte_meter_ready(&u->meter, &u->role->settle, now);
	u->closing = u->tx;
	u->tx.name = NULL;
	u->tx.problem = NULL;
	rte_user_settle(u, now, false);
	return B_OK;
}

void rte_user_tx_closed(struct rte_user *u)
{
	if (!u->closing.name)
		return;
	if (u->meter.ready_ns != RTE_NEVER)
		u->settling_ns += u->meter.closed_ns - u->meter.ready_ns;
	row_write(u, &u->closing, RTE_TX_OK, NULL, u->meter.closed_ns);
}

void rte_user_settle(struct rte_user *u, int64_t now, bool close_it)
{
	if (u->midway_ns != RTE_NEVER)
		rte_user_show(u, now);
	if (!rte_meter_tick(&u->meter, &u->role->settle, now)) {
		if (!close_it)
			return;
		rte_meter_close(&u->meter, now);
	}
	rte_user_tx_closed(u);
}

void rte_user_tx_drop(struct rte_user *u, int64_t now)
{
	rte_user_settle(u, now, true);
	if (u->tx.name)
		row_write(u, &u->tx, status_of(u, RTE_FAIL_CANCEL), NULL, now);
	options_drop(u);
	think_drop(u);
}

void rte_user_check_failed(
	struct rte_user *u, const char *file, int line, const char *expected, const char *message)
{
	char text[1100];

	if (u->tx.name && !u->tx.problem)
		u->tx.problem = b_strdup(message);
	if (file)
		snprintf(text, sizeof text, "%s:%d: %s", file, line, message);
	else
		snprintf(text, sizeof text, "%s", message);
	rte_user_note(u, "check", expected, text);
}

static void check_failed(void *host_user, const char *message, bool hard)
{
	struct rte_user *u = host_user;
	const char *file;
	int line;

	/* A hard one raises, and is noted when the part fails of it. */
	if (hard) {
		if (u->tx.name && !u->tx.problem)
			u->tx.problem = b_strdup(message);
		return;
	}
	rte_actor_place(u->actor, &file, &line);
	rte_user_check_failed(u, file, line, message, message);
}

static void skipped(void *host_user, const char *reason)
{
	struct rte_user *u = host_user;
	const struct rte_observer *o = u->shared->observer;
	struct b_buf copy = B_BUF_INIT;

	if (o && o->skipped)
		o->skipped(o->user, u, rte_redacted(&u->secrets, reason, &copy));
	b_buf_release(&copy);
}

/* ---- The rest of the host ----------------------------------------------------------------- */

/* A script that looks at the screen sees all that has come, also while it types. */
static struct vs_screen *host_screen(void *host_user)
{
	struct rte_user *u = host_user;

	if (u->screen && u->unread && !(u->watch.want & RTE_WATCH_READ) && !u->eof)
		rte_user_read(u);
	rte_user_mark_screen(u);
	return u->screen;
}

static const struct vs_keymap *host_keymap(void *host_user)
{
	return ((struct rte_user *)host_user)->role->keymap;
}

static struct b_random *host_random(void *host_user)
{
	return &((struct rte_user *)host_user)->data;
}

static void masks_set(void *host_user, const struct vs_rect *rects, size_t n)
{
	struct rte_user *u = host_user;

	u->masks = b_reallocarray(u->masks, n, sizeof *u->masks);
	if (n)
		memcpy(u->masks, rects, n * sizeof *rects);
	u->n_masks = n;
	if (u->screen)
		vs_screen_masks_set(u->screen, u->masks, n);
}

/* So that a script that logs in a loop fills no disk. */
#define LOG_LINES_MAX  10000
#define LOG_LENGTH_MAX 1000

static void log_row(struct rte_user *u, const char *text)
{
	struct rte_log_row r = {
		.at_ns = b_clock_mono_ns(),
		.user = u->number,
		.session = u->session,
		.iteration = u->iteration,
		.script = u->role->name,
		.transaction = u->tx.name,
		.text = text,
	};
	struct b_buf cut = B_BUF_INIT;

	if (u->logged > LOG_LINES_MAX)
		return;
	if (u->logged++ == LOG_LINES_MAX)
		r.text = "... and no more of this user";
	else if (strlen(text) > LOG_LENGTH_MAX) {
		b_buf_add(&cut, text, LOG_LENGTH_MAX - b_utf8_tail(text, LOG_LENGTH_MAX));
		b_buf_adds(&cut, "...");
		r.text = b_buf_cstr(&cut);
	}
	rte_log_row_write(rte_outbox_buf(u->worker->log_out), &r, u->shared->wall_offset_ns);
	b_buf_release(&cut);
}

static void host_log(void *host_user, const char *text)
{
	struct rte_user *u = host_user;
	const struct rte_observer *o = u->shared->observer;
	struct b_buf copy = B_BUF_INIT;
	const char *said = rte_redacted(&u->secrets, text, &copy);

	if (o && o->log)
		o->log(o->user, u, said);
	if (u->worker->log_out)
		log_row(u, said);
	b_buf_release(&copy);
}

static const char *host_secret(void *host_user, const char *name)
{
	struct rte_user *u = host_user;
	const char *text = rte_secret_get(name);

	if (text)
		rte_redactor_add(&u->secrets, text, strlen(text));
	return text;
}

const struct rte_host rte_user_host = {
	.screen = host_screen,
	.keymap = host_keymap,
	.random = host_random,
	.tx_begin = tx_begin,
	.tx_end = tx_end,
	.check_failed = check_failed,
	.skipped = skipped,
	.masks_set = masks_set,
	.log = host_log,
	.secret = host_secret,
};
