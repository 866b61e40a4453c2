/*
 * Workload files: Lua that calls workload { ... } once; its table becomes a struct rte_workload.
 *
 * The file runs in a sandbox of its own, without the functions of a session, with the --set
 * values as globals and in `set`. Values go into the workload as soon as they are read: an
 * error in a later field leaves it half filled, and the caller releases it.
 */
#include "rte/lua_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "report/report.h"
#include "rte/workload.h"
#include "base/banned.h"

#define WHAT     "workload"
#define LIST_MAX 100000

struct loading {
	struct rte_workload *w;
	const char *path;
	char *dir;
	struct b_buf text;
	bool called;
};

/* ---- Single values ----------------------------------------------------------------------- */

/* The field name of the table on top is pushed: true when it is there. */
static bool field(lua_State *L, int t, const char *name)
{
	if (lua_getfield(L, t, name) != LUA_TNIL)
		return true;
	lua_pop(L, 1);
	return false;
}

static void duration_field(lua_State *L, int t, const char *name, int64_t *ns)
{
	if (field(L, t, name)) {
		*ns = rte_lua_duration(L, -1, WHAT, B_NS_PER_S);
		lua_pop(L, 1);
	}
}

static void string_field(lua_State *L, int t, const char *name, char **to)
{
	const char *text = rte_lua_string_field(L, t, WHAT, name);

	if (text) {
		free(*to);
		*to = b_strdup(text);
	}
}

/* A distribution; a bare number is that many seconds. A table file is the workload's folder's. */
static void dist_field(
	lua_State *L, const struct loading *q, int t, const char *name, struct b_dist *d)
{
	const char *text;
	struct b_error err = { 0 };
	struct b_dist new = { 0 };

	if (!field(L, t, name))
		return;
	if (lua_type(L, -1) == LUA_TNUMBER)
		lua_pushfstring(L, "const:%s", lua_tostring(L, -1));
	else if (lua_type(L, -1) == LUA_TSTRING)
		lua_pushvalue(L, -1);
	else
		rte_lua_raise(L, WHAT, "%s is a distribution as \"exp:10\", not a %s", name,
			luaL_typename(L, -1));
	text = lua_tostring(L, -1);
	if (!strncmp(text, "table:", 6) && text[6] != '/')
		text = lua_pushfstring(L, "table:%s/%s", q->dir, text + 6);
	if (b_dist_parse(&new, text, &err))
		rte_lua_raise(L, WHAT, "%s: %s", name, err.text);
	b_dist_release(d);
	*d = new;
	lua_settop(L, t);
}

/* One of the names; -1 when the field is absent. */
static int choice_field(lua_State *L, int t, const char *name, const char *const *names, size_t n)
{
	const char *text = rte_lua_string_field(L, t, WHAT, name), *near;

	if (!text)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!strcmp(text, names[i]))
			return (int)i;
	near = rte_lua_nearest(text, names, n);
	return rte_lua_raise(L, WHAT, "%s = '%s' is none; did you mean '%s'?", name, text,
		near ? near : names[0]);
}

/* ---- Lists ------------------------------------------------------------------------------- */

/* The length of the list on top; raises when it is none. */
static lua_Integer list_len(lua_State *L, const char *name)
{
	lua_Integer n;

	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(L, WHAT, "%s is a list, not a %s", name, luaL_typename(L, -1));
	n = (lua_Integer)lua_rawlen(L, -1);
	if (n < 1 || n > LIST_MAX)
		rte_lua_raise(L, WHAT, "%s is a list of 1 to %d values", name, LIST_MAX);
	rte_lua_fields_check(L, -1, WHAT, (const char *const[]){ NULL }, n);
	return n;
}

/* Numbers of users from the list on top, in storage that is set at once. */
static void numbers(lua_State *L, const char *name, int64_t **to, size_t *n_to)
{
	lua_Integer n = list_len(L, name);

	free(*to);
	*n_to = 0;
	*to = b_calloc((size_t)n, sizeof **to);
	for (lua_Integer i = 1; i <= n; i++) {
		int ok;

		lua_rawgeti(L, -1, i);
		(*to)[i - 1] = lua_tointegerx(L, -1, &ok);
		if (!ok || (*to)[i - 1] < 1 || (*to)[i - 1] > RTE_USERS_MAX)
			rte_lua_raise(L, WHAT, "%s: %s is no whole number from 1 to %d", name,
				luaL_tolstring(L, -1, NULL), RTE_USERS_MAX);
		lua_pop(L, 1);
	}
	*n_to = (size_t)n;
}

/* A text or a list of texts, which replace what the list holds. */
static void strings_field(lua_State *L, int t, const char *name, char ***list, size_t *n_list)
{
	lua_Integer n;

	if (!field(L, t, name))
		return;
	for (size_t i = 0; i < *n_list; i++)
		free((*list)[i]);
	*n_list = 0;
	if (lua_type(L, -1) == LUA_TSTRING) {
		rte_workload_string_add(list, n_list, lua_tostring(L, -1));
		lua_pop(L, 1);
		return;
	}
	n = list_len(L, name);
	for (lua_Integer i = 1; i <= n; i++) {
		if (lua_rawgeti(L, -1, i) != LUA_TSTRING)
			rte_lua_raise(L, WHAT, "%s is a text or a list of texts", name);
		rte_workload_string_add(list, n_list, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
}

/* ---- Sets -------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
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
static void set_field(
	lua_State *L, const struct rte_workload *w, int t, char ***sets, size_t *n_sets)
{
	int top = lua_gettop(L);
	size_t before = *n_sets;

	if (!field(L, t, "set"))
		return;
	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(L, WHAT, "set is a table: set = { branch = 3 }");
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		int key = lua_gettop(L) - 1;

		if (lua_type(L, key) != LUA_TSTRING ||
			(lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER))
			rte_lua_raise(L, WHAT, "set: a value is a number or a text, with a name");
		if (!set_known(w, lua_tostring(L, key)))
			rte_workload_string_add(sets, n_sets,
				lua_pushfstring(L, "%s=%s", lua_tostring(L, key),
					lua_tostring(L, key + 1)));
		lua_settop(L, key);
	}
	if (*n_sets > before + 1)
		qsort(*sets + before, *n_sets - before, sizeof **sets, by_text);
	lua_settop(L, top);
}

/* ---- Scripts ----------------------------------------------------------------------------- */

static char *path_in(const struct loading *q, const char *path)
{
	struct b_buf out = B_BUF_INIT;

	if (*path != '/' && strcmp(q->dir, ".") != 0)
		b_buf_printf(&out, "%s/", q->dir);
	b_buf_adds(&out, path);
	return b_buf_take(&out, NULL);
}

/* "teller.lua" or { "teller.lua", weight = 3, users = { 1, 2 } } on top. */
static void script_entry(lua_State *L, const struct loading *q)
{
	static const char *const fields[] = { "weight", "users", "set", NULL };
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
	if (field(L, t, "weight")) {
		s->weight = lua_tonumber(L, -1);
		if (lua_type(L, -1) != LUA_TNUMBER || !(s->weight > 0 && s->weight <= 1e9))
			rte_lua_raise(L, "scripts", "%s: weight is a number above 0", path);
		lua_pop(L, 1);
	}
	if (field(L, t, "users")) {
		numbers(L, "users", &s->users, &s->n_users);
		lua_pop(L, 1);
	}
	set_field(L, w, t, &s->sets, &s->n_sets);
}

static void scripts_field(lua_State *L, const struct loading *q, int t)
{
	lua_Integer n;

	if (!field(L, t, "scripts"))
		rte_lua_raise(L, WHAT, "names no script: scripts = { \"teller.lua\" }");
	if (lua_type(L, -1) == LUA_TSTRING) {
		script_entry(L, q);
		lua_settop(L, t);
		return;
	}
	n = list_len(L, "scripts");
	for (lua_Integer i = 1; i <= n; i++) {
		int top = lua_gettop(L);

		lua_rawgeti(L, -1, i);
		script_entry(L, q);
		lua_settop(L, top);
	}
	lua_settop(L, t);
}

/* ---- Users, phases ----------------------------------------------------------------------- */

static void ladder_field(lua_State *L, const struct loading *q, int t)
{
	struct b_error err = { 0 };

	if (!field(L, t, "ladder"))
		return;
	if (lua_type(L, -1) != LUA_TSTRING)
		numbers(L, "ladder", &q->w->ladder, &q->w->n_ladder);
	else if (rte_workload_ladder_parse(q->w, lua_tostring(L, -1), &err))
		rte_lua_raise(L, WHAT, "%s", err.text);
	lua_pop(L, 1);
}

/* stages = { { 10, "1m" }, { 50, "5m" } } or "10 1m, 50 5m". */
static void stages_field(lua_State *L, const struct loading *q, int t)
{
	struct rte_workload *w = q->w;
	struct b_error err = { 0 };
	lua_Integer n;

	if (!field(L, t, "stages"))
		return;
	if (lua_type(L, -1) == LUA_TSTRING) {
		if (rte_workload_stages_parse(w, lua_tostring(L, -1), &err))
			rte_lua_raise(L, WHAT, "%s", err.text);
		lua_pop(L, 1);
		return;
	}
	n = list_len(L, "stages");
	free(w->stages);
	w->n_stages = 0;
	w->stages = b_calloc((size_t)n, sizeof *w->stages);
	for (lua_Integer i = 1; i <= n; i++) {
		int ok;

		if (lua_rawgeti(L, -1, i) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
			rte_lua_raise(L, WHAT, "a stage is { USERS, DURATION }, as { 10, \"1m\" }");
		lua_rawgeti(L, -1, 1);
		lua_rawgeti(L, -2, 2);
		w->stages[i - 1].users = lua_tointegerx(L, -2, &ok);
		if (!ok || w->stages[i - 1].users < 0 || w->stages[i - 1].users > RTE_USERS_MAX)
			rte_lua_raise(L, WHAT,
				"the users of a stage are a whole number from 0 to %d",
				RTE_USERS_MAX);
		w->stages[i - 1].duration_ns = rte_lua_duration(L, -1, WHAT, B_NS_PER_S);
		lua_pop(L, 3);
	}
	w->n_stages = (size_t)n;
	lua_pop(L, 1);
}

static void phases_field(lua_State *L, const struct loading *q, int t)
{
	static const char *const fields[] = { "ramp", "warmup", "measure", "continue", "rampdown",
		NULL };
	struct rte_workload *w = q->w;
	int p;

	if (!field(L, t, "phases"))
		return;
	p = lua_gettop(L);
	if (lua_type(L, p) != LUA_TTABLE)
		rte_lua_raise(L, WHAT,
			"phases is a table: phases = { ramp = \"20s\", measure = \"5m\" }");
	rte_lua_fields_check(L, p, "phases", fields, 0);
	duration_field(L, p, "ramp", &w->ramp_ns);
	duration_field(L, p, "warmup", &w->warmup_ns);
	duration_field(L, p, "continue", &w->continue_ns);
	duration_field(L, p, "rampdown", &w->rampdown_ns);
	if (lua_getfield(L, p, "measure") == LUA_TSTRING && !strcmp(lua_tostring(L, -1), "forever"))
		w->measure_ns = RTE_MEASURE_FOREVER;
	else
		duration_field(L, p, "measure", &w->measure_ns);
	lua_settop(L, t);
}

/* ---- Thresholds, sets, the rest ----------------------------------------------------------- */

static void threshold_add(lua_State *L, struct rte_workload *w, const char *name)
{
	const char *rule = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
	struct b_error err = { 0 };

	if (!rule)
		rte_lua_raise(L, WHAT, "thresholds: %s: a rule is a text as \"p90<2s\"", name);
	rule = lua_pushfstring(L, "%s:%s", name, rule);
	if (rp_threshold_check(rule, &err))
		rte_lua_raise(L, WHAT, "%s", err.text);
	rte_workload_string_add(&w->thresholds, &w->n_thresholds, rule);
	lua_pop(L, 1);
}

/* thresholds = { query = "p90<2s", ["*"] = { "errors<1%", "p99<5s" } }. */
static void thresholds_field(lua_State *L, const struct loading *q, int t)
{
	struct rte_workload *w = q->w;
	size_t before = w->n_thresholds;

	if (!field(L, t, "thresholds"))
		return;
	if (lua_type(L, -1) != LUA_TTABLE)
		rte_lua_raise(
			L, WHAT, "thresholds is a table: thresholds = { query = \"p90<2s\" }");
	lua_pushnil(L);
	while (lua_next(L, -2)) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;

		if (!name)
			rte_lua_raise(L, WHAT,
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
			by_text);
	lua_settop(L, t);
}

/* lateness = "50ms", or { "10ms", "50ms" }: warning, not valid. */
static void lateness_field(lua_State *L, const struct loading *q, int t)
{
	struct rte_workload *w = q->w;

	if (!field(L, t, "lateness"))
		return;
	if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
		rte_lua_raise(
			L, WHAT, "lateness is { WARNING, INVALID }, as { \"10ms\", \"50ms\" }");
	lua_rawgeti(L, -1, 1);
	w->lateness_warn_ns = rte_lua_duration(L, -1, WHAT, B_NS_PER_S);
	lua_rawgeti(L, -2, 2);
	w->lateness_bad_ns = rte_lua_duration(L, -1, WHAT, B_NS_PER_S);
	lua_settop(L, t);
}

static const char *const fields[] = { "scripts", "target", "users", "ladder", "stages", "phases",
	"typing", "think", "pacing", "timeout", "settle", "settle_max", "on_error", "thresholds",
	"set", "seed", "repeats", "iterations", "workers", "connect_timeout", "connect_retries",
	"bind", "rules", "strict", "lateness", "echo", "before", "after", NULL };

static void scalars(lua_State *L, const struct loading *q, int t)
{
	static const char *const on_errors[] = { "restart", "stop", "continue" };
	static const char *const echoes[] = { "sample", "all" };
	static const char *const rules[] = { "tpc-c", "tpc-a" };
	struct rte_workload *w = q->w;
	int choice;

	w->users = rte_lua_int_field(L, t, WHAT, "users", 1, RTE_USERS_MAX, w->users);
	w->repeat = rte_lua_int_field(L, t, WHAT, "repeats", 1, 1000000, w->repeat);
	w->iterations = rte_lua_int_field(L, t, WHAT, "iterations", 1, INT64_MAX, w->iterations);
	w->workers = rte_lua_int_field(L, t, WHAT, "workers", 1, 1024, w->workers);
	w->connect_retries =
		rte_lua_int_field(L, t, WHAT, "connect_retries", 0, 1000000, w->connect_retries);
	if (field(L, t, "seed")) {
		lua_pop(L, 1);
		w->seed = (uint64_t)rte_lua_int_field(L, t, WHAT, "seed", 0, INT64_MAX, 0);
		w->seed_set = true;
	}
	dist_field(L, q, t, "typing", &w->typing);
	dist_field(L, q, t, "think", &w->think);
	dist_field(L, q, t, "pacing", &w->pacing);
	duration_field(L, t, "timeout", &w->timeout_ns);
	duration_field(L, t, "settle", &w->settle_ns);
	duration_field(L, t, "settle_max", &w->settle_max_ns);
	duration_field(L, t, "connect_timeout", &w->connect_timeout_ns);
	choice = choice_field(L, t, "on_error", on_errors, B_ARRAY_LEN(on_errors));
	if (choice >= 0) {
		w->on_error = (enum rte_on_error)choice;
		w->on_error_set = true;
	}
	choice = choice_field(L, t, "echo", echoes, B_ARRAY_LEN(echoes));
	if (choice >= 0)
		w->echo_all = choice == 1;
	w->strict = rte_lua_bool_field(L, t, WHAT, "strict", w->strict);
	if (choice_field(L, t, "rules", rules, B_ARRAY_LEN(rules)) >= 0)
		string_field(L, t, "rules", &w->rules);
	string_field(L, t, "before", &w->before);
	string_field(L, t, "after", &w->after);
}

static int api_workload(lua_State *L)
{
	struct loading *q = lua_touserdata(L, lua_upvalueindex(1));
	struct rte_workload *w = q->w;

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(L, WHAT, "takes a table: workload { scripts = { ... }, ... }");
	if (q->called)
		return rte_lua_raise(L, WHAT, "is called twice in one file");
	q->called = true;
	lua_settop(L, 1);
	rte_lua_fields_check(L, 1, WHAT, fields, 0);
	scripts_field(L, q, 1);
	ladder_field(L, q, 1);
	stages_field(L, q, 1);
	phases_field(L, q, 1);
	scalars(L, q, 1);
	strings_field(L, 1, "target", &w->targets, &w->n_targets);
	strings_field(L, 1, "bind", &w->binds, &w->n_binds);
	thresholds_field(L, q, 1);
	set_field(L, w, 1, &w->sets, &w->n_sets);
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
	struct loading *q = lua_touserdata(L, 1);

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
	struct loading q = { .w = w, .path = path };
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
