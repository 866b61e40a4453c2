#include "rte/test_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/parse.h"
#include "report/format.h"
#include "base/banned.h"

/* ---- What the forms share -------------------------------------------------------------------- */

const json_t *rte_test_last(const struct rte_test *t)
{
	size_t n = json_array_size(t->attempts);

	return n ? json_array_get(t->attempts, n - 1) : NULL;
}

const char *rte_test_outcome_name(enum rte_test_outcome o)
{
	static const char *const names[] = { "not run", "passed", "flaky", "failed as expected",
		"skipped", "failed", "bad script" };

	return names[o];
}

bool rte_test_is_failure(const struct rte_test *t)
{
	return t->outcome == RTE_TEST_FAILED || t->outcome == RTE_TEST_BAD;
}

double rte_test_seconds(const struct rte_test *t)
{
	double seconds = 0;
	const json_t *a;
	size_t i;

	json_array_foreach(t->attempts, i, a)
	{
		seconds += json_number_value(json_object_get(a, "seconds"));
	}
	return seconds;
}

const json_t *rte_test_failure(const json_t *attempt)
{
	return json_array_get(json_object_get(attempt, "failures"), 0);
}

void rte_test_failure_line(const json_t *f, struct b_buf *out)
{
	const char *file = rte_test_text(f, "file");
	size_t from = out->len;

	if (*file)
		b_buf_printf(out, "%s:%lld: ", file,
			(long long)json_integer_value(json_object_get(f, "line")));
	b_buf_adds(out, rte_test_text(f, "message"));
	for (size_t i = from; i < out->len; i++)
		if (out->data[i] == '\n')
			out->data[i] = ' ';
}

static void lines(struct b_buf *out, const char *indent, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		b_buf_adds(out, indent);
		b_buf_add(out, text, n);
		b_buf_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
}

static void labelled(struct b_buf *out, const char *indent, const char *label, const char *text)
{
	if (*text)
		b_buf_printf(out, "%s%s %s\n", indent, label, text);
}

/* A screen's rows without the head of its format; blank ones at its end are left out. */
static void screen(struct b_buf *out, const char *indent, const char *text)
{
	const char *end, *row, *last = NULL;

	text += strcspn(text, "\n");
	text += *text == '\n';
	for (row = text; *row == '|'; row = end + (*end == '\n')) {
		end = row + strcspn(row, "\n");
		if (strspn(row + 1, " ") < (size_t)(end - row - 2))
			last = end;
	}
	if (!last) {
		b_buf_printf(out, "%sthe screen was empty\n", indent);
	} else {
		char *rows = b_strndup(text, (size_t)(last - text));

		b_buf_printf(out, "%sthe screen as it was:\n", indent);
		lines(out, indent, rows);
		free(rows);
	}
	lines(out, indent, row);
}

/* before: the failure above, whose screen is not shown again; or NULL. */
static void failure_text(
	const json_t *f, const json_t *before, const char *indent, struct b_buf *out)
{
	struct b_buf line = B_BUF_INIT;
	const char *shown = rte_test_text(f, "screen");

	rte_test_failure_line(f, &line);
	b_buf_printf(out, "%s%s\n", indent, b_buf_cstr(&line));
	b_buf_release(&line);
	labelled(out, indent, "expected:", rte_test_text(f, "expected"));
	labelled(out, indent, "in transaction:", rte_test_text(f, "transaction"));
	labelled(out, indent, "unanswered query:", rte_test_text(f, "unanswered"));
	lines(out, indent, rte_test_text(f, "diff"));
	if (before && *shown && !strcmp(shown, rte_test_text(before, "screen"))) {
		b_buf_printf(out, "%son the same screen\n", indent);
		return;
	}
	if (*shown)
		screen(out, indent, shown);
	labelled(out, indent, "last output:", rte_test_text(f, "output"));
}

void rte_test_attempt_text(const json_t *attempt, const char *indent, struct b_buf *out)
{
	const json_t *list = json_object_get(attempt, "failures"), *f, *line;
	size_t i;

	json_array_foreach(list, i, f)
	{
		failure_text(f, i ? json_array_get(list, i - 1) : NULL, indent, out);
	}
	json_array_foreach(json_object_get(attempt, "log"), i, line)
	{
		b_buf_printf(out, "%slog: %s\n", indent, json_string_value(line));
	}
	labelled(out, indent, "artifacts:", rte_test_text(attempt, "artifacts"));
}

/* ---- The list -------------------------------------------------------------------------------- */

#define RED    "31"
#define GREEN  "32"
#define YELLOW "33"

#define REASON_COLS 240

static void paint(
	const struct rte_test_report *r, struct b_buf *b, const char *colour, const char *text)
{
	if (r->colour)
		b_buf_printf(b, "\x1b[%sm%s\x1b[0m", colour, text);
	else
		b_buf_adds(b, text);
}

static void name(struct b_buf *b, const struct rte_test *t)
{
	b_escape_text(b, t->file, strlen(t->file));
	if (t->index)
		b_buf_printf(b, ":%d", t->line);
	b_buf_adds(b, "  ");
	b_escape_text(b, t->name, strlen(t->name));
}

static void reason(struct b_buf *b, const struct rte_test *t)
{
	const json_t *last = rte_test_last(t), *f = rte_test_failure(last);
	struct b_buf line = B_BUF_INIT;
	const char *why = t->outcome == RTE_TEST_SKIPPED ? rte_test_text(last, "reason")
		: t->outcome == RTE_TEST_XFAILED         ? t->fails
							 : "";

	if (t->outcome == RTE_TEST_FLAKY)
		b_buf_printf(b, ": passed at try %zu", json_array_size(t->attempts));
	if (*why) {
		b_buf_adds(b, ": ");
		b_escape_text(b, why, strlen(why));
	}
	if (rte_test_is_failure(t) && f) {
		/* A message may be a whole screen; below it stands in full. */
		rte_test_failure_line(f, &line);
		b_buf_adds(b, "\n        ");
		rp_format_name(b, b_buf_cstr(&line), REASON_COLS);
		b_buf_release(&line);
	}
}

static void list_word(const struct rte_test_report *r, const struct rte_test *t, struct b_buf *out)
{
	static const struct {
		const char *word, *colour;
	} words[] = {
		[RTE_TEST_NOT_RUN] = { "-    ", YELLOW },
		[RTE_TEST_PASSED] = { "ok   ", GREEN },
		[RTE_TEST_FLAKY] = { "FLAKY", YELLOW },
		[RTE_TEST_XFAILED] = { "xfail", GREEN },
		[RTE_TEST_SKIPPED] = { "skip ", YELLOW },
		[RTE_TEST_FAILED] = { "FAIL ", RED },
		[RTE_TEST_BAD] = { "BAD  ", RED },
	};

	b_buf_adds(out, "  ");
	paint(r, out, words[t->outcome].colour, words[t->outcome].word);
	b_buf_addc(out, ' ');
	name(out, t);
}

static void list_test(const struct rte_test_report *r, const struct rte_test *t)
{
	struct b_buf b = B_BUF_INIT;
	const json_t *g;
	size_t i;

	if (t->outcome == RTE_TEST_NOT_RUN)
		return;
	list_word(r, t, &b);
	if (t->outcome != RTE_TEST_SKIPPED && t->outcome != RTE_TEST_BAD)
		b_buf_printf(&b, "  (%.2fs)", rte_test_seconds(t));
	reason(&b, t);
	b_buf_addc(&b, '\n');
	json_array_foreach(json_object_get(rte_test_last(t), "goldens"), i, g)
	{
		const char *is = rte_test_text(g, "is");

		if (!strcmp(is, "written") || !strcmp(is, "updated"))
			b_buf_printf(
				&b, "        %s golden screen %s\n", is, rte_test_text(g, "path"));
	}
	fwrite(b.data, 1, b.len, stdout);
	fflush(stdout);
	b_buf_release(&b);
}

/* Whether a try failed as the one before it: then it need not be read twice. */
static bool failed_alike(const json_t *before, const json_t *a)
{
	return before &&
		json_equal(json_object_get(before, "failures"), json_object_get(a, "failures")) &&
		json_equal(json_object_get(before, "log"), json_object_get(a, "log"));
}

/* The failures once more, in full. */
static void list_failures(const struct rte_test_report *r, const struct rte_test_plan *p)
{
	struct b_buf b = B_BUF_INIT;
	const json_t *a, *before;
	size_t i, n = 0;

	for (size_t k = 0; k < p->n_tests; k++) {
		const struct rte_test *t = &p->tests[k];
		bool flaky = t->outcome == RTE_TEST_FLAKY;

		if (!rte_test_is_failure(t) && !flaky)
			continue;
		b_buf_printf(&b, "\n%zu) ", ++n);
		name(&b, t);
		if (flaky)
			paint(r, &b, YELLOW, "  (flaky)");
		b_buf_addc(&b, '\n');
		before = NULL;
		json_array_foreach(t->attempts, i, a)
		{
			if (!rte_test_failure(a))
				continue;
			if (json_array_size(t->attempts) > 1 && !t->fails)
				b_buf_printf(&b, "   try %zu:\n", i + 1);
			if (failed_alike(before, a)) {
				b_buf_adds(&b, "   the same, on the same screen\n");
				labelled(&b, "   ", "artifacts:", rte_test_text(a, "artifacts"));
			} else {
				rte_test_attempt_text(a, "   ", &b);
			}
			before = a;
		}
	}
	fwrite(b_buf_cstr(&b), 1, b.len, stdout);
	b_buf_release(&b);
}

/* Many failures are long: their names once more, where the end of the output is looked at. */
static void list_names(const struct rte_test_report *r, const struct rte_test_plan *p,
	const struct rte_test_summary *s)
{
	struct b_buf b = B_BUF_INIT;

	if (s->n[RTE_TEST_FAILED] + s->n[RTE_TEST_BAD] + s->n[RTE_TEST_FLAKY] < 2)
		return;
	b_buf_addc(&b, '\n');
	for (size_t i = 0; i < p->n_tests; i++) {
		const struct rte_test *t = &p->tests[i];

		if (!rte_test_is_failure(t) && t->outcome != RTE_TEST_FLAKY)
			continue;
		list_word(r, t, &b);
		b_buf_addc(&b, '\n');
	}
	fwrite(b.data, 1, b.len, stdout);
	b_buf_release(&b);
}

static void list_paths(const char *what, char *const *paths, size_t n)
{
	struct b_buf b = B_BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		b_buf_printf(&b, "%s ", what);
		b_escape_text(&b, paths[i], strlen(paths[i]));
		b_buf_addc(&b, '\n');
	}
	fwrite(b_buf_cstr(&b), 1, b.len, stdout);
	b_buf_release(&b);
}

static void summary(
	const struct rte_test_report *r, const struct rte_test_summary *s, struct b_buf *out)
{
	static const struct {
		enum rte_test_outcome outcome;
		const char *colour;
	} order[] = { { RTE_TEST_BAD, RED }, { RTE_TEST_FAILED, RED }, { RTE_TEST_FLAKY, YELLOW },
		{ RTE_TEST_SKIPPED, YELLOW }, { RTE_TEST_NOT_RUN, YELLOW },
		{ RTE_TEST_XFAILED, GREEN }, { RTE_TEST_PASSED, GREEN } };
	char part[64];
	bool any = false;

	for (size_t i = 0; i < B_ARRAY_LEN(order); i++) {
		enum rte_test_outcome o = order[i].outcome;

		if (!s->n[o] && (o != RTE_TEST_PASSED || any))
			continue;
		b_buf_adds(out, any ? ", " : "");
		snprintf(part, sizeof part, "%zu %s", s->n[o],
			o == RTE_TEST_BAD && s->n[o] > 1 ? "bad scripts"
							 : rte_test_outcome_name(o));
		paint(r, out, order[i].colour, part);
		any = true;
	}
}

void rte_test_summary_text(const struct rte_test_summary *s, struct b_buf *out)
{
	static const struct rte_test_report plain = { 0 };

	summary(&plain, s, out);
}

static void list_summary(const struct rte_test_report *r, const struct rte_test_plan *p,
	const struct rte_test_summary *s)
{
	struct b_buf b = B_BUF_INIT;

	b_buf_addc(&b, '\n');
	summary(r, s, &b);
	b_buf_printf(&b, " (%.1fs)\n", s->seconds);
	if (s->written || s->updated)
		b_buf_printf(&b,
			"golden screens: %zu written, %zu updated; review and commit them\n",
			s->written, s->updated);
	fwrite(b.data, 1, b.len, stdout);
	b_buf_release(&b);
	list_paths(p->opt->update ? "removed, no test asks for it:"
				  : "no test asks for the golden screen (--update removes it):",
		s->unused, s->n_unused);
	list_paths("written twice, with different screens (give each its own name):", s->conflicts,
		s->n_conflicts);
}

/* ---- All forms ------------------------------------------------------------------------------- */

void rte_test_report_begin(struct rte_test_report *r, const struct rte_test_plan *p)
{
	size_t scripts = 0;

	if (r->form == RTE_TEST_FORM_TAP)
		rte_test_tap_begin(stdout, p);
	if (r->form != RTE_TEST_FORM_LIST)
		return;
	for (size_t i = 0; i < p->n_scopes; i++)
		scripts += p->scopes[i]->n_chosen > 0;
	printf("%zu test%s of %zu script%s, %zu at a time", p->n_tests, p->n_tests == 1 ? "" : "s",
		scripts, scripts == 1 ? "" : "s", r->jobs);
	if (p->opt->shuffle)
		printf(", shuffled with seed %llu", (unsigned long long)p->opt->shuffle_seed);
	printf("\n\n");
	fflush(stdout);
}

void rte_test_report_told(void *report, const struct rte_test_plan *p, const struct rte_test *t)
{
	struct rte_test_report *r = report;

	(void)p;
	r->n_told++;
	if (r->form == RTE_TEST_FORM_TAP)
		rte_test_tap(stdout, r->n_told, t);
	else if (r->form == RTE_TEST_FORM_LIST)
		list_test(r, t);
}

void rte_test_report_end(
	struct rte_test_report *r, const struct rte_test_plan *p, const struct rte_test_summary *s)
{
	if (r->form == RTE_TEST_FORM_TAP) {
		rte_test_tap_end(stdout, p, s);
	} else if (r->form == RTE_TEST_FORM_JSON) {
		rte_test_json(stdout, p, s);
	} else {
		list_failures(r, p);
		list_names(r, p, s);
		list_summary(r, p, s);
	}
	if (r->github)
		rte_test_github(r->form == RTE_TEST_FORM_LIST ? stdout : stderr, p, s);
	fflush(stdout);
}
