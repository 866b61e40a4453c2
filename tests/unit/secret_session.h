/*
 * tests/unit/secret_session.h - what is typed and shown in turn, for the tests of capture/secret.h.
 */
#ifndef TESTS_UNIT_SECRET_SESSION_H
#define TESTS_UNIT_SECRET_SESSION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "capture/label.h"
#include "capture/secret.h"
#include "vscreen/screen.h"

/* A session: what is typed and shown in turn, and what comes out for the trace. */
struct session {
	struct vs_screen *screen;
	struct cap_secret *secret;
	struct b_buf out; /* "i:bytes " or "m:label " */
	int64_t now_ns, last_out_ns;
	bool hidden;
};

static inline void emit(void *user, int64_t at_ns, char code, const char *data, size_t len)
{
	struct session *s = user;

	assert_true(at_ns >= s->last_out_ns);
	s->last_out_ns = at_ns;
	b_buf_printf(&s->out, "%c:", code);
	b_escape_text(&s->out, data, len);
	b_buf_addc(&s->out, ' ');
}

static inline struct session *begin_with(const char *shown, const char *pattern)
{
	struct session *s = b_calloc(1, sizeof *s);
	struct b_error err = { 0 };

	assert_int_equal(
		vs_screen_new(&s->screen, &(struct vs_options){ .rows = 10, .cols = 60 }), 0);
	if (cap_secret_new(&s->secret,
		    &(struct cap_secret_options){ .screen = s->screen,
			    .label_pattern = pattern,
			    .emit = emit,
			    .user = s },
		    &err))
		fail_msg("%s", err.text);
	vs_screen_feed(s->screen, shown, strlen(shown));
	return s;
}

static inline struct session *begin(const char *shown)
{
	return begin_with(shown, NULL);
}

static inline void type(struct session *s, const char *bytes)
{
	s->now_ns += 100 * B_NS_PER_MS;
	cap_secret_typed(s->secret, s->now_ns, bytes, strlen(bytes), s->hidden);
}

static inline void show(struct session *s, const char *bytes)
{
	s->now_ns += B_NS_PER_MS;
	vs_screen_feed(s->screen, bytes, strlen(bytes));
	cap_secret_shown(s->secret, s->now_ns, s->hidden);
}

static inline void wait_ms(struct session *s, int64_t ms)
{
	s->now_ns += ms * B_NS_PER_MS;
	cap_secret_shown(s->secret, s->now_ns, s->hidden);
}

static inline void free_session(struct session *s)
{
	cap_secret_free(s->secret);
	vs_screen_free(s->screen);
	b_buf_release(&s->out);
	free(s);
}

static inline void end(struct session *s, const char *want)
{
	cap_secret_finish(s->secret, s->now_ns);
	assert_false(cap_secret_holds(s->secret));
	assert_int_equal(cap_secret_due_ns(s->secret), -1);
	assert_string_equal(b_buf_cstr(&s->out), want);
	free_session(s);
}

static inline void so_far(struct session *s, const char *want)
{
	assert_string_equal(b_buf_cstr(&s->out), want);
}

/* Each character by itself, each answered by what it paints. */
static inline void type_each(struct session *s, const char *text, const char *painted)
{
	for (; *text; text++) {
		type(s, (const char[]){ *text, '\0' });
		if (painted)
			show(s, painted);
	}
}

#endif
