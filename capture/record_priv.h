/*
 * capture/record_priv.h - the recorder's insides, shared by capture/record*.c.
 *
 *   record.c       set-up, the loop, the end
 *   record_io.c    bytes between the terminal, the line and the trace
 *   record_keys.c  the recorder's own keys and what they draw
 *   record_pace.c  keystrokes from a pipe, one group after the other
 */
#ifndef CAPTURE_RECORD_PRIV_H
#define CAPTURE_RECORD_PRIV_H

#include "capture/record.h"
#include "capture/secret.h"
#include "capture/trace.h"
#include "capture/tty.h"
#include "capture/typed.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"

/* Bounds of the queues: when full, the side that fills them is not read. */
#define REC_TO_LINE_MAX  65536
#define REC_TO_TTY_MAX   262144
#define REC_DEFERRED_MAX 1048576
/* More of it than this is not held back for a secret that does not come to an end. */
#define REC_HELD_MAX     4194304

enum rec_keys_mode { KEYS_OFF, KEYS_MENU, KEYS_TEXT, KEYS_MARK, KEYS_NOTE };

struct rec_keys {
	char prefix[VS_KEY_MAX];
	size_t prefix_len; /* 0: none */
	struct cap_typed_state typed;
	bool in_paste;
	enum rec_keys_mode mode;
	int64_t opened_ns; /* when the overlay came up: the time of what is marked */
	char what;         /* KEYS_TEXT: b, g or c */
	struct b_buf text;
	char open_name[80]; /* the transaction that is open, or "" */
	int n_begun, n_golden;
	struct vs_rect mark;
	int at_row, at_col; /* KEYS_MARK: the cursor */
	bool anchored;      /* the first corner is set, in mark */
	int anchor_row, anchor_col;
	bool secret, paused;
	const char *title; /* what the window's title says of that; NULL: it is not ours */
};

struct rec_pace {
	bool on;            /* input is no terminal */
	struct b_buf queue; /* read, not yet sent */
	bool waiting;       /* for the answer to what was sent last */
	int64_t since_ns;   /* waiting from here on */
	int64_t silence_ns; /* so long without any answer is long enough */
	struct cap_typed_state typed;
};

struct recorder {
	struct cap_record_options opt;
	struct cap_record_result result;
	struct ln_line *line;
	struct vs_screen *screen;
	struct vs_keymap *keymap;
	struct cap_writer *writer;
	struct cap_secret *secret;
	struct cap_tty tty;
	struct b_buf to_line, to_tty;
	struct b_buf deferred; /* came while an overlay was up; the screen has not seen it */
	struct b_buf answers;  /* of our own terminal, to be recorded behind what asked */
	struct rec_keys keys;
	struct rec_pace pace;
	int64_t start_ns;       /* CLOCK_MONOTONIC; event times count from here */
	int64_t last_output_ns; /* since the start; -1: none yet */
	int64_t last_event_ns;  /* of the last one in the trace */
	int64_t in_closed_ns;   /* when the input's end was seen */
	int64_t exited_ns;      /* when the application's was; -1: it runs */
	bool in_open, tty_gone, fixed_size;
	size_t line_bytes; /* typed since the last Enter */
	bool line_told;
	int write_errno;            /* the trace could not be written any more */
	bool ended;                 /* the line has given all it had */
	bool broken;                /* not in order: a reset, a protocol error */
	struct b_error unconnected; /* why no session came about; code 0: it did */
	int stop_signal;
	bool stop; /* the application is to be hung up */
};

/* ---- record_io.c ----------------------------------------------------------------------- */

int64_t rec_now(const struct recorder *r); /* since the start */

/* An event for the trace: at its place if others are held back, else at the end. */
void rec_event(struct recorder *r, int64_t at_ns, char code, const char *data, size_t len);
/* Lets the writer put late events in their places unless something is still held back. */
void rec_settle(struct recorder *r);

/* What the person typed for the application: to the line and, if not paused, to the trace. */
void rec_type(struct recorder *r, int64_t at_ns, const char *bytes, size_t len);
/* What the terminal that we are ourselves answers (no person's terminal is there). */
void rec_answer(void *recorder, const char *bytes, size_t len);

/* The line broke, or (connecting) never came about. */
void rec_broken(struct recorder *r, const struct b_error *err, bool connecting);

void rec_read_person(struct recorder *r);
void rec_read_line(struct recorder *r);
void rec_flush_line(struct recorder *r);
void rec_flush_tty(struct recorder *r);
void rec_resize(struct recorder *r);
bool rec_takes_output(const struct recorder *r); /* whether the line is to be read */

/* ---- record_keys.c --------------------------------------------------------------------- */

int rec_keys_init(struct recorder *r, struct b_error *err) B_CHECK;
/* Takes what was typed: the recorder's own keys out of it, the rest to rec_type. */
void rec_keys_take(struct recorder *r, int64_t at_ns, const char *bytes, size_t len);
/* Removes the overlay; what was held back is shown. */
void rec_keys_close(struct recorder *r);
/* The same at the end; nothing of ours stays behind. */
void rec_keys_end(struct recorder *r);
void rec_keys_release(struct recorder *r);

/* ---- record_pace.c --------------------------------------------------------------------- */

void rec_pace_init(struct recorder *r);
void rec_pace_add(struct recorder *r, const char *bytes, size_t len);
/* Sends what may be sent now. */
void rec_pace_send(struct recorder *r);
/* When rec_pace_send is to be called again, since the start; -1: when something happens. */
int64_t rec_pace_due(const struct recorder *r);

#endif
