/*
 * rte/lua_workload.h - inside of rte/lua_workload*.c: how the table of workload { ... } is read.
 *
 * Each of these takes a field of the table at stack index t, leaves the stack as it was, and
 * raises when the value makes no sense. Values go into the workload as soon as they are read.
 */
#ifndef RTE_LUA_WORKLOAD_H
#define RTE_LUA_WORKLOAD_H

#include "rte/lua_priv.h"
#include "rte/workload.h"

#define RTE_WL          "workload"
#define RTE_WL_LIST_MAX 100000

struct rte_wl {
	struct rte_workload *w;
	const char *path;
	char *dir; /* of the file: paths in it are relative to it */
	struct b_buf text;
	bool called;
};

/* Pushes the field: true when it is there; else nothing is pushed. */
bool rte_wl_field(lua_State *L, int t, const char *name);
/* What is absent leaves the value as it is. */
void rte_wl_duration(lua_State *L, int t, const char *name, int64_t *ns);
void rte_wl_string(lua_State *L, int t, const char *name, char **to);
/* A bare number is that many seconds; a table file is the workload's folder's. */
void rte_wl_dist(lua_State *L, const struct rte_wl *q, int t, const char *name, struct b_dist *d);
/* One of the names, by its number; -1 when the field is absent. */
int rte_wl_choice(lua_State *L, int t, const char *name, const char *const *names, size_t n);
/* A text or a list of texts, which replace what the list holds. */
void rte_wl_strings(lua_State *L, int t, const char *name, char ***list, size_t *n_list);

/* The length of the list on top of the stack. */
lua_Integer rte_wl_list_len(lua_State *L, const char *name);
/* Numbers of users from the list on top of the stack. */
void rte_wl_numbers(lua_State *L, const char *name, int64_t **to, size_t *n_to);
/* For qsort of texts: Lua's order of fields is no order. */
int rte_wl_by_text(const void *a, const void *b);

/* set, as "NAME=VALUE"; what --set said already stays. */
void rte_wl_sets(lua_State *L, const struct rte_workload *w, int t, char ***sets, size_t *n_sets);
void rte_wl_scripts(lua_State *L, const struct rte_wl *q, int t);
void rte_wl_ladder(lua_State *L, const struct rte_wl *q, int t);
void rte_wl_stages(lua_State *L, const struct rte_wl *q, int t);
void rte_wl_arrivals(lua_State *L, const struct rte_wl *q, int t);
void rte_wl_phases(lua_State *L, const struct rte_wl *q, int t);

#endif
