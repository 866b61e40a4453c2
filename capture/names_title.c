/* Which text on a screen is its title. */
#include <string.h>

#include "capture/names.h"
#include "base/banned.h"

#define SCORE_MIN 8

struct segment {
	int row, col, end;
	int letters, digits;
	bool framed; /* a line runs up to it on both sides */
};

static bool is_line(uint32_t c)
{
	return (c >= 0x2500 && c <= 0x257f && c != 0x2502 && c != 0x2503 && c != 0x2551) ||
		c == '-' || c == '=';
}

static bool is_break(uint32_t c)
{
	return (c >= 0x2500 && c <= 0x259f) || c == '|';
}

static bool is_upright(uint32_t c)
{
	return c == 0x2502 || c == 0x2503 || c == 0x2551 || c == '|';
}

static bool is_corner(uint32_t c)
{
	return is_break(c) && !is_upright(c);
}

static bool is_letter(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0xc0;
}

static bool same_style(const struct cap_frame *f, int row, int a, int b)
{
	const struct cap_cell *x = &f->row[row]->cell[a], *y = &f->row[row]->cell[b];

	return x->bg == y->bg && !((x->attrs ^ y->attrs) & (VS_REVERSE | VS_BOLD));
}

/* Reverse, bold, or another background than the row below: a bar or a heading. */
static bool stands_out(const struct cap_frame *f, const struct segment *s)
{
	const struct cap_cell *c = &f->row[s->row]->cell[s->col];
	const struct cap_cell *below =
		s->row + 1 < f->rows ? &f->row[s->row + 1]->cell[s->col] : NULL;

	return (c->attrs & (VS_REVERSE | VS_BOLD)) || (below && below->bg != c->bg);
}

/* Alone on its row, and the row below empty or a rule. */
static bool stands_alone(const struct cap_frame *f, const struct segment *s, int n_segments)
{
	if (n_segments > 1 || s->row + 1 >= f->rows)
		return false;
	for (int c = 0; c < f->cols; c++) {
		uint32_t ch = cap_frame_char(f, s->row + 1, c);

		if (ch != ' ' && ch != 0 && !is_line(ch) && ch != '_')
			return false;
	}
	return true;
}

static int score(const struct cap_frame *f, const struct segment *s, int n_segments)
{
	int n = 0, middle = (s->col + s->end) / 2 - f->cols / 2;
	bool out = stands_out(f, s);
	bool centred = (n_segments == 1 || out) && middle > -f->cols / 8 && middle < f->cols / 8;

	if (s->letters < 4 || s->digits > s->letters)
		return 0;
	/* The rest of a word whose first letter is marked as a shortcut. */
	if (s->col > 0 && is_letter(cap_frame_char(f, s->row, s->col - 1)) &&
		!is_break(cap_frame_char(f, s->row, s->col - 1)))
		return 0;
	/* Text goes on here in other looks: no title begins in the middle of a line. */
	if (s->col > 1 && cap_frame_char(f, s->row, s->col - 1) == ' ' &&
		cap_frame_char(f, s->row, s->col - 2) != ' ' &&
		!is_break(cap_frame_char(f, s->row, s->col - 2)))
		return 0;
	/* Plain text is a title at the very top alone. */
	if (!s->framed && !out && (s->row || (!centred && !stands_alone(f, s, n_segments))))
		return 0;
	if (s->framed)
		n += 14;
	if (s->row == 0)
		n += 6;
	else if (s->row <= 2)
		n += 3;
	else if (!s->framed)
		return 0;
	n += out ? 5 : 0;
	n += centred ? 6 : 0;
	if (n_segments >= 4)
		n -= n_segments > 4 ? 16 : 10; /* a menu bar, or headings of columns */
	if (s->end - s->col > 40)
		n -= 8;
	for (int c = s->col; c < s->end; c++) {
		uint32_t ch = cap_frame_char(f, s->row, c);

		if (ch == '/' || ch == '@' || ch == '$' || ch == '#')
			n -= 6;
	}
	if (cap_frame_char(f, s->row, s->end - 1) == ':')
		n -= 8;
	return n + (s->letters < 12 ? s->letters : 12) / 4;
}

/* Text between two or more blanks, lines, or changes of its look. */
static int segments_find(const struct cap_frame *f, int row, struct segment *out, int max)
{
	int n = 0, end = cap_frame_row_end(f, row);

	for (int c = 0; c < end && n < max;) {
		struct segment s = { .row = row, .col = c };
		uint32_t ch = cap_frame_char(f, row, c);

		if (ch == ' ' || ch == 0 || is_break(ch)) {
			c++;
			continue;
		}
		for (; c < end; c++) {
			ch = cap_frame_char(f, row, c);
			if (is_break(ch) || (ch == ' ' && cap_frame_char(f, row, c + 1) == ' ') ||
				!same_style(f, row, s.col, c))
				break;
			s.letters += is_letter(ch);
			s.digits += ch >= '0' && ch <= '9';
		}
		s.end = c;
		while (s.end > s.col && cap_frame_char(f, row, s.end - 1) == ' ')
			s.end--;
		for (int left = s.col - 1; left >= 0 && left >= s.col - 2; left--)
			s.framed |= is_line(cap_frame_char(f, row, left)) &&
				(is_line(cap_frame_char(f, row, s.end)) ||
					is_line(cap_frame_char(f, row, s.end + 1)) ||
					is_corner(cap_frame_char(f, row, s.end)));
		if (s.end > s.col)
			out[n++] = s;
	}
	return n;
}

/* What a box without a title asks: its first text, with nothing right below it. */
static bool box_text(const struct cap_frame *f, struct segment *out)
{
	for (int row = 1; row + 1 < f->rows; row++) {
		struct segment s[32];
		int n = segments_find(f, row, s, 32), left, right;

		if (n != 1 || s[0].letters < 4 || s[0].end - s[0].col > 40 ||
			!is_letter(cap_frame_char(f, row, s[0].col)))
			continue;
		for (left = s[0].col; left > 0 && cap_frame_char(f, row, left - 1) == ' ';)
			left--;
		for (right = s[0].end; right < f->cols && cap_frame_char(f, row, right) == ' ';)
			right++;
		if (left == 0 || right >= f->cols ||
			!is_upright(cap_frame_char(f, row, left - 1)) ||
			!is_upright(cap_frame_char(f, row, right)) ||
			!is_line(cap_frame_char(f, row - 1, left)))
			continue;
		for (int c = left; c < right; c++) {
			uint32_t below = cap_frame_char(f, row + 1, c);

			if (below != ' ' && !is_break(below))
				return false;
		}
		*out = s[0];
		return true;
	}
	return false;
}

bool cap_title_find(const struct cap_frame *f, struct b_buf *out)
{
	struct segment best = { 0 };
	int best_score = SCORE_MIN - 1;

	for (int row = 0; row < f->rows; row++) {
		struct segment s[32];
		int n = segments_find(f, row, s, 32);

		for (int i = 0; i < n; i++) {
			int points = score(f, &s[i], n);

			if (points > best_score) {
				best = s[i];
				best_score = points;
			}
		}
	}
	if (best_score < SCORE_MIN && !box_text(f, &best))
		return false;
	/* Words with digits are counters, versions, dates. */
	for (int c = best.col; c < best.end;) {
		int end = c;
		bool digits = false;

		while (end < best.end && cap_frame_char(f, best.row, end) != ' ') {
			uint32_t ch = cap_frame_char(f, best.row, end++);

			digits |= ch >= '0' && ch <= '9';
		}
		if (!digits) {
			cap_frame_text(f, best.row, c, end, out);
			b_buf_addc(out, ' ');
		}
		c = end + 1;
	}
	return out->len > 0;
}
