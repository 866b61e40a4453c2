/* When a condition holds: new at once, old when the screen has come to rest. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "base/clock.h"
#include "rte/judge.h"
#include "base/banned.h"

#define MS B_NS_PER_MS

static struct vs_screen *screen;
static struct rte_judge j;

static struct vs_cond *text(const char *s)
{
	struct vs_cond *c = vs_cond_new(VS_COND_TEXT);

	vs_cond_text_set(c, s, strlen(s));
	return c;
}

/* "Menu" stands there; an input at 1000. */
static int setup(void **state)
{
	struct vs_options opt = { .rows = 24, .cols = 80 };

	(void)state;
	if (vs_screen_new(&screen, &opt))
		return -1;
	vs_screen_feed(screen, "Menu\r\nold", 9);
	vs_screen_input_mark(screen);
	j = (struct rte_judge){
		.screen = screen,
		.settle_ns = 100 * MS,
		.input_ns = 1000 * MS,
		.change_ns = 500 * MS,
		.midway_ns = -1,
	};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	vs_screen_free(screen);
	return 0;
}

static void feed(const char *s, int at)
{
	if (vs_screen_feed(screen, s, strlen(s)))
		j.change_ns = at * MS;
	j.output = true;
	j.midway_ns = !vs_screen_midway(screen) ? -1 : j.midway_ns < 0 ? at * MS : j.midway_ns;
}

static struct rte_verdict judge(const struct vs_cond *c, int at)
{
	struct rte_verdict v;

	assert_int_equal(rte_judge(&j, c, at * MS, &v), 0);
	return v;
}

static void test_new_holds_at_once(void **state)
{
	struct vs_cond *c = text("Balance");

	(void)state;
	assert_false(judge(c, 1001).holds);
	feed("\033[5;1HBalance", 1050);
	assert_true(judge(c, 1050).holds);
	assert_false(judge(c, 1050).stale);
	vs_cond_free(c);
}

static void test_old_holds_at_rest(void **state)
{
	struct vs_cond *c = text("Menu");
	struct rte_verdict v;

	(void)state;
	/* without output never */
	v = judge(c, 5000);
	assert_false(v.holds);
	assert_int_equal(v.due_ns, -1);
	feed("\033[9;1Hbusy", 5000);
	v = judge(c, 5000);
	assert_false(v.holds);
	assert_int_equal(v.due_ns, 5100 * MS);
	assert_false(judge(c, 5099).holds);
	v = judge(c, 5100);
	assert_true(v.holds && v.stale);
	/* output without a change leaves the screen at rest */
	feed("\a", 5150);
	assert_true(judge(c, 5150).holds);
	feed("\033[9;1Hwork", 5160);
	assert_false(judge(c, 5200).holds);
	vs_cond_free(c);
}

static void test_fresh_and_already(void **state)
{
	struct vs_cond *c = text("Menu");

	(void)state;
	j.fresh = true;
	assert_true(judge(c, 1001).holds);
	j.fresh = false;
	assert_false(judge(c, 1001).holds);
	c->already = true;
	assert_true(judge(c, 1001).holds);
	vs_cond_free(c);
}

/* All is as new as its newest part; the others may be old. */
static void test_all_with_an_old_part(void **state)
{
	struct vs_cond *all = vs_cond_new(VS_COND_ALL);

	(void)state;
	vs_cond_part_add(all, text("Menu"));
	vs_cond_part_add(all, text("Balance"));
	feed("\033[5;1HBalance", 1050);
	assert_true(judge(all, 1050).holds);
	vs_cond_free(all);
}

static void test_any(void **state)
{
	struct vs_cond *any = vs_cond_new(VS_COND_ANY);
	struct rte_verdict v;

	(void)state;
	vs_cond_part_add(any, text("Menu"));
	vs_cond_part_add(any, text("Balance"));
	feed("\033[9;1Hbusy", 1020);
	assert_false(judge(any, 1020).holds);
	feed("\033[5;1HBalance", 1050);
	v = judge(any, 1050);
	assert_true(v.holds && !v.stale);
	assert_int_equal(v.result.alternative, 1);
	vs_cond_free(any);
}

static void test_gone(void **state)
{
	struct vs_cond *c = text("old");

	(void)state;
	c->gone = true;
	feed("\033[9;1Hbusy", 1020);
	assert_false(judge(c, 1020).holds);
	feed("\033[2;1H\033[K", 1050);
	assert_true(judge(c, 1050).holds);
	vs_cond_free(c);
}

static void test_quiet(void **state)
{
	struct vs_cond *c = vs_cond_new(VS_COND_QUIET);
	struct rte_verdict v;

	(void)state;
	c->quiet_ns = 500 * MS;
	feed("x", 1100);
	v = judge(c, 1100);
	assert_false(v.holds);
	/* there may be an earlier look, for what is stale; in the end it is due */
	assert_true(v.due_ns > 1100 * MS && v.due_ns <= 1600 * MS);
	v = judge(c, 1250);
	assert_int_equal(v.due_ns, 1600 * MS);
	assert_true(judge(c, 1600).holds);
	vs_cond_free(c);
}

static void test_unfinished_picture(void **state)
{
	struct vs_cond *c = text("Balance");

	(void)state;
	feed("\033[?2026h\033[5;1HBalance", 1050);
	assert_false(judge(c, 1060).holds);
	assert_int_equal(judge(c, 1060).due_ns, 1200 * MS);
	assert_true(judge(c, 1200).holds);
	feed("\033[?2026l", 1300);
	feed("\033[6;1", 1400);
	assert_false(judge(c, 1401).holds);
	/* cut off for good: a person would have gone on by now */
	assert_true(judge(c, 2400).holds);
	vs_cond_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_new_holds_at_once, setup, teardown),
		cmocka_unit_test_setup_teardown(test_old_holds_at_rest, setup, teardown),
		cmocka_unit_test_setup_teardown(test_fresh_and_already, setup, teardown),
		cmocka_unit_test_setup_teardown(test_all_with_an_old_part, setup, teardown),
		cmocka_unit_test_setup_teardown(test_any, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_quiet, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unfinished_picture, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
