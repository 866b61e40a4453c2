/*
 * report/runs.h - runs of one kind, one after the other: repeats, a monitor (private to report/).
 *
 * A directory whose runs all have the same number of users is seen over time: how figures went from
 * run to run, which thresholds were crossed and when, and when the verdict changed.
 */
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "report/ladder.h"

/* A threshold over the runs that had it. */
struct rp_crossing {
	const struct rp_threshold *threshold; /* of the last run that had it */
	size_t n, n_missed;                   /* runs */
	size_t last_missed;                   /* step; of use when n_missed */
	bool missed_now;                      /* in the last run that had it */
};

struct rp_runs {
	const struct rp_ladder *l;
	struct rp_trend rate, mean, p90; /* a run a step; runs that measured nothing are left out */
	struct rp_crossing *crossings;
	size_t n_crossings;
	size_t n_changes; /* of the verdict */
};

/* Whether a directory is one of runs over time. */
bool rp_is_runs(const struct rp_ladder *l);

void rp_runs_make(struct rp_runs *to, const struct rp_ladder *l);
void rp_runs_release(struct rp_runs *r);

/* A threshold of a run by its text; NULL: it had none. */
const struct rp_threshold *rp_runs_threshold(const struct rp_run *r, const char *text);
/* The run before step i that nobody stopped: such a one says nothing of the service. NULL: none. */
const struct rp_step *rp_runs_before(const struct rp_ladder *l, size_t i);
/* Whether the verdict of step i is another than that of the one before. */
bool rp_runs_changed(const struct rp_ladder *l, size_t i);
/* "mean 12.3ms, +3.1% from the first run to the last: within chance"; "" below three runs. */
void rp_runs_trend_text(struct b_buf *out, const struct rp_trend *t, bool seconds);
/* "met in 11 of 12 runs, now missed" */
void rp_runs_crossing_text(struct b_buf *out, const struct rp_runs *r, const struct rp_crossing *c);

/* "failed, was ok: missed query:p90<2s (2.31s)": the verdict of a step that changed it, and why. */
void rp_runs_change_text(struct b_buf *out, const struct rp_ladder *l, size_t i);

void rp_runs_text(const struct rp_runs *r, FILE *to);
void rp_runs_html(
	struct b_buf *out, const struct rp_runs *r); /* between table and end of the page */
json_t *rp_runs_data(const struct rp_runs *r);       /* for report.js */
json_t *rp_runs_json(const struct rp_runs *r);       /* for --json */

#endif
