/*
 * Any condition on any screen: it is judged the same with and without what is remembered
 * between judgements, what is found is on the screen, and its description is plain text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/cond.h"
#include "vscreen/screen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at;
	size_t left;
};

static uint8_t byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

/* A matcher as bad as they come: finds the pattern's bytes, or nothing anywhere, or fails. */
static int match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end)
{
	(void)user;
	B_BUG_ON(from > len);
	if (pattern_len && *pattern == '%')
		return B_EINPUT;
	if (!pattern_len || *pattern == '*') {
		*start = *end = from;
		return 1;
	}
	for (; from + pattern_len <= len; from++) {
		if (memcmp(subject + from, pattern, pattern_len))
			continue;
		*start = from;
		*end = from + pattern_len;
		return 1;
	}
	return 0;
}

static int place(struct input *in)
{
	uint8_t b = byte(in);

	return b == 255 ? INT32_MAX : b == 254 ? 1000 : (int)b % 32 - 1;
}

static struct vs_cond *condition(struct input *in, int depth)
{
	uint8_t b = byte(in);
	struct vs_cond *c = vs_cond_new((enum vs_cond_kind)(b % (VS_COND_ALL + 1)));
	size_t n;

	c->gone = b & 64;
	c->already = b & 128;
	if (c->kind == VS_COND_ANY || c->kind == VS_COND_ALL) {
		for (int parts = byte(in) % 4; parts && depth < 5; parts--)
			vs_cond_part_add(c, condition(in, depth + 1));
		return c;
	}
	c->row = place(in);
	c->col = place(in);
	c->rows = place(in);
	c->cols = place(in);
	c->attrs = byte(in) & 3 ? 0 : byte(in);
	c->quiet_ns = byte(in);
	n = byte(in) % 8;
	n = n < in->left ? n : in->left;
	if (c->kind != VS_COND_ATTR || n) {
		vs_cond_text_set(c, (const char *)in->at, n);
		in->at += n;
		in->left -= n;
	}
	return c;
}

static void judge(const struct vs_cond *c, const struct vs_screen *s, uint64_t wait)
{
	struct vs_cond_input in = { .screen = s,
		.match = match,
		.unchanged_ns = 100,
		.stream = "some output",
		.stream_len = 11 };
	struct vs_cond_result plain, quick;
	int rc = vs_cond_judge(c, &in, &plain);

	in.wait = wait;
	B_BUG_ON(vs_cond_judge(c, &in, &quick) != rc);
	if (rc)
		return;
	B_BUG_ON(plain.state != quick.state || plain.row != quick.row || plain.col != quick.col);
	if (quick.row < 0)
		return;
	B_BUG_ON(quick.row >= vs_screen_rows(s) || quick.col < 0 || quick.cols < 0);
	B_BUG_ON(quick.col + quick.cols > vs_screen_cols(s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct vs_options opt = { .rows = 1 + byte(&in) % 8, .cols = 1 + byte(&in) % 30 };
	struct b_buf text = B_BUF_INIT;
	struct vs_screen *s;
	struct vs_cond *c, *copy;
	uint64_t wait = 1;

	if (vs_screen_new(&s, &opt))
		abort();
	c = condition(&in, 0);
	copy = vs_cond_copy(c);
	(void)vs_cond_quiet_ns(c);
	vs_cond_describe(c, &text);
	B_BUG_ON(!b_utf8_valid(text.data, text.len));
	while (in.left) {
		size_t n = 1 + byte(&in) % 16;

		n = n < in.left ? n : in.left;
		vs_screen_feed(s, (const char *)in.at, n);
		in.at += n;
		in.left -= n;
		judge(c, s, wait);
		if (n == 16) {
			vs_screen_input_mark(s);
			wait++;
		}
	}
	judge(copy, s, wait);
	b_buf_release(&text);
	vs_cond_free(c);
	vs_cond_free(copy);
	vs_screen_free(s);
	return 0;
}
