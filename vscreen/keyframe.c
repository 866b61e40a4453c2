#include "vscreen/keyframe.h"

#include <string.h>

#include "base/utf8.h"
#include "vscreen/mouse.h"
#include "vscreen/screen.h"
#include "base/banned.h"

#define MOUSE_MODES \
	(VS_MODE_MOUSE_X10 | VS_MODE_MOUSE_CLICK | VS_MODE_MOUSE_DRAG | VS_MODE_MOUSE_ANY)

static struct vs_frame frame(enum vs_frame_kind kind, size_t len)
{
	return (struct vs_frame){ kind, len };
}

static struct vs_frame more_or(bool whole, enum vs_frame_kind kind, size_t len)
{
	return whole ? frame(kind, len) : frame(VS_FRAME_MORE, 0);
}

static struct vs_frame take_csi(const char *s, size_t len, unsigned modes, bool whole)
{
	size_t i = 2, mouse;

	if (modes & MOUSE_MODES) {
		mouse = vs_mouse_match(s, len, modes);
		if (mouse > len)
			return more_or(whole, VS_FRAME_RAW, len);
		if (mouse)
			return frame(VS_FRAME_MOUSE, mouse);
	}
	while (i < len && s[i] >= 0x20 && s[i] <= 0x3F)
		i++;
	if (i == len) /* Esc [ alone is M-[ */
		return more_or(whole, len == 2 ? VS_FRAME_META : VS_FRAME_RAW, len);
	if (s[i] >= 0x40 && s[i] <= 0x7E)
		return frame(VS_FRAME_CSI, i + 1);
	return frame(i == 2 ? VS_FRAME_META : VS_FRAME_RAW, i);
}

/* SS3 x; old xterms put a modifier in front of x. */
static struct vs_frame take_ss3(const char *s, size_t len, bool whole)
{
	size_t i = 2;

	while (i < len && i < 6 && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
		i++;
	if (i == len)
		return more_or(whole, len == 2 ? VS_FRAME_META : VS_FRAME_RAW, len);
	if (s[i] >= 0x40 && s[i] <= 0x7E)
		return frame(VS_FRAME_KEY, i + 1);
	return frame(VS_FRAME_META, 2);
}

static struct vs_frame take_character(const char *s, size_t len, bool whole)
{
	uint32_t cp;
	size_t n = b_utf8_decode(s, len, &cp);

	if (!n)
		return more_or(whole, VS_FRAME_RAW, len);
	return frame(b_utf8_valid(s, n) ? VS_FRAME_KEY : VS_FRAME_RAW, n);
}

/* What stands behind an Esc that opens no sequence: a key that is typed with Meta, maybe. */
static struct vs_frame take_meta(
	const struct vs_keymap *m, const char *s, size_t len, unsigned modes, bool whole)
{
	struct vs_frame rest = { VS_FRAME_KEY, 1 };

	if (s[1] != '\033' || len > 2) {
		/* A second Esc in a row begins a key of its own: only a sequence may follow it. */
		if (s[1] == '\033' && s[2] != '[' && s[2] != 'O') {
			bool longer;
			size_t n = vs_keymap_match(m, s + 1, len - 1, &longer);

			if (longer && !whole)
				return frame(VS_FRAME_MORE, 0);
			return n ? frame(VS_FRAME_META, 1 + n) : frame(VS_FRAME_KEY, 1);
		}
		rest = vs_frame_take(m, s + 1, len - 1, modes, whole);
	} else if (!whole) {
		return frame(VS_FRAME_MORE, 0);
	}
	if (rest.kind == VS_FRAME_MORE)
		return rest;
	if (rest.kind == VS_FRAME_KEY || rest.kind == VS_FRAME_CSI)
		return frame(VS_FRAME_META, 1 + rest.len);
	return frame(VS_FRAME_KEY, 1);
}

struct vs_frame vs_frame_take(
	const struct vs_keymap *m, const char *s, size_t len, unsigned modes, bool whole)
{
	bool mouse = (modes & MOUSE_MODES) && len >= 3 && !memcmp(s, "\033[M", 3);
	bool focus = (modes & VS_MODE_FOCUS) && len >= 3 && !memcmp(s, "\033[", 2) &&
		(s[2] == 'I' || s[2] == 'O');
	bool longer = false;
	size_t own = mouse || focus ? 0 : vs_keymap_match(m, s, len, &longer);

	if (longer && !whole)
		return frame(VS_FRAME_MORE, 0);
	if (own)
		return frame(VS_FRAME_KEY, own);
	if (s[0] == '\r' && (modes & VS_MODE_NEWLINE)) {
		if (len == 1)
			return more_or(whole, VS_FRAME_KEY, 1);
		return frame(VS_FRAME_KEY, s[1] == '\n' ? 2 : 1);
	}
	if (s[0] != '\033')
		return take_character(s, len, whole);
	if (len == 1)
		return more_or(whole, VS_FRAME_KEY, 1);
	if (s[1] == '[')
		return take_csi(s, len, modes, whole);
	if (s[1] == 'O')
		return take_ss3(s, len, whole);
	return take_meta(m, s, len, modes, whole);
}

/* What an answer's string may begin with, so that M-] and M-P stay keys. */
static bool begins_answer(char introducer, char first)
{
	switch (introducer) {
	case ']': /* OSC number, and the title reports of XTWINOPS */
		return (first >= '0' && first <= '9') || first == 'l' || first == 'L' ||
			first == 'I';
	case 'P': /* DECRPSS, XTGETTCAP, XTVERSION, DA3 */
		return (first >= '0' && first <= '9') || first == '>' || first == '!';
	case '_': /* kitty's graphics */ return first == 'G';
	}
	return false;
}

enum vs_string vs_frame_string(const char *s, size_t len, size_t *scanned, size_t *end)
{
	size_t i = *scanned > 3 ? *scanned : 3;

	if (s[0] != '\033' || len < 2 || (s[1] != ']' && s[1] != 'P' && s[1] != '_'))
		return VS_STRING_NO;
	if (len < 3)
		return VS_STRING_MORE;
	if (!begins_answer(s[1], s[2]))
		return VS_STRING_NO;
	for (; i < len; i++) {
		if (s[i] == '\a' && s[1] == ']') {
			*end = i + 1;
			return VS_STRING_WHOLE;
		}
		if (s[i] == '\033') {
			if (i + 1 == len)
				break;
			*end = i + 2;
			return s[i + 1] == '\\' ? VS_STRING_WHOLE : VS_STRING_NO;
		}
		if ((unsigned char)s[i] < 0x20 || s[i] == 0x7F)
			return VS_STRING_NO;
	}
	*scanned = i;
	return VS_STRING_MORE;
}

bool vs_csi_parse(const char *s, size_t len, struct vs_csi *out)
{
	struct vs_csi c = { .params = { -1, -1, -1, -1 } };
	size_t i = 2;

	if (len < 3 || s[0] != '\033' || s[1] != '[')
		return false;
	if (s[i] >= '<' && s[i] <= '?')
		c.prefix = s[i++];
	for (; i < len && s[i] >= 0x30 && s[i] <= 0x3F; i++) {
		int *p = c.n < 4 ? &c.params[c.n] : NULL;

		if (s[i] == ';')
			c.n++;
		else if (p && s[i] >= '0' && s[i] <= '9' && *p < 100000)
			*p = (*p < 0 ? 0 : *p) * 10 + (s[i] - '0');
	}
	if (i > 2 && s[i - 1] >= 0x30 && s[i - 1] <= 0x3B)
		c.n++;
	for (; i < len && s[i] >= 0x20 && s[i] <= 0x2F; i++)
		c.intermediate = s[i];
	if (i + 1 != len || s[i] < 0x40 || s[i] > 0x7E)
		return false;
	c.final = s[i];
	*out = c;
	return true;
}
