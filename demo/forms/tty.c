#include "demo/forms/tty.h"

#include <curses.h>
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

/* What terminals send although terminfo names another form, or none. */
static const struct {
	const char *bytes;
	int key;
} more_keys[] = {
	{ "\033[A", KEY_UP },
	{ "\033[B", KEY_DOWN },
	{ "\033[C", KEY_RIGHT },
	{ "\033[D", KEY_LEFT },
	{ "\033[Z", KEY_BTAB },
	{ "\033[H", KEY_HOME },
	{ "\033[F", KEY_END },
};

static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int df_tty_open(struct df_tty *t, int keys_fd, struct b_error *err)
{
	const char *term = getenv("TERM");

	memset(t, 0, sizeof *t);
	t->keys_fd = keys_fd;
	t->signal_fd = -1;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return b_error_set(err, B_EUSAGE,
			"no terminal on standard input and output; run it in one (or on a pty)");
	setlocale(LC_CTYPE, "");
	t->screen = term && *term ? newterm(NULL, stdout, stdin) : NULL;
	if (!t->screen)
		return b_error_set(err, B_EENV,
			"terminal type '%s' is unknown; set TERM to one that terminfo has",
			term ? term : "");
	t->signal_fd = open_signals();
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	/* A frame goes out whole, whatever has been typed ahead. */
	typeahead(-1);
	for (size_t i = 0; i < B_ARRAY_LEN(more_keys); i++)
		if (key_defined(more_keys[i].bytes) == 0)
			define_key(more_keys[i].bytes, more_keys[i].key);
	return B_OK;
}

void df_tty_close(struct df_tty *t)
{
	if (t->screen) {
		endwin();
		delscreen(t->screen);
	}
	if (t->signal_fd >= 0)
		close(t->signal_fd);
	t->screen = NULL;
	t->signal_fd = -1;
}

/* Returns KEY_RESIZE, DF_KEY_END, or 0: nothing that matters. */
static int take_signal(struct df_tty *t)
{
	struct signalfd_siginfo info;
	struct winsize w;
	int found = 0;

	while (read(t->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
		if (info.ssi_signo != SIGWINCH)
			t->ended = true;
		else
			found = KEY_RESIZE;
	}
	if (t->ended)
		return DF_KEY_END;
	if (found && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_row && w.ws_col)
		resizeterm(w.ws_row, w.ws_col);
	return found;
}

#define GOT_BYTE (-10)

/* Waits for a byte: GOT_BYTE, 0 (timeout_ms passed), KEY_RESIZE or DF_KEY_END. */
static int fill(struct df_tty *t, int timeout_ms)
{
	struct pollfd p[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = t->signal_fd, .events = POLLIN } };
	ssize_t n;

	if (t->at < t->len)
		return GOT_BYTE;
	if (t->ended)
		return DF_KEY_END;
	for (;;) {
		int ready = poll(p, 2, timeout_ms), found;

		if (ready == 0)
			return 0;
		if (ready < 0)
			continue;
		/* Inside of a sequence a resize waits until the key is whole. */
		if (p[1].revents && timeout_ms < 0 && (found = take_signal(t)) != 0)
			return found;
		if (!p[0].revents)
			continue;
		n = read(STDIN_FILENO, t->buf, sizeof t->buf);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) {
			t->ended = true;
			return DF_KEY_END;
		}
		t->read_ns = b_clock_mono_ns();
		if (t->keys_fd >= 0)
			(void)!write(t->keys_fd, t->buf, (size_t)n);
		t->at = 0;
		t->len = (size_t)n;
		return GOT_BYTE;
	}
}

static unsigned char take(struct df_tty *t)
{
	t->last_ns = t->read_ns;
	if (!t->bytes++)
		t->first_ns = t->read_ns;
	return t->buf[t->at++];
}

/* The rest of a sequence that is no key: up to its final byte. Source: ECMA-48 5.4. */
static int skip_sequence(struct df_tty *t, const char *seq, size_t len)
{
	bool open = seq[1] == '[' || seq[1] == 'O';

	if (len == 1)
		return DF_KEY_ESC; /* no key of this terminal begins with Esc */
	if (len > 2 && seq[len - 1] >= '@' && seq[len - 1] <= '~')
		open = false;
	while (open && fill(t, DF_ESCDELAY_MS) == GOT_BYTE) {
		unsigned char c = take(t);

		open = c >= ' ' && c <= '?';
	}
	return DF_KEY_UNKNOWN;
}

static int escape_sequence(struct df_tty *t)
{
	char seq[16] = "\033";
	size_t len = 1;

	for (;;) {
		int key = key_defined(seq);

		if (key > 0)
			return key;
		if (key == 0 || len + 1 == sizeof seq)
			break;
		if (fill(t, DF_ESCDELAY_MS) != GOT_BYTE)
			return len == 1 ? DF_KEY_ESC : DF_KEY_UNKNOWN;
		seq[len++] = (char)take(t);
		seq[len] = 0;
	}
	return skip_sequence(t, seq, len);
}

int df_tty_key(struct df_tty *t)
{
	int got, c, key;
	char one[2] = "";

	do {
		got = fill(t, -1);
	} while (got == 0);
	if (got != GOT_BYTE)
		return got;
	c = take(t);
	if (c == DF_KEY_ESC)
		return escape_sequence(t);
	/* Backspace, Tab and the like may be keys of one byte; printable characters never. */
	one[0] = (char)c;
	key = c < ' ' || c == 127 ? key_defined(one) : 0;
	return key > 0 ? key : c;
}

void df_tty_flush(struct df_tty *t, bool bell)
{
	if (bell)
		beep();
	doupdate();
	t->out_ns = b_clock_mono_ns();
}

void df_tty_count_reset(struct df_tty *t)
{
	t->bytes = 0;
	t->first_ns = 0;
}
