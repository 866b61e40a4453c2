/*
 * rte/rows.h - the lines of transactions.csv and sessions.csv.
 *
 * Pure: values in, one line out, columns as base/rundir.h says. Instants are CLOCK_MONOTONIC and
 * become seconds since the epoch by `wall_offset_ns` (wall clock less monotonic, read together
 * once a run); spans are ns, RTE_NEVER (-1) where there is none: the field is then empty.
 */
#ifndef RTE_ROWS_H
#define RTE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum rte_phase { RTE_RAMPUP, RTE_WARMUP, RTE_MEASURE, RTE_CONTINUE, RTE_RAMPDOWN, RTE_N_PHASES };
const char *rte_phase_name(enum rte_phase p);

enum rte_tx_status {
	RTE_TX_OK,
	RTE_TX_TIMEOUT,
	RTE_TX_CHECK,
	RTE_TX_DISCONNECT,
	RTE_TX_ERROR,
	RTE_TX_UNFINISHED,
	RTE_TX_ABORTED
};
const char *rte_tx_status_name(enum rte_tx_status s);

struct rte_tx_row {
	int64_t start_ns;
	int64_t user, session, iteration; /* iteration 0: outside of any */
	const char *script, *transaction;
	enum rte_phase phase;
	bool counted;
	bool over_budget; /* status: check, of no other reason */
	enum rte_tx_status status;
	int64_t response_ns, first_response_ns, ready_ns, keying_ns, think_before_ns, due_late_ns;
	int64_t echo_mean_ns, echo_max_ns;
	uint64_t keys, bytes_in, bytes_out;
	const char *ended_by, *detail; /* detail may be NULL, and hold anything */
};

void rte_tx_row_write(struct b_buf *out, const struct rte_tx_row *r, int64_t wall_offset_ns);

/* Where a session's time goes, without overlap. */
enum rte_account {
	RTE_AC_CONNECT,
	RTE_AC_LOGIN,
	RTE_AC_KEYING,
	RTE_AC_RESPONSE,
	RTE_AC_SCRIPT,
	RTE_AC_THINK,
	RTE_AC_PACING,
	RTE_AC_BARRIER,
	RTE_AC_LOGOUT,
	RTE_AC_BACKOFF,
	RTE_AC_OTHER,
	RTE_N_ACCOUNTS
};

struct rte_session_row {
	int64_t start_ns;
	int64_t user, session;
	const char *script, *target;
	const char *end, *detail; /* end: see base/rundir.h */
	int64_t iterations, duration_ns;
	int64_t account_ns[RTE_N_ACCOUNTS];
	int64_t settling_ns, late_ns, blocked_ns;
};

/* A line that a script logged. */
struct rte_log_row {
	int64_t at_ns;
	int64_t user, session, iteration;
	const char *script, *transaction; /* NULL: outside of one */
	const char *text;
};
void rte_log_row_write(struct b_buf *out, const struct rte_log_row *r, int64_t wall_offset_ns);

void rte_session_row_write(
	struct b_buf *out, const struct rte_session_row *r, int64_t wall_offset_ns);

/* Appends a span of ns as seconds with six decimals; nothing when it is negative. */
void rte_seconds_write(struct b_buf *out, int64_t ns);
/* Appends an instant as seconds since the epoch with six decimals. */
void rte_instant_write(struct b_buf *out, int64_t mono_ns, int64_t wall_offset_ns);

#endif
