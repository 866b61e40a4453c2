/*
 * capture/label.h - the label in front of a field, and whether it asks for a secret.
 */
#ifndef CAPTURE_LABEL_H
#define CAPTURE_LABEL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "vscreen/screen.h"

/*
 * Appends the label of a field that begins at row, col: the text left of it on its row, up to a
 * gap or a line; when there is none but the field stands in a box, the rows of text above it.
 * Without blanks and marks (": [ _ .") at its end. Empty when there is none.
 */
void cap_label_in_front(const struct vs_screen *s, int row, int col, struct b_buf *out);

struct cap_secret_labels; /* the patterns of labels that ask for a secret */

/* The usual ones, and pattern (POSIX extended, case does not count; NULL: none). B_EUSAGE when
   it is no pattern. */
int cap_secret_labels_new(
	struct cap_secret_labels **out, const char *pattern, struct b_error *err) B_CHECK;
void cap_secret_labels_free(struct cap_secret_labels *l); /* NULL accepted */

/*
 * Whether label asks for a secret. Appends the secret's name (a to z, 0 to 9 and _) to name,
 * from the label, "password" when it has no name; also when it does not ask for one.
 */
bool cap_secret_label(const struct cap_secret_labels *l, const char *label, struct b_buf *name);

#endif
