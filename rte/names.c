#include "rte/names.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

#define SLOTS 2048 /* a power of two above RTE_NAMES_MAX */
#define OTHER "(other names)"

struct rte_names {
	pthread_mutex_t lock;
	char *text[RTE_NAMES_MAX];
	size_t n;
};

/* Open addressing; an entry is a number + 1, 0 is empty. */
struct rte_names_cache {
	struct rte_names *names;
	uint16_t slot[SLOTS];
	const char *text[RTE_NAMES_MAX];
};

struct rte_names *rte_names_new(void)
{
	struct rte_names *n = b_calloc(1, sizeof *n);

	pthread_mutex_init(&n->lock, NULL);
	return n;
}

void rte_names_free(struct rte_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->n; i++)
		free(n->text[i]);
	pthread_mutex_destroy(&n->lock);
	free(n);
}

const char *rte_names_text(struct rte_names *n, size_t number)
{
	const char *text;

	pthread_mutex_lock(&n->lock);
	text = n->text[number];
	pthread_mutex_unlock(&n->lock);
	return text;
}

static size_t find_or_add(struct rte_names *n, const char *name, const char **text)
{
	size_t i;

	pthread_mutex_lock(&n->lock);
	for (i = 0; i < n->n && strcmp(n->text[i], name); i++)
		;
	if (i == RTE_NAMES_MAX)
		i--;
	else if (i == n->n)
		n->text[n->n++] = b_strdup(i == RTE_NAMES_MAX - 1 ? OTHER : name);
	*text = n->text[i];
	pthread_mutex_unlock(&n->lock);
	return i;
}

struct rte_names_cache *rte_names_cache_new(struct rte_names *n)
{
	struct rte_names_cache *c = b_calloc(1, sizeof *c);

	c->names = n;
	return c;
}

void rte_names_cache_free(struct rte_names_cache *c)
{
	free(c);
}

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (unsigned char)*s++) * 16777619u;
	return h;
}

size_t rte_names_number(struct rte_names_cache *c, const char *name, const char **text)
{
	uint32_t at = hash(name) & (SLOTS - 1);
	size_t number;

	for (; c->slot[at]; at = (at + 1) & (SLOTS - 1)) {
		number = c->slot[at] - 1u;
		if (!strcmp(c->text[number], name)) {
			*text = c->text[number];
			return number;
		}
	}
	number = find_or_add(c->names, name, text);
	/* The collective name is not put under each name that falls to it. */
	if (!strcmp(*text, name)) {
		c->text[number] = *text;
		c->slot[at] = (uint16_t)(number + 1);
	}
	return number;
}
