/*
 * Loading scripts: text to a chunk that takes its environment, what the top level declares, and
 * the checks that need no user.
 */
#include "rte/lua_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define SCRIPT_MAX ((size_t)16 << 20) /* bytes of a source file */

/* ---- Files ------------------------------------------------------------------------------ */

int rte_lua_file_read(const char *path, struct b_buf *out, struct b_error *err)
{
	FILE *f = fopen(path, "rb");
	size_t n;
	int rc = B_OK;

	if (!f)
		return b_error_set(err, B_EINPUT, "cannot read %s: %s", path, strerror(errno));
	do {
		b_buf_reserve(out, 65536);
		n = fread(out->data + out->len, 1, 65536, f);
		out->len += n;
		if (out->len > SCRIPT_MAX)
			rc = b_error_set(err, B_EINPUT, "%s is no script: larger than 16 MiB", path);
	} while (n > 0 && !rc);
	if (ferror(f))
		rc = b_error_set(err, B_EINPUT, "cannot read %s: %s", path, strerror(errno));
	fclose(f);
	return rc;
}

/*
 * The chunk begins with "local _ENV = ...", on the source's first line: each call of it takes an
 * environment, and its globals are that table's fields. So a source is compiled once a worker
 * and called once a user.
 */
struct reader {
	const char *text;
	size_t len;
	int piece;
};

static const char *read_piece(lua_State *L, void *ud, size_t *len)
{
	static const char head[] = "local _ENV = ...; ";
	struct reader *r = ud;

	(void)L;
	switch (r->piece++) {
	case 0: *len = sizeof head - 1; return head;
	case 1: *len = r->len; return r->text;
	default: *len = 0; return NULL;
	}
}

static void skip_head(struct reader *r)
{
	if (r->len >= 3 && !memcmp(r->text, "\xef\xbb\xbf", 3)) {
		r->text += 3;
		r->len -= 3;
	}
	if (r->len && *r->text == '#')
		while (r->len && *r->text != '\n') {
			r->text++;
			r->len--;
		}
}

struct load_request {
	const char *path;
	const struct b_buf *text;
	int *ref; /* of the chunk */
};

void rte_lua_chunk_push(lua_State *L, const char *path, const struct b_buf *text)
{
	struct reader r = { .text = text->data, .len = text->len };

	if (r.len && *r.text == LUA_SIGNATURE[0])
		luaL_error(L, "%s is compiled Lua; give the source", path);
	skip_head(&r);
	lua_pushfstring(L, "@%s", path);
	if (lua_load(L, read_piece, &r, lua_tostring(L, -1), "t") != LUA_OK)
		lua_error(L);
	lua_remove(L, -2);
}

static int compile(lua_State *L)
{
	const struct load_request *q = lua_touserdata(L, 1);

	rte_lua_chunk_push(L, q->path, q->text);
	*q->ref = luaL_ref(L, LUA_REGISTRYINDEX);
	return 0;
}

char *rte_lua_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return b_strdup(".");
	return slash == path ? b_strdup("/") : b_strndup(path, (size_t)(slash - path));
}

static char *name_of(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t len;

	base = base ? base + 1 : path;
	len = strlen(base);
	if (len > 4 && !strcmp(base + len - 4, ".lua"))
		len -= 4;
	return b_strndup(base, len);
}

/* ---- require: modules in the script's folder --------------------------------------------- */

/* Compiled once a state (registry table "rte.modules"), called once a user with his environment;
   what it returns is kept in the environment's own table of modules. */
static void module_chunk_push(lua_State *L, const char *path)
{
	struct b_error err = { 0 };
	struct b_buf *text;

	luaL_getsubtable(L, LUA_REGISTRYINDEX, "rte.modules");
	if (lua_getfield(L, -1, path) == LUA_TFUNCTION) {
		lua_remove(L, -2);
		return;
	}
	lua_pop(L, 1);
	text = lua_newuserdatauv(L, sizeof *text, 0);
	memset(text, 0, sizeof *text);
	luaL_setmetatable(L, "rte.buf");
	if (rte_lua_file_read(path, text, &err))
		rte_lua_raise(L, "require", "%s", err.text);
	rte_lua_chunk_push(L, path, text);
	lua_pushvalue(L, -1);
	lua_setfield(L, -4, path);
	lua_replace(L, -3);
	lua_pop(L, 1);
}

static int buf_gc(lua_State *L)
{
	b_buf_release(lua_touserdata(L, 1));
	return 0;
}

/* The path of a module: dots are folders; nothing leads out of the script's folder. */
static const char *module_path_push(lua_State *L, const struct rte_actor *a, const char *name)
{
	const char *relative = luaL_gsub(L, name, ".", "/");

	for (const char *p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *p) ||
			(*p == '.' && (p == name || p[1] == '.' || !p[1])))
			rte_lua_raise(L, "require",
				"'%s' is no module of the script's folder; write \"name\" for name.lua",
				name);
	return lua_pushfstring(L, "%s/%s.lua", a->script->dir, relative);
}

static int api_require(lua_State *L)
{
	const char *name = rte_lua_text(L, 1, "require", NULL);
	struct rte_actor *a = rte_lua_actor(L);
	const char *path;

	if (!a->script)
		return rte_lua_raise(L, "require", "not offered here");
	lua_settop(L, 1);
	lua_rawgeti(L, LUA_REGISTRYINDEX, a->env_ref); /* 2 */
	lua_pushliteral(L, "_LOADED");
	if (lua_rawget(L, 2) != LUA_TTABLE) { /* 3 */
		lua_pop(L, 1);
		lua_newtable(L);
		lua_pushliteral(L, "_LOADED");
		lua_pushvalue(L, 3);
		lua_rawset(L, 2);
	}
	if (lua_getfield(L, 3, name) != LUA_TNIL)
		return 1;
	if (a->lua->allow_unsafe && strpbrk(name, "/\\") == NULL) {
		path = lua_pushfstring(L, "%s/%s.lua", a->script->dir, luaL_gsub(L, name, ".", "/"));
		if (access(path, R_OK) != 0) { /* then Lua's own, wherever package.path leads */
			lua_getglobal(L, "require");
			lua_pushvalue(L, 1);
			lua_call(L, 1, 1);
			return 1;
		}
	}
	path = module_path_push(L, a, name);
	module_chunk_push(L, path);
	lua_pushvalue(L, 2);
	lua_call(L, 1, 1);
	if (lua_isnil(L, -1)) {
		lua_pop(L, 1);
		lua_pushboolean(L, 1);
	}
	lua_pushvalue(L, -1);
	lua_setfield(L, 3, name);
	return 1;
}

/* ---- What the top level declares --------------------------------------------------------- */

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
		keep(&s->target, text);
	return 0;
}

static int api_terminal(lua_State *L)
{
	static const char *const fields[] = { "term", "size", NULL };
	struct rte_script *s = declaring(L, "terminal");
	const char *term, *size;

	if (lua_type(L, 1) != LUA_TTABLE)
		return rte_lua_raise(L, "terminal", "takes a table: terminal { term = \"xterm-256color\", "
						   "size = \"80x24\" }");
	rte_lua_fields_check(L, 1, "terminal", fields, 0);
	term = rte_lua_string_field(L, 1, "terminal", "term");
	size = rte_lua_string_field(L, 1, "terminal", "size");
	if (!s)
		return 0;
	if (term)
		keep(&s->term, term);
	if (size && b_parse_size(size, &s->info.cols, &s->info.rows))
		return rte_lua_raise(L, "terminal", "size = '%s' is not COLSxROWS, each 1 to 1000", size);
	return 0;
}

/* A field that is a distribution or a duration, as text; checked here, used by the engine. */
static void default_field(lua_State *L, struct rte_script *s, const char *name, char **to, bool dist)
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
		return rte_lua_raise(L, "defaults", "takes a table: defaults { think = \"exp:10\" }");
	rte_lua_fields_check(L, 1, "defaults", fields, 0);
	default_field(L, s, "typing", s ? &s->typing : NULL, true);
	default_field(L, s, "think", s ? &s->think : NULL, true);
	default_field(L, s, "timeout", s ? &s->timeout : NULL, false);
	default_field(L, s, "settle", s ? &s->settle : NULL, false);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct rte_mix_entry *)a)->name, ((const struct rte_mix_entry *)b)->name);
}

static void mix_clear(struct rte_script *s)
{
	for (size_t i = 0; i < s->n_mix; i++)
		free((char *)s->mix[i].name);
	free(s->mix);
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
			return rte_lua_raise(L, "mix", "%s: a weight is a number from 0, as in query = 80",
				name ? name : "a name is missing");
		if (s->info.mix_deck && (weight != (double)(int)weight || weight > 10000))
			return rte_lua_raise(L, "mix",
				"%s: with deck = true a weight is a number of cards, 0 to 10000", name);
		s->mix = b_reallocarray(s->mix, s->n_mix + 1, sizeof *s->mix);
		s->mix[s->n_mix++] = (struct rte_mix_entry){ b_strdup(name), weight };
	}
	/* Lua's order of fields differs from one state to the next; draws must not. */
	if (s->n_mix)
		qsort(s->mix, s->n_mix, sizeof *s->mix, by_name);
	return 0;
}

void rte_lua_open_load(lua_State *L)
{
	static const luaL_Reg functions[] = {
		{ "target", api_target },
		{ "terminal", api_terminal },
		{ "defaults", api_defaults },
		{ "mix", api_mix },
		{ "require", api_require },
		{ NULL, NULL },
	};

	luaL_setfuncs(L, functions, 0);
	luaL_newmetatable(L, "rte.buf");
	lua_pushcfunction(L, buf_gc);
	lua_setfield(L, -2, "__gc");
	lua_pop(L, 1);
}

/* ---- Checks after the top level ran ------------------------------------------------------- */

static const char *const hooks[] = { "setup", "login", "iteration", "logout", "teardown" };

static bool is_function(lua_State *L, int env, const char *name)
{
	bool is;

	lua_pushstring(L, name);
	is = lua_rawget(L, env) == LUA_TFUNCTION;
	lua_pop(L, 1);
	return is;
}

/* A function of the script that is called like a hook, nearly. */
static void check_misnamed(lua_State *L, int env, const struct rte_script *s)
{
	lua_pushnil(L);
	while (lua_next(L, env)) {
		const char *near = NULL;

		if (lua_type(L, -1) == LUA_TFUNCTION && lua_type(L, -2) == LUA_TSTRING)
			near = rte_lua_nearest(lua_tostring(L, -2), hooks, B_ARRAY_LEN(hooks));
		if (near && !is_function(L, env, near) && strcmp(near, lua_tostring(L, -2)) != 0)
			luaL_error(L, "%s: function '%s' is none that rte calls; did you mean '%s'?",
				s->path, lua_tostring(L, -2), near);
		lua_pop(L, 1);
	}
}

static int examine(lua_State *L)
{
	struct rte_actor *a = lua_touserdata(L, 1);
	struct rte_script *s = a->script;
	struct rte_script_info *info = &s->info;
	int env = 2;

	lua_rawgeti(L, LUA_REGISTRYINDEX, a->env_ref);
	info->has_setup = is_function(L, env, "setup");
	info->has_login = is_function(L, env, "login");
	info->has_iteration = is_function(L, env, "iteration");
	info->has_logout = is_function(L, env, "logout");
	info->has_teardown = is_function(L, env, "teardown");
	for (size_t i = 0; i < s->n_mix; i++)
		if (!is_function(L, env, s->mix[i].name))
			luaL_error(L, "%s: mix: the script has no function '%s'", s->path,
				s->mix[i].name);
	if (!s->n_mix)
		check_misnamed(L, env, s);
	if (s->n_mix && info->has_iteration)
		luaL_error(L, "%s: mix stands in place of iteration(); the script has both", s->path);
	if (!s->n_mix && !info->has_iteration && !info->has_login)
		luaL_error(L, "%s: the script has no function iteration(), and no mix", s->path);
	return 0;
}

static void fill_info(struct rte_script *s)
{
	struct rte_script_info *i = &s->info;

	if (!s->term)
		s->term = b_strdup("xterm-256color");
	i->path = s->path;
	i->name = s->name;
	i->target = s->target;
	i->term = s->term;
	i->mix = s->mix;
	i->n_mix = s->n_mix;
	i->typing = s->typing;
	i->think = s->think;
	i->timeout = s->timeout;
	i->settle = s->settle;
}

/* Runs the top level once, as nobody, to learn what it declares. */
static int declare(struct rte_lua *l, struct rte_script *s, struct b_error *err)
{
	struct rte_actor a = { .lua = l, .script = s, .name = (char *)"nobody" };
	int rc;

	rc = rte_lua_actor_top(&a, RTE_LUA_DECLARE, err);
	if (!rc)
		rc = rte_lua_protect(l, examine, &a, err);
	a.name = NULL;
	rte_lua_actor_close(&a);
	if (!rc)
		fill_info(s);
	return rc;
}

int rte_script_keys_check(
	const struct rte_script *s, const struct vs_keymap *keymap, struct b_error *err)
{
	char bytes[VS_KEY_MAX];

	for (size_t i = 0; i < s->n_keys; i++) {
		struct b_error e = { 0 };

		if (vs_key_encode(keymap, s->keys[i].name, 0, bytes, &e) < 0)
			return b_error_set(err, B_EINPUT, "%s:%d: %s", s->path, s->keys[i].line, e.text);
	}
	return B_OK;
}

int rte_script_load(struct rte_lua *l, const char *path, const struct vs_keymap *keymap,
	struct rte_script **out, struct b_error *err)
{
	struct rte_script *s = b_calloc(1, sizeof *s);
	struct b_buf text = B_BUF_INIT;
	struct load_request q = { .path = path, .text = &text, .ref = &s->chunk_ref };
	int rc;

	/* The script hangs on l from here on, whatever comes. */
	s->lua = l;
	s->next = l->scripts;
	l->scripts = s;
	s->path = b_strdup(path);
	s->dir = rte_lua_folder(path);
	s->name = name_of(path);
	s->info.rows = 24;
	s->info.cols = 80;
	rc = rte_lua_file_read(path, &text, err);
	if (!rc) {
		rte_lua_enter(l, &l->nobody, l->L, RTE_LUA_STEPS_LONG_MAX);
		rc = rte_lua_protect(l, compile, &q, err);
		rte_lua_leave(l);
	}
	if (!rc)
		rte_lua_lex_keys(b_buf_cstr(&text), text.len, &s->keys, &s->n_keys);
	b_buf_release(&text);
	if (!rc && keymap)
		rc = rte_script_keys_check(s, keymap, err);
	if (!rc)
		rc = declare(l, s, err);
	if (!rc)
		*out = s;
	return rc;
}

int rte_script_is_workload(const char *path, bool *is_workload, struct b_error *err)
{
	struct b_buf text = B_BUF_INIT;
	int rc = rte_lua_file_read(path, &text, err);

	if (!rc)
		*is_workload = rte_lua_lex_calls(b_buf_cstr(&text), text.len, "workload");
	b_buf_release(&text);
	return rc;
}

const struct rte_script_info *rte_script_info(const struct rte_script *s)
{
	return &s->info;
}
