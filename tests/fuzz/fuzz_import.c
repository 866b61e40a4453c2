/*
 * Any bytes as a recording of another tool; in front, up to a NUL, the timing file of script(1)
 * when there is one.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "capture/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try(const struct cap_import_options *opt, const char *text, size_t len)
{
	struct cap_import_result r;
	int64_t last_ns = 0;

	if (cap_import_text(&r, opt, text, len, NULL))
		return;
	B_BUG_ON(r.trace->rows < 1 || r.trace->cols < 1);
	for (size_t i = 0; i < r.trace->n_events; i++) {
		const struct cap_event *e = &r.trace->events[i];
		int rows, cols;

		B_BUG_ON(e->at_ns < last_ns);
		B_BUG_ON(e->code == 'r' && cap_event_size(e, &rows, &cols));
		last_ns = e->at_ns;
	}
	cap_trace_free(r.trace);
	b_buf_release(&r.notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *nul = size ? memchr(text, '\0', size) : NULL;
	char path[] = "/tmp/rte-fuzz-XXXXXX";
	int fd;

	try(&(struct cap_import_options){ .path = "fuzz" }, text, size);
	if (!nul || (fd = mkstemp(path)) < 0)
		return 0;
	if (write(fd, text, (size_t)(nul - text)) == nul - text)
		try(&(struct cap_import_options){ .path = "fuzz", .timing_path = path }, nul + 1,
			size - (size_t)(nul + 1 - text));
	close(fd);
	unlink(path);
	return 0;
}
