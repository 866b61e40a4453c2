/* The distributions of base/random.h: parsing, drawing, and what is known of their shape. */
#include "base/file.h"
#include "base/random.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define EXP_CUT    10.0
#define LONGEST_NS 9e17 /* as b_parse_duration has it */
#define LONGEST_S  (LONGEST_NS / (double)B_NS_PER_S)
#define CPS_MAX    1e6
#define FACTOR_MAX 1e6
#define FORMS                                                                        \
	"const:S, uniform:A,B, exp:MEAN, normal:MEAN,SD, lognormal:MEAN,SD, "        \
	"weibull:SCALE,SHAPE, cps:N, human:MEAN,WORDEND,SHAPE,MIN,MAX, table:FILE, " \
	"recorded, recorded*FACTOR, none, or a duration such as 250ms"
#define TABLE_MAX 1000000

/* seconds: which of the numbers are durations, a bit each. */
static const struct form {
	const char *name;
	enum b_dist_kind kind;
	int n;
	unsigned seconds;
} forms[] = {
	{ "const", B_DIST_CONST, 1, 1 },
	{ "uniform", B_DIST_UNIFORM, 2, 3 },
	{ "exp", B_DIST_EXP, 1, 1 },
	{ "normal", B_DIST_NORMAL, 2, 3 },
	{ "lognormal", B_DIST_LOGNORMAL, 2, 3 },
	{ "weibull", B_DIST_WEIBULL, 2, 1 },
	{ "cps", B_DIST_CPS, 1, 0 },
	{ "human", B_DIST_HUMAN, 5, 1 | 2 | 8 | 16 },
};

static int refuse(struct b_error *err, const char *text, const char *why)
{
	return b_error_set(err, B_EUSAGE, "distribution '%s': %s; give one of " FORMS, text, why);
}

static int number_parse(const char *s, size_t len, bool seconds, double *out)
{
	char text[64];
	int64_t ns;
	int rc;

	if (!len || len >= sizeof text)
		return B_EUSAGE;
	memcpy(text, s, len);
	text[len] = 0;
	rc = b_parse_double(text, out);
	if (rc && seconds) {
		rc = b_parse_duration(text, &ns);
		if (!rc)
			*out = (double)ns / (double)B_NS_PER_S;
	}
	return rc || *out < 0 ? B_EUSAGE : B_OK;
}

/* What nobody waits for, or types: a slip of the fingers, and no figure to compute with. */
static const char *senseless(const struct b_dist *d, unsigned seconds)
{
	for (int i = 0; i < 5; i++)
		if (seconds >> i & 1 && d->p[i] > LONGEST_S)
			return "a time of more than 28 years";
	if (d->kind == B_DIST_CPS && d->p[0] > CPS_MAX)
		return "more than a million characters a second; none is no gap at all";
	if ((d->kind == B_DIST_CPS || d->kind == B_DIST_WEIBULL) &&
		!(b_dist_mean_s(d) <= LONGEST_S))
		return "its mean is more than 28 years";
	return NULL;
}

static const char *numbers_wrong(const struct b_dist *d)
{
	switch (d->kind) {
	case B_DIST_UNIFORM:
		return d->p[0] > d->p[1] ? "the second number is below the first" : NULL;
	case B_DIST_LOGNORMAL: return d->p[0] <= 0 ? "the mean must be above 0" : NULL;
	case B_DIST_WEIBULL: return d->p[1] <= 0 ? "the shape must be above 0" : NULL;
	case B_DIST_CPS: return d->p[0] <= 0 ? "the rate must be above 0" : NULL;
	case B_DIST_HUMAN:
		if (d->p[2] <= 0)
			return "the shape must be above 0";
		return d->p[3] > d->p[4] ? "the maximum is below the minimum" : NULL;
	default: return NULL;
	}
}

static int table_read(struct b_dist *d, const char *path, struct b_error *err)
{
	int number = 0, rc = b_file_check_again(path, err);
	char line[256];
	size_t n = 0, cap = 0;
	double *v = NULL, x;
	FILE *f;

	if (rc)
		return rc;
	f = fopen(path, "re");
	if (!f)
		return b_error_set(
			err, B_EINPUT, "cannot open the table %s: %s", path, strerror(errno));
	while (fgets(line, sizeof line, f)) {
		char *s = line + strspn(line, " \t");
		size_t len = strcspn(s, " \t\r\n#");

		number++;
		/* cut off, or a NUL in it: no text, and perhaps without end */
		if (!strchr(line, '\n') && !feof(f)) {
			b_error_set(err, B_EINPUT,
				"%s:%d: no line of text, or longer than %zu bytes; write one number a line",
				path, number, sizeof line - 2);
			goto fail;
		}
		if (!len)
			continue;
		if (number_parse(s, len, true, &x) || x > LONGEST_S || n == TABLE_MAX) {
			b_error_set(err, B_EINPUT,
				"%s:%d: not a number of seconds, or more than %d of them; write one a line",
				path, number, TABLE_MAX);
			goto fail;
		}
		if (n == cap)
			v = b_reallocarray(v, cap = cap ? cap * 2 : 64, sizeof *v);
		v[n++] = x;
	}
	if (!n || ferror(f)) {
		b_error_set(err, B_EINPUT, "the table %s holds no number; write one a line", path);
		goto fail;
	}
	fclose(f);
	d->kind = B_DIST_TABLE;
	d->table = v;
	d->n_table = n;
	d->table_path = b_strdup(path);
	return B_OK;
fail:
	free(v);
	fclose(f);
	return B_EINPUT;
}

static int recorded_parse(struct b_dist *d, const char *rest)
{
	d->kind = B_DIST_RECORDED;
	d->p[0] = 1;
	if (!*rest)
		return B_OK;
	if (*rest != '*' || number_parse(rest + 1, strlen(rest + 1), false, &d->p[0]))
		return B_EUSAGE;
	return d->p[0] <= FACTOR_MAX ? B_OK : B_EUSAGE;
}

static int form_parse(struct b_dist *d, const struct form *f, const char *s)
{
	d->kind = f->kind;
	for (int i = 0; i < f->n; i++) {
		size_t len = strcspn(s, ",");

		if (number_parse(s, len, f->seconds >> i & 1, &d->p[i]))
			return B_EUSAGE;
		s += len;
		if ((*s == ',') != (i < f->n - 1))
			return B_EUSAGE;
		s += *s == ',';
	}
	return B_OK;
}

int b_dist_parse(struct b_dist *out, const char *text, struct b_error *err)
{
	struct b_dist d = { 0 };
	size_t name = strcspn(text, ":");
	const char *wrong;
	int64_t ns;

	if (!strcmp(text, "none")) {
		d.kind = B_DIST_NONE;
	} else if (!strncmp(text, "recorded", 8)) {
		if (recorded_parse(&d, text + 8))
			return refuse(err, text,
				"a factor is written recorded*0.5, and at most a million");
	} else if (!b_parse_duration(text, &ns)) {
		d.kind = B_DIST_CONST;
		d.p[0] = (double)ns / (double)B_NS_PER_S;
	} else if (!strncmp(text, "table:", 6)) {
		int rc = table_read(&d, text + 6, err);

		if (rc)
			return rc;
	} else {
		const struct form *f = NULL;

		for (size_t i = 0; i < B_ARRAY_LEN(forms); i++)
			if (strlen(forms[i].name) == name && !memcmp(text, forms[i].name, name))
				f = &forms[i];
		if (!f)
			return refuse(err, text, "no such form");
		if (text[name] != ':' || form_parse(&d, f, text + name + 1))
			return refuse(err, text, "its numbers cannot be read");
		wrong = numbers_wrong(&d);
		if (!wrong)
			wrong = senseless(&d, f->seconds);
		if (wrong)
			return refuse(err, text, wrong);
	}
	b_dist_release(out);
	*out = d;
	return B_OK;
}

void b_dist_release(struct b_dist *d)
{
	free(d->table);
	free(d->table_path);
	*d = (struct b_dist){ 0 };
}

void b_dist_copy(struct b_dist *to, const struct b_dist *from)
{
	struct b_dist d = *from;

	if (d.table) {
		d.table = b_reallocarray(NULL, d.n_table, sizeof *d.table);
		memcpy(d.table, from->table, d.n_table * sizeof *d.table);
	}
	if (d.table_path)
		d.table_path = b_strdup(d.table_path);
	b_dist_release(to);
	*to = d;
}

void b_dist_format(const struct b_dist *d, struct b_buf *out)
{
	switch (d->kind) {
	case B_DIST_UNSET: return;
	case B_DIST_NONE: b_buf_adds(out, "none"); return;
	case B_DIST_TABLE: b_buf_printf(out, "table:%s", d->table_path); return;
	case B_DIST_RECORDED:
		b_buf_adds(out, "recorded");
		if (d->p[0] < 1 || d->p[0] > 1)
			b_buf_printf(out, "*%.15g", d->p[0]);
		return;
	default: break;
	}
	for (size_t i = 0; i < B_ARRAY_LEN(forms); i++) {
		if (forms[i].kind != d->kind)
			continue;
		b_buf_adds(out, forms[i].name);
		for (int k = 0; k < forms[i].n; k++)
			b_buf_printf(out, "%c%.15g", k ? ',' : ':', d->p[k]);
	}
}

/* Of the value itself, not of its logarithm, is what people can say. */
static void lognormal_shape(const struct b_dist *d, double *mu, double *sigma)
{
	double ratio = d->p[1] / d->p[0];

	*sigma = sqrt(log1p(ratio * ratio));
	*mu = log(d->p[0]) - *sigma * *sigma / 2;
}

static double weibull(struct b_random *r, double scale, double shape)
{
	return scale * pow(-log1p(-b_random_unit(r)), 1 / shape);
}

static double draw_s(const struct b_dist *d, struct b_random *r, bool word_end)
{
	double mu, sigma;

	switch (d->kind) {
	case B_DIST_CONST: return d->p[0];
	case B_DIST_UNIFORM: return d->p[0] + (d->p[1] - d->p[0]) * b_random_unit(r);
	case B_DIST_EXP: return b_random_exp(r, d->p[0]);
	case B_DIST_NORMAL: return b_random_normal(r, d->p[0], d->p[1]);
	case B_DIST_LOGNORMAL:
		lognormal_shape(d, &mu, &sigma);
		return exp(b_random_normal(r, mu, sigma));
	case B_DIST_WEIBULL: return weibull(r, d->p[0], d->p[1]);
	case B_DIST_CPS: return 1 / d->p[0];
	/* Source: expect(1), send_human: the minimum and maximum clip. */
	case B_DIST_HUMAN:
		return fmax(d->p[3], fmin(d->p[4], weibull(r, d->p[word_end ? 1 : 0], d->p[2])));
	case B_DIST_TABLE: return d->table[b_random_int(r, 0, (int64_t)d->n_table - 1)];
	default: return 0;
	}
}

int64_t b_dist_draw(const struct b_dist *d, struct b_random *r, int64_t recorded_ns, bool word_end)
{
	double ns;

	if (d->kind == B_DIST_RECORDED)
		ns = recorded_ns > 0 ? (double)recorded_ns * d->p[0] : 0;
	else
		ns = draw_s(d, r, word_end) * (double)B_NS_PER_S;
	if (ns <= 0)
		return 0;
	/* so that it can still be added to an instant; what is no number counts as for ever */
	return ns < LONGEST_NS ? llround(ns) : (int64_t)LONGEST_NS;
}

static double normal_mean(double mean, double sd)
{
	if (sd <= 0)
		return mean;
	/* What is below 0 is drawn as 0, which lifts the mean. */
	return mean * gsl_cdf_ugaussian_P(mean / sd) +
		sd * exp(-mean * mean / (2 * sd * sd)) / sqrt(2 * M_PI);
}

double b_dist_mean_s(const struct b_dist *d)
{
	double sum = 0;

	switch (d->kind) {
	case B_DIST_NONE: return 0;
	case B_DIST_CONST: return d->p[0];
	case B_DIST_UNIFORM: return (d->p[0] + d->p[1]) / 2;
	case B_DIST_EXP: return d->p[0] * -expm1(-EXP_CUT);
	case B_DIST_NORMAL: return normal_mean(d->p[0], d->p[1]);
	case B_DIST_LOGNORMAL: return d->p[0];
	case B_DIST_WEIBULL: return d->p[0] * tgamma(1 + 1 / d->p[1]);
	case B_DIST_CPS: return 1 / d->p[0];
	case B_DIST_TABLE:
		for (size_t i = 0; i < d->n_table; i++)
			sum += d->table[i];
		return sum / (double)d->n_table;
	default: return NAN;
	}
}

double b_dist_cdf(const struct b_dist *d, double x)
{
	double mu, sigma;
	size_t below = 0;

	switch (d->kind) {
	case B_DIST_NONE: return x >= 0;
	case B_DIST_CONST: return x >= d->p[0];
	case B_DIST_CPS: return x >= 1 / d->p[0];
	case B_DIST_UNIFORM:
		if (x < d->p[0])
			return 0;
		return x >= d->p[1] ? 1 : (x - d->p[0]) / (d->p[1] - d->p[0]);
	case B_DIST_EXP:
		if (x < 0 || d->p[0] <= 0)
			return x >= 0;
		return x >= EXP_CUT * d->p[0] ? 1 : -expm1(-x / d->p[0]);
	case B_DIST_NORMAL:
		if (x < 0 || d->p[1] <= 0)
			return x >= fmax(0, d->p[0]);
		return gsl_cdf_gaussian_P(x - d->p[0], d->p[1]);
	case B_DIST_LOGNORMAL:
		lognormal_shape(d, &mu, &sigma);
		if (x <= 0 || sigma <= 0)
			return x >= d->p[0];
		return gsl_cdf_lognormal_P(x, mu, sigma);
	case B_DIST_WEIBULL:
		return x < 0 || d->p[0] <= 0 ? x >= 0 : -expm1(-pow(x / d->p[0], d->p[1]));
	case B_DIST_TABLE:
		for (size_t i = 0; i < d->n_table; i++)
			below += d->table[i] <= x;
		return (double)below / (double)d->n_table;
	default: return NAN;
	}
}
