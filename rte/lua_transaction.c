/*
 * What is measured and what is judged: transaction, think, pause, check, golden, mask, barrier,
 * log, relogin.
 */
#include "rte/lua_priv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define RENDEZVOUS_NS (30 * B_NS_PER_S)

/* ---- Transactions ------------------------------------------------------------------------ */

/*
 * A transaction ends when its function returns, raises, or is cancelled with its coroutine: a
 * to-be-closed value of our own sees all three. Its error is nil unless the function raised.
 */
static int guard_close(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	enum rte_fail_kind fail = RTE_FAIL_NONE;
	const char *detail = NULL;
	struct b_error err = { 0 };

	if (a->stop || a->skips) {
		fail = RTE_FAIL_LEFT;
	} else if (a->cancelled) {
		fail = RTE_FAIL_CANCEL;
	} else if (!lua_isnoneornil(L, 2)) {
		detail = luaL_tolstring(L, 2, NULL);
		fail = rte_lua_kind(a, detail);
	}
	if (a->lua->host.tx_end(a->host_user, fail, detail, &err) && fail == RTE_FAIL_NONE)
		return rte_lua_raise(L, "transaction", "%s", err.text);
	return 0;
}

static int shown(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	rte_lua_answered(L);
	lua_pop(L, 1);
	return lua_gettop(L) - (int)ctx;
}

static void add_name(luaL_Buffer *b, const char *name)
{
	for (; *name; name++)
		luaL_addchar(b, (unsigned char)*name < ' ' || *name == '/' ? '_' : *name);
}

/* "02 query", in a test of several of a script with the test in front: "refusals, 02 query". */
static void screen_name_push(lua_State *L, struct rte_actor *a, const char *transaction)
{
	const struct rte_test_case *t = a->test ? &a->script->tests[a->test - 1] : NULL;
	char number[48] = "";
	luaL_Buffer b;

	luaL_buffinit(L, &b);
	if (t)
		add_name(&b, t->name);
	else if (a->script->n_mix)
		add_name(&b, a->start);
	if (t && (t->marks.rows || a->script->marks.rows))
		snprintf(number, sizeof number, " row %zu", a->row + 1);
	luaL_addstring(&b, number);
	a->n_screens++;
	snprintf(number, sizeof number, "%s%02d ", t || a->script->n_mix ? ", " : "", a->n_screens);
	luaL_addstring(&b, number);
	add_name(&b, transaction);
	luaL_pushresult(&b);
}

/* The screen that a transaction leaves as a golden screen. The transaction itself is over by
   then. */
static int compare_screen(lua_State *L, struct rte_actor *a, int guard)
{
	struct rte_ask *ask;

	lua_closeslot(L, guard);
	luaL_checkstack(L, LUA_MINSTACK, NULL);
	screen_name_push(L, a, lua_tostring(L, 1));
	ask = rte_lua_ask(L, a, RTE_ASK_GOLDEN);
	ask->bytes = lua_tolstring(L, -1, &ask->len);
	ask->cursor = true;
	return rte_lua_wait(L, guard, shown);
}

static int transacted(lua_State *L, int status, lua_KContext ctx)
{
	struct rte_actor *a = rte_lua_actor(L);

	(void)status;
	if (a->lua->screens && a->phase == RTE_LUA_PART)
		return compare_screen(L, a, (int)ctx);
	return lua_gettop(L) - (int)ctx;
}

static void tx_options(lua_State *L, int t, struct rte_tx_options *opt)
{
	static const char *const fields[] = { "max", "think", "typing", NULL };

	if (lua_type(L, t) != LUA_TTABLE)
		rte_lua_raise(
			L, "transaction", "its options are a table, not a %s", luaL_typename(L, t));
	rte_lua_fields_check(L, t, "transaction", fields, 0);
	if (lua_getfield(L, t, "max") != LUA_TNIL)
		opt->max_s = (double)rte_lua_duration(L, -1, "transaction", B_NS_PER_S) /
			(double)B_NS_PER_S;
	if (lua_getfield(L, t, "think") != LUA_TNIL)
		opt->think = rte_lua_dist(L, -1, "transaction");
	if (lua_getfield(L, t, "typing") != LUA_TNIL)
		opt->typing = rte_lua_dist(L, -1, "transaction");
}

/*
 * transaction(name, [options,] fn): runs fn and returns its results. options: max, the budget
 * of its response time (seconds or text); think, typing: distributions.
 */
static int api_transaction(lua_State *L)
{
	struct rte_actor *a = rte_lua_session(L, "transaction");
	struct rte_tx_options opt = { 0 };
	struct b_error err = { 0 };
	int fn = lua_type(L, 2) == LUA_TFUNCTION ? 2 : 3;
	const char *name;
	size_t len;

	name = rte_lua_text(L, 1, "transaction", &len);
	if (!len || len > 200 || strlen(name) != len)
		return rte_lua_raise(L, "transaction", "needs a name, as \"query\"");
	if (fn == 3)
		tx_options(L, 2, &opt);
	if (lua_type(L, fn) != LUA_TFUNCTION)
		return rte_lua_raise(L, "transaction",
			"needs a function: transaction(\"query\", function() ... end)");
	if (a->lua->host.tx_begin(a->host_user, name, &opt, &err))
		return rte_lua_raise(L, "transaction", "%s", err.text);
	lua_settop(L, fn); /* may drop what keeps the distributions alive: the engine has copies */
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->lua->guard_ref);
	lua_toclose(L, -1);
	lua_pushvalue(L, fn);
	lua_callk(L, 0, LUA_MULTRET, fn + 1, transacted);
	return transacted(L, LUA_OK, fn + 1);
}

/* ---- Time -------------------------------------------------------------------------------- */

/* think([seconds | distribution]): a number is what was recorded, and counts with
   think = "recorded"; a text is this think time's own distribution. */
static int api_think(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "think", true);
	const struct b_dist *dist = NULL;
	int64_t recorded_ns = -1;
	struct rte_ask *ask;

	if (lua_type(L, 1) == LUA_TNUMBER)
		recorded_ns = rte_lua_duration(L, 1, "think", B_NS_PER_S);
	else if (!lua_isnoneornil(L, 1))
		dist = rte_lua_dist(L, 1, "think");
	ask = rte_lua_ask(L, a, RTE_ASK_THINK);
	ask->dist = dist;
	ask->recorded_ns = recorded_ns;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* pause(seconds | distribution): exactly that, no think time. Works in setup() too. */
static int api_pause(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "pause", false);
	const struct b_dist *dist;
	struct rte_ask *ask;

	lua_settop(L, 1);
	if (lua_type(L, 1) == LUA_TNUMBER) {
		rte_lua_duration(L, 1, "pause", B_NS_PER_S);
		lua_pushfstring(L, "const:%s", lua_tostring(L, 1));
	}
	dist = rte_lua_dist(L, -1, "pause");
	ask = rte_lua_ask(L, a, RTE_ASK_PAUSE);
	ask->dist = dist;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* users = 3, or "50%" of all, as a negative number; 0: all. */
static int64_t meeting_users(lua_State *L, int t, const char *what)
{
	const char *text;
	int64_t percent = 0;
	size_t len;

	if (lua_getfield(L, t, "users") != LUA_TSTRING) {
		lua_pop(L, 1);
		return rte_lua_int_field(L, t, what, "users", 1, 10000000, 0);
	}
	text = lua_tolstring(L, -1, &len);
	if (len && text[len - 1] == '%')
		text = lua_pushlstring(L, text, len - 1);
	else
		len = 0;
	if (!len || b_parse_int(text, 1, 100, &percent))
		rte_lua_raise(L, what, "users is a number, or a part of all as \"50%%\"");
	lua_settop(L, t);
	return -percent;
}

static int not_late(lua_State *L, int status, lua_KContext ctx)
{
	struct rte_actor *a = rte_lua_answered(L);

	(void)status;
	(void)ctx;
	lua_pushboolean(L, !(a->reply && a->reply->not_all));
	return 1;
}

static int meet(lua_State *L, const char *what, bool soft, int64_t timeout_ns)
{
	static const char *const fields[] = { "users", "timeout", NULL };
	struct rte_actor *a = rte_lua_waiter(L, what, true);
	struct rte_ask *ask;
	int64_t users = 0;
	const char *name;
	size_t len;

	name = rte_lua_text(L, 1, what, &len);
	if (!lua_isnoneornil(L, 2)) {
		if (lua_type(L, 2) != LUA_TTABLE)
			return rte_lua_raise(
				L, what, "its options are a table, not a %s", luaL_typename(L, 2));
		rte_lua_fields_check(L, 2, what, fields, 0);
		users = meeting_users(L, 2, what);
		if (lua_getfield(L, 2, "timeout") != LUA_TNIL)
			timeout_ns = rte_lua_duration(L, -1, what, B_NS_PER_S);
	}
	ask = rte_lua_ask(L, a, RTE_ASK_BARRIER);
	ask->bytes = name;
	ask->len = len;
	ask->count = users;
	ask->soft = soft;
	ask->timeout_ns = timeout_ns;
	return rte_lua_wait(L, 0, soft ? not_late : rte_lua_nothing);
}

/* barrier(name [, { users =, timeout = }]): waits until that many users (all, when not said) are
   at the barrier of this name; then all go on at once. An error when the time is up first. */
static int api_barrier(lua_State *L)
{
	return meet(L, "barrier", false, -1);
}

/* rendezvous(name [, { users =, timeout = }]): the same, but when the time of the one who has waited
   longest is up, those who are there go on together. Returns whether all came. */
static int api_rendezvous(lua_State *L)
{
	return meet(L, "rendezvous", true, RENDEZVOUS_NS);
}

/* ---- Checks ------------------------------------------------------------------------------ */

/* A failed check is noted with the transaction that it stands in. */
static void note_failed(lua_State *L, const char *message, bool hard)
{
	struct rte_actor *a = rte_lua_actor(L);

	if (a->phase == RTE_LUA_PART || a->phase == RTE_LUA_RULE || a->phase == RTE_LUA_OUTSIDE)
		a->lua->host.check_failed(a->host_user, message, hard);
}

static const char *check_message(lua_State *L, int idx)
{
	return lua_isnoneornil(L, idx) ? "a check failed" : luaL_tolstring(L, idx, NULL);
}

/* check(cond, message): raises when cond is false or nil; else returns cond. Called as a table. */
static int api_check(lua_State *L)
{
	const char *message;

	if (lua_gettop(L) < 2)
		return rte_lua_raise(
			L, "check", "needs a condition: check(total == 3, \"message\")");
	if (lua_toboolean(L, 2)) {
		lua_settop(L, 2);
		return 1;
	}
	message = check_message(L, 3);
	note_failed(L, message, true);
	return rte_lua_raise_kind(L, RTE_FAIL_CHECK, message);
}

/* check.soft(cond, message): notes the failure and goes on; returns whether it held. */
static int api_check_soft(lua_State *L)
{
	bool holds = lua_toboolean(L, 1);

	if (lua_gettop(L) < 1)
		return rte_lua_raise(L, "check.soft", "needs a condition");
	if (!holds)
		note_failed(L, check_message(L, 2), false);
	lua_pushboolean(L, holds);
	return 1;
}

/* The rectangles of { row =, col =, rows =, cols = }, or of a list of such, as a userdata. */
static const struct vs_rect *rects_push(lua_State *L, int t, const char *what, size_t *n)
{
	static const char *const fields[] = { "row", "col", "rows", "cols", NULL };
	lua_Integer len = (lua_Integer)lua_rawlen(L, t);
	struct vs_rect *rects;

	t = lua_absindex(L, t);
	*n = len > 0 ? (size_t)len : 1;
	if (len > 1000)
		rte_lua_raise(L, what, "more than 1000 rectangles");
	rects = lua_newuserdatauv(L, *n * sizeof *rects, 0);
	if (!len) {
		rte_lua_fields_check(L, t, what, fields, 0);
		rte_lua_rect(L, t, what, &rects[0]);
		return rects;
	}
	for (lua_Integer i = 1; i <= len; i++) {
		if (lua_rawgeti(L, t, i) != LUA_TTABLE)
			rte_lua_raise(L, what, "a rectangle is { row =, col =, rows =, cols = }");
		rte_lua_fields_check(L, -1, what, fields, 0);
		rte_lua_rect(L, -1, what, &rects[i - 1]);
		lua_pop(L, 1);
	}
	return rects;
}

static int compared(lua_State *L, int status, lua_KContext ctx)
{
	const struct rte_actor *a;

	(void)status;
	(void)ctx;
	a = rte_lua_answered(L);
	lua_pushboolean(L, !(a->reply && a->reply->not_compared));
	return 1;
}

/*
 * golden(name [, { attrs =, cursor =, masks =, when =, soft = }]): compares the screen with the
 * golden screen of this name, once it has settled. when: only if this condition holds. Returns
 * whether it was compared.
 */
static int api_golden(lua_State *L)
{
	static const char *const fields[] = { "attrs", "cursor", "masks", "when", "soft", NULL };
	struct rte_actor *a = rte_lua_waiter(L, "golden", true);
	bool attrs = false, cursor = true, soft = false;
	const struct vs_rect *masks = NULL;
	struct vs_cond *when = NULL;
	struct rte_ask *ask;
	const char *name;
	size_t len, n = 0;

	name = rte_lua_text(L, 1, "golden", &len);
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)name[i] < ' ' || name[i] == '/')
			return rte_lua_raise(L, "golden", "'%s' is no name for a file", name);
	if (!len || *name == '.')
		return rte_lua_raise(L, "golden", "needs a name, as \"menu\"");
	if (!lua_isnoneornil(L, 2)) {
		if (lua_type(L, 2) != LUA_TTABLE)
			return rte_lua_raise(L, "golden", "its options are a table, not a %s",
				luaL_typename(L, 2));
		rte_lua_fields_check(L, 2, "golden", fields, 0);
		attrs = rte_lua_bool_field(L, 2, "golden", "attrs", attrs);
		cursor = rte_lua_bool_field(L, 2, "golden", "cursor", cursor);
		soft = rte_lua_bool_field(L, 2, "golden", "soft", soft);
		if (lua_getfield(L, 2, "masks") == LUA_TTABLE)
			masks = rects_push(L, -1, "golden", &n);
		else if (!lua_isnil(L, -1))
			return rte_lua_raise(L, "golden", "masks is a list of rectangles");
		if (lua_getfield(L, 2, "when") != LUA_TNIL)
			when = rte_lua_cond(L, -1, "golden", NULL);
	}
	if (when)
		rte_lua_cond_already(when);
	ask = rte_lua_ask(L, a, RTE_ASK_GOLDEN);
	ask->bytes = name;
	ask->len = len;
	ask->attrs = attrs;
	ask->cursor = cursor;
	ask->soft = soft;
	ask->masks = masks;
	ask->n_masks = n;
	ask->cond = when;
	return rte_lua_wait(L, 0, compared);
}

#define MASKS_MAX 10000 /* of a user */

/* Where a rectangle stands among those of a, or would. */
static size_t mask_place(const struct rte_actor *a, const struct vs_rect *r)
{
	size_t from = 0, to = a->n_masks;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (memcmp(&a->masks[mid], r, sizeof *r) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* Kept in order, each once: they are said anew in each iteration, as a rule. */
static void masks_add(struct rte_actor *a, const struct vs_rect *rects, size_t n)
{
	for (size_t i = 0; i < n && a->n_masks <= MASKS_MAX; i++) {
		size_t at = mask_place(a, &rects[i]);

		if (at < a->n_masks && !memcmp(&a->masks[at], &rects[i], sizeof rects[i]))
			continue;
		if (!(a->n_masks & (a->n_masks + 1)))
			a->masks = b_reallocarray(a->masks, a->n_masks * 2 + 2, sizeof *a->masks);
		memmove(a->masks + at + 1, a->masks + at, (a->n_masks - at) * sizeof *rects);
		a->masks[at] = rects[i];
		a->n_masks++;
	}
}

/* mask { row =, col =, rows =, cols = } or a list of such: these cells do not count any more.
   mask() lifts all masks. */
static int api_mask(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	const struct vs_rect *rects = NULL;
	size_t n = 0, before;

	if (!lua_isnoneornil(L, 1)) {
		if (lua_type(L, 1) != LUA_TTABLE)
			return rte_lua_raise(
				L, "mask", "takes a rectangle: mask { row = 1, col = 60 }");
		rects = rects_push(L, 1, "mask", &n);
	}
	before = a->n_masks;
	if (!n)
		a->n_masks = 0;
	else
		masks_add(a, rects, n);
	if (a->n_masks > MASKS_MAX)
		return rte_lua_raise(L, "mask", "more than %d rectangles", MASKS_MAX);
	if (a->phase != RTE_LUA_DECLARE && (a->n_masks != before || !n))
		a->lua->host.masks_set(a->host_user, a->masks, a->n_masks);
	return 0;
}

/* ---- Log, session ------------------------------------------------------------------------ */

/* log(...): its arguments as text, with blanks between, into the user's log. */
static int api_log(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);
	int n = lua_gettop(L);
	luaL_Buffer b;

	for (int i = 1; i <= n; i++) {
		luaL_tolstring(L, i, NULL);
		lua_replace(L, i);
	}
	luaL_buffinit(L, &b);
	for (int i = 1; i <= n; i++) {
		if (i > 1)
			luaL_addchar(&b, ' ');
		lua_pushvalue(L, i);
		luaL_addvalue(&b);
	}
	luaL_pushresult(&b);
	if (a->phase != RTE_LUA_DECLARE && a->phase != RTE_LUA_IDLE)
		a->lua->host.log(a->host_user, lua_tostring(L, -1));
	return 0;
}

/* relogin(): when this iteration has returned, the session ends with logout, and the next
   iteration logs in anew. */
static int api_relogin(lua_State *L)
{
	rte_lua_session(L, "relogin")->relogin = true;
	return 0;
}

void rte_lua_open_transaction(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "transaction", api_transaction },
		{ "think", api_think },
		{ "pause", api_pause },
		{ "barrier", api_barrier },
		{ "rendezvous", api_rendezvous },
		{ "golden", api_golden },
		{ "mask", api_mask },
		{ "log", api_log },
		{ "relogin", api_relogin },
		{ NULL, NULL },
	};
	struct rte_lua *l = rte_lua_actor(L)->lua;

	luaL_setfuncs(L, functions, 0);
	lua_createtable(L, 0, 2);
	lua_pushcfunction(L, api_check_soft);
	lua_setfield(L, -2, "soft");
	lua_pushcfunction(L, api_check);
	lua_setfield(L, -2, "__call");
	lua_setfield(L, -2, "check");
	lua_newtable(L);
	lua_createtable(L, 0, 1);
	lua_pushcfunction(L, guard_close);
	lua_setfield(L, -2, "__close");
	lua_setmetatable(L, -2);
	l->guard_ref = luaL_ref(L, LUA_REGISTRYINDEX);
}
