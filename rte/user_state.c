/* What a user is at, where its time goes, and that it is over. */
#include "rte/arrivals.h"
#include "rte/user_priv.h"
#include "base/banned.h"

static enum rte_shown shown_as(const struct rte_user *u)
{
	switch (u->state) {
	case RTE_U_PLANNED: return RTE_SHOW_PLANNED;
	case RTE_U_BACKOFF:
	case RTE_U_CONNECTING: return RTE_SHOW_CONNECTING;
	case RTE_U_DONE: return RTE_SHOW_DONE;
	case RTE_U_FAILED: return RTE_SHOW_FAILED;
	default: break;
	}
	if (u->in_part && u->part == RTE_PART_LOGIN)
		return RTE_SHOW_LOGIN;
	switch (u->state) {
	case RTE_U_TYPING:
	case RTE_U_BLOCKED: return RTE_SHOW_TYPING;
	case RTE_U_THINKING:
	case RTE_U_PACING:
	case RTE_U_BARRIER:
	case RTE_U_HELD: return RTE_SHOW_THINKING;
	default: return RTE_SHOW_WAITING;
	}
}

const char *rte_user_state_name(const struct rte_user *u)
{
	return rte_user_state_text(u->state);
}

const char *rte_user_state_text(enum rte_user_state state)
{
	static const char *const names[] = { "planned", "backing off", "connecting", "running",
		"held", "typing", "blocked", "waiting", "thinking", "pacing", "at a barrier",
		"comparing", "closing", "leaving", "done", "failed" };

	return names[state];
}

void rte_user_set_state(struct rte_user *u, enum rte_user_state state)
{
	enum rte_shown shown;

	u->state = state;
	shown = shown_as(u);
	if (shown == u->shown)
		return;
	rte_stat_add(&u->worker->stats.users[u->shown], -1);
	rte_stat_add(&u->worker->stats.users[shown], 1);
	u->shown = shown;
}

enum rte_account rte_user_part_account(const struct rte_user *u, enum rte_account inside)
{
	if (!u->in_part || u->part == RTE_PART_ITERATION)
		return inside;
	return u->part == RTE_PART_LOGIN ? RTE_AC_LOGIN : RTE_AC_LOGOUT;
}

void rte_user_account(struct rte_user *u, enum rte_account to, int64_t now)
{
	/* Login and logout are one account each, whatever is done in them. */
	to = rte_user_part_account(u, to);
	if (now > u->account_since_ns) {
		u->account_ns[u->account] += now - u->account_since_ns;
		u->account_since_ns = now;
	}
	u->account = to;
}

/* It has no iterations before it any more; the last one closes an interval that follows them. */
void rte_user_count_out(struct rte_user *u, int64_t now)
{
	if (u->counted_out)
		return;
	u->counted_out = true;
	if (atomic_fetch_sub(&u->shared->iterating, 1) == 1 && u->shared->phases.by_iterations)
		rte_phases_stop(&u->shared->phases, u->shared->w, now);
}

bool rte_user_iterations_left(const struct rte_user *u)
{
	int64_t most = u->shared->w->iterations, from = u->shared->arrivals ? u->iteration_from : 0;

	return most == RTE_UNSET || u->iteration - from < most;
}

/* Whether it may be started again: by arrivals, stages or steering. */
static bool may_come_again(const struct rte_user *u, enum rte_user_state state, int64_t now)
{
	return state == RTE_U_DONE && !u->no_more &&
		(u->shared->arrivals || rte_user_iterations_left(u)) &&
		rte_phases_at(&u->shared->phases, now) != RTE_RAMPDOWN;
}

void rte_user_over(struct rte_user *u, enum rte_user_state state, int64_t now)
{
	bool again = may_come_again(u, state, now);

	rte_user_count_out(u, now);
	rte_user_set_state(u, state);
	/* Who comes again goes on with the rows of data that follow: they stand in the actor. */
	if (!again) {
		rte_actor_free(u->actor);
		u->actor = NULL;
	}
	rte_loop_timer_clear(u->worker->loop, &u->timer);
	u->starts = false;
	rte_worker_user_over(u->worker);
	if (again && u->shared->arrivals)
		rte_arrivals_hand_back(u->shared->arrivals, u->number);
}
