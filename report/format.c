#define _DEFAULT_SOURCE /* struct winsize */
#include "report/format.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "report/width.h"
#include "base/banned.h"

/* Three significant figures of v < 1000, without an exponent. */
static void three(char *out, double v, const char *unit)
{
	int places = v < 9.995 ? 2 : v < 99.95 ? 1 : 0;

	snprintf(out, RP_FORMAT_SIZE, "%.*f%s", places, v, unit);
}

const char *rp_format_s(char out[RP_FORMAT_SIZE], double s)
{
	if (isnan(s))
		snprintf(out, RP_FORMAT_SIZE, "-");
	else if (fabs(s) < 0.9995)
		three(out, s * 1e3, "ms");
	else
		three(out, s, "s");
	return out;
}

const char *rp_format_count(char out[RP_FORMAT_SIZE], uint64_t n)
{
	char digits[24];
	size_t len = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), to = 0;

	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[to++] = ',';
		out[to++] = digits[i];
	}
	out[to] = 0;
	return out;
}

const char *rp_format_number(char out[RP_FORMAT_SIZE], double v)
{
	if (isnan(v))
		snprintf(out, RP_FORMAT_SIZE, "-");
	else if (v >= 999.95 && v < 1e15)
		rp_format_count(out, (uint64_t)llround(v));
	else
		snprintf(out, RP_FORMAT_SIZE, "%.*f", v < 9.995 ? 2 : v < 99.95 ? 2 : 1, v);
	return out;
}

const char *rp_format_share(char out[RP_FORMAT_SIZE], double part)
{
	double v = part * 100;

	if (isnan(v))
		snprintf(out, RP_FORMAT_SIZE, "-");
	else if (v > 0 && v < 0.01)
		snprintf(out, RP_FORMAT_SIZE, "<0.01%%");
	else
		snprintf(out, RP_FORMAT_SIZE, "%.*f%%", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, v);
	return out;
}

const char *rp_format_change(char out[RP_FORMAT_SIZE], double part)
{
	double v = part * 100;

	if (isnan(v))
		snprintf(out, RP_FORMAT_SIZE, "-");
	else if (fabs(v) < 0.05) /* without a sign: it is none that counts */
		snprintf(out, RP_FORMAT_SIZE, "0.0%%");
	else
		snprintf(out, RP_FORMAT_SIZE, "%+.*f%%", fabs(v) < 99.5 ? 1 : 0, v);
	return out;
}

const char *rp_format_span(char out[RP_FORMAT_SIZE], double s)
{
	long long whole = llround(s);

	if (isnan(s))
		snprintf(out, RP_FORMAT_SIZE, "-");
	else if (s < 60)
		snprintf(out, RP_FORMAT_SIZE, "%.3gs", s);
	else if (whole < 3600)
		snprintf(out, RP_FORMAT_SIZE, whole % 60 ? "%lldm%llds" : "%lldm", whole / 60,
			whole % 60);
	else
		snprintf(out, RP_FORMAT_SIZE, whole / 60 % 60 ? "%lldh%lldm" : "%lldh",
			whole / 3600, whole / 60 % 60);
	return out;
}

const char *rp_format_time(char out[RP_FORMAT_SIZE], double epoch_s)
{
	char iso[32];

	if (!(epoch_s > 0 && epoch_s < 9e9)) {
		snprintf(out, RP_FORMAT_SIZE, "-");
		return out;
	}
	b_clock_iso8601((int64_t)(epoch_s * 1e9), iso);
	snprintf(out, RP_FORMAT_SIZE, "%.10s %.8s UTC", iso, iso + 11);
	return out;
}

/* Bytes of the longest beginning of text that takes at most cols columns; *used: how many. */
static size_t fitting(const char *text, size_t len, size_t cols, size_t *used)
{
	size_t at = 0, n;
	uint32_t cp;

	*used = 0;
	while (at < len) {
		n = b_utf8_decode(text + at, len - at, &cp);
		if (*used + (size_t)rp_width(cp) > cols)
			break;
		*used += (size_t)rp_width(cp);
		at += n ? n : len - at;
	}
	return at;
}

size_t rp_format_name(struct b_buf *out, const char *s, size_t cols)
{
	struct b_buf text = B_BUF_INIT;
	size_t all, skip, used, left, n;

	b_escape_text(&text, s, strlen(s));
	(void)b_buf_cstr(&text);
	n = fitting(text.data, text.len, cols, &used);
	b_buf_add(out, text.data, n < text.len ? 0 : n);
	if (n < text.len) {
		/* The end stays as well: names of one kind differ there. */
		fitting(text.data, text.len, SIZE_MAX, &all);
		skip = fitting(text.data, text.len, all - cols / 3, &left);
		n = fitting(text.data, text.len, cols - 3 - (all - left), &used);
		b_buf_add(out, text.data, n);
		b_buf_adds(out, "...");
		b_buf_add(out, text.data + skip, text.len - skip);
		used += 3 + all - left;
	}
	b_buf_release(&text);
	return used;
}

#define COLS_MIN     60
#define COLS_MAX     250
#define COLS_DEFAULT 80

size_t rp_format_cols(FILE *to)
{
	const char *said = getenv("COLUMNS");
	int64_t cols = COLS_DEFAULT;
	struct winsize ws;

	if (isatty(fileno(to)) && !ioctl(fileno(to), TIOCGWINSZ, &ws) && ws.ws_col)
		cols = ws.ws_col;
	else if (said)
		(void)!b_parse_int(said, 1, COLS_MAX, &cols);
	return cols < COLS_MIN ? COLS_MIN : cols > COLS_MAX ? COLS_MAX : (size_t)cols;
}

size_t rp_format_wrapped(FILE *to, size_t cols, const char *s, size_t col, size_t indent)
{
	struct b_buf b = B_BUF_INIT;
	size_t left, n, used;
	bool first = true;
	const char *w;

	b_escape_text(&b, s, strlen(s));
	(void)b_buf_cstr(&b);
	for (w = b.data, left = b.len; left;) {
		const char *blank = memchr(w, ' ', left);
		size_t word = blank ? (size_t)(blank - w) : left;

		n = fitting(w, word, SIZE_MAX, &used);
		if (!first && col + 1 + used > cols) {
			fprintf(to, "\n%*s", (int)indent, "");
			col = indent;
		} else if (!first) {
			fputc(' ', to);
			col++;
		}
		/* A path may be longer than a line. */
		while (col + used > cols && cols > indent + 8) {
			n = fitting(w, word, cols - col, &used);
			fwrite(w, 1, n, to);
			fprintf(to, "\n%*s", (int)indent, "");
			w += n;
			word -= n;
			left -= n;
			col = indent;
			n = fitting(w, word, SIZE_MAX, &used);
		}
		fwrite(w, 1, n, to);
		col += used;
		first = false;
		w += word;
		left -= word;
		while (left && *w == ' ')
			w++, left--;
	}
	b_buf_release(&b);
	return col;
}
