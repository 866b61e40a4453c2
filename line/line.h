/*
 * line/line.h - a terminal line to a SUT: one interface for pty, TCP, telnet, ssh, rlogin,
 * serial.
 *
 * A line is a non-blocking byte channel with one descriptor to watch. It knows nothing of
 * screens or scripts. Nothing here blocks, no call waits for the network, no thread is started.
 * A host given by name is looked up once for a target: by ln_limits_check, else by the first
 * ln_open, which then may wait for the resolver. A line belongs to one thread; targets are
 * immutable and shared.
 *
 * Order of calls: ln_target_parse once; for each session ln_open; while LN_CONNECTING watch
 * ln_line_fd for ln_line_wants and call ln_line_drive when ready or when ln_line_due_ns has
 * come; once LN_OPEN read and write; ln_line_close; ln_line_reap until it is done (pty);
 * ln_line_free. The descriptor may change while LN_CONNECTING (several addresses are tried):
 * ask again after each ln_line_drive.
 */
#ifndef LINE_LINE_H
#define LINE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* ---- Targets -------------------------------------------------------------------------- */

struct ln_target;

/*
 * pty:COMMAND, tcp://HOST:PORT, tcps://, telnet://HOST[:PORT], telnets://,
 * ssh://[USER@]HOST[:PORT], rlogin://[USER@]HOST[:PORT], serial:/dev/NAME?baud=9600.
 * {user} anywhere becomes the user's number when a line is opened. Those over a network take
 * ?alive=D: how long the SUT's host may leave what was sent, or a sign of life, without
 * acknowledgement before the line counts as torn (30 s). B_EUSAGE: not a target, or
 * a kind that this build has not; the message lists those it has.
 */
int ln_target_parse(struct ln_target **out, const char *text, struct b_error *err) B_CHECK;
/* A pty: target from the words of `-- COMMAND ARG...`, run as they are, without a shell. */
int ln_target_command(struct ln_target **out, char *const argv[], struct b_error *err) B_CHECK;
void ln_target_free(struct ln_target *t);
/* As parsed, for messages, run.json and the script's `target` line (a command is quoted so
   that parsing it again gives the same words). Passwords are not part of a target. */
const char *ln_target_text(const struct ln_target *t);
bool ln_target_is_pty(const struct ln_target *t);
bool ln_target_is_network(const struct ln_target *t); /* reached from a source address */

/* Whether text is an address of this machine, fit for ln_options.bind. B_EUSAGE: no address;
   B_EENV: not this machine's, or of a kind that it has not. */
int ln_bind_check(const char *text, struct b_error *err) B_CHECK;

/* ---- Lines ---------------------------------------------------------------------------- */

struct ln_line;

struct ln_options {
	const struct ln_target *target; /* must live as long as the line */
	const char *term;               /* told to the SUT; copied */
	int rows, cols;
	int64_t user;               /* number for {user}; 0: none, {user} is then 1 */
	const char *bind;           /* source address, or NULL */
	const char *cwd;            /* pty: working directory, or NULL */
	const char *const *env;     /* pty: NAME=VALUE, NULL ends; added to ours; may be NULL */
	int64_t connect_timeout_ns; /* 0: 30 s */
	/* A secret by name (the password of ssh), or NULL when there is none. May be NULL. */
	const char *(*secret)(void *user, const char *name);
	void *secret_user;
};

enum ln_state { LN_CONNECTING, LN_OPEN, LN_CLOSED };

/*
 * Starts a session. B_EENV when it is refused at once: the command cannot be run (the message
 * names it and errno), no more ptys or descriptors (the message says what to raise). A command
 * gets our environment, but TERM is the line's, and LINES, COLUMNS and what names the terminal
 * around us (COLORTERM, TMUX, ...) are not passed on; signals are as by default; of descriptors
 * it has 0 to 2.
 */
int ln_open(struct ln_line **out, const struct ln_options *opt, struct b_error *err) B_CHECK;

enum ln_state ln_line_state(const struct ln_line *l);
int ln_line_fd(const struct ln_line *l); /* to watch; -1 when closed. Owned by the line. */

#define LN_WANT_READ  1u
#define LN_WANT_WRITE 2u
#define LN_WANT_HELD  4u
/* Besides the caller's own wish to read, which an open line that refused bytes relies on. HELD: the
   line holds what it has taken from its descriptor (ssh, TLS), which may show nothing; who wishes
   to read watches for writing too, and reads an open line whatever it is ready for. */
unsigned ln_line_wants(const struct ln_line *l);

/* Gets on with connecting; on an open line that wants LN_WANT_WRITE, or is due, sends what the
   line itself owes (answers of a negotiation, signs of life, the end of a break). 0: the state may
   have changed; B_EENV: it failed, err says why. */
int ln_line_drive(struct ln_line *l, struct b_error *err) B_CHECK;
/* CLOCK_MONOTONIC time at which ln_line_drive wants to be called whatever happens, on an open
   line too; -1: none. */
int64_t ln_line_due_ns(const struct ln_line *l);

/*
 * Reads at most cap bytes. Returns their number (> 0), B_EAGAIN (nothing now), B_EOF (closed in
 * order: the process has ended, the peer has closed; all was read), or B_EENV (torn: reset,
 * hang-up, protocol broken; err says what). Bytes still queued in the kernel come before B_EOF.
 */
ssize_t ln_line_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err) B_CHECK;

/*
 * When the last bytes that ln_line_read gave came to this machine, CLOCK_MONOTONIC. A plain
 * connection (tcp, telnet, rlogin) has the kernel's word, so that a driver that reads late does
 * not take its own delay for the SUT's; other lines have the time of the read.
 */
int64_t ln_line_came_ns(const struct ln_line *l);

/*
 * Offers len bytes. Returns how many were accepted (0: the line takes none now; read on, and wait
 * for LN_WANT_WRITE, which may come with what is read), B_EOF or B_EENV. Accepted bytes are on
 * their way, in order.
 */
ssize_t ln_line_write(
	struct ln_line *l, const char *bytes, size_t len, struct b_error *err) B_CHECK;

/* Tells the SUT of a new window size. Lines that cannot carry one ignore it. */
int ln_line_resize(struct ln_line *l, int rows, int cols) B_CHECK;

/*
 * Sends a break, LN_BREAK_MS long where that is ours to say; what is written after it follows
 * it. Source: RFC 854 (telnet's BRK), RFC 4335 (ssh), termios(3) (serial). B_EUSAGE: this kind of
 * line carries none, the message lists those that do; B_EENV: the line is torn.
 */
int ln_line_break(struct ln_line *l, struct b_error *err) B_CHECK;
#define LN_BREAK_MS 300
bool ln_line_has_break(const struct ln_line *l); /* whether this kind of line carries one */

/* Whether typed characters are a secret by the line's own word (pty: ECHO off, ICANON on). */
bool ln_line_is_secret(const struct ln_line *l);

/* Hangs up: a pty's master is closed (its process gets SIGHUP), a socket is shut down. */
void ln_line_close(struct ln_line *l);

/*
 * The end of a pty's process: 0 and *status as from waitpid(2); B_EAGAIN while it runs;
 * B_ENOTFOUND for lines without a process. Reaps by pid; never waits.
 */
int ln_line_reap(struct ln_line *l, int *status) B_CHECK;
/* Descriptor that becomes readable when the process ends, or -1; made when first asked for, so
   who does not ask saves one a line. Output may still be queued then: read on until B_EOF; or,
   since a child left behind may hold the pty open for ever, until nothing comes for a while.
   Owned by the line. */
int ln_line_exit_fd(const struct ln_line *l);
/* Whether the process is stopped (SIGTSTP and the like). */
bool ln_line_is_stopped(struct ln_line *l);
void ln_line_kill(struct ln_line *l, int sig); /* to the process group; nothing without one */

void ln_line_free(struct ln_line *l); /* closes first; a process still there is killed and reaped
					 without waiting; NULL accepted */

/* ---- Limits --------------------------------------------------------------------------- */

/*
 * Whether n lines to these targets, taken in turn, fit this machine's limits (ptys, descriptors,
 * processes, memory); the soft descriptor limit is raised as far as is needed. Hosts are looked
 * up. B_EENV: err says which limit, its value, what is needed, and how to raise it; or which
 * host is not found.
 */
int ln_limits_check(const struct ln_target *const *targets, size_t n_targets, int64_t n,
	struct b_error *err) B_CHECK;

#endif
