#include "rte/solo.h"

#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "rte/golden.h"
#include "rte/setup.h"
#include "base/banned.h"

static void wake_nobody(void *user)
{
	(void)user;
}

static void tickets_called(void *user)
{
	struct rte_solo *s = user;

	if (s->worker)
		atomic_fetch_add(&s->worker->barrier_epoch, 1);
}

static void shared_init(struct rte_solo *s)
{
	struct rte_shared *sh = &s->shared;

	sh->w = s->opt->w;
	sh->data = rte_data_new();
	sh->failures = rte_failures_new(NULL);
	sh->barriers = rte_barriers_new(tickets_called, s);
	sh->names = rte_names_new();
	sh->goldens = rte_goldens_new(s->opt->goldens);
	sh->still_ns = s->opt->still_ns;
	sh->observer = s->opt->observer;
	sh->echo_every = 1;
	sh->wake = wake_nobody;
	atomic_store(&sh->users_wanted, INT64_MAX);
	sh->wall_offset_ns = b_clock_wall_ns() - b_clock_mono_ns();
}

int rte_solo_open(struct rte_solo *s, const struct rte_solo_options *opt, struct b_error *err)
{
	const struct rte_workload *w = opt->w;
	struct rte_lua_options lua = {
		.host = &rte_setup_host,
		.allow_unsafe = w->allow_unsafe,
		.sets = (const char *const *)w->sets,
		.n_sets = w->n_sets,
		.n_users = w->users,
		.dir = opt->dir,
	};
	int rc;

	*s = (struct rte_solo){ .opt = opt, .signals.watch.fd = -1 };
	shared_init(s);
	lua.data = s->shared.data;
	rc = rte_lua_new(&s->lua, &lua, err);
	if (!rc)
		rc = rte_roles_load(&s->roles, w, s->lua, err);
	if (rc)
		return rc;
	s->shared.roles = s->roles.list;
	s->shared.n_roles = s->roles.n;
	s->shared.targets = s->roles.targets;
	s->shared.n_targets = s->roles.n_targets;
	return B_OK;
}

void rte_solo_tell_command(const struct rte_solo *s)
{
	if (s->roles.own[0] && ln_target_is_pty(s->roles.own[0]))
		b_info("%s runs %s", s->roles.list[0].path, ln_target_text(s->roles.own[0]));
}

int rte_solo_setup(struct rte_solo *s, enum rte_part part, struct b_error *err)
{
	const struct rte_script_info *info = rte_script_info(s->roles.scripts[0]);

	if (!(part == RTE_PART_SETUP ? info->has_setup : info->has_teardown))
		return B_OK;
	return rte_setup_run(s->lua, s->roles.scripts[0], part, s->opt->w->seed, err);
}

static void signalled(void *user, int64_t now)
{
	struct rte_solo *s = user;
	struct signalfd_siginfo si;

	while (read(s->signals.watch.fd, &si, sizeof si) == (ssize_t)sizeof si)
		;
	s->interrupted = true;
	rte_user_kill(rte_solo_user(s), "interrupted", now);
}

static int signals_watch(struct rte_solo *s, struct b_error *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &s->signals_before);
	s->began = true;
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	s->signals = (struct rte_side){ .watch.fd = -1, .ready = signalled, .user = s };
	if (fd < 0 || rte_loop_watch(s->worker->loop, &s->signals.watch, fd, RTE_WATCH_READ))
		return b_error_set(
			err, B_EENV, "cannot receive signals: %s", b_status_text(B_ESYS));
	return B_OK;
}

int rte_solo_begin(struct rte_solo *s, struct b_error *err)
{
	struct rte_worker_options opt = {
		.shared = &s->shared,
		.number = 1,
		.n_users = 1,
		.allow_unsafe = s->opt->w->allow_unsafe,
		.dir = s->opt->dir,
		.screens = s->opt->screens,
	};
	int64_t now;
	int rc = rte_worker_new(&s->worker, &opt, err);

	if (!rc)
		rc = signals_watch(s, err);
	if (rc)
		return rc;
	now = b_clock_mono_ns();
	rte_phases_plan(&s->shared.phases, s->opt->w, now);
	s->worker->wanted_seen = INT64_MAX;
	rte_worker_add(s->worker, s->opt->user, 0, now);
	rte_solo_user(s)->end_session = 1;
	return B_OK;
}

struct rte_user *rte_solo_user(const struct rte_solo *s)
{
	return &s->worker->users[0];
}

void rte_solo_run(struct rte_solo *s)
{
	rte_worker_run(s->worker);
}

void rte_solo_end(struct rte_solo *s)
{
	int fd = s->signals.watch.fd;

	if (!s->began)
		return;
	s->began = false;
	if (fd >= 0) {
		rte_loop_drop(s->worker->loop, &s->signals.watch);
		close(fd);
	}
	sigprocmask(SIG_SETMASK, &s->signals_before, NULL);
}

void rte_solo_close(struct rte_solo *s)
{
	rte_solo_end(s);
	rte_worker_free(s->worker);
	rte_roles_release(&s->roles);
	rte_lua_free(s->lua);
	rte_data_free(s->shared.data);
	rte_goldens_free(s->shared.goldens);
	rte_failures_free(s->shared.failures);
	rte_barriers_free(s->shared.barriers);
	rte_names_free(s->shared.names);
}
