#include "capture/overlay.h"

#include <string.h>

#include "base/utf8.h"
#include "base/banned.h"

/* Appends at most cols characters of text, the rest as blanks. Ours is narrow text only. */
static void add_padded(struct b_buf *out, const char *text, int cols)
{
	size_t len = strlen(text), n;
	uint32_t cp;

	for (; len && cols; text += n, len -= n, cols--) {
		n = b_utf8_decode(text, len, &cp);
		if (!n)
			n = len;
		if (cp < 0x20 || cp == B_UTF8_REPLACEMENT)
			b_buf_addc(out, '?');
		else
			b_buf_add(out, text, n);
	}
	while (cols-- > 0)
		b_buf_addc(out, ' ');
}

void cap_overlay_lines(const struct vs_screen *s, const char *const *lines, size_t n, bool top,
	int cursor_col, struct b_buf *out)
{
	int rows = vs_screen_rows(s), cols = vs_screen_cols(s), last;

	if (n > (size_t)rows) {
		lines += n - (size_t)rows;
		n = (size_t)rows;
	}
	last = top ? (int)n : rows;
	/* No margins, no origin, no insertion and no wrapping while we draw. */
	b_buf_adds(out, "\033[?25l\033[?6l\033[r\033[4l\033[?7l\033(B\017\033[0;7m");
	for (size_t i = 0; i < n; i++) {
		b_buf_printf(out, "\033[%d;1H", last - (int)(n - 1 - i));
		add_padded(out, lines[i], cols);
	}
	b_buf_adds(out, "\033[0m\033[?7h");
	if (cursor_col >= 0)
		b_buf_printf(out, "\033[%d;%dH\033[?25h", last,
			(cursor_col < cols ? cursor_col : cols - 1) + 1);
}

void cap_overlay_mark(const struct vs_screen *s, const struct vs_rect *mark, struct b_buf *out)
{
	vs_screen_repaint(s, false, out);
	b_buf_adds(out, "\033[?25l\033[0;7m");
	for (int r = mark->row; r < mark->row + mark->rows; r++) {
		b_buf_printf(out, "\033[%d;%dH", r + 1, mark->col + 1);
		vs_screen_text(s, r, mark->col, mark->cols, out);
	}
	b_buf_adds(out, "\033[0m");
}

void cap_overlay_gone(const struct vs_screen *s, const char *sign, struct b_buf *out)
{
	int cols = vs_screen_cols(s), width = sign ? (int)strlen(sign) + 2 : 0, row, col;
	struct b_buf over = B_BUF_INIT;

	/* Not where the person types. */
	vs_screen_cursor(s, &row, &col);
	if (sign && width < cols)
		b_buf_printf(&over, "\033[%d;%dH\033[0;7m %s \033[0m", row ? 1 : vs_screen_rows(s),
			cols - width + 1, sign);
	vs_screen_repaint_over(s, b_buf_cstr(&over), out);
	b_buf_release(&over);
}

void cap_overlay_title(const struct vs_screen *s, const char *sign, struct b_buf *out)
{
	/* Terminals that keep no stack of titles get the one that the application gave, or none. */
	if (sign)
		b_buf_printf(out, "\033[22;2t\033]2;%s\033\\", sign);
	else
		b_buf_adds(out, "\033]2;\033\\\033[23;2t");
	if (!sign && *vs_screen_title(s))
		b_buf_printf(out, "\033]2;%s\033\\", vs_screen_title(s));
}
