/*
 * TAP version 14. Source: testanything.org, "TAP 14 specification": a plan, a test point a line,
 * # SKIP and # TODO, a YAML block behind a failure; a hash and a backslash are escaped.
 *
 * The YAML is JSON in a YAML block, string by string, so that no text can end it.
 */
#include <string.h>

#include "base/escape.h"
#include "rte/test_report.h"
#include "base/banned.h"

void rte_test_tap_begin(FILE *to, const struct rte_test_plan *p)
{
	fprintf(to, "TAP version 14\n1..%zu%s\n", p->n_tests, p->n_tests ? "" : " # no tests");
	fflush(to);
}

/* A description or a reason: one line, nothing in it begins a directive. */
static void describe(struct b_buf *out, const char *s)
{
	struct b_buf plain = B_BUF_INIT;

	b_escape_text(&plain, s, strlen(s));
	for (size_t i = 0; i < plain.len; i++) {
		if (plain.data[i] == '#' || plain.data[i] == '\\')
			b_buf_addc(out, '\\');
		b_buf_addc(out, plain.data[i]);
	}
	b_buf_release(&plain);
}

static void quoted(struct b_buf *out, const char *s, size_t len)
{
	b_buf_addc(out, '"');
	b_escape_json(out, s, len);
	b_buf_adds(out, "\"\n");
}

static void text(struct b_buf *out, const json_t *o, const char *name)
{
	const char *s = rte_test_text(o, name);

	if (!*s)
		return;
	b_buf_printf(out, "  %s: ", name);
	quoted(out, s, strlen(s));
}

/* A list of lines, which people can read. */
static void block(struct b_buf *out, const json_t *o, const char *name)
{
	const char *s = rte_test_text(o, name);

	if (!*s)
		return;
	b_buf_printf(out, "  %s:\n", name);
	while (*s) {
		size_t n = strcspn(s, "\n");

		b_buf_adds(out, "    - ");
		quoted(out, s, n);
		s += n + (s[n] == '\n');
	}
}

static void others(struct b_buf *out, const json_t *attempt)
{
	const json_t *f;
	size_t i;

	json_array_foreach(json_object_get(attempt, "failures"), i, f)
	{
		struct b_buf line = B_BUF_INIT;

		if (!i)
			continue;
		b_buf_adds(out, i == 1 ? "  more:\n    - " : "    - ");
		rte_test_failure_line(f, &line);
		quoted(out, line.data, line.len);
		b_buf_release(&line);
	}
}

static void yaml(struct b_buf *out, const struct rte_test *t, const json_t *attempt)
{
	const json_t *f = rte_test_failure(attempt);
	const char *file = rte_test_text(f, "file");

	b_buf_adds(out, "  ---\n");
	text(out, f, "message");
	b_buf_printf(out, "  severity: %s\n",
		t->outcome == RTE_TEST_XFAILED         ? "todo"
			: t->outcome == RTE_TEST_FLAKY ? "comment"
						       : "fail");
	text(out, f, "kind");
	if (*file) {
		b_buf_adds(out, "  at:\n    file: ");
		quoted(out, file, strlen(file));
		b_buf_printf(out, "    line: %lld\n",
			(long long)json_integer_value(json_object_get(f, "line")));
	}
	text(out, f, "expected");
	text(out, f, "transaction");
	text(out, f, "unanswered");
	block(out, f, "diff");
	block(out, f, "screen");
	text(out, f, "output");
	others(out, attempt);
	text(out, attempt, "artifacts");
	b_buf_printf(out, "  duration_ms: %.3f\n", rte_test_seconds(t) * 1000);
	b_buf_adds(out, "  ...\n");
}

void rte_test_tap(FILE *to, size_t number, const struct rte_test *t)
{
	const json_t *last = rte_test_last(t);
	bool ok = !rte_test_is_failure(t) && t->outcome != RTE_TEST_XFAILED;
	struct b_buf b = B_BUF_INIT;

	b_buf_printf(&b, "%s %zu - ", ok ? "ok" : "not ok", number);
	describe(&b, t->file);
	b_buf_adds(&b, ": ");
	describe(&b, t->name);
	if (t->outcome == RTE_TEST_FLAKY)
		b_buf_printf(&b, " (flaky: passed at try %zu)", json_array_size(t->attempts));
	if (t->outcome == RTE_TEST_SKIPPED || t->outcome == RTE_TEST_NOT_RUN) {
		b_buf_adds(&b, " # SKIP ");
		describe(&b,
			t->outcome == RTE_TEST_SKIPPED ? rte_test_text(last, "reason") : "not run");
	} else if (t->outcome == RTE_TEST_XFAILED) {
		b_buf_adds(&b, " # TODO ");
		describe(&b, t->fails);
	}
	b_buf_addc(&b, '\n');
	if (!ok)
		yaml(&b, t, last);
	else if (t->outcome == RTE_TEST_FLAKY)
		yaml(&b, t, json_array_get(t->attempts, 0));
	fwrite(b.data, 1, b.len, to);
	fflush(to);
	b_buf_release(&b);
}

void rte_test_tap_end(FILE *to, const struct rte_test_plan *p, const struct rte_test_summary *s)
{
	struct b_buf b = B_BUF_INIT;

	for (size_t i = 0; i < s->n_unused; i++) {
		b_buf_printf(&b, "# golden screen that no test asks for%s: ",
			p->opt->update ? ", removed" : "");
		b_escape_text(&b, s->unused[i], strlen(s->unused[i]));
		b_buf_addc(&b, '\n');
	}
	for (size_t i = 0; i < s->n_conflicts; i++) {
		b_buf_adds(&b, "# golden screen written twice, with different screens: ");
		b_escape_text(&b, s->conflicts[i], strlen(s->conflicts[i]));
		b_buf_addc(&b, '\n');
	}
	if (s->interrupted)
		b_buf_adds(&b, "Bail out! interrupted\n");
	fwrite(b_buf_cstr(&b), 1, b.len, to);
	b_buf_release(&b);
}
