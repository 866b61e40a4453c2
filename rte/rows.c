#include "rte/rows.h"

#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "base/banned.h"

#define DETAIL_MAX 400 /* bytes */

const char *rte_phase_name(enum rte_phase p)
{
	static const char *const names[] = { "rampup", "warmup", "measure", "continue",
		"rampdown" };

	return names[p];
}

const char *rte_tx_status_name(enum rte_tx_status s)
{
	static const char *const names[] = { "ok", "timeout", "check", "disconnect", "error",
		"unfinished", "aborted" };

	return names[s];
}

/* Digits by hand: a row holds a dozen numbers, and printf was half of its cost. */
static void add_number(struct b_buf *out, uint64_t v, int least)
{
	char text[20];
	int n = 0;

	do {
		text[sizeof text - 1 - (size_t)n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v || n < least);
	b_buf_add(out, text + sizeof text - n, (size_t)n);
}

static void add_signed(struct b_buf *out, int64_t v)
{
	if (v < 0)
		b_buf_addc(out, '-');
	add_number(out, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 1);
}

void rte_seconds_write(struct b_buf *out, int64_t ns)
{
	uint64_t us;

	if (ns < 0)
		return;
	us = ((uint64_t)ns + 500) / 1000;
	add_number(out, us / 1000000, 1);
	b_buf_addc(out, '.');
	add_number(out, us % 1000000, 6);
}

void rte_instant_write(struct b_buf *out, int64_t mono_ns, int64_t wall_offset_ns)
{
	rte_seconds_write(out, mono_ns + wall_offset_ns);
}

static void seconds_field(struct b_buf *out, int64_t ns)
{
	b_buf_addc(out, ',');
	rte_seconds_write(out, ns);
}

static void text_field(struct b_buf *out, const char *s)
{
	size_t len = s ? strlen(s) : 0;

	b_buf_addc(out, ',');
	if (len > DETAIL_MAX) {
		len = DETAIL_MAX;
		len -= b_utf8_tail(s, len);
	}
	b_escape_csv(out, s ? s : "", len);
}

static void number_field(struct b_buf *out, int64_t v)
{
	b_buf_addc(out, ',');
	add_signed(out, v);
}

void rte_tx_row_write(struct b_buf *out, const struct rte_tx_row *r, int64_t wall_offset_ns)
{
	rte_instant_write(out, r->start_ns, wall_offset_ns);
	number_field(out, r->user);
	number_field(out, r->session);
	number_field(out, r->iteration);
	text_field(out, r->script);
	text_field(out, r->transaction);
	b_buf_addc(out, ',');
	b_buf_adds(out, rte_phase_name(r->phase));
	b_buf_add(out, r->counted ? ",1," : ",0,", 3);
	b_buf_adds(out, rte_tx_status_name(r->status));
	seconds_field(out, r->response_ns);
	seconds_field(out, r->first_response_ns);
	seconds_field(out, r->ready_ns);
	seconds_field(out, r->keying_ns);
	seconds_field(out, r->think_before_ns);
	seconds_field(out, r->due_late_ns);
	seconds_field(out, r->echo_mean_ns);
	seconds_field(out, r->echo_max_ns);
	number_field(out, (int64_t)r->keys);
	number_field(out, (int64_t)r->bytes_in);
	number_field(out, (int64_t)r->bytes_out);
	b_buf_addc(out, ',');
	b_buf_adds(out, r->ended_by);
	text_field(out, r->detail);
	b_buf_addc(out, '\n');
}

void rte_log_row_write(struct b_buf *out, const struct rte_log_row *r, int64_t wall_offset_ns)
{
	rte_instant_write(out, r->at_ns, wall_offset_ns);
	number_field(out, r->user);
	number_field(out, r->session);
	number_field(out, r->iteration);
	text_field(out, r->script);
	text_field(out, r->transaction);
	text_field(out, r->text);
	b_buf_addc(out, '\n');
}

void rte_session_row_write(
	struct b_buf *out, const struct rte_session_row *r, int64_t wall_offset_ns)
{
	rte_instant_write(out, r->start_ns, wall_offset_ns);
	number_field(out, r->user);
	number_field(out, r->session);
	text_field(out, r->script);
	text_field(out, r->target);
	text_field(out, r->end);
	text_field(out, r->detail);
	number_field(out, r->iterations);
	seconds_field(out, r->duration_ns);
	for (int i = 0; i < RTE_N_ACCOUNTS; i++)
		seconds_field(out, r->account_ns[i]);
	seconds_field(out, r->settling_ns);
	seconds_field(out, r->late_ns);
	seconds_field(out, r->blocked_ns);
	b_buf_addc(out, '\n');
}
