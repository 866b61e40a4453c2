#include "rte/spawn.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "base/banned.h"

extern char **environ;

int rte_spawn(pid_t *pid, const struct rte_spawn *s)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, s->in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, s->out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, s->err, STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	if (s->own_group) {
		posix_spawnattr_setpgroup(&attr, 0);
		flags |= POSIX_SPAWN_SETPGROUP;
	}
	posix_spawnattr_setflags(&attr, flags);
	rc = posix_spawnp(pid, s->argv[0], &files, &attr, s->argv, s->env ? s->env : environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}
