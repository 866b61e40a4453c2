/*
 * capture/trace.h - traces: what was typed and shown, with times.
 *
 * A trace file is an asciicast v2 file: a header line, then [time, code, data] a line, written
 * as it happens, mode 0600. Codes: o output, i input, r resize "COLSxROWS", m marker. Reading
 * also takes v1 and v3. Data that is not valid UTF-8 is kept byte for byte: the event's data
 * has U+FFFD in its place, and an event of code b right behind it, at the same time, holds the
 * true bytes in base64; players skip codes that they do not know. A character that is split
 * over two reads stays whole: its beginning is written with the later event.
 *
 * Marker labels that rte writes and reads (others are kept and ignored):
 *   begin NAME | end [NAME]          a transaction
 *   golden NAME                      a golden screen here
 *   mask ROW COL ROWS COLS           from 1; holds from here on
 *   comment TEXT
 *   secret NAME                      here a secret was typed; its keys are nowhere
 *   break                            here a break was sent
 *   pause | resume                   what lies between is not part of the session
 */
#ifndef CAPTURE_TRACE_H
#define CAPTURE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct cap_event {
	int64_t at_ns;    /* since the start, never falling */
	char code;        /* 'o', 'i', 'r', 'm', 'x' or another letter */
	const char *data; /* owned by the trace; may hold NUL; a NUL stands behind */
	size_t len;
};

struct cap_trace {
	int version; /* of the file: 1, 2 or 3 */
	int rows, cols;
	int64_t timestamp_s; /* epoch; 0: not given */
	char *term;          /* never NULL: "xterm-256color" when the file does not say */
	char *command;       /* NULL: not given */
	char *title;
	char *target; /* header field "rte_target": the line it was recorded on; or NULL */
	struct cap_event *events;
	size_t n_events;
};

/* Reads a whole file (path "-": standard input). B_EINPUT with file and line. A last line that
   was cut by a crash is ignored. The trace is the caller's. */
int cap_trace_load(struct cap_trace **out, const char *path, struct b_error *err) B_CHECK;
/* The same from memory; name is for messages. */
int cap_trace_parse(struct cap_trace **out, const char *text, size_t len, const char *name,
	struct b_error *err) B_CHECK;
void cap_trace_free(struct cap_trace *t); /* NULL accepted */

/* ---- Making one in memory (imports, tests) ------------------------------------------------ */

/* An empty trace, version 2; term is copied. The caller's. */
struct cap_trace *cap_trace_new(int rows, int cols, const char *term);
/* Appends an event; an earlier time than the last one's is taken as that. data is copied. */
void cap_trace_add(struct cap_trace *t, int64_t at_ns, char code, const char *data, size_t len);
/* Writes it as a trace file, as cap_writer_new does. B_ESYS: then there is none. */
int cap_trace_save(const struct cap_trace *t, const char *path, struct b_error *err) B_CHECK;

/* Size of a resize event: B_EINPUT when it is not "COLSxROWS" within the limits. */
int cap_event_size(const struct cap_event *e, int *rows, int *cols) B_CHECK;

/* ---- Writing -------------------------------------------------------------------------- */

struct cap_writer;

struct cap_header {
	int rows, cols;
	const char *term, *command, *target; /* command, target: may be NULL */
	int64_t timestamp_s;
};

/* Removes what could not be written whole, if it is a file: a pipe or a device stays. */
void cap_trace_drop(const char *path);
/* Creates path (mode 0600, an existing file is replaced) and writes the header. B_ESYS: then there is
   no file. */
int cap_writer_new(struct cap_writer **out, const char *path, const struct cap_header *h,
	struct b_error *err) B_CHECK;

/* Appends an event; one write(2), so that a kill loses at most this one. B_ESYS: disk full and
   the like. at_ns counts from the start and never falls: an earlier one is taken as the last. */
int cap_writer_event(
	struct cap_writer *w, int64_t at_ns, char code, const char *data, size_t len) B_CHECK;

/*
 * Events that become known late. From cap_writer_hold on, events are written as before and kept
 * in memory too; cap_writer_insert puts one among them by its time, behind those of the same
 * time; cap_writer_settle writes the tail of the file anew, in order, in one write, if anything
 * was inserted. At each moment the file is a valid trace that lacks only what was inserted. A
 * hold within a hold, or a settle without one, does nothing; insert without a hold appends.
 */
void cap_writer_hold(struct cap_writer *w);
void cap_writer_insert(
	struct cap_writer *w, int64_t at_ns, char code, const char *data, size_t len);
int cap_writer_settle(struct cap_writer *w) B_CHECK;
/* Bytes of event data that a hold keeps in memory; 0 without one. */
size_t cap_writer_held_bytes(const struct cap_writer *w);

/* Settles, writes what is held back of a split character, and closes. NULL accepted. */
int cap_writer_free(struct cap_writer *w) B_CHECK;

#endif
