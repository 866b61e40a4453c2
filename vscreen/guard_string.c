/* The guard: control strings gathered whole, print jobs kept apart. */
#include <string.h>

#include "vscreen/answer.h"
#include "vscreen/guard.h"
#include "vscreen/guard_priv.h"
#include "vscreen/media.h"
#include "vscreen/state.h"
#include "base/banned.h"

void vs_guard_string_begin(struct vs_guard *g, char kind)
{
	g->state = VS_GUARD_STRING;
	g->string_kind = kind;
	g->string_esc = false;
	g->string_cut = false;
	g->string_len = 0;
	b_buf_clear(&g->string);
}

static void string_add(struct vs_guard *g, unsigned char c)
{
	g->string_len++;
	if (g->string.len < VS_STRING_MAX)
		b_buf_addc(&g->string, (char)c);
	else
		g->string_cut = true;
}

static void string_end(struct vs_screen *s, bool bell)
{
	struct vs_guard *g = &s->guard;
	struct b_buf text = g->string;

	/* Taken first: what it says may reset the guard. Not kept: most screens see few. */
	g->string = (struct b_buf)B_BUF_INIT;
	g->state = VS_GUARD_GROUND;
	vs_string(s, g->string_kind, text.data ? text.data : "", text.len, g->string_cut, bell);
	b_buf_release(&text);
}

void vs_guard_string_byte(struct vs_screen *s, unsigned char c)
{
	struct vs_guard *g = &s->guard;

	if (g->string_esc) {
		g->string_esc = false;
		if (c == '\\') {
			string_end(s, false);
			return;
		}
		b_buf_release(&g->string);
		vs_guard_escape_begin(g);
		vs_guard_byte(s, c);
		return;
	}
	/* The palette sequences of the Linux console have no end: ESC ] P and 7 digits, ESC ] R. */
	if (g->string.len &&
		((g->string.data[0] == 'P' && g->string_len > 7) || g->string.data[0] == 'R')) {
		vs_guard_give_up(s);
		vs_guard_byte(s, c);
		return;
	}
	if (c == ESC) {
		g->string_esc = true;
	} else if (c == CAN || c == SUB) {
		vs_guard_give_up(s);
	} else if (c == BEL && g->string_kind == ']') {
		string_end(s, true);
	} else if (c == BEL) {
		s->bells++;
	} else if (c == 0x9C && !g->utf8 && s->eight_bit) {
		string_end(s, false);
	} else if (c >= 0x80 && c < 0xA0 && !g->utf8 && s->eight_bit) {
		vs_guard_ground(g);
		vs_guard_byte(s, c);
	} else {
		string_add(g, c);
	}
}

/* ---- Print jobs: to CSI 4 i ----------------------------------------------------------------- */

void vs_guard_print_byte(struct vs_screen *s, unsigned char c)
{
	static const char end[] = "\033[4i", again[] = "\033[5i";
	struct vs_guard *g = &s->guard;

	if (c == 0 || c == 0x11 || c == 0x13)
		return; /* as xterm: flow control is no data */
	if (g->esc_len < 4 &&
		(c == (unsigned char)end[g->esc_len] || c == (unsigned char)again[g->esc_len])) {
		g->esc[g->esc_len++] = (char)c;
		if (g->esc_len < 4)
			return;
		if (g->esc[2] == '4')
			g->state = VS_GUARD_GROUND;
		g->esc_len = 0;
		return;
	}
	vs_print_job(s, g->esc, g->esc_len);
	g->esc_len = 0;
	if (c == ESC)
		g->esc[g->esc_len++] = (char)c;
	else
		vs_print_job(s, (const char *)&c, 1);
}
