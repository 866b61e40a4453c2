/* line: commands on ptys, each fault of other tools as a case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "line/line.h"

#define DEADLINE_NS (20 * B_NS_PER_S)

struct fixture {
	struct ln_target *target;
	struct ln_line *line;
	struct b_buf out;
	int64_t deadline_ns;
};

static struct fixture start_with(const char *command, struct ln_options opt)
{
	struct fixture f = { .out = B_BUF_INIT };
	struct b_error err = { 0 };
	struct b_buf text = B_BUF_INIT;

	b_buf_printf(&text, "pty:%s", command);
	if (ln_target_parse(&f.target, b_buf_cstr(&text), &err))
		fail_msg("%s", err.text);
	b_buf_release(&text);
	opt.target = f.target;
	opt.term = "vt220";
	opt.rows = 43;
	opt.cols = 132;
	if (ln_open(&f.line, &opt, &err))
		fail_msg("%s", err.text);
	assert_int_equal(ln_line_state(f.line), LN_OPEN);
	f.deadline_ns = b_clock_mono_ns() + DEADLINE_NS;
	return f;
}

static struct fixture start(const char *command)
{
	return start_with(command, (struct ln_options){ 0 });
}

static void end(struct fixture *f)
{
	ln_line_free(f->line);
	ln_target_free(f->target);
	b_buf_release(&f->out);
}

static void wait_fd(struct fixture *f, int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	int64_t left = f->deadline_ns - b_clock_mono_ns();

	if (left <= 0 || poll(&p, 1, (int)(left / B_NS_PER_MS) + 1) <= 0)
		fail_msg("nothing came in time; so far: %s", b_buf_cstr(&f->out));
}

/* One read into f->out; false at the end of file. */
static bool take(struct fixture *f)
{
	char buf[4096];
	ssize_t n;

	while ((n = ln_line_read(f->line, buf, sizeof buf, NULL)) == B_EAGAIN)
		wait_fd(f, ln_line_fd(f->line), POLLIN);
	if (n == B_EOF)
		return false;
	assert_true(n > 0);
	b_buf_add(&f->out, buf, (size_t)n);
	return true;
}

static void take_all(struct fixture *f)
{
	while (take(f))
		;
}

static void take_until(struct fixture *f, const char *text)
{
	while (!strstr(b_buf_cstr(&f->out), text))
		if (!take(f))
			fail_msg("end of file before '%s': %s", text, b_buf_cstr(&f->out));
}

static void type(struct fixture *f, const char *text)
{
	assert_int_equal(ln_line_write(f->line, text, strlen(text), NULL), strlen(text));
}

static int status_of(struct fixture *f)
{
	int status = -1, rc;

	while ((rc = ln_line_reap(f->line, &status)) == B_EAGAIN)
		wait_fd(f, ln_line_exit_fd(f->line), POLLIN);
	assert_int_equal(rc, 0);
	return status;
}

static void assert_shown(const char *command, const char *text)
{
	struct fixture f = start(command);

	take_all(&f);
	if (!strstr(b_buf_cstr(&f.out), text))
		fail_msg("%s: no '%s' in '%s'", command, text, b_buf_cstr(&f.out));
	end(&f);
}

static void size_is_set_before_exec(void **state)
{
	(void)state;
	assert_shown("stty size", "43 132");
}

static void terminal_is_as_any_terminal(void **state)
{
	(void)state;
	setenv("LINES", "1", 1);
	setenv("COLUMNS", "2", 1);
	setenv("TMUX", "x", 1);
	assert_shown("sh -c 'echo $TERM,$LINES,$COLUMNS,$TMUX,'", "vt220,,,,");
	unsetenv("LINES");
	unsetenv("COLUMNS");
	unsetenv("TMUX");
	assert_shown("stty -a", " iutf8");
	assert_shown("sh -c 'echo there >/dev/tty'", "there");
	/* A session of its own, in the foreground of its terminal. */
	assert_shown("sh -c 'set -- $(cut -d\" \" -f5,6,8 /proc/$$/stat) $$;"
		     " [ $1 = $4 ] && [ $2 = $4 ] && [ $3 = $4 ] && echo leader; true'",
		"leader");
}

static void no_descriptor_leaks(void **state)
{
	int leaky = open("/dev/null", O_RDONLY); /* not close-on-exec, as a library might */

	(void)state;
	assert_true(leaky >= 3);
	assert_shown("sh -c 'ls -m /proc/$$/fd; true'", "0, 1, 2\r\n");
	close(leaky);
}

static void signals_are_as_by_default(void **state)
{
	sigset_t blocked, old;

	(void)state;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigprocmask(SIG_BLOCK, &blocked, &old);
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	/* 32 and 33 are the C library's own: posix_spawn leaves them ignored. */
	assert_shown("sed -n 's/00000001[08]0000000$/0000000000000000/; /Sig[BI][lg]/p'"
		     " /proc/self/status",
		"SigBlk:\t0000000000000000\r\nSigIgn:\t0000000000000000");
	signal(SIGINT, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

static void options_for_the_command(void **state)
{
	static const char *const env[] = { "RTE_X=one two", "HOME=/nowhere", NULL };
	struct fixture f = start_with("sh -c 'echo $RTE_X,$HOME,$(pwd),u{user}.'",
		(struct ln_options){ .env = env, .cwd = "/usr", .user = 7 });

	(void)state;
	take_all(&f);
	assert_non_null(strstr(b_buf_cstr(&f.out), "one two,/nowhere,/usr,u7."));
	end(&f);
}

static void words_run_without_a_shell(void **state)
{
	char *const argv[] = { (char *)(uintptr_t) "printf", (char *)(uintptr_t) "%s,",
		(char *)(uintptr_t) "$HOME;", (char *)(uintptr_t) "a b", NULL };
	struct b_error err = { 0 };
	struct fixture f = { .out = B_BUF_INIT };

	(void)state;
	f.deadline_ns = b_clock_mono_ns() + DEADLINE_NS;
	assert_int_equal(ln_target_command(&f.target, argv, &err), 0);
	assert_int_equal(
		ln_open(&f.line,
			&(struct ln_options){
				.target = f.target, .term = "xterm", .rows = 24, .cols = 80 },
			&err),
		0);
	take_all(&f);
	assert_string_equal(b_buf_cstr(&f.out), "$HOME;,a b,");
	end(&f);
}

/* P01: what is read only after the exit is still all there. */
static void last_words(void **state)
{
	(void)state;
	for (int i = 0; i < 300; i++) {
		struct fixture f = start("printf last-words");

		wait_fd(&f, ln_line_exit_fd(f.line), POLLIN);
		take_all(&f);
		assert_string_equal(b_buf_cstr(&f.out), "last-words");
		assert_int_equal(ln_line_read(f.line, (char[1]){ 0 }, 1, NULL), B_EOF);
		assert_int_equal(status_of(&f), 0);
		end(&f);
	}
}

static void many_lines(void **state)
{
	struct fixture f = start("seq 1 20000");
	size_t lines = 0;

	(void)state;
	take_all(&f);
	for (size_t i = 0; i < f.out.len; i++)
		lines += f.out.data[i] == '\n';
	assert_int_equal(lines, 20000);
	end(&f);
}

/* P04: a sibling that holds a copy of the master would keep the first one alive. */
static void siblings_hold_no_master(void **state)
{
	struct fixture a = start("sleep 30"), b = start("sleep 30");
	int status;

	(void)state;
	ln_line_close(a.line);
	assert_int_equal(ln_line_fd(a.line), -1);
	status = status_of(&a);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	end(&a);
	end(&b);
}

/* P06, and a program that does not want to go. */
static void no_zombies(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++) {
		struct fixture f = start("true"), g = start("sh -c 'trap \"\" HUP; sleep 30'");

		end(&f);
		end(&g);
	}
	/* Whoever is left is reaped when the next line is opened. */
	for (int64_t until = b_clock_mono_ns() + DEADLINE_NS;;) {
		struct fixture f = start("true");
		siginfo_t info = { 0 };

		(void)status_of(&f);
		end(&f);
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD)
			break;
		assert_true(b_clock_mono_ns() < until);
	}
}

static void exit_statuses(void **state)
{
	struct fixture f = start("sh -c 'exit 7'");
	int status = status_of(&f);

	(void)state;
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	assert_int_equal(status_of(&f), status); /* and again */
	end(&f);
	f = start("sh -c 'kill -TERM $$'");
	status = status_of(&f);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	end(&f);
}

/* P12: output must be drained for input to be taken. */
static void large_input(void **state)
{
	struct fixture f = start("stty raw -echo; head -c 1000000 /dev/zero | tr '\\0' x;"
				 " head -c 65536 | wc -c");
	char *input = b_calloc(1, 65536), drop[4096];
	size_t sent = 0;
	ssize_t n;

	(void)state;
	take_until(&f, "x"); /* raw by now */
	memset(input, 'y', 65536);
	while (sent < 65536) {
		n = ln_line_write(f.line, input + sent, 65536 - sent, NULL);
		assert_true(n >= 0);
		sent += (size_t)n;
		if (sent < 65536) {
			assert_int_equal(ln_line_wants(f.line), LN_WANT_WRITE);
			wait_fd(&f, ln_line_fd(f.line), POLLIN | POLLOUT);
			n = ln_line_read(f.line, drop, sizeof drop, NULL);
			assert_true(n > 0 || n == B_EAGAIN);
		}
	}
	assert_int_equal(ln_line_wants(f.line), 0);
	take_until(&f, "65536");
	free(input);
	end(&f);
}

static void modes_of_the_line(void **state)
{
	struct fixture f = start("sh -c 'echo one; read x; stty -echo; echo two; read x;"
				 " stty raw; echo three; read x'");

	(void)state;
	take_until(&f, "one");
	assert_false(ln_line_is_secret(f.line));
	type(&f, "\n");
	take_until(&f, "two");
	assert_true(ln_line_is_secret(f.line));
	type(&f, "\n");
	take_until(&f, "three");
	assert_false(ln_line_is_secret(f.line));
	end(&f);
}

static void resize_reaches_the_program(void **state)
{
	struct fixture f = start(
		"sh -c 'trap \"stty size; exit\" WINCH; echo ready; while :; do read x; done'");

	(void)state;
	take_until(&f, "ready");
	assert_int_equal(ln_line_resize(f.line, 30, 100), 0);
	take_until(&f, "30 100");
	end(&f);
}

/* P11 */
static void stopped_program(void **state)
{
	struct fixture f = start("sh -c 'echo ready; kill -STOP $$; exit 3'");
	int status;

	(void)state;
	take_until(&f, "ready");
	while (!ln_line_is_stopped(f.line))
		assert_true(b_clock_mono_ns() < f.deadline_ns);
	assert_true(ln_line_is_stopped(f.line)); /* asking does not take it away */
	assert_int_equal(ln_line_reap(f.line, &status), B_EAGAIN);
	ln_line_kill(f.line, SIGCONT);
	status = status_of(&f);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
	assert_false(ln_line_is_stopped(f.line));
	end(&f);
}

static void flow_control_and_interrupt_keys(void **state)
{
	struct fixture f = start("cat");

	(void)state;
	type(&f, "a\n");
	take_until(&f, "a\r\na\r\n");
	type(&f, "\003");
	take_all(&f);
	assert_int_equal(WTERMSIG(status_of(&f)), SIGINT);
	end(&f);
}

/* P16 */
static void more_than_1024_descriptors(void **state)
{
	struct rlimit old, r;
	int fds[1100];
	struct fixture f;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	r = old;
	r.rlim_cur = r.rlim_max < 2000 ? r.rlim_max : 2000;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &r), 0);
	for (size_t i = 0; i < B_ARRAY_LEN(fds); i++)
		fds[i] = fcntl(0, F_DUPFD_CLOEXEC, 3);
	f = start("echo there");
	assert_true(ln_line_fd(f.line) >= 1024);
	take_all(&f);
	assert_string_equal(b_buf_cstr(&f.out), "there\r\n");
	assert_int_equal(status_of(&f), 0);
	end(&f);
	for (size_t i = 0; i < B_ARRAY_LEN(fds); i++)
		close(fds[i]);
	setrlimit(RLIMIT_NOFILE, &old);
}

static void assert_refused(const char *command, struct ln_options opt, const char *message)
{
	struct ln_line *line = NULL;
	struct b_error err = { 0 };
	struct ln_target *t;
	struct b_buf text = B_BUF_INIT;

	b_buf_printf(&text, "pty:%s", command);
	assert_int_equal(ln_target_parse(&t, b_buf_cstr(&text), &err), 0);
	opt.target = t;
	opt.term = "xterm";
	opt.rows = 24;
	opt.cols = 80;
	assert_int_equal(ln_open(&line, &opt, &err), B_EENV);
	assert_null(line);
	if (!strstr(err.text, message))
		fail_msg("'%s' has no '%s'", err.text, message);
	ln_target_free(t);
	b_buf_release(&text);
}

/* P22: told at once, with the command's name. */
static void commands_that_cannot_run(void **state)
{
	const struct ln_options none = { 0 };
	char script[] = "/tmp/rte-script-XXXXXX";
	int fd = mkstemp(script);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "echo\n", 5), 5);
	close(fd);
	assert_int_equal(chmod(script, 0755), 0);
	assert_refused("no-such-program-here x", none,
		"cannot run no-such-program-here: No such file or directory; check the name and PATH");
	assert_refused("/no/such", none, "cannot run /no/such: No such file");
	assert_refused("/tmp", none, "cannot run /tmp: Permission denied");
	assert_refused(script, none, "a script begins with a line like #!/bin/sh");
	assert_refused("true", (struct ln_options){ .cwd = "/no/such" }, "cannot go to /no/such");
	assert_refused("true", (struct ln_options){ .cwd = "/dev/null" }, "cannot go to /dev/null");
	unlink(script);
}

static void out_of_descriptors(void **state)
{
	struct rlimit old, r;
	int first_free = dup(0);

	(void)state;
	close(first_free);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	r = old;
	r.rlim_cur = (rlim_t)first_free;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &r), 0);
	assert_refused("true", (struct ln_options){ 0 }, "raise ulimit -n");
	setrlimit(RLIMIT_NOFILE, &old);
}

static void calls_after_the_end(void **state)
{
	struct fixture f = start("true");
	int status;

	(void)state;
	take_all(&f);
	status = status_of(&f);
	assert_int_equal(status, 0);
	assert_int_equal(ln_line_write(f.line, "x", 1, NULL), B_EOF);
	ln_line_kill(f.line, SIGTERM);
	ln_line_close(f.line);
	ln_line_close(f.line);
	assert_int_equal(ln_line_state(f.line), LN_CLOSED);
	assert_int_equal(ln_line_write(f.line, "x", 1, NULL), B_EOF);
	assert_int_equal(ln_line_resize(f.line, 10, 10), 0);
	assert_false(ln_line_is_secret(f.line));
	assert_int_equal(ln_line_wants(f.line), 0);
	assert_int_equal(ln_line_due_ns(f.line), -1);
	end(&f);
	ln_line_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_is_set_before_exec),
		cmocka_unit_test(terminal_is_as_any_terminal),
		cmocka_unit_test(no_descriptor_leaks),
		cmocka_unit_test(signals_are_as_by_default),
		cmocka_unit_test(options_for_the_command),
		cmocka_unit_test(words_run_without_a_shell),
		cmocka_unit_test(last_words),
		cmocka_unit_test(many_lines),
		cmocka_unit_test(siblings_hold_no_master),
		cmocka_unit_test(no_zombies),
		cmocka_unit_test(exit_statuses),
		cmocka_unit_test(large_input),
		cmocka_unit_test(modes_of_the_line),
		cmocka_unit_test(resize_reaches_the_program),
		cmocka_unit_test(stopped_program),
		cmocka_unit_test(flow_control_and_interrupt_keys),
		cmocka_unit_test(more_than_1024_descriptors),
		cmocka_unit_test(commands_that_cannot_run),
		cmocka_unit_test(out_of_descriptors),
		cmocka_unit_test(calls_after_the_end),
	};

	return cmocka_run_group_tests_name("ln_pty", tests, NULL, NULL);
}
