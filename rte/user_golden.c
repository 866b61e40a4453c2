/*
 * Golden screens: a screen is compared once it has settled, and again with each change, until it
 * is equal or has stood still too long to hope. So a slow SUT does not make a test fail, and one
 * that differs does not take the whole time-out.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "rte/golden.h"
#include "rte/judge.h"
#include "rte/user_priv.h"
#include "base/banned.h"

#define STILL_NS  (5 * B_NS_PER_S) /* a screen that differs will not change any more */
#define ANCHOR_NS (1 * B_NS_PER_S) /* nor will the anchor come */

enum rte_step rte_user_golden_begin(struct rte_user *u, int64_t now)
{
	rte_user_account(u, RTE_AC_RESPONSE, now);
	u->wait_from_ns = now;
	u->deadline_ns =
		u->role->timeout_ns < INT64_MAX - now ? now + u->role->timeout_ns : INT64_MAX;
	rte_user_set_state(u, RTE_U_GOLDEN);
	rte_user_watch(u);
	return rte_user_golden_due(u, now);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static bool anchored(struct rte_user *u, int64_t now)
{
	struct rte_judge j = rte_user_judge(u);
	struct rte_verdict v;

	return !u->ask.cond || (!rte_judge(&j, u->ask.cond, now, &v) && v.holds);
}

static enum rte_step not_compared(struct rte_user *u, int64_t now)
{
	const struct rte_observer *o = u->shared->observer;
	struct rte_reply reply = { .not_compared = true };
	struct b_buf text = B_BUF_INIT;

	if (o && o->log) {
		b_buf_printf(&text, "golden '%s' was not compared: the screen does not show ",
			u->ask.bytes);
		vs_cond_describe(u->ask.cond, &text);
		o->log(o->user, u, b_buf_cstr(&text));
		b_buf_release(&text);
	}
	return rte_user_reply(u, &reply, now);
}

static int compare(struct rte_user *u, bool final, struct b_error *err)
{
	const struct rte_observer *o = u->shared->observer;

	if (o && o->golden)
		return o->golden(o->user, u, &u->ask, final, err);
	if (u->shared->goldens)
		return rte_golden_check(u->shared->goldens, u, &u->ask, final, err);
	return B_OK;
}

enum rte_step rte_user_golden_due(struct rte_user *u, int64_t now)
{
	int64_t still_ns = u->shared->still_ns ? u->shared->still_ns : STILL_NS;
	int64_t still, settled, since;
	struct b_error err = { 0 };
	bool over = u->eof || now >= u->deadline_ns;
	int rc;

	if (u->midway_ns != RTE_NEVER)
		rte_user_show(u, now);
	still = later(u->change_ns, u->input_ns);
	settled = still + u->role->settle.settle_ns;
	since = later(still, u->wait_from_ns);
	if (u->midway_ns != RTE_NEVER)
		settled = later(settled, u->midway_ns + RTE_SYNC_MAX_NS);
	/* A screen that never comes to rest is compared as it is. */
	if (!over && now < settled) {
		u->judge_ns = settled;
		return RTE_STAY;
	}
	if (!anchored(u, now)) {
		if (over || now >= since + ANCHOR_NS)
			return not_compared(u, now);
		u->judge_ns = since + ANCHOR_NS;
		return RTE_STAY;
	}
	rc = compare(u, over || now >= since + still_ns, &err);
	if (rc == B_EAGAIN) {
		u->judge_ns = sooner(since + still_ns, now + u->role->settle.settle_ns);
		return RTE_STAY;
	}
	u->not_before_ns = now;
	if (rc && !u->ask.soft)
		return rte_user_fail(u, RTE_FAIL_CHECK, now, "%s", err.text);
	if (rc)
		rte_user_check_failed(u, u->ask.file, u->ask.line, err.text, err.text);
	return rte_user_reply(u, NULL, now);
}
