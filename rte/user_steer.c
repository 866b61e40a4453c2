/* A user steered from outside: started, paused, stopped, killed. */
#include "base/clock.h"
#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

void rte_user_start(struct rte_user *u, int64_t start_ns)
{
	bool again = u->state == RTE_U_DONE && !u->no_more &&
		(u->shared->arrivals || rte_user_iterations_left(u));

	if (u->starts || (u->state != RTE_U_PLANNED && !again))
		return;
	u->starts = true;
	u->stopping = u->counted_out = false;
	u->failed_in_row = 0;
	u->n_idle = 0;
	u->pace_ns = RTE_NEVER;
	atomic_fetch_add(&u->shared->iterating, 1);
	rte_worker_user_begins(u->worker);
	rte_user_set_state(u, RTE_U_PLANNED);
	u->iteration_from = u->iteration;
	u->deadline_ns = u->start_ns = start_ns;
	rte_user_arm(u, start_ns);
}

void rte_user_kill(struct rte_user *u, const char *why, int64_t now)
{
	if (u->state == RTE_U_DONE || u->state == RTE_U_FAILED)
		return;
	if (u->state == RTE_U_BARRIER)
		rte_barrier_leave(u->shared->barriers, &u->ticket);
	if (u->state == RTE_U_WAITING && !atomic_load(&u->shared->progressed) &&
		!atomic_load(&u->shared->cut_by_person))
		rte_user_note_waiting(u);
	u->stopping = true;
	if (u->state != RTE_U_PLANNED)
		rte_user_session_end(u, "aborted", why, now);
	if (u->starts)
		rte_user_over(u, RTE_U_DONE, now);
}

void rte_user_pause(struct rte_user *u, int64_t now)
{
	if (u->state == RTE_U_PLANNED || u->state == RTE_U_BACKOFF || rte_user_holds(u))
		rte_user_arm(u, now);
}

void rte_user_resume(struct rte_user *u, int64_t paused_ns, int64_t now)
{
	int64_t from = paused_ns;

	/* The whole schedule moves; a think time only by what it lay in the pause. */
	if (u->pace_ns != RTE_NEVER)
		u->pace_ns += now - paused_ns;
	switch (u->state) {
	case RTE_U_THINKING:
		if (u->ask.kind == RTE_ASK_PAUSE)
			return;
		if (u->deadline_ns - u->wait_ns > from)
			from = u->deadline_ns - u->wait_ns;
		break;
	case RTE_U_PLANNED:
	case RTE_U_BACKOFF:
	case RTE_U_PACING: break;
	default: return;
	}
	if (u->deadline_ns < INT64_MAX - (now - from))
		u->deadline_ns += now - from;
	rte_user_arm(u, now);
}

void rte_user_stop(struct rte_user *u, int64_t now)
{
	if (u->stopping || !u->starts)
		return;
	u->stopping = true;
	switch (u->state) {
	case RTE_U_PLANNED:
	case RTE_U_BACKOFF:
	case RTE_U_CONNECTING: rte_user_kill(u, "stopped before it was connected", now); break;
	case RTE_U_THINKING:
		if (u->ask.kind != RTE_ASK_THINK)
			break;
		u->deadline_ns = now;
		rte_user_go(u, rte_user_think_due(u, now), now);
		break;
	case RTE_U_PACING: rte_user_go(u, rte_user_iteration_start(u, now), now); break;
	case RTE_U_BARRIER: rte_user_go(u, rte_user_barrier_over(u, false, now), now); break;
	default: break;
	}
}
