#define _GNU_SOURCE /* pipe2 */
#include "rte/test_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "rte/test_around.h"
#include "rte/test_artifacts.h"
#include "rte/test_child.h"
#include "base/banned.h"

#define GRACE_NS    (30 * B_NS_PER_S) /* beyond its time before a test's process is killed */
#define STOP_NS     (5 * B_NS_PER_S)  /* the same after an interrupt */
#define ATTEMPT_MAX ((size_t)256 << 20)

/* An attempt that goes on. */
struct slot {
	struct rte_test *test;
	pid_t pid;
	int fd;
	struct b_buf json;
	int64_t begin_ns, kill_ns;
	bool killed;
};

struct runner {
	struct rte_test_plan *p;
	rte_test_told_fn *told;
	void *told_user;
	struct rte_test_summary *sum;
	struct slot *slots;
	size_t n_slots; /* in use */
	size_t next;    /* test to begin */
	size_t n_told;
	bool *ended; /* by test */
	int signal_fd;
	bool stopping; /* nothing is begun any more */
};

static void scopes_count_out(struct runner *r, struct rte_test *t)
{
	for (struct rte_test_scope *s = t->scope; s; s = s->parent)
		if (--s->n_left == 0)
			rte_test_scope_down(r->p, s);
}

/* ---- Tests end ------------------------------------------------------------------------------ */

static json_t *last_attempt(const struct rte_test *t)
{
	return json_array_get(t->attempts, json_array_size(t->attempts) - 1);
}

static bool is_status(const json_t *attempt, const char *status)
{
	return !strcmp(rte_test_text(attempt, "status"), status);
}

/* An attempt that this process has to word. */
static json_t *attempt_new(
	const char *status, const char *kind, const char *message, double seconds)
{
	json_t *o = json_object(), *failures = json_array(), *f;

	json_object_set_new(o, "status", json_string(status));
	json_object_set_new(o, "seconds", json_real(seconds));
	if (kind) {
		f = json_object();
		json_object_set_new(f, "kind", json_string(kind));
		json_object_set_new(f, "message", rte_test_escaped(message, strlen(message)));
		json_array_append_new(failures, f);
	} else {
		json_object_set_new(o, "reason", rte_test_escaped(message, strlen(message)));
	}
	json_object_set_new(o, "failures", failures);
	return o;
}

/* Whether it failed for the environment's sake alone: no check of the test was ever made. */
static bool for_environment(const json_t *attempt)
{
	const json_t *failures = json_object_get(attempt, "failures"), *f;
	size_t i;

	json_array_foreach(failures, i, f)
	{
		if (strcmp(rte_test_text(f, "kind"), "connect"))
			return false;
	}
	return json_array_size(failures) > 0;
}

static enum rte_test_outcome judge(struct rte_test *t)
{
	json_t *a = last_attempt(t);

	if (is_status(a, "skipped"))
		return RTE_TEST_SKIPPED;
	if (t->fails && is_status(a, "failed"))
		return for_environment(a) ? RTE_TEST_FAILED : RTE_TEST_XFAILED;
	if (t->fails) {
		json_t *wrong = attempt_new("failed", "check",
			"it passed, although it is expected to fail; take the mark `fails` away",
			json_number_value(json_object_get(a, "seconds")));

		json_array_append_new(t->attempts, wrong);
		return RTE_TEST_FAILED;
	}
	if (is_status(a, "failed"))
		return RTE_TEST_FAILED;
	return json_array_size(t->attempts) > 1 ? RTE_TEST_FLAKY : RTE_TEST_PASSED;
}

static void tell(struct runner *r)
{
	for (; r->n_told < r->p->n_tests && r->ended[r->n_told]; r->n_told++)
		if (r->told)
			r->told(r->told_user, r->p, &r->p->tests[r->n_told]);
}

static void end_test(struct runner *r, struct rte_test *t, enum rte_test_outcome outcome)
{
	t->outcome = outcome;
	r->ended[t - r->p->tests] = true;
	r->sum->n[outcome]++;
	if (outcome == RTE_TEST_FAILED) {
		r->sum->env = r->sum->env && for_environment(last_attempt(t));
		r->stopping = r->stopping || r->p->opt->fail_fast;
	}
	r->stopping = r->stopping || (outcome == RTE_TEST_BAD && r->p->opt->fail_fast);
	scopes_count_out(r, t);
	tell(r);
}

/* ---- Processes ------------------------------------------------------------------------------ */

static int64_t time_of(const struct runner *r, const struct rte_test *t)
{
	int64_t limit = t->timeout_ns;

	if (limit == RTE_TEST_UNSET)
		limit = r->p->opt->timeout_ns;
	if (limit == RTE_TEST_UNSET)
		limit = RTE_TEST_TIMEOUT_DEFAULT_NS;
	/* Before, the session, after: each has the whole time. */
	return limit < INT64_MAX / 8 ? 3 * limit + GRACE_NS : INT64_MAX / 2;
}

static void child_main(struct runner *r, struct rte_test *t, int fd)
{
	for (size_t i = 0; i < r->n_slots; i++)
		close(r->slots[i].fd);
	close(r->signal_fd);
	rte_test_child(r->p, t, (int)json_array_size(t->attempts) + 1, fd);
	_exit(0);
}

static void begin_attempt(struct runner *r, struct rte_test *t)
{
	struct slot *s = &r->slots[r->n_slots];
	int fds[2];
	pid_t pid;

	fflush(stdout);
	fflush(stderr);
	if (pipe2(fds, O_CLOEXEC)) {
		json_array_append_new(
			t->attempts, attempt_new("failed", "error", strerror(errno), 0));
		end_test(r, t, RTE_TEST_FAILED);
		return;
	}
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		child_main(r, t, fds[1]);
	}
	close(fds[1]);
	if (pid < 0) {
		close(fds[0]);
		json_array_append_new(t->attempts,
			attempt_new(
				"failed", "error", "no process can be made; use fewer --jobs", 0));
		end_test(r, t, RTE_TEST_FAILED);
		return;
	}
	*s = (struct slot){ .test = t, .pid = pid, .fd = fds[0], .begin_ns = b_clock_mono_ns() };
	s->kill_ns = s->begin_ns + time_of(r, t);
	r->n_slots++;
}

static void begin_next(struct runner *r)
{
	struct rte_test *t = &r->p->tests[r->next++];

	if (t->outcome == RTE_TEST_BAD) {
		json_array_append_new(
			t->attempts, attempt_new("failed", "script", t->scope->error, 0));
		end_test(r, t, RTE_TEST_BAD);
		return;
	}
	if (t->skip) {
		json_array_append_new(t->attempts, attempt_new("skipped", NULL, t->skip, 0));
		end_test(r, t, RTE_TEST_SKIPPED);
		return;
	}
	rte_test_scope_up(r->p, t->scope);
	if (t->scope->state == RTE_SCOPE_FAILED) {
		json_array_append_new(
			t->attempts, attempt_new("failed", "setup", t->scope->error, 0));
		end_test(r, t, RTE_TEST_FAILED);
		return;
	}
	if (r->p->opt->artifacts)
		rte_test_artifacts_remove(r->p->opt, t);
	begin_attempt(r, t);
}

/* What the process of an attempt has handed over, or why it has not. */
static json_t *attempt_of(struct runner *r, struct slot *s, int status)
{
	double seconds = (double)(b_clock_mono_ns() - s->begin_ns) / 1e9;
	json_t *a = json_loadb(b_buf_cstr(&s->json), s->json.len, 0, NULL);
	struct b_buf why = B_BUF_INIT;

	if (json_is_object(a))
		return a;
	json_decref(a);
	if (r->sum->interrupted)
		b_buf_adds(&why, "it was interrupted");
	else if (s->killed)
		b_buf_adds(&why, "its process did not end in time and was killed");
	else if (WIFSIGNALED(status))
		b_buf_printf(&why, "its process was killed by signal %d", WTERMSIG(status));
	else
		b_buf_printf(&why, "its process ended with status %d and said nothing",
			WEXITSTATUS(status));
	a = attempt_new(
		"failed", r->sum->interrupted ? "interrupted" : "crash", b_buf_cstr(&why), seconds);
	b_buf_release(&why);
	return a;
}

static void end_attempt(struct runner *r, size_t i)
{
	struct slot s = r->slots[i];
	struct rte_test *t = s.test;
	int status = 0;

	while (waitpid(s.pid, &status, 0) < 0 && errno == EINTR)
		;
	close(s.fd);
	json_array_append_new(t->attempts, attempt_of(r, &s, status));
	b_buf_release(&s.json);
	r->slots[i] = r->slots[--r->n_slots];
	if (is_status(last_attempt(t), "failed") && !t->fails && !r->sum->interrupted &&
		(int64_t)json_array_size(t->attempts) <= t->retries) {
		begin_attempt(r, t);
		return;
	}
	if (r->sum->interrupted && is_status(last_attempt(t), "failed"))
		end_test(r, t, RTE_TEST_NOT_RUN);
	else
		end_test(r, t, judge(t));
}

/* Reads what a process hands over; true at its end. */
static bool take(struct slot *s)
{
	char buf[65536];
	ssize_t n = read(s->fd, buf, sizeof buf);

	if (n > 0 && s->json.len < ATTEMPT_MAX)
		b_buf_add(&s->json, buf, (size_t)n);
	return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN);
}

/* ---- The loop ------------------------------------------------------------------------------- */

static void signalled(struct runner *r)
{
	struct signalfd_siginfo si;
	int64_t by = b_clock_mono_ns() + STOP_NS;

	while (read(r->signal_fd, &si, sizeof si) == (ssize_t)sizeof si)
		;
	b_info("interrupted: tests under way are ended");
	r->stopping = r->sum->interrupted = true;
	for (size_t i = 0; i < r->n_slots; i++) {
		kill(r->slots[i].pid, SIGTERM);
		if (r->slots[i].kill_ns > by)
			r->slots[i].kill_ns = by;
	}
}

static int wait_ms(const struct runner *r, int64_t now)
{
	int64_t due = now + 60 * B_NS_PER_S;

	for (size_t i = 0; i < r->n_slots; i++)
		if (!r->slots[i].killed && r->slots[i].kill_ns < due)
			due = r->slots[i].kill_ns;
	return due <= now ? 0 : (int)((due - now) / B_NS_PER_MS) + 1;
}

static void look(struct runner *r, struct pollfd *p)
{
	int64_t now = b_clock_mono_ns();
	size_t n = r->n_slots;

	for (size_t i = 0; i < n; i++)
		p[i] = (struct pollfd){ .fd = r->slots[i].fd, .events = POLLIN };
	p[n] = (struct pollfd){ .fd = r->signal_fd, .events = POLLIN };
	if (poll(p, n + 1, wait_ms(r, now)) < 0)
		return;
	now = b_clock_mono_ns();
	for (size_t i = 0; i < n; i++)
		if (!r->slots[i].killed && now >= r->slots[i].kill_ns) {
			r->slots[i].killed = true;
			kill(r->slots[i].pid, SIGKILL);
		}
	if (p[n].revents)
		signalled(r);
	/* From the end on: an attempt that has ended gives its slot to the last one. */
	for (size_t i = n; i-- > 0;)
		if (p[i].revents && take(&r->slots[i]))
			end_attempt(r, i);
}

static void end_the_rest(struct runner *r)
{
	while (r->next < r->p->n_tests)
		end_test(r, &r->p->tests[r->next++], RTE_TEST_NOT_RUN);
}

void rte_test_run(
	struct rte_test_plan *p, rte_test_told_fn *told, void *user, struct rte_test_summary *out)
{
	struct runner r = { .p = p, .told = told, .told_user = user, .sum = out };
	int64_t begin = b_clock_mono_ns();
	struct pollfd *polled;
	sigset_t set, before;
	size_t jobs = (size_t)p->opt->jobs;

	*out = (struct rte_test_summary){ .env = true };
	r.slots = b_calloc(jobs, sizeof *r.slots);
	polled = b_calloc(jobs + 1, sizeof *polled);
	r.ended = b_calloc(p->n_tests, sizeof *r.ended);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &before);
	r.signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	while (r.n_slots || (r.next < p->n_tests && !r.stopping)) {
		while (r.n_slots < jobs && r.next < p->n_tests && !r.stopping)
			begin_next(&r);
		if (r.n_slots)
			look(&r, polled);
	}
	end_the_rest(&r);
	close(r.signal_fd);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(r.slots);
	free(polled);
	free(r.ended);
	out->seconds = (double)(b_clock_mono_ns() - begin) / 1e9;
	out->env = out->env && out->n[RTE_TEST_FAILED];
	rte_test_goldens_sum_up(p, out);
}

void rte_test_summary_release(struct rte_test_summary *s)
{
	for (size_t i = 0; i < s->n_unused; i++)
		free(s->unused[i]);
	for (size_t i = 0; i < s->n_conflicts; i++)
		free(s->conflicts[i]);
	free(s->unused);
	free(s->conflicts);
	*s = (struct rte_test_summary){ 0 };
}
