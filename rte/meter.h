/*
 * rte/meter.h - the response meter: from what was sent and what came back to the five instants.
 *
 * Pure: it is told what happened and when, it reads no clock. One meter follows one user's line
 * from input to input. An exchange begins with an input; it is OPEN while the script has not
 * seen what it waits for; READY makes it SETTLING: a change of the screen that comes before the
 * screen has been unchanged for `settle`, and not later than `settle_max` after ready, still
 * belongs to the response; then, or with the next input, it is CLOSED and its figures stand.
 * A later wait without an input in between opens it again.
 *
 * Nothing here is an estimate: a change at the very instant at which the exchange would have
 * closed by itself is not counted, however late the timer was.
 */
#ifndef RTE_METER_H
#define RTE_METER_H

#include <stdbool.h>
#include <stdint.h>

#define RTE_NEVER INT64_C(-1) /* an instant that has not come */

enum rte_meter_state { RTE_METER_OPEN, RTE_METER_SETTLING, RTE_METER_CLOSED };

struct rte_settle {
	int64_t settle_ns, max_ns;
};

struct rte_meter {
	enum rte_meter_state state;
	bool unsettled;          /* settle_max had come while the screen still changed */
	int64_t input_ns;        /* the last input */
	int64_t first_output_ns; /* the first output after it; RTE_NEVER: none */
	int64_t output_ns;       /* the last output after it that counts */
	int64_t change_ns;       /* the last screen change after it that counts */
	int64_t ready_ns;        /* the script's last wait was fulfilled */
	int64_t closed_ns;       /* when it closed; RTE_NEVER while it has not */
	int64_t held_ns;         /* it does not settle before; RTE_NEVER: nothing holds it */
};

/* An input was sent at `at`: the exchange before must be closed, a new one is open. */
void rte_meter_input(struct rte_meter *m, int64_t at);

/* Output was read at `at`; changed: the screen changed by it, outside of masks. */
void rte_meter_output(struct rte_meter *m, const struct rte_settle *s, int64_t at, bool changed);

/* The output that came last left a synchronised update open, which is seen at `until` at the
   latest: before that, or the next output, the screen has not settled. */
void rte_meter_hold(struct rte_meter *m, int64_t until);

/* Without output, at `at`, a person sees a change: an update was open for too long. */
void rte_meter_change(struct rte_meter *m, const struct rte_settle *s, int64_t at);

/* The script waits for something (again). */
void rte_meter_wait(struct rte_meter *m);

/* What it waited for was seen at `at`, or it does not wait any more. */
void rte_meter_ready(struct rte_meter *m, const struct rte_settle *s, int64_t at);

/* When the exchange closes by itself; RTE_NEVER while that cannot be said, or when it is closed. */
int64_t rte_meter_due(const struct rte_meter *m, const struct rte_settle *s);

/* Closes it when it is due. Returns whether it is closed. */
bool rte_meter_tick(struct rte_meter *m, const struct rte_settle *s, int64_t now);

/* Closes it as it stands: the next input comes, or the session ends. */
void rte_meter_close(struct rte_meter *m, int64_t now);

/* The end of the response: the last screen change, else the last output, else RTE_NEVER. */
int64_t rte_meter_end(const struct rte_meter *m);

#endif
