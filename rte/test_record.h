/*
 * rte/test_record.h - what a test keeps of its session while it runs: steps with the screens that
 * they began on, failures, golden screens, transactions, and every byte in and out.
 *
 * It is the observer of the user (rte/shared.h). Most tests pass, and then all of it is dropped;
 * what a failed one leaves is written by rte/test_artifacts.c.
 */
#ifndef RTE_TEST_RECORD_H
#define RTE_TEST_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "rte/solo.h"
#include "rte/test.h"

#define RTE_NO_SHOT SIZE_MAX

struct rte_step_record {
	enum rte_part part;
	char *what; /* as rte_ask_describe says */
	char *file; /* NULL: unknown */
	int line;
	int64_t at_ns; /* since the session's opening */
	size_t shot;   /* the screen before it, or RTE_NO_SHOT */
};

struct rte_shot {
	char *paint; /* vs_screen_repaint of it, secrets overwritten */
	size_t len;
	int row, col; /* of the cursor; row -1: it is not visible */
};

struct rte_event_record {
	int64_t at_ns;
	char code;        /* as in a trace */
	size_t from, len; /* in bytes */
};

/* A golden screen that differed, for the artifacts. */
struct rte_golden_record {
	char *name, *path;
	char *actual; /* the screen in the format of golden screens */
	char *diff;
};

struct rte_record {
	const struct rte_test *test;
	const struct rte_test_options *opt;
	struct rte_solo *solo;
	json_t *failures, *goldens, *asked, *transactions, *log;
	char *skipped; /* why; NULL: it was not */
	char *diff;    /* of the golden screen whose failure comes next */

	struct rte_step_record *steps;
	size_t n_steps, steps_left_out;
	struct rte_shot *shots;
	size_t n_shots;
	struct rte_event_record *events;
	size_t n_events;
	struct b_buf bytes;
	bool too_much; /* bytes are kept no more */
	struct rte_golden_record *differing;
	size_t n_differing;
	int64_t opened_ns; /* 0: not yet */
	int64_t limit_ns;  /* the whole test is over then, whatever it is at */
	struct rte_timer limit;
};

void rte_record_init(struct rte_record *r, const struct rte_test *t,
	const struct rte_test_options *opt, struct rte_solo *solo);
void rte_record_release(struct rte_record *r);
/* The observer of r. */
struct rte_observer rte_record_observer(struct rte_record *r);

/* A failure of the test. file may be NULL. u NULL: outside of any session. */
void rte_record_fail(struct rte_record *r, const struct rte_user *u, const char *kind,
	const char *message, const char *file, int line);
/* The screen as it stands; the same as the one before is not kept twice. RTE_NO_SHOT: none. */
size_t rte_record_shot(struct rte_record *r, const struct rte_user *u);

/* ---- test_golden.c ---- */
int rte_record_golden(void *record, struct rte_user *u, const struct rte_ask *ask, bool final,
	struct b_error *err) B_CHECK;

#endif
