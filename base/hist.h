/*
 * base/hist.h - a mergeable log-linear histogram of durations.
 *
 * 128 steps an octave, so a quantile is off by at most 0.4 % of its value; range 0 ns to about 2.5 h, values above are
 * counted in the last step and in `over` (never dropped). Merging adds. Exact minimum, maximum,
 * sum and sum of squares are kept beside. For live figures; reports compute from the log.
 */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include <stddef.h>
#include <stdint.h>

struct b_hist; /* grows with the range of its values: an empty one is small */

struct b_hist *b_hist_new(void);
void b_hist_free(struct b_hist *h); /* NULL accepted */
void b_hist_clear(struct b_hist *h);
void b_hist_add(struct b_hist *h, int64_t ns); /* a negative value counts as 0 and in under */
void b_hist_merge(struct b_hist *into, const struct b_hist *from);
uint64_t b_hist_count(const struct b_hist *h);
uint64_t b_hist_under(const struct b_hist *h);
uint64_t b_hist_over(const struct b_hist *h);
int64_t b_hist_min(const struct b_hist *h); /* 0 when empty; likewise the others */
int64_t b_hist_max(const struct b_hist *h);
double b_hist_mean(const struct b_hist *h); /* ns */
double b_hist_sd(const struct b_hist *h);
/* The value below or at which a part q (0..1) of the samples lies, ns. */
int64_t b_hist_quantile(const struct b_hist *h, double q);
/* The steps that hold anything, in order: calls fn with [from, to) in ns and the count. */
void b_hist_each(const struct b_hist *h,
	void (*fn)(void *user, int64_t from_ns, int64_t to_ns, uint64_t count), void *user);

#endif
