#define _DEFAULT_SOURCE /* cfmakeraw */
#include "rte/viewer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "rte/viewer_source.h"
#include "base/banned.h"

#define BESIDE_MIN 24 /* columns of script that are worth showing */
#define BELOW_MIN  3  /* and rows */

struct rte_viewer {
	struct termios before;
	struct b_buf out;
	int rows, cols;             /* of the screen that was painted last */
	int shown_rows, shown_cols; /* what of it fits */
	struct rte_source *source;
	char *file; /* of the script; NULL: not to be shown */
	int line;
};

static void write_all(const char *s, size_t len)
{
	while (len) {
		ssize_t n = write(STDOUT_FILENO, s, len);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return;
		if (n > 0) {
			s += n;
			len -= (size_t)n;
		}
	}
}

int rte_viewer_new(struct rte_viewer **out, struct b_error *err)
{
	static const char begin[] = "\033[?1049h\033[2J\033[H";
	struct rte_viewer *v;
	struct termios raw;

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return b_error_set(err, B_EENV,
			"there is no terminal to show the screen on; leave out --watch and --step");
	v = b_calloc(1, sizeof *v);
	if (tcgetattr(STDIN_FILENO, &v->before)) {
		free(v);
		return b_error_set(
			err, B_EENV, "cannot set the terminal: %s", b_status_text(B_ESYS));
	}
	raw = v->before;
	cfmakeraw(&raw);
	/* Interrupting stays possible: it is how a person ends this. */
	raw.c_lflag |= ISIG;
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	write_all(begin, sizeof begin - 1);
	*out = v;
	return B_OK;
}

void rte_viewer_free(struct rte_viewer *v)
{
	static const char end[] = "\033[0m\033[?25h\033[?1049l";

	if (!v)
		return;
	write_all(end, sizeof end - 1);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &v->before);
	b_buf_release(&v->out);
	rte_source_free(v->source);
	free(v->file);
	free(v);
}

void rte_viewer_script(struct rte_viewer *v, const char *file, int line)
{
	if (!v->source)
		v->source = rte_source_new();
	if (!v->file || strcmp(v->file, file)) {
		free(v->file);
		v->file = b_strdup(file);
	}
	v->line = line;
}

/* Beside the screen, else below it; the last row is the status line's. */
static void paint_source(struct rte_viewer *v, const struct winsize *ws)
{
	int beside = ws->ws_col - v->cols - 1, below = ws->ws_row - v->rows - 1;

	if (!v->file)
		return;
	if (beside >= BESIDE_MIN)
		rte_source_paint(v->source, v->file, v->line, 1, v->cols + 2,
			below >= 0 ? v->rows : ws->ws_row - 1, beside, &v->out);
	else if (below >= BELOW_MIN)
		rte_source_paint(
			v->source, v->file, v->line, v->rows + 1, 1, below, ws->ws_col, &v->out);
}

static bool is_cut(const struct rte_viewer *v)
{
	return v->shown_rows < v->rows || v->shown_cols < v->cols;
}

/* What of the screen fits. Where that is not all, the last row is kept to say so. */
static void measure(struct rte_viewer *v, const struct vs_screen *s, const struct winsize *ws)
{
	v->shown_rows = v->rows = vs_screen_rows(s);
	v->shown_cols = v->cols = vs_screen_cols(s);
	if (!ws->ws_row || !ws->ws_col || (ws->ws_row >= v->rows && ws->ws_col >= v->cols))
		return;
	if (ws->ws_row <= v->rows)
		v->shown_rows = ws->ws_row > 1 ? ws->ws_row - 1 : 1;
	if (ws->ws_col < v->cols)
		v->shown_cols = ws->ws_col;
}

static void paint_status(struct rte_viewer *v, const struct winsize *ws, int at, const char *status)
{
	size_t room = ws->ws_col > 2 ? ws->ws_col - 2u : 0, n;
	char part[64] = "";

	if (is_cut(v))
		snprintf(part, sizeof part, "%d x %d of %d x %d | ", v->shown_cols, v->shown_rows,
			v->cols, v->rows);
	n = strnlen(part, room);
	b_buf_printf(&v->out, "\033[0m\033[%d;1H\033[K\033[7m %.*s", at, (int)n, part);
	b_escape_text(&v->out, status, strnlen(status, room - n));
	b_buf_addc(&v->out, ' ');
}

void rte_viewer_paint(struct rte_viewer *v, const struct vs_screen *s,
	const struct rte_redactor *secrets, const char *status, bool over)
{
	struct winsize ws = { 0 };
	bool has_size = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) && ws.ws_row && ws.ws_col;
	int row, col;

	b_buf_clear(&v->out);
	b_buf_adds(&v->out, "\033[?2026h");
	measure(v, s, &ws);
	rte_redact_paint(secrets, s, v->shown_rows, v->shown_cols, &v->out);
	if (has_size) {
		vs_screen_cursor(s, &row, &col);
		paint_source(v, &ws);
		if (is_cut(v))
			paint_status(v, &ws, ws.ws_row, status);
		else if (ws.ws_row > v->rows || over)
			paint_status(v, &ws, ws.ws_row <= row + 1 ? 1 : ws.ws_row, status);
		b_buf_adds(&v->out, "\033[0m");
		if (row < v->shown_rows && col < v->shown_cols)
			b_buf_printf(&v->out, "\033[%d;%dH", row + 1, col + 1);
	}
	b_buf_adds(&v->out, "\033[?2026l");
	write_all(v->out.data, v->out.len);
}

int rte_viewer_keys(struct rte_viewer *v, char *buf, size_t cap)
{
	ssize_t n = read(STDIN_FILENO, buf, cap);

	(void)v;
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	return n < 0 ? -1 : (int)n;
}

int rte_viewer_fd(const struct rte_viewer *v)
{
	(void)v;
	return STDIN_FILENO;
}
