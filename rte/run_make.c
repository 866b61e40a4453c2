/* A run is set up: scripts, what all share, workers, users. */
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "rte/arrivals.h"
#include "rte/golden.h"
#include "rte/rundir.h"
#include "rte/run_priv.h"
#include "rte/setup.h"
#include "rte/view.h"
#include "base/banned.h"

#define ROOM_MIN       1000 /* users that may be asked for beyond the workload's, at least */
#define ECHO_ALL_USERS 64
#define ECHO_USERS     32

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

static void tell_binds(const struct rte_run *r, const struct ln_target **targets, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || ln_target_is_network(targets[i]);
	if (r->w->n_binds && !any)
		b_warn("--bind: no target has a source address; it means nothing for %s",
			n ? ln_target_text(targets[0]) : "these");
}

int rte_run_scripts_load(struct rte_run *r, struct b_error *err)
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
	tell_binds(r, targets, n);
	rc = ln_limits_check(targets, n, r->w->users, err);
	free(targets);
	return rc;
}

/* A script's own target runs a command on this machine: that is told before it does. */
void rte_run_tell_commands(const struct rte_run *r)
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

/* Named users beyond a ladder's smaller steps are no surprise; a weight too small is. */
static void tell_idle(const struct rte_run *r)
{
	const struct rte_workload *w = r->w;

	for (size_t i = 0; i < w->n_scripts; i++) {
		int64_t u = 0;

		while (u < w->users && r->script_of[u] != i)
			u++;
		if (u == w->users && !w->scripts[i].n_users)
			b_warn("no user plays %s: %lld %s too few for all scripts",
				w->scripts[i].path, (long long)w->users,
				w->users == 1 ? "user is" : "users are");
	}
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
	tell_idle(r);
	r->shared.script_of = r->script_of;
	r->shared.users_room = room;
}

int rte_run_workers_make(struct rte_run *r, struct b_error *err)
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
	opt.log_file = opt.session_file < 0 ? opt.session_file
					    : log_file(r, RUNDIR_LOG_CSV, RUNDIR_LOG_COLUMNS, err);
	timeline = opt.log_file < 0
		? opt.log_file
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
void rte_run_users_add(struct rte_run *r)
{
	const struct rte_workload *w = r->w;

	bool wait = w->n_stages || w->arrivals_per_s > 0;

	if (w->arrivals_per_s > 0)
		r->shared.arrivals = rte_arrivals_new(w, r->start_ns);
	for (size_t i = 0; i < r->n_workers; i++)
		r->workers[i]->wanted_seen = w->n_stages ? 0 : w->users;
	for (int64_t u = 0; u < w->users; u++) {
		double part = (double)u / (double)w->users;
		int64_t start = r->start_ns + (int64_t)(part * (double)w->ramp_ns);

		rte_worker_add(r->workers[u % w->workers], u + 1, r->script_of[u],
			wait ? RTE_UNKNOWN : start);
	}
}

int rte_run_setups_run(struct rte_run *r, enum rte_part part, struct b_error *err)
{
	int rc = B_OK;

	for (size_t i = 0; i < r->roles.n && !rc; i++) {
		const struct rte_script_info *info = rte_script_info(r->roles.scripts[i]);

		if (part == RTE_PART_SETUP ? info->has_setup : info->has_teardown)
			rc = rte_setup_run(r->lua, r->roles.scripts[i], part, r->w->seed, err);
	}
	return rc;
}
void rte_run_shared_init(struct rte_run *r)
{
	struct rte_shared *s = &r->shared;

	s->w = r->w;
	s->data = rte_data_new();
	s->failures = rte_failures_new(r->opt->dir);
	s->barriers = rte_barriers_new(call_tickets, r);
	s->names = rte_names_new();
	s->goldens = rte_goldens_new(NULL);
	s->measured = true;
	s->stays = r->w->n_stages > 0 || r->w->arrivals_per_s > 0;
	s->echo_every = echo_every(r->w);
	s->wake = wake_watcher;
	s->wake_user = r;
	atomic_store(&s->users_wanted, r->w->n_stages ? r->w->stages[0].users : r->w->users);
	s->wall_offset_ns = b_clock_wall_ns() - b_clock_mono_ns();
}
