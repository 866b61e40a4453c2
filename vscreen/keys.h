/*
 * vscreen/keys.h - keys by name: name -> bytes for a TERM, bytes -> names.
 *
 * Names are as people write them: Enter, Tab, S-Tab, Esc, Space, Backspace, Delete, Insert,
 * Up, Down, Left, Right, Home, End, PageUp, PageDown, F1..F24 (to F63 where the TERM has them),
 * KP-Enter, KP-0..KP-9, KP-Plus, KP-Minus, KP-Times, KP-Divide, KP-Dot, KP-Comma, KP-Equal, and
 * any single character; with C-, M- and S- in front, in that order (read in any). Case counts in
 * characters, not in names. Keys that only some keyboards have are named as terminfo(5) does:
 * Begin, Find, Select, Help, Print, Undo, InsertLine, EraseScreen, ...
 *
 * A classic keyboard sends control bytes: C-i is Tab's byte, C-Enter and S-Enter are Enter's,
 * M- is an Esc in front unless the TERM has a sequence of its own.
 *
 * Encoding follows the terminfo entry of the TERM that the SUT was told, and the modes that
 * its application set. Enter is CR. Decoding keeps the bytes beside the name: what cannot be
 * named, or what would not encode to the same bytes, is reported as raw, so nothing is lost.
 */
#ifndef VSCREEN_KEYS_H
#define VSCREEN_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* ---- Encoding: immutable, shared by all users of a TERM, any thread ------------------- */

struct vs_keymap;

/* B_ENOTFOUND when terminfo has no such TERM; the message says how to get it. */
int vs_keymap_new(struct vs_keymap **out, const char *term, struct b_error *err) B_CHECK;
void vs_keymap_free(struct vs_keymap *m); /* NULL accepted */
const char *vs_keymap_term(const struct vs_keymap *m);

#define VS_KEY_MAX 32 /* bytes that one key can take */

/*
 * Encodes a key under the modes (bits of enum vs_mode). Returns its length 1..VS_KEY_MAX,
 * B_ENOTFOUND when the TERM has no such key and B_EINPUT when the name is no key's; the message
 * then names the nearest known one.
 */
int vs_key_encode(const struct vs_keymap *m, const char *name, unsigned modes, char out[VS_KEY_MAX],
	struct b_error *err) B_CHECK;

/*
 * Text as a paste: between the brackets when the application asked for them; LF and CR LF as
 * CR. An end bracket within the text loses its Esc, as no text may end its own paste.
 */
void vs_paste_encode(const char *text, size_t len, unsigned modes, struct b_buf *out);

enum vs_mouse_action { VS_MOUSE_PRESS, VS_MOUSE_RELEASE, VS_MOUSE_DRAG, VS_MOUSE_MOVE };
struct vs_mouse {
	enum vs_mouse_action action;
	int button;   /* 1 left, 2 middle, 3 right, 4 wheel up, 5 wheel down; 0: none or unknown */
	int row, col; /* from 0 */
	bool shift, meta, ctrl;
};
/*
 * Appends the report in the encoding that the modes ask for. B_ENOTFOUND (and nothing) when the
 * application asked for no such report, B_ERANGE when the position is beyond what the encoding
 * can say (column 223 in the plain one).
 */
int vs_mouse_encode(const struct vs_mouse *m, unsigned modes, struct b_buf *out) B_CHECK;

/* ---- Decoding: one decoder a recorded line -------------------------------------------- */

enum vs_key_kind {
	VS_KEY_TEXT,  /* one printable character: name is the character itself */
	VS_KEY_NAMED, /* name encodes to exactly these bytes under the modes given */
	VS_KEY_RAW,   /* no name, or one that would not give these bytes */
	VS_KEY_MOUSE, /* mouse is filled */
	VS_KEY_PASTE, /* a whole bracketed paste; text without the brackets */
	VS_KEY_FOCUS, /* focus in or out: no typing */
	VS_KEY_ANSWER /* an answer of the person's terminal to a query: no typing */
};

struct vs_key {
	enum vs_key_kind kind;
	char name[48];     /* TEXT, NAMED; else "" */
	const char *bytes; /* exactly what was typed; valid until the next call */
	size_t len;
	const char *text; /* PASTE: what was pasted, UTF-8 or not */
	size_t text_len;
	struct vs_mouse mouse;
	int64_t at_ns; /* the time given with the first of its bytes */
};

struct vs_keydecoder;

/* B_EENV when libtermkey refuses. m must outlive the decoder. */
int vs_keydecoder_new(struct vs_keydecoder **out, const struct vs_keymap *m) B_CHECK;
void vs_keydecoder_free(struct vs_keydecoder *d); /* NULL accepted */

/*
 * Shows the decoder what the application wrote, so that it knows which queries the person's
 * terminal has yet to answer: the answer `CSI 1;3 R` to a query for the cursor is M-F3 else,
 * and a slow OSC answer is not cut into keys. Without these calls all other answers are still
 * known for what they are. Cut anywhere; at_ns on the clock of vs_keydecoder_push.
 */
void vs_keydecoder_output(struct vs_keydecoder *d, const char *bytes, size_t len, int64_t at_ns);

/* Adds what was read at at_ns. modes: the application's at that moment. */
void vs_keydecoder_push(
	struct vs_keydecoder *d, const char *bytes, size_t len, int64_t at_ns, unsigned modes);

/*
 * Takes the next key. Returns 1 and fills it; 0 when there is none, or when the bytes left may
 * be the beginning of a longer one (a lone Esc): call again after VS_ESC_WAIT_NS without
 * input, with flush true, which gives what is there. Bytes between which that much time went
 * by are never one key, whether flushed or not.
 *
 * Not even flush cuts an open paste or an awaited answer: these end with their end, a stall of
 * VS_STALL_NS, vs_keydecoder_finish, or their bound (then a paste comes in pieces, each a
 * VS_KEY_PASTE; an answer is typing). Put together, all `bytes` are what was pushed.
 */
int vs_keydecoder_next(struct vs_keydecoder *d, bool flush, struct vs_key *out);

/* Says that nothing more will be pushed: the next calls give all that is left. */
void vs_keydecoder_finish(struct vs_keydecoder *d);

#define VS_ESC_WAIT_NS      50000000LL
#define VS_STALL_NS         5000000000LL
#define VS_PASTE_MAX_BYTES  (16u << 20) /* also what a decoder holds at most, and the last push */
#define VS_ANSWER_MAX_BYTES (1u << 20)

#endif
