/*
 * rte/test_find.h - the scripts that a command line names: files, folders, FILE:LINE.
 */
#ifndef RTE_TEST_FIND_H
#define RTE_TEST_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct rte_found {
	char *path;
	int line;   /* of FILE:LINE; 0: all of the file */
	char *root; /* the folder that was named, or the file's own */
	bool named; /* the file itself was named */
};

struct rte_finds {
	struct rte_found *list;
	size_t n;
	char **orphans; /* folders of golden screens without a script beside them */
	size_t n_orphans;
};

/*
 * A folder gives the scripts below it, in the order of their paths: Lua files that have something
 * to test. Workloads, modules, suite.lua and what is hidden are none. A file that is found twice
 * counts once, unless it is for another line. B_EUSAGE: a path that is not there, or no script.
 */
int rte_test_find(struct rte_finds *out, char *const *paths, size_t n, struct b_error *err) B_CHECK;
void rte_test_find_release(struct rte_finds *f);

#endif
