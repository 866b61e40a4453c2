/*
 * rte/roles.h - the scripts of a run as its users play them.
 *
 * A role is a script with what the workload says laid over what the script says of itself:
 * target, TERM, window, typing, think, timeout, settle, mix. All that does not fit is refused
 * here, before any user starts.
 */
#ifndef RTE_ROLES_H
#define RTE_ROLES_H

#include <stddef.h>

#include "base/error.h"
#include "rte/shared.h"

struct rte_roles {
	struct rte_script **scripts; /* by role; of the Lua state they were loaded into */
	struct rte_role *list;
	size_t n;
	struct ln_target **own;     /* the scripts' own targets, NULL where there is none */
	struct ln_target **targets; /* the workload's */
	size_t n_targets;
	struct vs_keymap **keymaps; /* one a TERM */
	size_t n_keymaps;
};

/*
 * Loads each script of w into l. l must outlive the roles. B_EINPUT, B_EUSAGE (a target, a
 * distribution, a source address), B_EENV (a source address that is not this machine's),
 * B_ENOTFOUND (a TERM) with the message.
 */
int rte_roles_load(struct rte_roles *r, const struct rte_workload *w, struct rte_lua *l,
	struct b_error *err) B_CHECK;
void rte_roles_release(struct rte_roles *r);

/* Every target that a user of the run may get, for ln_limits_check; the caller frees the array. */
const struct ln_target **rte_roles_targets(const struct rte_roles *r, size_t *n);

#endif
