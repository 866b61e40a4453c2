/*
 * rte/script.h - scripts in Lua, seen from the engine: a script is a generator of asks.
 *
 * The engine (rte/user.c, rte/worker.c) knows no Lua; the Lua side (rte/lua_*.c) knows no
 * lines, clocks or timers. A part of a script (login, one iteration, logout) runs as a
 * coroutine: it is started or resumed with a reply and gives back an ask ("type these bytes",
 * "wait for this condition", "think"), or says that it is done or has failed. What needs no
 * waiting (reading the screen, beginning a transaction, a check) comes through struct rte_host
 * while the script runs.
 *
 * One struct rte_lua (one lua_State) a worker, used by that worker's thread alone. No Lua error
 * escapes: each call here is a protected one.
 */
#ifndef RTE_SCRIPT_H
#define RTE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/random.h"
#include "vscreen/cond.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"

/* ---- What a script asks and what it is told ------------------------------------------- */

#define RTE_KEY_BREAK "Break"

enum rte_ask_kind {
	RTE_ASK_DONE,   /* the part has returned; count, relogin */
	RTE_ASK_FAILED, /* it raised: error */
	RTE_ASK_SEND,   /* type bytes, a character each at the typing rate */
	RTE_ASK_PRESS,  /* press the key `bytes` (a name), encoded when it is due; RTE_KEY_BREAK:
			   the line sends a break */
	RTE_ASK_PASTE,  /* send bytes as one paste */
	RTE_ASK_RAW,    /* send exactly these bytes at once, one keystroke (raw keys, mouse) */
	RTE_ASK_MOUSE,  /* send this mouse action as the application asked for it */
	RTE_ASK_EXPECT, /* wait for cond, at most timeout_ns */
	RTE_ASK_THINK, /* the user's think time; dist when the script gave one, else the workload's */
	RTE_ASK_PAUSE, /* wait dist exactly, no think time (the pause after a lone Esc) */
	/* wait until `count` users are at the barrier named `bytes` (0: all; negative: per cent of all),
	   at most timeout_ns; then it fails, or with `soft` all who wait go on */
	RTE_ASK_BARRIER,
	RTE_ASK_RESIZE,   /* resize the window to rows x cols */
	RTE_ASK_INTERACT, /* the line is the person's until the prefix key */
	RTE_ASK_GOLDEN    /* compare with golden screen `bytes` once the screen has settled */
};

enum rte_fail_kind {
	RTE_FAIL_NONE,
	RTE_FAIL_TIMEOUT,    /* an expect was not fulfilled in time */
	RTE_FAIL_CHECK,      /* check() or golden() */
	RTE_FAIL_DISCONNECT, /* the line closed while the script still used it */
	RTE_FAIL_ERROR,      /* the script raised something else, or broke a limit */
	RTE_FAIL_CANCEL,     /* cancelled from outside */
	RTE_FAIL_LEFT        /* the script itself ended the part: user.stop, skip, its data ended */
};

struct rte_ask {
	enum rte_ask_kind kind;
	/* Owned by the script, valid until the next start, resume or cancel of this actor. */
	const char *bytes;
	size_t len;
	bool secret;                /* SEND: a secret, redact it wherever screens are kept */
	const char *secret_name;    /* SEND with secret */
	const struct vs_cond *cond; /* EXPECT; GOLDEN: compare only when this holds, or NULL */
	int64_t timeout_ns;         /* EXPECT, BARRIER; -1: the workload's */
	const struct b_dist *dist;  /* THINK, PAUSE: what the script said; NULL: the workload's */
	int64_t recorded_ns;        /* THINK: the recorded think time; SEND, PRESS, PASTE, RAW: the
				    recorded pause in front of it; -1: none */
	const int32_t *gaps_ms; /* SEND: recorded gaps in front of its 2nd, 3rd, ... character */
	size_t n_gaps;          /* (UTF-8 characters, as typed); 0: none were recorded */
	int64_t count;          /* BARRIER; DONE: -1 when this user is to stop (user.stop(), or
				    its data ended with at_end = "stop"), else 0 */
	bool relogin;           /* DONE: relogin() was called: log out, and log in anew */
	int rows, cols;         /* RESIZE */
	struct vs_mouse mouse;
	const struct vs_rect *masks; /* GOLDEN: besides those set with mask() */
	size_t n_masks;
	bool attrs, cursor; /* GOLDEN: what is compared besides the text */
	bool soft; /* GOLDEN: a difference is noted and does not raise; BARRIER: see there */
	/* where the script stands, for every kind */
	const char *file; /* NULL: unknown */
	int line;
	/* FAILED */
	enum rte_fail_kind fail;
	const char *error; /* one line: file:line: message, escaped */
	const char *traceback;
};

struct rte_reply {
	enum rte_fail_kind fail;             /* raise this in the script; NONE: go on */
	const char *error;                   /* with fail: what to raise; copied */
	const struct vs_cond_result *result; /* after EXPECT */
	bool not_compared;                   /* after a GOLDEN: its condition did not hold */
	bool not_all;                        /* after a BARRIER with soft: the time was up */
	const char *stream; /* after an EXPECT that ended by STREAM: the output that was judged, */
	size_t stream_len;  /* so that captures can be taken from it; else NULL */
};

/* ---- What the engine offers while a script runs --------------------------------------- */

struct rte_tx_options {
	double max_s; /* budget of its response time; 0: none */
	const struct b_dist
		*think; /* think time after it; NULL: not given. Copied by the engine. */
	const struct b_dist *typing;
};

/* host_user is what rte_actor_new was given. All are called on the worker's thread, from inside
   start or resume. Strings are valid during the call only. */
struct rte_host {
	struct vs_screen *(*screen)(void *host_user);
	const struct vs_keymap *(*keymap)(void *host_user); /* NULL before the session is known */
	struct b_random *(*random)(void *host_user);        /* the data stream */
	int (*tx_begin)(void *host_user, const char *name, const struct rte_tx_options *opt,
		struct b_error *err); /* B_EUSAGE: one is open already */
	/* fail: why it ended (NONE: its function returned), detail: the error, or NULL. Comes also
	   while the coroutine of a failed or cancelled part is closed. */
	int (*tx_end)(
		void *host_user, enum rte_fail_kind fail, const char *detail, struct b_error *err);
	/* A check that failed inside a transaction makes it status `check`; hard ones also raise. */
	void (*check_failed)(void *host_user, const char *message, bool hard);
	/* skip() ends the test, or the iteration of a run. May be NULL. */
	void (*skipped)(void *host_user, const char *reason);
	/* All masks that hold from here on, for this session and later ones. May come before the
	   first session, from the top level of the script. */
	void (*masks_set)(void *host_user, const struct vs_rect *rects, size_t n);
	void (*log)(void *host_user, const char *text);
	/* A secret by name: RTE_SECRET_NAME in the environment, or NULL. */
	const char *(*secret)(void *host_user, const char *name);
};

/* ---- A worker's Lua state ------------------------------------------------------------- */

struct rte_lua;
struct rte_script;

/* Data files, read once and shared by the states of all workers. Thread-safe; outlives them. */
struct rte_data;
struct rte_data *rte_data_new(void);
void rte_data_free(struct rte_data *d); /* NULL accepted */

struct rte_lua_options {
	const struct rte_host *host;
	struct rte_data *data; /* NULL: this state reads its own */
	bool allow_unsafe;
	const char *const *sets; /* "NAME=VALUE" of --set: globals of every script, numbers where */
	size_t n_sets;           /* they are numbers. Also in table `set`. */
	int64_t n_users;         /* users of the run: slices of unique rows */
	const char *dir;         /* what {dir} in a target is: a test's own folder; NULL: "." */
	bool screens; /* the screen after each transaction is a golden screen (rte test) */
};

int rte_lua_new(
	struct rte_lua **out, const struct rte_lua_options *opt, struct b_error *err) B_CHECK;
void rte_lua_free(struct rte_lua *l);

/*
 * Loads and compiles a script (text only), checks its literal key names against keymap when
 * that is not NULL, and runs its top level once to learn what it declares. B_EINPUT with
 * file:line: message. The script belongs to l.
 */
int rte_script_load(struct rte_lua *l, const char *path, const struct vs_keymap *keymap,
	struct rte_script **out, struct b_error *err) B_CHECK;
/* The same with sets of its own, "NAME=VALUE", which go over those of the state. */
int rte_script_load_set(struct rte_lua *l, const char *path, const char *const *sets, size_t n_sets,
	const struct vs_keymap *keymap, struct rte_script **out, struct b_error *err) B_CHECK;
/* The check of literal key names alone, when the TERM is known only after loading. */
int rte_script_keys_check(
	const struct rte_script *s, const struct vs_keymap *keymap, struct b_error *err) B_CHECK;
/* Whether the file is a workload (calls `workload`), without running it. */
int rte_script_is_workload(const char *path, bool *is_workload, struct b_error *err) B_CHECK;

/* The names of the barriers that the file comes to, as far as they stand in it as texts, without
   running it. The names and the list are the caller's. */
int rte_script_barriers(const char *path, char ***names, size_t *n, struct b_error *err) B_CHECK;

struct rte_mix_entry {
	const char *name; /* of a function of the script */
	double weight;
};

struct rte_script_lines {
	int first, last;
};

struct rte_script_info {
	const char *path, *name; /* name: the file's without folder and .lua */
	const char *target;      /* NULL: the script names none */
	const char *term;        /* never NULL */
	int rows, cols;
	bool has_setup, has_login, has_iteration, has_logout, has_teardown;
	const struct rte_mix_entry *mix; /* instead of iteration; n_mix 0: none */
	size_t n_mix;
	const struct rte_script_lines *mix_lines; /* of these functions; 0: in another file */
	bool mix_deck;
	/* declared by `defaults { ... }` in the script (typing, think, timeout, settle); as text,
	   NULL when not given */
	const char *typing, *think, *timeout, *settle;
};
const struct rte_script_info *rte_script_info(const struct rte_script *s);

/* ---- One user's instance of a script -------------------------------------------------- */

struct rte_actor;

struct rte_actor_options {
	const struct rte_script *script;
	void *host_user;
	int64_t user;     /* from 1 */
	const char *name; /* user.name; NULL: "user" and the number */
	uint64_t seed;
};

/* Makes the user's environment and runs the script's top level in it. B_EINPUT when it raises. */
int rte_actor_new(struct rte_lua *l, const struct rte_actor_options *opt, struct rte_actor **out,
	struct b_error *err) B_CHECK;
void rte_actor_free(struct rte_actor *a); /* cancels first; NULL accepted */

enum rte_part {
	RTE_PART_SETUP,
	RTE_PART_LOGIN,
	RTE_PART_ITERATION,
	RTE_PART_LOGOUT,
	RTE_PART_TEARDOWN
};

/*
 * Starts a part; function names the mix's pick (ITERATION), else NULL. iteration counts from 1
 * and is what user.iteration says; session likewise. Fills ask. A part that the script does
 * not have is DONE at once. After DONE and FAILED the part is over and its coroutine closed.
 */
void rte_actor_start(struct rte_actor *a, enum rte_part part, const char *function,
	int64_t iteration, int64_t session, struct rte_ask *ask);
void rte_actor_resume(struct rte_actor *a, const struct rte_reply *reply, struct rte_ask *ask);
/* Closes the coroutine; to-be-closed variables run. Nothing when none is running. */
void rte_actor_cancel(struct rte_actor *a);

/* Rules of `unexpected`: judged by the engine while an expect waits. The first rule whose
   condition holds wins; its function then runs as asks of its own until DONE, and the
   interrupted wait goes on (resume it with the wait's reply as ever). While a rule runs,
   rte_actor_resume speaks to the rule; rules do not interrupt rules. FAILED of a rule fails
   the part: cancel it. DONE of a rule with count -1 ends the part likewise. Conditions live
   as long as the actor. */
size_t rte_actor_rules(const struct rte_actor *a);
const struct vs_cond *rte_actor_rule(const struct rte_actor *a, size_t i);
void rte_actor_rule_start(struct rte_actor *a, size_t i, struct rte_ask *ask);

/* The pattern matcher of conditions: Lua's own, its subjects capped. user is the rte_lua. */
int rte_lua_match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end);

/* What the watchdog thread reads: CLOCK_MONOTONIC time since when Lua runs without coming back
   (0: it does not run), and how to end that run and no later one. The user whose script ran
   fails with RTE_FAIL_ERROR. Thread-safe. */
int64_t rte_lua_running_since_ns(const struct rte_lua *l);
void rte_lua_interrupt(struct rte_lua *l, int64_t since_ns);

#endif
