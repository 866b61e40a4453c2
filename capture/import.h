/*
 * capture/import.h - recordings of other tools as traces.
 *
 * Reads asciicast v1, v2 and v3, script(1) with classic or advanced timing, ttyrec, and the
 * scripts of autoexpect as far as their send and expect lines tell. What the file does not say
 * (size, TERM) comes from the options, else it is 80x24 and xterm-256color, and a note says so.
 *
 * Source: formats of asciinema 2.4 and 3.0, script(1) and scriptreplay(1) of util-linux 2.38,
 * ttyrec 1.0.8, autoexpect of expect 5.45.
 */
#ifndef CAPTURE_IMPORT_H
#define CAPTURE_IMPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "capture/trace.h"

struct cap_import_options {
	const char *path;        /* "-": standard input */
	const char *timing_path; /* of script(1); or NULL */
	const char *term;        /* NULL: as the file says */
	int rows, cols;          /* 0 x 0: as the file says */
};

enum cap_import_format {
	CAP_IMPORT_ASCIICAST,
	CAP_IMPORT_SCRIPT,
	CAP_IMPORT_TTYREC,
	CAP_IMPORT_AUTOEXPECT
};

struct cap_import_result {
	struct cap_trace *trace; /* the caller's */
	enum cap_import_format format;
	struct b_buf notes; /* a line each: what was assumed or left out; the caller's */
};

/* B_EINPUT: not readable, of no known format, or broken; the message says where. *out is set on
   success only. */
int cap_import(struct cap_import_result *out, const struct cap_import_options *opt,
	struct b_error *err) B_CHECK;

/* The same of a file's text (len bytes); opt->path is its name in messages. */
int cap_import_text(struct cap_import_result *out, const struct cap_import_options *opt,
	const char *text, size_t len, struct b_error *err) B_CHECK;

/* Whether the trace has anything that somebody typed. */
bool cap_import_has_input(const struct cap_trace *t);

#endif
