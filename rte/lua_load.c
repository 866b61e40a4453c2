/*
 * Loading scripts: text to a chunk that takes its environment, what the top level declares, and
 * the checks that need no user.
 */
#include "rte/lua_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

#define SCRIPT_MAX ((size_t)16 << 20) /* bytes of a source file */

/* ---- Files ------------------------------------------------------------------------------ */

int rte_lua_file_read(const char *path, struct b_buf *out, struct b_error *err)
{
	FILE *f = fopen(path, "rbe");
	size_t n;
	int rc = B_OK;

	if (!f)
		return b_error_set(err, B_EINPUT, "cannot read %s: %s", path, strerror(errno));
	do {
		b_buf_reserve(out, 65536);
		n = fread(out->data + out->len, 1, 65536, f);
		out->len += n;
		if (out->len > SCRIPT_MAX)
			rc = b_error_set(
				err, B_EINPUT, "%s is no script: larger than 16 MiB", path);
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
	struct rte_script *script;
	const struct b_buf *text;
	const char *const *sets;
	size_t n_sets;
};

void rte_lua_chunk_push(lua_State *L, const char *path, const struct b_buf *text)
{
	struct reader r = { .text = text->data, .len = text->len };

	if (r.len && *r.text == LUA_SIGNATURE[0])
		luaL_error(L, "%s is compiled Lua; give the source", path);
	skip_head(&r);
	/* Nothing in Lua begins so. */
	if (r.len && *r.text == '{')
		luaL_error(L,
			"%s is no script: it looks like a trace; rte script %s -o NAME.lua makes one of it",
			path, path);
	lua_pushfstring(L, "@%s", path);
	if (lua_load(L, read_piece, &r, lua_tostring(L, -1), "t") != LUA_OK)
		lua_error(L);
	lua_remove(L, -2);
}

/* An environment's metatable with the script's own sets between it and the base table. */
static void sets_open(lua_State *L, const struct load_request *q)
{
	int base = lua_gettop(L) + 2;

	lua_rawgeti(L, LUA_REGISTRYINDEX, q->script->lua->env_meta_ref);
	lua_getfield(L, -1, "__index");
	lua_newtable(L);
	rte_lua_sets_add(L, base, q->sets, q->n_sets);
	lua_getfield(L, -1, "set"); /* beside them, those of the run */
	lua_createtable(L, 0, 1);
	lua_getfield(L, base, "set");
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	rte_lua_seal(L, "set", false);
	lua_setfield(L, -2, "set");
	lua_createtable(L, 0, 1);
	lua_pushvalue(L, base);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	rte_lua_env_meta_push(L, -1);
	q->script->env_meta_ref = luaL_ref(L, LUA_REGISTRYINDEX);
	lua_settop(L, base - 2);
}

static int compile(lua_State *L)
{
	const struct load_request *q = lua_touserdata(L, 1);

	rte_lua_chunk_push(L, q->script->path, q->text);
	q->script->chunk_ref = luaL_ref(L, LUA_REGISTRYINDEX);
	if (q->n_sets)
		sets_open(L, q);
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

/* Where a function of the file at path stands. */
static struct rte_script_lines lines_of(lua_State *L, int env, const char *name, const char *path)
{
	struct rte_script_lines lines = { 0 };
	lua_Debug ar;

	lua_getfield(L, env, name);
	lua_getinfo(L, ">S", &ar);
	if (ar.source[0] == '@' && !strcmp(ar.source + 1, path))
		lines = (struct rte_script_lines){ ar.linedefined, ar.lastlinedefined };
	return lines;
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
			luaL_error(L,
				"%s: function '%s' is none that rte calls; did you mean '%s'?",
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
	if (s->n_mix)
		s->mix_lines = b_reallocarray(s->mix_lines, s->n_mix, sizeof *s->mix_lines);
	for (size_t i = 0; i < s->n_mix; i++) {
		if (!is_function(L, env, s->mix[i].name))
			luaL_error(L, "%s: mix: the script has no function '%s'", s->path,
				s->mix[i].name);
		s->mix_lines[i] = lines_of(L, env, s->mix[i].name, s->path);
	}
	if (!s->n_mix)
		check_misnamed(L, env, s);
	if (s->n_mix && info->has_iteration)
		luaL_error(
			L, "%s: mix stands in place of iteration(); the script has both", s->path);
	if (!s->n_mix && !info->has_iteration && !info->has_login && !s->n_tests && !s->suite)
		luaL_error(L, "%s: the script has no function iteration(), no mix and no test",
			s->path);
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
	i->mix_lines = s->mix_lines;
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

		if (!strcmp(s->keys[i].name, RTE_KEY_BREAK))
			continue; /* the line's, not the terminal's */
		if (vs_key_encode(keymap, s->keys[i].name, 0, bytes, &e) < 0)
			return b_error_set(
				err, B_EINPUT, "%s:%d: %s", s->path, s->keys[i].line, e.text);
	}
	return B_OK;
}

static struct rte_script *script_new(struct rte_lua *l, const char *path)
{
	struct rte_script *s = b_calloc(1, sizeof *s);

	/* The script hangs on l from here on, whatever comes. */
	s->lua = l;
	s->next = l->scripts;
	l->scripts = s;
	s->path = b_strdup(path);
	s->dir = rte_lua_folder(path);
	s->name = name_of(path);
	s->info.rows = 24;
	s->info.cols = 80;
	s->env_meta_ref = l->env_meta_ref;
	s->marks.timeout_ns = s->marks.retries = RTE_TEST_UNSET;
	return s;
}

static int load(struct rte_lua *l, struct rte_script *s, const char *const *sets, size_t n_sets,
	const struct vs_keymap *keymap, struct b_error *err)
{
	struct b_buf text = B_BUF_INIT;
	struct load_request q = { .script = s, .text = &text, .sets = sets, .n_sets = n_sets };
	int rc;

	rc = rte_lua_file_read(s->path, &text, err);
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
	return rc;
}

int rte_script_load_set(struct rte_lua *l, const char *path, const char *const *sets, size_t n_sets,
	const struct vs_keymap *keymap, struct rte_script **out, struct b_error *err)
{
	struct rte_script *s = script_new(l, path);
	int rc = load(l, s, sets, n_sets, keymap, err);

	if (!rc)
		*out = s;
	return rc;
}

int rte_suite_load(
	struct rte_lua *l, const char *path, struct rte_script **out, struct b_error *err)
{
	struct rte_script *s = script_new(l, path);
	int rc;

	s->suite = true;
	rc = load(l, s, NULL, 0, NULL, err);
	if (!rc)
		*out = s;
	return rc;
}

int rte_script_load(struct rte_lua *l, const char *path, const struct vs_keymap *keymap,
	struct rte_script **out, struct b_error *err)
{
	return rte_script_load_set(l, path, NULL, 0, keymap, out, err);
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
