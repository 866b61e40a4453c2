/* capture: traces read and written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "capture/trace.h"

static char dir[] = "/tmp/rte-trace-XXXXXX", path[64];

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof path, "%s/t.cast", dir);
	return 0;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static struct cap_trace *parse(const char *text)
{
	struct b_error err = { 0 };
	struct cap_trace *t = NULL;

	if (cap_trace_parse(&t, text, strlen(text), "t.cast", &err))
		fail_msg("%s", err.text);
	return t;
}

static const struct cap_header header = {
	.rows = 24, .cols = 80, .term = "xterm", .command = "a \"b\"", .timestamp_s = 1796034173
};

static struct cap_writer *writer(void)
{
	struct b_error err = { 0 };
	struct cap_writer *w = NULL;

	if (cap_writer_new(&w, path, &header, &err))
		fail_msg("%s", err.text);
	return w;
}

static struct cap_trace *load(void)
{
	struct b_error err = { 0 };
	struct cap_trace *t = NULL;

	if (cap_trace_load(&t, path, &err))
		fail_msg("%s", err.text);
	return t;
}

/* The events as text: "code@us:data ". */
static char *listing(const struct cap_trace *t)
{
	struct b_buf out = B_BUF_INIT;

	for (size_t i = 0; i < t->n_events; i++) {
		b_buf_printf(&out, "%c@%lld:", t->events[i].code,
			(long long)(t->events[i].at_ns / B_NS_PER_US));
		b_buf_add(&out, t->events[i].data, t->events[i].len);
		b_buf_addc(&out, ' ');
	}
	(void)b_buf_cstr(&out);
	return b_buf_take(&out, NULL);
}

static void assert_events(struct cap_trace *t, const char *want)
{
	char *got = listing(t);

	assert_string_equal(got, want);
	free(got);
	cap_trace_free(t);
}

static void put(struct cap_writer *w, int64_t us, char code, const char *data)
{
	assert_int_equal(cap_writer_event(w, us * B_NS_PER_US, code, data, strlen(data)), 0);
}

static void header_of_v2(void **state)
{
	struct cap_trace *t =
		parse("{\"version\": 2, \"width\": 132, \"height\": 43, \"timestamp\": "
		      "17, \"command\": \"c\", \"title\": \"t\", \"idle_time_limit\": 2, "
		      "\"env\": {\"TERM\": \"vt100\", \"SHELL\": null}}\n");

	(void)state;
	assert_int_equal(t->version, 2);
	assert_int_equal(t->cols, 132);
	assert_int_equal(t->rows, 43);
	assert_int_equal(t->timestamp_s, 17);
	assert_string_equal(t->term, "vt100");
	assert_string_equal(t->command, "c");
	assert_string_equal(t->title, "t");
	assert_null(t->target);
	assert_int_equal(t->n_events, 0);
	cap_trace_free(t);
}

#define H2 "{\"version\":2,\"width\":80,\"height\":24}\n"
#define H3 \
	"{\"version\":3,\"term\":{\"cols\":80,\"rows\":24,\"type\":\"vt220\"},\"tags\":[\"a\"]}\n"

static void readings(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ H2 "[0, \"o\", \"a\"]\n[1, \"i\", \"b\"]\n[1.5, \"r\", \"100x30\"]\n\n",
			"o@0:a i@1000000:b r@1500000:100x30 " },
		{ H2 "[1.0, \"o\", \"a\"]\n[0.5, \"o\", \"b\"]\n", "o@1000000:a o@1000000:b " },
		{ H2 "[1.0,\"z\",\"\"]\n[1.0,\"long\",\"\"]\n[1.0,\"q\",{}]\n[1.0,\"m\",\"\"]\n",
			"z@1000000: m@1000000: " },
		{ H2 "[0.000001, \"o\", \"\\u001b[1m\\u00e9\\ud83d\\ude00\"]\n",
			"o@1:\033[1m\303\251\360\237\230\200 " },
		{ H2 "[1.0,\"o\",\"\\ud83dx\\udc00\"]\n", "o@1000000:\357\277\275x\357\277\275 " },
		{ H2 "[1.0,\"o\",\"a\377b\"]\n", "o@1000000:a\357\277\275b " },
		{ H2 "[1.0,\"o\",\"a\"]\r\n\r\n[2.0,\"o\",\"b\"]\r\n", "o@1000000:a o@2000000:b " },
		{ H2 "[1.0,\"o\",\"a\"]\n[2.0,\"o\",\"cut by a cra", "o@1000000:a " },
		/* A byte order mark. */
		{ "\357\273\277" H2 "[1.0,\"o\",\"a\"]\n", "o@1000000:a " },
		{ "\357\273\277{\"version\":1,\"width\":80,\"height\":24,\"stdout\":[[0.5,\"a\"]]}",
			"o@500000:a " },
		/* Sizes that no window has: the one before stays. */
		{ H2 "[1.0,\"r\",\"0x0\"]\n", "" },
		{ H2 "[1.0,\"r\",\"40x12\"]\n[2.0,\"r\",\"80x2000\"]\n[2.0,\"r\",\"0x24\"]\n"
		     "[2.0,\"r\",\"99999999999999999999x24\"]\n[3.0,\"o\",\"a\"]\n",
			"r@1000000:40x12 o@3000000:a " },
		{ H3 "# a comment\n[0.5,\"o\",\"a\"]\n\n[0.25,\"i\",\"b\"]\n[1,\"x\",\"0\"]\n",
			"o@500000:a i@750000:b x@1750000:0 " },
		{ "{\"version\":1,\"width\":80,\"height\":24,\"duration\":1.5,\n"
		  "\"stdout\":[[0.5,\"a\"],\n[1,\"b\"]]}\n",
			"o@500000:a o@1500000:b " },
		{ "{\"version\":1,\"width\":80,\"height\":24,\"stdout\":[[0.5,\"a\"]]}",
			"o@500000:a " },
		{ "\n{\"version\":1,\"width\":80,\"height\":24,\"stdout\":[]}\n\n", "" },
		/* A foreign event of code b is none of ours. */
		{ H2 "[1.0,\"o\",\"x\"]\n[1.0,\"b\",\"YWJj\"]\n", "o@1000000:x b@1000000:YWJj " },
		{ H2 "[1.0,\"o\",\"x\"]\n[1.0,\"b\",\"!\"]\n", "o@1000000:x b@1000000:! " },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++)
		assert_events(parse(cases[i].text), cases[i].want);
}

static void header_of_v3(void **state)
{
	struct cap_trace *t = parse(H3);

	(void)state;
	assert_int_equal(t->version, 3);
	assert_string_equal(t->term, "vt220");
	assert_int_equal(t->cols, 80);
	cap_trace_free(t);
}

static void refusals(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "t.cast:1: an empty file" },
		{ "\n\n", "an empty file" },
		{ "Script started on", "no asciicast; other recordings: rte import" },
		{ "{\"version\":4}\n", "version 4" },
		{ "{\"a\":1}\n", "no asciicast header" },
		{ "{\"version\":2,\"width\":\"80\",\"height\":24}\n", "no width and height" },
		{ "{\"version\":2,\"width\":8000,\"height\":24}\n", "1000x1000" },
		{ "{\"version\":2,\"width\":-1,\"height\":24}\n", "1000x1000" },
		{ "{\"version\":3,\"width\":80,\"height\":24}\n", "no cols and rows" },
		{ H2 "[1.0,\"o\",\"a\"]\nrubbish\n[2.0,\"o\",\"b\"]\n", "t.cast:3: no JSON" },
		{ H2 "[1.0,\"o\"]\n", "t.cast:2: no event" },
		{ H2 "{}\n", "t.cast:2: no event" },
		{ H2 "[\"1.0\",\"o\",\"\"]\n", "t.cast:2: an event's time is no number" },
		{ H2 "[1e300,\"o\",\"\"]\n", "out of range" },
		{ H2 "[1.0,\"\",\"\"]\n", "code is no string, or empty" },
		{ H2 "[1.0,\"r\",\"big\"]\n", "t.cast:2: a resize event" },
		{ H2 "[1.0,\"r\",\"80x24x2\"]\n", "t.cast:2: a resize event" },
		{ H2 "[1.0,\"r\",\"x24\"]\n", "t.cast:2: a resize event" },
		{ H2 "[1.0,\"r\",\"80x-24\"]\n", "t.cast:2: a resize event" },
		{ H2 "[1.0,\"r\",\"80x24\\u0000\"]\n", "t.cast:2: a resize event" },
		{ "{\"version\":1,\"width\":80,\"height\":24}", "without \"stdout\"" },
		{ "{\"version\":1,\"width\":80,\"height\":24,\"stdout\":[1]}", "[delay, text]" },
		{ "{\"version\":2,\"width\":80,\"height\":24", "no JSON" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct cap_trace *t = (struct cap_trace *)path;
		struct b_error err = { 0 };

		assert_int_equal(
			cap_trace_parse(&t, cases[i].text, strlen(cases[i].text), "t.cast", &err),
			B_EINPUT);
		assert_ptr_equal(t, path);
		if (!strstr(err.text, cases[i].message))
			fail_msg("'%s' has no '%s'", err.text, cases[i].message);
	}
}

static void missing_file(void **state)
{
	struct cap_trace *t = NULL;
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(cap_trace_load(&t, "/nonexistent/x.cast", &err), B_EINPUT);
	assert_non_null(strstr(err.text, "/nonexistent/x.cast"));
	assert_int_equal(cap_trace_load(&t, "/tmp", &err), B_EINPUT);
}

static void written_header(void **state)
{
	struct cap_writer *w = writer();
	struct cap_trace *t;
	struct stat st;

	(void)state;
	t = load(); /* valid from the first moment on */
	assert_int_equal(t->version, 2);
	assert_int_equal(t->timestamp_s, 1796034173);
	assert_string_equal(t->term, "xterm");
	assert_string_equal(t->command, "a \"b\"");
	assert_null(t->target);
	cap_trace_free(t);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(cap_writer_free(w), 0);
}

static void replaced_file(void **state)
{
	struct cap_writer *w;
	struct stat st;
	FILE *f = fopen(path, "w");

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < 1000; i++)
		fputs("old old old\n", f);
	fclose(f);
	assert_int_equal(chmod(path, 0644), 0);
	w = writer();
	assert_int_equal(cap_writer_free(w), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(st.st_size < 200);
}

static void all_bytes_survive(void **state)
{
	struct cap_writer *w = writer();
	char all[256];
	struct cap_trace *t;

	(void)state;
	for (int i = 0; i < 256; i++)
		all[i] = (char)i;
	assert_int_equal(cap_writer_event(w, 1000, 'o', all, 256), 0);
	assert_int_equal(cap_writer_event(w, 2000, 'i', "\0", 1), 0);
	assert_int_equal(cap_writer_event(w, 3000, 'o', "caf\351 X", 6), 0);
	put(w, 4, 'm', "begin query");
	assert_int_equal(cap_writer_free(w), 0);
	t = load();
	assert_int_equal(t->n_events, 4);
	assert_int_equal(t->events[0].len, 256);
	assert_memory_equal(t->events[0].data, all, 256);
	assert_int_equal(t->events[1].len, 1);
	assert_int_equal(t->events[1].data[0], 0);
	assert_string_equal(t->events[2].data, "caf\351 X");
	assert_string_equal(t->events[3].data, "begin query");
	cap_trace_free(t);
}

static void split_characters_stay_whole(void **state)
{
	struct cap_writer *w = writer();

	(void)state;
	put(w, 1, 'o', "caf\303");
	put(w, 2, 'i', "x");
	put(w, 3, 'o', "\251!");
	put(w, 4, 'o', "\360\237");
	put(w, 5, 'o', "\230");
	put(w, 6, 'o', "\200");
	assert_int_equal(cap_writer_free(w), 0);
	assert_events(load(), "o@1:caf i@2:x o@3:\303\251! o@6:\360\237\230\200 ");
}

/* A Latin-1 key is no beginning of anything: it must not wait for the next one. */
static void lonely_beginnings_are_written(void **state)
{
	struct cap_writer *w = writer();

	(void)state;
	put(w, 1, 'i', "\351");
	put(w, 500000, 'o', "x");
	put(w, 500001, 'i', "\351");
	assert_int_equal(cap_writer_free(w), 0);
	assert_events(load(), "i@1:\351 o@500000:x i@500001:\351 ");
}

static void times_never_fall(void **state)
{
	struct cap_writer *w = writer();

	(void)state;
	put(w, 10, 'o', "a");
	put(w, 5, 'o', "b");
	put(w, 3600000000LL, 'o', "c");
	assert_int_equal(cap_writer_free(w), 0);
	assert_events(load(), "o@10:a o@10:b o@3600000000:c ");
}

static void insert(struct cap_writer *w, int64_t us, char code, const char *data)
{
	cap_writer_insert(w, us * B_NS_PER_US, code, data, strlen(data));
}

static void late_events_come_in_order(void **state)
{
	struct cap_writer *w = writer();

	(void)state;
	put(w, 1, 'o', "a");
	cap_writer_hold(w);
	put(w, 5, 'o', "b\303");
	put(w, 7, 'o', "\251c");
	insert(w, 6, 'i', "k");
	insert(w, 2, 'i', "j");
	insert(w, 6, 'i', "l");
	assert_true(cap_writer_held_bytes(w) > 0);
	/* Not settled: what a kill would leave is whole, without the late ones. */
	assert_events(load(), "o@1:a o@5:b o@7:\303\251c ");
	assert_int_equal(cap_writer_settle(w), 0);
	assert_int_equal(cap_writer_held_bytes(w), 0);
	assert_events(load(), "o@1:a i@2:j o@5:b i@6:k i@6:l o@7:\303\251c ");
	put(w, 9, 'o', "d");
	assert_int_equal(cap_writer_free(w), 0);
	assert_events(load(), "o@1:a i@2:j o@5:b i@6:k i@6:l o@7:\303\251c o@9:d ");
}

static void hold_without_insert(void **state)
{
	struct cap_writer *w = writer();

	(void)state;
	cap_writer_hold(w);
	put(w, 1, 'o', "a");
	assert_int_equal(cap_writer_settle(w), 0);
	insert(w, 2, 'i', "b");
	assert_int_equal(cap_writer_free(w), 0);
	assert_events(load(), "o@1:a i@2:b ");
}

static void unwritable_place(void **state)
{
	struct cap_writer *w = NULL;
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(cap_writer_new(&w, "/nonexistent/x.cast", &header, &err), B_ESYS);
	assert_non_null(strstr(err.text, "/nonexistent/x.cast"));
	assert_int_equal(cap_writer_free(NULL), 0);
}

static void full_disk(void **state)
{
	struct cap_writer *w = NULL;
	struct b_error err = { 0 };

	(void)state;
	if (access("/dev/full", W_OK))
		skip();
	assert_int_equal(cap_writer_new(&w, "/dev/full", &header, &err), B_ESYS);
	assert_null(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_of_v2),
		cmocka_unit_test(header_of_v3),
		cmocka_unit_test(readings),
		cmocka_unit_test(refusals),
		cmocka_unit_test(missing_file),
		cmocka_unit_test(written_header),
		cmocka_unit_test(replaced_file),
		cmocka_unit_test(all_bytes_survive),
		cmocka_unit_test(split_characters_stay_whole),
		cmocka_unit_test(lonely_beginnings_are_written),
		cmocka_unit_test(times_never_fall),
		cmocka_unit_test(late_events_come_in_order),
		cmocka_unit_test(hold_without_insert),
		cmocka_unit_test(unwritable_place),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("cap_trace", tests, make_dir, remove_dir);
}
