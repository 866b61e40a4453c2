#include "rte/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/width.h"
#include "base/banned.h"

#define FRAME 2 /* columns of it */

/* Columns of a screen, from the head of its snapshot: "rte-golden 1 80x24 attributes". */
static size_t cols_of(const char *head)
{
	for (int i = 0; i < 2; i++) {
		head += strcspn(head, " \n");
		head += *head == ' ';
	}
	return strtoul(head, NULL, 10);
}

/* The bytes of s that stand in the first cols columns. */
static size_t fitting(const char *s, size_t len, size_t cols)
{
	size_t at = 0, used = 0;

	while (at < len) {
		uint32_t cp;
		size_t n = b_utf8_decode(s + at, len - at, &cp);

		if (!n)
			break;
		used += (size_t)rp_width(cp);
		if (used > cols)
			break;
		at += n;
	}
	return at;
}

/* The text between the bars of a row, without the blanks at its end. */
static void row(const char *line, size_t len, size_t cols, struct b_buf *out)
{
	len -= len && line[len - 1] == '|';
	len = fitting(line, len, cols);
	while (len && line[len - 1] == ' ')
		len--;
	b_buf_add(out, line, len);
	b_buf_addc(out, '\n');
}

void rte_picture(const char *snapshot, size_t cols, struct b_buf *out)
{
	size_t wide = cols_of(snapshot);

	if (wide + FRAME <= cols) {
		b_buf_adds(out, snapshot);
		return;
	}
	while (*snapshot) {
		size_t len = strcspn(snapshot, "\n");

		if (*snapshot == '|') {
			row(snapshot + 1, len - 1, cols, out);
		} else if (*snapshot != ':') {
			b_buf_add(out, snapshot, len);
			b_buf_addc(out, '\n');
		}
		snapshot += len + (snapshot[len] == '\n');
	}
	if (wide > cols)
		b_buf_printf(out, "columns 1 to %zu of %zu\n", cols, wide);
}
