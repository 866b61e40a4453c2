/*
 * rte/workload.h - what a run is to do: scripts, users, phases, rates. Plain values.
 *
 * Filled in this order, later ones override: rte_workload_init (defaults), a workload file
 * (rte/lua_workload.c), the command line (rte/cmd_run.c). Then rte_workload_check.
 */
#ifndef RTE_WORKLOAD_H
#define RTE_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/random.h"

/* From when on something holds in a run; rte/when.h. */
enum rte_when_kind { RTE_WHEN_START, RTE_WHEN_PHASE, RTE_WHEN_STAGE, RTE_WHEN_TIME };
struct rte_when {
	enum rte_when_kind kind;
	int64_t value; /* enum rte_phase; from 1; ns since the start */
};

/* Shares of the functions of a script's mix; those that are not named get none. */
struct rte_workload_mix {
	struct rte_when from;
	char **names;
	double *weights;
	size_t n;
	bool deck;
};

struct rte_workload_script {
	char *path;     /* as found from here */
	double weight;  /* > 0; how the users without a script of their own are divided */
	int64_t *users; /* user numbers bound to this script, or NULL */
	size_t n_users;
	char **sets; /* "NAME=VALUE", of this script alone */
	size_t n_sets;
	/* What an iteration is, when it is not what the script says: */
	size_t test, row; /* this test (from 1; 0: none) for this row of its data, from 0 */
	char *function;   /* this function of a mix; owned; NULL: none */
	/* In place of the script's own shares; of those whose time has come the last one holds. */
	struct rte_workload_mix *mixes;
	size_t n_mixes;
};

struct rte_stage {
	int64_t users;
	int64_t duration_ns;
};

enum rte_on_error { RTE_ON_ERROR_RESTART, RTE_ON_ERROR_STOP, RTE_ON_ERROR_CONTINUE };

#define RTE_MEASURE_FOREVER    INT64_MAX
#define RTE_UNSET              (-1)
#define RTE_TIMEOUT_DEFAULT_NS (60 * INT64_C(1000000000))
#define RTE_SETTLE_DEFAULT_NS  (100 * INT64_C(1000000))
#define RTE_USERS_MAX          1000000
#define RTE_ITERATIONS_MAX     INT64_C(1000000000000) /* those of all users can be counted */

struct rte_workload {
	char *path; /* of the workload file, or NULL */
	struct rte_workload_script *scripts;
	size_t n_scripts;
	char **targets; /* used in turn; none: each script's own */
	size_t n_targets;
	char **binds;
	size_t n_binds;

	int64_t users;         /* >= 1; with arrivals the most at a time */
	double arrivals_per_s; /* sessions that begin (rte/arrivals.h); 0: users iterate on their own */
	bool arrivals_const; /* equally far apart, not exponentially */
	int64_t *ladder;     /* users of each step; none: one run */
	size_t n_ladder;
	struct rte_stage *stages; /* none: ramp to users */
	size_t n_stages;
	int64_t repeat;     /* >= 1 */
	int64_t iterations; /* of each user; RTE_UNSET: until the measurement ends */

	int64_t ramp_ns; /* RTE_UNSET: 50 ms a user, at most 30 s. Stages: spreads each step */
	int64_t warmup_ns;
	int64_t measure_ns; /* RTE_UNSET: the iterations' or the stages' time; RTE_MEASURE_FOREVER */
	int64_t continue_ns; /* RTE_UNSET: the timeout or 30 s, whichever is less */
	int64_t rampdown_ns;
	bool patient; /* the last logout takes as long as it takes: its own timeouts end it */

	struct b_dist typing, think, pacing; /* UNSET: what each script says */
	int64_t timeout_ns, settle_ns; /* RTE_UNSET: what each script says, else the default */
	int64_t settle_max_ns;
	enum rte_on_error on_error;
	bool on_error_set;
	int64_t connect_timeout_ns;
	int64_t connect_retries;

	uint64_t seed;
	bool seed_set;   /* else one is drawn and written down */
	int64_t workers; /* RTE_UNSET: one for each 2,500 users, at most one a core */
	char **sets;     /* "NAME=VALUE" */
	size_t n_sets;
	char **thresholds; /* "NAME:p90<2s" */
	size_t n_thresholds;
	char **stops; /* "errors>20% for 30s": end the run early (rte/stop_when.h) */
	size_t n_stops;
	char *rules; /* "tpc-c", "tpc-a" or NULL */
	bool strict;
	int64_t lateness_warn_ns, lateness_bad_ns;
	char *term;     /* in place of the scripts' own; NULL: not given */
	int rows, cols; /* likewise; 0 */
	bool echo_all;
	bool allow_unsafe;
	char *before, *after; /* shell commands, or NULL */
};

void rte_workload_init(struct rte_workload *w);
void rte_workload_release(struct rte_workload *w);
/* Adds `path` or `path=WEIGHT`. B_EUSAGE for a bad weight. */
int rte_workload_script_add(struct rte_workload *w, const char *arg, struct b_error *err) B_CHECK;
/* Appends a copy of s to a list of strings of w. */
void rte_workload_string_add(char ***list, size_t *n, const char *s);
/* "5,10,20" and "10 1m, 50 5m". */
int rte_workload_ladder_parse(
	struct rte_workload *w, const char *text, struct b_error *err) B_CHECK;
int rte_workload_stages_parse(
	struct rte_workload *w, const char *text, struct b_error *err) B_CHECK;
/* Whether it all fits together; fills what follows from the rest (users of stages, iterations,
   ramp, seed, workers, continue). Call it again for each step of a ladder after setting users.
   B_EUSAGE. */
int rte_workload_check(struct rte_workload *w, struct b_error *err) B_CHECK;

/* rte/lua_workload.c: reads a workload file over w. Paths in it are relative to its folder. The
   sets that w has already (of --set: put them in first) are globals while the file runs, and win
   over those that it gives. B_EINPUT with file:line; w is then half filled. */
int rte_workload_load(struct rte_workload *w, const char *path, struct b_error *err) B_CHECK;

#endif
