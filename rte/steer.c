#include "rte/steer.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parse.h"
#include "rte/rundir.h"
#include "rte/run_priv.h"
#include "base/banned.h"

#define USER_NS     (50 * B_NS_PER_MS) /* between two that come by steering, as at the start */
#define SPREAD_MAX  (30 * B_NS_PER_S)
#define ACTIONS_MAX 10000

void rte_steer_note(struct rte_run *r, const char *act, const char *by, int64_t now)
{
	json_t *o;

	if (!r->actions)
		r->actions = json_array();
	if (json_array_size(r->actions) >= ACTIONS_MAX)
		return;
	o = json_object();
	json_object_set_new(o, "at_s", rte_json_instant(now + r->shared.wall_offset_ns));
	json_object_set_new(o, "action", json_string(act));
	json_object_set_new(o, "by", json_string(by));
	json_array_append_new(r->actions, o);
	r->json_ns = 0; /* written at the next look */
}

static void wake_all(struct rte_run *r)
{
	for (size_t i = 0; i < r->n_workers; i++)
		rte_loop_wake(r->workers[i]->loop);
}

static bool is_down(const struct rte_run *r, int64_t now)
{
	return r->ending || rte_phases_at(&r->shared.phases, now) == RTE_RAMPDOWN;
}

static int refuse_down(struct b_error *err, const char *act)
{
	return b_error_set(err, B_ERANGE, "%s: too late, the users are logging out", act);
}

static int users(struct rte_run *r, const char *text, struct b_buf *said, struct b_error *err)
{
	struct rte_shared *s = &r->shared;
	int64_t was = atomic_load(&s->users_wanted), n, spread;
	const struct ln_target **targets;
	size_t n_targets;
	int rc;

	if (s->arrivals)
		return b_error_set(err, B_ERANGE,
			"users: in this run sessions arrive at a rate; start a run with another one");
	if (b_parse_int(text, 0, s->users_room, &n))
		return b_error_set(err, B_ERANGE,
			"users %s: it is a number from 0 to %lld in this run; start a run with more "
			"users for more",
			text, (long long)s->users_room);
	if (n > s->w->users && n > was) {
		targets = rte_roles_targets(&r->roles, &n_targets);
		rc = ln_limits_check(targets, n_targets, n, err);
		free(targets);
		if (rc)
			return rc;
	}
	spread = (n > was ? n - was : 0) * USER_NS;
	atomic_store(&s->spread_ns, spread < SPREAD_MAX ? spread : SPREAD_MAX);
	atomic_store(&s->stays, true);
	atomic_store_explicit(&s->users_wanted, n, memory_order_release);
	wake_all(r);
	b_buf_printf(said, "%lld users wanted, were %lld", (long long)n, (long long)was);
	return B_OK;
}

static int pause_run(
	struct rte_run *r, bool on, int64_t now, struct b_buf *said, struct b_error *err)
{
	bool is = atomic_load(&r->shared.paused_ns) != 0;

	if (is == on)
		return b_error_set(
			err, B_ERANGE, on ? "the run is paused already" : "the run is not paused");
	atomic_store_explicit(&r->shared.paused_ns, on ? now : 0, memory_order_release);
	wake_all(r);
	b_buf_adds(said, on ? "paused: users finish what they are at" : "resumed");
	return B_OK;
}

static int next_phase(struct rte_run *r, int64_t now, struct b_buf *said)
{
	rte_phases_skip(&r->shared.phases, r->w, now);
	wake_all(r);
	b_buf_printf(said, "phase %s", rte_phase_name(rte_phases_at(&r->shared.phases, now)));
	return B_OK;
}

static int act_do(
	struct rte_run *r, const char *act, int64_t now, struct b_buf *said, struct b_error *err)
{
	bool stop = !strcmp(act, "stop"), cut = !strcmp(act, "stop now");

	if (cut || stop) {
		rte_run_end_by_person(r, cut, now);
		b_buf_adds(said, cut ? "stopped" : "stopping: users finish and log out");
		return B_OK;
	}
	if (!strcmp(act, "resume"))
		return pause_run(r, false, now, said, err);
	if (strncmp(act, "users ", 6) && strcmp(act, "pause") && strcmp(act, "next"))
		return b_error_set(err, B_EUSAGE,
			"no action '%.40s'; there are: users N, pause, resume, next, stop, stop now",
			act);
	if (is_down(r, now))
		return refuse_down(err, act);
	if (!strcmp(act, "pause"))
		return pause_run(r, true, now, said, err);
	if (!strcmp(act, "next"))
		return next_phase(r, now, said);
	return users(r, act + 6, said, err);
}

int rte_steer(
	struct rte_run *r, const char *act, const char *by, struct b_buf *said, struct b_error *err)
{
	int64_t now = b_clock_mono_ns();
	int rc = act_do(r, act, now, said, err);

	if (!rc)
		rte_steer_note(r, act, by, now);
	return rc;
}
