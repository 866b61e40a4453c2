/* Failures: what the rows say and what run.json says of the same, put together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/run.h"
#include "base/banned.h"

bool rp_status_failed(enum rp_status s)
{
	return s == RP_TIMEOUT || s == RP_CHECK || s == RP_DISCONNECT || s == RP_ERROR;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

void rp_failure_shape(struct b_buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = 0;

		while (i + n < len && is_digit(text[i + n]))
			n++;
		if (n && (!i || text[i - 1] != ':'))
			b_buf_addc(out, '#');
		else
			b_buf_add(out, text + i, n ? n : 1);
		i += n ? n : 1;
	}
}

static bool either_holds(const char *a, const char *b)
{
	return *a && *b && (strstr(a, b) || strstr(b, a));
}

/* Whether run.json's entry speaks of these rows. */
static bool speaks_of(const struct rp_failure *told, const struct rp_failure *f)
{
	if (strcmp(told->kind, f->kind))
		return false;
	if (told->transaction && strcmp(told->transaction, f->transaction))
		return false;
	return !*f->detail || either_holds(told->shape, f->shape) ||
		(told->detail && either_holds(told->detail, f->detail));
}

static int by_number(const void *a, const void *b)
{
	const struct rp_failure *x = a, *y = b;

	if (x->n_counted != y->n_counted)
		return x->n_counted < y->n_counted ? 1 : -1;
	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return (x->first_s > y->first_s) - (x->first_s < y->first_s);
}

/* A failure that no row speaks of: a login that failed, a line that could not be opened. */
static void add_told(struct rp_run *r, const struct rp_failure *t)
{
	double first = t->first_s > 1e8 ? t->first_s - r->started_s : t->first_s;
	const char *detail = t->message ? t->message : t->detail ? t->detail : "";

	r->failures = b_reallocarray(r->failures, r->n_failures + 1, sizeof *r->failures);
	r->failures[r->n_failures++] = (struct rp_failure){ .status = RP_ERROR,
		.kind = b_strdup(t->kind),
		.transaction = b_strdup(t->transaction ? t->transaction : ""),
		.detail = b_strdup(detail),
		.shape = b_strdup(t->shape),
		.screen = t->screen ? b_strdup(t->screen) : NULL,
		.n = t->n,
		.first_s = first,
		.last_s = first };
}

/* An entry of run.json gives its screen to the rows that it speaks of. */
void rp_failures_merge(struct rp_run *r)
{
	size_t n_rows = r->n_failures;

	for (size_t i = 0; i < r->n_told; i++) {
		struct rp_failure *t = &r->told[i], *hit = NULL;

		for (size_t k = 0; k < r->n_failures; k++) {
			if (!speaks_of(t, &r->failures[k]))
				continue;
			hit = &r->failures[k];
			if (k >= n_rows)
				hit->n += t->n;
			if (!hit->screen)
				break;
		}
		if (!hit)
			add_told(r, t);
		else if (!hit->screen && t->screen)
			hit->screen = b_strdup(t->screen);
	}
	if (r->n_failures)
		qsort(r->failures, r->n_failures, sizeof *r->failures, by_number);
}
