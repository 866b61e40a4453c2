/* The meter as a table of what happened when; times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/meter.h"
#include "base/banned.h"

static const struct rte_settle settle = { 100 * B_NS_PER_MS, 1000 * B_NS_PER_MS };

enum what { END, OUT, CHG, RDY, WAIT, TICK };

struct event {
	enum what what;
	int at;
};

/* Expected: -1 none. An input at 1000 precedes; after the events the clock ticks at `last`. */
static const struct story {
	const char *name;
	struct event events[10];
	int last, end, first, closed;
	bool unsettled;
} stories[] = {
	{ "one answer", { { CHG, 1050 }, { RDY, 1050 } }, 2000, 1050, 1050, 1150, false },
	{ "late changes before it has settled",
		{ { CHG, 1050 }, { RDY, 1050 }, { CHG, 1149 }, { CHG, 1200 } }, 2000, 1200, 1050,
		1300, false },
	{ "a change after it has settled", { { CHG, 1050 }, { RDY, 1050 }, { CHG, 1150 } }, 2000,
		1050, 1050, 1150, false },
	{ "output without a change does not move the end",
		{ { CHG, 1050 }, { RDY, 1050 }, { OUT, 1090 } }, 2000, 1050, 1050, 1150, false },
	{ "a bell alone", { { OUT, 1030 }, { OUT, 1040 }, { RDY, 1040 } }, 2000, 1040, 1030, 1140,
		false },
	{ "nothing came", { { RDY, 1500 } }, 3000, -1, -1, 2500, false },
	{ "not waited for, but it came", { { RDY, 1000 }, { CHG, 1400 }, { CHG, 1450 } }, 3000,
		1450, 1400, 1550, false },
	{ "ready long after the last change (quiet)",
		{ { OUT, 1010 }, { CHG, 1050 }, { RDY, 1550 } }, 2000, 1050, 1010, 1550, false },
	{ "change before ready", { { CHG, 1050 }, { CHG, 1080 }, { RDY, 1080 } }, 1170, 1080, 1050,
		-1, false },
	{ "still changing after settle_max",
		{ { CHG, 1050 }, { RDY, 1050 }, { CHG, 1140 }, { CHG, 1230 }, { CHG, 1320 },
			{ RDY, 1320 }, { CHG, 1410 } },
		1505, 1410, 1050, -1, false },
	{ "a second wait opens it again",
		{ { CHG, 1050 }, { RDY, 1050 }, { TICK, 1400 }, { WAIT, 1400 }, { CHG, 1600 },
			{ RDY, 1600 } },
		3000, 1600, 1050, 1700, false },
	{ "not ready never closes", { { CHG, 1050 } }, 90000, 1050, 1050, -1, false },
};

static int ms(int64_t ns)
{
	return ns == RTE_NEVER ? -1 : (int)(ns / B_NS_PER_MS);
}

static void play(struct rte_meter *m, const struct event *e, size_t n)
{
	for (size_t i = 0; i < n && e[i].what != END; i++) {
		int64_t at = e[i].at * B_NS_PER_MS;

		switch (e[i].what) {
		case OUT: rte_meter_output(m, &settle, at, false); break;
		case CHG: rte_meter_output(m, &settle, at, true); break;
		case RDY: rte_meter_ready(m, &settle, at); break;
		case WAIT: rte_meter_wait(m); break;
		case TICK: rte_meter_tick(m, &settle, at); break;
		case END: break;
		}
	}
}

static void test_stories(void **state)
{
	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(stories); i++) {
		const struct story *s = &stories[i];
		struct rte_meter m;

		rte_meter_input(&m, 1000 * B_NS_PER_MS);
		play(&m, s->events, B_ARRAY_LEN(s->events));
		rte_meter_tick(&m, &settle, s->last * B_NS_PER_MS);
		if (ms(rte_meter_end(&m)) != s->end || ms(m.first_output_ns) != s->first ||
			ms(m.closed_ns) != s->closed || m.unsettled != s->unsettled)
			fail_msg("%s: end %d first %d closed %d unsettled %d", s->name,
				ms(rte_meter_end(&m)), ms(m.first_output_ns), ms(m.closed_ns),
				m.unsettled);
	}
}

static void test_unsettled(void **state)
{
	struct rte_meter m;

	(void)state;
	rte_meter_input(&m, 0);
	rte_meter_output(&m, &settle, 50 * B_NS_PER_MS, true);
	rte_meter_ready(&m, &settle, 50 * B_NS_PER_MS);
	/* a clock on the screen ticks every 90 ms for ever */
	for (int at = 140; at < 3000; at += 90)
		rte_meter_output(&m, &settle, at * B_NS_PER_MS, true);
	assert_int_equal(m.state, RTE_METER_CLOSED);
	assert_true(m.unsettled);
	assert_int_equal(ms(m.closed_ns), 1050);
	assert_int_equal(ms(rte_meter_end(&m)), 1040);
}

static void test_next_input_closes(void **state)
{
	struct rte_meter m;

	(void)state;
	rte_meter_input(&m, 0);
	rte_meter_output(&m, &settle, 50 * B_NS_PER_MS, true);
	rte_meter_ready(&m, &settle, 50 * B_NS_PER_MS);
	assert_int_equal(ms(rte_meter_due(&m, &settle)), 150);
	rte_meter_close(&m, 60 * B_NS_PER_MS);
	assert_int_equal(ms(m.closed_ns), 60);
	assert_false(m.unsettled);
	assert_int_equal(rte_meter_due(&m, &settle), RTE_NEVER);
	rte_meter_output(&m, &settle, 70 * B_NS_PER_MS, true);
	assert_int_equal(ms(rte_meter_end(&m)), 50);
	rte_meter_input(&m, 80 * B_NS_PER_MS);
	assert_int_equal(rte_meter_end(&m), RTE_NEVER);
}

/* The figures do not depend on when a late timer ticks. */
static void test_late_timer(void **state)
{
	struct rte_meter m;

	(void)state;
	rte_meter_input(&m, 0);
	rte_meter_output(&m, &settle, 50 * B_NS_PER_MS, true);
	rte_meter_ready(&m, &settle, 50 * B_NS_PER_MS);
	rte_meter_output(&m, &settle, 400 * B_NS_PER_MS, true);
	assert_int_equal(ms(rte_meter_end(&m)), 50);
	assert_int_equal(ms(m.closed_ns), 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stories),
		cmocka_unit_test(test_unsettled),
		cmocka_unit_test(test_next_input_closes),
		cmocka_unit_test(test_late_timer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
