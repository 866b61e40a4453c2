#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static _Noreturn void alloc_failed(size_t size)
{
	fprintf(stderr,
		"rte: out of memory: %zu bytes refused; use fewer users or raise the limit\n",
		size);
	abort();
}

void *b_malloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		alloc_failed(size);
	return p;
}

void *b_calloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		alloc_failed(size);
	return p;
}

void *b_realloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		alloc_failed(size);
	return p;
}

void *b_reallocarray(void *p, size_t n, size_t size)
{
	if (size && n > SIZE_MAX / size)
		alloc_failed(SIZE_MAX);
	return b_realloc(p, n * size);
}

char *b_strndup(const char *s, size_t len)
{
	char *p = b_malloc(len + 1);

	memcpy(p, s, len);
	p[len] = 0;
	return p;
}

char *b_strdup(const char *s)
{
	return b_strndup(s, strlen(s));
}

void b_bug(const char *file, int line, const char *what)
{
	fprintf(stderr, "rte: bug at %s:%d: %s; please report it\n", file, line, what);
	abort();
}
