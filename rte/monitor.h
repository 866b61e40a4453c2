/*
 * rte/monitor.h - service-level monitoring: a small run again and again (`rte run --every`).
 *
 * Each run has a folder named by its time in one directory, to which a monitor that is started again
 * adds. A line a run goes to standard output; after each the directory's report.html and summary.json
 * are made anew. When the verdict of a run (its exit status in a word: ok, failed, invalid, error) is
 * another than that of the run before, --on-change is run. A SUT that is down is a verdict, and no
 * reason to end; a signal is, or what cannot even begin the first time.
 */
#ifndef RTE_MONITOR_H
#define RTE_MONITOR_H

#include "rte/series.h"

/* dir is there. Returns the last run's exit status when a signal ends it. */
enum b_exit rte_monitor_run(
	struct rte_workload *w, const struct rte_series_options *opt, const char *dir);

#endif
