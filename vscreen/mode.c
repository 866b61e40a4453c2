/* Modes: set, reset, saved, restored, reported. */
#include <string.h>

#include "base/mem.h"
#include "vscreen/change.h"
#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/grid.h"
#include "vscreen/mode.h"
#include "vscreen/save.h"
#include "vscreen/state.h"
#include "vscreen/vt52.h"
#include "base/banned.h"

void vs_modes_init(struct vs_modes *m)
{
	*m = (struct vs_modes){ .wrap = true, .visible = true, .send_receive = true };
}

void vs_mode_ansi(struct vs_screen *s, const struct vs_args *a, bool on)
{
	for (int i = 0; i < a->n; i++) {
		switch (a->v[i]) {
		case 2: s->modes.keyboard_locked = on; break;
		case 4: s->modes.insert = on; break;
		case 12: s->modes.send_receive = on; break;
		case 20: s->modes.newline = on; break;
		default: break;
		}
	}
}

/* Modes that are a flag and no more. */
static bool *plain_mode(struct vs_modes *m, int mode)
{
	switch (mode) {
	case 1: return &m->app_cursor;
	case 4: return &m->smooth_scroll;
	case 5: return &m->reverse;
	case 7: return &m->wrap;
	case 12: return &m->blink;
	case 18: return &m->print_ff;
	case 19: return &m->print_extent;
	case 25: return &m->visible;
	case 40: return &m->allow_132;
	case 41: return &m->more_fix;
	case 44: return &m->margin_bell;
	case 45: return &m->reverse_wrap;
	case 66: return &m->app_keypad;
	case 67: return &m->backarrow;
	case 1004: return &m->focus;
	case 1007: return &m->alt_scroll;
	case 2004: return &m->paste;
	case 2026: return &m->sync;
	default: return NULL;
	}
}

/* 80 or 132 columns. The window stays as it is: its size is the line's, which the SUT was told
   and only the script changes. All else that the switch does is done. */
static void set_columns(struct vs_screen *s, bool on)
{
	if (!s->modes.allow_132)
		return;
	if (!s->modes.keep_on_132)
		vs_clear_screen(s);
	s->modes.columns_132 = on;
	vs_single_lines(s);
	vs_margins_reset(s);
	vs_cursor_set(s, 0, 0);
}

static void set_national(struct vs_screen *s, bool on)
{
	if (s->level < 2 || s->modes.national == on)
		return;
	s->modes.national = on;
	/* As xterm: national sets are 7-bit sets, and with them the line is no UTF-8 line. */
	if (!s->eight_bit)
		s->guard.utf8 = !on;
}

static void set_lr_margins(struct vs_screen *s, bool on)
{
	if (s->level < 4)
		return;
	s->modes.lr_margins = on;
	if (on) {
		vs_single_lines(s);
	} else {
		s->left = 0;
		s->right = s->cols;
	}
}

static void set_mode(struct vs_screen *s, int mode, bool on)
{
	struct vs_modes *m = &s->modes;
	bool *plain = plain_mode(m, mode);

	if (mode == 2026) {
		vs_update_set(s, on);
		return;
	}
	if (plain) {
		*plain = on;
		return;
	}
	switch (mode) {
	case 2:
		if (!on)
			vs_vt52_enter(s);
		break;
	case 3: set_columns(s, on); break;
	case 6:
		m->origin = on;
		vs_cursor_set(s, 0, 0);
		break;
	case 42: set_national(s, on); break;
	case 69: set_lr_margins(s, on); break;
	case 95:
		if (s->level >= 5)
			m->keep_on_132 = on;
		break;
	case 9:
	case 1000:
	case 1001:
	case 1002:
	case 1003: m->mouse = on ? (uint16_t)mode : 0; break;
	case 1005:
	case 1006:
	case 1015:
	case 1016:
		if (on)
			m->mouse_coords = (uint16_t)mode;
		else if (m->mouse_coords == mode)
			m->mouse_coords = 0;
		break;
	case 47:
		if (!m->no_alternate)
			vs_alternate(s, on, false);
		break;
	case 1046:
		if (!on && !m->no_alternate)
			vs_alternate(s, false, false);
		m->no_alternate = !on;
		break;
	case 1047:
		if (m->no_alternate)
			break;
		if (!on && s->grid == &s->alt)
			vs_clear_screen(s);
		vs_alternate(s, on, false);
		break;
	case 1048:
		if (m->no_alternate)
			break;
		if (on)
			vs_cursor_save(s);
		else
			vs_cursor_restore(s);
		break;
	case 1049:
		if (m->no_alternate)
			break;
		if (on) {
			vs_cursor_save(s);
			vs_alternate(s, true, true);
			vs_clear_screen(s);
		} else {
			vs_alternate(s, false, false);
			vs_cursor_restore(s);
		}
		break;
	default: break;
	}
}

void vs_mode_dec(struct vs_screen *s, const struct vs_args *a, bool on)
{
	for (int i = 0; i < a->n; i++) {
		set_mode(s, a->v[i], on);
		if (s->level == 0) /* VT52 mode ends the list */
			break;
	}
}

/* ---- XTSAVE, XTRESTORE: what is saved is the set of all modes ------------------------------- */

void vs_modes_save(struct vs_screen *s, const struct vs_args *a)
{
	struct vs_modes *to;
	bool *from;

	if (!s->modes_saved)
		s->modes_saved = b_calloc(1, sizeof *s->modes_saved);
	to = s->modes_saved;
	for (int i = 0; i < a->n; i++) {
		from = plain_mode(&s->modes, a->v[i]);
		if (from) {
			*plain_mode(to, a->v[i]) = *from;
			continue;
		}
		switch (a->v[i]) {
		case 3: to->columns_132 = s->modes.columns_132; break;
		case 6: to->origin = s->modes.origin; break;
		case 42: to->national = s->modes.national; break;
		case 69: to->lr_margins = s->modes.lr_margins; break;
		case 47:
		case 1047:
		case 1049: to->alternate = s->grid == &s->alt; break;
		case 1048: vs_cursor_save(s); break;
		case 9:
		case 1000:
		case 1001:
		case 1002:
		case 1003: to->mouse = s->modes.mouse; break;
		case 1005:
		case 1006:
		case 1015:
		case 1016: to->mouse_coords = s->modes.mouse_coords; break;
		default: break;
		}
	}
}

void vs_modes_restore(struct vs_screen *s, const struct vs_args *a)
{
	struct vs_modes none = { 0 };
	struct vs_modes *from = s->modes_saved ? s->modes_saved : &none;
	bool *plain;

	for (int i = 0; i < a->n; i++) {
		plain = plain_mode(&s->modes, a->v[i]);
		if (plain) {
			set_mode(s, a->v[i], *plain_mode(from, a->v[i]));
			continue;
		}
		switch (a->v[i]) {
		case 3: set_columns(s, from->columns_132); break;
		case 6: set_mode(s, 6, from->origin); break;
		case 42: set_national(s, from->national); break;
		case 69: set_lr_margins(s, from->lr_margins); break;
		case 47:
		case 1047:
		case 1049: vs_alternate(s, from->alternate, false); break;
		case 1048: vs_cursor_restore(s); break;
		case 9:
		case 1000:
		case 1001:
		case 1002:
		case 1003: s->modes.mouse = from->mouse; break;
		case 1005:
		case 1006:
		case 1015:
		case 1016: s->modes.mouse_coords = from->mouse_coords; break;
		default: break;
		}
	}
}

/* ---- Reports -------------------------------------------------------------------------------- */

enum { UNKNOWN = 0, SET = 1, RESET = 2, ALWAYS_SET = 3, ALWAYS_RESET = 4 };

static int flag(bool on)
{
	return on ? SET : RESET;
}

int vs_mode_ansi_report(const struct vs_screen *s, int mode)
{
	switch (mode) {
	case 2: return flag(s->modes.keyboard_locked);
	case 3: return RESET;
	case 4: return flag(s->modes.insert);
	case 12: return flag(s->modes.send_receive);
	case 20: return flag(s->modes.newline);
	case 1:
	case 5:
	case 7:
	case 10:
	case 11:
	case 13:
	case 14:
	case 15:
	case 16:
	case 17:
	case 18:
	case 19: return ALWAYS_RESET;
	default: return UNKNOWN;
	}
}

int vs_mode_dec_report(const struct vs_screen *s, int mode)
{
	const struct vs_modes *m = &s->modes;
	bool *plain = mode == 2026 ? NULL : plain_mode((struct vs_modes *)(uintptr_t)m, mode);

	if (plain)
		return flag(*plain);
	switch (mode) {
	case 2: return flag(s->level >= 1);
	case 3: return flag(m->columns_132);
	case 6: return flag(m->origin);
	case 8: return ALWAYS_RESET;
	case 13: return RESET;
	case 14: return ALWAYS_SET;
	case 30: return RESET; /* scroll bar */
	case 35: return SET;   /* font shifting */
	case 38: return RESET; /* Tektronix */
	case 42: return s->level >= 2 ? flag(m->national) : UNKNOWN;
	case 46: return ALWAYS_RESET; /* logging */
	case 47:
	case 1047:
	case 1049: return flag(s->grid == &s->alt);
	case 69: return s->level >= 4 ? flag(m->lr_margins) : UNKNOWN;
	case 9:
	case 1000:
	case 1001:
	case 1002:
	case 1003: return flag(m->mouse == mode);
	case 1005:
	case 1006:
	case 1015:
	case 1016: return flag(m->mouse_coords == mode);
	case 80: return RESET; /* sixel scrolling */
	case 1010:
	case 1034:
	case 1035:
	case 1040: return SET;
	case 1011: return RESET;
	case 1036:
	case 1037:
	case 1039:
	case 1041:
	case 1042:
	case 1043:
	case 1044: return RESET;
	case 1046: return flag(m->no_alternate);
	case 1048: return flag(s->saved[s->grid == &s->alt].saved);
	case 1050:
	case 1051:
	case 1060:
	case 1061: return RESET;
	case 2001:
	case 2002:
	case 2003:
	case 2005:
	case 2006:
	case 8452: return RESET;
	default: return UNKNOWN;
	}
}
