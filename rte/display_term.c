#include "rte/display_term.h"

#include <curses.h>
#include <langinfo.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "base/buf.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "base/banned.h"

#define PAIRS_MAX 4096

struct pair {
	short fg, bg;
};

/* The one terminal of the process. */
static struct {
	SCREEN *screen;
	bool shared, colours, utf8;
	attr_t looks[RTE_N_LOOKS];
	struct pair pairs[PAIRS_MAX];
	int n_pairs, max_pairs; /* pair 0 is the default */
} term;

/* ---- Colours ---------------------------------------------------------------------------------- */

static int square(int a)
{
	return a * a;
}

/* What xterm shows for the palette's first sixteen. */
static const unsigned char base_colours[16][3] = { { 0, 0, 0 }, { 205, 0, 0 }, { 0, 205, 0 },
	{ 205, 205, 0 }, { 0, 0, 238 }, { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
	{ 127, 127, 127 }, { 255, 0, 0 }, { 0, 255, 0 }, { 255, 255, 0 }, { 92, 92, 255 },
	{ 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 } };

static void palette(int i, int rgb[3])
{
	static const int steps[] = { 0, 95, 135, 175, 215, 255 };

	for (int k = 0; k < 3; k++) {
		if (i < 16)
			rgb[k] = base_colours[i][k];
		else if (i < 232)
			rgb[k] = steps[(i - 16) / (k == 0 ? 36 : k == 1 ? 6 : 1) % 6];
		else
			rgb[k] = 8 + 10 * (i - 232);
	}
}

int rte_term_colour(uint32_t colour, int n)
{
	int want[3], have[3], best = 0, best_off = INT32_MAX;

	if (colour == VS_COLOUR_DEFAULT)
		return -1;
	if (!(colour & VS_COLOUR_RGB) && (int)(colour & 0xff) < n)
		return (int)(colour & 0xff);
	if (colour & VS_COLOUR_RGB) {
		want[0] = colour >> 16 & 0xff;
		want[1] = colour >> 8 & 0xff;
		want[2] = colour & 0xff;
	} else {
		palette((int)(colour & 0xff), want);
	}
	/* The first sixteen are the person's own: of 256 only the fixed ones are compared. */
	for (int i = n > 16 ? 16 : 0; i < n; i++) {
		int off;

		palette(i, have);
		off = square(want[0] - have[0]) + square(want[1] - have[1]) +
			square(want[2] - have[2]);
		if (off < best_off) {
			best_off = off;
			best = i;
		}
	}
	return best;
}

static int pair_of(int fg, int bg)
{
	if (!term.colours || (fg < 0 && bg < 0))
		return 0;
	for (int i = 1; i <= term.n_pairs; i++)
		if (term.pairs[i].fg == fg && term.pairs[i].bg == bg)
			return i;
	if (term.n_pairs + 1 >= term.max_pairs)
		return 0;
	term.n_pairs++;
	if (init_extended_pair(term.n_pairs, fg, bg) == ERR) {
		term.n_pairs--;
		return 0;
	}
	term.pairs[term.n_pairs] = (struct pair){ (short)fg, (short)bg };
	return term.n_pairs;
}

static void looks_make(void)
{
	static const struct {
		attr_t attrs;
		int fg;
	} looks[RTE_N_LOOKS] = {
		[RTE_LOOK_PLAIN] = { A_NORMAL, -1 },
		[RTE_LOOK_BOLD] = { A_BOLD, -1 },
		[RTE_LOOK_DIM] = { A_DIM, -1 },
		[RTE_LOOK_BAR] = { A_REVERSE, -1 },
		[RTE_LOOK_GOOD] = { A_NORMAL, COLOR_GREEN },
		[RTE_LOOK_WARN] = { A_NORMAL, COLOR_YELLOW },
		[RTE_LOOK_BAD] = { A_BOLD, COLOR_RED },
		[RTE_LOOK_CHOSEN] = { A_REVERSE, -1 },
	};

	for (int i = 0; i < RTE_N_LOOKS; i++)
		term.looks[i] = looks[i].attrs | COLOR_PAIR(pair_of(looks[i].fg, -1));
}

/* ---- Taking the terminal --------------------------------------------------------------------- */

/* A new size is looked for with each picture; the signal only wakes up who waits. */
static void on_resize(int sig)
{
	(void)sig;
}

static int said_size(const char *name, int max)
{
	const char *said = getenv(name);
	int64_t n;

	return said && !b_parse_int(said, 1, max, &n) ? (int)n : 0;
}

/* Curses would take any size, and gets memory for as many cells as that: it is told ours. */
static void fit(void)
{
	struct winsize ws = { 0 };
	int rows, cols;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws))
		ws.ws_row = ws.ws_col = 0;
	rows = ws.ws_row ? ws.ws_row : said_size("LINES", VS_ROWS_MAX);
	cols = ws.ws_col ? ws.ws_col : said_size("COLUMNS", VS_COLS_MAX);
	rows = !rows ? LINES : rows > VS_ROWS_MAX ? VS_ROWS_MAX : rows;
	cols = !cols ? COLS : cols > VS_COLS_MAX ? VS_COLS_MAX : cols;
	if (is_term_resized(rows, cols))
		resizeterm(rows, cols);
}

static void keys_unset(void)
{
	struct termios t;

	if (tcgetattr(STDIN_FILENO, &t))
		return;
	t.c_cc[VSUSP] = t.c_cc[VQUIT] = _POSIX_VDISABLE;
	if (!tcsetattr(STDIN_FILENO, TCSANOW, &t))
		def_prog_mode();
}

int rte_term_open(bool shared, struct b_error *err)
{
	const char *name = getenv("TERM");
	const char *instead =
		shared ? "use --display plain" : "rte ctl RUN_DIR state says how the run goes, too";
	struct sigaction woken = { .sa_handler = on_resize };

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return b_error_set(err, B_EENV,
			"the display needs a terminal on standard input and output; %s", instead);
	if (!name || !*name || !strcmp(name, "dumb"))
		return b_error_set(err, B_EENV,
			"the display needs a terminal whose TERM is set, and not dumb; %s",
			instead);
	set_escdelay(25);
	/* Curses leaves alone what is taken already, and then does not ask for sizes. */
	sigaction(SIGWINCH, &woken, NULL);
	use_env(FALSE);
	term.screen = newterm(NULL, stdout, stdin);
	if (!term.screen)
		return b_error_set(err, B_EENV,
			"the terminal '%s' is not known here; install ncurses-term, or: %s", name,
			instead);
	cbreak();
	noecho();
	nonl();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	term.shared = shared;
	if (shared)
		keys_unset();
	term.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	term.n_pairs = 0;
	term.colours = has_colors() && start_color() != ERR && use_default_colors() != ERR;
	term.max_pairs = COLOR_PAIRS < PAIRS_MAX ? COLOR_PAIRS : PAIRS_MAX;
	looks_make();
	fit();
	return B_OK;
}

void rte_term_leave(void)
{
	if (isendwin())
		return;
	curs_set(1);
	endwin();
}

void rte_term_close(void)
{
	if (!term.screen)
		return;
	/* When the run was killed, its shell has the terminal by now, in the modes that we set. */
	if (term.shared)
		signal(SIGTTOU, SIG_IGN);
	rte_term_leave();
	delscreen(term.screen);
	term.screen = NULL;
}

bool rte_term_ours(void)
{
	pid_t owner = tcgetpgrp(STDIN_FILENO);

	return owner < 0 || owner == getpgrp();
}

void rte_term_yield(void)
{
	struct termios now;
	bool known = !tcgetattr(STDIN_FILENO, &now);
	void (*before)(int);

	if (isendwin())
		return;
	before = signal(SIGTTOU, SIG_IGN);
	curs_set(1);
	endwin();
	/* A shell that edits its lines has set modes of its own already. */
	if (known && now.c_cc[VSUSP] != _POSIX_VDISABLE)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
	signal(SIGTTOU, before);
}

int rte_term_rows(void)
{
	return LINES;
}

int rte_term_cols(void)
{
	return COLS;
}

/* ---- Drawing ------------------------------------------------------------------------------------ */

void rte_term_clear(void)
{
	fit();
	erase();
}

/* A character that may be shown, and its width; controls and what joins others are none. */
static int show_width(uint32_t cp)
{
	int w = cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ? -1 : wcwidth((wchar_t)cp);

	return w < 1 ? -1 : w;
}

static void put(int row, int col, const wchar_t *text, attr_t attrs)
{
	cchar_t c;

	if (row < 0 || row >= LINES || col < 0 || col >= COLS)
		return;
	if (setcchar(&c, text, attrs, (short)PAIR_NUMBER(attrs), NULL) == OK)
		mvadd_wch(row, col, &c);
}

int rte_term_text(int row, int col, int width, enum rte_look look, const char *s)
{
	size_t left = strlen(s);
	int at = 0;

	while (left && at < width) {
		uint32_t cp;
		size_t n = b_utf8_decode(s, left, &cp);
		int w;

		if (!n)
			break;
		s += n;
		left -= n;
		w = show_width(cp);
		if (w < 0) {
			cp = '?';
			w = 1;
		}
		if (at + w > width)
			break;
		put(row, col + at, (wchar_t[]){ (wchar_t)cp, 0 }, term.looks[look]);
		at += w;
	}
	return at;
}

int rte_term_printf(int row, int col, int width, enum rte_look look, const char *fmt, ...)
{
	struct b_buf b = B_BUF_INIT;
	va_list ap;
	int at;

	va_start(ap, fmt);
	b_buf_vprintf(&b, fmt, ap);
	va_end(ap);
	at = rte_term_text(row, col, width, look, b_buf_cstr(&b));
	b_buf_release(&b);
	return at;
}

void rte_term_bar(int row, const char *left, const char *right)
{
	int cols = COLS, room = cols - (int)strlen(right) - 2;

	for (int c = 0; c < cols; c++)
		put(row, c, L" ", term.looks[RTE_LOOK_BAR]);
	rte_term_text(row, 1, room > 0 ? room - 1 : cols - 1, RTE_LOOK_BAR, left);
	if (*right && room > 0)
		rte_term_text(row, room + 1, cols, RTE_LOOK_BAR, right);
}

int rte_term_spark_step(double v, double top)
{
	int step;

	if (!(v >= 0))
		return -1;
	if (!(top > 0))
		return 0;
	step = (int)ceil(v / top * 8) - 1;
	return step < 0 ? 0 : step > 7 ? 7 : step;
}

void rte_term_spark(int row, int col, int width, enum rte_look look, const double *v, size_t n)
{
	static const wchar_t blocks[] = L"▁▂▃▄▅▆▇█", letters[] = L"__..::##";
	double top = 0;
	size_t from = n > (size_t)(width > 0 ? width : 0) ? n - (size_t)width : 0;

	if (width <= 0)
		return;
	for (size_t i = from; i < n; i++)
		if (v[i] > top)
			top = v[i];
	for (size_t i = from; i < n; i++) {
		int step = rte_term_spark_step(v[i], top);
		wchar_t text[2] = { L' ', 0 };

		if (step >= 0)
			text[0] = term.utf8 ? blocks[step] : letters[step];
		put(row, col + width - (int)(n - i), text, term.looks[look]);
	}
}

void rte_term_gauge(int row, int col, int width, double part)
{
	int full = (int)(part * width + 0.5);

	for (int i = 0; i < width; i++)
		put(row, col + i,
			i >= full           ? (term.utf8 ? L"░" : L"-")
				: term.utf8 ? L"█"
					    : L"#",
			term.looks[i < full ? RTE_LOOK_GOOD : RTE_LOOK_DIM]);
}

static attr_t cell_attrs(const struct vs_cell *c)
{
	static const struct {
		uint16_t vs;
		attr_t curses;
	} map[] = { { VS_BOLD, A_BOLD }, { VS_FAINT, A_DIM }, { VS_ITALIC, A_ITALIC },
		{ VS_UNDERLINE, A_UNDERLINE }, { VS_BLINK, A_BLINK }, { VS_REVERSE, A_REVERSE } };
	attr_t a = A_NORMAL;

	for (size_t i = 0; i < sizeof map / sizeof *map; i++)
		if (c->attrs & map[i].vs)
			a |= map[i].curses;
	return a;
}

void rte_term_cell(int row, int col, const struct vs_cell *c)
{
	wchar_t text[CCHARW_MAX + 1] = { L' ', 0 };
	int pair, n = 0;
	cchar_t out;

	if (!c->width || row < 0 || row >= LINES || col < 0 || col + c->width > COLS)
		return;
	if (c->chars[0] && !(c->attrs & VS_CONCEAL)) {
		/* Where this terminal thinks otherwise of a width, its picture would be torn. */
		bool fits = show_width(c->chars[0]) == c->width;

		text[0] = fits ? (wchar_t)c->chars[0] : L'?';
		for (n = 1; fits && n < CCHARW_MAX && c->chars[n]; n++)
			if (wcwidth((wchar_t)c->chars[n]) == 0)
				text[n] = (wchar_t)c->chars[n];
			else
				break;
		text[n] = 0;
	}
	pair = pair_of(rte_term_colour(c->fg, COLORS), rte_term_colour(c->bg, COLORS));
	if (setcchar(&out, text, cell_attrs(c), (short)pair, &pair) == OK)
		mvadd_wch(row, col, &out);
}

void rte_term_cursor(int row, int col)
{
	if (row < 0 || row >= LINES || col < 0 || col >= COLS) {
		curs_set(0);
		return;
	}
	move(row, col);
	curs_set(1);
}

void rte_term_show(void)
{
	refresh();
}

/* ---- Keys ------------------------------------------------------------------------------------------ */

int rte_term_key(void)
{
	wint_t c;

	switch (get_wch(&c)) {
	case OK: return c == '\n' ? '\r' : c == 127 || c == 8 ? (int)RTE_KEY_BACKSPACE : (int)c;
	case KEY_CODE_YES: break;
	default: return RTE_KEY_NONE;
	}
	switch (c) {
	case KEY_RESIZE: return RTE_KEY_RESIZE;
	case KEY_UP: return RTE_KEY_UP;
	case KEY_DOWN: return RTE_KEY_DOWN;
	case KEY_LEFT: return RTE_KEY_LEFT;
	case KEY_RIGHT: return RTE_KEY_RIGHT;
	case KEY_PPAGE: return RTE_KEY_PAGE_UP;
	case KEY_NPAGE: return RTE_KEY_PAGE_DOWN;
	case KEY_HOME: return RTE_KEY_HOME;
	case KEY_END: return RTE_KEY_END;
	case KEY_BACKSPACE: return RTE_KEY_BACKSPACE;
	case KEY_ENTER: return '\r';
	default: return RTE_KEY_OTHER;
	}
}
