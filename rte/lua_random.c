/*
 * random.* and user.*: numbers from the user's own data stream, and who the user is.
 *
 * Everything a script draws comes from one stream of the user's, so that the same seed gives
 * the same data, whatever other users do. math.random draws from it too.
 */
#include "rte/lua_priv.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

/* The user's data stream; at load, where there is no user, one of the state's own. */
static struct b_random *stream(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	struct b_random *r = NULL;

	if (a->phase != RTE_LUA_DECLARE && a->phase != RTE_LUA_IDLE)
		r = a->lua->host.random(a->host_user);
	return r ? r : &a->lua->random;
}

static lua_Integer int_arg(lua_State *L, int idx, const char *what, const char *name)
{
	int ok;
	lua_Integer v = lua_tointegerx(L, idx, &ok);

	if (!ok)
		rte_lua_raise(L, what, "%s is a whole number, not %s", name,
			luaL_tolstring(L, idx, NULL));
	return v;
}

static double number_arg(lua_State *L, int idx, const char *what, const char *name)
{
	double v = lua_tonumber(L, idx);

	if (lua_type(L, idx) != LUA_TNUMBER || !isfinite(v))
		rte_lua_raise(
			L, what, "%s is a number, not %s", name, luaL_tolstring(L, idx, NULL));
	return v;
}

/* random.int(min, max): a whole number, both ends included. */
static int random_int(lua_State *L)
{
	lua_Integer min = int_arg(L, 1, "random.int", "min");
	lua_Integer max = int_arg(L, 2, "random.int", "max");

	if (min > max)
		return rte_lua_raise(L, "random.int", "min %lld is greater than max %lld",
			(long long)min, (long long)max);
	lua_pushinteger(L, b_random_int(stream(L), min, max));
	return 1;
}

/* random.uniform([min, max]): a number in [min, max), default [0, 1). */
static int random_uniform(lua_State *L)
{
	double min = 0, max = 1;

	if (!lua_isnoneornil(L, 1)) {
		min = number_arg(L, 1, "random.uniform", "min");
		max = number_arg(L, 2, "random.uniform", "max");
	}
	if (min > max)
		return rte_lua_raise(L, "random.uniform", "min is greater than max");
	lua_pushnumber(L, min + (max - min) * b_random_unit(stream(L)));
	return 1;
}

/* random.exp(mean): negative exponential, cut at 10 x mean. */
static int random_exp(lua_State *L)
{
	double mean = number_arg(L, 1, "random.exp", "mean");

	if (mean < 0)
		return rte_lua_raise(L, "random.exp", "mean is below 0");
	lua_pushnumber(L, b_random_exp(stream(L), mean));
	return 1;
}

/* random.normal(mean, sd). */
static int random_normal(lua_State *L)
{
	double mean = number_arg(L, 1, "random.normal", "mean");
	double sd = number_arg(L, 2, "random.normal", "sd");

	if (sd < 0)
		return rte_lua_raise(L, "random.normal", "sd is below 0");
	lua_pushnumber(L, b_random_normal(stream(L), mean, sd));
	return 1;
}

/* math.random as the manual of Lua has it, from the user's stream. */
static int math_random(lua_State *L)
{
	lua_Integer min = 1, max;

	switch (lua_gettop(L)) {
	case 0: lua_pushnumber(L, b_random_unit(stream(L))); return 1;
	case 1: max = luaL_checkinteger(L, 1); break;
	default: min = luaL_checkinteger(L, 1); max = luaL_checkinteger(L, 2);
	}
	luaL_argcheck(L, min <= max, lua_gettop(L) > 1 ? 2 : 1, "interval is empty");
	lua_pushinteger(L, b_random_int(stream(L), min, max));
	return 1;
}

/* ---- user -------------------------------------------------------------------------------- */

static int user_stop(lua_State *L)
{
	rte_lua_session(L, "user.stop");
	return rte_lua_stop_user(L);
}

/* user.id, .iteration, .session, .seed, .name: those of the user that runs. */
static int user_index(lua_State *L)
{
	static const char *const names[] = { "id", "iteration", "session", "seed", "name", "stop" };
	const struct rte_actor *a = rte_lua_actor(L);
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "", *near;

	if (!strcmp(name, "id"))
		lua_pushinteger(L, a->user);
	else if (!strcmp(name, "iteration"))
		lua_pushinteger(L, a->iteration);
	else if (!strcmp(name, "session"))
		lua_pushinteger(L, a->session);
	else if (!strcmp(name, "seed"))
		lua_pushinteger(L, (lua_Integer)a->seed);
	else if (!strcmp(name, "name") && a->name)
		lua_pushstring(L, a->name);
	else if (!strcmp(name, "name"))
		lua_pushfstring(L, "user%d", (int)a->user);
	else if ((near = rte_lua_nearest(name, names, B_ARRAY_LEN(names))))
		return rte_lua_raise(
			L, NULL, "no '%s' in user; did you mean 'user.%s'?", name, near);
	else
		return rte_lua_raise(L, NULL, "no '%s' in user", luaL_tolstring(L, 2, NULL));
	return 1;
}

void rte_lua_open_user(lua_State *L)
{
	lua_createtable(L, 0, 1);
	lua_pushcfunction(L, user_stop);
	lua_setfield(L, -2, "stop");
	lua_createtable(L, 0, 1);
	lua_pushcfunction(L, user_index);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_setfield(L, -2, "user");
}

void rte_lua_open_random(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "int", random_int },
		{ "uniform", random_uniform },
		{ "exp", random_exp },
		{ "normal", random_normal },
		{ NULL, NULL },
	};

	lua_createtable(L, 0, 8);
	luaL_setfuncs(L, functions, 0);
	lua_setfield(L, -2, "random");
	lua_getfield(L, -1, "math");
	lua_pushcfunction(L, math_random);
	lua_setfield(L, -2, "random");
	lua_pop(L, 1);
}
