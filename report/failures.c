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

static bool either_holds(const char *a, const char *b)
{
	return a && b && *a && *b && (strstr(a, b) || strstr(b, a));
}

/* Whether run.json's entry speaks of these rows. */
static bool speaks_of(const struct rp_failure *told, const struct rp_failure *f)
{
	if (strcmp(told->kind, f->kind))
		return false;
	if (told->transaction && strcmp(told->transaction, f->transaction))
		return false;
	return !*f->detail || either_holds(told->detail, f->detail) ||
		either_holds(told->message, f->detail);
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

/*
 * An entry of run.json gives its screen to the rows that it speaks of. One that speaks of no
 * row (a login that failed, a line that could not be opened) becomes a failure of its own.
 */
void rp_failures_merge(struct rp_run *r)
{
	size_t n_rows = r->n_failures;

	for (size_t i = 0; i < r->n_told; i++) {
		struct rp_failure *t = &r->told[i], *hit = NULL;

		for (size_t k = 0; k < n_rows; k++) {
			if (!speaks_of(t, &r->failures[k]))
				continue;
			hit = &r->failures[k];
			if (!hit->screen)
				break;
		}
		if (hit) {
			if (!hit->screen && t->screen)
				hit->screen = b_strdup(t->screen);
			continue;
		}
		r->failures = b_reallocarray(r->failures, r->n_failures + 1, sizeof *r->failures);
		hit = &r->failures[r->n_failures++];
		*hit = *t;
		hit->kind = b_strdup(t->kind);
		hit->transaction = b_strdup(t->transaction ? t->transaction : "");
		hit->detail = b_strdup(t->message ? t->message : t->detail ? t->detail : "");
		hit->message = NULL;
		hit->screen = t->screen ? b_strdup(t->screen) : NULL;
		if (hit->first_s > 1e8)
			hit->first_s -= r->started_s;
		hit->last_s = hit->first_s;
	}
	if (r->n_failures)
		qsort(r->failures, r->n_failures, sizeof *r->failures, by_number);
}
