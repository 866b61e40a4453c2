/*
 * vscreen/keyquery.h - which queries went to the person's terminal and are not answered yet.
 *
 * Only those are counted whose answer looks like typing. For the files behind keys.h alone.
 */
#ifndef VSCREEN_KEYQUERY_H
#define VSCREEN_KEYQUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VS_ANSWER_WAIT_NS 5000000000LL /* a terminal that has not answered by then never will */

struct vs_queries {
	int state;       /* of the scan of the output */
	char params[16]; /* of the sequence at hand, what fits */
	unsigned n_params;
	int positions; /* CPR: answered as F3 with modifiers */
	int strings;   /* answered by a control string */
	int64_t last_ns;
};

/* All zero is a fresh one. Takes what the application wrote, cut anywhere. */
void vs_queries_output(struct vs_queries *q, const char *bytes, size_t len, int64_t at_ns);

bool vs_queries_position(const struct vs_queries *q, int64_t now_ns);
bool vs_queries_string(const struct vs_queries *q, int64_t now_ns);

/* An answer has come. */
void vs_queries_answered(struct vs_queries *q, bool string);

#endif
