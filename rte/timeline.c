#include "rte/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/arrivals.h"
#include "base/banned.h"

int64_t rte_driver_cpu_ns(void)
{
	struct rusage ru;

	if (getrusage(RUSAGE_SELF, &ru))
		return 0;
	return (ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * B_NS_PER_S +
		(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * B_NS_PER_US;
}

int64_t rte_driver_rss_kib(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	long size, resident = 0;

	if (f) {
		if (fscanf(f, "%ld %ld", &size, &resident) != 2)
			resident = 0;
		fclose(f);
	}
	return (int64_t)resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void rte_timeline_init(struct rte_timeline *t, struct rte_shared *s, struct rte_worker **workers,
	size_t n, struct rte_outbox *out, int64_t now)
{
	*t = (struct rte_timeline){
		.workers = workers,
		.n_workers = n,
		.shared = s,
		.out = out,
		.last_ns = now,
		.last_cpu_ns = rte_driver_cpu_ns(),
		.last_worker_cpu_ns = b_calloc(n + 1, sizeof(int64_t)),
	};
	rte_second_init(&t->moment.second);
}

void rte_timeline_release(struct rte_timeline *t)
{
	rte_second_release(&t->moment.second);
	free(t->last_worker_cpu_ns);
}

static void gather(struct rte_timeline *t)
{
	struct rte_moment *m = &t->moment;
	int64_t in = 0, out = 0;

	for (int k = 0; k < RTE_N_SHOWN; k++)
		m->users[k] = 0;
	m->transactions = m->failures = m->iterations = m->sessions = m->all_keys = 0;
	rte_second_clear(&m->second);
	for (size_t i = 0; i < t->n_workers; i++) {
		struct rte_worker *w = t->workers[i];

		for (int k = 0; k < RTE_N_SHOWN; k++)
			m->users[k] += rte_stat_get(&w->stats.users[k]);
		m->transactions += rte_stat_get(&w->stats.transactions);
		m->failures += rte_stat_get(&w->stats.failures);
		m->iterations += rte_stat_get(&w->stats.iterations);
		m->sessions += rte_stat_get(&w->stats.sessions);
		m->all_keys += rte_stat_get(&w->stats.keys);
		in += rte_stat_get(&w->stats.bytes_in);
		out += rte_stat_get(&w->stats.bytes_out);
		pthread_mutex_lock(&w->share.lock);
		rte_second_merge(&m->second, &w->share.second);
		rte_second_clear(&w->share.second);
		pthread_mutex_unlock(&w->share.lock);
	}
	t->last_arrivals = m->arrivals;
	t->last_turned_away = m->turned_away;
	if (t->shared->arrivals) {
		struct rte_arrival_counts c = rte_arrivals_counts(t->shared->arrivals);

		m->arrivals = c.all;
		m->turned_away = c.turned_away;
	}
	m->keys = m->all_keys - t->last_keys;
	m->bytes_in = in - t->last_in;
	m->bytes_out = out - t->last_out;
	t->last_keys = m->all_keys;
	t->last_in = in;
	t->last_out = out;
}

static void quantile(struct b_buf *b, const struct b_hist *h, double q)
{
	b_buf_addc(b, ',');
	if (b_hist_count(h))
		rte_seconds_write(b, b_hist_quantile(h, q));
}

/* CPUs in use by each worker, as far as it has told. */
static void workers_write(struct rte_timeline *t, struct b_buf *b)
{
	for (size_t i = 0; i < t->n_workers; i++) {
		int64_t cpu = rte_stat_get(&t->workers[i]->stats.cpu_ns);

		b_buf_printf(b, "%s%.3f", i ? " " : "",
			(double)(cpu - t->last_worker_cpu_ns[i]) / (double)t->moment.span_ns);
		t->last_worker_cpu_ns[i] = cpu;
	}
}

static void row_write(struct rte_timeline *t)
{
	const struct rte_moment *m = &t->moment;
	struct b_buf *b = rte_outbox_buf(t->out);

	rte_instant_write(b, m->at_ns, t->shared->wall_offset_ns);
	/* The second's phase is that in which it lay, not the one that begins with its end. */
	b_buf_printf(b, ",%s", rte_phase_name(rte_phases_at(&t->shared->phases, m->at_ns - 1)));
	for (int k = 0; k < RTE_N_SHOWN; k++)
		b_buf_printf(b, ",%lld", (long long)m->users[k]);
	b_buf_printf(b, ",%llu,%llu", (unsigned long long)m->second.transactions,
		(unsigned long long)m->second.failures);
	quantile(b, m->second.response, 0.5);
	quantile(b, m->second.response, 0.9);
	quantile(b, m->second.response, 0.99);
	quantile(b, m->second.response, 1);
	b_buf_printf(b, ",%lld,%lld,%lld", (long long)m->keys, (long long)m->bytes_in,
		(long long)m->bytes_out);
	quantile(b, m->second.late, 0.5);
	quantile(b, m->second.late, 0.99);
	quantile(b, m->second.late, 1);
	b_buf_printf(b, ",%.3f,%lld,", m->cpu, (long long)m->rss_kib);
	if (t->shared->arrivals)
		b_buf_printf(b, "%lld,%lld,", (long long)(m->arrivals - t->last_arrivals),
			(long long)(m->turned_away - t->last_turned_away));
	else
		b_buf_adds(b, ",,");
	rte_seconds_write(b, m->second.wake_late_ns);
	b_buf_addc(b, ',');
	workers_write(t, b);
	b_buf_printf(b, ",%zu\n", t->log_queue_bytes);
	t->log_queue_bytes = 0;
}

void rte_timeline_collect(struct rte_timeline *t, int64_t now)
{
	struct rte_moment *m = &t->moment;
	int64_t cpu = rte_driver_cpu_ns();

	m->at_ns = now;
	m->span_ns = now > t->last_ns ? now - t->last_ns : 1;
	gather(t);
	m->cpu = (double)(cpu - t->last_cpu_ns) / (double)m->span_ns;
	m->rss_kib = rte_driver_rss_kib();
	if (m->rss_kib > t->max_rss_kib)
		t->max_rss_kib = m->rss_kib;
	t->last_cpu_ns = cpu;
	t->last_ns = now;
	if (t->out)
		row_write(t);
}
