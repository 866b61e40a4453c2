/*
 * line/ops.h - inside of line/: what a kind of line provides. One file a kind.
 *
 * A kind is a `const struct ln_kind` in a file of its own (pty.c, tcp.c, ...), declared at the
 * end of this header and listed in target.c. Its lines are one allocation: a struct of its own
 * whose first member is struct ln_line. line.c allocates, calls and frees; what is common (state
 * checks, end of file that stays, NULL functions) is done there once.
 *
 * The functions follow the contract of line/line.h for the call of the same name. They are
 * called in state LN_OPEN only, except open and drive (LN_CONNECTING) and close, release.
 */
#ifndef LINE_OPS_H
#define LINE_OPS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "line/line.h"

struct addrinfo;
struct ln_kind;

/* What parse fills; strings are owned, NULL when not given, and may hold {user}. */
struct ln_target {
	const struct ln_kind *kind;
	char *text;
	char **argv;              /* pty: the words, NULL ends */
	char *user, *host, *port; /* network */
	char *path;               /* serial */
	char *query;              /* what stands behind '?' */
	int64_t alive_ns;         /* network: ?alive= */
	/* The host looked up once, for all lines and threads (dial.c); never freed before the
	   target. NULL while nobody has asked, or when the host holds {user}. */
	struct addrinfo *addresses;
	void *tls; /* TLS: the context of its lines (tls.c); NULL while nobody has asked */
	pthread_mutex_t lock; /* of addresses and tls */
};

struct ln_line {
	const struct ln_kind *kind;
	const struct ln_target *target;
	enum ln_state state;
	int fd;          /* -1 when closed */
	bool blocked;    /* the last write was not taken whole: the line wants LN_WANT_WRITE */
	bool shut;       /* blocked by the other side's word, not by fd: only reading can end it */
	bool ended;      /* B_EOF was given; it stays */
	unsigned wants;  /* LN_CONNECTING: what to watch fd for. LN_OPEN: to send what it owes */
	int64_t due_ns;  /* see ln_line_due_ns; -1: none */
	int64_t came_ns; /* see ln_line_came_ns; read may set it when it knows better than now */
};

struct ln_kind {
	const char *prefix; /* "pty:", "tcp://" */
	const char *form;   /* for messages: "tcp://HOST:PORT" */
	size_t line_size;   /* of its struct; at least sizeof(struct ln_line) */
	bool has_process;   /* each line costs a pty and a process of this machine */
	bool reserved_port; /* connects from a port of 512..1023 (rlogin) */

	bool inline_urgent; /* urgent bytes stand among the others (telnet's Synch) */

	/* rest: the target's text behind the prefix. Fills t or refuses. */
	int (*parse)(struct ln_target *t, const char *rest, struct b_error *err);
	/* Sets l->fd and l->state (LN_CONNECTING or LN_OPEN). On failure release is called. */
	int (*open)(struct ln_line *l, const struct ln_options *opt, struct b_error *err);
	int (*drive)(struct ln_line *l, struct b_error *err); /* NULL: always open at once, and
								 owes nothing by itself */
	ssize_t (*read)(struct ln_line *l, char *buf, size_t cap, struct b_error *err);
	ssize_t (*write)(struct ln_line *l, const char *bytes, size_t len, struct b_error *err);
	int (*resize)(struct ln_line *l, int rows, int cols);      /* NULL: it carries no size */
	int (*send_break)(struct ln_line *l, struct b_error *err); /* NULL: it carries none */
	bool (*is_secret)(const struct ln_line *l);                /* NULL: never known */
	void (*close)(struct ln_line *l); /* hangs up; line.c then closes fd. NULL: nothing */
	int (*reap)(struct ln_line *l, int *status); /* NULL: no process; so are the next three */
	int (*exit_fd)(struct ln_line *l);
	bool (*is_stopped)(struct ln_line *l);
	void (*kill)(struct ln_line *l, int sig);
	void (*release)(struct ln_line *l); /* what is owned besides fd. NULL: nothing */
};

/* ---- Helpers for kinds ---------------------------------------------------------------- */

/* s with each {user} replaced; user 0 counts as 1. The caller's, to be freed. */
char *ln_expand(const char *s, int64_t user);
bool ln_has_user(const char *s); /* whether s holds {user}; s may be NULL */

/*
 * [USER@]HOST[:PORT][?QUERY] into t; an IPv6 address stands in brackets. port: the default one,
 * or NULL when it must be given. with_user: whether USER@ is allowed.
 */
int ln_parse_host(struct ln_target *t, const char *rest, const char *port, bool with_user,
	struct b_error *err) B_CHECK;

/* Whether it is one, {user} replaced. B_EUSAGE. */
int ln_port_check(const char *port, struct b_error *err) B_CHECK;

/* Every network kind takes it in its query. */
#define LN_QUERY_ALIVE "alive"

/* The message for a peer whose host answers no more (errno is ETIMEDOUT): B_EENV. */
int ln_lost(const struct ln_line *l, struct b_error *err) B_CHECK;

/* read and write of a kind whose fd is a tty (tty.c). */
ssize_t ln_tty_read(struct ln_line *l, char *buf, size_t cap, struct b_error *err) B_CHECK;
ssize_t ln_tty_write(struct ln_line *l, const char *bytes, size_t len, struct b_error *err) B_CHECK;

extern const struct ln_kind ln_kind_pty;
extern const struct ln_kind ln_kind_tcp;
extern const struct ln_kind ln_kind_tcps;
extern const struct ln_kind ln_kind_telnet;
extern const struct ln_kind ln_kind_telnets;
extern const struct ln_kind ln_kind_ssh;
extern const struct ln_kind ln_kind_rlogin;
extern const struct ln_kind ln_kind_serial;

#endif
