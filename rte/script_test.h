/*
 * rte/script_test.h - what a script says of itself as a test, and running one of its tests.
 *
 * A script that calls test(NAME, function) holds as many tests; any other script is one test:
 * its iteration, or each function of its mix. test { ... } says things of all tests of a script.
 * The Lua side is rte/lua_test.c; who plans and runs them is rte/test*.c.
 */
#ifndef RTE_SCRIPT_TEST_H
#define RTE_SCRIPT_TEST_H

#include "rte/script.h"

#define RTE_TEST_UNSET (-1)

/* What test() says besides name and function. Owned by the script. */
struct rte_test_marks {
	char **tags;
	size_t n_tags;
	char *skip;                   /* why it is skipped; NULL: it is not */
	char *fails;                  /* why it is expected to fail; NULL: it is not */
	int64_t timeout_ns;           /* of the whole test, or RTE_TEST_UNSET */
	int64_t retries;              /* or RTE_TEST_UNSET */
	char *before, *after;         /* shell commands around each test */
	char *setup, *teardown;       /* once; of test { ... } alone */
	const struct rte_table *rows; /* one test a row; NULL: one test */
};

struct rte_test_case {
	char *name;
	int line, last_line; /* of the call, and where its function ends */
	struct rte_test_marks marks;
};

/* What test { ... } said of all tests of the script. */
const struct rte_test_marks *rte_script_marks(const struct rte_script *s);
const struct rte_test_case *rte_script_tests(const struct rte_script *s, size_t *n);

/*
 * Appends a test's name for a row of its data, from 0: {COLUMN} in the name becomes the field;
 * without any, the row's number is put behind.
 */
void rte_test_row_name(
	const char *name, const struct rte_table *rows, size_t row, struct b_buf *out);

/* Whether a Lua file is a script that can be tested: it has an iteration, a login, a mix or a
   test. Looks at the text alone. B_EINPUT when it cannot be read. */
int rte_script_is_test(const char *path, bool *is_test, struct b_error *err) B_CHECK;

/* Loads the file that speaks for all tests of a folder: test { ... }, setup(), teardown(). */
int rte_suite_load(
	struct rte_lua *l, const char *path, struct rte_script **out, struct b_error *err) B_CHECK;

/* From now on an iteration of this actor is that test (its index) for that row, from 0. */
void rte_actor_test(struct rte_actor *a, size_t test, size_t row);

/* Where the script stands, while it calls the host; file NULL: nowhere in a script. */
void rte_actor_place(const struct rte_actor *a, const char **file, int *line);

#endif
