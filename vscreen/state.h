/*
 * state.h - the terminal state behind vs_screen, for the files of this folder alone.
 *
 * A byte goes through
 *
 *   guard.c  ->  libvterm's parser  ->  dispatch.c  ->  print, cursor, erase, scroll, sgr, mode ...
 *            \-> string.c (OSC, DCS ...), media.c (print jobs)
 *
 * The measure is xterm 379 with its defaults as a VT420 in UTF-8; where a function does
 * something odd, it is what xterm does. Rows and columns count from 0, ranges are half open:
 * the scrolling region is rows [top, bottom) and columns [left, right).
 *
 * Invariants: 0 <= row < rows, 0 <= col < cols; top < bottom <= rows, left < right <= cols;
 * a wide character's halves stand together; every row that changed since the feed began is
 * marked dirty.
 */
#ifndef VSCREEN_STATE_H
#define VSCREEN_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "vscreen/cell.h"
#include "vscreen/charset.h"
#include "vscreen/guard.h"
#include "vscreen/intern.h"
#include "vscreen/saved_lines.h"
#include "vscreen/screen.h"
#include "vscreen/term.h"

struct vs_style {
	uint32_t fg, bg;
	uint16_t attrs;
	uint16_t underline;
};

struct vs_cluster {
	uint32_t chars[4]; /* base, marks; 0 ends */
};

/* As xterm: the base and two marks; one that composes with the base is not counted. */
#define VS_MARKS_MAX 2

enum vs_line_size { VS_LINE_SINGLE, VS_LINE_WIDE, VS_LINE_TOP, VS_LINE_BOTTOM };

struct vs_line {
	uint16_t at;  /* which stored row holds it */
	uint8_t size; /* enum vs_line_size */
};

struct vs_grid {
	struct vs_gcell *cells; /* [rows][cols], in stored order; NULL: never used */
	struct vs_line *lines;  /* [rows] */
};

/* What is known of a row as it was shown when the last feed ended. */
struct vs_shown {
	uint64_t hash;
	uint32_t paints;
};

#define VS_DIRTY_WORDS ((VS_ROWS_MAX + 63) / 64)

struct vs_charsets {
	uint8_t g[4]; /* enum vs_charset */
	uint8_t gl, gr;
	uint8_t single; /* 2 or 3: the next character comes from G2, G3; else 0 */
};

struct vs_saved {
	bool saved;
	int row, col;
	bool wrap_pending, origin;
	struct vs_style pen;
	struct vs_charsets sets;
};

/* Marks of DECSCA and of SPA/EPA: who respects protected cells. */
enum vs_protect { VS_PROTECT_OFF, VS_PROTECT_DEC, VS_PROTECT_ISO };

struct vs_modes {
	bool app_cursor, app_keypad, backarrow, newline, insert, origin, wrap, reverse_wrap;
	bool reverse, visible, blink, keyboard_locked, send_receive;
	bool lr_margins, national, columns_132, allow_132, keep_on_132, more_fix;
	bool smooth_scroll, paste, focus, sync, margin_bell, alt_scroll;
	bool print_ff, print_extent, no_alternate, alternate; /* the last: as saved, else unused */
	uint16_t mouse;                                       /* 0, 9, 1000, 1001, 1002, 1003 */
	uint16_t mouse_coords;                                /* 0, 1005, 1006, 1015, 1016 */
};

/* What VT52 mode put away. */
struct vs_vt52 {
	struct vs_charsets sets;
	struct vs_modes modes;
	struct vs_style pen;
};

#define VS_TAB_WORDS  ((VS_COLS_MAX + 63) / 64)
#define VS_PUSHED_MAX 10 /* XTPUSHSGR */

struct vs_pushed {
	uint32_t mask;
	struct vs_style pen;
};

struct vs_screen {
	int rows, cols;
	struct vs_grid main, alt;
	struct vs_grid *grid;           /* the one shown */
	struct vs_shown *shown;         /* [rows] */
	uint64_t dirty[VS_DIRTY_WORDS]; /* a bit a row: painted in this feed */
	bool force_change;

	/* cursor */
	int row, col;
	bool wrap_pending;
	bool wrote;               /* a character was written and the cursor not moved since */
	int wrote_row, wrote_col; /* its cell: marks join it */
	uint32_t last_char;       /* what REP repeats; 0: nothing */
	int top, bottom, left, right;

	/* pen */
	struct vs_style pen;
	uint16_t pen_number, blank_number; /* of the pen, and of what erasing leaves */
	bool pen_stale;
	uint8_t protect;     /* enum vs_protect */
	uint8_t rect_extent; /* DECSACE */
	struct vs_pushed *pushed;
	int n_pushed;

	struct vs_charsets sets;
	struct vs_saved saved[2]; /* of the main and of the alternate screen */
	struct vs_modes modes;
	struct vs_modes *modes_saved; /* XTSAVE; NULL until the first */
	uint8_t cursor_shape;         /* DECSCUSR 1..6, 0: default */
	uint8_t level;                /* DECSCL: 1..4; 0: VT52 */
	bool reply_8bit;
	uint64_t tabs[VS_TAB_WORDS];

	struct vs_intern styles, clusters;
	struct vs_saved_lines saved_lines;

	/* since the input mark */
	uint16_t stamp;
	int mark_row, mark_col;
	bool cursor_moved;

	/* as the last feed left it */
	int seen_row, seen_col;
	bool seen_visible;
	uint64_t changes;

	/* synchronised updates */
	uint32_t updates;  /* begun */
	bool shows;        /* this feed changed what a person sees */
	bool held;         /* the open update has changes that nobody has seen */
	bool feed_changed; /* up to a border of an update within this feed */

	struct vs_rect *masks;
	size_t n_masks;
	uint64_t *mask_bits; /* [rows][(cols + 63) / 64]; NULL: no masks */

	uint64_t bells;
	struct b_buf title, icon_title, unanswered, printed;
	struct vs_titles *titles; /* XTPUSHTITLE */

	const struct vs_term *term;
	char *term_name;
	vs_answer_fn *answer;
	void *answer_user;
	bool eight_bit;
	struct vs_vt52 vt52;

	struct vs_guard guard;
};

static inline struct vs_gcell *vs_row_of(
	const struct vs_screen *s, const struct vs_grid *g, int row)
{
	return g->cells + (size_t)g->lines[row].at * (size_t)s->cols;
}

static inline struct vs_gcell *vs_row(const struct vs_screen *s, int row)
{
	return vs_row_of(s, s->grid, row);
}

static inline void vs_touch(struct vs_screen *s, int row)
{
	s->shown[row].paints++;
	s->dirty[row / 64] |= 1ULL << row % 64;
}

#endif
