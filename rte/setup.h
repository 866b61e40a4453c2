/*
 * rte/setup.h - setup() and teardown() of a script: once a run, outside of any session.
 */
#ifndef RTE_SETUP_H
#define RTE_SETUP_H

#include "rte/script.h"

/*
 * Runs the part to its end. think and pause wait; what needs a session fails. B_ECHECK when it
 * raises (the message has file and line) or SIGINT, SIGTERM or SIGHUP comes while it waits,
 * B_EINPUT when the script's top level does.
 */
int rte_setup_run(struct rte_lua *l, const struct rte_script *script, enum rte_part part,
	uint64_t seed, struct b_error *err) B_CHECK;

/* The host of the Lua state that setup runs in: no screen, no transactions. */
extern const struct rte_host rte_setup_host;

#endif
