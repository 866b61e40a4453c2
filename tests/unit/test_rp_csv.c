#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/mem.h"
#include "report/csv_read.h"
#include "tests/unit/rp_dir.h"

static int open_text(struct rp_csv *c, const struct rp_dir *d, const char *text)
{
	struct b_error err = { 0 };
	char path[512];

	rp_dir_write(d, "log.csv", text);
	snprintf(path, sizeof path, "%s/log.csv", d->path);
	return rp_csv_open(c, path, &err);
}

static void is(const struct rp_csv *c, int column, const char *want)
{
	struct rp_field f = rp_csv_field(c, column);

	if (!rp_field_is(f, want))
		fail_msg("'%.*s' is not '%s'", (int)f.len, f.s, want);
}

static void columns_by_name(void **state)
{
	struct b_error err = { 0 };
	struct rp_csv c;
	int a, b, none;

	assert_int_equal(open_text(&c, *state, "b,new,a\r\n1,x,2\r\n\n3\n"), 0);
	a = rp_csv_column(&c, "a");
	b = rp_csv_column(&c, "b");
	none = rp_csv_column(&c, "response_s");
	assert_int_equal(none, -1);
	assert_int_equal(rp_csv_next(&c, &err), 1);
	is(&c, a, "2");
	is(&c, b, "1");
	is(&c, none, "");
	assert_int_equal(rp_csv_next(&c, &err), 1); /* a short row: what is missing is empty */
	is(&c, b, "3");
	is(&c, a, "");
	assert_int_equal(rp_csv_next(&c, &err), 0);
	assert_false(c.cut);
	rp_csv_close(&c);
}

static void quotes(void **state)
{
	struct b_error err = { 0 };
	struct rp_csv c;

	assert_int_equal(open_text(&c, *state,
				 "a,b,c\n"
				 "\"x,y\",\"say \"\"hi\"\"\",\"\"\n"
				 "plain \"q\",\"never closed,1\n"
				 "\"a\"b,2,3\n"),
		0);
	assert_int_equal(rp_csv_next(&c, &err), 1);
	is(&c, 0, "x,y");
	is(&c, 1, "say \"hi\"");
	is(&c, 2, "");
	assert_int_equal(rp_csv_next(&c, &err), 1);
	is(&c, 0, "plain \"q\"");
	is(&c, 1, "never closed,1");
	assert_int_equal(rp_csv_next(&c, &err), 1);
	is(&c, 1, "2");
	rp_csv_close(&c);
}

static void a_cut_line_is_no_row(void **state)
{
	struct b_error err = { 0 };
	struct rp_csv c;

	assert_int_equal(open_text(&c, *state, "a,b\n1,2\n3,"), 0);
	assert_int_equal(rp_csv_next(&c, &err), 1);
	assert_int_equal(rp_csv_next(&c, &err), 0);
	assert_true(c.cut);
	rp_csv_close(&c);
}

static void not_there_and_empty(void **state)
{
	struct b_error err = { 0 };
	struct rp_csv c;

	assert_int_equal(rp_csv_open(&c, "/nonexistent/x.csv", &err), B_ENOTFOUND);
	assert_non_null(strstr(err.text, "/nonexistent/x.csv"));
	assert_int_equal(open_text(&c, *state, ""), B_EOF);
	assert_int_equal(open_text(&c, *state, "start,us"), B_EOF); /* header cut off */
}

/* Lines that cross the ends of blocks, and one longer than a block. */
static void many_and_long_lines(void **state)
{
	enum { ROWS = 60000, LONG = 3000000 };
	struct b_error err = { 0 };
	struct rp_csv c;
	char path[512], *text = b_malloc(LONG);
	FILE *f = rp_dir_open(*state, "log.csv");
	int64_t v;
	int rows = 0;

	fputs("n,text\n", f);
	for (int i = 0; i < ROWS; i++)
		fprintf(f, "%d,%.*s\n", i, i % 97,
			"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz");
	memset(text, 'x', LONG);
	fprintf(f, "%d,%.*s\n", ROWS, LONG, text);
	fclose(f);
	snprintf(path, sizeof path, "%s/log.csv", ((struct rp_dir *)*state)->path);
	assert_int_equal(rp_csv_open(&c, path, &err), 0);
	while (rp_csv_next(&c, &err) == 1) {
		assert_true(rp_field_int(rp_csv_field(&c, 0), &v));
		assert_int_equal(v, rows);
		assert_int_equal(rp_csv_field(&c, 1).len, rows == ROWS ? LONG : rows % 97);
		rows++;
	}
	assert_int_equal(rows, ROWS + 1);
	rp_csv_close(&c);
	free(text);
}

static struct rp_field field(const char *s)
{
	return (struct rp_field){ s, strlen(s) };
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t us;
	} good[] = { { "0", 0 }, { "1", 1000000 }, { "0.000001", 1 },
		{ "1796000000.123456", 1796000000123456 }, { "0.1234567", 123457 },
		{ "0.1234564999", 123456 }, { "2.5", 2500000 }, { "1e-3", 1000 },
		{ "-0.5", -500000 }, { ".5", 500000 }, { "3.", 3000000 } };
	static const char *const bad[] = { "", "x", "1.2.3", "nan", "inf", "1e99", "--1", " ",
		"." };
	int64_t v;

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(good); i++) {
		if (!rp_field_us(field(good[i].text), &v))
			fail_msg("%s is a number", good[i].text);
		assert_int_equal(v, good[i].us);
	}
	for (size_t i = 0; i < B_ARRAY_LEN(bad); i++)
		if (rp_field_us(field(bad[i]), &v))
			fail_msg("'%s' is no number", bad[i]);
	assert_true(rp_field_int(field("42"), &v) && v == 42);
	assert_true(rp_field_int(field("-3"), &v) && v == -3);
	assert_false(rp_field_int(field("1x"), &v));
	assert_true(isnan(rp_field_double(field(""))));
	assert_true(fabs(rp_field_double(field("0.25")) - 0.25) < 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(columns_by_name, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(quotes, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(
			a_cut_line_is_no_row, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(not_there_and_empty, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test_setup_teardown(many_and_long_lines, rp_dir_setup, rp_dir_teardown),
		cmocka_unit_test(numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
