/* capture: what is typed, cut into keystrokes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/escape.h"
#include "base/mem.h"
#include "capture/typed.h"

static const char kinds[] = "teabk"; /* text, erase, answer, bracket, key */

/* "kind:bytes " for each keystroke, a + in front of what goes on. */
static void cut(
	struct cap_typed_state *st, const char *s, size_t len, int64_t at_ns, struct b_buf *out)
{
	while (len) {
		struct cap_typed t;
		size_t n = cap_typed_next(st, s, len, at_ns, &t);

		assert_true(n >= 1 && n <= len);
		assert_ptr_equal(t.bytes, s);
		assert_int_equal(t.len, n);
		b_buf_printf(out, "%s%c:", t.more ? "+" : "", kinds[t.kind]);
		b_escape_text(out, s, n);
		b_buf_addc(out, ' ');
		s += n;
		len -= n;
	}
}

static const struct {
	const char *typed, *want;
} cases[] = {
	{ "ab\r", "t:a t:b k:\\r " },
	{ "a\177\010\025\027b", "t:a e:\\x7f e:\\x08 e:\\x15 e:\\x17 t:b " },
	{ "\t\003\001", "k:\\t k:\\x03 k:\\x01 " },
	{ "\303\251\344\270\255x", "t:\303\251 t:\344\270\255 t:x " },
	{ "\351x", "t:\\xe9 t:x " },
	{ "\033OA\033[A\033[15~\033[1;5A", "k:\\eOA k:\\e[A k:\\e[15~ k:\\e[1;5A " },
	{ "\033[[A\033x\033", "k:\\e[[A k:\\ex k:\\e " },
	{ "\033\033[A", "k:\\e k:\\e[A " },
	{ "\033[12;40Rx", "a:\\e[12;40R t:x " },
	{ "\033[R", "k:\\e[R " },
	{ "\033[?1;2c\033[>41;330;0c\033[0n\033[?2026;2$y\033[8;24;80t\033[?0u",
		"a:\\e[?1;2c a:\\e[>41;330;0c a:\\e[0n a:\\e[?2026;2$y a:\\e[8;24;80t a:\\e[?0u " },
	{ "\033]11;rgb:0000/0000/0000\033\\x\033]10;?\007y",
		"a:\\e]11;rgb:0000/0000/0000\\e\\ t:x a:\\e]10;?\\x07 t:y " },
	{ "\033P1$r0m\033\\q", "a:\\eP1$r0m\\e\\ t:q " },
	{ "\033[I\033[O\033[>4;0m", "a:\\e[I a:\\e[O a:\\e[>4;0m " },
	{ "\033[200~a\rb\033[201~", "b:\\e[200~ t:a k:\\r t:b b:\\e[201~ " },
	{ "\033[M !!x", "k:\\e[M !! t:x " },
	{ "\033[<0;10;5Mx\033[<0;10;5m", "k:\\e[<0;10;5M t:x k:\\e[<0;10;5m " },
};

static void whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct cap_typed_state st = { 0 };
		struct b_buf out = B_BUF_INIT;

		cut(&st, cases[i].typed, strlen(cases[i].typed), 0, &out);
		assert_string_equal(b_buf_cstr(&out), cases[i].want);
		b_buf_release(&out);
	}
}

/* Cut anywhere, nothing that is no text becomes text, and no text is anything else. */
static void in_two_reads(void **state)
{
	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		const char *s = cases[i].typed;
		size_t len = strlen(s);

		for (size_t at = 1; at < len; at++) {
			struct cap_typed_state st = { 0 }, again = { 0 };
			struct cap_typed t;
			size_t text = 0, want = 0, n;

			for (size_t k = 0; k < len; k += n) {
				n = cap_typed_next(&again, s + k, len - k, 0, &t);
				want += t.kind == CAP_TYPED_TEXT ? n : 0;
			}
			for (size_t k = 0; k < len; k += n) {
				n = cap_typed_next(
					&st, s + k, (k < at ? at : len) - k, k < at ? 0 : 1, &t);
				text += t.kind == CAP_TYPED_TEXT ? n : 0;
			}
			assert_int_equal(text, want);
		}
	}
}

static void pauses(void **state)
{
	struct cap_typed_state st = { 0 };
	struct b_buf out = B_BUF_INIT;

	(void)state;
	cut(&st, "\033", 1, 0, &out);
	cut(&st, "OA", 2, 10 * B_NS_PER_MS, &out); /* one key that came in two reads */
	cut(&st, "\033", 1, 20 * B_NS_PER_MS, &out);
	cut(&st, "x", 1, 200 * B_NS_PER_MS, &out); /* Esc, then x */
	cut(&st, "\303", 1, 300 * B_NS_PER_MS, &out);
	cut(&st, "\251", 1, 301 * B_NS_PER_MS, &out);
	cut(&st, "\303", 1, 302 * B_NS_PER_MS, &out);
	cut(&st, "x", 1, 303 * B_NS_PER_MS, &out);
	cut(&st, "\033[1;", 4, 304 * B_NS_PER_MS, &out);
	cut(&st, "5x", 2, 3000 * B_NS_PER_MS, &out);
	assert_string_equal(b_buf_cstr(&out),
		"k:\\e +k:OA k:\\e t:x t:\\xc3 +t:\\xa9 t:\\xc3 t:x k:\\e[1; t:5 t:x ");
	b_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(in_two_reads),
		cmocka_unit_test(pauses),
	};

	return cmocka_run_group_tests_name("cap_record_typed", tests, NULL, NULL);
}
