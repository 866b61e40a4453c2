/*
 * rte/control.h - the door to a run that goes on: a Unix socket in its directory.
 *
 * RUN_DIR/control.sock, mode 0600. A client writes requests, a line each; the run answers and
 * tells with one JSON object a line, each with a "type":
 *
 *   control BY          from now on this client may steer; reply
 *   users N, pause, ... (rte/steer.h) reply: {"type":"reply","ok":true|false,"text":"..."}
 *   state               the state, once
 *   watch               the state each second, and log lines as they come
 *   list ORDER FROM N   from now on N users from the FROMth (from 0) each second, ORDER number,
 *                       slow or failed; `list off` ends it
 *   user U              from now on user U with its screen a few times a second; 0 ends it
 *
 * At the end of the run a client is told {"type":"end"} and the door is shut. A client that does
 * not read gets what is newest once it reads again: the run never waits for one. All of this is
 * done by the thread that watches over the run.
 */
#ifndef RTE_CONTROL_H
#define RTE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/loop.h"

struct rte_control;
struct rte_run;

/* Opens the door. B_EENV: there will be none, the run can go on without. */
int rte_control_new(struct rte_control **out, struct rte_run *r, struct b_error *err) B_CHECK;
/* Tells all clients that the run is over, and sends them off. NULL accepted. */
void rte_control_end(struct rte_control *c);
/* Shuts the door, after that. NULL accepted. */
void rte_control_free(struct rte_control *c);

/* A watch of the run's loop is ready: whether it was one of ours. */
bool rte_control_ready(struct rte_control *c, struct rte_watch *w, unsigned what, int64_t now);
/* Ten times a second: users that are looked at, and log lines. */
void rte_control_look(struct rte_control *c, int64_t now);
/* A second was collected: the state for all who watch. */
void rte_control_second(struct rte_control *c, int64_t now);

/* While a display has the terminal, messages (base/log.h) go to those who watch; those that came
   meanwhile are printed when this is turned off. Any thread may log. */
void rte_control_log_take(struct rte_control *c, bool on);

/* The client's side: a connected, blocking socket. B_EENV when there is no run to talk to. */
int rte_control_connect(const char *dir, int *fd, struct b_error *err) B_CHECK;

#endif
