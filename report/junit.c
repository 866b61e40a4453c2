/*
 * JUnit XML for build servers: a suite of the thresholds, a suite of the validity sheet. Nobody owns
 * the format: this is valid by the schemas that people check with, as tests/support/junit.xsd says,
 * in which a case has no place for what was measured when all is well: that stands with its suite.
 */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "report/file.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

struct suite {
	const char *name, *class;
	struct b_buf cases, text;
	size_t n, n_failed;
};

static void add(struct b_buf *b, const char *s)
{
	b_escape_xml(b, s, strlen(s));
}

static void add_case(struct suite *s, const char *name, bool failed, const char *text)
{
	struct b_buf *b = &s->cases;

	b_buf_printf(b, "    <testcase classname=\"rte.%s\" name=\"", s->class);
	add(b, name);
	b_buf_adds(b, "\" time=\"0\">\n");
	if (failed) {
		b_buf_printf(b, "      <failure type=\"%s\" message=\"", s->class);
		add(b, text);
		b_buf_adds(b, "\">");
		add(b, text);
		b_buf_adds(b, "</failure>\n");
	} else {
		add(&s->text, name);
		b_buf_adds(&s->text, ": ");
		add(&s->text, text);
		b_buf_addc(&s->text, '\n');
	}
	b_buf_adds(b, "    </testcase>\n");
	s->n++;
	s->n_failed += failed;
}

static void add_thresholds(struct suite *s, const struct rp_run *r)
{
	char a[RP_FORMAT_SIZE], text[RP_FORMAT_SIZE + 16];

	add_case(s, "something was measured", !r->all.n_ok,
		r->all.n_ok ? rp_format_count(a, r->all.n_ok)
			    : "no transaction succeeded in the measurement interval");
	for (size_t i = 0; i < r->n_thresholds; i++) {
		const struct rp_threshold *t = &r->thresholds[i];

		snprintf(text, sizeof text, "measured: %s", rp_threshold_value(a, t));
		add_case(s, t->text, !t->passed, text);
	}
}

static void add_checks(struct suite *s, const struct rp_run *r)
{
	struct b_buf text = B_BUF_INIT;

	for (size_t i = 0; i < r->n_checks; i++) {
		const struct rp_check *c = &r->checks[i];

		b_buf_clear(&text);
		if (c->level != RP_BAD)
			b_buf_printf(&text, "%s: ", rp_level_names[c->level]);
		b_buf_adds(&text, c->text);
		add_case(s, c->name, c->level == RP_BAD, b_buf_cstr(&text));
	}
	b_buf_release(&text);
}

/* Appends the suite, and gives back what it holds. */
static void close_suite(struct b_buf *b, const struct rp_run *r, struct suite *s, size_t id)
{
	char iso[32];

	b_clock_iso8601(r->started_s < 9e9 ? (int64_t)(r->started_s * 1e9) : 0, iso);
	b_buf_printf(b,
		"  <testsuite name=\"%s\" package=\"rte\" id=\"%zu\" tests=\"%zu\" "
		"failures=\"%zu\" errors=\"0\" skipped=\"0\" time=\"%.3f\" timestamp=\"%.19s\" "
		"hostname=\"",
		s->name, id, s->n, s->n_failed, rp_interval_s(r), iso);
	add(b, r->host && *r->host ? r->host : "localhost");
	b_buf_adds(b, "\">\n    <properties/>\n");
	b_buf_add(b, s->cases.data, s->cases.len);
	b_buf_printf(b,
		"    <system-out>%s</system-out>\n    <system-err></system-err>\n"
		"  </testsuite>\n",
		b_buf_cstr(&s->text));
	b_buf_release(&s->cases);
	b_buf_release(&s->text);
}

static void add_all(struct b_buf *b, const struct rp_run *r)
{
	struct suite thresholds = { .name = "thresholds", .class = "threshold" };
	struct suite validity = { .name = "validity", .class = "validity" };

	add_thresholds(&thresholds, r);
	add_checks(&validity, r);
	b_buf_adds(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	close_suite(b, r, &thresholds, 0);
	close_suite(b, r, &validity, 1);
	b_buf_adds(b, "</testsuites>\n");
}

int rp_junit_write(const struct rp_run *r, const char *path, struct b_error *err)
{
	struct b_buf b = B_BUF_INIT;
	struct rp_file f;
	int rc = rp_file_open(&f, path, err);

	if (rc)
		return rc;
	add_all(&b, r);
	fwrite(b.data, 1, b.len, f.to); /* rp_file_close asks whether it worked */
	b_buf_release(&b);
	return rp_file_close(&f, B_OK, err);
}
