/* capture: what a generated script waits for. */
#include "tests/unit/cap_trace_build.h"

#define FORM \
	"\033[H\033[2J              Account query\r\n\r\n  Account . . : \r\n  Balance . . :\033[3;17H"

/* A form: echo while typing, the cursor to the next field, a message and the cursor back. */
static void form(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, FORM);
	typed(b, "10042", 0);
	in(b, 300, "\t");
	out(b, 2, "\033[4;17H");
	in(b, 300, "\r");
	out(b, 5, "\033[4;17H250.00\033[9;1HAccount found\033[3;17H");
	in(b, 800, "\033OR");
	out(b, 2, "\033[H\033[2J");
	m = make(b);
	has(&m, "account = \"10042\", -- by \"Account\"");
	has(&m,
		"-- the first screen; cursor rests by \"Account\":\n  expect { \"Account query\", row = 1, "
		"cursor = { 3, 17 } }\n");
	has(&m, "press(\"Tab\", 301)\n    expect { cursor = { 4, 17 } } -- cursor rests by \"Balance\"");
	has(&m, "transaction(\"account-query-enter\", function()\n    send(data.account");
	has(&m, "expect { \"Account found\", row = 9, cursor = { 3, 17 } }");
	has(&m, "press \"F3\"\n  expect { eof = true }");
	assert_string_equal(m.warnings, "");
	made_free(&m);
}

/* Echo, silence, answer: what the echo shows must not end the wait. */
static void late_answer(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, FORM);
	typed(b, "10042", 0);
	in(b, 300, "\r");
	out(b, 1, "\033[9;1HPosting, please wait\033[3;17H");
	out(b, 1500, "\033[9;1HPosted the order    \033[3;17H");
	in(b, 400, "\033OR");
	m = make(b);
	has(&m, "\"Posted the order\", row = 9");
	has_not(&m, "please wait");
	/* The think time begins with the answer, not with the echo. */
	has(&m, "think(0.4)\n  press \"F3\"");
	made_free(&m);
}

/* Nothing new but the cursor, back in its field after a while: it was an answer all the same. */
static void cursor_answers(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, FORM);
	for (int i = 0; i < 2; i++) {
		typed(b, i ? "555" : "1004", 0);
		in(b, 300, "\r");
		for (int k = 0; k < 8; k++)
			out(b, 150,
				(const char *[]){ "\0337\033[5;1HSaving |\0338",
					"\0337\033[5;1HSaving /\0338" }[k & 1]);
		out(b, 150, "\033[5;1H\033[K\033[3;17H     \033[3;17H");
		add(b, 400, 'm', "nothing");
	}
	in(b, 400, "\033OR");
	m = make(b);
	has(&m, "transaction(\"account-query-enter\", function()\n    send(data.account,");
	has(&m, "transaction(\"account-query-enter-2\", function()\n    send(data.account_2,");
	has(&m, "expect { cursor = { 3, 17 } }");
	has_not(&m, "Saving");
	made_free(&m);
}

/* The answer is a number where nothing stood: a pattern, since numbers differ. */
static void number_answer(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, FORM);
	typed(b, "10042", 0);
	in(b, 300, "\r");
	out(b, 1, "\033[3;17H");
	out(b, 900, "\033[4;17H250.00\033[3;17H");
	in(b, 400, "\033OR");
	m = make(b);
	has(&m, "expect { match = \"%d+%.%d+\", row = 4");
	has_not(&m, "WARNING");
	made_free(&m);
}

/* Nothing tells the end: the warning says so, and silence is waited for. */
static void nothing_tells(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, FORM);
	in(b, 300, "\033OP");
	out(b, 1, "\033[5;1H\033[41m      \033[m\033[3;17H");
	out(b, 700, "\033[6;1H\033[41m      \033[m\033[3;17H");
	in(b, 400, "\033OR");
	m = make(b);
	has(&m, "expect { quiet = ");
	has(&m, "-- WARNING");
	assert_non_null(strstr(m.warnings, "quiet"));
	made_free(&m);
}

/* A list with a hidden cursor: the reversed row tells where the selection is. */
static void list(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20,
		"\033[?25l\033[2J\033[H Choose a colour\r\n\033[7m Red   \033[m\r\n Green \r\n Blue  ");
	in(b, 300, "\033OB");
	out(b, 1, "\033[2;1H Red   \r\n\033[7m Green \033[m");
	in(b, 300, "\033OB");
	out(b, 1, "\033[3;1H Green \r\n\033[7m Blue  \033[m");
	in(b, 300, "\r");
	out(b, 1, "\033[2J\033[HThank you");
	m = make(b);
	has(&m, "expect { \"Green\", row = 3, attr = \"reverse\" }");
	has(&m, "expect { \"Blue\", row = 4, attr = \"reverse\" }");
	has_not(&m, "cursor =");
	made_free(&m);
}

/* Of the selected row in a list of files it is the name that tells, not the unit of its size. */
static void list_of_folders(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20,
		"\033[?25l\033[2J\033[H Files\r\n\033[7m ../     4 K \033[m\r\n sub/     4 K \r\n"
		" alpha.txt  6 B \r\n and some more of them");
	in(b, 300, "\033OB");
	out(b, 1, "\033[2;1H ../     4 K \r\n\033[7m sub/     4 K \033[m");
	in(b, 300, "\r");
	out(b, 1, "\033[2J\033[HThank you");
	m = make(b);
	has(&m, "expect { \"sub/\", row = 3, attr = \"reverse\" }");
	made_free(&m);
}

/* A busy machine: the echo of a single digit comes behind the Tab, which moves the digit to the right. It
   is a value all the same. */
static void late_echo(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[HUpdate\033[3;3HTeller\033[4;3HBranch\033[3;12H");
	in(b, 300, "3");
	in(b, 20, "\t");
	out(b, 1, "3");
	out(b, 20, "\b \033[3;21H3\033[4;12H");
	in(b, 300, "7\t");
	out(b, 9, "7\b \033[4;21H7\033[6;12H");
	in(b, 300, "\r");
	out(b, 1, "\033[2J\033[HThank you");
	m = make(b);
	has(&m, "teller = \"3\", -- by \"Teller\"");
	has(&m, "branch = \"7\", -- by \"Branch\"");
	has(&m, "send(data.teller)");
	has_not(&m, "press \"3\"");
	made_free(&m);
}

/* Each echo comes behind the next key: they are the echoes of the keys before. */
static void echoes_a_key_late(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[HUpdate\033[3;3HAccount\033[4;3HBranch\033[3;12H");
	in(b, 300, "1");
	in(b, 20, "70");
	out(b, 1, "1");
	out(b, 5, "\033[m7");
	in(b, 10, "0");
	out(b, 3, "0");
	in(b, 20, "\t");
	out(b, 2, "0");
	out(b, 9, "\033[4;12H");
	in(b, 300, "3");
	out(b, 1, "3");
	in(b, 300, "\r");
	out(b, 1, "\033[2J\033[HThank you");
	m = make(b);
	has(&m, "account = \"1700\", -- by \"Account\"");
	has(&m,
		"send(data.account, { 20, 0, 16 })\n    press(\"Tab\", 23)\n"
		"    expect { cursor = { 4, 12 } } -- cursor rests by \"Branch\"");
	has_not(&m, "press \"0\"");
	has_not(&m, "already");
	made_free(&m);
}

/* `dd` in vi: the terminal moves the lines up, nothing is painted and the cursor stays. */
static void lines_that_are_moved(void **state)
{
	struct build *b = build_new("xterm-256color", 6, 60);
	struct made m;

	(void)state;
	out(b, 20,
		"\033[2J\033[Hone of them\r\nthe second line\r\na third line\033[6;1H\"note\"\033[H");
	in(b, 300, "d");
	in(b, 100, "d");
	out(b, 1, "\033[1;5r\033[H\033[M\033[r\033[5;1H~\033[H");
	in(b, 500, "\r");
	out(b, 1, "\033[2J\033[HThank you");
	m = make(b);
	has(&m, "expect { \"third line\", row = 2, already = true } -- moved here; may");
	has_not(&m, "WARNING");
	made_free(&m);

	/* Not what was typed, whose echo moves up as a terminal scrolls. */
	b = build_new("xterm-256color", 6, 60);
	out(b, 20, "\033[2J\033[Hnote\033[5;1H> ");
	typed(b, "listing", 0);
	in(b, 100, "\033OS");
	out(b, 1, "\033[1;5r\033[5;1H\n\033[r\033[5;1H> ");
	in(b, 500, "\r");
	out(b, 1, "\033[2J\033[HThank you");
	m = make(b);
	has_not(&m, "\"listing\", row");
	made_free(&m);
}

/* Line mode: the prompt that comes back, on whatever row; editing needs no waits. */
static void prompt(void **state)
{
	struct build *b = build_new("xterm-256color", 6, 60);
	struct made m;

	(void)state;
	out(b, 20, "Bank 1.0\r\nbank[1]=> ");
	typed(b, "selectx", 0);
	in(b, 200, "\177");
	out(b, 1, "\b \b");
	in(b, 300, "\r");
	out(b, 1, "\r\n");
	out(b, 900, " 17 rows\r\nbank[2]=> ");
	typed(b, "\\d", 0);
	in(b, 300, "\r");
	out(b, 1, "\r\n a\r\n b\r\n c\r\n d\r\n e\r\nbank[3]=> ");
	in(b, 300, "\004");
	out(b, 1, "\r\n");
	m = make(b);
	has(&m, "expect { match = \"^bank%[%d+%]=> *$\" } -- the prompt\n");
	has(&m, "transaction(\"selectx\", function()\n    send(data.command");
	has(&m, "press(\"Backspace\", 201)\n    press(\"Enter\"");
	has(&m, "expect { match = \"^bank%[%d+%]=> *$\" } -- the prompt is back");
	has(&m, "-- Repeated: ends on the screen that it began with.");
	has_not(&m, "row =");
	has_not(&m, "17");
	made_free(&m);
}

/* A clock ticks, and a table of figures: neither is waited for. */
static void ticking(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	char frame[200];
	struct made m;

	(void)state;
	out(b, 20,
		"\033[2J\033[HLoad meter  abc0\r\nProcess list\r\n  alpha  1\r\n  beta   2\033[10;1H");
	for (int i = 1; i < 5; i++) {
		snprintf(frame, sizeof frame,
			"\033[1;13Hxyz%d\033[3;1H  %s  %d\033[4;1H  %s   %d\033[10;1H", i,
			i & 1 ? "gamma" : "delta", i, i & 1 ? "iota" : "zeta", i);
		out(b, 1000, frame);
	}
	in(b, 300, "h");
	out(b, 2, "\033[2J\033[HHelp for the meter\r\n\r\n q leaves\033[10;1H");
	in(b, 1000, "q");
	out(b, 2,
		"\033[2J\033[HLoad meter  xyz9\r\nProcess list\r\n  omega  7\r\n  kappa  8\033[10;1H");
	out(b, 1000, "\033[1;13Hxyz7\033[3;1H  gamma  3\033[4;1H  iota   4\033[10;1H");
	in(b, 300, "q");
	m = make(b);
	has(&m, "\"Help for the meter\"");
	has(&m, "\"Process list\"");
	has_not(&m, "gamma");
	has_not(&m, "omega");
	has_not(&m, "iota");
	has_not(&m, "xyz");
	has_not(&m, "quiet");
	made_free(&m);
}

/*
 * One change that nobody asked for: a clock's, perhaps, and then the screen never is quiet for
 * longer than its period. Silence is waited for only if there was one in the recording.
 */
static void changes_late(void **state)
{
	(void)state;
	for (int rested = 0; rested < 2; rested++) {
		struct build *b = build_new("xterm-256color", 10, 60);
		struct made m;

		out(b, 20, "\033[2J\033[HFolders\r\n alpha\r\n beta\033[10;1H");
		in(b, 300, "\r");
		out(b, 2, "\033[2J\033[HFolder alpha\033[1;50H12:00:01\033[10;1H");
		out(b, 900, "\033[1;50H12:00:02\033[10;1H");
		in(b, rested ? 2000 : 500, "q");
		out(b, 2, "\033[2J\033[HFolders\r\n alpha\r\n beta\033[10;1H");
		in(b, 300, "q");
		m = make(b);
		has(&m, "\"Folder alpha\", row = 1");
		if (rested)
			has(&m, "quiet = 1400 }");
		else
			has_not(&m, "quiet");
		assert_non_null(strstr(m.warnings, "held already on an earlier screen"));
		made_free(&m);
	}
}

/* A hash is not waited for, nor a row below figures that tick: both are others another time. */
static void volatile_words(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;
	char frame[160];

	(void)state;
	out(b, 20, "\033[2J\033[HProcess list\r\n alef   1\r\n alpha  1\r\n beta\033[10;1HQuit");
	for (int i = 2; i < 6; i++) {
		snprintf(frame, sizeof frame, "\033[2;9H%d\033[3;9H%d\033[10;5H", i, i);
		out(b, 1000, frame);
	}
	in(b, 300, "l");
	out(b, 2, "\033[2J\033[Hcommit d58cea12b7f09\033[10;1HLog");
	in(b, 1000, "q");
	out(b, 2,
		"\033[2J\033[HProcess list\r\n alef   9\r\n alpha  9\033[10;1HQuit\033[4;1H beta\033[10;5H");
	out(b, 1000, "\033[2;9H8\033[3;9H8\033[10;5H");
	in(b, 300, "q");
	m = make(b);
	has_not(&m, "beta");
	has_not(&m, "cea");
	has(&m, "\"Process list\"");
	made_free(&m);
}

/* Rows of figures are data: their heading tells, and the line of keys. */
static void rows_of_figures(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20,
		"\033[?25l\033[2J\033[H  PID  PRI  MEM  TIME  COMMAND\r\n   17   20  1.5   300  xclock\r\n"
		"   18   20  2.5   100  editor -- draft\033[10;1HF1Help F10Quit");
	in(b, 300, "q");
	m = make(b);
	has_not(&m, "xclock");
	has_not(&m, "draft");
	made_free(&m);

	/* They changed once before the first key: no answer, and nothing of it stays. */
	b = build_new("xterm-256color", 10, 60);
	out(b, 20,
		"\033[?25l\033[2J\033[H  PID  PRI  MEM  TIME  COMMAND\r\n   17   20  1.5   300  xclock\r\n"
		"   18   20  2.5   100  editor -- draft\033[10;1HHelp Quit");
	out(b, 1000,
		"\033[2;1H   19   22  2.5   111  editor -- draft\r\n   17   20  1.6   301  xclock         ");
	in(b, 300, "q");
	m = make(b);
	has_not(&m, "xclock");
	has_not(&m, "draft");
	has_not(&m, "quiet");
	has(&m, "Help Quit");
	assert_string_equal(m.warnings, "");
	made_free(&m);
}

/* What vanishes, with nothing in its stead. */
static void erased(void **state)
{
	struct build *b = build_new("xterm-256color", 6, 40);
	struct made m;

	(void)state;
	out(b, 20, "\033[?1049h\033[2J\033[6;1H-- INSERT --\033[1;5H");
	in(b, 500, "\033");
	out(b, 20, "\033[6;1H\033[K\033[1;4H");
	in(b, 1200, ":");
	out(b, 1, "\033[6;1H:");
	in(b, 300, "q");
	out(b, 1, "q");
	in(b, 300, "\r");
	out(b, 1, "\033[?1049l");
	m = make(b);
	has(&m, "gone = true, cursor = { 1, 4 } }");
	has(&m, "expect { cursor = { 6, 2 } }");
	made_free(&m);
}

/* After a lone Esc that nothing answers, the pause is kept: the next key would become Alt. */
static void esc(void **state)
{
	struct build *b = build_new("xterm-256color", 6, 40);
	struct made m;

	(void)state;
	out(b, 20, "\033[?1049h\033[2Jtext\033[1;1H");
	in(b, 500, "\033");
	in(b, 1100, "x");
	out(b, 1, "\033[1;1Hext \033[1;1H");
	in(b, 400, "q");
	m = make(b);
	has(&m, "press \"Esc\"\n    pause(1.1)");
	made_free(&m);
}

/* Answers to queries and focus reports are no keys. */
static void answers(void **state)
{
	struct build *b = build_new("xterm-256color", 6, 40);
	struct made m;

	(void)state;
	out(b, 20, "\033[6n\033[>c\033]11;?\033\\\033[?1004h");
	in(b, 1, "\033[1;1R");
	in(b, 1, "\033[>41;379;0c");
	in(b, 1, "\033]11;rgb:0000/0000/0000\033\\");
	out(b, 100, "\033[2J\033[HWelcome here\033[3;1H");
	in(b, 500, "\033[I");
	in(b, 500, "\033[O");
	in(b, 500, "q");
	m = make(b);
	has(&m, "1 key in");
	has(&m, "expect { \"Welcome here\", row = 1, cursor = { 3, 1 } }");
	has_not(&m, "raw");
	has_not(&m, "F3");
	made_free(&m);
}

/* The answer says back what was typed: it is waited for by the value's name, or, where words stand
   around it, by those. */
static void said_back(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "Name: ");
	typed(b, "Ada", 0);
	in(b, 300, "\r");
	out(b, 5, "\r\n<Ada>\r\n");
	in(b, 800, "\r");
	out(b, 5, "\r\n");
	m = make(b);
	has(&m, "expect { \"<\" .. data.name .. \">\" }");
	made_free(&m);

	b = build_new("xterm-256color", 10, 60);
	out(b, 20, "\033[2J\033[HNew order\r\n\r\nCustomer: ");
	typed(b, "Ada", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[2J\033[5;5HOrder accepted: ADA, 3 of them\033[7;20H");
	in(b, 800, "\r");
	out(b, 5, "\033[2J\033[HNew order\r\n\r\nCustomer: ");
	m = make(b);
	has(&m, "expect { \"Order accepted\", row = 5, cursor = { 7, 20 } }");
	has(&m, "transaction(\"new-order-enter\"");
	made_free(&m);

	/* the screen that is left has it in its title: what it is called does not */
	b = build_new("xterm-256color", 10, 60);
	out(b, 20, "\033[2J\033[HNew order\r\n\r\nCustomer: ");
	typed(b, "Ada", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[2J\033[7mOrder of Ada, open\033[m\033[5;5HQuantity: ");
	typed(b, "12", 0);
	in(b, 800, "\r");
	out(b, 5, "\033[2J\033[HNew order\r\n\r\nCustomer: ");
	m = make(b);
	has(&m, "transaction(\"order-of-open-enter\"");
	made_free(&m);
}

/* Said back in capitals, and in front of the cursor: neither is waited for. */
static void said_back_in_capitals(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[HUpdate customer\r\n\r\nCustomer: ");
	typed(b, "ada", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[7;1HUpdate ADA? (Y/N) ");
	in(b, 800, "y");
	out(b, 5, "\033[2J\033[5;5HCustomer ADA\033[8;20H");
	in(b, 800, "\r");
	out(b, 5, "\033[2J\033[HUpdate customer\r\n\r\nCustomer: ");
	m = make(b);
	has(&m, "expect { \"Update\", row = 7 }");
	has(&m, "expect { \"Customer\", row = 5, cursor = { 8, 20 } }");
	has_not(&m, "ADA");
	made_free(&m);
}

/* A field in capitals is data; a full one that takes itself ends its transaction with its last
   character in the data, not in the name. */
static void full_field_submits(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[HBadges\r\n\r\nBadge: \033[4m    \033[m\033[3;8H");
	for (int k = 0; k < 4; k++) {
		in(b, k ? 40 : 400, (const char *[]){ "a", "b", "1", "2" }[k]);
		out(b, 1,
			(const char *[]){ "\033[4mA", "B", "1",
				"\033[3;8H    \033[m\033[9;2HWelcome to the hall\033[3;8H" }[k]);
	}
	in(b, 900, "\033OR");
	out(b, 2, "\033[H\033[2J");
	m = make(b);
	has(&m, "badge = \"ab12\"");
	has(&m, "transaction(\"prog-badge\"");
	has(&m, "expect { \"Welcome to the hall\", row = 9, cursor = { 3, 8 } }");
	made_free(&m);
}

/* The answer to a question is a submit of its own. */
static void question_submits(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[HUpdate customer\r\n\r\nCustomer: ");
	for (int i = 0; i < 2; i++) {
		typed(b, i ? "Ada" : "Grace", 0);
		in(b, 300, "\r");
		out(b, 5, "\033[7;1HUpdate? (Y/N) ");
		in(b, 800, "y");
		out(b, 60, "\033[7;1H\033[K\033[9;5HThe record is updated\033[3;11H\033[K");
	}
	in(b, 800, "\033OR");
	out(b, 5, "\033[2J\033[H");
	m = make(b);
	has(&m, "transaction(\"update-customer-enter\"");
	has(&m, "transaction(\"update-customer-y\"");
	has(&m, "transaction(\"update-customer-y-2\"");
	made_free(&m);

	/* the same where the answer shows before it is taken */
	b = build_new("xterm-256color", 10, 60);
	out(b, 20, "\033[2J\033[HUpdate customer\r\n\r\nCustomer: ");
	typed(b, "Ada", 0);
	in(b, 300, "\r");
	out(b, 5, "\033[7;1HUpdate? Y/N ");
	in(b, 800, "y");
	out(b, 1, "y");
	out(b, 60, "\033[9;5HThe record is updated\033[3;11H\033[K");
	in(b, 800, "\033OR");
	out(b, 5, "\033[2J\033[H");
	m = make(b);
	has(&m, "transaction(\"update-customer-enter\"");
	has(&m, "transaction(\"update-customer-y\"");
	made_free(&m);
}

/* A message that stays, above the row that names the keys: the form is the same one. */
static void message_stays(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[2J\033[HOrders\033[10;1HEnter=Save  F3=Exit\033[3;1HCustomer: ");
	for (int i = 0; i < 2; i++) {
		typed(b, i ? "Ada" : "Grace", 0);
		in(b, 300, "\r");
		out(b, 5, i ? "\033[3;11H\033[K" : "\033[8;3HRecord saved\033[3;11H\033[K");
	}
	in(b, 800, "\033OR");
	out(b, 5, "\033[2J\033[H");
	m = make(b);
	has_not(&m, "relogin()");
	has(&m, "expect { \"Record saved\", row = 8, cursor = { 3, 11 } }");
	made_free(&m);
}

/* Checkboxes whose mark alone is painted, in a colour of its own. */
static void boxes(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[?25l\033[2J\033[HPick some\r\n\r\n[\033[44m \033[m] pear\r\n[ ] plum");
	in(b, 300, " ");
	out(b, 1, "\033[3;2H\033[44m*\033[m");
	in(b, 300, " ");
	out(b, 1, "\033[3;2H\033[44m \033[m");
	in(b, 300, "q");
	m = make(b);
	has(&m, "press \"Space\"\n    expect { \"[*] pear\", row = 3 }");
	has(&m, "expect { \"[ ] pear\", row = 3 }");
	made_free(&m);
}

/* A key as soon as something shows: the replay waits for the whole of the first screen. */
static void half_painted(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, "\033[H\033[2J              Account query\r\n\r\n  Balance . . :");
	in(b, 2, "7");
	out(b, 1, "\033[5;3HAccount . . : 7");
	in(b, 300, "\r");
	out(b, 5, "\033[9;1HAccount found\033[5;17H");
	in(b, 800, "\033OR");
	m = make(b);
	has(&m,
		"expect { \"Account query\", row = 1, quiet = 200 } -- the first screen; until all of it is "
		"there");
	assert_string_equal(m.warnings, "");
	made_free(&m);
}

/* A screen that never rests has no silence to wait for, and a clock may be drawn in colour. */
static void never_rests(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	for (int i = 0; i < 80; i++)
		out(b, 20, i & 1 ? "\033[5;5Hx\033[6;9HQ" : "\033[5;5H@\033[6;9HW");
	in(b, 2, "b");
	for (int i = 0; i < 80; i++)
		out(b, 20, i & 1 ? "\033[5;5Hx\033[6;9HS" : "\033[5;5H@\033[6;9HR");
	in(b, 2, "q");
	m = make(b);
	has_not(&m, "quiet");
	made_free(&m);

	b = build_new("xterm-256color", 10, 60);
	out(b, 20, "\033[?25l\033[2J\033[HTime\033[3;3H\033[42m  \033[m");
	out(b, 1000, "\033[3;3H\033[41m  \033[m");
	out(b, 1003, "\033[3;3H\033[42m  \033[m");
	in(b, 400, "c");
	out(b, 600, "\033[2J\033[5;5HTime\033[7;3H\033[42m  \033[m");
	out(b, 1001, "\033[7;3H\033[41m  \033[m");
	in(b, 400, "q");
	m = make(b);
	has_not(&m, "quiet");
	made_free(&m);
}

/* Keys in one read, or before the answer was there: the order stays, no wait comes between. */
static void typed_ahead(void **state)
{
	struct build *b = build_new("xterm-256color", 10, 60);
	struct made m;

	(void)state;
	out(b, 20, FORM);
	in(b, 300, "7\t8\r");
	out(b, 2, "\033[3;17H7\033[4;17H8\033[9;1HThank you\033[3;17H");
	in(b, 500, "\r");
	in(b, 3, "q");
	out(b, 400, "\033[9;1HGoodbye  \033[3;17H");
	in(b, 600, "\033OR");
	m = make(b);
	has(&m, "send(data.account)\n    press(\"Tab\", 0)\n    press(\"8\", 0)\n    press(\"Enter\", 0)\n");
	/* At replay the answer may be there before the last of them is sent. */
	has(&m, "    expect { \"Thank you\", row = 9, cursor = { 3, 17 }, already = true }\n");
	has(&m, "press \"Enter\"\n  press(\"q\", 3)\n");
	has(&m, "  expect { \"Goodbye\", row = 9, cursor = { 3, 17 }, already = true }\n");
	made_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(form),
		cmocka_unit_test(list_of_folders),
		cmocka_unit_test(late_answer),
		cmocka_unit_test(lines_that_are_moved),
		cmocka_unit_test(late_echo),
		cmocka_unit_test(echoes_a_key_late),
		cmocka_unit_test(cursor_answers),
		cmocka_unit_test(number_answer),
		cmocka_unit_test(nothing_tells),
		cmocka_unit_test(list),
		cmocka_unit_test(prompt),
		cmocka_unit_test(ticking),
		cmocka_unit_test(changes_late),
		cmocka_unit_test(volatile_words),
		cmocka_unit_test(rows_of_figures),
		cmocka_unit_test(erased),
		cmocka_unit_test(esc),
		cmocka_unit_test(answers),
		cmocka_unit_test(said_back),
		cmocka_unit_test(said_back_in_capitals),
		cmocka_unit_test(full_field_submits),
		cmocka_unit_test(question_submits),
		cmocka_unit_test(message_stays),
		cmocka_unit_test(boxes),
		cmocka_unit_test(half_painted),
		cmocka_unit_test(never_rests),
		cmocka_unit_test(typed_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
