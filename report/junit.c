/*
 * JUnit XML for build servers: a suite of the thresholds, a suite of the validity sheet.
 * Source: the de facto schema that Jenkins and GitLab read.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "report/file.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

static void add(struct b_buf *b, const char *s)
{
	b_escape_xml(b, s, strlen(s));
}

static void open_suite(
	struct b_buf *b, const struct rp_run *r, const char *name, size_t n, size_t failed)
{
	char iso[32];

	b_clock_iso8601(r->started_s < 9e9 ? (int64_t)(r->started_s * 1e9) : 0, iso);
	b_buf_printf(b,
		"  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
		"skipped=\"0\" time=\"%.3f\" timestamp=\"%.19s\" hostname=\"",
		name, n, failed, rp_interval_s(r), iso);
	add(b, r->host ? r->host : "");
	b_buf_adds(b, "\">\n");
}

static void open_case(struct b_buf *b, const char *class, const char *name)
{
	b_buf_printf(b, "    <testcase classname=\"rte.%s\" name=\"", class);
	add(b, name);
	b_buf_adds(b, "\" time=\"0\">\n");
}

static void failure(struct b_buf *b, const char *type, const char *text)
{
	b_buf_printf(b, "      <failure type=\"%s\" message=\"", type);
	add(b, text);
	b_buf_adds(b, "\">");
	add(b, text);
	b_buf_adds(b, "</failure>\n");
}

static void add_threshold(struct b_buf *b, const struct rp_threshold *t)
{
	struct b_buf text = B_BUF_INIT;
	char value[RP_FORMAT_SIZE];

	if (t->unit == RP_UNIT_S)
		rp_format_s(value, t->value);
	else if (t->unit == RP_UNIT_SHARE)
		rp_format_share(value, t->value);
	else
		rp_format_number(value, t->value);
	open_case(b, "threshold", t->text);
	b_buf_printf(&text, "%s: %s", t->text, isnan(t->value) ? "nothing was measured" : value);
	if (!t->passed)
		failure(b, "threshold", b_buf_cstr(&text));
	else
		b_buf_printf(b, "      <system-out>%s</system-out>\n", value);
	b_buf_adds(b, "    </testcase>\n");
	b_buf_release(&text);
}

static void add_check(struct b_buf *b, const struct rp_check *c)
{
	open_case(b, "validity", c->name);
	if (c->level == RP_BAD) {
		failure(b, "validity", c->text);
	} else {
		b_buf_printf(b, "      <system-out>%s: ", rp_level_names[c->level]);
		add(b, c->text);
		b_buf_adds(b, "</system-out>\n");
	}
	b_buf_adds(b, "    </testcase>\n");
}

static void add_all(struct b_buf *b, const struct rp_run *r)
{
	size_t missed = 0, bad = 0;
	bool nothing = !r->all.n_ok;

	for (size_t i = 0; i < r->n_thresholds; i++)
		missed += !r->thresholds[i].passed;
	for (size_t i = 0; i < r->n_checks; i++)
		bad += r->checks[i].level == RP_BAD;
	b_buf_printf(b,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"rte\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
		r->n_thresholds + r->n_checks + 1, missed + bad + nothing);
	open_suite(b, r, "thresholds", r->n_thresholds + 1, missed + nothing);
	open_case(b, "threshold", "something was measured");
	if (nothing)
		failure(b, "threshold", "no transaction succeeded in the measurement interval");
	b_buf_adds(b, "    </testcase>\n");
	for (size_t i = 0; i < r->n_thresholds; i++)
		add_threshold(b, &r->thresholds[i]);
	b_buf_adds(b, "  </testsuite>\n");
	open_suite(b, r, "validity", r->n_checks, bad);
	for (size_t i = 0; i < r->n_checks; i++)
		add_check(b, &r->checks[i]);
	b_buf_adds(b, "  </testsuite>\n</testsuites>\n");
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
