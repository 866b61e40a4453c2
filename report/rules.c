/*
 * Rules that a benchmark's specification sets for what a remote terminal emulator measures,
 * held against the run with --rules. They judge the emulator's side only. What comes out is
 * derived from the specification and no result in its sense; the sheet says so.
 *
 * Source: TPC-C rev. 5.11 clause 5.2.5.7 and 5.5, TPC-A rev. 2.0 clauses 7 and 8. Entries marked
 * with a star are from kits that quote the text, not from the text itself.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/run.h"
#include "base/banned.h"

static const struct {
	const char *name, *key; /* key: the name's letters */
	double mix_min, keying_min_s, p90_limit_s, think_mean_min_s;
} tpc_c[] = {
	{ "New-Order", "neworder", 0, 18, 5, 12 },
	{ "Payment", "payment", 0.43, 3, 5, 12 },
	{ "Order-Status", "orderstatus", 0.04, 2, 5, 10 },
	{ "Delivery", "delivery", 0.04, 2, 5, 5 },
	{ "Stock-Level", "stocklevel", 0.04, 2, 20, 5 },
	{ "menu", "menu", 0, 0, 2 /* star */, 0 },
};

#define TPC_C_INTERVAL_S   7200.0 /* star */
#define TPC_C_MEAN_SLACK_S 0.1    /* p90 may be this much below the mean */

#define TPC_A_P90_S          2.0 /* star */
#define TPC_A_CYCLE_S        10.0
#define TPC_A_INTERVAL_S     900.0  /* star */
#define TPC_A_INTERVAL_MAX_S 3600.0 /* star */

int rp_rules_choose(struct rp_run *r, const char *rules, struct b_error *err)
{
	if (!rules)
		rules = r->config.rules;
	if (!rules)
		return B_OK;
	if (strcmp(rules, "tpc-c") && strcmp(rules, "tpc-a"))
		return b_error_set(
			err, B_EUSAGE, "no rules named '%s'; there are tpc-c and tpc-a", rules);
	r->rules = b_strdup(rules);
	return B_OK;
}

static bool same_letters(const char *name, const char *key)
{
	for (; *name; name++) {
		if (!isalnum((unsigned char)*name))
			continue;
		if (tolower((unsigned char)*name) != *key++)
			return false;
	}
	return !*key;
}

static const struct rp_group *find_letters(const struct rp_run *r, const char *key)
{
	for (size_t i = 0; i < r->n_groups; i++)
		if (same_letters(r->groups[i].name, key))
			return &r->groups[i];
	return NULL;
}

static enum rp_level must(bool holds)
{
	return holds ? RP_FINE : RP_BAD;
}

static void judge_limit(struct rp_run *r, const struct rp_group *g, double limit_s)
{
	const struct rp_stat *s = &g->measure[RP_RESPONSE];
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	rp_check_add(r, must(s->p[RP_P90].s <= limit_s), g->name, "response p90 %s, at most %gs",
		rp_format_s(a, s->p[RP_P90].s), limit_s);
	rp_check_add(r, must(s->p[RP_P90].s >= s->mean_s - TPC_C_MEAN_SLACK_S), g->name,
		"response p90 %s not below the mean %s", rp_format_s(a, s->p[RP_P90].s),
		rp_format_s(b, s->mean_s));
}

static void judge_interval(struct rp_run *r, double min_s, double max_s)
{
	double s = rp_interval_s(r);
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE];

	/* A shorter one is good enough for tuning, so this alone does not condemn the run. */
	rp_check_add(r, s >= min_s && s <= max_s ? RP_FINE : RP_WARNING, "interval",
		"%s; a publication asks for %s", rp_format_span(a, s), rp_format_span(b, min_s));
}

static void judge_tpc_c(struct rp_run *r)
{
	char a[RP_FORMAT_SIZE];
	double n = 0;

	for (size_t i = 0; i < B_ARRAY_LEN(tpc_c); i++) {
		const struct rp_group *g = find_letters(r, tpc_c[i].key);

		if (g && strcmp(tpc_c[i].key, "menu"))
			n += (double)g->n_ok;
	}
	for (size_t i = 0; i < B_ARRAY_LEN(tpc_c); i++) {
		const struct rp_group *g = find_letters(r, tpc_c[i].key);
		const struct rp_stat *keying;
		double think_s;

		if (!g || !g->n_ok) {
			if (strcmp(tpc_c[i].key, "menu"))
				rp_check_add(r, RP_BAD, tpc_c[i].name, "none was measured");
			continue;
		}
		judge_limit(r, g, tpc_c[i].p90_limit_s);
		keying = &g->measure[RP_KEYING];
		/* Its think time is that behind it, in front of the next menu. */
		think_s = g->n_think_after ? g->think_after_sum_s / (double)g->n_think_after
					   : (double)NAN;
		if (tpc_c[i].mix_min > 0)
			rp_check_add(r, must((double)g->n_ok / n >= tpc_c[i].mix_min), g->name,
				"%.2f%% of the mix, at least %g%%", (double)g->n_ok / n * 100,
				tpc_c[i].mix_min * 100);
		if (tpc_c[i].keying_min_s > 0)
			rp_check_add(r, must(keying->min_s >= tpc_c[i].keying_min_s), g->name,
				"keying time %s at least, %gs or more",
				rp_format_s(a, keying->min_s), tpc_c[i].keying_min_s);
		if (tpc_c[i].think_mean_min_s > 0)
			rp_check_add(r, must(think_s >= tpc_c[i].think_mean_min_s), g->name,
				"think time after it %s on average, %gs or more",
				rp_format_s(a, think_s), tpc_c[i].think_mean_min_s);
	}
	judge_interval(r, TPC_C_INTERVAL_S, INFINITY);
	rp_check_add(r, RP_NOTE, "rules",
		"derived from TPC-C: not comparable to published TPC results, no result of the TPC");
}

static void judge_tpc_a(struct rp_run *r)
{
	char a[RP_FORMAT_SIZE];
	double users = r->config.users > 0 ? r->config.users : (double)r->n_users_seen;

	if (r->all.n_ok) {
		double cycle = users / r->all.rate_per_s;

		judge_limit(r, &r->all, TPC_A_P90_S);
		rp_check_add(r, must(cycle >= TPC_A_CYCLE_S), "cycle",
			"%s a terminal on average, %gs or more", rp_format_s(a, cycle),
			TPC_A_CYCLE_S);
	}
	judge_interval(r, TPC_A_INTERVAL_S, TPC_A_INTERVAL_MAX_S);
	rp_check_add(r, RP_NOTE, "rules",
		"derived from TPC-A: not comparable to published TPC results, no result of the TPC");
}

void rp_rules_judge(struct rp_run *r)
{
	if (!strcmp(r->rules, "tpc-c"))
		judge_tpc_c(r);
	else
		judge_tpc_a(r);
}
