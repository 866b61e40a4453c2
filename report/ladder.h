/*
 * report/ladder.h - runs of one directory, by the number of their users (private to report/).
 *
 * A ladder has a run or more (repeats) for each of several numbers of users. A directory whose
 * runs all have the same number (repeats, a monitor) is the same thing with one level.
 */
#ifndef REPORT_LADDER_H
#define REPORT_LADDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "report/run.h"

struct rp_table;

struct rp_step {
	char *name; /* of its folder */
	char *dir;
	struct rp_run *run; /* NULL: could not be read, problem says why */
	struct b_error problem;
	double users;
};

/* All runs with one number of users. */
struct rp_step_level {
	double users;
	size_t first, n;   /* of steps */
	double rate_per_s; /* means over the runs that measured something; NaN: none did */
	double min_s, mean_s, p90_s, max_s;
	double little; /* users that Little's law finds: throughput x time of a transaction */
};

struct rp_ladder {
	char *dir;
	struct rp_step *steps; /* by users, then by start */
	size_t n_steps;
	struct rp_step_level *levels;
	size_t n_levels;
	double knee;       /* users; NaN: none within the ladder */
	size_t n_left_out; /* older runs that were not read */
};

/* A run that stands in place of a directory of runs: takes r. */
void rp_ladder_of_run(struct rp_ladder *l, const char *dir, struct rp_run *r);
void rp_ladder_release(struct rp_ladder *l);

/* The status with which the step alone would end. */
enum b_exit rp_step_exit(const struct rp_step *s);
/* Seven cells: rate, ok, failed; response times: min, mean, p90, max. */
void rp_step_figures(struct rp_table *t, const struct rp_run *r);
/* What is wrong with a step, in a few words; "" when nothing is. */
void rp_step_note(struct b_buf *out, const struct rp_step *s);

extern const char rp_knee_method[];
/* What there is to say of the knee, a clause without a full stop. */
void rp_knee_text(struct b_buf *out, const struct rp_ladder *l);
/* "5: 4.9, 10: 9.8", users and those that Little's law finds; false: it finds none. */
bool rp_little_text(struct b_buf *out, const struct rp_ladder *l);

#endif
