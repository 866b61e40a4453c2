/*
 * require: modules in the script's folder, and nowhere else.
 */
#include "rte/lua_priv.h"

#include <string.h>
#include <unistd.h>

#include "base/banned.h"

/* Compiled once a state (registry table "rte.modules"), called once a user with his environment;
   what it returns is kept in the environment's own table of modules. */
static void module_chunk_push(lua_State *L, const char *path)
{
	struct b_error err = { 0 };
	struct b_buf *text;

	luaL_getsubtable(L, LUA_REGISTRYINDEX, "rte.modules");
	if (lua_getfield(L, -1, path) == LUA_TFUNCTION) {
		lua_remove(L, -2);
		return;
	}
	lua_pop(L, 1);
	text = lua_newuserdatauv(L, sizeof *text, 0);
	memset(text, 0, sizeof *text);
	luaL_setmetatable(L, "rte.buf");
	if (rte_lua_file_read(path, text, &err))
		rte_lua_raise(L, "require", "%s", err.text);
	rte_lua_chunk_push(L, path, text);
	lua_pushvalue(L, -1);
	lua_setfield(L, -4, path);
	lua_replace(L, -3);
	lua_pop(L, 1);
}

static int buf_gc(lua_State *L)
{
	b_buf_release(lua_touserdata(L, 1));
	return 0;
}

/* The path of a module: dots are folders; nothing leads out of the script's folder. */
static const char *module_path_push(lua_State *L, const struct rte_actor *a, const char *name)
{
	const char *relative = luaL_gsub(L, name, ".", "/");

	for (const char *p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
			    *p) ||
			(*p == '.' && (p == name || p[1] == '.' || !p[1])))
			rte_lua_raise(L, "require",
				"'%s' is no module of the script's folder; write \"name\" for name.lua",
				name);
	return lua_pushfstring(L, "%s/%s.lua", a->script->dir, relative);
}

static int api_require(lua_State *L)
{
	const char *name = rte_lua_text(L, 1, "require", NULL);
	struct rte_actor *a = rte_lua_actor(L);
	const char *path;

	if (!a->script)
		return rte_lua_raise(L, "require", "not offered here");
	lua_settop(L, 1);
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->env_ref); /* 2 */
	lua_pushliteral(L, "_LOADED");
	if (lua_rawget(L, 2) != LUA_TTABLE) { /* 3 */
		lua_pop(L, 1);
		lua_newtable(L);
		lua_pushliteral(L, "_LOADED");
		lua_pushvalue(L, 3);
		lua_rawset(L, 2);
	}
	if (lua_getfield(L, 3, name) != LUA_TNIL)
		return 1;
	if (a->lua->allow_unsafe && strpbrk(name, "/\\") == NULL) {
		path = lua_pushfstring(
			L, "%s/%s.lua", a->script->dir, luaL_gsub(L, name, ".", "/"));
		if (access(path, R_OK) != 0) { /* then Lua's own, wherever package.path leads */
			lua_getglobal(L, "require");
			lua_pushvalue(L, 1);
			lua_call(L, 1, 1);
			return 1;
		}
	}
	path = module_path_push(L, a, name);
	module_chunk_push(L, path);
	lua_pushvalue(L, 2);
	lua_call(L, 1, 1);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_pushboolean(L, 1);
	}
	lua_pushvalue(L, -1);
	lua_setfield(L, 3, name);
	return 1;
}

void rte_lua_open_require(lua_State *L)
{
	lua_pushcfunction(L, api_require);
	lua_setfield(L, -2, "require");
	luaL_newmetatable(L, "rte.buf");
	lua_pushcfunction(L, buf_gc);
	lua_setfield(L, -2, "__gc");
	lua_pop(L, 1);
}
