/*
 * vscreen/cond_memo.h - which rows a condition has searched in vain since the last input.
 *
 * For the files behind cond.h alone.
 */
#ifndef VSCREEN_COND_MEMO_H
#define VSCREEN_COND_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "vscreen/screen.h"

struct vs_cond_memo;

struct vs_cond_memo *vs_cond_memo_new(void); /* small until it is used */
void vs_cond_memo_free(struct vs_cond_memo *m);

/* Makes it one of this screen and wait: forgets what it knew of another. */
void vs_cond_memo_begin(struct vs_cond_memo *m, const struct vs_screen *s, uint64_t wait);

/* Whether the row was searched in vain and has not been painted since; false when wait is 0. */
bool vs_cond_memo_vain(const struct vs_cond_memo *m, int row);
void vs_cond_memo_set_vain(struct vs_cond_memo *m, int row);

#endif
