/*
 * base/buf.h - a growable byte buffer.
 *
 * Holds any bytes, NUL included; a NUL that is not counted always stands behind the last one,
 * so that b_buf_cstr is free. Start with B_BUF_INIT, end with b_buf_release. Growth aborts
 * when memory is out (base/mem.h).
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

#include "base/error.h"

struct b_buf {
	char *data; /* NULL while empty and never grown */
	size_t len;
	size_t cap;
};

#define B_BUF_INIT         \
	{                  \
		NULL, 0, 0 \
	}

void b_buf_release(struct b_buf *b);               /* frees; usable again after */
void b_buf_clear(struct b_buf *b);                 /* empties, keeps the storage */
void b_buf_reserve(struct b_buf *b, size_t extra); /* room for extra more bytes */
void b_buf_add(struct b_buf *b, const void *data, size_t len);
void b_buf_addc(struct b_buf *b, char c);
void b_buf_adds(struct b_buf *b, const char *s); /* up to its NUL */
void b_buf_printf(struct b_buf *b, const char *fmt, ...) B_PRINTF(2, 3);
void b_buf_vprintf(struct b_buf *b, const char *fmt, va_list ap);
/* Removes the first len bytes (len <= b->len). */
void b_buf_consume(struct b_buf *b, size_t len);
/* Cuts to len bytes (len <= b->len). */
void b_buf_truncate(struct b_buf *b, size_t len);
/* The bytes with a NUL behind; never NULL; valid until the next call on b. */
const char *b_buf_cstr(struct b_buf *b);
/* The storage, owned by the caller (free(3)); b is empty after. Never NULL. */
char *b_buf_take(struct b_buf *b, size_t *len);

#endif
