/*
 * HdrHistogram log: a histogram a transaction and part of the interval, mergeable by any program
 * of that family. Values are nanoseconds, three significant digits, as its tools expect.
 *
 * Source: HdrHistogram, HistogramLogWriter (log format 1.3) and AbstractHistogram.encodeInto-
 * ByteBuffer (V2 encoding: ZigZag LEB128-64b9B counts, a negative number a run of zeros).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "report/format.h"
#include "report/report.h"
#include "report/run.h"
#include "base/banned.h"

#define DIGITS          3
#define HALF_MAGNITUDE  10 /* 2 x 10^3 values fit into 2^11 steps */
#define HALF_COUNT      1024
#define HIGHEST_NS      3600000000000 /* an hour: longer ones stand in the last step */
#define N_COUNTS        33792         /* steps up to HIGHEST_NS and a little more */
#define COOKIE          0x1c849313u
#define COOKIE_DEFLATED 0x1c849314u
#define MAX_PARTS       60

static size_t count_index(uint64_t ns)
{
	int bucket = 64 - __builtin_clzll(ns | (2 * HALF_COUNT - 1)) - (HALF_MAGNITUDE + 1);
	uint64_t sub = ns >> bucket;

	return (size_t)(((uint64_t)(bucket + 1) << HALF_MAGNITUDE) + sub - HALF_COUNT);
}

static void put32(struct b_buf *b, uint32_t v)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		b_buf_addc(b, (char)(v >> shift));
}

static void put64(struct b_buf *b, uint64_t v)
{
	put32(b, (uint32_t)(v >> 32));
	put32(b, (uint32_t)v);
}

static void put_zigzag(struct b_buf *b, int64_t v)
{
	uint64_t z = (uint64_t)v << 1 ^ (uint64_t)(v >> 63);

	for (int i = 0; i < 8; i++, z >>= 7) {
		if (z < 0x80) {
			b_buf_addc(b, (char)z);
			return;
		}
		b_buf_addc(b, (char)(z | 0x80));
	}
	b_buf_addc(b, (char)z);
}

/* The V2 payload of counts up to the last one that is not zero. */
static void encode(struct b_buf *b, const uint32_t *counts)
{
	size_t n = N_COUNTS, start;
	const double ratio = 1;
	uint64_t ratio_bits;

	while (n && !counts[n - 1])
		n--;
	memcpy(&ratio_bits, &ratio, sizeof ratio_bits);
	b_buf_clear(b);
	put32(b, COOKIE);
	put32(b, 0); /* length, below */
	put32(b, 0); /* normalizing index offset */
	put32(b, DIGITS);
	put64(b, 1);
	put64(b, HIGHEST_NS);
	put64(b, ratio_bits);
	start = b->len;
	for (size_t i = 0; i < n;) {
		size_t run = 0;

		while (i + run < n && !counts[i + run])
			run++;
		if (run) {
			put_zigzag(b, -(int64_t)run);
			i += run;
		} else {
			put_zigzag(b, counts[i++]);
		}
	}
	for (int k = 0; k < 4; k++)
		b->data[4 + k] = (char)((uint32_t)(b->len - start) >> (24 - 8 * k));
}

static void add_base64(struct b_buf *out, const struct b_buf *in)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < in->len; i += 3) {
		uint32_t v = 0;
		size_t have = in->len - i < 3 ? in->len - i : 3;

		for (size_t k = 0; k < 3; k++)
			v = v << 8 | (k < have ? (unsigned char)in->data[i + k] : 0u);
		for (size_t k = 0; k < 4; k++)
			b_buf_addc(out, k <= have ? digits[v >> (18 - 6 * k) & 63] : '=');
	}
}

static void deflated(struct b_buf *out, const struct b_buf *plain)
{
	uLongf len = compressBound((uLong)plain->len);

	b_buf_clear(out);
	put32(out, COOKIE_DEFLATED);
	put32(out, 0);
	b_buf_reserve(out, len);
	B_BUG_ON(compress2((Bytef *)out->data + out->len, &len, (const Bytef *)plain->data,
			 (uLong)plain->len, 9) != Z_OK);
	out->len += len;
	for (int k = 0; k < 4; k++)
		out->data[4 + k] = (char)((uint32_t)len >> (24 - 8 * k));
}

/* A tag must not hold what ends it. */
static void add_tag(struct b_buf *out, const char *name)
{
	for (; *name; name++)
		b_buf_addc(out, strchr(", \t\r\n", *name) ? '_' : *name);
}

struct part {
	uint32_t *counts;
	uint64_t n, max_ns;
};

static void write_part(struct b_buf *line, const struct rp_run *r, const char *name,
	const struct part *p, double from_s, double length_s)
{
	struct b_buf plain = B_BUF_INIT, packed = B_BUF_INIT;

	(void)r;
	encode(&plain, p->counts);
	deflated(&packed, &plain);
	b_buf_adds(line, "Tag=");
	add_tag(line, name);
	b_buf_printf(line, ",%.3f,%.3f,%.3f,", from_s, length_s, (double)p->max_ns / 1e6);
	add_base64(line, &packed);
	b_buf_addc(line, '\n');
	b_buf_release(&plain);
	b_buf_release(&packed);
}

/* Rows of one part of the interval, by transaction. */
static void count_rows(const struct rp_run *r, struct part *parts, double from_s, double to_s)
{
	const struct rp_rows *w = &r->rows;

	for (size_t i = 0; i < w->n; i++) {
		struct part *p;
		double end;
		uint64_t ns;

		if (!rp_row_counted(w, i) || rp_row_status(w, i) != RP_OK ||
			w->response[i] == RP_TIME_NONE)
			continue;
		end = (double)w->start_ms[i] * 1e-3 + rp_time_s(w->response[i]);
		if (end < from_s || end >= to_s)
			continue;
		ns = (uint64_t)rp_time_us(w->response[i]) * 1000;
		p = &parts[w->group[i]];
		if (!p->counts)
			p->counts = b_calloc(N_COUNTS, sizeof *p->counts);
		p->counts[count_index(ns < HIGHEST_NS ? ns : HIGHEST_NS)]++;
		p->max_ns = ns > p->max_ns ? ns : p->max_ns;
		p->n++;
	}
}

int rp_hdr_write(const struct rp_run *r, FILE *to)
{
	double length = rp_interval_s(r), step;
	struct b_buf b = B_BUF_INIT;
	char when[RP_FORMAT_SIZE];
	size_t n_parts;
	bool bad;

	B_BUG_ON(r->rows.n == 0 && r->all.n_logged > 0); /* keep_rows was not asked for */
	b_buf_printf(&b,
		"#[Logged with rte " RTE_VERSION ", values in nanoseconds]\n"
		"#[Histogram log format version 1.3]\n"
		"#[StartTime: %.3f (seconds since epoch), %s]\n"
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
		"\"Interval_Compressed_Histogram\"\n",
		r->started_s, rp_format_time(when, r->started_s));
	step = fmax(1, ceil(length / MAX_PARTS));
	n_parts = length > 0 ? (size_t)ceil(length / step) : 0;
	for (size_t k = 0; k < n_parts; k++) {
		bool last = k + 1 == n_parts;
		double from = r->from_s + (double)k * step;
		double to_s = last ? r->to_s : from + step;
		struct part *parts = b_calloc(r->n_groups, sizeof *parts);

		/* What was cut off in milliseconds must not fall out at the edges. */
		count_rows(r, parts, k ? from : -INFINITY, last ? INFINITY : to_s);
		for (size_t i = 0; i < r->n_groups; i++) {
			if (parts[i].n)
				write_part(&b, r, r->groups[i].name, &parts[i], from, to_s - from);
			free(parts[i].counts);
		}
		free(parts);
	}
	bad = fwrite(b.data, 1, b.len, to) != b.len || fflush(to);
	b_buf_release(&b);
	return bad ? B_ESYS : B_OK;
}
