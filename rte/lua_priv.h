/*
 * rte/lua_priv.h - what the files rte/lua_*.c share: the state, the actors, the checks of
 * arguments. Only they include it.
 *
 * Lua errors longjmp. So nothing that must be freed is held across a call that may raise: it
 * hangs on the actor, the state or a userdata with __gc before the next Lua call is made. Every
 * entry from outside is a lua_pcall or a lua_resume.
 *
 * A binding finds its user through the coroutine's extra space (rte_lua_actor). The main
 * thread's is `nobody`, which has no session and no host_user.
 */
#ifndef RTE_LUA_PRIV_H
#define RTE_LUA_PRIV_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdatomic.h>

#include "rte/pattern.h"
#include "rte/script_test.h"

/* ---- Limits, as rte-script(7) says ----------------------------------------------------- */

#define RTE_LUA_STEPS_MAX       10000000LL         /* instructions between two waits */
#define RTE_LUA_STEPS_LONG_MAX  200000000LL        /* the same in setup and at the top level */
#define RTE_LUA_STEPS_CLOSE_MAX 1000000LL          /* the same in to-be-closed variables */
#define RTE_LUA_GROWTH_MAX      ((size_t)64 << 20) /* bytes that one resume may add */
#define RTE_LUA_STATE_MAX       ((size_t)1 << 30)  /* bytes of a worker's state */
#define RTE_LUA_STRING_MAX      ((size_t)16 << 20) /* bytes that string.rep may make */
#define RTE_LUA_MATCH_STEPS_MAX 1000000            /* of one match in a condition */

enum rte_lua_stop { RTE_LUA_GO, RTE_LUA_STOP_STEPS, RTE_LUA_STOP_MEMORY, RTE_LUA_STOP_INTERRUPT };

/* What an actor is doing. */
enum rte_lua_phase {
	RTE_LUA_IDLE,
	RTE_LUA_DECLARE, /* the top level, run at load to learn what it declares */
	RTE_LUA_TOP,     /* the top level, for a user */
	RTE_LUA_OUTSIDE, /* setup, teardown: no session */
	RTE_LUA_PART,    /* login, iteration, logout */
	RTE_LUA_RULE,    /* the function of an `unexpected` rule */
	RTE_LUA_CLOSING  /* to-be-closed variables of an ended part */
};

struct rte_lua_rule {
	struct vs_cond *cond;
	int fn_ref;
};

/* Why a part or a rule has failed. It may go on for a while: to-be-closed variables may wait. */
struct rte_lua_failure {
	char *error, *traceback; /* owned; NULL: it has not failed */
	enum rte_fail_kind kind;
	const char *file;
	int line;
};

struct rte_actor {
	struct rte_lua *lua;
	struct rte_script *script;
	void *host_user;
	char *name;
	int64_t user, iteration, session;
	uint64_t seed;
	int64_t epoch; /* counts the turns in which data.csv gives a new row */

	lua_State *co;      /* of the parts */
	lua_State *rule_co; /* of the rules; NULL until one runs */
	int co_ref, rule_ref, env_ref;
	enum rte_lua_phase phase, below; /* below: of the part that a rule interrupts */
	const char *start;               /* the function to call, while a part starts */
	bool cancelled;                  /* its coroutine is being closed from outside */
	size_t rule;                     /* the rule to call, while one starts */
	bool fresh;                      /* login ran, no iteration since: they share an epoch */
	bool stop, relogin, skips;       /* asked for by the script */

	struct rte_ask *ask;           /* filled while it runs */
	const struct rte_reply *reply; /* read while it runs */

	struct rte_lua_rule *rules;
	size_t n_rules;
	struct vs_rect *masks;
	size_t n_masks;
	int *tests; /* references to the functions of its tests */
	size_t n_tests;
	size_t test, row; /* the test that an iteration is, from 1; 0: none */
	int n_screens;    /* golden screens after transactions in this session */

	/* the last error that a binding raised with a kind: to know it again when it comes out */
	char *raised;
	enum rte_fail_kind raised_kind;
	struct rte_lua_failure part_failure, rule_failure;
};

struct rte_script_key {
	char *name;
	int line;
};

struct rte_script {
	struct rte_lua *lua;
	struct rte_script *next;
	struct rte_script_info info;
	char *path, *dir, *name, *target, *term;
	char *typing, *think, *timeout, *settle;
	struct rte_mix_entry *mix; /* names owned */
	struct rte_script_lines *mix_lines;
	size_t n_mix;
	int chunk_ref;
	int env_meta_ref;            /* of its users' environments */
	struct rte_script_key *keys; /* literal key names */
	size_t n_keys;
	bool suite; /* it says things of other scripts' tests, and is none */
	struct rte_test_marks marks;
	struct rte_test_case *tests;
	size_t n_tests;
};

struct rte_lua {
	lua_State *L;
	struct rte_host host;
	struct rte_data *data;
	bool data_owned, allow_unsafe, screens;
	int64_t n_users;
	char *dir;              /* what {dir} is */
	struct b_random random; /* for the top level at load, where there is no user */
	struct rte_actor nobody;
	struct rte_script *scripts;

	size_t used, ceiling; /* bytes; what the allocator may give */
	unsigned refusals;    /* in this run */
	bool refused;         /* the last growth was refused */
	struct rte_actor *running;
	lua_State *running_co;
	int64_t steps_left;
	enum rte_lua_stop stop;
	const char *stop_file; /* where memory ran out; NULL: not known */
	int stop_line;
	_Atomic int64_t since_ns, interrupt_ns;

	int env_meta_ref; /* metatable of environments of scripts without sets of their own */
	int guard_ref;    /* the to-be-closed object of transactions */
	int dists_ref;    /* weak table text -> distribution */
};

/* ---- lua_state.c ------------------------------------------------------------------------ */

struct rte_actor *rte_lua_actor(lua_State *L);
/* A new state in which open(arg) runs, a light userdata, to fill it. */
int rte_lua_state_new(struct rte_lua **out, const struct rte_lua_options *opt, lua_CFunction open,
	void *arg, struct b_error *err) B_CHECK;
const char *rte_lua_stop_text(enum rte_lua_stop stop); /* the message for a script's author */
/* Begins and ends a stretch of Lua: limits, watchdog. steps_max bounds its instructions. */
void rte_lua_enter(struct rte_lua *l, struct rte_actor *a, lua_State *co, int64_t steps_max);
void rte_lua_leave(struct rte_lua *l);
/* Takes n instructions' worth of work off the budget (of a pattern match). */
void rte_lua_spend(lua_State *L, uint64_t n);
/* lua_pcall of fn with one light userdata on the main thread; fills err (B_EINPUT) with the
   message when it raises. */
int rte_lua_protect(struct rte_lua *l, lua_CFunction fn, void *arg, struct b_error *err) B_CHECK;

/* ---- lua_sandbox.c ---------------------------------------------------------------------- */

/* Fills l->env_meta_ref: the API, the allowed libraries, the sets. May raise. */
void rte_lua_sandbox_open(lua_State *L, const struct rte_lua_options *opt);
/* The same for a workload file: no session's functions. Leaves the base table on the stack. */
void rte_lua_base_push(lua_State *L, bool allow_unsafe);
/* Sets "NAME=VALUE" as fields of the table on top, and in its new table `set`. Raises for a
   name that the table at `base` has and no set gave. */
void rte_lua_sets_add(lua_State *L, int base, const char *const *sets, size_t n);
/* Pushes a metatable for environments: the fields of the table at idx. */
void rte_lua_env_meta_push(lua_State *L, int idx);
/* A read-only table whose fields are those of the table on top, which it replaces; an unknown
   field raises with the nearest known one when strict. */
void rte_lua_seal(lua_State *L, const char *name, bool strict);

/* ---- lua_args.c: arguments, option tables, places, errors -------------------------------- */

/* The nearest of n names, or NULL when none is near. */
const char *rte_lua_nearest(const char *name, const char *const *names, size_t n);
/* Raises unless every key of the table is in names (NULL ends), or an integer 1..n_array. */
void rte_lua_fields_check(
	lua_State *L, int table, const char *what, const char *const *names, lua_Integer n_array);
/* A field that is an integer within [min, max]; def when absent. */
lua_Integer rte_lua_int_field(lua_State *L, int table, const char *what, const char *name,
	lua_Integer min, lua_Integer max, lua_Integer def);
bool rte_lua_bool_field(lua_State *L, int table, const char *what, const char *name, bool def);
/* A field that is a string; NULL when absent. Valid while the table holds it. */
const char *rte_lua_string_field(lua_State *L, int table, const char *what, const char *name);
/* A duration at idx: seconds, or text such as "250ms". scale: ns of a bare number. */
int64_t rte_lua_duration(lua_State *L, int idx, const char *what, int64_t scale_ns);
/* A recorded pause in ms at idx, or -1 when there is none there. Result in ns. */
int64_t rte_lua_pause_arg(lua_State *L, int idx, const char *what);
/* The distribution that the text at idx names; pushes what keeps it alive. */
const struct b_dist *rte_lua_dist(lua_State *L, int idx, const char *what);
/* A text argument as the user gave it: a string or a number. */
const char *rte_lua_text(lua_State *L, int idx, const char *what, size_t *len);
/* A rectangle from a table: row, col from 1, rows, cols; not given: the whole range. */
void rte_lua_rect(lua_State *L, int table, const char *what, struct vs_rect *out);
/* Raises "what: message" with the script's place in front. */
int rte_lua_raise(lua_State *L, const char *what, const char *fmt, ...) B_PRINTF(3, 4);
/* Raises message with place in front, and remembers that it is of this kind. */
int rte_lua_raise_kind(lua_State *L, enum rte_fail_kind kind, const char *message);
/* The script's place: the innermost function that is no part of rte. */
void rte_lua_where(lua_State *L, const char **file, int *line);

/* ---- lua_actor.c: the protocol of waiting ------------------------------------------------ */

/* The running actor; raises when there is none with a session: `what` needs one. */
struct rte_actor *rte_lua_session(lua_State *L, const char *what);
/* The running actor; raises unless `what` may wait here. session: it needs one too. */
struct rte_actor *rte_lua_waiter(lua_State *L, const char *what, bool session);

/* Begins an ask of this kind, with the place in it. */
struct rte_ask *rte_lua_ask(lua_State *L, struct rte_actor *a, enum rte_ask_kind kind);
/* Yields the ask; k continues. A k begins with rte_lua_answered. */
int rte_lua_wait(lua_State *L, lua_KContext ctx, lua_KFunction k);
/* The reply's error is raised, if it has one; returns the running actor. */
struct rte_actor *rte_lua_answered(lua_State *L);
/* A continuation for what returns nothing. */
int rte_lua_nothing(lua_State *L, int status, lua_KContext ctx);
/* Ends the part as if the user had come to the end of his work: does not return. */
int rte_lua_stop_user(lua_State *L);
/* Which kind an error message is of. */
enum rte_fail_kind rte_lua_kind(const struct rte_actor *a, const char *message);
/* Makes the environment and the coroutine of an actor, whose lua, script and user are set, and
   runs the top level in it. */
int rte_lua_actor_top(struct rte_actor *a, enum rte_lua_phase phase, struct b_error *err) B_CHECK;
/* Gives back all that the actor holds, but not the actor. */
void rte_lua_actor_close(struct rte_actor *a);

/* ---- lua_failure.c ------------------------------------------------------------------------ */

/* That of the part or the rule which runs. */
struct rte_lua_failure *rte_lua_failure(struct rte_actor *a);
/* The message handler of parts and rules: fills it where the error was raised. */
int rte_lua_error_seen(lua_State *L);
/* After one failed with that status: fills in what the handler could not see. */
void rte_lua_error_keep(lua_State *L, struct rte_actor *a, int status);
void rte_lua_failure_clear(struct rte_lua_failure *f);

/* ---- Conditions (lua_cond.c) -------------------------------------------------------------- */

/* What scripts call the attributes of a cell. */
#define RTE_LUA_N_ATTRS 10
struct rte_lua_attr {
	const char *name;
	uint16_t attr; /* one of enum vs_attr */
};
extern const struct rte_lua_attr rte_lua_attrs[RTE_LUA_N_ATTRS];

/* Builds the condition of the value at idx and pushes the userdata that owns it. timeout_ns is
   set when the table has one. may_wait: timeout and already are allowed. */
struct vs_cond *rte_lua_cond(lua_State *L, int idx, const char *what, int64_t *timeout_ns);
/* The same of the arguments first .. last as alternatives. */
struct vs_cond *rte_lua_cond_any(lua_State *L, int first, int last, const char *what);
void rte_lua_cond_already(struct vs_cond *c); /* sets `already` in all of it */
void rte_lua_cond_open(lua_State *L);
/* Takes the condition out of its userdata: the caller's now. */
struct vs_cond *rte_lua_cond_take(lua_State *L, int idx);

/* ---- Scripts (lua_load.c, lua_lex.c) ------------------------------------------------------ */

/* Pushes the compiled chunk of a file's text, which takes an environment; raises when it
   cannot. */
void rte_lua_chunk_push(lua_State *L, const char *path, const struct b_buf *text);
/* A path's folder, "." when it has none; the caller's. */
char *rte_lua_folder(const char *path);
/* The literal key names of `press`, and whether `workload` is called. */
void rte_lua_lex_keys(const char *text, size_t len, struct rte_script_key **keys, size_t *n);
bool rte_lua_lex_calls(const char *text, size_t len, const char *function);
/* Whether a global function of that name is defined: function NAME(, or NAME = . */
bool rte_lua_lex_defines(const char *text, size_t len, const char *function);
/* Reads a whole file. B_EINPUT. */
int rte_lua_file_read(const char *path, struct b_buf *out, struct b_error *err) B_CHECK;

/* ---- Tests (lua_test.c) -------------------------------------------------------------------- */

/* Pushes the function and the arguments of the actor's test; returns how many these are. */
int rte_lua_test_push(lua_State *L, struct rte_actor *a);
/* The text with the test's folder for {dir} and the script's for {folder}, pushed. */
const char *rte_lua_dir_push(lua_State *L, const char *text);
void rte_lua_tests_release(struct rte_script *s);

/* ---- What fills the base table: each takes it on top of the stack ------------------------- */

void rte_lua_open_declare(lua_State *L);
void rte_lua_open_require(lua_State *L);
void rte_lua_open_input(lua_State *L);
void rte_lua_open_expect(lua_State *L);
void rte_lua_open_transaction(lua_State *L);
void rte_lua_open_test(lua_State *L);
void rte_lua_open_screen(lua_State *L);
void rte_lua_open_data(lua_State *L);
void rte_lua_open_random(lua_State *L);
void rte_lua_open_user(lua_State *L);
void rte_lua_open_string(lua_State *L); /* takes the string library on top */

#endif
