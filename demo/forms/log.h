/*
 * demo/forms/log.h - the application's own word on its response times (--log).
 *
 * A line a transaction, appended with one write(2), so that many tellers can
 * share a file:
 *
 *   in_ns out_ns in_epoch pid tag kind key result bytes first_ns
 *
 * in_ns: the read that returned the transaction's last input byte; out_ns: its
 * last output byte was written; first_ns: the read that returned its first
 * input byte; all CLOCK_MONOTONIC. in_epoch: in_ns as seconds since the epoch.
 * bytes: input bytes since the transaction before. kind: menu (a place was gone
 * to), quit, or one of the program's own; key: the place, or what the
 * transaction was about, or -; result: ok, invalid (refused before the database
 * was asked), missing, busy, failed.
 */
#ifndef DEMO_FORMS_LOG_H
#define DEMO_FORMS_LOG_H

#include <stdint.h>

#include "base/error.h"

struct df_log {
	int fd;           /* -1: no log */
	const char *tag;  /* --tag; never NULL */
	int64_t epoch_ns; /* wall clock less monotonic clock, taken when the log was opened */
};

struct df_log_entry {
	const char *kind, *result;
	int64_t key; /* -1: none */
	int64_t first_ns, in_ns, out_ns, bytes;
};

/* Opens a file to append to; B_EENV with a message. */
int df_log_file(const char *path, int *fd, struct b_error *err) B_CHECK;
void df_log_init(struct df_log *log, int fd, const char *tag);
void df_log_write(const struct df_log *log, const struct df_log_entry *e);

#endif
