/*
 * rte/progress.h - a plain line about a run while it goes on, on standard error.
 *
 * On a terminal one line that is written over each second; else a whole line every few seconds,
 * so that a log reads well.
 */
#ifndef RTE_PROGRESS_H
#define RTE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "rte/timeline.h"

struct rte_progress {
	bool on, terminal;
	bool shown; /* a line stands on the terminal */
	int64_t next_ns;
	enum rte_phase phase;
	size_t stage;
	int64_t sum_transactions, since_ns; /* since the last line */
	struct b_hist *response;            /* likewise */
};

void rte_progress_init(struct rte_progress *p, bool on, int64_t now);
void rte_progress_release(struct rte_progress *p);
/* A moment was collected: shows it when it is time to. */
void rte_progress_show(struct rte_progress *p, const struct rte_timeline *t);
/* Takes the line off the terminal, so that a message can be printed. */
void rte_progress_clear(struct rte_progress *p);

/* The line itself, of t's moment, appended to out; rate: transactions a second; response: their
   times, NULL: not told. */
void rte_progress_line(const struct rte_timeline *t, double rate, const struct b_hist *response,
	struct b_buf *out);

#endif
