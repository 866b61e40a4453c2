/* What each control, escape and CSI sequence does. */
#include <string.h>

#include "vscreen/answer.h"
#include "vscreen/cursor.h"
#include "vscreen/dispatch.h"
#include "vscreen/edit.h"
#include "vscreen/grid.h"
#include "vscreen/media.h"
#include "vscreen/mode.h"
#include "vscreen/print.h"
#include "vscreen/rect.h"
#include "vscreen/save.h"
#include "vscreen/sgr.h"
#include "vscreen/state.h"
#include "base/banned.h"

void vs_control(struct vs_screen *s, unsigned char c)
{
	if (s->guard.state == VS_GUARD_GROUND) /* else it stands within a sequence */
		s->last_char = 0;
	switch (c) {
	case 0x05: /* ENQ: xterm's answer is empty */ break;
	case 0x07: s->bells++; break;
	case 0x08: vs_cursor_back(s, 1); break;
	case 0x09: vs_tab_forward(s, 1); break;
	case 0x0A:
	case 0x0B:
	case 0x0C:
		vs_index(s);
		if (s->modes.newline)
			vs_carriage_return(s);
		break;
	case 0x0D: vs_carriage_return(s); break;
	case 0x0E: s->sets.gl = 1; break;
	case 0x0F: s->sets.gl = 0; break;
	case 0x84: /* IND */ vs_index(s); break;
	case 0x85: /* NEL */
		vs_index(s);
		vs_carriage_return(s);
		break;
	case 0x88: /* HTS */ vs_tab_set(s, s->col, true); break;
	case 0x8D: /* RI */ vs_reverse_index(s); break;
	case 0x8E: /* SS2 */ s->sets.single = 2; break;
	case 0x8F: /* SS3 */ s->sets.single = 3; break;
	case 0x96: /* SPA */
		s->protect = VS_PROTECT_ISO;
		s->pen.attrs |= VS_PROTECTED;
		s->pen_stale = true;
		break;
	case 0x97: /* EPA */
		s->pen.attrs &= (uint16_t)~VS_PROTECTED;
		s->pen_stale = true;
		break;
	case 0x9A: { /* DECID */
		struct vs_args none = { .n = 1, .v = { -1 } };

		vs_answer_csi(s, 0, &none, "", 'c');
		break;
	}
	default: break;
	}
}

static void designate(struct vs_screen *s, const char *seq, size_t len)
{
	static const char which[] = "()*+ -./";
	const char *at = strchr(which, seq[0]);
	int g = (int)(at - which);
	bool is96 = g > 4;

	s->sets.g[is96 ? g - 4 : g] =
		vs_charset_find(seq + 1, len - 1, is96, s->level, s->modes.national);
}

/* ESC SP L, M, N: the sets that ECMA-43 levels 1 to 3 begin with. */
static void ansi_level(struct vs_screen *s, char level)
{
	if (s->level < 3)
		return;
	s->sets.g[0] = VS_CS_ASCII;
	s->sets.gl = 0;
	if (level == 'N')
		return;
	s->sets.g[1] = VS_CS_ASCII;
	s->sets.gr = 1;
}

static void escape_inter(struct vs_screen *s, const char *seq, size_t len)
{
	switch (seq[0]) {
	case ' ':
		if (len == 2 && (seq[1] == 'F' || seq[1] == 'G') && s->level >= 2)
			s->reply_8bit = seq[1] == 'G';
		else if (len == 2 && seq[1] >= 'L' && seq[1] <= 'N')
			ansi_level(s, seq[1]);
		break;
	case '#':
		if (len != 2)
			break;
		if (seq[1] == '3' || seq[1] == '4')
			vs_line_size_set(s, seq[1] == '3' ? VS_LINE_TOP : VS_LINE_BOTTOM);
		else if (seq[1] == '5')
			vs_line_size_set(s, VS_LINE_SINGLE);
		else if (seq[1] == '6')
			vs_line_size_set(s, VS_LINE_WIDE);
		else if (seq[1] == '8')
			vs_align(s);
		break;
	case '%': /* on a UTF-8 line uxterm does not leave UTF-8, other terminals do not either */
		if (len == 2 && s->eight_bit && (seq[1] == 'G' || seq[1] == '@'))
			s->guard.utf8 = seq[1] == 'G';
		break;
	case '(':
	case ')':
	case '*':
	case '+':
	case '-':
	case '.':
	case '/': designate(s, seq, len); break;
	default: break;
	}
}

void vs_escape(struct vs_screen *s, const char *seq, size_t len)
{
	s->last_char = 0;
	if (len > 1) {
		escape_inter(s, seq, len);
		return;
	}
	switch (seq[0]) {
	case '6':
		if (s->level >= 4)
			vs_column_index(s, true);
		break;
	case '7': vs_cursor_save(s); break;
	case '8': vs_cursor_restore(s); break;
	case '9':
		if (s->level >= 4)
			vs_column_index(s, false);
		break;
	case '=': s->modes.app_keypad = true; break;
	case '>': s->modes.app_keypad = false; break;
	case 'c': vs_reset(s, true); break;
	case 'l': /* HP: memory lock */
		if (s->row < s->bottom - 1)
			s->top = s->row;
		break;
	case 'm':
		if (s->bottom > 1)
			s->top = 0;
		break;
	case 'n': s->sets.gl = 2; break;
	case 'o': s->sets.gl = 3; break;
	case '|': s->sets.gr = 3; break;
	case '}': s->sets.gr = 2; break;
	case '~': s->sets.gr = 1; break;
	default: break;
	}
}

static void set_rows_margins(struct vs_screen *s, const struct vs_args *a)
{
	int top = vs_count(a, 0), bottom = vs_arg(a, 1, 0);

	if (bottom == 0 || bottom > s->rows)
		bottom = s->rows;
	if (bottom <= top)
		return;
	s->top = top - 1;
	s->bottom = bottom;
	vs_cursor_set(s, 0, 0);
}

static void set_columns_margins(struct vs_screen *s, const struct vs_args *a)
{
	int left = vs_count(a, 0), right = vs_arg(a, 1, 0);

	if (right == 0 || right > s->cols)
		right = s->cols;
	if (right <= left)
		return;
	s->left = left - 1;
	s->right = right;
	vs_cursor_set(s, 0, 0);
}

static void csi_plain(struct vs_screen *s, const struct vs_args *a, char final)
{
	int n = vs_count(a, 0);

	switch (final) {
	case '@': vs_insert_chars(s, n); break;
	case 'A': vs_cursor_up(s, n); break;
	case 'B': vs_cursor_down(s, n); break;
	case 'C': vs_cursor_forward(s, n); break;
	case 'D': vs_cursor_back(s, n); break;
	case 'E':
		vs_cursor_down(s, n);
		vs_carriage_return(s);
		break;
	case 'F':
		vs_cursor_up(s, n);
		vs_carriage_return(s);
		break;
	case 'G':
	case '`': vs_cursor_set(s, vs_cursor_row(s), n - 1); break;
	case 'H':
	case 'f': vs_cursor_set(s, n - 1, vs_count(a, 1) - 1); break;
	case 'I': vs_tab_forward(s, n); break;
	case 'J': vs_erase_display(s, vs_arg(a, 0, 0), VS_PROTECT_OFF); break;
	case 'K': vs_erase_line(s, vs_arg(a, 0, 0), VS_PROTECT_OFF); break;
	case 'L': vs_insert_lines(s, n); break;
	case 'M': vs_delete_lines(s, n); break;
	case 'P': vs_delete_chars(s, n); break;
	case 'S': vs_scroll_up(s, n); break;
	case 'T': /* more arguments, or a 0: highlight tracking, which needs a mouse */
		if (a->n == 1 && a->v[0] != 0)
			vs_scroll_down(s, n);
		break;
	case 'X': vs_erase_chars(s, n); break;
	case 'Z': vs_tab_back(s, n); break;
	case '^': vs_scroll_down(s, n); break;
	case 'a': vs_cursor_set(s, vs_cursor_row(s), vs_cursor_col(s) + n); break;
	case 'b': vs_repeat(s, n); break;
	case 'd': vs_cursor_set(s, n - 1, vs_cursor_col(s)); break;
	case 'e': vs_cursor_set(s, vs_cursor_row(s) + n, vs_cursor_col(s)); break;
	case 'g':
		if (vs_arg(a, 0, 0) == 0)
			vs_tab_set(s, s->col, false);
		else if (a->v[0] == 3)
			vs_tabs_clear(s);
		break;
	case 'h': vs_mode_ansi(s, a, true); break;
	case 'i': vs_media_copy(s, vs_arg(a, 0, 0), false); break;
	case 'l': vs_mode_ansi(s, a, false); break;
	case 'm': vs_sgr(s, a); break;
	case 'r': set_rows_margins(s, a); break;
	case 's':
		if (s->modes.lr_margins)
			set_columns_margins(s, a);
		else
			vs_cursor_save(s);
		break;
	case 't': vs_window(s, a); break;
	case 'u': vs_cursor_restore(s); break;
	case 'c':
	case 'n':
	case 'x': vs_answer_csi(s, 0, a, "", final); break;
	default: break;
	}
}

static void csi_dec(struct vs_screen *s, const struct vs_args *a, char final)
{
	switch (final) {
	case 'J': vs_erase_display(s, vs_arg(a, 0, 0), VS_PROTECT_DEC); break;
	case 'K': vs_erase_line(s, vs_arg(a, 0, 0), VS_PROTECT_DEC); break;
	case 'h': vs_mode_dec(s, a, true); break;
	case 'i': vs_media_copy(s, vs_arg(a, 0, 0), true); break;
	case 'l': vs_mode_dec(s, a, false); break;
	case 'r': vs_modes_restore(s, a); break;
	case 's': vs_modes_save(s, a); break;
	default: vs_answer_csi(s, '?', a, "", final); break;
	}
}

static void csi_dollar(struct vs_screen *s, const struct vs_args *a, char final)
{
	enum vs_rect_op op;

	switch (final) {
	case 'r': op = VS_RECT_CHANGE; break;
	case 't': op = VS_RECT_REVERSE; break;
	case 'v': op = VS_RECT_COPY; break;
	case 'x': op = VS_RECT_FILL; break;
	case 'z': op = VS_RECT_ERASE; break;
	case '{': op = VS_RECT_WIPE; break;
	case '|':
	case '}':
	case '~': return; /* columns a page, status line: not here */
	default: vs_answer_csi(s, 0, a, "$", final); return;
	}
	if (s->level >= 4)
		vs_rectangle(s, op, a);
}

static void set_level(struct vs_screen *s, const struct vs_args *a)
{
	int level = vs_arg(a, 0, 0) - 60;

	if (level < 1 || level > 4)
		return;
	vs_reset(s, false);
	s->level = (uint8_t)level;
	if (level > 1)
		s->reply_8bit = vs_arg(a, 1, 0) != 1;
}

static void csi_inter(struct vs_screen *s, const struct vs_args *a, char inter, char final)
{
	int n = vs_count(a, 0);

	switch (inter) {
	case ' ':
		if (final == '@')
			vs_scroll_columns(s, vs_left_margin(s), n, true);
		else if (final == 'A')
			vs_scroll_columns(s, vs_left_margin(s), n, false);
		else if (final == 'q' && vs_arg(a, 0, 0) <= 6)
			s->cursor_shape = (uint8_t)vs_arg(a, 0, 0);
		break;
	case '!':
		if (final == 'p')
			vs_reset(s, false);
		break;
	case '"':
		if (final == 'p') {
			set_level(s, a);
		} else if (final == 'q') {
			s->protect = VS_PROTECT_DEC;
			if (vs_arg(a, 0, 0) == 1)
				s->pen.attrs |= VS_PROTECTED;
			else if (vs_arg(a, 0, 0) == 0 || a->v[0] == 2)
				s->pen.attrs &= (uint16_t)~VS_PROTECTED;
			s->pen_stale = true;
		}
		break;
	case '\'':
		if (s->level >= 4 && (final == '}' || final == '~'))
			vs_scroll_columns(s, s->col, n, final == '~');
		else if (final == '|')
			vs_answer_csi(s, 0, a, "'", final);
		break;
	case '#':
		if (final == 'p' || final == '{')
			vs_pen_push(s, a);
		else if (final == 'q' || final == '}')
			vs_pen_pop(s);
		else
			vs_answer_csi(s, 0, a, "#", final);
		break;
	case '$':
		if (s->level >= 3)
			csi_dollar(s, a, final);
		break;
	case '*':
		if (s->level >= 4 && final == 'x')
			s->rect_extent = (uint8_t)(vs_arg(a, 0, 0) == 2 ? 2 : 0);
		else if (s->level >= 4)
			vs_answer_csi(s, 0, a, "*", final);
		break;
	default: break;
	}
}

void vs_csi(
	struct vs_screen *s, char leader, const struct vs_args *a, const char *inter, char final)
{
	/* Only SGR takes colons. */
	if (a->any_sub && (final != 'm' || leader || inter[0])) {
		s->last_char = 0;
		return;
	}
	if (leader == '?' && !inter[0])
		csi_dec(s, a, final);
	else if (leader)
		vs_answer_csi(s, leader, a, inter, final);
	else if (inter[0])
		csi_inter(s, a, inter[0], final);
	else
		csi_plain(s, a, final);
	s->last_char = 0;
}
