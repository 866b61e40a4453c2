/*
 * One user's instance of a script: an environment, a coroutine that runs its parts one after
 * the other, and the protocol by which these ask and are answered.
 *
 * A binding that waits fills the ask and yields with nothing; its arguments stay on the
 * coroutine's stack, which is what keeps the ask's strings alive. When the coroutine is resumed
 * the binding's continuation looks at the reply.
 */
#include "rte/lua_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

static const char *const parts[] = {
	[RTE_PART_SETUP] = "setup",
	[RTE_PART_LOGIN] = "login",
	[RTE_PART_ITERATION] = "iteration",
	[RTE_PART_LOGOUT] = "logout",
	[RTE_PART_TEARDOWN] = "teardown",
};

/* ---- What bindings call ------------------------------------------------------------------ */

struct rte_actor *rte_lua_session(lua_State *L, const char *what)
{
	struct rte_actor *a = rte_lua_actor(L);

	switch (a->phase) {
	case RTE_LUA_PART:
	case RTE_LUA_RULE:
	case RTE_LUA_CLOSING: break;
	case RTE_LUA_OUTSIDE:
		rte_lua_raise(L, what, "needs a session; setup() and teardown() run outside any");
		break;
	default:
		rte_lua_raise(L, what,
			"needs a session, and the top level of a script has none: call it inside "
			"login(), iteration() or logout()");
	}
	return a;
}

struct rte_actor *rte_lua_waiter(lua_State *L, const char *what, bool session)
{
	struct rte_actor *a = rte_lua_actor(L);

	if (session || a->phase != RTE_LUA_OUTSIDE)
		rte_lua_session(L, what);
	if (a->phase == RTE_LUA_CLOSING)
		rte_lua_raise(L, what, "cannot wait any more: the user is being ended");
	if (L != a->lua->running_co)
		rte_lua_raise(L, what, "cannot wait inside a coroutine of the script's own");
	if (!lua_isyieldable(L))
		rte_lua_raise(L, what,
			"cannot wait inside a function that sort, gsub or a metamethod calls");
	return a;
}

struct rte_ask *rte_lua_ask(lua_State *L, struct rte_actor *a, enum rte_ask_kind kind)
{
	struct rte_ask *ask = a->ask;

	memset(ask, 0, sizeof *ask);
	ask->kind = kind;
	ask->timeout_ns = -1;
	ask->recorded_ns = -1;
	rte_lua_where(L, &ask->file, &ask->line);
	return ask;
}

int rte_lua_wait(lua_State *L, lua_KContext ctx, lua_KFunction k)
{
	return lua_yieldk(L, 0, ctx, k);
}

struct rte_actor *rte_lua_answered(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);

	if (a->reply && a->reply->fail != RTE_FAIL_NONE)
		rte_lua_raise_kind(
			L, a->reply->fail, a->reply->error ? a->reply->error : "the wait failed");
	return a;
}

int rte_lua_nothing(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	rte_lua_answered(L);
	return 0;
}

static int never(lua_State *L, int status, lua_KContext ctx)
{
	(void)status;
	(void)ctx;
	return luaL_error(L, "a stopped user was resumed");
}

/* The yield is never answered: no pcall of the script can keep a stopped user going. Where
   a yield is not possible an error does it. */
int rte_lua_stop_user(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);

	a->stop = true;
	if (L != a->lua->running_co || !lua_isyieldable(L))
		return rte_lua_raise(L, NULL, "this user stops");
	rte_lua_ask(L, a, RTE_ASK_DONE);
	return rte_lua_wait(L, 0, never);
}

/* ---- Making and ending ------------------------------------------------------------------- */

static lua_State *thread_new(lua_State *L, struct rte_actor *a, int *ref)
{
	lua_State *co = lua_newthread(L);

	*(struct rte_actor **)lua_getextraspace(co) = a;
	*ref = luaL_ref(L, LUA_REGISTRYINDEX);
	return co;
}

static int open_actor(lua_State *L)
{
	struct rte_actor *a = lua_touserdata(L, 1);

	lua_createtable(L, 0, 4);
	lua_pushvalue(L, -1);
	lua_setfield(L, -2, "_G");
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->script->env_meta_ref);
	lua_setmetatable(L, -2);
	a->env_ref = luaL_ref(L, LUA_REGISTRYINDEX);
	a->co = thread_new(L, a, &a->co_ref);
	return 0;
}

static void close_thread(struct rte_actor *a, lua_State *co, bool cancelled)
{
	enum rte_lua_phase phase = a->phase;
	const struct rte_reply *reply = a->reply;

	if (!co)
		return;
	a->phase = RTE_LUA_CLOSING;
	a->cancelled = cancelled;
	a->reply = NULL;
	rte_lua_enter(a->lua, a, co, RTE_LUA_STEPS_CLOSE_MAX);
#if LUA_VERSION_RELEASE_NUM >= 50406
	lua_closethread(co, a->lua->L);
#else
	lua_resetthread(co);
#endif
	rte_lua_leave(a->lua);
	lua_settop(co, 0);
	a->cancelled = false;
	a->phase = phase;
	a->reply = reply;
}

/* What was raised is told from what is by its text: as long as it may come up again. */
static void forget_raised(struct rte_actor *a)
{
	free(a->raised);
	a->raised = NULL;
}

void rte_actor_cancel(struct rte_actor *a)
{
	B_BUG_ON(a->lua->running == a);
	if (a->phase == RTE_LUA_IDLE)
		return;
	if (a->phase == RTE_LUA_RULE) {
		close_thread(a, a->rule_co, true);
		a->phase = a->below;
	}
	close_thread(a, a->co, true);
	a->phase = RTE_LUA_IDLE;
}

void rte_lua_actor_close(struct rte_actor *a)
{
	lua_State *L = a->lua->L;

	if (a->co)
		rte_actor_cancel(a);
	luaL_unref(L, LUA_REGISTRYINDEX, a->co ? a->co_ref : LUA_NOREF);
	luaL_unref(L, LUA_REGISTRYINDEX, a->rule_co ? a->rule_ref : LUA_NOREF);
	luaL_unref(L, LUA_REGISTRYINDEX, a->env_ref ? a->env_ref : LUA_NOREF);
	for (size_t i = 0; i < a->n_tests; i++)
		luaL_unref(L, LUA_REGISTRYINDEX, a->tests[i]);
	free(a->tests);
	for (size_t i = 0; i < a->n_rules; i++) {
		luaL_unref(L, LUA_REGISTRYINDEX, a->rules[i].fn_ref);
		vs_cond_free(a->rules[i].cond);
	}
	free(a->rules);
	free(a->masks);
	free(a->name);
	rte_lua_failure_clear(&a->part_failure);
	rte_lua_failure_clear(&a->rule_failure);
	forget_raised(a);
}

void rte_actor_free(struct rte_actor *a)
{
	if (!a)
		return;
	rte_lua_actor_close(a);
	free(a);
}

/* ---- Running ----------------------------------------------------------------------------- */

/* After a part or a rule has ended; a coroutine that returned has nothing left to close. */
static void ended(struct rte_actor *a, lua_State *co, int status)
{
	if (status == LUA_OK)
		lua_settop(co, 0);
	else
		close_thread(a, co, false);
	a->phase = a->phase == RTE_LUA_RULE ? a->below : RTE_LUA_IDLE;
}

static void tell_end(struct rte_actor *a, const struct rte_lua_failure *f, struct rte_ask *ask)
{
	memset(ask, 0, sizeof *ask);
	ask->relogin = a->relogin;
	ask->kind = RTE_ASK_DONE;
	ask->count = a->stop ? -1 : 0;
	if (!f->error || a->stop || a->skips)
		return;
	ask->kind = RTE_ASK_FAILED;
	ask->fail = f->kind;
	ask->error = f->error;
	ask->traceback = f->traceback ? f->traceback : "";
	ask->file = f->file;
	ask->line = f->line;
}

static void run(
	struct rte_actor *a, lua_State *co, const struct rte_reply *reply, struct rte_ask *ask)
{
	int64_t steps = a->phase == RTE_LUA_OUTSIDE ? RTE_LUA_STEPS_LONG_MAX : RTE_LUA_STEPS_MAX;
	struct rte_lua_failure *f = rte_lua_failure(a);
	struct rte_lua *l = a->lua;
	int n = 0, status;

	memset(ask, 0, sizeof *ask);
	a->ask = ask;
	a->reply = reply;
	rte_lua_enter(l, a, co, steps);
	status = lua_resume(co, l->L, 0, &n);
	rte_lua_leave(l);
	a->ask = NULL;
	a->reply = NULL;
	if (status == LUA_YIELD && ask->kind != RTE_ASK_DONE) {
		lua_pop(co, n);
		return;
	}
	if (status != LUA_OK && status != LUA_YIELD)
		rte_lua_error_keep(co, a, status);
	ended(a, co, status);
	tell_end(a, f, ask);
}

/*
 * A part runs in a pcall of ours, and not only in its coroutine: an error that the hook raises
 * leaves hooks off in a coroutine that it ends, also for the to-be-closed variables and for
 * the coroutine's next use; a pcall sets them right (5.4.4).
 */
static int part_ended(lua_State *L, int status, lua_KContext ctx)
{
	(void)ctx;
	if (status != LUA_OK && status != LUA_YIELD)
		rte_lua_error_keep(L, rte_lua_actor(L), status);
	return 0;
}

/* Calls the function below n arguments; the stack below it holds nothing. */
static int call_part(lua_State *L, int n)
{
	lua_pushcfunction(L, rte_lua_error_seen);
	lua_insert(L, 1);
	return part_ended(L, lua_pcallk(L, n, 0, 1, 0, part_ended), 0);
}

static int part_main(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);

	if (a->test && a->start == parts[RTE_PART_ITERATION])
		return call_part(L, rte_lua_test_push(L, a));
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->env_ref);
	lua_pushstring(L, a->start);
	if (lua_rawget(L, -2) != LUA_TFUNCTION)
		return 0;
	lua_replace(L, 1);
	return call_part(L, 0);
}

static int rule_main(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);

	lua_rawgeti(L, LUA_REGISTRYINDEX, a->rules[a->rule].fn_ref);
	return call_part(L, 0);
}

static int top_main(lua_State *L)
{
	struct rte_actor *a = rte_lua_actor(L);

	lua_pushcfunction(L, rte_lua_error_seen);
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->script->chunk_ref);
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->env_ref);
	return part_ended(L, lua_pcall(L, 1, 0, 1), 0);
}

int rte_lua_actor_top(struct rte_actor *a, enum rte_lua_phase phase, struct b_error *err)
{
	struct rte_lua *l = a->lua;
	int n, status, rc;

	rte_lua_enter(l, &l->nobody, l->L, RTE_LUA_STEPS_MAX);
	rc = rte_lua_protect(l, open_actor, a, err);
	rte_lua_leave(l);
	if (rc)
		return rc;
	/* The first login and the first iteration share the row of data that the top level took. */
	a->epoch = 1;
	a->fresh = true;
	a->phase = phase;
	lua_pushcfunction(a->co, top_main);
	rte_lua_enter(l, a, a->co, RTE_LUA_STEPS_LONG_MAX);
	status = lua_resume(a->co, l->L, 0, &n);
	rte_lua_leave(l);
	if (status != LUA_OK && status != LUA_YIELD)
		rte_lua_error_keep(a->co, a, status);
	if (a->part_failure.error)
		rc = b_error_set(err, B_EINPUT, "%s", a->part_failure.error);
	else if (status == LUA_YIELD) /* coroutine.yield, with --allow-unsafe */
		rc = b_error_set(err, B_EINPUT, "%s: the top level of a script cannot wait",
			a->script->path);
	close_thread(a, a->co, false);
	a->phase = RTE_LUA_IDLE;
	return rc;
}

int rte_actor_new(struct rte_lua *l, const struct rte_actor_options *opt, struct rte_actor **out,
	struct b_error *err)
{
	struct rte_actor *a = b_calloc(1, sizeof *a);
	int rc;

	a->lua = l;
	a->script = (struct rte_script *)opt->script;
	a->host_user = opt->host_user;
	a->user = opt->user;
	a->seed = opt->seed;
	a->name = opt->name ? b_strdup(opt->name) : NULL;
	rc = rte_lua_actor_top(a, RTE_LUA_TOP, err);
	if (rc) {
		rte_actor_free(a);
		return rc;
	}
	*out = a;
	return B_OK;
}

/* ---- Parts ------------------------------------------------------------------------------- */

/* A login and the iteration behind it take the same row of data; each later iteration the next. */
static void turn(struct rte_actor *a, enum rte_part part)
{
	if (part == RTE_PART_LOGIN || part == RTE_PART_ITERATION) {
		if (!a->fresh)
			a->epoch++;
		a->fresh = part == RTE_PART_LOGIN;
	}
}

void rte_actor_start(struct rte_actor *a, enum rte_part part, const char *function,
	int64_t iteration, int64_t session, struct rte_ask *ask)
{
	bool outside = part == RTE_PART_SETUP || part == RTE_PART_TEARDOWN;

	rte_actor_cancel(a);
	rte_lua_failure_clear(&a->part_failure);
	forget_raised(a);
	turn(a, part);
	a->iteration = iteration;
	a->session = session;
	a->start = function ? function : parts[part];
	a->stop = false;
	a->relogin = a->skips = false;
	if (part == RTE_PART_LOGIN)
		a->n_screens = 0;
	a->phase = outside ? RTE_LUA_OUTSIDE : RTE_LUA_PART;
	lua_pushcfunction(a->co, part_main);
	run(a, a->co, NULL, ask);
}

void rte_actor_resume(struct rte_actor *a, const struct rte_reply *reply, struct rte_ask *ask)
{
	B_BUG_ON(a->phase == RTE_LUA_IDLE);
	run(a, a->phase == RTE_LUA_RULE ? a->rule_co : a->co, reply, ask);
}

/* ---- Rules ------------------------------------------------------------------------------- */

size_t rte_actor_rules(const struct rte_actor *a)
{
	return a->n_rules;
}

const struct vs_cond *rte_actor_rule(const struct rte_actor *a, size_t i)
{
	return a->rules[i].cond;
}

static int open_rule(lua_State *L)
{
	struct rte_actor *a = lua_touserdata(L, 1);

	a->rule_co = thread_new(L, a, &a->rule_ref);
	return 0;
}

void rte_actor_rule_start(struct rte_actor *a, size_t i, struct rte_ask *ask)
{
	struct rte_lua *l = a->lua;
	struct b_error err = { 0 };
	int rc = B_OK;

	B_BUG_ON(a->phase != RTE_LUA_PART || i >= a->n_rules);
	if (!a->rule_co) {
		rte_lua_enter(l, &l->nobody, l->L, RTE_LUA_STEPS_MAX);
		rc = rte_lua_protect(l, open_rule, a, &err);
		rte_lua_leave(l);
	}
	rte_lua_failure_clear(&a->rule_failure);
	if (rc) {
		a->rule_failure.error = b_strdup(err.text);
		a->rule_failure.kind = RTE_FAIL_ERROR;
		tell_end(a, &a->rule_failure, ask);
		return;
	}
	a->rule = i;
	a->below = a->phase;
	a->phase = RTE_LUA_RULE;
	lua_pushcfunction(a->rule_co, rule_main);
	run(a, a->rule_co, NULL, ask);
}
