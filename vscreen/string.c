/* Control strings, whole: titles, colours, queries; all else is swallowed. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/answer.h"
#include "vscreen/presentation.h"
#include "vscreen/state.h"
#include "base/banned.h"

/* ---- Titles --------------------------------------------------------------------------------- */

/* Valid UTF-8 without controls. */
static void set_title(struct b_buf *title, const char *text, size_t len)
{
	uint32_t cp;
	size_t n;
	char utf8[4];

	b_buf_clear(title);
	for (; len; text += n, len -= n) {
		n = b_utf8_decode(text, len, &cp);
		if (!n) {
			n = len;
			cp = B_UTF8_REPLACEMENT;
		}
		if (cp >= 0x20 && (cp < 0x7F || cp >= 0xA0))
			b_buf_add(title, utf8, b_utf8_encode(cp, utf8));
	}
}

/* ---- Colours -------------------------------------------------------------------------------- */

/* xterm's palette: 16 colours, a cube of 6 x 6 x 6, 24 greys. */
static uint32_t palette(int i)
{
	static const uint32_t first[16] = {
		0x000000,
		0xCD0000,
		0x00CD00,
		0xCDCD00,
		0x0000EE,
		0xCD00CD,
		0x00CDCD,
		0xE5E5E5,
		0x7F7F7F,
		0xFF0000,
		0x00FF00,
		0xFFFF00,
		0x5C5CFF,
		0xFF00FF,
		0x00FFFF,
		0xFFFFFF,
	};
	static const uint32_t step[6] = { 0x00, 0x5F, 0x87, 0xAF, 0xD7, 0xFF };

	if (i < 16)
		return first[i];
	if (i < 232) {
		i -= 16;
		return step[i / 36] << 16 | step[i / 6 % 6] << 8 | step[i % 6];
	}
	return (uint32_t)(8 + (i - 232) * 10) * 0x010101u;
}

static void answer_colour(struct vs_screen *s, const char *what, uint32_t rgb, bool bell)
{
	unsigned r = rgb >> 16 & 0xFF, g = rgb >> 8 & 0xFF, b = rgb & 0xFF;

	vs_answer(s, "%s%s;rgb:%02x%02x/%02x%02x/%02x%02x%s", vs_c1(s, ']'), what, r, r, g, g, b, b,
		bell ? "\a" : vs_c1(s, '\\'));
}

/* OSC 4 ; N ; ? ; N ; ? ..., and OSC 5 for the colours of bold, underline ...: what was set is
   not kept, nobody looks at these colours here. */
static bool palette_queries(struct vs_screen *s, int mode, const char *text, bool bell)
{
	char what[16];
	bool any = false;
	int n, used;

	while (sscanf(text, "%6d%n", &n, &used) == 1 && text[used] == ';') {
		text += used + 1;
		if (text[0] == '?' && n >= 0 && n < (mode == 4 ? 256 : 5)) {
			snprintf(what, sizeof what, "%d;%d", mode, n);
			answer_colour(s, what, mode == 4 ? palette(n) : 0x000000, bell);
			any = true;
		}
		text += strcspn(text, ";");
		if (*text == ';')
			text++;
	}
	return any;
}

/* OSC 10 ; ? ; ? ...: text, background, cursor ... in turn. */
static bool dynamic_queries(struct vs_screen *s, int from, const char *text, bool bell)
{
	char what[16];
	bool any = false;

	for (int i = from; i <= 19; i++) {
		if (text[0] == '?' && (text[1] == ';' || !text[1])) {
			/* xterm: black on white; the background colours are those that are not text */
			bool back = i == 11 || i == 14 || i == 16 || i == 19;

			snprintf(what, sizeof what, "%d", i);
			answer_colour(s, what, back ? 0xFFFFFF : 0x000000, bell);
			any = true;
		}
		text += strcspn(text, ";");
		if (*text != ';')
			break;
		text++;
	}
	return any;
}

static void osc(struct vs_screen *s, const char *text, size_t len, bool bell)
{
	int mode = 0, used = 0;
	const char *rest;
	bool query, done = false;

	if (len && (text[0] == 'l' || text[0] == 'L')) {
		set_title(text[0] == 'l' ? &s->title : &s->icon_title, text + 1, len - 1);
		return;
	}
	while (used < 5 && text[used] >= '0' && text[used] <= '9')
		mode = mode * 10 + (text[used++] - '0');
	if (text[used] && text[used] != ';')
		return;
	rest = text[used] ? text + used + 1 : "";
	query = strchr(rest, '?') != NULL;
	if (mode <= 2) {
		/* As xterm, an empty title is "xterm". */
		len = strlen(rest);
		if (mode != 1)
			set_title(&s->title, len ? rest : "xterm", len ? len : 5);
		if (mode != 2)
			set_title(&s->icon_title, len ? rest : "xterm", len ? len : 5);
		return;
	}
	if (!query)
		return;
	if ((mode == 4 || mode == 5) && s->term->colours)
		done = palette_queries(s, mode, rest, bell);
	else if (mode >= 10 && mode <= 19 && s->term->colours)
		done = dynamic_queries(s, mode, rest, bell);
	if ((mode == 4 || (mode >= 10 && mode <= 19) || mode == 50 || mode == 52) &&
		(!done || !s->answer))
		vs_unanswered(s, "\\e]", text, len);
}

/* ---- DCS ------------------------------------------------------------------------------------ */

static void dcs(struct vs_screen *s, const char *text, size_t len)
{
	if (memchr(text, 0, len))
		return;
	if (len >= 2 && text[0] == '$' && text[1] == 'q')
		vs_answer_decrqss(s, text + 2, len - 2);
	else if (len >= 2 && text[0] == '+' && text[1] == 'q')
		vs_answer_tcap(s, text + 2, len - 2);
	else if (len >= 3 && s->level >= 3 && !memcmp(text, "1$t", 3))
		vs_restore_cursor_state(s, text + 3);
	else if (len >= 3 && s->level >= 3 && !memcmp(text, "2$t", 3))
		vs_restore_tabs(s, text + 3);
	if (!s->answer && len >= 2 && (text[0] == '$' || text[0] == '+') && text[1] == 'q')
		vs_unanswered(s, "\\eP", text, len);
}

void vs_string(struct vs_screen *s, char kind, const char *text, size_t len, bool cut, bool bell)
{
	s->last_char = 0;
	switch (kind) {
	case ']': osc(s, text, len, bell); break;
	case 'P':
		if (!cut)
			dcs(s, text, len);
		break;
	case 'k': set_title(&s->title, text, len); break;
	default: /* APC, PM, SOS */ break;
	}
}

/* ---- XTGETTCAP ------------------------------------------------------------------------------ */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* xterm knows its keys, the name of the terminal and the number of colours. */
static const char *tcap_value(const struct vs_screen *s, const char *name)
{
	static const struct {
		const char *name, *value;
	} keys[] = {
		{ "Co", "256" },
		{ "colors", "256" },
		{ "RGB", "-1" },
		{ "kcuu1", "\033OA" },
		{ "ku", "\033OA" },
		{ "kcud1", "\033OB" },
		{ "kd", "\033OB" },
		{ "kcuf1", "\033OC" },
		{ "kr", "\033OC" },
		{ "kcub1", "\033OD" },
		{ "kl", "\033OD" },
		{ "khome", "\033OH" },
		{ "kh", "\033OH" },
		{ "kend", "\033OF" },
		{ "@7", "\033OF" },
		{ "kich1", "\033[2~" },
		{ "kI", "\033[2~" },
		{ "kdch1", "\033[3~" },
		{ "kD", "\033[3~" },
		{ "kpp", "\033[5~" },
		{ "kP", "\033[5~" },
		{ "knp", "\033[6~" },
		{ "kN", "\033[6~" },
		{ "kbs", "\177" },
		{ "kb", "\177" },
		{ "kcbt", "\033[Z" },
		{ "kB", "\033[Z" },
		{ "kf1", "\033OP" },
		{ "k1", "\033OP" },
		{ "kf2", "\033OQ" },
		{ "k2", "\033OQ" },
		{ "kf3", "\033OR" },
		{ "k3", "\033OR" },
		{ "kf4", "\033OS" },
		{ "k4", "\033OS" },
		{ "kf5", "\033[15~" },
		{ "k5", "\033[15~" },
		{ "kf6", "\033[17~" },
		{ "k6", "\033[17~" },
		{ "kf7", "\033[18~" },
		{ "k7", "\033[18~" },
		{ "kf8", "\033[19~" },
		{ "k8", "\033[19~" },
		{ "kf9", "\033[20~" },
		{ "k9", "\033[20~" },
		{ "kf10", "\033[21~" },
		{ "k;", "\033[21~" },
		{ "kf11", "\033[23~" },
		{ "F1", "\033[23~" },
		{ "kf12", "\033[24~" },
		{ "F2", "\033[24~" },
	};

	if (!strcmp(name, "TN") || !strcmp(name, "name"))
		return s->term_name;
	for (size_t i = 0; i < B_ARRAY_LEN(keys); i++)
		if (!strcmp(name, keys[i].name))
			return keys[i].value;
	return NULL;
}

void vs_answer_tcap(struct vs_screen *s, const char *hex, size_t len)
{
	struct b_buf out = B_BUF_INIT;
	size_t pos = 0;
	bool any = false;

	if (!s->term->tcap) {
		vs_unanswered(s, "\\eP+q", hex, len);
		return;
	}
	/* As xterm: the first that is not known ends it. */
	while (pos < len) {
		const char *value;
		char name[32];
		size_t n = 0, end = pos;

		while (end + 1 < len && hex_digit(hex[end]) >= 0 && hex_digit(hex[end + 1]) >= 0) {
			if (n + 1 < sizeof name)
				name[n++] =
					(char)(hex_digit(hex[end]) << 4 | hex_digit(hex[end + 1]));
			end += 2;
		}
		name[n] = 0;
		value = tcap_value(s, name);
		if (end == pos || !value)
			break;
		any = true;
		b_buf_add(&out, hex + pos, end - pos);
		b_buf_addc(&out, '=');
		/* The keys of the cursor follow its mode; all others are what they are. */
		for (size_t i = 0; value[i]; i++)
			b_buf_printf(&out, "%02X",
				i == 1 && value[1] == 'O' && strchr("ABCDHF", value[2]) &&
						!s->modes.app_cursor
					? '['
					: (unsigned char)value[i]);
		if (end >= len || hex[end] != ';')
			break;
		b_buf_addc(&out, ';');
		pos = end + 1;
	}
	vs_answer(s, "%s%d+r%s%s", vs_c1(s, 'P'), any, b_buf_cstr(&out), vs_c1(s, '\\'));
	b_buf_release(&out);
}
