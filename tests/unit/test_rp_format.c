/* report: figures as people read them, and names cut for a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/mem.h"
#include "report/format.h"

/* The beginning and the end stay, so that numbered names of one kind are told apart. */
static void long_names(void **state)
{
	static const struct {
		const char *name;
		size_t cols, used;
		const char *want;
	} cases[] = {
		{ "query", 10, 5, "query" },
		{ "account-query-enter", 19, 19, "account-query-enter" },
		{ "account-query-enter-2", 19, 19, "account-qu...nter-2" },
		{ "account-query-enter-12", 19, 19, "account-qu...ter-12" },
		{ "\x1b[2J", 6, 6, "\\e[2J" },
		{ "項目項目項目項目", 9, 9, "項...項目" },
		{ "abcdefgh", 6, 6, "a...gh" },
		{ "", 6, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf b = B_BUF_INIT;
		size_t used = rp_format_name(&b, cases[i].name, cases[i].cols);

		assert_string_equal(b_buf_cstr(&b), cases[i].want);
		if (cases[i].name[0] != '\x1b')
			assert_int_equal(used, cases[i].used);
		assert_true(used <= cases[i].cols);
		b_buf_release(&b);
	}
}

/* One style: what is printed can be typed again. */
static void figures(void **state)
{
	static const struct {
		const char *(*format)(char *out, double v);
		double v;
		const char *want;
	} cases[] = {
		{ rp_format_s, 0, "0.00ms" },
		{ rp_format_s, 0.0050649, "5.06ms" },
		{ rp_format_s, 0.0999, "99.9ms" },
		{ rp_format_s, 0.9996, "1.00s" },
		{ rp_format_s, 12.34, "12.3s" },
		{ rp_format_s, NAN, "-" },
		{ rp_format_span, 7, "7s" },
		{ rp_format_span, 50.6007, "50.6s" },
		{ rp_format_span, 60, "1m" },
		{ rp_format_span, 637.2, "10m37s" },
		{ rp_format_span, 3600, "1h" },
		{ rp_format_span, 7500, "2h5m" },
		{ rp_format_span, NAN, "-" },
		{ rp_format_change, 0.787, "+78.7%" },
		{ rp_format_change, -0.0004, "0.0%" },
		{ rp_format_change, 19.106, "+1911%" },
		{ rp_format_share, 0.127, "12.7%" },
		{ rp_format_share, 0.00001, "<0.01%" },
		{ rp_format_number, 7.975, "7.97" },
		{ rp_format_number, 12345, "12,345" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		char out[RP_FORMAT_SIZE];

		assert_string_equal(cases[i].format(out, cases[i].v), cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_names),
		cmocka_unit_test(figures),
	};

	return cmocka_run_group_tests_name("rp_format", tests, NULL, NULL);
}
