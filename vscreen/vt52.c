/* VT52 mode: entered with CSI ? 2 l, left with ESC <. */
#include "vscreen/answer.h"
#include "vscreen/cursor.h"
#include "vscreen/edit.h"
#include "vscreen/state.h"
#include "vscreen/vt52.h"
#include "base/banned.h"

void vs_vt52_enter(struct vs_screen *s)
{
	s->vt52.sets = s->sets;
	s->vt52.modes = s->modes;
	s->vt52.pen = s->pen;
	s->pen = (struct vs_style){ .fg = VS_COLOUR_DEFAULT, .bg = VS_COLOUR_DEFAULT };
	s->pen_stale = true;
	s->level = 0;
	s->sets = (struct vs_charsets){ .g = { 0, VS_CS_GRAPHICS, 0, 0 }, .gr = 2 };
	/* As xterm: the flags are cleared, and come back when it is left. */
	s->modes.insert = s->modes.origin = s->modes.newline = s->modes.wrap = false;
	s->modes.reverse_wrap = s->modes.lr_margins = s->modes.national = false;
}

static void leave(struct vs_screen *s)
{
	struct vs_modes now = s->modes;

	s->level = 1;
	s->sets = s->vt52.sets;
	s->pen = s->vt52.pen;
	s->pen_stale = true;
	s->modes = s->vt52.modes;
	s->modes.app_keypad = now.app_keypad;
	s->modes.visible = now.visible;
}

void vs_vt52_cursor(struct vs_screen *s, int row, int col)
{
	vs_cursor_set(s, row < 0 ? 0 : row, col < 0 ? 0 : col);
}

void vs_vt52_escape(struct vs_screen *s, char letter)
{
	s->last_char = 0;
	switch (letter) {
	case '<': leave(s); break;
	case '=': s->modes.app_keypad = true; break;
	case '>': s->modes.app_keypad = false; break;
	case 'A': vs_cursor_up(s, 1); break;
	case 'B': vs_cursor_down(s, 1); break;
	case 'C': vs_cursor_forward(s, 1); break;
	case 'D': vs_cursor_back(s, 1); break;
	case 'F': s->sets.gl = 1; break;
	case 'G': s->sets.gl = 0; break;
	case 'H': vs_cursor_set(s, 0, 0); break;
	case 'I': vs_reverse_index(s); break;
	case 'J': vs_erase_display(s, 0, VS_PROTECT_OFF); break;
	case 'K': vs_erase_line(s, 0, VS_PROTECT_OFF); break;
	case 'Z': vs_answer(s, "\033/Z"); break;
	default: break;
	}
}
