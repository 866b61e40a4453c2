/*
 * base/error.h - one domain of error codes, and the message for a person.
 *
 * Fallible functions return 0 or a negative enum b_status and leave their out-parameters
 * alone on failure. Where a cause can only be worded at its place (a line of a file, an
 * option's value) the function takes a struct b_error and fills it; otherwise the caller
 * that knows the intent words the message. Only main() exits.
 *
 * A message says the thing, the cause and what to do: "cannot open bank.db: No such file or
 * directory; create it with teller --create". It is one line, without a final newline, and
 * holds no control characters: b_error_set escapes what it is given.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stddef.h>

#define B_CHECK        __attribute__((warn_unused_result))
#define B_PRINTF(f, a) __attribute__((format(printf, f, a)))

enum b_status {
	B_OK = 0,
	B_ESYS = -1,   /* a system call failed; errno says why */
	B_EUSAGE = -2, /* wrong option or argument */
	B_EINPUT = -3, /* a file or a value that cannot be read as what it should be */
	B_EENV = -4,   /* the environment refused: SUT unreachable, ptys, files, memory */
	B_EAGAIN = -5, /* nothing now; call again when the descriptor is ready */
	B_EOF = -6,    /* the other side has closed; no more will come */
	B_ENOTFOUND = -7,
	B_ERANGE = -8, /* a number, size or time outside of what is allowed */
	B_ETIMEOUT = -9,
	B_ECANCEL = -10, /* ended on request */
	B_ECHECK = -11,  /* a check, a test or a threshold failed */
	B_EINVALID = -12 /* the run is not valid: the driver could not keep up */
};

/* Exit status of the program, as documented in rte(1). */
enum b_exit {
	B_EXIT_OK = 0,
	B_EXIT_FAILED = 1,
	B_EXIT_USAGE = 2,
	B_EXIT_ENV = 3,
	B_EXIT_INVALID = 4
};

struct b_error {
	int code; /* enum b_status; 0: none set */
	char text[1024];
};

/*
 * Words the message once: a second call on a set error is ignored, so that the first cause
 * stays. Arguments may hold anything: control characters and invalid UTF-8 are escaped.
 * err may be NULL. Returns code, so that `return b_error_set(err, B_EINPUT, ...)` reads well.
 */
int b_error_set(struct b_error *err, int code, const char *fmt, ...) B_PRINTF(3, 4);

/* Puts "PREFIX: " in front of a set message; err may be NULL or unset. */
void b_error_prefix(struct b_error *err, const char *fmt, ...) B_PRINTF(2, 3);

/* A short text for a code alone, never NULL. B_ESYS gives strerror(errno). */
const char *b_status_text(int code);

/* The exit status that a code stands for. */
enum b_exit b_status_exit(int code);

#endif
