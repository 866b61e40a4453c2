/* vscreen: what was typed, back to names; nothing is lost however it is cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"

#define CUR   VS_MODE_APP_CURSOR
#define PAD   VS_MODE_APP_KEYPAD
#define MS    1000000LL
#define CLICK VS_MODE_MOUSE_CLICK

static struct vs_keymap *keymap(const char *term)
{
	struct vs_keymap *m = NULL;
	struct b_error err = { 0 };

	if (vs_keymap_new(&m, term, &err))
		fail_msg("%s", err.text);
	return m;
}

static struct vs_keydecoder *decoder(const struct vs_keymap *m)
{
	struct vs_keydecoder *d = NULL;

	assert_int_equal(vs_keydecoder_new(&d, m), 0);
	return d;
}

/* "a Up raw:1b5b ..." of all that the decoder has. */
static void describe(struct vs_keydecoder *d, bool flush, struct b_buf *out, struct b_buf *bytes)
{
	static const char *const actions[] = { "press", "release", "drag", "move" };
	struct vs_key k;

	while (vs_keydecoder_next(d, flush, &k)) {
		if (out->len)
			b_buf_addc(out, ' ');
		if (bytes)
			b_buf_add(bytes, k.bytes, k.len);
		switch (k.kind) {
		case VS_KEY_TEXT: b_buf_printf(out, "'%s'", k.name); break;
		case VS_KEY_NAMED: b_buf_adds(out, k.name); break;
		case VS_KEY_RAW:
			b_buf_adds(out, "raw:");
			for (size_t i = 0; i < k.len; i++)
				b_buf_printf(out, "%02x", (unsigned char)k.bytes[i]);
			break;
		case VS_KEY_MOUSE:
			b_buf_printf(out, "mouse:%s,%d@%d,%d%s%s%s", actions[k.mouse.action],
				k.mouse.button, k.mouse.row, k.mouse.col, k.mouse.shift ? ",S" : "",
				k.mouse.meta ? ",M" : "", k.mouse.ctrl ? ",C" : "");
			break;
		case VS_KEY_PASTE:
			b_buf_adds(out, "paste:");
			b_buf_add(out, k.text, k.text_len);
			break;
		case VS_KEY_FOCUS: b_buf_adds(out, "focus"); break;
		case VS_KEY_ANSWER: b_buf_adds(out, "answer"); break;
		}
	}
}

static const struct {
	const char *term;
	unsigned modes;
	const char *typed, *keys;
} cases[] = {
	{ "xterm", 0, "aB \303\251\344\270\255", "'a' 'B' ' ' '\303\251' '\344\270\255'" },
	{ "xterm", 0, "\r\t\177\b\n\033", "Enter Tab Backspace C-h C-j Esc" },
	{ "vt220", 0, "\b\177", "Backspace C-?" },
	{ "xterm", VS_MODE_BACKARROW, "\b\177", "Backspace C-?" },
	{ "xterm", 0, "\001\032\034\035\036\037", "C-a C-z C-\\ C-] C-^ C-_" },
	{ "xterm", 0, "\033x\033\303\251\033\030", "M-x M-\303\251 C-M-x" },
	{ "xterm", 0, "\033\r\033\177\033 ", "M-Enter M-Backspace M-Space" },
	{ "vt220", 0, "\033\b", "M-Backspace" },
	{ "xterm", 0, "\033[A\033[B\033[H\033[3~", "Up Down Home Delete" },
	{ "xterm", CUR, "\033OA\033OB\033OH\033[3~", "Up Down Home Delete" },
	{ "xterm", CUR, "\033[A", "raw:1b5b41" },
	{ "xterm", 0, "\033OA", "raw:1b4f41" },
	{ "xterm", 0, "\033OP\033[15~\033[24~", "F1 F5 F12" },
	{ "linux", 0, "\033[[A\033[25~\033\t\033[G", "F1 F13 S-Tab raw:1b5b47" },
	{ "xterm", 0, "\033[15;2~\033[1;2P\033[1;5P\033[Z", "S-F5 S-F1 C-F1 S-Tab" },
	{ "xterm", 0, "\033[1;5A\033[1;3A\033[1;6D\033[6;7~", "C-Up M-Up C-S-Left C-M-PageDown" },
	{ "screen", 0, "\033[1;5A\033[1~\033[1;5H", "C-Up Home C-Home" },
	{ "vt220", 0, "\033\033[A\033\033[17~", "M-Up M-F6" },
	{ "xterm", 0, "\033\033[A", "Esc Up" },
	{ "xterm", 0, "\033\033", "M-Esc" },
	{ "xterm", 0, "\033\033x", "Esc M-x" },
	{ "xterm", PAD, "\033OM\033Ou\033Ok", "KP-Enter KP-5 KP-Plus" },
	{ "xterm", 0, "\033OM", "raw:1b4f4d" },
	{ "vt100", PAD, "\033Ot\033Oy", "F5 KP-9" },
	{ "xterm", VS_MODE_NEWLINE, "\r\n\r\r\n\n", "Enter C-m Enter C-j" },
	{ "wyse60", 0, "\001@\r\001\013\014\010\0337", "F1 C-a Up Right Backspace KP-Enter" },
	{ "rxvt", 0, "\033[3$\033[11^\033Oa\033[a\033[23~", "S-Delete C-F1 C-Up S-Up F11" },
	{ "scoansi", 0, "\033[M\033[I\033[]", "F1 PageUp F44" },
	{ "vt52", 0, "\033A\033P\033B", "Up F1 Down" },
	{ "vt220", 0, "\033[1~\033[28~", "Find Help" },
	/* What is no key stays as it came. */
	{ "xterm", 0, "\033[99~x", "raw:1b5b39397e 'x'" },
	{ "xterm", 0, "\033[~\033[u", "raw:1b5b7e raw:1b5b75" }, /* no argument: no key */
	{ "xterm", 0, "\033[13;5u", "raw:1b5b31333b3575" },
	{ "xterm", 0, "\377\303(\355\240\200", "raw:ff raw:c3 '(' raw:ed raw:a0 raw:80" },
	{ "xterm", 0, "\302\205", "raw:c285" },
	{ "xterm", 0, "\303", "raw:c3" },
	{ "xterm", 0, "\033[1;", "raw:1b5b313b" },
	{ "xterm", 0, "\033[\033[A", "M-[ Up" },
	{ "xterm", 0, "\033[1\001", "raw:1b5b31 C-a" },
	{ "xterm", 0, "\033[", "M-[" },
	{ "xterm", 0, "\033O", "M-O" },
	{ "xterm", 0, "\033]", "M-]" },
	{ "xterm", 0, "\033]x\033Px\033_x\033^x\033X", "M-] 'x' M-P 'x' M-_ 'x' M-^ 'x' M-X" },
	{ "xterm", 0, "\033]1;x", "M-] '1' ';' 'x'" },
	/* K02: more arguments than libtermkey can bear. */
	{ "xterm", 0, "\033[?65;1;2;3;4;6;7;8;9;15;18;21;22;29;39;42;44c", "answer" },
	{ "xterm", 0, "\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1A", NULL },
	/* K08: answers of the person's terminal. */
	{ "xterm", 0, "\033[2;3R\033[1;1R\033[?1;2c\033[>41;354;0c\033[0n",
		"answer answer answer answer answer" },
	{ "xterm", 0, "\033[1;2R\033[1;3R", "S-F3 M-F3" },
	{ "xterm", 0, "\033[?1;2$y\033[8;24;80t\033[?997;1n", "answer answer answer" },
	{ "xterm", 0, "\033]11;rgb:1e1e/1e1e/1e1e\033\\x\033]11;rgb:0/0/0\ay",
		"answer 'x' answer 'y'" },
	{ "xterm", 0, "\033P>|XTerm(379)\033\\\033P1$r0m\033\\\033[1;2P", "answer answer S-F1" },
	{ "xterm", VS_MODE_FOCUS, "\033[I\033[O", "focus focus" },
	{ "xterm", 0, "\033[I", "focus" },
	{ "scoansi", VS_MODE_FOCUS, "\033[I", "focus" },
	/* K09 */
	{ "xterm", VS_MODE_PASTE, "a\033[200~two\rlines\033[A\033[201~b",
		"'a' paste:two\rlines\033[A 'b'" },
	{ "xterm", 0, "\033[200~\033[201~\033[201~", "paste: raw:1b5b3230317e" },
	/* Mouse; K01 is the SGR report with terminfo's kmous of CSI <. */
	{ "xterm-256color", CLICK | VS_MODE_MOUSE_SGR, "\033[<0;10;5M\033[<0;10;5mx",
		"mouse:press,1@4,9 mouse:release,1@4,9 'x'" },
	{ "xterm", CLICK, "\033[M *%\033[M#*%", "mouse:press,1@4,9 mouse:release,0@4,9" },
	{ "xterm", CLICK, "\033[M`*%\033[M<*%", "mouse:press,4@4,9 mouse:press,1@4,9,S,M,C" },
	{ "xterm", VS_MODE_MOUSE_X10, "\033[M\"!!", "mouse:press,3@0,0" },
	{ "xterm", CLICK | VS_MODE_MOUSE_UTF8, "\033[M \305\214!", "mouse:press,1@0,299" },
	{ "xterm", CLICK | VS_MODE_MOUSE_URXVT, "\033[32;10;5M", "mouse:press,1@4,9" },
	{ "xterm", VS_MODE_MOUSE_DRAG | VS_MODE_MOUSE_SGR, "\033[<32;10;5M", "mouse:drag,1@4,9" },
	{ "xterm", VS_MODE_MOUSE_ANY | VS_MODE_MOUSE_SGR, "\033[<35;10;5M", "mouse:move,0@4,9" },
	{ "xterm", CLICK | VS_MODE_MOUSE_PIXELS, "\033[<0;58;59M", "mouse:press,1@4,9" },
	/* Another place of the cell, perhaps of another font: kept as it came. */
	{ "xterm", CLICK | VS_MODE_MOUSE_PIXELS, "\033[<0;57;59M", "raw:1b5b3c303b35373b35394d" },
	{ "scoansi", CLICK, "\033[M !!", "mouse:press,1@0,0" },
	{ "xterm", CLICK, "\033[M *", "raw:1b5b4d202a" },
	{ "xterm", 0, "\033[<0;10;5M", "raw:1b5b3c303b31303b354d" },
};

static void decode(void **state)
{
	(void)state;
	for (size_t i = 0; i < B_ARRAY_LEN(cases); i++) {
		struct vs_keymap *m = keymap(cases[i].term);
		size_t len = strlen(cases[i].typed);

		/* Whole, and byte by byte at one time: the same. */
		for (int bytewise = 0; bytewise < 2; bytewise++) {
			struct vs_keydecoder *d = decoder(m);
			struct b_buf out = B_BUF_INIT, bytes = B_BUF_INIT;

			for (size_t at = 0; bytewise && at < len; at++) {
				vs_keydecoder_push(d, cases[i].typed + at, 1, 0, cases[i].modes);
				describe(d, false, &out, &bytes);
			}
			if (!bytewise)
				vs_keydecoder_push(d, cases[i].typed, len, 0, cases[i].modes);
			describe(d, true, &out, &bytes);
			if (cases[i].keys && strcmp(b_buf_cstr(&out), cases[i].keys))
				fail_msg("%s case %zu bytewise %d: got <%s> want <%s>",
					cases[i].term, i, bytewise, b_buf_cstr(&out),
					cases[i].keys);
			assert_int_equal(bytes.len, len);
			assert_memory_equal(bytes.data, cases[i].typed, len);
			b_buf_release(&out);
			b_buf_release(&bytes);
			vs_keydecoder_free(d);
		}
		vs_keymap_free(m);
	}
}

static void nul_is_ctrl_space(void **state)
{
	struct vs_keymap *m = keymap("xterm");
	struct vs_keydecoder *d = decoder(m);
	struct b_buf out = B_BUF_INIT;

	(void)state;
	vs_keydecoder_push(d, "\0\033\0", 3, 0, 0);
	describe(d, true, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "C-Space C-M-Space");
	b_buf_release(&out);
	vs_keydecoder_free(d);
	vs_keymap_free(m);
}

/* K03: a pause makes two keys of Esc and what follows, flushed or not. */
static void times(void **state)
{
	struct vs_keymap *m = keymap("xterm");
	struct vs_keydecoder *d = decoder(m);
	struct b_buf out = B_BUF_INIT;
	struct vs_key k;

	(void)state;
	vs_keydecoder_push(d, "\033", 1, 0, 0);
	assert_int_equal(vs_keydecoder_next(d, false, &k), 0);
	assert_int_equal(vs_keydecoder_next(d, true, &k), 1);
	assert_string_equal(k.name, "Esc");

	vs_keydecoder_push(d, "\033", 1, 100 * MS, 0);
	vs_keydecoder_push(d, "x", 1, 110 * MS, 0);
	assert_int_equal(vs_keydecoder_next(d, false, &k), 1);
	assert_string_equal(k.name, "M-x");
	assert_int_equal(k.at_ns, 100 * MS);

	vs_keydecoder_push(d, "\033", 1, 200 * MS, 0);
	vs_keydecoder_push(d, "x", 1, 250 * MS, 0);
	assert_int_equal(vs_keydecoder_next(d, false, &k), 1);
	assert_string_equal(k.name, "Esc");
	assert_int_equal(k.at_ns, 200 * MS);
	assert_int_equal(vs_keydecoder_next(d, false, &k), 1);
	assert_int_equal(k.kind, VS_KEY_TEXT);
	assert_int_equal(k.at_ns, 250 * MS);

	/* Two Escs that were typed one after the other are no M-Esc. */
	vs_keydecoder_push(d, "\033", 1, 300 * MS, 0);
	vs_keydecoder_push(d, "\033", 1, 330 * MS, 0);
	describe(d, true, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "Esc Esc");
	b_buf_clear(&out);

	/* A sequence that the network cut is one key. */
	vs_keydecoder_push(d, "\033[1", 3, 400 * MS, 0);
	vs_keydecoder_push(d, ";5A", 3, 430 * MS, 0);
	describe(d, false, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "C-Up");
	b_buf_clear(&out);

	/* Each key is judged under the modes of its own time. */
	vs_keydecoder_push(d, "\033[A", 3, 500 * MS, 0);
	vs_keydecoder_push(d, "\033OA", 3, 500 * MS, CUR);
	describe(d, false, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "Up Up");
	b_buf_release(&out);
	vs_keydecoder_free(d);
	vs_keymap_free(m);
}

static void decode_after_output(const char *output, const char *typed, const char *keys)
{
	struct vs_keymap *m = keymap("xterm");

	for (size_t cut = 0; cut <= strlen(output); cut++) {
		struct vs_keydecoder *d = decoder(m);
		struct b_buf out = B_BUF_INIT;

		vs_keydecoder_output(d, output, cut, 0);
		vs_keydecoder_output(d, output + cut, strlen(output) - cut, 0);
		vs_keydecoder_push(d, typed, strlen(typed), 10 * MS, 0);
		describe(d, true, &out, NULL);
		if (strcmp(b_buf_cstr(&out), keys))
			fail_msg("after %s cut at %zu: got <%s> want <%s>", output + 1, cut,
				b_buf_cstr(&out), keys);
		b_buf_release(&out);
		vs_keydecoder_free(d);
	}
	vs_keymap_free(m);
}

static void awaited_answers(void **state)
{
	(void)state;
	decode_after_output("text", "\033[1;3R", "M-F3");
	decode_after_output("x\033[6n", "\033[1;3R\033[1;3R", "answer M-F3");
	decode_after_output("\033[?6n", "a\033[1;2R", "'a' answer");
	decode_after_output("\033[6n\033[6n", "\033[1;3R\033[1;3R\033[1;3R", "answer answer M-F3");
	decode_after_output("\033[6m\033[5n\033[16n", "\033[1;3R", "M-F3");
	decode_after_output("\033[6n", "\033[1;3", "raw:1b5b313b33");
	/* Flushing cuts an awaited answer no more than it must. */
	decode_after_output("\033]11;?\033\\", "\033]11;rgb:1", "");
	decode_after_output("\033]11;?\a", "\033]11;rgb:1\033\\x", "answer 'x'");
	decode_after_output("\033]0;What?\a", "\033]11;rgb", "");
	decode_after_output("\033]0;title\a", "\033]11", "M-] '1' '1'");
	decode_after_output("\033P+q4D73\033\\", "\033P1+r4D73", "");
	decode_after_output("\033[>q", "\033P>|XTerm", "");
	decode_after_output("\033[21t", "\033]ltitle", "");
}

/* An answer that never ends holds the keys back only for a while. */
static void stalled_answer(void **state)
{
	struct vs_keymap *m = keymap("xterm");
	struct vs_keydecoder *d = decoder(m);
	struct b_buf out = B_BUF_INIT;

	(void)state;
	vs_keydecoder_output(d, "\033[>q", 4, 0);
	vs_keydecoder_push(d, "\033P>|X", 5, 10 * MS, 0);
	describe(d, true, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "");
	vs_keydecoder_push(d, "a", 1, 10 * MS + VS_STALL_NS, 0);
	describe(d, true, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "M-P '>' '|' 'X' 'a'");
	b_buf_clear(&out);

	vs_keydecoder_output(d, "\033[>q", 4, 60000 * MS);
	vs_keydecoder_push(d, "\033P>|", 4, 60010 * MS, 0);
	describe(d, true, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "");
	vs_keydecoder_finish(d);
	describe(d, true, &out, NULL);
	assert_string_equal(b_buf_cstr(&out), "M-P '>' '|'");
	b_buf_release(&out);
	vs_keydecoder_free(d);
	vs_keymap_free(m);
}

/* Pushes size bytes of paste in small reads, flushing between; returns the pieces. */
static int paste_of(size_t size, bool end)
{
	struct vs_keymap *m = keymap("xterm");
	struct vs_keydecoder *d = decoder(m);
	char chunk[4095];
	struct vs_key k;
	size_t text = 0;
	int pieces = 0;
	int64_t at_ns = 0;

	memset(chunk, 'x', sizeof(chunk));
	vs_keydecoder_push(d, "\033[200~", 6, at_ns, VS_MODE_PASTE);
	for (size_t left = size; left;) {
		size_t n = left < sizeof(chunk) ? left : sizeof(chunk);

		vs_keydecoder_push(d, chunk, n, at_ns += 60 * MS, VS_MODE_PASTE);
		left -= n;
		while (vs_keydecoder_next(d, true, &k)) {
			assert_int_equal(k.kind, VS_KEY_PASTE);
			text += k.text_len;
			pieces++;
		}
	}
	if (end)
		vs_keydecoder_push(d, "\033[201~", 6, at_ns, VS_MODE_PASTE);
	else
		vs_keydecoder_finish(d);
	while (vs_keydecoder_next(d, false, &k)) {
		assert_int_equal(k.kind, VS_KEY_PASTE);
		text += k.text_len;
		pieces++;
	}
	assert_int_equal(text, size);
	vs_keydecoder_push(d, "z", 1, at_ns, 0);
	assert_int_equal(vs_keydecoder_next(d, false, &k), 1);
	assert_string_equal(k.name, "z");
	vs_keydecoder_free(d);
	vs_keymap_free(m);
	return pieces;
}

static void pastes(void **state)
{
	(void)state;
	assert_int_equal(paste_of(3 << 20, true), 1);
	assert_int_equal(paste_of(100, false), 1);
	assert_int_equal(paste_of(VS_PASTE_MAX_BYTES + 5000, true), 2);
}

/* ---- Properties ------------------------------------------------------------------------- */

static const char *const terms[] = { "xterm", "xterm-256color", "xterm-r6", "vt52", "vt100",
	"vt102", "vt220", "linux", "screen", "screen-256color", "tmux", "tmux-256color", "ansi",
	"rxvt", "rxvt-unicode", "wyse60", "putty", "scoansi", "dumb", "konsole", "gnome", "st",
	"mlterm", "hpterm", "sun", "ibm3151", "qansi", "cygwin", "Eterm", "alacritty", "foot",
	"aixterm", "dtterm", "nsterm", "interix", "tvi925", "att605", "pcansi" };

static const char *const bases[] = { "Enter", "Tab", "Esc", "Backspace", "Delete", "Insert", "Up",
	"Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "Space", "KP-Enter", "KP-0",
	"KP-1", "KP-2", "KP-3", "KP-4", "KP-5", "KP-6", "KP-7", "KP-8", "KP-9", "KP-Plus",
	"KP-Minus", "KP-Times", "KP-Divide", "KP-Dot", "KP-Comma", "KP-Equal", "Begin", "Find",
	"Select", "Help", "Print", "Undo", "Suspend", "InsertLine", "DeleteLine", "\303\251",
	"\344\270\255" };

static const unsigned mode_sets[] = { 0, CUR, PAD, CUR | PAD, VS_MODE_NEWLINE, VS_MODE_BACKARROW };

/*
 * Whether two names are rightly one key: they send the same and the decoder's is the one that
 * is preferred. Checked by encoding; here only that a key with a name of its own keeps it.
 */
static void round_trip(const struct vs_keymap *m, struct vs_keydecoder *d, const char *name,
	unsigned modes, long *same, long *other)
{
	char bytes[VS_KEY_MAX], again[VS_KEY_MAX];
	struct vs_key k;
	int len = vs_key_encode(m, name, modes, bytes, NULL);

	if (len < 0)
		return;
	vs_keydecoder_push(d, bytes, (size_t)len, 0, modes);
	assert_int_equal(vs_keydecoder_next(d, true, &k), 1);
	if (k.len != (size_t)len) /* Esc and a key that the TERM cannot tell from two */
		fail_msg("%s %s under %x: %d bytes came back as %zu of %s", vs_keymap_term(m), name,
			modes, len, k.len, k.name);
	assert_memory_equal(k.bytes, bytes, k.len);
	if (k.kind != VS_KEY_NAMED && k.kind != VS_KEY_TEXT)
		fail_msg("%s %s under %x came back as kind %d", vs_keymap_term(m), name, modes,
			k.kind);
	if (strcmp(k.name, name)) {
		assert_int_equal(vs_key_encode(m, k.name, modes, again, NULL), len);
		assert_memory_equal(again, bytes, (size_t)len);
		++*other;
	} else {
		++*same;
	}
	assert_int_equal(vs_keydecoder_next(d, true, &k), 0);
}

static void every_key_and_term(void **state)
{
	static const char *const mods[] = { "", "S-", "M-", "M-S-", "C-", "C-S-", "C-M-",
		"C-M-S-" };
	long same = 0, other = 0;
	int tried = 0;

	(void)state;
	for (size_t t = 0; t < B_ARRAY_LEN(terms); t++) {
		struct vs_keymap *m = NULL;
		struct vs_keydecoder *d;

		if (vs_keymap_new(&m, terms[t], NULL))
			continue; /* not on this machine */
		tried++;
		d = decoder(m);
		for (size_t i = 0; i < B_ARRAY_LEN(mode_sets) * B_ARRAY_LEN(mods); i++) {
			unsigned modes = mode_sets[i / B_ARRAY_LEN(mods)];
			const char *mod = mods[i % B_ARRAY_LEN(mods)];
			char name[64];

			for (size_t b = 0; b < B_ARRAY_LEN(bases); b++) {
				snprintf(name, sizeof(name), "%s%s", mod, bases[b]);
				round_trip(m, d, name, modes, &same, &other);
			}
			for (int f = 1; f <= 63; f++) {
				snprintf(name, sizeof(name), "%sF%d", mod, f);
				round_trip(m, d, name, modes, &same, &other);
			}
			for (int c = '!'; c <= '~'; c++) {
				snprintf(name, sizeof(name), "%s%c", mod, c);
				round_trip(m, d, name, modes, &same, &other);
			}
		}
		vs_keydecoder_free(d);
		vs_keymap_free(m);
	}
	print_message("%d TERMs: %ld names came back, %ld as another name of the key\n", tried,
		same, other);
	assert_true(tried >= 10);
	assert_true(same > 10000);
}

/* On these TERMs the keys that people have come back by the very name. */
static void own_names(void **state)
{
	static const char *const names[] = { "Enter", "Tab", "Esc", "Backspace", "S-Tab", "Delete",
		"Insert", "Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown", "F1",
		"F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12", "C-Up",
		"C-S-Left", "S-F1", "S-F5", "C-F5", "M-F5", "C-M-S-F12", "M-Up", "S-Home", "C-End",
		"S-Insert", "C-Delete", "M-x", "C-a", "C-M-a", "M-Enter", "M-Backspace", "C-Space",
		"C-PageDown" };
	static const char *const on[] = { "xterm", "xterm-256color", "tmux-256color",
		"screen-256color" };
	long same = 0, other = 0;

	(void)state;
	for (size_t t = 0; t < B_ARRAY_LEN(on); t++) {
		struct vs_keymap *m = keymap(on[t]);
		struct vs_keydecoder *d = decoder(m);

		for (size_t i = 0; i < B_ARRAY_LEN(names); i++)
			for (unsigned modes = 0; modes < 4; modes++)
				round_trip(m, d, names[i],
					(modes & 1 ? CUR : 0) | (modes & 2 ? PAD : 0), &same,
					&other);
		vs_keydecoder_free(d);
		vs_keymap_free(m);
	}
	assert_int_equal(other, 0);
	assert_int_equal(same, (long)(B_ARRAY_LEN(on) * B_ARRAY_LEN(names) * 4));
}

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Random bytes, rich in what sequences are made of, in random reads at random times. */
static void nothing_is_lost(void **state)
{
	static const char rich[] = "\033\033\033[[]OPM_~;<?0123456789ABRcnmIM\r\n\a\\ xyz";
	uint32_t seed = 2463534242u;

	(void)state;
	for (int round = 0; round < 3000; round++) {
		struct vs_keymap *m = keymap(terms[next_random(&seed) % 17]);
		struct vs_keydecoder *d = decoder(m);
		struct b_buf in = B_BUF_INIT, out = B_BUF_INIT, said = B_BUF_INIT;
		int64_t at_ns = 0;

		for (unsigned n = next_random(&seed) % 200; n; n--) {
			if (next_random(&seed) % 40 == 0)
				b_buf_adds(&in, "\033[200~");
			if (next_random(&seed) % 40 == 0)
				b_buf_adds(&in, "\033[201~");
			b_buf_addc(&in,
				next_random(&seed) % 8
					? rich[next_random(&seed) % (sizeof(rich) - 1)]
					: (char)next_random(&seed));
		}
		for (size_t at = 0; at < in.len;) {
			size_t n = 1 + next_random(&seed) % 20;

			if (n > in.len - at)
				n = in.len - at;
			if (next_random(&seed) % 8 == 0)
				vs_keydecoder_output(d, "\033[6n\033]11;?\a", 11, at_ns);
			at_ns +=
				(int64_t)(next_random(&seed) % 4 ? next_random(&seed) % 60 : 6000) *
				MS;
			vs_keydecoder_push(d, in.data + at, n, at_ns, next_random(&seed) & 0x7FFFF);
			at += n;
			describe(d, next_random(&seed) % 3 == 0, &said, &out);
		}
		vs_keydecoder_finish(d);
		describe(d, next_random(&seed) % 2, &said, &out);
		assert_int_equal(out.len, in.len);
		if (in.len)
			assert_memory_equal(out.data, in.data, in.len);
		b_buf_release(&in);
		b_buf_release(&out);
		b_buf_release(&said);
		vs_keydecoder_free(d);
		vs_keymap_free(m);
	}
}

/* Every report that an application can ask for comes back as what it says, or not at all. */
static void mouse_round_trips(void **state)
{
	static const unsigned tracking[] = { VS_MODE_MOUSE_X10, VS_MODE_MOUSE_CLICK,
		VS_MODE_MOUSE_DRAG, VS_MODE_MOUSE_ANY };
	static const unsigned coding[] = { 0, VS_MODE_MOUSE_UTF8, VS_MODE_MOUSE_SGR,
		VS_MODE_MOUSE_URXVT, VS_MODE_MOUSE_PIXELS };
	static const int places[] = { 0, 1, 79, 94, 95, 96, 222, 223, 999 };
	struct vs_keymap *map = keymap("xterm-256color");
	struct vs_keydecoder *d = decoder(map);
	long n = 0;

	(void)state;
	for (size_t i = 0; i < 4 * 5 * 4 * 12 * 8 * B_ARRAY_LEN(places); i++) {
		size_t rest = i;
		unsigned modes = tracking[rest % 4];
		struct b_buf bytes = B_BUF_INIT, again = B_BUF_INIT;
		struct vs_mouse m;
		struct vs_key k;

		modes |= coding[(rest /= 4) % 5];
		m.action = (enum vs_mouse_action)((rest /= 5) % 4);
		m.button = (int)((rest /= 4) % 12);
		m.shift = (rest /= 12) & 1;
		m.meta = rest & 2;
		m.ctrl = rest & 4;
		m.col = places[rest / 8];
		m.row = places[B_ARRAY_LEN(places) - 1 - rest / 8];
		if (!vs_mouse_encode(&m, modes, &bytes)) {
			n++;
			vs_keydecoder_push(d, bytes.data, bytes.len, 0, modes);
			assert_int_equal(vs_keydecoder_next(d, true, &k), 1);
			assert_int_equal(k.kind, VS_KEY_MOUSE);
			assert_int_equal(k.len, bytes.len);
			assert_int_equal(k.mouse.action, m.action);
			assert_int_equal(k.mouse.row, m.row);
			assert_int_equal(k.mouse.col, m.col);
			assert_int_equal(vs_mouse_encode(&k.mouse, modes, &again), 0);
			assert_string_equal(b_buf_cstr(&again), b_buf_cstr(&bytes));
			assert_int_equal(vs_keydecoder_next(d, true, &k), 0);
		}
		b_buf_release(&bytes);
		b_buf_release(&again);
	}
	printf("%ld mouse reports came back\n", n);
	vs_keydecoder_free(d);
	vs_keymap_free(map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mouse_round_trips),
		cmocka_unit_test(decode),
		cmocka_unit_test(nul_is_ctrl_space),
		cmocka_unit_test(times),
		cmocka_unit_test(awaited_answers),
		cmocka_unit_test(stalled_answer),
		cmocka_unit_test(pastes),
		cmocka_unit_test(every_key_and_term),
		cmocka_unit_test(own_names),
		cmocka_unit_test(nothing_is_lost),
	};

	return cmocka_run_group_tests_name("vs keys decode", tests, NULL, NULL);
}
