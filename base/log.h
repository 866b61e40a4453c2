/*
 * base/log.h - messages for the person who runs the program, on standard error.
 *
 * One line a message, "rte: [level: ]text", escaped, at most 4 KiB. Standard output carries
 * results only. Thread-safe: a line is one write(2).
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/error.h"

enum b_log_level { B_LOG_ERROR, B_LOG_WARNING, B_LOG_INFO };

/*
 * While a full-screen display owns the terminal, lines go to this function instead
 * (NULL: back to standard error). It may be called from any thread.
 */
void b_log_sink_set(void (*sink)(enum b_log_level level, const char *line, void *user), void *user);

void b_log(enum b_log_level level, const char *fmt, ...) B_PRINTF(2, 3);

#define b_error(...) b_log(B_LOG_ERROR, __VA_ARGS__)
#define b_warn(...)  b_log(B_LOG_WARNING, __VA_ARGS__)
#define b_info(...)  b_log(B_LOG_INFO, __VA_ARGS__)

#endif
