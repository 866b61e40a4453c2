#include "tests/support/sut/sut.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parse.h"
#include "base/banned.h"

void sut_raw(struct sut *s)
{
	struct termios t;

	if (s->raw || tcgetattr(s->in, &s->saved))
		return;
	t = s->saved;
	t.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
	t.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IXON | ISTRIP);
	t.c_oflag &= ~(tcflag_t)OPOST;
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	s->raw = !tcsetattr(s->in, TCSADRAIN, &t);
}

void sut_cooked(struct sut *s)
{
	if (s->raw && !tcsetattr(s->in, TCSADRAIN, &s->saved))
		s->raw = false;
}

int sut_getc(struct sut *s, int timeout_ms)
{
	struct pollfd p = { .fd = s->in, .events = POLLIN };
	unsigned char c;
	ssize_t n;

	if (poll(&p, 1, timeout_ms) <= 0)
		return SUT_TIMEOUT;
	n = read(s->in, &c, 1);
	if (n < 0 && errno == EINTR)
		return SUT_TIMEOUT;
	if (n <= 0)
		return SUT_EOF;
	if (s->keys >= 0)
		(void)!write(s->keys, &c, 1);
	return c;
}

bool sut_write(struct sut *s, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(s->out, p, len);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			p += n;
			len -= (size_t)n;
		}
	}
	return true;
}

bool sut_puts(struct sut *s, const char *text)
{
	return sut_write(s, text, strlen(text));
}

bool sut_printf(struct sut *s, const char *fmt, ...)
{
	struct b_buf b = B_BUF_INIT;
	va_list ap;
	bool ok;

	va_start(ap, fmt);
	b_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	ok = sut_write(s, b.data, b.len);
	b_buf_release(&b);
	return ok;
}

bool sut_line(struct sut *s, struct b_buf *line)
{
	b_buf_clear(line);
	for (;;) {
		int c = sut_getc(s, -1);
		bool after_cr = s->last == '\r' && c == '\n';

		if (c == SUT_TIMEOUT || after_cr) {
			s->last = 0;
			continue;
		}
		if (c == SUT_EOF || c == 4)
			return false;
		s->last = (unsigned char)c;
		if (c == '\r' || c == '\n') {
			s->lines++;
			return true;
		}
		if (c == 8 || c == 127) {
			if (line->len) {
				b_buf_truncate(line, line->len - 1);
				sut_puts(s, "\b \b");
			}
			continue;
		}
		b_buf_addc(line, (char)c);
		if (!sut_write(s, &line->data[line->len - 1], 1))
			return false;
	}
}

int sut_talk(struct sut *s, void (*answer)(struct sut *s, const struct b_buf *line, int64_t n))
{
	struct b_buf line = B_BUF_INIT;

	sut_raw(s);
	sut_puts(s, "> ");
	while (sut_line(s, &line)) {
		sut_puts(s, "\r\n");
		if (line.len == 4 && !memcmp(line.data, "quit", 4))
			break;
		if (answer)
			answer(s, &line, s->lines);
		else
			sut_printf(s, "%lld: %s\r\n", (long long)s->lines, b_buf_cstr(&line));
		sut_puts(s, "> ");
	}
	b_buf_release(&line);
	sut_cooked(s);
	return 0;
}

void sut_sleep_ms(int64_t ms)
{
	struct timespec t = { ms / 1000, (long)(ms % 1000 * B_NS_PER_MS) };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

int64_t sut_arg_int(struct sut *s, int i, int64_t min, int64_t max, int64_t otherwise)
{
	int64_t v = otherwise;

	if (i < s->argc && b_parse_int(s->argv[i], min, max, &v)) {
		sut_cooked(s);
		fprintf(stderr, "sut: '%s' is no number within %lld..%lld\n", s->argv[i],
			(long long)min, (long long)max);
		exit(2);
	}
	return v;
}

const char *sut_arg(struct sut *s, int i, const char *otherwise)
{
	return i < s->argc ? s->argv[i] : otherwise;
}
