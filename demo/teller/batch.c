#include "demo/teller/batch.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/banned.h"

static uint64_t next(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

/* 0 <= result < n */
static int64_t below(uint64_t *state, int64_t n)
{
	return (int64_t)(next(state) % (uint64_t)n);
}

static int one(struct tl_db *db, bool update, uint64_t *state, struct b_error *err)
{
	const struct tl_scale *scale = tl_db_scale(db);
	int64_t account = TL_FIRST_ACCOUNT + below(state, scale->branches * scale->accounts);
	struct tl_account a;
	struct tl_posted posted;
	struct tl_posting p = { .account = account };

	if (!update)
		return tl_db_query(db, account, &a, err);
	p.branch = 1 + below(state, scale->branches);
	p.teller = (p.branch - 1) * TL_TELLERS_PER_BRANCH + 1 + below(state, TL_TELLERS_PER_BRANCH);
	p.amount_cents = below(state, 199999) - 99999;
	return tl_db_update(db, &p, &posted, err);
}

int tl_batch_run(struct tl_db *db, int64_t n, int64_t updates, uint64_t seed, struct b_error *err)
{
	int64_t start = b_clock_mono_ns(), failures = 0;
	uint64_t state = seed;
	double seconds;

	for (int64_t i = 0; i < n; i++)
		if (one(db, below(&state, 100) < updates, &state, err))
			failures++;
	seconds = (double)(b_clock_mono_ns() - start) / (double)B_NS_PER_S;
	printf("%lld transactions, %lld failed, %.3f s, %.1f a second\n", (long long)n,
		(long long)failures, seconds, (double)n / (seconds > 0 ? seconds : 1e-9));
	return failures ? B_ECHECK : B_OK;
}
