#include "report/stats.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

const double rp_quantiles[RP_N_QUANTILE] = { 0.5, 0.75, 0.9, 0.95, 0.99, 0.999 };
const char *const rp_quantile_names[RP_N_QUANTILE] = { "p50", "p75", "p90", "p95", "p99", "p99_9" };

/* How far, in points, a percentile may be off to be called good. */
static const double wanted[RP_N_QUANTILE] = { 0.05, 0.04, 0.02, 0.01, 0.005, 0.0005 };

#define Z95 1.959964

uint64_t rp_quantile_needs(enum rp_quantile i)
{
	double q = rp_quantiles[i];

	return (uint64_t)floor(Z95 * Z95 * q * (1 - q) / (wanted[i] * wanted[i]));
}

static int compare_times(const rp_time *a, const rp_time *b)
{
	return (*a > *b) - (*a < *b);
}

/* A few values: cheaper than four passes over the counters. */
static void sort_few(rp_time *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		rp_time x = v[i];
		size_t j = i;

		for (; j && compare_times(&v[j - 1], &x) > 0; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Radix sort, eleven bits a pass; passes in which all values agree are left out. */
void rp_times_sort(rp_time *v, size_t n, rp_time *scratch)
{
	static const int shift[3] = { 0, 11, 22 };
	static const size_t width[3] = { 2048, 2048, 1024 };
	size_t count[3][2048];
	rp_time *from = v, *to = scratch, *swap;

	if (n < 64) {
		sort_few(v, n);
		return;
	}
	memset(count, 0, sizeof count);
	for (size_t i = 0; i < n; i++) {
		count[0][v[i] & 2047]++;
		count[1][v[i] >> 11 & 2047]++;
		count[2][v[i] >> 22]++;
	}
	for (int pass = 0; pass < 3; pass++) {
		size_t *c = count[pass], sum = 0, mask = width[pass] - 1;

		if (c[from[0] >> shift[pass] & mask] == n)
			continue;
		for (size_t b = 0; b < width[pass]; b++) {
			size_t k = c[b];

			c[b] = sum;
			sum += k;
		}
		for (size_t i = 0; i < n; i++)
			to[c[from[i] >> shift[pass] & mask]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof *v);
}

/* The rank of percentile q, from 0. The margin keeps 0.9 x 10 from becoming 10. */
static size_t rank_of(double q, size_t n)
{
	double r = ceil(q * (double)n - 1e-7);

	if (r < 1)
		return 0;
	return r > (double)n ? n - 1 : (size_t)r - 1;
}

double rp_quantile_of(const rp_time *sorted, size_t n, double q)
{
	return n ? rp_time_s(sorted[rank_of(q, n)]) : (double)NAN;
}

/*
 * Confidence of a percentile from the order of the samples alone, whatever their distribution:
 * the number of samples below it is binomial (n, q). Bounds past the ends do not exist.
 */
static void confidence(struct rp_percentile *p, const rp_time *sorted, size_t n, double q)
{
	double middle = q * (double)n, half = Z95 * sqrt((double)n * q * (1 - q));
	double low = floor(middle - half), high = ceil(middle + half) + 1;

	p->low_s = low >= 1 ? rp_time_s(sorted[(size_t)low - 1]) : (double)NAN;
	p->high_s = high <= (double)n ? rp_time_s(sorted[(size_t)high - 1]) : (double)NAN;
}

void rp_stat_make(struct rp_stat *s, const rp_time *sorted, size_t n)
{
	double sum = 0, squares = 0, mean;

	*s = (struct rp_stat){ .n = n, .min_s = NAN, .mean_s = NAN, .sd_s = NAN, .max_s = NAN };
	for (int i = 0; i < RP_N_QUANTILE; i++)
		s->p[i] = (struct rp_percentile){
			.s = NAN, .low_s = NAN, .high_s = NAN, .thin = true
		};
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		sum += (double)rp_time_us(sorted[i]);
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++) {
		double d = (double)rp_time_us(sorted[i]) - mean;

		squares += d * d;
	}
	s->min_s = rp_time_s(sorted[0]);
	s->max_s = rp_time_s(sorted[n - 1]);
	s->mean_s = mean * 1e-6;
	if (n > 1)
		s->sd_s = sqrt(squares / (double)(n - 1)) * 1e-6;
	for (int i = 0; i < RP_N_QUANTILE; i++) {
		s->p[i].s = rp_quantile_of(sorted, n, rp_quantiles[i]);
		s->p[i].thin = n < rp_quantile_needs((enum rp_quantile)i);
		confidence(&s->p[i], sorted, n, rp_quantiles[i]);
	}
}

/* ---- Pictures ----------------------------------------------------------------------------- */

void rp_histogram_make(struct rp_histogram *h, const rp_time *sorted, size_t n, double top_s)
{
	memset(h, 0, sizeof *h);
	h->top_s = top_s;
	if (!(top_s > 0))
		return;
	for (size_t i = 0; i < n; i++) {
		double at = (double)rp_time_us(sorted[i]) * RP_N_BINS / (top_s * 1e6);

		if (at >= RP_N_BINS) {
			h->over = n - i;
			return;
		}
		h->bin[(size_t)at]++;
	}
}

/* 0 to 90 % in steps of 2 %, then towards 100 % by ever smaller steps as far as samples go. */
void rp_curve_make(struct rp_curve *c, const rp_time *sorted, size_t n)
{
	double rest = 0.1;

	c->n = 0;
	if (!n)
		return;
	for (int i = 0; i <= 45; i++) {
		c->q[c->n] = (double)i * 0.02;
		c->s[c->n] = rp_quantile_of(sorted, n, c->q[c->n]);
		c->n++;
	}
	while (c->n + 1 < RP_N_CURVE && (rest /= 1.7) * (double)n > 1) {
		c->q[c->n] = 1 - rest;
		c->s[c->n] = rp_quantile_of(sorted, n, 1 - rest);
		c->n++;
	}
	c->q[c->n] = 1;
	c->s[c->n++] = rp_time_s(sorted[n - 1]);
}

/* ---- Tests -------------------------------------------------------------------------------- */

struct rp_moments rp_moments_of(const double *v, size_t n)
{
	struct rp_moments m = { 0, NAN, NAN };
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i]))
			continue;
		sum += v[i];
		m.n++;
	}
	if (!m.n)
		return m;
	m.mean = sum / (double)m.n;
	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i]))
			squares += (v[i] - m.mean) * (v[i] - m.mean);
	if (m.n > 1)
		m.variance = squares / (double)(m.n - 1);
	return m;
}

struct rp_welch rp_welch_test(struct rp_moments a, struct rp_moments b)
{
	struct rp_welch w = { NAN, NAN, NAN, NAN, NAN };
	double va, vb, se, reach, d;

	if (a.n < 2 || b.n < 2)
		return w;
	va = a.variance / (double)a.n;
	vb = b.variance / (double)b.n;
	d = b.mean - a.mean;
	se = sqrt(va + vb);
	if (!(se > 0)) { /* both without any spread */
		w.t = d > 0 ? INFINITY : d < 0 ? -INFINITY : 0;
		w.df = (double)(a.n + b.n - 2);
		w.p = d > 0 || d < 0 ? 0 : 1;
		w.low = w.high = d;
		return w;
	}
	w.t = d / se;
	w.df = (va + vb) * (va + vb) / (va * va / (double)(a.n - 1) + vb * vb / (double)(b.n - 1));
	w.p = 2 * gsl_cdf_tdist_Q(fabs(w.t), w.df);
	reach = gsl_cdf_tdist_Pinv(0.975, w.df) * se;
	w.low = d - reach;
	w.high = d + reach;
	return w;
}

struct rp_trend rp_trend_of(const double *v, size_t n)
{
	struct rp_trend r = { 0, NAN, NAN, NAN, NAN };
	double sx = 0, sy = 0, sxx = 0, sxy = 0, rss = 0, mx, se;

	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i]))
			continue;
		sx += (double)i;
		sy += v[i];
		r.n++;
	}
	if (!r.n)
		return r;
	r.mean = sy / (double)r.n;
	if (r.n < 3)
		return r;
	mx = sx / (double)r.n;
	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i]))
			continue;
		sxx += ((double)i - mx) * ((double)i - mx);
		sxy += ((double)i - mx) * (v[i] - r.mean);
	}
	r.slope = sxy / sxx;
	for (size_t i = 0; i < n; i++) {
		double e = isnan(v[i]) ? 0 : v[i] - r.mean - r.slope * ((double)i - mx);

		rss += e * e;
	}
	se = sqrt(rss / (double)(r.n - 2) / sxx);
	if (!(se > 0)) {
		bool flat = !(r.slope > 0 || r.slope < 0);

		r.t = flat ? 0 : r.slope > 0 ? INFINITY : -INFINITY;
		r.p = flat ? 1 : 0;
		return r;
	}
	r.t = r.slope / se;
	r.p = 2 * gsl_cdf_tdist_Q(fabs(r.t), (double)(r.n - 2));
	return r;
}

double rp_ks_distance(const rp_time *sorted, size_t n, double from_s,
	double (*cdf)(const void *user, double s), const void *user)
{
	double worst = 0;
	size_t i = 0;

	while (i < n && rp_time_s(sorted[i]) < from_s)
		i++;
	if (i == n)
		return NAN;
	while (i < n) {
		size_t next = i + 1;
		double f, below, upto;

		while (next < n && sorted[next] == sorted[i])
			next++;
		f = cdf(user, rp_time_s(sorted[i]));
		if (isnan(f))
			return NAN;
		below = fabs(f - (double)i / (double)n);
		upto = fabs((double)next / (double)n - f);
		worst = fmax(worst, fmax(below, upto));
		i = next;
	}
	return worst;
}

double rp_ks_distance2(const rp_time *a, size_t n, const rp_time *b, size_t m)
{
	double worst = 0;
	size_t i = 0, j = 0;

	if (!n || !m)
		return NAN;
	while (i < n && j < m) {
		rp_time at = a[i] < b[j] ? a[i] : b[j];

		while (i < n && a[i] == at)
			i++;
		while (j < m && b[j] == at)
			j++;
		worst = fmax(worst, fabs((double)i / (double)n - (double)j / (double)m));
	}
	return worst;
}

/* Source: Stephens 1970, the usual approximation for n > 4. */
double rp_ks_significance(double d, size_t n)
{
	double root = sqrt((double)n), x = (root + 0.12 + 0.11 / root) * d, sum = 0, sign = 1;

	if (!n || isnan(d))
		return NAN;
	if (x < 0.2)
		return 1;
	for (int k = 1; k <= 100; k++) {
		double term = sign * exp(-2 * (double)(k * k) * x * x);

		sum += term;
		if (fabs(term) < 1e-12)
			break;
		sign = -sign;
	}
	return fmin(1, fmax(0, 2 * sum));
}
