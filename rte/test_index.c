/*
 * The tests of a run on one page, failures first, with ways to the page of each failed try: what a
 * person opens who was sent the artifacts of a build server.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "rte/test_artifacts.h"
#include "rte/test_report.h"
#include "base/banned.h"

static void text(struct b_buf *out, const char *s)
{
	b_escape_xml(out, s, strlen(s));
}

static const char *look_of(const struct rte_test *t)
{
	if (rte_test_is_failure(t))
		return "badge";
	return t->outcome == RTE_TEST_PASSED || t->outcome == RTE_TEST_XFAILED ? "badge passed"
									       : "t";
}

/* The page of a try, if it left one; the path as it is seen from ours. */
static void add_try(struct b_buf *out, const char *artifacts, const json_t *attempt, size_t number)
{
	const char *folder = rte_test_text(attempt, "artifacts");
	size_t len = strlen(artifacts);

	if (!strncmp(folder, artifacts, len) && folder[len] == '/') {
		b_buf_adds(out, " <a href=\"");
		text(out, folder + len + 1);
		b_buf_printf(out, "/trace.html\">try %zu</a>", number);
	}
}

static void add_test(struct b_buf *out, const struct rte_test *t, const char *artifacts)
{
	const json_t *a, *first = NULL;
	struct b_buf line = B_BUF_INIT;
	size_t i;

	b_buf_printf(out, "<tr><td class=\"%s\">%s</td><td>", look_of(t),
		rte_test_outcome_name(t->outcome));
	text(out, t->name);
	b_buf_adds(out, " <span class=\"t\">");
	text(out, t->file);
	b_buf_printf(out, ":%d</span></td><td>%.2fs</td><td>", t->line, rte_test_seconds(t));
	json_array_foreach(t->attempts, i, a)
	{
		if (!first)
			first = rte_test_failure(a);
	}
	if (first)
		rte_test_failure_line(first, &line);
	else if (t->outcome == RTE_TEST_SKIPPED)
		b_buf_adds(&line, rte_test_text(rte_test_last(t), "reason"));
	text(out, b_buf_cstr(&line));
	b_buf_release(&line);
	json_array_foreach(t->attempts, i, a)
	{
		add_try(out, artifacts, a, i + 1);
	}
	b_buf_adds(out, "</td></tr>\n");
}

static void add_tests(struct b_buf *out, const struct rte_test_plan *p, bool failed)
{
	for (size_t i = 0; i < p->n_tests; i++) {
		const struct rte_test *t = &p->tests[i];

		if ((rte_test_is_failure(t) || t->outcome == RTE_TEST_FLAKY) == failed)
			add_test(out, t, p->opt->artifacts);
	}
}

int rte_test_index_write(
	const struct rte_test_plan *p, const struct rte_test_summary *s, struct b_error *err)
{
	struct b_buf out = B_BUF_INIT, path = B_BUF_INIT, sum = B_BUF_INIT;
	char when[32];
	int rc;

	rte_test_summary_text(s, &sum);
	b_clock_iso8601(b_clock_wall_ns(), when);
	b_buf_adds(&out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>Tests: ");
	b_buf_printf(&out, "%s</title>\n<style>\n", b_buf_cstr(&sum));
	rte_test_html_style(&out);
	b_buf_printf(&out,
		"main { display: block; overflow-x: auto; }\n"
		".t { color: var(--dim); }\na { color: var(--link); }\n</style></head>\n<body><header><h1>%s"
		"</h1>\n<p>%.2fs, %.10s %.8s UTC</p></header>\n<main><table>\n",
		b_buf_cstr(&sum), s->seconds, when, when + 11);
	add_tests(&out, p, true);
	add_tests(&out, p, false);
	b_buf_adds(&out, "</table></main></body></html>\n");
	b_buf_printf(&path, "%s/index.html", p->opt->artifacts);
	rc = rte_test_folders_make(p->opt->artifacts, err);
	if (!rc)
		rc = rte_test_file_write(b_buf_cstr(&path), out.data, out.len, err);
	b_buf_release(&out);
	b_buf_release(&path);
	b_buf_release(&sum);
	return rc;
}
