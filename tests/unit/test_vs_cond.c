/* vscreen: conditions on a screen: true, stale, not true; columns as a person counts them. */
#include <regex.h>
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
#include "vscreen/cond.h"
#include "vscreen/screen.h"

static struct vs_screen *screen(int rows, int cols, const char *bytes)
{
	struct vs_options opt = { .rows = rows, .cols = cols };
	struct vs_screen *s = NULL;

	assert_int_equal(vs_screen_new(&s, &opt), 0);
	vs_screen_feed(s, bytes, strlen(bytes));
	return s;
}

static void feed(struct vs_screen *s, const char *bytes)
{
	vs_screen_feed(s, bytes, strlen(bytes));
}

/* A matcher of POSIX regular expressions stands in for Lua's; "[" is a bad one. */
static int match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end)
{
	char *p = b_strndup(pattern, pattern_len), *s = b_strndup(subject, len);
	regmatch_t m;
	regex_t re;
	int found;

	(void)user;
	if (regcomp(&re, p, REG_EXTENDED)) {
		free(p);
		free(s);
		return B_EINPUT;
	}
	found = !regexec(&re, s + from, 1, &m, from ? REG_NOTBOL : 0);
	if (found) {
		*start = from + (size_t)m.rm_so;
		*end = from + (size_t)m.rm_eo;
	}
	regfree(&re);
	free(p);
	free(s);
	return found;
}

static struct vs_cond *text(const char *s)
{
	struct vs_cond *c = vs_cond_new(VS_COND_TEXT);

	vs_cond_text_set(c, s, strlen(s));
	return c;
}

static struct vs_cond *pattern(enum vs_cond_kind kind, const char *s)
{
	struct vs_cond *c = vs_cond_new(kind);

	vs_cond_text_set(c, s, strlen(s));
	return c;
}

static struct vs_cond *in_region(struct vs_cond *c, int row, int col, int rows, int cols)
{
	c->row = row;
	c->col = col;
	c->rows = rows;
	c->cols = cols;
	return c;
}

static struct vs_cond *cursor(int row, int col)
{
	return in_region(vs_cond_new(VS_COND_CURSOR), row, col, -1, -1);
}

static struct vs_cond *two(enum vs_cond_kind kind, struct vs_cond *a, struct vs_cond *b)
{
	struct vs_cond *c = vs_cond_new(kind);

	vs_cond_part_add(c, a);
	vs_cond_part_add(c, b);
	return c;
}

static struct vs_cond_result judge_in(const struct vs_cond *c, const struct vs_cond_input *in)
{
	struct vs_cond_result r;

	assert_int_equal(vs_cond_judge(c, in, &r), 0);
	return r;
}

/* Judges and frees. */
static struct vs_cond_result judge(const struct vs_screen *s, struct vs_cond *c)
{
	const struct vs_cond_input in = { .screen = s, .match = match };
	struct vs_cond_result r = judge_in(c, &in);

	vs_cond_free(c);
	return r;
}

#define assert_found(r, st, rw, cl, n)                \
	do {                                          \
		const struct vs_cond_result r_ = (r); \
		assert_int_equal(r_.state, st);       \
		assert_int_equal(r_.row, rw);         \
		assert_int_equal(r_.col, cl);         \
		assert_int_equal(r_.cols, n);         \
	} while (0)
#define assert_no(r) assert_int_equal((r).state, VS_COND_NO)

/* R07: what left the screen is not there; what stood there before is stale. */
static void painted_since(void **state)
{
	struct vs_screen *s = screen(4, 20, "Total: 5\033[2J\033[HDone");

	(void)state;
	assert_no(judge(s, text("Total")));
	assert_found(judge(s, text("Done")), VS_COND_TRUE, 0, 0, 4);
	vs_screen_input_mark(s);
	assert_found(judge(s, text("Done")), VS_COND_STALE, 0, 0, 4);
	feed(s, "\033[3;5HDone");
	/* Any occurrence that was painted counts, and is the one that is told. */
	assert_found(judge(s, text("Done")), VS_COND_TRUE, 2, 4, 4);
	vs_screen_input_mark(s);
	feed(s, "\033[1;4He"); /* painting the same again is painting */
	assert_found(judge(s, text("Done")), VS_COND_TRUE, 0, 0, 4);
	vs_screen_input_mark(s);
	feed(s, "\033[2;1Hx"); /* elsewhere */
	assert_found(judge(s, text("Done")), VS_COND_STALE, 0, 0, 4);
	struct vs_cond *c = text("Done");
	c->already = true;
	assert_found(judge(s, c), VS_COND_TRUE, 0, 0, 4);
	vs_screen_free(s);
}

/* The same whether the text came in one piece or by cursor movements (R08). */
static void cursor_addressed(void **state)
{
	struct vs_screen *s = screen(4, 20, "\033[2;1HB\033[2;7He\033[2;2Halanc");

	(void)state;
	assert_found(judge(s, text("Balance")), VS_COND_TRUE, 1, 0, 7);
	vs_screen_free(s);
}

static void regions(void **state)
{
	struct vs_screen *s = screen(4, 20, "one two one\r\nthree\r\none");

	(void)state;
	assert_found(judge(s, in_region(text("one"), 2, -1, -1, -1)), VS_COND_TRUE, 2, 0, 3);
	assert_no(judge(s, in_region(text("one"), 1, -1, -1, -1)));
	assert_found(judge(s, in_region(text("one"), 1, -1, 2, -1)), VS_COND_TRUE, 2, 0, 3);
	assert_found(judge(s, in_region(text("one"), 0, 1, -1, -1)), VS_COND_TRUE, 0, 8, 3);
	assert_no(judge(s, in_region(text("one"), 0, 1, -1, 9)));
	assert_found(judge(s, in_region(text("one"), 0, 1, -1, 10)), VS_COND_TRUE, 0, 8, 3);
	assert_found(judge(s, in_region(text("three"), -1, -1, 2, -1)), VS_COND_TRUE, 1, 0, 5);
	assert_no(judge(s, in_region(text("three"), -1, -1, 1, -1)));
	/* Beyond the screen there is nothing. */
	assert_no(judge(s, in_region(text("one"), 99, -1, -1, -1)));
	assert_no(judge(s, in_region(text("one"), 0, 99, -1, -1)));
	assert_no(judge(s, in_region(text("one"), 0, 0, 0, 0)));
	assert_found(judge(s, in_region(text("one"), 2, 0, 2147483647, 2147483647)), VS_COND_TRUE,
		2, 0, 3);
	/* Blanks are text as well, written or not. */
	assert_found(judge(s, text("three  ")), VS_COND_TRUE, 1, 0, 7);
	assert_no(judge(s, text("")));
	/* Text stands in one row. */
	assert_no(judge(s, text("three\r\none")));
	vs_screen_free(s);
}

static void wide_and_combined(void **state)
{
	struct vs_screen *s =
		screen(4, 20, "\344\270\255\346\226\207ab\r\ncafe\314\201 e\314\201!");

	(void)state;
	assert_found(judge(s, text("ab")), VS_COND_TRUE, 0, 4, 2);
	assert_found(judge(s, text("\346\226\207a")), VS_COND_TRUE, 0, 2, 3);
	/* A region's edge cuts a wide character into blanks. */
	assert_no(judge(s, in_region(text("\344\270\255"), 0, 1, -1, -1)));
	assert_found(
		judge(s, in_region(text(" \346\226\207"), 0, 1, -1, -1)), VS_COND_TRUE, 0, 1, 3);
	assert_found(
		judge(s, in_region(text("\344\270\255 "), 0, 0, -1, 3)), VS_COND_TRUE, 0, 0, 3);
	/* One character, however it was sent and asked for. */
	assert_found(judge(s, text("caf\303\251")), VS_COND_TRUE, 1, 0, 4);
	assert_found(judge(s, text("cafe\314\201")), VS_COND_TRUE, 1, 0, 4);
	assert_no(judge(s, text("cafe")));
	vs_screen_free(s);

	/* A mark that composes with nothing still belongs to its character. */
	s = screen(2, 20, "xq\314\201y");
	assert_no(judge(s, text("xq")));
	assert_found(judge(s, text("q\314\201y")), VS_COND_TRUE, 0, 1, 2);
	assert_no(judge(s, text("\314\201y")));
	vs_screen_free(s);
}

/* The same characters, however they are coded: on the screen, in a text, in a pattern. */
static void one_character_many_codings(void **state)
{
	static const struct {
		const char *shown, *asked;
		int col, cols; /* where it is found; -1: nowhere */
		bool pattern;  /* by a pattern too */
	} cases[] = {
		/* composed on the screen */
		{ "cafe\314\201.", "caf\303\251", 0, 4, true },
		{ "caf\303\251.", "cafe\314\201", 0, 4, true },
		/* marks in either order */
		{ "x\341\272\255.", "xa\314\202\314\243", 0, 2, true },
		{ "xa\314\202\314\243.", "x\341\272\255", 0, 2, true },
		{ "xa\314\243\314\202.", "xa\314\202\314\243", 0, 2, true },
		/* the same character twice in Unicode */
		{ "1 \342\204\253", "\303\205", 2, 1, true },
		{ "1 \303\205", "A\314\212", 2, 1, true },
		{ "\342\204\246.", "\316\251", 0, 1, true },
		/* Hangul, whole and in pieces */
		{ "\355\225\234\352\270\200!", "\341\204\222\341\205\241\341\206\253\352\270\200",
			0, 4, true },
		{ "\341\204\222\341\205\241\341\206\253!", "\355\225\234!", 0, 3, true },
		/* compatibility ideographs */
		{ "\357\244\200.", "\350\261\210", 0, 2, true },
		/* kana */
		{ "\343\201\214.", "\343\201\213\343\202\231", 0, 2, true },
		/* excluded from composition */
		{ "\340\245\230.", "\340\244\225\340\244\274", 0, 1, true },
		{ "\340\244\225\340\244\274.", "\340\245\230", 0, 1, true },
		/* a vowel of two parts: one cell or two */
		{ "\340\257\212!", "\340\257\206\340\256\276!", 0, 2, false },
		{ "\340\257\206\340\256\276!", "\340\257\212", 0, 2, false },
		/* as many marks as a cell holds */
		{ "\327\221\326\274\326\270\326\275!", "\327\221\326\274\326\270\326\275", 0, 1,
			true },
		/* and what is more is left out of both */
		{ "a\314\201\314\202\314\203\314\204!", "a\314\201\314\202\314\203\314\204!", 0, 2,
			true },
		/* variation selectors are not seen */
		{ "\342\235\244\357\270\217 ok", "\342\235\244 ok", 0, 4, true },
		{ "\342\235\244 ok", "\342\235\244\357\270\217 ok", 0, 4, true },
		/* nor is formatting */
		{ "a\342\200\215b", "ab", 0, 2, true },
		{ "ab", "a\342\200\215b", 0, 2, true },
		/* a character is found whole or not at all */
		{ "caf\303\251", "cafe", -1, 0, true },
		{ "cafe\314\201s", "e", -1, 0, true },
		/* full width is another character */
		{ "\357\274\241B", "AB", -1, 0, true },
		/* a ligature too */
		{ "\357\254\201", "fi", -1, 0, true },
		{ "e\342\203\235.", "\342\203\235", -1, 0, true },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct vs_screen *s = screen(2, 20, cases[i].shown);
		int row = cases[i].col < 0 ? -1 : 0;
		enum vs_cond_state want = row ? VS_COND_NO : VS_COND_TRUE;

		assert_found(
			judge(s, text(cases[i].asked)), want, row, cases[i].col, cases[i].cols);
		if (cases[i].pattern && want == VS_COND_TRUE)
			assert_found(judge(s, pattern(VS_COND_MATCH, cases[i].asked)), want, row,
				cases[i].col, cases[i].cols);
		vs_screen_free(s);
	}
}

static void patterns(void **state)
{
	struct vs_screen *s = screen(4, 20, "Total: 42\r\nTotal: 7  x\r\n\344\270\255 9");
	struct vs_cond_result r;
	const struct vs_cond_input in = { .screen = s, .match = match };
	struct vs_cond *bad = pattern(VS_COND_MATCH, "[");

	(void)state;
	assert_found(judge(s, pattern(VS_COND_MATCH, "[0-9]+")), VS_COND_TRUE, 0, 7, 2);
	assert_found(judge(s, in_region(pattern(VS_COND_MATCH, "[0-9]+"), 2, -1, -1, -1)),
		VS_COND_TRUE, 2, 3, 1);
	/* `$` is the end of the row's text, and blanks can be asked for as well. */
	assert_found(judge(s, pattern(VS_COND_MATCH, "42$")), VS_COND_TRUE, 0, 7, 2);
	assert_found(judge(s, pattern(VS_COND_MATCH, "42  ")), VS_COND_TRUE, 0, 7, 4);
	assert_found(judge(s, pattern(VS_COND_MATCH, "^Total: 7")), VS_COND_TRUE, 1, 0, 8);
	assert_found(judge(s, in_region(pattern(VS_COND_MATCH, "^[0-9]+$"), 0, 7, -1, 2)),
		VS_COND_TRUE, 0, 7, 2);
	vs_screen_input_mark(s);
	feed(s, "\033[2;8H7");
	/* Rows are judged one by one, all of their matches. */
	assert_found(judge(s, pattern(VS_COND_MATCH, "[0-9]+")), VS_COND_TRUE, 1, 7, 1);
	vs_screen_input_mark(s);
	feed(s, "\033[1;8H42");
	assert_found(judge(s, pattern(VS_COND_MATCH, "Q*")), VS_COND_TRUE, 0, 7, 0);
	assert_int_equal(vs_cond_judge(bad, &in, &r), B_EINPUT);
	vs_cond_free(bad);
	vs_screen_free(s);
}

/* As Lua does: `^` anchors where the search begins. */
static int match_x(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end)
{
	(void)user;
	assert_memory_equal(pattern, "^x", pattern_len);
	*start = from;
	*end = from + 1;
	return from < len && subject[from] == 'x';
}

static void anchored_patterns(void **state)
{
	struct vs_screen *s = screen(2, 20, "xxx");
	const struct vs_cond_input in = { .screen = s, .match = match_x };
	struct vs_cond *c = pattern(VS_COND_MATCH, "^x");

	(void)state;
	vs_screen_input_mark(s);
	feed(s, "\033[1;2Hx");
	assert_found(judge_in(c, &in), VS_COND_STALE, 0, 0, 1);
	feed(s, "\033[1;1Hx");
	assert_found(judge_in(c, &in), VS_COND_TRUE, 0, 0, 1);
	vs_cond_free(c);
	vs_screen_free(s);
}

static struct vs_cond *attr(uint16_t attrs, const char *of)
{
	struct vs_cond *c = of ? text(of) : vs_cond_new(VS_COND_ATTR);

	c->attrs = attrs;
	return c;
}

static void attributes(void **state)
{
	struct vs_screen *s = screen(4, 20, "one\r\n\033[7mone\033[1mtwo\033[m  \033[7m   \033[m");

	(void)state;
	assert_found(judge(s, attr(VS_REVERSE, NULL)), VS_COND_TRUE, 1, 0, 6);
	assert_found(judge(s, attr(VS_REVERSE | VS_BOLD, NULL)), VS_COND_TRUE, 1, 3, 3);
	assert_found(
		judge(s, in_region(attr(VS_REVERSE, NULL), 1, 6, -1, -1)), VS_COND_TRUE, 1, 8, 3);
	assert_no(judge(s, attr(VS_UNDERLINE, NULL)));
	assert_found(judge(s, attr(VS_REVERSE, "one")), VS_COND_TRUE, 1, 0, 3);
	assert_found(judge(s, attr(0, "one")), VS_COND_TRUE, 0, 0, 3);
	assert_no(judge(s, attr(VS_BOLD, "onetwo")));
	vs_screen_input_mark(s);
	assert_found(judge(s, attr(VS_REVERSE, NULL)), VS_COND_STALE, 1, 0, 6);
	feed(s, "\033[2;10H\033[7m \033[m");
	assert_found(judge(s, attr(VS_REVERSE, NULL)), VS_COND_TRUE, 1, 8, 3);
	vs_screen_free(s);
}

static struct vs_cond *gone(struct vs_cond *c)
{
	c->gone = true;
	return c;
}

static void not_there(void **state)
{
	struct vs_screen *s = screen(4, 20, "Please wait");
	struct vs_cond_result r;

	(void)state;
	vs_screen_input_mark(s);
	assert_no(judge(s, gone(text("wait"))));
	r = judge(s, gone(in_region(text("wait"), 1, -1, -1, -1)));
	assert_int_equal(r.state, VS_COND_STALE); /* never stood there, and nobody painted there */
	feed(s, "\033[1;1H\033[K");
	r = judge(s, gone(text("wait")));
	assert_int_equal(r.state, VS_COND_TRUE);
	assert_int_equal(r.row, -1);
	assert_true(r.gone);
	assert_int_equal(r.ended_by, VS_COND_TEXT);
	assert_int_equal(judge(s, gone(pattern(VS_COND_MATCH, "[a-z]"))).state, VS_COND_TRUE);
	assert_int_equal(judge(s, gone(attr(VS_REVERSE, NULL))).state, VS_COND_TRUE);
	assert_int_equal(judge(s, gone(in_region(text("x"), 50, -1, -1, -1))).state, VS_COND_STALE);
	vs_screen_free(s);
}

static void cursors(void **state)
{
	struct vs_screen *s = screen(4, 20, "\033[3;5H");

	(void)state;
	assert_found(judge(s, cursor(2, 4)), VS_COND_TRUE, 2, 4, 1);
	assert_no(judge(s, cursor(2, 5)));
	assert_int_equal(judge(s, cursor(2, -1)).state, VS_COND_TRUE);
	assert_int_equal(judge(s, cursor(-1, 4)).state, VS_COND_TRUE);
	vs_screen_input_mark(s);
	assert_found(judge(s, cursor(2, 4)), VS_COND_STALE, 2, 4, 1);
	feed(s, "\033[1;1H\033[3;5H"); /* went and came back */
	assert_int_equal(judge(s, cursor(2, 4)).state, VS_COND_TRUE);
	vs_screen_free(s);
}

static void time_and_stream(void **state)
{
	struct vs_screen *s = screen(4, 20, "x");
	struct vs_cond_input in = {
		.screen = s, .match = match, .unchanged_ns = 299, .stream = "ab 12", .stream_len = 5
	};
	struct vs_cond *quiet = vs_cond_new(VS_COND_QUIET), *eof = vs_cond_new(VS_COND_EOF);
	struct vs_cond *stream = pattern(VS_COND_STREAM, "[0-9]+");
	struct vs_cond_result r;

	(void)state;
	quiet->quiet_ns = 300;
	assert_no(judge_in(quiet, &in));
	in.unchanged_ns = 300;
	assert_int_equal(judge_in(quiet, &in).state, VS_COND_TRUE);
	assert_no(judge_in(eof, &in));
	in.eof = true;
	assert_int_equal(judge_in(eof, &in).state, VS_COND_TRUE);
	r = judge_in(stream, &in);
	assert_int_equal(r.state, VS_COND_TRUE);
	assert_int_equal(r.stream_start, 3);
	assert_int_equal(r.stream_end, 5);
	in.stream = NULL;
	in.stream_len = 0;
	assert_no(judge_in(stream, &in));
	vs_cond_free(quiet);
	vs_cond_free(eof);
	vs_cond_free(stream);
	vs_screen_free(s);
}

static struct vs_cond *quiet(int64_t ns)
{
	struct vs_cond *c = vs_cond_new(VS_COND_QUIET);

	c->quiet_ns = ns;
	return c;
}

static void any_and_all(void **state)
{
	struct vs_screen *s = screen(4, 20, "old");
	struct vs_cond_result r;
	struct vs_cond *c;

	(void)state;
	vs_screen_input_mark(s);
	feed(s, "\033[2;1Hnew");
	r = judge(s, two(VS_COND_ANY, text("old"), text("new")));
	assert_found(r, VS_COND_TRUE, 1, 0, 3);
	assert_int_equal(r.alternative, 1);
	r = judge(s, two(VS_COND_ANY, text("none"), text("old")));
	assert_found(r, VS_COND_STALE, 0, 0, 3);
	assert_int_equal(r.alternative, 1);
	assert_no(judge(s, two(VS_COND_ANY, text("none"), text("nor"))));

	r = judge(s, two(VS_COND_ALL, text("old"), text("new")));
	assert_found(r, VS_COND_TRUE, 1, 0, 3);
	assert_int_equal(r.alternative, 0);
	assert_no(judge(s, two(VS_COND_ALL, text("old"), text("none"))));
	assert_found(judge(s, two(VS_COND_ALL, text("old"), text("ol"))), VS_COND_STALE, 0, 0, 3);
	/* The cursor came to rest in its place: the label beside it need not be new. */
	r = judge(s, two(VS_COND_ALL, text("old"), cursor(1, 3)));
	assert_int_equal(r.state, VS_COND_TRUE);
	assert_int_equal(r.ended_by, VS_COND_CURSOR);
	/* Silence makes nothing new. */
	assert_int_equal(judge(s, two(VS_COND_ALL, text("old"), quiet(0))).state, VS_COND_STALE);
	assert_int_equal(judge(s, two(VS_COND_ALL, quiet(0), text("old"))).state, VS_COND_STALE);
	assert_int_equal(judge(s, two(VS_COND_ALL, quiet(0), text("new"))).state, VS_COND_TRUE);
	assert_int_equal(judge(s, two(VS_COND_ALL, quiet(0), quiet(0))).state, VS_COND_TRUE);
	c = two(VS_COND_ALL, text("old"), quiet(0));
	c->already = true;
	assert_int_equal(judge(s, c).state, VS_COND_TRUE);
	assert_no(judge(s, vs_cond_new(VS_COND_ANY)));
	assert_no(judge(s, vs_cond_new(VS_COND_ALL)));
	vs_screen_free(s);
}

static void quiet_time(void **state)
{
	struct vs_cond *c = two(VS_COND_ALL, quiet(100), quiet(300));
	struct vs_cond *any = two(VS_COND_ANY, c, quiet(200)), *copy = vs_cond_copy(any);
	struct vs_cond *none = text("x");

	(void)state;
	assert_int_equal(vs_cond_quiet_ns(c), 300);
	assert_int_equal(vs_cond_quiet_ns(copy), 200);
	assert_int_equal(vs_cond_quiet_ns(none), -1);
	vs_cond_free(none);
	vs_cond_free(any);
	vs_cond_free(copy);
}

static void described(void **state)
{
	struct vs_cond *c[] = {
		text("Balance"),
		in_region(text("Balance"), 11, -1, -1, -1),
		in_region(text("a\"\033"), 2, 4, 3, 10),
		gone(text("wait")),
		in_region(pattern(VS_COND_MATCH, "%d+"), -1, -1, 2, -1),
		in_region(attr(VS_REVERSE | VS_BOLD, NULL), 3, 7, -1, -1),
		attr(VS_REVERSE, "OK"),
		cursor(5, 21),
		cursor(5, -1),
		quiet(300 * INT64_C(1000000)),
		vs_cond_new(VS_COND_EOF),
		pattern(VS_COND_STREAM, "done"),
		two(VS_COND_ANY, text("a"), two(VS_COND_ALL, text("b"), cursor(0, 0))),
	};
	static const char *const want[] = {
		"\"Balance\"",
		"\"Balance\" in row 12",
		"\"a\"\\e\" in rows 3 to 5, columns 5 to 14",
		"no \"wait\"",
		"match of \"%d+\" in rows 1 to 2",
		"bold reverse cell in row 4, columns from 8 on",
		"reverse \"OK\"",
		"cursor at row 6, column 22",
		"cursor at row 6",
		"no change for 300ms",
		"the end of the line",
		"output that matches \"done\"",
		"any of (\"a\"; all of (\"b\"; cursor at row 1, column 1))",
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(c); i++) {
		struct b_buf out = B_BUF_INIT;

		vs_cond_describe(c[i], &out);
		assert_string_equal(b_buf_cstr(&out), want[i]);
		b_buf_release(&out);
		vs_cond_free(c[i]);
	}
}

static void find_text(void **state)
{
	struct vs_screen *s = screen(4, 20, "one two\r\n  \344\270\255two");
	struct vs_rect all = { 0, 0, 4, 20 }, low = { 1, 0, 9, 99 }, out = { -5, -5, 2, 2 };
	int row = -7, col = -7, cols = -7;

	(void)state;
	assert_true(vs_find_text(s, "two", 3, &all, &row, &col, &cols));
	assert_int_equal(row, 0);
	assert_int_equal(col, 4);
	assert_int_equal(cols, 3);
	assert_true(vs_find_text(s, "\344\270\255t", 4, &low, &row, &col, &cols));
	assert_int_equal(row, 1);
	assert_int_equal(col, 2);
	assert_int_equal(cols, 3);
	assert_false(vs_find_text(s, "one", 3, &low, &row, &col, &cols));
	assert_false(vs_find_text(s, "one", 3, &out, &row, &col, &cols));
	assert_int_equal(row, 1);
	vs_screen_free(s);
}

/* What is remembered between judgements changes no result: random screens, each judged with
   and without. */
static void remembered(void **state)
{
	static const char *const bits[] = { "x", "on", "one", "\r\n", "\033[H", "\033[2;3H",
		"\033[3;1H", "\033[K", "\033[2J", "\033[L", "\033[M", "\033[2P", "\033[7m",
		"\033[m", "\033[?1049h", "\033[?1049l", "\n\n\n", "\033M", "\344\270\255",
		"\033[4h" };
	struct vs_screen *s = screen(4, 10, "");
	struct vs_cond *c[] = { text("one"), in_region(text("on"), 1, 2, 2, -1),
		pattern(VS_COND_MATCH, "on+e"), attr(VS_REVERSE, NULL), gone(text("one")),
		two(VS_COND_ALL, text("one"), text("x")) };
	uint32_t seed = 12345;
	uint64_t wait = 1;
	long seen[3] = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		seed = seed * 1664525u + 1013904223u;
		feed(s, bits[(seed >> 16) % B_ARRAY_LEN(bits)]);
		if ((seed >> 8) % 16 == 0) {
			vs_screen_input_mark(s);
			wait++;
		}
		if ((seed >> 8) % 256 == 3)
			assert_int_equal(vs_screen_resize(s, 2 + (int)(seed >> 20) % 4, 10), 0);
		for (size_t k = 0; k < B_ARRAY_LEN(c); k++) {
			struct vs_cond_input in = { .screen = s, .match = match };
			struct vs_cond_result plain, quick;
			struct vs_cond *copy = vs_cond_copy(c[k]);

			plain = judge_in(copy, &in);
			vs_cond_free(copy);
			in.wait = wait;
			quick = judge_in(c[k], &in);
			assert_int_equal(plain.state, quick.state);
			assert_found(quick, plain.state, plain.row, plain.col, plain.cols);
			seen[plain.state]++;
		}
	}
	assert_true(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000);
	for (size_t k = 0; k < B_ARRAY_LEN(c); k++)
		vs_cond_free(c[k]);
	vs_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(painted_since),
		cmocka_unit_test(cursor_addressed),
		cmocka_unit_test(regions),
		cmocka_unit_test(wide_and_combined),
		cmocka_unit_test(one_character_many_codings),
		cmocka_unit_test(patterns),
		cmocka_unit_test(anchored_patterns),
		cmocka_unit_test(attributes),
		cmocka_unit_test(not_there),
		cmocka_unit_test(cursors),
		cmocka_unit_test(time_and_stream),
		cmocka_unit_test(any_and_all),
		cmocka_unit_test(quiet_time),
		cmocka_unit_test(described),
		cmocka_unit_test(find_text),
		cmocka_unit_test(remembered),
	};

	return cmocka_run_group_tests_name("vs cond", tests, NULL, NULL);
}
