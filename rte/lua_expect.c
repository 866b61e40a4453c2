/*
 * expect and unexpected: the wait for a screen, what it gives back, and the rules for screens that
 * may come at any time. The condition's userdata stays on the coroutine's stack while the wait
 * lasts.
 */
#include "rte/lua_priv.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

/* ---- expect ------------------------------------------------------------------------------ */

/* A table that names no condition, only how to wait. */
static bool only_options(lua_State *L, int idx)
{
	bool only = lua_type(L, idx) == LUA_TTABLE;

	idx = lua_absindex(L, idx);
	if (!only)
		return false;
	lua_pushnil(L);
	while (only && lua_next(L, idx)) {
		lua_pop(L, 1);
		only = lua_type(L, -1) == LUA_TSTRING &&
			(!strcmp(lua_tostring(L, -1), "timeout") ||
				!strcmp(lua_tostring(L, -1), "already"));
	}
	if (!only)
		lua_pop(L, 1);
	return only;
}

/* expect("A", { "B", row = 3 }, { timeout = 5 }): several arguments are alternatives. */
static struct vs_cond *alternatives(lua_State *L, int64_t *timeout_ns)
{
	int n = lua_gettop(L), options = only_options(L, n) ? n : 0;
	struct vs_cond *any = rte_lua_cond_any(L, 1, n - !!options, "expect");

	if (!options)
		return any;
	if (lua_getfield(L, options, "timeout") != LUA_TNIL)
		*timeout_ns = rte_lua_duration(L, -1, "expect", B_NS_PER_S);
	lua_pop(L, 1);
	if (rte_lua_bool_field(L, options, "expect", "already", false))
		rte_lua_cond_already(any);
	return any;
}

/* ---- Captures ---------------------------------------------------------------------------- */

static int push_captures(lua_State *L, const struct vs_cond *c, const char *subject, size_t len,
	size_t from, bool *found)
{
	const struct rte_pattern_in in = {
		.pattern = c->text,
		.pattern_len = c->text_len,
		.subject = subject,
		.subject_len = len,
		.from = from,
		.steps = RTE_LUA_MATCH_STEPS_MAX,
	};
	struct rte_pattern_match m;

	*found = from <= len && rte_pattern_find(&in, &m) == 1;
	if (!*found)
		return 0;
	luaL_checkstack(L, (int)m.n_captures + 4, NULL);
	for (size_t i = 0; i < m.n_captures; i++) {
		if (m.captures[i].position)
			lua_pushinteger(L, (lua_Integer)m.captures[i].start + 1);
		else
			lua_pushlstring(L, subject + m.captures[i].start, m.captures[i].len);
	}
	return (int)m.n_captures;
}

/* The captures of a match on the screen: in the row and from the column that was found, or
   where it first matches in its region. */
static int captures_of_match(lua_State *L, struct rte_actor *a, const struct vs_cond *c,
	const struct vs_cond_result *result, bool alone)
{
	struct vs_screen *s = a->lua->host.screen(a->host_user);
	int rows = s ? vs_screen_rows(s) : 0, cols = s ? vs_screen_cols(s) : 0;
	int row = c->row < 0 ? 0 : c->row, end = c->row < 0 && c->rows < 0 ? rows : row + 1;
	int col = c->col < 0 ? 0 : c->col, n = 0;
	struct b_buf *text = lua_newuserdatauv(L, sizeof *text, 0);
	int width, at = lua_gettop(L);
	bool found = false;

	memset(text, 0, sizeof *text);
	luaL_setmetatable(L, "rte.buf");
	if (c->rows >= 0)
		end = row + c->rows;
	if (end > rows)
		end = rows;
	width = c->cols < 0 || c->cols > cols - col ? cols - col : c->cols;
	alone = alone && result && result->ended_by == VS_COND_MATCH && result->row >= row &&
		result->row < end && result->col >= col;
	if (alone)
		row = result->row;
	for (; row < end && width > 0 && !found; row++) {
		size_t from = 0;

		b_buf_clear(text);
		if (alone && result->col > col) {
			vs_screen_text(s, row, col, result->col - col, text);
			from = text->len;
			b_buf_clear(text);
		}
		vs_screen_text(s, row, col, width, text);
		n = push_captures(L, c, b_buf_cstr(text), text->len, from, &found);
	}
	lua_remove(L, at);
	return n;
}

/* The matches and streams below c whose captures are given, in order. */
static size_t leaves(const struct vs_cond *c, const struct vs_cond **out, size_t n, size_t max)
{
	if ((c->kind == VS_COND_MATCH && !c->gone) || c->kind == VS_COND_STREAM) {
		if (n < max)
			out[n++] = c;
	} else if (c->kind == VS_COND_ALL) {
		for (size_t i = 0; i < c->n_parts; i++)
			n = leaves(c->parts[i], out, n, max);
	}
	return n;
}

/* Returns which alternative came true, and the captures of its patterns. */
static int expected(lua_State *L, int status, lua_KContext ctx)
{
	struct vs_cond **box = lua_touserdata(L, (int)ctx);
	struct rte_actor *a = rte_lua_answered(L);
	const struct vs_cond_result *result = a->reply ? a->reply->result : NULL;
	const struct vs_cond *c = *box, *leaf[RTE_PATTERN_CAPTURES];
	int which = 0, n = 1;
	size_t n_leaves;

	(void)status;
	if (c->kind == VS_COND_ANY && result && result->alternative >= 0 &&
		(size_t)result->alternative < c->n_parts) {
		which = result->alternative;
		c = c->parts[which];
	}
	lua_pushinteger(L, which + 1);
	n_leaves = leaves(c, leaf, 0, B_ARRAY_LEN(leaf));
	for (size_t i = 0; i < n_leaves; i++) {
		bool found;

		if (leaf[i]->kind == VS_COND_MATCH)
			n += captures_of_match(L, a, leaf[i], result, n_leaves == 1);
		else if (a->reply && a->reply->stream)
			n += push_captures(
				L, leaf[i], a->reply->stream, a->reply->stream_len, 0, &found);
	}
	vs_cond_free(rte_lua_cond_take(L, (int)ctx)); /* sooner than the collector would */
	return n;
}

static int api_expect(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "expect", true);
	const struct vs_cond *cond;
	int64_t timeout_ns = -1;
	struct rte_ask *ask;

	if (lua_gettop(L) == 0)
		lua_pushnil(L);
	if (lua_gettop(L) > 1)
		cond = alternatives(L, &timeout_ns);
	else
		cond = rte_lua_cond(L, 1, "expect", &timeout_ns);
	ask = rte_lua_ask(L, a, RTE_ASK_EXPECT);
	ask->cond = cond;
	ask->timeout_ns = timeout_ns;
	return rte_lua_wait(L, lua_gettop(L), expected);
}

/* ---- unexpected -------------------------------------------------------------------------- */

static void rule_add(lua_State *L, struct rte_actor *a, int cond_idx, int fn_idx)
{
	struct rte_lua_rule *rule;
	int ref;

	if (lua_type(L, fn_idx) != LUA_TFUNCTION)
		rte_lua_raise(L, "unexpected",
			"needs a function that says what to do: unexpected(\"text\", function() ... end)");
	rte_lua_cond(L, cond_idx, "unexpected", NULL);
	lua_pushvalue(L, fn_idx);
	ref = luaL_ref(L, LUA_REGISTRYINDEX);
	a->rules = b_reallocarray(a->rules, a->n_rules + 1, sizeof *a->rules);
	rule = &a->rules[a->n_rules++];
	rule->fn_ref = ref;
	rule->cond = rte_lua_cond_take(L, -1);
	lua_pop(L, 1);
}

/* { cond, function } with the condition's fields beside them: takes the function out of a copy. */
static void rule_table(lua_State *L, struct rte_actor *a, int idx)
{
	lua_rawgeti(L, idx, 1);
	if (lua_type(L, -1) == LUA_TTABLE) { /* a list of rules */
		lua_pop(L, 1);
		for (lua_Integer i = 1; lua_rawgeti(L, idx, i) == LUA_TTABLE; i++) {
			rule_table(L, a, lua_gettop(L));
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
		return;
	}
	lua_pop(L, 1);
	lua_newtable(L);
	lua_pushnil(L);
	lua_pushnil(L);
	while (lua_next(L, idx)) { /* stack: copy, function, key, value */
		if (lua_type(L, -1) == LUA_TFUNCTION && lua_isinteger(L, -2)) {
			lua_replace(L, -3);
		} else {
			lua_pushvalue(L, -2);
			lua_insert(L, -2);
			lua_rawset(L, -5);
		}
	}
	rule_add(L, a, lua_gettop(L) - 1, lua_gettop(L));
	lua_pop(L, 2);
}

/*
 * unexpected(cond, fn) or unexpected { text, cond fields..., fn }: what to do when this screen
 * comes while an expect waits for another. At the top level, so that it holds for all parts.
 */
static int api_unexpected(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);

	if (a->phase != RTE_LUA_DECLARE && a->phase != RTE_LUA_TOP)
		return rte_lua_raise(L, "unexpected",
			"belongs at the top level of the script, outside functions");
	if (lua_gettop(L) >= 2)
		rule_add(L, a, 1, 2);
	else if (lua_type(L, 1) == LUA_TTABLE)
		rule_table(L, a, 1);
	else
		return rte_lua_raise(L, "unexpected",
			"takes a condition and a function: unexpected(\"text\", function() ... end)");
	return 0;
}

void rte_lua_open_expect(lua_State *L)
{
	rte_lua_cond_open(L);
	lua_pushcfunction(L, api_expect);
	lua_setfield(L, -2, "expect");
	lua_pushcfunction(L, api_unexpected);
	lua_setfield(L, -2, "unexpected");
}
