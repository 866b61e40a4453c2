/*
 * The environment of scripts: what stands in it, and what is shared by all users.
 *
 * An environment is one table a user. What it lacks it finds in the base table, through a
 * metatable that all environments share; the tables of the API are read-only there. So a user
 * costs his own globals and nothing else.
 */
#include "rte/lua_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rte/lua_library.h"
#include "base/banned.h"

#define NESTED_MAX  1000 /* calls around a pcall */
#define NESTED_FREE 50   /* so many are looked through without being charged for */

/* ---- Read-only tables ------------------------------------------------------------------- */

static int unknown_name(lua_State *L)
{
	const char *table = lua_tostring(L, lua_upvalueindex(1));
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
	const char *names[64], *near = NULL;
	size_t n = 0;

	lua_pushnil(L);
	while (n < B_ARRAY_LEN(names) && lua_next(L, 1)) {
		lua_pop(L, 1);
		if (lua_type(L, -1) == LUA_TSTRING)
			names[n++] = lua_tostring(L, -1);
	}
	if (name)
		near = rte_lua_nearest(name, names, n);
	if (near)
		return rte_lua_raise(
			L, NULL, "no '%s' in %s; did you mean '%s.%s'?", name, table, table, near);
	return rte_lua_raise(
		L, NULL, "no '%s' in %s", name ? name : luaL_tolstring(L, 2, NULL), table);
}

static int refuse_change(lua_State *L)
{
	return rte_lua_raise(L, NULL, "'%s' is shared by all users and cannot be changed",
		lua_tostring(L, lua_upvalueindex(1)));
}

static int pairs_of_sealed(lua_State *L)
{
	lua_pushvalue(L, lua_upvalueindex(1)); /* next */
	lua_pushvalue(L, lua_upvalueindex(2));
	lua_pushnil(L);
	return 3;
}

void rte_lua_seal(lua_State *L, const char *name, bool strict)
{
	if (strict) {
		lua_createtable(L, 0, 1);
		lua_pushstring(L, name);
		lua_pushcclosure(L, unknown_name, 1);
		lua_setfield(L, -2, "__index");
		lua_setmetatable(L, -2);
	}
	lua_createtable(L, 0, 0);
	lua_createtable(L, 0, 5);
	lua_pushvalue(L, -3);
	lua_setfield(L, -2, "__index");
	lua_pushstring(L, name);
	lua_pushcclosure(L, refuse_change, 1);
	lua_setfield(L, -2, "__newindex");
	lua_getglobal(L, "next");
	lua_pushvalue(L, -4);
	lua_pushcclosure(L, pairs_of_sealed, 2);
	lua_setfield(L, -2, "__pairs");
	lua_pushliteral(L, "__call");
	if (lua_rawget(L, -4) != LUA_TNIL)
		lua_setfield(L, -2, "__call");
	else
		lua_pop(L, 1);
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_setmetatable(L, -2);
	lua_remove(L, -2);
}

/* ---- Standard functions, made safe ------------------------------------------------------ */

/* A finalizer would run between instructions of other users, where no limit reaches. */
static int safe_setmetatable(lua_State *L)
{
	int type = lua_type(L, 2);

	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
	if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
		return rte_lua_raise(L, "setmetatable", "cannot change a protected metatable");
	if (type == LUA_TTABLE) {
		lua_pushliteral(L, "__gc");
		if (lua_rawget(L, 2) != LUA_TNIL)
			return rte_lua_raise(L, "setmetatable", "__gc is not offered to scripts");
	}
	lua_settop(L, 2);
	lua_setmetatable(L, 1);
	return 1;
}

/* Whether a length stays within what a loop in C may take, which no hook interrupts. */
static void check_length(lua_State *L, const char *what, lua_Integer n)
{
	if (n > 10000000)
		rte_lua_raise(L, what, "more than 10 million elements");
	rte_lua_spend(L, n > 0 ? (uint64_t)n : 0);
}

/* table.insert and table.remove shift as many elements as __len says. */
static int safe_shift(lua_State *L)
{
	if (lua_type(L, 1) == LUA_TTABLE && luaL_getmetafield(L, 1, "__len") != LUA_TNIL) {
		lua_pop(L, 1);
		check_length(L, "table", luaL_len(L, 1));
	}
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
	return lua_gettop(L);
}

static int safe_move(lua_State *L)
{
	lua_Integer from = luaL_checkinteger(L, 2), to = luaL_checkinteger(L, 3);

	if (to >= from)
		check_length(L, "table.move",
			(lua_Unsigned)to - (lua_Unsigned)from > INT64_MAX ? INT64_MAX : to - from);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 1);
	lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
	return lua_gettop(L);
}

/*
 * In a coroutine pcall takes no C stack, so pcall(f) inside f would nest as far as the stack goes;
 * each error then costs a walk over all of it, in C, and there is one for each level. Counting
 * the calls is such a walk too: it is paid for in instructions.
 */
static void check_depth(lua_State *L, const char *what)
{
	lua_Debug ar;

	if (!lua_getstack(L, NESTED_FREE, &ar))
		return;
	rte_lua_spend(L, NESTED_MAX);
	if (lua_getstack(L, NESTED_MAX, &ar))
		rte_lua_raise(L, what, "more than %d calls inside one another", NESTED_MAX);
}

static int pcall_done(lua_State *L, int status, lua_KContext ctx)
{
	(void)ctx;
	if (status == LUA_OK || status == LUA_YIELD)
		return lua_gettop(L);
	lua_pushboolean(L, 0);
	lua_insert(L, -2);
	return 2;
}

static int safe_pcall(lua_State *L)
{
	luaL_checkany(L, 1);
	check_depth(L, "pcall");
	lua_pushboolean(L, 1);
	lua_insert(L, 1);
	return pcall_done(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, pcall_done), 0);
}

static int xpcall_handled(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	lua_pushboolean(L, 0);
	lua_insert(L, 2);
	return lua_gettop(L) - 1; /* without the handler */
}

static int xpcall_done(lua_State *L, int status, lua_KContext ctx)
{
	(void)ctx;
	if (status == LUA_OK || status == LUA_YIELD) {
		lua_pushboolean(L, 1);
		lua_replace(L, 1);
		return lua_gettop(L);
	}
	lua_pushvalue(L, 1); /* stack: handler, error, handler */
	lua_insert(L, 2);
	lua_callk(L, 1, LUA_MULTRET, 0, xpcall_handled);
	return xpcall_handled(L, LUA_OK, 0);
}

/* xpcall, but the handler runs after the stack was unwound: where a limit raises, inside our
   hook, a handler would run with hooks off, and a loop in it would never end. */
static int safe_xpcall(lua_State *L)
{
	int n = lua_gettop(L) - 2;

	luaL_checktype(L, 2, LUA_TFUNCTION);
	check_depth(L, "xpcall");
	lua_pushvalue(L, 1);
	lua_copy(L, 2, 1);
	lua_replace(L, 2); /* handler, function, arguments */
	return xpcall_done(L, lua_pcallk(L, n, LUA_MULTRET, 0, 0, xpcall_done), 0);
}

static int safe_print(lua_State *L)
{
	lua_getfield(L, lua_upvalueindex(1), "log");
	lua_insert(L, 1);
	lua_call(L, lua_gettop(L) - 1, 0);
	return 0;
}

static int no_randomseed(lua_State *L)
{
	return rte_lua_raise(L, "math.randomseed",
		"random numbers follow from the seed of the run; set it with --seed");
}

static void copy_names(lua_State *L, const char *const *names)
{
	for (; *names; names++) {
		lua_getfield(L, -2, *names);
		lua_setfield(L, -2, *names);
	}
}

/* Pushes a new table with the named fields of the library that luaopen makes. */
static void open_part(lua_State *L, lua_CFunction open, const char *name, const char *const *names)
{
	luaL_requiref(L, name, open, 0);
	lua_newtable(L);
	copy_names(L, names);
	lua_remove(L, -2);
}

/* Puts a function of ours, with the original as its upvalue, in place of a field. */
static void wrap(lua_State *L, const char *name, lua_CFunction with)
{
	lua_getfield(L, -1, name);
	lua_pushcclosure(L, with, 1);
	lua_setfield(L, -2, name);
}

static void open_standard(lua_State *L)
{
	static const char *const base[] = { "assert", "error", "getmetatable", "ipairs", "next",
		"pairs", "rawequal", "rawget", "rawlen", "rawset", "select", "tonumber", "tostring",
		"type", "_VERSION", NULL };
	static const char *const os[] = { "clock", "date", "difftime", "getenv", "time", NULL };
	static const char *const math[] = { "abs", "acos", "asin", "atan", "ceil", "cos", "deg",
		"exp", "floor", "fmod", "huge", "log", "max", "maxinteger", "min", "mininteger",
		"modf", "pi", "rad", "sin", "sqrt", "tan", "tointeger", "type", "ult", NULL };
	static const char *const table[] = { "concat", "insert", "move", "pack", "remove", "sort",
		"unpack", NULL };
	static const char *const string[] = { "byte", "char", "format", "len", "lower", "pack",
		"packsize", "rep", "reverse", "sub", "unpack", "upper", NULL };
	static const char *const utf8[] = { "char", "charpattern", "codepoint", "codes", "len",
		"offset", NULL };

	luaL_requiref(L, "_G", luaopen_base, 1);
	lua_insert(L, -2);
	copy_names(L, base);
	lua_remove(L, -2);
	lua_pushcfunction(L, safe_setmetatable);
	lua_setfield(L, -2, "setmetatable");
	lua_pushcfunction(L, safe_pcall);
	lua_setfield(L, -2, "pcall");
	lua_pushcfunction(L, safe_xpcall);
	lua_setfield(L, -2, "xpcall");
	lua_pushvalue(L, -1);
	lua_pushcclosure(L, safe_print, 1);
	lua_setfield(L, -2, "print");

	open_part(L, luaopen_os, LUA_OSLIBNAME, os);
	lua_setfield(L, -2, "os");
	open_part(L, luaopen_math, LUA_MATHLIBNAME, math);
	lua_pushcfunction(L, no_randomseed);
	lua_setfield(L, -2, "randomseed");
	lua_setfield(L, -2, "math");
	open_part(L, luaopen_table, LUA_TABLIBNAME, table);
	wrap(L, "move", safe_move);
	wrap(L, "insert", safe_shift);
	wrap(L, "remove", safe_shift);
	lua_setfield(L, -2, "table");
	open_part(L, luaopen_utf8, LUA_UTF8LIBNAME, utf8);
	lua_setfield(L, -2, "utf8");
	open_part(L, luaopen_string, LUA_STRLIBNAME, string);
	rte_lua_open_string(L);
	/* ("x"):rep(9) finds the same functions, and nobody can change them for the others. */
	lua_pushliteral(L, "");
	lua_getmetatable(L, -1);
	lua_pushvalue(L, -3);
	lua_setfield(L, -2, "__index");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_pop(L, 2);
	lua_setfield(L, -2, "string");
}

static void open_unsafe(lua_State *L)
{
	static const char *const names[] = { "collectgarbage", "dofile", "io", "load", "loadfile",
		"os", "debug", "coroutine", "package", "xpcall", NULL };

	luaL_openlibs(L);
	lua_pushglobaltable(L);
	lua_insert(L, -2);
	copy_names(L, names);
	lua_remove(L, -2);
}

/* ---- The base table --------------------------------------------------------------------- */

void rte_lua_base_push(lua_State *L, bool allow_unsafe)
{
	lua_createtable(L, 0, 64);
	open_standard(L);
	if (allow_unsafe)
		open_unsafe(L);
}

static void seal_field(lua_State *L, const char *name, bool strict)
{
	lua_getfield(L, -1, name);
	rte_lua_seal(L, name, strict);
	lua_setfield(L, -2, name);
}

static bool identifier(const char *name, size_t len)
{
	if (!len || isdigit((unsigned char)*name))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return true;
}

/* Whether a name is taken by the API: base has it, and not from a set. */
static bool name_taken(lua_State *L, int base, const char *name)
{
	bool taken;

	lua_pushstring(L, name);
	taken = lua_rawget(L, base) != LUA_TNIL;
	if (taken && lua_getfield(L, base, "set") != LUA_TNIL) {
		lua_getfield(L, -1, name);
		taken = lua_isnil(L, -1);
		lua_pop(L, 1);
	}
	return taken;
}

void rte_lua_sets_add(lua_State *L, int base, const char *const *sets, size_t n)
{
	int to = lua_gettop(L), set = to + 1;

	lua_createtable(L, 0, (int)n);
	for (size_t i = 0; i < n; i++) {
		const char *eq = strchr(sets[i], '='), *name;
		size_t len = eq ? (size_t)(eq - sets[i]) : 0;

		if (!eq || !identifier(sets[i], len))
			rte_lua_raise(L, "set", "'%s' is not NAME=VALUE", sets[i]);
		name = lua_pushlstring(L, sets[i], len);
		lua_getfield(L, set, name);
		/* A name given twice is no collision: the last one counts. */
		if (lua_isnil(L, -1) && name_taken(L, base, name))
			rte_lua_raise(L, "set",
				"'%s' is a name of the script functions; choose another", name);
		if (!lua_stringtonumber(L, eq + 1))
			lua_pushstring(L, eq + 1);
		lua_pushvalue(L, -1);
		lua_setfield(L, set, name);
		lua_setfield(L, to, name);
		lua_settop(L, set);
	}
	lua_setfield(L, to, "set");
}

void rte_lua_env_meta_push(lua_State *L, int idx)
{
	idx = lua_absindex(L, idx);
	lua_createtable(L, 0, 2);
	lua_pushvalue(L, idx);
	lua_setfield(L, -2, "__index");
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
}

/* fail(what, message), for the prelude alone: the error is at the script's line. */
/* known(what, table, name, ...): raises for a field of the table that has none of these names. */
static int prelude_known(lua_State *L)
{
	const char *names[8] = { NULL };

	for (int i = 0; i < (int)B_ARRAY_LEN(names) - 1 && i + 3 <= lua_gettop(L); i++)
		names[i] = lua_tostring(L, i + 3);
	rte_lua_fields_check(L, 2, lua_tostring(L, 1), names, (lua_Integer)lua_rawlen(L, 2));
	return 0;
}

static int prelude_fail(lua_State *L)
{
	return rte_lua_raise(L, luaL_checkstring(L, 1), "%s", luaL_checkstring(L, 2));
}

void rte_lua_sandbox_open(lua_State *L, const struct rte_lua_options *opt)
{
	static const char *const strict[] = { "screen", "random", "data", "check", "test", NULL };
	static const char *const open[] = { "user", "string", "math", "table", "utf8", "os", "set",
		NULL };
	struct rte_lua *l = rte_lua_actor(L)->lua;

	rte_lua_base_push(L, opt->allow_unsafe);
	rte_lua_open_declare(L);
	rte_lua_open_require(L);
	rte_lua_open_input(L);
	rte_lua_open_expect(L);
	rte_lua_open_transaction(L);
	rte_lua_open_test(L);
	rte_lua_open_screen(L);
	rte_lua_open_data(L);
	rte_lua_open_random(L);
	rte_lua_open_user(L);
	lua_pushcfunction(L, prelude_fail);
	lua_setfield(L, -2, "fail");
	lua_pushcfunction(L, prelude_known);
	lua_setfield(L, -2, "known");
	if (luaL_loadbufferx(L, rte_lua_prelude, (size_t)(rte_lua_prelude_end - rte_lua_prelude),
		    "=rte", "t") != LUA_OK)
		lua_error(L);
	lua_pushvalue(L, -2);
	lua_setupvalue(L, -2, 1);
	lua_call(L, 0, 0);
	lua_pushnil(L);
	lua_setfield(L, -2, "fail");
	lua_pushnil(L);
	lua_setfield(L, -2, "known");
	rte_lua_sets_add(L, lua_gettop(L), opt->sets, opt->n_sets);
	for (const char *const *name = strict; *name; name++)
		seal_field(L, *name, true);
	for (const char *const *name = open; *name; name++)
		seal_field(L, *name, false);
	rte_lua_env_meta_push(L, -1);
	l->env_meta_ref = luaL_ref(L, LUA_REGISTRYINDEX);
}
