/* capture: names and patterns from what stands on a screen. */
#include "tests/unit/cap_trace_build.h"

#include "capture/infer.h"
#include "capture/names.h"
#include "vscreen/screen.h"

static struct cap_frame *frame_of(const char *output, int rows, int cols)
{
	struct vs_screen *s;
	struct cap_frame *f;

	assert_int_equal(vs_screen_new(&s, &(struct vs_options){ .rows = rows, .cols = cols }), 0);
	vs_screen_feed(s, output, strlen(output));
	f = cap_frame_take(s, NULL);
	vs_screen_free(s);
	return f;
}

static void idents(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "Order no. . .", "order_no" },
		{ "Please enter your name", "name" },
		{ "Größe (cm)", "grosse_cm" },
		{ "Kundennummer", "kundennummer" },
		{ "2nd line", "nd_line" },
		{ "end", "end_value" },
		{ "number", "number_value" },
		{ "日本語", "" },
		{ "a very long label that nobody would want as a name", "very_long_label_that" },
		{ "Name\"; os.execute('x')", "name_os_execute_x" },
		{ "\xff\xfe", "" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf out = B_BUF_INIT;

		cap_name_ident(&out, cases[i].text);
		assert_string_equal(b_buf_cstr(&out), cases[i].want);
		b_buf_release(&out);
	}
}

static void programs(void **state)
{
	static const struct {
		const char *command, *want;
	} cases[] = {
		{ "top -d 1", "top" },
		{ "/usr/bin/vim file", "vim" },
		{ "env A=b LANG=C nano", "nano" },
		{ "sh -c 'cd repo && exec tig'", "tig" },
		{ "'/opt/my prog/x' y", "my" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf out = B_BUF_INIT;

		cap_name_program(&out, cases[i].command);
		if (i != 3) /* a folder with a blank: anything but a crash */
			assert_string_equal(b_buf_cstr(&out), cases[i].want);
		b_buf_release(&out);
	}
}

static void given_once(void **state)
{
	struct cap_names names = { .sep = '-' };
	static const char *const want[] = { "query", "query-2", "query-3" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct b_buf b = B_BUF_INIT;

		b_buf_adds(&b, "query");
		cap_names_give(&names, &b);
		assert_string_equal(b_buf_cstr(&b), want[i]);
		b_buf_release(&b);
	}
	cap_names_release(&names);
}

/* Found in any case and with marks behind; a part of one is another word. */
static void words(void **state)
{
	static const struct {
		const char *word;
		bool has;
	} cases[] = { { "Ada", true }, { "ADA,", true }, { "ada).", true }, { "Ad", false },
		{ "Adam", false }, { "Lovelace", true }, { "Ada Lovelace", false }, { "x", false },
		{ "", false }, { "...", false }, { "1000042", true }, { "100004", false },
		{ "zebra", true }, { "Zebra!", true }, { "zebras", false } };
	struct cap_words w = { 0 };

	(void)state;
	assert_false(cap_words_has(&w, "Ada", 3));
	cap_words_add(&w, "zebra");
	cap_words_add(&w, "  Ada   Lovelace x ");
	cap_words_add(&w, "");
	cap_words_add(&w, "1000042");
	cap_words_add(&w, "Adamant Ada");
	for (int i = 0; i < 200; i++) {
		char other[16];

		snprintf(other, sizeof other, "m%d", i * 37 % 200);
		cap_words_add(&w, other);
	}
	cap_words_sort(&w);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		if (cap_words_has(&w, cases[i].word, strlen(cases[i].word)) != cases[i].has)
			fail_msg("'%s'", cases[i].word);
	assert_true(cap_words_has(&w, "M199", 4));
	cap_words_release(&w);
	assert_false(cap_words_has(&w, "Ada", 3));
}

static void labels(void **state)
{
	static const struct {
		const char *shown;
		int row, col;
		const char *want; /* NULL: none */
	} cases[] = {
		{ "Name: ", 0, 6, "Name" },
		{ "Order no. . . . :  01001", 0, 19, "Order no" },
		{ "Name: Ada   City: ", 0, 18, "City" },
		{ "City: K\303\266ln", 0, 10, "City" },
		/* The field stands out: what it holds is no label. */
		{ "Town \033[7mBerlin    \033[m", 0, 11, "Town" },
		/* A line of text in an editor. */
		{ "hello world", 0, 11, NULL },
		{ "the quick brown fox ", 0, 20, NULL },
		/* A heading above, which does not look like the field. */
		{ "\n  First name\r\n  \033[4m          \033[m", 2, 2, "First name" },
		/* A field right behind its label, when it does not look like that. */
		{ "District \033[4m  \033[m", 0, 9, "District" },
		/* A heading that ends with its field, above a column of such fields. */
		{ "  Qty  Price\r\n   \033[4m5 \033[m  \033[4m  7.5\033[m\r\n   \033[4m  \033[m  \033[4m     \033[m",
			2, 3, "Qty" },
		{ "  Qty  Price\r\n   \033[4m5 \033[m  \033[4m  7.5\033[m\r\n   \033[4m  \033[m  \033[4m     \033[m",
			2, 7, "Price" },
		{ "This sentence is no heading\r\n\033[4m          \033[m", 1, 0, NULL },
		/* The question above a box. */
		{ "\n Enter the account:\r\n +------+\r\n |      |", 3, 2, "Enter the account" },
		{ " Enter the account:\r\n \342\224\214\342\224\200\342\224\200\342\224\220\r\n "
		  "\342\224\202  \342\224\202",
			2, 2, "Enter the account" },
		/* A box to be checked. */
		{ "| [*] apple  An apple |\r\n| [ ] pear   A pear   |", 1, 3, "pear" },
		{ "\302\263 Name  ", 0, 8, "Name" },
		{ "", 0, 0, NULL },
		{ "12:30  ", 0, 7, NULL },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct cap_frame *f = frame_of(cases[i].shown, 6, 40);
		struct b_buf out = B_BUF_INIT;
		bool found = cap_label_find(f, cases[i].row, cases[i].col, &out);

		if (found != (cases[i].want != NULL) ||
			(found && strcmp(b_buf_cstr(&out), cases[i].want)))
			fail_msg("case %zu: '%s' for '%s'", i, b_buf_cstr(&out),
				cases[i].want ? cases[i].want : "none");
		b_buf_release(&out);
		cap_frame_free(f);
	}
}

static void titles(void **state)
{
	static const struct {
		const char *shown, *want;
	} cases[] = {
		{ "              Main menu\r\n\r\n 1. Query\r\n 2. Update", "Main menu" },
		{ "\033[7m  Orders 17     Entry form    12:30\033[m\r\nName:", "Entry form" },
		{ "\r\n  \342\224\214\342\224\200 Customer \342\224\200\342\224\220\r\n  \342\224\202  "
		  "      \342\224\202",
			"Customer" },
		/* Not the rest of a line behind a word that stands out. */
		{ "\033[7mUse the arrows, press \033[1m?\033[22m for help\033[m\r\n text",
			"Use the arrows, press" },
		/* A menu bar is none, nor the rest of a word that begins with its shortcut. */
		{ " Left   File   Command   Options   Right\r\n text", NULL },
		{ "\033[7m        \033[1mO\033[22mptions      \033[m\r\n text", NULL },
		/* An item of a list that begins with a mark. */
		{ "\r\n\342\224\214\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\220\r\n"
		  "\342\224\202-Exit\342\224\202",
			NULL },
		/* A box without a title: what it asks. */
		{ "\r\n\342\224\214\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\200\342\224\220\r\n"
		  "\342\224\202Go on?  \342\224\202\r\n\342\224\202        \342\224\202",
			"Go on?" },
		/* A file in a pager has no title. */
		{ "line 1 of the file\r\nline 2 of the file\r\nline 3", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct cap_frame *f = frame_of(cases[i].shown, 6, 40);
		struct b_buf out = B_BUF_INIT;
		bool found = cap_title_find(f, &out);

		while (out.len && out.data[out.len - 1] == ' ')
			b_buf_truncate(&out, out.len - 1);
		if (found != (cases[i].want != NULL) ||
			(found && strcmp(b_buf_cstr(&out), cases[i].want)))
			fail_msg("case %zu: '%s' for '%s'", i, b_buf_cstr(&out),
				cases[i].want ? cases[i].want : "none");
		b_buf_release(&out);
		cap_frame_free(f);
	}
}

static void patterns(void **state)
{
	static const struct {
		const char *pattern, *subject;
		int start, end; /* -1: no match */
	} cases[] = {
		{ "^%$ *$", "$ ", 0, 2 },
		{ "^%$ *$", "$ ls", -1, 0 },
		{ "^%$ *$", "a $ ", -1, 0 },
		{ "%$ *$", "a $ ", 2, 4 },
		{ "line %d+ of", "line 107 of the file", 0, 11 },
		{ "line %d+ of", "line x of the file", -1, 0 },
		{ "%d+", "ab12c3", 2, 4 },
		{ "%(a%)", "x(a)", 1, 4 },
		{ "$x", "a$x", 1, 3 },
		{ "", "abc", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		size_t start = 9, end = 9;
		int rc = cap_pattern_match(NULL, cases[i].pattern, strlen(cases[i].pattern),
			cases[i].subject, strlen(cases[i].subject), 0, &start, &end);

		if (rc != (cases[i].start >= 0))
			fail_msg("case %zu: %d", i, rc);
		if (rc)
			assert_true(start == (size_t)cases[i].start && end == (size_t)cases[i].end);
	}
}

/* Every text matches its own pattern, and so does one with other digits. */
static void patterns_of_texts(void **state)
{
	static const char *const texts[] = { "a.b*c", "100%", "[~]$ ", "^x^", "order 17", "-+?()",
		"", "\303\244 \346\227\245" };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(texts); i++) {
		struct b_buf p = B_BUF_INIT;
		size_t start, end;

		b_buf_addc(&p, '^');
		cap_pattern_quote(&p, texts[i], strlen(texts[i]));
		b_buf_addc(&p, '$');
		assert_int_equal(cap_pattern_match(NULL, p.data, p.len, texts[i], strlen(texts[i]),
					 0, &start, &end),
			1);
		b_buf_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(idents),
		cmocka_unit_test(programs),
		cmocka_unit_test(given_once),
		cmocka_unit_test(words),
		cmocka_unit_test(labels),
		cmocka_unit_test(titles),
		cmocka_unit_test(patterns),
		cmocka_unit_test(patterns_of_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
