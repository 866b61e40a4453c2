/* Think times, pauses, and waiting for other users. */
#include "base/clock.h"
#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

static const struct b_dist *think_of(const struct rte_user *u)
{
	static const struct b_dist as_recorded = { .kind = B_DIST_RECORDED, .p = { 1 } };

	if (u->ask.dist)
		return u->ask.dist;
	if (u->tx_think)
		return u->tx_think;
	return u->role->think.kind == B_DIST_UNSET ? &as_recorded : &u->role->think;
}

/* Think time counts from the last change that the user saw, or the last thought. */
static int64_t think_from(const struct rte_user *u, int64_t now)
{
	int64_t from = now;

	if (u->change_ns >= u->input_ns)
		from = u->change_ns;
	else if (u->output)
		from = u->read_ns;
	return from > u->thought_ns ? from : u->thought_ns;
}

enum rte_step rte_user_think_begin(struct rte_user *u, int64_t now)
{
	bool pause = u->ask.kind == RTE_ASK_PAUSE;
	int64_t from = now;

	u->wait_ns = pause ? b_dist_draw(u->ask.dist, &u->think, u->ask.recorded_ns, false)
			   : b_dist_draw(think_of(u), &u->think, u->ask.recorded_ns, false);
	/* A pause follows the key, not the screen. */
	if (pause)
		from = u->input_ns > u->thought_ns ? u->input_ns : u->thought_ns;
	else
		from = think_from(u, now);
	u->wait_follows = !pause;
	u->deadline_ns = u->wait_ns < INT64_MAX - from ? from + u->wait_ns : INT64_MAX;
	rte_user_account(u, RTE_AC_THINK, now);
	if (!u->wait_ns || u->deadline_ns <= now || (u->stopping && !pause)) {
		u->thought_ns = u->not_before_ns = now;
		return rte_user_reply(u, NULL, now);
	}
	rte_user_set_state(u, RTE_U_THINKING);
	rte_user_watch(u);
	return RTE_STAY;
}

/* Output came while thinking: a change that belongs to the response moves the end. */
void rte_user_think_follow(struct rte_user *u)
{
	if (!u->wait_follows || u->meter.state != RTE_METER_SETTLING ||
		u->meter.change_ns == RTE_NEVER || u->meter.change_ns != u->change_ns)
		return;
	if (u->change_ns + u->wait_ns > u->deadline_ns)
		u->deadline_ns = u->change_ns + u->wait_ns;
}

enum rte_step rte_user_think_due(struct rte_user *u, int64_t now)
{
	rte_user_settle(u, now, false);
	rte_user_think_follow(u);
	if (now < u->deadline_ns)
		return RTE_STAY;
	u->thought_ns = u->not_before_ns = u->deadline_ns;
	return rte_user_reply(u, NULL, now);
}

enum rte_step rte_user_barrier_begin(struct rte_user *u, int64_t now)
{
	int64_t timeout = u->ask.timeout_ns >= 0 ? u->ask.timeout_ns : u->role->timeout_ns;

	rte_user_account(u, RTE_AC_BARRIER, now);
	if (u->stopping ||
		rte_barrier_arrive(u->shared->barriers, u->ask.bytes, u->ask.count, &u->ticket)) {
		u->thought_ns = u->not_before_ns = now;
		return rte_user_reply(u, NULL, now);
	}
	u->deadline_ns = now + timeout;
	rte_user_set_state(u, RTE_U_BARRIER);
	rte_user_watch(u);
	return RTE_STAY;
}

enum rte_step rte_user_barrier_over(struct rte_user *u, bool called, int64_t now)
{
	struct rte_reply reply = { 0 };

	if (called) {
		reply.not_all = u->ask.soft && rte_barrier_late(u->shared->barriers, &u->ticket);
	} else if (u->ask.soft && !u->stopping) {
		rte_barrier_release(u->shared->barriers, &u->ticket);
		reply.not_all = true;
	} else {
		rte_barrier_leave(u->shared->barriers, &u->ticket);
		if (!u->stopping)
			return rte_user_fail(u, RTE_FAIL_TIMEOUT, now,
				"the others did not come to the barrier '%s' in time",
				u->ask.bytes);
	}
	u->thought_ns = u->not_before_ns = now;
	return rte_user_reply(u, &reply, now);
}
