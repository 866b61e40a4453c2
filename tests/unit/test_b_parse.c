/* base: numbers, durations and sizes as people write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"

static void durations(void **state)
{
	static const struct {
		const char *text;
		int rc;
		int64_t ns;
		const char *again; /* NULL: as text */
	} cases[] = {
		{ "250ms", 0, 250 * B_NS_PER_MS, NULL },
		{ "20s", 0, 20 * B_NS_PER_S, NULL },
		{ "5m", 0, 300 * B_NS_PER_S, NULL },
		{ "1h", 0, 3600 * B_NS_PER_S, NULL },
		{ "1m30s", 0, 90 * B_NS_PER_S, NULL },
		{ "1.5s", 0, 1500 * B_NS_PER_MS, NULL },
		{ "2", 0, 2 * B_NS_PER_S, "2s" },
		{ "0.1", 0, 100 * B_NS_PER_MS, "100ms" },
		{ "60s", 0, 60 * B_NS_PER_S, "1m" },
		{ "150us", 0, 150 * B_NS_PER_US, "0.15ms" },
		{ "0s", 0, 0, NULL },
		{ "", B_EUSAGE, 0, NULL },
		{ "s", B_EUSAGE, 0, NULL },
		{ ".", B_EUSAGE, 0, NULL },
		{ "5 s", B_EUSAGE, 0, NULL },
		{ "-5s", B_EUSAGE, 0, NULL },
		{ "5d", B_EUSAGE, 0, NULL },
		{ "1m30", B_EUSAGE, 0, NULL },
		{ "inf", B_EUSAGE, 0, NULL },
		{ "0x10s", B_EUSAGE, 0, NULL },
		{ "99999999999h", B_ERANGE, 0, NULL },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf out = B_BUF_INIT;
		int64_t ns = -7;

		assert_int_equal(b_parse_duration(cases[i].text, &ns), cases[i].rc);
		assert_int_equal(ns, cases[i].rc ? -7 : cases[i].ns);
		if (cases[i].rc)
			continue;
		b_format_duration(&out, ns);
		assert_string_equal(
			b_buf_cstr(&out), cases[i].again ? cases[i].again : cases[i].text);
		b_buf_release(&out);
	}
}

static void integers(void **state)
{
	int64_t v = -7;

	(void)state;
	assert_int_equal(b_parse_int("42", 0, 100, &v), 0);
	assert_int_equal(v, 42);
	assert_int_equal(b_parse_int("-3", -5, 5, &v), 0);
	assert_int_equal(v, -3);
	assert_int_equal(b_parse_int("101", 0, 100, &v), B_ERANGE);
	assert_int_equal(b_parse_int("99999999999999999999", 0, INT64_MAX, &v), B_ERANGE);
	assert_int_equal(b_parse_int("4 ", 0, 100, &v), B_EUSAGE);
	assert_int_equal(b_parse_int("", 0, 100, &v), B_EUSAGE);
	assert_int_equal(b_parse_int(" 4", 0, 100, &v), B_EUSAGE);
	assert_int_equal(v, -3);
}

static void numbers(void **state)
{
	double v = -7;

	(void)state;
	assert_int_equal(b_parse_double("2.5", &v), 0);
	assert_true(v > 2.49 && v < 2.51);
	assert_int_equal(b_parse_double("-1e3", &v), 0);
	assert_true(v < -999.9 && v > -1000.1);
	assert_int_equal(b_parse_double("nan", &v), B_EUSAGE);
	assert_int_equal(b_parse_double("1e999", &v), B_ERANGE);
	assert_int_equal(b_parse_double("1x", &v), B_EUSAGE);
}

static void sizes(void **state)
{
	int cols = 0, rows = 0;

	(void)state;
	assert_int_equal(b_parse_size("132x43", &cols, &rows), 0);
	assert_int_equal(cols, 132);
	assert_int_equal(rows, 43);
	assert_int_equal(b_parse_size("80", &cols, &rows), B_EUSAGE);
	assert_int_equal(b_parse_size("x24", &cols, &rows), B_EUSAGE);
	assert_int_equal(b_parse_size("0x24", &cols, &rows), B_ERANGE);
	assert_int_equal(b_parse_size("80x1001", &cols, &rows), B_ERANGE);
	assert_int_equal(cols, 132);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations),
		cmocka_unit_test(integers),
		cmocka_unit_test(numbers),
		cmocka_unit_test(sizes),
	};

	return cmocka_run_group_tests_name("b_parse", tests, NULL, NULL);
}
