/*
 * rte/control_json.h - what a run tells those who watch it, as JSON (private to rte/control*.c).
 *
 * Times are seconds; those that are instants count from the start of the run. What scripts and
 * SUTs named is escaped: readers may show it, after cutting it to size.
 */
#ifndef RTE_CONTROL_JSON_H
#define RTE_CONTROL_JSON_H

#include <jansson.h>

#include "rte/view.h"

struct rte_run;

json_t *rte_control_state_json(struct rte_run *r, int64_t now);

enum rte_list_order { RTE_LIST_NUMBER, RTE_LIST_SLOW, RTE_LIST_FAILED };

/* n lines from the from'th, after sorting all of them. */
json_t *rte_control_list_json(struct rte_run *r, struct rte_view_line *lines, size_t n_lines,
	enum rte_list_order order, size_t from, size_t n);

/* What a slot holds; lock it. */
json_t *rte_control_user_json(struct rte_run *r, const struct rte_view_slot *s);

#endif
