/* The recorder's bytes: terminal to line, line to terminal, both to the trace. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "capture/record_priv.h"
#include "base/banned.h"

#define READ_MAX  65536 /* in one turn of the loop */
#define READS_MAX 64

int64_t rec_now(const struct recorder *r)
{
	return b_clock_mono_ns() - r->start_ns;
}

/* ---- The trace ------------------------------------------------------------------------- */

static void check_written(struct recorder *r, int rc)
{
	/* The person goes on working; the end says that the trace stops here. */
	if (rc && !r->write_errno)
		r->write_errno = errno ? errno : EIO;
}

void rec_event(struct recorder *r, int64_t at_ns, char code, const char *data, size_t len)
{
	if (r->write_errno)
		return;
	if (at_ns < r->last_event_ns) {
		cap_writer_insert(r->writer, at_ns, code, data, len);
		return;
	}
	r->last_event_ns = at_ns;
	check_written(r, cap_writer_event(r->writer, at_ns, code, data, len));
}

void rec_settle(struct recorder *r)
{
	if (cap_secret_holds(r->secret) && cap_writer_held_bytes(r->writer) > REC_HELD_MAX)
		cap_secret_finish(r->secret, rec_now(r));
	if (cap_secret_holds(r->secret) || r->keys.mode != KEYS_OFF)
		cap_writer_hold(r->writer);
	else if (!r->write_errno)
		check_written(r, cap_writer_settle(r->writer));
}

/* ---- From the person ------------------------------------------------------------------- */

void rec_flush_line(struct recorder *r)
{
	ssize_t n;

	while (r->to_line.len) {
		n = ln_line_write(r->line, r->to_line.data, r->to_line.len, NULL);
		if (n < 0) /* it has closed; reading says how */
			b_buf_clear(&r->to_line);
		if (n <= 0)
			return;
		b_buf_consume(&r->to_line, (size_t)n);
	}
}

/* A terminal in line mode keeps so much of one line and drops the rest. Source: termios(3). */
#define LINE_BYTES_MAX 4095

static bool is_line_mode(const struct recorder *r)
{
	struct termios tio;

	return ln_target_is_pty(r->opt.target) && !tcgetattr(ln_line_fd(r->line), &tio) &&
		(tio.c_lflag & ICANON);
}

static void watch_length(struct recorder *r, const char *bytes, size_t len)
{
	bool long_line = false;

	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];

		/* Enter, and what ends or kills a line. */
		if (c == '\r' || c == '\n' || c == 0x03 || c == 0x04 || c == 0x15)
			r->line_bytes = 0;
		else
			long_line |= ++r->line_bytes > LINE_BYTES_MAX;
	}
	if (!long_line || r->line_told || !is_line_mode(r))
		return;
	r->line_told = true;
	b_buf_printf(&r->result.notes,
		"more than %d bytes were typed in one line while the terminal was in line mode; it "
		"drops what is beyond, and so will each replay\n",
		LINE_BYTES_MAX);
}

void rec_type(struct recorder *r, int64_t at_ns, const char *bytes, size_t len)
{
	bool hidden = ln_line_is_secret(r->line);

	watch_length(r, bytes, len);
	b_buf_add(&r->to_line, bytes, len);
	rec_flush_line(r);
	r->result.bytes_in += len;
	if (r->keys.paused)
		return;
	cap_secret_typed(r->secret, at_ns, bytes, len, hidden);
	/* Asked again: the application may have turned echo off in between. */
	if (cap_secret_holds(r->secret))
		cap_secret_shown(r->secret, at_ns, ln_line_is_secret(r->line));
	rec_settle(r);
}

void rec_answer(void *recorder, const char *bytes, size_t len)
{
	struct recorder *r = recorder;

	b_buf_add(&r->answers, bytes, len);
}

static void send_answers(struct recorder *r)
{
	if (!r->answers.len)
		return;
	rec_event(r, rec_now(r), 'i', r->answers.data, r->answers.len);
	b_buf_add(&r->to_line, r->answers.data, r->answers.len);
	b_buf_clear(&r->answers);
	rec_flush_line(r);
}

void rec_read_person(struct recorder *r)
{
	char buf[4096];
	ssize_t n = read(r->tty.in, buf, sizeof buf);
	int64_t at_ns = rec_now(r);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		if (r->pace.on)
			rec_pace_add(r, buf, (size_t)n);
		else
			rec_keys_take(r, at_ns, buf, (size_t)n);
		return;
	}
	r->in_open = false;
	r->in_closed_ns = at_ns;
	if (r->tty.in_is_tty)
		r->tty_gone = r->stop = true;
}

/* ---- From the line --------------------------------------------------------------------- */

void rec_flush_tty(struct recorder *r)
{
	while (r->to_tty.len) {
		ssize_t n = write(r->tty.out, r->to_tty.data, r->to_tty.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) {
			b_buf_clear(&r->to_tty);
			r->tty_gone = r->stop = true;
			return;
		}
		b_buf_consume(&r->to_tty, (size_t)n);
	}
}

bool rec_takes_output(const struct recorder *r)
{
	return r->tty_gone ||
		(r->to_tty.len < REC_TO_TTY_MAX && r->deferred.len < REC_DEFERRED_MAX);
}

static void show(struct recorder *r, const char *bytes, size_t len)
{
	if (!r->tty_gone)
		b_buf_add(&r->to_tty, bytes, len);
	rec_flush_tty(r);
	vs_screen_feed(r->screen, bytes, len);
}

void rec_broken(struct recorder *r, const struct b_error *err, bool connecting)
{
	r->ended = r->broken = true;
	if (connecting)
		r->unconnected = *err;
	else
		b_buf_printf(&r->result.notes, "%s\n", err->text);
}

struct chunk {
	int64_t at_ns;
	size_t from, len;
};

static void take_output(struct recorder *r, const char *buf, const struct chunk *chunks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (r->keys.mode != KEYS_OFF)
			b_buf_add(&r->deferred, buf + chunks[i].from, chunks[i].len);
		else
			show(r, buf + chunks[i].from, chunks[i].len);
		r->result.bytes_out += chunks[i].len;
		r->last_output_ns = chunks[i].at_ns;
	}
	/* First what the output says of the keys before it, then the output. */
	if (r->keys.mode == KEYS_OFF) {
		cap_secret_shown(r->secret, rec_now(r), ln_line_is_secret(r->line));
		rec_settle(r);
	}
	for (size_t i = 0; i < n; i++)
		rec_event(r, chunks[i].at_ns, 'o', buf + chunks[i].from, chunks[i].len);
	send_answers(r);
	cap_tty_leftovers(r->screen);
}

void rec_read_line(struct recorder *r)
{
	static char buf[READ_MAX]; /* one recorder a process */
	struct chunk chunks[READS_MAX];
	struct b_error err = { 0 };
	size_t used = 0, n = 0;
	ssize_t got = 0;

	/* All that is there, so that a picture that came in several reads is judged whole. */
	while (n < READS_MAX && used < sizeof buf) {
		got = ln_line_read(r->line, buf + used, sizeof buf - used, &err);
		if (got <= 0)
			break;
		chunks[n++] =
			(struct chunk){ .at_ns = rec_now(r), .from = used, .len = (size_t)got };
		used += (size_t)got;
	}
	if (n)
		take_output(r, buf, chunks, n);
	if (got == B_EENV)
		rec_broken(r, &err, false);
	else if (got == B_EOF)
		r->ended = true;
}

void rec_resize(struct recorder *r)
{
	char label[32];
	int rows, cols;

	if (r->fixed_size || !cap_tty_size(&r->tty, &rows, &cols) ||
		(rows == vs_screen_rows(r->screen) && cols == vs_screen_cols(r->screen)))
		return;
	rec_keys_close(r);
	if (vs_screen_resize(r->screen, rows, cols) || ln_line_resize(r->line, rows, cols))
		return;
	snprintf(label, sizeof label, "%dx%d", cols, rows);
	rec_event(r, rec_now(r), 'r', label, strlen(label));
}
