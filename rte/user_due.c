/* When a user is next due for something, as its state says. */
#include "rte/user_priv.h"
#include "base/banned.h"

/* A pause of the run holds it; what follows a lone Esc goes on. */
bool rte_user_holds(const struct rte_user *u)
{
	return rte_user_paused(u) &&
		(u->state == RTE_U_PACING ||
			(u->state == RTE_U_THINKING && u->ask.kind != RTE_ASK_PAUSE));
}

/* When the state is next due for something; RTE_NEVER: only when something comes. */
static int64_t due_of(const struct rte_user *u)
{
	int64_t settle = rte_meter_due(&u->meter, &u->role->settle);

	/* Output that comes in the turn in which it had settled closes it: the row is due. */
	if (u->closing.name && u->meter.state == RTE_METER_CLOSED)
		settle = u->meter.closed_ns;
	switch (u->state) {
	case RTE_U_CONNECTING: return u->line ? ln_line_due_ns(u->line) : RTE_NEVER;
	case RTE_U_TYPING: return u->typist.due_ns;
	case RTE_U_BLOCKED: return u->deadline_ns;
	case RTE_U_WAITING: return rte_user_earlier(u->deadline_ns, u->judge_ns);
	case RTE_U_GOLDEN: return rte_user_earlier(u->deadline_ns, u->judge_ns);
	case RTE_U_PLANNED: return u->starts && !rte_user_paused(u) ? u->deadline_ns : RTE_NEVER;
	case RTE_U_BACKOFF: return rte_user_paused(u) ? RTE_NEVER : u->deadline_ns;
	case RTE_U_THINKING:
	case RTE_U_PACING:
		return rte_user_earlier(rte_user_holds(u) ? RTE_NEVER : u->deadline_ns, settle);
	case RTE_U_BARRIER:
	case RTE_U_LEAVING: return rte_user_earlier(u->deadline_ns, settle);
	case RTE_U_CLOSING: return settle;
	default: return RTE_NEVER;
	}
}

void rte_user_arm(struct rte_user *u, int64_t now)
{
	struct rte_loop *loop = u->worker->loop;
	int64_t due = u->pending ? now : due_of(u);

	/* An open line may owe something at a time of its own: the end of a break, a sign of life. */
	if (u->line && u->state != RTE_U_CONNECTING)
		due = rte_user_earlier(due, ln_line_due_ns(u->line));

	if (due == RTE_NEVER)
		rte_loop_timer_clear(loop, &u->timer);
	else
		rte_loop_timer_set(loop, &u->timer, due);
}
