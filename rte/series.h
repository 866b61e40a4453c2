/*
 * rte/series.h - one run or several, one after the other: ladders, repeats, monitoring.
 *
 * A single run is the run directory itself. A ladder or repeats make a directory with one run a
 * step below it: 005-users, 010-users, with repeats 005-users-2; run-1, run-2 without a ladder;
 * a monitor (rte/monitor.h) names its runs by their time. --before and --after run around each of them.
 */
#ifndef RTE_SERIES_H
#define RTE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/workload.h"

struct rte_series_options {
	const char *dir;           /* -o, or NULL */
	char *const *command;      /* NULL ends */
	const char *metrics, *sar; /* as in rte/run.h */
	bool progress;
	bool tui;              /* a full-screen display */
	int64_t every_ns;      /* 0: once */
	const char *on_change; /* a shell command when a monitor's verdict changes, or NULL */
};

enum rte_series_end {
	RTE_SERIES_GOES_ON,
	RTE_SERIES_REFUSED, /* the run could not be begun */
	RTE_SERIES_STOPPED  /* by a person or a signal */
};

struct rp_brief;

/* One run of a series (for rte/monitor.c): makes path, runs, reports; brief as in report/report.h, in
   place of the report on standard output when it is not NULL. */
enum b_exit rte_series_step(struct rte_workload *w, const struct rte_series_options *opt,
	const char *path, struct rp_brief *brief, enum rte_series_end *end);

/*
 * Runs what w says and prints the report on standard output. w has been filled, not checked.
 * Returns the exit status; messages have been printed.
 */
enum b_exit rte_series_run(struct rte_workload *w, const struct rte_series_options *opt);

struct rte_data;
struct rte_lua;
struct rte_roles;

/* Scripts and data of the step with the most users, before anything is touched. On success *l and
   roles are the caller's to release; the data files that the scripts opened are in data (NULL: not
   kept). */
int rte_series_look_ahead(struct rte_workload *w, struct rte_data *data, struct rte_lua **l,
	struct rte_roles *roles, struct b_error *err) B_CHECK;

/* Whether this machine can do it: limits, names of hosts. B_EENV. */
int rte_series_machine_check(
	const struct rte_workload *w, const struct rte_roles *roles, struct b_error *err) B_CHECK;

/* rte/plan.c: prints what would be run (--dry-run): checks all that can be checked without a session. */
enum b_exit rte_series_plan(struct rte_workload *w, const struct rte_series_options *opt);

#endif
