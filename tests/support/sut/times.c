/* Modes that answer late, never, without end or in pieces. */
#include "tests/support/sut/sut.h"

#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/banned.h"

int sut_echo(struct sut *s)
{
	return sut_talk(s, NULL);
}

/* The shape of SQL shells and COBOL screens: echo, nothing for long, then all at once. */
static void answer_late(struct sut *s, const struct b_buf *line, int64_t n)
{
	sut_sleep_ms(sut_arg_int(s, 0, 0, 600000, 1500));
	sut_printf(s, "%lld: %.*s\r\n", (long long)n, (int)line->len, line->len ? line->data : "");
}

int sut_late(struct sut *s)
{
	return sut_talk(s, answer_late);
}

static void answer_bursts(struct sut *s, const struct b_buf *line, int64_t n)
{
	int64_t count = sut_arg_int(s, 0, 1, 1000, 3), gap_ms = sut_arg_int(s, 1, 0, 600000, 200);

	(void)line;
	for (int64_t i = 1; i <= count; i++) {
		sut_sleep_ms(gap_ms);
		sut_printf(s, "%lld: part %lld of %lld\r\n", (long long)n, (long long)i,
			(long long)count);
	}
}

int sut_bursts(struct sut *s)
{
	return sut_talk(s, answer_bursts);
}

static void answer_spinner(struct sut *s, const struct b_buf *line, int64_t n)
{
	int64_t ms = sut_arg_int(s, 0, 0, 600000, 1200);

	sut_puts(s, "working  ");
	for (int64_t at = 0; at < ms; at += 150) {
		sut_printf(s, "\b%c", "|/-\\"[at / 150 % 4]);
		sut_sleep_ms(150);
	}
	sut_printf(
		s, "\r\n%lld: %.*s\r\n", (long long)n, (int)line->len, line->len ? line->data : "");
}

int sut_spinner(struct sut *s)
{
	return sut_talk(s, answer_spinner);
}

int sut_silent(struct sut *s)
{
	int c;

	sut_raw(s);
	do {
		c = sut_getc(s, -1);
	} while (c != SUT_EOF && c != 4);
	sut_cooked(s);
	return 0;
}

/* Never reads: what is typed fills the line's buffer until it takes no more. */
int sut_deaf(struct sut *s)
{
	sut_raw(s);
	sut_puts(s, "deaf\r\n");
	for (;;)
		pause();
}

static void answer_bell(struct sut *s, const struct b_buf *line, int64_t n)
{
	(void)line;
	(void)n;
	sut_puts(s, "\a");
}

int sut_bell(struct sut *s)
{
	struct b_buf line = B_BUF_INIT;

	sut_raw(s);
	sut_puts(s, "> ");
	while (sut_line(s, &line) && !(line.len == 4 && !memcmp(line.data, "quit", 4)))
		answer_bell(s, &line, s->lines);
	b_buf_release(&line);
	sut_cooked(s);
	return 0;
}

/* A clock in the corner and a field to type in: the screen is never quiet. */
int sut_clock(struct sut *s)
{
	int64_t tick_ms = sut_arg_int(s, 0, 10, 600000, 1000), lines = 0;
	int64_t next = b_clock_mono_ns();
	struct b_buf line = B_BUF_INIT;
	int c = 0;

	sut_raw(s);
	sut_puts(s, "\033[H\033[2JClock\033[3;1HItem  \033[5;1H\033[3;7H");
	while (c != SUT_EOF && c != 4) {
		int64_t now = b_clock_mono_ns();

		if (now >= next) {
			int64_t t = b_clock_wall_ns() / B_NS_PER_MS;

			sut_printf(s, "\0337\033[1;69H%02d:%02d:%02d.%03d\0338",
				(int)(t / 3600000 % 24), (int)(t / 60000 % 60),
				(int)(t / 1000 % 60), (int)(t % 1000));
			next = now + tick_ms * B_NS_PER_MS;
		}
		c = sut_getc(s, (int)((next - now) / B_NS_PER_MS) + 1);
		if (c == '\r') {
			sut_printf(s, "\033[5;1H\033[K%lld: %s\033[3;7H\033[K", (long long)++lines,
				b_buf_cstr(&line));
			b_buf_clear(&line);
		} else if (c >= ' ') {
			b_buf_addc(&line, (char)c);
			sut_write(s, &line.data[line.len - 1], 1);
		}
	}
	b_buf_release(&line);
	sut_cooked(s);
	return 0;
}

/* A byte at a time: escape sequences and UTF-8 are cut at every place. */
static void answer_dribble(struct sut *s, const struct b_buf *line, int64_t n)
{
	struct b_buf frame = B_BUF_INIT;

	b_buf_printf(&frame,
		"\033[1;31m%lld\033[0m: \033[?25l\033]2;title\033\\%s \xe2\x82\xac\r\n",
		(long long)n, line->len ? line->data : "");
	b_buf_adds(&frame, "\033[?25h");
	for (size_t i = 0; i < frame.len; i++) {
		sut_write(s, &frame.data[i], 1);
		sut_sleep_ms(sut_arg_int(s, 0, 0, 60000, 10));
	}
	b_buf_release(&frame);
}

int sut_dribble(struct sut *s)
{
	return sut_talk(s, answer_dribble);
}

/* Takes its time to start and throws away what was typed meanwhile. */
int sut_slow_start(struct sut *s)
{
	sut_sleep_ms(sut_arg_int(s, 0, 0, 600000, 600));
	tcflush(s->in, TCIFLUSH);
	return sut_talk(s, NULL);
}

static void flood_bytes(struct sut *s, int64_t bytes, int64_t kib_per_s)
{
	int64_t start = b_clock_mono_ns(), sent = 0, n = 0;
	char line[64];

	for (size_t i = 0; i < sizeof line; i++)
		line[i] = (char)('!' + i);
	line[62] = '\r';
	line[63] = '\n';
	while (bytes < 0 || sent < bytes) {
		line[n++ % 62] ^= 1;
		if (!sut_write(s, line, sizeof line))
			return;
		sent += (int64_t)sizeof line;
		if (kib_per_s && !(n & 15)) {
			int64_t due = sent * 1000 / (kib_per_s * 1024);
			int64_t past = (b_clock_mono_ns() - start) / B_NS_PER_MS;

			if (due > past)
				sut_sleep_ms(due - past);
		}
	}
}

int sut_flood(struct sut *s)
{
	sut_raw(s);
	flood_bytes(s, -1, sut_arg_int(s, 0, 0, 1 << 30, 0));
	return 0;
}

static void answer_flood(struct sut *s, const struct b_buf *line, int64_t n)
{
	flood_bytes(s, sut_arg_int(s, 0, 0, 1LL << 40, 1 << 20), 0);
	sut_printf(s, "%lld: %.*s\r\n", (long long)n, (int)line->len, line->len ? line->data : "");
}

int sut_flood_stop(struct sut *s)
{
	return sut_talk(s, answer_flood);
}

/* Opens a synchronised update, paints, and closes it MS later; a negative MS leaves it open. */
static void answer_sync(struct sut *s, const struct b_buf *line, int64_t n)
{
	int64_t ms = sut_arg_int(s, 0, -1, 600000, 100);

	sut_printf(s, "\033[?2026h%lld: %.*s\r\n", (long long)n, (int)line->len,
		line->len ? line->data : "");
	if (ms >= 0) {
		sut_sleep_ms(ms);
		sut_puts(s, "\033[?2026l");
	}
}

int sut_sync(struct sut *s)
{
	return sut_talk(s, answer_sync);
}
