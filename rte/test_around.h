/*
 * rte/test_around.h - what stands around a test: its own folder, the commands before and after it,
 * and what is set up once for the tests of a script or a folder.
 */
#ifndef RTE_TEST_AROUND_H
#define RTE_TEST_AROUND_H

#include "rte/test.h"

/* Makes a folder for a test, and says it in RTE_TEST_DIR and RTE_TEST_NAME. The path is the
   caller's, to be given to rte_test_dir_remove. B_EENV. */
int rte_test_dir_make(const char *name, char **dir, struct b_error *err) B_CHECK;
void rte_test_dir_remove(char *dir); /* with all that is in it; frees dir; NULL accepted */
/* The text with dir and folder for {dir} and {folder}; the caller's. */
char *rte_test_dir_text(const char *text, const char *dir, const char *folder);

/* The commands "before", from the outermost scope in, and "after" from the test out, all of these
   whatever the first says. timeout_ns: of each. B_ECHECK, B_EENV. */
int rte_test_before(
	const struct rte_test *t, const char *dir, int64_t timeout_ns, struct b_error *err) B_CHECK;
int rte_test_after(
	const struct rte_test *t, const char *dir, int64_t timeout_ns, struct b_error *err) B_CHECK;

/* Sets up a scope and those around it, unless they are; its state says how that went. */
void rte_test_scope_up(const struct rte_test_plan *p, struct rte_test_scope *s);
/* Tears it down, also after a setup that failed; warns of what goes wrong. */
void rte_test_scope_down(const struct rte_test_plan *p, struct rte_test_scope *s);

#endif
