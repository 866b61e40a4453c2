#include "rte/figures.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/banned.h"

static void figure_init(struct rte_figure *g)
{
	g->all = b_hist_new();
	g->recent = b_hist_new();
}

static void figure_release(struct rte_figure *g)
{
	b_hist_free(g->all);
	b_hist_free(g->recent);
}

void rte_figures_init(struct rte_figures *f, int64_t now)
{
	*f = (struct rte_figures){ .late = b_hist_new(), .span_from_ns = now };
	pthread_mutex_init(&f->lock, NULL);
	figure_init(&f->total);
}

void rte_figures_release(struct rte_figures *f)
{
	for (size_t i = 0; i < f->n_tx; i++) {
		figure_release(f->tx[i]);
		free(f->tx[i]);
	}
	free(f->tx);
	figure_release(&f->total);
	b_hist_free(f->late);
	pthread_mutex_destroy(&f->lock);
}

static struct rte_figure *figure_of(struct rte_figures *f, size_t tx)
{
	if (tx >= f->n_tx) {
		f->tx = b_reallocarray(f->tx, tx + 1, sizeof(struct rte_figure *));
		for (; f->n_tx <= tx; f->n_tx++) {
			f->tx[f->n_tx] = b_calloc(1, sizeof(struct rte_figure));
			figure_init(f->tx[f->n_tx]);
		}
	}
	return f->tx[tx];
}

/* What a worker has handed over. It only tries the lock, so it does not wait for us. */
static void take(struct rte_figures *f, struct rte_share *s, uint64_t *ok, uint64_t *failed)
{
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->n_tx; i++) {
		struct rte_tx_figures *from = &s->tx[i];
		struct rte_figure *g = figure_of(f, i);

		ok[i] += from->ok;
		failed[i] += from->failed;
		if (!b_hist_count(from->recent))
			continue;
		b_hist_merge(g->recent, from->recent);
		b_hist_merge(g->all, from->recent);
		b_hist_clear(from->recent);
	}
	pthread_mutex_unlock(&s->lock);
}

static void count(struct rte_figure *g, uint64_t ok, uint64_t failed)
{
	g->span_ok += ok - g->ok;
	g->span_failed += failed - g->failed;
	g->ok = ok;
	g->failed = failed;
}

static float seconds(const struct b_hist *h, double q)
{
	return b_hist_count(h) ? (float)((double)b_hist_quantile(h, q) / 1e9) : -1.0F;
}

static void span_end(struct rte_figures *f, struct rte_figure *g, double span_s)
{
	g->span[f->n_spans % RTE_SPANS] = (struct rte_span){
		.ok = g->span_ok,
		.failed = g->span_failed,
		.rate = (float)((double)g->span_ok / span_s),
		.p50_s = seconds(g->recent, 0.5),
		.p90_s = seconds(g->recent, 0.9),
		.max_s = seconds(g->recent, 1),
	};
	g->span_ok = g->span_failed = 0;
	b_hist_clear(g->recent);
}

static void spans_end(struct rte_figures *f, int64_t now)
{
	/* Seconds end a little late; a span is so many of them. */
	if (now - f->span_from_ns < RTE_SPAN_S * B_NS_PER_S - B_NS_PER_S / 2)
		return;
	span_end(f, &f->total, (double)(now - f->span_from_ns) / 1e9);
	for (size_t i = 0; i < f->n_tx; i++)
		span_end(f, f->tx[i], (double)(now - f->span_from_ns) / 1e9);
	f->n_spans++;
	f->span_from_ns = now;
}

void rte_figures_collect(struct rte_figures *f, struct rte_timeline *t)
{
	const struct rte_second *s = &t->moment.second;
	uint64_t ok[RTE_NAMES_MAX] = { 0 }, failed[RTE_NAMES_MAX] = { 0 };
	uint64_t all_ok = 0, all_failed = 0;

	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < t->n_workers; i++)
		take(f, &t->workers[i]->share, ok, failed);
	for (size_t i = 0; i < f->n_tx; i++) {
		count(f->tx[i], ok[i], failed[i]);
		all_ok += ok[i];
		all_failed += failed[i];
	}
	count(&f->total, all_ok, all_failed);
	b_hist_merge(f->total.recent, s->response);
	b_hist_merge(f->total.all, s->response);
	b_hist_merge(f->late, s->late);
	spans_end(f, t->moment.at_ns);
	pthread_mutex_unlock(&f->lock);
}

const struct rte_span *rte_figure_span(
	const struct rte_figures *f, const struct rte_figure *g, uint64_t back)
{
	if (back >= f->n_spans || back >= RTE_SPANS)
		return NULL;
	return &g->span[(f->n_spans - 1 - back) % RTE_SPANS];
}
