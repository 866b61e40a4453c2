/*
 * rte/attach.h - the display of `rte run` on its own terminal: a process beside the run.
 *
 * It is `rte watch` of this program. When it leaves, is killed, hangs or loses the terminal the
 * run goes on; a terminal that it could not put back itself is put back here.
 */
#ifndef RTE_ATTACH_H
#define RTE_ATTACH_H

#include <stdbool.h>

#include "base/error.h"

struct rte_attach;

/* Whether a display could be shown: a terminal on standard input, output and error, and the
   program in its foreground. */
bool rte_attach_possible(void);

/* Starts it for the run in dir, whose door (rte/control.h) is open. B_EENV. */
int rte_attach_start(struct rte_attach **out, const char *dir, struct b_error *err) B_CHECK;

/* Whether it still goes on. Does not wait. */
bool rte_attach_goes_on(struct rte_attach *a);

/* The run is over and has said so: waits a little for it to go, then makes it. NULL accepted. */
void rte_attach_free(struct rte_attach *a);

#endif
