/* The parts of a session: login, iterations, logout; when each begins, and what its end means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/roles.h"
#include "rte/user_priv.h"
#include "rte/when.h"
#include "base/banned.h"

#define FIRST_THINK_MAX_S 60.0

static enum rte_step part_start(
	struct rte_user *u, enum rte_part part, const char *function, int64_t now)
{
	u->part = part;
	u->in_part = true;
	u->part_ns = now;
	rte_user_account(u, RTE_AC_SCRIPT, now);
	rte_user_set_state(u, u->state);
	free(u->awaited);
	u->awaited = NULL;
	u->failed_tx = NULL;
	rte_actor_start(u->actor, part, function, u->iteration, u->session, &u->ask);
	return RTE_GO;
}

enum rte_step rte_user_login_start(struct rte_user *u, int64_t now)
{
	return part_start(u, RTE_PART_LOGIN, NULL, now);
}

/* ---- Iterations ---------------------------------------------------------------------------- */

enum rte_step rte_user_logout_start(struct rte_user *u, int64_t now)
{
	/* The last response has closed: an interval that ends with it holds it. */
	if (!u->relogin || u->stopping)
		rte_user_count_out(u, now);
	if (u->state == RTE_U_CLOSING || u->state == RTE_U_PACING)
		u->not_before_ns = now; /* the first key of logout was not to come before that */
	return part_start(u, RTE_PART_LOGOUT, NULL, now);
}

static enum rte_step iterations_over(struct rte_user *u, int64_t now)
{
	u->in_part = false;
	rte_user_account(u, RTE_AC_LOGOUT, now);
	if (!u->closing.name)
		return rte_user_logout_start(u, now);
	rte_user_set_state(u, RTE_U_CLOSING);
	rte_user_watch(u);
	return RTE_STAY;
}

static bool is_paced(const struct rte_workload *w)
{
	return w->pacing.kind != B_DIST_UNSET && w->pacing.kind != B_DIST_NONE;
}

/* A part of what the user thinks, or of its pace, before its first iteration, so that users who
   came together do not march in step. */
static int64_t first_wait(struct rte_user *u)
{
	const struct rte_workload *w = u->shared->w;
	const struct b_dist *d = is_paced(w) ? &w->pacing : &u->role->think;
	double mean = b_dist_mean_s(d);

	if (!u->shared->measured || u->shared->arrivals || !(mean > 0))
		return 0;
	if (mean > FIRST_THINK_MAX_S)
		mean = FIRST_THINK_MAX_S;
	return (int64_t)(b_random_unit(&u->engine) * mean * (double)B_NS_PER_S);
}

/* When the next iteration is due by the user's own schedule; it does not move when one is late. */
static void pace(struct rte_user *u, int64_t now)
{
	const struct b_dist *pacing = &u->shared->w->pacing;
	bool paced = is_paced(u->shared->w);

	if (u->pace_ns == RTE_NEVER) {
		u->pace_ns = now + first_wait(u);
	} else if (paced) {
		u->pace_ns += b_dist_draw(pacing, &u->think, -1, false);
	} else {
		u->pace_ns = now;
	}
	u->due_late_ns = RTE_NEVER;
	if (u->shared->arrivals && u->iteration == u->iteration_from)
		u->due_late_ns = u->session_ns > u->start_ns ? u->session_ns - u->start_ns : 0;
	else if (paced)
		u->due_late_ns = u->pace_ns < now ? now - u->pace_ns : 0;
}

static enum rte_step next_iteration(struct rte_user *u, int64_t now)
{
	u->in_part = false;
	/* relogin() in login is for after an iteration: sessions without any would go on for ever. */
	if (u->stopping || u->no_more || (u->relogin && u->session_iterations) ||
		!rte_user_iterations_left(u))
		return iterations_over(u, now);
	pace(u, now);
	if (u->pace_ns <= now && !rte_user_paused(u))
		return rte_user_iteration_start(u, now);
	u->deadline_ns = u->pace_ns;
	rte_user_account(u, RTE_AC_PACING, now);
	rte_user_set_state(u, RTE_U_PACING);
	rte_user_watch(u);
	return RTE_STAY;
}

/* By the last of the shares whose time has come; a deck is of one set of shares. */
static const char *pick_function(struct rte_user *u, int64_t now)
{
	struct rte_role_mix *m;
	size_t k = u->role->n_mixes - 1;

	while (k && !rte_when_come(&u->role->mixes[k].from, u->shared->w, &u->shared->phases, now))
		k--;
	m = &u->role->mixes[k];
	if (k + 1 != u->mix_number)
		u->deck.left = 0;
	u->mix_number = (uint32_t)k + 1;
	u->function = m->entries[rte_mix_pick(&m->mix, &u->deck, &u->mix)].name;
	return u->function;
}

enum rte_step rte_user_iteration_start(struct rte_user *u, int64_t now)
{
	const struct rte_role *role = u->role;
	const char *function = role->function;

	if (u->stopping)
		return iterations_over(u, now);
	if (role->n_mixes)
		function = pick_function(u, now);
	rte_phases_iteration(&u->shared->phases, now);
	u->iteration++;
	u->not_before_ns = u->thought_ns =
		u->pace_ns > 0 && u->pace_ns < now && u->state == RTE_U_PACING ? u->pace_ns : now;
	return part_start(u, RTE_PART_ITERATION, function, now);
}

/* ---- Parts end ------------------------------------------------------------------------------ */

/* After logout the SUT has its say: its last output, and that it hangs up. */
static enum rte_step leave(struct rte_user *u, int64_t now)
{
	u->in_part = false;
	rte_user_settle(u, now, false);
	if (u->meter.state == RTE_METER_OPEN)
		rte_meter_ready(&u->meter, &u->role->settle, now);
	rte_user_account(u, RTE_AC_LOGOUT, now);
	if (u->eof || u->meter.state == RTE_METER_CLOSED || u->input_ns < u->part_ns) {
		rte_user_left(u, now);
		return RTE_STAY;
	}
	u->deadline_ns = now + u->role->settle.max_ns;
	rte_user_set_state(u, RTE_U_LEAVING);
	rte_user_watch(u);
	return RTE_STAY;
}

enum rte_step rte_user_part_done(struct rte_user *u, int64_t now)
{
	switch (u->part) {
	case RTE_PART_LOGIN: rte_stat_add(&u->worker->stats.logins, 1); break;
	case RTE_PART_ITERATION:
		u->session_iterations++;
		u->failed_in_row = 0;
		rte_stat_add(&u->worker->stats.iterations, 1);
		if (rte_phases_counts(&u->shared->phases, u->part_ns, now))
			rte_stat_add(&u->worker->stats.iterations_measured, 1);
		atomic_store(&u->shared->progressed, true);
		if (rte_user_idles(u)) {
			u->ask.fail = RTE_FAIL_ERROR;
			u->ask.error = rte_user_idle_text;
			return rte_user_part_failed(u, now);
		}
		break;
	default: return leave(u, now);
	}
	u->no_more = u->no_more || u->ask.count < 0;
	/* There is a next session only for a next iteration. */
	u->relogin = (u->relogin || u->ask.relogin) && !u->no_more && rte_user_iterations_left(u);
	return next_iteration(u, now);
}

enum rte_step rte_user_part_left(struct rte_user *u, int64_t now)
{
	rte_actor_cancel(u->actor);
	rte_user_rule_drop(u);
	if (u->part == RTE_PART_LOGOUT)
		return leave(u, now);
	u->no_more = true;
	u->relogin = false;
	return next_iteration(u, now);
}

static const char *kind_name(enum rte_fail_kind kind)
{
	switch (kind) {
	case RTE_FAIL_TIMEOUT: return "timeout";
	case RTE_FAIL_CHECK: return "check";
	case RTE_FAIL_DISCONNECT: return "disconnect";
	default: return "error";
	}
}

/* What the SUT's process left as its status, when it has ended: often the whole cause. */
static void add_status(const struct rte_user *u, char *message, size_t cap)
{
	size_t len = strlen(message);
	int status;

	if (!u->line || ln_line_reap(u->line, &status))
		return;
	if (WIFSIGNALED(status))
		snprintf(message + len, cap - len, "; its process was killed by signal %d",
			WTERMSIG(status));
	else
		snprintf(message + len, cap - len, "; its process ended with status %d",
			WEXITSTATUS(status));
}

enum rte_step rte_user_part_failed(struct rte_user *u, int64_t now)
{
	enum rte_on_error on_error = u->shared->w->on_error;
	enum rte_fail_kind kind = u->ask.fail;
	char message[1100];

	snprintf(message, sizeof message, "%s", u->ask.error ? u->ask.error : "failed");
	if (kind == RTE_FAIL_DISCONNECT)
		add_status(u, message, sizeof message);
	rte_user_note(u, kind_name(kind),
		(kind == RTE_FAIL_TIMEOUT || kind == RTE_FAIL_DISCONNECT) && u->awaited ? u->awaited
											: message,
		message);
	atomic_fetch_add(&u->shared->attempts_failed, 1);
	rte_user_rule_drop(u);
	if (u->part == RTE_PART_LOGOUT) {
		rte_stat_add(&u->worker->stats.failures, 1);
		rte_user_session_end(
			u, kind == RTE_FAIL_DISCONNECT ? "disconnect" : "error", message, now);
		rte_user_over(u, RTE_U_DONE, now);
		return RTE_STAY;
	}
	if (u->part == RTE_PART_ITERATION && on_error == RTE_ON_ERROR_CONTINUE && !u->eof &&
		!rte_user_is_idle(u)) {
		u->in_part = false;
		return next_iteration(u, now);
	}
	rte_user_session_failed(
		u, kind == RTE_FAIL_DISCONNECT ? "disconnect" : "restart", message, now);
	return RTE_STAY;
}
