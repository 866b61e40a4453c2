/*
 * rte/test_artifacts.h - what a failed test leaves in the folder of --artifacts.
 *
 * A folder a test and attempt, FOLDER/SCRIPT/TEST[-tryN]:
 *
 *   trace.html     the session step by step, a page by itself (rte/test_html.c)
 *   trace.cast     all that went over the line, with times: plays in asciinema, rte screen, ...
 *   screen.txt     the screen as it was at the first failure
 *   result.json    the attempt, as rte/test.h says, and its steps with their times
 *   NAME.expected.txt, NAME.actual.txt, NAME.diff.txt   of each golden screen that differed
 *
 * and FOLDER/index.html, all tests with ways to those pages (rte/test_index.c).
 *
 * No secret is in any of them. Files are mode 0600, as traces are.
 */
#ifndef RTE_TEST_ARTIFACTS_H
#define RTE_TEST_ARTIFACTS_H

#include "base/buf.h"
#include "rte/test_record.h"

/* Writes them, and the folder's name into the attempt; what cannot be written is warned of. */
void rte_test_artifacts_write(struct rte_record *r, json_t *attempt, int number);
/* Removes what earlier runs left of a test. */
void rte_test_artifacts_remove(const struct rte_test_options *opt, const struct rte_test *t);

/* The folder and those above it. B_ESYS, with the message. */
int rte_test_folders_make(const char *path, struct b_error *err) B_CHECK;
/* A file in them, mode 0600. B_ESYS, with the message. */
int rte_test_file_write(
	const char *path, const char *text, size_t len, struct b_error *err) B_CHECK;

/* ---- test_html.c ---- */

/* The style sheet of the pages, appended. */
void rte_test_html_style(struct b_buf *out);

/* The page, appended. */
void rte_test_html(const struct rte_record *r, const json_t *attempt, struct b_buf *out);

#endif
