#include "base/random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "base/mem.h"
#include "base/banned.h"

#define EXP_CUT 10.0 /* times the mean. Source: TPC-C clause 5.2.5.4 */

/* splitmix64: spreads neighbouring seeds and user numbers over all bits. */
static uint64_t mix(uint64_t x)
{
	x += 0x9E3779B97F4A7C15u;
	x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
	x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
	return x ^ (x >> 31);
}

void b_random_init(struct b_random *r, uint64_t seed, uint64_t user, enum b_stream stream)
{
	uint64_t s = mix(mix(mix(seed) ^ user) ^ (uint64_t)stream);

	r->gsl = gsl_rng_alloc(gsl_rng_taus2);
	B_BUG_ON(!r->gsl);
	/* taus2 takes 32 bits, and 0 stands for 1. */
	gsl_rng_set(r->gsl, (unsigned long)(s & 0xFFFFFFFFu));
}

void b_random_release(struct b_random *r)
{
	if (r->gsl)
		gsl_rng_free(r->gsl);
	r->gsl = NULL;
}

double b_random_unit(struct b_random *r)
{
	return gsl_rng_uniform(r->gsl);
}

int64_t b_random_int(struct b_random *r, int64_t min, int64_t max)
{
	uint64_t range = (uint64_t)max - (uint64_t)min, x, limit;

	B_BUG_ON(min > max);
	if (range < 0xFFFFFFFFu)
		return (int64_t)((uint64_t)min + gsl_rng_uniform_int(r->gsl, range + 1));
	/* Two draws make 64 bits; those past the last whole multiple would favour low values. */
	limit = range == UINT64_MAX ? UINT64_MAX : UINT64_MAX - UINT64_MAX % (range + 1) - 1;
	do {
		x = (uint64_t)gsl_rng_get(r->gsl) << 32 | gsl_rng_get(r->gsl);
	} while (x > limit);
	return (int64_t)((uint64_t)min + (range == UINT64_MAX ? x : x % (range + 1)));
}

double b_random_normal(struct b_random *r, double mean, double sd)
{
	return mean + gsl_ran_gaussian_ziggurat(r->gsl, sd);
}

double b_random_exp(struct b_random *r, double mean)
{
	return fmin(-log1p(-gsl_rng_uniform(r->gsl)) * mean, EXP_CUT * mean);
}
