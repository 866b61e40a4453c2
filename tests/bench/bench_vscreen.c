/*
 * What the virtual screen costs beside libvterm's own layers, in one run: ratios count, the
 * absolute figures move from machine to machine.
 *
 *   bench_vscreen [TRACE.cast...]
 *
 * screen  libvterm's screen layer, damage merged as in a terminal that redraws
 * state   libvterm's state layer with a grid of 8-byte cells beside it
 * ours    vs_screen
 *
 * Streams: forms (screens of labels and fields redrawn, fields filled in), the traces given,
 * and text that scrolls. Bytes come in pieces of 4095, as reads of a pty do, and as single
 * echoes. At the end the heap that a screen holds.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "capture/trace.h"
#include "vscreen/screen.h"
#include "base/banned.h"

#define ROWS   24
#define COLS   80
#define ROUNDS 7

/* ---- libvterm's screen layer ---------------------------------------------------------------- */

static int no_damage(VTermRect rect, void *user)
{
	(void)rect;
	(void)user;
	return 1;
}

static const VTermScreenCallbacks screen_callbacks = { .damage = no_damage };

static void *screen_layer_new(void)
{
	VTerm *vt = vterm_new(ROWS, COLS);
	VTermScreen *screen;

	vterm_set_utf8(vt, 1);
	screen = vterm_obtain_screen(vt);
	vterm_screen_set_callbacks(screen, &screen_callbacks, NULL);
	vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_SCROLL);
	vterm_screen_enable_altscreen(screen, 1);
	vterm_screen_reset(screen, 1);
	return vt;
}

static void screen_layer_feed(void *p, const char *bytes, size_t len)
{
	vterm_input_write(p, bytes, len);
	vterm_screen_flush_damage(vterm_obtain_screen(p));
}

static void vt_free(void *p)
{
	vterm_free(p);
}

/* ---- libvterm's state layer and a grid ------------------------------------------------------ */

struct cell {
	uint32_t glyph;
	uint16_t style, stamp;
};

struct state_layer {
	VTerm *vt;
	struct cell cells[ROWS][COLS];
	uint16_t style;
};

static int put_glyph(VTermGlyphInfo *info, VTermPos pos, void *user)
{
	struct state_layer *s = user;

	s->cells[pos.row][pos.col] = (struct cell){ info->chars[0], s->style, 1 };
	return 1;
}

static int move_rect(VTermRect dest, VTermRect src, void *user)
{
	struct state_layer *s = user;
	size_t bytes = (size_t)(src.end_col - src.start_col) * sizeof(struct cell);

	if (dest.start_row <= src.start_row)
		for (int r = 0; r < src.end_row - src.start_row; r++)
			memmove(&s->cells[dest.start_row + r][dest.start_col],
				&s->cells[src.start_row + r][src.start_col], bytes);
	else
		for (int r = src.end_row - src.start_row; --r >= 0;)
			memmove(&s->cells[dest.start_row + r][dest.start_col],
				&s->cells[src.start_row + r][src.start_col], bytes);
	return 1;
}

static int erase_rect(VTermRect rect, int selective, void *user)
{
	struct state_layer *s = user;

	(void)selective;
	for (int r = rect.start_row; r < rect.end_row; r++)
		for (int c = rect.start_col; c < rect.end_col; c++)
			s->cells[r][c] = (struct cell){ 0, s->style, 1 };
	return 1;
}

static int scroll_rect(VTermRect rect, int down, int right, void *user)
{
	vterm_scroll_rect(rect, down, right, move_rect, erase_rect, user);
	return 1;
}

static int set_pen(VTermAttr attr, VTermValue *val, void *user)
{
	struct state_layer *s = user;

	s->style = (uint16_t)(s->style * 31 + (unsigned)attr + (unsigned)val->boolean);
	return 1;
}

static int move_cursor(VTermPos pos, VTermPos old, int visible, void *user)
{
	(void)pos;
	(void)old;
	(void)visible;
	(void)user;
	return 1;
}

static const VTermStateCallbacks state_callbacks = {
	.putglyph = put_glyph,
	.movecursor = move_cursor,
	.scrollrect = scroll_rect,
	.erase = erase_rect,
	.setpenattr = set_pen,
};

static void *state_layer_new(void)
{
	struct state_layer *s = b_calloc(1, sizeof *s);
	VTermState *state;

	s->vt = vterm_new(ROWS, COLS);
	vterm_set_utf8(s->vt, 1);
	state = vterm_obtain_state(s->vt);
	vterm_state_set_callbacks(state, &state_callbacks, s);
	vterm_state_reset(state, 1);
	return s;
}

static void state_layer_feed(void *p, const char *bytes, size_t len)
{
	struct state_layer *s = p;

	vterm_input_write(s->vt, bytes, len);
}

static void state_layer_free(void *p)
{
	struct state_layer *s = p;

	vterm_free(s->vt);
	free(s);
}

/* ---- ours ----------------------------------------------------------------------------------- */

static void *ours_new(void)
{
	struct vs_screen *s;

	if (vs_screen_new(&s, &(struct vs_options){ .rows = ROWS, .cols = COLS }))
		abort();
	return s;
}

static void ours_feed(void *p, const char *bytes, size_t len)
{
	vs_screen_feed(p, bytes, len);
}

static void ours_free(void *p)
{
	vs_screen_free(p);
}

static const struct contender {
	const char *name;
	void *(*new)(void);
	void (*feed)(void *p, const char *bytes, size_t len);
	void (*free)(void *p);
} contenders[] = {
	{ "screen", screen_layer_new, screen_layer_feed, vt_free },
	{ "state", state_layer_new, state_layer_feed, state_layer_free },
	{ "ours", ours_new, ours_feed, ours_free },
};
#define CONTENDERS 3

/* ---- Streams -------------------------------------------------------------------------------- */

/* A form as curses paints it: labels, reversed fields, a frame, then fields filled in key by key
   with the status line redrawn. */
static void make_forms(struct b_buf *out)
{
	for (int form = 0; form < 40; form++) {
		b_buf_adds(out,
			"\033[H\033[2J\033[1;1H\033(0lqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqk\033(B");
		for (int f = 0; f < 14; f++)
			b_buf_printf(out,
				"\033[%d;4H\033[0mCustomer %c%02d . . . :\033[%d;26H\033[0;7m%-30s\033[m",
				f + 3, 'A' + form % 26, f, f + 3,
				f % 3 ? "" : "4711 Main Street 12");
		for (int f = 0; f < 14; f++) {
			for (int k = 0; k < 12; k++)
				b_buf_printf(out,
					"\033[%d;%dH\033[7m%c\033[m\033[24;1HField %2d  F1 Help  F3 Exit\033[%d;%dH",
					f + 3, 26 + k, 'a' + (form + k) % 26, f, f + 3, 27 + k);
			b_buf_printf(out, "\033[22;4H\033[31mBalance\033[39m %10d.%02d\033[K\r\n",
				form * 7919 + f, f);
		}
	}
}

static void make_scroll(struct b_buf *out)
{
	for (int i = 0; i < 20000; i++)
		b_buf_printf(out, "%d the quick brown fox jumps over the lazy dog %d\r\n", i,
			i * 17 % 1000);
}

static void make_short_lines(struct b_buf *out)
{
	for (int i = 1; i <= 60000; i++)
		b_buf_printf(out, "%d\r\n", i);
}

static int add_trace(struct b_buf *out, const char *path)
{
	struct cap_trace *t;
	struct b_error err = { 0 };

	if (cap_trace_load(&t, path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	for (size_t i = 0; i < t->n_events; i++)
		if (t->events[i].code == 'o' && t->rows == ROWS && t->cols == COLS)
			b_buf_add(out, t->events[i].data, t->events[i].len);
	cap_trace_free(t);
	return 0;
}

/* ---- Measuring ------------------------------------------------------------------------------ */

/* ns a byte, the stream fed as often as takes 50 ms. */
static double measure(const struct contender *c, const struct b_buf *stream, size_t piece)
{
	void *p = c->new ();
	int64_t from = b_clock_mono_ns(), ns;
	double bytes = 0;

	do {
		for (size_t pos = 0; pos < stream->len; pos += piece)
			c->feed(p, stream->data + pos,
				stream->len - pos < piece ? stream->len - pos : piece);
		bytes += (double)stream->len;
		ns = b_clock_mono_ns() - from;
	} while (ns < 50000000);
	c->free(p);
	return (double)ns / bytes;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v)
{
	qsort(v, ROUNDS, sizeof *v, by_value);
	return v[ROUNDS / 2];
}

static void run(const char *name, const struct b_buf *stream, size_t piece)
{
	double ns[CONTENDERS][ROUNDS], to_screen[ROUNDS], to_state[ROUNDS];

	if (!stream->len)
		return;
	for (int r = 0; r < ROUNDS; r++) {
		for (int c = 0; c < CONTENDERS; c++)
			ns[c][r] = measure(&contenders[c], stream, piece);
		to_screen[r] = ns[0][r] / ns[2][r];
		to_state[r] = ns[1][r] / ns[2][r];
	}
	printf("%-22s %8zu %5zu  %6.2f %6.2f %6.2f   %5.2f  %5.2f\n", name, stream->len, piece,
		median(ns[0]), median(ns[1]), median(ns[2]), median(to_screen), median(to_state));
	fflush(stdout);
}

static void heap(void)
{
	static const char alt[] = "\033[?1049h\033[2J\033[Hhello";

	printf("\nheap a screen of %dx%d, bytes:\n", COLS, ROWS);
	for (int c = 0; c < CONTENDERS; c++) {
		size_t from = mallinfo2().uordblks, plain, both;
		void *p = contenders[c].new();

		contenders[c].feed(p, "hello \033[1mworld\033[m", 17);
		plain = mallinfo2().uordblks - from;
		contenders[c].feed(p, alt, sizeof alt - 1);
		both = mallinfo2().uordblks - from;
		printf("%-10s %7zu, with the alternate screen used %7zu\n", contenders[c].name,
			plain, both);
		if (c == 2)
			printf("           %7zu by vs_screen_memory\n", vs_screen_memory(p));
		contenders[c].free(p);
	}
}

int main(int argc, char **argv)
{
	struct b_buf forms = B_BUF_INIT, traces = B_BUF_INIT, scroll = B_BUF_INIT,
		     lines = B_BUF_INIT;

	make_forms(&forms);
	make_scroll(&scroll);
	make_short_lines(&lines);
	for (int i = 1; i < argc; i++)
		if (add_trace(&traces, argv[i]))
			return 2;
	printf("%-22s %8s %5s  %20s   %12s\n", "", "bytes", "piece", "ns a byte", "times faster");
	printf("%-22s %8s %5s  %6s %6s %6s   %5s  %5s\n", "stream", "", "", "screen", "state",
		"ours", "screen", "state");
	run("forms", &forms, 4095);
	run("forms, as echoes", &forms, 40);
	run("traces", &traces, 4095);
	run("traces, as echoes", &traces, 40);
	run("scrolling text", &scroll, 4095);
	run("short lines", &lines, 4095);
	heap();
	b_buf_release(&forms);
	b_buf_release(&traces);
	b_buf_release(&scroll);
	b_buf_release(&lines);
	return 0;
}
