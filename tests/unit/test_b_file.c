/* base: files read whole, and no further than they may be. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* A pipe that is written to is one afterwards, too. */
static void leaves_what_is_no_file(void **state)
{
	char folder[] = "/tmp/rte-file-XXXXXX", path[64], text[8];
	struct stat st;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/pipe", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	assert_int_equal(b_file_replace(path, "one", 3, NULL), 0);
	assert_int_equal(read(fd, text, sizeof text), 3);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	close(fd);
	unlink(path);
	rmdir(folder);
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
		cmocka_unit_test(leaves_what_is_no_file),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
