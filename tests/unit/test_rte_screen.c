/* rte screen: what it prints, whatever it is fed; its exit statuses. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <getopt.h>
#include <jansson.h>

#include "base/mem.h"
#include "rte/command.h"
#include "base/banned.h"

/* Runs the verb with in on standard input; returns its status and what it printed. */
static int run(const char *const *args, const char *in, size_t len, char **out)
{
	char *argv[12] = { (char *)(uintptr_t) "rte screen" };
	FILE *input = tmpfile(), *output = tmpfile();
	int saved_in = dup(STDIN_FILENO), saved_out = dup(STDOUT_FILENO), argc = 1, status;
	long size;

	while (args[argc - 1]) {
		argv[argc] = (char *)(uintptr_t)args[argc - 1];
		argc++;
	}
	assert_int_equal(fwrite(in, 1, len, input), len);
	assert_int_equal(fflush(input), 0);
	assert_int_equal(lseek(fileno(input), 0, SEEK_SET), 0);
	fflush(stdout);
	dup2(fileno(input), STDIN_FILENO);
	dup2(fileno(output), STDOUT_FILENO);
	optind = 0; /* glibc: begin anew */
	status = cmd_screen(argc, argv);
	fflush(stdout);
	dup2(saved_in, STDIN_FILENO);
	dup2(saved_out, STDOUT_FILENO);
	close(saved_in);
	close(saved_out);
	fseek(output, 0, SEEK_END);
	size = ftell(output);
	rewind(output);
	*out = b_calloc((size_t)size + 1, 1);
	assert_int_equal(fread(*out, 1, (size_t)size, output), size);
	fclose(input);
	fclose(output);
	return status;
}

#define RUN(in, out, ...) run((const char *const[]){ __VA_ARGS__, NULL }, in, strlen(in), out)

static void test_text(void **state)
{
	char *out;

	(void)state;
	assert_int_equal(RUN("one  \r\n\033[4mtw\303\266", &out, "--size", "10x3", "--cursor"), 0);
	assert_string_equal(out, "one\ntw\303\266\n\ncursor 2 4\n");
	free(out);
	assert_int_equal(RUN("x", &out, "-s", "3x2", "-"), 0);
	assert_string_equal(out, "x\n\n");
	free(out);
}

static void test_json(void **state)
{
	char *out;
	json_t *o;

	(void)state;
	assert_int_equal(RUN("\033]2;a \"title\"\\\a\033[1mb\033[7mr\033[m\"\\\t\033[?1049h\033[?1h"
			     "\033[4;1mB\033[m\033[?25l\033[2;3H",
				 &out, "--json", "--size", "6x2"),
		0);
	o = json_loads(out, 0, NULL);
	assert_non_null(o);
	assert_int_equal(json_integer_value(json_object_get(o, "rows")), 2);
	assert_int_equal(json_integer_value(json_object_get(o, "cols")), 6);
	assert_int_equal(json_array_size(json_object_get(o, "text")), 2);
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(o, "attrs"), 0)), ".....B");
	assert_int_equal(json_integer_value(json_array_get(json_object_get(o, "cursor"), 0)), 2);
	assert_int_equal(json_integer_value(json_array_get(json_object_get(o, "cursor"), 1)), 3);
	assert_true(json_is_false(json_object_get(o, "cursor_visible")));
	assert_true(json_is_true(json_object_get(o, "alt_screen")));
	assert_string_equal(json_string_value(json_object_get(o, "title")), "a \"title\"\\");
	assert_true(json_is_true(json_object_get(json_object_get(o, "modes"), "app_cursor")));
	json_decref(o);
	free(out);
}

/* Whatever comes, the object can be read, and its strings are as long as the screen is wide. */
static void test_json_of_noise(void **state)
{
	static const char pieces[] =
		"\033[]PX^_\\;:?0123456789mHhl\a\n\r\t\b\"\\\x9B\x9D\xC3\xA9\xE4\xB8\xAD"
		"\xF0\x9F\x98\x80\xED\xA0\x80\xFF\xFE\0\x7F{}";
	unsigned random = 7;

	(void)state;
	for (int i = 0; i < 300; i++) {
		char noise[400];
		char *out;
		json_t *o, *row;
		size_t k;

		for (k = 0; k < sizeof noise; k++) {
			random = random * 1664525u + 1013904223u;
			noise[k] = pieces[(random >> 16) % (sizeof pieces - 1)];
		}
		assert_int_equal(run((const char *const[]){ "--json", "--size", "13x4", NULL },
					 noise, sizeof noise, &out),
			0);
		o = json_loads(out, 0, NULL);
		assert_non_null(o);
		json_array_foreach(json_object_get(o, "attrs"), k, row)
			assert_int_equal(json_string_length(row), 13);
		assert_int_equal(k, 4);
		json_decref(o);
		free(out);
	}
}

static const char trace[] =
	"{\"version\": 2, \"width\": 12, \"height\": 2, \"env\": {\"TERM\": \"screen\"}}\n"
	"[0.5, \"o\", \"\\u001bkname\\u001b\\\\one\"]\n"
	"[1.0, \"i\", \"x\"]\n"
	"[1.5, \"o\", \" two\"]\n"
	"[2.0, \"r\", \"9x3\"]\n"
	"[2.5, \"o\", \"\\r\\nthree\"]\n";

static void test_trace(void **state)
{
	char path[] = "/tmp/rte-test-screen.XXXXXX";
	int fd = mkstemp(path);
	char *out;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, trace, sizeof trace - 1), sizeof trace - 1);
	close(fd);
	assert_int_equal(RUN("", &out, "--cursor", path), 0);
	assert_string_equal(out, "one two\nthree\n\ncursor 2 6\n");
	free(out);
	assert_int_equal(RUN("", &out, "--cursor", "--at", "1", path), 0);
	assert_string_equal(out, "one\n\ncursor 1 4\n");
	free(out);
	/* At another TERM, ESC k is no title. */
	assert_int_equal(RUN("", &out, "--term", "xterm", "--at", "1.5", path), 0);
	assert_string_equal(out, "nameone two\n\n");
	free(out);
	unlink(path);
}

static void test_usage(void **state)
{
	char *out;

	(void)state;
	assert_int_equal(RUN("", &out, "--help"), 0);
	assert_non_null(strstr(out, "--size COLSxROWS"));
	free(out);
	assert_int_equal(RUN("", &out, "--size", "0x9"), 2);
	free(out);
	assert_int_equal(RUN("", &out, "--size", "1001x9"), 2);
	free(out);
	assert_int_equal(RUN("", &out, "--at", "1"), 2);
	free(out);
	assert_int_equal(RUN("", &out, "--nothing"), 2);
	free(out);
	assert_int_equal(RUN("", &out, "a.cast", "b.cast"), 2);
	free(out);
	assert_int_equal(RUN("", &out, "/nowhere/a.cast"), 2);
	assert_string_equal(out, "");
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_of_noise),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_usage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
