/*
 * rte/hook.h - shell commands around a run: --before, --after and --on-change.
 */
#ifndef RTE_HOOK_H
#define RTE_HOOK_H

#include "base/error.h"

#define RTE_HOOK_MORE 8 /* entries of more at most */

/*
 * Runs a command with /bin/sh, RTE_RUN_DIR in its environment and what more holds ("NAME=VALUE",
 * NULL ends; NULL: nothing), and waits for it. Its standard output goes to our standard error.
 * B_EENV when it cannot be run or ends with another status than 0; what names it in the message
 * ("--before").
 */
int rte_hook_run(const char *what, const char *command, const char *run_dir,
	const char *const *more, struct b_error *err) B_CHECK;

#endif
