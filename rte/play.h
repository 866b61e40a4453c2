/*
 * rte/play.h - one user, here and now: the engine of rte run with a person looking on.
 *
 * One login, the iterations, logout, in the calling thread. Nothing is logged; failures are told
 * on standard error with the screen as it stood. With `watch` the virtual screen is painted onto
 * the person's terminal, never a byte of the SUT itself.
 */
#ifndef RTE_PLAY_H
#define RTE_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/workload.h"

struct rte_play_options {
	int64_t user;    /* plays this user's part, with its random streams and rows of data */
	const char *dir; /* {dir} of the script; NULL: "." */
	bool watch;      /* show the screen; standard output must be a terminal */
	bool step;       /* wait for the person before each step */
};

/*
 * Plays the one script of w (checked; w->users: as in the run that is repeated). Returns the
 * exit status; messages have been printed.
 */
enum b_exit rte_play(const struct rte_workload *w, const struct rte_play_options *opt);

#endif
