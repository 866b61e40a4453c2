/*
 * vscreen/keyname.h - a key's name taken apart and put together again.
 *
 * For the files behind keys.h alone. A name is modifiers and a base: C-M-S-Up. The base is a
 * character, a function key with its number, or one of the keys of enum vs_k.
 */
#ifndef VSCREEN_KEYNAME_H
#define VSCREEN_KEYNAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Modifiers; xterm's parameter for them is this value + 1. */
enum vs_mod { VS_MOD_S = 1, VS_MOD_M = 2, VS_MOD_C = 4, VS_MODS = 8 };

#define VS_F_MAX 63 /* terminfo has kf0 to kf63 */

enum vs_k {
	VS_K_CHAR, /* a character; Space too */
	VS_K_F,    /* a function key */
	VS_K_ENTER,
	VS_K_TAB,
	VS_K_ESC,
	VS_K_BACKSPACE,
	VS_K_DELETE,
	VS_K_INSERT,
	VS_K_UP,
	VS_K_DOWN,
	VS_K_LEFT,
	VS_K_RIGHT,
	VS_K_HOME,
	VS_K_END,
	VS_K_PAGEUP,
	VS_K_PAGEDOWN,
	VS_K_BEGIN,
	VS_K_KP_0, /* KP_1 .. KP_9 follow in order */
	VS_K_KP_9 = VS_K_KP_0 + 9,
	VS_K_KP_ENTER,
	VS_K_KP_PLUS,
	VS_K_KP_MINUS,
	VS_K_KP_TIMES,
	VS_K_KP_DIVIDE,
	VS_K_KP_DOT,
	VS_K_KP_COMMA,
	VS_K_KP_EQUAL,
	VS_K_FIND, /* from here on: what some keyboards have and terminfo names */
	VS_K_SELECT,
	VS_K_HELP,
	VS_K_REDO,
	VS_K_UNDO,
	VS_K_PRINT,
	VS_K_CLEAR,
	VS_K_CANCEL,
	VS_K_EXIT,
	VS_K_COPY,
	VS_K_MOVE,
	VS_K_MARK,
	VS_K_OPEN,
	VS_K_CLOSE,
	VS_K_SAVE,
	VS_K_NEXT,
	VS_K_PREVIOUS,
	VS_K_COMMAND,
	VS_K_CREATE,
	VS_K_MESSAGE,
	VS_K_OPTIONS,
	VS_K_REFERENCE,
	VS_K_REFRESH,
	VS_K_REPLACE,
	VS_K_RESTART,
	VS_K_RESUME,
	VS_K_SUSPEND,
	VS_K_INSERT_LINE,
	VS_K_DELETE_LINE,
	VS_K_ERASE_LINE,
	VS_K_ERASE_SCREEN,
	VS_K_N
};

struct vs_keyname {
	enum vs_k k;
	uint32_t ch;   /* CHAR: the code point; F: its number, 1..VS_F_MAX; else 0 */
	unsigned mods; /* enum vs_mod */
};

/*
 * Takes a name apart. The case of names, not of characters, is free; modifiers come in any
 * order. B_EINPUT when it is no key's; the message names the nearest one.
 */
int vs_keyname_parse(const char *name, struct vs_keyname *out, struct b_error *err) B_CHECK;

#define VS_KEYNAME_MAX 48

/* The name as people write it, NUL-terminated. */
void vs_keyname_format(const struct vs_keyname *k, char out[VS_KEYNAME_MAX]);

#endif
