/* base: buffers, UTF-8, escaping, messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"

static void buf_grows_and_consumes(void **state)
{
	struct b_buf b = B_BUF_INIT;
	size_t len;
	char *own;

	(void)state;
	assert_string_equal(b_buf_cstr(&b), "");
	for (int i = 0; i < 1000; i++)
		b_buf_printf(&b, "%d,", i);
	assert_memory_equal(b.data, "0,1,2,", 6);
	b_buf_consume(&b, 4);
	assert_memory_equal(b.data, "2,3,", 4);
	b_buf_truncate(&b, 2);
	b_buf_add(&b, "\0x", 2);
	assert_int_equal(b.len, 4);
	own = b_buf_take(&b, &len);
	assert_int_equal(len, 4);
	assert_memory_equal(own, "2,\0x\0", 5);
	assert_null(b.data);
	b_buf_add(&b, own, len);
	b_buf_clear(&b);
	assert_string_equal(b_buf_cstr(&b), "");
	b_buf_release(&b);
	free(own);
}

static void utf8_decodes_as_unicode_says(void **state)
{
	static const struct {
		const char *in;
		size_t len, takes;
		uint32_t cp;
	} cases[] = {
		{ "a", 1, 1, 'a' },
		{ "\xC3\xA9", 2, 2, 0xE9 },
		{ "\xE4\xB8\xAD", 3, 3, 0x4E2D },
		{ "\xF0\x9F\x98\x80", 4, 4, 0x1F600 },
		{ "\xC3", 1, 0, 0 },
		{ "\xF0\x9F\x98", 3, 0, 0 },
		{ "\xC3(", 2, 1, 0xFFFD },
		{ "\xC0\x80", 2, 1, 0xFFFD },         /* overlong */
		{ "\xED\xA0\x80", 3, 1, 0xFFFD },     /* surrogate */
		{ "\xF4\x90\x80\x80", 4, 1, 0xFFFD }, /* past U+10FFFF */
		{ "\xF0\x9F\x98x", 4, 3, 0xFFFD },    /* maximal subpart */
		{ "\xFF", 1, 1, 0xFFFD },
		{ "\xA0", 1, 1, 0xFFFD },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		uint32_t cp = 0;

		assert_int_equal(b_utf8_decode(cases[i].in, cases[i].len, &cp), cases[i].takes);
		if (cases[i].takes)
			assert_int_equal(cp, cases[i].cp);
	}
	assert_true(b_utf8_valid("\xEF\xBF\xBD", 3));
	assert_false(b_utf8_valid("a\xFF", 2));
	assert_false(b_utf8_valid("\xC3", 1));
	assert_int_equal(b_utf8_tail("ab\xE4\xB8", 4), 2);
	assert_int_equal(b_utf8_tail("ab\xC3\xA9", 4), 0);
	assert_int_equal(b_utf8_tail("ab\xFF", 3), 0);
}

static void utf8_round_trips(void **state)
{
	char out[4];

	(void)state;
	for (uint32_t cp = 0; cp <= 0x10FFFF; cp += 7) {
		uint32_t back = 0;
		size_t n = b_utf8_encode(cp, out);

		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		assert_int_equal(b_utf8_decode(out, n, &back), n);
		assert_int_equal(back, cp);
	}
}

static void escapes_are_harmless(void **state)
{
	static const struct {
		void (*fn)(struct b_buf *, const char *, size_t);
		const char *in;
		size_t len;
		const char *want;
	} cases[] = {
		{ b_escape_text, "a\x1b[2J\n\0\xFF\xC2\x9B", 10, "a\\e[2J\\n\\x00\\xff\\u{009B}" },
		{ b_escape_text, "\xE2\x80\xAE", 3, "\\u{202E}" },
		{ b_escape_text, "\xEF\xBF\xBE\xF0\x9F\xBF\xBF\xEF\xB7\x90", 10,
			"\\u{FFFE}\\u{1FFFF}\\u{FDD0}" },
		{ b_escape_text, "\xEF\xBF\xBD", 3, "\xEF\xBF\xBD" },
		{ b_escape_text, "caf\xC3\xA9", 5, "caf\xC3\xA9" },
		{ b_escape_json, "\"\\\n\x01\xFF", 5, "\\\"\\\\\\n\\u0001\xEF\xBF\xBD" },
		{ b_escape_xml, "<a href='\"'>&\x1b]]>", 17,
			"&lt;a href=&#39;&quot;&#39;&gt;&amp;\xEF\xBF\xBD]]&gt;" },
		{ b_escape_lua,
			"a\"]]\\\n\x00"
			"1\xFF",
			9, "\"a\\\"]]\\\\\\n\\0001\\255\"" },
		{ b_escape_csv, "a,\"b\"\n", 6, "\"a,\"\"b\"\"\\n\"" },
		{ b_escape_csv, "plain", 5, "plain" },
		{ b_escape_csv, "", 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf out = B_BUF_INIT;

		cases[i].fn(&out, cases[i].in, cases[i].len);
		assert_string_equal(b_buf_cstr(&out), cases[i].want);
		b_buf_release(&out);
	}
}

static void first_error_stays(void **state)
{
	struct b_error err = { 0 };

	(void)state;
	assert_int_equal(b_error_set(&err, B_EINPUT, "bad %s", "x\x1b"), B_EINPUT);
	assert_int_equal(b_error_set(&err, B_ESYS, "later"), B_ESYS);
	b_error_prefix(&err, "file %d", 3);
	assert_int_equal(err.code, B_EINPUT);
	assert_string_equal(err.text, "file 3: bad x\\e");
	assert_int_equal(b_error_set(NULL, B_EOF, "nobody listens"), B_EOF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buf_grows_and_consumes),
		cmocka_unit_test(utf8_decodes_as_unicode_says),
		cmocka_unit_test(utf8_round_trips),
		cmocka_unit_test(escapes_are_harmless),
		cmocka_unit_test(first_error_stays),
	};

	return cmocka_run_group_tests_name("b_text", tests, NULL, NULL);
}
