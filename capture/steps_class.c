/*
 * What each response is: an echo, a cursor move, a change of a field, or an answer; and so
 * which characters are typing, where a wait belongs, and which keys submit.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/steps.h"
#include "base/banned.h"

/* Painted anew with nothing different, in so many cells: an answer all the same. */
#define REPAINT_CELLS_MIN 20

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, list[i]))
			return true;
	return false;
}

bool cap_key_is_navigation(const char *name)
{
	static const char *const keys[] = { "Tab", "S-Tab", "Up", "Down", "Left", "Right", "Home",
		"End", "Backspace", "Delete", "Insert", "Space", " " };

	return is_one_of(name, keys, B_ARRAY_LEN(keys));
}

bool cap_key_is_editing(const char *name)
{
	static const char *const keys[] = { "Left", "Right", "Home", "End", "Backspace", "Delete",
		"C-a", "C-e", "C-b", "C-f", "C-h", "C-w", "C-u", "C-k", "C-d", "C-t", "M-b", "M-f",
		"M-d", "M-Backspace", "C-Left", "C-Right" };

	return is_one_of(name, keys, B_ARRAY_LEN(keys));
}

static uint32_t key_char(const struct cap_item *it)
{
	uint32_t cp = 0;

	if (it->kind == CAP_KEY && it->key_kind == VS_KEY_TEXT && it->name[0])
		b_utf8_decode(it->name, strlen(it->name), &cp);
	return cp;
}

/* Whether a field shows what was typed as shown, were it in capitals. */
static bool is_letter_of(uint32_t shown, uint32_t typed)
{
	bool small =
		(typed >= 'a' && typed <= 'z') || (typed >= 0xe0 && typed <= 0xfe && typed != 0xf7);

	return shown == typed || (small && shown == typed - 32);
}

static bool is_text(const struct cap_item *it)
{
	return it->kind == CAP_KEY && it->key_kind == VS_KEY_TEXT;
}

/* ---- Counting --------------------------------------------------------------------------- */

struct change {
	int other_rows;    /* cells changed outside of the row where the cursor was */
	int painted_cells; /* not blank and painted */
	bool typed_shown;  /* the typed character is among the cells that changed in that row */
};

/* Where a typed character shows up: at the cursor, or pushed aside by it. */
static bool near_cursor(const struct cap_frame *a, const struct cap_frame *b, int row, int col)
{
	return (row == a->cur_row && (col == a->cur_col || col == a->cur_col - 1)) ||
		(row == b->cur_row && (col == b->cur_col || col == b->cur_col - 1));
}

static void count(const struct cap_session *s, struct cap_item *it, struct change *ch)
{
	struct cap_response *re = &it->re;
	const struct cap_frame *a = it->before, *b = re->after;
	uint8_t *tick = b_calloc((size_t)b->rows, (size_t)b->cols);
	uint32_t typed = key_char(it);

	memset(ch, 0, sizeof *ch);
	cap_session_ticks_get(s, b, tick);
	re->switched = (a->modes ^ b->modes) & VS_MODE_ALT;
	for (int r = 0; r < b->rows; r++) {
		bool changed = false;

		for (int c = 0; c < b->cols; c++) {
			int i = r * b->cols + c;
			uint32_t now = cap_frame_char(b, r, c);

			ch->painted_cells += re->painted[i] && now != ' ' && !tick[i];
			if (tick[i] == 1 || cap_frame_same_look(a, b, r, c))
				continue;
			if (cap_frame_same_text(a, b, r, c)) {
				/* Blanks in another colour are no look. */
				if (now == ' ' && !re->painted[i])
					continue;
				re->look_cells++;
			} else {
				re->cells++;
				re->text_cells += now != ' ' && now != 0;
				re->row_cells += r == a->cur_row;
				ch->typed_shown |= is_letter_of(now, typed) && typed &&
					typed != ' ' && r == a->cur_row && near_cursor(a, b, r, c);
			}
			changed = true;
			ch->other_rows += r != a->cur_row;
		}
		re->rows_changed += changed;
	}
	free(tick);
}

/* ---- Echo ------------------------------------------------------------------------------- */

/* What programs paint for a character that is not to be seen. */
static bool is_mask_char(uint32_t c)
{
	return c == '*' || c == 0x2022 || c == 0x25cf;
}

/* The same, when it is all that was painted: as a part of text they are nothing special. */
static bool is_weak_mask_char(uint32_t c)
{
	return c == '.' || c == '#' || c == 'x' || c == 'X' || c == '-';
}

/* A mask character was painted at (row, col), and the cursor stands behind it. */
static bool masks(const struct cap_item *it, int row, int col)
{
	const struct cap_frame *b = it->re.after;
	uint32_t c = cap_frame_char(b, row, col);

	if (b->cur_row != row || b->cur_col != col + 1 || !it->re.painted[row * b->cols + col])
		return false;
	return (is_mask_char(c) && it->re.row_cells <= 1) ||
		(is_weak_mask_char(c) && it->re.cells == 1 && it->re.row_cells == 1);
}

/*
 * Whether the characters typed from item `first` on up to `it` stand where the cursor was, and
 * the cursor behind them. Several came with no output between them when they were typed ahead.
 */
static bool echoes(struct cap_session *s, size_t first, size_t last, bool *jumped)
{
	const struct cap_frame *a = s->item[first].before, *b = s->item[last].re.after;
	int row = a->cur_row, col = a->cur_col;
	bool scrolled = false;

	/* At the bottom right corner the screen scrolls under the echo. */
	if (row > 0 && col >= b->cols - 2 && b->cur_row == row && b->cur_col < col &&
		a->rows == b->rows &&
		cap_frame_char(b, row - 1, col) == key_char(&s->item[first])) {
		scrolled = true;
		row--;
	}
	for (size_t i = first; i <= last; i++) {
		uint32_t typed, shown;

		if (!is_text(&s->item[i]))
			continue;
		typed = key_char(&s->item[i]);
		if (col >= b->cols) {
			row++;
			col = 0;
		}
		shown = cap_frame_char(b, row, col);
		/* A mask character in its place; it may have stood there as a filler. */
		if (!is_letter_of(shown, typed) &&
			!(first == last && masks(&s->item[last], row, col)))
			return false;
		/* A command on a capital letter shows nothing. */
		if (shown != typed && is_letter_of(shown, typed) &&
			cap_frame_char(a, row, col) == shown)
			return false;
		/* The character stood there already: only the cursor tells of an echo. */
		if (first == last && !scrolled && cap_frame_char(a, row, col) == shown &&
			!(b->cur_row == row && (b->cur_col == col + 1 || b->cur_col == col + 2)) &&
			!(b->cur_row == row + 1 && b->cur_col <= 1))
			return false;
		s->item[i].masked = !is_letter_of(shown, typed);
		col++;
		while (col < b->cols && cap_frame_char(b, row, col) == 0)
			col++;
	}
	*jumped = !(b->cur_row == row && (b->cur_col == col || b->cur_col == col - 1)) &&
		!(b->cur_row == row + 1 && b->cur_col <= 2);
	return true;
}

static bool is_newline(const struct cap_item *it)
{
	const struct cap_response *re = &it->re;
	const struct cap_frame *a = it->before, *b = re->after;

	if (strcmp(it->name, "Enter") && strcmp(it->name, "C-j"))
		return false;
	if (re->line_mode)
		return re->prompt_col < 0 && b->cur_col == 0 && !re->printed;
	return !re->text_cells && re->cells <= 4 && b->cur_row == a->cur_row + 1 &&
		b->cur_col <= a->cur_col;
}

static enum cap_effect effect(struct cap_session *s, size_t i, struct change *ch)
{
	struct cap_item *it = &s->item[i];
	struct cap_response *re = &it->re;
	const struct cap_frame *a = it->before, *b = re->after;
	bool moved = a->cur_row != b->cur_row || a->cur_col != b->cur_col;

	memset(ch, 0, sizeof *ch);
	if (!re->bytes)
		return CAP_NONE;
	if (a->rows != b->rows || a->cols != b->cols || it->kind == CAP_START)
		return CAP_MORE;
	count(s, it, ch);
	if (is_text(it)) {
		size_t first = i;

		/* Characters that were typed ahead are echoed with this one. */
		while (first > 0 && is_text(&s->item[first - 1]) &&
			s->item[first - 1].re.effect == CAP_NONE && !s->item[first - 1].re.bytes)
			first--;
		for (; first <= i; first++)
			if (echoes(s, first, i, &re->jumped))
				return CAP_ECHO;
		re->jumped = false;
	}
	if (is_newline(it))
		return CAP_NEWLINE;
	if (!re->cells && !re->look_cells) {
		if (re->switched || ch->painted_cells >= REPAINT_CELLS_MIN || re->prompt_col >= 0)
			return CAP_MORE;
		return moved ? CAP_MOVE : CAP_NONE;
	}
	/* A prompt that comes back on the row where it was typed. */
	if (re->line_mode && re->prompt_col >= 0 && re->text_cells)
		return CAP_MORE;
	if (!ch->other_rows && a->cur_row == b->cur_row && !re->switched)
		return CAP_LOCAL;
	return CAP_MORE;
}

/* ---- Typing or commands ----------------------------------------------------------------- */

/* Characters without an echo are typing when enough of them stand in a row: a field that shows
   nothing. Fewer are commands, as `dd` in vi is. */
#define SILENT_MIN 3

/* The word moved to the next line as a whole: the character stands left of the cursor there. */
static bool wraps(const struct cap_item *it)
{
	const struct cap_frame *a = it->before, *b = it->re.after;

	/* So does a blank at the end of a line, which nothing shows. */
	if (b->cur_row == a->cur_row + 1 && !it->re.text_cells && !strcmp(it->name, " "))
		return true;
	return b->cur_row == a->cur_row + 1 && b->cur_col > 0 && it->re.rows_changed <= 3 &&
		cap_frame_char(b, b->cur_row, b->cur_col - 1) == key_char(it) &&
		!cap_frame_same_text(a, b, b->cur_row, b->cur_col - 1);
}

/* The last cell of a field: it looks as the one typed before it, and what is behind it does not. The
   field is full with it, and a program may take it without Enter. */
static bool fills_field(const struct cap_frame *f)
{
	const struct cap_cell *cell = f->row[f->cur_row]->cell;
	int col = f->cur_col;
	uint32_t ch = cap_frame_char(f, f->cur_row, col);
	bool styled, filled;

	if (col < 1 || col + 1 >= f->cols)
		return false;
	styled = cell[col].attrs != cell[col + 1].attrs || cell[col].bg != cell[col + 1].bg;
	filled = (ch == '_' || ch == '.') && cap_frame_char(f, f->cur_row, col + 1) != ch;
	return (ch == ' ' || ch == '_' || ch == '.') && (styled || filled) &&
		cell[col].attrs == cell[col - 1].attrs && cell[col].bg == cell[col - 1].bg;
}

static void typing_judge(struct cap_session *s, size_t i, const struct change *ch)
{
	struct cap_item *it = &s->item[i];
	size_t p = cap_session_prev(s, i);
	bool after_typing = p != SIZE_MAX && s->item[p].typing;

	switch (it->re.effect) {
	case CAP_ECHO: it->typing = true; break;
	case CAP_LOCAL: it->typing = ch->typed_shown || after_typing; break;
	case CAP_MOVE:
	case CAP_NONE:
		it->typing =
			after_typing && (it->re.after->cur_row == it->before->cur_row || wraps(it));
		break;
	default:
		it->typing = after_typing && !it->re.switched &&
			((ch->typed_shown && it->re.after->cur_row == it->before->cur_row) ||
				wraps(it));
		if (after_typing && !it->typing && fills_field(it->before))
			it->typing = it->re.jumped = true;
		break;
	}
	/* Those typed ahead of it, whose echo came with it. */
	for (size_t j = i; it->typing && j-- > 0 && is_text(&s->item[j]) && !s->item[j].re.bytes;)
		s->item[j].typing = true;
}

/* Whether the characters of items [i, i + n), which nothing answered, stand at the cursor in the
   next response: they were typed ahead of it, together with the key that it answers. */
static bool shown_later(const struct cap_session *s, size_t i, size_t n)
{
	const struct cap_frame *a = s->item[i].before;
	size_t j = i + n - 1;

	while ((j = cap_session_next(s, j)) != SIZE_MAX && !s->item[j].re.bytes)
		;
	if (j == SIZE_MAX)
		return false;
	for (size_t k = 0; k < n; k++)
		if (key_char(&s->item[i + k]) == ' ' ||
			cap_frame_char(s->item[j].re.after, a->cur_row, a->cur_col + (int)k) !=
				key_char(&s->item[i + k]) ||
			cap_frame_char(a, a->cur_row, a->cur_col + (int)k) ==
				key_char(&s->item[i + k]))
			return false;
	return true;
}

static void silent_runs_find(struct cap_session *s)
{
	for (size_t i = 0; i < s->n_items; i++) {
		size_t n = 0;
		bool shown;

		while (i + n < s->n_items && is_text(&s->item[i + n]) && !s->item[i + n].typing &&
			s->item[i + n].re.effect == CAP_NONE)
			n++;
		if (!n)
			continue;
		shown = s->item[i + n - 1].echoed_late || shown_later(s, i, n);
		for (size_t k = i; (shown || n >= SILENT_MIN) && k < i + n; k++) {
			s->item[k].typing = true;
			if (shown)
				s->item[k].re.effect = CAP_ECHO;
		}
		i += n - 1;
	}
}

/* ---- Waits and submits ------------------------------------------------------------------ */

static bool worth_waiting(const struct cap_item *it)
{
	const struct cap_response *re = &it->re;

	switch (it->kind) {
	case CAP_START: return re->bytes > 0;
	case CAP_RESIZE: return re->bytes > 0;
	case CAP_LOOK: return re->effect == CAP_MORE || re->effect == CAP_LOCAL;
	case CAP_KEY: break;
	default: return false;
	}
	if (it->typing)
		return re->jumped && !re->line_mode;
	/* A line is edited in the order of its keys, however fast they come. */
	if (re->line_mode && re->prompt_col < 0 && !re->switched &&
		(!re->newline ||
			(it->key_kind == VS_KEY_NAMED &&
				(cap_key_is_editing(it->name) || cap_key_is_navigation(it->name)))))
		return false;
	switch (re->effect) {
	case CAP_NONE: return false;
	case CAP_ECHO: return it->key_kind != VS_KEY_TEXT;
	case CAP_MOVE: return !cap_key_is_editing(it->name);
	case CAP_LOCAL:
		if (it->key_kind == VS_KEY_PASTE)
			return false;
		return !cap_key_is_editing(it->name) || re->look_cells > 1;
	case CAP_NEWLINE: return !re->line_mode;
	default: return it->key_kind != VS_KEY_PASTE || !re->line_mode;
	}
}

static int rows_written(const struct cap_frame *f)
{
	int n = 0;

	for (int r = 0; r < f->rows; r++)
		n += cap_frame_row_end(f, r) > 0;
	return n;
}

/* Who waits so long waits for an answer. */
#define ANSWER_NS (150 * 1000000LL)

/* A question in front of the cursor, with its choices or without: "Update? (Y/N) ", "[y/n]:",
   "Update? Y/N". */
static bool asks(const struct cap_frame *f)
{
	int row = f->cur_row, col = f->cur_col;
	uint32_t ch = 0;

	while (col > 0 && ((ch = cap_frame_char(f, row, col - 1)) == ' ' || ch == ':'))
		col--;
	if (col > 3 && (ch | 32) == 'n' && cap_frame_char(f, row, col - 2) == '/' &&
		(cap_frame_char(f, row, col - 3) | 32) == 'y')
		return true;
	if (col > 0 && (ch == ')' || ch == ']')) {
		uint32_t open = ch == ')' ? '(' : '[';

		while (col > 0 && (ch = cap_frame_char(f, row, --col)) != open)
			if (ch == '/')
				return true;
		while (col > 0 && (ch = cap_frame_char(f, row, col - 1)) == ' ')
			col--;
	}
	return col > 0 && ch == '?';
}

/* A full field that was taken: it was the answer to a question, the cursor is back at an earlier
   field, or the screen is another. */
static bool takes_field(const struct cap_item *it)
{
	const struct cap_frame *a = it->before, *b = it->re.after;

	if (!it->re.jumped)
		return false;
	return asks(a) ||
		(it->re.effect == CAP_MORE &&
			(it->re.rows_changed >= 3 || b->cur_row < a->cur_row ||
				(b->cur_row == a->cur_row && b->cur_col < a->cur_col)));
}

static bool submits(const struct cap_item *it)
{
	const struct cap_response *re = &it->re;
	int half;

	if (!it->wait || it->kind != CAP_KEY)
		return false;
	if (it->typing)
		return takes_field(it);
	/* A field that was wiped after a while: what it held was taken. */
	if (re->effect == CAP_LOCAL && it->key_kind == VS_KEY_NAMED &&
		!cap_key_is_navigation(it->name))
		return re->change_ns - it->at_ns >= ANSWER_NS;
	if (re->effect != CAP_MORE)
		return false;
	if (re->switched || re->prompt_col >= 0)
		return true;
	half = rows_written(re->after) / 2;
	if (it->key_kind == VS_KEY_PASTE)
		return false;
	if (it->key_kind == VS_KEY_MOUSE && it->mouse.action == VS_MOUSE_MOVE)
		return false;
	if (cap_key_is_navigation(it->name))
		return re->text_cells > 0 && re->rows_changed >= (half > 5 ? half : 5);
	if (it->key_kind == VS_KEY_TEXT)
		return re->rows_changed >= 3 || asks(it->before);
	return true;
}

void cap_session_classify(struct cap_session *s)
{
	for (size_t i = 0; i < s->n_items; i++) {
		struct cap_item *it = &s->item[i];
		struct change ch;

		if (!cap_item_is_input(it))
			continue;
		it->re.effect = effect(s, i, &ch);
		if (is_text(it))
			typing_judge(s, i, &ch);
	}
	silent_runs_find(s);
	for (size_t i = 0; i < s->n_items; i++) {
		struct cap_item *it = &s->item[i];

		if (!cap_item_is_input(it))
			continue;
		it->wait = worth_waiting(it);
		it->submit = submits(it);
	}
}
