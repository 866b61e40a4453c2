/*
 * rte/user.h - one emulated user: turns what a script asks into keys on a line.
 *
 * A state machine on its worker's thread. It is told what happened (bytes were read, the line
 * takes bytes again, its timer is due, it is to stop) and goes as far as it can: it types when a
 * key is due, judges conditions, measures, and resumes the script. It never blocks, and it
 * allocates nothing for a keystroke.
 *
 *   PLANNED - BACKOFF - CONNECTING - parts: login, iterations, logout - DONE or FAILED
 *
 * Within a part the state says what the user waits for. A session that fails begins again at
 * BACKOFF, as on_error says. One timer a user: user_due.c says for what.
 *
 * Its files are rooms with one job each; each uses those below it:
 *
 *   user_steer.c, user_event.c  what comes: from outside; its timer, its line
 *   user_ask.c                  what a script asks is begun
 *   user_wait.c, user_golden.c, user_think.c, user_type.c  each kind of ask
 *   user_part.c                 login, iterations, logout
 *   user_session.c              connecting, the end of a session and the next one
 *   user_reply.c, user_tx.c, user_note.c  what the script is told; transactions; failures
 *   user_line.c                 reading, feeding the screen, writing, watching the line
 *   user_due.c, user_state.c    when it is next due; what it is at
 */
#ifndef RTE_USER_H
#define RTE_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/random.h"
#include "line/line.h"
#include "rte/loop.h"
#include "rte/meter.h"
#include "rte/redact.h"
#include "rte/rows.h"
#include "rte/script.h"
#include "rte/shared.h"
#include "rte/stats.h"
#include "rte/typist.h"
#include "vscreen/screen.h"

struct rte_worker;

enum rte_user_state {
	RTE_U_PLANNED,
	RTE_U_BACKOFF, /* before it connects (again) */
	RTE_U_CONNECTING,
	RTE_U_RUNNING,  /* its script goes on in the next turn */
	RTE_U_HELD,     /* an observer holds it: a step, or the line is the person's */
	RTE_U_TYPING,   /* a key is scheduled */
	RTE_U_BLOCKED,  /* a key was sent and the line has not taken it whole */
	RTE_U_WAITING,  /* for a condition */
	RTE_U_THINKING, /* a think time or a pause */
	RTE_U_PACING,
	RTE_U_BARRIER,
	RTE_U_GOLDEN,  /* until the screen has settled, to be compared */
	RTE_U_CLOSING, /* the last response closes, then logout */
	RTE_U_LEAVING, /* after logout: the last output, the end of the line */
	RTE_U_DONE,
	RTE_U_FAILED
};

/* A transaction under way, or ended while its response has not closed. */
struct rte_tx {
	const char *name; /* NULL: none */
	size_t number;    /* of the name */
	bool in_iteration;
	bool waited; /* an expect was asked inside it */
	bool stale;
	int64_t iteration;
	uint32_t mix_number; /* of the shares that chose this function; 0: it is none of a mix */
	int64_t begin_ns;
	int64_t first_input_ns; /* RTE_NEVER: none was sent inside it */
	int64_t think_before_ns, due_late_ns;
	uint64_t keys, in_before, out_before;
	int64_t echo_sum_ns, echo_max_ns;
	uint32_t echo_n;
	const char *ended_by;
	double max_s;
	char *problem;    /* of a check that failed; owned */
	const char *file; /* where the script begins it; NULL: unknown */
	int line;
};

#define RTE_TAIL_BYTES 200 /* of output kept for messages */

/*
 * What a keystroke touches stands first and close together: with thousands of users each of these
 * lines of memory is a cache miss.
 */
struct rte_user {
	struct rte_timer timer; /* first: a timer that fires leads back to its user */
	struct rte_worker *worker;
	struct ln_line *line;
	struct vs_screen *screen;
	enum rte_user_state state;
	enum rte_shown shown;
	bool eof;
	bool broken; /* a write was refused; the end is still to be read */
	bool output; /* any since input_ns */
	bool keeps_stream;
	bool echo;           /* its line is always watched */
	bool queued;         /* in the worker's list of users to run */
	bool pending;        /* its script goes on in the next turn */
	bool recorded;       /* its script brings recorded gaps: where one lacks there is none */
	uint8_t unread;      /* keys sent since the line was read */
	uint16_t echo_bytes; /* output a key, of late */
	uint16_t n_idle;     /* transactions and iterations since it last typed or waited */
	struct rte_watch watch;
	struct rte_shared *shared;
	const struct rte_role *role;
	size_t typed;     /* bytes of ask.bytes that were sent */
	size_t character; /* number of the next one */
	char next[4];     /* the next one itself, when it is text */
	uint8_t next_len;
	bool mark_due; /* an input was sent that the screen has not been told of */
	struct rte_typist typist;
	struct rte_meter meter;

	/* instants */
	int64_t read_ns;       /* the last output */
	int64_t looked_ns;     /* when the line was last read, or tried */
	int64_t input_ns;      /* the last input in the session, else its opening */
	int64_t change_ns;     /* the last screen change in the session, else its opening */
	int64_t midway_ns;     /* since when the screen is no finished picture; RTE_NEVER */
	uint32_t updates;      /* of the screen then */
	int64_t echo_ns;       /* the key whose echo has not come; RTE_NEVER */
	int64_t not_before_ns; /* what the next key waits for has come then */
	int64_t deadline_ns;   /* of a wait */
	int64_t judge_ns;      /* judge again then; RTE_NEVER */
	int64_t blocked_at_ns; /* the line takes no bytes since; RTE_NEVER */
	uint64_t bytes_in, bytes_out;
	struct b_buf out; /* not yet taken by the line */
	struct b_random typing;
	int64_t late_ns;
	struct b_dist *tx_typing, *tx_think; /* given with the open transaction; owned */
	struct rte_tx tx;
	struct rte_ask ask; /* what the script asks */

	struct rte_tx closing; /* ended, its response has not closed */
	int64_t thought_ns;    /* the last think time or pause ended then */
	int64_t wait_from_ns;  /* the wait under way began then */
	int64_t wait_ns;       /* the think time as drawn */
	bool wait_follows;     /* a late change moves the end of the think time */
	bool expected;         /* an expect of this session was fulfilled */

	/* the session */
	const struct rte_script *script; /* this worker's copy of the role's */
	struct rte_actor *actor;
	int64_t number; /* from 1 */
	enum rte_part part;
	bool in_part;
	bool starts;   /* counted as to start */
	bool stopping; /* no more iterations, no more thinking */
	bool no_more;  /* the script said so, or its data ended */
	bool relogin;
	bool counted_out; /* has no iterations before it */
	int64_t session, iteration;
	int64_t iteration_from; /* iterations before it was started last */
	int64_t start_ns;       /* when it was to start; with arrivals, when its session was due */
	int64_t session_iterations;
	int64_t session_ns;
	int64_t part_ns;       /* when the part under way began */
	int64_t end_session;   /* the session at which it ends anyway (rte play); 0: none */
	int64_t failed_in_row; /* sessions without an iteration done */
	int64_t n_failures;    /* of any kind, for those who look on */
	int64_t logged;        /* lines of its script */
	int64_t connect_tries;
	int64_t account_ns[RTE_N_ACCOUNTS];
	enum rte_account account;
	int64_t account_since_ns;
	int64_t settling_ns, blocked_ns;
	int64_t pace_ns;     /* when the next iteration is due; RTE_NEVER before the first */
	int64_t due_late_ns; /* of this iteration; RTE_NEVER without pacing */
	const struct ln_target *target;
	struct vs_rect *masks;
	size_t n_masks;
	int64_t exit_look_ns;        /* when to ask next whether the SUT's program has ended */
	bool exited;                 /* it has */
	char *eof_why;               /* owned; NULL: closed in order */
	char *awaited;               /* for messages: what a failed wait was for; owned */
	const char *failed_tx;       /* the transaction that failed in this part; NULL */
	struct rte_ask *interrupted; /* the expect behind an `unexpected` rule; owned */
	struct vs_cond *interrupted_cond;
	int64_t interrupted_deadline_ns;
	size_t ruled; /* the last rule that took over, and the input and the change before it */
	int64_t ruled_input_ns, ruled_change_ns;
	struct rte_ticket ticket;
	struct b_random think, data, mix, engine;
	struct rte_deck deck;
	const char *function; /* that its mix gave this iteration; NULL: none */
	uint32_t mix_number;  /* of its role, from 1: the one it was picked from */
	struct b_buf stream;  /* output since the last input, kept once a script asks for it */
	struct rte_redactor secrets; /* what it has typed, above those of the environment */
	char tail[RTE_TAIL_BYTES];
	size_t tail_len;
};

/* Prepares user `number`; rte_user_start starts it. The worker's loop, outboxes and Lua state must
   be there. */
void rte_user_init(struct rte_user *u, struct rte_worker *w, int64_t number,
	const struct rte_role *role, const struct rte_script *script);
void rte_user_release(struct rte_user *u);

void rte_user_due(struct rte_timer *t, int64_t now); /* its timer's function */
/* Asks the caches for what its next key will touch. */
void rte_user_look_ahead(const struct rte_user *u);

/* Its watch is ready (what: RTE_WATCH_*), other than by bytes that the worker reads itself. */
void rte_user_ready(struct rte_user *u, unsigned what, int64_t now);
/* Bytes came at `at`; the screen is fed, nothing is judged yet. */
void rte_user_take(struct rte_user *u, const char *bytes, size_t len, int64_t at);
/* Reading gave an end of the line. why NULL: closed in order. */
void rte_user_eof(struct rte_user *u, const char *why, int64_t at);
/* Now and then: sees that the SUT's program has ended although its terminal is open; within 2 s of
   a wait, once nothing comes any more. */
void rte_user_exit_look(struct rte_user *u, int64_t now);
/* After the batch: judges, and goes on when what it waits for has come. */
void rte_user_run(struct rte_user *u, int64_t now);
/* What the person typed while the line is theirs. */
void rte_user_person(struct rte_user *u, const char *bytes, size_t len, int64_t now);
/* An observer lets it go on. */
void rte_user_go_on(struct rte_user *u, int64_t now);
/* Whether its barrier has been called; goes on then. */
void rte_user_barrier(struct rte_user *u, int64_t now);

/* To log out when it has finished what it is at. */
void rte_user_stop(struct rte_user *u, int64_t now);
/* Ends the session as it stands. */
void rte_user_kill(struct rte_user *u, const char *why, int64_t now);
/* A user that never started, or was stopped and is done, is to start. Nothing for others. */
void rte_user_start(struct rte_user *u, int64_t start_ns);
/* Steering. While the run is paused (shared->paused_ns) a user finishes what it is at and holds at
   its next think time, iteration or connect; resumed, it goes on as much later as the pause was. */
void rte_user_pause(struct rte_user *u, int64_t now);
void rte_user_resume(struct rte_user *u, int64_t paused_ns, int64_t now);

/* Whether its line is to be read by the worker now. */
bool rte_user_reads(const struct rte_user *u);
/* Watches its line as its state and the line itself ask. */
void rte_user_watch(struct rte_user *u);
const char *rte_user_state_name(const struct rte_user *u);
const char *rte_user_state_text(enum rte_user_state state);

/* What the Lua side calls (rte/script.h); host_user is the struct rte_user. */
extern const struct rte_host rte_user_host;

#endif
