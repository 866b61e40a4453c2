/*
 * castdump CODE FILE - the data of a trace's events of one code, for the tests.
 *
 * i and o: the bytes as they are, one after the other. m, r and x: a line each.
 * castdump events FILE: a line an event, "SECONDS CODE DATA", escaped.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "capture/trace.h"

int main(int argc, char **argv)
{
	struct b_error err = { 0 };
	struct cap_trace *t;

	if (argc != 3) {
		fputs("usage: castdump CODE|events FILE\n", stderr);
		return 2;
	}
	if (cap_trace_load(&t, argv[2], &err)) {
		fprintf(stderr, "castdump: %s\n", err.text);
		return 1;
	}
	for (size_t i = 0; i < t->n_events; i++) {
		const struct cap_event *e = &t->events[i];

		if (!strcmp(argv[1], "events")) {
			struct b_buf text = B_BUF_INIT;

			b_escape_text(&text, e->data, e->len);
			printf("%.6f %c %s\n", (double)e->at_ns / 1e9, e->code, b_buf_cstr(&text));
			b_buf_release(&text);
		} else if (e->code == argv[1][0]) {
			fwrite(e->data, 1, e->len, stdout);
			if (e->code != 'i' && e->code != 'o')
				putchar('\n');
		}
	}
	cap_trace_free(t);
	return fflush(stdout) ? 1 : 0;
}
