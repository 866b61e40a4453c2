/*
 * report/sar.h - the system's activity beside the users': what sar recorded during a run.
 *
 * RUN_DIR/sar.json, as `rte run --sar` leaves it: {"clock_s": ..., "sar": what sadf -j prints}.
 * Times are put on the run's axis; when the recording's clock differs from ours (run.json's
 * sar.clock_asked_s against clock_s) by half a second or more, by so much. A run without it, or
 * with a file that cannot be read, has no samples: that is no error.
 *
 * Source: sadf(1) of sysstat 12, option -j.
 */
#ifndef REPORT_SAR_H
#define REPORT_SAR_H

#include <jansson.h>
#include <stdio.h>

#include "base/buf.h"

struct rp_run;

enum rp_sar_value {
	RP_SAR_TIME, /* seconds since the run's start, at the end of what is averaged */
	RP_SAR_BUSY, /* CPU, per cent of all of them: all but idle and iowait */
	RP_SAR_USER, /* with nice */
	RP_SAR_SYSTEM,
	RP_SAR_IOWAIT,
	RP_SAR_STEAL,
	RP_SAR_QUEUE,   /* tasks that wait for a CPU or run */
	RP_SAR_BLOCKED, /* tasks that wait for a disk */
	RP_SAR_LOAD,    /* average of the last minute */
	RP_SAR_MEMORY,  /* used, per cent */
	RP_SAR_MAJOR,   /* major faults a second */
	RP_SAR_PAGE_IN, /* KiB a second */
	RP_SAR_PAGE_OUT,
	RP_SAR_SWAP,      /* pages a second, in and out */
	RP_SAR_TRANSFERS, /* of all disks, a second */
	RP_SAR_READ,      /* KiB a second */
	RP_SAR_WRITE,
	RP_SAR_UTIL,  /* of the busiest disk, per cent */
	RP_SAR_AWAIT, /* of the slowest disk, ms */
	RP_SAR_N
};

struct rp_sar {
	char *host; /* as asked for; NULL: nothing was recorded */
	char *node; /* as it names itself */
	double cpus, shift_s;
	size_t n;
	float (*v)[RP_SAR_N]; /* NaN: not told */
	struct {
		size_t n;
		double mean, max; /* over the measurement interval */
	} over[RP_SAR_N];
};

void rp_sar_load(struct rp_run *r); /* run.json and the interval must be known */
void rp_sar_release(struct rp_sar *s);

/* The writers' parts; nothing when nothing was recorded. */
void rp_sar_text(const struct rp_run *r, FILE *to);
void rp_sar_html(struct b_buf *out, const struct rp_run *r);
json_t *rp_sar_json(const struct rp_run *r);   /* for summary.json; null */
json_t *rp_sar_series(const struct rp_run *r); /* for report.js; null */

#endif
