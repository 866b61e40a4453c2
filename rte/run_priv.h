/*
 * rte/run_priv.h - inside of rte/run*.c: a run as it goes on.
 */
#ifndef RTE_RUN_PRIV_H
#define RTE_RUN_PRIV_H

#include <jansson.h>
#include <stdatomic.h>

#include "rte/attach.h"
#include "rte/control.h"
#include "rte/figures.h"
#include "rte/metrics.h"
#include "rte/progress.h"
#include "rte/roles.h"
#include "rte/sar.h"
#include "rte/run.h"
#include "rte/shared.h"
#include "rte/stop_when.h"
#include "rte/timeline.h"
#include "rte/worker.h"
#include "rte/writer.h"

struct rte_run {
	const struct rte_workload *w;
	const struct rte_run_options *opt;
	struct rte_run_result *result;
	struct rte_lua *lua; /* of the run itself: setup, teardown, what scripts declare */
	struct rte_roles roles;
	struct rte_shared shared;
	struct rte_writer *writer;
	struct rte_worker **workers;
	size_t n_workers;
	uint32_t *script_of; /* shared.script_of */
	struct rte_loop *loop;
	struct rte_timeline timeline;
	struct rte_figures figures;
	struct rte_stop_when *stop_when;
	struct rte_sar *sar;         /* NULL: not recorded, or over */
	int64_t sar_asked_ns;        /* rte_sar_end; 0: not yet */
	struct rte_metrics *metrics; /* NULL: not served */
	struct rte_attach *attach;   /* the display on our terminal; NULL: none */
	struct rte_progress progress;
	struct rte_control *control;   /* NULL: nobody can look or steer */
	json_t *actions;               /* rte/steer.h; NULL: none */
	struct rte_timer look, second; /* ten times a second; at the end of each second */
	struct rte_timer arrival;      /* when the next one is due */
	struct rte_watch signals;
	int signal_fd;
	int n_ends; /* how often a person asked for the end */
	bool *stuck_told;
	int64_t start_ns, end_ns;
	int64_t json_ns; /* when run.json is written again at the latest */
	enum rte_phase phase;
	size_t stage;
	size_t max_queue; /* bytes of the log queue, the most seen */
	bool ending;
	bool over;
};

/* Writes run.json as things stand. outcome: "running" while it goes on. */
int rte_run_json(struct rte_run *r, const char *outcome, struct b_error *err) B_CHECK;

/* ---- run_make.c: setting up, in this order ---- */

void rte_run_shared_init(struct rte_run *r);
/* Loads the scripts and checks the limits that their targets need. */
int rte_run_scripts_load(struct rte_run *r, struct b_error *err) B_CHECK;
/* Tells which commands the scripts' own targets run. */
void rte_run_tell_commands(const struct rte_run *r);
/* setup() or teardown() of each script that has one. */
int rte_run_setups_run(struct rte_run *r, enum rte_part part, struct b_error *err) B_CHECK;
int rte_run_workers_make(struct rte_run *r, struct b_error *err) B_CHECK;
/* The users, in their workers; those of the start come over the ramp. */
void rte_run_users_add(struct rte_run *r);

/* ---- run_watch.c: while it goes on ---- */

/* Starts the display when one is asked for; without one the run goes on. */
void rte_run_display_start(struct rte_run *r);
/* Looks after the run until it is over. */
void rte_run_watch_over(struct rte_run *r);
/* Words why nobody got anywhere into the result; returns its code. */
int rte_run_nobody_error(struct rte_run *r);
/* A person asks for the end: gently, or for all at once. */
void rte_run_end_by_person(struct rte_run *r, bool at_once, int64_t now);

#endif
