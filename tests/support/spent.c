/*
 * spent - runs a command and says on standard error what it took:
 *
 *   spent COMMAND [ARG...]     elapsed 2.870 s, cpu 2.710 s, memory 178348 KiB
 *
 * Exits as the command did. memory is the largest resident set.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/banned.h"

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
	int64_t start = b_clock_mono_ns();
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2) {
		fputs("usage: spent COMMAND [ARG...]\n", stderr);
		return 2;
	}
	pid = fork();
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &used)) {
		perror("spent");
		return 3;
	}
	fprintf(stderr, "elapsed %.3f s, cpu %.3f s, memory %ld KiB\n",
		(double)(b_clock_mono_ns() - start) * 1e-9,
		seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
