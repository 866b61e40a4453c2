/*
 * rte/steer.h - what a person does to a run while it goes on; each act is put down in run.json.
 *
 * Belongs to the thread that watches over the run. The acts, as they are written:
 *
 *   users N    so many users: more log in, or those with the highest numbers log out
 *   pause      users finish what they are at and begin nothing new; the phases go on
 *   resume     they go on, as far apart as they were
 *   next       the next phase begins now
 *   stop       users finish what they are at and log out
 *   stop now   what goes on is cut off
 */
#ifndef RTE_STEER_H
#define RTE_STEER_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct rte_run;

/*
 * Does what `act` says, for `by` ("ctl", "display", "watch"). Appends what became of it, a
 * sentence, to *said. B_EUSAGE: no such act; B_ERANGE, B_EENV: it cannot be done, *err says why.
 */
int rte_steer(struct rte_run *r, const char *act, const char *by, struct b_buf *said,
	struct b_error *err) B_CHECK;

/* Puts an act down that came otherwise (a signal). */
void rte_steer_note(struct rte_run *r, const char *act, const char *by, int64_t now);

#endif
