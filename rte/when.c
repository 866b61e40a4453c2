#include "rte/when.h"

#include <string.h>

#include "base/parse.h"
#include "rte/phases.h"
#include "base/banned.h"

int rte_when_parse(struct rte_when *t, const char *text, struct b_error *err)
{
	int64_t n;

	for (int p = 0; p < RTE_N_PHASES; p++) {
		if (!strcmp(text, rte_phase_name((enum rte_phase)p))) {
			*t = (struct rte_when){ RTE_WHEN_PHASE, p };
			return B_OK;
		}
	}
	if (!strncmp(text, "stage ", 6) && !b_parse_int(text + 6, 1, INT32_MAX, &n)) {
		*t = (struct rte_when){ RTE_WHEN_STAGE, n };
		return B_OK;
	}
	if (!b_parse_duration(text, &n)) {
		*t = (struct rte_when){ RTE_WHEN_TIME, n };
		return B_OK;
	}
	return b_error_set(err, B_EUSAGE,
		"'%s' is no time in a run; write a phase as \"measure\", a stage as \"stage 2\", or a "
		"time since the start as \"5m\"",
		text);
}

static int64_t stage_begins(const struct rte_workload *w, int64_t stage)
{
	int64_t at = 0;

	for (int64_t i = 0; i + 1 < stage && (size_t)i < w->n_stages; i++)
		at += w->stages[i].duration_ns;
	return at;
}

bool rte_when_come(const struct rte_when *t, const struct rte_workload *w,
	const struct rte_phases *p, int64_t now)
{
	switch (t->kind) {
	case RTE_WHEN_PHASE: return (int64_t)rte_phases_at(p, now) >= t->value;
	case RTE_WHEN_STAGE: return now >= p->start_ns + stage_begins(w, t->value);
	case RTE_WHEN_TIME: return now >= p->start_ns + t->value;
	default: return true;
	}
}

void rte_when_format(const struct rte_when *t, struct b_buf *out)
{
	switch (t->kind) {
	case RTE_WHEN_PHASE: b_buf_adds(out, rte_phase_name((enum rte_phase)t->value)); break;
	case RTE_WHEN_STAGE: b_buf_printf(out, "stage %lld", (long long)t->value); break;
	case RTE_WHEN_TIME: b_format_duration(out, t->value); break;
	default: break;
	}
}
