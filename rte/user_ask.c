/* What a script asks is begun, until something must come. */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

#define ASKS_A_TURN 100 /* of a script that never waits, before others have their turn */

static enum rte_step resize(struct rte_user *u, int64_t now)
{
	if (vs_screen_resize(u->screen, u->ask.rows, u->ask.cols) ||
		ln_line_resize(u->line, u->ask.rows, u->ask.cols))
		return rte_user_fail(u, RTE_FAIL_ERROR, now, "the window cannot be %d x %d",
			u->ask.cols, u->ask.rows);
	return rte_user_reply(u, NULL, now);
}

static enum rte_step interact_begin(struct rte_user *u, int64_t now)
{
	const struct rte_observer *o = u->shared->observer;

	if (!o || !o->interact)
		return rte_user_fail(u, RTE_FAIL_ERROR, now,
			"interact: there is no person here; it works in rte play --watch");
	rte_user_account(u, RTE_AC_OTHER, now);
	rte_user_set_state(u, RTE_U_HELD);
	o->interact(o->user, u);
	return RTE_STAY;
}

static enum rte_step begin(struct rte_user *u, int64_t now)
{
	int64_t timeout;

	if (u->ask.secret && u->ask.len)
		rte_redactor_add(&u->secrets, u->ask.bytes, u->ask.len);
	switch (u->ask.kind) {
	case RTE_ASK_DONE:
		if (u->interrupted)
			return rte_user_rule_done(u, now);
		return rte_user_part_done(u, now);
	case RTE_ASK_FAILED:
		return u->interrupted ? rte_user_rule_failed(u, now) : rte_user_part_failed(u, now);
	case RTE_ASK_SEND:
	case RTE_ASK_PRESS:
	case RTE_ASK_PASTE:
	case RTE_ASK_RAW:
	case RTE_ASK_MOUSE: return rte_user_type_begin(u, now);
	case RTE_ASK_EXPECT:
		if (!u->interrupted && u->interrupted_cond)
			rte_user_rule_drop(u);
		timeout = u->ask.timeout_ns >= 0 ? u->ask.timeout_ns : u->role->timeout_ns;
		u->deadline_ns = timeout < INT64_MAX - now ? now + timeout : INT64_MAX;
		return rte_user_wait_begin(u, now);
	case RTE_ASK_THINK:
	case RTE_ASK_PAUSE: return rte_user_think_begin(u, now);
	case RTE_ASK_BARRIER: return rte_user_barrier_begin(u, now);
	case RTE_ASK_RESIZE: return resize(u, now);
	case RTE_ASK_GOLDEN: return rte_user_golden_begin(u, now);
	case RTE_ASK_INTERACT: return interact_begin(u, now);
	}
	return RTE_STAY;
}

static bool held(struct rte_user *u)
{
	const struct rte_observer *o = u->shared->observer;

	if (!o || !o->step || u->ask.kind == RTE_ASK_DONE || u->ask.kind == RTE_ASK_FAILED)
		return false;
	rte_user_set_state(u, RTE_U_HELD);
	return !o->step(o->user, u);
}

void rte_user_go(struct rte_user *u, enum rte_step step, int64_t now)
{
	for (int n = 0; step == RTE_GO; n++) {
		if (n == ASKS_A_TURN) {
			u->pending = true;
			rte_user_set_state(u, RTE_U_RUNNING);
			break;
		}
		if (held(u))
			break;
		step = begin(u, b_clock_mono_ns());
		if (step == RTE_STAY)
			u->n_idle = 0;
	}
	rte_user_arm(u, now);
}

void rte_user_person(struct rte_user *u, const char *bytes, size_t len, int64_t now)
{
	if (!len)
		return;
	rte_user_mark_input(u, now);
	rte_user_write(u, bytes, len, now);
}

void rte_user_go_on(struct rte_user *u, int64_t now)
{
	if (u->state != RTE_U_HELD)
		return;
	if (u->ask.kind == RTE_ASK_INTERACT) {
		u->thought_ns = u->not_before_ns = now;
		rte_user_go(u, rte_user_reply(u, NULL, now), now);
	} else {
		u->not_before_ns = now;
		rte_user_go(u, begin(u, now), now);
	}
}

void rte_user_barrier(struct rte_user *u, int64_t now)
{
	if (u->state == RTE_U_BARRIER && rte_barrier_called(u->shared->barriers, &u->ticket))
		rte_user_go(u, rte_user_barrier_over(u, true, now), now);
}
