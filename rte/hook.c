#include "rte/hook.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "rte/spawn.h"
#include "base/banned.h"

extern char **environ;

static bool same_name(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return n == strcspn(b, "=") && !strncmp(a, b, n);
}

/* Ours take the place of what has the same name. */
static char **environment(const char *const *ours)
{
	size_t n = 0, n_ours = 0, k = 0;
	char **env;

	while (environ[n])
		n++;
	while (ours[n_ours])
		n_ours++;
	env = b_reallocarray(NULL, n + n_ours + 1, sizeof *env);
	for (size_t i = 0; i < n; i++) {
		bool taken = false;

		for (size_t o = 0; o < n_ours; o++)
			taken = taken || same_name(environ[i], ours[o]);
		if (!taken)
			env[k++] = environ[i];
	}
	/* posix_spawn only reads them. */
	for (size_t o = 0; o < n_ours; o++)
		env[k++] = (char *)(uintptr_t)ours[o];
	env[k] = NULL;
	return env;
}

static int run_shell(pid_t *pid, const char *command, char **env)
{
	char shell[] = "/bin/sh", flag[] = "-c", *text = b_strdup(command);
	char *argv[] = { shell, flag, text, NULL };
	/* Standard output carries results only: what the command says is none. */
	const struct rte_spawn s = { argv, env, STDIN_FILENO, STDERR_FILENO, STDERR_FILENO, false };
	int rc = rte_spawn(pid, &s);

	free(text);
	return rc;
}

int rte_hook_run(const char *what, const char *command, const char *run_dir,
	const char *const *more, struct b_error *err)
{
	const char *ours[RTE_HOOK_MORE + 2];
	struct b_buf dir = B_BUF_INIT;
	int status = 0, rc;
	size_t n = 0;
	char **env;
	pid_t pid;

	b_buf_printf(&dir, "RTE_RUN_DIR=%s", run_dir);
	ours[n++] = b_buf_cstr(&dir);
	for (size_t i = 0; more && more[i] && i < RTE_HOOK_MORE; i++)
		ours[n++] = more[i];
	ours[n] = NULL;
	env = environment(ours);
	rc = run_shell(&pid, command, env);
	free(env);
	b_buf_release(&dir);
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
