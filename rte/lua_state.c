/*
 * A worker's Lua state: its memory, its instruction budget, its protected calls.
 *
 * One count hook serves every coroutine. It takes HOOK_STEPS off the budget and looks whether
 * the watchdog wants this run to end. Once a run is to stop, the hook is set to every single
 * instruction and raises each time, so that no pcall of the script gets further than one.
 */
#include "rte/lua_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

/*
 * How exactly the budget is kept and how soon a watchdog is heard. Measured in a loop of 20 million
 * rounds, an instruction takes 2.8 ns with 1,000, 10,000 and 100,000 alike, within 3 %; without a
 * hook 1.4, since Lua looks at each instruction while there is any. A transaction has a hundred or
 * so of them. So more steps save nothing.
 */
#define HOOK_STEPS 1000

/* Beyond the ceiling, so that the message about it can be made. */
#define MESSAGE_RESERVE ((size_t)1 << 20)

#define REFUSALS_MAX 20

struct rte_actor *rte_lua_actor(lua_State *L)
{
	return *(struct rte_actor **)lua_getextraspace(L);
}

/* ---- Limits ----------------------------------------------------------------------------- */

const char *rte_lua_stop_text(enum rte_lua_stop stop)
{
	switch (stop) {
	case RTE_LUA_STOP_STEPS:
		return "the script ran too many instructions without waiting (an endless loop?)";
	case RTE_LUA_STOP_MEMORY:
		return "the script used too much memory between two waits (more than 64 MiB: endless "
		       "recursion, a table that grows?)";
	case RTE_LUA_STOP_INTERRUPT:
		return "the script held up its worker for too long and was interrupted";
	default: return "the script was stopped";
	}
}

static void hook(lua_State *L, lua_Debug *ar)
{
	struct rte_lua *l = rte_lua_actor(L)->lua;

	(void)ar;
	if (l->stop == RTE_LUA_GO) {
		int64_t since = atomic_load_explicit(&l->since_ns, memory_order_relaxed);

		l->steps_left -= HOOK_STEPS;
		if (l->steps_left < 0)
			l->stop = RTE_LUA_STOP_STEPS;
		else if (since &&
			atomic_load_explicit(&l->interrupt_ns, memory_order_relaxed) == since)
			l->stop = RTE_LUA_STOP_INTERRUPT;
		else
			return;
	}
	lua_sethook(L, hook, LUA_MASKCOUNT, 1);
	rte_lua_raise(L, NULL, "%s", rte_lua_stop_text(l->stop));
}

void rte_lua_spend(lua_State *L, uint64_t n)
{
	struct rte_lua *l = rte_lua_actor(L)->lua;

	l->steps_left -= n > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)n;
	if (l->steps_left < 0)
		hook(L, NULL);
}

/*
 * Lua calls this again after a full collection when it is refused; the second refusal of the
 * same growth is the end of this run, whatever a pcall makes of it. So is a script that lives
 * by collections alone.
 */
static void *alloc(void *ud, void *p, size_t old, size_t new)
{
	struct rte_lua *l = ud;
	size_t had = p ? old : 0;
	void *q;

	if (new == 0) {
		free(p);
		l->used -= had;
		return NULL;
	}
	if (new > had && l->used - had + new > l->ceiling) {
		if (l->refused || ++l->refusals > REFUSALS_MAX) {
			if (l->stop == RTE_LUA_GO) {
				l->stop = RTE_LUA_STOP_MEMORY;
				l->ceiling += MESSAGE_RESERVE;
				/* Nobody can ask later: memory errors call no message handler. */
				if (l->running_co)
					rte_lua_where(l->running_co, &l->stop_file, &l->stop_line);
			}
			/* Async-safe by the manual: only marks the thread. */
			if (l->running_co)
				lua_sethook(l->running_co, hook, LUA_MASKCOUNT, 1);
		}
		l->refused = true;
		return NULL;
	}
	/* Not b_realloc: a shrinking must not fail, and Lua can live with a refused growth. */
	q = realloc(p, new);
	if (!q)
		return new <= had ? p : NULL;
	if (new > had)
		l->refused = false;
	l->used = l->used - had + new;
	return q;
}

void rte_lua_enter(struct rte_lua *l, struct rte_actor *a, lua_State *co, int64_t steps_max)
{
	size_t room = l->used < RTE_LUA_STATE_MAX ? RTE_LUA_STATE_MAX - l->used : 0;

	l->running = a;
	l->running_co = co;
	l->steps_left = steps_max;
	l->stop = RTE_LUA_GO;
	l->stop_file = NULL;
	l->refused = false;
	l->refusals = 0;
	l->ceiling = l->used + (room < RTE_LUA_GROWTH_MAX ? room : RTE_LUA_GROWTH_MAX);
	lua_sethook(co, hook, LUA_MASKCOUNT, HOOK_STEPS);
	atomic_store_explicit(&l->since_ns, b_clock_mono_ns(), memory_order_relaxed);
}

void rte_lua_leave(struct rte_lua *l)
{
	atomic_store_explicit(&l->since_ns, 0, memory_order_relaxed);
	l->running = NULL;
	l->running_co = NULL;
	l->ceiling = SIZE_MAX;
}

int64_t rte_lua_running_since_ns(const struct rte_lua *l)
{
	return atomic_load_explicit(&l->since_ns, memory_order_relaxed);
}

void rte_lua_interrupt(struct rte_lua *l, int64_t since_ns)
{
	atomic_store_explicit(&l->interrupt_ns, since_ns, memory_order_relaxed);
}

/* ---- Protected calls -------------------------------------------------------------------- */

int rte_lua_protect(struct rte_lua *l, lua_CFunction fn, void *arg, struct b_error *err)
{
	lua_State *L = l->L;
	int rc;

	lua_pushcfunction(L, fn);
	lua_pushlightuserdata(L, arg);
	rc = lua_pcall(L, 1, 0, 0);
	if (rc == LUA_OK)
		return B_OK;
	b_error_set(err, B_EINPUT, "%s",
		lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "error in Lua");
	lua_pop(L, 1);
	return B_EINPUT;
}

/* ---- Making and freeing ----------------------------------------------------------------- */

static int open_state(lua_State *L)
{
	const struct rte_lua_options *opt = lua_touserdata(L, 1);
	struct rte_lua *l = rte_lua_actor(L)->lua;

	rte_lua_sandbox_open(L, opt);
	lua_createtable(L, 0, 0);
	lua_createtable(L, 0, 1);
	lua_pushliteral(L, "v");
	lua_setfield(L, -2, "__mode");
	lua_setmetatable(L, -2);
	l->dists_ref = luaL_ref(L, LUA_REGISTRYINDEX);
	return 0;
}

static int panic(lua_State *L)
{
	(void)L;
	b_bug(__FILE__, __LINE__, "a Lua error outside of a protected call");
}

int rte_lua_state_new(struct rte_lua **out, const struct rte_lua_options *opt, lua_CFunction open,
	void *arg, struct b_error *err)
{
	struct rte_lua *l = b_calloc(1, sizeof *l);
	int rc;

	l->ceiling = SIZE_MAX;
	if (opt->host)
		l->host = *opt->host;
	l->allow_unsafe = opt->allow_unsafe;
	l->screens = opt->screens;
	l->n_users = opt->n_users > 0 ? opt->n_users : 1;
	l->dir = opt->dir ? b_strdup(opt->dir) : NULL;
	l->data = opt->data ? opt->data : rte_data_new();
	l->data_owned = !opt->data;
	l->nobody.lua = l;
	b_random_init(&l->random, 0, 0, B_STREAM_DATA);
	l->L = lua_newstate(alloc, l);
	if (!l->L) {
		rc = b_error_set(err, B_EENV, "no memory for a Lua state");
		rte_lua_free(l);
		return rc;
	}
	lua_atpanic(l->L, panic);
	/* A cycle begins when the heap has grown by half, not doubled: a quarter less memory a user
	   for no measurable time. */
	lua_gc(l->L, LUA_GCINC, 150, 100, 0);
	*(struct rte_actor **)lua_getextraspace(l->L) = &l->nobody;
	rte_lua_enter(l, &l->nobody, l->L, RTE_LUA_STEPS_LONG_MAX);
	rc = rte_lua_protect(l, open, arg, err);
	rte_lua_leave(l);
	if (rc) {
		rte_lua_free(l);
		return rc;
	}
	*out = l;
	return B_OK;
}

int rte_lua_new(struct rte_lua **out, const struct rte_lua_options *opt, struct b_error *err)
{
	return rte_lua_state_new(out, opt, open_state, (void *)opt, err);
}

static void script_free(struct rte_script *s)
{
	for (size_t i = 0; i < s->n_mix; i++)
		free((char *)s->mix[i].name);
	for (size_t i = 0; i < s->n_keys; i++)
		free(s->keys[i].name);
	rte_lua_tests_release(s);
	free(s->mix);
	free(s->mix_lines);
	free(s->keys);
	free(s->path);
	free(s->dir);
	free(s->name);
	free(s->target);
	free(s->term);
	free(s->typing);
	free(s->think);
	free(s->timeout);
	free(s->settle);
	free(s);
}

void rte_lua_free(struct rte_lua *l)
{
	struct rte_script *next;

	if (!l)
		return;
	if (l->L)
		lua_close(l->L);
	for (struct rte_script *s = l->scripts; s; s = next) {
		next = s->next;
		script_free(s);
	}
	if (l->data_owned)
		rte_data_free(l->data);
	b_random_release(&l->random);
	free(l->nobody.raised);
	free(l->dir);
	free(l);
}

int rte_lua_match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end)
{
	const struct rte_pattern_in in = {
		.pattern = pattern,
		.pattern_len = pattern_len,
		.subject = subject,
		.subject_len = len,
		.from = from,
		.steps = RTE_LUA_MATCH_STEPS_MAX,
	};
	struct rte_pattern_match m;
	int rc = rte_pattern_find(&in, &m);

	(void)user;
	if (rc == 1) {
		*start = m.start;
		*end = m.end;
	}
	return rc;
}
