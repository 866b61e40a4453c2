/* Golden screens as files: where they are, which one counts, comparing, writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "rte/failures.h"
#include "rte/golden.h"
#include "tests/unit/screen_of.h"
#include "base/banned.h"

static char folder[] = "/tmp/rte-golden-XXXXXX";
static char script[64];

static int make_folder(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(script, sizeof script, "%s/menu.lua", folder);
	return 0;
}

static int remove_folder(void **state)
{
	char command[80];

	(void)state;
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static void folders(void **state)
{
	static const struct {
		const char *goldens, *script, *folder;
	} cases[] = {
		{ NULL, "menu.lua", "menu.golden" },
		{ NULL, "a/b/menu.lua", "a/b/menu.golden" },
		{ NULL, "/x/menu", "/x/menu.golden" },
		{ "old", "a/menu.lua", "old/a/menu.golden" },
		{ "old/", "./a/../../menu.lua", "old/a/menu.golden" },
		{ "old", "/abs/menu.lua", "old/abs/menu.golden" },
		{ "old", "..x/menu.lua", "old/..x/menu.golden" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct rte_goldens *g = rte_goldens_new(cases[i].goldens);
		struct b_buf out = B_BUF_INIT;

		rte_golden_folder(g, cases[i].script, &out);
		assert_string_equal(b_buf_cstr(&out), cases[i].folder);
		b_buf_release(&out);
		rte_goldens_free(g);
	}
}

static enum rte_golden_is compare(struct rte_goldens *g, const char *name, const char *term,
	const struct vs_screen *s, const char *path_end, const char *diff)
{
	struct rte_golden_screen ask = {
		.script = script, .name = name, .term = term, .screen = s, .opt = { .cursor = true }
	};
	struct rte_golden_result r;
	struct b_error err = { 0 };
	enum rte_golden_is is;

	if (rte_golden_compare(g, &ask, &r, &err))
		fail_msg("%s", err.text);
	is = r.is;
	assert_true(strlen(r.path) > strlen(path_end));
	assert_string_equal(r.path + strlen(r.path) - strlen(path_end), path_end);
	if (diff && !strstr(b_buf_cstr(&r.diff), diff))
		fail_msg("no '%s' in %s", diff, b_buf_cstr(&r.diff));
	rte_golden_result_release(&r);
	return is;
}

static void write_golden(struct rte_goldens *g, const char *name, const char *term,
	const struct vs_screen *s, bool other_term, bool other_size, const char *path_end)
{
	struct rte_golden_screen ask = {
		.script = script, .name = name, .term = term, .screen = s, .opt = { .cursor = true }
	};
	struct b_error err = { 0 };
	char *path;

	if (rte_golden_write(g, &ask, other_term, other_size, &path, &err))
		fail_msg("%s", err.text);
	assert_string_equal(path + strlen(path) - strlen(path_end), path_end);
	free(path);
}

static void written_and_compared(void **state)
{
	struct vs_screen *a = screen_of(3, 20, "Balance 100"), *b = screen_of(3, 20, "Balance 200");
	struct rte_goldens *g = rte_goldens_new(NULL);

	(void)state;
	assert_int_equal(
		compare(g, "one", "xterm", a, "/menu.golden/one.txt", NULL), RTE_GOLDEN_MISSING);
	write_golden(g, "one", "xterm", a, false, false, "/menu.golden/one.txt");
	assert_int_equal(compare(g, "one", "xterm", a, "/one.txt", NULL), RTE_GOLDEN_EQUAL);
	assert_int_equal(compare(g, "one", "xterm", b, "/one.txt", "actual   |Balance 200"),
		RTE_GOLDEN_DIFFERS);
	rte_goldens_free(g);
	/* By way of the file alone. */
	g = rte_goldens_new(NULL);
	assert_int_equal(compare(g, "one", "xterm", a, "/one.txt", NULL), RTE_GOLDEN_EQUAL);
	write_golden(g, "one", "xterm", b, false, false, "/one.txt");
	assert_int_equal(compare(g, "one", "xterm", b, "/one.txt", NULL), RTE_GOLDEN_EQUAL);
	rte_goldens_free(g);
	vs_screen_free(a);
	vs_screen_free(b);
}

/* The nearest of NAME.TERM.SIZE, NAME.TERM, NAME.SIZE, NAME counts, and only where it matters is
   one of these made. */
static void variants(void **state)
{
	struct vs_screen *small = screen_of(3, 20, "x"), *large = screen_of(4, 30, "x");
	struct vs_screen *other = screen_of(3, 20, "vt"), *both = screen_of(4, 30, "vt");
	struct rte_goldens *g = rte_goldens_new(NULL);

	(void)state;
	write_golden(g, "v", "xterm", small, false, false, "/v.txt");
	assert_int_equal(compare(g, "v", "xterm", large, "/v.txt", "size"), RTE_GOLDEN_DIFFERS);
	write_golden(g, "v", "xterm", large, false, true, "/v.30x4.txt");
	assert_int_equal(compare(g, "v", "xterm", large, "/v.30x4.txt", NULL), RTE_GOLDEN_EQUAL);
	assert_int_equal(compare(g, "v", "xterm", small, "/v.txt", NULL), RTE_GOLDEN_EQUAL);
	write_golden(g, "v", "a/b", other, true, false, "/v.a_b.txt");
	assert_int_equal(compare(g, "v", "a/b", other, "/v.a_b.txt", NULL), RTE_GOLDEN_EQUAL);
	write_golden(g, "v", "a/b", both, true, true, "/v.a_b.30x4.txt");
	assert_int_equal(compare(g, "v", "a/b", both, "/v.a_b.30x4.txt", NULL), RTE_GOLDEN_EQUAL);
	assert_int_equal(compare(g, "v", "xterm", large, "/v.30x4.txt", NULL), RTE_GOLDEN_EQUAL);
	/* The first of all, on another terminal than the script's own. */
	write_golden(g, "w", "vt", large, true, true, "/w.vt.30x4.txt");
	assert_int_equal(compare(g, "w", "xterm", small, "/w.txt", NULL), RTE_GOLDEN_MISSING);
	rte_goldens_free(g);
	vs_screen_free(small);
	vs_screen_free(large);
	vs_screen_free(other);
	vs_screen_free(both);
}

static void broken_files(void **state)
{
	struct rte_golden_screen ask = { .script = script, .name = "bad", .term = "xterm" };
	struct vs_screen *s = screen_of(3, 20, "x");
	struct rte_goldens *g = rte_goldens_new(NULL);
	struct rte_golden_result r;
	struct b_error err = { 0 };
	char path[128];
	FILE *f;

	(void)state;
	snprintf(path, sizeof path, "%s/menu.golden/bad.txt", folder);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("rte-golden 1 20x3\n|x\n", f);
	fclose(f);
	ask.screen = s;
	assert_int_equal(rte_golden_compare(g, &ask, &r, &err), B_EINPUT);
	assert_non_null(strstr(err.text, "bad.txt"));
	snprintf(path, sizeof path, "%s/menu.golden/bad.txt/menu.lua", folder);
	ask.script = path;
	ask.name = "x";
	err.code = 0;
	assert_int_not_equal(
		rte_golden_write(g, &ask, false, false, &(char *){ NULL }, &err), B_OK);
	assert_non_null(strstr(err.text, "bad.txt/menu"));
	rte_goldens_free(g);
	vs_screen_free(s);
}

/* ---- Secrets ------------------------------------------------------------------------------- */

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folders),
		cmocka_unit_test(written_and_compared),
		cmocka_unit_test(variants),
		cmocka_unit_test(broken_files),
	};

	return cmocka_run_group_tests_name("test_golden", tests, make_folder, remove_folder);
}
