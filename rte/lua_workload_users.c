/* The users of a workload over time: ladder, stages, phases. */
#include "rte/lua_workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/arrivals.h"
#include "base/banned.h"

/* ---- Users, phases ----------------------------------------------------------------------- */

void rte_wl_ladder(lua_State *L, const struct rte_wl *q, int t)
{
	struct b_error err = { 0 };

	if (!rte_wl_field(L, t, "ladder"))
		return;
	if (lua_type(L, -1) != LUA_TSTRING)
		rte_wl_numbers(L, "ladder", &q->w->ladder, &q->w->n_ladder);
	else if (rte_workload_ladder_parse(q->w, lua_tostring(L, -1), &err))
		rte_lua_raise(L, RTE_WL, "%s", err.text);
	lua_pop(L, 1);
}

void rte_wl_arrivals(lua_State *L, const struct rte_wl *q, int t)
{
	const char *text = rte_lua_string_field(L, t, RTE_WL, "arrivals");
	struct b_error err = { 0 };

	if (text && rte_arrivals_parse(q->w, text, &err))
		rte_lua_raise(L, RTE_WL, "%s", err.text);
}

/* stages = { { 10, "1m" }, { 50, "5m" } } or "10 1m, 50 5m". */
void rte_wl_stages(lua_State *L, const struct rte_wl *q, int t)
{
	struct rte_workload *w = q->w;
	struct b_error err = { 0 };
	lua_Integer n;

	if (!rte_wl_field(L, t, "stages"))
		return;
	if (lua_type(L, -1) == LUA_TSTRING) {
		if (rte_workload_stages_parse(w, lua_tostring(L, -1), &err))
			rte_lua_raise(L, RTE_WL, "%s", err.text);
		lua_pop(L, 1);
		return;
	}
	n = rte_wl_list_len(L, "stages");
	free(w->stages);
	w->n_stages = 0;
	w->stages = b_calloc((size_t)n, sizeof *w->stages);
	for (lua_Integer i = 1; i <= n; i++) {
		int ok;

		if (lua_rawgeti(L, -1, i) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
			rte_lua_raise(
				L, RTE_WL, "a stage is { USERS, DURATION }, as { 10, \"1m\" }");
		lua_rawgeti(L, -1, 1);
		lua_rawgeti(L, -2, 2);
		w->stages[i - 1].users = lua_tointegerx(L, -2, &ok);
		if (!ok || w->stages[i - 1].users < 0 || w->stages[i - 1].users > RTE_USERS_MAX)
			rte_lua_raise(L, RTE_WL,
				"the users of a stage are a whole number from 0 to %d",
				RTE_USERS_MAX);
		w->stages[i - 1].duration_ns = rte_lua_duration(L, -1, RTE_WL, B_NS_PER_S);
		lua_pop(L, 3);
	}
	w->n_stages = (size_t)n;
	lua_pop(L, 1);
}

void rte_wl_phases(lua_State *L, const struct rte_wl *q, int t)
{
	static const char *const fields[] = { "ramp", "warmup", "measure", "continue", "rampdown",
		NULL };
	struct rte_workload *w = q->w;
	int p;

	if (!rte_wl_field(L, t, "phases"))
		return;
	p = lua_gettop(L);
	if (lua_type(L, p) != LUA_TTABLE)
		rte_lua_raise(L, RTE_WL,
			"phases is a table: phases = { ramp = \"20s\", measure = \"5m\" }");
	rte_lua_fields_check(L, p, "phases", fields, 0);
	rte_wl_duration(L, p, "ramp", &w->ramp_ns);
	rte_wl_duration(L, p, "warmup", &w->warmup_ns);
	rte_wl_duration(L, p, "continue", &w->continue_ns);
	rte_wl_duration(L, p, "rampdown", &w->rampdown_ns);
	if (lua_getfield(L, p, "measure") == LUA_TSTRING && !strcmp(lua_tostring(L, -1), "forever"))
		w->measure_ns = RTE_MEASURE_FOREVER;
	else
		rte_wl_duration(L, p, "measure", &w->measure_ns);
	lua_settop(L, t);
}
