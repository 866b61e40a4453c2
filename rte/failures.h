/*
 * rte/failures.h - what went wrong in a run: counted by kind, the screen kept once per picture.
 *
 * Failures are the same when they have the same kind, transaction and expectation; each such
 * group keeps its count and the first screen. Screens go to RUN_DIR/failures/NAME.txt (a snapshot
 * under a head that says what was awaited) and NAME.ans (the same in colour, for the report);
 * NAME is a hash of the picture. At most RTE_PICTURES_MAX are kept. Secrets are masked on the
 * screens; all text comes without them (rte_user_note).
 *
 * Thread-safe; failures are rare, so a lock and a write(2) are what they may cost.
 */
#ifndef RTE_FAILURES_H
#define RTE_FAILURES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/redact.h"
#include "vscreen/screen.h"

#define RTE_PICTURES_MAX 200

struct rte_failures;

struct rte_failure {
	const char *kind;        /* "connect", "timeout", "check", "disconnect", "error" */
	const char *transaction; /* "" outside of any */
	const char *expected;    /* the condition, or the error without what varies */
	const char *message;     /* the whole of it, with file and line */
	const char *unanswered;  /* the last query that nobody answered, or "" */
	const char *output;      /* the last bytes of output */
	size_t output_len;
	const struct vs_screen *screen;      /* NULL: none */
	const struct rte_redactor *redactor; /* what the screen must not show; NULL: nothing */
	int64_t user, session, iteration;
	int64_t at_ns; /* since the epoch */
};

/* dir NULL: pictures are not kept (rte play). */
struct rte_failures *rte_failures_new(const char *dir);
void rte_failures_free(struct rte_failures *f); /* NULL accepted */

/* The secrets of the environment, known from the start; lives as long as f, and does not change. */
const struct rte_redactor *rte_failures_environment(const struct rte_failures *f);

/* Notes one. Returns true when it is the first of its group: of those of one kind and transaction
   that expected the same, or whose messages are alike but for their numbers. */
bool rte_failures_note(struct rte_failures *f, const struct rte_failure *e);

uint64_t rte_failures_count(struct rte_failures *f);
/* The message of the group with the most, for people; "" when there is none. Copied to out. */
void rte_failures_worst(struct rte_failures *f, char *out, size_t cap);
/* run.json's "errors": most frequent first. The caller's reference. */
json_t *rte_failures_json(struct rte_failures *f);

#endif
