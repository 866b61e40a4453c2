#include "line/reap.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/banned.h"

static struct {
	pthread_mutex_t lock;
	pid_t *pids;
	size_t n, cap;
} orphans = { .lock = PTHREAD_MUTEX_INITIALIZER };

void ln_reap_later(pid_t pid)
{
	pthread_mutex_lock(&orphans.lock);
	if (orphans.n == orphans.cap) {
		orphans.cap = orphans.cap ? 2 * orphans.cap : 16;
		orphans.pids = b_reallocarray(orphans.pids, orphans.cap, sizeof *orphans.pids);
	}
	orphans.pids[orphans.n++] = pid;
	pthread_mutex_unlock(&orphans.lock);
	ln_reap_sweep();
}

void ln_reap_sweep(void)
{
	size_t left = 0;

	pthread_mutex_lock(&orphans.lock);
	for (size_t i = 0; i < orphans.n; i++)
		if (!waitpid(orphans.pids[i], NULL, WNOHANG))
			orphans.pids[left++] = orphans.pids[i];
	orphans.n = left;
	if (!left) {
		free(orphans.pids);
		orphans.pids = NULL;
		orphans.cap = 0;
	}
	pthread_mutex_unlock(&orphans.lock);
}
