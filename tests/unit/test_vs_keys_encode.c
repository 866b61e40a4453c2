/* vscreen: key names to bytes, for the TERMs that people have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"

#define CUR VS_MODE_APP_CURSOR
#define PAD VS_MODE_APP_KEYPAD

static struct vs_keymap *keymap(const char *term)
{
	struct vs_keymap *m = NULL;
	struct b_error err = { 0 };
	int rc = vs_keymap_new(&m, term, &err);

	if (rc)
		fail_msg("%s", err.text);
	return m;
}

/* Values: terminfo of ncurses 6.4, xterm's ctlseqs, faults K05 to K07. NULL: no such key. */
static const struct {
	const char *term, *key;
	unsigned modes;
	const char *bytes;
	size_t len; /* 0: strlen */
} encodings[] = {
	{ "xterm", "a", 0, "a", 0 },
	{ "xterm", "A", 0, "A", 0 },
	{ "xterm", "\303\251", 0, "\303\251", 0 },
	{ "xterm", "\344\270\255", 0, "\344\270\255", 0 },
	{ "xterm", "-", 0, "-", 0 },
	{ "xterm", "C", 0, "C", 0 },
	{ "xterm", "Space", 0, " ", 0 },
	{ "xterm", "Enter", 0, "\r", 0 },
	{ "xterm", "enter", 0, "\r", 0 },
	{ "xterm", "Enter", VS_MODE_NEWLINE, "\r\n", 0 },
	{ "xterm", "C-Enter", 0, "\r", 0 },
	{ "xterm", "S-Enter", 0, "\r", 0 },
	{ "xterm", "M-Enter", 0, "\033\r", 0 },
	{ "xterm", "Tab", 0, "\t", 0 },
	{ "xterm", "C-Tab", 0, "\t", 0 },
	{ "xterm", "S-Tab", 0, "\033[Z", 0 },
	{ "linux", "S-Tab", 0, "\033\t", 0 },
	{ "vt220", "S-Tab", 0, NULL, 0 },
	{ "xterm", "Esc", 0, "\033", 0 },
	{ "xterm", "M-Esc", 0, "\033\033", 0 },
	{ "xterm", "Backspace", 0, "\177", 0 },
	{ "xterm", "Backspace", VS_MODE_BACKARROW, "\b", 0 },
	{ "xterm", "C-Backspace", 0, "\b", 0 },
	{ "vt220", "Backspace", 0, "\b", 0 },
	{ "ansi", "Backspace", 0, "\b", 0 },
	{ "xterm", "C-a", 0, "\001", 0 },
	{ "xterm", "C-A", 0, "\001", 0 },
	{ "xterm", "C-i", 0, "\t", 0 },
	{ "xterm", "C-j", 0, "\n", 0 },
	{ "xterm", "C-m", 0, "\r", 0 },
	{ "xterm", "C-z", 0, "\032", 0 },
	{ "xterm", "C-@", 0, "\0", 1 },
	{ "xterm", "C-Space", 0, "\0", 1 },
	{ "xterm", "C-[", 0, "\033", 0 },
	{ "xterm", "C-\\", 0, "\034", 0 },
	{ "xterm", "C-]", 0, "\035", 0 },
	{ "xterm", "C-^", 0, "\036", 0 },
	{ "xterm", "C-_", 0, "\037", 0 },
	{ "xterm", "C-/", 0, "\037", 0 },
	{ "xterm", "C-?", 0, "\177", 0 },
	{ "xterm", "C-2", 0, "\0", 1 },
	{ "xterm", "C-8", 0, "\177", 0 },
	{ "xterm", "C-1", 0, "1", 0 },
	{ "xterm", "C-;", 0, NULL, 0 },
	{ "xterm", "C-\303\251", 0, NULL, 0 },
	{ "xterm", "S-a", 0, "A", 0 },
	{ "xterm", "S-1", 0, NULL, 0 },
	{ "xterm", "M-x", 0, "\033x", 0 },
	{ "xterm", "M--", 0, "\033-", 0 },
	{ "xterm", "M-\303\251", 0, "\033\303\251", 0 },
	{ "xterm", "C-M-x", 0, "\033\030", 0 },
	{ "xterm", "M-C-x", 0, "\033\030", 0 },
	{ "xterm", "Up", 0, "\033[A", 0 },
	{ "xterm", "Up", CUR, "\033OA", 0 },
	{ "xterm", "Home", 0, "\033[H", 0 },
	{ "xterm", "Home", CUR, "\033OH", 0 },
	{ "vt220", "Up", 0, "\033[A", 0 },
	{ "vt220", "Up", CUR, "\033OA", 0 },
	{ "vt220", "Home", 0, NULL, 0 },
	{ "linux", "Up", 0, "\033[A", 0 },
	{ "linux", "Home", CUR, "\033[1~", 0 },
	{ "screen", "Home", CUR, "\033[1~", 0 },
	{ "screen", "C-Home", 0, "\033[1;5H", 0 },
	{ "screen", "C-Up", CUR, "\033[1;5A", 0 },
	{ "ansi", "Insert", 0, "\033[L", 0 },
	{ "ansi", "End", 0, NULL, 0 },
	{ "wyse60", "Up", CUR, "\v", 0 },
	{ "wyse60", "F1", 0, "\001@\r", 0 },
	{ "wyse60", "S-Tab", 0, "\033I", 0 },
	{ "wyse60", "KP-Enter", PAD, "\0337", 0 },
	{ "wyse60", "KP-5", PAD, "5", 0 },
	{ "xterm", "F1", CUR | PAD, "\033OP", 0 },
	{ "linux", "F1", 0, "\033[[A", 0 },
	{ "rxvt", "F1", 0, "\033[11~", 0 },
	{ "vt220", "F1", 0, "\033OP", 0 },
	{ "xterm", "F5", 0, "\033[15~", 0 },
	{ "vt220", "F5", 0, NULL, 0 },
	{ "vt100", "F10", 0, "\033Ox", 0 },
	{ "xterm", "F13", 0, "\033[1;2P", 0 },
	{ "xterm", "F17", 0, "\033[15;2~", 0 },
	{ "xterm", "F24", 0, "\033[24;2~", 0 },
	{ "linux", "F20", 0, "\033[34~", 0 },
	{ "linux", "S-F8", 0, "\033[34~", 0 },
	{ "rxvt", "S-F3", 0, "\033[25~", 0 },
	{ "rxvt", "C-F1", 0, "\033[11^", 0 },
	{ "xterm", "F63", 0, "\033[1;4R", 0 },
	{ "xterm", "S-F5", 0, "\033[15;2~", 0 },
	{ "xterm", "C-F1", 0, "\033[1;5P", 0 },
	{ "xterm", "M-F1", 0, "\033[1;3P", 0 },
	{ "xterm", "C-M-S-F12", 0, "\033[24;8~", 0 },
	{ "screen", "S-F5", 0, "\033[15;2~", 0 },
	{ "vt220", "M-F6", 0, "\033\033[17~", 0 },
	{ "vt220", "C-F6", 0, NULL, 0 },
	{ "xterm", "C-Up", CUR, "\033[1;5A", 0 },
	{ "xterm", "C-S-Left", 0, "\033[1;6D", 0 },
	{ "xterm", "M-Up", 0, "\033[1;3A", 0 },
	{ "vt220", "M-Up", 0, "\033\033[A", 0 },
	{ "vt220", "M-Up", CUR, "\033\033OA", 0 },
	{ "vt220", "C-Up", 0, NULL, 0 },
	{ "rxvt", "C-Up", 0, "\033Oa", 0 },
	{ "rxvt", "S-Up", 0, "\033[a", 0 },
	{ "rxvt", "C-Delete", 0, "\033[3^", 0 },
	{ "xterm", "C-S-PageDown", 0, "\033[6;6~", 0 },
	{ "xterm", "Delete", 0, "\033[3~", 0 },
	{ "vt100", "Delete", 0, NULL, 0 },
	{ "xterm", "KP-Enter", 0, "\r", 0 },
	{ "xterm", "KP-Enter", VS_MODE_NEWLINE, "\r\n", 0 },
	{ "xterm", "KP-Enter", PAD, "\033OM", 0 },
	{ "linux", "KP-Enter", PAD, "\033OM", 0 },
	{ "xterm", "KP-5", 0, "5", 0 },
	{ "xterm", "KP-5", PAD, "\033Ou", 0 },
	{ "xterm", "KP-Plus", PAD, "\033Ok", 0 },
	{ "xterm", "KP-Minus", PAD, "\033Om", 0 },
	{ "xterm", "KP-Times", PAD, "\033Oj", 0 },
	{ "xterm", "KP-Divide", PAD, "\033Oo", 0 },
	{ "xterm", "KP-Dot", PAD, "\033On", 0 },
	{ "xterm", "KP-Comma", PAD, "\033Ol", 0 },
	{ "xterm", "KP-Equal", PAD, "\033OX", 0 },
	{ "vt220", "Find", 0, "\033[1~", 0 },
	{ "vt220", "Help", 0, "\033[28~", 0 },
};

static void encode(void **state)
{
	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(encodings); i++) {
		struct vs_keymap *m = keymap(encodings[i].term);
		struct b_error err = { 0 };
		char out[VS_KEY_MAX];
		const char *want = encodings[i].bytes;
		int rc = vs_key_encode(m, encodings[i].key, encodings[i].modes, out, &err);
		int len = want ? (int)(encodings[i].len ? encodings[i].len : strlen(want))
			       : B_ENOTFOUND;

		if (rc != len || (len > 0 && memcmp(out, want, (size_t)len)))
			fail_msg("%s %s modes %x: %d \"%.*s\" %s", encodings[i].term,
				encodings[i].key, encodings[i].modes, rc, rc > 0 ? rc : 0, out,
				err.text);
		if (!want) {
			assert_int_equal(err.code, B_ENOTFOUND);
			assert_true(!strstr(err.text, "has no key") ||
				strstr(err.text, "send its bytes with raw"));
		}
		vs_keymap_free(m);
	}
}

static void no_such_name(void **state)
{
	static const struct {
		const char *name, *hint;
	} cases[] = {
		{ "Bogus", NULL },
		{ "Entr", "Enter" },
		{ "Return", "Enter" },
		{ "C-Escape", "C-Esc" },
		{ "PageDwon", "PageDown" },
		{ "PgUp", "PageUp" },
		{ "F64", NULL },
		{ "F0", NULL },
		{ "F01", NULL },
		{ "", NULL },
		{ "C-", NULL },
		{ "C-C-x", NULL },
		{ "ab", NULL },
		{ "<F1>", NULL },
		{ "\033", NULL },
		{ "\033[A", NULL },
		{ "\377", NULL },
		{ "Up ", "Up" },
		{ "KP-Plu", "KP-Plus" },
		{ "spcae", "Space" },
	};
	struct vs_keymap *m = keymap("xterm");

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_error err = { 0 };
		char out[VS_KEY_MAX], quoted[64];

		assert_int_equal(vs_key_encode(m, cases[i].name, 0, out, &err), B_EINPUT);
		assert_int_equal(err.code, B_EINPUT);
		snprintf(quoted, sizeof(quoted), "did you mean '%s'?",
			cases[i].hint ? cases[i].hint : "");
		if (cases[i].hint)
			assert_non_null(strstr(err.text, quoted));
		assert_null(strchr(err.text, '\033'));
	}
	vs_keymap_free(m);
}

static void no_such_term(void **state)
{
	static const char *const terms[] = { "nonesuch-9", "", "../x/xterm", "/etc/passwd", ".",
		"x/xterm" };

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(terms); i++) {
		struct vs_keymap *m = NULL;
		struct b_error err = { 0 };

		assert_int_equal(vs_keymap_new(&m, terms[i], &err), B_ENOTFOUND);
		assert_null(m);
		assert_non_null(strstr(err.text, "--term"));
	}
}

/* Homes that may not be entered; root may enter all folders, and no file. */
static void home_refused(void **state)
{
	static const char *const homes[] = { "/etc/passwd", "/nonexistent", "", ":" };
	const char *before = getenv("HOME");
	char *home = before ? b_strdup(before) : NULL;

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(homes); i++) {
		struct vs_keymap *m;

		setenv("HOME", homes[i], 1);
		setenv("TERMINFO", homes[i], 1);
		setenv("TERMINFO_DIRS", homes[i], 1);
		m = keymap("xterm");
		assert_string_equal(vs_keymap_term(m), "xterm");
		vs_keymap_free(m);
	}
	unsetenv("TERMINFO");
	unsetenv("TERMINFO_DIRS");
	unsetenv("HOME");
	vs_keymap_free(keymap("xterm"));
	if (home)
		setenv("HOME", home, 1);
	free(home);
}

static void paste(void **state)
{
	static const struct {
		unsigned modes;
		const char *text, *bytes;
	} cases[] = {
		{ 0, "a\nb", "a\rb" },
		{ 0, "a\r\nb\n", "a\rb\r" },
		{ VS_MODE_PASTE, "a\nb", "\033[200~a\rb\033[201~" },
		{ VS_MODE_PASTE, "", "\033[200~\033[201~" },
		{ VS_MODE_PASTE, "x\033[201~rm\n", "\033[200~x[201~rm\r\033[201~" },
		{ VS_MODE_PASTE, "x\033\033[201~y", "\033[200~x[201~y\033[201~" },
		{ VS_MODE_PASTE, "\033[1mx\033", "\033[200~\033[1mx\033\033[201~" },
		{ 0, "x\033[201~", "x\033[201~" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf out = B_BUF_INIT;

		vs_paste_encode(cases[i].text, strlen(cases[i].text), cases[i].modes, &out);
		assert_string_equal(b_buf_cstr(&out), cases[i].bytes);
		b_buf_release(&out);
	}
}

#define CLICK VS_MODE_MOUSE_CLICK
#define SGR   VS_MODE_MOUSE_SGR

static void mouse(void **state)
{
	static const struct {
		unsigned modes;
		struct vs_mouse m;
		const char *bytes; /* NULL: no report */
	} cases[] = {
		{ 0, { VS_MOUSE_PRESS, 1, 0, 0, 0, 0, 0 }, NULL },
		{ VS_MODE_MOUSE_X10, { VS_MOUSE_PRESS, 1, 4, 9, 1, 0, 0 }, "\033[M *%" },
		{ VS_MODE_MOUSE_X10, { VS_MOUSE_RELEASE, 1, 4, 9, 0, 0, 0 }, NULL },
		{ VS_MODE_MOUSE_X10, { VS_MOUSE_PRESS, 4, 4, 9, 0, 0, 0 }, NULL },
		{ CLICK, { VS_MOUSE_PRESS, 3, 4, 9, 0, 0, 0 }, "\033[M\"*%" },
		{ CLICK, { VS_MOUSE_PRESS, 1, 4, 9, 1, 1, 1 }, "\033[M<*%" },
		{ CLICK, { VS_MOUSE_RELEASE, 3, 4, 9, 0, 0, 0 }, "\033[M#*%" },
		{ CLICK, { VS_MOUSE_PRESS, 4, 4, 9, 0, 0, 0 }, "\033[M`*%" },
		{ CLICK, { VS_MOUSE_DRAG, 1, 4, 9, 0, 0, 0 }, NULL },
		{ CLICK, { VS_MOUSE_PRESS, 1, 4, 223, 0, 0, 0 }, NULL },
		{ CLICK, { VS_MOUSE_PRESS, 1, 0, 222, 0, 0, 0 }, "\033[M \377!" },
		{ CLICK | VS_MODE_MOUSE_UTF8, { VS_MOUSE_PRESS, 1, 0, 299, 0, 0, 0 },
			"\033[M \305\214!" },
		{ CLICK | SGR, { VS_MOUSE_PRESS, 1, 4, 9, 0, 0, 0 }, "\033[<0;10;5M" },
		{ CLICK | SGR, { VS_MOUSE_RELEASE, 1, 4, 9, 0, 0, 0 }, "\033[<0;10;5m" },
		{ CLICK | SGR, { VS_MOUSE_PRESS, 5, 4, 999, 0, 0, 1 }, "\033[<81;1000;5M" },
		{ CLICK | SGR, { VS_MOUSE_RELEASE, 0, 4, 9, 0, 0, 0 }, NULL },
		{ CLICK | VS_MODE_MOUSE_URXVT, { VS_MOUSE_PRESS, 1, 4, 9, 0, 0, 0 },
			"\033[32;10;5M" },
		/* Pixels of the middle of a cell of 6 x 13. */
		{ CLICK | VS_MODE_MOUSE_PIXELS, { VS_MOUSE_PRESS, 1, 4, 9, 0, 0, 0 },
			"\033[<0;58;59M" },
		{ CLICK | VS_MODE_MOUSE_PIXELS, { VS_MOUSE_RELEASE, 1, 0, 0, 0, 0, 0 },
			"\033[<0;4;7m" },
		{ VS_MODE_MOUSE_DRAG | SGR, { VS_MOUSE_DRAG, 1, 4, 9, 0, 0, 0 }, "\033[<32;10;5M" },
		{ VS_MODE_MOUSE_DRAG | SGR, { VS_MOUSE_MOVE, 0, 4, 9, 0, 0, 0 }, NULL },
		{ VS_MODE_MOUSE_ANY | SGR, { VS_MOUSE_MOVE, 0, 4, 9, 0, 0, 0 }, "\033[<35;10;5M" },
	};

	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct b_buf out = B_BUF_INIT;
		int rc = vs_mouse_encode(&cases[i].m, cases[i].modes, &out);

		assert_int_equal(rc == 0, cases[i].bytes != NULL);
		assert_string_equal(b_buf_cstr(&out), cases[i].bytes ? cases[i].bytes : "");
		b_buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(encode),
		cmocka_unit_test(no_such_name),
		cmocka_unit_test(no_such_term),
		cmocka_unit_test(home_refused),
		cmocka_unit_test(paste),
		cmocka_unit_test(mouse),
	};

	return cmocka_run_group_tests_name("vs keys encode", tests, NULL, NULL);
}
