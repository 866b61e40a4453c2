/* What sar recorded, read back: values, the interval, clocks, and files that are no such thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <math.h>

#include "base/buf.h"
#include "report/sar.h"
#include "report/run.h"

#define START 1796049537.0 /* 2026-11-30 14:38:57 UTC */

static void file(const char *dir, const char *text)
{
	struct b_buf path = B_BUF_INIT;
	FILE *f;

	b_buf_printf(&path, "%s/sar.json", dir);
	f = fopen(b_buf_cstr(&path), "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	b_buf_release(&path);
}

static void load(struct rp_run *r, char *dir, double asked, const char *text)
{
	*r = (struct rp_run){ .dir = dir, .started_s = START, .from_s = 1, .to_s = 3 };
	r->json = json_pack("{s:{s:s,s:f}}", "sar", "host", "sut", "clock_asked_s", asked);
	file(dir, text);
	rp_sar_load(r);
}

static void unload(struct rp_run *r)
{
	rp_sar_release(&r->sar);
	json_decref(r->json);
}

#define STAMP(t) \
	"\"timestamp\":{\"date\":\"2026-11-30\",\"time\":\"14:38:" t "\",\"utc\":1,\"interval\":1}"
#define CPU(u, s, w, i)                                                                           \
	"\"cpu-load\":[{\"cpu\":\"all\",\"user\":" u ",\"nice\":1,\"system\":" s ",\"iowait\":" w \
	",\"steal\":0,\"idle\":" i "}]"
#define FILE_OF(clock, statistics)                                            \
	"{\"clock_s\":" clock                                                 \
	",\"sar\":{\"sysstat\":{\"hosts\":[{\"nodename\":\"db\",\"number-of-" \
	"cpus\":4,\"statistics\":[" statistics "]}]}}}"

static const char good[] = FILE_OF("1796049540.1",
	"{" STAMP("58") "," CPU("1", "1", "1",
		"96") "},"
		      "{" STAMP("59") "," CPU("10", "5", "4",
			      "80") ",\"queue\":{\"runq-sz\":2,\"blocked\":1,\"ldavg-1\":0.5},"
				    "\"io\":{\"tps\":10,\"io-reads\":{\"bread\":200},\"io-writes\":{\"bwrtn\":400}},"
				    "\"disk\":[{\"tps\":1,\"await\":3,\"util-percent\":20},{\"tps\":0,\"await\":9,\"util-percent\":5}]},"
				    "{\"timestamp\":{\"date\":\"2026-11-30\",\"time\":\"14:39:00\"}," CPU(
					    "30", "5", "4", "60") "}");

static void values(void **state)
{
	char dir[] = "/tmp/rte-test-sar.XXXXXX", path[64];
	struct rp_run r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	load(&r, dir, 1796049540.0, good);
	assert_int_equal(r.sar.n, 3);
	assert_string_equal(r.sar.node, "db");
	assert_true(fabs((double)r.sar.v[0][RP_SAR_TIME] - 1) < 0.01);
	/* The first ends where the interval begins; two count. */
	assert_int_equal(r.sar.over[RP_SAR_BUSY].n, 2);
	assert_true(fabs(r.sar.over[RP_SAR_BUSY].mean - 26) < 0.01);
	assert_true(fabs(r.sar.over[RP_SAR_BUSY].max - 36) < 0.01);
	assert_true(fabs(r.sar.over[RP_SAR_USER].mean - 21) < 0.01);
	assert_int_equal(r.sar.over[RP_SAR_QUEUE].n, 1);
	assert_true(fabs(r.sar.over[RP_SAR_READ].mean - 100) < 0.01);
	assert_true(fabs(r.sar.over[RP_SAR_UTIL].mean - 20) < 0.01);
	assert_true(fabs(r.sar.over[RP_SAR_AWAIT].mean - 3) < 0.01); /* of disks at work */
	assert_int_equal(r.sar.over[RP_SAR_SWAP].n, 0);
	unload(&r);
	snprintf(path, sizeof path, "%s/sar.json", dir);
	remove(path);
	remove(dir);
}

static void clocks(void **state)
{
	char dir[] = "/tmp/rte-test-sar.XXXXXX", path[64];
	struct rp_run r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	load(&r, dir, 1796049440.1, good); /* its clock is 100 s ahead */
	assert_true(fabs(r.sar.shift_s - 100) < 0.01);
	assert_true(fabs((double)r.sar.v[0][RP_SAR_TIME] + 99) < 0.01);
	assert_int_equal(r.sar.over[RP_SAR_BUSY].n, 0);
	unload(&r);
	snprintf(path, sizeof path, "%s/sar.json", dir);
	remove(path);
	remove(dir);
}

static void nonsense(void **state)
{
	static const char *const texts[] = { "", "{", "[]", "{\"sar\":3}", "{\"clock_s\":\"x\"}",
		FILE_OF("1", ""), FILE_OF("1", "1,2,[],{},null"),
		FILE_OF("1796049540", "{\"timestamp\":{\"date\":\"x\",\"time\":\"y\"}}"),
		FILE_OF("1796049540",
			"{" STAMP("59") ",\"cpu-load\":{},\"queue\":[],\"disk\":\"x\"}"),
		FILE_OF("1796049540",
			"{" STAMP("59") "," CPU("-1", "1e300", "\"a\"", "null") "}") };
	char dir[] = "/tmp/rte-test-sar.XXXXXX", path[64];

	(void)state;
	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct b_buf html = B_BUF_INIT;
		struct rp_run r;
		json_t *o;

		load(&r, dir, 1796049540.0, texts[i]);
		assert_true(r.sar.n <= 1);
		o = rp_sar_json(&r);
		assert_true(json_is_object(o));
		json_decref(o);
		json_decref(rp_sar_series(&r));
		rp_sar_html(&html, &r);
		assert_true(html.len > 0);
		b_buf_release(&html);
		unload(&r);
	}
	snprintf(path, sizeof path, "%s/sar.json", dir);
	remove(path);
	remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(clocks),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
