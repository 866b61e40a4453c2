/* The guard: escape and CSI sequences, one code at a time, until they are whole. */
#include <string.h>

#include "vscreen/dispatch.h"
#include "vscreen/guard.h"
#include "vscreen/guard_priv.h"
#include "vscreen/state.h"
#include "vscreen/vt52.h"
#include "base/banned.h"

/* A sequence came to nothing. */
void vs_guard_give_up(struct vs_screen *s)
{
	vs_guard_ground(&s->guard);
	s->last_char = 0; /* as after any sequence: REP has nothing to repeat */
}

void vs_guard_escape_begin(struct vs_guard *g)
{
	g->state = VS_GUARD_ESC;
	g->esc_len = 0;
	g->esc_dropped = false;
}

static void csi_begin(struct vs_guard *g)
{
	g->state = VS_GUARD_CSI;
	g->leader = g->inter = 0;
	g->n_args = 1;
	g->args[0] = -1;
	g->subs = 0;
}

/* C1, as its 7-bit form. */
static void c1(struct vs_screen *s, uint32_t c)
{
	vs_guard_escape_begin(&s->guard);
	vs_guard_code(s, c - 0x40);
}

static void escape_code(struct vs_screen *s, uint32_t c)
{
	struct vs_guard *g = &s->guard;

	if (c >= 0x20 && c < 0x30) {
		if (s->level == 0) /* VT52: ESC and a blank are followed by one that is nothing */
			g->esc_dropped = true;
		else if (g->esc_len < sizeof g->esc - 1)
			g->esc[g->esc_len++] = (char)c;
		else
			g->esc_dropped = true;
	} else if (s->level == 0) {
		g->state = VS_GUARD_GROUND;
		if (c == 'Y' && !g->esc_dropped)
			g->state = VS_GUARD_VT52_ROW;
		else if (!g->esc_dropped)
			vs_vt52_escape(s, (char)c);
		vs_note_move(s);
	} else if (g->esc_len || g->esc_dropped) {
		vs_pass_escape(s, (char)c);
	} else if (c == '[') {
		csi_begin(g);
	} else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_' ||
		(c == 'k' && s->term->k_title)) {
		vs_guard_string_begin(g, (char)c);
	} else {
		vs_pass_escape(s, (char)c);
	}
}

static void csi_digit(struct vs_guard *g, int digit)
{
	int32_t *v = &g->args[g->n_args - 1];

	*v = (*v < 0 ? 0 : *v) * 10 + digit;
	if (*v > 65535)
		*v = 65535;
}

static void csi_code(struct vs_screen *s, uint32_t c)
{
	struct vs_guard *g = &s->guard;
	bool fresh = g->n_args == 1 && g->args[0] < 0;

	if (c >= '0' && c <= '9') {
		csi_digit(g, (int)c - '0');
	} else if (c == ';' || c == ':') {
		if (g->n_args < VS_ARGS_CAP) {
			g->args[g->n_args] = -1;
			if (c == ':')
				g->subs |= 1u << g->n_args;
			g->n_args++;
		}
	} else if (c >= '<' && c <= '?') {
		if (c == '<' || g->leader || !fresh)
			g->state = VS_GUARD_CSI_IGNORE;
		else
			g->leader = (char)c;
	} else if (c >= 0x40) {
		vs_pass_csi(s, (char)c);
	} else if (g->leader ? g->leader != '?' || c != '$'
			     : !strchr(" !\"#$'*", (int)c) || (c == '*' && fresh)) {
		g->state = VS_GUARD_CSI_IGNORE;
	} else {
		g->inter = (char)c;
		g->state = VS_GUARD_CSI_INTER;
	}
}

void vs_guard_code(struct vs_screen *s, uint32_t c)
{
	struct vs_guard *g = &s->guard;

	if (c >= 0x80 && c < 0xA0) {
		if (!g->utf8 && s->eight_bit && s->level)
			c1(s, c);
		else if (g->state == VS_GUARD_GROUND)
			s->last_char = 0;
		return;
	}
	if (g->state == VS_GUARD_VT52_ROW) {
		g->esc[0] = (char)(c & 0x7F);
		g->state = VS_GUARD_VT52_COL;
		return;
	}
	if (g->state == VS_GUARD_VT52_COL) {
		g->state = VS_GUARD_GROUND;
		vs_vt52_cursor(s, g->esc[0] - 32, (int)(c & 0x7F) - 32);
		vs_note_move(s);
		return;
	}
	if (c == ESC) {
		vs_guard_escape_begin(g);
		return;
	}
	if (c == CAN || c == SUB) {
		vs_guard_give_up(s);
		return;
	}
	if (c == 0 || c == DEL) {
		if (g->state == VS_GUARD_GROUND)
			s->last_char = 0;
		return;
	}
	if (c < 0x20) {
		vs_pass_control(s, c);
		return;
	}
	if (g->state == VS_GUARD_GROUND) {
		if (s->level) /* a VT52 shows seven bits */
			vs_pass_char(s, c);
		else if (c < 0x80 || (c > 0xFF && (c & 0x7F) >= 0x20))
			vs_pass_char(s, c & 0x7F);
		return;
	}
	if (c > 0xFF) {
		vs_guard_give_up(s);
		return;
	}
	c &= 0x7F;
	if (c == DEL)
		return;
	switch (g->state) {
	case VS_GUARD_ESC: escape_code(s, c); break;
	case VS_GUARD_CSI: csi_code(s, c); break;
	case VS_GUARD_CSI_INTER:
		if (c >= 0x40)
			vs_pass_csi(s, (char)c);
		else if (g->inter != '#' || c < '0' || c > ';')
			g->state = VS_GUARD_CSI_IGNORE;
		break;
	default: /* VS_GUARD_CSI_IGNORE */
		if (c >= 0x40)
			vs_guard_give_up(s);
		break;
	}
}
