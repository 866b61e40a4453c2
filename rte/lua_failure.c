/*
 * What a failed part leaves behind: a message of one line, a traceback, and of what kind it was.
 */
#include "rte/lua_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/banned.h"

void rte_lua_errors_forget(struct rte_actor *a)
{
	free(a->error);
	free(a->traceback);
	a->error = NULL;
	a->traceback = NULL;
}

/* "attempt to call a nil value (global 'exepct')": the nearest function, or NULL. */
static const char *hint_push(lua_State *L, const struct rte_actor *a, const char *message)
{
	static const char head[] = "attempt to call a nil value (global '";
	const char *name = strstr(message, head), *end, *near;
	const char *names[128];
	char wrong[64];
	size_t n = 0;

	if (!name)
		return NULL;
	name += sizeof head - 1;
	end = strchr(name, '\'');
	if (!end || (size_t)(end - name) >= sizeof wrong)
		return NULL;
	memcpy(wrong, name, (size_t)(end - name));
	wrong[end - name] = 0;
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

struct failure {
	struct rte_actor *a;
	lua_State *co; /* with the error value on top */
	int status;
	enum rte_fail_kind kind;
};

static int describe(lua_State *L)
{
	struct failure *f = lua_touserdata(L, 1);
	struct b_buf error = B_BUF_INIT, traceback = B_BUF_INIT;
	const char *message, *trace, *hint;

	luaL_checkstack(f->co, 1, NULL);
	lua_pushvalue(f->co, -1);
	lua_xmove(f->co, L, 1);
	message = luaL_tolstring(L, -1, NULL);
	luaL_traceback(L, f->co, NULL, 0);
	trace = lua_tostring(L, -1);
	hint = hint_push(L, f->a, message);
	/* No Lua from here on: nothing raises over the buffers. */
	f->kind = rte_lua_kind(f->a, message);
	b_escape_text(&error, message, strlen(message));
	if (hint)
		b_buf_adds(&error, hint);
	copy_traceback(&traceback, trace);
	rte_lua_errors_forget(f->a);
	f->a->error = b_buf_take(&error, NULL);
	f->a->traceback = b_buf_take(&traceback, NULL);
	return 0;
}

/* Fills a->error and a->traceback from the error value on top of co. */
enum rte_fail_kind rte_lua_error_keep(struct rte_actor *a, lua_State *co, int status)
{
	struct rte_lua *l = a->lua;
	struct failure f = { .a = a, .co = co, .status = status, .kind = RTE_FAIL_ERROR };
	struct b_error err = { 0 };
	bool memory = status == LUA_ERRMEM || l->stop == RTE_LUA_STOP_MEMORY;
	int rc;

	rte_lua_enter(l, &l->nobody, l->L, RTE_LUA_STEPS_CLOSE_MAX);
	rc = rte_lua_protect(l, describe, &f, &err);
	rte_lua_leave(l);
	if (rc) {
		rte_lua_errors_forget(a);
		a->error = b_strdup(err.text);
	}
	if (memory && (rc || status == LUA_ERRMEM)) {
		free(a->error);
		a->error = b_strdup(rte_lua_stop_text(RTE_LUA_STOP_MEMORY));
	}
	return f.kind;
}
