/* Scripts as generators of asks: parts, waits, errors, ends. */
#include "tests/unit/script_host.h"

#define ITERATION(body) "function iteration() " body " end"

static void asks(void **state)
{
	(void)state;
	check_script(ITERATION("send('abc') press 'Enter' think()"),
		"send abc\npress Enter\nthink\ndone\n");
	check_script(ITERATION("send('abc', {120, 95}) send('x', 300) send(42)"),
		"send abc gaps=120,95\nsend x recorded=300\nsend 42\ndone\n");
	check_script(ITERATION("press('Enter', 850) press{'Tab', 'Up', count = 2, before = 5}"),
		"press Enter recorded=850\npress Tab recorded=5\npress Up recorded=5\n"
		"press Tab recorded=5\npress Up recorded=5\ndone\n");
	check_script(ITERATION("think(3.2) think 'exp:5' pause(0.5) pause 'uniform:1,2'"),
		"think recorded=3200\nthink exp:5\npause const:0.5\npause uniform:1,2\ndone\n");
	check_script(ITERATION("secret 'password' secret('pin', 1234) paste 'p' raw('\\27[A', 10)"),
		"send s3cret secret=password\nsend 1234 secret=pin\npaste p\n"
		"raw \033[A recorded=10\ndone\n");
	check_script(
		ITERATION("mouse{row=5,col=10} mouse{action='click',button='right',row=1,col=1}"),
		"mouse action=0 button=1 at=4,9\nmouse action=1 button=1 at=4,9\n"
		"mouse action=0 button=3 at=0,0\n"
		"mouse action=1 button=3 at=0,0\ndone\n");
	check_script(ITERATION("resize(100, 30) interact() barrier('b', {users=3, timeout='2s'})"),
		"resize 100x30\ninteract\nbarrier b timeout=2000 users=3\ndone\n");
	check_script(
		ITERATION(
			"barrier('b', { users = '50%' }) rendezvous 'r' rendezvous('s', { users = 2 })"),
		"barrier b users=-50\nbarrier r timeout=30000 users=0\nbarrier s timeout=30000 users=2\ndone\n");
	check_script(ITERATION("golden 'menu' golden('m', {attrs=true, cursor=false, soft=true, "
			       "masks={{row=1}}})"),
		"golden menu attrs=0 cursor=1 soft=0 masks=0\n"
		"golden m attrs=1 cursor=0 soft=1 masks=1\ndone\n");
	check_script(ITERATION("send '' raw '' log('a', 1, nil, true) print 'x'"),
		"log a 1 nil true\nlog x\ndone\n");
}

static void parts(void **state)
{
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"function setup() log('setup', user.id) end\n"
		"function login() n = 0 log('login') end\n"
		"function iteration() n = n + 1 log(n, user.iteration) end\n"));
	host_part(&h, RTE_PART_SETUP, 0);
	host_part(&h, RTE_PART_LOGIN, 0);
	host_part(&h, RTE_PART_ITERATION, 1);
	host_part(&h, RTE_PART_ITERATION, 2);
	host_part(&h, RTE_PART_LOGOUT, 2); /* the script has none */
	host_expect(&h, "log setup 1\ndone\nlog login\ndone\nlog 1 1\ndone\nlog 2 2\ndone\ndone\n");
	host_close(&h);
}

static void mix_and_info(void **state)
{
	const struct rte_script_info *info;
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"target 'pty:x'\nterminal { term = 'vt220', size = '132x43' }\n"
		"defaults { think = 'exp:3', timeout = 90, typing = 'cps:5' }\n"
		"mix { update = 20, query = 80, deck = true }\n"
		"function query() log 'q' end function update() log 'u' end\n"
		"function teardown() end\n"));
	info = rte_script_info(h.script);
	assert_string_equal(info->name, "s");
	assert_string_equal(info->target, "pty:x");
	assert_string_equal(info->term, "vt220");
	assert_int_equal(info->rows, 43);
	assert_int_equal(info->cols, 132);
	assert_string_equal(info->think, "exp:3");
	assert_string_equal(info->timeout, "90s");
	assert_string_equal(info->typing, "cps:5");
	assert_null(info->settle);
	assert_true(info->mix_deck && info->has_teardown && !info->has_iteration);
	assert_int_equal(info->n_mix, 2);
	assert_string_equal(info->mix[0].name, "query");
	assert_true(info->mix[0].weight > 79 && info->mix[1].weight < 21);
	rte_actor_start(h.actor, RTE_PART_ITERATION, "update", 1, 1, &ask);
	answer_all(&h, &ask);
	host_expect(&h, "log u\ndone\n");
	host_close(&h);
}

static void transactions(void **state)
{
	(void)state;
	check_script(ITERATION("log(transaction('q', function() send 'x' return 1, nil, 3 end))"),
		"begin q\nsend x\nend ok\nlog 1 nil 3\ndone\n");
	check_script(ITERATION("transaction('q', {max='2s', think='none'}, function() end)"),
		"begin q max=2 think=none\nend ok\ndone\n");
	check_script(ITERATION("log(pcall(transaction, 'q', function() error('no', 0) end)) "
			       "transaction('r', function() end)"),
		"begin q\nend error\nlog false no\nbegin r\nend ok\ndone\n");
	check_script(ITERATION("transaction('q', function() check(1 == 2, 'sum') end)"),
		"begin q\ncheck sum\nend check\nfailed check s.lua:1: sum\n");
	check_script(ITERATION("transaction('q', function() check.soft(false, 's') end)"),
		"begin q\nsoft s\nend ok\ndone\n");
	check_script(ITERATION("transaction('q', function() transaction('r', print) end)"),
		"begin q\nend error\nfailed error s.lua:1: transaction: a transaction is open already\n");
	check_script(ITERATION("transaction('q', function() user.stop() end) log 'never'"),
		"begin q\nend left\ndone stop\n");
	check_script(ITERATION("log(check(7, 'm')) relogin()"), "log 7\ndone relogin\n");
}

static void failures(void **state)
{
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"function iteration()\n transaction('q', function()\n"
		"  expect 'A'\n end)\nend\n"
		"function login()\n log(pcall(expect, 'A'))\n local ok, e = pcall(function()\n"
		"  expect 'B' end)\n log(ok, e) error(e, 0) end"));
	h.fail_next = RTE_FAIL_TIMEOUT;
	h.fail_text = "expect timed out";
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"begin q\nexpect \"A\"\nend timeout\n"
		"failed timeout s.lua:3: expect timed out\n");
	h.fail_next = RTE_FAIL_TIMEOUT;
	host_part(&h, RTE_PART_LOGIN, 1);
	host_expect(&h,
		"expect \"A\"\nlog false s.lua:7: expect timed out\nexpect \"B\"\n"
		"log true nil\nfailed error nil\n");
	host_close(&h);
}

static void traceback_and_place(void **state)
{
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"local function deep()\n  error 'boom'\nend\n"
		"function iteration()\n  press { 'Tab' }\n  deep()\nend"));
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_PRESS);
	assert_int_equal(ask.line, 5);
	assert_non_null(strstr(ask.file, "/s.lua"));
	rte_actor_resume(h.actor, &(struct rte_reply){ 0 }, &ask);
	assert_int_equal(ask.kind, RTE_ASK_FAILED);
	assert_int_equal(ask.line, 2);
	assert_non_null(strstr(ask.error, "s.lua:2: boom"));
	assert_non_null(strstr(ask.traceback, "s.lua:2: in upvalue 'deep'"));
	assert_non_null(strstr(ask.traceback, "s.lua:6: in function"));
	assert_null(strstr(ask.traceback, "[C]: in ?"));
	host_close(&h);
}

/* Told from where it was raised; not by walks over all of the stack. */
static void deep_traceback(void **state)
{
	struct rte_ask ask;
	size_t lines = 0;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"local function f(n)\n  if n == 0 then error 'boom' end\n  return 1 + f(n - 1)\nend\n"
		"function iteration() f(20000) end"));
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_FAILED);
	assert_non_null(strstr(ask.traceback, "s.lua:2: in function <"));
	assert_non_null(strstr(ask.traceback, "s.lua:3: in function <"));
	assert_non_null(strstr(ask.traceback, "(and more than 900 others)"));
	for (const char *p = ask.traceback; (p = strchr(p, '\n')); p++)
		lines++;
	assert_in_range(lines, 10, 25);
	host_close(&h);
}

/* Messages take their time, too. */
static void errors_are_paid_for(void **state)
{
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"function iteration()\n  local n = 0\n  while true do\n    pcall(send)\n    n = n + 1\n"
		"    if n == 100 then log 'some' end\n    if n == 100000 then log 'many' end\n  end\nend"));
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_FAILED);
	assert_non_null(strstr(ask.error, "too many instructions"));
	assert_non_null(strstr(b_buf_cstr(&h.out), "log some"));
	assert_null(strstr(b_buf_cstr(&h.out), "log many"));
	host_close(&h);
}

static void cancel_closes(void **state)
{
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"function iteration()\n"
		" local x <close> = setmetatable({}, {__close = function()\n"
		"   log 'closed' log(pcall(send, 'x')) end})\n"
		" transaction('q', function() pcall(expect, 'A') end)\nend"));
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_EXPECT);
	rte_actor_cancel(h.actor);
	host_expect(&h,
		"begin q\nend cancel\nlog closed\n"
		"log false s.lua:3: send: cannot wait any more: the user is being ended\n");
	rte_actor_cancel(h.actor); /* nothing runs */
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 2, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_EXPECT);
	host_close(&h); /* cancels first */
}

/* To-be-closed variables may wait after an error, and a rule may run meanwhile. */
static void closing_waits(void **state)
{
	struct rte_reply ok = { 0 };
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"unexpected('A', function() error 'rule' end)\n"
		"function iteration()\n"
		" local x <close> = setmetatable({}, {__close = function() expect 'B' end})\n"
		" transaction('t', function() error 'first' end)\nend"));
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_EXPECT);
	rte_actor_rule_start(h.actor, 0, &ask);
	assert_int_equal(ask.kind, RTE_ASK_FAILED);
	assert_non_null(strstr(ask.error, "s.lua:1: rule"));
	rte_actor_resume(h.actor, &ok, &ask);
	assert_int_equal(ask.kind, RTE_ASK_FAILED);
	assert_non_null(strstr(ask.error, "s.lua:4: first"));
	assert_int_equal(ask.line, 4);
	host_expect(&h, "begin t\nend error\n");
	host_close(&h);
}

static void rules(void **state)
{
	struct vs_cond_result result = { .state = VS_COND_TRUE, .row = -1 };
	struct rte_reply reply = { .result = &result };
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"unexpected('Session expired', function() press 'F1' send 'again' end)\n"
		"unexpected { 'Notice', row = 24, function() user.stop() end }\n"
		"function iteration() local which = expect('A', 'B') log(which) end"));
	assert_int_equal(rte_actor_rules(h.actor), 2);
	assert_int_equal(rte_actor_rule(h.actor, 1)->row, 23);
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_EXPECT);
	rte_actor_rule_start(h.actor, 0, &ask);
	answer_all(&h, &ask);
	host_expect(&h, "press F1\nsend again\ndone\n");
	rte_actor_rule_start(h.actor, 0, &ask); /* and once more */
	answer_all(&h, &ask);
	host_expect(&h, "press F1\nsend again\ndone\n");
	result.alternative = 1; /* the wait goes on */
	rte_actor_resume(h.actor, &reply, &ask);
	assert_int_equal(ask.kind, RTE_ASK_DONE);
	host_expect(&h, "log 2\n");
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 2, 1, &ask);
	rte_actor_rule_start(h.actor, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_DONE);
	assert_int_equal(ask.count, -1);
	rte_actor_cancel(h.actor);
	host_close(&h);
}

static void users_are_apart(void **state)
{
	struct rte_actor_options opt = { .user = 2, .seed = 7, .name = "Ann" };
	struct rte_actor *other;
	struct b_error err = { 0 };
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"n = 0 local m = 0\nfunction iteration() n = n + 1 m = m + 1 "
		"log(user.id, user.name, n, m, _G.n, _ENV.n) end"));
	opt.script = h.script;
	opt.host_user = &h;
	assert_int_equal(rte_actor_new(h.lua, &opt, &other, &err), B_OK);
	host_part(&h, RTE_PART_ITERATION, 1);
	host_part(&h, RTE_PART_ITERATION, 2);
	rte_actor_start(other, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	host_expect(
		&h, "log 1 user1 1 1 1 1\ndone\nlog 1 user1 2 2 2 2\ndone\nlog 2 Ann 1 1 1 1\n");
	rte_actor_free(other);
	host_close(&h);
}

static void sets(void **state)
{
	const char *const set[] = { "branch=3", "city=Bern", "branch=4" };
	const char *const wrong[] = { "send=3" }, *const own[] = { "branch=7" };
	struct rte_actor_options actor = { .user = 1 };
	char path[128];
	struct rte_lua_options opt = { .sets = set, .n_sets = 3 };
	struct b_error err = { 0 };
	struct rte_lua *l;
	struct host h;

	(void)state;
	host_open(&h, &opt);
	assert_null(host_load(&h, ITERATION("log(branch + 1, city, set.branch, set.none)")));
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h, "log 5 Bern 4 nil\ndone\n");
	host_close(&h);
	/* a script's own go over them */
	host_open(&h, &opt);
	host_file(&h, "s.lua", ITERATION("log(branch, city, set.branch, set.city, set.x)"));
	snprintf(path, sizeof path, "%s/s.lua", h.folder);
	assert_int_equal(rte_script_load_set(h.lua, path, own, 1, NULL, &h.script, &err), B_OK);
	actor.script = h.script;
	actor.host_user = &h;
	assert_int_equal(rte_actor_new(h.lua, &actor, &h.actor, &err), B_OK);
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h, "log 7 Bern 7 Bern nil\ndone\n");
	assert_int_equal(
		rte_script_load_set(h.lua, path, wrong, 1, NULL, &h.script, &err), B_EINPUT);
	assert_non_null(strstr(err.text, "'send' is a name of the script functions"));
	memset(&err, 0, sizeof err);
	host_close(&h);
	opt = (struct rte_lua_options){ .host = &host_calls, .sets = wrong, .n_sets = 1 };
	assert_int_equal(rte_lua_new(&l, &opt, &err), B_EINPUT);
	assert_non_null(strstr(err.text, "'send' is a name of the script functions"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks),
		cmocka_unit_test(parts),
		cmocka_unit_test(mix_and_info),
		cmocka_unit_test(transactions),
		cmocka_unit_test(failures),
		cmocka_unit_test(traceback_and_place),
		cmocka_unit_test(deep_traceback),
		cmocka_unit_test(errors_are_paid_for),
		cmocka_unit_test(cancel_closes),
		cmocka_unit_test(closing_waits),
		cmocka_unit_test(rules),
		cmocka_unit_test(users_are_apart),
		cmocka_unit_test(sets),
	};

	return cmocka_run_group_tests_name("lua_actor", tests, NULL, NULL);
}
