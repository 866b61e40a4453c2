#include "rte/workload.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define RAMP_A_USER_NS  (50 * B_NS_PER_MS)
#define RAMP_MAX_NS     (30 * B_NS_PER_S)
#define USERS_A_WORKER  2500
#define LIST_MAX        1000
#define CONTINUE_MAX_NS (30 * B_NS_PER_S)
#define STAGES_MAX_NS   INT64_C(900000000000000000) /* as the longest duration */

void rte_workload_init(struct rte_workload *w)
{
	*w = (struct rte_workload){
		.users = 1,
		.repeat = 1,
		.iterations = RTE_UNSET,
		.ramp_ns = RTE_UNSET,
		.measure_ns = RTE_UNSET,
		.continue_ns = RTE_UNSET,
		.rampdown_ns = 10 * B_NS_PER_S,
		.timeout_ns = RTE_UNSET,
		.settle_ns = RTE_UNSET,
		.settle_max_ns = B_NS_PER_S,
		.connect_timeout_ns = 30 * B_NS_PER_S,
		.connect_retries = 3,
		.workers = RTE_UNSET,
		.lateness_warn_ns = 10 * B_NS_PER_MS,
		.lateness_bad_ns = 50 * B_NS_PER_MS,
	};
}

static void strings_free(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

static void mixes_free(struct rte_workload_script *s)
{
	for (size_t i = 0; i < s->n_mixes; i++) {
		strings_free(s->mixes[i].names, s->mixes[i].n);
		free(s->mixes[i].weights);
	}
	free(s->mixes);
}

void rte_workload_release(struct rte_workload *w)
{
	for (size_t i = 0; i < w->n_scripts; i++) {
		free(w->scripts[i].path);
		free(w->scripts[i].users);
		free(w->scripts[i].function);
		strings_free(w->scripts[i].sets, w->scripts[i].n_sets);
		mixes_free(&w->scripts[i]);
	}
	free(w->scripts);
	strings_free(w->targets, w->n_targets);
	strings_free(w->binds, w->n_binds);
	strings_free(w->sets, w->n_sets);
	strings_free(w->thresholds, w->n_thresholds);
	strings_free(w->stops, w->n_stops);
	free(w->ladder);
	free(w->stages);
	b_dist_release(&w->typing);
	b_dist_release(&w->think);
	b_dist_release(&w->pacing);
	free(w->path);
	free(w->rules);
	free(w->term);
	free(w->before);
	free(w->after);
	*w = (struct rte_workload){ 0 };
}

void rte_workload_string_add(char ***list, size_t *n, const char *s)
{
	*list = b_reallocarray(*list, *n + 1, sizeof **list);
	(*list)[(*n)++] = b_strdup(s);
}

int rte_workload_script_add(struct rte_workload *w, const char *arg, struct b_error *err)
{
	const char *eq = strrchr(arg, '=');
	struct rte_workload_script s = { .weight = 1 };

	/* A path may hold a '=' of its own. */
	if (eq && access(arg, F_OK)) {
		if (b_parse_double(eq + 1, &s.weight) || s.weight <= 0)
			return b_error_set(err, B_EUSAGE,
				"script '%s': the weight is not a number above 0; write SCRIPT=WEIGHT",
				arg);
		s.path = b_strndup(arg, (size_t)(eq - arg));
	} else {
		s.path = b_strdup(arg);
	}
	w->scripts = b_reallocarray(w->scripts, w->n_scripts + 1, sizeof *w->scripts);
	w->scripts[w->n_scripts++] = s;
	return B_OK;
}

/* Takes the next item off a list separated by commas, without blanks around it; *list is NULL
   after the last one. */
static bool next_item(const char **list, char *out, size_t cap)
{
	const char *s = *list + strspn(*list, " ");
	size_t len = strcspn(s, ",");

	*list = s[len] ? s + len + 1 : NULL;
	while (len && s[len - 1] == ' ')
		len--;
	if (!len || len >= cap)
		return false;
	memcpy(out, s, len);
	out[len] = 0;
	return true;
}

int rte_workload_ladder_parse(struct rte_workload *w, const char *text, struct b_error *err)
{
	int64_t *ladder = NULL;
	const char *s = text;
	size_t n = 0;
	char item[32];

	do {
		ladder = b_reallocarray(ladder, n + 1, sizeof *ladder);
		if (n == LIST_MAX || !next_item(&s, item, sizeof item) ||
			b_parse_int(item, 1, RTE_USERS_MAX, &ladder[n])) {
			free(ladder);
			return b_error_set(err, B_EUSAGE,
				"ladder '%s' cannot be read; write numbers of users as in 5,10,20",
				text);
		}
		n++;
	} while (s);
	free(w->ladder);
	w->ladder = ladder;
	w->n_ladder = n;
	return B_OK;
}

static bool stage_parse(const char *item, struct rte_stage *st)
{
	size_t len = strcspn(item, " ");
	const char *rest = item + len + strspn(item + len, " ");
	char number[32];

	if (!*rest || len >= sizeof number)
		return false;
	memcpy(number, item, len);
	number[len] = 0;
	/* "10 users 1m" and "1 user 1m" read as "10 1m". */
	if (!strncmp(rest, "user", 4)) {
		rest += rest[4] == 's' ? 5 : 4;
		if (*rest != ' ')
			return false;
		rest += strspn(rest, " ");
	}
	return !b_parse_int(number, 0, RTE_USERS_MAX, &st->users) &&
		!b_parse_duration(rest, &st->duration_ns) && st->duration_ns > 0;
}

int rte_workload_stages_parse(struct rte_workload *w, const char *text, struct b_error *err)
{
	struct rte_stage *stages = NULL;
	const char *s = text;
	size_t n = 0;
	char item[64];

	do {
		stages = b_reallocarray(stages, n + 1, sizeof *stages);
		if (n == LIST_MAX || !next_item(&s, item, sizeof item) ||
			!stage_parse(item, &stages[n])) {
			free(stages);
			return b_error_set(err, B_EUSAGE,
				"stages '%s' cannot be read; write users and time as in '10 1m, 50 5m'",
				text);
		}
		n++;
	} while (s);
	free(w->stages);
	w->stages = stages;
	w->n_stages = n;
	return B_OK;
}

/* ---- Whether it fits together ------------------------------------------------------------- */

static int scripts_check(const struct rte_workload *w, struct b_error *err)
{
	bool *taken = b_calloc((size_t)w->users + 1, sizeof *taken);
	bool anyone = false;
	int rc = B_OK;

	if (!w->n_scripts)
		rc = b_error_set(err, B_EUSAGE, "no script: name one, or a workload that does");
	for (size_t i = 0; i < w->n_scripts && !rc; i++) {
		const struct rte_workload_script *s = &w->scripts[i];

		anyone = anyone || !s->n_users;
		if (!(s->weight > 0))
			rc = b_error_set(
				err, B_EUSAGE, "script %s: its weight must be above 0", s->path);
		for (size_t k = 0; k < s->n_users && !rc; k++) {
			/* A ladder's smaller steps do without users of higher numbers. */
			if (s->users[k] > w->users && w->n_ladder)
				continue;
			if (s->users[k] < 1 || s->users[k] > w->users)
				rc = b_error_set(err, B_EUSAGE,
					"script %s is for user %lld, but the users are 1 to %lld",
					s->path, (long long)s->users[k], (long long)w->users);
			else if (taken[s->users[k]])
				rc = b_error_set(err, B_EUSAGE,
					"user %lld is named for two scripts; leave one",
					(long long)s->users[k]);
			else
				taken[s->users[k]] = true;
		}
	}
	for (int64_t u = 1; u <= w->users && !rc && !anyone; u++)
		if (!taken[u])
			rc = b_error_set(err, B_EUSAGE,
				"user %lld has no script: every script names its users; give one a weight instead",
				(long long)u);
	free(taken);
	return rc;
}

static int mixes_check(const struct rte_workload *w, struct b_error *err)
{
	for (size_t i = 0; i < w->n_scripts; i++)
		for (size_t k = 0; k < w->scripts[i].n_mixes; k++) {
			const struct rte_when *t = &w->scripts[i].mixes[k].from;

			if (t->kind == RTE_WHEN_STAGE && t->value > (int64_t)w->n_stages)
				return b_error_set(err, B_EUSAGE,
					"script %s: its mix changes from stage %lld, but the stages are %zu",
					w->scripts[i].path, (long long)t->value, w->n_stages);
		}
	return B_OK;
}

/* Their sum is added to an instant. */
static int stages_check(const struct rte_workload *w, struct b_error *err)
{
	int64_t left = STAGES_MAX_NS;

	for (size_t i = 0; i < w->n_stages; i++) {
		left -= w->stages[i].duration_ns;
		if (left < 0)
			return b_error_set(
				err, B_EUSAGE, "stages: they last more than 28 years in all");
	}
	return B_OK;
}

static void stages_users(struct rte_workload *w)
{
	w->users = 1;
	for (size_t i = 0; i < w->n_stages; i++)
		if (w->stages[i].users > w->users)
			w->users = w->stages[i].users;
}

static int draw_seed(struct rte_workload *w)
{
	/* 53 bits: every reader of run.json keeps it whole. */
	if (getrandom(&w->seed, sizeof w->seed, 0) != (ssize_t)sizeof w->seed)
		return B_ESYS;
	w->seed >>= 11;
	w->seed_set = true;
	return B_OK;
}

static void defaults_fill(struct rte_workload *w)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t timeout = w->timeout_ns == RTE_UNSET ? RTE_TIMEOUT_DEFAULT_NS : w->timeout_ns;

	/* With arrivals: of each session. */
	if (w->iterations == RTE_UNSET &&
		(w->arrivals_per_s > 0 || (w->measure_ns == RTE_UNSET && !w->n_stages)))
		w->iterations = 1;
	if (w->ramp_ns == RTE_UNSET && w->arrivals_per_s > 0)
		w->ramp_ns = 0;
	if (w->ramp_ns == RTE_UNSET)
		w->ramp_ns = w->users * RAMP_A_USER_NS < RAMP_MAX_NS ? w->users * RAMP_A_USER_NS
								     : RAMP_MAX_NS;
	if (w->continue_ns == RTE_UNSET)
		w->continue_ns = timeout < CONTINUE_MAX_NS ? timeout : CONTINUE_MAX_NS;
	if (w->workers == RTE_UNSET) {
		w->workers = (w->users + USERS_A_WORKER - 1) / USERS_A_WORKER;
		if (cores > 0 && w->workers > cores)
			w->workers = cores;
	}
	if (w->workers > w->users)
		w->workers = w->users;
}

static int arrivals_check(const struct rte_workload *w, struct b_error *err)
{
	if (!(w->arrivals_per_s > 0))
		return B_OK;
	if (w->n_stages || w->n_ladder)
		return b_error_set(err, B_EUSAGE,
			"arrivals and %s exclude each other: with arrivals the users are the most at a time",
			w->n_stages ? "stages" : "a ladder");
	if (w->measure_ns == RTE_UNSET)
		return b_error_set(err, B_EUSAGE,
			"arrivals go on for ever: say how long to measure, as in --measure 5m");
	return B_OK;
}

int rte_workload_check(struct rte_workload *w, struct b_error *err)
{
	int rc;

	if (w->n_stages && w->n_ladder)
		return b_error_set(
			err, B_EUSAGE, "stages and a ladder exclude each other; give one of them");
	if (w->n_stages)
		stages_users(w);
	if (w->users < 1 || w->users > RTE_USERS_MAX)
		return b_error_set(err, B_EUSAGE, "users: %lld is not within 1 and %d",
			(long long)w->users, RTE_USERS_MAX);
	if (w->iterations != RTE_UNSET && (w->iterations < 1 || w->iterations > RTE_ITERATIONS_MAX))
		return b_error_set(err, B_EUSAGE, "iterations: %lld is not within 1 and %lld",
			(long long)w->iterations, (long long)RTE_ITERATIONS_MAX);
	if (w->repeat < 1 || w->repeat > LIST_MAX)
		return b_error_set(err, B_EUSAGE, "repeat: 1 to %d", LIST_MAX);
	if (w->measure_ns == 0)
		return b_error_set(
			err, B_EUSAGE, "measure: the measurement interval cannot be empty");
	if (w->measure_ns == RTE_MEASURE_FOREVER && (w->n_ladder || w->repeat > 1))
		return b_error_set(err, B_EUSAGE,
			"measure forever fits neither a ladder nor repeats: the first run would not end");
	if (!w->timeout_ns || !w->connect_timeout_ns)
		return b_error_set(err, B_EUSAGE, "%s: it must be more than 0",
			w->timeout_ns ? "connect_timeout" : "timeout");
	if (w->settle_max_ns < w->settle_ns)
		w->settle_max_ns = w->settle_ns;
	if (w->lateness_bad_ns < w->lateness_warn_ns)
		return b_error_set(err, B_EUSAGE,
			"lateness: the second time is below the first; write WARN,BAD as in 10ms,50ms");
	rc = scripts_check(w, err);
	if (!rc)
		rc = stages_check(w, err);
	if (!rc)
		rc = mixes_check(w, err);
	if (!rc)
		rc = arrivals_check(w, err);
	if (rc)
		return rc;
	defaults_fill(w);
	if (!w->seed_set && draw_seed(w))
		return b_error_set(err, B_EENV, "no random seed to be had; give --seed");
	return B_OK;
}
