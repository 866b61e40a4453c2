/*
 * rte/test.h - rte test: what is to be tested, and how it went. Plain values.
 *
 *   test_find.c     paths of the command line -> scripts
 *   test_plan.c     scripts -> tests: rows, marks, selection, order
 *   test_run.c      tests -> processes, as many at a time as were asked for; retries, time-outs
 *   test_child.c    one test in such a process, on the engine of rte play
 *   test_record.c   what it keeps of the session: steps, screens, output
 *   test_golden.c   its golden screens
 *   test_report.c   what stands on standard output; test_tap.c, test_junit.c, ...: other forms
 *
 * An attempt at a test is a JSON object: it is what the process that made it hands over, and what
 * the reports read. Its members:
 *
 *   status        "passed", "failed" or "skipped"
 *   seconds       how long it took
 *   reason        why it was skipped
 *   failures      [{ kind, message, file, line, transaction, expected, unanswered, output, diff,
 *                 screen }]; kind: timeout, check, golden, budget, disconnect, connect, error,
 *                 before, after, time (the test's own), crash, interrupted
 *   goldens       [{ name, path, is }]; is: equal, differs, written, updated, missing, skipped
 *   transactions  [{ name, status, response_s, max_s }]
 *   asked         [name] of every golden screen that was asked for
 *   log           [text]
 *   artifacts     the folder of its files, if there are any
 */
#ifndef RTE_TEST_H
#define RTE_TEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/script_test.h"
#include "rte/workload.h"

#define RTE_TEST_TIMEOUT_DEFAULT_NS (300 * INT64_C(1000000000))
#define RTE_TEST_WAIT_DEFAULT_NS    (20 * INT64_C(1000000000)) /* of an expect */
#define RTE_TEST_NAME               "rte-test"
#define RTE_SUITE_FILE              "suite.lua"

struct rte_test_options {
	bool update;  /* golden screens are written anew */
	bool ci;      /* a golden screen that is missing is a failure */
	bool screens; /* the screen after each transaction is a golden screen */
	bool soft;    /* a golden screen that differs does not end its test */
	bool fail_fast;
	bool shuffle;
	uint64_t shuffle_seed;
	const char *grep, *grep_invert;
	int64_t jobs;          /* tests at a time */
	int64_t retries;       /* of a test that fails */
	int64_t repeat;        /* each test so often; 0 is once */
	int64_t timeout_ns;    /* of a test; RTE_TEST_UNSET: the tests' own, else the default */
	const char *artifacts; /* folder; NULL: none are kept */
	const char *goldens;   /* folder of all golden screens; NULL: beside the scripts */
	int64_t still_ns;      /* a golden screen that differs is final then; 0: the default */
	struct rte_workload w; /* targets, sets, rates and the like; without scripts */
};

enum rte_test_outcome {
	RTE_TEST_NOT_RUN,
	RTE_TEST_PASSED,
	RTE_TEST_FLAKY,   /* passed, but not at once */
	RTE_TEST_XFAILED, /* failed, as was expected */
	RTE_TEST_SKIPPED,
	RTE_TEST_FAILED,
	RTE_TEST_BAD /* its script cannot be loaded */
};

enum rte_scope_state { RTE_SCOPE_DOWN, RTE_SCOPE_UP, RTE_SCOPE_FAILED, RTE_SCOPE_OVER };

/* A folder with a suite.lua, or a script: what is set up once for its tests. */
struct rte_test_scope {
	struct rte_test_scope *parent; /* NULL: none */
	char *path;                    /* of the Lua file */
	char *folder;
	struct rte_script *script; /* NULL: it could not be loaded */
	size_t n_left;             /* tests that have not ended */
	size_t n_tests, n_chosen;  /* of a script: all of its tests, and those of the plan */
	enum rte_scope_state state;
	char *error; /* of the loading or the setup */
};

struct rte_test {
	struct rte_test_scope *scope; /* of its script */
	const char *file;
	char *name;
	int line, last_line;  /* of its declaration; the script as a test: the whole file */
	size_t index, row;    /* which test of the script, from 1, and row, from 0 */
	size_t n_rows;        /* 0: it has none */
	const char *function; /* of the mix; NULL: none */
	const char **tags;
	size_t n_tags;
	const char *skip, *fails; /* NULL, or why */
	int64_t timeout_ns, retries;

	json_t *attempts; /* a list; the last one decides */
	enum rte_test_outcome outcome;
};

struct rte_test_plan {
	struct rte_test_options *opt;
	struct rte_lua *lua;
	struct rte_data *data;
	struct rte_test_scope **scopes;
	size_t n_scopes;
	struct rte_test *tests; /* in the order in which they run */
	size_t n_tests;
	bool bad; /* a script could not be loaded */
};

/* Foreign bytes as a JSON string. */
json_t *rte_test_escaped(const char *s, size_t len);
/* A text member of an attempt or of a failure; "" when there is none. */
const char *rte_test_text(const json_t *o, const char *name);

#endif
