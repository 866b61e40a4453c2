/* expect: tables to conditions, results and captures; and what screen.* reads. */
#include "tests/unit/script_host.h"

static const struct {
	const char *call, *line;
} forms[] = {
	{ "expect 'Main menu'", "expect \"Main menu\"" },
	{ "expect { 'Balance', row = 12 }", "expect \"Balance\" in row 12" },
	{ "expect { 'B', row = 2, rows = 3, col = 4 }",
		"expect \"B\" in rows 2 to 4, columns from 4 on" },
	{ "expect { cursor = { 6, 22 } }", "expect cursor at row 6, column 22" },
	{ "expect { cursor = { row = 6, col = 22 } }", "expect cursor at row 6, column 22" },
	{ "expect { cursor = { 6 } }", "expect cursor at row 6" },
	{ "expect { 'Saved', cursor = {22, 1} }",
		"expect all of (\"Saved\"; cursor at row 22, column 1)" },
	{ "expect { 'A', attr = 'reverse', timeout = '5s' }", "expect reverse \"A\" timeout=5000" },
	{ "expect { row = 3, attr = { 'bold', 'reverse' } }", "expect bold reverse cell in row 3" },
	{ "expect { match = 'No (%d+)' }", "expect match of \"No (%d+)\"" },
	{ "expect { 'X', gone = true }", "expect no \"X\"" },
	{ "expect { eof = true }", "expect the end of the line" },
	{ "expect { quiet = 300 }", "expect no change for 300ms" },
	{ "expect { quiet = '2s' }", "expect no change for 2s" },
	{ "expect { stream = '> $' }", "expect output that matches \"> $\"" },
	{ "expect('A', { 'B', row = 2 }, { timeout = 3 })",
		"expect any of (\"A\"; \"B\" in row 2) timeout=3000" },
	{ "expect { any = { 'A', { 'B', row = 2 } } }", "expect any of (\"A\"; \"B\" in row 2)" },
	{ "expect { any = { 'A', 'B' }, row = 5 }",
		"expect any of (\"A\" in row 5; \"B\" in row 5)" },
	{ "expect { all = { 'A', { any = { 'B', 'C' } } } }",
		"expect all of (\"A\"; any of (\"B\"; \"C\"))" },
	{ "expect { 'A', any = { 'B', 'C' } }", "expect all of (\"A\"; any of (\"B\"; \"C\"))" },
	{ "expect(42)", "expect \"42\"" },
};

static void conditions(void **state)
{
	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(forms); i++) {
		struct b_buf script = B_BUF_INIT, line = B_BUF_INIT;

		b_buf_printf(&script, "function iteration() %s end", forms[i].call);
		b_buf_printf(&line, "%s\ndone\n", forms[i].line);
		check_script(b_buf_cstr(&script), b_buf_cstr(&line));
		b_buf_release(&script);
		b_buf_release(&line);
	}
}

static void refused(void **state)
{
	static const struct {
		const char *call, *error;
	} cases[] = {
		{ "expect()", "expect: needs a text, not nothing (nil)" },
		{ "expect ''", "an empty text, which is everywhere" },
		{ "expect {}", "waits for nothing" },
		{ "expect { row = 3 }", "a region needs a text" },
		{ "expect { 'A', rwo = 3 }", "unknown field 'rwo'; did you mean 'row'?" },
		{ "expect { 'A', 'B' }", "takes one text; write any" },
		{ "expect { 'A', row = 0 }", "row = 0 is no whole number from 1 to 1000" },
		{ "expect { 'A', row = 'x' }", "row = x is no whole number" },
		{ "expect { cursor = 3 }", "cursor is { row, col }, not a number" },
		{ "expect { cursor = {} }", "names no place" },
		{ "expect { attr = 'revers' }", "no attribute 'revers'; did you mean 'reverse'?" },
		{ "expect { match = '(a' }", "'(a': unfinished capture" },
		{ "expect { gone = true }", "gone = true needs a text" },
		{ "expect 'a\\nb'", "a text stands in one row" },
		{ "expect '\\255'", "the text is not UTF-8" },
		{ "expect { any = {} }", "any is a list" },
		{ "expect { any = 'A' }", "any is a list" },
		{ "expect { any = { { 'A', timeout = 3 } } }", "timeout belongs to the whole" },
		{ "expect { 'A', timeout = 'soon' }", "'soon' is no duration" },
		{ "expect { 'A', already = 1 }", "already is true or false, not a number" },
		{ "local t = {} t.any = { t } expect(t)", "nested too deeply" },
		{ "local t = {} for i = 1, 1001 do t[i] = 'x' .. i end expect { any = t }",
			"waits for more than 1000 texts and tables at once" },
		{ "local t = { 'x' } for i = 1, 14 do t = { any = { t, t, t } } end expect(t)",
			"waits for more than 1000 texts and tables at once" },
		{ "unexpected('A', print)", "belongs at the top level" },
		{ "press { 'Tab', cuont = 2 }",
			"press: unknown field 'cuont'; did you mean 'count'?" },
		{ "screen.field('A', { blow = true })",
			"screen.field: unknown field 'blow'; did you mean 'below'?" },
		{ "mouse { row = 1, col = 1, action = 'clik' }",
			"no action 'clik'; did you mean 'click'?" },
		{ "mouse { row = 1, col = 1, button = 'lef' }",
			"no button 'lef'; did you mean 'left'?" },
		{ "barrier('a', { user = 2 })", "unknown field 'user'; did you mean 'users'?" },
		{ "golden('a', { atrs = true })", "unknown field 'atrs'; did you mean 'attrs'?" },
		{ "mask { rw = 1 }", "mask: unknown field 'rw'; did you mean 'row'?" },
		{ "send('a', { befor = 1 })",
			"send: unknown field 'befor'; did you mean 'before'?" },
		{ "data.csv('a.csv', { mod = 'x' })", "unknown field 'mod'; did you mean 'mode'?" },
		{ "transaction('a', { mx = 1 }, print)",
			"unknown field 'mx'; did you mean 'max'?" },
		{ "table.sort({ 1, 2 }, function() expect 'A' end)", "that sort, gsub" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf script = B_BUF_INIT;
		struct rte_ask ask;
		struct host h;
		char *error;

		host_open(&h, NULL);
		b_buf_printf(&script, "function iteration() %s end", cases[i].call);
		error = host_load(&h, b_buf_cstr(&script));
		if (error)
			fail_msg("%s", error);
		rte_actor_start(h.actor, RTE_PART_ITERATION, NULL, 1, 1, &ask);
		assert_int_equal(ask.kind, RTE_ASK_FAILED);
		if (!strstr(ask.error, cases[i].error) || !strstr(ask.error, "s.lua:1: "))
			fail_msg(
				"%s\ngives: %s\nnot: %s", cases[i].call, ask.error, cases[i].error);
		b_buf_release(&script);
		host_close(&h);
	}
}

static const char picture[] = "\033[1;1HOrder 1001 of Anna   \033[7mSELECTED\033[0m\033[3;5H"
			      "Account . . : 1000042   Branch: 7\033[4;5HName"
			      "\033[5;5HSmith\033[6;1H\033[31;1mX\033[0m\xe4\xb8\xad|"
			      "\033]2;Teller\007\033[12;9H";

static void open_screen(struct host *h, const char *script)
{
	const struct vs_options opt = { .rows = 24, .cols = 80 };
	char *error;

	host_open(h, NULL);
	assert_int_equal(vs_screen_new(&h->screen, &opt), B_OK);
	vs_screen_feed(h->screen, picture, sizeof picture - 1);
	error = host_load(h, script);
	if (error)
		fail_msg("%s", error);
}

static void captures(void **state)
{
	struct host h;

	(void)state;
	open_screen(&h,
		"function iteration()\n"
		"  log(expect { match = 'Order (%d+) of (%a+)' })\n"
		"  log(expect { match = '(%d+)', row = 3, col = 26 })\n"
		"  log(expect('A', { match = 'Account[ .:]+()(%d+)', row = 3 }))\n"
		"  log(expect { stream = 'n=(%d+)' })\n"
		"end");
	h.stream = "x n=17 y";
	h.alternative = 0;
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"expect match of \"Order (%d+) of (%a+)\"\nlog 1 1001 Anna\n"
		"expect match of \"(%d+)\" in row 3, columns from 26 on\nlog 1 7\n"
		"expect any of (\"A\"; match of \"Account[ .:]+()(%d+)\" in row 3)\nlog 1\n"
		"expect output that matches \"n=(%d+)\"\nlog 1 17\ndone\n");
	host_close(&h);
	open_screen(&h,
		"function iteration() "
		"log(expect('A', { match = 'Account[ .:]+()(%d+)', row = 3 })) end");
	h.alternative = 1;
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"expect any of (\"A\"; match of \"Account[ .:]+()(%d+)\" in row 3)\n"
		"log 2 19 1000042\ndone\n");
	host_close(&h);
}

static void reading(void **state)
{
	struct host h;

	(void)state;
	open_screen(&h,
		"function iteration()\n"
		"  log(screen.row(1)) log(screen.text(3, 5, 7) .. '|') log(screen.text(4, 5, 6) .. '|')\n"
		"  log(screen.text { row = 4, rows = 2 }) log(#screen.text())\n"
		"  log(screen.find 'Branch') log(screen.find('Order', { row = 2 }))\n"
		"  log(screen.cursor()) log(screen.size()) log(screen.title())\n"
		"  log(screen.field 'Account', screen.field('Name', { below = true }),\n"
		"    screen.field('Branch', { row = 3 }), screen.field 'none')\n"
		"  local c = screen.cell(6, 1) log(c.text, c.bold, c.fg, c.bg, c.width)\n"
		"  log(screen.cell(6, 2).text, screen.cell(6, 2).width, screen.cell(6, 3).width)\n"
		"  log(screen.attrs(1):sub(20, 24), screen.modes().wrap, screen.bells())\n"
		"  log(screen.unanswered() == '', screen.printed() == '')\n"
		"end");
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"log Order 1001 of Anna   SELECTED\nlog Account|\nlog Name  |\n"
		"log     Name\n    Smith\nlog 111\n"
		"log 3 29 6\nlog nil\nlog 12 9 true\nlog 80 24\nlog Teller\n"
		"log 1000042 Smith 7 nil\n"
		"log X true 1 nil 1\nlog \xe4\xb8\xad 2 0\nlog ..rrr true 0\nlog true true\ndone\n");
	host_close(&h);
}

static void reading_refused(void **state)
{
	struct host h;

	(void)state;
	open_screen(&h,
		"function iteration() log(pcall(screen.row, 25)) log(pcall(screen.cell, 1, 81)) "
		"log(pcall(screen.text, 0)) log(pcall(screen.find)) log(pcall(screen.row, 1.5)) "
		"log(pcall(screen.find, 'x', { rwo = 1 })) end");
	host_part(&h, RTE_PART_ITERATION, 1);
	host_expect(&h,
		"log false s.lua:1: screen.row: row 25 is not on the screen; it has 24\n"
		"log false s.lua:1: screen.cell: column 81 is not on the screen; it has 80\n"
		"log false s.lua:1: screen.text: row 0 is not on the screen; it has 24\n"
		"log false s.lua:1: screen.find: needs a text, not nothing (nil)\n"
		"log false s.lua:1: screen.row: row 1.5 is not on the screen; it has 24\n"
		"log false s.lua:1: screen.find: unknown field 'rwo'; did you mean 'row'?\ndone\n");
	host_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(conditions),
		cmocka_unit_test(refused),
		cmocka_unit_test(captures),
		cmocka_unit_test(reading),
		cmocka_unit_test(reading_refused),
	};

	return cmocka_run_group_tests_name("lua_expect", tests, NULL, NULL);
}
