#include "vscreen/keyname.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

static const char *const names[VS_K_N] = {
	[VS_K_ENTER] = "Enter",
	[VS_K_TAB] = "Tab",
	[VS_K_ESC] = "Esc",
	[VS_K_BACKSPACE] = "Backspace",
	[VS_K_DELETE] = "Delete",
	[VS_K_INSERT] = "Insert",
	[VS_K_UP] = "Up",
	[VS_K_DOWN] = "Down",
	[VS_K_LEFT] = "Left",
	[VS_K_RIGHT] = "Right",
	[VS_K_HOME] = "Home",
	[VS_K_END] = "End",
	[VS_K_PAGEUP] = "PageUp",
	[VS_K_PAGEDOWN] = "PageDown",
	[VS_K_BEGIN] = "Begin",
	[VS_K_KP_0] = "KP-0",
	[VS_K_KP_0 + 1] = "KP-1",
	[VS_K_KP_0 + 2] = "KP-2",
	[VS_K_KP_0 + 3] = "KP-3",
	[VS_K_KP_0 + 4] = "KP-4",
	[VS_K_KP_0 + 5] = "KP-5",
	[VS_K_KP_0 + 6] = "KP-6",
	[VS_K_KP_0 + 7] = "KP-7",
	[VS_K_KP_0 + 8] = "KP-8",
	[VS_K_KP_9] = "KP-9",
	[VS_K_KP_ENTER] = "KP-Enter",
	[VS_K_KP_PLUS] = "KP-Plus",
	[VS_K_KP_MINUS] = "KP-Minus",
	[VS_K_KP_TIMES] = "KP-Times",
	[VS_K_KP_DIVIDE] = "KP-Divide",
	[VS_K_KP_DOT] = "KP-Dot",
	[VS_K_KP_COMMA] = "KP-Comma",
	[VS_K_KP_EQUAL] = "KP-Equal",
	[VS_K_FIND] = "Find",
	[VS_K_SELECT] = "Select",
	[VS_K_HELP] = "Help",
	[VS_K_REDO] = "Redo",
	[VS_K_UNDO] = "Undo",
	[VS_K_PRINT] = "Print",
	[VS_K_CLEAR] = "Clear",
	[VS_K_CANCEL] = "Cancel",
	[VS_K_EXIT] = "Exit",
	[VS_K_COPY] = "Copy",
	[VS_K_MOVE] = "Move",
	[VS_K_MARK] = "Mark",
	[VS_K_OPEN] = "Open",
	[VS_K_CLOSE] = "Close",
	[VS_K_SAVE] = "Save",
	[VS_K_NEXT] = "Next",
	[VS_K_PREVIOUS] = "Previous",
	[VS_K_COMMAND] = "Command",
	[VS_K_CREATE] = "Create",
	[VS_K_MESSAGE] = "Message",
	[VS_K_OPTIONS] = "Options",
	[VS_K_REFERENCE] = "Reference",
	[VS_K_REFRESH] = "Refresh",
	[VS_K_REPLACE] = "Replace",
	[VS_K_RESTART] = "Restart",
	[VS_K_RESUME] = "Resume",
	[VS_K_SUSPEND] = "Suspend",
	[VS_K_INSERT_LINE] = "InsertLine",
	[VS_K_DELETE_LINE] = "DeleteLine",
	[VS_K_ERASE_LINE] = "EraseLine",
	[VS_K_ERASE_SCREEN] = "EraseScreen",
};

/* What other tools call them: no names here, but good for a hint. */
static const struct {
	const char *other, *ours;
} aliases[] = {
	{ "Return", "Enter" },
	{ "CR", "Enter" },
	{ "Escape", "Esc" },
	{ "BS", "Backspace" },
	{ "BSpace", "Backspace" },
	{ "Del", "Delete" },
	{ "DC", "Delete" },
	{ "Ins", "Insert" },
	{ "IC", "Insert" },
	{ "PgUp", "PageUp" },
	{ "PPage", "PageUp" },
	{ "Prior", "PageUp" },
	{ "PgDn", "PageDown" },
	{ "PgDown", "PageDown" },
	{ "NPage", "PageDown" },
	{ "BackTab", "S-Tab" },
	{ "BTab", "S-Tab" },
	{ "ShiftTab", "S-Tab" },
	{ "KPEnter", "KP-Enter" },
	{ "KP-Add", "KP-Plus" },
	{ "KP-Subtract", "KP-Minus" },
	{ "KP-Multiply", "KP-Times" },
	{ "KP-Decimal", "KP-Dot" },
	{ "ArrowUp", "Up" },
	{ "ArrowDown", "Down" },
	{ "ArrowLeft", "Left" },
	{ "ArrowRight", "Right" },
	{ "Spacebar", "Space" },
};

#define DISTANCE_MAX 24 /* longer names are near to nothing */

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Edits (insert, delete, replace, swap) between two names, case aside. */
static int distance(const char *a, const char *b)
{
	int rows[3][DISTANCE_MAX + 1];
	int *before = rows[0], *above = rows[1], *now = rows[2];
	int la = (int)strlen(a), lb = (int)strlen(b);

	if (la > DISTANCE_MAX || lb > DISTANCE_MAX)
		return la > lb ? la : lb;
	for (int j = 0; j <= lb; j++)
		above[j] = j;
	memset(before, 0, sizeof(rows[0]));
	for (int i = 1; i <= la; i++) {
		now[0] = i;
		for (int j = 1; j <= lb; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);
			int d = above[j - 1] + (same ? 0 : 1);

			if (above[j] + 1 < d)
				d = above[j] + 1;
			if (now[j - 1] + 1 < d)
				d = now[j - 1] + 1;
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
				lower(a[i - 2]) == lower(b[j - 1]) && before[j - 2] + 1 < d)
				d = before[j - 2] + 1;
			now[j] = d;
		}
		int *t = before;
		before = above;
		above = now;
		now = t;
	}
	return above[lb];
}

/* The known base nearest to s, or NULL when all are far. */
static const char *nearest(const char *s)
{
	int best = 1 + (int)strlen(s) / 3, d;
	const char *name = NULL;

	for (size_t i = 0; i < B_ARRAY_LEN(aliases); i++)
		if (!strcasecmp(s, aliases[i].other))
			return aliases[i].ours;
	d = distance(s, "Space");
	if (d <= best) {
		best = d - 1;
		name = "Space";
	}
	for (int k = 0; k < VS_K_N; k++) {
		if (!names[k] || (d = distance(s, names[k])) > best)
			continue;
		best = d - 1;
		name = names[k];
	}
	return name;
}

static int no_key(const char *name, const char *base, struct b_error *err)
{
	const char *near = nearest(base);

	if (near)
		return b_error_set(err, B_EINPUT, "unknown key '%s'; did you mean '%.*s%s'?", name,
			(int)(base - name), name, near);
	return b_error_set(err, B_EINPUT,
		"unknown key '%s'; keys are Enter, Tab, Up, PageDown, F1, KP-Enter, a single "
		"character, with C-, M-, S- in front; text is typed with send",
		name);
}

static unsigned mod_of(char c)
{
	switch (c) {
	case 'C':
	case 'c': return VS_MOD_C;
	case 'M':
	case 'm': return VS_MOD_M;
	case 'S':
	case 's': return VS_MOD_S;
	}
	return 0;
}

/* "F1".."F63"; 0 when s is no such name. */
static unsigned function_number(const char *s)
{
	unsigned n = 0;
	size_t len = strlen(s);

	if (lower(s[0]) != 'f' || len < 2 || len > 3 || s[1] == '0')
		return 0;
	for (size_t i = 1; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return 0;
		n = n * 10 + (unsigned)(s[i] - '0');
	}
	return n <= VS_F_MAX ? n : 0;
}

static bool is_character(const char *s, uint32_t *cp)
{
	size_t len = strlen(s);

	if (!len || b_utf8_decode(s, len, cp) != len)
		return false;
	if (*cp < 0x20 || (*cp >= 0x7F && *cp < 0xA0))
		return false;
	return *cp != B_UTF8_REPLACEMENT || b_utf8_valid(s, len);
}

int vs_keyname_parse(const char *name, struct vs_keyname *out, struct b_error *err)
{
	struct vs_keyname k = { VS_K_CHAR, 0, 0 };
	const char *s = name;

	while (s[0] && s[1] == '-' && s[2] && mod_of(s[0])) {
		if (k.mods & mod_of(s[0]))
			return b_error_set(err, B_EINPUT,
				"the key \"%s\" has the modifier %c- twice; write it once", name,
				s[0]);
		k.mods |= mod_of(s[0]);
		s += 2;
	}
	if (is_character(s, &k.ch)) {
		*out = k;
		return 0;
	}
	if (!strcasecmp(s, "Space")) {
		k.ch = ' ';
		*out = k;
		return 0;
	}
	k.ch = function_number(s);
	if (k.ch) {
		k.k = VS_K_F;
		*out = k;
		return 0;
	}
	for (int i = 0; i < VS_K_N; i++) {
		if (!names[i] || strcasecmp(s, names[i]))
			continue;
		k.k = (enum vs_k)i;
		*out = k;
		return 0;
	}
	return no_key(name, s, err);
}

void vs_keyname_format(const struct vs_keyname *k, char out[VS_KEYNAME_MAX])
{
	char base[16];

	if (k->k == VS_K_F) {
		snprintf(base, sizeof(base), "F%u", (unsigned)k->ch);
	} else if (k->k != VS_K_CHAR) {
		snprintf(base, sizeof(base), "%s", names[k->k]);
	} else if (k->ch == ' ') {
		snprintf(base, sizeof(base), "Space");
	} else {
		base[b_utf8_encode(k->ch, base)] = '\0';
	}
	snprintf(out, VS_KEYNAME_MAX, "%s%s%s%s", k->mods & VS_MOD_C ? "C-" : "",
		k->mods & VS_MOD_M ? "M-" : "", k->mods & VS_MOD_S ? "S-" : "", base);
}
