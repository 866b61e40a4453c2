/*
 * rte/rundir.h - the run directory as it is written: its making, and run.json.
 *
 * doc/rte-rundir.5 and base/rundir.h are the contract with readers. run.json appears whole or not
 * at all: it is written beside and renamed, at the start, at each change of phase, every few
 * seconds and at the end, so that a run that was killed can be read.
 */
#ifndef RTE_RUNDIR_H
#define RTE_RUNDIR_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/*
 * Makes the directory (and those above it). path NULL: rte-run-YYYYMMDD-HHMMSS here. A run that
 * is there already is moved to PATH~, in place of a run that may be there, and *moved says so.
 * B_EUSAGE when path holds something else, or a run that goes on; B_EENV when it cannot be made.
 * *out is the caller's.
 */
int rte_rundir_make(char **out, const char *path, bool *moved, struct b_error *err) B_CHECK;

/* A file in it: "DIR/NAME", the caller's. */
char *rte_rundir_file(const char *dir, const char *name);

/* Writes root as DIR/run.json. B_EENV. */
int rte_rundir_json_write(const char *dir, const json_t *root, struct b_error *err) B_CHECK;

/* This machine, for run.json's "host". The caller's reference. */
json_t *rte_host_json(void);

/* A time as seconds since the epoch, with microseconds. */
json_t *rte_json_instant(int64_t wall_ns);
/* A span in seconds; null when it is negative or unknown (INT64_MAX). */
json_t *rte_json_seconds(int64_t ns);
/* Foreign text. NULL: null. */
json_t *rte_json_text(const char *s);

#endif
