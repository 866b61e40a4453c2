/*
 * The manual against the program: each example of rte-script(7) and rte-workload(5) runs, and
 * each function that scripts have stands in the manual and in scripts/rte.d.lua.
 */
#include "rte/workload.h"
#include "tests/unit/script_host.h"

static char *read_file(const char *path)
{
	struct b_buf text = B_BUF_INIT;
	FILE *f = fopen(path, "r");
	int c;

	if (!f)
		fail_msg("%s is missing; run the tests at the top of the project", path);
	while ((c = getc(f)) != EOF)
		b_buf_addc(&text, (char)c);
	fclose(f);
	return b_buf_take(&text, NULL);
}

/* The next example at *p, as Lua: what stands between .Bd -literal and .Ed. */
static bool next_example(const char **p, struct b_buf *out)
{
	const char *from = strstr(*p, "\n.Bd -literal"), *end;

	b_buf_clear(out);
	if (!from)
		return false;
	from = strchr(from + 1, '\n') + 1;
	end = strstr(from, "\n.Ed");
	assert_non_null(end);
	for (; from < end; from++) {
		if (*from == '\\' && from[1] == 'e')
			from++, b_buf_addc(out, '\\');
		else
			b_buf_addc(out, *from);
	}
	b_buf_addc(out, '\n');
	*p = end;
	return true;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void run_example(const char *example)
{
	static const char *const top[] = { "target", "terminal", "defaults" };
	const struct vs_options size = { .rows = 24, .cols = 80 };
	bool whole = strstr(example, "function iteration(") || strstr(example, "mix {");
	struct b_buf script = B_BUF_INIT;
	struct rte_ask ask;
	struct host h;
	char *error;

	for (size_t i = 0; i < B_ARRAY_LEN(top); i++)
		if (!whole && begins(example, top[i])) {
			b_buf_printf(&script, "%sfunction iteration() end\n", example);
			whole = true;
		}
	if (!script.len)
		b_buf_printf(&script, whole ? "%s" : "function iteration()\n%s end\n", example);
	host_open(&h, NULL);
	host_file(&h, "accounts.csv", "number,name\n1000042,Smith\n1000043,Jones\n");
	assert_int_equal(vs_screen_new(&h.screen, &size), B_OK);
	vs_screen_feed(h.screen, "Bank  Balance: 17", 17);
	error = host_load(&h, b_buf_cstr(&script));
	if (error)
		fail_msg("%s\n%s", b_buf_cstr(&script), error);
	for (enum rte_part part = RTE_PART_LOGIN; part <= RTE_PART_LOGOUT; part++) {
		const struct rte_script_info *info = rte_script_info(h.script);
		bool mix = part == RTE_PART_ITERATION && info->n_mix;

		rte_actor_start(h.actor, part, mix ? info->mix[0].name : NULL, 1, 1, &ask);
		answer_all(&h, &ask);
		if (ask.kind != RTE_ASK_DONE)
			fail_msg("%s\n%s", b_buf_cstr(&script), ask.error);
	}
	for (size_t i = 0; i < rte_actor_rules(h.actor); i++)
		assert_non_null(rte_actor_rule(h.actor, i));
	b_buf_release(&script);
	host_close(&h);
}

static void examples(void **state)
{
	char *page = read_file("doc/rte-script.7");
	struct b_buf example = B_BUF_INIT;
	const char *p = page;
	int n = 0;

	(void)state;
	for (; next_example(&p, &example); n++)
		run_example(b_buf_cstr(&example));
	assert_true(n >= 27);
	b_buf_release(&example);
	free(page);
}

static void workload_examples(void **state)
{
	char *page = read_file("doc/rte-workload.5");
	struct b_buf example = B_BUF_INIT;
	const char *p = page;
	int n = 0;

	(void)state;
	for (; next_example(&p, &example); n++) {
		struct b_error err = { 0 };
		struct rte_workload w;
		struct host h;
		char path[128];

		rte_workload_init(&w);
		host_open(&h, NULL);
		host_file(&h, "w.lua", b_buf_cstr(&example));
		snprintf(path, sizeof path, "%s/w.lua", h.folder);
		if (rte_workload_load(&w, path, &err))
			fail_msg("%s\n%s", b_buf_cstr(&example), err.text);
		if (rte_workload_check(&w, &err))
			fail_msg("%s\n%s", b_buf_cstr(&example), err.text);
		rte_workload_release(&w);
		host_close(&h);
	}
	assert_true(n >= 3);
	b_buf_release(&example);
	free(page);
}

/* The names that scripts have, as --allow-unsafe lets a script see them: a line each. */
static const char names_script[] =
	"local lua = { string = 1, table = 1, math = 1, utf8 = 1, os = 1, io = 1, debug = 1,\n"
	"  coroutine = 1, package = 1 }\n"
	"local basic = package.loaded._G\n"
	"local function fields(t) return debug.getmetatable(t).__index end\n"
	"function iteration()\n"
	"  for name, value in next, fields(_ENV) do\n"
	"    if lua[name] or (basic[name] ~= nil and name ~= 'require') then goto next end\n"
	"    if type(value) == 'function' then log(name) end\n"
	"    if type(value) == 'table' then\n"
	"      for field in next, fields(value) do\n"
	"        if field ~= '__call' then log(name .. '.' .. field) end\n"
	"      end\n"
	"    end\n"
	"    ::next::\n"
	"  end\n"
	"end\n";

static void complete(void **state)
{
	char *page = read_file("doc/rte-script.7"), *types = read_file("scripts/rte.d.lua");
	struct rte_lua_options opt = { .allow_unsafe = true };
	char *error, *line, *rest;
	struct host h;
	int n = 0;

	(void)state;
	host_open(&h, &opt);
	error = host_load(&h, names_script);
	if (error)
		fail_msg("%s", error);
	host_part(&h, RTE_PART_ITERATION, 1);
	rest = h.out.data;
	while ((line = strtok_r(rest, "\n", &rest))) {
		char in_page[64], in_types[64];

		if (!begins(line, "log "))
			continue;
		line += 4;
		snprintf(in_page, sizeof in_page, "Ic %s ", line);
		snprintf(in_types, sizeof in_types, "\nfunction %s(", line);
		if (!strstr(page, in_page))
			fail_msg("%s is not in doc/rte-script.7", line);
		if (strcmp(line, "require") != 0 && !strstr(types, in_types))
			fail_msg("%s is not in scripts/rte.d.lua", line);
		n++;
	}
	assert_true(n >= 45);
	free(page);
	free(types);
	host_close(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(workload_examples),
		cmocka_unit_test(complete),
	};

	return cmocka_run_group_tests_name("lua_manual", tests, NULL, NULL);
}
