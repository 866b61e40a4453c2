#include "rte/phases.h"

#include "base/clock.h"
#include "base/banned.h"

#define LOGOUT_MAX_NS (30 * B_NS_PER_S)

/* How long after the last user was told to go a run waits for logouts. */
static int64_t patience(const struct rte_workload *w)
{
	int64_t timeout = w->timeout_ns == RTE_UNSET ? RTE_TIMEOUT_DEFAULT_NS : w->timeout_ns;

	if (w->patient)
		return RTE_UNKNOWN / 4;
	return timeout < LOGOUT_MAX_NS ? timeout : LOGOUT_MAX_NS;
}

static int64_t load(const _Atomic int64_t *at)
{
	return atomic_load_explicit(at, memory_order_acquire);
}

static void store(_Atomic int64_t *at, int64_t v)
{
	atomic_store_explicit(at, v, memory_order_release);
}

/* Saturating: RTE_UNKNOWN stays unknown. */
static int64_t plus(int64_t at, int64_t ns)
{
	return at == RTE_UNKNOWN || ns >= RTE_UNKNOWN - at ? RTE_UNKNOWN : at + ns;
}

static int64_t stages_ns(const struct rte_workload *w)
{
	int64_t sum = 0;

	for (size_t i = 0; i < w->n_stages; i++)
		sum += w->stages[i].duration_ns;
	return sum;
}

void rte_phases_plan(struct rte_phases *p, const struct rte_workload *w, int64_t start_ns)
{
	int64_t warmup, measure, end = RTE_UNKNOWN, rampdown;

	p->start_ns = start_ns;
	p->by_iterations = w->measure_ns == RTE_UNSET && !w->n_stages;
	if (p->by_iterations) {
		store(&p->warmup_ns, RTE_UNKNOWN);
		store(&p->measure_ns, RTE_UNKNOWN);
		store(&p->continue_ns, RTE_UNKNOWN);
		store(&p->rampdown_ns, RTE_UNKNOWN);
		store(&p->cut_ns, RTE_UNKNOWN);
		return;
	}
	/* The stages are a ramp of their own; their whole time is measured. */
	warmup = w->n_stages ? start_ns : plus(start_ns, w->ramp_ns);
	measure = plus(warmup, w->warmup_ns);
	if (w->measure_ns != RTE_UNSET)
		end = plus(measure, w->measure_ns);
	else
		end = plus(start_ns, stages_ns(w));
	if (end <= measure)
		end = plus(measure, B_NS_PER_S);
	rampdown = plus(end, w->continue_ns);
	store(&p->warmup_ns, warmup);
	store(&p->measure_ns, measure);
	store(&p->continue_ns, end);
	store(&p->rampdown_ns, rampdown);
	store(&p->cut_ns, plus(rampdown, w->rampdown_ns + patience(w)));
}

enum rte_phase rte_phases_at(const struct rte_phases *p, int64_t at)
{
	if (at >= load(&p->rampdown_ns))
		return RTE_RAMPDOWN;
	if (at >= load(&p->continue_ns))
		return RTE_CONTINUE;
	if (at >= load(&p->measure_ns))
		return RTE_MEASURE;
	return at >= load(&p->warmup_ns) ? RTE_WARMUP : RTE_RAMPUP;
}

int64_t rte_phases_end(const struct rte_phases *p, int64_t at)
{
	switch (rte_phases_at(p, at)) {
	case RTE_RAMPUP:
		return load(&p->warmup_ns) == RTE_UNKNOWN ? load(&p->measure_ns)
							  : load(&p->warmup_ns);
	case RTE_WARMUP: return load(&p->measure_ns);
	case RTE_MEASURE: return load(&p->continue_ns);
	case RTE_CONTINUE: return load(&p->rampdown_ns);
	default: return load(&p->cut_ns);
	}
}

size_t rte_phases_stage(const struct rte_phases *p, const struct rte_workload *w, int64_t at)
{
	int64_t end = p->start_ns;
	size_t i = 0;

	while (i < w->n_stages && at >= (end += w->stages[i].duration_ns))
		i++;
	return i < w->n_stages ? i + 1 : w->n_stages;
}

bool rte_phases_counts(const struct rte_phases *p, int64_t from, int64_t to)
{
	return from >= load(&p->measure_ns) && to <= load(&p->continue_ns);
}

void rte_phases_iteration(struct rte_phases *p, int64_t now)
{
	int64_t unknown = RTE_UNKNOWN;

	if (!p->by_iterations || load(&p->measure_ns) != RTE_UNKNOWN)
		return;
	/* Two workers may come at once; the first one's instant stays. */
	atomic_compare_exchange_strong(&p->measure_ns, &unknown, now);
}

void rte_phases_stop(struct rte_phases *p, const struct rte_workload *w, int64_t now)
{
	if (load(&p->rampdown_ns) <= now)
		return;
	if (load(&p->continue_ns) > now)
		store(&p->continue_ns, now);
	store(&p->rampdown_ns, now);
	store(&p->cut_ns, plus(now, w->rampdown_ns + patience(w)));
}

void rte_phases_skip(struct rte_phases *p, const struct rte_workload *w, int64_t now)
{
	switch (rte_phases_at(p, now)) {
	case RTE_RAMPUP:
	case RTE_WARMUP: {
		int64_t length = load(&p->continue_ns);

		if (length != RTE_UNKNOWN)
			length -= load(&p->measure_ns);
		store(&p->warmup_ns, now);
		store(&p->continue_ns, plus(now, length));
		store(&p->rampdown_ns, plus(plus(now, length), w->continue_ns));
		store(&p->cut_ns, plus(load(&p->rampdown_ns), w->rampdown_ns + patience(w)));
		store(&p->measure_ns, now);
		break;
	}
	case RTE_MEASURE:
		store(&p->rampdown_ns, plus(now, w->continue_ns));
		store(&p->cut_ns, plus(load(&p->rampdown_ns), w->rampdown_ns + patience(w)));
		store(&p->continue_ns, now);
		break;
	case RTE_CONTINUE: rte_phases_stop(p, w, now); break;
	default: break;
	}
}
