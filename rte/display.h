/*
 * rte/display.h - the performance display: a run on a person's terminal, full screen.
 *
 * A client of rte/control.h in a process of its own, whether `rte run` starts it or a person with
 * `rte watch`: a display that is killed, hangs or loses its terminal never touches the run. All
 * that is shown goes through ncurses cell by cell; nothing that a SUT or a script said reaches
 * the terminal as it came. The terminal is put back on every way out that leaves us the chance
 * (rte/attach.h does it for a display that was killed).
 *
 *   display.c         the loop: keys, what the run tells, prompts
 *   display_run.c     the whole run at a glance
 *   display_user.c    the list of users, and one user's screen
 *   display_term.c    the terminal: text cut to size, colours, cells
 */
#ifndef RTE_DISPLAY_H
#define RTE_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct rte_display_options {
	const char *dir;
	int64_t user;  /* look at this one at first; 0: at the whole run */
	bool control;  /* may steer */
	bool attached; /* started by rte run on its own terminal: Ctrl-C is the run's */
};

/*
 * Shows the run in dir until it ends or the person leaves. Standard input and output are the
 * terminal. *ended says which. B_EENV: no run, or no terminal that will do.
 */
int rte_display_run(
	const struct rte_display_options *opt, bool *ended, struct b_error *err) B_CHECK;

#endif
