#include "demo/forms/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/banned.h"

int df_log_file(const char *path, int *fd, struct b_error *err)
{
	int f = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (f < 0)
		return b_error_set(err, B_EENV, "cannot append to %s: %s", path, strerror(errno));
	*fd = f;
	return B_OK;
}

void df_log_init(struct df_log *log, int fd, const char *tag)
{
	log->fd = fd;
	log->tag = tag;
	log->epoch_ns = b_clock_wall_ns() - b_clock_mono_ns();
}

void df_log_write(const struct df_log *log, const struct df_log_entry *e)
{
	int64_t epoch_us = (e->in_ns + log->epoch_ns) / B_NS_PER_US;
	char key[24] = "-", line[512];
	int len;

	if (log->fd < 0)
		return;
	if (e->key >= 0)
		snprintf(key, sizeof key, "%lld", (long long)e->key);
	len = snprintf(line, sizeof line, "%lld %lld %lld.%06lld %ld %.200s %s %s %s %lld %lld\n",
		(long long)e->in_ns, (long long)e->out_ns, (long long)(epoch_us / 1000000),
		(long long)(epoch_us % 1000000), (long)getpid(), log->tag, e->kind, key, e->result,
		(long long)e->bytes, (long long)e->first_ns);
	/* One write: O_APPEND keeps the lines of many processes apart. */
	if (len > 0 && (size_t)len < sizeof line)
		(void)!write(log->fd, line, (size_t)len);
}
