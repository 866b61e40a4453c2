/*
 * The manual against the program: each example of rte-script(7) and rte-workload(5) runs, and
 * each function that scripts have stands in the manual and in scripts/rte.d.lua.
 */
#include <ctype.h>

#include "rte/script_test.h"
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

static void run_part(struct host *h, enum rte_part part, const char *function, const char *script)
{
	struct rte_ask ask;

	rte_actor_start(h->actor, part, function, 1, 1, &ask);
	answer_all(h, &ask);
	if (ask.kind != RTE_ASK_DONE)
		fail_msg("%s\n%s", script, ask.error);
}

static void run_example(const char *example)
{
	static const char *const top[] = { "target", "terminal", "defaults" };
	const struct vs_options size = { .rows = 24, .cols = 80 };
	bool whole = strstr(example, "function iteration(") || strstr(example, "mix {");
	bool suite = strstr(example, "\ntest(");
	const struct rte_script_info *info;
	struct b_buf script = B_BUF_INIT;
	size_t n_tests;
	struct host h;
	char *error;

	for (size_t i = 0; i < B_ARRAY_LEN(top); i++)
		if (!whole && begins(example, top[i])) {
			b_buf_printf(&script, "%s%s", example,
				suite ? "" : "function iteration() end\n");
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
	info = rte_script_info(h.script);
	rte_script_tests(h.script, &n_tests);
	run_part(&h, RTE_PART_LOGIN, NULL, b_buf_cstr(&script));
	for (size_t i = 0; i < info->n_mix; i++)
		run_part(&h, RTE_PART_ITERATION, info->mix[i].name, b_buf_cstr(&script));
	for (size_t i = 0; i < n_tests; i++) {
		rte_actor_test(h.actor, i, 0);
		run_part(&h, RTE_PART_ITERATION, NULL, b_buf_cstr(&script));
	}
	if (!info->n_mix && !n_tests)
		run_part(&h, RTE_PART_ITERATION, NULL, b_buf_cstr(&script));
	run_part(&h, RTE_PART_LOGOUT, NULL, b_buf_cstr(&script));
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

/* All examples of the page, as text. */
static char *all_examples(const char *page)
{
	struct b_buf example = B_BUF_INIT, all = B_BUF_INIT;

	while (next_example(&page, &example))
		b_buf_add(&all, example.data, example.len);
	b_buf_release(&example);
	return b_buf_take(&all, NULL);
}

/* Whether a name is called in Lua text: name, then what begins an argument. */
static bool is_called(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = text; (p = strstr(p, name)); p += len) {
		const char *arg = p + len + (p[len] == ' ');
		bool inside =
			p > text && (p[-1] == '_' || p[-1] == '.' || isalnum((unsigned char)p[-1]));

		if (!inside && *arg && strchr("({\"", *arg))
			return true;
	}
	return false;
}

static void complete(void **state)
{
	char *page = read_file("doc/rte-script.7"), *types = read_file("scripts/rte.d.lua");
	char *shown = all_examples(page);
	struct b_buf known = B_BUF_INIT;
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
		if (strcmp(line, "require") != 0 && strcmp(line, "workload") != 0 &&
			!is_called(shown, line))
			fail_msg("%s stands in no example of doc/rte-script.7", line);
		b_buf_printf(&known, "%s\n", in_types);
		if (strcmp(line, "require") != 0 && !strstr(types, in_types))
			fail_msg("%s is not in scripts/rte.d.lua", line);
		n++;
	}
	assert_true(n >= 45);
	for (const char *p = types; (p = strstr(p, "\nfunction ")); p++) {
		char *declared = b_strndup(p, strcspn(p, "(") + 1);

		if (strcmp(declared, "\nfunction workload(") &&
			!strstr(b_buf_cstr(&known), declared))
			fail_msg("scripts/rte.d.lua has%s, and no script", declared);
		free(declared);
	}
	b_buf_release(&known);
	free(page);
	free(shown);
	free(types);
	host_close(&h);
}

/* What a binding's tables may hold: each `fields[]` in the sources, and its class of annotations. */
static const struct {
	const char *file, *function, *class;
} tables[] = {
	{ "rte/lua_cond.c", "cond_fields", "class condition" },
	{ "rte/lua_data.c", "source_options(lua_State", "class csv_options" },
	{ "rte/lua_declare.c", "api_terminal", "param t { term" },
	{ "rte/lua_declare.c", "api_defaults", "param t { typing" },
	{ "rte/lua_input.c", "api_mouse", "class mouse_action" },
	{ "rte/lua_test.c", "declare_one", "class test_options" },
	{ "rte/lua_transaction.c", "tx_options", "overload fun(name: string, options: { max" },
	{ "rte/lua_transaction.c", "api_golden", "param options? { attrs" },
	{ "rte/lua_workload.c", "static const char *const fields", "class workload" },
	{ "rte/lua_workload_scripts.c", "static const char *const fields", "field scripts" },
	{ "rte/lua_workload_users.c", "static const char *const fields", "field phases" },
};

/* The lines behind a mark up to one that is no field; a single line where that is no class. */
static char *annotations(const char *types, const char *mark)
{
	const char *from = strstr(types, mark), *end;

	if (!from)
		fail_msg("scripts/rte.d.lua has no '%s'", mark);
	end = strchr(from, '\n');
	while (begins(mark, "class") && begins(end, "\n---@field"))
		end = strchr(end + 1, '\n');
	return b_strndup(from, (size_t)(end - from));
}

static void fields(void **state)
{
	char *types = read_file("scripts/rte.d.lua");

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(tables); i++) {
		char *source = read_file(tables[i].file), *p, *end;
		char *declared = annotations(types, tables[i].class);
		bool region = strstr(declared, ": region");
		int n = 0;

		p = strstr(source, tables[i].function);
		assert_non_null(p);
		p = strstr(p, "[] = {");
		assert_non_null(p);
		end = strchr(p, '}');
		while ((p = strchr(p, '"')) && p < end) {
			size_t len = strcspn(++p, "\"");
			char *name = b_strndup(p, len), with[64];

			snprintf(with, sizeof with, " %s", name);
			if (!strstr(declared, with) &&
				!(region && strstr("row rows col cols", name)))
				fail_msg("scripts/rte.d.lua: '%s' lacks %s", tables[i].class, name);
			free(name);
			p += len + 1;
			n++;
		}
		assert_true(n >= 2);
		free(declared);
		free(source);
	}
	free(types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(workload_examples),
		cmocka_unit_test(complete),
		cmocka_unit_test(fields),
	};

	return cmocka_run_group_tests_name("lua_manual", tests, NULL, NULL);
}
