/*
 * data.csv: rows of a data file, dealt out to the users.
 *
 * data.csv gives a source. source.COLUMN is a field of the user's current row; which row that is
 * follows from the user's number and from how many he has taken, so that a run gives the same
 * rows however many workers it has: with N users, user u gets rows u, u+N, u+2N, ...
 */
#include "rte/lua_priv.h"

#include <string.h>

#include "base/mem.h"
#include "rte/datafile.h"
#include "base/banned.h"

#define SOURCE_TYPE "rte.source"

enum mode { MODE_SEQUENTIAL, MODE_UNIQUE, MODE_RANDOM };
enum at_end { END_CYCLE, END_STOP, END_LAST };
enum per { PER_ITERATION, PER_SESSION, PER_USER };

struct source {
	const struct rte_table *table;
	enum mode mode;
	enum at_end at_end;
	enum per per;
	int64_t taken; /* rows so far */
	int64_t row;   /* the current one; -1: none yet */
	int64_t turn;  /* the iteration or session in which it was taken */
};

static const char *const modes[] = { "sequential", "unique", "random", NULL };
static const char *const ends[] = { "cycle", "stop", "last", NULL };
static const char *const pers[] = { "iteration", "session", "user", NULL };

static int option(lua_State *L, int t, const char *name, const char *const *names, int def)
{
	const char *text = rte_lua_string_field(L, t, "data.csv", name), *near;
	size_t n = 0;

	if (!text)
		return def;
	for (; names[n]; n++)
		if (!strcmp(text, names[n]))
			return (int)n;
	near = rte_lua_nearest(text, names, n);
	return rte_lua_raise(L, "data.csv", "%s = '%s' is none; %s '%s'%s%s%s", name, text,
		near ? "did you mean" : "there are", near ? near : names[0], near ? "?" : ", '",
		near ? "" : names[1],
		near            ? ""
			: n > 2 ? "' and others"
				: "'");
}

/* ---- Which row --------------------------------------------------------------------------- */

/* The k-th row of user u of n users; -1 when there is none left for him. */
static int64_t deal(const struct source *s, int64_t u, int64_t k, int64_t n)
{
	int64_t rows = (int64_t)rte_table_rows(s->table), own;

	if (s->mode == MODE_UNIQUE) {
		own = (rows - u) / n + 1; /* how many are his */
		if (k < own)
			return u - 1 + k * n;
		switch (s->at_end) {
		case END_CYCLE: return u - 1 + k % own * n;
		case END_LAST: return u - 1 + (own - 1) * n;
		default: return -1;
		}
	}
	if (k <= (rows - u) / n && u <= rows)
		return u - 1 + k * n;
	switch (s->at_end) {
	case END_CYCLE: return ((u - 1) % rows + k % rows * (n % rows)) % rows;
	case END_LAST: return s->row >= 0 ? s->row : rows - 1;
	default: return -1;
	}
}

static int64_t turn_of(const struct source *s, const struct rte_actor *a)
{
	switch (s->per) {
	case PER_ITERATION: return a->epoch;
	case PER_SESSION: return a->session > 1 ? a->session : 1;
	default: return 1;
	}
}

static struct b_random *stream(struct rte_actor *a)
{
	struct b_random *r = NULL;

	if (a->phase != RTE_LUA_DECLARE)
		r = a->lua->host.random(a->host_user);
	return r ? r : &a->lua->random;
}

static void advance(lua_State *L, struct source *s)
{
	struct rte_actor *a = rte_lua_actor(L);
	int64_t u = a->user > 0 ? a->user : 1, row;

	if (s->mode == MODE_RANDOM)
		row = b_random_int(stream(a), 0, (int64_t)rte_table_rows(s->table) - 1);
	else
		row = deal(s, u, s->taken, a->lua->n_users);
	if (row < 0) {
		if (a->phase != RTE_LUA_PART && a->phase != RTE_LUA_RULE)
			rte_lua_raise(L, "data.csv", "no row is left for user %lld", (long long)u);
		rte_lua_stop_user(L);
	}
	s->row = row;
	s->taken++;
	s->turn = turn_of(s, a);
}

/* ---- The source -------------------------------------------------------------------------- */

/* source(): takes the next row now; returns the source and the row's number in the file. A call
   and no method, so that no name of a column is taken. */
static int source_call(lua_State *L)
{
	struct source *s = luaL_checkudata(L, 1, SOURCE_TYPE);

	advance(L, s);
	lua_settop(L, 1);
	lua_pushinteger(L, s->row + 1);
	return 2;
}

static void current(lua_State *L, struct source *s)
{
	if (s->row < 0 || s->turn != turn_of(s, rte_lua_actor(L)))
		advance(L, s);
}

static int unknown_column(lua_State *L, const struct source *s, const char *name)
{
	const char *names[64], *near;
	size_t n = 0;

	for (; n < B_ARRAY_LEN(names) && n < rte_table_columns(s->table); n++)
		names[n] = rte_table_column(s->table, n);
	near = rte_lua_nearest(name, names, n);
	if (near)
		return rte_lua_raise(
			L, NULL, "the data has no column '%s'; did you mean '%s'?", name, near);
	return rte_lua_raise(L, NULL, "the data has no column '%s'", name);
}

static int source_index(lua_State *L)
{
	struct source *s = luaL_checkudata(L, 1, SOURCE_TYPE);
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
	size_t n = rte_table_columns(s->table), i = 0, len;
	const char *field;

	while (i < n && strcmp(name, rte_table_column(s->table, i)) != 0)
		i++;
	if (i == n)
		return unknown_column(
			L, s, lua_type(L, 2) == LUA_TSTRING ? name : luaL_tolstring(L, 2, NULL));
	current(L, s);
	field = rte_table_field(s->table, (size_t)s->row, i, &len);
	lua_pushlstring(L, field, len);
	return 1;
}

static int source_newindex(lua_State *L)
{
	return rte_lua_raise(L, NULL, "a data file cannot be changed by a script");
}

static int source_len(lua_State *L)
{
	struct source *s = luaL_checkudata(L, 1, SOURCE_TYPE);

	lua_pushinteger(L, (lua_Integer)rte_table_rows(s->table));
	return 1;
}

/* ---- data.csv ---------------------------------------------------------------------------- */

/* Relative paths are the script's folder's. */
static const char *path_push(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	const char *name = rte_lua_text(L, 1, "data.csv", NULL);

	if (*name == '/' || !a->script)
		return lua_pushstring(L, name);
	return lua_pushfstring(L, "%s/%s", a->script->dir, name);
}

/* columns = { "a", "b" }: the file has no heading. The names stay alive in the options. */
static void columns_option(lua_State *L, struct rte_table_options *opt)
{
	lua_Integer n;
	const char **names;

	if (lua_getfield(L, 2, "columns") == LUA_TNIL)
		return;
	luaL_checktype(L, -1, LUA_TTABLE);
	n = (lua_Integer)lua_rawlen(L, -1);
	if (n < 1 || n > 10000)
		rte_lua_raise(L, "data.csv", "columns is a list of names");
	names = lua_newuserdatauv(L, (size_t)n * sizeof *names, 0);
	for (lua_Integer i = 1; i <= n; i++) {
		if (lua_rawgeti(L, -2, i) != LUA_TSTRING)
			rte_lua_raise(L, "data.csv", "columns is a list of names");
		names[i - 1] = lua_tostring(L, -1);
		lua_pop(L, 1);
	}
	opt->columns = names;
	opt->n_columns = (size_t)n;
}

static void source_options(lua_State *L, struct source *s, struct rte_table_options *opt)
{
	static const char *const fields[] = { "mode", "at_end", "per", "separator", "columns",
		NULL };
	const char *separator;

	if (lua_type(L, 2) != LUA_TTABLE)
		rte_lua_raise(
			L, "data.csv", "its options are a table, not a %s", luaL_typename(L, 2));
	rte_lua_fields_check(L, 2, "data.csv", fields, 0);
	s->mode = (enum mode)option(L, 2, "mode", modes, MODE_SEQUENTIAL);
	s->at_end = (enum at_end)option(
		L, 2, "at_end", ends, s->mode == MODE_UNIQUE ? END_STOP : END_CYCLE);
	s->per = (enum per)option(L, 2, "per", pers, PER_ITERATION);
	separator = rte_lua_string_field(L, 2, "data.csv", "separator");
	if (separator && (strlen(separator) != 1 || strchr("\"\r\n", *separator)))
		rte_lua_raise(L, "data.csv", "separator is one character, as \";\"");
	if (separator)
		opt->separator = *separator;
	columns_option(L, opt);
}

static void check_source(lua_State *L, const struct source *s, const char *path)
{
	struct rte_actor *a = rte_lua_actor(L);
	long long rows = (long long)rte_table_rows(s->table), n = a->lua->n_users;

	if (s->mode != MODE_UNIQUE)
		return;
	if (rows < n)
		rte_lua_raise(L, "data.csv",
			"%s: %lld rows are too few for %lld users with mode = \"unique\"; add rows, or use "
			"mode = \"sequential\"",
			path, rows, n);
	if (a->user > n)
		rte_lua_raise(L, "data.csv",
			"%s: user %lld is beyond the %lld users of the run: no rows are his alone",
			path, (long long)a->user, n);
}

/*
 * data.csv(file [, { mode =, at_end =, per =, separator =, columns = }]): a source. Opened once
 * however often it is named.
 */
static int data_csv(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	struct rte_table_options opt = { .separator = ',' };
	struct source s = { .at_end = END_CYCLE, .row = -1 }, *box;
	struct b_error err = { 0 };
	const char *path;

	lua_settop(L, 2);
	path = path_push(L);
	if (!lua_isnil(L, 2))
		source_options(L, &s, &opt);
	if (rte_table_open(a->lua->data, path, &opt, &s.table, &err))
		return rte_lua_raise(L, "data.csv", "%s", err.text);
	check_source(L, &s, path);
	box = lua_newuserdatauv(L, sizeof *box, 0);
	*box = s;
	luaL_setmetatable(L, SOURCE_TYPE);
	return 1;
}

void rte_lua_open_data(lua_State *L)
{
	static const luaL_Reg meta[] = {
		{ "__index", source_index },
		{ "__newindex", source_newindex },
		{ "__call", source_call },
		{ "__len", source_len },
		{ NULL, NULL },
	};

	luaL_newmetatable(L, SOURCE_TYPE);
	luaL_setfuncs(L, meta, 0);
	lua_pushboolean(L, 0);
	lua_setfield(L, -2, "__metatable");
	lua_pop(L, 1);
	lua_createtable(L, 0, 1);
	lua_pushcfunction(L, data_csv);
	lua_setfield(L, -2, "csv");
	lua_setfield(L, -2, "data");
}
