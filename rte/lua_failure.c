/*
 * What a failed part leaves behind: a message of one line, a traceback, and of what kind it was.
 */
#include "rte/lua_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/banned.h"

struct rte_lua_failure *rte_lua_failure(struct rte_actor *a)
{
	return a->phase == RTE_LUA_RULE ? &a->rule_failure : &a->part_failure;
}

void rte_lua_failure_clear(struct rte_lua_failure *f)
{
	free(f->error);
	free(f->traceback);
	*f = (struct rte_lua_failure){ 0 };
}

/* What Lua has and scripts have not, see rte_lua_base_push. */
static bool is_withheld(const char *name)
{
	static const char *const names[] = { "io", "debug", "coroutine", "package", "load",
		"loadfile", "dofile", "collectgarbage", "os.execute", "os.rename", "os.tmpname" };

	for (size_t i = 0; i < B_ARRAY_LEN(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/*
 * The name in "attempt to call a nil value (global 'exepct')". Lua does not tell whose field it
 * was; that of "execute" and the like was os.
 */
static bool nil_name(const char *message, char *out, size_t size)
{
	static const char *const heads[] = { "a nil value (global '", "a nil value (field '" };

	for (size_t i = 0; i < B_ARRAY_LEN(heads); i++) {
		const char *name = strstr(message, heads[i]);
		size_t len;

		if (!name)
			continue;
		name += strlen(heads[i]);
		len = strcspn(name, "'");
		if (name[len])
			return (size_t)snprintf(
				       out, size, "%s%.*s", i ? "os." : "", (int)len, name) < size;
	}
	return false;
}

/* What is said behind an error about a name that nothing has: the nearest, or how to get it. */
static const char *hint_push(lua_State *L, const struct rte_actor *a, const char *message)
{
	const char *names[128], *near;
	char wrong[64];
	size_t n = 0;

	if (!nil_name(message, wrong, sizeof wrong))
		return NULL;
	if (is_withheld(wrong) && !a->lua->allow_unsafe)
		return lua_pushfstring(
			L, "; scripts have no %s unless --allow-unsafe is given", wrong);
	if (!strstr(message, "call a nil value (global"))
		return NULL;
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->lua->env_meta_ref);
	lua_getfield(L, -1, "__index");
	lua_pushnil(L);
	while (n < B_ARRAY_LEN(names) && lua_next(L, -2)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING)
			names[n++] = lua_tostring(L, -1);
	}
	near = rte_lua_nearest(wrong, names, n);
	return near ? lua_pushfstring(L, "; did you mean '%s'?", near) : NULL;
}

/* The lines of our own calls say nothing to the script's author. */
static void copy_traceback(struct b_buf *out, const char *text)
{
	static const char *const ours[] = { "\t[C]: in ?", "\trte:" };

	while (*text) {
		size_t len = strcspn(text, "\n");
		const char *end = text + len;
		bool skip = false;

		for (size_t i = 0; i < B_ARRAY_LEN(ours); i++)
			skip = skip || !strncmp(text, ours[i], strlen(ours[i]));
		if (!skip) {
			if (out->len)
				b_buf_addc(out, '\n');
			for (; *text == '\t'; text++)
				b_buf_addc(out, '\t');
			b_escape_text(out, text, (size_t)(end - text));
		}
		text = end + (*end == '\n');
	}
}

#define DEEP       1000 /* calls inside one another */
#define DEEP_SHOWN 20

/* Pushes where the error was raised. luaL_traceback walks the whole stack again for each of its
   last lines: seconds, when a recursion has filled it. */
static const char *trace_push(lua_State *L)
{
	luaL_Buffer b;
	lua_Debug ar;

	if (!lua_getstack(L, DEEP, &ar)) {
		luaL_traceback(L, L, NULL, 1);
		return lua_tostring(L, -1);
	}
	luaL_buffinit(L, &b);
	luaL_addstring(&b, "stack traceback:");
	for (int level = 1; level <= DEEP_SHOWN && lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Slt", &ar);
		if (ar.currentline > 0)
			lua_pushfstring(L, "\n\t%s:%d: in function <%s:%d>", ar.short_src,
				ar.currentline, ar.short_src, ar.linedefined);
		else
			lua_pushfstring(L, "\n\t%s: in ?", ar.short_src);
		luaL_addvalue(&b);
	}
	luaL_addstring(&b, "\n\t...\t(and more than 900 others)");
	luaL_pushresult(&b);
	return lua_tostring(L, -1);
}

/*
 * The message handler of every part: runs where the error was raised, so that the stack still
 * stands. Not for errors that the script catches, nor when memory is out.
 */
int rte_lua_error_seen(lua_State *L)
{
	struct b_buf error = B_BUF_INIT, traceback = B_BUF_INIT;
	struct rte_actor *a = rte_lua_actor(L);
	struct rte_lua_failure *f = rte_lua_failure(a);
	const char *message, *trace, *hint;

	lua_settop(L, 1);
	message = luaL_tolstring(L, 1, NULL);
	trace = trace_push(L);
	hint = hint_push(L, a, message);
	/* No Lua from here on: nothing raises over the buffers. */
	b_escape_text(&error, message, strlen(message));
	if (hint)
		b_buf_adds(&error, hint);
	copy_traceback(&traceback, trace);
	rte_lua_failure_clear(f);
	f->kind = rte_lua_kind(a, message);
	f->error = b_buf_take(&error, NULL);
	f->traceback = b_buf_take(&traceback, NULL);
	rte_lua_where(L, &f->file, &f->line);
	lua_settop(L, 1);
	return 1;
}

/* After the pcall of a part failed; the error value is on top. Does not raise. */
void rte_lua_error_keep(lua_State *L, struct rte_actor *a, int status)
{
	const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error";
	struct rte_lua_failure *f = rte_lua_failure(a);
	struct b_buf error = B_BUF_INIT;

	if (status == LUA_ERRMEM || a->lua->stop == RTE_LUA_STOP_MEMORY) {
		text = rte_lua_stop_text(RTE_LUA_STOP_MEMORY);
		if (a->lua->stop_file)
			b_buf_printf(&error, "%s:%d: ", a->lua->stop_file, a->lua->stop_line);
	} else if (f->error) {
		return;
	}
	b_escape_text(&error, text, strlen(text));
	rte_lua_failure_clear(f);
	f->kind = RTE_FAIL_ERROR;
	f->error = b_buf_take(&error, NULL);
	f->file = a->lua->stop_file;
	f->line = a->lua->stop_line;
}
