/*
 * JUnit XML: a suite a script, a case a test. Nobody owns the format: this writes what is valid by
 * both schemas that people check with, Ant's (JUnit.xsd) and Jenkins' (junit-10.xsd), as
 * tests/support/junit.xsd says; flakyFailure, for tests that passed at a later try, is Surefire's
 * and Jenkins' alone.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/file.h"
#include "rte/test_report.h"
#include "base/banned.h"

static void add(struct b_buf *b, const char *s)
{
	b_escape_xml(b, s, strlen(s));
}

/* forms/query.lua is forms.query, as viewers group by dots. */
static void add_class(struct b_buf *b, const char *file)
{
	size_t len = strlen(file);
	struct b_buf name = B_BUF_INIT;

	if (len > 4 && !strcmp(file + len - 4, ".lua"))
		len -= 4;
	for (size_t i = 0; i < len; i++) {
		char c = file[i] == '/' ? '.' : file[i];

		if (c != '.' || (name.len && name.data[name.len - 1] != '.'))
			b_buf_addc(&name, c);
	}
	add(b, b_buf_cstr(&name));
	b_buf_release(&name);
}

static void failure(struct b_buf *b, const char *element, const json_t *attempt, bool nested)
{
	const json_t *f = rte_test_failure(attempt);
	struct b_buf text = B_BUF_INIT, line = B_BUF_INIT;

	rte_test_failure_line(f, &line);
	rte_test_attempt_text(attempt, "", &text);
	b_buf_printf(b, "      <%s type=\"", element);
	add(b, rte_test_text(f, "kind"));
	b_buf_adds(b, "\" message=\"");
	add(b, b_buf_cstr(&line));
	b_buf_adds(b, nested ? "\"><stackTrace>" : "\">");
	add(b, b_buf_cstr(&text));
	b_buf_printf(b, "%s</%s>\n", nested ? "</stackTrace>" : "", element);
	b_buf_release(&text);
	b_buf_release(&line);
}

static void skipped(struct b_buf *b, const char *why)
{
	b_buf_adds(b, "      <skipped message=\"");
	add(b, why);
	b_buf_adds(b, "\"/>\n");
}

static void test_case(struct b_buf *b, const struct rte_test *t)
{
	const json_t *last = rte_test_last(t), *a;
	struct b_buf why = B_BUF_INIT;
	size_t i;

	b_buf_adds(b, "    <testcase classname=\"");
	add_class(b, t->file);
	b_buf_adds(b, "\" name=\"");
	add(b, t->name);
	b_buf_printf(b, "\" time=\"%.3f\">\n", rte_test_seconds(t));
	switch (t->outcome) {
	case RTE_TEST_FAILED: failure(b, "failure", last, false); break;
	case RTE_TEST_BAD: failure(b, "error", last, false); break;
	case RTE_TEST_SKIPPED: skipped(b, rte_test_text(last, "reason")); break;
	case RTE_TEST_NOT_RUN: skipped(b, "not run"); break;
	case RTE_TEST_XFAILED:
		b_buf_printf(&why, "failed as expected: %s", t->fails);
		skipped(b, b_buf_cstr(&why));
		break;
	case RTE_TEST_FLAKY:
		json_array_foreach(t->attempts, i, a)
		{
			if (rte_test_failure(a))
				failure(b, "flakyFailure", a, true);
		}
		break;
	case RTE_TEST_PASSED: break;
	}
	b_buf_adds(b, "    </testcase>\n");
	b_buf_release(&why);
}

struct counts {
	size_t tests, failures, errors, skipped;
	double seconds;
};

static void count(struct counts *c, const struct rte_test *t)
{
	c->tests++;
	c->failures += t->outcome == RTE_TEST_FAILED;
	c->errors += t->outcome == RTE_TEST_BAD;
	c->skipped += t->outcome == RTE_TEST_SKIPPED || t->outcome == RTE_TEST_NOT_RUN ||
		t->outcome == RTE_TEST_XFAILED;
	c->seconds += rte_test_seconds(t);
}

/* A case has no place for what its test logged: it stands with the suite, under the test's name. */
static void add_log(struct b_buf *b, const struct rte_test *t)
{
	const json_t *line;
	size_t i;

	json_array_foreach(json_object_get(rte_test_last(t), "log"), i, line)
	{
		add(b, t->name);
		b_buf_adds(b, ": ");
		add(b, json_string_value(line));
		b_buf_addc(b, '\n');
	}
}

static void suite(struct b_buf *b, const struct rte_test_plan *p,
	const struct rte_test_scope *scope, size_t id, const char *timestamp)
{
	struct counts c = { 0 };
	char host[256] = "";

	for (size_t i = 0; i < p->n_tests; i++)
		if (p->tests[i].scope == scope)
			count(&c, &p->tests[i]);
	(void)!gethostname(host, sizeof host - 1);
	b_buf_adds(b, "  <testsuite name=\"");
	add(b, scope->path);
	b_buf_printf(b,
		"\" package=\"\" id=\"%zu\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"skipped=\"%zu\" time=\"%.3f\" timestamp=\"%.19s\" hostname=\"",
		id, c.tests, c.failures, c.errors, c.skipped, c.seconds, timestamp);
	add(b, *host ? host : "localhost");
	b_buf_adds(b, "\">\n    <properties/>\n");
	for (size_t i = 0; i < p->n_tests; i++)
		if (p->tests[i].scope == scope)
			test_case(b, &p->tests[i]);
	b_buf_adds(b, "    <system-out>");
	for (size_t i = 0; i < p->n_tests; i++)
		if (p->tests[i].scope == scope)
			add_log(b, &p->tests[i]);
	b_buf_adds(b, "</system-out>\n    <system-err></system-err>\n  </testsuite>\n");
}

int rte_test_junit_write(const char *path, const struct rte_test_plan *p,
	const struct rte_test_summary *s, struct b_error *err)
{
	struct b_buf b = B_BUF_INIT;
	char timestamp[32];
	size_t id = 0;
	int rc;

	b_clock_iso8601(b_clock_wall_ns() - (int64_t)(s->seconds * 1e9), timestamp);
	b_buf_adds(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	for (size_t i = 0; i < p->n_scopes; i++)
		if (p->scopes[i]->n_chosen)
			suite(&b, p, p->scopes[i], id++, timestamp);
	b_buf_adds(&b, "</testsuites>\n");
	rc = b_file_replace(path, b.data, b.len, err);
	b_buf_release(&b);
	return rc;
}
