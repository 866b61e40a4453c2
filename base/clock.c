#include "base/clock.h"

#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "base/banned.h"

static int64_t read_ns(clockid_t id)
{
	struct timespec ts;

	B_BUG_ON(clock_gettime(id, &ts) != 0);
	return (int64_t)ts.tv_sec * B_NS_PER_S + ts.tv_nsec;
}

int64_t b_clock_mono_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

int64_t b_clock_wall_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

void b_clock_iso8601(int64_t wall_ns, char out[32])
{
	time_t sec = (time_t)(wall_ns / B_NS_PER_S);
	struct tm tm;

	if (!gmtime_r(&sec, &tm) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
		snprintf(out, 32, "1970-01-01T00:00:00Z");
}
