/*
 * base/random.h - random numbers by streams, and the distributions of a workload.
 *
 * A run has one seed. Each user has separate streams for typing, think, data and mix, seeded
 * from (seed, user, stream) alone: the number of workers, or more draws from one, does not
 * move the others. Generator: GSL's taus2 (24 bytes of state).
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

enum b_stream { B_STREAM_TYPING, B_STREAM_THINK, B_STREAM_DATA, B_STREAM_MIX, B_STREAM_ENGINE };

struct b_random {
	void *gsl; /* gsl_rng, owned */
};

void b_random_init(struct b_random *r, uint64_t seed, uint64_t user, enum b_stream stream);
void b_random_release(struct b_random *r);
double b_random_unit(struct b_random *r);                           /* [0, 1) */
int64_t b_random_int(struct b_random *r, int64_t min, int64_t max); /* both ends included */
double b_random_normal(struct b_random *r, double mean, double sd);
double b_random_exp(struct b_random *r, double mean); /* cut at 10 x mean */

enum b_dist_kind {
	B_DIST_UNSET,     /* nothing was said */
	B_DIST_NONE,      /* "none": 0 */
	B_DIST_CONST,     /* const:S */
	B_DIST_UNIFORM,   /* uniform:A,B */
	B_DIST_EXP,       /* exp:MEAN, cut at 10 x MEAN */
	B_DIST_NORMAL,    /* normal:MEAN,SD, below 0 is 0 */
	B_DIST_LOGNORMAL, /* lognormal:MEAN,SD of the value itself */
	B_DIST_WEIBULL,   /* weibull:SCALE,SHAPE */
	B_DIST_CPS,       /* cps:N: a constant gap of 1/N */
	B_DIST_HUMAN,     /* human:MEAN,WORDEND,SHAPE,MIN,MAX: Expect's five numbers */
	B_DIST_TABLE,     /* table:FILE: one number of seconds a line, drawn with equal weight */
	B_DIST_RECORDED   /* recorded[*FACTOR] */
};

struct b_dist {
	enum b_dist_kind kind;
	double p[5];   /* seconds, except cps, shapes and the factor of recorded */
	double *table; /* TABLE: owned, as is the path */
	size_t n_table;
	char *table_path;
};

/* Parses one of the forms above over d, which must hold a distribution or be zeroed; what it held
   is released. A bare duration ("5s", "250ms") is const; numbers of seconds may carry a unit.
   B_EUSAGE with a message that lists the forms; B_EINPUT for a table file; d is then left alone. */
int b_dist_parse(struct b_dist *d, const char *text, struct b_error *err) B_CHECK;
void b_dist_release(struct b_dist *d); /* UNSET after */
/* to must hold a distribution or be zeroed. */
void b_dist_copy(struct b_dist *to, const struct b_dist *from);
/* Appends its text form, such that parsing gives the same again. */
void b_dist_format(const struct b_dist *d, struct b_buf *out);
/* One value in ns, >= 0. recorded_ns: what the recording had here (for RECORDED, -1: nothing,
   gives 0); word_end: HUMAN's gap after a blank or at the end of a word. */
int64_t b_dist_draw(const struct b_dist *d, struct b_random *r, int64_t recorded_ns, bool word_end);
/* The mean in seconds of what is drawn, cuts included; NaN for RECORDED, HUMAN and UNSET. */
double b_dist_mean_s(const struct b_dist *d);
/* Probability that a drawn value is <= x seconds (for the report's comparison); NaN when there
   is no closed form. */
double b_dist_cdf(const struct b_dist *d, double x_s);

#endif
