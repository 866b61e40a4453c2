/*
 * rte/viewer_source.h - lines of a script beside the screen that it plays on.
 */
#ifndef RTE_VIEWER_SOURCE_H
#define RTE_VIEWER_SOURCE_H

#include "base/buf.h"

struct rte_source;

struct rte_source *rte_source_new(void);
void rte_source_free(struct rte_source *s); /* NULL accepted */

/*
 * Appends escape sequences that paint the lines around `line` (from 1) of a file into a rectangle of
 * the terminal, rows and columns from 1, the line itself marked. The file is read once, until it is
 * another one; one that cannot be read leaves the rectangle empty. What is in it is escaped.
 */
void rte_source_paint(struct rte_source *s, const char *file, int line, int row, int col, int rows,
	int cols, struct b_buf *out);

#endif
