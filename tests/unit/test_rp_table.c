/* report: tables cut to a width, none of their columns lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/table.h"
#include "report/width.h"

/* Two names, eight columns, the third of which has the lowest rank. */
static char *written(size_t cols, const char *const names[2], const char *note)
{
	static const unsigned levels[] = { 0, 0, 2, 0, 1, 1, 0, 0 };
	struct rp_table *t = rp_table_new("transaction");
	char *text = NULL, cell[16];
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (unsigned k = 0; k < 8; k++) {
		snprintf(cell, sizeof cell, "h%u", k);
		rp_table_column(t, k == 3 ? "over" : NULL, cell, levels[k], k == 7);
	}
	for (unsigned i = 0; i < 2; i++) {
		rp_table_row(t, names[i]);
		for (unsigned k = 0; k < 8; k++) {
			snprintf(cell, sizeof cell, "v%u%u.ms", i, k);
			rp_table_cell(t, cell);
		}
		if (note && !i)
			rp_table_note(t, note);
	}
	rp_table_write(t, f, cols);
	rp_table_free(t);
	fclose(f);
	return text;
}

static size_t widest(const char *text)
{
	size_t most = 0, at = 0, n;
	uint32_t cp;

	for (; *text; text += n) {
		n = b_utf8_decode(text, strlen(text), &cp);
		assert_true(n > 0);
		at = cp == '\n' ? 0 : at + (size_t)rp_width(cp);
		most = at > most ? at : most;
	}
	return most;
}

static size_t times(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *s = text; (s = strstr(s, what)); s++)
		n++;
	return n;
}

/* However narrow: no line is wider, every figure stands there once, and no line ends in blanks. */
static void any_width(void **state)
{
	static const char *const names[2][2] = { { "query", "update" },
		{ "customer-maintenance-address-enter-12", "項目項目項目項目項目項目項目" } };

	(void)state;
	for (size_t n = 0; n < 2; n++) {
		for (size_t cols = 40; cols <= 120; cols++) {
			char *text = written(cols, names[n], "a remark of several words, wrapped");
			char cell[16];

			assert_true(widest(text) <= cols);
			for (unsigned i = 0; i < 2; i++)
				for (unsigned k = 0; k < 8; k++) {
					snprintf(cell, sizeof cell, "v%u%u.ms", i, k);
					assert_int_equal(times(text, cell), 1);
				}
			assert_int_equal(times(text, " \n"), 0);
			assert_int_equal(times(text, "remark"), 1);
			free(text);
		}
	}
}

/* Where all fit they stand in their order; else what counts most comes first. */
static void order(void **state)
{
	static const char *const names[] = { "query", "update" };
	char *text = written(100, names, NULL), *first, *rest;

	(void)state;
	assert_non_null(strstr(text, "transaction"));
	assert_int_equal(times(text, "transaction"), 1);
	assert_true(strstr(text, "h1") < strstr(text, "h2"));
	assert_true(strstr(text, "h2") < strstr(text, "h3"));
	free(text);
	text = written(50, names, NULL);
	assert_int_equal(times(text, "transaction"), 2);
	first = strstr(text, "h7"); /* level 0, last of the first lines */
	rest = strstr(text, "h2");
	assert_true(first && rest && first < rest);
	free(text);
}

static void names_are_foreign(void **state)
{
	static const char *const names[] = { "\x1b[2J\x1b]0;x\x07", "\xE2\x80\xAE other way" };
	char *text = written(80, names, "\x1b[31mnote");

	(void)state;
	assert_null(strchr(text, '\x1b'));
	assert_null(strstr(text, "\xE2\x80\xAE"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_width),
		cmocka_unit_test(order),
		cmocka_unit_test(names_are_foreign),
	};

	return cmocka_run_group_tests_name("rp_table", tests, NULL, NULL);
}
