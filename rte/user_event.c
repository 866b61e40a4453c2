/* What comes to a user: its timer, its line, output. */
#include "base/clock.h"
#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

static enum rte_step connected(struct rte_user *u, bool is_open)
{
	return is_open ? rte_user_login_start(u, b_clock_mono_ns()) : RTE_STAY;
}

static enum rte_step timer_due(struct rte_user *u, int64_t now)
{
	switch (u->state) {
	case RTE_U_PLANNED:
	case RTE_U_BACKOFF:
		return rte_user_paused(u) ? RTE_STAY : connected(u, rte_user_connect(u, now));
	case RTE_U_CONNECTING: return connected(u, rte_user_connecting(u, now));
	case RTE_U_TYPING: return now >= u->typist.due_ns ? rte_user_type_due(u, now) : RTE_STAY;
	case RTE_U_BLOCKED: return now >= u->deadline_ns ? rte_user_type_stuck(u, now) : RTE_STAY;
	case RTE_U_WAITING: return rte_user_wait_due(u, now);
	case RTE_U_GOLDEN: return rte_user_golden_due(u, now);
	case RTE_U_THINKING:
		if (!rte_user_holds(u))
			return rte_user_think_due(u, now);
		rte_user_settle(u, now, false);
		return RTE_STAY;
	case RTE_U_PACING:
		rte_user_settle(u, now, false);
		return now >= u->deadline_ns && !rte_user_holds(u)
			? rte_user_iteration_start(u, now)
			: RTE_STAY;
	case RTE_U_BARRIER:
		rte_user_settle(u, now, false);
		return now >= u->deadline_ns ? rte_user_barrier_over(u, false, now) : RTE_STAY;
	case RTE_U_CLOSING:
		rte_user_settle(u, now, false);
		return u->closing.name ? RTE_STAY : rte_user_logout_start(u, now);
	case RTE_U_LEAVING:
		rte_user_settle(u, now, false);
		if (u->eof || now >= u->deadline_ns || u->meter.state == RTE_METER_CLOSED)
			rte_user_left(u, now);
		return RTE_STAY;
	default: return RTE_STAY;
	}
}

void rte_user_due(struct rte_timer *t, int64_t now)
{
	struct rte_user *u = (struct rte_user *)t;

	if (u->line && u->state != RTE_U_CONNECTING && ln_line_due_ns(u->line) >= 0 &&
		now >= ln_line_due_ns(u->line)) {
		/* A line that is torn says so to whoever reads it next. */
		(void)!ln_line_drive(u->line, NULL);
		rte_user_watch(u);
	}
	if (u->pending) {
		u->pending = false;
		rte_user_go(u, RTE_GO, now);
	} else {
		rte_user_go(u, timer_due(u, now), now);
	}
}

void rte_user_ready(struct rte_user *u, unsigned what, int64_t now)
{
	if (u->state == RTE_U_CONNECTING) {
		rte_user_go(u, connected(u, rte_user_connecting(u, now)), now);
		return;
	}
	if (!(what & RTE_WATCH_WRITE) || !u->line)
		return;
	/* A line that is torn here says so to whoever reads it next. */
	(void)!ln_line_drive(u->line, NULL);
	if (!rte_user_drain(u, now)) {
		rte_user_watch(u); /* what it waits for may be another thing now */
		return;
	}
	if (u->state == RTE_U_BLOCKED)
		rte_user_go(u, rte_user_type_taken(u, now), now);
	rte_user_watch(u);
}

void rte_user_run(struct rte_user *u, int64_t now)
{
	const struct rte_observer *o = u->shared->observer;
	enum rte_step step = RTE_STAY;

	if (u->broken && u->line)
		rte_user_last_words(u);
	if (o && o->changed)
		o->changed(o->user, u);
	switch (u->state) {
	case RTE_U_WAITING:
		/* The instant of the last read, not of this moment: that is when it was there. */
		step = rte_user_wait_due(u, u->read_ns > u->wait_from_ns ? u->read_ns : now);
		break;
	case RTE_U_GOLDEN: step = rte_user_golden_due(u, now); break;
	case RTE_U_THINKING: rte_user_think_follow(u); break;
	case RTE_U_BLOCKED:
		if (u->eof)
			step = rte_user_fail(u, RTE_FAIL_DISCONNECT, now, "the line was closed%s%s",
				u->eof_why ? ": " : "", u->eof_why ? u->eof_why : "");
		break;
	case RTE_U_TYPING: return; /* the key that is due finds the end of the line */
	case RTE_U_LEAVING:
		if (u->eof)
			rte_user_left(u, now);
		break;
	default: break;
	}
	rte_user_go(u, step, now);
}
