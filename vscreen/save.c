/* The saved cursor, the alternate screen, resets. */
#include <string.h>

#include "vscreen/change.h"
#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/grid.h"
#include "vscreen/mode.h"
#include "vscreen/save.h"
#include "vscreen/state.h"
#include "base/banned.h"

static struct vs_saved *slot(struct vs_screen *s)
{
	return &s->saved[s->grid == &s->alt];
}

void vs_cursor_save(struct vs_screen *s)
{
	*slot(s) = (struct vs_saved){
		.saved = true,
		.row = s->row,
		.col = s->col,
		.wrap_pending = s->wrap_pending,
		.origin = s->modes.origin,
		.pen = s->pen,
		.sets = s->sets,
	};
}

static void charsets_reset(struct vs_screen *s)
{
	s->sets = (struct vs_charsets){ .gl = 0, .gr = 2 };
}

void vs_cursor_restore(struct vs_screen *s)
{
	const struct vs_saved *from = slot(s);
	uint8_t single = s->sets.single;

	if (from->saved) {
		s->sets = from->sets;
		s->sets.single = single;
		s->pen = from->pen;
	} else {
		charsets_reset(s);
		s->pen = (struct vs_style){ .fg = VS_COLOUR_DEFAULT, .bg = VS_COLOUR_DEFAULT };
	}
	s->pen_stale = true;
	s->modes.origin = from->origin;
	if (s->modes.origin)
		vs_cursor_set(s, from->row - s->top,
			s->modes.lr_margins ? from->col - s->left : from->col);
	else
		vs_cursor_set(s, from->row, from->col);
	s->wrap_pending = from->wrap_pending;
}

void vs_alternate(struct vs_screen *s, bool on, bool clear)
{
	struct vs_grid *to = on ? &s->alt : &s->main;

	if (s->grid == to)
		return;
	if (!to->cells)
		vs_grid_init(s, to);
	s->grid = to;
	vs_repainted(s);
	if (clear)
		vs_erase_rows(s, 0, s->rows);
}

/* What DECSTR and RIS have in common. */
static void reset_common(struct vs_screen *s)
{
	s->modes.visible = true;
	s->cursor_shape = 0;
	s->modes.blink = false;
	s->modes.lr_margins = false;
	vs_margins_reset(s);
	s->modes.origin = false;
	charsets_reset(s);
	s->protect = VS_PROTECT_OFF;
	s->pen = (struct vs_style){ .fg = VS_COLOUR_DEFAULT, .bg = VS_COLOUR_DEFAULT };
	s->pen_stale = true;
}

void vs_reset(struct vs_screen *s, bool hard)
{
	struct vs_style pen = s->pen;
	bool c132 = s->modes.allow_132, no_alt = s->modes.no_alternate;

	reset_common(s);
	s->last_char = 0;
	if (!hard) {
		/* As xterm, DECSTR leaves the attributes that a VT220 had not. */
		s->pen.attrs = pen.attrs & (VS_FAINT | VS_STRIKE | VS_OVERLINE);
		if (pen.underline > 1) {
			s->pen.attrs |= VS_UNDERLINE;
			s->pen.underline = pen.underline;
		}
		s->modes.app_cursor = s->modes.app_keypad = s->modes.keyboard_locked = false;
		s->modes.wrap = true;
		s->modes.reverse_wrap = s->modes.insert = false;
		vs_cursor_save(s);
		slot(s)->row = slot(s)->col = 0;
		return;
	}
	vs_alternate(s, false, false);
	vs_clear_screen(s);
	vs_saved_lines_clear(&s->saved_lines);
	vs_tabs_reset(s);
	vs_modes_init(&s->modes);
	s->modes.allow_132 = c132;
	s->modes.no_alternate = no_alt;
	s->guard.utf8 = !s->eight_bit;
	s->reply_8bit = false;
	s->rect_extent = 0;
	vs_cursor_set(s, 0, 0);
	vs_cursor_save(s);
}
