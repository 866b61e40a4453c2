/* Modes that end at the wrong time, in the wrong way, or not at all. */
#include "tests/support/sut/sut.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/banned.h"

int sut_exit(struct sut *s)
{
	sut_sleep_ms(sut_arg_int(s, 1, 0, 600000, 0));
	return (int)sut_arg_int(s, 0, 0, 255, 0);
}

int sut_signal(struct sut *s)
{
	int sig = (int)sut_arg_int(s, 0, 1, 64, SIGTERM);

	sut_sleep_ms(sut_arg_int(s, 1, 0, 600000, 0));
	signal(sig, SIG_DFL);
	raise(sig);
	return 1;
}

/* Half a frame, cut inside a sequence, then gone. */
static void answer_die_write(struct sut *s, const struct b_buf *line, int64_t n)
{
	(void)line;
	if (n < sut_arg_int(s, 0, 1, 1000000, 1)) {
		sut_printf(s, "%lld: still here\r\n", (long long)n);
		return;
	}
	sut_puts(s, "\033[2J\033[HBalance \033[1;3");
	_exit((int)sut_arg_int(s, 1, 0, 255, 3));
}

int sut_die_write(struct sut *s)
{
	return sut_talk(s, answer_die_write);
}

/* Gone after input byte N, with no output for it. */
int sut_die_at(struct sut *s)
{
	int64_t n = sut_arg_int(s, 0, 1, 1000000, 1);

	sut_raw(s);
	sut_puts(s, "> ");
	for (int64_t i = 1;; i++) {
		int c = sut_getc(s, -1);
		unsigned char byte = (unsigned char)c;

		if (c == SUT_EOF || i == n)
			_exit((int)sut_arg_int(s, 1, 0, 255, 3));
		sut_write(s, &byte, 1);
	}
}

/* Prints BYTES and ends at once: all of it must still arrive. */
int sut_last_words(struct sut *s)
{
	int64_t bytes = sut_arg_int(s, 0, 0, 1 << 30, 1000);
	struct b_buf b = B_BUF_INIT;

	for (int64_t i = 0; i < bytes; i++)
		b_buf_addc(&b, (char)(i % 64 == 63 ? '\n' : 'a' + i % 26));
	sut_write(s, b.data, b.len);
	sut_puts(s, "last words");
	b_buf_release(&b);
	return 0;
}

/* Gives up the line but lives on: end of file long before the process ends. */
int sut_half_open(struct sut *s)
{
	int64_t seconds = sut_arg_int(s, 0, 0, 600, 20);

	signal(SIGHUP, SIG_IGN);
	sut_puts(s, "half open\r\n");
	close(s->in);
	close(s->out);
	close(STDERR_FILENO);
	sut_sleep_ms(seconds * 1000);
	return 0;
}

/* Hung up, it stays: the one who closed the line must not wait for it. */
int sut_no_hup(struct sut *s)
{
	int64_t seconds = sut_arg_int(s, 0, 0, 600, 20);

	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sut_talk(s, NULL);
	sut_sleep_ms(seconds * 1000);
	return 0;
}

static void answer_stop(struct sut *s, const struct b_buf *line, int64_t n)
{
	if (line->len == 4 && !memcmp(line->data, "stop", 4))
		raise(SIGSTOP);
	sut_printf(s, "%lld: going on\r\n", (long long)n);
}

int sut_stop(struct sut *s)
{
	return sut_talk(s, answer_stop);
}

/* Leaves the terminal in every state that a full-screen program would have put back. */
int sut_leave_modes(struct sut *s)
{
	sut_raw(s);
	sut_puts(s,
		"\033[?1049h\033[?1h\033=\033[?25l\033[?1002h\033[?1006h\033[?2004h\033[?1004h"
		"\033[4h\033[5;10r\033[1;7m\033(0left behind");
	if (sut_arg_int(s, 0, 0, 64, 0))
		raise((int)sut_arg_int(s, 0, 0, 64, 0));
	return 0;
}
