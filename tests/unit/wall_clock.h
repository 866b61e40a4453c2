/*
 * The wall clock as someone sets it, for the tests of what must not go by it: clock_gettime is this one
 * for the whole program. To be included first, and once.
 */
#ifndef TESTS_UNIT_WALL_CLOCK_H
#define TESTS_UNIT_WALL_CLOCK_H

#define _GNU_SOURCE /* syscall */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static time_t wall_step_s; /* how far it is ahead */

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int rc = (int)syscall(SYS_clock_gettime, id, ts);

	if (!rc && id == CLOCK_REALTIME)
		ts->tv_sec += wall_step_s;
	return rc;
}

#endif
