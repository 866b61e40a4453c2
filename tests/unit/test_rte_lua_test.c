/* Scripts as tests: what test() declares, rows, running one of them, skip. */
#include "rte/datafile.h"
#include "rte/script_test.h"
#include "tests/unit/script_host.h"

static const struct rte_test_case *the_test(struct host *h, size_t i)
{
	size_t n;
	const struct rte_test_case *tests = rte_script_tests(h->script, &n);

	assert_true(i < n);
	return &tests[i];
}

static void load(struct host *h, const char *text)
{
	char *error;

	host_open(h, NULL);
	host_file(h, "accounts.csv", "number,name\n1000042,Smith\n1000043,\"Jones, {name}\"\n");
	error = host_load(h, text);
	if (error)
		fail_msg("%s", error);
}

static void declares(void **state)
{
	struct host h;
	size_t n;

	(void)state;
	load(&h,
		"test { tags = 'forms', timeout = '30s', before = 'cp a {dir}/b', setup = 'up' }\n"
		"test('one', function()\n"
		"end)\n"
		"for i = 1, 2 do\n"
		"  test('loop ' .. i, { skip = i == 2 and 'later', tags = { '@slow', 'big' } },\n"
		"    function() end)\n"
		"end\n"
		"test('wrong', { fails = true, retries = 3 }, function() end)\n");
	rte_script_tests(h.script, &n);
	assert_int_equal(n, 4);
	assert_string_equal(rte_script_marks(h.script)->before, "cp a {dir}/b");
	assert_string_equal(rte_script_marks(h.script)->setup, "up");
	assert_string_equal(rte_script_marks(h.script)->tags[0], "forms");
	assert_true(rte_script_marks(h.script)->timeout_ns == 30 * B_NS_PER_S);
	assert_true(rte_script_marks(h.script)->retries == RTE_TEST_UNSET);
	assert_string_equal(the_test(&h, 0)->name, "one");
	assert_int_equal(the_test(&h, 0)->line, 2);
	assert_int_equal(the_test(&h, 0)->last_line, 3);
	assert_null(the_test(&h, 1)->marks.skip);
	assert_string_equal(the_test(&h, 2)->marks.skip, "later");
	assert_int_equal(the_test(&h, 2)->marks.n_tags, 2);
	assert_string_equal(the_test(&h, 2)->marks.tags[0], "slow");
	assert_string_equal(the_test(&h, 3)->marks.fails, "expected to fail");
	assert_true(the_test(&h, 3)->marks.retries == 3);
	host_close(&h);
}

static void refuses(void **state)
{
	static const struct {
		const char *script, *error;
	} cases[] = {
		{ "test('a', 1)", "needs a function" },
		{ "test('', function() end)", "needs a name" },
		{ "test('a\\nb', function() end)", "needs a name" },
		{ "test { tag = 'a' }", "did you mean 'tags'" },
		{ "test('a', { timeuot = 1 }, function() end)", "did you mean 'timeout'" },
		{ "test('a', { setup = 'x' }, function() end)", "unknown field 'setup'" },
		{ "test('a', { tags = 'a b' }, function() end)", "a tag is one word" },
		{ "test('a', { rows = 'none.csv' }, function() end)", "none.csv" },
		{ "test('a', function() end) test('a', function() end)", "in line 1 already" },
		{ "function iteration() end function setup() test('a', print) end iteration = setup",
			NULL },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct rte_ask ask;
		struct host h;
		char *error;

		host_open(&h, NULL);
		error = host_load(&h, cases[i].script);
		if (cases[i].error) {
			assert_non_null(error);
			if (!strstr(error, cases[i].error))
				fail_msg("%s: %s", cases[i].script, error);
		} else {
			assert_null(error);
			rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
			assert_int_equal(ask.kind, RTE_ASK_FAILED);
			assert_non_null(strstr(ask.error, "top level"));
		}
		free(error);
		host_close(&h);
	}
}

static void runs_one(struct host *h, size_t test, size_t row, const char *transcript)
{
	struct rte_ask ask;

	b_buf_clear(&h->out);
	rte_actor_test(h->actor, test, row);
	rte_actor_start(h->actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	answer_all(h, &ask);
	assert_int_equal(ask.kind, RTE_ASK_DONE);
	host_expect(h, transcript);
}

static void runs(void **state)
{
	struct host h;

	(void)state;
	load(&h,
		"local n = 0\n"
		"function login() n = n + 1 end\n"
		"function iteration() log 'the iteration' end\n"
		"test('one', function(row) log('one', row) end)\n"
		"test('two', { rows = 'accounts.csv' }, function(row)\n"
		"  log(row.number, row.name, pcall(function() return row.nmae end))\n"
		"end)\n");
	runs_one(&h, 0, 0, "log one nil\ndone\n");
	runs_one(&h, 1, 0,
		"log 1000042 Smith false s.lua:6: no 'nmae' in row; did you mean 'row.name'?\ndone\n");
	host_close(&h);
}

static void names_of_rows(void **state)
{
	static const struct {
		const char *name, *shown;
	} cases[] = {
		{ "query", "query [row 2]" },
		{ "query {number}", "query 1000043" },
		{ "{name} has {number}", "Jones, {name} has 1000043" },
		{ "{nothing} {number", "{nothing} {number [row 2]" },
	};
	struct b_buf out = B_BUF_INIT;
	struct host h;

	(void)state;
	load(&h, "test('a', { rows = 'accounts.csv' }, function() end)");
	assert_int_equal(rte_table_rows(the_test(&h, 0)->marks.rows), 2);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		b_buf_clear(&out);
		rte_test_row_name(cases[i].name, the_test(&h, 0)->marks.rows, 1, &out);
		assert_string_equal(b_buf_cstr(&out), cases[i].shown);
	}
	b_buf_release(&out);
	host_close(&h);
}

static void dir_of_target(void **state)
{
	struct rte_lua_options opt = { .dir = "/tmp/x y" };
	struct host h;

	(void)state;
	host_open(&h, &opt);
	assert_null(host_load(&h,
		"target('pty:teller {dir}/bank.db {user}')\n"
		"function iteration() log(test.dir()) end"));
	assert_string_equal(
		rte_script_info(h.script)->target, "pty:teller /tmp/x y/bank.db {user}");
	host_part(&h, RTE_PART_ITERATION, 1);
	assert_non_null(strstr(b_buf_cstr(&h.out), "log /tmp/x y\n"));
	host_close(&h);
}

/* What stands behind skip does not run, and no pcall holds it up; an open transaction is no
   success. */
static void skips(void **state)
{
	struct rte_ask ask;
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"function login() if set.out then skip() end end\n"
		"function iteration()\n"
		"  pcall(transaction, 'query', function() skip 'no printer' end)\n"
		"  log 'never'\n"
		"end"));
	rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
	assert_int_equal(ask.kind, RTE_ASK_DONE);
	assert_int_equal(ask.count, 0);
	assert_string_equal(b_buf_cstr(&h.out), "begin query\nskipped no printer\nend left\n");
	host_close(&h);
}

static void tells_tests_from_others(void **state)
{
	static const struct {
		const char *text;
		bool is;
	} cases[] = {
		{ "function iteration() end", true },
		{ "iteration = f", true },
		{ "function login() end", true },
		{ "test('a', f)", true },
		{ "test { skip = true }", true },
		{ "mix { a = 1 }", true },
		{ "local M = {} function M.iteration() end return M", false },
		{ "-- function iteration()\nreturn { login = 1 }", false },
		{ "return iteration == nil", false },
		{ "x.test('a') x:login()", false },
	};
	struct b_error err = { 0 };
	char path[128];
	struct host h;
	bool is;

	(void)state;
	host_open(&h, NULL);
	snprintf(path, sizeof path, "%s/s.lua", h.folder);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		host_file(&h, "s.lua", cases[i].text);
		assert_int_equal(rte_script_is_test(path, &is, &err), B_OK);
		if (is != cases[i].is)
			fail_msg("%s", cases[i].text);
	}
	host_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declares),
		cmocka_unit_test(refuses),
		cmocka_unit_test(runs),
		cmocka_unit_test(names_of_rows),
		cmocka_unit_test(dir_of_target),
		cmocka_unit_test(skips),
		cmocka_unit_test(tells_tests_from_others),
	};

	return cmocka_run_group_tests_name("lua_test", tests, NULL, NULL);
}
