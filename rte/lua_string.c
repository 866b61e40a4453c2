#define _GNU_SOURCE /* memmem */
/*
 * string.find, match, gmatch, gsub and rep for scripts: as in Lua 5.4, but bounded.
 *
 * Patterns are judged by rte/pattern.c, and the steps that a match takes come off the script's
 * instruction budget: no pattern can hold up a worker.
 */
#include "rte/lua_priv.h"

#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

/* A step of the matcher costs about a fifth of an instruction under the count hook. */
#define STEPS_PER_INSTRUCTION 5

static bool match_at(lua_State *L, struct rte_pattern_in *in, struct rte_pattern_match *m)
{
	int rc;

	in->steps = (uint64_t)RTE_LUA_STEPS_MAX * STEPS_PER_INSTRUCTION;
	rc = rte_pattern_find(in, m);
	rte_lua_spend(L, m->steps / STEPS_PER_INSTRUCTION);
	if (rc < 0)
		luaL_error(L, "%s", m->error);
	return rc == 1;
}

/* The arguments that the functions share: subject, pattern. */
static struct rte_pattern_in args(lua_State *L)
{
	struct rte_pattern_in in = { 0 };

	in.subject = luaL_checklstring(L, 1, &in.subject_len);
	in.pattern = luaL_checklstring(L, 2, &in.pattern_len);
	return in;
}

/* A start as in string.sub: from 1, negative from the end. */
static lua_Integer start_arg(lua_State *L, int idx, size_t len)
{
	lua_Integer pos = luaL_optinteger(L, idx, 1);

	if (pos < 0)
		pos = pos < -(lua_Integer)len ? 1 : (lua_Integer)len + pos + 1;
	return pos == 0 ? 1 : pos;
}

static void push_capture(
	lua_State *L, const struct rte_pattern_in *in, const struct rte_pattern_match *m, size_t i)
{
	if (i >= m->n_captures) /* no captures: the whole match is the first */
		lua_pushlstring(L, in->subject + m->start, m->end - m->start);
	else if (m->captures[i].position)
		lua_pushinteger(L, (lua_Integer)m->captures[i].start + 1);
	else
		lua_pushlstring(L, in->subject + m->captures[i].start, m->captures[i].len);
}

static int push_captures(lua_State *L, const struct rte_pattern_in *in,
	const struct rte_pattern_match *m, bool whole)
{
	size_t n = m->n_captures ? m->n_captures : whole;

	luaL_checkstack(L, (int)n + 2, "too many captures");
	for (size_t i = 0; i < n; i++)
		push_capture(L, in, m, i);
	return (int)n;
}

/* Finds plain text; the length of what follows is counted as work. */
static const char *find_plain(lua_State *L, const char *s, size_t len, const char *what, size_t n)
{
	rte_lua_spend(L, (len + n) / 100);
	return memmem(s, len, what, n); /* linear, also for "aaa...b" in "aaa..." */
}

static bool plain(const struct rte_pattern_in *in)
{
	for (size_t i = 0; i < in->pattern_len; i++)
		if (in->pattern[i] && strchr("^$*+?.([%-", in->pattern[i]))
			return false;
	return true;
}

static int find_or_match(lua_State *L, bool find)
{
	struct rte_pattern_in in = args(L);
	lua_Integer from = start_arg(L, 3, in.subject_len);
	struct rte_pattern_match m;
	const char *at;

	if (from > (lua_Integer)in.subject_len + 1) {
		lua_pushnil(L);
		return 1;
	}
	in.from = (size_t)from - 1;
	if (find && (lua_toboolean(L, 4) || plain(&in))) {
		at = find_plain(L, in.subject + in.from, in.subject_len - in.from, in.pattern,
			in.pattern_len);
		if (!at) {
			lua_pushnil(L);
			return 1;
		}
		lua_pushinteger(L, at - in.subject + 1);
		lua_pushinteger(L, at - in.subject + (lua_Integer)in.pattern_len);
		return 2;
	}
	if (!match_at(L, &in, &m)) {
		lua_pushnil(L);
		return 1;
	}
	if (!find)
		return push_captures(L, &in, &m, true);
	lua_pushinteger(L, (lua_Integer)m.start + 1);
	lua_pushinteger(L, (lua_Integer)m.end);
	return 2 + push_captures(L, &in, &m, false);
}

static int string_find(lua_State *L)
{
	return find_or_match(L, true);
}

static int string_match(lua_State *L)
{
	return find_or_match(L, false);
}

/* ---- gmatch ------------------------------------------------------------------------------ */

struct walk {
	size_t from;
	size_t last_end; /* of the last match: an empty one there does not count again */
	bool any;
};

static int gmatch_next(lua_State *L)
{
	struct walk *w = lua_touserdata(L, lua_upvalueindex(3));
	struct rte_pattern_in in = { .whole = true };
	struct rte_pattern_match m;

	in.subject = lua_tolstring(L, lua_upvalueindex(1), &in.subject_len);
	in.pattern = lua_tolstring(L, lua_upvalueindex(2), &in.pattern_len);
	while (w->from <= in.subject_len) {
		in.from = w->from;
		if (!match_at(L, &in, &m))
			break;
		if (w->any && m.end == w->last_end && m.start == m.end) {
			w->from = m.end + 1;
			continue;
		}
		w->from = w->last_end = m.end;
		w->any = true;
		return push_captures(L, &in, &m, true);
	}
	w->from = in.subject_len + 1;
	return 0;
}

static int string_gmatch(lua_State *L)
{
	struct rte_pattern_in in = args(L);
	lua_Integer from = start_arg(L, 3, in.subject_len);
	struct walk *w;

	lua_settop(L, 2);
	w = lua_newuserdatauv(L, sizeof *w, 0);
	*w = (struct walk){ .from = from > (lua_Integer)in.subject_len ? in.subject_len + 1
								       : (size_t)from - 1 };
	if (from == (lua_Integer)in.subject_len + 1)
		w->from = in.subject_len;
	lua_pushcclosure(L, gmatch_next, 3);
	return 1;
}

/* ---- gsub -------------------------------------------------------------------------------- */

static void add_text(lua_State *L, luaL_Buffer *b, const struct rte_pattern_in *in,
	const struct rte_pattern_match *m)
{
	size_t len;
	const char *r = lua_tolstring(L, 3, &len);

	for (size_t i = 0; i < len; i++) {
		if (r[i] != '%') {
			luaL_addchar(b, r[i]);
		} else if (++i < len && r[i] == '%') {
			luaL_addchar(b, '%');
		} else if (i < len && r[i] == '0') {
			luaL_addlstring(b, in->subject + m->start, m->end - m->start);
		} else if (i < len && r[i] >= '1' && r[i] <= '9') {
			size_t n = (size_t)(r[i] - '1');

			if (n >= m->n_captures && n > 0)
				luaL_error(L, "invalid capture index %%%d in replacement string",
					(int)n + 1);
			push_capture(L, in, m, n);
			luaL_tolstring(L, -1, NULL);
			lua_remove(L, -2);
			luaL_addvalue(b);
		} else {
			luaL_error(L, "invalid use of '%%' in replacement string");
		}
	}
}

/* Appends what stands in place of the match; keeps the match when a table or function says
   false or nil. */
static void add_replacement(lua_State *L, luaL_Buffer *b, const struct rte_pattern_in *in,
	const struct rte_pattern_match *m)
{
	int type = lua_type(L, 3);

	if (type == LUA_TSTRING || type == LUA_TNUMBER) {
		add_text(L, b, in, m);
		return;
	}
	if (type == LUA_TFUNCTION) {
		lua_pushvalue(L, 3);
		lua_call(L, push_captures(L, in, m, true), 1);
	} else {
		push_capture(L, in, m, 0);
		lua_gettable(L, 3);
	}
	if (!lua_toboolean(L, -1)) {
		lua_pop(L, 1);
		luaL_addlstring(b, in->subject + m->start, m->end - m->start);
		return;
	}
	if (!lua_isstring(L, -1))
		luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
	luaL_addvalue(b);
}

static int string_gsub(lua_State *L)
{
	struct rte_pattern_in in = args(L);
	int type = lua_type(L, 3);
	lua_Integer max = luaL_optinteger(L, 4, (lua_Integer)in.subject_len + 1), n = 0;
	bool anchored = in.pattern_len && *in.pattern == '^', any = false;
	size_t done = 0, last_end = 0;
	struct rte_pattern_match m;
	luaL_Buffer b;

	luaL_argexpected(L,
		type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TTABLE ||
			type == LUA_TFUNCTION,
		3, "string/function/table");
	if (type == LUA_TNUMBER)
		lua_tolstring(L, 3, NULL);
	luaL_buffinit(L, &b);
	while (n < max && in.from <= in.subject_len && match_at(L, &in, &m)) {
		luaL_addlstring(&b, in.subject + done, m.start - done);
		done = m.start;
		if (any && m.end == last_end && m.start == m.end) {
			in.from = m.end + 1;
			continue;
		}
		n++;
		add_replacement(L, &b, &in, &m);
		in.from = done = last_end = m.end;
		any = true;
		if (anchored)
			break;
	}
	luaL_addlstring(&b, in.subject + done, in.subject_len - done);
	luaL_pushresult(&b);
	lua_pushinteger(L, n);
	return 2;
}

/* ---- rep --------------------------------------------------------------------------------- */

static int string_rep(lua_State *L)
{
	size_t len, sep_len;
	const char *s = luaL_checklstring(L, 1, &len);
	lua_Integer n = luaL_checkinteger(L, 2);
	const char *sep = luaL_optlstring(L, 3, "", &sep_len);
	luaL_Buffer b;

	if (n <= 0 || len + sep_len == 0) {
		lua_pushliteral(L, "");
		return 1;
	}
	if ((lua_Unsigned)n > RTE_LUA_STRING_MAX / (len + sep_len))
		return luaL_error(L, "string.rep: the result is larger than 16 MiB");
	luaL_buffinitsize(L, &b, (size_t)n * (len + sep_len));
	while (n-- > 0) {
		luaL_addlstring(&b, s, len);
		if (n)
			luaL_addlstring(&b, sep, sep_len);
	}
	luaL_pushresult(&b);
	return 1;
}

void rte_lua_open_string(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "find", string_find },
		{ "match", string_match },
		{ "gmatch", string_gmatch },
		{ "gsub", string_gsub },
		{ "rep", string_rep },
		{ NULL, NULL },
	};

	luaL_setfuncs(L, functions, 0);
}
