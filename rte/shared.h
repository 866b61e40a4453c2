/*
 * rte/shared.h - what all workers of a run have in common.
 *
 * Made by rte/run.c (or rte/play.c) before the workers start and read-only from then on, except
 * for what is atomic or has a lock of its own.
 */
#ifndef RTE_SHARED_H
#define RTE_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "line/line.h"
#include "rte/barrier.h"
#include "rte/failures.h"
#include "rte/meter.h"
#include "rte/mix.h"
#include "rte/names.h"
#include "rte/phases.h"
#include "rte/rows.h"
#include "rte/script.h"
#include "rte/workload.h"
#include "vscreen/keys.h"

struct rte_arrivals;
struct rte_user;
struct rte_tx;
struct rte_goldens;
struct rte_views;

/* Shares of a script's mix, and from when on they hold. */
struct rte_role_mix {
	struct rte_when from;
	struct rte_mix mix;
	struct rte_mix_entry *entries; /* mix.n of them */
	/* Transactions named as a function of the mix that count and were picked from this one. */
	_Atomic int64_t counted;
};

/* A script as the run uses it: what it says itself under what the workload says. */
struct rte_role {
	const char *path, *name;
	const char *const *sets; /* of this script alone */
	size_t n_sets;
	const char *term;
	int rows, cols;
	const struct vs_keymap *keymap;
	const struct ln_target *target; /* its own; NULL: the workload's */
	struct b_dist typing, think;
	struct rte_settle settle;
	int64_t timeout_ns;
	size_t test, row;     /* an iteration is this test (from 1) of this row; 0: it is none */
	const char *function; /* an iteration is this function; NULL: by mix, or iteration */
	struct rte_role_mix *mixes; /* the last whose time has come holds; none: iteration() */
	size_t n_mixes;
};

/* How a play or a test watches its user; all members may be NULL. Called on the worker's thread. */
struct rte_observer {
	void *user;
	/* The user's screen may have changed. */
	void (*changed)(void *user, struct rte_user *u);
	/* The user is about to do what u->ask says. false: it waits for rte_user_go_on. */
	bool (*step)(void *user, struct rte_user *u);
	void (*failed)(void *user, struct rte_user *u, const struct rte_failure *f);
	void (*log)(void *user, struct rte_user *u, const char *text);
	/* A golden screen, once the screen has settled: 0, or a negative status with a message.
	   B_EAGAIN: it differs; ask again when the screen has changed, or for the last time with
	   final. NULL: compared with shared.goldens. */
	int (*golden)(void *user, struct rte_user *u, const struct rte_ask *ask, bool final,
		struct b_error *err);
	/* The script said skip(). */
	void (*skipped)(void *user, struct rte_user *u, const char *reason);
	/* A transaction's row is written. */
	void (*transaction)(void *user, struct rte_user *u, const struct rte_tx *tx,
		const struct rte_tx_row *row);
	/* What was read, and what was typed: one call a read, and one a key. */
	void (*output)(void *user, struct rte_user *u, const char *bytes, size_t len, int64_t at);
	void (*input)(void *user, struct rte_user *u, const char *bytes, size_t len, int64_t at);
	/* The line is the person's from now on, until rte_user_go_on. NULL: scripts may not ask. */
	void (*interact)(void *user, struct rte_user *u);
};

struct rte_shared {
	const struct rte_workload *w;
	int64_t wall_offset_ns; /* wall clock less monotonic */
	struct rte_phases phases;
	struct rte_role *roles;
	size_t n_roles;
	struct ln_target **targets; /* the workload's, used in turn */
	size_t n_targets;
	struct rte_data *data;         /* data files of the scripts */
	struct rte_arrivals *arrivals; /* NULL: users begin by themselves */
	struct rte_failures *failures;
	struct rte_barriers *barriers;
	struct rte_names *names;
	const struct rte_observer *observer; /* NULL: none */
	struct rte_goldens *goldens;         /* golden screens; NULL: not compared */
	int64_t still_ns;   /* one that differs is final when unchanged for so long; 0: 5 s */
	bool measured;      /* a run: random first think; false: one user is played */
	int64_t echo_every; /* echo is measured for users 1, 1 + n, ...; 0: for none */

	_Atomic int64_t
		users_alive;       /* that are to start, or have and are neither done nor failed */
	_Atomic int64_t iterating; /* that have iterations before them */
	_Atomic int64_t attempts_failed; /* connections and parts of scripts that failed */
	_Atomic bool opened;             /* any line was ever open */
	_Atomic bool progressed;         /* any wait was ever fulfilled, or iteration done */
	_Atomic bool cut_by_person;      /* what is cut off is `aborted`, not `unfinished` */
	/* Users with higher numbers leave, lower ones come; the new ones within spread_ns. */
	_Atomic int64_t users_wanted, spread_ns;
	_Atomic bool
		stays; /* workers without users stay until ramp-down: some may be wanted again */
	/* Steering: nobody begins anything new since then; 0: not paused. */
	_Atomic int64_t paused_ns;
	int64_t users_room; /* the most users that may be wanted; at least the workload's */
	const uint32_t
		*script_of;      /* by user, users_room of them; NULL: none beyond the workload's */
	struct rte_views *views; /* what is shown of single users; NULL: nothing ever */
	/* Wakes the thread that watches over the run. */
	void (*wake)(void *user);
	void *wake_user;
};

#endif
