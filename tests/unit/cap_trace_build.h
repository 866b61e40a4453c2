/*
 * tests/unit/cap_trace_build.h - traces made by a test, event by event, and their scripts.
 */
#ifndef TESTS_UNIT_CAP_TRACE_BUILD_H
#define TESTS_UNIT_CAP_TRACE_BUILD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "capture/generate.h"
#include "capture/trace.h"

struct build {
	struct cap_trace t;
	int64_t now_ms;
};

static inline struct build *build_new(const char *term, int rows, int cols)
{
	struct build *b = b_calloc(1, sizeof *b);

	b->t.version = 2;
	b->t.rows = rows;
	b->t.cols = cols;
	b->t.term = b_strdup(term);
	b->t.command = b_strdup("prog --option");
	return b;
}

/* One event, after_ms after the last. */
static inline void add(struct build *b, int after_ms, char code, const char *data)
{
	struct cap_event *e;

	b->now_ms += after_ms;
	b->t.events = b_reallocarray(b->t.events, b->t.n_events + 1, sizeof *b->t.events);
	e = &b->t.events[b->t.n_events++];
	e->at_ns = b->now_ms * 1000000;
	e->code = code;
	e->data = b_strdup(data);
	e->len = strlen(data);
}

static inline void out(struct build *b, int after_ms, const char *data)
{
	add(b, after_ms, 'o', data);
}

static inline void in(struct build *b, int after_ms, const char *data)
{
	add(b, after_ms, 'i', data);
}

/* Characters typed one by one, each echoed as it is (echo 0) or as that character. */
static inline void typed(struct build *b, const char *text, char echo)
{
	for (; *text; text++) {
		in(b, 100, (char[]){ *text, 0 });
		out(b, 1, (char[]){ echo ? echo : *text, 0 });
	}
}

static inline void build_free(struct build *b)
{
	for (size_t i = 0; i < b->t.n_events; i++)
		free((char *)b->t.events[i].data);
	free(b->t.events);
	free(b->t.term);
	free(b->t.command);
	free(b->t.title);
	free(b->t.target);
	free(b);
}

struct made {
	char *script, *csv, *warnings;
};

/* The script of n traces, which are freed. */
static inline struct made make_with(struct build **b, size_t n, struct cap_generate_options opt)
{
	const struct cap_trace *t[8];
	struct b_buf script = B_BUF_INIT, csv = B_BUF_INIT, warnings = B_BUF_INIT;
	struct b_error err = { 0 };
	struct made m;

	for (size_t i = 0; i < n; i++)
		t[i] = &b[i]->t;
	opt.warnings = &warnings;
	if (cap_generate(t, n, &opt, &script, &csv, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++)
		build_free(b[i]);
	m.script = b_buf_take(&script, NULL);
	m.csv = b_buf_take(&csv, NULL);
	m.warnings = b_buf_take(&warnings, NULL);
	return m;
}

static inline struct made make(struct build *b)
{
	return make_with(&b, 1, (struct cap_generate_options){ 0 });
}

static inline void made_free(struct made *m)
{
	free(m->script);
	free(m->csv);
	free(m->warnings);
}

static inline void has(const struct made *m, const char *text)
{
	if (!strstr(m->script, text)) {
		fprintf(stderr, "%s\n", m->script);
		fail_msg("no %s", text);
	}
}

static inline void has_not(const struct made *m, const char *text)
{
	if (strstr(m->script, text)) {
		fprintf(stderr, "%s\n", m->script);
		fail_msg("there is %s", text);
	}
}

#endif
