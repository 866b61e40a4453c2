/*
 * Values that the SUT had displayed before they were typed: an order number that one screen
 * gives and the next asks for. They are read from the screen at replay, by the label beside them.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/emit.h"
#include "capture/plan.h"
#include "base/banned.h"

/* Shorter values stand on a screen by chance, unless both labels say that they are the same. */
#define SHOWN_MIN       4
#define SHOWN_MIN_NAMED 2
#define LABEL_WORDS     3
/* So many inputs later a value is typed by heart. */
#define SHOWN_BACK_MAX  1000

static bool is_word(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		c >= 0xc0;
}

static bool is_number_like(const struct cap_value *v)
{
	bool digit = false;

	if (v->len < SHOWN_MIN_NAMED || v->paste || v->secret || !v->name)
		return false;
	for (size_t i = 0; i < v->len; i++) {
		unsigned char c = (unsigned char)v->text[i];

		if (c <= ' ' || c > '~')
			return false;
		digit |= c >= '0' && c <= '9';
	}
	return digit;
}

/* Whether the place is within a date, a time or a longer number: a mark and a digit beside it. */
static bool is_part(const struct cap_frame *f, int row, int col, int step)
{
	uint32_t mark = cap_frame_char(f, row, col), next = cap_frame_char(f, row, col + step);

	return (mark == '-' || mark == '/' || mark == ':' || mark == '.' || mark == ',') &&
		next >= '0' && next <= '9';
}

static bool stands_at(const struct cap_frame *f, int row, int col, const struct cap_value *v)
{
	int len = (int)v->len;

	if (col + len > f->cols || (col > 0 && is_word(cap_frame_char(f, row, col - 1))) ||
		(col + len < f->cols && is_word(cap_frame_char(f, row, col + len))))
		return false;
	for (int i = 0; i < len; i++)
		if (cap_frame_char(f, row, col + i) != (uint32_t)(unsigned char)v->text[i])
			return false;
	return (col < 2 || !is_part(f, row, col - 1, -1)) &&
		(col + len + 1 >= f->cols || !is_part(f, row, col + len, 1));
}

/* How often the value stands in a row, and where last: most rows are those of the next screen. */
struct row_seen {
	const struct cap_row *row;
	int n, col;
};

static void row_look(
	struct row_seen *seen, const struct cap_frame *f, int row, const struct cap_value *v)
{
	const struct cap_cell *cell = f->row[row]->cell;

	seen->row = f->row[row];
	seen->n = 0;
	for (int c = 0; c + (int)v->len <= f->cols; c++)
		if (cell[c].ch[0] == (uint32_t)(unsigned char)v->text[0] &&
			stands_at(f, row, c, v)) {
			seen->col = c;
			seen->n++;
		}
}

/* How often the value stands in the frame; the place of the last. */
static int places(const struct cap_frame *f, const struct cap_value *v, struct row_seen *seen,
	int *row, int *col)
{
	int n = 0;

	for (int r = 0; r < f->rows; r++) {
		if (seen[r].row != f->row[r])
			row_look(&seen[r], f, r, v);
		if (!seen[r].n)
			continue;
		*row = r;
		*col = seen[r].col;
		n += seen[r].n;
	}
	return n;
}

/* As screen.field does it: what stands behind the label in that row, up to two blanks. */
static bool field_is(
	const struct cap_frame *f, int row, const char *label, const struct cap_value *v)
{
	struct b_buf text = B_BUF_INIT;
	const char *at, *end, *blanks;
	bool is = false;

	cap_frame_text(f, row, 0, f->cols, &text);
	at = strstr(b_buf_cstr(&text), label);
	if (at) {
		at += strlen(label);
		at += strspn(at, " :._");
		blanks = strstr(at, "  ");
		end = blanks ? blanks : at + strlen(at);
		while (end > at && (end[-1] == ' ' || end[-1] == '_'))
			end--;
		is = (size_t)(end - at) == v->len && !memcmp(at, v->text, v->len);
	}
	b_buf_release(&text);
	return is;
}

/* ---- Where no field ends behind it: out of the row, or of the latest line --------------- */

static bool all_digits(const struct cap_value *v)
{
	return strspn(v->text, "0123456789") == v->len;
}

/* What `LABEL[ .:#]*(%d+)`, or (%S+), takes at the front of the text is the value. */
static bool captures(const char *text, const char *label, const struct cap_value *v, bool *other)
{
	size_t len = strlen(label), n;

	if (strncmp(text, label, len) != 0)
		return false;
	text += len;
	text += strspn(text, " .:#");
	n = all_digits(v) ? strspn(text, "0123456789") : strcspn(text, " \n");
	*other = n && !(n == v->len && !memcmp(text, v->text, n));
	return n > 0;
}

/* Whether the pattern finds the value: the first time in a row, the last time in all lines. */
static bool pattern_finds(const struct cap_frame *f, int row, bool lines, const char *label,
	const struct cap_value *v)
{
	struct b_buf text = B_BUF_INIT;
	bool found = false, other = false;

	for (int r = lines ? 0 : row; r < (lines ? f->rows : row + 1); r++) {
		cap_frame_text(f, r, 0, cap_frame_row_end(f, r), &text);
		b_buf_addc(&text, '\n');
	}
	for (const char *p = b_buf_cstr(&text); *p && (lines || !found); p++) {
		bool differs;

		if (!captures(p, label, v, &differs))
			continue;
		found = true;
		other = differs;
	}
	b_buf_release(&text);
	return found && !other;
}

/* The last few words in front of a place; no digits, since those may be others another time. */
static bool words_before(const struct cap_frame *f, int row, int col, struct b_buf *out)
{
	int end = col, start, words = 0, letters = 0;

	while (end > 0 && !is_word(cap_frame_char(f, row, end - 1)) &&
		strchr(" .:#", (int)(cap_frame_char(f, row, end - 1) & 0x7f)))
		end--;
	for (start = end; start > 0; start--) {
		uint32_t c = cap_frame_char(f, row, start - 1);

		if (c == ' ') {
			if (start == 1 || !is_word(cap_frame_char(f, row, start - 2)) ||
				++words == LABEL_WORDS)
				break;
		} else if (!is_word(c) || (c >= '0' && c <= '9')) {
			break;
		} else {
			letters++;
		}
	}
	while (start < end && cap_frame_char(f, row, start) == ' ')
		start++;
	if (letters < 3 || start >= end)
		return false;
	cap_frame_text(f, row, start, end, out);
	return true;
}

/* Whether two labels have a word in common. */
static bool same_word(const char *a, const char *b)
{
	for (; *a; a++) {
		size_t n = 0;

		while (is_word((unsigned char)a[n]))
			n++;
		for (const char *p = b; n >= 3 && *p; p++)
			if (!strncasecmp(a, p, n) && !is_word((unsigned char)p[n]) &&
				(p == b || !is_word((unsigned char)p[-1])))
				return true;
		a += n;
		if (!*a)
			break;
	}
	return false;
}

static bool typed_before(const struct cap_values *v, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (v->value[i].len >= v->value[k].len &&
			strstr(v->value[i].text, v->value[k].text))
			return true;
	return false;
}

/* How the value can be read on that screen once more, if at all. */
static bool readable(const struct cap_session *s, size_t item, const struct cap_value *v, int row,
	int how, const char *label)
{
	const struct cap_frame *f = s->item[item].re.after;

	if (how == CAP_SHOWN_FIELD)
		return field_is(f, row, label, v);
	return pattern_finds(f, row, how == CAP_SHOWN_LINES, label, v);
}

static bool shown_in(
	const struct cap_session *s, size_t item, struct cap_value *v, struct row_seen *seen)
{
	const struct cap_frame *f = s->item[item].re.after;
	bool lines = s->item[item].re.line_mode;
	struct b_buf label = B_BUF_INIT, words = B_BUF_INIT;
	const char *name = NULL;
	int row = 0, col = 0;

	if (places(f, v, seen, &row, &col) != 1)
		return false;
	v->shown_row = row;
	v->shown_after = item;
	cap_label_find(f, row, col, &label);
	if (!lines && label.len && readable(s, item, v, row, CAP_SHOWN_FIELD, b_buf_cstr(&label))) {
		v->shown_how = CAP_SHOWN_FIELD;
		name = b_buf_cstr(&label);
	} else if (words_before(f, row, col, &words)) {
		v->shown_how = lines ? CAP_SHOWN_LINES : CAP_SHOWN_ROW;
		if (readable(s, item, v, row, (int)v->shown_how, b_buf_cstr(&words)))
			name = b_buf_cstr(&words);
	}
	if (name && (v->len >= SHOWN_MIN || (v->label && same_word(name, v->label))))
		v->shown_label = b_strdup(name);
	b_buf_release(&label);
	b_buf_release(&words);
	return v->shown_label != NULL;
}

void cap_value_read_add(const struct cap_value *v, struct b_buf *out)
{
	struct b_buf pattern = B_BUF_INIT;

	if (v->shown_how == CAP_SHOWN_FIELD) {
		b_buf_adds(out, "screen.field(");
		cap_emit_string(out, v->shown_label, strlen(v->shown_label));
		b_buf_printf(out, ", { row = %d })", v->shown_row + 1);
		return;
	}
	if (v->shown_how == CAP_SHOWN_ROW)
		b_buf_printf(out, "screen.row(%d):match ", v->shown_row + 1);
	else
		b_buf_adds(out, "screen.text():match ");
	if (v->shown_how == CAP_SHOWN_LINES)
		b_buf_adds(&pattern, ".*"); /* the latest */
	cap_pattern_quote(&pattern, v->shown_label, strlen(v->shown_label));
	b_buf_printf(&pattern, "[ .:#]*(%s)", all_digits(v) ? "%d+" : "%S+");
	cap_emit_string(out, pattern.data, pattern.len);
	b_buf_release(&pattern);
}

void cap_values_shown(const struct cap_session *s, struct cap_values *v)
{
	struct row_seen *seen = b_calloc(VS_ROWS_MAX, sizeof *seen);

	for (size_t k = 0; k < v->n; k++) {
		struct cap_value *val = &v->value[k];
		size_t i = val->first, back = 0;

		if (!is_number_like(val) || typed_before(v, k))
			continue;
		memset(seen, 0, VS_ROWS_MAX * sizeof *seen);
		/* The latest screen that shows it; in it, where it came to stand there. */
		while ((i = cap_session_prev(s, i)) != SIZE_MAX && back++ < SHOWN_BACK_MAX) {
			size_t p;

			if (!shown_in(s, i, val, seen))
				continue;
			while ((p = cap_session_prev(s, val->shown_after)) != SIZE_MAX &&
				!s->item[val->shown_after].wait &&
				readable(s, p, val, val->shown_row, (int)val->shown_how,
					val->shown_label))
				val->shown_after = p;
			break;
		}
		/* Nothing is waited for there: it cannot be known when it can be read. */
		if (val->shown_label && !s->item[val->shown_after].wait) {
			free(val->shown_label);
			val->shown_label = NULL;
		}
	}
	free(seen);
}
