/*
 * rte/options.h - what `rte run`, `rte play` and `rte test` have in common on the command line.
 *
 * Each rte_option_* takes the option's name for messages (without dashes) and its argument, sets
 * what the argument says, and leaves it alone when it refuses: B_EUSAGE with a message.
 */
#ifndef RTE_OPTIONS_H
#define RTE_OPTIONS_H

#include <stdint.h>

#include "base/error.h"
#include "base/random.h"
#include "rte/workload.h"

int rte_option_number(const char *option, const char *arg, int64_t min, int64_t max, int64_t *n,
	struct b_error *err) B_CHECK;
int rte_option_duration(
	const char *option, const char *arg, int64_t *ns, struct b_error *err) B_CHECK;
/* The same, and 0 is refused. */
int rte_option_span(const char *option, const char *arg, int64_t *ns, struct b_error *err) B_CHECK;
int rte_option_dist(
	const char *option, const char *arg, struct b_dist *d, struct b_error *err) B_CHECK;
/* --set NAME=VALUE, added to those that w has. */
int rte_option_set(struct rte_workload *w, const char *arg, struct b_error *err) B_CHECK;

/* Ends our own words at `--`: *argc and argv. Returns what follows it, ended by NULL, or NULL when
   nothing does. Before getopt, which would take the command's options for ours. */
char **rte_options_command(int *argc, char **argv);
/* `-- COMMAND ARG...` as w's target; refused when w has one. */
int rte_option_command(struct rte_workload *w, char **command, struct b_error *err) B_CHECK;

#endif
