/*
 * capture/steps.h - a trace as items: what was typed, and the screen before and after it.
 *
 * A session is a trace replayed on a virtual screen and cut at everything that the replay has
 * to do again: keys, secrets, resizes, markers. The output between one item and the next is the
 * item's response; `before` and `after` are the screens that the person saw. The screen right
 * before the next input is the truth of what an answer looked like when it was complete.
 *
 * Order of calls: cap_session_new (decodes, replays, measures), cap_session_classify; then it
 * is read by capture/infer.c, capture/names.c, capture/generate.c. Rows and columns from 0.
 */
#ifndef CAPTURE_STEPS_H
#define CAPTURE_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "capture/trace.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"

/* ---- Frames: the screen at one instant (steps_frame.c) -------------------------------- */

#define CAP_CELL_CHARS 3

struct cap_cell {
	uint32_t ch[CAP_CELL_CHARS]; /* code points, ch[0] == 0: blank */
	uint32_t fg, bg;
	uint16_t attrs; /* enum vs_attr */
	uint8_t width;  /* 0: the right half of a wide character */
	bool odd;       /* holds more code points than are kept here */
};

struct cap_row {
	size_t refs;
	int cols;
	struct cap_cell cell[];
};

struct cap_frame {
	size_t refs;
	int rows, cols;
	struct cap_row **row; /* shared with other frames where equal */
	int cur_row, cur_col;
	bool cur_visible;
	unsigned modes; /* enum vs_mode */
};

/* The screen now; rows equal to those of like (may be NULL) are shared with it. */
struct cap_frame *cap_frame_take(const struct vs_screen *s, const struct cap_frame *like);
struct cap_frame *cap_frame_ref(struct cap_frame *f);
void cap_frame_free(struct cap_frame *f); /* drops one reference; NULL accepted */

/* The character at a place: ' ' for a blank, 0 for the right half of a wide one. */
uint32_t cap_frame_char(const struct cap_frame *f, int row, int col);
bool cap_frame_same_text(const struct cap_frame *a, const struct cap_frame *b, int row, int col);
bool cap_frame_same_look(const struct cap_frame *a, const struct cap_frame *b, int row, int col);
bool cap_frame_same_row(const struct cap_frame *a, const struct cap_frame *b, int row);
/* Appends the text of [col, end) of a row as UTF-8, blanks as blanks. */
void cap_frame_text(const struct cap_frame *f, int row, int col, int end, struct b_buf *out);
/* The first column behind the last character of the row: 0 for an empty row. */
int cap_frame_row_end(const struct cap_frame *f, int row);

/* What differs at a cell between the screens of several traces. */
#define CAP_DIFFERS_TEXT   1
#define CAP_DIFFERS_CURSOR 2 /* it is here in the first trace, elsewhere in another */

/* ---- Ticks: what a program paints without being asked (steps_tick.c) ------------------- */

struct cap_tick {
	struct cap_frame *frame; /* the screen on which it ticks */
	uint8_t *count;          /* rows x cols: spontaneous changes of each cell */
};

/* ---- Items ---------------------------------------------------------------------------- */

enum cap_item_kind {
	CAP_START, /* the first item: what came before any input is its response */
	CAP_KEY,
	CAP_SECRET, /* label: its name */
	CAP_RESIZE,
	CAP_LOOK,  /* in a trace without input: output goes on after a pause */
	CAP_PAUSE, /* what lies between pause and resume is not part of the session */
	CAP_RESUME,
	CAP_BEGIN, /* from here on: no input, no response of their own; label: the name */
	CAP_END,
	CAP_GOLDEN,
	CAP_MASK,
	CAP_COMMENT
};

/* What a response did to the screen, ticking cells left aside. */
enum cap_effect {
	CAP_NONE,    /* no output that shows */
	CAP_ECHO,    /* the typed character at the cursor, or a mask character in its place */
	CAP_MOVE,    /* the cursor alone */
	CAP_LOCAL,   /* changes on the cursor's row alone, the cursor stays on it */
	CAP_NEWLINE, /* the cursor at the beginning of a next line, nothing written */
	CAP_MORE
};

struct cap_response {
	size_t first_event, end_event; /* events [first, end) of the trace hold its output */
	size_t bytes;
	int64_t first_ns, last_ns; /* of its output, -1: none */
	int64_t change_ns;         /* the last output that changed more than ticking cells */
	bool bell;
	bool line_mode;         /* a program writes line by line here, as a shell does */
	bool newline;           /* its output holds a line feed */
	bool printed;           /* and characters, beside control sequences */
	int prompt_col;         /* where its prompt begins on the cursor's row; -1: none there */
	unsigned char *painted; /* rows x cols of after: painted since the input */
	uint8_t *spontaneous;   /* rows x cols: changes by bursts that no input caused, or NULL */
	struct cap_frame *after;
	enum cap_effect effect;
	int cells, text_cells; /* changed in text; of these: now not blank */
	int row_cells;         /* changed in text on the row where the cursor was */
	int look_cells;        /* changed in attributes or colours alone */
	int rows_changed;      /* rows in which a cell changed */
	bool jumped;           /* ECHO: the cursor did not come to rest behind the character */
	bool switched;         /* to or from the alternate screen */
};

struct cap_item {
	enum cap_item_kind kind;
	int64_t at_ns;
	size_t event; /* index of the event with its first byte */
	struct cap_frame *before;

	/* KEY */
	enum vs_key_kind key_kind;
	char name[48];
	char *bytes; /* as typed */
	size_t len;
	char *text; /* PASTE */
	size_t text_len;
	struct vs_mouse mouse;
	bool mouse_exact; /* the mouse action gives the same bytes again */
	bool typing;      /* a character of a value; otherwise a command key */
	bool masked;      /* its echo was a mask character in its place */
	bool burst;       /* came in one read with the key before it */
	bool echoed_late; /* no output of its own; it stood at the cursor within the next response */

	bool wait;   /* its response is worth waiting for */
	bool submit; /* it is one that the person waited for: it ends a step */

	int rows, cols;         /* RESIZE */
	struct vs_rect rect;    /* MASK */
	char *label;            /* markers: what follows the word; never NULL for them */
	struct cap_response re; /* START, KEY, SECRET, RESIZE, PAUSE, RESUME */
};

struct cap_session {
	const struct cap_trace *trace; /* must live as long as the session */
	struct vs_keymap *keymap;
	struct cap_item *item;
	size_t n_items;
	struct cap_tick *tick;
	size_t n_ticks;
	char **prompt; /* line-mode prompts in the order of their first appearance */
	size_t n_prompts;
	size_t paused_keys; /* left out because they were typed while paused */
	bool eof;           /* the application ended */
	int64_t end_ns;
};

/* B_EINPUT when terminfo does not know the TERM, or the trace's size is out of range. */
int cap_session_new(
	struct cap_session **out, const struct cap_trace *trace, struct b_error *err) B_CHECK;
void cap_session_free(struct cap_session *s); /* NULL accepted */

/* Whether the item is answered by a response: all but markers. */
bool cap_item_is_input(const struct cap_item *it);
/* The next, previous item with a response behind/before i; SIZE_MAX: none. */
size_t cap_session_next(const struct cap_session *s, size_t i);
size_t cap_session_prev(const struct cap_session *s, size_t i);

/* The known line-mode prompt that ends at the frame's cursor, or NULL. */
const char *cap_session_prompt_at(const struct cap_session *s, const struct cap_frame *f);

/* A screen as the recording began with. */
struct vs_screen *cap_session_screen(const struct cap_session *s);

/* ---- steps_decode.c ------------------------------------------------------------------- */

/* Fills s->item from the trace's input, resizes and markers, START first. */
void cap_session_decode(struct cap_session *s);

/* ---- steps_tick.c --------------------------------------------------------------------- */

/* Gathers the ticking cells of the whole session from the responses' spontaneous changes. */
void cap_session_ticks_find(struct cap_session *s);
/* Marks in out (rows x cols of f, cleared first) the cells that tick on a screen like f: 1 the cell itself,
   2 a cell of a row that holds such. Returns whether there are any. */
bool cap_session_ticks_get(const struct cap_session *s, const struct cap_frame *f, uint8_t *out);

/* ---- steps_class.c -------------------------------------------------------------------- */

/* Judges each response's effect, which characters are typing, where to wait, what submits. */
void cap_session_classify(struct cap_session *s);

/* Keys that move about or edit within a field or list. */
bool cap_key_is_navigation(const char *name);
bool cap_key_is_editing(const char *name);

#endif
