/*
 * The scripts of tests/scripts: each runs as user 1 (login, two iterations, logout) against an engine of
 * paper, and gives the transcript that stands in its last comment.
 */
#include <glob.h>

#include "tests/unit/script_host.h"

static void run_file(const char *path)
{
	const struct vs_options size = { .rows = 24, .cols = 80 };
	struct rte_actor_options opt = { .user = 1, .seed = 7 };
	struct b_buf text = B_BUF_INIT;
	struct b_error err = { 0 };
	const char *expected;
	struct host h;
	FILE *f = fopen(path, "r");
	int c;

	assert_non_null(f);
	while ((c = getc(f)) != EOF)
		b_buf_addc(&text, (char)c);
	fclose(f);
	expected = strstr(b_buf_cstr(&text), "--[[ transcript\n");
	if (!expected)
		fail_msg("%s holds no transcript", path);
	expected = strchr(expected, '\n') + 1;
	host_open(&h, NULL);
	assert_int_equal(vs_screen_new(&h.screen, &size), B_OK);
	if (rte_script_load(h.lua, path, NULL, &h.script, &err))
		fail_msg("%s", err.text);
	opt.script = h.script;
	opt.host_user = &h;
	if (rte_actor_new(h.lua, &opt, &h.actor, &err))
		fail_msg("%s", err.text);
	host_part(&h, RTE_PART_LOGIN, 0);
	host_part(&h, RTE_PART_ITERATION, 1);
	host_part(&h, RTE_PART_ITERATION, 2);
	host_part(&h, RTE_PART_LOGOUT, 2);
	b_buf_adds(&h.out, "]]\n");
	if (strcmp(b_buf_cstr(&h.out), expected) != 0)
		fail_msg("%s gives:\n%s\nnot:\n%s", path, b_buf_cstr(&h.out), expected);
	b_buf_release(&text);
	host_close(&h);
}

static void transcripts(void **state)
{
	glob_t found;

	(void)state;
	assert_int_equal(glob("tests/scripts/*.lua", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		run_file(found.gl_pathv[i]);
	assert_true(found.gl_pathc >= 3);
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(transcripts),
	};

	return cmocka_run_group_tests_name("lua_scripts", tests, NULL, NULL);
}
