/* Any bytes as a trace: it is refused, or its events can be written and read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cap_trace *t;
	int64_t last_ns = 0;
	int rows, cols;

	if (cap_trace_parse(&t, (const char *)data, size, "fuzz", NULL))
		return 0;
	B_BUG_ON(t->version < 1 || t->version > 3 || !t->term);
	B_BUG_ON(t->rows < 1 || t->cols < 1 || t->rows > 1000 || t->cols > 1000);
	for (size_t i = 0; i < t->n_events; i++) {
		const struct cap_event *e = &t->events[i];

		B_BUG_ON(e->at_ns < last_ns || !e->code || e->data[e->len]);
		B_BUG_ON(e->code == 'r' && cap_event_size(e, &rows, &cols));
		last_ns = e->at_ns;
	}
	cap_trace_free(t);
	return 0;
}
