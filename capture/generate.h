/*
 * capture/generate.h - from traces to a script in Lua.
 *
 * A pure function: the same traces and options give the same bytes, so a script can be made
 * anew at any time. It replays the output on a virtual screen, decodes the input, and writes
 * down what the person did and what the person saw before doing it:
 *
 *   login()      waits for the first screen, and types the login dialogue if there is one
 *   iteration()  the session's transactions, from a screen back to the same screen where the
 *                recording allows it
 *   logout()     the keys that leave the application
 *
 * Where the session does not come back to the screen it began with, iteration() ends with
 * relogin(): a load run then ends the session after the iteration and logs in anew for the
 * next. An application that ends within the iteration is no failure then.
 *
 * What the SUT displayed is hostile: it reaches the script as string literals and as comments
 * without control characters, never as code.
 */
#ifndef CAPTURE_GENERATE_H
#define CAPTURE_GENERATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "capture/trace.h"

struct cap_generate_options {
	const char *trace_path;  /* of the first trace, for the heading; may be NULL */
	const char *script_name; /* without folder and .lua; NULL: "session" */
	const char *target;      /* for the `target` line; NULL: the trace's own (rte_target, or
				    "pty:" and its command), or none */
	bool data;               /* the values come from a data file (needs data_path) */
	const char *data_path;   /* as the script names it, relative to the script's folder */
	struct b_buf *warnings;  /* a line each (UTF-8, no control characters), appended; or NULL.
				    They stand in the script as comments too. */
};

/*
 * Appends the script to script and, with opt->data, the CSV file (a heading, then one row a
 * trace) to data_csv (else it is left alone and may be NULL). With two or more traces of the
 * same session what differs on their screens is never waited for and is masked in golden
 * screens, and what differs in their input becomes data. B_EINPUT when a trace has neither input
 * nor output, or its TERM is unknown to terminfo; B_EUSAGE for n == 0. Blocks for no one;
 * any thread.
 */
int cap_generate(const struct cap_trace *const *traces, size_t n,
	const struct cap_generate_options *opt, struct b_buf *script, struct b_buf *data_csv,
	struct b_error *err) B_CHECK;

#endif
