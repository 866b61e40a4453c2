#include "vscreen/keytermkey.h"

#include <stdlib.h>
#include <string.h>
#include <termkey.h>

#include "base/mem.h"
#include "base/banned.h"

struct vs_termkey {
	TermKey *tk;
};

static const struct {
	TermKeySym sym;
	enum vs_k k;
} syms[] = {
	{ TERMKEY_SYM_BACKSPACE, VS_K_BACKSPACE },
	{ TERMKEY_SYM_DEL, VS_K_BACKSPACE },
	{ TERMKEY_SYM_TAB, VS_K_TAB },
	{ TERMKEY_SYM_ENTER, VS_K_ENTER },
	{ TERMKEY_SYM_ESCAPE, VS_K_ESC },
	{ TERMKEY_SYM_UP, VS_K_UP },
	{ TERMKEY_SYM_DOWN, VS_K_DOWN },
	{ TERMKEY_SYM_LEFT, VS_K_LEFT },
	{ TERMKEY_SYM_RIGHT, VS_K_RIGHT },
	{ TERMKEY_SYM_BEGIN, VS_K_BEGIN },
	{ TERMKEY_SYM_FIND, VS_K_FIND },
	{ TERMKEY_SYM_INSERT, VS_K_INSERT },
	{ TERMKEY_SYM_DELETE, VS_K_DELETE },
	{ TERMKEY_SYM_SELECT, VS_K_SELECT },
	{ TERMKEY_SYM_PAGEUP, VS_K_PAGEUP },
	{ TERMKEY_SYM_PAGEDOWN, VS_K_PAGEDOWN },
	{ TERMKEY_SYM_HOME, VS_K_HOME },
	{ TERMKEY_SYM_END, VS_K_END },
	{ TERMKEY_SYM_KPENTER, VS_K_KP_ENTER },
	{ TERMKEY_SYM_KPPLUS, VS_K_KP_PLUS },
	{ TERMKEY_SYM_KPMINUS, VS_K_KP_MINUS },
	{ TERMKEY_SYM_KPMULT, VS_K_KP_TIMES },
	{ TERMKEY_SYM_KPDIV, VS_K_KP_DIVIDE },
	{ TERMKEY_SYM_KPPERIOD, VS_K_KP_DOT },
	{ TERMKEY_SYM_KPCOMMA, VS_K_KP_COMMA },
	{ TERMKEY_SYM_KPEQUALS, VS_K_KP_EQUAL },
};

static unsigned mods_of(int modifiers)
{
	return (modifiers & TERMKEY_KEYMOD_SHIFT ? VS_MOD_S : 0u) |
		(modifiers & TERMKEY_KEYMOD_ALT ? VS_MOD_M : 0u) |
		(modifiers & TERMKEY_KEYMOD_CTRL ? VS_MOD_C : 0u);
}

static bool sym_name(TermKeySym sym, struct vs_keyname *out)
{
	if (sym == TERMKEY_SYM_SPACE) {
		out->k = VS_K_CHAR;
		out->ch = ' ';
		return true;
	}
	if (sym >= TERMKEY_SYM_KP0 && sym <= TERMKEY_SYM_KP9) {
		out->k = (enum vs_k)((int)VS_K_KP_0 + (int)(sym - TERMKEY_SYM_KP0));
		return true;
	}
	for (size_t i = 0; i < B_ARRAY_LEN(syms); i++) {
		if (syms[i].sym != sym)
			continue;
		out->k = syms[i].k;
		return true;
	}
	return false;
}

static bool key_name(const TermKeyKey *key, struct vs_keyname *out)
{
	struct vs_keyname k = { VS_K_CHAR, 0, mods_of(key->modifiers) };

	switch (key->type) {
	case TERMKEY_TYPE_UNICODE:
		if (key->code.codepoint < 0x20)
			return false;
		k.ch = (uint32_t)key->code.codepoint;
		break;
	case TERMKEY_TYPE_FUNCTION:
		if (key->code.number < 1 || key->code.number > VS_F_MAX)
			return false;
		k.k = VS_K_F;
		k.ch = (uint32_t)key->code.number;
		break;
	case TERMKEY_TYPE_KEYSYM:
		if (!sym_name(key->code.sym, &k))
			return false;
		break;
	default: return false;
	}
	*out = k;
	return true;
}

/*
 * The TERM's own strings are known before libtermkey is asked, so it gets none of them. With
 * them it would take SGR mouse reports for X10's (kmous is CSI < since ncurses 6.1), name
 * S-F5 F17, and leak where two keys send the same (wyse60).
 */
static const char *terminfo_string(const char *name, const char *value, void *data)
{
	(void)name;
	(void)value;
	(void)data;
	return NULL;
}

struct vs_termkey *vs_termkey_new(const struct vs_keymap *m)
{
	struct vs_termkey *t = b_calloc(1, sizeof(*t));

	/* Not started at first: the hook works only before. */
	t->tk = termkey_new_abstract(vs_keymap_term(m),
		TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOTERMIOS | TERMKEY_FLAG_NOSTART);
	if (t->tk) {
		termkey_hook_terminfo_getstr(t->tk, terminfo_string, NULL);
		if (termkey_start(t->tk))
			return t;
	}
	/* Destroying one that never started crashes libtermkey 0.22: better to leak it. */
	free(t);
	return NULL;
}

void vs_termkey_free(struct vs_termkey *t)
{
	if (!t)
		return;
	termkey_destroy(t->tk);
	free(t);
}

/*
 * libtermkey 0.22 writes a CSI's 17th argument past its array, and reads past another one for a
 * CSI with intermediate bytes. Keys have few and small arguments and nothing else. It takes the
 * first argument of CSI ~ and CSI u to be there, and what lies on the stack when it is not.
 */
static bool is_harmless(const char *s, size_t len)
{
	int args = 0, digits = 0;

	if (len && (unsigned char)s[0] >= 0x80 && (unsigned char)s[0] < 0xC0)
		return false; /* an 8-bit control would open a sequence */
	if (len > 2 && s[0] == '\033' && s[1] == '\033') {
		s++;
		len--;
	}
	if (len < 3 || s[0] != '\033' || s[1] != '[')
		return true;
	if (len == 3 && (s[2] == '~' || s[2] == 'u'))
		return false;
	for (size_t i = 2; i + 1 < len; i++) {
		if (s[i] == ';') {
			args++;
			digits = 0;
		} else if (s[i] >= '0' && s[i] <= '9') {
			digits++;
		} else {
			return false;
		}
		if (args > 3 || digits > 4)
			return false;
	}
	return true;
}

bool vs_termkey_name(struct vs_termkey *t, const char *s, size_t len, struct vs_keyname *out)
{
	size_t room = termkey_get_buffer_remaining(t->tk);
	TermKeyKey key, rest;
	bool one;

	if (!len || len > VS_KEY_MAX || !is_harmless(s, len))
		return false;
	if (termkey_push_bytes(t->tk, s, len) != len)
		return false;
	one = termkey_getkey_force(t->tk, &key) == TERMKEY_RES_KEY &&
		termkey_get_buffer_remaining(t->tk) == room;
	/* Nothing may stay behind to be taken for the next key's beginning. */
	for (size_t i = 0; i < len && termkey_get_buffer_remaining(t->tk) != room; i++)
		if (termkey_getkey_force(t->tk, &rest) != TERMKEY_RES_KEY)
			break;
	B_BUG_ON(termkey_get_buffer_remaining(t->tk) != room);
	return one && key_name(&key, out);
}
