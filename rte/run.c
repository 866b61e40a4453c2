#include "rte/run.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "rte/golden.h"
#include "rte/rundir.h"
#include "rte/run_priv.h"
#include "rte/setup.h"
#include "rte/steer.h"
#include "rte/view.h"
#include "rte/watchdog.h"
#include "base/banned.h"

#define LOOK_NS       (100 * B_NS_PER_MS)
#define JSON_EVERY_NS (10 * B_NS_PER_S)
#define NOBODY_TRIES \
	10 /* failed attempts without any success that end a run; fewer for few users */
#define JOIN_NS        (10 * B_NS_PER_S)
#define LATE_END_NS    (5 * B_NS_PER_S)
#define SAR_SAMPLES    900 /* of system activity, about, in a run whose end is known */
#define SAR_EVERY_MAX  60
#define START_DELAY_NS (20 * B_NS_PER_MS)
#define ROOM_MIN       1000 /* users that may be asked for beyond the workload's, at least */
#define ECHO_ALL_USERS 64
#define ECHO_USERS     32

/* ---- Setting up ----------------------------------------------------------------------------- */

static void wake_watcher(void *user)
{
	rte_loop_wake(((struct rte_run *)user)->loop);
}

static void call_tickets(void *user)
{
	struct rte_run *r = user;

	for (size_t i = 0; i < r->n_workers; i++) {
		atomic_fetch_add_explicit(&r->workers[i]->barrier_epoch, 1, memory_order_release);
		rte_loop_wake(r->workers[i]->loop);
	}
}

static int64_t echo_every(const struct rte_workload *w)
{
	if (w->echo_all || w->users <= ECHO_ALL_USERS)
		return 1;
	return (w->users + ECHO_USERS - 1) / ECHO_USERS;
}

static int scripts_load(struct rte_run *r, struct b_error *err)
{
	struct rte_lua_options opt = {
		.host = &rte_setup_host,
		.data = r->shared.data,
		.allow_unsafe = r->w->allow_unsafe,
		.sets = (const char *const *)r->w->sets,
		.n_sets = r->w->n_sets,
		.n_users = r->w->users,
	};
	const struct ln_target **targets;
	size_t n;
	int rc = rte_lua_new(&r->lua, &opt, err);

	if (!rc)
		rc = rte_roles_load(&r->roles, r->w, r->lua, err);
	if (rc)
		return rc;
	r->shared.roles = r->roles.list;
	r->shared.n_roles = r->roles.n;
	r->shared.targets = r->roles.targets;
	r->shared.n_targets = r->roles.n_targets;
	targets = rte_roles_targets(&r->roles, &n);
	rc = ln_limits_check(targets, n, r->w->users, err);
	free(targets);
	return rc;
}

/* A script's own target runs a command on this machine: that is told before it does. */
static void tell_commands(const struct rte_run *r)
{
	for (size_t i = 0; i < r->roles.n; i++)
		if (r->roles.own[i] && ln_target_is_pty(r->roles.own[i]))
			b_info("%s runs %s", r->roles.list[i].path,
				ln_target_text(r->roles.own[i]));
}

static int log_file(struct rte_run *r, const char *name, const char *columns, struct b_error *err)
{
	char *path = rte_rundir_file(r->opt->dir, name);
	int n = rte_writer_file(r->writer, path, columns, err);

	free(path);
	return n;
}

/* Each user's script; those beyond the workload's are there for whoever asks for more users. */
static void users_divide(struct rte_run *r)
{
	const struct rte_workload *w = r->w;
	int64_t room = w->users > ROOM_MIN / 3 ? w->users * 4 : w->users + ROOM_MIN;
	bool any = false;

	for (size_t i = 0; i < w->n_scripts; i++)
		any = any || !w->scripts[i].n_users;
	if (!any)
		room = w->users;
	if (room > RTE_USERS_MAX)
		room = RTE_USERS_MAX;
	r->script_of = b_calloc((size_t)room, sizeof *r->script_of);
	rte_users_divide(w, room, r->script_of);
	rte_users_divide(w, w->users, r->script_of);
	r->shared.script_of = r->script_of;
	r->shared.users_room = room;
}

static int workers_make(struct rte_run *r, struct b_error *err)
{
	const struct rte_workload *w = r->w;
	struct rte_worker_options opt = {
		.shared = &r->shared,
		.writer = r->writer,
		.allow_unsafe = w->allow_unsafe,
	};
	int timeline, rc = rte_writer_new(&r->writer, err);

	if (rc)
		return rc;
	opt.writer = r->writer;
	opt.tx_file = log_file(r, RUNDIR_TRANSACTIONS_CSV, RUNDIR_TRANSACTIONS_COLUMNS, err);
	opt.session_file = opt.tx_file < 0
		? opt.tx_file
		: log_file(r, RUNDIR_SESSIONS_CSV, RUNDIR_SESSIONS_COLUMNS, err);
	timeline = opt.session_file < 0
		? opt.session_file
		: log_file(r, RUNDIR_TIMELINE_CSV, RUNDIR_TIMELINE_COLUMNS, err);
	if (timeline < 0)
		return timeline;
	users_divide(r);
	r->workers = b_calloc((size_t)w->workers, sizeof(struct rte_worker *));
	r->shared.views = rte_views_new((size_t)w->workers);
	for (int64_t i = 0; i < w->workers; i++) {
		opt.number = (int)i + 1;
		opt.n_users = (size_t)(r->shared.users_room / w->workers + 1);
		rc = rte_worker_new(&r->workers[i], &opt, err);
		if (rc)
			return rc;
		r->n_workers++;
	}
	rte_timeline_init(&r->timeline, &r->shared, r->workers, r->n_workers,
		rte_outbox_new(r->writer, timeline), b_clock_mono_ns());
	return B_OK;
}

/* Users come one after the other over the ramp; neighbours go to different workers. */
static void users_add(struct rte_run *r)
{
	const struct rte_workload *w = r->w;

	for (size_t i = 0; i < r->n_workers; i++)
		r->workers[i]->wanted_seen = w->n_stages ? 0 : w->users;
	for (int64_t u = 0; u < w->users; u++) {
		double part = (double)u / (double)w->users;
		int64_t start = r->start_ns + (int64_t)(part * (double)w->ramp_ns);

		rte_worker_add(r->workers[u % w->workers], u + 1, r->script_of[u],
			w->n_stages ? RTE_UNKNOWN : start);
	}
}

static int setups_run(struct rte_run *r, enum rte_part part, struct b_error *err)
{
	int rc = B_OK;

	for (size_t i = 0; i < r->roles.n && !rc; i++) {
		const struct rte_script_info *info = rte_script_info(r->roles.scripts[i]);

		if (part == RTE_PART_SETUP ? info->has_setup : info->has_teardown)
			rc = rte_setup_run(r->lua, r->roles.scripts[i], part, r->w->seed, err);
	}
	return rc;
}

/* ---- While it runs ----------------------------------------------------------------------------- */

static void end_gently(struct rte_run *r, enum rte_outcome outcome, int64_t now)
{
	if (!r->ending) {
		r->ending = true;
		r->result->outcome = outcome;
	}
	rte_phases_stop(&r->shared.phases, r->w, now);
	for (size_t i = 0; i < r->n_workers; i++)
		rte_loop_wake(r->workers[i]->loop);
}

static void end_now(struct rte_run *r, enum rte_outcome outcome, bool person, int64_t now)
{
	if (person)
		atomic_store(&r->shared.cut_by_person, true);
	for (size_t i = 0; i < r->n_workers; i++)
		atomic_store_explicit(&r->workers[i]->kill_users, true, memory_order_release);
	end_gently(r, outcome, now);
}

void rte_run_end_by_person(struct rte_run *r, bool at_once, int64_t now)
{
	r->n_ends += at_once ? 2 : 1;
	rte_progress_clear(&r->progress);
	if (at_once) {
		b_info("stopped");
		r->result->interrupted_twice = true;
		end_now(r, RTE_INTERRUPTED, true, now);
	} else {
		b_info("stopping: users finish and log out; once more ends it at once");
		end_gently(r, RTE_INTERRUPTED, now);
	}
}

/* The display has left, or was killed: plain lines from now on. */
static void display_check(struct rte_run *r, int64_t now)
{
	if (!r->attach || rte_attach_goes_on(r->attach))
		return;
	rte_attach_free(r->attach);
	r->attach = NULL;
	rte_control_log_take(r->control, false);
	b_info("the display has ended, the run goes on; rte watch %s shows it again", r->opt->dir);
	rte_progress_release(&r->progress);
	rte_progress_init(&r->progress, r->opt->progress, now);
}

static void display_start(struct rte_run *r)
{
	struct b_error err = { 0 };

	if (!r->opt->tui || !r->control)
		return;
	if (rte_attach_start(&r->attach, r->opt->dir, &err))
		b_warn("%s", err.text);
	else
		rte_control_log_take(r->control, true);
}

static void signals_take(struct rte_run *r, int64_t now)
{
	struct signalfd_siginfo si;

	while (read(r->signal_fd, &si, sizeof si) == (ssize_t)sizeof si) {
		bool again = r->n_ends > 0;

		/* A display that loses its terminal does not take the run with it. */
		if (si.ssi_signo == SIGHUP && r->opt->tui)
			continue;

		rte_run_end_by_person(r, again, now);
		rte_steer_note(r, again ? "stop now" : "stop", "signal", now);
	}
}

static int nobody_error(struct rte_run *r)
{
	char worst[800];

	rte_failures_worst(r->shared.failures, worst, sizeof worst);
	return b_error_set(&r->result->error, atomic_load(&r->shared.opened) ? B_ECHECK : B_EENV,
		"no user got anywhere, %lld tries failed: %s",
		(long long)atomic_load(&r->shared.attempts_failed), worst);
}

/* Nobody has got anywhere, and enough have tried: the rest of the run would be a waste. */
static void nobody_check(struct rte_run *r, int64_t now)
{
	int64_t tries = r->w->users < NOBODY_TRIES / 3 ? 3 * r->w->users : NOBODY_TRIES;

	if (r->ending || atomic_load(&r->shared.progressed) ||
		atomic_load(&r->shared.attempts_failed) < tries)
		return;
	(void)nobody_error(r);
	end_now(r, RTE_NOBODY, false, now);
}

static void writer_check(struct rte_run *r, int64_t now)
{
	size_t queue = rte_writer_queue_bytes(r->writer);

	if (queue > r->max_queue)
		r->max_queue = queue;
	if (rte_writer_failed(r->writer, &r->result->error))
		end_now(r, RTE_STOPPED, false, now);
}

static void stage_check(struct rte_run *r, int64_t now)
{
	int64_t begins = r->start_ns;

	for (size_t i = 0; i < r->w->n_stages; i++) {
		const struct rte_stage *st = &r->w->stages[i];

		if (now >= begins && i + 1 > r->stage) {
			int64_t half = st->duration_ns / 2;

			r->stage = i + 1;
			atomic_store(
				&r->shared.spread_ns, r->w->ramp_ns < half ? r->w->ramp_ns : half);
			atomic_store_explicit(
				&r->shared.users_wanted, st->users, memory_order_release);
		}
		begins += st->duration_ns;
	}
}

static void json_check(struct rte_run *r, int64_t now)
{
	enum rte_phase phase = rte_phases_at(&r->shared.phases, now);
	struct b_error err = { 0 };

	if (phase == r->phase && now < r->json_ns)
		return;
	r->phase = phase;
	r->json_ns = now + JSON_EVERY_NS;
	if (rte_run_json(r, "running", &err)) {
		b_error_set(&r->result->error, err.code, "%s", err.text);
		end_now(r, RTE_STOPPED, false, now);
	}
}

static void over_check(struct rte_run *r, int64_t now)
{
	int64_t down = atomic_load(&r->shared.phases.rampdown_ns);
	int64_t cut = atomic_load(&r->shared.phases.cut_ns);
	bool alive = atomic_load(&r->shared.users_alive) > 0;

	if (!alive && (!atomic_load(&r->shared.stays) || now >= down))
		r->over = true;
	/* A worker that is stuck does not count its users out. */
	if (cut != RTE_UNKNOWN && now > cut + LATE_END_NS)
		r->over = true;
	if (r->n_ends > 1 && now > down + LATE_END_NS)
		r->over = true;
}

static void look(struct rte_timer *t, int64_t now)
{
	struct rte_run *r = (struct rte_run *)((char *)t - offsetof(struct rte_run, look));

	stage_check(r, now);
	rte_watchdog_look(r->workers, r->n_workers, r->stuck_told, now);
	writer_check(r, now);
	nobody_check(r, now);
	json_check(r, now);
	rte_control_look(r->control, now);
	display_check(r, now);
	over_check(r, now);
	rte_loop_timer_set(r->loop, t, now + LOOK_NS);
}

static void second(struct rte_timer *t, int64_t now)
{
	struct rte_run *r = (struct rte_run *)((char *)t - offsetof(struct rte_run, second));
	int64_t next = r->start_ns + ((now - r->start_ns) / B_NS_PER_S + 1) * B_NS_PER_S;

	rte_timeline_collect(&r->timeline, now);
	rte_figures_collect(&r->figures, &r->timeline);
	rte_outbox_flush(r->timeline.out);
	rte_progress_show(&r->progress, &r->timeline);
	rte_control_second(r->control, now);
	rte_loop_timer_set(r->loop, t, next);
}

static void watch_over(struct rte_run *r)
{
	struct rte_ready *ready;
	struct rte_timer *t;
	int64_t due, now;
	size_t n;

	r->look = (struct rte_timer)RTE_TIMER_INIT(look);
	r->second = (struct rte_timer)RTE_TIMER_INIT(second);
	rte_loop_timer_set(r->loop, &r->look, r->start_ns);
	rte_loop_timer_set(r->loop, &r->second, r->start_ns + B_NS_PER_S);
	while (!r->over) {
		n = rte_loop_wait(r->loop, false, &ready);
		now = b_clock_mono_ns();
		for (size_t i = 0; i < n; i++)
			if (!rte_control_ready(r->control, ready[i].watch, ready[i].what, now) &&
				ready[i].watch == &r->signals)
				signals_take(r, now);
		while ((t = rte_loop_due(r->loop, now, &due)))
			t->fire(t, now);
		over_check(r, now);
	}
}

/* ---- The whole -------------------------------------------------------------------------------- */

static int signals_block(struct rte_run *r, sigset_t *before, struct b_error *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, before);
	r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd < 0 || rte_loop_watch(r->loop, &r->signals, r->signal_fd, RTE_WATCH_READ))
		return b_error_set(
			err, B_EENV, "cannot receive signals: %s", b_status_text(B_ESYS));
	return B_OK;
}

static void outcome_settle(struct rte_run *r)
{
	struct rte_run_result *result = r->result;

	if (result->outcome == RTE_NOBODY || result->outcome == RTE_STOPPED)
		result->status = b_status_exit(result->error.code);
	else if (result->outcome == RTE_COMPLETED && !atomic_load(&r->shared.progressed) &&
		rte_failures_count(r->shared.failures)) {
		result->outcome = RTE_NOBODY;
		result->status = b_status_exit(nobody_error(r));
	}
}

static const char *outcome_name(enum rte_outcome o)
{
	static const char *const names[] = { "finished", "stopped", "failed", "failed" };

	return names[o];
}

/* Ends all threads; what could not be ended is left alone. */
static bool threads_end(struct rte_run *r, struct b_error *err)
{
	bool all = true;

	for (size_t i = 0; i < r->n_workers; i++) {
		if (rte_worker_join(r->workers[i], JOIN_NS))
			continue;
		b_error_set(err, B_EENV, "worker %d did not come back; its last second is lost",
			r->workers[i]->number);
		all = false;
	}
	return all;
}

/* A sample a second of short runs; some hundreds to thousands of long ones. */
static int sar_start(struct rte_run *r, struct b_error *err)
{
	struct rte_phases plan;
	int64_t down, every = 5;

	rte_phases_plan(&plan, r->w, 0);
	down = atomic_load(&plan.rampdown_ns);
	if (down != RTE_UNKNOWN)
		every = down / B_NS_PER_S / SAR_SAMPLES + 1;
	if (every > SAR_EVERY_MAX)
		every = SAR_EVERY_MAX;
	return rte_sar_start(&r->sar, r->opt->sar, r->opt->dir, every, err);
}

static void sar_end(struct rte_run *r)
{
	struct b_error err = { 0 };

	if (r->sar && rte_sar_end(r->sar, &r->sar_asked_ns, &err))
		b_warn("%s", err.text);
	r->sar = NULL;
}

static int run_threads(struct rte_run *r, struct b_error *err)
{
	struct b_error late = { 0 };
	bool ended;
	int rc = rte_writer_start(r->writer, err);

	if (!rc && rte_control_new(&r->control, r, &late)) {
		b_warn("%s", late.text);
		late.code = 0;
	}
	rte_figures_init(&r->figures, r->start_ns);
	if (!rc && r->opt->metrics)
		rc = rte_metrics_new(&r->metrics, r, r->opt->metrics, err);

	for (size_t i = 0; i < r->n_workers && !rc; i++)
		rc = rte_worker_start(r->workers[i], err);
	if (rc) {
		(void)!threads_end(r, NULL);
		return rc;
	}
	display_start(r);
	rte_progress_init(&r->progress, r->opt->progress && !r->attach, r->start_ns);
	watch_over(r);
	rte_progress_clear(&r->progress);
	rte_metrics_free(r->metrics);
	r->metrics = NULL;
	rte_control_end(r->control);
	rte_attach_free(r->attach);
	r->attach = NULL;
	rte_control_free(r->control);
	r->control = NULL;
	ended = threads_end(r, &late);
	r->end_ns = b_clock_mono_ns();
	sar_end(r);
	rte_timeline_collect(&r->timeline, r->end_ns);
	if (!ended)
		b_warn("%s", late.text);
	if (rte_writer_stop(r->writer, &late) && !r->result->error.code) {
		r->result->outcome = RTE_STOPPED;
		r->result->error = late;
	}
	return B_OK;
}

static void release(struct rte_run *r)
{
	for (size_t i = 0; i < r->n_workers; i++) {
		if (r->workers[i]->threaded)
			return; /* stuck: all of this is still in use */
		rte_worker_free(r->workers[i]);
	}
	free(r->workers);
	if (r->timeline.workers)
		rte_timeline_release(&r->timeline);
	rte_writer_free(r->writer);
	rte_roles_release(&r->roles);
	rte_lua_free(r->lua);
	rte_data_free(r->shared.data);
	rte_failures_free(r->shared.failures);
	rte_barriers_free(r->shared.barriers);
	rte_names_free(r->shared.names);
	rte_goldens_free(r->shared.goldens);
	free(r->stuck_told);
	free(r->script_of);
	sar_end(r);
	rte_metrics_free(r->metrics);
	rte_control_free(r->control);
	rte_views_free(r->shared.views);
	rte_progress_release(&r->progress);
	if (r->figures.late)
		rte_figures_release(&r->figures);
	json_decref(r->actions);
	if (r->signal_fd >= 0) {
		rte_loop_drop(r->loop, &r->signals);
		close(r->signal_fd);
	}
	rte_loop_free(r->loop);
	free(r);
}

static void shared_init(struct rte_run *r)
{
	struct rte_shared *s = &r->shared;

	s->w = r->w;
	s->data = rte_data_new();
	s->failures = rte_failures_new(r->opt->dir);
	s->barriers = rte_barriers_new(call_tickets, r);
	s->names = rte_names_new();
	s->goldens = rte_goldens_new(NULL);
	s->measured = true;
	s->stays = r->w->n_stages > 0;
	s->echo_every = echo_every(r->w);
	s->wake = wake_watcher;
	s->wake_user = r;
	atomic_store(&s->users_wanted, r->w->n_stages ? r->w->stages[0].users : r->w->users);
	s->wall_offset_ns = b_clock_wall_ns() - b_clock_mono_ns();
}

static int run(struct rte_run *r, struct b_error *err)
{
	struct b_error json = { 0 };
	int rc = scripts_load(r, err);

	if (rc)
		return rc;
	tell_commands(r);
	rc = setups_run(r, RTE_PART_SETUP, err);
	if (!rc && r->opt->sar)
		rc = sar_start(r, err);
	if (!rc)
		rc = workers_make(r, err);
	if (rc)
		return rc;
	r->stuck_told = b_calloc(r->n_workers, sizeof *r->stuck_told);
	r->start_ns = b_clock_mono_ns() + START_DELAY_NS;
	rte_phases_plan(&r->shared.phases, r->w, r->start_ns);
	users_add(r);
	rc = rte_run_json(r, "running", err);
	if (!rc)
		rc = run_threads(r, err);
	if (rc)
		return rc;
	outcome_settle(r);
	if (setups_run(r, RTE_PART_TEARDOWN, &json))
		b_warn("%s", json.text);
	json.code = 0;
	if (rte_run_json(r, outcome_name(r->result->outcome), &json)) {
		r->result->outcome = RTE_STOPPED;
		b_error_set(&r->result->error, json.code, "%s", json.text);
		r->result->status = B_EXIT_ENV;
	}
	return B_OK;
}

int rte_run(const struct rte_workload *w, const struct rte_run_options *opt,
	struct rte_run_result *result, struct b_error *err)
{
	struct rte_run *r = b_calloc(1, sizeof *r);
	sigset_t before;
	int rc;

	*result = (struct rte_run_result){ .outcome = RTE_COMPLETED };
	r->w = w;
	r->opt = opt;
	r->result = result;
	r->signals.fd = r->signal_fd = -1;
	r->phase = RTE_N_PHASES;
	rc = rte_loop_new(&r->loop, err);
	if (rc) {
		free(r);
		return rc;
	}
	shared_init(r);
	rc = signals_block(r, &before, err);
	if (!rc)
		rc = run(r, err);
	release(r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
