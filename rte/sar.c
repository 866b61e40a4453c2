#define _GNU_SOURCE /* pipe2 */
#include "rte/sar.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rundir.h"
#include "rte/spawn.h"
#include "base/banned.h"

#define START_NS   (20 * B_NS_PER_S) /* ssh may take its time */
#define END_NS     (30 * B_NS_PER_S)
#define STEP_NS    (10 * B_NS_PER_MS)
#define SAID_BYTES 300

struct rte_sar {
	pid_t pid;
	int to;   /* its standard input */
	int from; /* its standard error */
	char *path, *where;
};

/*
 * Says "ready" on standard error once sar samples. `cat` ends with our end of the pipe. The time
 * is taken first then: it is the answer to the end of the input. What is recorded: CPU, run
 * queue, memory, paging, swapping, all disks together and each.
 */
static const char program[] =
	"LC_ALL=C; export LC_ALL\n"
	"command -v sar >/dev/null && command -v sadf >/dev/null || {\n"
	"	echo 'sar and sadf are not there; install sysstat' >&2; exit 3; }\n"
	"d=$(mktemp -d) || exit 3\n"
	"trap 'rm -rf \"$d\"' EXIT\n"
	"trap 'exit 3' HUP INT TERM PIPE\n"
	"sar -o \"$d/data\" %lld >/dev/null 2>\"$d/why\" </dev/null &\n"
	"p=$!\n"
	"i=0\n"
	"while [ ! -s \"$d/data\" ]; do\n"
	"	kill -0 $p 2>/dev/null && [ $i -lt 100 ] || { head -n 1 \"$d/why\" >&2; exit 3; }\n"
	"	i=$((i + 1)); sleep 0.1\n"
	"done\n"
	"echo ready >&2\n"
	"cat >/dev/null\n"
	"now=$(date +%%s.%%N)\n"
	"kill -INT $p 2>/dev/null; kill $p 2>/dev/null; wait $p 2>/dev/null\n"
	"printf '{\"clock_s\":%%s,\"sar\":' \"$now\"\n"
	"sadf -j \"$d/data\" -- -u -q LOAD -r -B -W -b -d 2>/dev/null ||\n"
	"	sadf -j \"$d/data\" -- -u -q -r -B -W -b -d || exit 3\n"
	"printf '}\\n'\n";

static void close_at(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int start(struct rte_sar *s, int in, int out, int errors, char *text)
{
	char shell[] = "sh", flag[] = "-c", ssh[] = "ssh", batch[] = "-oBatchMode=yes",
	     end[] = "--";
	char timeout[] = "-oConnectTimeout=15", alive[] = "-oServerAliveInterval=15";
	char *here[] = { shell, flag, text, NULL };
	char *there[] = { ssh, batch, timeout, alive, end, s->where, text, NULL };
	const struct rte_spawn how = { *s->where ? there : here, NULL, in, out, errors, true };

	return rte_spawn(&s->pid, &how);
}

/* A remote shell may be no POSIX shell: the program is given to sh as one quoted word. */
static char *quoted(const char *text)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_adds(&b, "exec sh -c '");
	for (; *text; text++) {
		if (*text == '\'')
			b_buf_adds(&b, "'\\''");
		else
			b_buf_addc(&b, *text);
	}
	b_buf_addc(&b, '\'');
	return b_buf_take(&b, NULL);
}

static void sar_free(struct rte_sar *s)
{
	close_at(&s->to);
	close_at(&s->from);
	free(s->path);
	free(s->where);
	free(s);
}

/* Waits for it to end. false: it has not within that time. */
static bool gone_within(struct rte_sar *s, int64_t ns, int *status)
{
	int64_t until = b_clock_mono_ns() + ns;
	struct timespec step = { 0, STEP_NS };

	for (;;) {
		pid_t pid = waitpid(s->pid, status, WNOHANG);

		if (pid == s->pid || (pid < 0 && errno != EINTR))
			return true;
		if (b_clock_mono_ns() >= until)
			return false;
		nanosleep(&step, NULL);
	}
}

static void kill_it(struct rte_sar *s)
{
	int status;

	kill(-s->pid, SIGTERM);
	if (gone_within(s, B_NS_PER_S, &status))
		return;
	kill(-s->pid, SIGKILL);
	(void)!gone_within(s, B_NS_PER_S, &status);
}

/* Reads its standard error until "ready", its end, or the time is over. */
static bool is_ready(struct rte_sar *s, struct b_buf *said)
{
	int64_t until = b_clock_mono_ns() + START_NS;
	char bytes[256];

	for (;;) {
		int64_t left = until - b_clock_mono_ns();
		struct pollfd p = { .fd = s->from, .events = POLLIN };
		ssize_t n;

		if (left <= 0 || poll(&p, 1, (int)(left / B_NS_PER_MS) + 1) == 0)
			return false;
		n = read(s->from, bytes, sizeof bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		if (said->len < SAID_BYTES)
			b_buf_add(said, bytes, (size_t)n);
		if (strstr(b_buf_cstr(said), "ready\n"))
			return true;
	}
}

static int refuse(struct rte_sar *s, struct b_buf *said, struct b_error *err)
{
	while (said->len && said->data[said->len - 1] == '\n')
		b_buf_truncate(said, said->len - 1);
	b_error_set(err, B_EENV, "--sar: cannot record %s%s: %s",
		*s->where ? "the system activity of " : "this machine's system activity", s->where,
		said->len ? b_buf_cstr(said) : "no answer");
	b_buf_release(said);
	kill_it(s);
	unlink(s->path);
	sar_free(s);
	return B_EENV;
}

int rte_sar_start(struct rte_sar **out, const char *where, const char *dir, int64_t every_s,
	struct b_error *err)
{
	struct rte_sar *s = b_calloc(1, sizeof *s);
	struct b_buf text = B_BUF_INIT, path = B_BUF_INIT, said = B_BUF_INIT;
	int in[2] = { -1, -1 }, errors[2] = { -1, -1 }, file, rc = -1;
	char *command;

	b_buf_printf(&text, program, (long long)every_s);
	b_buf_printf(&path, "%s/%s", dir, RUNDIR_SAR_JSON);
	s->path = b_buf_take(&path, NULL);
	s->where = b_strdup(where);
	s->to = s->from = -1;
	command = *where ? quoted(b_buf_cstr(&text)) : b_strdup(b_buf_cstr(&text));
	b_buf_release(&text);
	file = open(s->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (file >= 0 && !pipe2(in, O_CLOEXEC) && !pipe2(errors, O_CLOEXEC)) {
		rc = start(s, in[0], file, errors[1], command);
		errno = rc;
	}
	s->to = in[1];
	s->from = errors[0];
	if (rc)
		b_error_set(err, B_EENV, "--sar: cannot start %s: %s", *where ? "ssh" : "sh",
			strerror(errno));
	close_at(&in[0]);
	close_at(&errors[1]);
	close_at(&file);
	free(command);
	if (rc) {
		sar_free(s);
		return B_EENV;
	}
	if (!is_ready(s, &said))
		return refuse(s, &said, err);
	b_buf_release(&said);
	*out = s;
	return B_OK;
}

int rte_sar_end(struct rte_sar *s, int64_t *asked_ns, struct b_error *err)
{
	int status = -1, rc = B_OK;

	*asked_ns = b_clock_wall_ns();
	close_at(&s->to);
	if (!gone_within(s, END_NS, &status)) {
		kill_it(s);
		rc = b_error_set(err, B_EENV, "--sar: %s%s did not end; %s is not complete",
			*s->where ? "the recording at " : "the recording", s->where, s->path);
	} else if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		rc = b_error_set(err, B_EENV, "--sar: the recording%s%s failed; %s is not complete",
			*s->where ? " at " : "", s->where, s->path);
	}
	sar_free(s);
	return rc;
}
