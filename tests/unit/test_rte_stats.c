/* What workers hand over to who looks on, and when. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/stats.h"
#include "base/banned.h"

#define S     B_NS_PER_S
#define MS    B_NS_PER_MS
#define START (1000 * S + 123456789)

/* Whoever looks once a second finds each second's figures, never none and then those of two. */
static void test_due(void **state)
{
	(void)state;
	/* From wherever a worker looks: once before the end of each second since the start. */
	for (int64_t now = START; now < START + 3 * S; now += 7 * MS) {
		int64_t due = rte_share_due(START, now);
		int64_t end = START + ((due - START) / S + 1) * S;

		assert_true(due > now && due <= now + S);
		assert_true(due < end && end - due <= 100 * MS);
		assert_int_equal(rte_share_due(START, due), due + S);
	}
	/* Workers run before the start, too. */
	for (int64_t now = START - 2 * S; now < START; now += 7 * MS) {
		int64_t due = rte_share_due(START, now);

		assert_true(due > now && due <= now + S);
		assert_int_equal(rte_share_due(START, due), due + S);
	}
}

static void test_publish(void **state)
{
	struct rte_share own, share;

	(void)state;
	rte_share_init(&own);
	rte_share_init(&share);
	for (int second = 1; second <= 2; second++) {
		own.second.transactions = 3;
		own.second.failures = 1;
		b_hist_add(own.second.response, MS);
		rte_share_tx(&own, 2)->ok = 2;
		b_hist_add(rte_share_tx(&own, 2)->response, MS);
		assert_true(rte_share_publish(&share, &own, false));
		/* What was moved is gone from the worker; what nobody collected adds up. */
		assert_int_equal(own.second.transactions, 0);
		assert_int_equal(b_hist_count(own.second.response), 0);
		assert_int_equal(own.tx[2].ok, 0);
		assert_int_equal(share.second.transactions, 3 * second);
		assert_int_equal(share.second.failures, second);
		assert_int_equal(b_hist_count(share.second.response), second);
		assert_int_equal(share.n_tx, 3);
		assert_int_equal(share.tx[2].ok, 2 * second);
		assert_int_equal(b_hist_count(share.tx[2].response), second);
	}
	/* While somebody reads nothing moves and nothing is lost. */
	own.second.transactions = 5;
	pthread_mutex_lock(&share.lock);
	assert_false(rte_share_publish(&share, &own, false));
	pthread_mutex_unlock(&share.lock);
	assert_int_equal(own.second.transactions, 5);
	assert_int_equal(share.second.transactions, 6);
	rte_share_release(&own);
	rte_share_release(&share);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_publish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
