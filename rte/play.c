#include "rte/play.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/roles.h"
#include "rte/setup.h"
#include "rte/viewer.h"
#include "rte/worker.h"
#include "base/banned.h"

#define PAINT_NS     (30 * B_NS_PER_MS)
#define PREFIX       0x1D /* C-] */
#define DESCRIBE_MAX 200

struct play {
	const struct rte_play_options *opt;
	struct rte_shared shared;
	struct rte_lua *lua;
	struct rte_roles roles;
	struct rte_worker *worker;
	struct rte_observer observer;
	struct rte_viewer *viewer;
	struct rte_side person, signals;
	struct rte_timer paint;
	bool stepping, connect_failed, refused;
};

static struct rte_user *the_user(const struct play *p)
{
	return &p->worker->users[0];
}

/* ---- What the person sees ------------------------------------------------------------------- */

/* The step that u is at, in a few words. */
static void describe(const struct rte_user *u, char *out, size_t cap)
{
	static const char *const words[] = { "done", "failed", "send", "press", "paste", "raw keys",
		"mouse", "expect", "think", "pause", "barrier", "resize", "interact", "golden" };
	const struct rte_ask *a = &u->ask;
	struct b_buf b = B_BUF_INIT;

	if (a->file)
		b_buf_printf(&b, "%s:%d: ", a->file, a->line);
	b_buf_adds(&b, words[a->kind]);
	if (a->kind == RTE_ASK_EXPECT) {
		b_buf_addc(&b, ' ');
		vs_cond_describe(a->cond, &b);
	} else if (a->secret) {
		b_buf_adds(&b, " a secret");
	} else if (a->bytes && a->len) {
		b_buf_adds(&b, " \"");
		b_escape_text(&b, a->bytes, a->len < DESCRIBE_MAX ? a->len : DESCRIBE_MAX);
		b_buf_addc(&b, '"');
	}
	snprintf(out, cap, "%s", b_buf_cstr(&b));
	b_buf_release(&b);
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
		snprintf(status, sizeof status, "%s | Space: do it  c: go on  q: end", step);
	rte_viewer_paint(p->viewer, u->screen, status);
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
		rte_loop_timer_set(p->worker->loop, &p->paint, b_clock_mono_ns() + PAINT_NS);
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

static void signalled(void *user, int64_t now)
{
	struct play *p = user;
	struct signalfd_siginfo si;

	while (read(p->signals.watch.fd, &si, sizeof si) == (ssize_t)sizeof si)
		;
	p->refused = true;
	rte_user_kill(the_user(p), "interrupted", now);
}

/* ---- What went wrong ---------------------------------------------------------------------------- */

static void viewer_end(struct play *p)
{
	if (!p->viewer)
		return;
	rte_loop_drop(p->worker->loop, &p->person.watch);
	rte_loop_timer_clear(p->worker->loop, &p->paint);
	rte_viewer_free(p->viewer);
	p->viewer = NULL;
}

static void failed(void *user, struct rte_user *u, const struct rte_failure *f)
{
	struct play *p = user;
	struct b_buf b = B_BUF_INIT;

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
	if (!u->secret)
		fprintf(stderr, "  last output: %s\n", b_buf_cstr(&b));
	b_buf_clear(&b);
	rte_failures_picture(p->shared.failures, f->screen, &b);
	fprintf(stderr, "%s", b_buf_cstr(&b));
	b_buf_release(&b);
}

static void log_text(void *user, struct rte_user *u, const char *text)
{
	struct play *p = user;

	(void)u;
	if (!p->viewer)
		b_info("%s", text);
}

/* ---- The whole ------------------------------------------------------------------------------------ */

static void wake_nobody(void *user)
{
	(void)user;
}

static void tickets_called(void *user)
{
	struct play *p = user;

	if (p->worker)
		atomic_fetch_add(&p->worker->barrier_epoch, 1);
}

static void shared_init(struct play *p, const struct rte_workload *w)
{
	struct rte_shared *s = &p->shared;

	s->w = w;
	s->data = rte_data_new();
	s->failures = rte_failures_new(NULL);
	s->barriers = rte_barriers_new(tickets_called, p);
	s->names = rte_names_new();
	s->observer = &p->observer;
	s->echo_every = 1;
	s->wake = wake_nobody;
	atomic_store(&s->users_wanted, INT64_MAX);
	s->wall_offset_ns = b_clock_wall_ns() - b_clock_mono_ns();
}

static int load(struct play *p, const struct rte_workload *w, struct b_error *err)
{
	struct rte_lua_options lua = {
		.host = &rte_setup_host,
		.data = p->shared.data,
		.allow_unsafe = w->allow_unsafe,
		.sets = (const char *const *)w->sets,
		.n_sets = w->n_sets,
		.n_users = w->users,
	};
	int rc = rte_lua_new(&p->lua, &lua, err);

	if (!rc)
		rc = rte_roles_load(&p->roles, w, p->lua, err);
	if (rc)
		return rc;
	p->shared.roles = p->roles.list;
	p->shared.n_roles = p->roles.n;
	p->shared.targets = p->roles.targets;
	p->shared.n_targets = p->roles.n_targets;
	if (p->roles.own[0] && ln_target_is_pty(p->roles.own[0]))
		b_info("%s runs %s", w->scripts[0].path, ln_target_text(p->roles.own[0]));
	return B_OK;
}

static int setup(struct play *p, enum rte_part part, struct b_error *err)
{
	const struct rte_script_info *info = rte_script_info(p->roles.scripts[0]);

	if (!(part == RTE_PART_SETUP ? info->has_setup : info->has_teardown))
		return B_OK;
	return rte_setup_run(p->lua, p->roles.scripts[0], part, p->shared.w->seed, err);
}

static int signals_watch(struct play *p, sigset_t *before, struct b_error *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, before);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	p->signals = (struct rte_side){ .watch.fd = -1, .ready = signalled, .user = p };
	if (fd < 0 || rte_loop_watch(p->worker->loop, &p->signals.watch, fd, RTE_WATCH_READ))
		return b_error_set(
			err, B_EENV, "cannot receive signals: %s", b_status_text(B_ESYS));
	return B_OK;
}

static int viewer_begin(struct play *p, struct b_error *err)
{
	int rc = rte_viewer_new(&p->viewer, err);

	if (rc)
		return rc;
	p->paint = (struct rte_timer)RTE_TIMER_INIT(paint_due);
	p->person = (struct rte_side){ .watch.fd = -1, .ready = person_typed, .user = p };
	if (rte_loop_watch(
		    p->worker->loop, &p->person.watch, rte_viewer_fd(p->viewer), RTE_WATCH_READ))
		return b_error_set(
			err, B_EENV, "cannot watch the terminal: %s", b_status_text(B_ESYS));
	return B_OK;
}

static int play(struct play *p, const struct rte_workload *w, struct b_error *err)
{
	struct rte_worker_options opt = {
		.shared = &p->shared,
		.number = 1,
		.n_users = 1,
		.allow_unsafe = w->allow_unsafe,
	};
	bool shown = p->opt->watch || p->opt->step;
	sigset_t before;
	int rc = load(p, w, err);

	if (!rc)
		rc = setup(p, RTE_PART_SETUP, err);
	if (!rc)
		rc = rte_worker_new(&p->worker, &opt, err);
	if (rc)
		return rc;
	rc = signals_watch(p, &before, err);
	if (!rc && shown)
		rc = viewer_begin(p, err);
	if (!rc) {
		int64_t now = b_clock_mono_ns();

		p->stepping = p->opt->step;
		rte_phases_plan(&p->shared.phases, w, now);
		p->worker->wanted_seen = INT64_MAX;
		rte_worker_add(p->worker, p->opt->user, 0, now);
		the_user(p)->end_session = 1;
		rte_worker_run(p->worker);
	}
	viewer_end(p);
	if (p->signals.watch.fd >= 0) {
		int fd = p->signals.watch.fd;

		rte_loop_drop(p->worker->loop, &p->signals.watch);
		close(fd);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

static void print_times(const struct play *p)
{
	const struct rte_share *s = &p->worker->share;

	for (size_t i = 0; i < s->n_tx; i++) {
		const struct b_hist *h = s->tx[i].recent;

		if (!b_hist_count(h))
			continue;
		printf("%-24s %llu  mean %.3f s  max %.3f s\n", rte_names_text(p->shared.names, i),
			(unsigned long long)b_hist_count(h), b_hist_mean(h) / 1e9,
			(double)b_hist_max(h) / 1e9);
	}
}

static enum b_exit verdict(struct play *p)
{
	if (p->connect_failed)
		return B_EXIT_ENV;
	if (p->refused || rte_failures_count(p->shared.failures) ||
		!rte_stat_get(&p->worker->stats.iterations))
		return B_EXIT_FAILED;
	return B_EXIT_OK;
}

enum b_exit rte_play(const struct rte_workload *w, const struct rte_play_options *opt)
{
	struct play p = { .opt = opt };
	struct b_error err = { 0 };
	enum b_exit status;

	p.observer = (struct rte_observer){
		.user = &p,
		.changed = changed,
		.step = opt->step ? step : NULL,
		.failed = failed,
		.log = log_text,
		.interact = opt->watch || opt->step ? interact : NULL,
	};
	shared_init(&p, w);
	if (play(&p, w, &err)) {
		b_error("%s", err.text);
		status = b_status_exit(err.code);
	} else {
		status = verdict(&p);
		print_times(&p);
		if (setup(&p, RTE_PART_TEARDOWN, &err)) {
			b_error("%s", err.text);
			status = status ? status : B_EXIT_FAILED;
		}
	}
	rte_worker_free(p.worker);
	rte_roles_release(&p.roles);
	rte_lua_free(p.lua);
	rte_data_free(p.shared.data);
	rte_failures_free(p.shared.failures);
	rte_barriers_free(p.shared.barriers);
	rte_names_free(p.shared.names);
	return status;
}
