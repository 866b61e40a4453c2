/*
 * ttyrec: records of a header (seconds, microseconds, length; 32 bits each, little-endian) and
 * so many bytes of output. Some old files are big-endian. No size, no TERM, no input.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "capture/import_priv.h"
#include "base/banned.h"

#define HEADER 12

static uint32_t number(const char *p, bool big)
{
	const unsigned char *u = (const unsigned char *)p;

	if (big)
		return (uint32_t)u[0] << 24 | (uint32_t)u[1] << 16 | (uint32_t)u[2] << 8 | u[3];
	return (uint32_t)u[3] << 24 | (uint32_t)u[2] << 16 | (uint32_t)u[1] << 8 | u[0];
}

/* Whether the first records make sense in this byte order. The last one may be cut. */
static bool makes_sense(const struct b_buf *text, bool big)
{
	size_t at = 0;
	int n = 0;

	while (n < 3 && at + HEADER <= text->len) {
		uint32_t us = number(text->data + at + 4, big),
			 len = number(text->data + at + 8, big);

		if (us >= 1000000 || len > 16 * 1024 * 1024 ||
			(!n && len > text->len - at - HEADER))
			return false;
		if (len > text->len - at - HEADER)
			break;
		at += HEADER + len;
		n++;
	}
	return n > 0;
}

bool imp_is_ttyrec(const struct b_buf *text)
{
	return makes_sense(text, false) || makes_sense(text, true);
}

/* Some sites begin a recording with the terminal's size: CSI 8 ; ROWS ; COLS t. */
static void find_size(const char *data, size_t len, int *rows, int *cols)
{
	char start[32];

	snprintf(start, sizeof start, "%.*s", (int)(len < 31 ? len : 31), data);
	if (sscanf(start, "\033[8;%4d;%4dt", rows, cols) != 2)
		*rows = *cols = 0;
}

int imp_ttyrec(struct cap_trace **out, struct imp *in)
{
	const char *p = in->text.data;
	size_t left = in->text.len;
	bool big = !makes_sense(&in->text, false);
	int64_t first_us = 0;
	int rows = 0, cols = 0;
	struct cap_trace *t;

	find_size(p + HEADER, number(p + 8, big), &rows, &cols);
	t = imp_trace(in, rows, cols, NULL);
	while (left >= HEADER) {
		int64_t us = (int64_t)number(p, big) * 1000000 + number(p + 4, big);
		uint32_t len = number(p + 8, big);

		if (len > left - HEADER) {
			b_buf_adds(in->notes, "the last record is cut; it is left out\n");
			break;
		}
		if (!t->n_events) {
			first_us = us;
			t->timestamp_s = us / 1000000;
		}
		cap_trace_add(t, (us - first_us) * B_NS_PER_US, 'o', p + HEADER, len);
		p += HEADER + len;
		left -= HEADER + len;
	}
	*out = t;
	return B_OK;
}
