/* A run as it goes on: what is looked at ten times a second and each second, and who ends it. */
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/parse.h"
#include "rte/arrivals.h"
#include "rte/run_priv.h"
#include "rte/steer.h"
#include "rte/watchdog.h"
#include "base/banned.h"

#define LOOK_NS       (100 * B_NS_PER_MS)
#define JSON_EVERY_NS (10 * B_NS_PER_S)
#define NOBODY_TRIES \
	10 /* failed attempts without any success that end a run; fewer for few users */
#define LATE_END_NS (5 * B_NS_PER_S)

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

void rte_run_display_start(struct rte_run *r)
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

int rte_run_nobody_error(struct rte_run *r)
{
	long long tries = (long long)atomic_load(&r->shared.attempts_failed);
	char worst[800];

	rte_failures_worst(r->shared.failures, worst, sizeof worst);
	return b_error_set(&r->result->error, atomic_load(&r->shared.opened) ? B_ECHECK : B_EENV,
		"no user got anywhere, %lld %s failed: %s", tries, tries == 1 ? "try" : "tries",
		worst);
}

/* Nobody has got anywhere, and enough have tried: the rest of the run would be a waste. */
static void nobody_check(struct rte_run *r, int64_t now)
{
	int64_t tries = r->w->users < NOBODY_TRIES / 3 ? 3 * r->w->users : NOBODY_TRIES;

	if (r->ending || atomic_load(&r->shared.progressed) ||
		atomic_load(&r->shared.attempts_failed) < tries)
		return;
	(void)rte_run_nobody_error(r);
	end_now(r, RTE_NOBODY, false, now);
}

static void writer_check(struct rte_run *r, int64_t now)
{
	size_t queue = rte_writer_queue_bytes(r->writer);

	if (queue > r->max_queue)
		r->max_queue = queue;
	if (queue > r->timeline.log_queue_bytes)
		r->timeline.log_queue_bytes = queue;
	if (rte_writer_failed(r->writer, &r->result->error))
		end_now(r, RTE_STOPPED, false, now);
}

static void lost_check(struct rte_run *r, int64_t now)
{
	if (r->result->lost || !rte_writer_lost(r->writer, &r->result->error))
		return;
	r->result->lost = true;
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

/* The workload's stop conditions: what goes on any longer would tell nothing more. */
static void stop_check(struct rte_run *r, int64_t now)
{
	struct b_buf said = B_BUF_INIT;

	if (rte_stop_when_collect(r->stop_when, &r->timeline, &said) && !r->ending) {
		b_error_set(&r->result->error, B_ECHECK, "stopped early: %s", b_buf_cstr(&said));
		rte_progress_clear(&r->progress);
		b_info("stopping: %s; users finish and log out", b_buf_cstr(&said));
		end_gently(r, RTE_CONDITION, now);
		rte_steer_note(r, "stop", "condition", now);
	}
	b_buf_release(&said);
}

static void second(struct rte_timer *t, int64_t now)
{
	struct rte_run *r = (struct rte_run *)((char *)t - offsetof(struct rte_run, second));
	int64_t next = r->start_ns + ((now - r->start_ns) / B_NS_PER_S + 1) * B_NS_PER_S;

	rte_timeline_collect(&r->timeline, now);
	lost_check(r, now);
	stop_check(r, now);
	rte_figures_collect(&r->figures, &r->timeline);
	rte_outbox_flush(r->timeline.out);
	rte_progress_show(&r->progress, &r->timeline);
	rte_control_second(r->control, now);
	rte_loop_timer_set(r->loop, t, next);
}

/* All arrivals that are due, until nobody begins anything new any more. */
static void arrive(struct rte_timer *t, int64_t now)
{
	struct rte_run *r = (struct rte_run *)((char *)t - offsetof(struct rte_run, arrival));
	struct rte_arrivals *a = r->shared.arrivals;
	int64_t due;

	while ((due = rte_arrivals_next(a)) <= now &&
		rte_phases_at(&r->shared.phases, due) != RTE_RAMPDOWN) {
		int worker = rte_arrivals_come(a, &r->shared.phases);

		if (worker >= 0)
			rte_loop_wake(r->workers[worker]->loop);
	}
	if (due > now && due != RTE_UNKNOWN)
		rte_loop_timer_set(r->loop, t, due);
}

void rte_run_watch_over(struct rte_run *r)
{
	struct rte_ready *ready;
	struct rte_timer *t;
	int64_t due, now;
	size_t n;

	r->look = (struct rte_timer)RTE_TIMER_INIT(look);
	r->second = (struct rte_timer)RTE_TIMER_INIT(second);
	r->arrival = (struct rte_timer)RTE_TIMER_INIT(arrive);
	if (r->shared.arrivals)
		rte_loop_timer_set(r->loop, &r->arrival, rte_arrivals_next(r->shared.arrivals));
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
