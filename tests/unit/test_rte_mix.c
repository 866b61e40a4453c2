/* Users divided among scripts; picks and decks of a mix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "rte/mix.h"
#include "base/banned.h"

static void divided(const double *weights, size_t n, int64_t users, const int64_t *want)
{
	struct rte_workload_script s[4] = { { 0 } };
	struct rte_workload w = { .scripts = s, .n_scripts = n, .users = users };
	uint32_t *of = b_calloc((size_t)users, sizeof *of);
	int64_t count[4] = { 0 };

	for (size_t i = 0; i < n; i++)
		s[i].weight = weights[i];
	rte_users_divide(&w, users, of);
	for (int64_t u = 0; u < users; u++)
		count[of[u]]++;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(count[i], want[i]);
	free(of);
}

static void test_largest_remainder(void **state)
{
	(void)state;
	divided((double[]){ 1 }, 1, 5, (int64_t[]){ 5 });
	divided((double[]){ 3, 1 }, 2, 8, (int64_t[]){ 6, 2 });
	divided((double[]){ 1, 1, 1 }, 3, 10, (int64_t[]){ 4, 3, 3 });
	divided((double[]){ 0.5, 0.25, 0.25 }, 3, 3, (int64_t[]){ 1, 1, 1 });
	divided((double[]){ 98, 1, 1 }, 3, 10, (int64_t[]){ 10, 0, 0 });
	divided((double[]){ 1, 100 }, 2, 1, (int64_t[]){ 0, 1 });
}

static void test_named_and_interleaved(void **state)
{
	int64_t named[] = { 1, 2, 900 };
	struct rte_workload_script s[] = {
		{ .weight = 3 },
		{ .weight = 1, .users = named, .n_users = 3 },
		{ .weight = 1 },
	};
	struct rte_workload w = { .scripts = s, .n_scripts = 3 };
	uint32_t of[10];
	int first = 0;

	(void)state;
	rte_users_divide(&w, 10, of);
	assert_int_equal(of[0], 1);
	assert_int_equal(of[1], 1);
	/* of the first four others three have the first script */
	for (int u = 2; u < 6; u++)
		first += of[u] == 0;
	assert_int_equal(first, 3);
}

static void test_random_pick(void **state)
{
	struct rte_mix_entry e[] = { { "query", 80 }, { "update", 20 } };
	struct rte_mix m;
	struct rte_deck deck = { 0 };
	struct b_random r, again;
	int count[2] = { 0 };

	(void)state;
	rte_mix_init(&m, e, 2, false);
	b_random_init(&r, 1, 5, B_STREAM_MIX);
	b_random_init(&again, 1, 5, B_STREAM_MIX);
	for (int i = 0; i < 10000; i++) {
		size_t k = rte_mix_pick(&m, &deck, &r);

		assert_int_equal(k, rte_mix_pick(&m, &deck, &again));
		count[k]++;
	}
	assert_in_range(count[0], 7800, 8200);
	b_random_release(&r);
	b_random_release(&again);
	rte_mix_release(&m);
}

static void deck_has(const struct rte_mix_entry *e, size_t n, size_t cards, const int *want)
{
	struct rte_mix m;
	struct rte_deck deck = { 0 };
	struct b_random r;
	int order_changed = 0;
	size_t *last = b_calloc(cards, sizeof *last);

	rte_mix_init(&m, e, n, true);
	assert_int_equal(m.n_cards, cards);
	b_random_init(&r, 1, 5, B_STREAM_MIX);
	for (int round = 0; round < 5; round++) {
		int count[8] = { 0 };

		for (size_t i = 0; i < cards; i++) {
			size_t k = rte_mix_pick(&m, &deck, &r);

			count[k]++;
			order_changed += round && last[i] != k;
			last[i] = k;
		}
		/* exact in every deck */
		for (size_t i = 0; i < n; i++)
			assert_int_equal(count[i], want[i]);
	}
	assert_true(order_changed > 0);
	free(last);
	free(deck.cards);
	b_random_release(&r);
	rte_mix_release(&m);
}

static void test_decks(void **state)
{
	static const struct rte_mix_entry tpcc[] = { { "new", 10 }, { "pay", 10 }, { "status", 1 },
		{ "deliver", 1 }, { "stock", 1 } };
	static const struct rte_mix_entry a[] = { { "query", 80 }, { "update", 20 } };
	static const struct rte_mix_entry f[] = { { "a", 0.75 }, { "b", 0.25 } };
	static const struct rte_mix_entry odd[] = { { "a", 1 }, { "b", 1.41421356237 } };

	(void)state;
	deck_has(tpcc, 5, 23, (int[]){ 10, 10, 1, 1, 1 });
	deck_has(a, 2, 5, (int[]){ 4, 1 });
	deck_has(f, 2, 4, (int[]){ 3, 1 });
	deck_has(odd, 2, 1000, (int[]){ 414, 586 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_largest_remainder),
		cmocka_unit_test(test_named_and_interleaved),
		cmocka_unit_test(test_random_pick),
		cmocka_unit_test(test_decks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
