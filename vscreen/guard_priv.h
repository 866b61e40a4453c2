/*
 * guard_priv.h - what the files of the guard share.
 *
 *   guard.c           bytes to characters; clean pieces go straight on
 *   guard_sequence.c  characters to sequences
 *   guard_string.c    control strings and print jobs
 *   guard_parser.c    to libvterm's parser and back
 */
#ifndef VSCREEN_GUARD_PRIV_H
#define VSCREEN_GUARD_PRIV_H

#include <stddef.h>
#include <stdint.h>

#include "vscreen/guard.h"

#define ESC 0x1B
#define CAN 0x18
#define SUB 0x1A
#define DEL 0x7F
#define BEL 0x07

/* What the parser holds: libvterm keeps 16 arguments and checks nothing; a 17th would be
   written past its array. */
#define VS_PARSER_ARGS 16

/* A byte at a time: whatever the state. */
void vs_guard_byte(struct vs_screen *s, unsigned char c);

/* A character, outside of strings and print jobs: up to 0xFF as DEC's 8-bit codes. */
void vs_guard_code(struct vs_screen *s, uint32_t c);

void vs_guard_escape_begin(struct vs_guard *g);

/* A sequence or string came to nothing: ground state, as after any other. */
void vs_guard_give_up(struct vs_screen *s);

void vs_guard_string_begin(struct vs_guard *g, char kind);
void vs_guard_string_byte(struct vs_screen *s, unsigned char c);
void vs_guard_print_byte(struct vs_screen *s, unsigned char c);

/* To the parser: any clean bytes, a control, a character, the sequence gathered. */
void *vs_parser_new(struct vs_screen *s);
void vs_parser_free(void *parser);
void vs_pass(struct vs_screen *s, const char *bytes, size_t len);
void vs_pass_control(struct vs_screen *s, uint32_t c);
void vs_pass_char(struct vs_screen *s, uint32_t cp);
void vs_pass_escape(struct vs_screen *s, char final);
void vs_pass_csi(struct vs_screen *s, char final);

/* The cursor may have moved. */
void vs_note_move(struct vs_screen *s);

#endif
