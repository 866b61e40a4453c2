/* The scripts of a workload: who plays them, and the values set for them. */
#include "rte/lua_workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/when.h"
#include "base/banned.h"

/* ---- Sets -------------------------------------------------------------------------------- */

int rte_wl_by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool set_known(const struct rte_workload *w, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < w->n_sets; i++)
		if (!strncmp(w->sets[i], name, len) && w->sets[i][len] == '=')
			return true;
	return false;
}

/* set = { branch = 3 } of the table at t into a list; what --set said already stays. */
void rte_wl_sets(lua_State *L, const struct rte_workload *w, int t, char ***sets, size_t *n_sets)
{
	int top = lua_gettop(L);
	size_t before = *n_sets;

	if (!rte_wl_field(L, t, "set"))
		return;
	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(L, RTE_WL, "set is a table: set = { branch = 3 }");
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		int key = lua_gettop(L) - 1;

		if (lua_type(L, key) != LUA_TSTRING ||
			(lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER))
			rte_lua_raise(L, RTE_WL, "set: a value is a number or a text, with a name");
		if (!set_known(w, lua_tostring(L, key)))
			rte_workload_string_add(sets, n_sets,
				lua_pushfstring(L, "%s=%s", lua_tostring(L, key),
					lua_tostring(L, key + 1)));
		lua_settop(L, key);
	}
	if (*n_sets > before + 1)
		qsort(*sets + before, *n_sets - before, sizeof **sets, rte_wl_by_text);
	lua_settop(L, top);
}

/* ---- Scripts ----------------------------------------------------------------------------- */

static char *path_in(const struct rte_wl *q, const char *path)
{
	struct b_buf out = B_BUF_INIT;

	if (*path != '/' && strcmp(q->dir, ".") != 0)
		b_buf_printf(&out, "%s/", q->dir);
	b_buf_adds(&out, path);
	return b_buf_take(&out, NULL);
}

static void share_add(lua_State *L, struct rte_workload_mix *m, const char *name)
{
	double weight = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;

	if (!(weight >= 0 && weight <= 1e9))
		rte_lua_raise(L, "mix", "%s: a weight is a number from 0, as in query = 80", name);
	if (m->deck && (weight != (double)(int)weight || weight > 10000))
		rte_lua_raise(L, "mix",
			"%s: with deck = true a weight is a number of cards, 0 to 10000", name);
	m->names = b_reallocarray(m->names, m->n + 1, sizeof *m->names);
	m->weights = b_reallocarray(m->weights, m->n + 1, sizeof *m->weights);
	m->names[m->n] = b_strdup(name);
	m->weights[m->n++] = weight;
}

/* The shares in the table on top; of the fields `from` says when they hold. */
static void shares_add(lua_State *L, struct rte_workload_script *s)
{
	struct rte_workload_mix *m;
	struct b_error err = { 0 };
	int t = lua_gettop(L);
	const char *from = rte_lua_string_field(L, t, "mix", "from");

	s->mixes = b_reallocarray(s->mixes, s->n_mixes + 1, sizeof *s->mixes);
	m = &s->mixes[s->n_mixes++];
	*m = (struct rte_workload_mix){ .deck = rte_lua_bool_field(L, t, "mix", "deck", false) };
	if (from && rte_when_parse(&m->from, from, &err))
		rte_lua_raise(L, "mix", "from: %s", err.text);
	lua_pushnil(L);
	while (lua_next(L, t)) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;

		if (name && strcmp(name, "deck") && strcmp(name, "from"))
			share_add(L, m, name);
		lua_pop(L, 1);
	}
	lua_settop(L, t);
}

/* mix = { query = 80, update = 20, { from = "measure", query = 50, update = 50 } }. */
static void mix_field(lua_State *L, struct rte_workload_script *s, int t)
{
	int top = lua_gettop(L), mix;

	if (!rte_wl_field(L, t, "mix"))
		return;
	mix = lua_gettop(L);
	if (lua_type(L, mix) != LUA_TTABLE)
		rte_lua_raise(L, "scripts", "mix is a table: mix = { query = 80, update = 20 }");
	if (rte_wl_field(L, mix, "from"))
		rte_lua_raise(L, "mix",
			"from stands in a table of its own: { from = \"measure\", "
			"query = 50 } inside of mix");
	shares_add(L, s);
	if (!s->mixes[s->n_mixes - 1].n)
		s->n_mixes--; /* the script's own hold until the first of these */
	for (lua_Integer i = 1; lua_rawgeti(L, mix, i) != LUA_TNIL; i++) {
		struct rte_workload_mix *m;

		if (lua_type(L, -1) != LUA_TTABLE)
			rte_lua_raise(L, "mix", "{ from = \"measure\", query = 50 } is a table");
		shares_add(L, s);
		m = &s->mixes[s->n_mixes - 1];
		if (m->from.kind == RTE_WHEN_START)
			rte_lua_raise(L, "mix", "a change needs its time: from = \"measure\"");
		lua_pop(L, 1);
	}
	lua_settop(L, top);
}

/* "teller.lua" or { "teller.lua", weight = 3, users = { 1, 2 } } on top. */
static void script_entry(lua_State *L, const struct rte_wl *q)
{
	static const char *const fields[] = { "weight", "users", "set", "mix", NULL };
	struct rte_workload *w = q->w;
	struct rte_workload_script *s;
	const char *path;
	int t = lua_gettop(L);

	if (lua_type(L, t) == LUA_TTABLE) {
		rte_lua_fields_check(L, t, "scripts", fields, 1);
		lua_rawgeti(L, t, 1);
	}
	path = rte_lua_text(L, -1, "scripts", NULL);
	w->scripts = b_reallocarray(w->scripts, w->n_scripts + 1, sizeof *w->scripts);
	s = &w->scripts[w->n_scripts++];
	*s = (struct rte_workload_script){ .weight = 1 };
	s->path = path_in(q, path);
	if (lua_type(L, t) != LUA_TTABLE)
		return;
	if (rte_wl_field(L, t, "weight")) {
		s->weight = lua_tonumber(L, -1);
		if (lua_type(L, -1) != LUA_TNUMBER || !(s->weight > 0 && s->weight <= 1e9))
			rte_lua_raise(L, "scripts", "%s: weight is a number above 0", path);
		lua_pop(L, 1);
	}
	if (rte_wl_field(L, t, "users")) {
		rte_wl_numbers(L, "users", &s->users, &s->n_users);
		lua_pop(L, 1);
	}
	rte_wl_sets(L, w, t, &s->sets, &s->n_sets);
	mix_field(L, s, t);
}

void rte_wl_scripts(lua_State *L, const struct rte_wl *q, int t)
{
	lua_Integer n;

	if (!rte_wl_field(L, t, "scripts"))
		rte_lua_raise(L, RTE_WL, "names no script: scripts = { \"teller.lua\" }");
	if (lua_type(L, -1) == LUA_TSTRING) {
		script_entry(L, q);
		lua_settop(L, t);
		return;
	}
	n = rte_wl_list_len(L, "scripts");
	for (lua_Integer i = 1; i <= n; i++) {
		int top = lua_gettop(L);

		lua_rawgeti(L, -1, i);
		script_entry(L, q);
		lua_settop(L, top);
	}
	lua_settop(L, t);
}
