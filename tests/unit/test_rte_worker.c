/* rte/worker.h: a worker is awaited by a clock that nobody sets. */
#include "tests/unit/wall_clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <semaphore.h>
#include <string.h>

#include "base/clock.h"
#include "rte/loop.h"
#include "rte/worker.h"
#include "base/banned.h"

/* Ends some time after it was asked to. */
static void *late(void *arg)
{
	struct rte_worker *w = arg;
	struct timespec nap = { 0, B_NS_PER_MS };

	for (int after = 0; after < 50; after += atomic_load(&w->end))
		nanosleep(&nap, NULL);
	return NULL;
}

static void *stuck(void *arg)
{
	sem_t *go = arg;

	while (sem_wait(go))
		;
	return NULL;
}

static void the_wall_clock_is_set(void **state)
{
	static const time_t steps[] = { 0, -3600, 3600 };

	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct rte_worker w = { .threaded = true };
		sem_t go;

		wall_step_s = steps[i];
		assert_int_equal(rte_loop_new(&w.loop, NULL), 0);
		assert_int_equal(pthread_create(&w.thread, NULL, late, &w), 0);
		assert_true(rte_worker_join(&w, 60 * B_NS_PER_S));
		assert_false(w.threaded);

		sem_init(&go, 0, 0);
		w.threaded = true;
		assert_int_equal(pthread_create(&w.thread, NULL, stuck, &go), 0);
		assert_false(rte_worker_join(&w, 20 * B_NS_PER_MS));
		assert_true(w.threaded);
		sem_post(&go);
		assert_true(rte_worker_join(&w, 60 * B_NS_PER_S));
		sem_destroy(&go);
		rte_loop_free(w.loop);
	}
	wall_step_s = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wall_clock_is_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
