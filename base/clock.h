/*
 * base/clock.h - the two clocks.
 *
 * All measuring is done on CLOCK_MONOTONIC in int64_t nanoseconds. The wall clock only says
 * when a run was. One pair read together at the start of a run turns the one into the other,
 * so that a step of the wall clock during the run changes no figure.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define B_NS_PER_US 1000LL
#define B_NS_PER_MS 1000000LL
#define B_NS_PER_S  1000000000LL

int64_t b_clock_mono_ns(void);
int64_t b_clock_wall_ns(void); /* since the epoch, UTC */

/* "2026-11-30T12:44:25Z" of a wall clock time; out has room for 32 bytes. */
void b_clock_iso8601(int64_t wall_ns, char out[32]);

#endif
