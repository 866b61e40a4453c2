/* capture: recordings of other tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "capture/import.h"

static char dir[] = "/tmp/rte-import-XXXXXX";

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof command, "rm -r %s", dir);
	return system(command);
}

static const char *put(const char *name, const char *text, size_t len)
{
	static char path[4][128];
	static unsigned n;
	char *p = path[n++ % 4];
	FILE *f;

	snprintf(p, sizeof path[0], "%s/%s", dir, name);
	f = fopen(p, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
	return p;
}

static void list(const struct cap_trace *t, struct b_buf *out)
{
	for (size_t i = 0; i < t->n_events; i++) {
		b_buf_printf(out, "%c@%lld:", t->events[i].code,
			(long long)(t->events[i].at_ns / B_NS_PER_US));
		b_escape_text(out, t->events[i].data, t->events[i].len);
		b_buf_addc(out, ' ');
	}
}

static struct cap_import_result import(const struct cap_import_options *opt)
{
	struct cap_import_result r;
	struct b_error err = { 0 };

	if (cap_import(&r, opt, &err))
		fail_msg("%s", err.text);
	return r;
}

static void assert_imported(struct cap_import_result *r, const char *events, const char *note)
{
	struct b_buf out = B_BUF_INIT;

	list(r->trace, &out);
	assert_string_equal(b_buf_cstr(&out), events);
	if (note && !strstr(b_buf_cstr(&r->notes), note))
		fail_msg("'%s' has no '%s'", b_buf_cstr(&r->notes), note);
	if (!note)
		assert_string_equal(b_buf_cstr(&r->notes), "");
	b_buf_release(&out);
	b_buf_release(&r->notes);
	cap_trace_free(r->trace);
}

/* ---- asciicast ----------------------------------------------------------------------------- */

static void asciicasts(void **state)
{
	static const char *const files[] = {
		"{\"version\":2,\"width\":100,\"height\":30}\n[0.5,\"o\",\"a\"]\n[1.5,\"o\",\"b\"]\n",
		("{\"version\":3,\"term\":{\"cols\":100,\"rows\":30}}\n# c\n[0.5,\"o\",\"a\"]\n[1,\"o\","
		 "\"b\"]\n"),
		"{\"version\":1,\"width\":100,\"height\":30,\"stdout\":[[0.5,\"a\"],[1,\"b\"]]}",
		("\357\273\277{\"version\":1,\"width\":100,\"height\":30,"
		 "\"stdout\":[[0.5,\"a\"],[1,\"b\"]]}"),
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(files); i++) {
		const char *path = put("a.cast", files[i], strlen(files[i]));
		struct cap_import_result r =
			import(&(struct cap_import_options){ .path = path, .term = "vt100" });

		assert_int_equal(r.format, CAP_IMPORT_ASCIICAST);
		assert_int_equal(r.trace->rows, 30);
		assert_string_equal(r.trace->term, "vt100");
		assert_false(cap_import_has_input(r.trace));
		assert_imported(&r, "o@500000:a o@1500000:b ", NULL);
	}
}

/* ---- script(1) ----------------------------------------------------------------------------- */

#define HEAD                                                                           \
	"Script started on 2026-11-30 13:54:02+00:00 [COMMAND=\"sh -c \" TERM=\"x\"\"" \
	" TERM=\"vt220\" TTY=\"/dev/pts/4\" COLUMNS=\"100\" LINES=\"30\"]\n"
#define CUT_HEAD "Script started on 2026-11-30 13:54:02+00:00 [COMMAND=\" TERM=\"x\"]\n"
#define FOOT     "\nScript done on 2026-11-30 13:54:02+00:00 [COMMAND_EXIT_CODE=\"0\"]\n"

static void classic_timing(void **state)
{
	static const char log[] = HEAD "# echo hi\r\nhi\r\n" FOOT;
	static const char timing[] = "0.353504 2\n0.100000 9\r\n1,5 4\n0.1 9";
	struct cap_import_result r =
		import(&(struct cap_import_options){ .path = put("c.log", log, sizeof log - 1),
			.timing_path = put("c.tm", timing, sizeof timing - 1) });

	(void)state;
	assert_int_equal(r.format, CAP_IMPORT_SCRIPT);
	assert_int_equal(r.trace->cols, 100);
	assert_int_equal(r.trace->rows, 30);
	assert_string_equal(r.trace->term, "vt220");
	assert_string_equal(r.trace->command, "sh -c \" TERM=\"x\"");
	assert_imported(&r, "o@353504:#  o@453504:echo hi\\r\\n o@1953504:hi\\r\\n ", NULL);
}

static void advanced_timing(void **state)
{
	static const char log[] = HEAD "# hiecho\r\n";
	static const char timing[] = "H 0.000000 START_TIME 2026-11-30 13:54:02+00:00\n"
				     "H 0.000000 TERM linux\nH 0.000000 COLUMNS 90\n"
				     "H 0.000000 LINES 20\nH 0.000000 COMMAND top -d 1\n"
				     "H 0.000000 OUTPUT_LOG io.log\nH 0.000000 INPUT_LOG io.log\n"
				     "O 0.5 2\nI 0.25 2\nS 0.1 SIGWINCH ROWS=30 COLS=100\n"
				     "S 0.1 SIGTERM\nO 0.1 6\nZ 0.1 of a kind to come\n"
				     "H 0.000000 DURATION 1.1\nH 0.000000 EXIT_CODE 3\n";
	struct cap_import_result r =
		import(&(struct cap_import_options){ .path = put("io.log", log, sizeof log - 1),
			.timing_path = put("io.tm", timing, sizeof timing - 1) });

	(void)state;
	assert_int_equal(r.trace->cols, 90);
	assert_string_equal(r.trace->term, "linux");
	assert_string_equal(r.trace->command, "top -d 1");
	assert_true(cap_import_has_input(r.trace));
	assert_imported(&r,
		"o@500000:#  i@750000:hi r@850000:100x30 o@1050000:echo\\r\\n x@1150000:3 ", NULL);
}

static void two_logs(void **state)
{
	static const char out[] = HEAD "# ls\r\n", in[] = HEAD "ls\r";
	static const char timing[] = "H 0 OUTPUT_LOG /elsewhere/out.log\nH 0 INPUT_LOG in.log\n"
				     "O 0.5 2\nI 0.5 3\nO 0.5 4\n";
	struct cap_import_options opt = { .path = put("out.log", out, sizeof out - 1),
		.timing_path = put("two.tm", timing, sizeof timing - 1) };
	const char *in_path = put("in.log", in, sizeof in - 1);
	struct cap_import_result r = import(&opt);

	(void)state;
	assert_imported(&r, "o@500000:#  i@1000000:ls\\r o@1500000:ls\\r\\n ", NULL);
	unlink(in_path);
	r = import(&opt);
	assert_imported(&r, "o@500000:#  o@1500000:ls\\r\\n ", "the input log");
}

static void only_input_was_logged(void **state)
{
	static const char in[] = HEAD "ls\r";
	static const char timing[] = "H 0 INPUT_LOG in.log\nI 0.5 3\n";
	struct cap_import_result r =
		import(&(struct cap_import_options){ .path = put("in.log", in, sizeof in - 1),
			.timing_path = put("in.tm", timing, sizeof timing - 1) });

	(void)state;
	assert_imported(&r, "i@500000:ls\\r ", NULL);
}

static void logs_that_lack_something(void **state)
{
	static const char cut[] = HEAD "# ", foreign[] = "Skript gestartet\n# ";
	static const char timing[] = "0.5 2\n0.5 9\n", bad[] = "0.5 2\nsoon 9\n",
			  count[] = "0.5 x\n";
	struct cap_import_result r =
		import(&(struct cap_import_options){ .path = put("cut.log", cut, sizeof cut - 1),
			.timing_path = put("cut.tm", timing, sizeof timing - 1) });
	struct b_error err = { 0 };

	(void)state;
	assert_imported(&r, "o@500000:#  ", "shorter than the timing says");
	/* A header in another language says nothing; the options do. */
	r = import(&(struct cap_import_options){ .path = put("f.log", foreign, sizeof foreign - 1),
		.timing_path = put("f.tm", "0.5 2\n", 6),
		.rows = 20,
		.cols = 70,
		.term = "linux" });
	assert_int_equal(r.trace->cols, 70);
	assert_imported(&r, "o@500000:#  ", NULL);
	/* A command that is cut off. */
	r = import(&(struct cap_import_options){
		.path = put("q.log", CUT_HEAD "x", sizeof(CUT_HEAD "x") - 1) });
	assert_null(r.trace->command);
	assert_imported(&r, "o@0:x ", "no timing file is given");
	/* No timing at all. */
	r = import(&(struct cap_import_options){
		.path = put("n.log", HEAD "a\r\nb" FOOT, sizeof(HEAD "a\r\nb" FOOT) - 1) });
	assert_imported(&r, "o@0:a\\r\\nb ", "no timing file is given");
	assert_int_equal(
		cap_import(&r,
			&(struct cap_import_options){ .path = put("c.log", cut, sizeof cut - 1),
				.timing_path = put("b.tm", bad, sizeof bad - 1) },
			&err),
		B_EINPUT);
	assert_non_null(strstr(err.text, "b.tm:2: no delay"));
	err = (struct b_error){ 0 };
	assert_int_equal(
		cap_import(&r,
			&(struct cap_import_options){ .path = put("c.log", cut, sizeof cut - 1),
				.timing_path = put("b.tm", count, sizeof count - 1) },
			&err),
		B_EINPUT);
	assert_non_null(strstr(err.text, "b.tm:1: no count"));
}

/* ---- ttyrec -------------------------------------------------------------------------------- */

static void ttyrec_of_a_big_endian_machine(void **state)
{
	static const char big[] = "\x6b\x0d\xb3\x4a\x00\x00\x00\x00\x00\x00\x00\x03"
				  "abc"
				  "\x6b\x0d\xb3\x4a\x00\x00\x03\xe8\x00\x00\x00\x01"
				  "d";
	struct cap_import_result r =
		import(&(struct cap_import_options){ .path = put("b", big, sizeof big - 1) });

	(void)state;
	assert_int_equal(r.format, CAP_IMPORT_TTYREC);
	assert_int_equal(r.trace->cols, 80);
	assert_imported(&r, "o@0:abc o@1000:d ", "taken as 80x24");
}

static void ttyrec_with_a_size(void **state)
{
	static const char rec[] = "\x4a\xb3\x0d\x6b\x00\x00\x00\x00\x0b\x00\x00\x00\033[8;30;100t"
				  "\x4b\xb3\x0d\x6b\x87\x66\x0b\x00\x05\x00\x00\x00"
				  "abc\r\n"
				  "\x4c\xb3\x0d\x6b\x00\x00\x00\x00\x05\x00\x00\x00"
				  "cu";
	struct cap_import_result r =
		import(&(struct cap_import_options){ .path = put("s", rec, sizeof rec - 1) });

	(void)state;
	assert_int_equal(r.trace->cols, 100);
	assert_int_equal(r.trace->rows, 30);
	assert_imported(&r, "o@0:\\e[8;30;100t o@1747143:abc\\r\\n ", "the last record is cut");
}

/* ---- autoexpect ---------------------------------------------------------------------------- */

static void autoexpects(void **state)
{
	static const char script[] =
		"#!/usr/bin/expect -f\n"
		"# send -- \"not this\"\n"
		"set force_conservative 0  ;# set to 1 to force\n"
		"if {$force_conservative} {\n\tproc send {ignore arg} {\n\t\texp_send -s -- $arg\n\t}\n}\n"
		"set timeout -1\n"
		"spawn -noecho dialog --menu \"a \\$b\" $env(HOME) {two words} it's\n"
		"match_max 100000\n"
		"expect -exact \"# \"\n"
		"send -- \"a\\[b\\$c\\\\d\\\"\\r\"\n"
		"expect -exact \"x\\r\n\\x1b\\u00e9\\101\"\n"
		"sleep 2\n"
		"send -- \"\\033OAq\"\n"
		"send \"$password\\r\"\n"
		"expect \"pattern*\"\n"
		"expect eof\n";
	struct cap_import_result r = import(
		&(struct cap_import_options){ .path = put("x.exp", script, sizeof script - 1),
			.rows = 24,
			.cols = 80,
			.term = "xterm" });

	(void)state;
	assert_int_equal(r.format, CAP_IMPORT_AUTOEXPECT);
	assert_string_equal(
		r.trace->command, "dialog --menu 'a $b' \"$HOME\" 'two words' 'it'\\''s'");
	assert_non_null(strstr(b_buf_cstr(&r.notes), "1 send lines have variables"));
	assert_imported(&r,
		"o@100000:#  i@600000:a i@700000:[ i@800000:b i@900000:$ i@1000000:c i@1100000:\\ "
		"i@1200000:d i@1300000:\" i@1400000:\\r o@1500000:x\\r\\n\\e\303\251A "
		"i@4000000:\\eOA i@4100000:q ",
		"1 expect lines are patterns");
}

static void autoexpects_that_say_nothing(void **state)
{
	static const char *const scripts[] = {
		"#!/usr/bin/expect\n",
		"#!/usr/bin/expect\nexpect -exact \"",
		"#!/usr/bin/expect\nif {1} {\nsend -- \"x\"\n",
		"set x 1\nspawn sh\nexpect eof\n",
		"#!/usr/bin/expect\nsend --\nexpect\nspawn\nsend \"$x\"\n\\",
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(scripts); i++) {
		struct cap_import_result r;
		struct b_error err = { 0 };

		assert_int_equal(
			cap_import_text(&r, &(struct cap_import_options){ .path = "x.exp" },
				scripts[i], strlen(scripts[i]), &err),
			B_EINPUT);
		assert_non_null(strstr(err.text, "x.exp has no send or expect -exact line"));
	}
}

/* ---- What it is ---------------------------------------------------------------------------- */

static void unknown_files(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *message;
	} cases[] = {
		{ "", 0, "no recording that is known" },
		{ "hello\n", 6, "no recording that is known: asciicast, script(1)" },
		{ "\x1f\x8b\x08\x00", 4, "is compressed" },
		{ "BZh9", 4, "is compressed" },
		{ "{\"a\":1}\n", 8, "no asciicast header" },
		{ "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12, "no recording" },
		{ "Script started on", 17, "no recording" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct cap_import_result r;
		struct b_error err = { 0 };

		assert_int_equal(cap_import_text(&r, &(struct cap_import_options){ .path = "x" },
					 cases[i].text, cases[i].len, &err),
			B_EINPUT);
		if (!strstr(err.text, cases[i].message))
			fail_msg("'%s' has no '%s'", err.text, cases[i].message);
	}
}

static void missing_files(void **state)
{
	struct cap_import_result r;
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(
		cap_import(&r, &(struct cap_import_options){ .path = "/no/such" }, &err), B_EINPUT);
	assert_non_null(strstr(err.text, "/no/such"));
	err = (struct b_error){ 0 };
	assert_int_equal(cap_import(&r,
				 &(struct cap_import_options){ .path = put("x", "a\nb", 3),
					 .timing_path = "/no/such.tm" },
				 &err),
		B_EINPUT);
	assert_non_null(strstr(err.text, "/no/such.tm"));
}

static void saved_and_read_again(void **state)
{
	struct cap_trace *t = cap_trace_new(30, 100, "vt220"), *again = NULL;
	struct b_error err = { 0 };
	const char *path = put("saved.cast", "", 0);

	(void)state;
	t->command = b_strdup("top");
	cap_trace_add(t, 5000, 'o', "a\377", 2);
	cap_trace_add(t, 4000, 'i', "b", 1); /* never backwards */
	for (int i = 0; i < 100; i++)
		cap_trace_add(t, 1000000, 'o', "c", 1);
	assert_int_equal(cap_trace_save(t, path, &err), 0);
	assert_int_equal(cap_trace_load(&again, path, &err), 0);
	assert_int_equal(again->n_events, 102);
	assert_int_equal(again->events[1].at_ns, 5000);
	assert_memory_equal(again->events[0].data, "a\377", 2);
	assert_string_equal(again->command, "top");
	assert_int_equal(again->rows, 30);
	cap_trace_free(again);
	assert_int_equal(cap_trace_save(t, "/no/such/x.cast", &err), B_ESYS);
	cap_trace_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asciicasts),
		cmocka_unit_test(classic_timing),
		cmocka_unit_test(advanced_timing),
		cmocka_unit_test(two_logs),
		cmocka_unit_test(only_input_was_logged),
		cmocka_unit_test(logs_that_lack_something),
		cmocka_unit_test(ttyrec_of_a_big_endian_machine),
		cmocka_unit_test(ttyrec_with_a_size),
		cmocka_unit_test(autoexpects),
		cmocka_unit_test(autoexpects_that_say_nothing),
		cmocka_unit_test(unknown_files),
		cmocka_unit_test(missing_files),
		cmocka_unit_test(saved_and_read_again),
	};

	return cmocka_run_group_tests_name("cap_import", tests, make_dir, remove_dir);
}
