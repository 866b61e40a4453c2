/*
 * line/reap.h - processes whose line is gone: they are reaped some day, and nobody waits.
 *
 * A process is a resource of the whole program, so this list is too; any thread may call.
 */
#ifndef LINE_REAP_H
#define LINE_REAP_H

#include <sys/types.h>

/* Takes over a child that was killed. It is reaped now, or by a later call of ln_reap_sweep. */
void ln_reap_later(pid_t pid);

/* Reaps those that have ended. Never waits. */
void ln_reap_sweep(void);

#endif
