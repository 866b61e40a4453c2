/* data.csv and random.*: which user gets which row, at the ends too; the same seed, the same. */
#include "tests/unit/script_host.h"

/* Runs `runs` iterations of user u of n users on the file; the rows that it saw. */
static void rows_of(
	int64_t n, int64_t u, const char *options, const char *rows, int runs, const char *expected)
{
	struct rte_lua_options lua = { .n_users = n };
	struct rte_actor_options opt = { .user = u, .seed = 7 };
	struct b_buf script = B_BUF_INIT, out = B_BUF_INIT;
	struct b_error err = { 0 };
	struct rte_ask ask;
	struct host h;
	char path[128];

	host_open(&h, &lua);
	host_file(&h, "d.csv", rows);
	b_buf_printf(&script,
		"local d = data.csv('d.csv'%s)\nfunction login() log(d.a) end\n"
		"function iteration() log(d.a) log(d.a) end\n",
		options);
	host_file(&h, "s.lua", b_buf_cstr(&script));
	snprintf(path, sizeof path, "%s/s.lua", h.folder);
	if (rte_script_load(h.lua, path, NULL, &h.script, &err))
		fail_msg("%s", err.text);
	opt.script = h.script;
	opt.host_user = &h;
	if (rte_actor_new(h.lua, &opt, &h.actor, &err))
		fail_msg("%s", err.text);
	rte_actor_start(h.actor, RTE_PART_LOGIN, NULL, 0, 1, &ask);
	for (int i = 1; i <= runs; i++) {
		rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, i, 1, &ask);
		if (ask.kind == RTE_ASK_DONE && ask.count == -1)
			b_buf_adds(&h.out, "stop");
		else if (ask.kind != RTE_ASK_DONE)
			fail_msg("%s", ask.error);
	}
	for (const char *p = b_buf_cstr(&h.out); *p;) {
		size_t len = strcspn(p, "\n");

		b_buf_add(&out, p + (strncmp(p, "log ", 4) ? 0 : 4),
			len - (strncmp(p, "log ", 4) ? 0 : 4));
		p += len + (p[len] == '\n');
		if (*p)
			b_buf_addc(&out, ' ');
	}
	if (strcmp(b_buf_cstr(&out), expected) != 0)
		fail_msg("user %d of %d%s: %s, not %s", (int)u, (int)n, options, b_buf_cstr(&out),
			expected);
	b_buf_release(&script);
	b_buf_release(&out);
	host_close(&h);
}

static void dealt(void **state)
{
	static const char five[] = "a,b\n1,x\n2,x\n3,x\n4,x\n5,x\n";

	(void)state;
	/* the login's row is the first iteration's */
	rows_of(2, 1, "", five, 3, "1 1 1 3 3 5 5");
	rows_of(2, 2, "", five, 3, "2 2 2 4 4 1 1");
	rows_of(2, 2, ", { at_end = 'stop' }", five, 4, "2 2 2 4 4 stopstop");
	rows_of(2, 2, ", { at_end = 'last' }", five, 3, "2 2 2 4 4 4 4");
	rows_of(2, 1, ", { mode = 'unique' }", five, 4, "1 1 1 3 3 5 5 stop");
	rows_of(2, 2, ", { mode = 'unique', at_end = 'cycle' }", five, 3, "2 2 2 4 4 2 2");
	rows_of(2, 2, ", { mode = 'unique', at_end = 'last' }", five, 4, "2 2 2 4 4 4 4 4 4");
	rows_of(3, 2, ", { per = 'user' }", five, 3, "2 2 2 2 2 2 2");
	rows_of(3, 2, ", { per = 'session' }", five, 2, "2 2 2 2 2");
	rows_of(9, 7, "", five, 2, "2 2 2 1 1");
	rows_of(9, 7, ", { at_end = 'last' }", five, 2, "5 5 5 5 5");
	rows_of(1, 1, ", { mode = 'random' }", "a\n7\n", 2, "7 7 7 7 7");
	rows_of(1, 1, ", { separator = ';', columns = { 'b', 'a' } }", "x;1\ny; 2 \n", 2,
		"1 1 1  2   2 ");
}

static void fields(void **state)
{
	struct host h;

	(void)state;
	host_open(&h, NULL);
	host_file(&h, "d.csv",
		"\xef\xbb\xbfname,\"the text\"\r\n\"Smith, J\",\"a \"\"b\"\"\nc\"\r\n\r\nX,\n");
	assert_null(host_load(&h,
		"local d = data.csv 'd.csv'\nfunction iteration()\n"
		" log(d.name, d['the text'], #d) log(select(2, d()), d.name)\n"
		" log(d['the text'] == '') log(pcall(function() return d.nmae end))\n"
		" log(pcall(function() d.name = 3 end)) log(data.csv('d.csv').name) end"));
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"log Smith, J a \"b\"\nc 2\nlog 2 X\nlog true\n"
		"log false s.lua:4: the data has no column 'nmae'; did you mean 'name'?\n"
		"log false s.lua:5: a data file cannot be changed by a script\nlog Smith, J\ndone\n");
	host_close(&h);
}

static const char *long_field(void)
{
	static char text[(1 << 20) + 100];

	memset(text, 'x', sizeof text - 1);
	return text;
}

static void refused(void **state)
{
	const struct {
		const char *file, *call, *error;
	} cases[] = {
		{ NULL, "data.csv 'none.csv'", "cannot read data file " },
		{ "", "data.csv 'd.csv'", "d.csv: no rows" },
		{ "a,b\n", "data.csv 'd.csv'", "d.csv: no rows below the heading" },
		{ "a,b\n1,2\n1\n", "data.csv 'd.csv'",
			"d.csv: row 3 has 1 fields, and there are 2 columns" },
		{ "a,b\n1,2\n\"x,3\n", "data.csv 'd.csv'", "a quote is not closed" },
		{ "a,b\n1,2\nx\"y\",3\n", "data.csv 'd.csv'",
			"d.csv:3: a quote stands inside a field" },
		{ NULL, "data.csv '/dev/zero'", "a pipe or a device" },
		{ long_field(), "data.csv 'd.csv'", "a field of more than 1 MiB" },
		{ "a,a\n1,2\n", "data.csv 'd.csv'", "two columns are named 'a'" },
		{ "a,\n1,2\n", "data.csv 'd.csv'", "column 2 has no name" },
		{ "a\n1\n", "data.csv('d.csv', { mode = 'unqiue' })", "did you mean 'unique'?" },
		{ "a\n1\n", "data.csv('d.csv', { mod = 'unique' })", "did you mean 'mode'?" },
		{ "a\n1\n2\n", "data.csv('d.csv', { mode = 'unique' })",
			"2 rows are too few for 3 users with mode = \"unique\"; add rows" },
		{ "a\n1\n", "data.cvs 'd.csv'", "no 'cvs' in data; did you mean 'data.csv'?" },
	};
	struct rte_lua_options opt = { .n_users = 3 };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf script = B_BUF_INIT;
		struct host h;
		char *error;

		host_open(&h, &opt);
		if (cases[i].file)
			host_file(&h, "d.csv", cases[i].file);
		b_buf_printf(&script, "local d = %s\nfunction iteration() end", cases[i].call);
		error = host_load(&h, b_buf_cstr(&script));
		if (!error || !strstr(error, cases[i].error) || !strstr(error, "s.lua:1: "))
			fail_msg("%s: %s", cases[i].call, error ? error : "loads");
		free(error);
		b_buf_release(&script);
		host_close(&h);
	}
}

static void draws(void **state)
{
	struct host h;

	(void)state;
	host_open(&h, NULL);
	assert_null(host_load(&h,
		"local function mean(n, f, ...) local s = 0 for _ = 1, n do s = s + f(...) end return s / n end\n"
		"local function near(a, b, by) return math.abs(a - b) < by end\n"
		"function iteration()\n"
		" log(near(mean(20000, random.int, 1, 6), 3.5, 0.1), near(mean(20000, random.exp, 2), 2, 0.1))\n"
		" log(near(mean(20000, random.normal, 5, 1), 5, 0.1), near(mean(20000, random.uniform), 0.5, 0.02))\n"
		" log(near(mean(20000, random.uniform, 2, 4), 3, 0.05), near(mean(20000, math.random), 0.5, 0.02))\n"
		" local n = { A = 0, B = 0 }\n"
		" for _ = 1, 10000 do local c = random.choice { A = 80, B = 20 } n[c] = n[c] + 1 end\n"
		" log(near(n.A / 10000, 0.8, 0.03), random.choice { 'x' }, math.random(4, 4))\n"
		" for _ = 1, 1000 do local v = random.nurand(255, 0, 999, 123) assert(v >= 0 and v <= 999) end\n"
		" log(pcall(random.int, 5, 1)) log(pcall(random.choice, {}))\n"
		"end"));
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"log true true\nlog true true\nlog true true\nlog true x 4\n"
		"log false s.lua:11: random.int: min 5 is greater than max 1\n"
		"log false s.lua:11: random.choice: there is nothing to choose from\ndone\n");
	host_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dealt),
		cmocka_unit_test(fields),
		cmocka_unit_test(refused),
		cmocka_unit_test(draws),
	};

	return cmocka_run_group_tests_name("lua_data", tests, NULL, NULL);
}
