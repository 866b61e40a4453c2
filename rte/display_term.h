/*
 * rte/display_term.h - a terminal to draw on: the one place that talks to ncurses.
 *
 * Text is UTF-8 and may be foreign: what is no printable character becomes `?`, and what is too
 * wide is cut. Rows and columns count from 0; what lies outside of the terminal is not drawn.
 */
#ifndef RTE_DISPLAY_TERM_H
#define RTE_DISPLAY_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "vscreen/screen.h"

enum rte_look {
	RTE_LOOK_PLAIN,
	RTE_LOOK_BOLD,
	RTE_LOOK_DIM,
	RTE_LOOK_BAR, /* reversed: title and keys */
	RTE_LOOK_GOOD,
	RTE_LOOK_WARN,
	RTE_LOOK_BAD,
	RTE_LOOK_CHOSEN, /* the line under the cursor of a list */
	RTE_N_LOOKS
};

/* Takes the terminal on standard input and output. shared: with a run in our process group, which
   must not be suspended or killed by a key. B_EENV when it will not do. */
int rte_term_open(bool shared, struct b_error *err) B_CHECK;
void rte_term_close(void); /* puts it back; may be called twice */
void rte_term_leave(void); /* puts it back for a while: what is shown next takes it again */
/* Whether we stand in the terminal's foreground: a shell takes it when the run beside us is
   stopped. Also true when the terminal does not say. */
bool rte_term_ours(void);
/* The terminal is somebody else's: puts it back, unless it is. What is shown next takes it again. */
void rte_term_yield(void);

/* At most VS_ROWS_MAX and VS_COLS_MAX. Without a size of its own (a serial line) a terminal has what
   LINES and COLUMNS say, or what its TERM says. */
int rte_term_rows(void);
int rte_term_cols(void);

void rte_term_clear(void); /* begins a picture, in the size that the terminal has now */
/* s within [col, col + width); returns the columns that it took. */
int rte_term_text(int row, int col, int width, enum rte_look look, const char *s);
int rte_term_printf(int row, int col, int width, enum rte_look look, const char *fmt, ...)
	B_PRINTF(5, 6);
/* The whole row in one look. */
void rte_term_bar(int row, const char *left, const char *right);
/* n values as blocks, newest at the right edge; negative: a gap. */
void rte_term_spark(int row, int col, int width, enum rte_look look, const double *v, size_t n);
/* A part (0..1) of the width filled. */
void rte_term_gauge(int row, int col, int width, double part);
/* A cell of a virtual screen, in colour. */
void rte_term_cell(int row, int col, const struct vs_cell *c);
/* Shows the cursor there, or hides it (row -1). */
void rte_term_cursor(int row, int col);
void rte_term_show(void);

enum rte_term_key {
	RTE_KEY_NONE = -1,
	RTE_KEY_RESIZE = 0x110000, /* behind all characters */
	RTE_KEY_UP,
	RTE_KEY_DOWN,
	RTE_KEY_LEFT,
	RTE_KEY_RIGHT,
	RTE_KEY_PAGE_UP,
	RTE_KEY_PAGE_DOWN,
	RTE_KEY_HOME,
	RTE_KEY_END,
	RTE_KEY_BACKSPACE,
	RTE_KEY_OTHER
};

/* The next key or character that is there, else RTE_KEY_NONE. Enter is '\r', Esc 27. */
int rte_term_key(void);

/* ---- For tests: pure functions ------------------------------------------------------------- */

/* The nearest of the first n (8, 16 or 256) colours of the palette; -1: the default colour. */
int rte_term_colour(uint32_t colour, int n);
/* 0 (lowest) to 7 for a value within 0..top; -1: a gap. */
int rte_term_spark_step(double v, double top);

#endif
