#include "rte/run.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/arrivals.h"
#include "rte/golden.h"
#include "rte/run_priv.h"
#include "rte/view.h"
#include "base/banned.h"

#define JOIN_NS        (10 * B_NS_PER_S)
#define JOIN_LOOK_NS   (100 * B_NS_PER_MS)
#define SAR_SAMPLES    900 /* of system activity, about, in a run whose end is known */
#define SAR_EVERY_MAX  60
#define START_DELAY_NS (20 * B_NS_PER_MS)

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

	if (result->outcome == RTE_NOBODY || result->outcome == RTE_STOPPED ||
		result->outcome == RTE_CONDITION)
		result->status = b_status_exit(result->error.code);
	else if (result->outcome == RTE_COMPLETED && !atomic_load(&r->shared.progressed) &&
		rte_failures_count(r->shared.failures)) {
		result->outcome = RTE_NOBODY;
		result->status = b_status_exit(rte_run_nobody_error(r));
	}
}

static const char *outcome_name(enum rte_outcome o)
{
	static const char *const names[] = { "finished", "stopped", "stopped", "failed", "failed" };

	return names[o];
}

/* A script that holds its worker up is interrupted: nobody looks after it any more. */
static bool thread_end(struct rte_worker *w)
{
	int64_t until = b_clock_mono_ns() + JOIN_NS;

	while (!rte_worker_join(w, JOIN_LOOK_NS)) {
		int64_t since = rte_lua_running_since_ns(w->lua), now = b_clock_mono_ns();

		if (now >= until)
			return false;
		if (since && now - since >= JOIN_LOOK_NS)
			rte_lua_interrupt(w->lua, since);
	}
	return true;
}

/* Ends all threads; what could not be ended is left alone. */
static bool threads_end(struct rte_run *r, struct b_error *err)
{
	bool all = true;

	for (size_t i = 0; i < r->n_workers; i++) {
		if (thread_end(r->workers[i]))
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
	r->stop_when = rte_stop_when_new(r->w->stops, r->w->n_stops, r->start_ns);
	if (!rc && r->opt->metrics)
		rc = rte_metrics_new(&r->metrics, r, r->opt->metrics, err);

	for (size_t i = 0; i < r->n_workers && !rc; i++)
		rc = rte_worker_start(r->workers[i], err);
	if (rc) {
		(void)!threads_end(r, NULL);
		return rc;
	}
	rte_run_display_start(r);
	rte_progress_init(&r->progress, r->opt->progress && !r->attach, r->start_ns);
	rte_run_watch_over(r);
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
	rte_stop_when_strangers(r->stop_when, &r->timeline);
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
	rte_arrivals_free(r->shared.arrivals);
	rte_names_free(r->shared.names);
	rte_goldens_free(r->shared.goldens);
	free(r->stuck_told);
	free(r->script_of);
	sar_end(r);
	rte_metrics_free(r->metrics);
	rte_control_free(r->control);
	rte_views_free(r->shared.views);
	rte_progress_release(&r->progress);
	rte_stop_when_free(r->stop_when);
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

static int run(struct rte_run *r, struct b_error *err)
{
	struct b_error json = { 0 };
	int rc = rte_run_scripts_load(r, err);

	if (rc)
		return rc;
	rte_run_tell_commands(r);
	rc = rte_run_setups_run(r, RTE_PART_SETUP, err);
	if (!rc && r->opt->sar)
		rc = sar_start(r, err);
	if (!rc)
		rc = rte_run_workers_make(r, err);
	if (rc)
		return rc;
	r->stuck_told = b_calloc(r->n_workers, sizeof *r->stuck_told);
	r->start_ns = b_clock_mono_ns() + START_DELAY_NS;
	rte_phases_plan(&r->shared.phases, r->w, r->start_ns);
	rte_run_users_add(r);
	rc = rte_run_json(r, "running", err);
	if (!rc)
		rc = run_threads(r, err);
	if (rc)
		return rc;
	outcome_settle(r);
	if (rte_run_setups_run(r, RTE_PART_TEARDOWN, &json))
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
	rte_run_shared_init(r);
	rc = signals_block(r, &before, err);
	if (!rc)
		rc = run(r, err);
	release(r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc;
}
