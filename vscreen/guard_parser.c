/* The guard: libvterm's parser, what is given to it and what it calls. */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/dispatch.h"
#include "vscreen/guard.h"
#include "vscreen/guard_priv.h"
#include "vscreen/print.h"
#include "vscreen/state.h"
#include "vscreen/vterm_shim.h"
#include "base/banned.h"

void vs_note_move(struct vs_screen *s)
{
	if (s->row != s->mark_row || s->col != s->mark_col)
		s->cursor_moved = true;
}

static int on_text(const char *bytes, size_t len, void *user)
{
	struct vs_screen *s = user;
	size_t n = vs_print(s, bytes, len);

	vs_note_move(s);
	return (int)n;
}

static int on_control(unsigned char c, void *user)
{
	struct vs_screen *s = user;

	vs_control(s, c);
	vs_note_move(s);
	return 1;
}

static int on_escape(const char *bytes, size_t len, void *user)
{
	struct vs_screen *s = user;

	vs_escape(s, bytes, len);
	vs_note_move(s);
	return 1;
}

static int on_csi(
	const char *leader, const long args[], int n, const char *inter, char command, void *user)
{
	struct vs_screen *s = user;
	struct vs_args a; /* only what counts is set: this is the hottest path of all */
	bool sub = false;

	a.n = n;
	a.any_sub = false;
	for (int i = 0; i < n; i++) {
		long v = (long)CSI_ARG(args[i]);

		a.v[i] = CSI_ARG_IS_MISSING(args[i]) ? -1 : v > 65535 ? 65535 : (int)v;
		a.sub[i] = sub;
		a.any_sub = a.any_sub || sub;
		sub = CSI_ARG_HAS_MORE(args[i]) != 0;
	}
	vs_csi(s, leader ? leader[0] : 0, &a, inter ? inter : "", command);
	vs_note_move(s);
	return 1;
}

static const VTermParserCallbacks callbacks = {
	.text = on_text,
	.control = on_control,
	.escape = on_escape,
	.csi = on_csi,
};

void *vs_parser_new(struct vs_screen *s)
{
	VTerm *vt = vs_shim_new(&callbacks, s);

	B_BUG_ON(!vt);
	return vt;
}

void vs_parser_free(void *parser)
{
	if (parser)
		vterm_free(parser);
}

void vs_pass(struct vs_screen *s, const char *bytes, size_t len)
{
	if (len)
		vterm_input_write(s->guard.parser, bytes, len);
}

void vs_pass_control(struct vs_screen *s, uint32_t c)
{
	char byte = (char)c;

	vs_pass(s, &byte, 1);
}

void vs_pass_char(struct vs_screen *s, uint32_t cp)
{
	char utf8[4];

	vs_pass(s, utf8, b_utf8_encode(cp, utf8));
}

void vs_pass_escape(struct vs_screen *s, char final)
{
	struct vs_guard *g = &s->guard;
	char seq[8];
	size_t n = 0;

	g->state = VS_GUARD_GROUND;
	s->last_char = 0;
	if (g->esc_dropped)
		return;
	/* libvterm overlooks what stands between Esc and these: it would open a string or a CSI. */
	if (g->esc_len && memchr("PX[]^_", final, 6))
		return;
	seq[n++] = ESC;
	memcpy(seq + n, g->esc, g->esc_len);
	n += g->esc_len;
	seq[n++] = final;
	vs_pass(s, seq, n);
}

/* Arguments [from, to) as one sequence. */
static void csi_part(struct vs_screen *s, int from, int to, char final)
{
	struct vs_guard *g = &s->guard;
	char seq[16 + VS_PARSER_ARGS * 7];
	size_t n = 0;
	char digits[12];
	int d;
	int32_t v;

	seq[n++] = ESC;
	seq[n++] = '[';
	if (g->leader)
		seq[n++] = g->leader;
	for (int i = from; i < to; i++) {
		if (i > from)
			seq[n++] = g->subs & 1u << i ? ':' : ';';
		v = g->args[i];
		if (v < 0)
			continue;
		for (d = 0; d == 0 || v; v /= 10)
			digits[d++] = (char)('0' + v % 10);
		while (d)
			seq[n++] = digits[--d];
	}
	if (g->inter)
		seq[n++] = g->inter;
	seq[n++] = final;
	vs_pass(s, seq, n);
}

/* How many arguments from i on belong together in an SGR sequence: 38;5;N, 48;2;R;G;B ... */
static int sgr_group(const struct vs_guard *g, int i)
{
	int n = 1;
	int32_t v = g->args[i];

	if (i + 1 < g->n_args && !(g->subs & 2u << i) && (v == 38 || v == 48 || v == 58)) {
		n = g->args[i + 1] == 5 ? 3 : g->args[i + 1] == 2 ? 5 : 2;
		if (i + n > g->n_args)
			n = g->n_args - i;
	}
	while (i + n < g->n_args && g->subs & 1u << (i + n))
		n++;
	return n;
}

/* A sequence of more arguments than the parser holds: where each argument speaks for itself
   it goes in several, else what is too much is left out. */
void vs_pass_csi(struct vs_screen *s, char final)
{
	struct vs_guard *g = &s->guard;
	bool sgr = final == 'm' && !g->leader && !g->inter;
	bool modes = (final == 'h' || final == 'l') && !g->inter;
	int from = 0, n;

	g->state = VS_GUARD_GROUND;
	if (g->n_args <= VS_PARSER_ARGS) {
		csi_part(s, 0, g->n_args, final);
		return;
	}
	if (!sgr && !modes) {
		csi_part(s, 0, VS_PARSER_ARGS, final);
		return;
	}
	for (int i = 0; i < g->n_args; i += n) {
		n = sgr ? sgr_group(g, i) : 1;
		if (n > VS_PARSER_ARGS)
			break;
		if (i + n - from > VS_PARSER_ARGS) {
			csi_part(s, from, i, final);
			from = i;
		}
	}
	csi_part(s, from, from + VS_PARSER_ARGS < g->n_args ? from + VS_PARSER_ARGS : g->n_args,
		final);
}
