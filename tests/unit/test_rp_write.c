/* What is written from a run: each format read back by something that is not the writer. */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "report/csv_read.h"
#include "report/report.h"
#include "report/run.h"
#include "tests/unit/rp_dir.h"

#define HOSTILE "</script><script>alert(1)</script>\"'&,\xE2\x80\xA8"

/* Two transactions, one of a hostile name; a failure with a hostile screen and detail. */
static void make(const struct rp_dir *d)
{
	FILE *f = rp_dir_rows(d, RUNDIR_TRANSACTIONS_CSV);
	struct rp_row bad = { .start_s = 33,
		.name = "query",
		.status = "timeout",
		.counted = 1,
		.response_s = -1,
		.keying_s = 0.5,
		.think_s = 1,
		.detail = "\"<b onclick=alert(1)>\"" };

	for (int i = 0; i < 1000; i++) {
		struct rp_row w = { .start_s = 11 + 0.058 * i,
			.counted = 1,
			.name = i % 4 ? "query"
				      : "\"</script><script>alert(1)</script>\"\"'&,\xE2\x80\xA8\"",
			.response_s = (1 + (i * 37) % 1000) * 0.001,
			.keying_s = 0.5,
			.think_s = 1 };

		rp_dir_row(f, &w);
	}
	rp_dir_row(f, &bad);
	fclose(f);
	rp_dir_json(d, RUNDIR_RUN_JSON, 7, ",\"thresholds\":[\"query:p90<2s\",\"*:max<1ms\"]");
	rp_dir_sub(d, RUNDIR_FAILURES_DIR);
	rp_dir_write(d, RUNDIR_FAILURES_DIR "/x.txt", "plain </pre><script>alert(2)</script>");
	rp_dir_write(d, RUNDIR_FAILURES_DIR "/x.ans",
		"\033[2J\033[1;1H\033[31mred</pre><script>alert(2)</script>\033[0m");
}

struct fixture {
	struct rp_dir dir;
	struct rp_run *run;
};

static int setup(void **state)
{
	struct rp_load_options opt = { .keep_rows = true };
	struct fixture *f = b_calloc(1, sizeof *f);
	struct b_error err = { 0 };

	rp_dir_make(&f->dir);
	make(&f->dir);
	if (rp_run_load(&f->run, f->dir.path, &opt, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	rp_run_free(f->run);
	rp_dir_remove(&f->dir);
	free(f);
	return 0;
}

/* What a writer of a stream writes. */
static char *text_of(const struct rp_run *r, int (*write)(const struct rp_run *r, FILE *to))
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	assert_int_equal(write(r, f), 0);
	fclose(f);
	return text;
}

static char *file_of(const char *path)
{
	struct b_buf b = B_BUF_INIT;
	FILE *f = fopen(path, "r");
	char block[4096];
	size_t n;

	assert_non_null(f);
	while ((n = fread(block, 1, sizeof block, f)) > 0)
		b_buf_add(&b, block, n);
	fclose(f);
	return b_buf_take(&b, NULL);
}

static double number(json_t *o, const char *key)
{
	json_t *v = json_object_get(o, key);

	if (!json_is_number(v))
		fail_msg("no number '%s'", key);
	return json_number_value(v);
}

static void near(double is, double want)
{
	if (!(fabs(is - want) < 1e-9))
		fail_msg("%.12g is not %.12g", is, want);
}

static void json(void **state)
{
	struct fixture *f = *state;
	char *text = text_of(f->run, rp_json_write);
	json_error_t why;
	json_t *o = json_loads(text, 0, &why), *all, *response, *list, *t;
	size_t i;

	if (!o)
		fail_msg("line %d: %s", why.line, why.text);
	near(number(o, "format"), 1);
	near(number(o, "users"), 7);
	near(number(o, "exit_status"), 1);
	all = json_object_get(o, "all");
	near(number(all, "ok"), 1000);
	near(number(all, "failed"), 1);
	near(number(json_object_get(all, "failed_by"), "timeout"), 1);
	near(number(all, "rate_per_s"), 1000 / 60.0);
	near(number(all, "errors"), 1 / 1001.0);
	response = json_object_get(all, "response");
	near(number(response, "min_s"), 0.001);
	near(number(response, "mean_s"), 0.5005);
	near(number(response, "p50_s"), 0.5);
	near(number(response, "p99_9_s"), 0.999);
	near(number(response, "max_s"), 1);
	list = json_object_get(o, "transactions");
	assert_int_equal(json_array_size(list), 2);
	json_array_foreach(list, i, t) assert_true(!strcmp(
		json_string_value(json_object_get(t, "transaction")), i ? "query" : HOSTILE));
	list = json_object_get(o, "thresholds");
	assert_true(json_is_true(json_object_get(json_array_get(list, 0), "met")));
	assert_true(json_is_false(json_object_get(json_array_get(list, 1), "met")));
	assert_null(strstr(text, "tpmC"));
	json_decref(o);
	free(text);
}

/* Instants to the microsecond, and no digits that nobody measured. */
static void times_as_logged(void **state)
{
	struct rp_load_options opt = { 0 };
	struct b_error err = { 0 };
	struct rp_run *r = NULL;
	struct rp_dir d;
	char *text;
	FILE *f;

	(void)state;
	rp_dir_make(&d);
	f = rp_dir_rows(&d, RUNDIR_TRANSACTIONS_CSV);
	rp_dir_row(f, &(struct rp_row){ .start_s = 20, .counted = 1, .response_s = 0.047334 });
	fclose(f);
	rp_dir_write(&d, RUNDIR_RUN_JSON,
		"{\"outcome\":\"finished\",\"started_s\":1796000000.737359,\"phases\":["
		"{\"name\":\"measure\",\"start_s\":1796000010.837360,"
		"\"end_s\":1796000050.937361}]}");
	assert_int_equal(rp_run_load(&r, d.path, &opt, &err), B_OK);
	text = text_of(r, rp_json_write);
	assert_non_null(strstr(text, "\"started_s\": 1796000000.73736"));
	assert_non_null(strstr(text, "\"from_s\": 10.100001,"));
	assert_non_null(strstr(text, "\"to_s\": 50.200002,"));
	assert_non_null(strstr(text, "\"p90_s\": 0.047334,"));
	free(text);
	rp_run_free(r);
	rp_dir_remove(&d);
}

static void csv(void **state)
{
	struct fixture *f = *state;
	char *text = text_of(f->run, rp_csv_write), path[512];
	struct b_error err = { 0 };
	struct rp_csv c;
	int name, p90, ok, rows = 0;

	rp_dir_write(&f->dir, "out.csv", text);
	snprintf(path, sizeof path, "%s/out.csv", f->dir.path);
	assert_int_equal(rp_csv_open(&c, path, &err), 0);
	name = rp_csv_column(&c, "transaction");
	ok = rp_csv_column(&c, "ok");
	p90 = rp_csv_column(&c, "response_p90_s");
	assert_true(name >= 0 && ok >= 0 && p90 >= 0);
	while (rp_csv_next(&c, &err) == 1) {
		rows++;
		assert_int_equal(c.n_fields, c.n_columns);
		if (rp_field_is(rp_csv_field(&c, name), "*")) {
			near(rp_field_double(rp_csv_field(&c, p90)), 0.9);
			near(rp_field_double(rp_csv_field(&c, ok)), 1000);
		}
	}
	assert_int_equal(rows, 3);
	rp_csv_close(&c);
	free(text);
}

static int write_jtl(const struct rp_run *r, FILE *to)
{
	struct b_error err = { 0 };

	return rp_jtl_write(r, to, &err);
}

static void jtl(void **state)
{
	struct fixture *f = *state;
	char *text = text_of(f->run, write_jtl), path[512];
	struct b_error err = { 0 };
	int64_t elapsed, sum = 0, stamp;
	struct rp_csv c;
	int rows = 0, failed = 0, label, ok, ms, at;

	rp_dir_write(&f->dir, "out.jtl", text);
	snprintf(path, sizeof path, "%s/out.jtl", f->dir.path);
	assert_int_equal(rp_csv_open(&c, path, &err), 0);
	label = rp_csv_column(&c, "label");
	ok = rp_csv_column(&c, "success");
	ms = rp_csv_column(&c, "elapsed");
	at = rp_csv_column(&c, "timeStamp");
	while (rp_csv_next(&c, &err) == 1) {
		rows++;
		assert_int_equal(c.n_fields, c.n_columns);
		assert_true(rp_field_int(rp_csv_field(&c, at), &stamp));
		assert_true(stamp >= 1796000010000 && stamp <= 1796000070000);
		assert_true(rp_field_is(rp_csv_field(&c, label), "query") ||
			rp_field_is(rp_csv_field(&c, label), HOSTILE) ||
			/* the line separator as it is escaped in CSV */
			strstr(rp_csv_field(&c, label).s, "2028"));
		if (rp_field_is(rp_csv_field(&c, ok), "true")) {
			assert_true(rp_field_int(rp_csv_field(&c, ms), &elapsed));
			sum += elapsed;
		} else {
			failed++;
		}
	}
	assert_int_equal(rows, 1001);
	assert_int_equal(failed, 1);
	assert_int_equal(sum, 500500);
	rp_csv_close(&c);
	free(text);
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (const char *s = strstr(text, what); s; s = strstr(s + 1, what))
		n++;
	return n;
}

static void junit(void **state)
{
	struct fixture *f = *state;
	struct b_error err = { 0 };
	char path[512], *text, want[64];
	size_t bad = 0;

	snprintf(path, sizeof path, "%s/j.xml", f->dir.path);
	assert_int_equal(rp_junit_write(f->run, path, &err), 0);
	text = file_of(path);
	for (size_t i = 0; i < f->run->n_checks; i++)
		bad += f->run->checks[i].level == RP_BAD;
	assert_int_equal(count(text, "<failure "), bad + 1); /* a threshold is missed */
	assert_int_equal(count(text, "<testcase "), f->run->n_checks + f->run->n_thresholds + 1);
	snprintf(want, sizeof want, "failures=\"%zu\" errors=\"0\" ", bad);
	assert_non_null(strstr(strstr(text, "name=\"validity\""), want));
	assert_non_null(
		strstr(text, "<system-out>something was measured: 1,000\nquery:p90&lt;2s: "));
	free(text);
}

/* ---- HdrHistogram ----------------------------------------------------------------------------- */

static int digit(char c)
{
	static const char all[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(all, c);

	return at ? (int)(at - all) : -1;
}

static size_t unbase64(const char *s, size_t len, unsigned char *out)
{
	size_t n = 0;
	unsigned v = 0;
	int bits = 0;

	for (size_t i = 0; i < len && s[i] != '='; i++) {
		v = v << 6 | (unsigned)digit(s[i]);
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			out[n++] = (unsigned char)(v >> bits);
		}
	}
	return n;
}

/* Lowest value of a step, as HdrHistogram defines its layout with three digits from 1 on. */
static double value_at(size_t index)
{
	size_t bucket = index >> 10, sub = (index & 1023) + 1024;

	if (!bucket)
		return (double)index;
	return (double)((uint64_t)(bucket == 0 ? index : sub) << (bucket - 1));
}

static void add_histogram(const char *line, double *n, double *sum_ns)
{
	const char *packed = line;
	unsigned char raw[65536], plain[262144];
	uLongf len = sizeof plain;
	size_t n_raw, index = 0;
	static const unsigned char deflated[4] = { 0x1c, 0x84, 0x93, 0x14 };
	static const unsigned char v2[4] = { 0x1c, 0x84, 0x93, 0x13 };

	for (int comma = 0; comma < 4; packed++)
		comma += *packed == ',';
	n_raw = unbase64(packed, strcspn(packed, "\n"), raw);
	assert_memory_equal(raw, deflated, 4);
	assert_int_equal(uncompress(plain, &len, raw + 8, n_raw - 8), Z_OK);
	assert_memory_equal(plain, v2, 4);
	assert_int_equal(plain[15], 3);
	for (size_t i = 40; i < len;) {
		uint64_t z = 0;
		int shift = 0;
		int64_t v;

		do {
			z |= (uint64_t)(plain[i] & 0x7F) << shift;
			shift += 7;
		} while (plain[i++] & 0x80);
		v = (int64_t)(z >> 1) ^ -(int64_t)(z & 1);
		if (v < 0) {
			index += (size_t)-v;
		} else {
			*n += (double)v;
			*sum_ns += (double)v * value_at(index);
			index++;
		}
	}
}

static void hdr(void **state)
{
	struct fixture *f = *state;
	char *text = text_of(f->run, rp_hdr_write);
	double n = 0, sum = 0;

	assert_non_null(strstr(text, "#[Histogram log format version 1.3]\n"));
	for (const char *s = text, *nl; (nl = strchr(s, '\n')); s = nl + 1) {
		if (strncmp(s, "Tag=", 4))
			continue;
		assert_true(strcspn(s, " \t") >= (size_t)(nl - s)); /* no blank in a tag */
		add_histogram(s, &n, &sum);
	}
	near(n, 1000);
	assert_true(fabs(sum / n / 1e9 - 0.5005) < 0.0005); /* a step is a thousandth */
	free(text);
}

/* ---- HTML ----------------------------------------------------------------------------------------- */

static void html(void **state)
{
	struct fixture *f = *state;
	struct b_error err = { 0 };
	char path[512], *text, *data, *end;
	json_error_t why;
	json_t *o;

	snprintf(path, sizeof path, "%s/r.html", f->dir.path);
	assert_int_equal(rp_html_write(f->run, path, &err), 0);
	text = file_of(path);
	assert_true(strlen(text) < 3u << 20);
	assert_int_equal(count(text, "<script"), 3); /* data, library, ours */
	assert_int_equal(count(text, "</script"), 3);
	assert_null(strstr(text, "<script>alert"));
	assert_null(strstr(text, "<b onclick"));
	assert_null(strstr(text, "src=\"http"));
	assert_null(strstr(text, "sourceMappingURL"));
	assert_non_null(strstr(text, "MIT licence"));
	assert_non_null(strstr(text, "&lt;/script&gt;"));
	assert_non_null(strstr(text, "color:#cd0000")); /* the red of the screen */
	assert_null(strstr(text, "tpmC"));
	data = strstr(text, "id=\"data\">");
	assert_non_null(data);
	data += strlen("id=\"data\">");
	end = strstr(data, "</script>");
	*end = 0;
	o = json_loads(data, 0, &why);
	if (!o)
		fail_msg("%s", why.text);
	near(number(o, "from"), 10);
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(json_object_get(o, "groups"), 1), "name")),
		HOSTILE);
	json_decref(o);
	free(text);
}

/* As wide as COLUMNS says, 80 without it; at any width all is there. */
static void text_report(void **state)
{
	static const char *const said[] = { NULL, "60", "80", "100", "132", "many", "10" };
	static const size_t limits[] = { 80, 60, 80, 100, 132, 80, 60 };
	static const char *const words[] = { "MISSED", "VALID", "query:p90<2s", "p99.9", "share",
		"p75", "p50", "95% confidence", "timers seen late p50 0.40ms, p99" };
	struct fixture *f = *state;

	for (size_t i = 0; i < B_ARRAY_LEN(said); i++) {
		char *text;

		if (said[i])
			setenv("COLUMNS", said[i], 1);
		else
			unsetenv("COLUMNS");
		text = text_of(f->run, rp_text_write);
		assert_null(strchr(text, '\033')); /* no colour unless on a terminal */
		for (const char *s = text, *nl; (nl = strchr(s, '\n')); s = nl + 1) {
			size_t cols = 0;

			if (strstr(s, "files  ") == s || strstr(s, "             /") == s)
				continue; /* a path is never broken */
			for (const char *c = s; c < nl; c++)
				cols += ((unsigned char)*c & 0xC0) != 0x80;
			if (cols > limits[i])
				fail_msg("%zu columns, not %zu: %.*s", cols, limits[i],
					(int)(nl - s), s);
		}
		for (size_t k = 0; k < B_ARRAY_LEN(words); k++)
			if (!strstr(text, words[k]))
				fail_msg("no '%s' at %zu columns: %s", words[k], limits[i], text);
		free(text);
	}
	unsetenv("COLUMNS");
}

/* What the histograms of a run could not hold is told, and only then. */
static void out_of_range(void **state)
{
	struct fixture *f = *state;
	char *text;

	setenv("COLUMNS", "250", 1);
	text = text_of(f->run, rp_text_write);
	assert_null(strstr(text, "histogram reaches"));
	free(text);
	f->run->driver.late_out_of_range = 1234;
	text = text_of(f->run, rp_text_write);
	assert_non_null(strstr(text, "1,234 later than its histogram reaches"));
	free(text);
	text = text_of(f->run, rp_json_write);
	assert_non_null(strstr(text, "\"late_out_of_range\": 1234"));
	free(text);
	unsetenv("COLUMNS");
}

/* A report that cannot be written says so and leaves nothing behind. */
static void unwritable(void **state)
{
	struct fixture *f = *state;
	struct b_error err = { 0 };

	assert_int_equal(rp_html_write(f->run, "/nonexistent/r.html", &err), B_ESYS);
	assert_non_null(strstr(err.text, "/nonexistent/r.html"));
	memset(&err, 0, sizeof err);
	assert_int_equal(rp_summary_json_write(f->run, "/dev/full", &err), B_ESYS);
}

static void finish(void **state)
{
	struct fixture *f = *state;
	enum b_exit status = B_EXIT_OK;
	struct b_error err = { 0 };
	char path[512];

	struct rp_brief brief = { B_BUF_INIT, B_BUF_INIT };

	assert_int_equal(rp_run_finish(f->dir.path, NULL, &status, &brief, &err), 0);
	assert_non_null(strstr(b_buf_cstr(&brief.figures), "1,000 ok, 1 failed"));
	assert_non_null(strstr(b_buf_cstr(&brief.why), "missed *:max<1ms ("));
	b_buf_release(&brief.figures);
	b_buf_release(&brief.why);
	assert_int_equal(status, B_EXIT_FAILED); /* a threshold was missed */
	snprintf(path, sizeof path, "%s/%s", f->dir.path, RUNDIR_SUMMARY_JSON);
	assert_int_equal(access(path, R_OK), 0);
	snprintf(path, sizeof path, "%s/%s", f->dir.path, RUNDIR_REPORT_HTML);
	assert_int_equal(access(path, R_OK), 0);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = { T(json), T(times_as_logged), T(csv), T(jtl), T(junit),
		T(hdr), T(html), T(text_report), T(out_of_range), T(unwritable), T(finish) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
