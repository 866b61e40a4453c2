#include "rte/display.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "rte/control.h"
#include "rte/display_priv.h"
#include "base/banned.h"

#define LINE_MAX_BYTES (16u << 20)
#define SAID_NS        (6 * B_NS_PER_S)
#define LOOK_MS        1000 /* without news: the clock goes on */

/* A signal that asks us to go; the one thing that handlers may touch. */
static volatile sig_atomic_t asked_to_go, asked_to_stop;

static void on_signal(int sig)
{
	(void)sig;
	asked_to_go = 1;
}

static void on_stop(int sig)
{
	(void)sig;
	asked_to_stop = 1;
}

/* ---- Values ------------------------------------------------------------------------------------ */

double rte_display_number(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

const char *rte_display_text(const json_t *o, const char *key)
{
	const char *s = json_string_value(json_object_get(o, key));

	return s ? s : "";
}

const char *rte_display_time(char out[RTE_TIME_SIZE], double s)
{
	if (!(s >= 0)) {
		snprintf(out, RTE_TIME_SIZE, "-");
		return out;
	}
	if (s < 0.00995)
		snprintf(out, RTE_TIME_SIZE, "%.2fms", s * 1e3);
	else if (s < 0.0995)
		snprintf(out, RTE_TIME_SIZE, "%.1fms", s * 1e3);
	else if (s < 0.9995)
		snprintf(out, RTE_TIME_SIZE, "%.0fms", s * 1e3);
	else if (s < 99.5)
		snprintf(out, RTE_TIME_SIZE, "%.*fs", s < 9.95 ? 2 : 1, s);
	else
		snprintf(out, RTE_TIME_SIZE, "%.0fs", s > 99999 ? 99999 : s);
	return out;
}

const char *rte_display_amount(char out[RTE_TIME_SIZE], double v)
{
	if (!(v >= 0)) {
		snprintf(out, RTE_TIME_SIZE, "-");
		return out;
	}
	if (v < 99.95)
		snprintf(out, RTE_TIME_SIZE, "%.*f", v < 9.995 ? 2 : 1, v);
	else if (v < 99999.5)
		snprintf(out, RTE_TIME_SIZE, "%.0f", v);
	else if (v < 9999499)
		snprintf(out, RTE_TIME_SIZE, "%.0fk", v / 1e3);
	else
		snprintf(out, RTE_TIME_SIZE, "%.0fM", v > 9e12 ? 9e6 : v / 1e6);
	return out;
}

const char *rte_display_span(char out[32], double s)
{
	struct b_buf b = B_BUF_INIT;

	if (!(s >= 0) || s > 1e9) {
		snprintf(out, 32, "?");
		return out;
	}
	b_format_duration(&b, (int64_t)(s + 0.5) * B_NS_PER_S);
	snprintf(out, 32, "%s", b_buf_cstr(&b));
	b_buf_release(&b);
	return out;
}

/* ---- Talking to the run --------------------------------------------------------------------- */

void rte_display_say(struct rte_display *d, const char *fmt, ...)
{
	struct b_buf b = B_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	b_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	b_buf_addc(&b, '\n');
	/* Requests are short; a run that takes none any more is told of by its socket. */
	(void)!send(d->fd, b.data, b.len, MSG_NOSIGNAL | MSG_DONTWAIT);
	b_buf_release(&b);
}

static void note(struct rte_display *d, const char *text)
{
	snprintf(d->said, sizeof d->said, "%s", text);
	d->said_ns = b_clock_mono_ns();
}

static void log_take(struct rte_display *d, const json_t *lines)
{
	const json_t *v;
	size_t i;

	json_array_foreach(lines, i, v)
	{
		char **at = &d->log[d->n_log % RTE_LOG_SHOWN];

		if (!json_is_string(v))
			continue;
		free(*at);
		*at = b_strdup(json_string_value(v));
		d->n_log++;
	}
}

static void keep(json_t **at, json_t *o)
{
	json_decref(*at);
	*at = json_incref(o);
}

static void told(struct rte_display *d, json_t *o)
{
	const char *type = rte_display_text(o, "type");

	if (!strcmp(type, "state")) {
		keep(&d->state, o);
		d->state_ns = b_clock_mono_ns();
	} else if (!strcmp(type, "users")) {
		keep(&d->list, o);
	} else if (!strcmp(type, "user")) {
		keep(&d->user, o);
		rte_display_user_take(d);
	} else if (!strcmp(type, "log")) {
		log_take(d, json_object_get(o, "lines"));
	} else if (!strcmp(type, "reply")) {
		if (strcmp(rte_display_text(o, "text"), "you have control"))
			note(d, rte_display_text(o, "text"));
	} else if (!strcmp(type, "end")) {
		d->ended = d->leaves = true;
	}
}

/* Takes whole lines; B_EOF: the run is gone. */
static int hear(struct rte_display *d)
{
	char bytes[65536], *end;
	ssize_t n = recv(d->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	size_t used = 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return B_OK;
	if (n <= 0)
		return B_EOF;
	b_buf_add(&d->in, bytes, (size_t)n);
	while ((end = memchr(d->in.data + used, '\n', d->in.len - used))) {
		json_t *o = json_loadb(
			d->in.data + used, (size_t)(end - d->in.data) - used, JSON_ALLOW_NUL, NULL);

		if (o)
			told(d, o);
		json_decref(o);
		used = (size_t)(end - d->in.data) + 1;
	}
	b_buf_consume(&d->in, used);
	return d->in.len < LINE_MAX_BYTES ? B_OK : B_EOF;
}

/* ---- Keys ------------------------------------------------------------------------------------------ */

static bool may_steer(struct rte_display *d)
{
	if (d->opt->control)
		return true;
	note(d, "this is for looking only; rte watch --control steers");
	return false;
}

static void users_step(struct rte_display *d, int way)
{
	double wanted = rte_display_number(d->state, "wanted");
	double step = floor(wanted / 10 + 0.5);

	if (!may_steer(d) || !(wanted >= 0))
		return;
	if (step < 1)
		step = 1;
	wanted += way * step;
	rte_display_say(d, "users %.0f", wanted < 0 ? 0 : wanted);
}

static void ask(struct rte_display *d, enum rte_prompt p)
{
	if (p != RTE_PROMPT_USER && !may_steer(d))
		return;
	d->prompt = p;
	d->typed[0] = 0;
}

static void answered(struct rte_display *d, enum rte_prompt p)
{
	int64_t number;

	switch (p) {
	case RTE_PROMPT_USERS:
		if (d->typed[0])
			rte_display_say(d, "users %s", d->typed);
		break;
	case RTE_PROMPT_USER:
		if (!b_parse_int(d->typed, 1, INT64_MAX, &number))
			rte_display_user_open(d, number);
		break;
	case RTE_PROMPT_NEXT: rte_display_say(d, "next"); break;
	case RTE_PROMPT_STOP: rte_display_say(d, "stop"); break;
	case RTE_PROMPT_STOP_NOW: rte_display_say(d, "stop now"); break;
	default: break;
	}
}

static void prompt_key(struct rte_display *d, int key)
{
	enum rte_prompt p = d->prompt;
	bool number = p == RTE_PROMPT_USERS || p == RTE_PROMPT_USER;
	size_t len = strlen(d->typed);

	if (number && key >= '0' && key <= '9') {
		if (len + 1 < sizeof d->typed) {
			d->typed[len] = (char)key;
			d->typed[len + 1] = 0;
		}
		return;
	}
	if (number && key == RTE_KEY_BACKSPACE) {
		if (len)
			d->typed[len - 1] = 0;
		return;
	}
	if (key == RTE_KEY_RESIZE)
		return;
	d->prompt = RTE_PROMPT_NONE;
	if (number ? key == '\r' : key == 'y' || key == 'Y')
		answered(d, p);
}

static void list_open(struct rte_display *d, const char *order)
{
	d->order = order;
	d->list_from = d->list_at = 0;
	d->page = RTE_PAGE_LIST;
	json_decref(d->list);
	d->list = NULL;
	rte_display_list_ask(d);
}

static void run_key(struct rte_display *d, int key)
{
	switch (key) {
	case 'u': list_open(d, "number"); break;
	case 's': list_open(d, "slow"); break;
	case 'f': list_open(d, "failed"); break;
	case '+': users_step(d, 1); break;
	case '-': users_step(d, -1); break;
	case 'w': ask(d, RTE_PROMPT_USERS); break;
	case 'p':
		if (may_steer(d))
			rte_display_say(d, "%s",
				json_is_true(json_object_get(d->state, "paused")) ? "resume"
										  : "pause");
		break;
	case 'n': ask(d, RTE_PROMPT_NEXT); break;
	case 'e': ask(d, RTE_PROMPT_STOP); break;
	case 'E': ask(d, RTE_PROMPT_STOP_NOW); break;
	case '?':
	case 'h':
		d->back = d->page;
		d->page = RTE_PAGE_HELP;
		break;
	case 'q': d->leaves = true; break;
	default: break;
	}
}

static void key_take(struct rte_display *d, int key)
{
	if (d->prompt != RTE_PROMPT_NONE) {
		prompt_key(d, key);
		return;
	}
	if (key >= '0' && key <= '9' && d->page != RTE_PAGE_HELP) {
		ask(d, RTE_PROMPT_USER);
		prompt_key(d, key);
		return;
	}
	switch (d->page) {
	case RTE_PAGE_HELP:
		if (key != RTE_KEY_RESIZE)
			d->page = d->back;
		break;
	case RTE_PAGE_LIST: rte_display_list_key(d, key); break;
	case RTE_PAGE_USER: rte_display_user_key(d, key); break;
	default: run_key(d, key); break;
	}
}

/* ---- Drawing ------------------------------------------------------------------------------------------ */

static void prompt_draw(const struct rte_display *d)
{
	static const char *const texts[] = { [RTE_PROMPT_USERS] = "users wanted: ",
		[RTE_PROMPT_USER] = "look at user: ",
		[RTE_PROMPT_NEXT] = "begin the next phase now? y/n ",
		[RTE_PROMPT_STOP] = "end the run: users finish and log out? y/n ",
		[RTE_PROMPT_STOP_NOW] = "end the run at once, cutting off what goes on? y/n " };
	int row = rte_term_rows() - 1, at;

	rte_term_bar(row, texts[d->prompt], "");
	at = (int)strlen(texts[d->prompt]) + 1;
	at += rte_term_text(row, at, 20, RTE_LOOK_BAR, d->typed);
	rte_term_cursor(row, at);
}

static void draw(struct rte_display *d)
{
	int rows;

	rte_term_clear();
	rows = rte_term_rows();
	rte_term_cursor(-1, -1);
	switch (d->page) {
	case RTE_PAGE_LIST: rte_display_list_draw(d); break;
	case RTE_PAGE_USER: rte_display_user_draw(d); break;
	case RTE_PAGE_HELP: rte_display_help_draw(d); break;
	default: rte_display_run_draw(d); break;
	}
	if (d->said[0] && b_clock_mono_ns() - d->said_ns < SAID_NS && rows > 2)
		rte_term_bar(rows - 2, d->said, "");
	if (d->prompt != RTE_PROMPT_NONE)
		prompt_draw(d);
	rte_term_show();
}

/* ---- The loop ------------------------------------------------------------------------------------------ */

static void signals_take(const struct rte_display *d)
{
	struct sigaction go = { .sa_handler = on_signal }, stop = { .sa_handler = on_stop };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGTERM, &go, NULL);
	sigaction(SIGHUP, &go, NULL);
	sigaction(SIGQUIT, &go, NULL);
	/* On the run's own terminal Ctrl-C is for the run, which gets it, too. */
	sigaction(SIGINT, d->opt->attached ? &ignore : &go, NULL);
	sigaction(SIGTSTP, d->opt->attached ? &ignore : &stop, NULL);
}

/* Not within the signal's handler, as curses would, in the middle of its drawing. The next picture
   takes the terminal again. */
static void stop(void)
{
	struct sigaction now = { .sa_handler = SIG_DFL }, later = { .sa_handler = on_stop };

	asked_to_stop = 0;
	rte_term_leave();
	sigaction(SIGTSTP, &now, NULL);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &later, NULL);
}

static void keys_take(struct rte_display *d)
{
	int key;

	while (!d->leaves && (key = rte_term_key()) != RTE_KEY_NONE)
		key_take(d, key);
}

/* No more when the run beside us was stopped from outside and its shell goes on. */
static bool terminal_ours(const struct rte_display *d)
{
	return !d->opt->attached || rte_term_ours();
}

/* B_OK: the person leaves; B_EOF: the run is gone; B_ESYS: the terminal is. */
static int loop(struct rte_display *d)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = d->fd, .events = POLLIN } };

	while (!d->leaves && !asked_to_go) {
		bool ours;

		if (asked_to_stop)
			stop();
		ours = terminal_ours(d);
		if (ours)
			draw(d);
		else
			rte_term_yield();
		fds[0].fd = ours ? STDIN_FILENO : -1;
		if (poll(fds, 2, LOOK_MS) < 0 && errno != EINTR)
			return B_ESYS;
		/* A change of size comes as a key. */
		if (terminal_ours(d))
			keys_take(d);
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			return B_ESYS;
		if (fds[1].revents && hear(d) && !d->ended)
			return B_EOF;
		fds[0].revents = fds[1].revents = 0;
	}
	return B_OK;
}

static void release(struct rte_display *d)
{
	json_decref(d->state);
	json_decref(d->list);
	json_decref(d->user);
	for (size_t i = 0; i < RTE_LOG_SHOWN; i++)
		free(d->log[i]);
	b_buf_release(&d->in);
	vs_screen_free(d->screen);
	if (d->fd >= 0)
		close(d->fd);
}

int rte_display_run(const struct rte_display_options *opt, bool *ended, struct b_error *err)
{
	struct rte_display d = { .opt = opt, .fd = -1, .order = "number" };
	int rc = rte_control_connect(opt->dir, &d.fd, err);

	if (!rc)
		rc = rte_term_open(opt->attached, err);
	if (rc) {
		release(&d);
		return rc;
	}
	signals_take(&d);
	if (opt->control)
		rte_display_say(&d, "control %s", opt->attached ? "display" : "watch");
	rte_display_say(&d, "watch");
	if (opt->user)
		rte_display_user_open(&d, opt->user);
	rc = loop(&d);
	rte_term_close();
	*ended = d.ended || rc == B_EOF;
	release(&d);
	return B_OK;
}
