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
	uint16_t at;     /* which stored row holds it */
	uint8_t size;    /* enum vs_line_size */
	bool wrapped;    /* the next row continues it */
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
	uint8_t g[4];  /* enum vs_charset */
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

enum vs_mouse_format { VS_MOUSE_X10_BYTES, VS_MOUSE_UTF8, VS_MOUSE_SGR, VS_MOUSE_URXVT, VS_MOUSE_PIXELS };

struct vs_modes {
	bool app_cursor, app_keypad, backarrow, newline, insert, origin, wrap, reverse_wrap;
	bool reverse, visible, blink, keyboard_locked, send_receive;
	bool lr_margins, national, columns_132, allow_132, keep_on_132, more_fix;
	bool smooth_scroll, paste, focus, sync, margin_bell, alt_scroll;
	bool print_ff, print_extent, no_alternate, alternate; /* the last: as saved, else unused */
	uint16_t mouse;       /* 0, 9, 1000, 1001, 1002, 1003 */
	uint16_t mouse_coords; /* 0, 1005, 1006, 1015, 1016 */
};

/* What VT52 mode put away. */
struct vs_vt52 {
	struct vs_charsets sets;
	struct vs_modes modes;
	struct vs_style pen;
};

#define VS_TAB_WORDS ((VS_COLS_MAX + 63) / 64)
#define VS_PUSHED_MAX 10 /* XTPUSHSGR */

struct vs_pushed {
	uint32_t mask;
	struct vs_style pen;
};

struct vs_screen {
	int rows, cols;
	struct vs_grid main, alt;
	struct vs_grid *grid;    /* the one shown */
	struct vs_shown *shown;  /* [rows] */
	uint64_t dirty[VS_DIRTY_WORDS]; /* a bit a row: painted in this feed */
	bool force_change;

	/* cursor */
	int row, col;
	bool wrap_pending;
	bool wrote;              /* a character was written and the cursor not moved since */
	int wrote_row, wrote_col; /* its cell: marks join it */
	uint32_t last_char;      /* what REP repeats; 0: nothing */
	int top, bottom, left, right;

	/* pen */
	struct vs_style pen;
	uint16_t pen_number, blank_number; /* of the pen, and of what erasing leaves */
	bool pen_stale;
	uint8_t protect;         /* enum vs_protect */
	uint8_t rect_extent;     /* DECSACE */
	struct vs_pushed *pushed;
	int n_pushed;

	struct vs_charsets sets;
	struct vs_saved saved[2]; /* of the main and of the alternate screen */
	struct vs_modes modes;
	struct vs_modes *modes_saved; /* XTSAVE: all of them, each marked in modes_saved_set */
	uint8_t cursor_shape;    /* DECSCUSR 1..6, 0: default */
	uint8_t level;           /* DECSCL: 1..4; 0: VT52 */
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

	struct vs_rect *masks;
	size_t n_masks;

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

/* ---- grid.c --------------------------------------------------------------------------- */

static inline struct vs_gcell *vs_row_of(const struct vs_screen *s, const struct vs_grid *g, int row)
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

void vs_grid_init(struct vs_screen *s, struct vs_grid *g);
void vs_grid_release(struct vs_grid *g);

/* Before cells on one side of column col alone change: a wide character that straddles the
   line in front of col is erased whole. 0 <= col <= cols. */
void vs_seam(struct vs_screen *s, int row, int col);

/* Erases cells [col, end): blank, with the pen's colours, stamped. Halves go whole. */
void vs_erase(struct vs_screen *s, int row, int col, int end);

/* Erases whole rows [row, end), and makes them single-sized. */
void vs_erase_rows(struct vs_screen *s, int row, int end);

/* Moves rows [top, bottom) within columns [left, right) by n: up when n > 0. What comes in is
   blank. Rows that leave the main screen at its top are saved. */
void vs_shift_rows(struct vs_screen *s, int top, int bottom, int left, int right, int n);

/* Saves rows [0, n) before they go. */
void vs_lines_save(struct vs_screen *s, int n);

/* Within [col, right) of a row: inserts n blanks, or deletes n cells. */
void vs_insert_cells(struct vs_screen *s, int row, int col, int right, int n);
void vs_delete_cells(struct vs_screen *s, int row, int col, int right, int n);

/* Makes all lines single-sized again. */
void vs_single_lines(struct vs_screen *s);

/* ---- pen.c: numbers of styles and clusters --------------------------------------------- */

uint32_t vs_styles_limit(int rows, int cols);
uint32_t vs_clusters_limit(int rows, int cols);
void vs_pen_refresh(struct vs_screen *s);
uint16_t vs_style_number(struct vs_screen *s, const struct vs_style *style);
uint32_t vs_cluster_glyph(struct vs_screen *s, const struct vs_cluster *c);
const struct vs_style *vs_style_of(const struct vs_screen *s, uint16_t number);

static inline void vs_pen_ready(struct vs_screen *s)
{
	if (s->pen_stale)
		vs_pen_refresh(s);
}

/* ---- print.c --------------------------------------------------------------------------- */

/* Prints the characters that the bytes begin with; returns how many bytes they took. */
size_t vs_print(struct vs_screen *s, const char *bytes, size_t len);
void vs_print_char(struct vs_screen *s, uint32_t cp);
void vs_repeat(struct vs_screen *s, int n);

/* ---- cursor.c -------------------------------------------------------------------------- */

static inline int vs_left_margin(const struct vs_screen *s)
{
	return s->modes.lr_margins ? s->left : 0;
}

static inline int vs_right_margin(const struct vs_screen *s)
{
	return s->modes.lr_margins ? s->right : s->cols;
}

static inline void vs_wrap_cancel(struct vs_screen *s)
{
	s->wrap_pending = false;
	s->wrote = false;
}

/* Columns of a row, half for lines of double width. */
int vs_line_cols(const struct vs_screen *s, int row);

/* To row, col; from the margins' corner in origin mode. Clipped. */
void vs_cursor_set(struct vs_screen *s, int row, int col);
void vs_cursor_up(struct vs_screen *s, int n);
void vs_cursor_down(struct vs_screen *s, int n);
void vs_cursor_forward(struct vs_screen *s, int n);
void vs_cursor_back(struct vs_screen *s, int n);
void vs_carriage_return(struct vs_screen *s);
void vs_index(struct vs_screen *s);
void vs_reverse_index(struct vs_screen *s);
/* The cursor as vs_cursor_set takes it. */
int vs_cursor_row(const struct vs_screen *s);
int vs_cursor_col(const struct vs_screen *s);
void vs_tab_forward(struct vs_screen *s, int n);
void vs_tab_back(struct vs_screen *s, int n);
void vs_tab_set(struct vs_screen *s, int col, bool on);
void vs_tabs_clear(struct vs_screen *s);
void vs_tabs_reset(struct vs_screen *s);
void vs_margins_reset(struct vs_screen *s);

/* ---- erase.c, scroll.c ------------------------------------------------------------------ */

void vs_erase_display(struct vs_screen *s, int what, enum vs_protect mode);
void vs_erase_line(struct vs_screen *s, int what, enum vs_protect mode);
void vs_erase_chars(struct vs_screen *s, int n);
void vs_clear_screen(struct vs_screen *s);
void vs_scroll_up(struct vs_screen *s, int n);
void vs_scroll_down(struct vs_screen *s, int n);
void vs_insert_lines(struct vs_screen *s, int n);
void vs_delete_lines(struct vs_screen *s, int n);
void vs_insert_chars(struct vs_screen *s, int n);
void vs_delete_chars(struct vs_screen *s, int n);
/* Shifts the columns from col on of all rows in the margins. */
void vs_scroll_columns(struct vs_screen *s, int col, int n, bool to_left);
void vs_column_index(struct vs_screen *s, bool back);
void vs_line_size_set(struct vs_screen *s, enum vs_line_size size);
void vs_align(struct vs_screen *s); /* DECALN */

/* ---- the arguments of a CSI sequence ----------------------------------------------------- */

struct vs_args {
	int n;                   /* at least 1 */
	int v[VS_ARGS_CAP];      /* -1: not given; at most 65535 */
	bool sub[VS_ARGS_CAP];   /* joined to the one before by a colon */
	bool any_sub;
};

static inline int vs_arg(const struct vs_args *a, int i, int dflt)
{
	return i < a->n && a->v[i] >= 0 ? a->v[i] : dflt;
}

/* A count: 1 when missing or 0. */
static inline int vs_count(const struct vs_args *a, int i)
{
	int v = vs_arg(a, i, 1);

	return v > 0 ? v : 1;
}

/* ---- sgr.c, mode.c, save.c, rect.c ------------------------------------------------------ */

void vs_sgr(struct vs_screen *s, const struct vs_args *a);
void vs_pen_push(struct vs_screen *s, const struct vs_args *a);
void vs_pen_pop(struct vs_screen *s);
/* Appends the SGR arguments that give a style, "0;1;31". */
void vs_sgr_format(const struct vs_style *style, struct b_buf *out);

void vs_modes_init(struct vs_modes *m);
void vs_mode_ansi(struct vs_screen *s, const struct vs_args *a, bool on);
void vs_mode_dec(struct vs_screen *s, const struct vs_args *a, bool on);
void vs_modes_save(struct vs_screen *s, const struct vs_args *a);
void vs_modes_restore(struct vs_screen *s, const struct vs_args *a);
/* DECRPM: 0 not known, 1 set, 2 reset, 3 always set, 4 always reset. */
int vs_mode_ansi_report(const struct vs_screen *s, int mode);
int vs_mode_dec_report(const struct vs_screen *s, int mode);

void vs_cursor_save(struct vs_screen *s);
void vs_cursor_restore(struct vs_screen *s);
void vs_alternate(struct vs_screen *s, bool on, bool clear);
void vs_reset(struct vs_screen *s, bool hard);

enum vs_rect_op { VS_RECT_COPY, VS_RECT_FILL, VS_RECT_ERASE, VS_RECT_WIPE, VS_RECT_CHANGE, VS_RECT_REVERSE };
void vs_rectangle(struct vs_screen *s, enum vs_rect_op op, const struct vs_args *a);
/* DECRQCRA over args 2..5. */
unsigned vs_checksum(const struct vs_screen *s, const struct vs_args *a);
/* The attributes that all cells of the rectangle args 0..3 have in common (XTREPORTSGR). */
void vs_rect_common(const struct vs_screen *s, const struct vs_args *a, struct vs_style *out);

/* ---- answer.c, string.c, window.c, media.c, vt52.c --------------------------------------- */

void vs_answer(struct vs_screen *s, const char *fmt, ...) B_PRINTF(2, 3);
/* Notes a query that nobody can answer. */
void vs_unanswered(struct vs_screen *s, const char *intro, const char *text, size_t len);
/* The leading ESC X or its 8-bit form, as S8C1T wants it: 'P', '[' or '\\'. */
const char *vs_c1(const struct vs_screen *s, char letter);
void vs_answer_csi(struct vs_screen *s, char leader, const struct vs_args *a, const char *inter,
	char final);
void vs_answer_decrqss(struct vs_screen *s, const char *what, size_t len);
void vs_answer_tcap(struct vs_screen *s, const char *hex, size_t len);
void vs_window(struct vs_screen *s, const struct vs_args *a);
void vs_titles_release(struct vs_screen *s);

/* A whole control string of that kind: ']', 'P', '_', '^', 'X' or 'k'. bell: it ended with BEL. */
void vs_string(struct vs_screen *s, char kind, const char *text, size_t len, bool cut, bool bell);

void vs_media_copy(struct vs_screen *s, int what, bool dec);
void vs_print_job(struct vs_screen *s, const char *bytes, size_t len);

void vs_vt52_enter(struct vs_screen *s);
void vs_vt52_escape(struct vs_screen *s, char letter);
void vs_vt52_cursor(struct vs_screen *s, int row, int col);

/* ---- dispatch.c -------------------------------------------------------------------------- */

/* Called by the parser through guard.c. */
void vs_control(struct vs_screen *s, unsigned char c);
void vs_escape(struct vs_screen *s, const char *seq, size_t len);
void vs_csi(struct vs_screen *s, char leader, const struct vs_args *a, const char *inter, char final);

/* ---- change.c ---------------------------------------------------------------------------- */

/* Hashes every row anew: after a resize or when the masks changed. */
void vs_shown_reset(struct vs_screen *s);
/* Ends a feed; whether the picture differs from that at the end of the one before. */
bool vs_shown_differs(struct vs_screen *s);
/* All rows of the grid now shown are painted (the alternate screen was switched). */
void vs_repainted(struct vs_screen *s);

#endif
