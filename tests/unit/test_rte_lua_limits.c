/* Scripts that loop, recurse, exhaust memory or reach out: each ends as an error, pcall or not. */
#include <pthread.h>

#include "tests/unit/script_host.h"

static void check_stopped(const char *body, const char *expected)
{
	struct b_buf script = B_BUF_INIT;
	struct rte_ask ask;
	struct host h;
	char *error;

	host_open(&h, NULL);
	b_buf_printf(&script, "function iteration() %s end", body);
	error = host_load(&h, b_buf_cstr(&script));
	if (error)
		fail_msg("%s", error);
	/* twice: what stops a user must stop him the next time, in the same coroutine */
	for (int i = 1; i <= 2; i++) {
		rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, i, 1, &ask);
		if (ask.kind != RTE_ASK_FAILED || ask.fail != RTE_FAIL_ERROR ||
			!strstr(ask.error, expected))
			fail_msg("%s\ngives %d %s", body, ask.kind, ask.error ? ask.error : "");
	}
	/* the state and the user are as good as new */
	b_buf_clear(&script);
	rte_actor_start(h.actor, RTE_PART_LOGIN, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_DONE);
	b_buf_release(&script);
	host_close(&h);
}

static void endless(void **state)
{
	(void)state;
	check_stopped("while true do end", "too many instructions");
	check_stopped("while true do pcall(error) end", "too many instructions");
	check_stopped(
		"pcall(function() while true do end end) log 'swallowed'", "too many instructions");
	check_stopped("while true do pcall(function() while true do end end) end",
		"too many instructions");
	check_stopped("while true do xpcall(function() while true do end end, "
		      "function() while true do end end) end",
		"");
	check_stopped(
		"local t = setmetatable({}, {__index = function(t, k) while true do end end}) "
		"return t.x",
		"too many instructions");
	check_stopped("local x <close> = setmetatable({}, {__close = function() while true do end "
		      "end}) error 'x'",
		"too many instructions");
	check_stopped("local x <close> = setmetatable({}, {__close = function() while true do end "
		      "end}) while true do end",
		"too many instructions");
	check_stopped("local x <close> = setmetatable({}, {__close = function() while true do end "
		      "end}) table.sort({3, 2, 1}, function() while true do end end)",
		"too many instructions");
	check_stopped(
		"table.sort({3, 2, 1}, function() while true do end end)", "too many instructions");
	check_stopped("local s = ('x'):rep(100000) for i = 1, 1e9 do s:find('y', 1, true) end",
		"too many instructions");
}

static void recursion(void **state)
{
	(void)state;
	check_stopped("local function f() return 1 + f() end f()", "endless recursion");
	check_stopped("local t = {} setmetatable(t, {__index = t}) return t.x", "loop");
	check_stopped("local function f() return pcall(f) end f() error('end')", "");
	/* every level fails and calls again: nested as deep as the stack is, this took hours */
	check_stopped("local function f() pcall(f) pcall(f) end f()", "too many instructions");
	check_stopped(
		"local function f() xpcall(f, f) xpcall(f, f) end f()", "too many instructions");
}

static void memory(void **state)
{
	(void)state;
	check_stopped("local t = {} for i = 1, 1e9 do t[i] = {} end", "s.lua:1: the script used");
	check_stopped("local s = 'x' while true do s = s .. s end", "memory");
	check_stopped(
		"while true do pcall(function() local s = 'x' while true do s = s .. s end end) "
		"end",
		"memory");
	check_stopped("return ('x'):rep(1e9)", "larger than 16 MiB");
	check_stopped("return (''):rep(1e18) .. nil", "concatenate");
	check_stopped("return ('x'):rep(1e9, 'yy')", "larger than 16 MiB");
	check_stopped("return string.format('%99999d', 1)", "invalid conversion");
	check_stopped("return table.concat(setmetatable({}, {__len = function() return 1e8 end, "
		      "__index = function() return ('x'):rep(1e6) end}))",
		"memory");
	check_stopped("return table.move({}, 1, 1e15, 2)", "more than 10 million");
	check_stopped("return table.move({}, math.mininteger, math.maxinteger, 2)", "");
	check_stopped(
		"table.insert(setmetatable({}, {__len = function() return 1 << 50 end}), 1, 1)",
		"more than 10 million");
}

/* What is slow in C is searched in linear time. */
static void long_texts(void **state)
{
	(void)state;
	check_script("function iteration() local s = ('a'):rep(1 << 22) "
		     "log(tostring(s:find(('a'):rep(1 << 21) .. 'b', 1, true))) end",
		"log nil\ndone\n");
}

static void garbage_is_no_growth(void **state)
{
	(void)state;
	check_script("function iteration() for i = 1, 300 do local s = ('x'):rep(1e6 + i) end "
		     "log 'ok' end",
		"log ok\ndone\n");
}

static void patterns(void **state)
{
	(void)state;
	check_stopped("return (('a'):rep(5000)):find('(.-)(.-)(.-)(.-)b')", "pattern");
	check_stopped("for i = 1, 1e9 do pcall(string.find, ('a'):rep(3000), '.-.-.-b') end", "");
	check_stopped("return (('x'):rep(2000000)):match('y')", "too long");
	check_stopped("return ('x'):find('[a')", "malformed pattern (missing ']')");
	check_stopped("return ('x'):gsub('%')", "");
}

static void sandbox(void **state)
{
	(void)state;
	check_script("function iteration() log(io, debug, coroutine, load, dofile, loadfile, "
		     "collectgarbage, package, os.execute, os.remove, os.exit, string.dump) end",
		"log nil nil nil nil nil nil nil nil nil nil nil nil\ndone\n");
	check_stopped("setmetatable({}, { __gc = function() end })", "__gc is not offered");
	check_stopped("string.rep = nil", "'string' is shared by all users");
	check_stopped("getmetatable('').__index = nil", "attempt to index a boolean value");
	check_stopped("screen.txet()", "no 'txet' in screen; did you mean 'screen.text'?");
	check_stopped("exepct 'x'", "did you mean 'expect'?");
	check_stopped("io.open 'x'", "scripts have no io unless --allow-unsafe is given");
	check_stopped("os.execute 'x'", "scripts have no os.execute unless --allow-unsafe");
	check_stopped("load 'x'", "scripts have no load unless --allow-unsafe");
	check_stopped("return user.iteraton", "did you mean 'user.iteration'?");
	check_stopped("math.randomseed(1)", "set it with --seed");
	check_stopped("require '../x'", "no module of the script's folder");
	check_stopped("require '/etc/passwd'", "no module of the script's folder");
	check_stopped("require 'none'", "cannot read");
	check_stopped("user.id = 3", "'user' is shared by all users");
}

static void no_bytecode(void **state)
{
	(void)state;
	check_load_error("\033Lua...", "s.lua is compiled Lua; give the source");
	check_load_error("{\"version\": 2, \"width\": 80}\n",
		"s.lua is no script: it looks like a trace; rte script s.lua -o NAME.lua makes one of it");
}

static void require_modules(void **state)
{
	struct host h;

	(void)state;
	host_open(&h, NULL);
	host_file(&h, "m.lua", "count = (count or 0) + 1 return { n = count, id = user.id }");
	assert_null(host_load(&h,
		"local m = require 'm' assert(require 'm' == m)\n"
		"function iteration() log(m.n, m.id, count) end"));
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h, "log 1 1 1\ndone\n");
	host_close(&h);
}

/* What the engine's watchdog does, from its thread. */
static void *watch(void *arg)
{
	struct rte_lua *l = arg;
	int64_t since, deadline = b_clock_mono_ns() + 20 * B_NS_PER_S;

	do
		since = rte_lua_running_since_ns(l);
	while (!since && b_clock_mono_ns() < deadline);
	rte_lua_interrupt(l, since);
	return NULL;
}

static void interrupted(void **state)
{
	struct rte_ask ask;
	pthread_t thread;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"function iteration() while true do pcall(error) end end\n"
		"function login() send 'x' end"));
	assert_int_equal(pthread_create(&thread, NULL, watch, h.lua), 0);
	/* within the instruction budget, so only the watchdog ends it: as often as it takes */
	do
		rte_actor_start(h.actor, RTE_PART_SETUP, "iteration", 1, 1, &ask);
	while (!strstr(ask.error, "held up its worker"));
	assert_int_equal(ask.kind, RTE_ASK_FAILED);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(rte_lua_running_since_ns(h.lua), 0);
	rte_actor_start(h.actor, RTE_PART_LOGIN, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_SEND);
	host_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endless),
		cmocka_unit_test(recursion),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(memory),
		cmocka_unit_test(garbage_is_no_growth),
		cmocka_unit_test(patterns),
		cmocka_unit_test(sandbox),
		cmocka_unit_test(no_bytecode),
		cmocka_unit_test(require_modules),
		cmocka_unit_test(interrupted),
	};

	return cmocka_run_group_tests_name("lua_limits", tests, NULL, NULL);
}
