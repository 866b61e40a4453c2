/* vscreen: screens as text, read back, compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/screen.h"
#include "vscreen/snapshot.h"

static const struct vs_snapshot_options full = { .attrs = true, .cursor = true };

static struct vs_screen *screen_of(int rows, int cols, const char *bytes, size_t len)
{
	struct vs_options opt = { .rows = rows, .cols = cols };
	struct vs_screen *s = NULL;

	assert_int_equal(vs_screen_new(&s, &opt), 0);
	vs_screen_feed(s, bytes, len);
	return s;
}

static struct vs_screen *screen(int rows, int cols, const char *bytes)
{
	return screen_of(rows, cols, bytes, strlen(bytes));
}

static struct vs_snapshot *parse(const char *text)
{
	struct vs_snapshot *g = NULL;
	struct b_error err = { 0 };

	if (vs_snapshot_parse(&g, text, strlen(text), &err))
		fail_msg("%s in\n%s", err.text, text);
	return g;
}

static void feed(struct vs_screen *s, const char *bytes)
{
	vs_screen_feed(s, bytes, strlen(bytes));
}

/* Compares; want is the diff. */
static void compare_with(const char *golden, const struct vs_screen *s,
	const struct vs_snapshot_options *opt, int n, const char *want)
{
	struct vs_snapshot *g = parse(golden);
	struct b_buf diff = B_BUF_INIT;
	int got = vs_snapshot_compare(g, s, opt, &diff);

	if (want && strcmp(b_buf_cstr(&diff), want))
		fail_msg("diff is\n%swanted\n%s", diff.data, want);
	assert_int_equal(got, n);
	b_buf_release(&diff);
	vs_snapshot_free(g);
}

static void form(void **state)
{
	static const char golden[] = "rte-golden 1 24x5 attributes\n"
				     "|\342\224\214 Account \342\224\220             |\n"
				     ":  RRRRRRR\n"
				     "|Name:  \344\270\255\346\226\207             |\n"
				     "|                        |\n"
				     "|a|b { c} {{d}            |\n"
				     "|F10 Exit                |\n"
				     ":rrr\n"
				     "cursor 2 8\n";
	struct vs_screen *s = screen(5, 24,
		"\342\224\214 \033[1;7mAccount\033[m \342\224\220\r\nName:  \344\270\255\346\226\207"
		"\033[4;1Ha|b { c} {d}\033[5;1H\033[7mF10\033[m Exit\033[2;8H");
	struct b_buf out = B_BUF_INIT;

	(void)state;
	vs_snapshot_write(s, &full, &out);
	assert_string_equal(b_buf_cstr(&out), golden);
	compare_with(golden, s, &full, 0, "");

	feed(s, "\033[2;1HX\033[5;1HF10\033[?25l");
	compare_with(golden, s, &full, 3,
		"row 2:\n"
		"  expected |Name:  \344\270\255\346\226\207             |\n"
		"  actual   |Xame:  \344\270\255\346\226\207             |\n"
		"            ^\n"
		"row 5, attributes:\n"
		"  expected :rrr\n"
		"  actual   :\n"
		"            ^^^\n"
		"cursor: expected row 2, column 8, actual hidden\n");
	/* What was not asked for is not compared. */
	compare_with(golden, s, &(struct vs_snapshot_options){ .cursor = true }, 2, NULL);
	compare_with(golden, s, &(struct vs_snapshot_options){ .attrs = true }, 2, NULL);
	b_buf_clear(&out);
	vs_snapshot_write(s, &(struct vs_snapshot_options){ 0 }, &out);
	assert_null(strstr(b_buf_cstr(&out), "attributes"));
	assert_null(strstr(b_buf_cstr(&out), "cursor"));
	b_buf_clear(&out);
	vs_snapshot_write(s, &full, &out);
	assert_non_null(strstr(b_buf_cstr(&out), "\ncursor hidden\n"));
	compare_with(b_buf_cstr(&out), s, &full, 0, "");
	b_buf_release(&out);
	vs_screen_free(s);
}

static void masks(void **state)
{
	static const struct vs_rect rects[] = { { 0, 6, 1, 4 }, { 1, 1, 5, 1 }, { -3, -3, 1, 1 } };
	const struct vs_snapshot_options opt = { true, false, rects, 3 };
	static const char golden[] = "rte-golden 1 12x2 attributes\n"
				     "|Time: \342\226\221\342\226\221\342\226\221\342\226\221  |\n"
				     "|\342\226\221\342\226\221x         |\n";
	struct vs_screen *s = screen(2, 12, "Time: \033[7m1234\033[m\r\n\344\270\255x");
	struct b_buf out = B_BUF_INIT;

	(void)state;
	vs_snapshot_write(s, &opt, &out);
	assert_string_equal(b_buf_cstr(&out), golden);
	/* Either side's masks do. */
	feed(s, "\033[1;8H\033[4m99\033[m\033[2;1Hab");
	compare_with(golden, s, &opt, 0, "");
	compare_with(golden, s, &full, 0, "");
	compare_with(
		"rte-golden 1 12x2 attributes\n|Time: 1234  |\n|a?x         |\n", s, &opt, 0, "");
	compare_with("rte-golden 1 12x2\n|Time: 1234  |\n|a?x         |\n", s, &full, 2, NULL);
	b_buf_release(&out);
	vs_screen_free(s);
}

/* A row of 30 columns against a screen's. */
static void row_is(const char *row, const char *shown, bool same)
{
	struct vs_screen *s = screen(1, 30, shown);
	struct b_buf golden = B_BUF_INIT, diff = B_BUF_INIT;
	struct vs_snapshot *g;

	b_buf_printf(&golden, "rte-golden 1 30x1\n|%s|\n", row);
	g = parse(b_buf_cstr(&golden));
	if ((vs_snapshot_compare(g, s, &full, &diff) == 0) != same)
		fail_msg("<%s> on <%s>: %s", row, shown, same ? b_buf_cstr(&diff) : "same");
	assert_int_equal(diff.len == 0, same);
	vs_snapshot_free(g);
	b_buf_release(&golden);
	b_buf_release(&diff);
	vs_screen_free(s);
}

static void placeholders(void **state)
{
	static const struct {
		const char *row, *shown;
		bool same;
	} cases[] = {
		{ "Date: {date}", "Date: 2026-11-30", true },
		{ "Date: {date} ", "Date: 30.11.26  ", true },
		{ "Date: {date}", "Date: 11/30/2026", true },
		{ "Date: {date}", "Date: 30-Nov-2026", true },
		{ "Date: {date}", "Date: Mon Nov 30, 2026", true },
		{ "Date: {date}", "Date: 20261130", true },
		{ "Date: {date}", "Date: yesterday", false },
		{ "Date: {date}", "Date: 2026-11-30x", false },
		{ "Date: {date}", "Date:", false },
		{ "{time}", "9:05", true },
		{ "{time}", "12:44:25", true },
		{ "{time}", "12:44:25.123 ", true },
		{ "{time}", "1:30 PM", true },
		{ "{time}", "12:4", false },
		{ "at {time} on {date}.", "at 12:44 on 1.2.2026.", true },
		{ "n={number}", "n=1", true },
		{ "n={number};", "n=-1,234.50;", true },
		{ "n={number}", "n=123.45-", true },
		{ "n={number}", "n=x", false },
		{ "n={number}", "n=1..2", false },
		/* A number of another length moves the blanks beside it. */
		{ "Total:     {number} EUR", "Total:  123456 EUR", true },
		{ "Total:     {number} EUR", "Total:123456 EUR", false },
		{ "  {number} x", "123 x", true },
		{ "{any}", "", true },
		{ "{any}", "anything at all", true },
		{ "Page {any} end", "Page of the end end", true },
		{ "Page {any} end", "Page of the en", false },
		{ "a{any}b", "ab", true },
		{ "{any}b{any}b{any}", "abab", true },
		{ "\344\270\255{number}", "\344\270\25542", true },
		{ "\342\226\221\342\226\221{number}", "\344\270\25542", true },
		{ "\342\226\221\342\226\221\342\226\221{number}", "ab", false },
		/* Literally. */
		{ "{{date}", "{date}", true },
		{ "{{date}", "2026-11-30", false },
		{ "{{{{ }}", "{{ }}", true },
		{ "{{{ }}", "{{ }}", true },
		{ "{ \"a\": {} }", "{ \"a\": {} }", true },
		{ "{x", "{x", true },
		{ "{", "{", true },
		{ "{U+2591}x", "\342\226\221x", true },
		{ "\342\226\221x", "\342\226\221x", true },
		{ "\342\226\221x", "qx", true },
		{ "{U+2591}x", "qx", false },
		{ "abc", "abc", true },
		{ "abc                              ", "abc", true },
		{ "abc                              x", "abc", false },
		{ "caf\303\251", "cafe\314\201", true },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		row_is(cases[i].row, cases[i].shown, cases[i].same);
}

static void marked(void **state)
{
	struct vs_screen *s = screen(1, 20, "ab\344\270\255{ef 12x");

	(void)state;
	compare_with("rte-golden 1 20x1\n|abXYZef 12x         |\n", s, &full, 1,
		"row 1:\n"
		"  expected |abXYZef 12x         |\n"
		"  actual   |ab\344\270\255{ef 12x         |\n"
		"              ^^^\n");
	/* With words it is told from as far as the row was followed. */
	compare_with("rte-golden 1 20x1\n|ab\344\270\255{ef {number}y|\n", s, &full, 1,
		"row 1:\n"
		"  expected |ab\344\270\255{ef {number}y|\n"
		"  actual   |ab\344\270\255{ef 12x         |\n"
		"                      ^\n");
	compare_with("rte-golden 1 30x2\n|ab|\n|x|\n", s, &full, 2, NULL);
	vs_screen_free(s);
}

static void bad_files(void **state)
{
	static const struct {
		const char *text;
		int line;
	} cases[] = {
		{ "", 1 },
		{ "hello\n", 1 },
		{ "rte-golden 2 10x1\n|x|\n", 1 },
		{ "rte-golden 1\n", 1 },
		{ "rte-golden 1 0x5\n", 1 },
		{ "rte-golden 1 1001x5\n", 1 },
		{ "rte-golden 1 10x1 colours\n", 1 },
		{ "rte-golden 1 10x1\n", 1 },
		{ "rte-golden 1 10x1\n|x|\n|y|\n", 3 },
		{ "rte-golden 1 10x2\n|x|\n", 2 },
		{ "rte-golden 1 10x1\n|x\n", 2 },
		{ "rte-golden 1 10x1\n|\n", 2 },
		{ "rte-golden 1 10x1\n|{dat}|\n", 2 },
		{ "rte-golden 1 10x1\n|{DATE}|\n", 2 },
		{ "rte-golden 1 10x1\n|{U+D800}|\n", 2 },
		{ "rte-golden 1 10x1\n|{U+0007}|\n", 2 },
		{ "rte-golden 1 10x1\n|a\033[2Jb|\n", 2 },
		{ "rte-golden 1 10x1\n|a\377b|\n", 2 },
		{ "rte-golden 1 10x1\n|x|\n:b\n", 3 },
		{ "rte-golden 1 10x1 attributes\n:b\n|x|\n", 2 },
		{ "rte-golden 1 10x1 attributes\n|x|\n:b\n:b\n", 4 },
		{ "rte-golden 1 10x1 attributes\n|x|\n:q\n", 3 },
		{ "rte-golden 1 10x1 attributes\n|x|\n:bbbbbbbbbbb\n", 3 },
		{ "rte-golden 1 10x1\n|x|\ncursor 2 1\n", 3 },
		{ "rte-golden 1 10x1\n|x|\ncursor 1\n", 3 },
		{ "rte-golden 1 10x1\n|x|\ncursor 1 1 1\n", 3 },
		{ "rte-golden 1 10x1\n|x|\ncursor 1 1\ncursor 1 1\n", 4 },
		{ "rte-golden 1 10x1\n|x|\nnonsense\n", 3 },
		{ "rte-golden 1 10x1\n# \033[2J\n|x|\n", 2 },
		{ "rte-golden 1 10x1\n# \302\233\n|x|\n", 2 },
		{ "rte-golden 1 10x1\n# \377\n|x|\n", 2 },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct vs_snapshot *g = NULL;
		struct b_error err = { 0 };
		char prefix[32];

		if (vs_snapshot_parse(&g, cases[i].text, strlen(cases[i].text), &err) != B_EINPUT)
			fail_msg("accepted: %s", cases[i].text);
		assert_null(g);
		snprintf(prefix, sizeof(prefix), "line %d: ", cases[i].line);
		if (strncmp(err.text, prefix, strlen(prefix)))
			fail_msg("%s: %s", cases[i].text, err.text);
		assert_null(strchr(err.text, '\033'));
	}
}

/* Lines of other systems, notes, blank lines. */
static void lenient(void **state)
{
	struct vs_screen *s = screen(2, 5, "ab\r\ncd");

	(void)state;
	compare_with("rte-golden 1 5x2\r\n# a note\r\n|ab   |\r\n\r\n|cd|\r\ncursor 2 3\r\n", s,
		&full, 0, "");
	compare_with("rte-golden 1 5x2\n|ab|\n|cd|", s, &full, 0, "");
	vs_screen_free(s);
}

/* `rte test --update` keeps a person's words and notes where they still hold. */
static void update(void **state)
{
	struct vs_screen *s = screen(3, 12, "at 12:44\r\nold\r\nnew");
	struct vs_snapshot *g =
		parse("rte-golden 1 12x3\n# the clock\n|at {time}    |\n|older       |\n"
		      "# last\n|new         |\n# end\ncursor 1 1\n");
	struct b_buf out = B_BUF_INIT;

	(void)state;
	vs_snapshot_update(g, s, &full, &out);
	assert_string_equal(b_buf_cstr(&out),
		"rte-golden 1 12x3 attributes\n# the clock\n|at {time}    |\n|old         |\n"
		"# last\n|new         |\n# end\ncursor 3 4\n");
	compare_with(b_buf_cstr(&out), s, &full, 0, "");
	b_buf_release(&out);
	vs_snapshot_free(g);
	vs_screen_free(s);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Whatever a SUT sends: the text is plain, and read back it is the same screen. */
static void hostile_round_trip(void **state)
{
	static const char *const bits[] = { "|", ":", "{", "}", "{date}", "{{", "#", "\r\n",
		"cursor 1 1", "\033[7m", "\033[1;4m", "\033[m", "\342\226\221", "\344\270\255",
		"e\314\201", "q\314\201\314\202", "\342\200\256", "\342\200\213", "\302\240",
		"\357\273\277", "\302\255", "\033[H", "\033[3;5H", "\033[?25l", "\033[?25h",
		"\033#6", "\033[2J", " ", "\t", "\360\237\230\200", "\303", "\377", "\033[4h", "\b",
		"\033[P", "\033[@", "\342\200\250", "\363\240\201\201", "\357\277\277",
		"\033[8mx" };
	uint32_t seed = 88172645u;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		int rows = 1 + (int)(next_random(&seed) % 6),
		    cols = 1 + (int)(next_random(&seed) % 12);
		struct vs_rect mask = { (int)(next_random(&seed) % 6),
			(int)(next_random(&seed) % 12), 2, 3 };
		struct vs_snapshot_options opt = full;
		struct b_buf in = B_BUF_INIT, out = B_BUF_INIT;
		struct vs_screen *s;

		for (unsigned n = next_random(&seed) % 60; n; n--) {
			b_buf_adds(&in, bits[next_random(&seed) % B_ARRAY_LEN(bits)]);
			if (next_random(&seed) % 4 == 0)
				b_buf_addc(&in, (char)next_random(&seed));
		}
		s = screen_of(rows, cols, in.data ? in.data : "", in.len);
		if (round % 2) {
			opt.masks = &mask;
			opt.n_masks = 1;
		}
		vs_snapshot_write(s, &opt, &out);
		assert_true(b_utf8_valid(out.data, out.len));
		for (size_t i = 0; i < out.len; i++)
			assert_true((unsigned char)out.data[i] >= 0x20 || out.data[i] == '\n');
		compare_with(b_buf_cstr(&out), s, &opt, 0, "");
		compare_with(b_buf_cstr(&out), s, &full, 0, "");
		b_buf_release(&in);
		b_buf_release(&out);
		vs_screen_free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(form),
		cmocka_unit_test(masks),
		cmocka_unit_test(placeholders),
		cmocka_unit_test(marked),
		cmocka_unit_test(bad_files),
		cmocka_unit_test(lenient),
		cmocka_unit_test(update),
		cmocka_unit_test(hostile_round_trip),
	};

	return cmocka_run_group_tests_name("vs snapshot", tests, NULL, NULL);
}
