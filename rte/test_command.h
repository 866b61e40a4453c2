/*
 * rte/test_command.h - shell commands around tests: before, after, setup, teardown.
 */
#ifndef RTE_TEST_COMMAND_H
#define RTE_TEST_COMMAND_H

#include <stdint.h>

#include "base/error.h"

/*
 * Runs command with /bin/sh and waits for it: at most timeout_ns, then it is killed with what it
 * started. It has no input; what it prints is in the message when it fails. Processes that it
 * leaves behind are no matter. B_ECHECK; B_EENV when no process can be made. what names it in the
 * message ("before").
 */
int rte_test_command(
	const char *what, const char *command, int64_t timeout_ns, struct b_error *err) B_CHECK;

#endif
