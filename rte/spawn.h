/*
 * rte/spawn.h - a program beside a run: the commands around it, and what records system activity.
 *
 * The run blocks signals for its threads; a program that it starts has them as anyone expects.
 */
#ifndef RTE_SPAWN_H
#define RTE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

struct rte_spawn {
	char *const *argv; /* NULL ends; argv[0] is looked for in PATH */
	char *const *env;  /* NULL: ours */
	int in, out, err;  /* descriptors that become its own; those of ours that stay: 0, 1, 2 */
	bool own_group;    /* Ctrl-C on the terminal is not for it */
};

/* Starts it; the caller waits for it. Returns 0 or a value of errno. */
int rte_spawn(pid_t *pid, const struct rte_spawn *s);

#endif
