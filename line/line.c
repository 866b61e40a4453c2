/* Lines: what all kinds have in common. */
#include "line/line.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "line/ops.h"
#include "base/banned.h"

int ln_open(struct ln_line **out, const struct ln_options *opt, struct b_error *err)
{
	const struct ln_kind *kind = opt->target->kind;
	struct ln_line *l = b_calloc(1, kind->line_size);
	int rc;

	*l = (struct ln_line){ .kind = kind, .target = opt->target, .fd = -1, .due_ns = -1 };
	rc = kind->open(l, opt, err);
	if (rc) {
		l->state = LN_CLOSED;
		ln_line_free(l);
		return rc;
	}
	*out = l;
	return B_OK;
}

enum ln_state ln_line_state(const struct ln_line *l)
{
	return l->state;
}

int ln_line_fd(const struct ln_line *l)
{
	return l->fd;
}

unsigned ln_line_wants(const struct ln_line *l)
{
	return l->state == LN_CLOSED ? 0 : l->wants | (l->blocked && !l->shut ? LN_WANT_WRITE : 0);
}

int ln_line_drive(struct ln_line *l, struct b_error *err)
{
	return l->state != LN_CLOSED && l->kind->drive ? l->kind->drive(l, err) : B_OK;
}

int64_t ln_line_due_ns(const struct ln_line *l)
{
	return l->state == LN_CLOSED ? -1 : l->due_ns;
}

ssize_t ln_line_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err)
{
	ssize_t n;

	if (l->state == LN_CONNECTING)
		return B_EAGAIN;
	if (l->ended || l->state == LN_CLOSED)
		return B_EOF;
	l->came_ns = 0;
	n = l->kind->read(l, buf, cap, err);
	if (!l->came_ns)
		l->came_ns = b_clock_mono_ns();
	l->ended = n == B_EOF;
	return n;
}

int64_t ln_line_came_ns(const struct ln_line *l)
{
	return l->came_ns;
}

ssize_t ln_line_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err)
{
	ssize_t n;

	if (l->state == LN_CONNECTING || !len)
		return 0;
	/* The kernel would go on taking bytes for a pty that nobody has open any more. */
	if (l->ended || l->state == LN_CLOSED)
		return B_EOF;
	n = l->kind->write(l, bytes, len, err);
	l->blocked = n >= 0 && (size_t)n < len;
	return n;
}

int ln_line_resize(struct ln_line *l, int rows, int cols)
{
	return l->state == LN_OPEN && l->kind->resize ? l->kind->resize(l, rows, cols) : B_OK;
}

int ln_line_break(struct ln_line *l, struct b_error *err)
{
	if (!l->kind->send_break)
		return b_error_set(err, B_EUSAGE,
			"a line %s carries no break; telnet, ssh and serial lines do",
			l->kind->form);
	if (l->state != LN_OPEN || l->ended)
		return b_error_set(err, B_EENV, "the line was closed");
	return l->kind->send_break(l, err);
}

bool ln_line_has_break(const struct ln_line *l)
{
	return l->kind->send_break;
}

bool ln_line_is_secret(const struct ln_line *l)
{
	return l->state == LN_OPEN && l->kind->is_secret && l->kind->is_secret(l);
}

void ln_line_close(struct ln_line *l)
{
	if (l->state != LN_CLOSED && l->kind->close)
		l->kind->close(l);
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	l->state = LN_CLOSED;
}

int ln_line_reap(struct ln_line *l, int *status)
{
	return l->kind->reap ? l->kind->reap(l, status) : B_ENOTFOUND;
}

int ln_line_exit_fd(const struct ln_line *l)
{
	/* The descriptor is made when it is first asked for. */
	return l->kind->exit_fd ? l->kind->exit_fd((struct ln_line *)(uintptr_t)l) : -1;
}

bool ln_line_is_stopped(struct ln_line *l)
{
	return l->kind->is_stopped && l->kind->is_stopped(l);
}

void ln_line_kill(struct ln_line *l, int sig)
{
	if (l->kind->kill)
		l->kind->kill(l, sig);
}

void ln_line_free(struct ln_line *l)
{
	if (!l)
		return;
	ln_line_close(l);
	if (l->kind->release)
		l->kind->release(l);
	free(l);
}
