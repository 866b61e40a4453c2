/*
 * tests/unit/user_seams.h - what stands around one user in its test: a clock of the test's own, a
 * line that is an array, an actor written in C. Included by that test alone.
 *
 * The functions of rte/script.h and line/line.h that rte/user*.c calls, and the clock, are
 * defined here; nothing of Lua, ptys or sockets is linked.
 */
#ifndef TESTS_UNIT_USER_SEAMS_H
#define TESTS_UNIT_USER_SEAMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "base/mem.h"
#include "line/line.h"
#include "rte/roles.h"
#include "rte/run.h"
#include "rte/script_test.h"
#include "rte/user.h"
#include "rte/worker.h"

#define MS B_NS_PER_MS
#define S  B_NS_PER_S

/* ---- The clock ------------------------------------------------------------------------------ */

static int64_t now_ns;

int64_t b_clock_mono_ns(void)
{
	return now_ns;
}

int64_t b_clock_wall_ns(void)
{
	return now_ns;
}

void b_clock_iso8601(int64_t wall_ns, char out[32])
{
	snprintf(out, 32, "%lld", (long long)wall_ns);
}

/* ---- The line --------------------------------------------------------------------------------- */

static struct {
	char sent[1000]; /* "12340:a " a write: ms and bytes */
	size_t len;
	const char *incoming; /* read next */
	bool eof, refuse, full;
	int opened, closed;
} line;

struct ln_target {
	int unused;
};
struct ln_line {
	int unused;
};

static struct ln_target the_target;

const char *ln_target_text(const struct ln_target *t)
{
	(void)t;
	return "fake:";
}

int ln_open(struct ln_line **out, const struct ln_options *opt, struct b_error *err)
{
	(void)opt;
	line.opened++;
	if (line.refuse)
		return b_error_set(err, B_EENV, "nobody listens");
	line.eof = line.full = false;
	*out = b_calloc(1, sizeof **out);
	return B_OK;
}

enum ln_state ln_line_state(const struct ln_line *l)
{
	(void)l;
	return LN_OPEN;
}

bool ln_line_is_stopped(struct ln_line *l)
{
	(void)l;
	return false;
}

int ln_line_fd(const struct ln_line *l)
{
	(void)l;
	return -1;
}

unsigned ln_line_wants(const struct ln_line *l)
{
	(void)l;
	return 0;
}

int ln_line_drive(struct ln_line *l, struct b_error *err)
{
	(void)l;
	(void)err;
	return B_OK;
}

int64_t ln_line_due_ns(const struct ln_line *l)
{
	(void)l;
	return -1;
}

ssize_t ln_line_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	size_t n;

	(void)l;
	(void)err;
	if (!line.incoming)
		return line.eof ? B_EOF : B_EAGAIN;
	n = strlen(line.incoming);
	assert_true(n <= cap);
	memcpy(buf, line.incoming, n);
	line.incoming = NULL;
	return (ssize_t)n;
}

int64_t ln_line_came_ns(const struct ln_line *l)
{
	(void)l;
	return now_ns;
}

ssize_t ln_line_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	(void)l;
	(void)err;
	if (line.full)
		return 0;
	line.len += (size_t)snprintf(line.sent + line.len, sizeof line.sent - line.len,
		"%lld:%.*s ", (long long)(now_ns / MS), (int)len, bytes);
	return (ssize_t)len;
}

int ln_line_resize(struct ln_line *l, int rows, int cols)
{
	(void)l;
	(void)rows;
	(void)cols;
	return B_OK;
}

int ln_line_break(struct ln_line *l, struct b_error *err)
{
	(void)l;
	(void)err;
	return B_OK;
}

void ln_line_close(struct ln_line *l)
{
	(void)l;
	line.closed++;
}

int ln_line_reap(struct ln_line *l, int *status)
{
	(void)l;
	(void)status;
	return B_ENOTFOUND;
}

void ln_line_kill(struct ln_line *l, int sig)
{
	(void)l;
	(void)sig;
}

void ln_line_free(struct ln_line *l)
{
	free(l);
}

/* ---- The script --------------------------------------------------------------------------------- */

/* A program of one character a step; see next(). */
struct rte_actor {
	void *host;
	const char *login, *iteration, *logout;
	const char *pc;
	int64_t iterations;
	char log[400]; /* what it was told */
};

struct rte_lua {
	int unused;
};
struct rte_script {
	int unused;
};

static struct rte_actor script;
static struct vs_cond *ok_cond, *bye_cond;
static struct b_dist one_second = { .kind = B_DIST_CONST, .p = { 1 } };

static void note(const char *text)
{
	size_t len = strlen(script.log);

	snprintf(script.log + len, sizeof script.log - len, "%s", text);
}

/*
 * a-z types it; E presses Enter; W waits for OK; B waits for BYE; T thinks for a second; P pauses
 * for a second; ( and ) begin and end transaction "tx"; ! raises; c a soft check that fails.
 */
static void next(struct rte_ask *ask)
{
	*ask = (struct rte_ask){ .timeout_ns = -1, .recorded_ns = -1 };
	for (;;) {
		char step = *script.pc ? *script.pc++ : 0;

		switch (step) {
		case 0: ask->kind = RTE_ASK_DONE; return;
		case '(':
			assert_int_equal(rte_user_host.tx_begin(script.host, "tx", NULL, NULL), 0);
			continue;
		case ')':
			assert_int_equal(
				rte_user_host.tx_end(script.host, RTE_FAIL_NONE, NULL, NULL), 0);
			continue;
		case 'c': rte_user_host.check_failed(script.host, "wrong total", false); continue;
		case 'E':
			ask->kind = RTE_ASK_RAW;
			ask->bytes = "\r";
			ask->len = 1;
			return;
		case 'W':
		case 'B':
			ask->kind = RTE_ASK_EXPECT;
			ask->cond = step == 'W' ? ok_cond : bye_cond;
			return;
		case 'T':
		case 'P':
			ask->kind = step == 'T' ? RTE_ASK_THINK : RTE_ASK_PAUSE;
			ask->dist = &one_second;
			return;
		case '!':
			ask->kind = RTE_ASK_FAILED;
			ask->fail = RTE_FAIL_ERROR;
			ask->error = "script.lua:7: boom";
			return;
		default: {
			size_t n = strspn(script.pc, "abdefghijklmnopqrstuvwxyz");

			ask->kind = RTE_ASK_SEND;
			ask->bytes = script.pc - 1;
			ask->len = n + 1;
			script.pc += n;
			return;
		}
		}
	}
}

void rte_actor_start(struct rte_actor *a, enum rte_part part, const char *function,
	int64_t iteration, int64_t session, struct rte_ask *ask)
{
	char text[64];

	(void)function;
	snprintf(text, sizeof text, "%s%lld.%lld ",
		part == RTE_PART_LOGIN            ? "in"
			: part == RTE_PART_LOGOUT ? "out"
						  : "it",
		(long long)session, (long long)iteration);
	note(text);
	a->pc = part == RTE_PART_LOGIN    ? a->login
		: part == RTE_PART_LOGOUT ? a->logout
					  : a->iteration;
	next(ask);
}

void rte_actor_resume(struct rte_actor *a, const struct rte_reply *reply, struct rte_ask *ask)
{
	static char error[300];

	(void)a;
	if (!reply->fail) {
		next(ask);
		return;
	}
	/* As Lua does: the transaction is closed while the error unwinds. */
	snprintf(error, sizeof error, "script.lua:3: %s", reply->error);
	if (((struct rte_user *)script.host)->tx.name)
		(void)!rte_user_host.tx_end(script.host, reply->fail, error, NULL);
	*ask = (struct rte_ask){ .kind = RTE_ASK_FAILED, .fail = reply->fail, .error = error };
}

void rte_actor_cancel(struct rte_actor *a)
{
	(void)a;
	if (script.host && ((struct rte_user *)script.host)->tx.name)
		(void)!rte_user_host.tx_end(script.host, RTE_FAIL_CANCEL, NULL, NULL);
}

int rte_actor_new(struct rte_lua *l, const struct rte_actor_options *opt, struct rte_actor **out,
	struct b_error *err)
{
	(void)l;
	(void)err;
	script.host = opt->host_user;
	*out = &script;
	return B_OK;
}

void rte_actor_free(struct rte_actor *a)
{
	if (a)
		a->host = NULL;
}

void rte_actor_test(struct rte_actor *a, size_t test, size_t row)
{
	(void)a;
	(void)test;
	(void)row;
}

void rte_actor_place(const struct rte_actor *a, const char **file, int *at)
{
	(void)a;
	*file = NULL;
	*at = 0;
}

size_t rte_actor_rules(const struct rte_actor *a)
{
	(void)a;
	return 0;
}

const struct vs_cond *rte_actor_rule(const struct rte_actor *a, size_t i)
{
	(void)a;
	(void)i;
	return NULL;
}

void rte_actor_rule_start(struct rte_actor *a, size_t i, struct rte_ask *ask)
{
	(void)a;
	(void)i;
	(void)ask;
}

int rte_lua_match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end)
{
	(void)user;
	(void)pattern;
	(void)pattern_len;
	(void)subject;
	(void)len;
	(void)from;
	(void)start;
	(void)end;
	return 0;
}

int rte_lua_new(struct rte_lua **out, const struct rte_lua_options *opt, struct b_error *err)
{
	(void)opt;
	(void)err;
	*out = NULL;
	return B_OK;
}

void rte_lua_free(struct rte_lua *l)
{
	(void)l;
}

int rte_script_load_set(struct rte_lua *l, const char *path, const char *const *sets, size_t n_sets,
	const struct vs_keymap *keymap, struct rte_script **out, struct b_error *err)
{
	(void)l;
	(void)path;
	(void)sets;
	(void)n_sets;
	(void)keymap;
	(void)err;
	*out = NULL;
	return B_OK;
}

/* ---- The house around the user ------------------------------------------------------------------ */

static struct rte_workload w;
static struct rte_shared shared;
static struct rte_role role;
static struct rte_worker *worker;
static struct rte_user *user;
static struct rte_writer *writer;
static char tx_path[] = "/tmp/rte-user-tx-XXXXXX", session_path[] = "/tmp/rte-user-ses-XXXXXX";

static void wake(void *arg)
{
	(void)arg;
}

static void begin(const char *login, const char *iteration, const char *logout, int64_t iterations)
{
	struct rte_worker_options opt = { .shared = &shared, .number = 1, .n_users = 1 };

	now_ns = 10 * S;
	memset(&line, 0, sizeof line);
	memset(&script, 0, sizeof script);
	script.login = login;
	script.iteration = iteration;
	script.logout = logout;
	rte_workload_init(&w);
	w.users = 1;
	w.iterations = iterations;
	w.timeout_ns = 5 * S;
	assert_int_equal(b_dist_parse(&role.typing, "cps:10", NULL), 0);
	role.path = role.name = "script";
	role.term = "xterm";
	role.rows = 24;
	role.cols = 80;
	role.target = &the_target;
	role.settle = (struct rte_settle){ 100 * MS, S };
	role.timeout_ns = 5 * S;
	memset(&shared, 0, sizeof shared);
	shared.w = &w;
	shared.roles = &role;
	shared.n_roles = 1;
	shared.failures = rte_failures_new(NULL);
	shared.barriers = rte_barriers_new(wake, NULL);
	shared.names = rte_names_new();
	shared.users_wanted = 1;
	rte_phases_plan(&shared.phases, &w, now_ns);
	assert_int_equal(rte_writer_new(&writer, NULL), 0);
	opt.writer = writer;
	opt.tx_file = rte_writer_file(writer, tx_path, "", NULL);
	opt.session_file = rte_writer_file(writer, session_path, "", NULL);
	assert_int_equal(rte_worker_new(&worker, &opt, NULL), 0);
	rte_worker_add(worker, 1, 0, now_ns);
	user = &worker->users[0];
}

static void end(void)
{
	rte_worker_free(worker);
	rte_writer_free(writer);
	rte_failures_free(shared.failures);
	rte_barriers_free(shared.barriers);
	rte_names_free(shared.names);
	b_dist_release(&role.typing);
	b_dist_release(&w.pacing);
	rte_workload_release(&w);
}

/* What became ready in a turn, as the worker does it. */
static void run_queue(void)
{
	while (worker->n_queue) {
		struct rte_user *u = worker->queue[--worker->n_queue];

		u->queued = false;
		rte_user_run(u, now_ns);
	}
}

/* Lets time pass to `ms` after the start; timers fire at their own times, exactly. */
static void until(int64_t ms)
{
	int64_t to = 10 * S + ms * MS;

	while (user->timer.due_ns != RTE_TIMER_OFF && user->timer.due_ns <= to) {
		struct rte_timer *t;
		int64_t due;

		if (user->timer.due_ns > now_ns)
			now_ns = user->timer.due_ns;
		t = rte_loop_due(worker->loop, now_ns, &due);
		assert_ptr_equal(t, &user->timer);
		t->fire(t, now_ns);
		run_queue();
	}
	now_ns = to;
}

/* The SUT writes at that time, and the line is watched. */
static void says(int64_t ms, const char *text)
{
	until(ms);
	rte_user_take(user, text, strlen(text), now_ns);
	run_queue();
}

static void hangs_up(int64_t ms)
{
	until(ms);
	line.eof = true;
	rte_user_eof(user, NULL, now_ns);
	run_queue();
}

/* The rows logged so far, one a line. */
static const char *rows(struct rte_outbox *o)
{
	return b_buf_cstr(rte_outbox_buf(o));
}

/* Field `k` (from 0) of row `row` of the log, which holds no quotes here. */
static const char *field(const char *log, int row, int k)
{
	static char out[8][200];
	static int turn;
	char *to = out[turn++ % 8];

	while (row-- > 0) {
		log = strchr(log, '\n');
		assert_non_null(log);
		log++;
	}
	while (k-- > 0)
		log = strchr(log, ',') + 1;
	snprintf(to, sizeof out[0], "%.*s", (int)strcspn(log, ",\n"), log);
	return to;
}

enum {
	START,
	USER,
	SESSION,
	ITERATION,
	SCRIPT,
	TX,
	PHASE,
	COUNTED,
	STATUS,
	RESPONSE,
	FIRST,
	READY,
	KEYING,
	THINK,
	DUE_LATE,
	ECHO_MEAN,
	ECHO_MAX,
	KEYS,
	IN,
	OUT,
	ENDED_BY,
	DETAIL
};

#define TX(row, k)  field(rows(worker->tx_out), row, k)
#define SES(row, k) field(rows(worker->session_out), row, k)

#endif
