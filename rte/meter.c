#include "rte/meter.h"

#include "base/mem.h"
#include "base/banned.h"

void rte_meter_input(struct rte_meter *m, int64_t at)
{
	*m = (struct rte_meter){
		.state = RTE_METER_OPEN,
		.input_ns = at,
		.first_output_ns = RTE_NEVER,
		.output_ns = RTE_NEVER,
		.change_ns = RTE_NEVER,
		.ready_ns = RTE_NEVER,
		.closed_ns = RTE_NEVER,
		.held_ns = RTE_NEVER,
	};
}

void rte_meter_output(struct rte_meter *m, const struct rte_settle *s, int64_t at, bool changed)
{
	if (rte_meter_tick(m, s, at))
		return;
	if (m->first_output_ns == RTE_NEVER)
		m->first_output_ns = at;
	m->output_ns = at;
	m->held_ns = RTE_NEVER;
	if (changed)
		m->change_ns = at;
}

void rte_meter_hold(struct rte_meter *m, int64_t until)
{
	if (m->state != RTE_METER_CLOSED)
		m->held_ns = until;
}

void rte_meter_change(struct rte_meter *m, const struct rte_settle *s, int64_t at)
{
	/* What it was held for comes at the last instant. */
	if (rte_meter_tick(m, s, at - 1))
		return;
	m->held_ns = RTE_NEVER;
	m->change_ns = at;
}

void rte_meter_wait(struct rte_meter *m)
{
	m->state = RTE_METER_OPEN;
	m->closed_ns = RTE_NEVER;
	m->unsettled = false;
}

void rte_meter_ready(struct rte_meter *m, const struct rte_settle *s, int64_t at)
{
	m->ready_ns = at;
	m->state = RTE_METER_SETTLING;
	rte_meter_tick(m, s, at);
}

/* When it will have settled if nothing more comes. Without any output there is nothing that could
   settle: it may still come until settle_max. */
static int64_t settled_at(const struct rte_meter *m, const struct rte_settle *s)
{
	int64_t end = rte_meter_end(m), settled;

	settled = end == RTE_NEVER ? m->ready_ns + s->max_ns : end + s->settle_ns;
	return settled > m->held_ns ? settled : m->held_ns;
}

int64_t rte_meter_due(const struct rte_meter *m, const struct rte_settle *s)
{
	int64_t settled, most;

	if (m->state != RTE_METER_SETTLING)
		return RTE_NEVER;
	settled = settled_at(m, s);
	most = m->ready_ns + s->max_ns;
	if (settled < m->ready_ns)
		return m->ready_ns;
	return settled < most ? settled : most;
}

bool rte_meter_tick(struct rte_meter *m, const struct rte_settle *s, int64_t now)
{
	int64_t due = rte_meter_due(m, s);

	if (due != RTE_NEVER && now >= due) {
		m->unsettled = settled_at(m, s) > due;
		m->state = RTE_METER_CLOSED;
		m->closed_ns = due;
	}
	return m->state == RTE_METER_CLOSED;
}

void rte_meter_close(struct rte_meter *m, int64_t now)
{
	if (m->state == RTE_METER_CLOSED)
		return;
	m->state = RTE_METER_CLOSED;
	m->closed_ns = now;
}

int64_t rte_meter_end(const struct rte_meter *m)
{
	return m->change_ns != RTE_NEVER ? m->change_ns : m->output_ns;
}
