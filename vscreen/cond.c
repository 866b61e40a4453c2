#include "vscreen/cond.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "vscreen/cond_memo.h"
#include "base/banned.h"

struct vs_cond *vs_cond_new(enum vs_cond_kind kind)
{
	struct vs_cond *c = b_calloc(1, sizeof(*c));

	c->kind = kind;
	c->row = c->col = c->rows = c->cols = -1;
	c->memo = vs_cond_memo_new();
	return c;
}

void vs_cond_free(struct vs_cond *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n_parts; i++)
		vs_cond_free(c->parts[i]);
	free(c->parts);
	free(c->text);
	vs_cond_memo_free(c->memo);
	free(c);
}

void vs_cond_text_set(struct vs_cond *c, const char *text, size_t len)
{
	free(c->text);
	c->text = b_strndup(text, len);
	c->text_len = len;
}

void vs_cond_part_add(struct vs_cond *c, struct vs_cond *part)
{
	c->parts = b_reallocarray(c->parts, c->n_parts + 1, sizeof(struct vs_cond *));
	c->parts[c->n_parts++] = part;
}

struct vs_cond *vs_cond_copy(const struct vs_cond *c)
{
	struct vs_cond *copy = b_malloc(sizeof(*copy));

	*copy = *c;
	copy->memo = vs_cond_memo_new();
	copy->text = NULL;
	copy->parts = NULL;
	copy->n_parts = 0;
	if (c->text)
		vs_cond_text_set(copy, c->text, c->text_len);
	for (size_t i = 0; i < c->n_parts; i++)
		vs_cond_part_add(copy, vs_cond_copy(c->parts[i]));
	return copy;
}

int64_t vs_cond_quiet_ns(const struct vs_cond *c)
{
	int64_t ns = -1;

	if (c->kind == VS_COND_QUIET)
		return c->quiet_ns;
	for (size_t i = 0; i < c->n_parts; i++) {
		int64_t part = vs_cond_quiet_ns(c->parts[i]);

		/* The first of any, the last of all. */
		if (part >= 0 && (ns < 0 || (c->kind == VS_COND_ALL ? part > ns : part < ns)))
			ns = part;
	}
	return ns;
}
