/* What is kept of failures: the screen and the last output, and never a secret. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "rte/failures.h"
#include "base/banned.h"

#define SECRET "swordfish"

/* The text that is kept of one failure whose last output is `output`. */
static void kept(struct b_buf *out, char *output, size_t len)
{
	char dir[] = "/tmp/rte-failures-XXXXXX", path[512];
	struct rte_failures *f;
	struct rte_failure e = {
		.kind = "check",
		.transaction = "pay",
		.expected = "look",
		.message = "look",
		.unanswered = "",
		.output = output,
		.output_len = len,
	};
	struct rte_redactor secrets = { 0 };
	struct vs_screen *s;
	json_t *errors;
	char text[8192];
	ssize_t n;
	int fd;

	assert_int_equal(vs_screen_new(&s, &(struct vs_options){ .rows = 4, .cols = 40 }), 0);
	vs_screen_feed(s, output, len);
	e.screen = s;
	e.redactor = &secrets;
	assert_non_null(mkdtemp(dir));
	f = rte_failures_new(dir);
	rte_redactor_add(&secrets, SECRET, strlen(SECRET));
	rte_redact_output(&secrets, output, len, len == 200);
	assert_true(rte_failures_note(f, &e));
	errors = rte_failures_json(f);
	snprintf(path, sizeof path, "%s/%s", dir,
		json_string_value(json_object_get(json_array_get(errors, 0), "screen")));
	json_decref(errors);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	n = read(fd, text, sizeof text);
	assert_true(n > 0);
	close(fd);
	b_buf_add(out, text, (size_t)n);
	unlink(path);
	memcpy(path + strlen(path) - 3, "ans", 3);
	unlink(path);
	snprintf(path, sizeof path, "%s/failures", dir);
	rmdir(path);
	assert_int_equal(rmdir(dir), 0);
	rte_failures_free(f);
	rte_redactor_release(&secrets);
	vs_screen_free(s);
}

static void test_output(void **state)
{
	static const struct {
		const char *output, *shown;
	} cases[] = {
		{ "nothing of the kind", "# last output: nothing of the kind\n" },
		{ "it is " SECRET "!", "# last output: it is *********!\n" },
		{ "it is swo\x1b[7mrdfish\x1b[m!", "# last output: it is ***\\e[7m******\\e[m!\n" },
		{ "it is sword", "# last output: it is *****\n" },
		{ "fish is no secret here", "# last output: fish is no secret here\n" },
		{ "", "# last output: \n" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf b = B_BUF_INIT;
		char output[64];

		snprintf(output, sizeof output, "%s", cases[i].output);
		kept(&b, output, strlen(output));
		assert_non_null(strstr(b_buf_cstr(&b), cases[i].shown));
		b_buf_release(&b);
	}
}

/* Wherever the beginning is cut off. */
static void test_cut(void **state)
{
	char output[200 + sizeof SECRET];

	(void)state;
	for (size_t cut = 0; cut + 1 < strlen(SECRET); cut++) {
		struct b_buf b = B_BUF_INIT;

		memset(output, '.', sizeof output);
		memcpy(output, &SECRET[cut], strlen(SECRET) - cut);
		kept(&b, output, 200);
		assert_non_null(strstr(b_buf_cstr(&b), "# last output: **"));
		assert_null(strstr(b_buf_cstr(&b), "output: *.."));
		assert_null(strstr(b_buf_cstr(&b), "h..."));
		b_buf_release(&b);
	}
}

/* What differs in its numbers alone is one kind, told once, with the text of the first. */
static void test_groups(void **state)
{
	static const struct {
		const char *kind, *expected, *message;
		bool is_new;
	} cases[] = {
		{ "check", "balance 17", "a.lua:9: balance 17 is wrong", true },
		{ "check", "balance 4", "a.lua:9: balance 4 is wrong", false },
		{ "check", "balance", "a.lua:9: balance is wrong", true },
		{ "check", "balance x", "a.lua:9: balance 4x is wrong", true },
		{ "check", "balance 5", "a.lua:10: balance 5 is wrong", true },
		{ "check", "balance 6", "a.lua:1: balance 6 is wrong", true },
		{ "check", "balance 7", "a.lua:12: balance 7 is wrong", true },
		{ "timeout", "balance 17", "a.lua:9: balance 17 is wrong", true },
		{ "timeout", "\"Menu\"", "a.lua:3: not there within 2s", true },
		{ "timeout", "\"Menu\"", "b.lua:7: not there", false },
	};
	struct rte_failures *f = rte_failures_new(NULL);
	json_t *all;

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct rte_failure e = { .kind = cases[i].kind,
			.transaction = "pay",
			.expected = cases[i].expected,
			.message = cases[i].message,
			.unanswered = "",
			.output = "" };

		if (rte_failures_note(f, &e) != cases[i].is_new)
			fail_msg("%s", cases[i].message);
	}
	all = rte_failures_json(f);
	assert_int_equal(json_array_size(all), 8);
	assert_int_equal(json_integer_value(json_object_get(json_array_get(all, 0), "count")), 2);
	assert_string_equal(json_string_value(json_object_get(json_array_get(all, 0), "expected")),
		"balance 17");
	json_decref(all);
	rte_failures_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
