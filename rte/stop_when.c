#include "rte/stop_when.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hist.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/banned.h"

#define OVER_NS     (30 * B_NS_PER_S)
#define OVER_MAX_NS (3600 * B_NS_PER_S)
#define SLOTS       11 /* of the window: ten that are whole, and the one under way */

enum figure { ERRORS, QUANTILE, MEAN, MAX, RATE };

struct rule {
	char *text, *name; /* name NULL: all together */
	enum figure figure;
	double q; /* of QUANTILE */
	bool above;
	double limit; /* a share, ns, or transactions a second */
	int64_t over_ns;
};

struct slot {
	struct b_hist *response;
	uint64_t ok, failed;
	int64_t from_ns;
};

/* A rule and its window. */
struct condition {
	struct rule rule;
	struct slot slots[SLOTS];
	size_t at, n;        /* the slot under way; how many are in use */
	uint64_t ok, failed; /* since the start, as last seen */
};

struct rte_stop_when {
	struct condition *list;
	size_t n;
	int64_t start_ns;
};

/* ---- Rules as text ------------------------------------------------------------------------- */

static bool figure_parse(struct rule *r, const char *s)
{
	double q;

	r->figure = !strcmp(s, "errors") ? ERRORS
		: !strcmp(s, "mean")     ? MEAN
		: !strcmp(s, "max")      ? MAX
		: !strcmp(s, "rate")     ? RATE
					 : QUANTILE;
	if (r->figure != QUANTILE)
		return true;
	if (*s != 'p' || b_parse_double(s + 1, &q) || !(q > 0 && q < 100))
		return false;
	r->q = q / 100;
	return true;
}

static bool limit_parse(struct rule *r, char *s)
{
	size_t len = strlen(s);
	double scale = 1;
	int64_t ns;

	if (r->figure != ERRORS && r->figure != RATE) {
		if (b_parse_duration(s, &ns))
			return false;
		r->limit = (double)ns;
		return true;
	}
	if (r->figure == ERRORS && len && s[len - 1] == '%') {
		scale = 0.01;
		s[len - 1] = 0;
	} else if (r->figure == RATE && len > 2 && !strcmp(s + len - 2, "/s")) {
		s[len - 2] = 0;
	}
	if (b_parse_double(s, &r->limit) || !(r->limit >= 0))
		return false;
	r->limit *= scale;
	return true;
}

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (end > s && end[-1] == ' ')
		*--end = 0;
	return s + strspn(s, " ");
}

static bool over_parse(struct rule *r, char *text)
{
	char *over = strstr(text, " for ");

	r->over_ns = OVER_NS;
	if (!over)
		return true;
	*over = 0;
	return !b_parse_duration(trim(over + 5), &r->over_ns) && r->over_ns >= B_NS_PER_S &&
		r->over_ns <= OVER_MAX_NS;
}

static void rule_release(struct rule *r)
{
	free(r->text);
	free(r->name);
}

static int rule_parse(struct rule *r, const char *text, struct b_error *err)
{
	char *copy = b_strdup(text), *op, *colon, *figure = copy;
	bool ok;

	*r = (struct rule){ .text = b_strdup(text) };
	ok = over_parse(r, copy);
	op = copy + strcspn(copy, "<>");
	ok = ok && *op;
	if (ok) {
		r->above = *op == '>';
		*op = 0;
		colon = strrchr(copy, ':');
		if (colon) {
			*colon = 0;
			figure = colon + 1;
			if (strcmp(trim(copy), "*"))
				r->name = b_strdup(trim(copy));
		}
		ok = figure_parse(r, trim(figure)) && limit_parse(r, trim(op + 1));
	}
	free(copy);
	if (ok)
		return B_OK;
	rule_release(r);
	return b_error_set(err, B_EUSAGE,
		"stop condition '%s' cannot be read; write it as in 'errors>20%%' or 'query:p90>10s "
		"for 1m', with errors, p50, p90, mean, max or rate, over 1s to 1h",
		text);
}

int rte_stop_when_check(const char *text, struct b_error *err)
{
	struct rule r;
	int rc = rule_parse(&r, text, err);

	if (!rc)
		rule_release(&r);
	return rc;
}

/* ---- Windows --------------------------------------------------------------------------------- */

struct rte_stop_when *rte_stop_when_new(char *const *texts, size_t n, int64_t now)
{
	struct rte_stop_when *s = b_calloc(1, sizeof *s);

	s->list = b_calloc(n + 1, sizeof *s->list);
	s->n = n;
	s->start_ns = now;
	for (size_t i = 0; i < n; i++) {
		struct condition *c = &s->list[i];
		int rc;

		rc = rule_parse(&c->rule, texts[i], NULL);
		B_BUG_ON(rc != B_OK); /* all were checked */
		for (size_t k = 0; k < SLOTS; k++)
			c->slots[k].response = b_hist_new();
		c->slots[0].from_ns = now;
	}
	return s;
}

void rte_stop_when_free(struct rte_stop_when *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		rule_release(&s->list[i].rule);
		for (size_t k = 0; k < SLOTS; k++)
			b_hist_free(s->list[i].slots[k].response);
	}
	free(s->list);
	free(s);
}

/* What the workers have handed over of the transactions that the condition is about. */
static void take(struct condition *c, struct slot *slot, const struct rte_timeline *t)
{
	uint64_t ok = 0, failed = 0;

	for (size_t i = 0; i < t->n_workers; i++) {
		struct rte_share *s = &t->workers[i]->share;

		pthread_mutex_lock(&s->lock);
		for (size_t k = 0; k < s->n_tx; k++) {
			const char *name = rte_names_text(t->shared->names, k);

			if (c->rule.name && strcmp(c->rule.name, name))
				continue;
			ok += s->tx[k].ok;
			failed += s->tx[k].failed;
			b_hist_merge(slot->response, s->tx[k].recent);
		}
		pthread_mutex_unlock(&s->lock);
	}
	/* Of all together: sessions that failed outside of any transaction, too. */
	if (!c->rule.name && (uint64_t)t->moment.failures > failed)
		failed = (uint64_t)t->moment.failures;
	slot->ok += ok - c->ok;
	slot->failed += failed - c->failed;
	c->ok = ok;
	c->failed = failed;
}

static struct slot *slot_now(struct condition *c, int64_t now)
{
	int64_t length = c->rule.over_ns / (SLOTS - 1);
	struct slot *s = &c->slots[c->at];

	if (length < B_NS_PER_S)
		length = B_NS_PER_S;
	/* Seconds end a little late. */
	if (now - s->from_ns < length - B_NS_PER_S / 2)
		return s;
	c->at = (c->at + 1) % SLOTS;
	s = &c->slots[c->at];
	b_hist_clear(s->response);
	s->ok = s->failed = 0;
	s->from_ns = now;
	return s;
}

/* The figure over the window; false: there is none yet. */
static bool value_of(const struct condition *c, int64_t now, double *value)
{
	int64_t from = now - c->rule.over_ns - B_NS_PER_S / 2, first = now;
	struct b_hist *all = b_hist_new();
	uint64_t ok = 0, failed = 0;
	bool enough;

	for (size_t i = 0; i < SLOTS; i++) {
		const struct slot *s = &c->slots[i];

		if (!s->from_ns || s->from_ns < from)
			continue;
		first = s->from_ns < first ? s->from_ns : first;
		ok += s->ok;
		failed += s->failed;
		b_hist_merge(all, s->response);
	}
	enough = b_hist_count(all) >= RTE_STOP_LEAST;
	switch (c->rule.figure) {
	case ERRORS:
		enough = ok + failed >= RTE_STOP_LEAST;
		*value = enough ? (double)failed / (double)(ok + failed) : 0;
		break;
	case RATE:
		enough = now > first;
		*value = enough ? (double)ok * 1e9 / (double)(now - first) : 0;
		break;
	case MEAN: *value = b_hist_mean(all); break;
	case MAX: *value = (double)b_hist_max(all); break;
	default: *value = (double)b_hist_quantile(all, c->rule.q); break;
	}
	b_hist_free(all);
	return enough;
}

static void say(const struct rule *r, double value, struct b_buf *said)
{
	b_buf_printf(said, "%s", r->text);
	if (!strstr(r->text, " for ")) {
		b_buf_adds(said, " for ");
		b_format_duration(said, r->over_ns);
	}
	b_buf_adds(said, ": ");
	if (r->figure == ERRORS)
		b_buf_printf(said, "%.1f%%", value * 100);
	else if (r->figure == RATE)
		b_buf_printf(said, "%.2f/s", value);
	else if (value < 1e9)
		b_buf_printf(said, "%.*fms", value < 1e8 ? 2 : 0, value / 1e6);
	else
		b_buf_printf(said, "%.3fs", value / 1e9);
}

bool rte_stop_when_collect(
	struct rte_stop_when *s, const struct rte_timeline *t, struct b_buf *said)
{
	int64_t now = t->moment.at_ns;
	bool any = false;

	for (size_t i = 0; i < s->n; i++) {
		struct condition *c = &s->list[i];
		double value;

		take(c, slot_now(c, now), t);
		if (any || now - s->start_ns < c->rule.over_ns || !value_of(c, now, &value))
			continue;
		if (c->rule.above ? value > c->rule.limit : value < c->rule.limit) {
			say(&c->rule, value, said);
			any = true;
		}
	}
	return any;
}

static bool began(const struct rte_timeline *t, const char *name)
{
	bool found = false;

	for (size_t i = 0; i < t->n_workers && !found; i++) {
		struct rte_share *s = &t->workers[i]->share;

		pthread_mutex_lock(&s->lock);
		for (size_t k = 0; k < s->n_tx && !found; k++)
			found = !strcmp(rte_names_text(t->shared->names, k), name);
		pthread_mutex_unlock(&s->lock);
	}
	return found;
}

void rte_stop_when_strangers(const struct rte_stop_when *s, const struct rte_timeline *t)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct rule *r = &s->list[i].rule;

		if (r->name && !began(t, r->name))
			b_warn("stop condition '%s' counted nothing: no transaction '%s' has ended",
				r->text, r->name);
	}
}
