/*
 * Conditions from Lua: the tables of expect and unexpected become struct vs_cond.
 *
 * A condition under construction hangs on a userdata from its first node on, so that an error
 * anywhere leaks nothing.
 */
#include "rte/lua_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

#define COND_TYPE "rte.cond"
#define DEPTH_MAX 16 /* of any and all in one another */

/* Texts and tables in one condition: it is judged whole after each output, and lists that stand in
   one another more than once would be copied each time. */
#define VALUES_MAX 1000

/* ---- Ownership --------------------------------------------------------------------------- */

static int cond_gc(lua_State *L)
{
	struct vs_cond **box = lua_touserdata(L, 1);

	vs_cond_free(*box);
	*box = NULL;
	return 0;
}

static struct vs_cond **box_push(lua_State *L)
{
	struct vs_cond **box = lua_newuserdatauv(L, sizeof *box, 0);

	*box = NULL;
	luaL_setmetatable(L, COND_TYPE);
	return box;
}

struct vs_cond *rte_lua_cond_take(lua_State *L, int idx)
{
	struct vs_cond **box = lua_touserdata(L, idx);
	struct vs_cond *c = *box;

	*box = NULL;
	return c;
}

/* ---- From a table ------------------------------------------------------------------------ */

static const char *const cond_fields[] = { "match", "row", "col", "rows", "cols", "cursor", "attr",
	"gone", "eof", "quiet", "stream", "any", "all", "already", "timeout", NULL };

struct region {
	int row, col, rows, cols; /* as in struct vs_cond */
};

struct builder {
	lua_State *L;
	const char *what;
	int depth;
	int *n_values; /* of the whole condition */
};

static struct vs_cond *part_new(struct vs_cond *all, enum vs_cond_kind kind, const struct region *r)
{
	struct vs_cond *c = vs_cond_new(kind);

	if (r) {
		c->row = r->row;
		c->col = r->col;
		c->rows = r->rows;
		c->cols = r->cols;
	}
	vs_cond_part_add(all, c);
	return c;
}

const struct rte_lua_attr rte_lua_attrs[RTE_LUA_N_ATTRS] = {
	{ "bold", VS_BOLD },
	{ "faint", VS_FAINT },
	{ "italic", VS_ITALIC },
	{ "underline", VS_UNDERLINE },
	{ "blink", VS_BLINK },
	{ "reverse", VS_REVERSE },
	{ "conceal", VS_CONCEAL },
	{ "strike", VS_STRIKE },
	{ "overline", VS_OVERLINE },
	{ "protected", VS_PROTECTED },
};

static uint16_t attr_by_name(const struct builder *b, const char *name)
{
	const char *names[RTE_LUA_N_ATTRS], *near;

	for (size_t i = 0; i < RTE_LUA_N_ATTRS; i++) {
		names[i] = rte_lua_attrs[i].name;
		if (!strcmp(name, names[i]))
			return rte_lua_attrs[i].attr;
	}
	near = rte_lua_nearest(name, names, RTE_LUA_N_ATTRS);
	if (near)
		rte_lua_raise(b->L, b->what, "no attribute '%s'; did you mean '%s'?", name, near);
	rte_lua_raise(b->L, b->what,
		"no attribute '%s'; there are bold, faint, italic, underline, "
		"blink, reverse, conceal, strike, overline and protected",
		name);
	return 0;
}

/* attr = "reverse" or { "bold", "reverse" } of the table at t. */
static uint16_t take_attrs(const struct builder *b, int t)
{
	lua_State *L = b->L;
	uint16_t attrs = 0;
	int type = lua_getfield(L, t, "attr");

	if (type == LUA_TSTRING) {
		attrs = attr_by_name(b, lua_tostring(L, -1));
	} else if (type == LUA_TTABLE) {
		for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TSTRING; i++) {
			attrs |= attr_by_name(b, lua_tostring(L, -1));
			lua_pop(L, 1);
		}
		lua_pop(L, 1);
		if (!attrs)
			rte_lua_raise(L, b->what, "attr = {} names no attribute");
	} else if (type != LUA_TNIL) {
		rte_lua_raise(L, b->what, "attr is a name or a list of names, not a %s",
			luaL_typename(L, -1));
	}
	lua_pop(L, 1);
	return attrs;
}

static void set_text(const struct builder *b, struct vs_cond *c, int idx)
{
	const char *text;
	size_t len;

	text = rte_lua_text(b->L, idx, b->what, &len);
	if (!len)
		rte_lua_raise(b->L, b->what, "waits for an empty text, which is everywhere");
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			rte_lua_raise(b->L, b->what,
				"the text holds a control character, which no screen shows; a text "
				"stands in one row");
	if (!b_utf8_valid(text, len))
		rte_lua_raise(b->L, b->what, "the text is not UTF-8");
	vs_cond_text_set(c, text, len);
}

static void set_pattern(const struct builder *b, struct vs_cond *c, int idx)
{
	const char *text, *why;
	size_t len;

	text = rte_lua_text(b->L, idx, b->what, &len);
	if (!len)
		rte_lua_raise(b->L, b->what, "an empty pattern matches everywhere");
	if (rte_pattern_check(text, len, &why))
		rte_lua_raise(b->L, b->what, "'%s': %s", text, why);
	vs_cond_text_set(c, text, len);
}

static void take_region(const struct builder *b, int t, struct region *r)
{
	lua_State *L = b->L;

	r->row = (int)rte_lua_int_field(L, t, b->what, "row", 1, VS_ROWS_MAX, r->row + 1) - 1;
	r->col = (int)rte_lua_int_field(L, t, b->what, "col", 1, VS_COLS_MAX, r->col + 1) - 1;
	r->rows = (int)rte_lua_int_field(L, t, b->what, "rows", 1, VS_ROWS_MAX, r->rows);
	r->cols = (int)rte_lua_int_field(L, t, b->what, "cols", 1, VS_COLS_MAX, r->cols);
}

static bool has_region(lua_State *L, int t)
{
	static const char *const names[] = { "row", "col", "rows", "cols" };
	bool has = false;

	for (size_t i = 0; i < B_ARRAY_LEN(names); i++) {
		has = has || lua_getfield(L, t, names[i]) != LUA_TNIL;
		lua_settop(L, -2);
	}
	return has;
}

/* cursor = { 6, 22 }, { 6 } or { row = 6, col = 22 }. */
static void add_cursor(const struct builder *b, int t, struct vs_cond *all)
{
	static const char *const fields[] = { "row", "col", NULL };
	lua_State *L = b->L;
	struct vs_cond *c;

	if (lua_getfield(L, t, "cursor") == LUA_TNIL) {
		lua_pop(L, 1);
		return;
	}
	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(L, b->what, "cursor is { row, col }, not a %s", luaL_typename(L, -1));
	rte_lua_fields_check(L, -1, b->what, fields, 2);
	c = part_new(all, VS_COND_CURSOR, NULL);
	for (int i = 0; i < 2; i++) {
		int max = i ? VS_COLS_MAX : VS_ROWS_MAX, *to = i ? &c->col : &c->row, ok = 1;

		if (lua_rawgeti(L, -1, i + 1) == LUA_TNIL) {
			lua_pop(L, 1);
			lua_getfield(L, -1, fields[i]);
		}
		if (!lua_isnil(L, -1)) {
			lua_Integer v = lua_tointegerx(L, -1, &ok);

			if (!ok || v < 1 || v > max)
				rte_lua_raise(L, b->what,
					"cursor: %s is a whole number from 1 to %d", fields[i],
					max);
			*to = (int)v - 1;
		}
		lua_pop(L, 1);
	}
	if (c->row < 0 && c->col < 0)
		rte_lua_raise(L, b->what, "cursor = {} names no place");
	lua_pop(L, 1);
}

static void add_value(
	const struct builder *b, int idx, struct vs_cond *into, const struct region *r);

/* any = { ... } and all = { ... }: each a text or a table of its own. */
static void add_list(const struct builder *b, int t, const char *name, enum vs_cond_kind kind,
	struct vs_cond *all, const struct region *r)
{
	lua_State *L = b->L;
	struct vs_cond *list;
	lua_Integer n = 0;

	if (lua_getfield(L, t, name) == LUA_TNIL) {
		lua_pop(L, 1);
		return;
	}
	if (lua_type(L, -1) != LUA_TTABLE || (n = (lua_Integer)lua_rawlen(L, -1)) < 1)
		rte_lua_raise(L, b->what,
			"%s is a list of texts and tables, as %s = { \"A\", \"B\" }", name, name);
	rte_lua_fields_check(L, -1, b->what, (const char *const[]){ NULL }, n);
	list = part_new(all, kind, NULL);
	for (lua_Integer i = 1; i <= n; i++) {
		lua_rawgeti(L, -1, i);
		add_value(b, lua_gettop(L), list, r);
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

/* text, match and attr of the table at t, which share its region and its `gone`. */
static void add_matches(const struct builder *b, int t, struct vs_cond *all, const struct region *r)
{
	uint16_t attrs = take_attrs(b, t);
	bool gone = rte_lua_bool_field(b->L, t, b->what, "gone", false);
	size_t before = all->n_parts;

	if (lua_rawgeti(b->L, t, 1) != LUA_TNIL)
		set_text(b, part_new(all, VS_COND_TEXT, r), -1);
	lua_pop(b->L, 1);
	if (lua_getfield(b->L, t, "match") != LUA_TNIL)
		set_pattern(b, part_new(all, VS_COND_MATCH, r), -1);
	lua_pop(b->L, 1);
	if (attrs && all->n_parts == before)
		part_new(all, VS_COND_ATTR, r);
	if (gone && all->n_parts == before)
		rte_lua_raise(b->L, b->what, "gone = true needs a text, a match or an attr");
	for (size_t i = before; i < all->n_parts; i++) {
		all->parts[i]->attrs = attrs;
		all->parts[i]->gone = gone;
	}
}

static void add_others(const struct builder *b, int t, struct vs_cond *all)
{
	lua_State *L = b->L;

	if (rte_lua_bool_field(L, t, b->what, "eof", false))
		part_new(all, VS_COND_EOF, NULL);
	if (lua_getfield(L, t, "quiet") != LUA_TNIL) {
		int64_t ns = rte_lua_duration(L, -1, b->what, B_NS_PER_MS);

		part_new(all, VS_COND_QUIET, NULL)->quiet_ns = ns;
	}
	lua_pop(L, 1);
	if (lua_getfield(L, t, "stream") != LUA_TNIL)
		set_pattern(b, part_new(all, VS_COND_STREAM, NULL), -1);
	lua_pop(L, 1);
}

void rte_lua_cond_already(struct vs_cond *c)
{
	c->already = true;
	for (size_t i = 0; i < c->n_parts; i++)
		rte_lua_cond_already(c->parts[i]);
}

/* Adds what the table at t says as parts of all. */
static void add_table(const struct builder *b, int t, struct vs_cond *all, struct region r)
{
	lua_State *L = b->L;

	lua_rawgeti(L, t, 2);
	if (!lua_isnil(L, -1))
		rte_lua_raise(L, b->what,
			"takes one text; write any = { ... } for whichever comes "
			"first, all = { ... } for all of them");
	lua_pop(L, 1);
	rte_lua_fields_check(L, t, b->what, cond_fields, 1);
	lua_getfield(L, t, "timeout");
	if (b->depth > 1 && !lua_isnil(L, -1))
		rte_lua_raise(L, b->what, "timeout belongs to the whole, not to a part");
	lua_pop(L, 1);
	take_region(b, t, &r);
	add_matches(b, t, all, &r);
	add_cursor(b, t, all);
	add_others(b, t, all);
	add_list(b, t, "any", VS_COND_ANY, all, &r);
	add_list(b, t, "all", VS_COND_ALL, all, &r);
	if (!all->n_parts)
		rte_lua_raise(L, b->what,
			has_region(L, t) ? "a region needs a text, a match or an attr in it"
					 : "waits for nothing: the table names no condition");
	if (rte_lua_bool_field(L, t, b->what, "already", false))
		rte_lua_cond_already(all);
}

/* Adds the text or table at idx as one part of into. */
static void add_value(
	const struct builder *b, int idx, struct vs_cond *into, const struct region *r)
{
	struct builder deeper = *b;
	struct vs_cond *all;

	if (++deeper.depth > DEPTH_MAX)
		rte_lua_raise(b->L, b->what, "any and all nested too deeply");
	if (++*b->n_values > VALUES_MAX)
		rte_lua_raise(b->L, b->what, "waits for more than %d texts and tables at once",
			VALUES_MAX);
	luaL_checkstack(b->L, 10, NULL);
	if (lua_type(b->L, idx) != LUA_TTABLE) {
		set_text(b, part_new(into, VS_COND_TEXT, r), idx);
		return;
	}
	all = part_new(into, VS_COND_ALL, NULL);
	add_table(&deeper, idx, all, *r);
	if (all->n_parts == 1) { /* a group of one is that one */
		into->parts[into->n_parts - 1] = all->parts[0];
		all->n_parts = 0;
		vs_cond_free(all);
	}
}

static const struct region whole = { -1, -1, -1, -1 };

struct vs_cond *rte_lua_cond(lua_State *L, int idx, const char *what, int64_t *timeout_ns)
{
	int n_values = 0;
	const struct builder b = { .L = L, .what = what, .n_values = &n_values };
	struct vs_cond **box, *root;

	idx = lua_absindex(L, idx);
	box = box_push(L);
	root = *box = vs_cond_new(VS_COND_ALL);
	add_value(&b, idx, root, &whole);
	if (lua_type(L, idx) == LUA_TTABLE) {
		if (lua_getfield(L, idx, "timeout") != LUA_TNIL) {
			if (!timeout_ns)
				rte_lua_raise(L, what, "takes no timeout");
			*timeout_ns = rte_lua_duration(L, -1, what, B_NS_PER_S);
		}
		lua_pop(L, 1);
	}
	*box = root->parts[0];
	root->n_parts = 0;
	vs_cond_free(root);
	return *box;
}

/* Arguments first .. last as alternatives of each other. */
struct vs_cond *rte_lua_cond_any(lua_State *L, int first, int last, const char *what)
{
	int n_values = 0;
	const struct builder b = { .L = L, .what = what, .depth = 1, .n_values = &n_values };
	struct vs_cond **box = box_push(L);

	*box = vs_cond_new(VS_COND_ANY);
	for (int i = first; i <= last; i++)
		add_value(&b, i, *box, &whole);
	return *box;
}

void rte_lua_cond_open(lua_State *L)
{
	luaL_newmetatable(L, COND_TYPE);
	lua_pushcfunction(L, cond_gc);
	lua_setfield(L, -2, "__gc");
	lua_pop(L, 1);
}
