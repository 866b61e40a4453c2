/*
 * rte/solo.h - one user of one script, in this thread: what rte play and rte test stand on.
 *
 * The engine of rte run with one worker and no log. One login, the iterations, logout. SIGINT,
 * SIGTERM and SIGHUP end the user.
 *
 * Order of calls: rte_solo_open; rte_solo_setup; rte_solo_begin; then whatever else the worker's
 * loop is to watch; rte_solo_run; rte_solo_end; rte_solo_setup with the teardown; rte_solo_close,
 * which follows an rte_solo_open that failed, too.
 */
#ifndef RTE_SOLO_H
#define RTE_SOLO_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/roles.h"
#include "rte/worker.h"

struct rte_solo_options {
	const struct rte_workload *w; /* checked; of one script */
	const struct rte_observer *observer;
	int64_t user;        /* whose part it plays */
	const char *dir;     /* {dir} of the script; NULL: "." */
	const char *goldens; /* folder of all golden screens; NULL: beside the scripts */
	int64_t still_ns;    /* of shared; 0: the default */
	bool screens;        /* the screen after each transaction is a golden screen */
};

struct rte_solo {
	const struct rte_solo_options *opt;
	struct rte_shared shared;
	struct rte_lua *lua; /* of setup and teardown */
	struct rte_roles roles;
	struct rte_worker *worker;
	struct rte_side signals;
	sigset_t signals_before;
	bool began;
	bool interrupted; /* a signal came */
};

/* Loads the script. opt lives as long as s. The errors of rte_roles_load. */
int rte_solo_open(
	struct rte_solo *s, const struct rte_solo_options *opt, struct b_error *err) B_CHECK;
/* Says on standard error which command the script's own target runs. */
void rte_solo_tell_command(const struct rte_solo *s);
/* Runs setup() or teardown(), if the script has it. The errors of rte_setup_run. */
int rte_solo_setup(struct rte_solo *s, enum rte_part part, struct b_error *err) B_CHECK;
/* Makes the worker and its user, and takes the signals. B_EENV, B_EINPUT. */
int rte_solo_begin(struct rte_solo *s, struct b_error *err) B_CHECK;
struct rte_user *rte_solo_user(const struct rte_solo *s); /* after begin */
void rte_solo_run(struct rte_solo *s);
void rte_solo_end(struct rte_solo *s); /* gives the signals back */
void rte_solo_close(struct rte_solo *s);

#endif
