/*
 * capture/names.h - names taken from the screen: of values, of transactions.
 *
 * The same screens give the same names, so that a script made anew keeps them. Names are plain
 * ASCII whatever the screen held: letters, digits and one separator.
 */
#ifndef CAPTURE_NAMES_H
#define CAPTURE_NAMES_H

#include "base/buf.h"
#include "capture/steps.h"

/*
 * Appends the label of the field at (row, col) as it stands on the screen: the text to its left,
 * or above a box around it, without its dots and colon. False: there is none.
 */
bool cap_label_find(const struct cap_frame *f, int row, int col, struct b_buf *out);

/* Appends the title of a screen: a line at its top, or in the border of a box. False: none. */
bool cap_title_find(const struct cap_frame *f, struct b_buf *out);

/* Appends text as an identifier of Lua ("order_no"), at most 24 bytes; nothing when no letter is
   left. */
void cap_name_ident(struct b_buf *out, const char *text);
/* Appends text as words with dashes ("order-entry"), at most max bytes. */
void cap_name_words(struct b_buf *out, const char *text, size_t max);

/* Words to look others up among, in any case: made of texts, then sorted, then asked. Zeroed: none. */
struct cap_words {
	char **word;
	size_t n, room;
};
/* Adds the words of text that blanks part; one character is too little to tell. */
void cap_words_add(struct cap_words *w, const char *text);
void cap_words_sort(struct cap_words *w);
/* Whether word, without marks at its end, is among them. */
bool cap_words_has(const struct cap_words *w, const char *word, size_t len);
void cap_words_release(struct cap_words *w);

/* The program of a command line, without folder and arguments. */
void cap_name_program(struct b_buf *out, const char *command);

struct cap_given {
	char *name;
	int next; /* the number that another one of this name may get; lower ones are taken */
};

/* Names that are given once: the second "query" becomes "query-2" (with sep '-'). */
struct cap_names {
	struct cap_given *given;
	size_t n;
	char sep;
};
/* Makes *name unique among those given, and takes it as given. Replaces its contents. */
void cap_names_give(struct cap_names *t, struct b_buf *name);
void cap_names_release(struct cap_names *t);

#endif
