/*
 * rte/run.h - one run: from a checked workload to a run directory.
 *
 * The calling thread watches over the run: phases, signals, progress, timeline, limits, the
 * watchdog; workers do the work, one thread writes the logs. SIGINT and SIGTERM end it gently
 * (users log out), a second one at once; both leave a directory that can be reported on.
 */
#ifndef RTE_RUN_H
#define RTE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/workload.h"

struct rte_run_options {
	const char *dir;      /* made by rte_rundir_make */
	char *const *command; /* the command line, for run.json; NULL ends */
	const char *metrics;  /* where to serve them (rte/metrics.h); NULL: nowhere */
	const char *sar;      /* record system activity: "" here, else over ssh; NULL: not */
	bool progress;
	bool tui; /* a full-screen display; the terminal will do (rte/attach.h) */
};

enum rte_outcome {
	RTE_COMPLETED,   /* all phases went by, or all iterations were done */
	RTE_INTERRUPTED, /* a person ended it */
	RTE_CONDITION,   /* a stop condition held (rte/stop_when.h) */
	RTE_NOBODY,      /* no user got anywhere */
	RTE_STOPPED      /* it could not go on: the disk is full, a worker died */
};

struct rte_run_result {
	enum rte_outcome outcome;
	enum b_exit status;   /* OK, or why the outcome alone fails it */
	struct b_error error; /* the message of CONDITION, NOBODY and STOPPED */
	bool interrupted_twice;
	bool lost; /* its directory is gone, or another's: there is nothing to report on */
};

/*
 * Runs w in this process. 0: there was a run, *result says how it went; the report is not made
 * here. Negative: it was refused before any user started, the message says why.
 */
int rte_run(const struct rte_workload *w, const struct rte_run_options *opt,
	struct rte_run_result *result, struct b_error *err) B_CHECK;

#endif
