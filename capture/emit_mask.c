/* What of a screen cannot be compared: what ticks, what differs between traces, dates, times and
   how long something took. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/emit.h"
#include "base/banned.h"

/* Shapes of dates and times: 9 is a digit, the rest stands for itself. Longer ones first. */
static const char *const shapes[] = {
	"9999-99-99T99:99:99",
	"9999-99-99 99:99:99",
	"9999-99-99 99:99",
	"99:99:99",
	"9999-99-99",
	"9999/99/99",
	"99.99.9999",
	"99/99/9999",
	"99-99-9999",
	"99.99.99",
	"99/99/99",
	"99:99",
	"9:99:99",
	"9:99",
};

static const char *const calendar[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan",
	"Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

static bool is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(uint32_t c)
{
	return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static int shape_at(const struct cap_frame *f, int row, int col, const char *shape)
{
	int n = (int)strlen(shape);

	if (col + n > f->cols || (col > 0 && is_digit(cap_frame_char(f, row, col - 1))) ||
		(col + n < f->cols && is_digit(cap_frame_char(f, row, col + n))))
		return 0;
	for (int i = 0; i < n; i++) {
		uint32_t c = cap_frame_char(f, row, col + i);

		if (shape[i] == '9' ? !is_digit(c) : c != (uint32_t)(unsigned char)shape[i])
			return 0;
	}
	return n;
}

/* "Mon Nov 30", "30 Nov 2026": names of days and months with numbers and blanks about them. */
static int calendar_at(const struct cap_frame *f, int row, int col)
{
	for (size_t i = 0; i < B_ARRAY_LEN(calendar); i++) {
		int end = col;

		while (end - col < 3 &&
			cap_frame_char(f, row, end) ==
				(uint32_t)(unsigned char)calendar[i][end - col])
			end++;
		if (end - col == 3 && !is_letter(cap_frame_char(f, row, end)) &&
			(col == 0 || !is_letter(cap_frame_char(f, row, col - 1))))
			return 3;
	}
	return 0;
}

static bool has_unit(const struct cap_frame *f, int row, int col, const char *unit)
{
	int n = (int)strlen(unit);

	for (int i = 0; i < n; i++)
		if (cap_frame_char(f, row, col + i) != (uint32_t)(unsigned char)unit[i])
			return false;
	return !is_letter(cap_frame_char(f, row, col + n));
}

static int digits_at(const struct cap_frame *f, int row, int col)
{
	int n = 0;

	while (is_digit(cap_frame_char(f, row, col + n)))
		n++;
	return n;
}

/* "0.00 sec", "1.25s", "12 ms": the number that says how long something took. */
static int duration_at(const struct cap_frame *f, int row, int col)
{
	static const char *const units[] = { "seconds", "secs", "sec", "s" };
	int n = digits_at(f, row, col), unit;
	bool fraction = false;

	if (!n || is_digit(cap_frame_char(f, row, col - 1)) ||
		cap_frame_char(f, row, col - 1) == '.')
		return 0;
	if (cap_frame_char(f, row, col + n) == '.') {
		int decimals = digits_at(f, row, col + n + 1);

		fraction = decimals > 0;
		n += fraction ? 1 + decimals : 0;
	}
	unit = col + n;
	unit += cap_frame_char(f, row, unit) == ' ';
	if (has_unit(f, row, unit, "ms"))
		return n;
	for (size_t i = 0; fraction && i < B_ARRAY_LEN(units); i++)
		if (has_unit(f, row, unit, units[i]))
			return n;
	return 0;
}

static void row_mark(const struct cap_frame *f, int row, unsigned char *map)
{
	for (int c = 0; c < f->cols;) {
		int n = 0, start = c;

		for (size_t i = 0; !n && i < B_ARRAY_LEN(shapes); i++)
			n = shape_at(f, row, c, shapes[i]);
		if (!n)
			n = duration_at(f, row, c);
		if (!n && (n = calendar_at(f, row, c)) > 0) {
			/* The numbers around: one word to the left, all to the right. */
			while (start > 0 &&
				(is_digit(cap_frame_char(f, row, start - 1)) ||
					(cap_frame_char(f, row, start - 1) == ' ' && start > 1 &&
						is_digit(cap_frame_char(f, row, start - 2)))))
				start--;
			while (c + n < f->cols &&
				(is_digit(cap_frame_char(f, row, c + n)) ||
					(cap_frame_char(f, row, c + n) == ' ' &&
						is_digit(cap_frame_char(f, row, c + n + 1)))))
				n++;
		}
		for (int k = start; k < c + n; k++)
			map[k] = 1;
		c += n ? n : 1;
	}
}

static size_t rects_make(
	const unsigned char *map, int rows, int cols, struct vs_rect *out, size_t max)
{
	size_t n = 0;

	for (int r = 0; r < rows; r++)
		for (int c = 0; c < cols;) {
			int end = c;
			size_t i;

			while (end < cols && map[r * cols + end])
				end++;
			if (end == c) {
				c++;
				continue;
			}
			/* The same columns in the row above: one rectangle. */
			for (i = 0; i < n; i++)
				if (out[i].row + out[i].rows == r && out[i].col == c &&
					out[i].cols == end - c)
					break;
			if (i < n)
				out[i].rows++;
			else if (n < max)
				out[n++] = (struct vs_rect){ r, c, 1, end - c };
			c = end;
		}
	return n;
}

size_t cap_masks_find(
	const struct cap_emit *e, const struct cap_item *golden, struct vs_rect *out, size_t max)
{
	const struct cap_session *s = e->plan->s;
	const struct cap_frame *f = golden->before;
	size_t prev = cap_session_prev(s, (size_t)(golden - s->item)), n;
	const unsigned char *differing =
		e->merge && prev != SIZE_MAX ? e->merge->differing[prev] : NULL;
	unsigned char *map = b_calloc((size_t)f->rows, (size_t)f->cols);

	cap_session_ticks_get(s, f, map);
	for (int i = 0; i < f->rows * f->cols; i++)
		map[i] = map[i] == 1;
	if (differing && s->item[prev].re.after->rows == f->rows &&
		s->item[prev].re.after->cols == f->cols)
		for (int i = 0; i < f->rows * f->cols; i++)
			map[i] |= differing[i] & CAP_DIFFERS_TEXT;
	for (int r = 0; r < f->rows; r++)
		row_mark(f, r, map + r * f->cols);
	n = rects_make(map, f->rows, f->cols, out, max);
	free(map);
	return n;
}
