/*
 * edit.h - erasing, inserting, deleting, scrolling: at the cursor and within the margins.
 */
#ifndef VSCREEN_EDIT_H
#define VSCREEN_EDIT_H

#include "vscreen/state.h"

/* ED, DECSED, EL, DECSEL, ECH. mode: whose marks of protection count. */
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

#endif
