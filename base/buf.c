#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

void b_buf_release(struct b_buf *b)
{
	free(b->data);
	*b = (struct b_buf)B_BUF_INIT;
}

void b_buf_clear(struct b_buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = 0;
}

void b_buf_reserve(struct b_buf *b, size_t extra)
{
	size_t need = b->len + extra + 1;

	B_BUG_ON(need < b->len);
	if (need <= b->cap)
		return;
	if (b->cap < 64)
		b->cap = 64;
	while (b->cap < need)
		b->cap += b->cap / 2;
	b->data = b_realloc(b->data, b->cap);
}

void b_buf_add(struct b_buf *b, const void *data, size_t len)
{
	b_buf_reserve(b, len);
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = 0;
}

void b_buf_addc(struct b_buf *b, char c)
{
	b_buf_add(b, &c, 1);
}

void b_buf_adds(struct b_buf *b, const char *s)
{
	b_buf_add(b, s, strlen(s));
}

void b_buf_vprintf(struct b_buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	B_BUG_ON(n < 0);
	b_buf_reserve(b, (size_t)n);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
	va_end(again);
	b->len += (size_t)n;
}

void b_buf_printf(struct b_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	b_buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void b_buf_consume(struct b_buf *b, size_t len)
{
	B_BUG_ON(len > b->len);
	if (!len)
		return;
	b->len -= len;
	memmove(b->data, b->data + len, b->len);
	b->data[b->len] = 0;
}

void b_buf_truncate(struct b_buf *b, size_t len)
{
	B_BUG_ON(len > b->len);
	b->len = len;
	if (b->data)
		b->data[len] = 0;
}

const char *b_buf_cstr(struct b_buf *b)
{
	b_buf_reserve(b, 0);
	b->data[b->len] = 0;
	return b->data;
}

char *b_buf_take(struct b_buf *b, size_t *len)
{
	char *data;

	b_buf_cstr(b);
	data = b->data;
	if (len)
		*len = b->len;
	*b = (struct b_buf)B_BUF_INIT;
	return data;
}
