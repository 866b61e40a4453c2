/*
 * rte/control_log.h - messages while a display has the terminal: kept for it, the last so many, and
 * printed once the terminal is free again. Any thread may write a message.
 */
#ifndef RTE_CONTROL_LOG_H
#define RTE_CONTROL_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct rte_control_log;

struct rte_control_log *rte_control_log_new(void);
void rte_control_log_free(struct rte_control_log *l); /* gives the messages back first */
/* From now on messages go here and not to the terminal, or to the terminal again. */
void rte_control_log_redirect(struct rte_control_log *l, bool on);
/* How many there have been. */
uint64_t rte_control_log_count(struct rte_control_log *l);
/* Those after the first *seen, as far as they are kept; NULL: none. *seen is moved on. */
json_t *rte_control_log_since(struct rte_control_log *l, uint64_t *seen);

#endif
