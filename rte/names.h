/*
 * rte/names.h - transaction names as small numbers, the same in all workers of a run.
 *
 * A worker asks once a name and keeps the answer in a table of its own (rte_names_cache), so that
 * no lock is taken on the way of a transaction. At most RTE_NAMES_MAX names are told apart; a
 * script that makes up more gets the last one, "(other names)".
 */
#ifndef RTE_NAMES_H
#define RTE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define RTE_NAMES_MAX 1000

struct rte_names;

struct rte_names *rte_names_new(void);
void rte_names_free(struct rte_names *n);
/* Valid as long as n. */
const char *rte_names_text(struct rte_names *n, size_t number);

struct rte_names_cache;

struct rte_names_cache *rte_names_cache_new(struct rte_names *n);
void rte_names_cache_free(struct rte_names_cache *c);
/* The number of a name, and its lasting text. Belongs to one thread. */
size_t rte_names_number(struct rte_names_cache *c, const char *name, const char **text);

#endif
