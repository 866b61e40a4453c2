#include "rte/attach.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

#define GO_NS   (1 * B_NS_PER_S) /* by itself after the end, then after SIGTERM */
#define STEP_NS (5 * B_NS_PER_MS)

extern char **environ;

struct rte_attach {
	pid_t pid; /* 0: it is gone */
	struct termios before;
	bool saved;
};

bool rte_attach_possible(void)
{
	const char *term = getenv("TERM");

	/* In the background the terminal is somebody else's, and who touches it is stopped. */
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO) && term &&
		*term && strcmp(term, "dumb") != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

int rte_attach_start(struct rte_attach **out, const char *dir, struct b_error *err)
{
	char name[] = "rte", verb[] = "watch", how[] = "--attached", end[] = "--";
	char *path = b_strdup(dir), *argv[] = { name, verb, how, end, path, NULL };
	struct rte_attach *a = b_calloc(1, sizeof *a);
	posix_spawnattr_t attr;
	sigset_t none, all;
	int rc;

	a->saved = !tcgetattr(STDIN_FILENO, &a->before);
	/* The run blocks its signals for a descriptor; the display has them as ever. */
	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawn(&a->pid, "/proc/self/exe", NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	free(path);
	if (rc) {
		free(a);
		return b_error_set(err, B_EENV, "cannot start the display: %s", strerror(rc));
	}
	*out = a;
	return B_OK;
}

static int put_char(int c)
{
	char byte = (char)c;

	(void)!write(STDOUT_FILENO, &byte, 1);
	return c;
}

/* What the display would have done: out of its screen, cursor, colours, keypad, modes. */
static void put_back(const struct rte_attach *a)
{
	static const char *const caps[] = { "sgr0", "cnorm", "rmkx", "rmcup" };
	sigset_t ttou, before;
	int why;

	if (setupterm(NULL, STDOUT_FILENO, &why) == OK) {
		for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
			char cap[8], *s;

			memcpy(cap, caps[i], strlen(caps[i]) + 1);
			s = tigetstr(cap);
			if (s && s != (char *)-1)
				tputs(s, 1, put_char);
		}
		del_curterm(cur_term);
	}
	/* Also when the run stands in the background by now. */
	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &ttou, &before);
	if (a->saved)
		tcsetattr(STDIN_FILENO, TCSANOW, &a->before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool rte_attach_goes_on(struct rte_attach *a)
{
	int status = 0;
	pid_t pid;

	if (!a->pid)
		return false;
	pid = waitpid(a->pid, &status, WNOHANG);
	if (!pid || (pid < 0 && errno == EINTR))
		return true;
	a->pid = 0;
	if (pid > 0 && WIFSIGNALED(status))
		put_back(a);
	return false;
}

static bool gone_within(struct rte_attach *a, int64_t ns)
{
	int64_t until = b_clock_mono_ns() + ns;
	struct timespec step = { 0, STEP_NS };

	while (rte_attach_goes_on(a)) {
		if (b_clock_mono_ns() >= until)
			return false;
		nanosleep(&step, NULL);
	}
	return true;
}

void rte_attach_free(struct rte_attach *a)
{
	int status;

	if (!a)
		return;
	if (!gone_within(a, GO_NS)) {
		kill(a->pid, SIGTERM);
		if (!gone_within(a, GO_NS)) {
			kill(a->pid, SIGKILL);
			while (waitpid(a->pid, &status, 0) < 0 && errno == EINTR)
				;
			put_back(a);
		}
	}
	free(a);
}
