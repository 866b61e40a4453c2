#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "vscreen/keymap.h"
#include "vscreen/keymap_data.h"
#include "vscreen/screen.h"
#include "base/banned.h"

static int put(char out[VS_KEY_MAX], const char *s)
{
	size_t len = s ? strlen(s) : 0;

	memcpy(out, s ? s : "", len);
	return (int)len;
}

static int put_byte(char out[VS_KEY_MAX], int c)
{
	out[0] = (char)c;
	return 1;
}

/* The control byte of C- with an ASCII character, as xterm has it on a PC keyboard; -1: none. */
static int control_of(uint32_t ch)
{
	if (ch >= 'a' && ch <= 'z')
		return (int)ch - 'a' + 1;
	if (ch >= '@' && ch <= '_')
		return (int)ch - '@';
	switch (ch) {
	case ' ':
	case '2':
	case '`': return 0;
	case '3':
	case '{': return 0x1B;
	case '4':
	case '|': return 0x1C;
	case '5':
	case '}': return 0x1D;
	case '6':
	case '~': return 0x1E;
	case '7':
	case '/': return 0x1F;
	case '8':
	case '?': return 0x7F;
	case '0':
	case '1':
	case '9': return (int)ch; /* the digits left: xterm sends them bare */
	}
	return -1;
}

static int character(uint32_t ch, unsigned mods, char out[VS_KEY_MAX])
{
	if (mods & VS_MOD_C) {
		int c = control_of(ch);

		return c < 0 ? 0 : put_byte(out, c);
	}
	if ((mods & VS_MOD_S) && ch >= 'a' && ch <= 'z')
		ch -= 'a' - 'A';
	else if ((mods & VS_MOD_S) && ch != ' ' && !(ch >= 'A' && ch <= 'Z'))
		return 0; /* what a shifted digit is depends on the keyboard */
	return (int)b_utf8_encode(ch, out);
}

/* Cursor keys take the form that DECCKM asks for, whichever terminfo lists. Source: DEC
   STD 070 section 6, xterm ctlseqs "PC-Style Function Keys". */
static int cursor_key(const char *s, unsigned modes, char out[VS_KEY_MAX])
{
	int len = put(out, s);

	if (len == 3 && out[0] == '\033' && (out[1] == '[' || out[1] == 'O') &&
		strchr("ABCDEFH", out[2]))
		out[1] = modes & VS_MODE_APP_CURSOR ? 'O' : '[';
	return len;
}

static int keypad(const struct vs_keymap *m, enum vs_k k, unsigned modes, char out[VS_KEY_MAX])
{
	/* In the order of enum vs_k. Source: VT220 manual table 3-6; xterm ctlseqs. */
	static const char numeric[] = "0123456789\r+-*/.,=";
	static const char application[] = "pqrstuvwxyMkmjonlX";
	const char *own = m->named[k][0];

	if (!m->ansi && own)
		return put(out, own);
	if (m->ansi && (modes & VS_MODE_APP_KEYPAD)) {
		if (own)
			return put(out, own);
		out[0] = '\033';
		out[1] = 'O';
		out[2] = application[k - VS_K_KP_0];
		return 3;
	}
	out[0] = numeric[k - VS_K_KP_0];
	if (k != VS_K_KP_ENTER || !(modes & VS_MODE_NEWLINE))
		return 1;
	out[1] = '\n';
	return 2;
}

static int backspace(const struct vs_keymap *m, unsigned mods, unsigned modes, char out[VS_KEY_MAX])
{
	const char *own = m->named[VS_K_BACKSPACE][0];
	int len = put(out, own);

	if (len != 1 || (own[0] != '\b' && own[0] != '\177'))
		return len;
	if (modes & VS_MODE_BACKARROW)
		out[0] = '\b';
	if (mods & VS_MOD_C) /* C- sends the other of the two, as xterm does */
		out[0] = out[0] == '\b' ? '\177' : '\b';
	return 1;
}

/* CSI 1;m X or CSI n;m ~ from the plain key's string; 0 when it has neither form. */
static int xterm_modified(enum vs_k k, const char *plain, unsigned mods, char out[VS_KEY_MAX])
{
	size_t len = strlen(plain);
	char last = plain[len - 1];

	if (len < 3 || plain[0] != '\033' || (plain[1] != '[' && plain[1] != 'O'))
		return 0;
	/* screen lists Home and End as CSI 1~ and 4~, yet passes on what xterm sends. */
	if (k == VS_K_HOME)
		return snprintf(out, VS_KEY_MAX, "\033[1;%uH", mods + 1);
	if (k == VS_K_END)
		return snprintf(out, VS_KEY_MAX, "\033[1;%uF", mods + 1);
	if (len == 3 && last >= 'A' && last <= 'Z')
		return snprintf(out, VS_KEY_MAX, "\033[1;%u%c", mods + 1, last);
	if (plain[1] == '[' && last == '~' && strspn(plain + 2, "0123456789") == len - 3)
		return snprintf(out, VS_KEY_MAX, "%.*s;%u~", (int)len - 1, plain, mods + 1);
	return 0;
}

/* Source: rxvt(7) reference, "Key Codes". */
static int rxvt_modified(const char *plain, unsigned mods, char out[VS_KEY_MAX])
{
	static const char ends[VS_MODS] = {
		[VS_MOD_S] = '$', [VS_MOD_C] = '^', [VS_MOD_C | VS_MOD_S] = '@'
	};
	size_t len = strlen(plain);
	char last = plain[len - 1];

	if (!ends[mods])
		return 0;
	if (len >= 4 && last == '~') {
		int n = put(out, plain);

		out[n - 1] = ends[mods];
		return n;
	}
	if (len == 3 && last >= 'A' && last <= 'D' && mods != (VS_MOD_C | VS_MOD_S)) {
		out[0] = '\033';
		out[1] = mods == VS_MOD_S ? '[' : 'O';
		out[2] = (char)(last - 'A' + 'a');
		return 3;
	}
	return 0;
}

static int modified(const struct vs_keymap *m, const struct vs_keyname *k, const char *plain,
	char out[VS_KEY_MAX])
{
	int len = 0;

	if (!plain)
		return 0;
	if (m->style == VS_STYLE_XTERM)
		len = xterm_modified(k->k, plain, k->mods, out);
	else if (m->style == VS_STYLE_RXVT)
		len = rxvt_modified(plain, k->mods, out);
	return len;
}

/* How much further on ncurses counts a function key with modifiers; 0: it does not. */
static unsigned function_offset(const struct vs_keymap *m, unsigned mods)
{
	static const unsigned char offsets[VS_MODS] = { [VS_MOD_S] = 12,
		[VS_MOD_C] = 24,
		[VS_MOD_C | VS_MOD_S] = 36,
		[VS_MOD_M] = 48,
		[VS_MOD_M | VS_MOD_S] = 60 };

	if (m->style == VS_STYLE_RXVT)
		return mods == VS_MOD_S ? 10 : 0;
	if (m->style == VS_STYLE_PLAIN)
		return mods == VS_MOD_S ? 12 : 0;
	return offsets[mods];
}

/* CSI 1;2P, CSI 15;2~, SS3 1;2P, SS3 2P: xterm's forms, those of its kin and of its past. */
static bool has_modifier(const char *s)
{
	return strchr(s, ';') || (s[0] == '\033' && s[1] == 'O' && s[2] >= '0' && s[2] <= '9');
}

static int function_key(const struct vs_keymap *m, const struct vs_keyname *k, char out[VS_KEY_MAX])
{
	const char *plain = m->function[k->ch], *further = NULL;
	unsigned offset = function_offset(m, k->mods);

	if (!k->mods)
		return put(out, plain);
	if (k->ch > 12)
		return 0;
	if (offset && k->ch + offset <= VS_F_MAX)
		further = m->function[k->ch + offset];
	if (m->style == VS_STYLE_RXVT && k->ch > 10)
		further = NULL;
	if (m->style == VS_STYLE_XTERM && further && !has_modifier(further))
		further = NULL;
	return further ? put(out, further) : modified(m, k, plain, out);
}

static int named(
	const struct vs_keymap *m, const struct vs_keyname *k, unsigned modes, char out[VS_KEY_MAX])
{
	const char *own = m->named[k->k][k->mods];

	switch (k->k) {
	case VS_K_ENTER: /* modifiers are lost on a classic keyboard: here, Tab, Esc */
		return put(out, modes & VS_MODE_NEWLINE ? "\r\n" : "\r");
	case VS_K_ESC: return put(out, "\033");
	case VS_K_TAB: return put(out, k->mods & VS_MOD_S ? m->named[k->k][VS_MOD_S] : "\t");
	case VS_K_BACKSPACE: return backspace(m, k->mods, modes, out);
	default: break;
	}
	if (k->k >= VS_K_KP_0 && k->k <= VS_K_KP_EQUAL)
		return k->mods ? 0 : keypad(m, k->k, modes, out);
	if (!k->mods)
		return cursor_key(own, modes, out);
	if (own || k->k > VS_K_BEGIN)
		return put(out, own);
	return modified(m, k, m->named[k->k][0], out);
}

static int encode(
	const struct vs_keymap *m, const struct vs_keyname *k, unsigned modes, char out[VS_KEY_MAX])
{
	if (k->k == VS_K_CHAR)
		return character(k->ch, k->mods, out);
	if (k->k == VS_K_F)
		return function_key(m, k, out);
	return named(m, k, modes, out);
}

/* Enter, Tab, Esc, Backspace and characters: M- is always an Esc in front. */
static bool meta_is_prefix(const struct vs_keyname *k)
{
	return k->k == VS_K_CHAR || k->k == VS_K_ENTER || k->k == VS_K_TAB || k->k == VS_K_ESC ||
		k->k == VS_K_BACKSPACE;
}

int vs_keymap_encode(
	const struct vs_keymap *m, const struct vs_keyname *k, unsigned modes, char out[VS_KEY_MAX])
{
	struct vs_keyname bare = *k;
	char rest[VS_KEY_MAX];
	int len;

	if (!(k->mods & VS_MOD_M))
		return encode(m, k, modes, out);
	len = meta_is_prefix(k) ? 0 : encode(m, k, modes, out);
	if (len)
		return len;
	/* Of xterm's F13, which is S-F1, there is no third form. */
	if (k->k == VS_K_F && m->style == VS_STYLE_XTERM && k->ch > 12)
		return 0;
	bare.mods &= ~(unsigned)VS_MOD_M;
	len = encode(m, &bare, modes, rest);
	if (!len || len + 1 > VS_KEY_MAX)
		return 0;
	out[0] = '\033';
	memcpy(out + 1, rest, (size_t)len);
	return len + 1;
}

int vs_key_encode(const struct vs_keymap *m, const char *name, unsigned modes, char out[VS_KEY_MAX],
	struct b_error *err)
{
	struct vs_keyname k;
	char bytes[VS_KEY_MAX];
	int len, rc = vs_keyname_parse(name, &k, err);

	if (rc)
		return rc;
	len = vs_keymap_encode(m, &k, modes, bytes);
	if (len) {
		memcpy(out, bytes, (size_t)len);
		return len;
	}
	if (k.k == VS_K_CHAR && !(k.mods & VS_MOD_C))
		return b_error_set(err, B_ENOTFOUND,
			"the key \"%s\" has no bytes of its own; write the character that it gives",
			name);
	if (k.k == VS_K_CHAR)
		return b_error_set(err, B_ENOTFOUND,
			"no terminal sends bytes for \"%s\"; C- goes with letters, digits, Space and "
			"@ [ \\ ] ^ _ ? /",
			name);
	return b_error_set(err, B_ENOTFOUND,
		"TERM \"%s\" has no key \"%s\"; send its bytes with raw, or use a TERM that has it",
		m->term, name);
}
