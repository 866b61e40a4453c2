/*
 * bench_record RTE [TARGET] - the delay that the recorder adds to a keystroke and its echo.
 *
 * The same application (cat on a raw pty) driven by the same keys, directly and through
 * `rte record`, in turns; the difference of the round trips is what the person waits more.
 * Then the throughput of a flood, both ways. With TARGET (telnet://HOST:PORT, ssh://...) the
 * application stands there, says "ready" and echoes; directly is by our own line, without a
 * recorder.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "line/line.h"

#define KEYS   400
#define ROUNDS 5

/* Passwords of a target: RTE_SECRET_PASSWORD, as the recorder takes them. */
static const char *find_secret(void *user, const char *name)
{
	(void)user;
	return strcmp(name, "password") ? NULL : getenv("RTE_SECRET_PASSWORD");
}

/* argv of one word that holds "://": a target. */
static struct ln_line *start(char *const argv[], struct ln_target **target)
{
	struct b_error err = { 0 };
	struct ln_line *l = NULL;
	bool remote = !argv[1] && strstr(argv[0], "://");

	if ((remote ? ln_target_parse(target, argv[0], &err)
		    : ln_target_command(target, argv, &err)) ||
		ln_open(&l,
			&(struct ln_options){ .target = *target,
				.term = "xterm",
				.rows = 24,
				.cols = 80,
				.secret = find_secret },
			&err)) {
		fprintf(stderr, "bench_record: %s\n", err.text);
		exit(1);
	}
	return l;
}

static void wait_for(struct ln_line *l)
{
	unsigned wants = ln_line_wants(l);
	struct pollfd p = { .fd = ln_line_fd(l),
		.events = (short)(POLLIN | (wants & LN_WANT_WRITE ? POLLOUT : 0)) };
	struct b_error err = { 0 };

	if (poll(&p, 1, 10000) != 1) {
		fputs("bench_record: nothing comes\n", stderr);
		exit(1);
	}
	if ((ln_line_state(l) == LN_CONNECTING || p.revents & POLLOUT) && ln_line_drive(l, &err)) {
		fprintf(stderr, "bench_record: %s\n", err.text);
		exit(1);
	}
}

/* Reads until text has come, or the end. */
static size_t read_until(struct ln_line *l, const char *text)
{
	char buf[65536];
	char last[64] = "";
	size_t sum = 0;

	for (;;) {
		ssize_t n = B_EAGAIN;

		if (ln_line_state(l) == LN_OPEN)
			n = ln_line_read(l, buf, sizeof buf - 1, NULL);
		if (n == 0 || n == B_EAGAIN) {
			wait_for(l);
			continue;
		}
		if (n < 0)
			return sum;
		sum += (size_t)n;
		buf[n] = '\0';
		if (text && (strstr(buf, text) || strstr(last, text)))
			return sum;
		if (n > 60)
			memmove(buf, buf + n - 60, 61);
		memcpy(last, buf, n > 60 ? 61 : (size_t)n + 1);
	}
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void keystrokes(char *const argv[], int64_t *sample)
{
	struct ln_target *t;
	struct ln_line *l = start(argv, &t);

	read_until(l, "ready");
	for (int i = 0; i < KEYS; i++) {
		const char key[2] = { (char)('a' + i % 26), '\0' };
		int64_t before = b_clock_mono_ns();

		if (ln_line_write(l, key, 1, NULL) != 1)
			exit(1);
		read_until(l, key);
		sample[i] = b_clock_mono_ns() - before;
		nanosleep(
			&(struct timespec){ .tv_nsec = 2000000 }, NULL); /* a person is no flood */
	}
	ln_line_free(l);
	ln_target_free(t);
}

static double flood(char *const argv[])
{
	struct ln_target *t;
	int64_t before = b_clock_mono_ns();
	struct ln_line *l = start(argv, &t);
	size_t bytes = read_until(l, NULL);
	double s = (double)(b_clock_mono_ns() - before) / 1e9;

	ln_line_free(l);
	ln_target_free(t);
	return (double)bytes / 1e6 / s;
}

static char *word(const char *s)
{
	return (char *)(uintptr_t)s;
}

int main(int argc, char **argv)
{
	static int64_t direct[KEYS * ROUNDS], recorded[KEYS * ROUNDS];
	char *const app[] = { word("sh"), word("-c"),
		word("stty raw -echo; printf ready; exec cat"), NULL };
	char *const noise[] = { word("sh"), word("-c"), word("seq 1 1000000"), NULL };
	char trace[] = "/tmp/bench-record-XXXXXX";
	const size_t n = KEYS * ROUNDS;

	if (argc < 2 || argc > 3 || !mkdtemp(trace) || chdir(trace)) {
		fputs("usage: bench_record RTE [TARGET] (an absolute path)\n", stderr);
		return 2;
	}
	{
		char *const there[] = { argv[2], NULL };
		char *const to_there[] = { argv[1], word("record"), word("--no-script"), word("-o"),
			word("t"), word("--target"), argv[2], NULL };
		char *const through[] = { argv[1], word("record"), word("--no-script"), word("-o"),
			word("t"), word("--"), app[0], app[1], app[2], NULL };
		char *const flooded[] = { argv[1], word("record"), word("--no-script"), word("-o"),
			word("f"), word("--"), noise[0], noise[1], noise[2], NULL };

		for (int r = 0; r < ROUNDS; r++) {
			keystrokes(argc > 2 ? there : app, direct + r * KEYS);
			keystrokes(argc > 2 ? to_there : through, recorded + r * KEYS);
		}
		qsort(direct, n, sizeof *direct, by_value);
		qsort(recorded, n, sizeof *recorded, by_value);
		printf("keystroke and echo, us      p50    p90    p99\n");
		printf("direct                  %7.0f%7.0f%7.0f\n", (double)direct[n / 2] / 1e3,
			(double)direct[n * 9 / 10] / 1e3, (double)direct[n * 99 / 100] / 1e3);
		printf("recorded                %7.0f%7.0f%7.0f\n", (double)recorded[n / 2] / 1e3,
			(double)recorded[n * 9 / 10] / 1e3, (double)recorded[n * 99 / 100] / 1e3);
		printf("added delay, p50: %.3f ms\n",
			(double)(recorded[n / 2] - direct[n / 2]) / 1e6);
		if (argc == 2)
			printf("flood, MB/s: direct %.1f, recorded %.1f\n", flood(noise),
				flood(flooded));
	}
	if (!chdir("/")) {
		char command[80];

		snprintf(command, sizeof command, "rm -rf %s", trace);
		if (system(command))
			return 1;
	}
	return 0;
}
