/*
 * rte/worker.h - a worker: one thread, one event loop, one Lua state, a shard of the users.
 *
 * A turn of the loop: every ready line is read and stamped first; then the bytes are parsed; then
 * what became ready runs; then timers that are due, a bounded number, so that ready lines are
 * looked at again in between. Nothing in a turn blocks, locks or waits for a disk.
 */
#ifndef RTE_WORKER_H
#define RTE_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "rte/loop.h"
#include "rte/names.h"
#include "rte/script.h"
#include "rte/shared.h"
#include "rte/stats.h"
#include "rte/user.h"
#include "rte/writer.h"

struct rte_worker_read {
	struct rte_user *user;
	size_t from, len;
	int64_t at_ns;
};

/* A line whose session is over: its process is waited for, without blocking. */
struct rte_parting {
	struct ln_line *line;
	int64_t kill_ns, drop_ns;
};

/* A descriptor beside the users' lines that the loop watches too (rte play). The watch's owner is
   NULL, which tells it apart. */
struct rte_side {
	struct rte_watch watch; /* first */
	void (*ready)(void *user, int64_t now);
	void *user;
};

struct rte_worker {
	struct rte_shared *shared;
	int number;
	pthread_t thread;
	bool threaded;
	struct rte_loop *loop;
	struct rte_lua *lua;
	struct rte_script **scripts; /* by role */
	struct rte_user *users;
	size_t n_users;
	struct rte_outbox *tx_out, *session_out, *log_out; /* NULL: no log (rte play) */
	struct rte_names_cache *names;
	struct rte_stats stats;
	struct rte_share own;   /* being filled */
	struct rte_share share; /* handed over; lock it */

	char *arena; /* what was read in this turn */
	struct rte_worker_read *reads;
	size_t n_reads;
	struct rte_user **queue; /* users to run in the next turn */
	size_t n_queue;
	struct rte_user **running; /* and in this one */
	struct rte_parting *partings;
	size_t n_partings, cap_partings;
	struct rte_timer tick;
	int64_t second_ns; /* when `own` is handed over next */
	bool more;         /* timers are still due: do not wait */
	_Atomic bool end;  /* leave the loop */
	_Atomic bool kill_users;
	_Atomic uint32_t barrier_epoch; /* counts up when tickets were called */
	uint32_t barrier_seen;
	int64_t wanted_seen;
	int64_t paused_seen; /* since when its users are paused; 0: they are not */
	size_t n_left;       /* users that are to start, or have and are neither done nor failed */
};

struct rte_worker_options {
	struct rte_shared *shared;
	int number;
	size_t n_users;            /* room for so many */
	struct rte_writer *writer; /* NULL: no log */
	int tx_file, session_file, log_file;
	bool allow_unsafe;
	const char *dir; /* {dir} of its scripts; NULL: "." */
	bool screens;    /* of rte_lua_options */
};

/* Makes a worker without users. B_EENV, or B_EINPUT for a script. */
int rte_worker_new(
	struct rte_worker **out, const struct rte_worker_options *opt, struct b_error *err) B_CHECK;
/* Its next user, before the worker runs; at most n_users. start_ns RTE_UNKNOWN: when it is wanted. */
void rte_worker_add(struct rte_worker *w, int64_t number, size_t role, int64_t start_ns);
/* Runs the loop in a thread, or in this one, until all users are done or it is ended. */
int rte_worker_start(struct rte_worker *w, struct b_error *err) B_CHECK;
void rte_worker_run(struct rte_worker *w);
/* Asks it to end, and waits for that. Returns false when it has not after wait_ns: it is stuck and
   must be left alone, with all that it uses. */
bool rte_worker_join(struct rte_worker *w, int64_t wait_ns) B_CHECK;
void rte_worker_free(struct rte_worker *w); /* after join; NULL accepted */

/* ---- For the users of this worker ------------------------------------------------------- */

/* u is to be run in this turn, once. */
void rte_worker_queue(struct rte_worker *w, struct rte_user *u);
/* Takes over a line whose session is over. */
void rte_worker_part(struct rte_worker *w, struct ln_line *line);
/* Counts a user that is to start, and one that will do nothing any more. */
void rte_worker_user_begins(struct rte_worker *w);
void rte_worker_user_over(struct rte_worker *w);

#endif
