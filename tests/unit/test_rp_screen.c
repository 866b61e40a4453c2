#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/screen.h"

static void shows(const char *bytes, size_t len, const char *want)
{
	struct b_buf b = B_BUF_INIT;

	rp_screen_html(&b, bytes, len);
	assert_string_equal(b_buf_cstr(&b), want);
	b_buf_release(&b);
}

#define SPAN(style, text) "<span style=\"" style "\">" text "</span>"

static void pictures(void **state)
{
	static const struct {
		const char *bytes, *html;
	} cases[] = {
		{ "plain\ntext <b>", "plain\ntext &lt;b&gt;" },
		{ "\033[2;3Hhi", "\n  hi\n" },
		{ "\033[31mred\033[0m!", SPAN("color:#cd0000;background:#101010", "red") "!\n" },
		{ "\033[7mR\033[27mn", SPAN("color:#101010;background:#e0e0e0", "R") "n\n" },
		{ "\033[1;4mx",
			SPAN("color:#e0e0e0;background:#101010;font-weight:bold;"
			     "text-decoration:underline ",
				"x") "\n" },
		{ "\033[38;5;208mo", SPAN("color:#ff8700;background:#101010", "o") "\n" },
		{ "\033[48;2;1;2;3mo", SPAN("color:#e0e0e0;background:#010203", "o") "\n" },
		{ "\033[38:5:196mo", SPAN("color:#ff0000;background:#101010", "o") "\n" },
		{ "\033[8msecret", SPAN("color:#101010;background:#101010", "secret") "\n" },
		{ "abc\033[1;2HX\033[K", "aX\n" },
		{ "abc\033[2J", "\n" },
		{ "\033]0;title\aon\033P+q\033\\ly\033(Bt\033[?25lx", "onlytx\n" },
		{ "\033[999;999H.\033[1;1Ha", NULL }, /* clamped: no crash is the test */
		{ "\033[1;1H\xE6\x97\xA5x", "\xE6\x97\xA5x\n" },
		{ "e\xCC\x81\033[m", "e\xCC\x81\n" },
		{ "\033[m\xFF\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD\n" },
		{ "\033[m<&>\"'", "&lt;&amp;&gt;&quot;&#39;\n" },
		{ "\033[", "" },
		{ "\033[;;;;;;;;;;;;;;;;;;;;;;31mx", "x\n" },
		{ "\033[99999999999999999999mx", "x\n" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf b = B_BUF_INIT;

		rp_screen_html(&b, cases[i].bytes, strlen(cases[i].bytes));
		if (cases[i].html && strcmp(b_buf_cstr(&b), cases[i].html))
			fail_msg("case %zu gives\n%s\nnot\n%s", i, b_buf_cstr(&b), cases[i].html);
		b_buf_release(&b);
	}
	shows("", 0, "");
}

/* Whatever the bytes: no tag but our own, and valid UTF-8. */
static void anything_stays_text(void **state)
{
	static const char alphabet[] = "\033[;0123456789mHJKX<>&\"'ab \n\r\b\xE2\x82\xAC\xFF]P\\\a";
	struct b_buf b = B_BUF_INIT;
	uint32_t x = 12345;
	char bytes[400];

	(void)state;
	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < sizeof bytes; i++) {
			x = x * 1664525 + 1013904223;
			bytes[i] = alphabet[(x >> 16) % (sizeof alphabet - 1)];
		}
		b_buf_clear(&b);
		rp_screen_html(&b, bytes, sizeof bytes);
		assert_true(b_utf8_valid(b.data, b.len));
		for (const char *s = b_buf_cstr(&b); (s = strchr(s, '<')); s++)
			assert_true(!strncmp(s, "<span style=\"color:#", 20) ||
				!strncmp(s, "</span>", 7));
	}
	b_buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pictures),
		cmocka_unit_test(anything_stays_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
