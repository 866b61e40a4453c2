/*
 * rte/sar.h - records the SUT's system activity beside a run, by sysstat's sar.
 *
 * A shell, here or at the other end of ssh, runs sar for the time of the run; when its standard
 * input ends it turns what was recorded into JSON (sadf) on its standard output, which is
 * RUN_DIR/sar.json. So a run that is killed leaves a file, and nothing behind on the SUT. Nothing
 * waits for it but the end of the run, for a while.
 */
#ifndef RTE_SAR_H
#define RTE_SAR_H

#include <stdint.h>

#include "base/error.h"

struct rte_sar;

/* where "": this machine; else [USER@]HOST for ssh, which must not ask for anything. every_s: one
   sample each so many seconds. Returns once it records. B_EENV: sysstat or the host is missing. */
int rte_sar_start(struct rte_sar **out, const char *where, const char *dir, int64_t every_s,
	struct b_error *err) B_CHECK;

/* Ends the recording, waits for the file, and frees s. Gives the wall clock time (ns) at which the
   other end was asked for its time, so that two clocks can be put on one axis. B_EENV: there is no
   file that can be used. */
int rte_sar_end(struct rte_sar *s, int64_t *asked_ns, struct b_error *err) B_CHECK;

#endif
