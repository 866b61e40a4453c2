#include "vscreen/presentation.h"

#include <string.h>

#include "vscreen/answer.h"
#include "vscreen/charset.h"
#include "vscreen/cursor.h"
#include "base/banned.h"

/* DECCIR: the cursor and all that goes with it. */
void vs_report_cursor_state(struct vs_screen *s)
{
	uint16_t at = s->pen.attrs;
	struct b_buf sets = B_BUF_INIT;

	for (int i = 0; i < 4; i++)
		b_buf_adds(&sets, vs_charset_name(s->sets.g[i]));
	vs_answer(s, "%s1$u%d;%d;1;%c;%c;%c;%d;%d;%c;%s%s", vs_c1(s, 'P'), s->row + 1, s->col + 1,
		0x40 | (at & VS_REVERSE ? 8 : 0) | (at & VS_BLINK ? 4 : 0) |
			(at & VS_UNDERLINE ? 2 : 0) | (at & VS_BOLD ? 1 : 0),
		0x40 | (s->protect == VS_PROTECT_DEC ? 1 : 0),
		0x40 | (s->wrap_pending ? 8 : 0) | (s->sets.single == 3 ? 4 : 0) |
			(s->sets.single == 2 ? 2 : 0) | (s->modes.origin ? 1 : 0),
		s->sets.gl, s->sets.gr, 0x4F, sets.data, vs_c1(s, '\\'));
	b_buf_release(&sets);
}

void vs_report_tabs(struct vs_screen *s)
{
	struct b_buf out = B_BUF_INIT;
	int n = 0;

	for (int c = 0; c < s->cols && n < 27; c++)
		if (s->tabs[c / 64] >> c % 64 & 1)
			b_buf_printf(&out, "%s%d", n++ ? "/" : "", c + 1);
	vs_answer(s, "%s2$u%s%s", vs_c1(s, 'P'), b_buf_cstr(&out), vs_c1(s, '\\'));
	b_buf_release(&out);
}

/* A number; what is wrong behind it ends the report. Too large a one is 0. */
static int number(const char **at, char separator)
{
	int v = 0;

	for (; **at >= '0' && **at <= '9'; ++*at)
		v = v <= VS_COLS_MAX ? v * 10 + (**at - '0') : v;
	*at += **at == separator ? 1 : strlen(*at);
	return v <= VS_COLS_MAX ? v : 0;
}

/* One character between semicolons; 0 when it is none. */
static int letter(const char **at)
{
	int c = (unsigned char)**at;

	if (!c || ((*at)[1] && (*at)[1] != ';'))
		return 0;
	*at += (*at)[1] ? 2 : 1;
	return c;
}

static bool restore_place(struct vs_screen *s, const char **at)
{
	int v = number(at, ';');

	if (v < 1 || v > s->rows)
		return false;
	s->row = v - 1;
	vs_wrap_cancel(s);
	v = number(at, ';');
	if (v < 1 || v > s->cols)
		return false;
	s->col = v - 1;
	return number(at, ';') == 1; /* the page */
}

static bool restore_looks(struct vs_screen *s, const char **at)
{
	static const uint16_t bits[] = { VS_BOLD, VS_UNDERLINE, VS_BLINK, VS_REVERSE };
	int v = letter(at);

	if ((v & 0xF0) != 0x40)
		return false;
	for (int i = 0; i < 4; i++) {
		s->pen.attrs &= (uint16_t)~bits[i];
		if (v >> i & 1)
			s->pen.attrs |= bits[i];
	}
	s->pen.underline = v & 2 ? 1 : 0;
	s->pen_stale = true;
	v = letter(at);
	if ((v & 0xFE) != 0x40)
		return false;
	s->protect = v & 1 ? VS_PROTECT_DEC : VS_PROTECT_OFF;
	return true;
}

static bool restore_flags(struct vs_screen *s, const char **at)
{
	int v = letter(at), gl, gr;

	if ((v & 0xF0) != 0x40)
		return false;
	s->wrap_pending = v & 8;
	s->sets.single = v & 4 ? 3 : v & 2 ? 2 : 0;
	s->modes.origin = v & 1;
	gl = letter(at) - '0';
	if (gl < 0 || gl > 3)
		return false;
	s->sets.gl = (uint8_t)gl;
	gr = letter(at) - '0';
	if (gr < 0 || gr > 3)
		return false;
	s->sets.gr = (uint8_t)gr;
	return letter(at) == 0x4F; /* sizes of the sets: as xterm, no other is known */
}

void vs_restore_cursor_state(struct vs_screen *s, const char *report)
{
	const char *at = report;

	if (!restore_place(s, &at) || !restore_looks(s, &at) || !restore_flags(s, &at))
		return;
	for (int i = 0; i < 4 && *at; i++) {
		size_t len = *at == '%' && at[1] ? 2 : 1;

		s->sets.g[i] = vs_charset_find(at, len, false, s->level, s->modes.national);
		at += len;
	}
}

void vs_restore_tabs(struct vs_screen *s, const char *report)
{
	const char *at = report;

	vs_tabs_clear(s);
	while (*at) {
		int col = number(&at, '/');

		if (col < 1)
			return;
		vs_tab_set(s, col - 1, true);
	}
}
