/* The redactor: a secret in output, in text and on a screen, wherever it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "rte/redact.h"
#include "tests/unit/screen_of.h"
#include "base/banned.h"

static void redacts(void **state)
{
	static const struct {
		const char *output, *shown;
	} cases[] = {
		{ "Password: swordfish!", "Password: *********!" },
		{ "s\x1b[1mw\x1b[0;31mo\r\nrdfish", "*\x1b[1m*\x1b[0;31m*\r\n******" },
		{ "swordfis", "********" }, /* its echo is not complete */
		{ "swordfis h", "swordfis h" },
		{ "a s", "a s" },
		{ "\x1b]0;swordfish\x07", "\x1b]0;*********\x07" },
		{ "swordfish swordfish", "********* *********" },
		{ "pin 4711\x1b[", "pin ****\x1b[" },
		{ "", "" },
		{ "\x1b", "\x1b" },
	};
	struct rte_redactor f = { 0 };

	(void)state;
	rte_redactor_add(&f, "swordfish", 9);
	rte_redactor_add(&f, "4711", 4);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		char text[64];

		snprintf(text, sizeof text, "%s", cases[i].output);
		rte_redact_output(&f, text, strlen(text), false);
		assert_string_equal(text, cases[i].shown);
	}
	rte_redact_output(&f, NULL, 0, false);
	rte_redactor_release(&f);
}

static void secrets_on_a_screen(void **state)
{
	struct rte_redactor f = { 0 };
	struct vs_screen *s = screen_of(3, 40, "swordfish Password: swor");
	struct vs_rect hits[8];

	(void)state;
	rte_redactor_add(&f, "swordfish", 9);
	assert_int_equal(rte_redact_screen(&f, s, false, hits, 8), 1);
	assert_int_equal(hits[0].col, 0);
	assert_int_equal(hits[0].cols, 9);
	assert_int_equal(rte_redact_screen(&f, s, true, hits, 8), 2);
	assert_int_equal(hits[1].col, 20);
	assert_int_equal(hits[1].cols, 4);
	assert_int_equal(rte_redact_screen(&f, s, true, hits, 1), 1);
	vs_screen_feed(s, "d with a cursor that has gone on", 32);
	assert_int_equal(rte_redact_screen(&f, s, true, hits, 8), 1);
	vs_screen_free(s);
	rte_redactor_release(&f);
}

/* As a message quotes it, as a pattern for it is written, and not at all. */
static void in_text(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "not there within 5s: \"x-1\ty\" in row 3",
			"not there within 5s: \"x-1\ty\" in row 3" },
		{ "not there: \"a.b\\tc\xE4\"", "not there: \"a.b\\tc\xE4\"" },
		{ "not there: \"a.b\\tc\\xe4\"", "not there: \"**********\"" },
		{ "pattern \"a%.bc\xE4\"", "pattern \"******\"" },
		{ "a.bc\xE4", "*****" },
		{ "an end a.b", "an end ***" },
		{ "", "" },
	};
	struct rte_redactor base = { 0 }, r = { .base = &base };
	struct b_buf copy = B_BUF_INIT;
	const char *plain = "a.b";

	(void)state;
	assert_ptr_equal(rte_redacted(&r, plain, &copy), plain);
	assert_null(rte_redacted(&r, NULL, &copy));
	rte_redactor_add(&base, "a.b\tc\xE4", 6);
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		assert_string_equal(rte_redacted(&r, cases[i].text, &copy), cases[i].shown);
	b_buf_release(&copy);
	rte_redactor_release(&base);
	rte_redactor_release(&r);
}

static void from_the_environment(void **state)
{
	struct rte_redactor r = { 0 };
	struct b_buf copy = B_BUF_INIT;

	(void)state;
	assert_int_equal(setenv("RTE_SECRET_ONE", "first", 1), 0);
	assert_int_equal(setenv("RTE_SECRET_TWO", "", 1), 0);
	rte_redactor_environment(&r);
	assert_string_equal(rte_redacted(&r, "the first one", &copy), "the ***** one");
	unsetenv("RTE_SECRET_ONE");
	unsetenv("RTE_SECRET_TWO");
	b_buf_release(&copy);
	rte_redactor_release(&r);
}

/* Of very many the last ones are known. */
static void many(void **state)
{
	struct rte_redactor r = { 0 };
	struct b_buf copy = B_BUF_INIT;
	char text[32];

	(void)state;
	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof text, "pin%06d", i);
		rte_redactor_add(&r, text, strlen(text));
		rte_redactor_add(&r, text, strlen(text));
	}
	assert_string_equal(rte_redacted(&r, "pin000999 pin000900", &copy), "********* *********");
	assert_true(r.n <= 200);
	b_buf_release(&copy);
	rte_redactor_release(&r);
}

/* Wrapped into the next row, beside wide characters, more often than there is room for. */
static void hidden_in_a_picture(void **state)
{
	struct rte_redactor r = { 0 };
	struct vs_screen *s = screen_of(4, 10, "password: swordfish \xE4\xB8\xAD s\xE4\xB8\xAD");
	struct vs_rect hits[8];
	struct b_buf b = B_BUF_INIT;

	(void)state;
	rte_redactor_add(&r, "swordfish", 9);
	rte_redactor_add(&r, "d: swor", 7);
	rte_redactor_add(&r, "s\xE4\xB8\xAD", 4);
	rte_redact_paint(&r, s, 0, 0, &b);
	assert_non_null(strstr(b_buf_cstr(&b), "\033[1;1Hpasswor**"));
	assert_non_null(strstr(b_buf_cstr(&b), "\033[2;1H*********"));
	assert_non_null(strstr(b_buf_cstr(&b), "***"));
	assert_null(strstr(b_buf_cstr(&b), "fish"));
	assert_int_equal(rte_redact_screen(&r, s, false, hits, 8), 4);
	assert_int_equal(rte_redact_screen(&r, s, false, hits, 2), 2);
	assert_int_equal(hits[0].rows, 4);
	b_buf_clear(&b);
	rte_redact_snapshot(&r, s, &b);
	assert_null(strstr(b_buf_cstr(&b), "fish"));
	assert_null(strstr(b_buf_cstr(&b), "s\xE4\xB8\xAD"));
	b_buf_release(&b);
	vs_screen_free(s);
	rte_redactor_release(&r);
}

/* The part that fits into a smaller terminal. */
static void a_part(void **state)
{
	struct rte_redactor none = { 0 };
	struct vs_screen *s = screen_of(4, 10, "0123456789abc\xE4\xB8\xAD\033[3;1Hrow 3\033[4;9H");
	struct b_buf b = B_BUF_INIT;

	(void)state;
	rte_redact_paint(&none, s, 2, 4, &b);
	assert_non_null(strstr(b_buf_cstr(&b), "\033[1;1H0123\033[2;1Habc \033"));
	assert_null(strstr(b_buf_cstr(&b), "row"));
	assert_null(strstr(b_buf_cstr(&b), "\033[?25h"));
	b_buf_release(&b);
	vs_screen_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(redacts),
		cmocka_unit_test(secrets_on_a_screen),
		cmocka_unit_test(in_text),
		cmocka_unit_test(from_the_environment),
		cmocka_unit_test(many),
		cmocka_unit_test(hidden_in_a_picture),
		cmocka_unit_test(a_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
