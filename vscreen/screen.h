/*
 * vscreen/screen.h - the virtual screen: bytes in; cells, text, cursor and modes out.
 *
 * One vs_screen shows what a person at xterm would see of one terminal line. Feed it what was
 * read, in pieces cut anywhere: the same bytes give the same screen. It never fails on what it
 * is fed, never writes to a descriptor, holds no clock and no lock; distinct screens may be
 * used by distinct threads.
 *
 * Rows and columns count from 0, ranges are half open. A wide character owns two cells: its
 * text is in the left one, the right one has width 0.
 *
 * Order of calls: vs_screen_new; vs_screen_feed, vs_screen_input_mark, vs_screen_resize in
 * any order; vs_screen_free.
 */
#ifndef VSCREEN_SCREEN_H
#define VSCREEN_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

#define VS_ROWS_MAX 1000
#define VS_COLS_MAX 1000

struct vs_screen;

/* Bytes that the terminal owes the application (answers to queries). They are to be written
   to the line at once, ahead of nothing and behind what was queued before. */
typedef void vs_answer_fn(void *user, const char *bytes, size_t len);

struct vs_options {
	int rows, cols;       /* 1..VS_ROWS_MAX, 1..VS_COLS_MAX; 0 x 0 is taken as 24 x 80 */
	const char *term;     /* the TERM that the SUT was told; decides what DA answers say.
			       NULL: "xterm-256color". Copied. */
	vs_answer_fn *answer; /* NULL: queries are counted but not answered (recording) */
	void *answer_user;
	bool eight_bit; /* the line is no UTF-8 line: bytes A0..FF are ISO 8859-1, and C1
			       controls act */
};

/* B_ERANGE when the size is out of range. The screen is the caller's, to be freed. */
int vs_screen_new(struct vs_screen **out, const struct vs_options *opt) B_CHECK;
void vs_screen_free(struct vs_screen *s); /* NULL accepted */

/*
 * Takes what one read gave. Returns true when the screen changed by it: a cell's text or
 * attributes, the cursor's position or visibility, net over the whole read and outside of the
 * masked regions; painting the same again is no change.
 */
bool vs_screen_feed(struct vs_screen *s, const char *bytes, size_t len);

/*
 * Synchronised updates (mode 2026): a terminal shows what is painted inside of one when it
 * closes, or when it has been open too long. Whether the last feed changed what a person sees:
 * as it does, but not by what an update holds back, and also by closing one that held changes
 * back.
 */
bool vs_screen_shows(const struct vs_screen *s);
/* The open update is shown as it stands. Returns whether there was anything that it held back. */
bool vs_screen_show(struct vs_screen *s);
/* Counts up with each update that begins. */
uint32_t vs_screen_updates(const struct vs_screen *s);

/* As a window of that size; contents as xterm keeps them, nothing wrapped anew, lines coming
   back from above when it grows. B_ERANGE when out of range. Nothing that the SUT sends changes
   the size. */
int vs_screen_resize(struct vs_screen *s, int rows, int cols) B_CHECK;

/* ---- What became of the screen since the last input ---------------------------------- */

/* Says that input is sent now: from here on vs_screen_painted speaks of what comes after. */
void vs_screen_input_mark(struct vs_screen *s);

/* Whether any cell of the row range [row, row+rows) x [col, col+cols) was painted (written or
   erased, even with what stood there) since the last input mark, or since the start. */
bool vs_screen_painted(const struct vs_screen *s, int row, int col, int rows, int cols);

/* Whether the cursor has moved since the last input mark. */
bool vs_screen_cursor_moved(const struct vs_screen *s);

/* Counts up by one with each feed that changed the screen. */
uint64_t vs_screen_changes(const struct vs_screen *s);

/* Counts up whenever the row's cells were painted; for evaluating only what was touched. */
uint32_t vs_screen_row_paints(const struct vs_screen *s, int row);

enum vs_midway {
	VS_MID_NOTHING = 0,
	VS_MID_SEQUENCE = 1, /* inside an escape sequence, a control string or a character */
	VS_MID_UPDATE = 2    /* inside a synchronised update (mode 2026) */
};
/* Bits of enum vs_midway: while not 0, the screen is no picture that a person sees yet. */
unsigned vs_screen_midway(const struct vs_screen *s);

/* ---- Masks --------------------------------------------------------------------------- */

struct vs_rect {
	int row, col, rows, cols; /* clipped to the screen */
};

/* Changes inside of masked rectangles do not count as changes. The array is copied. n = 0: none. */
void vs_screen_masks_set(struct vs_screen *s, const struct vs_rect *rects, size_t n);

/* ---- What stands there --------------------------------------------------------------- */

enum vs_attr {
	VS_BOLD = 1 << 0,
	VS_FAINT = 1 << 1,
	VS_ITALIC = 1 << 2,
	VS_UNDERLINE = 1 << 3, /* any kind */
	VS_BLINK = 1 << 4,
	VS_REVERSE = 1 << 5, /* of the cell alone; the whole screen's is VS_MODE_REVERSE */
	VS_CONCEAL = 1 << 6,
	VS_STRIKE = 1 << 7,
	VS_OVERLINE = 1 << 8,
	VS_PROTECTED = 1 << 9 /* DECSCA */
};

/* Colours: VS_COLOUR_DEFAULT, 0..255 of the palette, or VS_COLOUR_RGB | 0xRRGGBB. */
#define VS_COLOUR_DEFAULT UINT32_MAX
#define VS_COLOUR_RGB     0x01000000u

struct vs_cell {
	uint32_t chars[8]; /* code points, base first, 0 ends; chars[0] == 0: never written or
			      erased. At most 7. */
	uint8_t width;     /* 1, 2, or 0 for the right half of a wide character */
	uint8_t underline; /* 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed */
	uint16_t attrs;    /* enum vs_attr */
	uint32_t fg, bg;
};

int vs_screen_rows(const struct vs_screen *s);
int vs_screen_cols(const struct vs_screen *s);
/* (row, col) must be on the screen. */
void vs_screen_cell(const struct vs_screen *s, int row, int col, struct vs_cell *out);

/*
 * Appends the text of [col, col+cols) of a row as UTF-8; a cell never written or erased is a
 * blank, a half of a wide character that is cut by the range is a blank. Not trimmed.
 */
void vs_screen_text(const struct vs_screen *s, int row, int col, int cols, struct b_buf *out);

/* As vs_screen_text of a whole row, trailing blanks cut. */
void vs_screen_row(const struct vs_screen *s, int row, struct b_buf *out);

/* The row's attributes, a letter a column, not trimmed: `.` none, b bold, u underline,
   r reverse, B bold+underline, R bold+reverse, x underline+reverse, X all three. */
void vs_screen_row_attrs(const struct vs_screen *s, int row, struct b_buf *out);

/* A pending wrap counts as the last column. */
void vs_screen_cursor(const struct vs_screen *s, int *row, int *col);
bool vs_screen_cursor_visible(const struct vs_screen *s);

/* Pixels of a cell, as reports of sizes tell them: those of xterm's default font. */
#define VS_CELL_WIDE 6
#define VS_CELL_HIGH 13

enum vs_mode {
	VS_MODE_APP_CURSOR = 1 << 0,   /* DECCKM */
	VS_MODE_APP_KEYPAD = 1 << 1,   /* DECKPAM */
	VS_MODE_PASTE = 1 << 2,        /* bracketed paste, 2004 */
	VS_MODE_FOCUS = 1 << 3,        /* focus reports, 1004 */
	VS_MODE_MOUSE_X10 = 1 << 4,    /* 9 */
	VS_MODE_MOUSE_CLICK = 1 << 5,  /* 1000 */
	VS_MODE_MOUSE_DRAG = 1 << 6,   /* 1002 */
	VS_MODE_MOUSE_ANY = 1 << 7,    /* 1003 */
	VS_MODE_MOUSE_UTF8 = 1 << 8,   /* 1005 */
	VS_MODE_MOUSE_SGR = 1 << 9,    /* 1006 */
	VS_MODE_MOUSE_URXVT = 1 << 10, /* 1015 */
	VS_MODE_NEWLINE = 1 << 11,     /* LNM: Enter sends CR LF */
	VS_MODE_INSERT = 1 << 12,      /* IRM */
	VS_MODE_ORIGIN = 1 << 13,      /* DECOM */
	VS_MODE_WRAP = 1 << 14,        /* DECAWM */
	VS_MODE_REVERSE = 1 << 15,     /* DECSCNM */
	VS_MODE_ALT = 1 << 16,         /* the alternate screen is shown */
	VS_MODE_SYNC = 1 << 17,        /* 2026 */
	VS_MODE_BACKARROW = 1 << 18,   /* DECBKM: Backspace sends BS */
	VS_MODE_MOUSE_PIXELS = 1 << 19 /* 1016: as 1006, but in pixels */
};
unsigned vs_screen_modes(const struct vs_screen *s); /* bits of enum vs_mode */

/* UTF-8, controls removed, never NULL; valid until the next feed. */
const char *vs_screen_title(const struct vs_screen *s);
uint64_t vs_screen_bells(const struct vs_screen *s);

/* The last query of the application that nobody could answer, as escaped text, or "". */
const char *vs_screen_unanswered(const struct vs_screen *s);

/* Takes what the application sent to the printer (media copy, CSI 5 i .. CSI 4 i). At most
   64 KiB are kept. */
void vs_screen_print_take(struct vs_screen *s, struct b_buf *out);

/* ---- Showing it elsewhere ------------------------------------------------------------ */

/*
 * Appends escape sequences that paint this screen onto a cleared xterm-like terminal of at
 * least its size: text, attributes, colours, cursor; nothing that the SUT sent goes through.
 * full: also modes (cursor keys, keypad, mouse, paste, alternate screen), to hand the terminal
 * back to an application.
 */
void vs_screen_repaint(const struct vs_screen *s, bool full, struct b_buf *out);
/* The same in full, with over (sequences of our own) written before the application's cursor, pen
   and modes are given back. */
void vs_screen_repaint_over(const struct vs_screen *s, const char *over, struct b_buf *out);

struct vs_paint {
	int rows, cols;              /* no more of it than this, from the top left; 0: all */
	const struct vs_rect *masks; /* painted as asterisks */
	size_t n_masks;
};
/* As vs_screen_repaint with full = false, but a part of it, or with cells hidden. A cursor that
   stands outside of the part is not shown. */
void vs_screen_paint(const struct vs_screen *s, const struct vs_paint *how, struct b_buf *out);

/* Bytes of heap that the screen holds, its parser included (for bench and limits). */
size_t vs_screen_memory(const struct vs_screen *s);

#endif
