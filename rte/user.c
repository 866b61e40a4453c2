/* A user is made, and given back. */
#include "rte/user.h"

#include <stdlib.h>

#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

void rte_user_init(struct rte_user *u, struct rte_worker *w, int64_t number,
	const struct rte_role *role, const struct rte_script *script)
{
	uint64_t seed = w->shared->w->seed, who = (uint64_t)number;

	*u = (struct rte_user){
		.timer = RTE_TIMER_INIT(rte_user_due),
		.watch = { .fd = -1, .owner = u },
		.worker = w,
		.shared = w->shared,
		.role = role,
		.script = script,
		.number = number,
		.shown = RTE_SHOW_PLANNED,
		.pace_ns = RTE_NEVER,
		.due_late_ns = RTE_NEVER,
		.blocked_at_ns = RTE_NEVER,
		.midway_ns = RTE_NEVER,
		.echo_ns = RTE_NEVER,
		.judge_ns = RTE_NEVER,
		.secrets.base = rte_failures_environment(w->shared->failures),
	};
	u->echo = w->shared->echo_every && (number - 1) % w->shared->echo_every == 0;
	b_random_init(&u->typing, seed, who, B_STREAM_TYPING);
	b_random_init(&u->think, seed, who, B_STREAM_THINK);
	b_random_init(&u->data, seed, who, B_STREAM_DATA);
	b_random_init(&u->mix, seed, who, B_STREAM_MIX);
	b_random_init(&u->engine, seed, who, B_STREAM_ENGINE);
	rte_stat_add(&w->stats.users[RTE_SHOW_PLANNED], 1);
}

void rte_user_release(struct rte_user *u)
{
	if (!u->worker)
		return;
	rte_user_session_drop(u);
	rte_loop_timer_clear(u->worker->loop, &u->timer);
	rte_actor_free(u->actor);
	free(u->masks);
	free(u->awaited);
	free(u->tx.problem);
	free(u->closing.problem);
	free(u->deck.cards);
	rte_redactor_release(&u->secrets);
	b_random_release(&u->typing);
	b_random_release(&u->think);
	b_random_release(&u->data);
	b_random_release(&u->mix);
	b_random_release(&u->engine);
}
