#define _GNU_SOURCE /* pipe2 */
#include "rte/test_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define OUTPUT_MAX 600 /* bytes of its last output, for the message */
#define LOOK_MS    20
#define LINGER_NS  (200 * B_NS_PER_MS) /* output of those that outlive the shell */

static void run_shell(const char *command, int out)
{
	struct sigaction def = { .sa_handler = SIG_DFL };
	sigset_t none;
	int null;

	/* It does not outlive the test that waits for it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	sigaction(SIGPIPE, &def, NULL);
	sigaction(SIGXFSZ, &def, NULL);
	null = open("/dev/null", O_RDONLY);
	if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(126);
	if (null > 2)
		close(null);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Reads what is there; false at the end. Keeps the last bytes. */
static bool take_output(int fd, struct b_buf *output)
{
	char buf[4096];
	ssize_t n = read(fd, buf, sizeof buf);

	if (n > 0) {
		b_buf_add(output, buf, (size_t)n);
		if (output->len > OUTPUT_MAX)
			b_buf_consume(output, output->len - OUTPUT_MAX);
	}
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* The status that it ends with; -1: it had to be killed. */
static int wait_for(pid_t pid, int fd, int64_t deadline, struct b_buf *output)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	bool open = true, killed = false;
	int64_t ended = 0;
	int status = 0;

	for (;;) {
		int64_t now = b_clock_mono_ns();

		if (!ended && waitpid(pid, &status, WNOHANG) == pid)
			ended = now;
		if (ended && (!open || now > ended + LINGER_NS))
			return killed ? -1 : status;
		if (!ended && !killed && now >= deadline) {
			killed = true;
			kill(-pid, SIGKILL);
			kill(pid, SIGKILL);
		}
		if (poll(&p, open ? 1 : 0, open ? LOOK_MS : 1) > 0)
			open = take_output(fd, output);
		if (!open)
			p.fd = -1;
	}
}

static int judge(
	const char *what, int status, int64_t timeout_ns, struct b_buf *output, struct b_error *err)
{
	struct b_buf why = B_BUF_INIT;

	if (status == 0)
		return B_OK;
	while (output->len && strchr("\r\n ", output->data[output->len - 1]))
		b_buf_truncate(output, output->len - 1);
	if (status == -1) {
		b_buf_adds(&why, "took longer than ");
		b_format_duration(&why, timeout_ns);
	} else if (WIFSIGNALED(status)) {
		b_buf_printf(&why, "was killed by signal %d", WTERMSIG(status));
	} else {
		b_buf_printf(&why, "ended with status %d", WEXITSTATUS(status));
	}
	b_error_set(err, B_ECHECK, "%s: the command %s%s%s", what, b_buf_cstr(&why),
		output->len ? ": " : "", b_buf_cstr(output));
	b_buf_release(&why);
	return B_ECHECK;
}

int rte_test_command(const char *what, const char *command, int64_t timeout_ns, struct b_error *err)
{
	struct b_buf output = B_BUF_INIT;
	int fds[2], status, rc;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return b_error_set(err, B_EENV, "%s: no pipe: %s", what, strerror(errno));
	pid = fork();
	if (pid == 0)
		run_shell(command, fds[1]);
	close(fds[1]);
	if (pid < 0) {
		rc = b_error_set(
			err, B_EENV, "%s: no process can be made: %s", what, strerror(errno));
	} else {
		fcntl(fds[0], F_SETFL, O_NONBLOCK);
		status = wait_for(pid, fds[0], b_clock_mono_ns() + timeout_ns, &output);
		rc = judge(what, status, timeout_ns, &output, err);
	}
	close(fds[0]);
	b_buf_release(&output);
	return rc;
}
