#include "rte/hook.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/banned.h"

extern char **environ;

static char **environment(const char *run_dir, char **ours)
{
	struct b_buf b = B_BUF_INIT;
	size_t n = 0, k = 0;
	char **env;

	while (environ[n])
		n++;
	env = b_reallocarray(NULL, n + 2, sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "RTE_RUN_DIR=", 12))
			env[k++] = environ[i];
	b_buf_printf(&b, "RTE_RUN_DIR=%s", run_dir);
	*ours = b_buf_take(&b, NULL);
	env[k++] = *ours;
	env[k] = NULL;
	return env;
}

static int spawn(pid_t *pid, const char *command, char **env)
{
	char shell[] = "/bin/sh", flag[] = "-c", *text = b_strdup(command);
	char *argv[] = { shell, flag, text, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	/* The run blocks signals for its threads; the command has them as anyone expects. */
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn(pid, shell, &files, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	free(text);
	return rc;
}

int rte_hook_run(const char *what, const char *command, const char *run_dir, struct b_error *err)
{
	char *ours, **env = environment(run_dir, &ours);
	int status = 0, rc;
	pid_t pid;

	rc = spawn(&pid, command, env);
	free(env);
	free(ours);
	if (rc)
		return b_error_set(
			err, B_EENV, "%s: cannot run '%s': %s", what, command, strerror(rc));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return b_error_set(err, B_EENV, "%s: '%s' cannot be waited for: %s", what,
				command, strerror(errno));
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return B_OK;
	if (WIFEXITED(status))
		return b_error_set(err, B_EENV, "%s: '%s' ended with status %d", what, command,
			WEXITSTATUS(status));
	return b_error_set(
		err, B_EENV, "%s: '%s' was killed by signal %d", what, command, WTERMSIG(status));
}
