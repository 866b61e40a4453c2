/*
 * Thresholds: "NAME:FIGURE OP VALUE[,FIGURE OP VALUE...]".
 *
 * NAME is a transaction or * for all together (the part in front of the last colon). FIGURE is
 *   pNN, min, mean (avg), max, sd     of the response time; in front of it first., keying.,
 *                                     think. or due. (response from due time) for another
 *   errors                            failed / (ok + failed); VALUE 1% or 0.01
 *   failed, n (count)                 numbers of transactions: failed; ok
 *   rate                              ok transactions a second; VALUE 10/s, 600/m or 10
 * OP is < <= > >=. Where there is no sample no threshold is met: nothing measured is a failure.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

#define FORM                                                                                    \
	"the form is 'NAME:p90<2s', NAME a transaction or *, with p50, p90, p99.9, min, mean, " \
	"max, errors, failed, n or rate"

static const struct {
	const char *prefix;
	enum rp_measure measure;
} prefixes[] = { { "first.", RP_FIRST }, { "keying.", RP_KEYING }, { "think.", RP_THINK },
	{ "due.", RP_FROM_DUE }, { "response.", RP_RESPONSE } };

/* "p90", "p99.9": the part of the samples; false for other words. */
static bool parse_percentile(const char *s, double *q)
{
	double v;

	if (*s != 'p' || s[1] < '0' || s[1] > '9' || b_parse_double(s + 1, &v) ||
		!(v > 0 && v < 100))
		return false;
	*q = v / 100;
	return true;
}

static const char *skip_prefix(const char *figure, enum rp_measure *m)
{
	*m = RP_RESPONSE;
	for (size_t i = 0; i < B_ARRAY_LEN(prefixes); i++) {
		size_t n = strlen(prefixes[i].prefix);

		if (!strncmp(figure, prefixes[i].prefix, n)) {
			*m = prefixes[i].measure;
			return figure + n;
		}
	}
	return figure;
}

static bool figure_unit(const char *figure, enum rp_unit *unit)
{
	static const char *const times[] = { "min", "mean", "avg", "max", "sd" };
	enum rp_measure m;
	const char *word = skip_prefix(figure, &m);
	double q;

	*unit = RP_UNIT_S;
	if (parse_percentile(word, &q))
		return true;
	for (size_t i = 0; i < B_ARRAY_LEN(times); i++)
		if (!strcmp(word, times[i]))
			return true;
	if (word != figure)
		return false;
	*unit = RP_UNIT_SHARE;
	if (!strcmp(figure, "errors"))
		return true;
	*unit = RP_UNIT_RATE;
	if (!strcmp(figure, "rate"))
		return true;
	*unit = RP_UNIT_COUNT;
	return !strcmp(figure, "n") || !strcmp(figure, "count") || !strcmp(figure, "failed");
}

/* VALUE with what may follow a number of this unit. */
static int parse_value(const char *s, enum rp_unit unit, double *v)
{
	size_t len = strlen(s);
	char number[64];
	double scale = 1;
	int64_t ns;
	int rc;

	if (unit == RP_UNIT_S) {
		rc = b_parse_duration(s, &ns);
		if (!rc)
			*v = (double)ns * 1e-9;
		return rc;
	}
	if (unit == RP_UNIT_SHARE && len && s[len - 1] == '%') {
		scale = 0.01;
		len--;
	} else if (unit == RP_UNIT_RATE && len > 2 && s[len - 2] == '/') {
		scale = s[len - 1] == 's'   ? 1
			: s[len - 1] == 'm' ? 1.0 / 60
			: s[len - 1] == 'h' ? 1.0 / 3600
					    : 0;
		len -= 2;
	}
	if (!(scale > 0) || len >= sizeof number)
		return B_EUSAGE;
	memcpy(number, s, len);
	number[len] = 0;
	rc = b_parse_double(number, v);
	*v *= scale;
	return rc;
}

static char *trimmed(const char *s, size_t len)
{
	while (len && *s == ' ')
		s++, len--;
	while (len && s[len - 1] == ' ')
		len--;
	return b_strndup(s, len);
}

static void threshold_release(struct rp_threshold *t)
{
	free(t->text);
	free(t->name);
	free(t->figure);
}

/* One "FIGURE OP VALUE"; what it takes is freed again when it is wrong. */
static int parse_one(
	struct rp_threshold *t, const char *name, size_t name_len, const char *s, size_t len)
{
	char *part = trimmed(s, len), *value = NULL;
	size_t at = strcspn(part, "<>"), op_len;
	int rc = B_EUSAGE;

	*t = (struct rp_threshold){ .value = NAN };
	if (part[at]) {
		op_len = part[at + 1] == '=' ? 2 : 1;
		t->op = part[at] == '<' ? (op_len == 2 ? "<=" : "<") : (op_len == 2 ? ">=" : ">");
		t->name = trimmed(name, name_len);
		t->figure = trimmed(part, at);
		value = trimmed(part + at + op_len, strlen(part) - at - op_len);
		if (*t->name && figure_unit(t->figure, &t->unit))
			rc = parse_value(value, t->unit, &t->limit);
	}
	free(value);
	if (rc) {
		threshold_release(t);
	} else {
		struct b_buf text = B_BUF_INIT;

		b_buf_printf(&text, "%s:%s", t->name, part);
		t->text = b_buf_take(&text, NULL);
	}
	free(part);
	return rc;
}

/* Appends the thresholds of one text. */
static int parse_text(const char *text, struct rp_threshold **list, size_t *n, struct b_error *err)
{
	const char *colon = strrchr(text, ':'), *s;

	if (!colon)
		return b_error_set(err, B_EUSAGE, "threshold '%s' has no colon; " FORM, text);
	for (s = colon + 1;; s++) {
		size_t len = strcspn(s, ",");
		struct rp_threshold t;

		if (parse_one(&t, text, (size_t)(colon - text), s, len))
			return b_error_set(
				err, B_EUSAGE, "threshold '%s' makes no sense; " FORM, text);
		*list = b_reallocarray(*list, *n + 1, sizeof **list);
		(*list)[(*n)++] = t;
		s += len;
		if (!*s)
			return B_OK;
	}
}

int rp_threshold_check(const char *text, struct b_error *err)
{
	struct rp_threshold *list = NULL;
	size_t n = 0;
	int rc = parse_text(text, &list, &n, err);

	for (size_t i = 0; i < n; i++)
		threshold_release(&list[i]);
	free(list);
	return rc;
}

/* ---- Judging ------------------------------------------------------------------------------- */

/* Called where the samples are at hand, since any percentile may be asked for. */
void rp_thresholds_sample(struct rp_run *r, const struct rp_group *g, enum rp_measure m,
	const rp_time *sorted, size_t n)
{
	for (size_t i = 0; i < r->n_thresholds; i++) {
		struct rp_threshold *t = &r->thresholds[i];
		enum rp_measure of;
		double q;

		if (t->unit == RP_UNIT_S && parse_percentile(skip_prefix(t->figure, &of), &q) &&
			of == m && !strcmp(t->name, g->name))
			t->value = rp_quantile_of(sorted, n, q);
	}
}

static double time_figure(const struct rp_group *g, const struct rp_threshold *t)
{
	enum rp_measure m;
	const char *word = skip_prefix(t->figure, &m);
	const struct rp_stat *s = &g->measure[m];

	if (!strcmp(word, "min"))
		return s->min_s;
	if (!strcmp(word, "max"))
		return s->max_s;
	if (!strcmp(word, "sd"))
		return s->sd_s;
	if (*word == 'p')
		return t->value; /* as rp_thresholds_sample found it */
	return s->mean_s;
}

static double figure_value(const struct rp_group *g, const struct rp_threshold *t)
{
	uint64_t n = g->n_ok + g->n_failed;

	if (!n)
		return NAN;
	switch (t->unit) {
	case RP_UNIT_S: return time_figure(g, t);
	case RP_UNIT_SHARE: return (double)g->n_failed / (double)n;
	case RP_UNIT_RATE: return g->rate_per_s;
	case RP_UNIT_COUNT: return (double)(!strcmp(t->figure, "failed") ? g->n_failed : g->n_ok);
	}
	return NAN;
}

/* Decimal fractions are no binary ones: what differs by less than a nanosecond is equal. */
static bool holds(const struct rp_threshold *t)
{
	double over = t->value - t->limit;

	if (isnan(t->value))
		return false;
	if (fabs(over) < 1e-9)
		return t->op[1] == '=';
	return t->op[0] == '<' ? over < 0 : over > 0;
}

size_t rp_thresholds_n_missed(const struct rp_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_thresholds; i++)
		n += !r->thresholds[i].passed;
	return n;
}

const char *rp_threshold_value(char *out, const struct rp_threshold *t)
{
	if (isnan(t->value))
		snprintf(out, RP_FORMAT_SIZE, "no sample");
	else if (t->unit == RP_UNIT_S)
		rp_format_s(out, t->value);
	else if (t->unit == RP_UNIT_SHARE)
		rp_format_share(out, t->value);
	else
		rp_format_number(out, t->value);
	if (t->unit == RP_UNIT_RATE && !isnan(t->value)) {
		size_t n = strlen(out);

		snprintf(out + n, RP_FORMAT_SIZE - n, "/s");
	}
	return out;
}

void rp_thresholds_missed(struct b_buf *out, const struct rp_run *r)
{
	const char *before = "missed ";
	char a[RP_FORMAT_SIZE];

	for (size_t i = 0; i < r->n_thresholds; i++) {
		if (r->thresholds[i].passed)
			continue;
		b_buf_printf(out, "%s%s (%s)", before, r->thresholds[i].text,
			rp_threshold_value(a, &r->thresholds[i]));
		before = ", ";
	}
}

int rp_thresholds_parse(struct rp_run *r, const struct rp_load_options *opt, struct b_error *err)
{
	int rc = B_OK;

	for (size_t i = 0; i < r->config.n_thresholds && !rc; i++)
		rc = parse_text(r->config.thresholds[i], &r->thresholds, &r->n_thresholds, err);
	for (size_t i = 0; i < opt->n_thresholds && !rc; i++)
		rc = parse_text(opt->thresholds[i], &r->thresholds, &r->n_thresholds, err);
	return rc;
}

void rp_thresholds_judge(struct rp_run *r)
{
	for (size_t i = 0; i < r->n_thresholds; i++) {
		struct rp_threshold *t = &r->thresholds[i];
		const struct rp_group *g = rp_group_find(r, t->name);

		t->value = g ? figure_value(g, t) : (double)NAN;
		t->passed = holds(t);
	}
}
