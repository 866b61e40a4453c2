/*
 * What a script declares at its top level: target, terminal, defaults, mix. The first run of the
 * top level, at load, fills the script's info; those for each user say the same again.
 */
#include "rte/lua_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

/* The script that is being declared, or NULL when a user's top level says the same again. */
static struct rte_script *declaring(lua_State *L, const char *what)
{
	struct rte_actor *a = rte_lua_actor(L);

	if (a->phase != RTE_LUA_DECLARE && a->phase != RTE_LUA_TOP)
		rte_lua_raise(L, what, "belongs at the top level of the script, outside functions");
	return a->phase == RTE_LUA_DECLARE ? a->script : NULL;
}

static void keep(char **to, const char *text)
{
	free(*to);
	*to = text ? b_strdup(text) : NULL;
}

static int api_target(lua_State *L)
{
	struct rte_script *s = declaring(L, "target");
	const char *text = rte_lua_text(L, 1, "target", NULL);

	if (s)
		keep(&s->target, rte_lua_dir_push(L, text));
	return 0;
}

static int api_terminal(lua_State *L)
{
	static const char *const fields[] = { "term", "size", NULL };
	struct rte_script *s = declaring(L, "terminal");
	const char *term, *size;

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(L, "terminal",
			"takes a table: terminal { term = \"xterm-256color\", "
			"size = \"80x24\" }");
	rte_lua_fields_check(L, 1, "terminal", fields, 0);
	term = rte_lua_string_field(L, 1, "terminal", "term");
	size = rte_lua_string_field(L, 1, "terminal", "size");
	if (!s)
		return 0;
	if (term)
		keep(&s->term, term);
	if (size && b_parse_size(size, &s->info.cols, &s->info.rows))
		return rte_lua_raise(
			L, "terminal", "size = '%s' is not COLSxROWS, each 1 to 1000", size);
	return 0;
}

/* A field that is a distribution or a duration, as text; checked here, used by the engine. */
static void default_field(
	lua_State *L, struct rte_script *s, const char *name, char **to, bool dist)
{
	if (lua_getfield(L, 1, name) != LUA_TNIL) {
		if (lua_type(L, -1) == LUA_TNUMBER) {
			rte_lua_duration(L, -1, "defaults", B_NS_PER_S);
			lua_pushfstring(L, dist ? "const:%s" : "%ss", lua_tostring(L, -1));
			lua_replace(L, -2);
		} else if (dist) {
			rte_lua_dist(L, -1, "defaults");
			lua_pop(L, 1);
		} else {
			rte_lua_duration(L, -1, "defaults", B_NS_PER_S);
		}
		if (s)
			keep(to, lua_tostring(L, -1));
	}
	lua_pop(L, 1);
}

static int api_defaults(lua_State *L)
{
	static const char *const fields[] = { "typing", "think", "timeout", "settle", NULL };
	struct rte_script *s = declaring(L, "defaults");

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(
			L, "defaults", "takes a table: defaults { think = \"exp:10\" }");
	rte_lua_fields_check(L, 1, "defaults", fields, 0);
	default_field(L, s, "typing", s ? &s->typing : NULL, true);
	default_field(L, s, "think", s ? &s->think : NULL, true);
	default_field(L, s, "timeout", s ? &s->timeout : NULL, false);
	default_field(L, s, "settle", s ? &s->settle : NULL, false);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(
		((const struct rte_mix_entry *)a)->name, ((const struct rte_mix_entry *)b)->name);
}

static void mix_clear(struct rte_script *s)
{
	for (size_t i = 0; i < s->n_mix; i++)
		free((char *)s->mix[i].name);
	free(s->mix);
	free(s->mix_lines);
	s->mix_lines = NULL;
	s->mix = NULL;
	s->n_mix = 0;
}

static int api_mix(lua_State *L)
{
	struct rte_script *s = declaring(L, "mix");

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(L, "mix", "takes a table: mix { query = 80, update = 20 }");
	if (!s)
		return 0;
	mix_clear(s);
	s->info.mix_deck = rte_lua_bool_field(L, 1, "mix", "deck", false);
	lua_pushnil(L);
	while (lua_next(L, 1)) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
		double weight = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : -1;

		lua_pop(L, 1);
		if (name && !strcmp(name, "deck"))
			continue;
		if (!name || !(weight >= 0 && weight <= 1e9))
			return rte_lua_raise(L, "mix",
				"%s: a weight is a number from 0, as in query = 80",
				name ? name : "a name is missing");
		if (s->info.mix_deck && (weight != (double)(int)weight || weight > 10000))
			return rte_lua_raise(L, "mix",
				"%s: with deck = true a weight is a number of cards, 0 to 10000",
				name);
		s->mix = b_reallocarray(s->mix, s->n_mix + 1, sizeof *s->mix);
		s->mix[s->n_mix++] = (struct rte_mix_entry){ b_strdup(name), weight };
	}
	/* Lua's order of fields differs from one state to the next; draws must not. */
	if (s->n_mix)
		qsort(s->mix, s->n_mix, sizeof *s->mix, by_name);
	return 0;
}

void rte_lua_open_declare(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "target", api_target },
		{ "terminal", api_terminal },
		{ "defaults", api_defaults },
		{ "mix", api_mix },
		{ NULL, NULL },
	};

	luaL_setfuncs(L, functions, 0);
}
