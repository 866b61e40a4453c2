/*
 * The pty: line: a command on a pty of its own.
 *
 * What a terminal emulator does for its shell: a session of its own with the slave as
 * controlling terminal, descriptors 0 to 2 and no other, signals as they are by default, the
 * window's size set before the program starts, IUTF8, and an environment that speaks of this
 * terminal and not of the one that rte runs in.
 */
#define _GNU_SOURCE /* chdir and closefrom actions, ptsname_r */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "line/ops.h"
#include "line/reap.h"
#include "line/words.h"
#include "base/banned.h"

extern char **environ;

struct pty_line {
	struct ln_line base;
	pid_t pid; /* 0: none, or reaped */
	int status;
	bool reaped;
	int exit_fd; /* a pidfd, made when first asked for; -1: none */
};

/* ---- The child's side ------------------------------------------------------------------ */

/* Variables by which a program knows the terminal around rte, which is not the one it gets. */
static const char *const outer_names[] = { "TERM", "LINES", "COLUMNS", "TERMCAP", "COLORTERM",
	"COLORFGBG", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "TERM_SESSION_ID", "VTE_VERSION",
	"WINDOWID", "TMUX", "TMUX_PANE", "STY", "WINDOW", "KITTY_WINDOW_ID", "KITTY_PID",
	"KONSOLE_VERSION", "KONSOLE_DBUS_SESSION", "WT_SESSION", "ITERM_SESSION_ID", "LC_TERMINAL",
	"LC_TERMINAL_VERSION", "WEZTERM_PANE", "ALACRITTY_WINDOW_ID", "GNOME_TERMINAL_SCREEN" };

static bool has_name(const char *entry, const char *name, size_t len)
{
	return !strncmp(entry, name, len) && entry[len] == '=';
}

static bool is_replaced(const char *entry, const char *const *env)
{
	for (size_t i = 0; i < B_ARRAY_LEN(outer_names); i++)
		if (has_name(entry, outer_names[i], strlen(outer_names[i])))
			return true;
	for (; env && *env; env++)
		if (has_name(entry, *env, strcspn(*env, "=")))
			return true;
	return false;
}

/* The array is the caller's; its strings are not, but for the first, TERM. */
static char **child_environment(const struct ln_options *opt)
{
	size_t n = 2, at = 1;
	struct b_buf term = B_BUF_INIT;
	char **out;

	for (char **e = environ; e && *e; e++)
		n++;
	for (const char *const *e = opt->env; e && *e; e++)
		n++;
	out = b_calloc(n, sizeof *out);
	b_buf_printf(&term, "TERM=%s", opt->term);
	out[0] = b_buf_take(&term, NULL);
	for (char **e = environ; e && *e; e++)
		if (!is_replaced(*e, opt->env))
			out[at++] = *e;
	for (const char *const *e = opt->env; e && *e; e++)
		out[at++] = (char *)(uintptr_t)*e;
	return out;
}

static int prepare(posix_spawnattr_t *attr, posix_spawn_file_actions_t *actions, const char *slave,
	const char *cwd)
{
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	rc = posix_spawnattr_setsigmask(attr, &none);
	if (!rc)
		rc = posix_spawnattr_setsigdefault(attr, &all);
	if (!rc)
		rc = posix_spawnattr_setflags(
			attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	/* A session leader's first terminal becomes its controlling one. */
	if (!rc)
		rc = posix_spawn_file_actions_addopen(actions, 0, slave, O_RDWR, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(actions, 0, 1);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(actions, 0, 2);
	if (!rc)
		rc = posix_spawn_file_actions_addclosefrom_np(actions, 3);
	if (!rc && cwd)
		rc = posix_spawn_file_actions_addchdir_np(actions, cwd);
	return rc;
}

static int spawn(pid_t *pid, char **argv, const char *slave, const struct ln_options *opt)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	char **env;
	int rc;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	rc = prepare(&attr, &actions, slave, opt->cwd);
	if (!rc) {
		env = child_environment(opt);
		rc = posix_spawnp(pid, argv[0], &actions, &attr, argv, env);
		free(env[0]);
		free(env);
	}
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static int spawn_failed(int e, char **argv, const struct ln_options *opt, struct b_error *err)
{
	struct stat st;

	if (opt->cwd && (stat(opt->cwd, &st) || !S_ISDIR(st.st_mode)))
		return b_error_set(err, B_EENV,
			"cannot go to %s: %s; name a directory that is there", opt->cwd,
			strerror(errno ? errno : ENOTDIR));
	if (e == EAGAIN)
		return b_error_set(err, B_EENV,
			"cannot run %s: no more processes allowed; raise ulimit -u or the control "
			"group's pids.max",
			argv[0]);
	if (e == ENOEXEC)
		return b_error_set(err, B_EENV,
			"cannot run %s: no program; a script begins with a line like #!/bin/sh",
			argv[0]);
	return b_error_set(err, B_EENV, "cannot run %s: %s; check the name%s", argv[0], strerror(e),
		e == ENOENT && !strchr(argv[0], '/') ? " and PATH" : "");
}

/* ---- Our side -------------------------------------------------------------------------- */

static int no_pty(struct b_error *err)
{
	switch (errno) {
	case EMFILE:
		return b_error_set(
			err, B_EENV, "no more descriptors in this process; raise ulimit -n");
	case ENFILE:
		return b_error_set(err, B_EENV,
			"no more descriptors on this machine; raise sysctl fs.file-max");
	case ENOSPC:
	case EAGAIN:
		return b_error_set(
			err, B_EENV, "no more ptys on this machine; raise sysctl kernel.pty.max");
	default:
		return b_error_set(err, B_EENV, "cannot open a pty: %s; is /dev/pts mounted?",
			strerror(errno));
	}
}

static int open_master(int *fd, char *slave, size_t slave_size, struct b_error *err)
{
	*fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (*fd < 0 || grantpt(*fd) || unlockpt(*fd) || ptsname_r(*fd, slave, slave_size) ||
		fcntl(*fd, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
		return no_pty(err);
	return B_OK;
}

static void set_up(int fd, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
	struct termios tio;

	(void)ioctl(fd, TIOCSWINSZ, &size);
	/* With it, erasing in cooked mode takes whole characters. */
	if (!tcgetattr(fd, &tio)) {
		tio.c_iflag |= IUTF8;
		(void)tcsetattr(fd, TCSANOW, &tio);
	}
}

static int pty_open(struct ln_line *l, const struct ln_options *opt, struct b_error *err)
{
	struct pty_line *p = (struct pty_line *)l;
	const struct ln_target *t = opt->target;
	char slave[64];
	char **argv;
	size_t n = 0;
	int rc;

	p->exit_fd = -1;
	ln_reap_sweep();
	rc = open_master(&l->fd, slave, sizeof slave, err);
	if (rc)
		return rc;
	set_up(l->fd, opt->rows, opt->cols);
	while (t->argv[n])
		n++;
	argv = b_calloc(n + 1, sizeof *argv);
	for (size_t i = 0; i < n; i++)
		argv[i] = ln_expand(t->argv[i], opt->user);
	rc = spawn(&p->pid, argv, slave, opt);
	if (rc) {
		p->pid = 0;
		rc = spawn_failed(rc, argv, opt, err);
	} else {
		l->state = LN_OPEN;
	}
	ln_words_free(argv);
	return rc;
}

static int pty_resize(struct ln_line *l, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	return ioctl(l->fd, TIOCSWINSZ, &size) ? B_ESYS : B_OK;
}

/* The slave's modes show on the master. */
static tcflag_t local_modes(const struct ln_line *l)
{
	struct termios tio;

	return tcgetattr(l->fd, &tio) ? ECHO : tio.c_lflag;
}

static bool pty_is_secret(const struct ln_line *l)
{
	return (local_modes(l) & (ECHO | ICANON)) == ICANON;
}

static int pty_reap(struct ln_line *l, int *status)
{
	struct pty_line *p = (struct pty_line *)l;

	if (!p->reaped) {
		pid_t pid = waitpid(p->pid, &p->status, WNOHANG);

		if (!pid || (pid < 0 && errno == EINTR))
			return B_EAGAIN;
		/* Somebody else reaped it: it has ended, how is not known. */
		if (pid < 0)
			p->status = 0;
		p->reaped = true;
		p->pid = 0;
	}
	*status = p->status;
	return B_OK;
}

static int pty_exit_fd(struct ln_line *l)
{
	struct pty_line *p = (struct pty_line *)l;

	if (p->exit_fd < 0 && p->pid)
		p->exit_fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
	return p->exit_fd;
}

static bool pty_is_stopped(struct ln_line *l)
{
	struct pty_line *p = (struct pty_line *)l;
	siginfo_t info = { 0 };

	return p->pid && !waitid(P_PID, (id_t)p->pid, &info, WSTOPPED | WNOHANG | WNOWAIT) &&
		info.si_pid == p->pid;
}

static void pty_kill(struct ln_line *l, int sig)
{
	struct pty_line *p = (struct pty_line *)l;
	pid_t front;

	if (!p->pid)
		return;
	/* A shell's foreground job is a group of its own. */
	front = l->fd >= 0 ? tcgetpgrp(l->fd) : -1;
	if (front > 0 && front != p->pid)
		kill(-front, sig);
	kill(-p->pid, sig);
}

static void pty_release(struct ln_line *l)
{
	struct pty_line *p = (struct pty_line *)l;
	int status;

	if (p->exit_fd >= 0)
		close(p->exit_fd);
	if (p->pid && pty_reap(l, &status)) {
		kill(-p->pid, SIGKILL);
		ln_reap_later(p->pid);
	}
}

static int pty_parse(struct ln_target *t, const char *rest, struct b_error *err)
{
	return ln_words_split(&t->argv, rest, err);
}

const struct ln_kind ln_kind_pty = {
	.prefix = "pty:",
	.form = "pty:COMMAND",
	.line_size = sizeof(struct pty_line),
	.has_process = true,
	.parse = pty_parse,
	.open = pty_open,
	.read = ln_tty_read,
	.write = ln_tty_write,
	.resize = pty_resize,
	.is_secret = pty_is_secret,
	.reap = pty_reap,
	.exit_fd = pty_exit_fd,
	.is_stopped = pty_is_stopped,
	.kill = pty_kill,
	.release = pty_release,
};
