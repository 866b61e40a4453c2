/*
 * capture/record.h - a session recorded between a person's terminal and an application.
 *
 * What is typed reaches the application byte for byte, what that writes reaches the terminal
 * byte for byte, and both stand in the trace with their times, written as they happen. Passwords
 * do not (capture/secret.h): a run of characters that may be one is held back until it is known.
 * The person's terminal is restored on every way out.
 *
 * Keys of the recorder's own follow a prefix key: marks for the script, drawn over the screen,
 * which is painted again afterwards. What comes from the application meanwhile is recorded at
 * its time and shown when the overlay is gone.
 *
 * Standard input may also be a pipe of keystrokes. Then the next keystroke is sent when the
 * screen has answered the last submitting one and come to rest, and, at the end of the input,
 * the line is hung up once nothing has come for a while.
 */
#ifndef CAPTURE_RECORD_H
#define CAPTURE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "line/line.h"

struct cap_record_options {
	const struct ln_target *target;
	const char *command; /* for the trace's header; may be NULL */
	const char *trace_path;
	const char *term;         /* told to the application */
	int rows, cols;           /* 0 x 0: the terminal's, else 24 x 80 */
	const char *prefix;       /* key name; NULL: the recorder has no keys */
	const char *secret_label; /* pattern; see cap_secret_labels_new; NULL: the usual ones */
	int in_fd, out_fd;        /* the person's */
};

struct cap_record_result {
	/* The application's exit status, 128+N for signal N; over a connection 0, or 3 when it broke. */
	int status;
	int signal;   /* that ended the recording from outside; 0: none */
	bool stopped; /* by the recorder's own key */
	bool whole;   /* the trace has it all; else the notes say why not */
	int64_t duration_ns;
	uint64_t bytes_in, bytes_out; /* typed, shown */
	struct b_buf notes;           /* a line each: what the person should know; the caller's */
};

/*
 * Records one session, from opening the line to its end; blocks that long. Uses the process's
 * signal handling meanwhile (TERM, HUP, INT, QUIT, WINCH, TSTP, CONT, and crashes); one at a
 * time. B_EUSAGE: prefix, pattern or size; B_EENV: the line could not be opened, the terminal
 * is unknown; B_ESYS: no trace could be written. *out is set on success only.
 */
int cap_record(const struct cap_record_options *opt, struct cap_record_result *out,
	struct b_error *err) B_CHECK;

#endif
