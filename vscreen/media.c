/* Media copy: print jobs are kept for the script, never shown. */
#include "vscreen/media.h"
#include "vscreen/state.h"
#include "base/banned.h"

#define PRINT_MAX (64 * 1024)

void vs_print_job(struct vs_screen *s, const char *bytes, size_t len)
{
	size_t room = PRINT_MAX - s->printed.len;

	b_buf_add(&s->printed, bytes, len < room ? len : room);
}

static void print_rows(struct vs_screen *s, int row, int end)
{
	struct b_buf text = B_BUF_INIT;

	for (; row < end; row++) {
		b_buf_clear(&text);
		vs_screen_row(s, row, &text);
		b_buf_adds(&text, "\r\n");
		vs_print_job(s, text.data, text.len);
	}
	b_buf_release(&text);
}

void vs_media_copy(struct vs_screen *s, int what, bool dec)
{
	if (!dec && what == 5) {
		s->guard.state = VS_GUARD_PRINT;
		s->guard.esc_len = 0;
	} else if (!dec && what == 0) {
		print_rows(s, s->modes.print_extent ? 0 : s->top,
			s->modes.print_extent ? s->rows : s->bottom);
	} else if (dec && what == 1) {
		print_rows(s, s->row, s->row + 1);
	} else if (dec && (what == 10 || what == 11)) {
		print_rows(s, 0, s->rows);
	}
}
