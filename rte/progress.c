#include "rte/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/parse.h"
#include "report/format.h"
#include "base/banned.h"

#define LOG_EVERY_NS (5 * B_NS_PER_S)

void rte_progress_init(struct rte_progress *p, bool on, int64_t now)
{
	*p = (struct rte_progress){ .on = on, .terminal = isatty(STDERR_FILENO) };
	p->next_ns = now;
	p->since_ns = now;
	p->phase = RTE_N_PHASES;
	p->response = b_hist_new();
}

void rte_progress_release(struct rte_progress *p)
{
	b_hist_free(p->response);
	p->response = NULL;
}

static void span(struct b_buf *out, int64_t ns)
{
	b_format_duration(out, (ns + B_NS_PER_S / 2) / B_NS_PER_S * B_NS_PER_S);
}

/* The phase, and how far it is: by its time, or by the iterations that make the interval. */
static void phase_line(const struct rte_moment *m, const struct rte_shared *s, enum rte_phase phase,
	struct b_buf *out)
{
	int64_t end = rte_phases_end(&s->phases, m->at_ns);

	b_buf_printf(out, " %s", rte_phase_name(phase));
	if (phase == RTE_RAMPDOWN)
		return;
	if (s->w->n_stages)
		b_buf_printf(out, ", stage %zu of %zu",
			rte_phases_stage(&s->phases, s->w, m->at_ns), s->w->n_stages);
	if (end != RTE_UNKNOWN) {
		b_buf_adds(out, " (");
		span(out, end > m->at_ns ? end - m->at_ns : 0);
		b_buf_adds(out, " left)");
	} else if (s->phases.by_iterations && phase == RTE_RAMPUP) {
		b_buf_adds(out, " (until the first iteration)");
	} else if (s->phases.by_iterations) {
		b_buf_printf(out, " (%lld of %lld iterations)", (long long)m->iterations,
			(long long)(s->w->iterations * s->w->users));
	}
}

void rte_progress_line(
	const struct rte_timeline *t, double rate, const struct b_hist *response, struct b_buf *out)
{
	const struct rte_moment *m = &t->moment;
	int64_t active = m->users[RTE_SHOW_LOGIN] + m->users[RTE_SHOW_TYPING] +
		m->users[RTE_SHOW_WAITING] + m->users[RTE_SHOW_THINKING];
	int64_t all = 0;

	for (int i = 0; i < RTE_N_SHOWN; i++)
		all += m->users[i];
	span(out, m->at_ns - t->shared->phases.start_ns);
	phase_line(m, t->shared, rte_phases_at(&t->shared->phases, m->at_ns), out);
	b_buf_printf(out, ": %lld of %lld users", (long long)active, (long long)all);
	/* With arrivals they are free again. */
	if (m->users[RTE_SHOW_DONE] && !t->shared->arrivals)
		b_buf_printf(out, ", %lld done", (long long)m->users[RTE_SHOW_DONE]);
	if (m->users[RTE_SHOW_FAILED])
		b_buf_printf(out, ", %lld failed", (long long)m->users[RTE_SHOW_FAILED]);
	b_buf_printf(out, "; %.1f tx/s", rate);
	if (response && b_hist_count(response)) {
		double p90 = (double)b_hist_quantile(response, 0.9) / 1e9;

		if (p90 < 0.9995)
			b_buf_printf(out, ", p90 %.*fms",
				p90 < 0.00995          ? 2
					: p90 < 0.0995 ? 1
						       : 0,
				p90 * 1e3);
		else
			b_buf_printf(out, ", p90 %.2fs", p90);
	}
	if (m->arrivals)
		b_buf_printf(out, "; %lld arrivals, %lld turned away", (long long)m->arrivals,
			(long long)m->turned_away);
	b_buf_printf(out, "; %lld error%s", (long long)m->failures, m->failures == 1 ? "" : "s");
}

/* A line that is wrapped could not be written over: what matters less is left out, then it is cut. */
static void fit(const struct rte_timeline *t, double rate, struct b_buf *line)
{
	size_t most = rp_format_cols(stderr) - 1;

	if (line->len <= most)
		return;
	b_buf_clear(line);
	rte_progress_line(t, rate, NULL, line);
	if (line->len > most)
		line->len = most;
}

void rte_progress_show(struct rte_progress *p, const struct rte_timeline *t)
{
	const struct rte_moment *m = &t->moment;
	enum rte_phase phase = rte_phases_at(&t->shared->phases, m->at_ns);
	size_t stage = rte_phases_stage(&t->shared->phases, t->shared->w, m->at_ns);
	struct b_buf line = B_BUF_INIT;
	double seconds, rate;

	if (!p->on)
		return;
	p->sum_transactions += (int64_t)m->second.transactions;
	b_hist_merge(p->response, m->second.response);
	/* A change of phase, or another stage, is told at once. */
	if (m->at_ns < p->next_ns && phase == p->phase && stage == p->stage)
		return;
	seconds = (double)(m->at_ns - p->since_ns) / 1e9;
	rate = seconds > 0 ? (double)p->sum_transactions / seconds : 0;
	b_buf_adds(&line, "rte: ");
	rte_progress_line(t, rate, p->response, &line);
	if (p->terminal) {
		fit(t, rate, &line);
		(void)!write(STDERR_FILENO, "\r\033[K", 4);
	} else {
		b_buf_addc(&line, '\n');
	}
	(void)!write(STDERR_FILENO, line.data, line.len);
	b_buf_release(&line);
	p->shown = p->terminal;
	p->phase = phase;
	p->stage = stage;
	p->sum_transactions = 0;
	b_hist_clear(p->response);
	p->since_ns = m->at_ns;
	p->next_ns = m->at_ns + (p->terminal ? 0 : LOG_EVERY_NS);
}

void rte_progress_clear(struct rte_progress *p)
{
	if (p->shown)
		(void)!write(STDERR_FILENO, "\r\033[K", 4);
	p->shown = false;
}
