#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/banned.h"

static void set_text(struct b_error *err, const char *fmt, va_list ap)
{
	char raw[sizeof err->text];
	struct b_buf out = B_BUF_INIT;

	vsnprintf(raw, sizeof raw, fmt, ap);
	b_escape_text(&out, raw, strlen(raw));
	snprintf(err->text, sizeof err->text, "%s", b_buf_cstr(&out));
	b_buf_release(&out);
}

int b_error_set(struct b_error *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (err && !err->code) {
		err->code = code;
		va_start(ap, fmt);
		set_text(err, fmt, ap);
		va_end(ap);
	}
	return code;
}

void b_error_prefix(struct b_error *err, const char *fmt, ...)
{
	struct b_error prefix = { 0 };
	struct b_buf out = B_BUF_INIT;
	va_list ap;

	if (!err || !err->code)
		return;
	va_start(ap, fmt);
	set_text(&prefix, fmt, ap);
	va_end(ap);
	b_buf_printf(&out, "%s: %s", prefix.text, err->text);
	snprintf(err->text, sizeof err->text, "%s", b_buf_cstr(&out));
	b_buf_release(&out);
}

const char *b_status_text(int code)
{
	switch (code) {
	case B_OK: return "no error";
	case B_ESYS: return strerror(errno);
	case B_EUSAGE: return "wrong usage";
	case B_EINPUT: return "unreadable input";
	case B_EENV: return "the environment refused";
	case B_EAGAIN: return "not ready";
	case B_EOF: return "closed by the other side";
	case B_ENOTFOUND: return "not found";
	case B_ERANGE: return "out of range";
	case B_ETIMEOUT: return "timed out";
	case B_ECANCEL: return "cancelled";
	case B_ECHECK: return "a check failed";
	case B_EINVALID: return "the run is not valid";
	default: return "unknown error";
	}
}

enum b_exit b_status_exit(int code)
{
	switch (code) {
	case B_OK: return B_EXIT_OK;
	case B_ECHECK: return B_EXIT_FAILED;
	case B_ETIMEOUT: return B_EXIT_FAILED;
	case B_EUSAGE:
	case B_EINPUT:
	case B_ERANGE:
	case B_ENOTFOUND: return B_EXIT_USAGE;
	case B_EINVALID: return B_EXIT_INVALID;
	default: return B_EXIT_ENV;
	}
}
