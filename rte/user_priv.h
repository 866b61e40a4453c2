/*
 * rte/user_priv.h - inside of rte/user*.c: what its files offer one another.
 *
 * Going on is a loop, not a recursion: each function that begins or ends something returns
 * RTE_GO when u->ask holds an ask that has not been begun, RTE_STAY when an event must come.
 */
#ifndef RTE_USER_PRIV_H
#define RTE_USER_PRIV_H

#include "rte/judge.h"
#include "rte/user.h"
#include "rte/worker.h"

enum rte_step { RTE_STAY, RTE_GO };

/* Whether it may begin nothing new for now. */
static inline bool rte_user_paused(const struct rte_user *u)
{
	return atomic_load_explicit(&u->shared->paused_ns, memory_order_relaxed) != 0;
}

/* The earlier of two instants; RTE_NEVER is later than any. */
static inline int64_t rte_user_earlier(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

/* ---- user_state.c ---- */
void rte_user_set_state(struct rte_user *u, enum rte_user_state state);
/* From now on the session's time goes to `to`. */
void rte_user_account(struct rte_user *u, enum rte_account to, int64_t now);
enum rte_account rte_user_part_account(const struct rte_user *u, enum rte_account inside);
bool rte_user_iterations_left(const struct rte_user *u);
/* It has no iterations before it any more; the last such user closes an interval that follows
   them. */
void rte_user_count_out(struct rte_user *u, int64_t now);
/* It is done or failed, for good or until it is started again. */
void rte_user_over(struct rte_user *u, enum rte_user_state state, int64_t now);

/* ---- user_due.c ---- */
/* Whether a pause of the run holds it. */
bool rte_user_holds(const struct rte_user *u);
/* Sets the timer for what the state is due for. */
void rte_user_arm(struct rte_user *u, int64_t now);

/* ---- user_reply.c ---- */
/* The ask is fulfilled (reply NULL) or is to fail: gives that to the script. */
enum rte_step rte_user_reply(struct rte_user *u, const struct rte_reply *reply, int64_t now);
enum rte_step rte_user_fail(struct rte_user *u, enum rte_fail_kind kind, int64_t now,
	const char *fmt, ...) B_PRINTF(4, 5);

/* ---- user_note.c ---- */
/* Puts down a failure for run.json, with the screen as it stands, and tells the observer. */
void rte_user_note(struct rte_user *u, const char *kind, const char *expected, const char *message);
/* A run in which nobody got anywhere says for what they all waited. */
void rte_user_note_waiting(struct rte_user *u);

/* ---- user_session.c ---- */
/* Connects, or goes on with it when the line is ready or due. Returns whether the line is open:
   then login is to begin. */
bool rte_user_connect(struct rte_user *u, int64_t now);
bool rte_user_connecting(struct rte_user *u, int64_t now);
/* Writes the session's row and lets go of line and screen. */
void rte_user_session_end(struct rte_user *u, const char *end, const char *detail, int64_t now);
void rte_user_session_drop(struct rte_user *u);
/* Ends it so, and says how the user goes on after one that failed. */
void rte_user_session_failed(struct rte_user *u, const char *end, const char *detail, int64_t now);
/* The session is over in good order: what next? */
void rte_user_left(struct rte_user *u, int64_t now);

/* ---- user_part.c ---- */
enum rte_step rte_user_login_start(struct rte_user *u, int64_t now);
enum rte_step rte_user_iteration_start(struct rte_user *u, int64_t now);
enum rte_step rte_user_logout_start(struct rte_user *u, int64_t now);
/* The part has returned (DONE) or failed. */
enum rte_step rte_user_part_done(struct rte_user *u, int64_t now);
enum rte_step rte_user_part_failed(struct rte_user *u, int64_t now);
/* A rule says that the user is to stop: the part ends where it stands. */
enum rte_step rte_user_part_left(struct rte_user *u, int64_t now);

/* ---- user_ask.c ---- */
/* Begins asks and resumes the script until it waits. */
void rte_user_go(struct rte_user *u, enum rte_step step, int64_t now);

/* ---- user_wait.c ---- */
enum rte_step rte_user_wait_begin(struct rte_user *u, int64_t now);
/* Judges the condition, then the rules; at: the instant that is looked at. */
enum rte_step rte_user_wait_due(struct rte_user *u, int64_t at);
/* What a condition of this user is judged on. */
struct rte_judge rte_user_judge(struct rte_user *u);
/* The rule that interrupted the wait is done, or failed: the wait goes on, or fails of it. */
enum rte_step rte_user_rule_done(struct rte_user *u, int64_t now);
enum rte_step rte_user_rule_failed(struct rte_user *u, int64_t now);
/* The wait that a rule interrupted is over. */
void rte_user_rule_drop(struct rte_user *u);

/* ---- user_think.c ---- */
enum rte_step rte_user_think_begin(struct rte_user *u, int64_t now);
enum rte_step rte_user_think_due(struct rte_user *u, int64_t now);
/* Output came while thinking: a change that belongs to the response moves the end. */
void rte_user_think_follow(struct rte_user *u);
enum rte_step rte_user_barrier_begin(struct rte_user *u, int64_t now);
enum rte_step rte_user_barrier_over(struct rte_user *u, bool called, int64_t now);

/* ---- user_golden.c ---- */
enum rte_step rte_user_golden_begin(struct rte_user *u, int64_t now);
enum rte_step rte_user_golden_due(struct rte_user *u, int64_t now);

/* ---- user_type.c ---- */
enum rte_step rte_user_type_begin(struct rte_user *u, int64_t now);
enum rte_step rte_user_type_due(struct rte_user *u, int64_t now); /* a key is due */
/* An input is sent at `at`: the exchange before closes, a new one begins. */
void rte_user_mark_input(struct rte_user *u, int64_t at);
/* The line has taken all; at: when. */
enum rte_step rte_user_type_taken(struct rte_user *u, int64_t at);
/* What was typed waits for the line to take it, for the time-out at most since it last took some. */
void rte_user_type_blocked(struct rte_user *u, int64_t now);
enum rte_step rte_user_type_stuck(struct rte_user *u, int64_t now);

/* A transaction that did nothing, or an iteration, has ended. Returns whether there have been so
   many in a row without a key or a wait that this user must not go on. */
bool rte_user_idles(struct rte_user *u);
bool rte_user_is_idle(const struct rte_user *u);
extern const char rte_user_idle_text[]; /* says so to the script's author */

/* ---- user_line.c ---- */
/* Offers bytes behind what is queued. Returns false when the line did not take all. */
bool rte_user_write(struct rte_user *u, const char *bytes, size_t len, int64_t now);
/* Takes what the line takes now of what is queued; true when all is out. */
bool rte_user_drain(struct rte_user *u, int64_t now);
/* The line takes bytes again, or the session ends: the time in which it took none is counted. */
void rte_user_unblocked(struct rte_user *u, int64_t now);
/* Reads what is there and feeds it, for a line that is not watched. */
void rte_user_read(struct rte_user *u);
/* Whether the next key may be typed before the line is read. */
bool rte_user_may_wait(const struct rte_user *u, int64_t now);
/* Shows the synchronised update that has been open for too long by now. */
void rte_user_show(struct rte_user *u, int64_t now);
/* Tells the screen of the last input, before it is fed or looked at. */
void rte_user_mark_screen(struct rte_user *u);
/* A write was refused: reads what is still there; then the line has ended. */
void rte_user_last_words(struct rte_user *u);

/* ---- user_tx.c ---- */
/* Closes the exchange when it is due, or now; writes the row that waited for it. */
void rte_user_settle(struct rte_user *u, int64_t now, bool close_it);
void rte_user_tx_input(struct rte_user *u, int64_t at, int64_t before_end); /* a key inside it */
/* The exchange that `closing` waits for has closed. */
void rte_user_tx_closed(struct rte_user *u);
/* A check that does not end the part: noted, with its place (file may be NULL). */
void rte_user_check_failed(
	struct rte_user *u, const char *file, int line, const char *expected, const char *message);
/* The session ends: what is open is cut off. */
void rte_user_tx_drop(struct rte_user *u, int64_t now);

#endif
