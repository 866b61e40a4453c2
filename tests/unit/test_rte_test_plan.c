/* From a command line to tests: what is found, what is chosen, in which order. */
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

#include "base/mem.h"
#include "rte/test_find.h"
#include "rte/test_plan.h"
#include "base/banned.h"

static char folder[] = "/tmp/rte-plan-XXXXXX";

static void file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int make_folder(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	mkdir("forms", 0777);
	mkdir("forms/deep", 0777);
	file("forms/suite.lua", "test { tags = 'suite', timeout = '7s', retries = 3 }");
	file("forms/b.lua",
		"target 'pty:true'\ntest { tags = 'file', timeout = '5s' }\n"
		"test('first', { tags = 'own', timeout = '3s' }, function()\nend)\n"
		"test('row {n}', { rows = 'rows.csv', retries = 0 }, function() end)\n"
		"test('skipped', { skip = 'why' }, function() end)\n");
	file("forms/rows.csv", "n,x\n1,a\n2,b\n1,c\n");
	file("forms/deep/a.lua", "target 'pty:true'\nfunction iteration() end");
	file("forms/deep/mix.lua",
		"target 'pty:true'\nmix { two = 1, one = 5 }\nfunction one() end function two() end");
	file("forms/module.lua", "return {}");
	file("nowhere.lua", "function iteration() end");
	file("keys.lua",
		"target 'pty:true'\nterminal { term = 'vt52' }\n"
		"function iteration() press 'F12' end");
	return 0;
}

static int remove_folder(void **state)
{
	char command[80];

	(void)state;
	assert_int_equal(chdir("/"), 0);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

static void options(struct rte_test_options *o)
{
	memset(o, 0, sizeof *o);
	rte_workload_init(&o->w);
	o->timeout_ns = RTE_TEST_UNSET;
}

/* The plan of these paths, as text: a name a line. */
static char *plan(struct rte_test_options *o, const char *paths[], size_t n, int *rc)
{
	struct b_buf out = B_BUF_INIT;
	struct b_error err = { 0 };
	struct rte_test_plan p;
	struct rte_finds f;

	*rc = rte_test_find(&f, (char *const *)paths, n, &err);
	if (*rc)
		return b_strdup(err.text);
	*rc = rte_test_plan_make(&p, o, &f, &err);
	rte_test_find_release(&f);
	if (*rc)
		return b_strdup(err.text);
	for (size_t i = 0; i < p.n_tests; i++)
		b_buf_printf(&out, "%s %s%s\n", p.tests[i].file, p.tests[i].name,
			p.tests[i].outcome == RTE_TEST_BAD ? " BAD" : "");
	rte_test_plan_release(&p);
	return b_buf_take(&out, NULL);
}

static void check(struct rte_test_options *o, const char *path, const char *expected)
{
	int rc;
	char *text = plan(o, &path, 1, &rc);

	if (rc && strncmp(expected, "error: ", 7))
		fail_msg("%s", text);
	if (rc)
		assert_non_null(strstr(text, expected + 7));
	else
		assert_string_equal(text, expected);
	free(text);
}

static void finds(void **state)
{
	struct rte_test_options o;

	(void)state;
	options(&o);
	check(&o, ".",
		"forms/b.lua first\nforms/b.lua row 1\nforms/b.lua row 2\n"
		"forms/b.lua row 1 [row 3]\nforms/b.lua skipped\nforms/deep/a.lua a\n"
		"forms/deep/mix.lua one\nforms/deep/mix.lua two\nkeys.lua (the script) BAD\n"
		"nowhere.lua (the script) BAD\n");
	check(&o, "forms/deep/",
		"forms/deep/a.lua a\nforms/deep/mix.lua one\nforms/deep/mix.lua two\n");
	check(&o, "./forms/deep/a.lua", "forms/deep/a.lua a\n");
	check(&o, "forms/b.lua:3", "forms/b.lua first\n");
	check(&o, "forms/b.lua:4", "forms/b.lua first\n");
	check(&o, "forms/b.lua:5",
		"forms/b.lua row 1\nforms/b.lua row 2\nforms/b.lua row 1 [row 3]\n");
	check(&o, "forms/deep/a.lua:2", "forms/deep/a.lua a\n");
	check(&o, "forms/deep/a.lua:99", "error: the nearest is 'a', forms/deep/a.lua:1");
	check(&o, "forms/deep/mix.lua:3", "forms/deep/mix.lua one\nforms/deep/mix.lua two\n");
	check(&o, "forms/deep/mix.lua:1", "error: the nearest is 'one', forms/deep/mix.lua:3");
	check(&o, "forms/b.lua:1", "error: no test on line 1; the nearest is 'first'");
	check(&o, "forms/none", "error: no script or folder");
	check(&o, "forms/none.lua:3", "error: no script or folder");
	rte_workload_release(&o.w);
}

static void chooses(void **state)
{
	struct rte_test_options o;

	(void)state;
	options(&o);
	o.grep = "@own|deep/a";
	check(&o, "forms", "forms/b.lua first\nforms/deep/a.lua a\n");
	o.grep_invert = "a\\.lua";
	check(&o, "forms", "forms/b.lua first\n");
	o.grep = "@suite";
	o.grep_invert = "b\\.lua|two";
	check(&o, "forms", "forms/deep/a.lua a\nforms/deep/mix.lua one\n");
	o.grep = "[";
	check(&o, "forms", "error: no regular expression");
	rte_workload_release(&o.w);
}

static void marks(void **state)
{
	const char *path = "forms/b.lua";
	struct rte_test_options o;
	struct b_error err = { 0 };
	struct rte_test_plan p;
	struct rte_finds f;

	(void)state;
	options(&o);
	o.retries = 1;
	assert_int_equal(rte_test_find(&f, (char *const *)&path, 1, &err), B_OK);
	assert_int_equal(rte_test_plan_make(&p, &o, &f, &err), B_OK);
	assert_int_equal(p.n_tests, 5);
	assert_int_equal(p.tests[0].n_tags, 3);
	assert_string_equal(p.tests[0].tags[0], "suite");
	assert_string_equal(p.tests[0].tags[2], "own");
	assert_true(p.tests[0].timeout_ns == 3000000000);
	assert_true(p.tests[1].timeout_ns == 5000000000);
	assert_true(p.tests[0].retries == 3 && p.tests[1].retries == 0);
	assert_int_equal(p.tests[2].row, 1);
	assert_int_equal(p.tests[2].n_rows, 3);
	assert_string_equal(p.tests[4].skip, "why");
	assert_string_equal(p.tests[0].scope->parent->path, "forms/suite.lua");
	assert_int_equal(p.tests[0].scope->parent->n_left, 5);
	rte_test_plan_release(&p);
	rte_test_find_release(&f);
	rte_workload_release(&o.w);
}

/* A seed is an order, the same each time; another seed another one; nothing is lost. */
static void shuffles(void **state)
{
	const char *path = "forms";
	struct rte_test_options o;
	char *one, *again, *other;
	int rc;

	(void)state;
	options(&o);
	o.shuffle = true;
	o.shuffle_seed = 3;
	one = plan(&o, &path, 1, &rc);
	again = plan(&o, &path, 1, &rc);
	o.shuffle_seed = 4;
	other = plan(&o, &path, 1, &rc);
	assert_string_equal(one, again);
	assert_string_not_equal(one, other);
	assert_int_equal(strlen(one), strlen(other));
	free(one);
	free(again);
	free(other);
	rte_workload_release(&o.w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds),
		cmocka_unit_test(chooses),
		cmocka_unit_test(marks),
		cmocka_unit_test(shuffles),
	};

	return cmocka_run_group_tests_name("test_plan", tests, make_folder, remove_folder);
}
