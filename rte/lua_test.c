/*
 * Scripts as tests: test(name, [options,] function), test { options }, skip(reason).
 *
 * Like the rest of the top level, test() is run twice: at load it declares what tests there are,
 * and in each user's environment it leaves the functions. They find each other by their order.
 */
#include "rte/lua_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/datafile.h"
#include "base/banned.h"

#define NAME_LEN_MAX 200
#define TESTS_MAX    100000

/* ---- Reading what is said ------------------------------------------------------------------ */

static void keep(char **to, const char *text)
{
	free(*to);
	*to = b_strdup(text);
}

/* A text, or true for `plain`; false takes back what was said for the whole script. */
static void reason_field(lua_State *L, int t, const char *name, char **to, const char *plain)
{
	int type = lua_getfield(L, t, name);

	if (type == LUA_TBOOLEAN && lua_toboolean(L, -1)) {
		keep(to, plain);
	} else if (type == LUA_TBOOLEAN) {
		free(*to);
		*to = NULL;
	} else if (type == LUA_TSTRING) {
		keep(to, lua_tostring(L, -1));
	} else if (type != LUA_TNIL) {
		rte_lua_raise(L, "test", "%s is a text that says why, or true", name);
	}
	lua_pop(L, 1);
}

static void command_field(lua_State *L, int t, const char *name, char **to)
{
	const char *text = rte_lua_string_field(L, t, "test", name);

	if (text)
		keep(to, text);
}

static void tag_add(lua_State *L, struct rte_test_marks *m, int idx)
{
	const char *tag = lua_type(L, idx) == LUA_TSTRING ? lua_tostring(L, idx) : "";

	tag += *tag == '@';
	if (!*tag || strcspn(tag, " \t\r\n@") != strlen(tag))
		rte_lua_raise(L, "test", "a tag is one word, as in tags = { \"slow\" }");
	m->tags = b_reallocarray(m->tags, m->n_tags + 1, sizeof(char *));
	m->tags[m->n_tags++] = b_strdup(tag);
}

static void tags_field(lua_State *L, int t, struct rte_test_marks *m)
{
	int type = lua_getfield(L, t, "tags");

	if (type == LUA_TSTRING) {
		tag_add(L, m, -1);
	} else if (type == LUA_TTABLE) {
		lua_Integer n = (lua_Integer)lua_rawlen(L, -1);

		for (lua_Integer i = 1; i <= n; i++) {
			lua_rawgeti(L, -1, i);
			tag_add(L, m, -1);
			lua_pop(L, 1);
		}
	} else if (type != LUA_TNIL) {
		rte_lua_raise(L, "test", "tags is a list of words");
	}
	lua_pop(L, 1);
}

static void rows_field(lua_State *L, int t, struct rte_test_marks *m)
{
	const char *name = rte_lua_string_field(L, t, "test", "rows");
	struct rte_table_options opt = { .separator = ',' };
	struct rte_actor *a = rte_lua_actor(L);
	struct b_error err = { 0 };

	if (!name)
		return;
	if (*name == '/')
		lua_pushstring(L, name);
	else
		lua_pushfstring(L, "%s/%s", a->script->dir, name);
	if (rte_table_open(a->lua->data, lua_tostring(L, -1), &opt, &m->rows, &err))
		rte_lua_raise(L, "test", "%s", err.text);
	lua_pop(L, 1);
}

static void marks_read(lua_State *L, int t, struct rte_test_marks *m)
{
	reason_field(L, t, "skip", &m->skip, "skipped");
	reason_field(L, t, "fails", &m->fails, "expected to fail");
	tags_field(L, t, m);
	if (lua_getfield(L, t, "timeout") != LUA_TNIL)
		m->timeout_ns = rte_lua_duration(L, -1, "test", B_NS_PER_S);
	lua_pop(L, 1);
	m->retries = rte_lua_int_field(L, t, "test", "retries", 0, 100, m->retries);
	command_field(L, t, "before", &m->before);
	command_field(L, t, "after", &m->after);
	rows_field(L, t, m);
}

static void marks_release(struct rte_test_marks *m)
{
	for (size_t i = 0; i < m->n_tags; i++)
		free(m->tags[i]);
	free(m->tags);
	free(m->skip);
	free(m->fails);
	free(m->before);
	free(m->after);
	free(m->setup);
	free(m->teardown);
}

void rte_lua_tests_release(struct rte_script *s)
{
	marks_release(&s->marks);
	for (size_t i = 0; i < s->n_tests; i++) {
		free(s->tests[i].name);
		marks_release(&s->tests[i].marks);
	}
	free(s->tests);
}

/* ---- Declaring ----------------------------------------------------------------------------- */

/* test { ... }: of all tests of the script. */
static void declare_all(lua_State *L, struct rte_script *s)
{
	static const char *const fields[] = { "skip", "fails", "tags", "timeout", "retries", "rows",
		"before", "after", "setup", "teardown", NULL };

	rte_lua_fields_check(L, 1, "test", fields, 0);
	if (!s)
		return;
	marks_read(L, 1, &s->marks);
	command_field(L, 1, "setup", &s->marks.setup);
	command_field(L, 1, "teardown", &s->marks.teardown);
}

static void declare_one(lua_State *L, struct rte_script *s, const char *name, int fn)
{
	static const char *const fields[] = { "skip", "fails", "tags", "timeout", "retries", "rows",
		"before", "after", NULL };
	struct rte_test_case *t;
	const char *file;
	lua_Debug ar;

	if (s->n_tests == TESTS_MAX)
		rte_lua_raise(L, "test", "more than %d tests in a script", TESTS_MAX);
	for (size_t i = 0; i < s->n_tests; i++)
		if (!strcmp(s->tests[i].name, name))
			rte_lua_raise(L, "test", "there is a test '%s' in line %d already", name,
				s->tests[i].line);
	s->tests = b_reallocarray(s->tests, s->n_tests + 1, sizeof *s->tests);
	t = &s->tests[s->n_tests++];
	*t = (struct rte_test_case){ .name = b_strdup(name) };
	t->marks.timeout_ns = t->marks.retries = RTE_TEST_UNSET;
	rte_lua_where(L, &file, &t->line);
	lua_pushvalue(L, fn);
	lua_getinfo(L, ">S", &ar);
	t->last_line = ar.lastlinedefined > t->line ? ar.lastlinedefined : t->line;
	if (fn == 3) {
		rte_lua_fields_check(L, 2, "test", fields, 0);
		marks_read(L, 2, &t->marks);
	}
}

static void leave_function(lua_State *L, struct rte_actor *a, const char *name, int fn)
{
	if (a->n_tests >= a->script->n_tests || strcmp(a->script->tests[a->n_tests].name, name))
		rte_lua_raise(L, "test",
			"the tests of a script must be the same each time its top level runs; '%s' was not there at first",
			name);
	a->tests = b_reallocarray(a->tests, a->n_tests + 1, sizeof *a->tests);
	lua_pushvalue(L, fn);
	a->tests[a->n_tests] = luaL_ref(L, LUA_REGISTRYINDEX);
	a->n_tests++;
}

/* test(name, [options,] function), or test { options }; called as a table. */
static int api_test(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	const char *name;
	size_t len;
	int fn;

	lua_remove(L, 1);
	if (a->phase != RTE_LUA_DECLARE && a->phase != RTE_LUA_TOP)
		return rte_lua_raise(
			L, "test", "belongs at the top level of the script, outside functions");
	if (lua_type(L, 1) == LUA_TTABLE) {
		declare_all(L, a->phase == RTE_LUA_DECLARE ? a->script : NULL);
		return 0;
	}
	fn = lua_type(L, 2) == LUA_TFUNCTION ? 2 : 3;
	name = rte_lua_text(L, 1, "test", &len);
	if (!len || len > NAME_LEN_MAX || strlen(name) != len || strpbrk(name, "\r\n"))
		return rte_lua_raise(L, "test", "needs a name of one line, as \"query\"");
	if (lua_type(L, fn) != LUA_TFUNCTION)
		return rte_lua_raise(
			L, "test", "needs a function: test(\"query\", function() ... end)");
	if (fn == 3 && lua_type(L, 2) != LUA_TTABLE)
		return rte_lua_raise(
			L, "test", "its options are a table, not a %s", luaL_typename(L, 2));
	if (a->phase == RTE_LUA_DECLARE)
		declare_one(L, a->script, name, fn);
	else
		leave_function(L, a, name, fn);
	return 0;
}

/* skip([reason]): the test ends here and counts as skipped; in a run, the iteration ends. */
static int api_skip(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "skip", true);
	const char *reason = lua_isnoneornil(L, 1) ? "skipped" : rte_lua_text(L, 1, "skip", NULL);

	if (a->lua->host.skipped)
		a->lua->host.skipped(a->host_user, reason);
	if (a->phase == RTE_LUA_RULE || !strcmp(a->start, "login"))
		return rte_lua_stop_user(L);
	a->skips = true;
	rte_lua_ask(L, a, RTE_ASK_DONE);
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* ---- Running ------------------------------------------------------------------------------- */

void rte_actor_test(struct rte_actor *a, size_t test, size_t row)
{
	a->test = test + 1;
	a->row = row;
}

int rte_lua_test_push(lua_State *L, struct rte_actor *a)
{
	const struct rte_script *s = a->script;
	const struct rte_table *rows;

	if (a->test > a->n_tests)
		rte_lua_raise(L, "test", "the script has not declared all of its tests this time");
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->tests[a->test - 1]);
	rows = s->tests[a->test - 1].marks.rows;
	if (!rows)
		rows = s->marks.rows;
	if (!rows || a->row >= rte_table_rows(rows))
		return 0;
	lua_createtable(L, 0, (int)rte_table_columns(rows));
	for (size_t i = 0; i < rte_table_columns(rows); i++) {
		size_t len;
		const char *field = rte_table_field(rows, a->row, i, &len);

		lua_pushlstring(L, field, len);
		lua_setfield(L, -2, rte_table_column(rows, i));
	}
	rte_lua_seal(L, "row", true);
	return 1;
}

const char *rte_lua_dir_push(lua_State *L, const char *text)
{
	const struct rte_script *script = rte_lua_actor(L)->script;
	const char *dir = rte_lua_actor(L)->lua->dir;

	text = luaL_gsub(L, text, "{dir}", dir ? dir : ".");
	return luaL_gsub(L, text, "{folder}", script ? script->dir : ".");
}

void rte_actor_place(const struct rte_actor *a, const char **file, int *line)
{
	*file = NULL;
	*line = 0;
	if (a->lua->running_co)
		rte_lua_where(a->lua->running_co, file, line);
}

/* ---- What others ask ----------------------------------------------------------------------- */

const struct rte_test_marks *rte_script_marks(const struct rte_script *s)
{
	return &s->marks;
}

const struct rte_test_case *rte_script_tests(const struct rte_script *s, size_t *n)
{
	*n = s->n_tests;
	return s->tests;
}

/* The column that a name in braces means; n columns: none. */
static size_t column_named(const struct rte_table *rows, const char *name, size_t len)
{
	size_t n = rte_table_columns(rows), i = 0;

	while (i < n &&
		(strlen(rte_table_column(rows, i)) != len ||
			memcmp(rte_table_column(rows, i), name, len)))
		i++;
	return i;
}

void rte_test_row_name(
	const char *name, const struct rte_table *rows, size_t row, struct b_buf *out)
{
	bool used = false;

	while (*name) {
		const char *end = *name == '{' ? strchr(name, '}') : NULL;
		size_t column =
			end ? column_named(rows, name + 1, (size_t)(end - name - 1)) : SIZE_MAX;
		const char *field;
		size_t len;

		if (end && column < rte_table_columns(rows)) {
			field = rte_table_field(rows, row, column, &len);
			b_buf_add(out, field, len);
			name = end + 1;
			used = true;
		} else {
			b_buf_addc(out, *name++);
		}
	}
	if (!used)
		b_buf_printf(out, " [row %zu]", row + 1);
}

int rte_script_is_test(const char *path, bool *is_test, struct b_error *err)
{
	static const char *const parts[] = { "iteration", "login" };
	struct b_buf text = B_BUF_INIT;
	int rc = rte_lua_file_read(path, &text, err);

	if (!rc) {
		*is_test = rte_lua_lex_calls(b_buf_cstr(&text), text.len, "test") ||
			rte_lua_lex_calls(b_buf_cstr(&text), text.len, "mix");
		for (size_t i = 0; i < B_ARRAY_LEN(parts) && !*is_test; i++)
			*is_test = rte_lua_lex_defines(b_buf_cstr(&text), text.len, parts[i]);
	}
	b_buf_release(&text);
	return rc;
}

/* test.dir(): the folder that is this test's alone, "." outside of rte test. */
static int api_dir(lua_State *L)
{
	rte_lua_dir_push(L, "{dir}");
	return 1;
}

void rte_lua_open_test(lua_State *L)
{
	lua_pushcfunction(L, api_skip);
	lua_setfield(L, -2, "skip");
	lua_createtable(L, 0, 2);
	lua_pushcfunction(L, api_test);
	lua_setfield(L, -2, "__call");
	lua_pushcfunction(L, api_dir);
	lua_setfield(L, -2, "dir");
	lua_setfield(L, -2, "test");
}
