/*
 * ptydrive - a scripted person at a terminal: runs a command on a pty of its own and drives it.
 *
 *   ptydrive [-f FILE] [-o FILE] -- COMMAND [ARG...]
 *
 * Steps come from FILE or standard input, one a line; blank lines and lines that begin with #
 * do nothing. The terminal is as xterm: a virtual screen that answers queries. -o keeps all
 * that came from the command. Exit status: the command's own (128+N for signal N), or 120 when
 * a step failed; the step, its line and the screen are then on standard error.
 *
 *   size COLSxROWS | term NAME | env NAME=VALUE      before the first other step
 *   deadline D         for each wait from here on (10s)
 *   gap D              between the characters of `type` (0)
 *   wait TEXT          until TEXT stands in a row of the screen; its blanks at the ends count
 *   gone TEXT          until it does not
 *   cursor ROW COL     until the cursor is there, from 1
 *   quiet D            until nothing has come for so long, from this step on
 *   title TEXT         until the window's title is TEXT
 *   key NAME...        keys by name, as rte names them
 *   type TEXT          a write a character
 *   send TEXT          in one write; \e \n \r \t \\ \xHH in it (in type too)
 *   paste TEXT         as a terminal pastes it
 *   resize COLSxROWS
 *   snapshot FILE      the screen's rows, then `cursor ROW COL`
 *   file FILE          until that file is there
 *   pause D            only where there is nothing to wait for
 *   signal NUMBER      to the command
 *   hangup             closes the terminal
 *   eof                until the command closes the line
 *   exit [STATUS]      until it has ended; with that status
 *
 * After the last step it waits for the end as `exit` does.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "line/line.h"
#include "vscreen/keys.h"
#include "vscreen/screen.h"
#include "base/banned.h"

#define FAILED 120

struct person {
	char *const *command;
	int rows, cols;
	char *term;
	const char **env;
	size_t n_env;
	int64_t deadline_ns, gap_ns;
	struct ln_target *target;
	struct ln_line *line;
	struct vs_screen *screen;
	struct vs_keymap *keys;
	struct b_buf to_send;
	int64_t last_output_ns;
	bool eof;
	int log;
	const char *step; /* for messages */
	int step_line;
};

_Noreturn static void fail(struct person *p, const char *fmt, ...) B_PRINTF(2, 3);

static void print_screen(const struct vs_screen *s, FILE *to)
{
	int row, col;

	for (int r = 0; r < vs_screen_rows(s); r++) {
		struct b_buf text = B_BUF_INIT;

		vs_screen_row(s, r, &text);
		fprintf(to, "%s\n", b_buf_cstr(&text));
		b_buf_release(&text);
	}
	vs_screen_cursor(s, &row, &col);
	fprintf(to, "cursor %d %d\n", row + 1, col + 1);
}

static void fail(struct person *p, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "ptydrive: line %d: %s: ", p->step_line, p->step);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	if (p->screen)
		print_screen(p->screen, stderr);
	ln_line_free(p->line);
	exit(FAILED);
}

/* ---- The line -------------------------------------------------------------------------- */

static void flush(struct person *p)
{
	while (p->to_send.len) {
		ssize_t n = ln_line_write(p->line, p->to_send.data, p->to_send.len, NULL);

		if (n <= 0) {
			if (n < 0)
				b_buf_clear(&p->to_send);
			return;
		}
		b_buf_consume(&p->to_send, (size_t)n);
	}
}

static void answer(void *user, const char *bytes, size_t len)
{
	struct person *p = user;

	b_buf_add(&p->to_send, bytes, len);
}

static void start(struct person *p)
{
	struct b_error err = { 0 };
	struct ln_options opt = {
		.term = p->term, .rows = p->rows, .cols = p->cols, .env = p->env
	};

	if (p->line)
		return;
	if (vs_screen_new(&p->screen,
		    &(struct vs_options){ .rows = p->rows,
			    .cols = p->cols,
			    .term = p->term,
			    .answer = answer,
			    .answer_user = p }))
		fail(p, "no such size");
	if (ln_target_command(&p->target, p->command, &err))
		fail(p, "%s", err.text);
	opt.target = p->target;
	if (ln_open(&p->line, &opt, &err))
		fail(p, "%s", err.text);
}

/* Reads what is there and waits for more, but not beyond until_ns. */
static void turn(struct person *p, int64_t until_ns)
{
	int64_t ms = (until_ns - b_clock_mono_ns() + B_NS_PER_MS - 1) / B_NS_PER_MS;
	struct pollfd fd = { .fd = p->eof ? -1 : ln_line_fd(p->line), .events = POLLIN };
	char buf[65536];
	ssize_t n;

	if (p->to_send.len)
		fd.events |= POLLOUT;
	/* A process without output is only noticed by asking. */
	poll(&fd, 1, ms < 0 ? 0 : ms > 20 && fd.fd < 0 ? 20 : (int)ms);
	flush(p);
	while (!p->eof && (n = ln_line_read(p->line, buf, sizeof buf, NULL)) != B_EAGAIN) {
		p->eof = n < 0;
		if (n <= 0)
			break;
		p->last_output_ns = b_clock_mono_ns();
		if (p->log >= 0 && write(p->log, buf, (size_t)n) != n)
			fail(p, "cannot write the log: %s", strerror(errno));
		vs_screen_feed(p->screen, buf, (size_t)n);
		flush(p);
	}
}

typedef bool condition_fn(struct person *p, const char *arg);

static condition_fn has_ended, file_there, quiet_for;

static void wait_until(struct person *p, condition_fn *holds, const char *arg)
{
	int64_t until_ns = b_clock_mono_ns() + p->deadline_ns;

	start(p);
	/* What came before does not count as quiet. */
	if (holds == quiet_for)
		p->last_output_ns = b_clock_mono_ns();
	for (;;) {
		turn(p, b_clock_mono_ns());
		if (holds(p, arg))
			return;
		if (p->eof && holds != has_ended && holds != file_there)
			fail(p, "the command has closed the line");
		if (b_clock_mono_ns() >= until_ns)
			fail(p, "not in time");
		turn(p, b_clock_mono_ns() + 20 * B_NS_PER_MS);
	}
}

static void send_bytes(struct person *p, const char *bytes, size_t len)
{
	start(p);
	turn(p, b_clock_mono_ns());
	b_buf_add(&p->to_send, bytes, len);
	flush(p);
}

/* ---- Conditions ------------------------------------------------------------------------ */

static bool on_screen(struct person *p, const char *text)
{
	for (int r = 0; r < vs_screen_rows(p->screen); r++) {
		struct b_buf row = B_BUF_INIT;
		bool hit;

		vs_screen_text(p->screen, r, 0, vs_screen_cols(p->screen), &row);
		hit = strstr(b_buf_cstr(&row), text);
		b_buf_release(&row);
		if (hit)
			return true;
	}
	return false;
}

static bool not_on_screen(struct person *p, const char *text)
{
	return !on_screen(p, text);
}

static bool cursor_at(struct person *p, const char *arg)
{
	int row, col, want_row, want_col;

	if (sscanf(arg, "%d %d", &want_row, &want_col) != 2)
		fail(p, "wants ROW COL");
	vs_screen_cursor(p->screen, &row, &col);
	return row + 1 == want_row && col + 1 == want_col;
}

static bool quiet_for(struct person *p, const char *arg)
{
	int64_t ns;

	if (b_parse_duration(arg, &ns))
		fail(p, "wants a duration");
	return p->eof || b_clock_mono_ns() - p->last_output_ns >= ns;
}

static bool title_is(struct person *p, const char *arg)
{
	return !strcmp(vs_screen_title(p->screen), arg);
}

static bool file_there(struct person *p, const char *arg)
{
	(void)p;
	return !access(arg, F_OK);
}

static bool at_eof(struct person *p, const char *arg)
{
	(void)arg;
	return p->eof;
}

static bool has_ended(struct person *p, const char *arg)
{
	int status;

	(void)arg;
	return !ln_line_reap(p->line, &status);
}

/* ---- Steps ----------------------------------------------------------------------------- */

static void unescape(struct person *p, const char *s, struct b_buf *out)
{
	unsigned hex;
	int used;

	for (; *s; s++) {
		if (*s != '\\' || !s[1]) {
			b_buf_addc(out, *s);
			continue;
		}
		switch (*++s) {
		case 'e': b_buf_addc(out, 0x1B); break;
		case 'n': b_buf_addc(out, '\n'); break;
		case 'r': b_buf_addc(out, '\r'); break;
		case 't': b_buf_addc(out, '\t'); break;
		case '\\': b_buf_addc(out, '\\'); break;
		case 'x':
			if (sscanf(s + 1, "%2x%n", &hex, &used) != 1)
				fail(p, "\\x wants two digits");
			b_buf_addc(out, (char)hex);
			s += used;
			break;
		default: fail(p, "unknown \\%c", *s);
		}
	}
}

static void idle(struct person *p, int64_t ns)
{
	int64_t until_ns = b_clock_mono_ns() + ns;

	while (b_clock_mono_ns() < until_ns)
		turn(p, until_ns);
}

static void step_type(struct person *p, const char *arg)
{
	struct b_buf text = B_BUF_INIT;
	uint32_t cp;
	size_t n;

	unescape(p, arg, &text);
	for (size_t i = 0; i < text.len; i += n) {
		n = b_utf8_decode(text.data + i, text.len - i, &cp);
		if (!n)
			n = text.len - i;
		send_bytes(p, text.data + i, n);
		idle(p, p->gap_ns);
	}
	b_buf_release(&text);
}

static void step_send(struct person *p, const char *arg)
{
	struct b_buf text = B_BUF_INIT;

	unescape(p, arg, &text);
	send_bytes(p, b_buf_cstr(&text), text.len);
	b_buf_release(&text);
}

static void step_paste(struct person *p, const char *arg)
{
	struct b_buf text = B_BUF_INIT, bytes = B_BUF_INIT;

	start(p);
	unescape(p, arg, &text);
	vs_paste_encode(b_buf_cstr(&text), text.len, vs_screen_modes(p->screen), &bytes);
	send_bytes(p, b_buf_cstr(&bytes), bytes.len);
	b_buf_release(&text);
	b_buf_release(&bytes);
}

static void step_key(struct person *p, const char *arg)
{
	char *names = b_strdup(arg), *save = NULL;
	struct b_error err = { 0 };

	start(p);
	if (!p->keys && vs_keymap_new(&p->keys, p->term, &err))
		fail(p, "%s", err.text);
	for (char *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		char bytes[VS_KEY_MAX];
		int n;

		turn(p, b_clock_mono_ns());
		n = vs_key_encode(p->keys, name, vs_screen_modes(p->screen), bytes, &err);
		if (n < 0)
			fail(p, "%s", err.text);
		send_bytes(p, bytes, (size_t)n);
		idle(p, p->gap_ns);
	}
	free(names);
}

static void step_resize(struct person *p, const char *arg)
{
	int cols, rows;

	start(p);
	if (b_parse_size(arg, &cols, &rows) || vs_screen_resize(p->screen, rows, cols) ||
		ln_line_resize(p->line, rows, cols))
		fail(p, "cannot resize");
}

static void step_snapshot(struct person *p, const char *arg)
{
	FILE *f = fopen(arg, "w");

	start(p);
	turn(p, b_clock_mono_ns());
	if (!f)
		fail(p, "%s", strerror(errno));
	print_screen(p->screen, f);
	if (fclose(f))
		fail(p, "%s", strerror(errno));
}

static int status_of(struct person *p)
{
	int status;

	wait_until(p, has_ended, NULL);
	turn(p, b_clock_mono_ns());
	if (ln_line_reap(p->line, &status))
		fail(p, "it has not ended");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void step_exit(struct person *p, const char *arg)
{
	int status = status_of(p);
	int64_t want;

	if (!*arg)
		return;
	if (b_parse_int(arg, 0, 255, &want))
		fail(p, "wants a status");
	if (want != status)
		fail(p, "it ended with %d", status);
}

static void step_pause(struct person *p, const char *arg)
{
	int64_t ns;

	start(p);
	if (b_parse_duration(arg, &ns))
		fail(p, "wants a duration");
	idle(p, ns);
}

static void step_signal(struct person *p, const char *arg)
{
	int64_t n;

	start(p);
	if (b_parse_int(arg, 1, 64, &n))
		fail(p, "wants a signal's number");
	ln_line_kill(p->line, (int)n);
}

static void step_hangup(struct person *p, const char *arg)
{
	(void)arg;
	start(p);
	ln_line_close(p->line);
	p->eof = true;
}

static void step_size(struct person *p, const char *arg)
{
	if (p->line || b_parse_size(arg, &p->cols, &p->rows))
		fail(p, "no size, or too late for it");
}

static void step_term(struct person *p, const char *arg)
{
	if (p->line)
		fail(p, "too late for it");
	free(p->term);
	p->term = b_strdup(arg);
}

static void step_env(struct person *p, const char *arg)
{
	if (p->line)
		fail(p, "too late for it");
	p->env = b_reallocarray(p->env, p->n_env + 2, sizeof *p->env);
	p->env[p->n_env++] = b_strdup(arg);
	p->env[p->n_env] = NULL;
}

static void step_deadline(struct person *p, const char *arg)
{
	if (b_parse_duration(arg, &p->deadline_ns))
		fail(p, "wants a duration");
}

static void step_gap(struct person *p, const char *arg)
{
	if (b_parse_duration(arg, &p->gap_ns))
		fail(p, "wants a duration");
}

static const struct {
	const char *name;
	void (*run)(struct person *p, const char *arg);
	condition_fn *wait;
} steps[] = {
	{ "size", step_size, NULL },
	{ "term", step_term, NULL },
	{ "env", step_env, NULL },
	{ "deadline", step_deadline, NULL },
	{ "gap", step_gap, NULL },
	{ "wait", NULL, on_screen },
	{ "gone", NULL, not_on_screen },
	{ "cursor", NULL, cursor_at },
	{ "quiet", NULL, quiet_for },
	{ "title", NULL, title_is },
	{ "file", NULL, file_there },
	{ "eof", NULL, at_eof },
	{ "key", step_key, NULL },
	{ "type", step_type, NULL },
	{ "send", step_send, NULL },
	{ "paste", step_paste, NULL },
	{ "resize", step_resize, NULL },
	{ "snapshot", step_snapshot, NULL },
	{ "pause", step_pause, NULL },
	{ "signal", step_signal, NULL },
	{ "hangup", step_hangup, NULL },
	{ "exit", step_exit, NULL },
};

static void run_step(struct person *p, char *text)
{
	size_t n = strcspn(text, " ");
	const char *arg = text[n] ? text + n + 1 : text + n;

	if (!*text || *text == '#')
		return;
	p->step = text;
	for (size_t i = 0; i < B_ARRAY_LEN(steps); i++) {
		if (strlen(steps[i].name) != n || memcmp(steps[i].name, text, n))
			continue;
		if (steps[i].run)
			steps[i].run(p, arg);
		else
			wait_until(p, steps[i].wait, arg);
		return;
	}
	fail(p, "no such step");
}

int main(int argc, char **argv)
{
	struct person p = {
		.rows = 24, .cols = 80, .deadline_ns = 10 * B_NS_PER_S, .log = -1, .step = "the end"
	};
	FILE *in = stdin;
	char *text = NULL;
	size_t cap = 0;
	ssize_t n;
	int c, status;

	p.term = b_strdup("xterm-256color");
	while ((c = getopt(argc, argv, "+f:o:")) != -1) {
		if (c == 'f' && !(in = fopen(optarg, "re"))) {
			fprintf(stderr, "ptydrive: %s: %s\n", optarg, strerror(errno));
			return FAILED;
		}
		if (c == 'o' &&
			(p.log = open(optarg, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) <
				0) {
			fprintf(stderr, "ptydrive: %s: %s\n", optarg, strerror(errno));
			return FAILED;
		}
		if (c == '?')
			return FAILED;
	}
	if (optind == argc) {
		fputs("usage: ptydrive [-f STEPS] [-o OUTPUT] -- COMMAND [ARG...]\n", stderr);
		return FAILED;
	}
	p.command = argv + optind;
	while ((n = getline(&text, &cap, in)) >= 0) {
		p.step_line++;
		if (n && text[n - 1] == '\n')
			text[n - 1] = '\0';
		run_step(&p, text);
	}
	p.step = "the end";
	free(text);
	status = status_of(&p);
	ln_line_free(p.line);
	ln_target_free(p.target);
	vs_screen_free(p.screen);
	vs_keymap_free(p.keys);
	for (size_t i = 0; i < p.n_env; i++)
		free((char *)(uintptr_t)p.env[i]);
	free(p.env);
	free(p.term);
	b_buf_release(&p.to_send);
	if (in != stdin)
		fclose(in);
	return status;
}
