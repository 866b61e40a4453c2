/* base: files read whole, and no further than they may be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/file.h"

static void reads(void **state)
{
	char path[] = "/tmp/rte-file-XXXXXX";
	struct b_buf text = B_BUF_INIT;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(b_file_replace(path, "one\0two", 7, NULL), 0);
	b_buf_add(&text, ">", 1);
	assert_int_equal(b_file_read(&text, path, 7, NULL), 0);
	assert_int_equal(text.len, 8);
	assert_memory_equal(b_buf_cstr(&text), ">one\0two", 9);
	b_buf_release(&text);
	unlink(path);
}

static void refuses(void **state)
{
	static const struct {
		const char *path, *says;
	} cases[] = {
		{ "/nowhere/at-all", "cannot read /nowhere/at-all: No such file" },
		{ "/tmp", "cannot read /tmp: Is a directory" },
		{ "/dev/zero", "more than 100000 bytes, or no end" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct b_buf text = B_BUF_INIT;
		struct b_error err = { 0 };

		assert_int_equal(b_file_read(&text, cases[i].path, 100000, &err), B_EINPUT);
		assert_non_null(strstr(err.text, cases[i].says));
		b_buf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
