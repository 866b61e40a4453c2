#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/banned.h"

/* The one mutable state of this file: where messages go. */
static struct {
	pthread_mutex_t lock;
	void (*sink)(enum b_log_level level, const char *line, void *user);
	void *user;
} out = { .lock = PTHREAD_MUTEX_INITIALIZER };

void b_log_sink_set(void (*sink)(enum b_log_level level, const char *line, void *user), void *user)
{
	pthread_mutex_lock(&out.lock);
	out.sink = sink;
	out.user = user;
	pthread_mutex_unlock(&out.lock);
}

void b_log(enum b_log_level level, const char *fmt, ...)
{
	static const char *const names[] = { "", "warning: ", "" };
	struct b_buf line = B_BUF_INIT;
	char raw[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	b_buf_printf(&line, "rte: %s", names[level]);
	b_escape_text(&line, raw, strlen(raw));
	pthread_mutex_lock(&out.lock);
	if (out.sink) {
		out.sink(level, b_buf_cstr(&line), out.user);
	} else {
		b_buf_addc(&line, '\n');
		/* Nobody is left to tell when standard error is gone. */
		(void)!write(STDERR_FILENO, line.data, line.len);
	}
	pthread_mutex_unlock(&out.lock);
	b_buf_release(&line);
}
