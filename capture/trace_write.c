/* Traces written: an event a line, each by one write, and events that are inserted late. */
#include "capture/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "capture/base64.h"
#include "base/banned.h"

/* The beginning of a character whose rest has not come yet. */
struct tail {
	char bytes[4];
	size_t len;
	int64_t at_ns;
};

/* A rest that has not come by then never will: the bytes are written as they are. */
#define TAIL_WAIT_NS (100 * B_NS_PER_MS)

/* What the next line of the file depends on. */
struct position {
	off_t size;
	int64_t last_ns;
	struct tail out, in;
};

struct held {
	int64_t at_ns;
	char *data;
	size_t len;
	char code;
};

struct cap_writer {
	int fd;
	struct position now;
	bool holding, inserted;
	struct position start; /* of the hold */
	struct held *held;
	size_t n_held, held_cap, held_bytes;
};

static void add_line(struct b_buf *out, int64_t at_ns, char code, const char *data, size_t len)
{
	int64_t us = at_ns / B_NS_PER_US;

	b_buf_printf(out, "[%lld.%06lld, \"%c\", \"", (long long)(us / 1000000),
		(long long)(us % 1000000), code);
	b_escape_json(out, data, len);
	b_buf_adds(out, "\"]\n");
	if (b_utf8_valid(data, len))
		return;
	b_buf_printf(out, "[%lld.%06lld, \"b\", \"", (long long)(us / 1000000),
		(long long)(us % 1000000));
	cap_base64_encode(out, data, len);
	b_buf_adds(out, "\"]\n");
}

static int64_t forward(struct position *p, int64_t at_ns)
{
	if (at_ns > p->last_ns)
		p->last_ns = at_ns;
	return p->last_ns;
}

static void add_tail(struct b_buf *out, struct position *p, struct tail *t, char code)
{
	if (t->len)
		add_line(out, forward(p, t->at_ns), code, t->bytes, t->len);
	t->len = 0;
}

static void add_old_tails(struct b_buf *out, struct position *p, int64_t at_ns)
{
	if (at_ns - p->out.at_ns > TAIL_WAIT_NS)
		add_tail(out, p, &p->out, 'o');
	if (at_ns - p->in.at_ns > TAIL_WAIT_NS)
		add_tail(out, p, &p->in, 'i');
}

/* Appends the lines of one event to out. */
static void add_event(struct b_buf *out, struct position *p, int64_t at_ns, char code,
	const char *data, size_t len)
{
	struct tail *tail = code == 'o' ? &p->out : code == 'i' ? &p->in : NULL;
	struct b_buf joined = B_BUF_INIT;
	size_t back;

	add_old_tails(out, p, at_ns);
	if (!tail) {
		add_line(out, forward(p, at_ns), code, data, len);
		return;
	}
	if (tail->len) {
		b_buf_add(&joined, tail->bytes, tail->len);
		b_buf_add(&joined, data, len);
		data = joined.data;
		len = joined.len;
	}
	back = len ? b_utf8_tail(data, len) : 0;
	if (len > back)
		add_line(out, forward(p, at_ns), code, data, len - back);
	if (!tail->len || len > back)
		tail->at_ns = at_ns;
	memcpy(tail->bytes, data + len - back, back);
	tail->len = back;
	b_buf_release(&joined);
}

static int write_at(int fd, const char *data, size_t len, off_t at)
{
	while (len) {
		ssize_t n = pwrite(fd, data, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		/* A pipe or terminal has no places; there nothing was ever held. */
		if (n < 0 && errno == ESPIPE)
			n = write(fd, data, len);
		if (n < 0)
			return B_ESYS;
		data += n;
		len -= (size_t)n;
		at += n;
	}
	return B_OK;
}

static int append(struct cap_writer *w, struct b_buf *lines)
{
	int rc = write_at(w->fd, lines->data, lines->len, w->now.size);

	if (!rc)
		w->now.size += (off_t)lines->len;
	b_buf_release(lines);
	return rc;
}

static void add_header(struct b_buf *out, const struct cap_header *h)
{
	b_buf_printf(out, "{\"version\": 2, \"width\": %d, \"height\": %d, \"timestamp\": %lld",
		h->cols, h->rows, (long long)h->timestamp_s);
	if (h->command) {
		b_buf_adds(out, ", \"command\": \"");
		b_escape_json(out, h->command, strlen(h->command));
		b_buf_addc(out, '"');
	}
	if (h->target) {
		b_buf_adds(out, ", \"rte_target\": \"");
		b_escape_json(out, h->target, strlen(h->target));
		b_buf_addc(out, '"');
	}
	b_buf_adds(out, ", \"env\": {\"TERM\": \"");
	b_escape_json(out, h->term, strlen(h->term));
	b_buf_adds(out, "\"}}\n");
}

void cap_trace_drop(const char *path)
{
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode))
		unlink(path);
}

static int create(const char *path)
{
	struct stat st;

	/* A new file rather than an old one emptied: its mode is ours, and nobody has it open. */
	if (!lstat(path, &st)) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			return open(path, O_WRONLY | O_CLOEXEC);
		if (unlink(path))
			return -1;
	}
	return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

int cap_writer_new(
	struct cap_writer **out, const char *path, const struct cap_header *h, struct b_error *err)
{
	struct b_buf lines = B_BUF_INIT;
	struct cap_writer *w;
	int fd = create(path);

	if (fd < 0)
		return b_error_set(err, B_ESYS,
			"cannot create %s: %s; choose another place for the trace", path,
			strerror(errno));
	w = b_calloc(1, sizeof *w);
	w->fd = fd;
	add_header(&lines, h);
	if (append(w, &lines)) {
		b_error_set(err, B_ESYS, "cannot write %s: %s", path, strerror(errno));
		close(fd);
		cap_trace_drop(path);
		free(w);
		return B_ESYS;
	}
	*out = w;
	return B_OK;
}

static void keep(
	struct cap_writer *w, size_t at, int64_t at_ns, char code, const char *data, size_t len)
{
	if (w->n_held == w->held_cap) {
		w->held_cap = w->held_cap ? 2 * w->held_cap : 16;
		w->held = b_reallocarray(w->held, w->held_cap, sizeof *w->held);
	}
	memmove(w->held + at + 1, w->held + at, (w->n_held - at) * sizeof *w->held);
	w->held[at] = (struct held){
		.at_ns = at_ns, .code = code, .data = b_strndup(data, len), .len = len
	};
	w->n_held++;
	w->held_bytes += len;
}

int cap_writer_event(struct cap_writer *w, int64_t at_ns, char code, const char *data, size_t len)
{
	struct b_buf lines = B_BUF_INIT;

	if (w->holding)
		keep(w, w->n_held, at_ns, code, data, len);
	add_event(&lines, &w->now, at_ns, code, data, len);
	return append(w, &lines);
}

void cap_writer_hold(struct cap_writer *w)
{
	if (w->holding)
		return;
	w->holding = true;
	w->inserted = false;
	w->start = w->now;
}

void cap_writer_insert(struct cap_writer *w, int64_t at_ns, char code, const char *data, size_t len)
{
	size_t at = w->n_held;

	cap_writer_hold(w);
	while (at && w->held[at - 1].at_ns > at_ns)
		at--;
	keep(w, at, at_ns, code, data, len);
	w->inserted = true;
}

static void drop_held(struct cap_writer *w)
{
	for (size_t i = 0; i < w->n_held; i++)
		free(w->held[i].data);
	free(w->held);
	w->held = NULL;
	w->n_held = w->held_cap = w->held_bytes = 0;
	w->holding = false;
}

int cap_writer_settle(struct cap_writer *w)
{
	struct b_buf lines = B_BUF_INIT;
	off_t old_size = w->now.size;
	int rc = B_OK;

	if (w->holding && w->inserted) {
		w->now = w->start;
		for (size_t i = 0; i < w->n_held; i++)
			add_event(&lines, &w->now, w->held[i].at_ns, w->held[i].code,
				w->held[i].data, w->held[i].len);
		rc = append(w, &lines);
		if (!rc && w->now.size < old_size && ftruncate(w->fd, w->now.size))
			rc = B_ESYS;
	}
	drop_held(w);
	return rc;
}

size_t cap_writer_held_bytes(const struct cap_writer *w)
{
	return w->held_bytes;
}

int cap_writer_free(struct cap_writer *w)
{
	struct b_buf lines = B_BUF_INIT;
	int rc;

	if (!w)
		return B_OK;
	rc = cap_writer_settle(w);
	add_tail(&lines, &w->now, &w->now.out, 'o');
	add_tail(&lines, &w->now, &w->now.in, 'i');
	if (append(w, &lines))
		rc = B_ESYS;
	if (close(w->fd))
		rc = B_ESYS;
	free(w);
	return rc;
}
