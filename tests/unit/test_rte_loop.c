/* Timers come in order, never early, and can be moved; watches are reported and dropped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "rte/loop.h"
#include "base/banned.h"

#define N 2000

static struct rte_loop *loop_new(void)
{
	struct rte_loop *l;

	assert_int_equal(rte_loop_new(&l, NULL), 0);
	return l;
}

static void test_timers_against_a_model(void **state)
{
	static struct rte_timer t[N];
	static int64_t due[N];
	struct rte_loop *l = loop_new();
	struct b_random r;
	int64_t last = -1, at;
	int left = 0;

	(void)state;
	b_random_init(&r, 1, 1, B_STREAM_DATA);
	for (int i = 0; i < N; i++)
		due[i] = t[i].due_ns = -1;
	for (int i = 0; i < 20 * N; i++) {
		int64_t k = b_random_int(&r, 0, N - 1);

		if (b_random_int(&r, 0, 3)) {
			due[k] = b_random_int(&r, 0, 5000);
			rte_loop_timer_set(l, &t[k], due[k]);
		} else {
			due[k] = -1;
			rte_loop_timer_clear(l, &t[k]);
		}
		assert_int_equal(t[k].due_ns, due[k]);
	}
	for (int i = 0; i < N; i++)
		left += due[i] >= 0;
	for (int64_t now = 0; now <= 5000; now += 50) {
		for (struct rte_timer *x; (x = rte_loop_due(l, now, &at)); left--) {
			assert_true(at >= last && at <= now && at > now - 50);
			assert_int_equal(at, due[x - t]);
			last = at;
			due[x - t] = -1;
		}
	}
	assert_int_equal(left, 0);
	b_random_release(&r);
	rte_loop_free(l);
}

/* Each of those that are due in one instant has its turn before any has a second one. */
static void test_one_instant(void **state)
{
	static struct rte_timer t[N];
	static int turns[N];
	struct rte_loop *l = loop_new();
	int64_t at;

	(void)state;
	for (int i = 0; i < N; i++) {
		t[i].due_ns = RTE_TIMER_OFF;
		rte_loop_timer_set(l, &t[i], 1000);
	}
	for (int n = 0; n < 3 * N; n++) {
		struct rte_timer *x = rte_loop_due(l, 2000, &at);

		assert_non_null(x);
		assert_int_equal(turns[x - t]++, n / N);
		rte_loop_timer_set(l, x, at + 1);
	}
	rte_loop_free(l);
}

static void test_never_early(void **state)
{
	struct rte_loop *l = loop_new();
	struct rte_timer t = RTE_TIMER_INIT(NULL);
	struct rte_ready *ready;
	int64_t due;

	(void)state;
	for (int i = 0; i < 20; i++) {
		int64_t want = b_clock_mono_ns() + 700000 * (i % 5);

		rte_loop_timer_set(l, &t, want);
		while (!rte_loop_due(l, b_clock_mono_ns(), &due))
			assert_int_equal(rte_loop_wait(l, false, &ready), 0);
		assert_int_equal(due, want);
		assert_true(b_clock_mono_ns() >= want);
	}
	rte_loop_free(l);
}

static void test_watches(void **state)
{
	struct rte_loop *l = loop_new();
	struct rte_watch a = { .fd = -1 }, b = { .fd = -1 };
	struct rte_ready *ready;
	int p[2], q[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	assert_int_equal(pipe(q), 0);
	assert_int_equal(rte_loop_watch(l, &a, p[0], RTE_WATCH_READ), 0);
	assert_int_equal(rte_loop_watch(l, &b, q[0], 0), 0);
	assert_int_equal(rte_loop_wait(l, true, &ready), 0);
	assert_int_equal(write(p[1], "x", 1), 1);
	assert_int_equal(write(q[1], "x", 1), 1);
	assert_int_equal(rte_loop_wait(l, false, &ready), 1);
	assert_ptr_equal(ready[0].watch, &a);
	assert_int_equal(ready[0].what, RTE_WATCH_READ);
	assert_int_equal(rte_loop_watch(l, &b, q[0], RTE_WATCH_READ), 0);
	assert_int_equal(rte_loop_wait(l, false, &ready), 2);
	/* dropped in the middle of a batch: it is not met any more */
	rte_loop_drop(l, &b);
	assert_true(!ready[0].watch != !ready[1].watch);
	/* hang-up is told although nothing is wanted */
	assert_int_equal(rte_loop_watch(l, &a, p[0], 0), 0);
	close(p[1]);
	assert_int_equal(rte_loop_wait(l, false, &ready), 1);
	assert_true(ready[0].what & RTE_WATCH_GONE);
	rte_loop_drop(l, &a);
	assert_int_equal(rte_loop_wait(l, true, &ready), 0);
	close(p[0]);
	close(q[0]);
	close(q[1]);
	rte_loop_free(l);
}

static void *waker(void *l)
{
	rte_loop_wake(l);
	return NULL;
}

static void test_wake(void **state)
{
	struct rte_loop *l = loop_new();
	struct rte_ready *ready;
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, waker, l), 0);
	assert_int_equal(rte_loop_wait(l, false, &ready), 0);
	pthread_join(t, NULL);
	assert_int_equal(rte_loop_waits(l), 1);
	rte_loop_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timers_against_a_model),
		cmocka_unit_test(test_one_instant),
		cmocka_unit_test(test_never_early),
		cmocka_unit_test(test_watches),
		cmocka_unit_test(test_wake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
