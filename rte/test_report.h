/*
 * rte/test_report.h - how tests went, for people and for build servers.
 *
 * All that a SUT or a script said is escaped for the place where it goes.
 */
#ifndef RTE_TEST_REPORT_H
#define RTE_TEST_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/buf.h"
#include "rte/test_run.h"

enum rte_test_form { RTE_TEST_FORM_LIST, RTE_TEST_FORM_TAP, RTE_TEST_FORM_JSON };

struct rte_test_report {
	enum rte_test_form form;
	bool colour;   /* of the list */
	bool github;   /* annotations too; on standard output behind the list, else on error */
	size_t n_told; /* tests so far */
	size_t jobs;
};

/* Before the first test, after each in order (an rte_test_told_fn), after the last. */
void rte_test_report_begin(struct rte_test_report *r, const struct rte_test_plan *p);
void rte_test_report_told(void *report, const struct rte_test_plan *p, const struct rte_test *t);
void rte_test_report_end(
	struct rte_test_report *r, const struct rte_test_plan *p, const struct rte_test_summary *s);

/* ---- What the forms share ---- */

/* The attempt that decides; NULL: the test was not run. */
const json_t *rte_test_last(const struct rte_test *t);
const char *rte_test_outcome_name(enum rte_test_outcome o);
bool rte_test_is_failure(const struct rte_test *t); /* FAILED or BAD */
double rte_test_seconds(const struct rte_test *t);  /* all attempts together */
/* The first failure of an attempt, or NULL. */
const json_t *rte_test_failure(const json_t *attempt);
/* "FILE:LINE: MESSAGE" of a failure, on one line, appended. */
void rte_test_failure_line(const json_t *failure, struct b_buf *out);
/* "1 failed, 2 skipped, 27 passed", appended. */
void rte_test_summary_text(const struct rte_test_summary *s, struct b_buf *out);
/* Everything about the failures of an attempt, lines that begin with indent. */
void rte_test_attempt_text(const json_t *attempt, const char *indent, struct b_buf *out);

/* ---- test_tap.c, test_junit.c, test_json.c, test_index.c, test_github.c ---- */

void rte_test_tap_begin(FILE *to, const struct rte_test_plan *p);
void rte_test_tap(FILE *to, size_t number, const struct rte_test *t);
void rte_test_tap_end(FILE *to, const struct rte_test_plan *p, const struct rte_test_summary *s);

/* Writes the file, whole or not at all. B_ESYS. */
int rte_test_junit_write(const char *path, const struct rte_test_plan *p,
	const struct rte_test_summary *s, struct b_error *err) B_CHECK;

void rte_test_json(FILE *to, const struct rte_test_plan *p, const struct rte_test_summary *s);

/* index.html in the folder of --artifacts. B_ESYS. */
int rte_test_index_write(const struct rte_test_plan *p, const struct rte_test_summary *s,
	struct b_error *err) B_CHECK;

/* Workflow commands of GitHub Actions: an annotation for each failure. */
void rte_test_github(FILE *to, const struct rte_test_plan *p, const struct rte_test_summary *s);

#endif
