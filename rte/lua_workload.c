/*
 * Workload files: Lua that calls workload { ... } once; its table becomes a struct rte_workload.
 *
 * The file runs in a sandbox of its own, without the functions of a session, with the --set
 * values as globals and in `set`. Values go into the workload as soon as they are read: an
 * error in a later field leaves it half filled, and the caller releases it.
 */
#include "rte/lua_workload.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "report/report.h"
#include "rte/stop_when.h"
#include "base/banned.h"

/* ---- Thresholds, sets, the rest ----------------------------------------------------------- */

static void threshold_add(lua_State *L, struct rte_workload *w, const char *name)
{
	const char *rule = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
	struct b_error err = { 0 };

	if (!rule)
		rte_lua_raise(L, RTE_WL, "thresholds: %s: a rule is a text as \"p90<2s\"", name);
	rule = lua_pushfstring(L, "%s:%s", name, rule);
	if (rp_threshold_check(rule, &err))
		rte_lua_raise(L, RTE_WL, "%s", err.text);
	rte_workload_string_add(&w->thresholds, &w->n_thresholds, rule);
	lua_pop(L, 1);
}

/* thresholds = { query = "p90<2s", ["*"] = { "errors<1%", "p99<5s" } }. */
static void thresholds_field(lua_State *L, const struct rte_wl *q, int t)
{
	struct rte_workload *w = q->w;
	size_t before = w->n_thresholds;

	if (!rte_wl_field(L, t, "thresholds"))
		return;
	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(
			L, RTE_WL, "thresholds is a table: thresholds = { query = \"p90<2s\" }");
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;

		if (!name)
			rte_lua_raise(L, RTE_WL,
				"thresholds: a rule needs the transaction's name, or \"*\"");
		if (lua_type(L, -1) == LUA_TTABLE) {
			for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
				threshold_add(L, w, name);
				lua_pop(L, 1);
			}
			lua_pop(L, 1);
		} else {
			threshold_add(L, w, name);
		}
		lua_pop(L, 1);
	}
	/* Lua's order of fields is no order. */
	if (w->n_thresholds > before + 1)
		qsort(w->thresholds + before, w->n_thresholds - before, sizeof *w->thresholds,
			rte_wl_by_text);
	lua_settop(L, t);
}

/* stop_when = "errors>20%" or { "errors>20%", "query:p90>10s for 1m" }. */
static void stop_when_field(lua_State *L, const struct rte_wl *q, int t)
{
	struct rte_workload *w = q->w;
	struct b_error err = { 0 };

	rte_wl_strings(L, t, "stop_when", &w->stops, &w->n_stops);
	for (size_t i = 0; i < w->n_stops; i++)
		if (rte_stop_when_check(w->stops[i], &err))
			rte_lua_raise(L, RTE_WL, "%s", err.text);
}

/* lateness = "50ms", or { "10ms", "50ms" }: warning, not valid. */
static void lateness_field(lua_State *L, const struct rte_wl *q, int t)
{
	struct rte_workload *w = q->w;

	if (!rte_wl_field(L, t, "lateness"))
		return;
	if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
		rte_lua_raise(
			L, RTE_WL, "lateness is { WARNING, INVALID }, as { \"10ms\", \"50ms\" }");
	lua_rawgeti(L, -1, 1);
	w->lateness_warn_ns = rte_lua_duration(L, -1, RTE_WL, B_NS_PER_S);
	lua_rawgeti(L, -2, 2);
	w->lateness_bad_ns = rte_lua_duration(L, -1, RTE_WL, B_NS_PER_S);
	lua_settop(L, t);
}

static const char *const fields[] = { "scripts", "target", "users", "ladder", "stages", "phases",
	"arrivals", "typing", "think", "pacing", "timeout", "settle", "settle_max", "on_error",
	"thresholds", "stop_when", "set", "seed", "repeats", "iterations", "workers",
	"connect_timeout", "connect_retries", "bind", "rules", "strict", "lateness", "echo",
	"before", "after", NULL };

static void scalars(lua_State *L, const struct rte_wl *q, int t)
{
	static const char *const on_errors[] = { "restart", "stop", "continue" };
	static const char *const echoes[] = { "sample", "all" };
	static const char *const rules[] = { "tpc-c", "tpc-a" };
	struct rte_workload *w = q->w;
	int choice;

	w->users = rte_lua_int_field(L, t, RTE_WL, "users", 1, RTE_USERS_MAX, w->users);
	w->repeat = rte_lua_int_field(L, t, RTE_WL, "repeats", 1, 1000000, w->repeat);
	w->iterations = rte_lua_int_field(L, t, RTE_WL, "iterations", 1, INT64_MAX, w->iterations);
	w->workers = rte_lua_int_field(L, t, RTE_WL, "workers", 1, 1024, w->workers);
	w->connect_retries =
		rte_lua_int_field(L, t, RTE_WL, "connect_retries", 0, 1000000, w->connect_retries);
	if (rte_wl_field(L, t, "seed")) {
		lua_pop(L, 1);
		w->seed = (uint64_t)rte_lua_int_field(L, t, RTE_WL, "seed", 0, INT64_MAX, 0);
		w->seed_set = true;
	}
	rte_wl_dist(L, q, t, "typing", &w->typing);
	rte_wl_dist(L, q, t, "think", &w->think);
	rte_wl_dist(L, q, t, "pacing", &w->pacing);
	rte_wl_duration(L, t, "timeout", &w->timeout_ns);
	rte_wl_duration(L, t, "settle", &w->settle_ns);
	rte_wl_duration(L, t, "settle_max", &w->settle_max_ns);
	rte_wl_duration(L, t, "connect_timeout", &w->connect_timeout_ns);
	choice = rte_wl_choice(L, t, "on_error", on_errors, B_ARRAY_LEN(on_errors));
	if (choice >= 0) {
		w->on_error = (enum rte_on_error)choice;
		w->on_error_set = true;
	}
	choice = rte_wl_choice(L, t, "echo", echoes, B_ARRAY_LEN(echoes));
	if (choice >= 0)
		w->echo_all = choice == 1;
	w->strict = rte_lua_bool_field(L, t, RTE_WL, "strict", w->strict);
	if (rte_wl_choice(L, t, "rules", rules, B_ARRAY_LEN(rules)) >= 0)
		rte_wl_string(L, t, "rules", &w->rules);
	rte_wl_string(L, t, "before", &w->before);
	rte_wl_string(L, t, "after", &w->after);
}

static int api_workload(lua_State *L)
{
	struct rte_wl *q = lua_touserdata(L, lua_upvalueindex(1));
	struct rte_workload *w = q->w;

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(
			L, RTE_WL, "takes a table: workload { scripts = { ... }, ... }");
	if (q->called)
		return rte_lua_raise(L, RTE_WL, "is called twice in one file");
	q->called = true;
	lua_settop(L, 1);
	rte_lua_fields_check(L, 1, RTE_WL, fields, 0);
	rte_wl_scripts(L, q, 1);
	rte_wl_ladder(L, q, 1);
	rte_wl_stages(L, q, 1);
	rte_wl_phases(L, q, 1);
	rte_wl_arrivals(L, q, 1);
	scalars(L, q, 1);
	rte_wl_strings(L, 1, "target", &w->targets, &w->n_targets);
	rte_wl_strings(L, 1, "bind", &w->binds, &w->n_binds);
	thresholds_field(L, q, 1);
	stop_when_field(L, q, 1);
	rte_wl_sets(L, w, 1, &w->sets, &w->n_sets);
	lateness_field(L, q, 1);
	return 0;
}

/* ---- The file ---------------------------------------------------------------------------- */

static int api_print(lua_State *L)
{
	luaL_Buffer b;
	int n = lua_gettop(L);

	luaL_buffinit(L, &b);
	for (int i = 1; i <= n; i++) {
		if (i > 1)
			luaL_addchar(&b, ' ');
		luaL_tolstring(L, i, NULL);
		luaL_addvalue(&b);
	}
	luaL_pushresult(&b);
	b_info("%s", lua_tostring(L, -1));
	return 0;
}

static int load_file(lua_State *L)
{
	struct rte_wl *q = lua_touserdata(L, 1);

	rte_lua_base_push(L, false);
	lua_pushcfunction(L, api_print);
	lua_setfield(L, -2, "print");
	lua_pushlightuserdata(L, q);
	lua_pushcclosure(L, api_workload, 1);
	lua_setfield(L, -2, "workload");
	rte_lua_sets_add(L, lua_gettop(L), (const char *const *)q->w->sets, q->w->n_sets);
	rte_lua_chunk_push(L, q->path, &q->text);
	lua_insert(L, -2);
	lua_call(L, 1, 0);
	if (!q->called)
		luaL_error(L, "%s: is no workload: workload { ... } was not called", q->path);
	return 0;
}

int rte_workload_load(struct rte_workload *w, const char *path, struct b_error *err)
{
	struct rte_wl q = { .w = w, .path = path };
	struct rte_lua_options opt = { 0 };
	struct rte_lua *l;
	int rc;

	rc = rte_lua_file_read(path, &q.text, err);
	if (rc)
		goto out;
	q.dir = rte_lua_folder(path);
	rc = rte_lua_state_new(&l, &opt, load_file, &q, err);
	if (rc)
		goto out;
	rte_lua_free(l);
	free(w->path);
	w->path = b_strdup(path);
out:
	free(q.dir);
	b_buf_release(&q.text);
	return rc;
}
