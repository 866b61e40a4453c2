/* Fields of a workload: durations, texts, distributions, lists. */
#include "rte/lua_workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

/* ---- Single values ----------------------------------------------------------------------- */

/* The field name of the table on top is pushed: true when it is there. */
bool rte_wl_field(lua_State *L, int t, const char *name)
{
	if (lua_getfield(L, t, name) != LUA_TNIL)
		return true;
	lua_pop(L, 1);
	return false;
}

void rte_wl_duration(lua_State *L, int t, const char *name, int64_t *ns)
{
	if (rte_wl_field(L, t, name)) {
		*ns = rte_lua_duration(L, -1, RTE_WL, B_NS_PER_S);
		lua_pop(L, 1);
	}
}

void rte_wl_string(lua_State *L, int t, const char *name, char **to)
{
	const char *text = rte_lua_string_field(L, t, RTE_WL, name);

	if (text) {
		free(*to);
		*to = b_strdup(text);
	}
}

/* A distribution; a bare number is that many seconds. A table file is the workload's folder's. */
void rte_wl_dist(lua_State *L, const struct rte_wl *q, int t, const char *name, struct b_dist *d)
{
	const char *text;
	struct b_error err = { 0 };
	struct b_dist new = { 0 };

	if (!rte_wl_field(L, t, name))
		return;
	if (lua_type(L, -1) == LUA_TNUMBER)
		lua_pushfstring(L, "const:%s", lua_tostring(L, -1));
	else if (lua_type(L, -1) == LUA_TSTRING)
		lua_pushvalue(L, -1);
	else
		rte_lua_raise(L, RTE_WL, "%s is a distribution as \"exp:10\", not a %s", name,
			luaL_typename(L, -1));
	text = lua_tostring(L, -1);
	if (!strncmp(text, "table:", 6) && text[6] != '/')
		text = lua_pushfstring(L, "table:%s/%s", q->dir, text + 6);
	if (b_dist_parse(&new, text, &err))
		rte_lua_raise(L, RTE_WL, "%s: %s", name, err.text);
	b_dist_release(d);
	*d = new;
	lua_settop(L, t);
}

/* One of the names; -1 when the field is absent. */
int rte_wl_choice(lua_State *L, int t, const char *name, const char *const *names, size_t n)
{
	const char *text = rte_lua_string_field(L, t, RTE_WL, name), *near;

	if (!text)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	near = rte_lua_nearest(text, names, n);
	return rte_lua_raise(L, RTE_WL, "%s = '%s' is none; did you mean '%s'?", name, text,
		near ? near : names[0]);
}

/* ---- Lists ------------------------------------------------------------------------------- */

/* The length of the list on top; raises when it is none. */
lua_Integer rte_wl_list_len(lua_State *L, const char *name)
{
	lua_Integer n;

	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(L, RTE_WL, "%s is a list, not a %s", name, luaL_typename(L, -1));
	n = (lua_Integer)lua_rawlen(L, -1);
	if (n < 1 || n > RTE_WL_LIST_MAX)
		rte_lua_raise(L, RTE_WL, "%s is a list of 1 to %d values", name, RTE_WL_LIST_MAX);
	rte_lua_fields_check(L, -1, RTE_WL, (const char *const[]){ NULL }, n);
	return n;
}

/* Numbers of users from the list on top, in storage that is set at once. */
void rte_wl_numbers(lua_State *L, const char *name, int64_t **to, size_t *n_to)
{
	lua_Integer n = rte_wl_list_len(L, name);

	free(*to);
	*n_to = 0;
	*to = b_calloc((size_t)n, sizeof **to);
	for (lua_Integer i = 1; i <= n; i++) {
		int ok;

		lua_rawgeti(L, -1, i);
		(*to)[i - 1] = lua_tointegerx(L, -1, &ok);
		if (!ok || (*to)[i - 1] < 1 || (*to)[i - 1] > RTE_USERS_MAX)
			rte_lua_raise(L, RTE_WL, "%s: %s is no whole number from 1 to %d", name,
				luaL_tolstring(L, -1, NULL), RTE_USERS_MAX);
		lua_pop(L, 1);
	}
	*n_to = (size_t)n;
}

/* A text or a list of texts, which replace what the list holds. */
void rte_wl_strings(lua_State *L, int t, const char *name, char ***list, size_t *n_list)
{
	lua_Integer n;

	if (!rte_wl_field(L, t, name))
		return;
	for (size_t i = 0; i < *n_list; i++)
		free((*list)[i]);
	*n_list = 0;
	if (lua_type(L, -1) == LUA_TSTRING) {
		rte_workload_string_add(list, n_list, lua_tostring(L, -1));
		lua_pop(L, 1);
		return;
	}
	n = rte_wl_list_len(L, name);
	for (lua_Integer i = 1; i <= n; i++) {
		if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
			rte_lua_raise(L, RTE_WL, "%s is a text or a list of texts", name);
		rte_workload_string_add(list, n_list, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}
