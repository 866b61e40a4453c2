/*
 * What a user does at the keyboard: send, press, paste, secret, raw, mouse, resize, interact.
 *
 * All wait until the input was sent. Pauses given to them are milliseconds: what a recording had
 * in front of the key; whether it counts is the workload's (typing = "recorded").
 */
#include "rte/lua_priv.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/secret.h"
#include "base/banned.h"

#define GAPS_MAX 100000

/*
 * send(text [, gaps]): types text at the typing rate. gaps: ms in front of its 2nd, 3rd, ...
 * character as recorded, with the pause in front of the first as `before`; or a number, the
 * pause in front of it alone.
 */
static int api_send(lua_State *L)
{
	static const char *const fields[] = { "before", NULL };
	struct rte_actor *a = rte_lua_waiter(L, "send", true);
	int64_t before = -1;
	int32_t *gaps = NULL;
	size_t len, n = 0;
	const char *text;
	struct rte_ask *ask;

	text = rte_lua_text(L, 1, "send", &len);
	lua_settop(L, 2);
	if (lua_type(L, 2) == LUA_TTABLE) {
		n = lua_rawlen(L, 2);
		if (n > GAPS_MAX)
			return rte_lua_raise(L, "send", "more than %d gaps", GAPS_MAX);
		rte_lua_fields_check(L, 2, "send", fields, (lua_Integer)n);
		lua_getfield(L, 2, "before");
		before = rte_lua_pause_arg(L, -1, "send");
		gaps = lua_newuserdatauv(L, n * sizeof *gaps + 1, 0);
		for (size_t i = 0; i < n; i++) {
			double ms;

			lua_rawgeti(L, 2, (lua_Integer)i + 1);
			ms = lua_tonumber(L, -1);
			if (lua_type(L, -1) != LUA_TNUMBER || !(ms >= 0 && ms <= INT32_MAX))
				return rte_lua_raise(
					L, "send", "gap %d is no number of ms", (int)i + 1);
			gaps[i] = (int32_t)lrint(ms);
			lua_pop(L, 1);
		}
	} else {
		before = rte_lua_pause_arg(L, 2, "send");
	}
	if (!len)
		return 0;
	ask = rte_lua_ask(L, a, RTE_ASK_SEND);
	ask->bytes = text;
	ask->len = len;
	ask->gaps_ms = gaps;
	ask->n_gaps = n;
	ask->recorded_ns = before;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* press(name [, ms]): one key. The list form is in the prelude. */
static int api_press(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "press", true);
	int64_t before = rte_lua_pause_arg(L, 2, "press");
	struct rte_ask *ask;
	const char *name;
	size_t len;

	name = rte_lua_text(L, 1, "press", &len);
	if (!len || strlen(name) != len)
		return rte_lua_raise(L, "press", "needs a key's name, as \"Enter\" or \"F2\"");
	ask = rte_lua_ask(L, a, RTE_ASK_PRESS);
	ask->bytes = name;
	ask->len = len;
	ask->recorded_ns = before;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

static int send_bytes(lua_State *L, const char *what, enum rte_ask_kind kind)
{
	struct rte_actor *a = rte_lua_waiter(L, what, true);
	int64_t before = rte_lua_pause_arg(L, 2, what);
	struct rte_ask *ask;
	const char *bytes;
	size_t len;

	bytes = rte_lua_text(L, 1, what, &len);
	if (!len)
		return 0;
	ask = rte_lua_ask(L, a, kind);
	ask->bytes = bytes;
	ask->len = len;
	ask->recorded_ns = before;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* paste(text [, ms]): at once, between brackets when the application asked for them. */
static int api_paste(lua_State *L)
{
	return send_bytes(L, "paste", RTE_ASK_PASTE);
}

/* raw(bytes [, ms]): exactly these bytes at once, as one keystroke. */
static int api_raw(lua_State *L)
{
	return send_bytes(L, "raw", RTE_ASK_RAW);
}

static int no_secret(lua_State *L, const char *name)
{
	char variable[RTE_SECRET_SIZE];

	if (!rte_secret_variable(variable, name))
		return rte_lua_raise(
			L, "secret", "'%s' is no name of a secret; give one like password", name);
	return rte_lua_raise(L, "secret",
		"no value for '%s'; set %s in the environment, or give the value", name, variable);
}

/* secret(name [, value]): types a secret, from value or from RTE_SECRET_NAME. */
static int api_secret(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "secret", true);
	const char *name = rte_lua_text(L, 1, "secret", NULL), *value;
	struct rte_ask *ask;
	size_t len;

	lua_settop(L, 2);
	if (lua_isnil(L, 2)) {
		value = a->lua->host.secret(a->host_user, name);
		if (!value)
			return no_secret(L, name);
		lua_pushstring(L, value);
		lua_replace(L, 2);
	}
	value = rte_lua_text(L, 2, "secret", &len);
	if (!len)
		return 0;
	ask = rte_lua_ask(L, a, RTE_ASK_SEND);
	ask->bytes = value;
	ask->len = len;
	ask->secret = true;
	ask->secret_name = name;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* ---- Mouse ------------------------------------------------------------------------------- */

static const char *const actions[] = {
	[VS_MOUSE_PRESS] = "press",
	[VS_MOUSE_RELEASE] = "release",
	[VS_MOUSE_DRAG] = "drag",
	[VS_MOUSE_MOVE] = "move",
	"click", /* these are made of others, by the prelude */
	"double",
};
#define N_ACTIONS (VS_MOUSE_MOVE + 1)
static const char *const buttons[] = { "left", "middle", "right", "wheel-up", "wheel-down" };

/* Which of the first n names it is; the others are named where it is none. */
static int choice(lua_State *L, const char *what, const char *text, const char *const *names,
	size_t n, size_t n_named)
{
	const char *near;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	near = rte_lua_nearest(text, names, n_named);
	return rte_lua_raise(L, "mouse", "no %s '%s'%s%s%s", what, text,
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/*
 * mouse { action =, button =, row =, col =, shift =, meta =, ctrl =, before = }: one report.
 * Clicks, which are two, are in the prelude.
 */
static int api_mouse(lua_State *L)
{
	static const char *const fields[] = { "action", "button", "row", "col", "shift", "meta",
		"ctrl", "before", NULL };
	struct rte_actor *a = rte_lua_waiter(L, "mouse", true);
	struct vs_mouse m = { .action = VS_MOUSE_PRESS, .button = 1 };
	struct rte_ask *ask;
	const char *action;
	int64_t before;

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(L, "mouse", "takes a table: mouse { row = 5, col = 10 }");
	rte_lua_fields_check(L, 1, "mouse", fields, 0);
	action = rte_lua_string_field(L, 1, "mouse", "action");
	if (action)
		m.action = (enum vs_mouse_action)choice(
			L, "action", action, actions, N_ACTIONS, B_ARRAY_LEN(actions));
	if (m.action == VS_MOUSE_MOVE)
		m.button = 0;
	if (lua_getfield(L, 1, "button") == LUA_TSTRING)
		m.button = 1 +
			choice(L, "button", lua_tostring(L, -1), buttons, B_ARRAY_LEN(buttons),
				B_ARRAY_LEN(buttons));
	else
		m.button = (int)rte_lua_int_field(L, 1, "mouse", "button", 0, 5, m.button);
	m.row = (int)rte_lua_int_field(L, 1, "mouse", "row", 1, VS_ROWS_MAX, 0) - 1;
	m.col = (int)rte_lua_int_field(L, 1, "mouse", "col", 1, VS_COLS_MAX, 0) - 1;
	if (m.row < 0 || m.col < 0)
		return rte_lua_raise(L, "mouse", "needs row and col, from 1");
	m.shift = rte_lua_bool_field(L, 1, "mouse", "shift", false);
	m.meta = rte_lua_bool_field(L, 1, "mouse", "meta", false);
	m.ctrl = rte_lua_bool_field(L, 1, "mouse", "ctrl", false);
	lua_getfield(L, 1, "before");
	before = rte_lua_pause_arg(L, -1, "mouse");
	ask = rte_lua_ask(L, a, RTE_ASK_MOUSE);
	ask->mouse = m;
	ask->recorded_ns = before;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* ---- The window, the person --------------------------------------------------------------- */

static int size_arg(lua_State *L, int idx, const char *name, int max)
{
	int ok;
	lua_Integer v = lua_tointegerx(L, idx, &ok);

	if (!ok || v < 1 || v > max)
		return rte_lua_raise(L, "resize", "%s is a whole number from 1 to %d", name, max);
	return (int)v;
}

/* resize(cols, rows): the window gets this size, and the application is told. */
static int api_resize(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "resize", true);
	int cols = size_arg(L, 1, "cols", VS_COLS_MAX);
	int rows = size_arg(L, 2, "rows", VS_ROWS_MAX);
	struct rte_ask *ask = rte_lua_ask(L, a, RTE_ASK_RESIZE);

	ask->rows = rows;
	ask->cols = cols;
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

/* interact(): the line is the person's until the prefix key. Where nobody is, it fails. */
static int api_interact(lua_State *L)
{
	struct rte_actor *a = rte_lua_waiter(L, "interact", true);

	rte_lua_ask(L, a, RTE_ASK_INTERACT);
	return rte_lua_wait(L, 0, rte_lua_nothing);
}

void rte_lua_open_input(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "send", api_send },
		{ "press", api_press },
		{ "paste", api_paste },
		{ "raw", api_raw },
		{ "secret", api_secret },
		{ "mouse", api_mouse },
		{ "resize", api_resize },
		{ "interact", api_interact },
		{ NULL, NULL },
	};

	luaL_setfuncs(L, functions, 0);
}
