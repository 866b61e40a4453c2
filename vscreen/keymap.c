/*
 * Two files: what terminfo says is gathered here, once a TERM; keyencode.c turns a name into
 * bytes from it.
 */
#include "vscreen/keymap.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unibilium.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/keymap_data.h"
#include "vscreen/screen.h"
#include "base/banned.h"

/* terminfo's own names. Source: terminfo(5); for ext, ncurses' user_caps(5). */
static const struct {
	enum vs_k k;
	enum unibi_string plain; /* 0: none */
	enum unibi_string shifted;
	const char *ext; /* with a digit behind: xterm's modifier parameter; alone: shifted */
} caps[] = {
	{ VS_K_BACKSPACE, unibi_key_backspace, 0, NULL },
	{ VS_K_DELETE, unibi_key_dc, unibi_key_sdc, "kDC" },
	{ VS_K_INSERT, unibi_key_ic, unibi_key_sic, "kIC" },
	{ VS_K_UP, unibi_key_up, 0, "kUP" },
	{ VS_K_DOWN, unibi_key_down, 0, "kDN" },
	{ VS_K_LEFT, unibi_key_left, unibi_key_sleft, "kLFT" },
	{ VS_K_RIGHT, unibi_key_right, unibi_key_sright, "kRIT" },
	{ VS_K_HOME, unibi_key_home, unibi_key_shome, "kHOM" },
	{ VS_K_END, unibi_key_end, unibi_key_send, "kEND" },
	{ VS_K_PAGEUP, unibi_key_ppage, unibi_key_sprevious, "kPRV" },
	{ VS_K_PAGEDOWN, unibi_key_npage, unibi_key_snext, "kNXT" },
	{ VS_K_BEGIN, unibi_key_beg, unibi_key_sbeg, "kBEG" },
	{ VS_K_TAB, 0, unibi_key_btab, NULL },
	{ VS_K_KP_ENTER, unibi_key_enter, 0, NULL },
	{ VS_K_FIND, unibi_key_find, unibi_key_sfind, NULL },
	{ VS_K_SELECT, unibi_key_select, 0, NULL },
	{ VS_K_HELP, unibi_key_help, unibi_key_shelp, NULL },
	{ VS_K_REDO, unibi_key_redo, unibi_key_sredo, NULL },
	{ VS_K_UNDO, unibi_key_undo, unibi_key_sundo, NULL },
	{ VS_K_PRINT, unibi_key_print, unibi_key_sprint, NULL },
	{ VS_K_CLEAR, unibi_key_clear, 0, NULL },
	{ VS_K_CANCEL, unibi_key_cancel, unibi_key_scancel, NULL },
	{ VS_K_EXIT, unibi_key_exit, unibi_key_sexit, NULL },
	{ VS_K_COPY, unibi_key_copy, unibi_key_scopy, NULL },
	{ VS_K_MOVE, unibi_key_move, unibi_key_smove, NULL },
	{ VS_K_MARK, unibi_key_mark, 0, NULL },
	{ VS_K_OPEN, unibi_key_open, 0, NULL },
	{ VS_K_CLOSE, unibi_key_close, 0, NULL },
	{ VS_K_SAVE, unibi_key_save, unibi_key_ssave, NULL },
	{ VS_K_NEXT, unibi_key_next, 0, NULL },
	{ VS_K_PREVIOUS, unibi_key_previous, 0, NULL },
	{ VS_K_COMMAND, unibi_key_command, unibi_key_scommand, NULL },
	{ VS_K_CREATE, unibi_key_create, unibi_key_screate, NULL },
	{ VS_K_MESSAGE, unibi_key_message, unibi_key_smessage, NULL },
	{ VS_K_OPTIONS, unibi_key_options, unibi_key_soptions, NULL },
	{ VS_K_REFERENCE, unibi_key_reference, 0, NULL },
	{ VS_K_REFRESH, unibi_key_refresh, 0, NULL },
	{ VS_K_REPLACE, unibi_key_replace, unibi_key_sreplace, NULL },
	{ VS_K_RESTART, unibi_key_restart, 0, NULL },
	{ VS_K_RESUME, unibi_key_resume, unibi_key_srsume, NULL },
	{ VS_K_SUSPEND, unibi_key_suspend, unibi_key_ssuspend, NULL },
	{ VS_K_INSERT_LINE, unibi_key_il, 0, NULL },
	{ VS_K_DELETE_LINE, unibi_key_dl, unibi_key_sdl, NULL },
	{ VS_K_ERASE_LINE, unibi_key_eol, unibi_key_seol, NULL },
	{ VS_K_ERASE_SCREEN, unibi_key_eos, 0, NULL },
};

/* Terminals that send xterm's modified keys though their entries do not list them all. */
static const char *const xterm_like[] = { "xterm", "screen", "tmux" };

static enum unibi_string function_cap(unsigned n)
{
	/* unibilium keeps terminfo's order, in which kf10 stands between kf1 and kf2. */
	if (n == 1)
		return unibi_key_f1;
	if (n == 10)
		return unibi_key_f10;
	if (n <= 9)
		return (enum unibi_string)(unibi_key_f2 + (n - 2));
	return (enum unibi_string)(unibi_key_f11 + (n - 11));
}

/* A copy of a key's string, or NULL when it is none that can be typed. */
static char *key_string(const char *s)
{
	/* Padding ($<5>) is no part of what a key sends; no entry known has one. */
	if (!s || !*s || strlen(s) > VS_KEY_MAX - 1 || strstr(s, "$<"))
		return NULL;
	return b_strdup(s);
}

static const char *ext_string(const unibi_term *t, const char *name)
{
	for (size_t i = 0; i < unibi_count_ext_str(t); i++)
		if (!strcmp(unibi_get_ext_str_name(t, i), name))
			return unibi_get_ext_str(t, i);
	return NULL;
}

static void gather_ext(struct vs_keymap *m, const unibi_term *t, enum vs_k k, const char *ext)
{
	char name[8];
	size_t len = strlen(ext);

	memcpy(name, ext, len + 1);
	if (!m->named[k][VS_MOD_S])
		m->named[k][VS_MOD_S] = key_string(ext_string(t, name));
	name[len + 1] = '\0';
	for (unsigned mods = 2; mods < VS_MODS; mods++) {
		name[len] = (char)('1' + mods);
		m->named[k][mods] = key_string(ext_string(t, name));
	}
}

static bool starts(const char *s, const char *with)
{
	return s && !strncmp(s, with, strlen(with));
}

static enum vs_keystyle style_of(const struct vs_keymap *m)
{
	const char *right = m->named[VS_K_RIGHT][VS_MOD_C];

	if (right && !strcmp(right, "\033[1;5C"))
		return VS_STYLE_XTERM;
	if (starts(m->term, "rxvt") || (right && !strcmp(right, "\033Oc")))
		return VS_STYLE_RXVT;
	for (size_t i = 0; i < B_ARRAY_LEN(xterm_like); i++)
		if (starts(m->term, xterm_like[i]))
			return VS_STYLE_XTERM;
	return VS_STYLE_PLAIN;
}

static void gather(struct vs_keymap *m, const unibi_term *t)
{
	for (size_t i = 0; i < B_ARRAY_LEN(caps); i++) {
		char **mods = m->named[caps[i].k];

		if (caps[i].plain)
			mods[0] = key_string(unibi_get_str(t, caps[i].plain));
		if (caps[i].shifted)
			mods[VS_MOD_S] = key_string(unibi_get_str(t, caps[i].shifted));
		if (caps[i].ext)
			gather_ext(m, t, caps[i].k, caps[i].ext);
	}
	for (unsigned n = 1; n <= VS_F_MAX; n++)
		m->function[n] = key_string(unibi_get_str(t, function_cap(n)));
	if (!m->named[VS_K_BACKSPACE][0])
		m->named[VS_K_BACKSPACE][0] = b_strdup("\177");
	m->style = style_of(m);
	m->ansi = starts(m->named[VS_K_UP][0], "\033[") || starts(m->named[VS_K_UP][0], "\033O");
}

/* ---- The TERM's own strings, for decoding ---------------------------------------------- */

static bool same_name(const struct vs_keyname *a, const struct vs_keyname *b)
{
	return a->k == b->k && a->ch == b->ch && a->mods == b->mods;
}

static void string_add(struct vs_keymap *m, const struct vs_keyname *k, unsigned modes)
{
	struct vs_keystring s = { .name = *k };
	int len = vs_keymap_encode(m, k, modes, s.bytes);
	uint32_t cp;

	if (len <= 0 || (len == 1 && s.bytes[0] == '\033'))
		return;
	/* A character stays text: a keypad in numeric mode. */
	if ((unsigned char)s.bytes[0] >= 0x20 && s.bytes[0] != 0x7F &&
		b_utf8_decode(s.bytes, (size_t)len, &cp) == (size_t)len &&
		b_utf8_valid(s.bytes, (size_t)len))
		return;
	s.len = (unsigned char)len;
	for (size_t i = 0; i < m->n_strings; i++)
		if (m->strings[i].len == s.len && !memcmp(m->strings[i].bytes, s.bytes, s.len) &&
			same_name(&m->strings[i].name, k))
			return;
	if (m->n_strings % 64 == 0)
		m->strings = b_reallocarray(m->strings, m->n_strings + 64, sizeof(*m->strings));
	m->strings[m->n_strings++] = s;
}

static void strings_add(struct vs_keymap *m, enum vs_k k, unsigned ch, unsigned mods)
{
	const struct vs_keyname name = { k, ch, mods };

	string_add(m, &name, 0);
	string_add(m, &name, VS_MODE_APP_CURSOR | VS_MODE_APP_KEYPAD);
	if (k == VS_K_ENTER)
		string_add(m, &name, VS_MODE_NEWLINE);
	if (k == VS_K_BACKSPACE)
		string_add(m, &name, VS_MODE_BACKARROW);
}

/* One control character: such a key has a better known name, C-z before Suspend. */
static bool is_control(const char *s)
{
	return s && strlen(s) == 1;
}

/* In the order in which names win when several keys send the same. */
static void gather_strings(struct vs_keymap *m)
{
	for (int k = VS_K_ENTER; k <= VS_K_BEGIN; k++)
		if (k == VS_K_ENTER || k == VS_K_TAB || m->named[k][0])
			strings_add(m, (enum vs_k)k, 0, 0);
	for (int k = VS_K_TAB; k <= VS_K_BEGIN; k++)
		for (unsigned mods = 1; mods < VS_MODS; mods++)
			if (m->named[k][mods])
				strings_add(m, (enum vs_k)k, 0, mods);
	for (unsigned n = 1; n <= 12; n++)
		strings_add(m, VS_K_F, n, 0);
	/* What rxvt sends for modified keys is no CSI sequence, so libtermkey cannot know it. */
	for (int k = VS_K_DELETE; m->style == VS_STYLE_RXVT && k <= VS_K_BEGIN; k++)
		for (unsigned mods = 1; mods < VS_MODS; mods++)
			if (!(mods & VS_MOD_M))
				strings_add(m, (enum vs_k)k, 0, mods);
	for (unsigned n = 1; m->style != VS_STYLE_PLAIN && n <= 12; n++)
		for (unsigned mods = 1; mods < VS_MODS; mods++)
			if (m->style == VS_STYLE_XTERM || !(mods & VS_MOD_M))
				strings_add(m, VS_K_F, n, mods);
	for (unsigned n = 13; n <= VS_F_MAX; n++)
		strings_add(m, VS_K_F, n, 0);
	for (int k = VS_K_KP_0; k <= VS_K_KP_EQUAL; k++)
		strings_add(m, (enum vs_k)k, 0, 0);
	for (int k = VS_K_FIND; k < VS_K_N; k++)
		for (unsigned mods = 0; mods <= VS_MOD_S; mods++)
			if (m->named[k][mods] && !is_control(m->named[k][mods]))
				strings_add(m, (enum vs_k)k, 0, mods);
}

size_t vs_keymap_match(const struct vs_keymap *m, const char *s, size_t len, bool *longer)
{
	size_t best = 0;

	*longer = false;
	for (size_t i = 0; i < m->n_strings; i++) {
		size_t n = m->strings[i].len;

		if (n > len)
			*longer |= !memcmp(m->strings[i].bytes, s, len);
		else if (n > best && !memcmp(m->strings[i].bytes, s, n))
			best = n;
	}
	return best;
}

static bool lookup(const struct vs_keymap *m, const char *s, size_t len, size_t meta,
	unsigned modes, struct vs_keyname *out)
{
	char bytes[VS_KEY_MAX];

	for (size_t i = 0; i < m->n_strings; i++) {
		const struct vs_keystring *own = &m->strings[i];
		struct vs_keyname k = own->name;

		if (own->len + meta != len || memcmp(own->bytes, s + meta, own->len))
			continue;
		if (meta)
			k.mods |= VS_MOD_M;
		/* Under other modes the key may send something else. */
		if (vs_keymap_encode(m, &k, modes, bytes) != (int)len || memcmp(bytes, s, len))
			continue;
		*out = k;
		return true;
	}
	return false;
}

bool vs_keymap_lookup(const struct vs_keymap *m, const char *s, size_t len, unsigned modes,
	struct vs_keyname *out)
{
	if (lookup(m, s, len, 0, modes, out))
		return true;
	return len > 1 && s[0] == '\033' && lookup(m, s, len, 1, modes, out);
}

/* ---- Finding the entry ----------------------------------------------------------------- */

/* NULL also when it cannot be read: another folder may have it. */
static unibi_term *entry_in(const char *dir, size_t len, const char *below, const char *term)
{
	struct b_buf path = B_BUF_INIT;
	unibi_term *t = NULL;

	if (!len || len > PATH_MAX)
		return NULL;
	b_buf_printf(&path, "%.*s%s/%c/%s", (int)len, dir, below, term[0], term);
	t = unibi_from_file(b_buf_cstr(&path));
	if (!t) {
		b_buf_clear(&path);
		b_buf_printf(&path, "%.*s%s/%x/%s", (int)len, dir, below,
			(unsigned)(unsigned char)term[0], term);
		t = unibi_from_file(b_buf_cstr(&path));
	}
	b_buf_release(&path);
	return t;
}

static unibi_term *entry_in_dirs(const char *dirs, const char *term)
{
	unibi_term *t = NULL;

	while (!t && *dirs) {
		size_t len = strcspn(dirs, ":");

		t = entry_in(dirs, len, "", term);
		dirs += len + (dirs[len] == ':');
	}
	return t;
}

/* Where ncurses looks, in its order. unibi_from_term() ends at a folder that it may not enter: a
   home of somebody else's, as sudo and services leave it. */
static unibi_term *entry_find(const char *term)
{
	const char *own = getenv("TERMINFO"), *home = getenv("HOME");
	const char *dirs = getenv("TERMINFO_DIRS");
	unibi_term *t = NULL;

	if (own)
		t = entry_in(own, strlen(own), "", term);
	if (!t && home)
		t = entry_in(home, strlen(home), "/.terminfo", term);
	if (!t && dirs)
		t = entry_in_dirs(dirs, term);
	return t ? t : entry_in_dirs(unibi_terminfo_dirs, term);
}

/* ---- Life ------------------------------------------------------------------------------ */

int vs_keymap_new(struct vs_keymap **out, const char *term, struct b_error *err)
{
	unibi_term *t = NULL;
	struct vs_keymap *m;

	/* A TERM names a file: one with a slash would name any. */
	if (term[0] && term[0] != '.' && !strchr(term, '/'))
		t = entry_find(term);
	if (!t)
		return b_error_set(err, B_ENOTFOUND,
			"terminfo has no entry for TERM \"%s\"; install ncurses-term, or name another "
			"TERM (--term where a session is recorded or read, terminal { term = } in a "
			"script)",
			term);
	m = b_calloc(1, sizeof(*m));
	m->term = b_strdup(term);
	gather(m, t);
	unibi_destroy(t);
	gather_strings(m);
	*out = m;
	return 0;
}

void vs_keymap_free(struct vs_keymap *m)
{
	if (!m)
		return;
	for (int k = 0; k < VS_K_N; k++)
		for (unsigned mods = 0; mods < VS_MODS; mods++)
			free(m->named[k][mods]);
	for (unsigned n = 0; n <= VS_F_MAX; n++)
		free(m->function[n]);
	free(m->strings);
	free(m->term);
	free(m);
}

const char *vs_keymap_term(const struct vs_keymap *m)
{
	return m->term;
}
