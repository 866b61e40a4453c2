/* Traces in memory. */
#include "capture/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

struct cap_trace *cap_trace_new(int rows, int cols, const char *term)
{
	struct cap_trace *t = b_calloc(1, sizeof *t);

	t->version = 2;
	t->rows = rows;
	t->cols = cols;
	t->term = b_strdup(term);
	return t;
}

void cap_trace_add(struct cap_trace *t, int64_t at_ns, char code, const char *data, size_t len)
{
	int64_t last_ns = t->n_events ? t->events[t->n_events - 1].at_ns : 0;

	/* Doubles at each power of two. */
	if (!(t->n_events & (t->n_events - 1)))
		t->events = b_reallocarray(
			t->events, t->n_events ? 2 * t->n_events : 1, sizeof *t->events);
	t->events[t->n_events++] = (struct cap_event){
		.at_ns = at_ns > last_ns ? at_ns : last_ns,
		.code = code,
		.data = b_strndup(data, len),
		.len = len,
	};
}

int cap_trace_save(const struct cap_trace *t, const char *path, struct b_error *err)
{
	const struct cap_header h = {
		.rows = t->rows,
		.cols = t->cols,
		.term = t->term,
		.command = t->command,
		.target = t->target,
		.timestamp_s = t->timestamp_s,
	};
	struct cap_writer *w;
	int rc = cap_writer_new(&w, path, &h, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < t->n_events && !rc; i++)
		rc = cap_writer_event(w, t->events[i].at_ns, t->events[i].code, t->events[i].data,
			t->events[i].len);
	if (cap_writer_free(w))
		rc = B_ESYS;
	if (rc) {
		b_error_set(err, B_ESYS, "cannot write %s: %s", path, strerror(errno));
		cap_trace_drop(path);
	}
	return rc;
}

void cap_trace_free(struct cap_trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_events; i++)
		free((char *)(uintptr_t)t->events[i].data);
	free(t->events);
	free(t->term);
	free(t->command);
	free(t->title);
	free(t->target);
	free(t);
}

int cap_event_size(const struct cap_event *e, int *rows, int *cols)
{
	int r, c;

	/* A NUL inside would end the text early. */
	if (strlen(e->data) != e->len || b_parse_size(e->data, &c, &r))
		return B_EINPUT;
	*rows = r;
	*cols = c;
	return B_OK;
}
