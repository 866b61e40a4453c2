/* Arguments of bindings: checked as a whole, with the nearest known name for a mistyped one,
   and errors that carry the script's place. */
#include "rte/lua_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

/* ---- Nearest names ---------------------------------------------------------------------- */

#define NAME_MAX_LEN 32

/* Edit distance with swaps of neighbours counted as one; both names shorter than NAME_MAX_LEN. */
static int distance(const char *a, const char *b)
{
	int n = (int)strlen(a), m = (int)strlen(b);
	int d[3][NAME_MAX_LEN + 1];

	for (int j = 0; j <= m; j++)
		d[0][j] = j;
	for (int i = 1; i <= n; i++) {
		int *row = d[i % 3], *up = d[(i - 1) % 3], *upup = d[(i + 1) % 3];

		row[0] = i;
		for (int j = 1; j <= m; j++) {
			int best = up[j - 1] + (a[i - 1] != b[j - 1]);

			if (up[j] + 1 < best)
				best = up[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				upup[j - 2] + 1 < best)
				best = upup[j - 2] + 1;
			row[j] = best;
		}
	}
	return d[n % 3][m];
}

const char *rte_lua_nearest(const char *name, const char *const *names, size_t n)
{
	size_t len = strlen(name);
	int limit = len < 3 ? 1 : len < 6 ? 2 : 3;
	const char *best = NULL;

	if (len >= NAME_MAX_LEN)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		int d = strlen(names[i]) < NAME_MAX_LEN ? distance(name, names[i]) : limit + 1;

		if (d <= limit && (size_t)d < strlen(names[i])) {
			limit = d - 1;
			best = names[i];
		}
	}
	return best;
}

/* ---- Places and errors ------------------------------------------------------------------ */

void rte_lua_where(lua_State *L, const char **file, int *line)
{
	lua_Debug ar;

	*file = NULL;
	*line = 0;
	for (int level = 0; lua_getstack(L, level, &ar); level++) {
		lua_getinfo(L, "Sl", &ar);
		if (ar.source[0] == '@') { /* a file's; our own Lua and C begin with '=' */
			*file = ar.source + 1;
			*line = ar.currentline;
			return;
		}
	}
}

/* What making a message takes, in instructions: a loop that lives by errors comes to its end. */
#define ERROR_STEPS 300

int rte_lua_raise(lua_State *L, const char *what, const char *fmt, ...)
{
	struct b_error e = { 0 };
	const char *file;
	char text[900];
	va_list ap;
	int line;

	/* Not once the run is to stop: that is raised here, too. */
	if (rte_lua_actor(L)->lua->stop == RTE_LUA_GO)
		rte_lua_spend(L, ERROR_STEPS);
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* for the escaping */
	b_error_set(&e, B_EINPUT, "%s%s%s", what ? what : "", what ? ": " : "", text);
	rte_lua_where(L, &file, &line);
	if (file)
		lua_pushfstring(L, "%s:%d: %s", file, line, e.text);
	else
		lua_pushstring(L, e.text);
	return lua_error(L);
}

int rte_lua_raise_kind(lua_State *L, enum rte_fail_kind kind, const char *message)
{
	struct rte_actor *a = rte_lua_actor(L);
	const char *file;
	int line;

	rte_lua_where(L, &file, &line);
	if (file)
		lua_pushfstring(L, "%s:%d: %s", file, line, message);
	else
		lua_pushstring(L, message);
	free(a->raised);
	a->raised = b_strdup(lua_tostring(L, -1));
	a->raised_kind = kind;
	return lua_error(L);
}

/* A script may have put something in front of or behind the message and raised it again. */
enum rte_fail_kind rte_lua_kind(const struct rte_actor *a, const char *message)
{
	return a->raised && message && strstr(message, a->raised) ? a->raised_kind : RTE_FAIL_ERROR;
}

/* ---- Tables of options ------------------------------------------------------------------ */

static int unknown_field(lua_State *L, const char *what, const char *name, const char *const *names)
{
	const char *near;
	size_t n = 0;

	while (names[n])
		n++;
	near = rte_lua_nearest(name, names, n);
	if (near)
		return rte_lua_raise(L, what, "unknown field '%s'; did you mean '%s'?", name, near);
	return rte_lua_raise(L, what, "unknown field '%s'", name);
}

void rte_lua_fields_check(
	lua_State *L, int table, const char *what, const char *const *names, lua_Integer n_array)
{
	table = lua_absindex(L, table);
	lua_pushnil(L);
	while (lua_next(L, table)) {
		bool known = false;

		lua_pop(L, 1);
		if (lua_isinteger(L, -1)) {
			lua_Integer i = lua_tointeger(L, -1);

			if (i < 1 || i > n_array)
				rte_lua_raise(L, what, "takes no field [%lld]", (long long)i);
			continue;
		}
		if (lua_type(L, -1) != LUA_TSTRING)
			rte_lua_raise(L, what, "takes no field that is a %s", luaL_typename(L, -1));
		for (size_t i = 0; names[i] && !known; i++)
			known = !strcmp(names[i], lua_tostring(L, -1));
		if (!known)
			unknown_field(L, what, lua_tostring(L, -1), names);
	}
}

lua_Integer rte_lua_int_field(lua_State *L, int table, const char *what, const char *name,
	lua_Integer min, lua_Integer max, lua_Integer def)
{
	lua_Integer v = def;
	int ok = 1;

	if (lua_getfield(L, table, name) != LUA_TNIL) {
		v = lua_tointegerx(L, -1, &ok);
		if (!ok || v < min || v > max)
			rte_lua_raise(L, what, "%s = %s is no whole number from %lld to %lld", name,
				luaL_tolstring(L, -1, NULL), (long long)min, (long long)max);
	}
	lua_pop(L, 1);
	return v;
}

bool rte_lua_bool_field(lua_State *L, int table, const char *what, const char *name, bool def)
{
	int type = lua_getfield(L, table, name);
	bool v = def;

	if (type == LUA_TBOOLEAN)
		v = lua_toboolean(L, -1);
	else if (type != LUA_TNIL)
		rte_lua_raise(L, what, "%s is true or false, not a %s", name, luaL_typename(L, -1));
	lua_pop(L, 1);
	return v;
}

const char *rte_lua_string_field(lua_State *L, int table, const char *what, const char *name)
{
	int type = lua_getfield(L, table, name);
	const char *v = NULL;

	if (type == LUA_TSTRING)
		v = lua_tostring(L, -1);
	else if (type != LUA_TNIL)
		rte_lua_raise(L, what, "%s is a text, not a %s", name, luaL_typename(L, -1));
	lua_pop(L, 1);
	return v;
}

/* ---- Values ----------------------------------------------------------------------------- */

int64_t rte_lua_duration(lua_State *L, int idx, const char *what, int64_t scale_ns)
{
	int64_t ns = 0;
	double v;

	if (lua_type(L, idx) == LUA_TNUMBER) {
		v = lua_tonumber(L, idx) * (double)scale_ns;
		if (!(v >= 0 && v < 9e17))
			rte_lua_raise(L, what, "%s is no duration", luaL_tolstring(L, idx, NULL));
		return llround(v);
	}
	if (lua_type(L, idx) != LUA_TSTRING)
		rte_lua_raise(L, what, "a duration is a number or a text as \"250ms\", not a %s",
			luaL_typename(L, idx));
	if (b_parse_duration(lua_tostring(L, idx), &ns))
		rte_lua_raise(L, what, "'%s' is no duration; write \"250ms\", \"20s\", \"5m\"",
			lua_tostring(L, idx));
	return ns;
}

int64_t rte_lua_pause_arg(lua_State *L, int idx, const char *what)
{
	if (lua_isnoneornil(L, idx))
		return -1;
	if (lua_type(L, idx) != LUA_TNUMBER)
		rte_lua_raise(L, what, "the pause before a key is a number of ms, not a %s",
			luaL_typename(L, idx));
	return rte_lua_duration(L, idx, what, B_NS_PER_MS);
}

const char *rte_lua_text(lua_State *L, int idx, const char *what, size_t *len)
{
	if (lua_type(L, idx) != LUA_TSTRING && lua_type(L, idx) != LUA_TNUMBER)
		rte_lua_raise(L, what, "needs a text, not %s",
			lua_isnoneornil(L, idx) ? "nothing (nil)" : luaL_typename(L, idx));
	return lua_tolstring(L, idx, len);
}

static int dist_gc(lua_State *L)
{
	b_dist_release(lua_touserdata(L, 1));
	return 0;
}

const struct b_dist *rte_lua_dist(lua_State *L, int idx, const char *what)
{
	struct rte_lua *l = rte_lua_actor(L)->lua;
	struct b_error err = { 0 };
	struct b_dist *d;

	idx = lua_absindex(L, idx);
	if (lua_type(L, idx) != LUA_TSTRING)
		rte_lua_raise(L, what, "a distribution is a text as \"exp:10\", not a %s",
			luaL_typename(L, idx));
	lua_rawgeti(L, LUA_REGISTRYINDEX, l->dists_ref);
	lua_pushvalue(L, idx);
	if (lua_rawget(L, -2) == LUA_TUSERDATA) {
		lua_remove(L, -2);
		return lua_touserdata(L, -1);
	}
	lua_pop(L, 1);
	d = lua_newuserdatauv(L, sizeof *d, 0);
	memset(d, 0, sizeof *d);
	if (luaL_newmetatable(L, "rte.dist")) {
		lua_pushcfunction(L, dist_gc);
		lua_setfield(L, -2, "__gc");
	}
	lua_setmetatable(L, -2);
	if (b_dist_parse(d, lua_tostring(L, idx), &err))
		rte_lua_raise(L, what, "%s", err.text);
	lua_pushvalue(L, idx);
	lua_pushvalue(L, -2);
	lua_rawset(L, -4);
	lua_remove(L, -2);
	return d;
}

void rte_lua_rect(lua_State *L, int table, const char *what, struct vs_rect *out)
{
	lua_Integer row = rte_lua_int_field(L, table, what, "row", 1, VS_ROWS_MAX, 0);
	lua_Integer col = rte_lua_int_field(L, table, what, "col", 1, VS_COLS_MAX, 0);
	lua_Integer rows = rte_lua_int_field(L, table, what, "rows", 1, VS_ROWS_MAX, 0);
	lua_Integer cols = rte_lua_int_field(L, table, what, "cols", 1, VS_COLS_MAX, 0);

	out->row = row ? (int)row - 1 : 0;
	out->col = col ? (int)col - 1 : 0;
	out->rows = rows ? (int)rows : row ? 1 : VS_ROWS_MAX;
	out->cols = cols ? (int)cols : VS_COLS_MAX - out->col;
}
