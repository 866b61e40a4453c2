#include "rte/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/format.h"
#include "report/width.h"
#include "rte/ask_text.h"
#include "rte/picture.h"
#include "rte/solo.h"
#include "rte/viewer.h"
#include "base/banned.h"

#define PAINT_NS (30 * B_NS_PER_MS)
#define PREFIX   0x1D /* C-] */

struct play {
	const struct rte_play_options *opt;
	struct rte_solo solo;
	struct rte_observer observer;
	struct rte_viewer *viewer;
	struct rte_side person;
	struct rte_timer paint;
	bool stepping, connect_failed, refused;
};

static struct rte_user *the_user(const struct play *p)
{
	return rte_solo_user(&p->solo);
}

/* ---- What the person sees ------------------------------------------------------------------- */

/* The step that u is at, in a few words. */
static void describe(const struct rte_user *u, char *out, size_t cap)
{
	const struct rte_ask *a = &u->ask;
	struct b_buf b = B_BUF_INIT, clean = B_BUF_INIT;

	if (a->file)
		b_buf_printf(&b, "%s:%d: ", a->file, a->line);
	rte_ask_describe(a, &b);
	snprintf(out, cap, "%s", rte_redacted(&u->secrets, b_buf_cstr(&b), &clean));
	b_buf_release(&b);
	b_buf_release(&clean);
}

static void paint(struct play *p)
{
	struct rte_user *u = the_user(p);
	char step[400], status[512];

	if (!p->viewer || !u->screen)
		return;
	describe(u, step, sizeof step);
	if (u->state != RTE_U_HELD)
		snprintf(status, sizeof status, "%s | %s", rte_user_state_name(u), step);
	else if (u->ask.kind == RTE_ASK_INTERACT)
		snprintf(status, sizeof status, "the line is yours | C-] gives it back");
	else
		snprintf(status, sizeof status, "Space: do it  c: go on  q: end | %s", step);
	if (p->opt->step && u->ask.file)
		rte_viewer_script(p->viewer, u->ask.file, u->ask.line);
	rte_viewer_paint(p->viewer, u->screen, &u->secrets, status,
		u->state == RTE_U_HELD && u->ask.kind != RTE_ASK_INTERACT);
}

static void paint_due(struct rte_timer *t, int64_t now)
{
	struct play *p = (struct play *)((char *)t - offsetof(struct play, paint));

	(void)now;
	paint(p);
}

static void changed(void *user, struct rte_user *u)
{
	struct play *p = user;

	(void)u;
	if (p->viewer && p->paint.due_ns == RTE_TIMER_OFF)
		rte_loop_timer_set(p->solo.worker->loop, &p->paint, b_clock_mono_ns() + PAINT_NS);
}

static bool step(void *user, struct rte_user *u)
{
	struct play *p = user;

	(void)u;
	paint(p);
	return !p->stepping;
}

static void interact(void *user, struct rte_user *u)
{
	struct play *p = user;

	(void)u;
	paint(p);
}

static void person_typed(void *user, int64_t now)
{
	struct play *p = user;
	struct rte_user *u = the_user(p);
	char buf[512];
	int n = rte_viewer_keys(p->viewer, buf, sizeof buf);
	char *prefix;

	if (n <= 0)
		return;
	if (u->state == RTE_U_HELD && u->ask.kind == RTE_ASK_INTERACT) {
		prefix = memchr(buf, PREFIX, (size_t)n);
		rte_user_person(u, buf, prefix ? (size_t)(prefix - buf) : (size_t)n, now);
		if (prefix)
			rte_user_go_on(u, now);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (buf[i] == 'q') {
			rte_user_kill(u, "ended by the person", now);
			p->refused = true;
			return;
		}
		if (buf[i] == 'c')
			p->stepping = false;
		if (u->state == RTE_U_HELD)
			rte_user_go_on(u, now);
	}
}

/* ---- What went wrong ---------------------------------------------------------------------------- */

static void viewer_end(struct play *p)
{
	if (!p->viewer)
		return;
	rte_loop_drop(p->solo.worker->loop, &p->person.watch);
	rte_loop_timer_clear(p->solo.worker->loop, &p->paint);
	rte_viewer_free(p->viewer);
	p->viewer = NULL;
}

static void failed(void *user, struct rte_user *u, const struct rte_failure *f)
{
	struct play *p = user;
	struct b_buf b = B_BUF_INIT, shown = B_BUF_INIT;

	(void)u;
	viewer_end(p);
	p->connect_failed = p->connect_failed || !strcmp(f->kind, "connect");
	b_error("%s", f->message);
	if (!f->screen)
		return;
	if (*f->transaction)
		fprintf(stderr, "  transaction: %s\n", f->transaction);
	if (strcmp(f->expected, f->message))
		fprintf(stderr, "  expected:    %s\n", f->expected);
	if (*f->unanswered)
		fprintf(stderr, "  unanswered:  %s\n", f->unanswered);
	b_escape_text(&b, f->output, f->output_len);
	fprintf(stderr, "  last output: %s\n", b_buf_cstr(&b));
	b_buf_clear(&b);
	rte_redact_snapshot(f->redactor, f->screen, &b);
	rte_picture(
		b_buf_cstr(&b), isatty(STDERR_FILENO) ? rp_format_cols(stderr) : SIZE_MAX, &shown);
	fprintf(stderr, "%s", b_buf_cstr(&shown));
	b_buf_release(&b);
	b_buf_release(&shown);
}

static void log_text(void *user, struct rte_user *u, const char *text)
{
	struct play *p = user;

	(void)u;
	if (!p->viewer)
		b_info("%s", text);
}

/* ---- The whole ------------------------------------------------------------------------------------ */

static int viewer_begin(struct play *p, struct b_error *err)
{
	int rc = rte_viewer_new(&p->viewer, err);

	if (rc)
		return rc;
	p->paint = (struct rte_timer)RTE_TIMER_INIT(paint_due);
	p->person = (struct rte_side){ .watch.fd = -1, .ready = person_typed, .user = p };
	if (rte_loop_watch(p->solo.worker->loop, &p->person.watch, rte_viewer_fd(p->viewer),
		    RTE_WATCH_READ))
		return b_error_set(
			err, B_EENV, "cannot watch the terminal: %s", b_status_text(B_ESYS));
	return B_OK;
}

static int play(struct play *p, struct b_error *err)
{
	int rc = rte_solo_setup(&p->solo, RTE_PART_SETUP, err);

	if (!rc)
		rc = rte_solo_begin(&p->solo, err);
	if (!rc && (p->opt->watch || p->opt->step))
		rc = viewer_begin(p, err);
	if (!rc) {
		p->stepping = p->opt->step;
		rte_solo_run(&p->solo);
	}
	viewer_end(p);
	rte_solo_end(&p->solo);
	return rc;
}

static int columns(const char *text)
{
	size_t len = strlen(text);
	int cols = 0;

	for (size_t at = 0, n; at < len; at += n) {
		uint32_t cp = 0;

		n = b_utf8_decode(text + at, len - at, &cp);
		n += !n;
		cols += rp_width(cp);
	}
	return cols;
}

/* A line a transaction, the figures below each other however long its name is. */
static void print_times(const struct play *p)
{
	const struct rte_share *s = &p->solo.worker->share;
	char mean[RP_FORMAT_SIZE], max[RP_FORMAT_SIZE];
	int width = 24;

	for (size_t i = 0; i < s->n_tx; i++) {
		int cols = columns(rte_names_text(p->solo.shared.names, i));

		if (b_hist_count(s->tx[i].recent) && cols > width)
			width = cols;
	}
	for (size_t i = 0; i < s->n_tx; i++) {
		const struct b_hist *h = s->tx[i].recent;
		const char *name = rte_names_text(p->solo.shared.names, i);

		if (!b_hist_count(h))
			continue;
		printf("%s%*s %llu  mean %7s  max %7s\n", name, width - columns(name), "",
			(unsigned long long)b_hist_count(h),
			rp_format_s(mean, b_hist_mean(h) / 1e9),
			rp_format_s(max, (double)b_hist_max(h) / 1e9));
	}
}

static enum b_exit verdict(struct play *p)
{
	if (p->connect_failed)
		return B_EXIT_ENV;
	if (p->refused || p->solo.interrupted || rte_failures_count(p->solo.shared.failures) ||
		!rte_stat_get(&p->solo.worker->stats.iterations))
		return B_EXIT_FAILED;
	return B_EXIT_OK;
}

enum b_exit rte_play(const struct rte_workload *w, const struct rte_play_options *opt)
{
	struct play p = { .opt = opt };
	struct rte_solo_options solo = {
		.w = w, .observer = &p.observer, .user = opt->user, .dir = opt->dir
	};
	struct b_error err = { 0 };
	enum b_exit status;
	int rc;

	p.observer = (struct rte_observer){
		.user = &p,
		.changed = changed,
		.step = opt->step ? step : NULL,
		.failed = failed,
		.log = log_text,
		.interact = opt->watch || opt->step ? interact : NULL,
	};
	rc = rte_solo_open(&p.solo, &solo, &err);
	if (!rc) {
		rte_solo_tell_command(&p.solo);
		rc = play(&p, &err);
	}
	if (rc) {
		b_error("%s", err.text);
		status = b_status_exit(err.code);
	} else {
		status = verdict(&p);
		print_times(&p);
		if (rte_solo_setup(&p.solo, RTE_PART_TEARDOWN, &err)) {
			b_error("%s", err.text);
			status = status ? status : B_EXIT_FAILED;
		}
	}
	rte_solo_close(&p.solo);
	return status;
}
