#define _GNU_SOURCE /* sigaltstack, SIGBUS and the like */
#include "capture/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/banned.h"

static const int fatal[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP };

/* What a signal handler needs. Two texts, so that one is whole while the other is written. */
static struct {
	volatile sig_atomic_t armed;
	int fd, out; /* whose modes; where to write */
	struct termios saved;
	char undo[2][256];
	size_t undo_len[2];
	atomic_int current;
	struct sigaction old[B_ARRAY_LEN(fatal)];
	char stack[16384];
} crash;

/* Only what POSIX allows in a handler: tcsetattr, write, sigaction, raise. */
static void on_crash(int sig)
{
	int i = atomic_load(&crash.current);

	if (crash.armed) {
		crash.armed = 0;
		if (crash.out >= 0)
			(void)!write(crash.out, crash.undo[i], crash.undo_len[i]);
		tcsetattr(crash.fd, TCSANOW, &crash.saved);
	}
	/* SA_RESETHAND: the default action is back. */
	raise(sig);
}

static void arm(const struct cap_tty *t)
{
	const stack_t stack = { .ss_sp = crash.stack, .ss_size = sizeof crash.stack };
	struct sigaction sa = { .sa_handler = on_crash,
		.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK) };

	crash.fd = t->in_is_tty ? t->in : t->out;
	crash.out = t->out_is_tty ? t->out : -1;
	crash.saved = t->saved;
	sigfillset(&sa.sa_mask);
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < B_ARRAY_LEN(fatal); i++)
		sigaction(fatal[i], &sa, &crash.old[i]);
	crash.armed = 1;
}

static void disarm(void)
{
	if (!crash.armed)
		return;
	crash.armed = 0;
	for (size_t i = 0; i < B_ARRAY_LEN(fatal); i++)
		sigaction(fatal[i], &crash.old[i], NULL);
}

/*
 * A description of our own, so that O_NONBLOCK does not show to those who share the terminal
 * (a shell that finds its standard input non-blocking ends). Where that cannot be had the
 * blocking one serves: it is only used when poll says so.
 */
static int reopen(int fd, int flags)
{
	char path[64];
	int own;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	own = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	return own >= 0 ? own : fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static void make_raw(const struct cap_tty *t)
{
	struct termios tio = t->saved;

	tio.c_oflag &= ~(tcflag_t)OPOST;
	/* Where only the output goes there, its answers to queries are typed at nobody. */
	tio.c_lflag &= ~(tcflag_t)(ECHO | ECHONL);
	if (t->in_is_tty) {
		tio.c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR |
			ICRNL | IXON | IXOFF);
		tio.c_lflag &= ~(tcflag_t)(ICANON | ISIG | IEXTEN);
		tio.c_cc[VMIN] = 1;
		tio.c_cc[VTIME] = 0;
	}
	tcsetattr(t->in_is_tty ? t->in : t->out, TCSANOW, &tio);
}

static bool is_regular(int fd)
{
	return lseek(fd, 0, SEEK_CUR) >= 0 && !isatty(fd);
}

int cap_tty_open(struct cap_tty *t, int in_fd, int out_fd)
{
	*t = (struct cap_tty){ .in_is_tty = isatty(in_fd), .out_is_tty = isatty(out_fd) };
	t->in = reopen(in_fd, O_RDONLY);
	/* A file opened anew would be written from its beginning. */
	t->out = is_regular(out_fd) ? fcntl(out_fd, F_DUPFD_CLOEXEC, 3) : reopen(out_fd, O_WRONLY);
	if (!t->in_is_tty && !t->out_is_tty)
		return B_OK;
	if (tcgetattr(t->in_is_tty ? t->in : t->out, &t->saved)) {
		close(t->in);
		close(t->out);
		return B_ESYS;
	}
	t->raw = true;
	arm(t);
	make_raw(t);
	return B_OK;
}

bool cap_tty_size(const struct cap_tty *t, int *rows, int *cols)
{
	struct winsize size;
	int fd = t->in_is_tty ? t->in : t->out;

	if ((!t->in_is_tty && !t->out_is_tty) || ioctl(fd, TIOCGWINSZ, &size) || !size.ws_row ||
		!size.ws_col)
		return false;
	*rows = size.ws_row > VS_ROWS_MAX ? VS_ROWS_MAX : size.ws_row;
	*cols = size.ws_col > VS_COLS_MAX ? VS_COLS_MAX : size.ws_col;
	return true;
}

void cap_tty_undo(const struct vs_screen *s, struct b_buf *out)
{
	unsigned modes = vs_screen_modes(s);
	int row, col;

	if (modes & VS_MODE_SYNC)
		b_buf_adds(out, "\033[?2026l");
	if (modes &
		(VS_MODE_MOUSE_X10 | VS_MODE_MOUSE_CLICK | VS_MODE_MOUSE_DRAG | VS_MODE_MOUSE_ANY |
			VS_MODE_MOUSE_UTF8 | VS_MODE_MOUSE_SGR | VS_MODE_MOUSE_URXVT |
			VS_MODE_MOUSE_PIXELS))
		b_buf_adds(out,
			"\033[?9l\033[?1000l\033[?1002l\033[?1003l\033[?1005l\033[?1006l\033[?1015l"
			"\033[?1016l");
	if (modes & VS_MODE_FOCUS)
		b_buf_adds(out, "\033[?1004l");
	if (modes & VS_MODE_PASTE)
		b_buf_adds(out, "\033[?2004l");
	if (modes & VS_MODE_APP_CURSOR)
		b_buf_adds(out, "\033[?1l");
	if (modes & VS_MODE_APP_KEYPAD)
		b_buf_adds(out, "\033>");
	if (modes & VS_MODE_REVERSE)
		b_buf_adds(out, "\033[?5l");
	if (modes & VS_MODE_INSERT)
		b_buf_adds(out, "\033[4l");
	if (modes & VS_MODE_NEWLINE)
		b_buf_adds(out, "\033[20l");
	if (!(modes & VS_MODE_WRAP))
		b_buf_adds(out, "\033[?7h");
	if (!vs_screen_cursor_visible(s))
		b_buf_adds(out, "\033[?25h");
	if (modes & VS_MODE_ORIGIN)
		b_buf_adds(out, "\033[?6l");
	/* Margins cannot be asked for; setting them moves the cursor. */
	b_buf_adds(out, "\0337\033[r\0338\033(B\017\033[m");
	if (modes & VS_MODE_ALT)
		b_buf_adds(out, "\033[?1049l");
	vs_screen_cursor(s, &row, &col);
	if (col || modes & VS_MODE_ALT)
		b_buf_adds(out, "\r\n");
}

void cap_tty_leftovers(const struct vs_screen *s)
{
	struct b_buf undo = B_BUF_INIT;
	int next = !atomic_load(&crash.current);

	cap_tty_undo(s, &undo);
	if (undo.len <= sizeof crash.undo[next]) {
		memcpy(crash.undo[next], undo.data, undo.len);
		crash.undo_len[next] = undo.len;
		atomic_store(&crash.current, next);
	}
	b_buf_release(&undo);
}

void cap_tty_close(struct cap_tty *t, bool drained)
{
	if (t->raw && !t->in_is_tty)
		tcflush(t->out, TCIFLUSH);
	if (t->raw)
		tcsetattr(t->in_is_tty ? t->in : t->out, drained ? TCSADRAIN : TCSANOW, &t->saved);
	t->raw = false;
	disarm();
	if (t->in >= 0)
		close(t->in);
	if (t->out >= 0)
		close(t->out);
	t->in = t->out = -1;
}

void cap_tty_suspend(struct cap_tty *t)
{
	if (t->raw)
		tcsetattr(t->in_is_tty ? t->in : t->out, TCSADRAIN, &t->saved);
}

void cap_tty_resume(struct cap_tty *t)
{
	if (t->raw)
		make_raw(t);
}
