/* rte: one user: what is sent when, what is measured, what becomes of errors. */
#include "tests/unit/user_seams.h"

/* Keys leave 100 ms apart; the first one when what it waits for is there. */
static void test_keys_and_response(void **state)
{
	(void)state;
	begin("W", "(abEW)T", "z", 1);
	until(0);
	says(500, "READY OK");
	/* the login's wait was fulfilled at 500, then the iteration types */
	until(690);
	assert_string_equal(line.sent, "10500:a 10600:b ");
	until(700);
	assert_string_equal(line.sent, "10500:a 10600:b 10700:\r ");
	says(730, "\033[2;1Hworking");
	says(800, "\033[3;1HOK");
	/* late, but before it has settled */
	says(850, "\033[4;1Htotal 5");
	assert_string_equal(rows(worker->tx_out), "");
	until(960);
	assert_string_equal(TX(0, TX), "tx");
	assert_string_equal(TX(0, STATUS), "ok");
	assert_string_equal(TX(0, START), "10.700000");
	assert_string_equal(TX(0, RESPONSE), "0.150000");
	assert_string_equal(TX(0, FIRST), "0.030000");
	assert_string_equal(TX(0, READY), "0.100000");
	assert_string_equal(TX(0, KEYING), "0.200000");
	assert_string_equal(TX(0, KEYS), "3");
	assert_string_equal(TX(0, ENDED_BY), "text");
	assert_string_equal(TX(0, OUT), "3");
	assert_string_equal(TX(0, COUNTED), "1");
	/* think time counts from the last change, at 850 */
	until(1849);
	assert_string_equal(script.log, "in1.0 it1.1 ");
	until(1851);
	assert_string_equal(script.log, "in1.0 it1.1 out1.1 ");
	assert_non_null(strstr(line.sent, "11850:z"));
	hangs_up(1900);
	assert_int_equal(user->state, RTE_U_DONE);
	assert_string_equal(SES(0, 5), "logout");
	assert_string_equal(SES(0, 7), "1");
	end();
}

/* The accounts of a session add up to its length. */
static void test_accounts(void **state)
{
	double sum = 0;

	(void)state;
	begin("W", "(aEW)TP", "z", 2);
	until(0);
	says(500, "OK");
	says(700, "\033[5;1HOK");
	says(3100, "\033[6;1HOK");
	hangs_up(8000);
	assert_int_equal(user->state, RTE_U_DONE);
	for (int k = 9; k <= 19; k++)
		sum += strtod(SES(0, k), NULL);
	assert_true(sum > strtod(SES(0, 8), NULL) - 1e-5 && sum < strtod(SES(0, 8), NULL) + 1e-5);
	assert_string_equal(SES(0, 10), "0.500000"); /* login */
	assert_string_equal(SES(0, 19), "0.000000"); /* unexplained */
	end();
}

/* What stood there before the input does not count, until the screen has come to rest. */
static void test_stale(void **state)
{
	(void)state;
	begin("W", "(EW)", "", 1);
	until(0);
	says(100, "OK");
	until(150);
	assert_int_equal(user->state, RTE_U_WAITING);
	until(2000);
	assert_int_equal(user->state, RTE_U_WAITING);
	/* output that does not touch it */
	says(2000, "\033[9;1Hbusy");
	until(2099);
	assert_int_equal(user->state, RTE_U_WAITING);
	until(2200);
	assert_string_equal(TX(0, ENDED_BY), "stale");
	assert_string_equal(TX(0, RESPONSE), "1.900000");
	end();
}

/* Read after the key, but it had come before: no answer to it, and nothing that it painted. */
static void test_came_before(void **state)
{
	static const char early[] = "\033[3;1HOK";

	(void)state;
	begin("W", "(EW)", "", 1);
	until(0);
	says(100, "OK");
	until(150);
	rte_user_take(user, early, sizeof early - 1, now_ns - 60 * MS);
	run_queue();
	until(2000);
	assert_int_equal(user->state, RTE_U_WAITING);
	says(2000, "\033[4;1HOK");
	until(2200);
	assert_string_equal(TX(0, ENDED_BY), "text");
	assert_string_equal(TX(0, FIRST), "1.900000");
	assert_string_equal(TX(0, RESPONSE), "1.900000");
	end();
}

static void test_bell_and_nothing(void **state)
{
	(void)state;
	begin("W", "(E)(E)P", "", 1);
	until(0);
	says(100, "OK");
	until(100);
	/* the second key closes the first response: nothing had come */
	until(250);
	assert_string_equal(TX(0, ENDED_BY), "none");
	assert_string_equal(TX(0, RESPONSE), "");
	assert_string_equal(TX(0, STATUS), "ok");
	says(300, "\a");
	until(1300);
	assert_string_equal(TX(1, RESPONSE), "0.100000");
	end();
}

static void test_unsettled(void **state)
{
	(void)state;
	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[3;1HOK");
	for (int ms = 100; ms < 1500; ms += 60) {
		char clock[40];

		snprintf(clock, sizeof clock, "\033[1;70H%d", ms);
		says(ms, clock);
	}
	assert_string_equal(TX(0, ENDED_BY), "unsettled");
	assert_true(strtod(TX(0, RESPONSE), NULL) > 0.9 && strtod(TX(0, RESPONSE), NULL) <= 1.05);
	end();
}

static void test_timeout_restarts(void **state)
{
	char worst[200];

	(void)state;
	begin("W", "(EW)", "", 2);
	until(0);
	says(0, "OK");
	until(4999);
	assert_int_equal(user->state, RTE_U_WAITING);
	until(5001);
	assert_string_equal(TX(0, STATUS), "timeout");
	assert_string_equal(TX(0, ENDED_BY), "timeout");
	assert_string_equal(TX(0, RESPONSE), "5.000000");
	assert_non_null(strstr(TX(0, DETAIL), "not there within 5s: "));
	assert_string_equal(SES(0, 5), "restart");
	assert_int_equal(user->state, RTE_U_BACKOFF);
	rte_failures_worst(shared.failures, worst, sizeof worst);
	assert_non_null(strstr(worst, "script.lua:3:"));
	until(7000);
	assert_int_equal(line.opened, 2);
	assert_non_null(strstr(script.log, "in2.1 "));
	says(7000, "OK");
	assert_non_null(strstr(script.log, "it2.2 "));
	end();
}

static void test_on_error(void **state)
{
	(void)state;
	begin("", "!", "", RTE_UNSET);
	w.on_error = RTE_ON_ERROR_STOP;
	until(0);
	assert_int_equal(user->state, RTE_U_FAILED);
	assert_string_equal(SES(0, 5), "stop");
	assert_string_equal(SES(0, 6), "script.lua:7: boom");
	end();

	begin("W", "(EW)T", "", 3);
	w.on_error = RTE_ON_ERROR_CONTINUE;
	until(0);
	says(0, "OK");
	until(5500);
	assert_string_equal(TX(0, STATUS), "timeout");
	assert_string_equal(rows(worker->session_out), "");
	assert_string_equal(script.log, "in1.0 it1.1 it1.2 ");
	end();
}

/* With a number of iterations a user whose sessions all fail gives up. */
static void test_gives_up(void **state)
{
	(void)state;
	begin("!", "", "", 1);
	until(600000);
	assert_int_equal(user->state, RTE_U_FAILED);
	assert_int_equal(line.opened, 10);
	end();
}

static void test_connect_refused(void **state)
{
	(void)state;
	begin("", "", "", 1);
	line.refuse = true;
	until(100);
	assert_int_equal(user->state, RTE_U_BACKOFF);
	until(20000);
	/* three retries, then the session has failed */
	assert_string_equal(SES(0, 5), "error");
	assert_string_equal(SES(0, 6), "nobody listens");
	end();
}

static void test_hang_up(void **state)
{
	(void)state;
	begin("W", "(EW)", "", 1);
	until(0);
	says(0, "OK");
	hangs_up(300);
	assert_string_equal(TX(0, STATUS), "disconnect");
	assert_string_equal(SES(0, 5), "disconnect");
	assert_non_null(strstr(SES(0, 6), "the line was closed while waiting for"));
	end();
}

static void test_check(void **state)
{
	(void)state;
	begin("W", "(EWc)", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[3;1HOK");
	until(300);
	assert_string_equal(TX(0, STATUS), "check");
	assert_string_equal(TX(0, DETAIL), "wrong total");
	assert_string_equal(TX(0, RESPONSE), "0.050000");
	end();
}

/* Iterations by the user's own schedule; being late is written down and does not move it. */
static void test_pacing(void **state)
{
	(void)state;
	begin("W", "(EW)", "", 4);
	assert_int_equal(b_dist_parse(&w.pacing, "2s", NULL), 0);
	until(0);
	says(0, "OK");
	says(10, "\033[3;1HOK");
	until(1999);
	assert_string_equal(line.sent, "10000:\r ");
	until(2000);
	assert_string_equal(line.sent, "10000:\r 12000:\r ");
	/* the answer takes 4.5 s: two iterations are due by then */
	says(6500, "\033[4;1HOK");
	says(6600, "\033[5;1HOK");
	until(6800);
	assert_string_equal(line.sent, "10000:\r 12000:\r 16500:\r 16600:\r ");
	assert_string_equal(TX(0, DUE_LATE), "0.000000");
	assert_string_equal(TX(2, DUE_LATE), "2.500000");
	end();
}

static void test_blocked_line(void **state)
{
	(void)state;
	begin("W", "(aEW)", "", 1);
	until(0);
	line.full = true;
	says(0, "OK");
	until(500);
	assert_int_equal(user->state, RTE_U_BLOCKED);
	line.full = false;
	rte_user_ready(user, RTE_WATCH_WRITE, now_ns);
	/* the key counts from when the line had it, and the next one is not late by that */
	until(700);
	assert_string_equal(line.sent, "10500:a 10600:\r ");
	assert_int_equal(user->blocked_ns, 500 * MS);
	assert_int_equal(user->typist.restarts, 0);
	end();

	/* to its end: the time-out of what it takes nothing of */
	begin("W", "(aEW)", "", 1);
	until(0);
	line.full = true;
	says(0, "OK");
	until(4999);
	assert_int_equal(user->state, RTE_U_BLOCKED);
	until(5001);
	assert_non_null(strstr(TX(0, DETAIL), "the SUT has taken nothing of what is typed for 5s"));
	assert_string_equal(SES(0, 22), "5.000000");
	assert_int_equal(rte_stat_get(&worker->stats.blocked_ns), 5000 * MS);
	end();
}

static void test_answers_are_no_input(void **state)
{
	(void)state;
	begin("W", "(EW)", "", 1);
	until(0);
	says(0, "OK");
	says(100, "\033[3;5H\033[6n");
	assert_non_null(strstr(line.sent, "10100:\033[3;5R"));
	assert_int_equal(user->tx.keys, 1);
	assert_int_equal(user->input_ns, 10 * S);
	end();
}

static void test_midway(void **state)
{
	(void)state;
	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	/* an open synchronised update hides the text, for 150 ms at most */
	says(50, "\033[?2026h\033[3;1HOK");
	assert_int_equal(user->state, RTE_U_WAITING);
	says(100, "\033[?2026l");
	assert_int_equal(user->state, RTE_U_THINKING);
	end();

	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[?2026h\033[3;1HOK");
	until(199);
	assert_int_equal(user->state, RTE_U_WAITING);
	until(200);
	assert_int_equal(user->state, RTE_U_THINKING);
	end();
}

/* A person sees what a synchronised update paints when it closes: the response ends then. */
static void test_update_ends_response(void **state)
{
	(void)state;
	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[3;1HOK");
	says(80, "\033[?2026h\033[4;1Htotal");
	says(100, " 5");
	/* settled but for the update that is open */
	until(190);
	assert_string_equal(rows(worker->tx_out), "");
	says(200, "\033[?2026l");
	until(300);
	assert_string_equal(TX(0, RESPONSE), "0.200000");
	assert_string_equal(TX(0, FIRST), "0.050000");
	assert_string_equal(TX(0, READY), "0.050000");
	/* and the think time counts from there */
	until(1199);
	assert_int_equal(user->state, RTE_U_THINKING);
	until(1201);
	assert_int_not_equal(user->state, RTE_U_THINKING);
	end();

	/* what came before an update in one read was seen at once; what came in an update that
	   changed nothing was not seen at all */
	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[3;1HOK\033[?2026h\0337");
	says(90, "\0338\033[?2026l");
	until(300);
	assert_string_equal(TX(0, RESPONSE), "0.050000");
	end();
}

/* An update that stays open is shown after 150 ms, and what comes then at once. */
static void test_update_left_open(void **state)
{
	(void)state;
	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[3;1HOK");
	says(80, "\033[?2026h\033[4;1Htotal");
	until(329);
	assert_string_equal(rows(worker->tx_out), "");
	until(331);
	assert_string_equal(TX(0, RESPONSE), "0.230000");
	end();

	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[3;1HOK");
	says(80, "\033[?2026h\033[4;1Htotal");
	says(250, "\033[5;1Hmore");
	until(400);
	assert_string_equal(TX(0, RESPONSE), "0.250000");
	end();

	/* one update after the other, each read in the middle of one: each begins its own 150 ms */
	begin("W", "(EW)T", "", 1);
	until(0);
	says(0, "OK");
	says(50, "\033[?2026h\033[4;1H1");
	says(150, "\033[?2026l\033[?2026h\033[4;1H2");
	says(250, "\033[3;1HOK");
	assert_int_equal(user->state, RTE_U_WAITING);
	says(299, "\033[?2026l");
	until(500);
	assert_string_equal(TX(0, RESPONSE), "0.299000");
	end();
}

/* Stopping is gentle: what is begun is finished without thinking, then logout. */
static void test_stop(void **state)
{
	(void)state;
	begin("W", "(EW)T", "z", RTE_UNSET);
	until(0);
	says(0, "OK");
	until(20);
	rte_user_stop(user, now_ns);
	assert_int_equal(user->state, RTE_U_WAITING);
	says(60, "\033[3;1HOK");
	until(400);
	assert_non_null(strstr(script.log, "out1.1 "));
	hangs_up(500);
	assert_int_equal(user->state, RTE_U_DONE);
	assert_string_equal(SES(0, 5), "logout");
	end();

	begin("W", "(EW)T", "z", RTE_UNSET);
	until(0);
	says(0, "OK");
	says(60, "\033[3;1HOK");
	until(500);
	assert_int_equal(user->state, RTE_U_THINKING);
	rte_user_stop(user, now_ns);
	assert_non_null(strstr(script.log, "out1.1 "));
	end();

	/* In the middle of its pace: the first key of logout was not due before. */
	begin("W", "(EW)", "z", RTE_UNSET);
	assert_int_equal(b_dist_parse(&w.pacing, "2s", NULL), 0);
	until(0);
	says(0, "OK");
	says(10, "\033[3;1HOK");
	until(1500);
	assert_int_equal(user->state, RTE_U_PACING);
	rte_user_stop(user, now_ns);
	until(1600);
	assert_string_equal(line.sent, "10000:\r 11500:z ");
	assert_int_equal(user->late_ns, 0);
	end();
}

static void test_cut_off(void **state)
{
	(void)state;
	begin("W", "(EW)", "", 1);
	until(0);
	says(0, "OK");
	until(50);
	rte_user_kill(user, "the run was stopped", now_ns);
	assert_string_equal(TX(0, STATUS), "unfinished");
	assert_string_equal(TX(0, COUNTED), "0");
	assert_string_equal(SES(0, 5), "aborted");
	assert_int_equal(user->state, RTE_U_DONE);
	assert_int_equal(worker->n_left, 0);
	end();

	/* A script that stops by itself leaves nothing unfinished behind. */
	begin("W", "(EW)", "", 1);
	until(0);
	says(0, "OK");
	until(50);
	assert_int_equal(rte_user_host.tx_end(user, RTE_FAIL_LEFT, NULL, NULL), B_OK);
	assert_string_equal(TX(0, STATUS), "aborted");
	assert_string_equal(TX(0, COUNTED), "0");
	end();
}

/* A transaction without input counts from its beginning. */
static void test_transaction_that_only_waits(void **state)
{
	(void)state;
	begin("(W)", "", "", 1);
	until(0);
	says(250, "OK");
	until(400);
	assert_string_equal(TX(0, START), "10.000000");
	assert_string_equal(TX(0, RESPONSE), "0.250000");
	assert_string_equal(TX(0, KEYING), "");
	assert_string_equal(TX(0, KEYS), "0");
	end();
}

static int setup(void **state)
{
	(void)state;
	if (mkstemp(tx_path) < 0 || mkstemp(session_path) < 0)
		return -1;
	ok_cond = vs_cond_new(VS_COND_TEXT);
	vs_cond_text_set(ok_cond, "OK", 2);
	bye_cond = vs_cond_new(VS_COND_TEXT);
	vs_cond_text_set(bye_cond, "BYE", 3);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	vs_cond_free(ok_cond);
	vs_cond_free(bye_cond);
	return remove(tx_path) || remove(session_path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_and_response),
		cmocka_unit_test(test_accounts),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_came_before),
		cmocka_unit_test(test_bell_and_nothing),
		cmocka_unit_test(test_unsettled),
		cmocka_unit_test(test_timeout_restarts),
		cmocka_unit_test(test_on_error),
		cmocka_unit_test(test_gives_up),
		cmocka_unit_test(test_connect_refused),
		cmocka_unit_test(test_hang_up),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_pacing),
		cmocka_unit_test(test_blocked_line),
		cmocka_unit_test(test_answers_are_no_input),
		cmocka_unit_test(test_midway),
		cmocka_unit_test(test_update_ends_response),
		cmocka_unit_test(test_update_left_open),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_cut_off),
		cmocka_unit_test(test_transaction_that_only_waits),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
