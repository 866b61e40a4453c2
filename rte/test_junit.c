/*
 * JUnit XML: a suite a script, a case a test. Nobody owns the format; this writes what Jenkins
 * (junit-10.xsd), GitLab and GitHub's reporters read, and nothing beside it: tests/support/junit.xsd.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
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

static void log_lines(struct b_buf *b, const json_t *attempt)
{
	const json_t *log = json_object_get(attempt, "log"), *line;
	size_t i;

	if (!json_array_size(log))
		return;
	b_buf_adds(b, "      <system-out>");
	json_array_foreach(log, i, line)
	{
		add(b, json_string_value(line));
		b_buf_addc(b, '\n');
	}
	b_buf_adds(b, "</system-out>\n");
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
	log_lines(b, last);
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

static void suite(struct b_buf *b, const struct rte_test_plan *p,
	const struct rte_test_scope *scope, const char *timestamp)
{
	struct counts c = { 0 };
	char host[256] = "";

	for (size_t i = 0; i < p->n_tests; i++)
		if (p->tests[i].scope == scope)
			count(&c, &p->tests[i]);
	if (!c.tests)
		return;
	(void)!gethostname(host, sizeof host - 1);
	b_buf_adds(b, "  <testsuite name=\"");
	add(b, scope->path);
	b_buf_printf(b,
		"\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\" "
		"timestamp=\"%.19s\" hostname=\"",
		c.tests, c.failures, c.errors, c.skipped, c.seconds, timestamp);
	add(b, host);
	b_buf_adds(b, "\">\n");
	for (size_t i = 0; i < p->n_tests; i++)
		if (p->tests[i].scope == scope)
			test_case(b, &p->tests[i]);
	b_buf_adds(b, "  </testsuite>\n");
}

static int save(const char *path, const struct b_buf *b, struct b_error *err)
{
	struct b_buf part = B_BUF_INIT;
	int rc = B_OK;
	FILE *f;

	b_buf_printf(&part, "%s.%ld~", path, (long)getpid());
	f = fopen(b_buf_cstr(&part), "we");
	if (!f || fwrite(b->data, 1, b->len, f) != b->len)
		rc = B_ESYS;
	if (f && fclose(f))
		rc = B_ESYS;
	if (!rc && rename(b_buf_cstr(&part), path))
		rc = B_ESYS;
	if (rc) {
		b_error_set(err, rc, "cannot write %s: %s", path, strerror(errno));
		unlink(b_buf_cstr(&part));
	}
	b_buf_release(&part);
	return rc;
}

int rte_test_junit_write(const char *path, const struct rte_test_plan *p,
	const struct rte_test_summary *s, struct b_error *err)
{
	struct b_buf b = B_BUF_INIT;
	struct counts c = { 0 };
	char timestamp[32];
	int rc;

	b_clock_iso8601(b_clock_wall_ns() - (int64_t)(s->seconds * 1e9), timestamp);
	for (size_t i = 0; i < p->n_tests; i++)
		count(&c, &p->tests[i]);
	b_buf_printf(&b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"rte test\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"time=\"%.3f\">\n",
		c.tests, c.failures, c.errors, s->seconds);
	for (size_t i = 0; i < p->n_scopes; i++)
		suite(&b, p, p->scopes[i], timestamp);
	b_buf_adds(&b, "</testsuites>\n");
	rc = save(path, &b, err);
	b_buf_release(&b);
	return rc;
}
