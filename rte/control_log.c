#include "rte/control_log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/banned.h"

#define LOG_LINES 200

struct rte_control_log {
	pthread_mutex_t lock;
	char *line[LOG_LINES]; /* a ring */
	uint64_t n, n_printed;
	bool on;
};

struct rte_control_log *rte_control_log_new(void)
{
	struct rte_control_log *l = b_calloc(1, sizeof *l);

	pthread_mutex_init(&l->lock, NULL);
	return l;
}

void rte_control_log_free(struct rte_control_log *l)
{
	rte_control_log_redirect(l, false);
	for (size_t i = 0; i < LOG_LINES; i++)
		free(l->line[i]);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static void keep(enum b_log_level level, const char *line, void *user)
{
	struct rte_control_log *l = user;
	char **at;

	(void)level;
	pthread_mutex_lock(&l->lock);
	at = &l->line[l->n++ % LOG_LINES];
	free(*at);
	*at = b_strdup(line);
	pthread_mutex_unlock(&l->lock);
}

/* What nobody could read on the terminal while it was taken is printed now. */
static void print(struct rte_control_log *l)
{
	if (l->n > l->n_printed + LOG_LINES)
		l->n_printed = l->n - LOG_LINES;
	for (; l->n_printed < l->n; l->n_printed++) {
		const char *line = l->line[l->n_printed % LOG_LINES];

		(void)!write(STDERR_FILENO, line, strlen(line));
		(void)!write(STDERR_FILENO, "\n", 1);
	}
}

void rte_control_log_redirect(struct rte_control_log *l, bool on)
{
	if (on == l->on)
		return;
	l->on = on;
	b_log_sink_set(on ? keep : NULL, on ? l : NULL);
	if (on)
		return;
	pthread_mutex_lock(&l->lock);
	print(l);
	pthread_mutex_unlock(&l->lock);
}

uint64_t rte_control_log_count(struct rte_control_log *l)
{
	uint64_t n;

	pthread_mutex_lock(&l->lock);
	n = l->n;
	pthread_mutex_unlock(&l->lock);
	return n;
}

json_t *rte_control_log_since(struct rte_control_log *l, uint64_t *seen)
{
	json_t *a = NULL;

	pthread_mutex_lock(&l->lock);
	if (l->n > *seen + LOG_LINES)
		*seen = l->n - LOG_LINES;
	if (*seen < l->n)
		a = json_array();
	while (*seen < l->n)
		json_array_append_new(a, json_string(l->line[(*seen)++ % LOG_LINES]));
	pthread_mutex_unlock(&l->lock);
	return a;
}
