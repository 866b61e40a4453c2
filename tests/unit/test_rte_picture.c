/* A screen as text fits the terminal that it is shown on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rte/picture.h"
#include "base/banned.h"

static const char snapshot[] = "rte-golden 1 8x2 attributes\n"
			       "|one   ab|\n"
			       ": B      \n"
			       "|t\xe4\xb8\xad\xe6\x96\x87   |\n"
			       "cursor 1 4\n";

static void check(size_t cols, const char *expected)
{
	struct b_buf b = B_BUF_INIT;

	rte_picture(snapshot, cols, &b);
	assert_string_equal(b_buf_cstr(&b), expected);
	b_buf_release(&b);
}

static void whole(void **state)
{
	(void)state;
	check(SIZE_MAX, snapshot);
	check(10, snapshot);
}

static void without_frame(void **state)
{
	static const char expected[] = "rte-golden 1 8x2 attributes\n"
				       "one   ab\n"
				       "t\xe4\xb8\xad\xe6\x96\x87\n"
				       "cursor 1 4\n";

	(void)state;
	check(9, expected);
	check(8, expected);
}

/* A wide character of which half would stand there is left out. */
static void cut(void **state)
{
	(void)state;
	check(4,
		"rte-golden 1 8x2 attributes\none\nt\xe4\xb8\xad\ncursor 1 4\ncolumns 1 to 4 of 8\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(without_frame),
		cmocka_unit_test(cut),
	};

	return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
