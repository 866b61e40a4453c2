/*
 * base/mem.h - memory that is there or the program ends, and bug checks that stay on.
 *
 * Out of memory aborts in one place (b_alloc_failed in mem.c), so callers never test for
 * NULL. Bad input is never an assertion: B_BUG_ON is for invariants of our own code.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Storage from malloc(3), to be given back with free(3). Never NULL; size 0 is taken as 1. */
void *b_malloc(size_t size) __attribute__((malloc, returns_nonnull));
void *b_calloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *b_realloc(void *p, size_t size) __attribute__((returns_nonnull));
/* n x size with overflow checked. */
void *b_reallocarray(void *p, size_t n, size_t size) __attribute__((returns_nonnull));
char *b_strdup(const char *s) __attribute__((malloc, returns_nonnull));
/* len bytes of s and a NUL behind them. */
char *b_strndup(const char *s, size_t len) __attribute__((malloc, returns_nonnull));

/* Says where and what on standard error and aborts. */
_Noreturn void b_bug(const char *file, int line, const char *what);

#define B_BUG_ON(cond) ((cond) ? b_bug(__FILE__, __LINE__, #cond) : (void)0)
#define B_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
