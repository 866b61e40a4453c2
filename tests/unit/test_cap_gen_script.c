/* capture: whole scripts: markers, secrets, data, several traces, hostile text. */
#include "tests/unit/cap_trace_build.h"

#define MENU "\033[H\033[2J               Main menu\r\n\r\n F2 Query\r\n F10 Leave\033[10;1H"
#define FORM "\033[H\033[2J              Account query\r\n\r\n  Account . . : \033[3;17H"

/* Menu, query, menu, leave: the iteration goes from the menu to the menu. */
static struct build *bank(const char *account, const char *balance)
{
	struct build *b = build_new("xterm-256color", 10, 60);

	out(b, 20, MENU);
	in(b, 500, "\033OQ");
	out(b, 5, FORM);
	typed(b, account, 0);
	in(b, 300, "\r");
	out(b, 5, "\033[5;3HAccount found. Balance ");
	out(b, 0, balance);
	out(b, 0, "\033[3;17H");
	in(b, 800, "\033OR");
	out(b, 5, MENU);
	in(b, 700, "\033[21~");
	out(b, 5, "\033[H\033[2J");
	return b;
}

static void parts(void **state)
{
	struct made m = make(bank("10042", "17.00"));
	const char *login, *iteration, *logout;

	(void)state;
	login = strstr(m.script, "function login()");
	iteration = strstr(m.script, "function iteration()");
	logout = strstr(m.script, "function logout()");
	assert_true(login && iteration > login && logout > iteration);
	has(&m, "function login()\n  expect { \"Main menu\", row = 1, cursor = { 10, 1 } }");
	has(&m, "-- Repeated: ends on the screen that it began with.");
	has(&m, "transaction(\"main-menu-F2\", function()\n    press \"F2\"");
	has(&m, "transaction(\"account-query-enter\"");
	has(&m, "transaction(\"account-query-F3\"");
	has(&m, "function logout()\n  think(0.7)\n  press \"F10\"\n  expect { eof = true }");
	has_not(&m, "relogin");
	has_not(&m, "17.00");
	made_free(&m);
}

/* The commands of the heading can be given to a shell, whatever the files are called. */
static void heading(void **state)
{
	struct build *b = bank("10042", "17.00"), *two = bank("10042", "17.00");
	struct made m = make_with(&b, 1,
		(struct cap_generate_options){
			.script_name = "Jan's day", .trace_path = "my traces/day.cast" });

	(void)state;
	has(&m, "-- Jan's day: a session");
	has(&m, "`rte script 'my traces/day.cast'`");
	has(&m, "\n--   rte play 'Jan'\\''s day.lua' ");
	has(&m, "\n--   rte run 'Jan'\\''s day.lua' -u 50 ");
	made_free(&m);
	m = make_with(&two, 1,
		(struct cap_generate_options){ .script_name = "day", .trace_path = "t/day.cast" });
	has(&m, "`rte script t/day.cast`");
	has(&m, "\n--   rte play day.lua ");
	made_free(&m);
}

static void same_bytes(void **state)
{
	struct made a = make(bank("10042", "17.00")), b = make(bank("10042", "17.00"));

	(void)state;
	assert_string_equal(a.script, b.script);
	made_free(&a);
	made_free(&b);
}

static void two_traces(void **state)
{
	struct build *b[] = { bank("10042", "17.00 sound"), bank("2007", "4.50 frozen") };
	struct made m = make_with(b, 2, (struct cap_generate_options){ 0 });

	(void)state;
	has(&m, "account = \"10042\", -- by \"Account\"; other traces: 2007");
	has_not(&m, "sound");
	assert_string_equal(m.warnings, "");
	made_free(&m);

	b[0] = bank("10042", "17.00");
	b[1] = bank("2007", "4.50");
	m = make_with(b, 2, (struct cap_generate_options){ .data = true, .data_path = "q.csv" });
	has(&m, "local row = data.csv(\"q.csv\")");
	has(&m, "send(row.account");
	has_not(&m, "data = {");
	assert_string_equal(m.csv, "account\n10042\n2007\n");
	made_free(&m);
}

/* Where the cursor rests may be another place each time, as in a game. */
static void another_cursor(void **state)
{
	struct build *b[2];
	struct made m;

	(void)state;
	for (int i = 0; i < 2; i++) {
		b[i] = build_new("xterm-256color", 10, 60);
		out(b[i], 20, MENU);
		in(b[i], 500, "\033OP");
		out(b[i], 5,
			i ? "\033[H\033[2JA new game\033[7;7H"
			  : "\033[H\033[2JA new game\033[5;9H");
		in(b[i], 500, "\033[21~");
	}
	m = make_with(b, 2, (struct cap_generate_options){ 0 });
	has(&m, "new game\", row = 1 } -- painted now");
	made_free(&m);
}

static void another_way(void **state)
{
	struct build *b[2] = { bank("10042", "17.00"), build_new("xterm-256color", 10, 60) };
	struct made m;

	(void)state;
	out(b[1], 20, MENU);
	in(b[1], 500, "\033[21~");
	out(b[1], 5, "\033[H\033[2J");
	m = make_with(b, 2, (struct cap_generate_options){ 0 });
	assert_non_null(strstr(m.warnings, "trace 2 takes another way"));
	has(&m, "press \"F10\"");
	made_free(&m);
}

static void csv_fields(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[3;1H Name: ");
	typed(b, "a, \"b\" ", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[5;1HThank you\033[3;8H");
	in(b, 300, "\033OR");
	m = make_with(&b, 1, (struct cap_generate_options){ .data = true, .data_path = "x.csv" });
	assert_string_equal(m.csv, "name\n\"a, \"\"b\"\" \"\n");
	made_free(&m);
}

/* An order number that one screen gives and the next asks for. */
static void shown(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, MENU);
	in(b, 500, "\033OP");
	out(b, 5, "\033[H\033[2JNew order\r\n\r\n  Order no. . : 100417  open\033[10;1H");
	in(b, 500, "\033OQ");
	out(b, 5, "\033[H\033[2JFind order\r\n\r\n  Number: \033[3;11H");
	typed(b, "100417", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[5;3HOne order found\033[3;11H");
	in(b, 800, "\033OR");
	m = make(b);
	has(&m, "data.number_value = screen.field(\"Order no\", { row = 3 })");
	has(&m, "number_value = \"100417\", -- by \"Number\"; read from the screen, by \"Order no\"");
	has(&m, "send(data.number_value");
	made_free(&m);
}

/* No blank ends it, or a sentence holds it: it is read out of its row. */
static void shown_in_row(void **state)
{
	static const struct {
		const char *shown, *typed, *read;
	} cases[] = {
		{ "  Order    3001 Lines  1", "3001",
			"data.order = screen.row(3):match \"Order[ .:#]*(%d+)\"" },
		{ "  Order no 17 of 90 was taken", "17",
			"data.order = screen.row(3):match \"Order no[ .:#]*(%d+)\"" },
		{ " We took order A-1042 at noon", "A-1042",
			"data.order = screen.row(3):match \"We took order[ .:#]*(%S+)\"" },
		/* A date, a coincidence, a longer number, another one by the same words. */
		{ "  Order of 2026-11-30", "2026", NULL },
		{ "  Lines    17", "17", NULL },
		{ "  Order    3001.50 due", "3001", NULL },
		{ "  Order 17 Order 3001 done", "3001", NULL },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct build *b = build_new("xterm-256color", 10, 60);
		struct b_buf screen = B_BUF_INIT;
		struct made m;

		out(b, 20, MENU);
		in(b, 500, "\033OP");
		b_buf_printf(&screen, "\033[H\033[2JNew order\r\n\r\n%s\033[10;1H", cases[i].shown);
		out(b, 5, b_buf_cstr(&screen));
		in(b, 500, "\033OQ");
		out(b, 5, "\033[H\033[2JFind order\r\n\r\n  Order : \033[3;11H");
		typed(b, cases[i].typed, 0);
		in(b, 300, "\r");
		out(b, 5, "\033[5;3HOne order found\033[3;11H");
		in(b, 800, "\033OR");
		m = make(b);
		if (cases[i].read)
			has(&m, cases[i].read);
		else
			has_not(&m, "screen.");
		made_free(&m);
		b_buf_release(&screen);
	}
}

/* Line by line: out of the latest line that says it. Steps are named by what was asked for. */
static void shown_in_lines(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "User name: ");
	typed(b, "bob", 0);
	in(b, 300, "\r");
	out(b, 5, "\r\nYour ticket is 17.\r\nReally go on? [y/n] ");
	typed(b, "y", 0);
	in(b, 300, "\r");
	out(b, 5, "\r\nYour ticket is 48211, bob.\r\nTicket: ");
	typed(b, "48211", 0);
	in(b, 300, "\r");
	out(b, 5, "\r\nright\r\nBye: ");
	in(b, 300, "\r");
	m = make(b);
	has(&m, "user_name = \"bob\"");
	has(&m, "really_go_on = \"y\"");
	has(&m, "transaction(\"user-name\", function()");
	has(&m, "transaction(\"really-go-on\", function()");
	has(&m, "transaction(\"ticket\", function()");
	has(&m, "data.ticket = screen.text():match \".*Your ticket is[ .:#]*(%d+)\"");
	made_free(&m);
}

/* Typed at once, the echo comes with the answer: a value like any other. */
static void in_one_go(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "Name: ");
	for (const char *c = "bob\r"; *c; c++)
		in(b, 0, (char[]){ *c, 0 });
	out(b, 2, "bob\r\nCity: ");
	in(b, 300, "\r");
	out(b, 2, "\r\n");
	m = make(b);
	has(&m, "name = \"bob\", -- by \"Name:\"\n");
	has(&m, "transaction(\"name\", function()");
	made_free(&m);
}

static void markers(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, MENU);
	add(b, 100, 'm', "mask 1 50 1 11");
	add(b, 1, 'm', "golden menu");
	add(b, 1, 'm', "comment the \"main\" menu\n]] os.exit()");
	add(b, 1, 'm', "begin look up");
	in(b, 500, "\033OQ");
	out(b, 5, FORM);
	typed(b, "10042", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[5;3HAccount found at 12:30:07");
	out(b, 0, "\033[6;3H1 row (0.04 sec), version 1.2.3, 10.5 kg, 7 ms\033[3;17H");
	add(b, 100, 'm', "end look up");
	add(b, 1, 'm', "golden query/1");
	add(b, 1, 'm', "nonsense of another tool");
	in(b, 800, "\033OR");
	m = make(b);
	has(&m, "mask { row = 1, col = 50, rows = 1, cols = 11 }\n  golden \"menu\"\n");
	has(&m, "  -- the \"main\" menu\\n]] os.exit()\n");
	has(&m, "transaction(\"look up\", function()\n    press \"F2\"");
	has(&m, "golden(\"query-1\", { masks = {");
	has(&m,
		"{ row = 5, col = 20, rows = 1, cols = 8 },\n"
		"    { row = 6, col = 10, rows = 1, cols = 4 },\n"
		"    { row = 6, col = 45, rows = 1, cols = 1 },\n  } })");
	has_not(&m, "nonsense");
	has_not(&m, "main-menu-F2");
	made_free(&m);
}

static void secrets(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	/* Ours: the keys are nowhere. */
	out(b, 20, "\033[2J\033[HUser: \r\nPassword: \033[1;7H");
	typed(b, "ada", 0);
	in(b, 200, "\t");
	out(b, 1, "\033[2;11H");
	add(b, 500, 'm', "secret password");
	out(b, 1, "********");
	in(b, 500, "\r");
	out(b, 5, MENU);
	in(b, 500, "\033OQ");
	out(b, 5, FORM);
	in(b, 500, "\033OR");
	out(b, 5, MENU);
	in(b, 700, "\033[21~");
	m = make(b);
	has(&m, "RTE_SECRET_PASSWORD");
	has(&m, "  secret \"password\"\n  press(\"Enter\", 501)\n  expect { \"Main menu\"");
	assert_true(strstr(m.script, "secret \"pass") < strstr(m.script, "function iteration"));
	made_free(&m);

	/* Another recorder's: not shown until the program printed it. */
	b = build_new("xterm-256color", 10, 60);
	out(b, 20, "\033[2J\033[HPassword: ");
	for (const char *c = "geheim"; *c; c++)
		in(b, 100, (char[]){ *c, 0 });
	in(b, 500, "\r");
	out(b, 5, "geheim\r\n\033[2J\033[HWelcome\033[10;1H");
	in(b, 700, "\033[21~");
	m = make(b);
	has(&m, "secret \"password\"");
	has_not(&m, "geheim");
	made_free(&m);

	/* Another recorder's: masked characters do not come into the script. */
	b = build_new("xterm-256color", 10, 60);
	out(b, 20, "\033[2J\033[HPassword: ");
	typed(b, "geheim", '*');
	in(b, 500, "\r");
	out(b, 5, MENU);
	in(b, 700, "\033[21~");
	m = make(b);
	has(&m, "secret \"password\"");
	has_not(&m, "geheim");
	assert_non_null(strstr(m.warnings, "secret"));
	made_free(&m);
}

static void resized_pasted_clicked(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[?2004h\033[?1000;1006h\033[2J\033[HText: ");
	in(b, 500, "\033[200~two\rlines\033[201~");
	out(b, 1, "two^Mlines");
	add(b, 500, 'r', "80x24");
	out(b, 5, "\033[2J\033[HText: two^Mlines\033[24;1HReady\033[1;7H");
	in(b, 500, "\033[<0;3;4M");
	in(b, 20, "\033[<0;3;4m");
	out(b, 5, "\033[24;1HClicked\033[1;7H");
	in(b, 500, "\033[99~");
	out(b, 5, "\033[24;1HUnknown key\033[1;7H");
	in(b, 300, "q");
	m = make(b);
	has(&m, "paste(data.text)");
	has(&m, "text = \"two\\rlines\"");
	has(&m, "resize(80, 24)\n  expect { \"Ready\", row = 24");
	has(&m, "mouse { action = \"press\", button = 1, row = 4, col = 3 }");
	has(&m, "mouse { action = \"release\", button = 1, row = 4, col = 3, before = 20 }");
	has(&m, "raw \"\\027[99~\"");
	made_free(&m);
}

/* Typed ahead at once, while a shell runs a command and has brackets off: no paste. Where nobody asks
   for brackets it is one. */
static void burst_without_brackets(void **state)
{
	for (int asks = 0; asks < 2; asks++) {
		struct build *b = build_new("xterm-256color", 10, 60);
		struct made m;

		(void)state;
		out(b, 20, asks ? "\033[?2004h(parted) " : "(parted) ");
		in(b, 300, "print\r");
		out(b, 1, asks ? "print\r\n\033[?2004l" : "print\r\n");
		in(b, 20, "mkpart primary\r");
		out(b, 900,
			asks ? "\033[?2004h(parted) mkpart primary\r\n"
			     : "(parted) mkpart primary\r\n");
		out(b, 1, "(parted) ");
		in(b, 500, "q\r");
		m = make(b);
		if (asks)
			has_not(&m, "paste");
		else
			has(&m, "paste");
		made_free(&m);
	}
}

/* Clicks that were two, and a button that was held down, are so at any speed. */
static void clicks_apart(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[?1000;1006h\033[2J\033[HList: ");
	in(b, 500, "\033[<0;3;4M");
	in(b, 80, "\033[<0;3;4m");
	out(b, 5, "\033[24;1HOne\033[1;7H");
	in(b, 895, "\033[<0;3;4M");
	in(b, 400, "\033[<0;3;4m");
	out(b, 5, "\033[24;1HTwo\033[1;7H");
	in(b, 200, "\033[<0;3;4M");
	in(b, 60, "\033[<0;3;4m");
	in(b, 60, "\033[<0;3;4M");
	in(b, 60, "\033[<0;3;4m");
	in(b, 500, "\033[<64;3;4M");
	in(b, 500, "\033[<65;3;4M");
	out(b, 5, "\033[24;1HSix\033[1;7H");
	in(b, 300, "q");
	m = make(b);
	has(&m, "pause(0.6) -- sooner it would be a double click\n");
	has(&m, "pause(0.4) -- sooner it would be a click, not a button held down\n");
	has(&m, "pause(0.2) -- sooner it would be a double click\n");
	has(&m, "button = 1, row = 4, col = 3, before = 60 }");
	assert_null(strstr(strstr(m.script, "pause(0.2)") + 1, "pause("));
	made_free(&m);
}

static void no_input(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, MENU);
	out(b, 1500, "\033[H\033[2J           Second page\033[10;1H");
	out(b, 1500, "\033[H\033[2J           Third page\033[10;1H");
	m = make(b);
	has(&m, "The trace holds no input: this script only waits.");
	has(&m, "expect { \"Main menu\"");
	has(&m, "expect { \"Second page\"");
	has(&m, "expect { \"Third page\"");
	has_not(&m, "transaction(");
	made_free(&m);
}

/* Nothing that the SUT shows, or that stands in markers, becomes code or ends a comment. */
static void hostile(void **state)
{
	static const char *const texts[] = {
		"]] os.execute('x') --[[",
		"\"..os.exit()..\"",
		"\\\" .. x .. \\\"",
		"--[==[ long",
		"a\\",
		"\342\200\256drawkcab",
		"\xff\xfe\xc3(",
		"%d+ %f[x] ^$",
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(texts); i++) {
		struct build *b = build_new("xterm-256color", 10, 60);
		struct made m;

		free(b->t.command);
		b->t.command = b_strdup(texts[i]);
		out(b, 20, "\033[2J\033[H");
		out(b, 0, texts[i]);
		out(b, 0, " : ");
		typed(b, "abc", 0);
		add(b, 1, 'm', "comment x");
		in(b, 300, "\r");
		out(b, 5, "\r\n");
		out(b, 0, texts[i]);
		out(b, 0, " done\r\n");
		out(b, 0, texts[i]);
		add(b, 5, 'm', "begin \"] x");
		in(b, 300, "\r");
		out(b, 5, "\r\nSure\r\n");
		out(b, 0, texts[i]);
		m = make(b);
		/* No control character but line feeds; each line is closed in itself. */
		for (const char *p = m.script; *p; p++)
			if (((unsigned char)*p < ' ' && *p != '\n') || *p == 127)
				fail_msg("control %d with %s", *p, texts[i]);
		has_not(&m, "[==[ long\n");
		has_not(&m, "\342\200\256");
		made_free(&m);
	}
}

static void refused(void **state)
{
	struct build *b = build_new("no-such-terminal", 10, 60);
	const struct cap_trace *t = &b->t;
	struct b_buf script = B_BUF_INIT;
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(
		cap_generate(&t, 1, &(struct cap_generate_options){ 0 }, &script, NULL, &err),
		B_EINPUT);
	memset(&err, 0, sizeof err);
	out(b, 1, "x");
	assert_int_equal(
		cap_generate(&t, 1, &(struct cap_generate_options){ 0 }, &script, NULL, &err),
		B_EINPUT);
	assert_non_null(strstr(err.text, "no-such-terminal"));
	memset(&err, 0, sizeof err);
	assert_int_equal(
		cap_generate(&t, 0, &(struct cap_generate_options){ 0 }, &script, NULL, &err),
		B_EUSAGE);
	assert_int_equal(script.len, 0);
	build_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts),
		cmocka_unit_test(heading),
		cmocka_unit_test(same_bytes),
		cmocka_unit_test(two_traces),
		cmocka_unit_test(another_cursor),
		cmocka_unit_test(another_way),
		cmocka_unit_test(csv_fields),
		cmocka_unit_test(shown),
		cmocka_unit_test(shown_in_row),
		cmocka_unit_test(shown_in_lines),
		cmocka_unit_test(in_one_go),
		cmocka_unit_test(markers),
		cmocka_unit_test(secrets),
		cmocka_unit_test(resized_pasted_clicked),
		cmocka_unit_test(burst_without_brackets),
		cmocka_unit_test(clicks_apart),
		cmocka_unit_test(no_input),
		cmocka_unit_test(hostile),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
