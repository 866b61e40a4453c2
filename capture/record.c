/* The recorder: set-up, the loop, and the end, whichever way it comes. */
#define _GNU_SOURCE /* signalfd is Linux's own */
#include "capture/record.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "capture/record_priv.h"
#include "base/banned.h"

/* An application that was hung up has so long for its last words. */
#define HANGUP_NS     (2 * B_NS_PER_S)
/* One that has closed its terminal has so long to end. */
#define EXIT_NS       (2 * B_NS_PER_S)
/* An application that has ended but whose terminal a child of it still holds: its output has come
   when nothing more comes for so long. */
#define LAST_WORDS_NS (100 * B_NS_PER_MS)
/* The last output has so long to reach the person's terminal. */
#define FLUSH_NS      (2 * B_NS_PER_S)
/* At the end of a pipe of keystrokes: nothing came for so long, or it never rests. */
#define IDLE_NS       (3 * B_NS_PER_S)
#define IDLE_MOST_NS  (15 * B_NS_PER_S)

/* ---- Signals --------------------------------------------------------------------------- */

struct signals {
	sigset_t old;
	struct sigaction old_xfsz, old_pipe;
	int fd;
};

static void signals_take(struct signals *s)
{
	static const int list[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t set;

	/* A trace that may grow no more, or a terminal that is gone, shows in the write. */
	sigaction(SIGXFSZ, &ignore, &s->old_xfsz);
	sigaction(SIGPIPE, &ignore, &s->old_pipe);

	sigemptyset(&set);
	for (size_t i = 0; i < B_ARRAY_LEN(list); i++)
		sigaddset(&set, list[i]);
	pthread_sigmask(SIG_BLOCK, &set, &s->old);
	s->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

static void signals_give_back(struct signals *s)
{
	struct signalfd_siginfo info;

	/* Those that have come are dealt with; they must not hit again. */
	while (s->fd >= 0 && read(s->fd, &info, sizeof info) > 0)
		;
	if (s->fd >= 0)
		close(s->fd);
	sigaction(SIGXFSZ, &s->old_xfsz, NULL);
	sigaction(SIGPIPE, &s->old_pipe, NULL);
	pthread_sigmask(SIG_SETMASK, &s->old, NULL);
}

/* The whole process is asked to stop, by a signal (the key goes to the application). */
static void suspend(struct recorder *r)
{
	struct b_buf undo = B_BUF_INIT;

	cap_tty_undo(r->screen, &undo);
	if (r->tty.out_is_tty)
		(void)!write(r->tty.out, undo.data, undo.len);
	b_buf_release(&undo);
	cap_tty_suspend(&r->tty);
	raise(SIGSTOP);
	cap_tty_resume(&r->tty);
}

static void on_signal(struct recorder *r, int sig)
{
	switch (sig) {
	case SIGWINCH: rec_resize(r); break;
	case SIGTSTP: suspend(r); break;
	case SIGCONT:
		cap_tty_resume(&r->tty);
		rec_resize(r);
		if (r->keys.mode != KEYS_OFF)
			break;
		r->keys.mode = KEYS_NOTE; /* as if an overlay had been there */
		rec_keys_close(r);
		break;
	default: r->stop = true; r->stop_signal = sig;
	}
}

static void read_signals(struct recorder *r, int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof info) == sizeof info)
		on_signal(r, (int)info.ssi_signo);
}

/* ---- The loop -------------------------------------------------------------------------- */

static int64_t sooner(int64_t a, int64_t b)
{
	return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

/* When a pipe of keystrokes has ended and the application waits for more: the time to hang up. */
static int64_t idle_due(const struct recorder *r)
{
	/* The last of the keystrokes may have been sent long after they were read. */
	int64_t from = r->pace.since_ns > r->in_closed_ns ? r->pace.since_ns : r->in_closed_ns;
	int64_t rest, most = from + IDLE_MOST_NS;

	if (r->in_open || r->stop || r->pace.queue.len || r->to_line.len)
		return -1;
	rest = (r->last_output_ns > from ? r->last_output_ns : from) + IDLE_NS;
	return rest < most ? rest : most;
}

/* Notices the end of an application whose terminal stays open; usually the line ends first. */
static void look_for_exit(struct recorder *r, bool exited)
{
	if (exited && r->exited_ns < 0)
		r->exited_ns = rec_now(r);
	if (r->exited_ns >= 0 && rec_now(r) >= r->exited_ns + LAST_WORDS_NS &&
		rec_now(r) >= r->last_output_ns + LAST_WORDS_NS)
		r->ended = true;
}

static int64_t exit_due(const struct recorder *r)
{
	if (r->exited_ns < 0)
		return -1;
	return (r->exited_ns > r->last_output_ns ? r->exited_ns : r->last_output_ns) +
		LAST_WORDS_NS;
}

static int timeout_ms(const struct recorder *r, int64_t until_ns)
{
	int64_t due = sooner(until_ns, cap_secret_due_ns(r->secret)), ms;

	due = sooner(due, rec_pace_due(r));
	due = sooner(due, idle_due(r));
	due = sooner(due, exit_due(r));
	if (ln_line_due_ns(r->line) >= 0)
		due = sooner(due, ln_line_due_ns(r->line) - r->start_ns);
	if (due < 0)
		return -1;
	ms = (due - rec_now(r) + B_NS_PER_MS - 1) / B_NS_PER_MS;
	return ms < 0 ? 0 : ms > 60000 ? 60000 : (int)ms;
}

static void do_what_is_due(struct recorder *r)
{
	int64_t now = rec_now(r), due = cap_secret_due_ns(r->secret);

	if (due >= 0 && now >= due && r->keys.mode == KEYS_OFF) {
		cap_secret_shown(r->secret, now, ln_line_is_secret(r->line));
		rec_settle(r);
	}
	if (r->pace.on)
		rec_pace_send(r);
	due = idle_due(r);
	if (due >= 0 && now >= due) {
		b_buf_adds(&r->result.notes,
			"the keystrokes ended before the application did; it was hung up\n");
		r->stop = true;
	}
}

static short line_events(const struct recorder *r)
{
	unsigned wants = ln_line_wants(r->line);
	bool reads = ln_line_state(r->line) == LN_OPEN ? rec_takes_output(r) : wants & LN_WANT_READ;

	return (short)((reads ? POLLIN : 0) |
		(wants & LN_WANT_WRITE || (reads && wants & LN_WANT_HELD) ? POLLOUT : 0));
}

/* Gets on with connecting, and with what an open line owes by itself. False: not open (yet). */
static bool drive(struct recorder *r, short revents)
{
	bool connecting = ln_line_state(r->line) == LN_CONNECTING;
	int64_t due = ln_line_due_ns(r->line);
	struct b_error err = { 0 };

	if (connecting || (due >= 0 && b_clock_mono_ns() >= due) ||
		(revents & POLLOUT && ln_line_wants(r->line) & LN_WANT_WRITE)) {
		if (ln_line_drive(r->line, &err))
			rec_broken(r, &err, connecting);
	}
	return ln_line_state(r->line) == LN_OPEN && !r->ended;
}

/* Waits for what comes next and deals with it; not beyond until_ns (-1: as long as it takes). */
static void turn(struct recorder *r, int sig_fd, int64_t until_ns)
{
	bool reads_person = r->in_open && r->to_line.len < REC_TO_LINE_MAX &&
		r->pace.queue.len < REC_TO_LINE_MAX && !r->stop;
	struct pollfd fds[] = {
		{ .fd = sig_fd, .events = POLLIN },
		{ .fd = ln_line_fd(r->line), .events = line_events(r) },
		{ .fd = reads_person ? r->tty.in : -1, .events = POLLIN },
		{ .fd = r->to_tty.len ? r->tty.out : -1, .events = POLLOUT },
		{ .fd = r->exited_ns < 0 ? ln_line_exit_fd(r->line) : -1, .events = POLLIN },
	};

	if (!fds[1].events)
		fds[1].fd = -1; /* or a hang-up would end each wait at once */
	if (poll(fds, B_ARRAY_LEN(fds), timeout_ms(r, until_ns)) < 0 && errno != EINTR)
		return;
	if (fds[0].revents)
		read_signals(r, sig_fd);
	if (fds[2].revents)
		rec_read_person(r);
	if (fds[3].revents)
		rec_flush_tty(r);
	if (!drive(r, fds[1].revents)) {
		do_what_is_due(r);
		return;
	}
	if (fds[1].revents & POLLOUT || r->to_line.len)
		rec_flush_line(r);
	/* Whatever it is ready for: a line may hold what was taken from its descriptor. */
	if (fds[1].revents & (POLLIN | POLLHUP | POLLERR) ||
		(fds[1].revents & POLLOUT && rec_takes_output(r)))
		rec_read_line(r);
	look_for_exit(r, fds[4].revents);
	do_what_is_due(r);
}

/* ---- Set-up ---------------------------------------------------------------------------- */

static void emit(void *user, int64_t at_ns, char code, const char *data, size_t len)
{
	rec_event(user, at_ns, code, data, len);
}

static int choose_size(struct recorder *r, struct b_error *err)
{
	int rows, cols;
	bool known = cap_tty_size(&r->tty, &rows, &cols);

	/* A size of one's own stays, whatever the window does that the output happens to go to. */
	r->fixed_size = r->opt.rows && !r->tty.in_is_tty;
	if (!r->opt.rows) {
		r->opt.rows = known ? rows : 24;
		r->opt.cols = known ? cols : 80;
	} else if (known && !r->fixed_size && (rows != r->opt.rows || cols != r->opt.cols)) {
		return b_error_set(err, B_EUSAGE,
			"the size %dx%d is not that of this terminal, %dx%d; resize the window, or "
			"leave --size away",
			r->opt.cols, r->opt.rows, cols, rows);
	}
	return B_OK;
}

static int set_up_screen(struct recorder *r, struct b_error *err)
{
	bool person = r->tty.in_is_tty && r->tty.out_is_tty;
	const struct vs_options vs = {
		.rows = r->opt.rows,
		.cols = r->opt.cols,
		.term = r->opt.term,
		/* The person's terminal answers; where there is none, we are the terminal. */
		.answer = person ? NULL : rec_answer,
		.answer_user = r,
	};
	const struct cap_secret_options secret = {
		.label_pattern = r->opt.secret_label, .emit = emit, .user = r
	};
	struct cap_secret_options so = secret;
	int rc = vs_keymap_new(&r->keymap, r->opt.term, err);

	if (rc)
		return B_EENV;
	if (vs_screen_new(&r->screen, &vs))
		return b_error_set(
			err, B_EUSAGE, "the size %dx%d is out of range", r->opt.cols, r->opt.rows);
	so.screen = r->screen;
	rc = cap_secret_new(&r->secret, &so, err);
	return rc ? rc : rec_keys_init(r, err);
}

/* Passwords that a line needs by itself (ssh) come from where a replay takes them. */
static const char *find_secret(void *user, const char *name)
{
	struct b_buf variable = B_BUF_INIT;
	const char *value;

	(void)user;
	b_buf_adds(&variable, "RTE_SECRET_");
	for (; *name; name++)
		b_buf_addc(&variable,
			*name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name);
	value = getenv(b_buf_cstr(&variable));
	b_buf_release(&variable);
	return value;
}

static int open_line(struct recorder *r, struct b_error *err)
{
	const struct ln_options ln = { .target = r->opt.target,
		.term = r->opt.term,
		.rows = r->opt.rows,
		.cols = r->opt.cols,
		.secret = find_secret };

	return ln_open(&r->line, &ln, err);
}

static int open_trace(struct recorder *r, struct b_error *err)
{
	const struct cap_header h = {
		.rows = r->opt.rows,
		.cols = r->opt.cols,
		.term = r->opt.term,
		.command = r->opt.command,
		.target = ln_target_text(r->opt.target),
		.timestamp_s = b_clock_wall_ns() / B_NS_PER_S,
	};

	return cap_writer_new(&r->writer, r->opt.trace_path, &h, err);
}

/* The application begins on an empty screen, as on any new terminal; what was there scrolls up,
   out of the way. */
static void clear_terminal(struct recorder *r)
{
	if (!r->tty.out_is_tty)
		return;
	b_buf_printf(&r->to_tty, "\033[%d;1H", r->opt.rows);
	for (int i = 0; i < r->opt.rows; i++)
		b_buf_addc(&r->to_tty, '\n');
	b_buf_adds(&r->to_tty, "\033[H\033[2J");
	rec_flush_tty(r);
}

/* ---- The end --------------------------------------------------------------------------- */

/* As when a terminal window is closed; but what the application still says is heard. */
static void hang_up(struct recorder *r, int sig_fd)
{
	int64_t until = rec_now(r) + HANGUP_NS;

	rec_keys_close(r);
	ln_line_kill(r->line, SIGHUP);
	ln_line_kill(r->line, SIGCONT);
	while (!r->ended && rec_now(r) < until && ln_target_is_pty(r->opt.target))
		turn(r, sig_fd, until);
	ln_line_close(r->line);
}

static int reap(struct recorder *r)
{
	int64_t until = rec_now(r) + EXIT_NS;
	int status, rc;

	while ((rc = ln_line_reap(r->line, &status)) == B_EAGAIN && rec_now(r) < until) {
		struct pollfd fd = { .fd = ln_line_exit_fd(r->line), .events = POLLIN };

		poll(&fd, 1, fd.fd < 0 ? 10 : (int)((until - rec_now(r)) / B_NS_PER_MS) + 1);
	}
	if (rc == B_EAGAIN)
		b_buf_adds(&r->result.notes,
			"the application has closed its terminal but has not ended\n");
	if (rc)
		return r->broken ? B_EXIT_ENV : B_EXIT_OK;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Everything that was shown reaches the terminal, or cannot. */
static bool flush_all(struct recorder *r)
{
	int64_t until = rec_now(r) + FLUSH_NS;

	rec_flush_tty(r);
	while (r->to_tty.len && !r->tty_gone && rec_now(r) < until) {
		struct pollfd fd = { .fd = r->tty.out, .events = POLLOUT };

		poll(&fd, 1, (int)((until - rec_now(r)) / B_NS_PER_MS) + 1);
		rec_flush_tty(r);
	}
	return !r->to_tty.len && !r->tty_gone;
}

static void end_trace(struct recorder *r)
{
	char status[16];

	cap_secret_finish(r->secret, rec_now(r));
	rec_settle(r);
	snprintf(status, sizeof status, "%d", r->result.status);
	rec_event(r, rec_now(r), 'x', status, strlen(status));
	if (cap_writer_free(r->writer) && !r->write_errno)
		r->write_errno = errno;
	r->writer = NULL;
	r->result.whole = !r->write_errno;
	if (r->write_errno)
		b_buf_printf(&r->result.notes,
			"the trace ends early: cannot write %s: %s; make room and record again\n",
			r->opt.trace_path, strerror(r->write_errno));
}

static void run(struct recorder *r, int sig_fd)
{
	bool drained;

	clear_terminal(r);
	while (!r->ended && !r->stop)
		turn(r, sig_fd, -1);
	if (!r->ended)
		hang_up(r, sig_fd);
	rec_keys_end(r);
	r->result.signal = r->tty_gone && !r->stop_signal ? SIGHUP : r->stop_signal;
	r->result.status = reap(r);
	r->result.duration_ns = rec_now(r);
	end_trace(r);
	if (r->tty.out_is_tty && !r->tty_gone)
		cap_tty_undo(r->screen, &r->to_tty);
	drained = flush_all(r);
	cap_tty_close(&r->tty, drained);
}

static void release(struct recorder *r)
{
	ln_line_free(r->line);
	cap_secret_free(r->secret);
	vs_screen_free(r->screen);
	vs_keymap_free(r->keymap);
	rec_keys_release(r);
	b_buf_release(&r->to_line);
	b_buf_release(&r->to_tty);
	b_buf_release(&r->deferred);
	b_buf_release(&r->answers);
	b_buf_release(&r->pace.queue);
}

int cap_record(
	const struct cap_record_options *opt, struct cap_record_result *out, struct b_error *err)
{
	struct recorder r = { .opt = *opt, .in_open = true, .last_output_ns = -1, .exited_ns = -1 };
	struct signals signals;
	int rc;

	signals_take(&signals);
	if (cap_tty_open(&r.tty, opt->in_fd, opt->out_fd)) {
		rc = b_error_set(err, B_ESYS, "cannot use this terminal: %s", strerror(errno));
		signals_give_back(&signals);
		return rc;
	}
	rc = choose_size(&r, err);
	if (!rc)
		rc = set_up_screen(&r, err);
	if (!rc)
		rc = open_trace(&r, err);
	if (!rc) {
		r.start_ns = b_clock_mono_ns();
		rc = open_line(&r, err);
		/* Without a session there is no trace of it. */
		if (rc && !cap_writer_free(r.writer))
			unlink(opt->trace_path);
	}
	if (!rc) {
		rec_pace_init(&r);
		cap_tty_leftovers(r.screen);
		run(&r, signals.fd);
		if (r.unconnected.code) {
			rc = b_error_set(err, r.unconnected.code, "%s", r.unconnected.text);
			unlink(opt->trace_path);
			b_buf_release(&r.result.notes);
		} else {
			*out = r.result;
		}
	}
	cap_tty_close(&r.tty, false);
	signals_give_back(&signals);
	release(&r);
	return rc;
}
