/* Runs as they come: whole, killed, without this or that; which rows count; verdicts. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "report/report.h"
#include "report/run.h"
#include "tests/unit/rp_dir.h"

static void near(double is, double want, double tolerance)
{
	if (!(fabs(is - want) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", is, want, tolerance);
}

/* n counted rows, evenly over the interval, responses 1 ms .. n ms in a scrambled order. */
static void even_rows(FILE *f, const char *name, int n)
{
	for (int i = 0; i < n; i++) {
		struct rp_row w = { .start_s = 11 + 58.0 * i / n,
			.name = name,
			.counted = 1,
			.response_s = (1 + (i * 37) % n) * 0.001,
			.keying_s = 0.5,
			.think_s = 1 };

		rp_dir_row(f, &w);
	}
}

static void only_counted_rows_enter(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_row out = { .start_s = 5, .phase = "warmup", .response_s = 9 };
	struct rp_row cut = { .start_s = 69.9, .response_s = 8 };
	struct rp_row late = { .start_s = 69, .status = "timeout", .response_s = -1 };
	struct rp_row failed = { .start_s = 30, .status = "check", .counted = 1, .response_s = 7 };
	struct rp_row silent = { .start_s = 31, .counted = 1, .response_s = -1 };
	struct rp_row open = { .start_s = 40, .status = "unfinished", .response_s = -1 };
	const struct rp_group *g;
	struct rp_run *r;

	even_rows(f, "query", 101);
	rp_dir_row(f, &out);
	rp_dir_row(f, &cut);
	rp_dir_row(f, &late);
	rp_dir_row(f, &failed);
	rp_dir_row(f, &silent);
	rp_dir_row(f, &open);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, NULL);
	g = rp_group_find(r, "query");
	assert_non_null(g);
	assert_int_equal(g->n_ok, 102);
	assert_int_equal(g->measure[RP_RESPONSE].n, 101); /* without an answer: no sample */
	near(g->measure[RP_RESPONSE].max_s, 0.101, 1e-9);
	near(g->measure[RP_RESPONSE].mean_s, 0.051, 1e-9);
	near(g->measure[RP_FIRST].mean_s, 0.0255, 1e-6);
	assert_int_equal(g->n_failed, 1);
	assert_int_equal(g->n_status[RP_CHECK], 1);
	assert_int_equal(g->n_unfinished, 1);
	assert_int_equal(g->n_edge, 1);
	assert_int_equal(g->n_edge_failed, 1);
	assert_int_equal(g->n_logged, 107);
	near(g->rate_per_s, 102 / 60.0, 1e-9);
	near(rp_interval_s(r), 60, 1e-9);
	rp_run_free(r);
}

static void groups_and_all(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	even_rows(f, "zebra", 30);
	even_rows(f, "ant", 90);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, NULL);
	assert_int_equal(r->n_groups, 2);
	assert_string_equal(r->groups[0].name, "ant"); /* by name, not by appearance */
	assert_int_equal(r->groups[0].n_ok, 90);
	near(r->groups[0].measure[RP_RESPONSE].max_s, 0.090, 1e-9);
	near(r->groups[1].measure[RP_RESPONSE].max_s, 0.030, 1e-9);
	near(r->groups[0].share, 0.75, 1e-9);
	assert_int_equal(r->all.n_ok, 120);
	/* 1..30 twice and 31..90: rank 108 of 120 is 78 */
	near(r->all.measure[RP_RESPONSE].p[RP_P90].s, 0.078, 1e-9);
	/* series follow the names, too */
	assert_string_equal(r->groups[r->series.group[1]].name, "ant");
	rp_run_free(r);
}

static void another_interval(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_load_options opt = { .from_set = true, .from_s = 20, .to_set = true, .to_s = 30 };
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_row in = { .start_s = 21, .response_s = 1, .keying_s = 1 }; /* begins at 20 */
	struct rp_row before = { .start_s = 21, .counted = 1, .response_s = 2, .keying_s = 1.001 };
	struct rp_row after = { .start_s = 29, .counted = 1, .response_s = 1.001, .keying_s = 0 };
	struct rp_row edge = { .start_s = 29, .response_s = 1, .keying_s = 0 }; /* ends at 30 */
	struct rp_run *r;

	rp_dir_row(f, &in);
	rp_dir_row(f, &before);
	rp_dir_row(f, &after);
	rp_dir_row(f, &edge);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, &opt);
	assert_true(r->interval_chosen);
	assert_int_equal(r->all.n_ok, 2);
	near(r->all.measure[RP_RESPONSE].max_s, 1, 1e-9);
	assert_int_equal(r->all.n_edge, 1);
	near(rp_interval_s(r), 10, 1e-9);
	rp_run_free(r);
	opt.from_s = RP_EPOCH + 20; /* since the epoch */
	opt.to_s = RP_EPOCH + 30;
	r = rp_dir_load(d, &opt);
	assert_int_equal(r->all.n_ok, 2);
	rp_run_free(r);
	opt.to_set = false; /* to the end of the log */
	r = rp_dir_load(d, &opt);
	assert_int_equal(r->all.n_ok, 3);
	rp_run_free(r);
}

static void an_empty_interval_is_refused(void **state)
{
	const struct rp_dir *d = *state;
	struct rp_load_options opt = { .from_set = true, .from_s = 30, .to_set = true, .to_s = 30 };
	struct b_error err = { 0 };
	struct rp_run *r = NULL;

	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	assert_int_equal(rp_run_load(&r, d->path, &opt, &err), B_EUSAGE);
	assert_null(r);
}

static void killed_without_json(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	even_rows(f, "query", 200);
	fputs("1796000069.1,1,1,7,s,que", f); /* cut off */
	fclose(f);
	rp_dir_write(d, RUNDIR_RUN_JSON, "{\"format\":1,\"outco");
	r = rp_dir_load(d, NULL);
	assert_int_equal(r->all.n_ok, 200);
	assert_int_equal(r->truncated_rows, 1);
	assert_true(r->json_problem.code != 0);
	assert_false(r->valid);
	near(rp_interval_s(r), 58.2, 0.5); /* from the counted rows */
	assert_int_equal(rp_run_exit(r), B_EXIT_OK);
	rp_run_free(r);
}

static void interval_from_timeline(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	even_rows(f, "query", 200);
	fclose(f);
	f = rp_dir_open(d, RUNDIR_TIMELINE_CSV);
	fputs("time,phase,late_p99_s,cpu_driver\n", f);
	for (int i = 1; i <= 40; i++)
		fprintf(f, "%.6f,%s,%g,0.5\n", RP_EPOCH + i, i <= 10 ? "warmup" : "measure",
			i == 20 ? 0.030 : 0.001);
	fclose(f);
	rp_dir_write(d, RUNDIR_RUN_JSON, "{\"outcome\":\"running\",\"started_s\":1796000000}");
	r = rp_dir_load(d, NULL);
	near(r->from_s, 10, 1e-6);
	assert_true(r->interval_open);
	assert_true(r->driver.late_from_timeline);
	near(r->driver.late_p99_s, 0.030, 1e-6); /* the worst second */
	near(r->driver.cpu_mean, 0.5, 1e-6);
	assert_int_equal(rp_dir_check(r, "lateness")->level, RP_WARNING);
	rp_run_free(r);
}

static void nothing_at_all(void **state)
{
	const struct rp_dir *d = *state;
	struct b_error err = { 0 };
	struct rp_run *r = NULL;

	assert_int_equal(rp_run_load(&r, d->path, NULL, &err), B_ENOTFOUND);
	assert_int_equal(rp_run_load(&r, "/nonexistent/run", NULL, &err), B_ENOTFOUND);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_run_exit(r), B_EXIT_FAILED); /* nothing was measured */
	assert_false(r->valid);
	rp_run_free(r);
}

static void a_foreign_log_is_refused(void **state)
{
	const struct rp_dir *d = *state;
	struct b_error err = { 0 };
	struct rp_run *r = NULL;

	rp_dir_write(d, RUNDIR_TRANSACTIONS_CSV, "a,b,c\n1,2,3\n");
	assert_int_equal(rp_run_load(&r, d->path, NULL, &err), B_EINPUT);
	assert_non_null(strstr(err.text, RUNDIR_TRANSACTIONS_CSV));
}

static void failures_by_kind(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_row a = { .start_s = 20,
		.status = "timeout",
		.counted = 1,
		.response_s = -1,
		.detail = "s.lua:3: \"Balance\" at row 12" };
	struct rp_row b = { .start_s = 30,
		.status = "disconnect",
		.counted = 1,
		.response_s = -1,
		.detail = "closed" };
	struct rp_run *r;
	FILE *j;

	even_rows(f, "query", 100);
	for (int i = 0; i < 3; i++)
		rp_dir_row(f, &a);
	rp_dir_row(f, &b);
	fclose(f);
	j = rp_dir_open(d, RUNDIR_RUN_JSON);
	fprintf(j,
		"{\"outcome\":\"finished\",\"started_s\":%.1f,\"errors\":["
		"{\"kind\":\"timeout\",\"transaction\":\"query\",\"expected\":\"\\\"Balance\\\" at row 12\","
		"\"screen\":\"failures/1.txt\",\"count\":3},"
		"{\"kind\":\"connect\",\"transaction\":\"\",\"expected\":\"refused\",\"count\":2}],"
		"\"phases\":[{\"name\":\"measure\",\"start_s\":%.1f,\"end_s\":%.1f}]}",
		RP_EPOCH, RP_EPOCH + 10, RP_EPOCH + 70);
	fclose(j);
	r = rp_dir_load(d, NULL);
	assert_int_equal(r->n_failures, 3);
	assert_string_equal(r->failures[0].kind, "timeout");
	assert_int_equal(r->failures[0].n, 3);
	assert_string_equal(r->failures[0].screen, "failures/1.txt");
	assert_string_equal(r->failures[1].kind, "disconnect");
	assert_null(r->failures[1].screen);
	assert_string_equal(r->failures[2].kind, "connect"); /* no row speaks of it */
	assert_int_equal(rp_dir_check(r, "failures")->level, RP_BAD);
	rp_run_free(r);
}

/* actions: JSON objects, their times 1 to 999 s of the run. */
static struct rp_run *steered(const struct rp_dir *d, const char *actions)
{
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV), *j;

	even_rows(f, "query", 200);
	fclose(f);
	j = rp_dir_open(d, RUNDIR_RUN_JSON);
	fprintf(j,
		"{\"outcome\":\"finished\",\"started_s\":%.1f,\"actions\":[%s],"
		"\"config\":{\"think\":\"const:0.5\"}," /* it was a second */
		"\"phases\":[{\"name\":\"measure\",\"start_s\":%.1f,\"end_s\":%.1f}]}",
		RP_EPOCH, actions, RP_EPOCH + 10, RP_EPOCH + 70);
	fclose(j);
	return rp_dir_load(d, NULL);
}

/* The sheet says that somebody steered; and warns where it is in the figures. */
static void steering_is_in_the_sheet(void **state)
{
	static const struct {
		const char *actions;
		enum rp_level level;
		size_t inside;
		double paused_s;
		const char *says;
	} cases[] = {
		{ "{\"at_s\":1796000005,\"action\":\"users 9\",\"by\":\"ctl\"}", RP_NOTE, 0, 0,
			"1 time by a person: users 9 at 5s" },
		{ "{\"at_s\":1796000040,\"action\":\"users 9\",\"by\":\"ctl\"}", RP_WARNING, 1, 0,
			"1 changed the load within the interval" },
		/* paused before the interval, until 12 s of it are over; once more, over its end */
		{ "{\"at_s\":1796000004,\"action\":\"pause\",\"by\":\"display\"},"
		  "{\"at_s\":1796000022,\"action\":\"resume\",\"by\":\"display\"},"
		  "{\"at_s\":1796000060,\"action\":\"pause\",\"by\":\"display\"},"
		  "{\"at_s\":1796000090,\"action\":\"stop\",\"by\":\"signal\"}",
			RP_WARNING, 2, 22, "paused for 22s of it" },
		{ "{\"at_s\":1796000010,\"action\":\"next\",\"by\":\"ctl\"},"
		  "{\"at_s\":1796000070,\"action\":\"next\"}",
			RP_NOTE, 0, 0, "2 times by a person: next at 10s, next at 1m10s" },
		/* what a stop condition does is told by the outcome */
		{ "{\"at_s\":1796000005,\"action\":\"users 9\",\"by\":\"ctl\"},"
		  "{\"at_s\":1796000070,\"action\":\"stop\",\"by\":\"condition\"}",
			RP_NOTE, 0, 0, "1 time by a person: users 9 at 5s" },
	};
	const struct rp_dir *d = *state;

	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct rp_run *r = steered(d, cases[i].actions);
		const struct rp_check *c = rp_dir_check(r, "steered");

		assert_int_equal(c->level, cases[i].level);
		assert_int_equal(r->n_inside, cases[i].inside);
		assert_true(fabs(r->paused_s - cases[i].paused_s) < 1e-6);
		if (!strstr(c->text, cases[i].says))
			fail_msg("'%s' does not say '%s'", c->text, cases[i].says);
		/* A pause makes think times longer, and is no fault of the driver. */
		c = rp_dir_check(r, "think times");
		assert_int_equal(c->level, cases[i].paused_s > 0 ? RP_NOTE : RP_WARNING);
		assert_int_equal(!!strstr(c->text, "the run was paused"), cases[i].paused_s > 0);
		rp_run_free(r);
	}
}

static void iterations_are_counted_once(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_open(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	fputs("start,user,session,iteration,transaction,phase,counted,status,response_s\n", f);
	fprintf(f, "%.3f,1,1,1,a,measure,1,ok,0.1\n", RP_EPOCH + 20);
	fprintf(f, "%.3f,2,1,0,login,measure,1,ok,0.1\n", RP_EPOCH + 20.05); /* is in none */
	fprintf(f, "%.3f,2,1,1,a,measure,1,ok,0.1\n", RP_EPOCH + 20.1);
	fprintf(f, "%.3f,1,1,1,b,measure,1,ok,0.1\n", RP_EPOCH + 20.2);
	fprintf(f, "%.3f,1,1,2,a,measure,1,ok,0.1\n", RP_EPOCH + 20.3);
	fprintf(f, "%.3f,1,2,0,login,measure,1,ok,0.1\n", RP_EPOCH + 20.35);
	fprintf(f, "%.3f,1,2,2,a,measure,1,ok,0.1\n", RP_EPOCH + 20.4); /* a new session */
	fprintf(f, "%.3f,1,2,0,logout,measure,1,ok,0.1\n", RP_EPOCH + 20.5);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 2, "");
	r = rp_dir_load(d, NULL);
	assert_int_equal(r->iterations, 4);
	assert_int_equal(r->n_users_seen, 2);
	rp_run_free(r);
}

static void time_accounts(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_open(d, RUNDIR_SESSIONS_CSV);
	struct rp_run *r;

	fputs(RUNDIR_SESSIONS_COLUMNS "\n", f);
	fprintf(f, "%.6f,2,1,s,t,logout,,4,10,1,1,1,1,1,1,1,1,1,0,1,0.5,0,0\n", RP_EPOCH);
	fprintf(f, "%.6f,1,1,s,t,restart,,2,5,1,0,0,2,0,1,0,0,0,1,0,0,0,0\n", RP_EPOCH);
	fprintf(f, "%.6f,1,2,s,t,logout,,3,7,1,0,0,2,0,3,0,0,0,0,0,0,0,0\n", RP_EPOCH);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 2, "");
	r = rp_dir_load(d, NULL);
	assert_int_equal(r->sessions.n, 3);
	assert_int_equal(r->sessions.iterations, 9);
	assert_int_equal(r->sessions.n_users, 2);
	assert_int_equal(r->sessions.users[0].user, 1);
	assert_int_equal(r->sessions.users[0].sessions, 2);
	near(r->sessions.users[0].duration_s, 12, 1e-9);
	near(r->sessions.users[0].part_s[RP_AC_THINK], 4, 1e-9);
	near(r->sessions.duration_s, 22, 1e-9);
	near(r->sessions.part_s[RP_AC_OTHER], 1, 1e-9);
	near(r->sessions.unexplained_s, 1, 1e-9); /* the last session's parts make 6 of 7 */
	assert_int_equal(r->sessions.n_ends, 2);
	near(r->sessions.connect.max_s, 1, 1e-9);
	rp_run_free(r);
}

/* ---- Verdicts ------------------------------------------------------------------------------- */

static void valid_run(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	even_rows(f, "query", 1000);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, NULL);
	for (size_t i = 0; i < r->n_checks; i++)
		if (r->checks[i].level == RP_BAD)
			fail_msg("%s: %s", r->checks[i].name, r->checks[i].text);
	assert_true(r->valid);
	assert_int_equal(rp_run_exit(r), B_EXIT_OK);
	rp_run_free(r);
}

static void late_driver_is_4(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	even_rows(f, "query", 1000);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"lateness_bad_s\":0.001,\"lateness_warn_s\":0.0005");
	r = rp_dir_load(d, NULL);
	assert_false(r->valid);
	assert_int_equal(rp_run_exit(r), B_EXIT_INVALID);
	rp_run_free(r);
}

static void unfinished_is_invalid_and_strict_is_1(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_load_options strict = { .strict = true };
	struct rp_row open = { .start_s = 40, .status = "unfinished", .response_s = -1 };
	struct rp_run *r;

	even_rows(f, "query", 980);
	for (int i = 0; i < 20; i++)
		rp_dir_row(f, &open);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_dir_check(r, "unfinished")->level, RP_BAD);
	assert_int_equal(rp_run_exit(r), B_EXIT_OK);
	rp_run_free(r);
	r = rp_dir_load(d, &strict);
	assert_int_equal(rp_run_exit(r), B_EXIT_FAILED);
	rp_run_free(r);
}

/* The response grows through the interval: nobody may call that a steady state. */
static void drift_is_invalid(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	for (int i = 0; i < 2000; i++) {
		struct rp_row w = { .start_s = 11 + 0.029 * i,
			.counted = 1,
			.response_s = 0.2 + 0.0002 * i + 0.001 * (i % 7) };

		rp_dir_row(f, &w);
	}
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_dir_check(r, "steady response")->level, RP_BAD);
	assert_int_equal(rp_dir_check(r, "steady rate")->level, RP_FINE);
	rp_run_free(r);
}

static void think_and_typing_against_what_was_asked(void **state)
{
	const struct rp_dir *d = *state;
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_run *r;

	even_rows(f, "query", 1000); /* think 1 s, keying 0.5 s for 5 keys */
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"think\":\"const:1\",\"typing\":\"cps:8\"");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_dir_check(r, "think times")->level, RP_FINE);
	assert_int_equal(rp_dir_check(r, "typing")->level, RP_FINE); /* 0.125 s a gap */
	rp_run_free(r);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"think\":\"exp:1\",\"typing\":\"cps:5\"");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_dir_check(r, "think shape")->level, RP_WARNING); /* the mean is right */
	assert_int_equal(rp_dir_check(r, "think times")->level, RP_FINE);
	assert_int_equal(rp_dir_check(r, "typing")->level, RP_WARNING);
	rp_run_free(r);

	/* exp:1, none shorter than the gap between two keys: as it must be */
	f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	for (int i = 0; i < 1000; i++) {
		struct rp_row w = { .start_s = 11 + 58.0 * i / 1000,
			.counted = 1,
			.response_s = 0.01,
			.keying_s = 0.5,
			.think_s = fmax(0.126, -log((i * 37 % 1000 + 0.5) / 1000)) };

		rp_dir_row(f, &w);
	}
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"think\":\"exp:1\",\"typing\":\"cps:8\"");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_dir_check(r, "think shape")->level, RP_FINE);
	rp_run_free(r);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, ",\"think\":\"exp:1\",\"typing\":\"cps:100\"");
	r = rp_dir_load(d, NULL);
	assert_int_equal(rp_dir_check(r, "think shape")->level, RP_WARNING);
	rp_run_free(r);
}

static void rules(void **state)
{
	static const char *const names[] = { "New-Order", "payment", "ORDER_STATUS", "Delivery",
		"stock level" };
	static const int n[] = { 450, 430, 40, 40, 40 };
	const struct rp_dir *d = *state;
	struct rp_load_options opt = { .rules = "tpc-c" };
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct b_error err = { 0 };
	double before = 0;
	size_t bad = 0;
	struct rp_run *r;

	for (size_t k = 0; k < 5; k++) {
		for (int i = 0; i < n[k]; i++) {
			struct rp_row w = { .start_s = 30 + 0.03 * i,
				.name = names[k],
				.counted = 1,
				.response_s = 0.5,
				.keying_s = k == 4 ? 1.9 : 18,
				.think_s = 12 };

			rp_dir_row(f, &w);
		}
	}
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 1, "");
	r = rp_dir_load(d, &opt);
	for (size_t i = 0; i < r->n_checks; i++) {
		if (r->checks[i].level != RP_BAD || strstr(r->checks[i].name, "steady"))
			continue;
		bad++;
		assert_string_equal(r->checks[i].name, "stock level");
		assert_non_null(strstr(r->checks[i].text, "keying"));
	}
	assert_int_equal(bad, 1);
	assert_int_equal(
		rp_dir_check(r, "interval")->level, RP_WARNING); /* a minute, not two hours */
	rp_run_free(r);

	/* Behind each the user thinks, in front of the menu: that is the time which the rules mean. */
	f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	for (int i = 0; i < 1000; i++) {
		size_t k = i % 100 < 44 ? 0 : i % 100 < 88 ? 1 : 2 + (size_t)(i % 3);
		struct rp_row menu = { .start_s = 11 + 0.05 * i,
			.name = "menu",
			.counted = 1,
			.response_s = 0.01,
			.keying_s = 0,
			.think_s = i ? before : 0 };
		struct rp_row w = { .start_s = 11.03 + 0.05 * i,
			.name = names[k],
			.counted = 1,
			.response_s = 0.01,
			.keying_s = 18,
			.think_s = 0 };

		before = k < 2 ? 12.5 : k == 2 ? 10.5 : k == 3 ? 5.5 : 4.5;
		rp_dir_row(f, &menu);
		rp_dir_row(f, &w);
	}
	fclose(f);
	r = rp_dir_load(d, &opt);
	bad = 0;
	for (size_t i = 0; i < r->n_checks; i++) {
		if (r->checks[i].level != RP_BAD || strstr(r->checks[i].name, "steady"))
			continue;
		bad++;
		assert_string_equal(r->checks[i].name, "stock level");
		assert_string_equal(
			r->checks[i].text, "think time after it 4.50s on average, 5s or more");
	}
	assert_int_equal(bad, 1);
	near(rp_group_find(r, "New-Order")->think_after_sum_s /
			(double)rp_group_find(r, "New-Order")->n_think_after,
		12.5, 1e-9);
	rp_run_free(r);
	opt.rules = "tpc-x";
	assert_int_equal(rp_run_load(&r, d->path, &opt, &err), B_EUSAGE);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, rp_dir_setup, rp_dir_teardown)
	const struct CMUnitTest tests[] = { T(only_counted_rows_enter), T(groups_and_all),
		T(another_interval), T(an_empty_interval_is_refused), T(killed_without_json),
		T(interval_from_timeline), T(nothing_at_all), T(a_foreign_log_is_refused),
		T(failures_by_kind), T(steering_is_in_the_sheet), T(iterations_are_counted_once),
		T(time_accounts), T(valid_run), T(late_driver_is_4),
		T(unfinished_is_invalid_and_strict_is_1), T(drift_is_invalid),
		T(think_and_typing_against_what_was_asked), T(rules) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
