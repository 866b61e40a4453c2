/*
 * answer.h - what the terminal owes the application: answers to its queries.
 *
 * As the TERM that the SUT was told would answer (term.h). While recording there is nobody to
 * answer through, and the query is noted as unanswered.
 */
#ifndef VSCREEN_ANSWER_H
#define VSCREEN_ANSWER_H

#include "vscreen/args.h"
#include "vscreen/state.h"

void vs_answer(struct vs_screen *s, const char *fmt, ...) B_PRINTF(2, 3);
/* Notes a query that nobody can answer. */
void vs_unanswered(struct vs_screen *s, const char *intro, const char *text, size_t len);
/* The leading ESC X or its 8-bit form, as S8C1T wants it: 'P', '[' or '\\'. */
const char *vs_c1(const struct vs_screen *s, char letter);
void vs_answer_csi(
	struct vs_screen *s, char leader, const struct vs_args *a, const char *inter, char final);
void vs_answer_decrqss(struct vs_screen *s, const char *what, size_t len);
void vs_answer_tcap(struct vs_screen *s, const char *hex, size_t len);

/* XTWINOPS: reports of sizes, the stack of titles (window.c). Nothing changes the size. */
void vs_window(struct vs_screen *s, const struct vs_args *a);
void vs_titles_release(struct vs_screen *s);

/* A whole control string (string.c). kind: ']', 'P', '_', '^', 'X' or 'k'; cut: only its
   beginning was kept; bell: it ended with BEL, and so does the answer. text has a NUL behind. */
void vs_string(struct vs_screen *s, char kind, const char *text, size_t len, bool cut, bool bell);

#endif
