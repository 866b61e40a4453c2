#include "vscreen/guard.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/state.h"
#include "vscreen/vterm_shim.h"
#include "base/banned.h"

#define ESC 0x1B
#define CAN 0x18
#define SUB 0x1A
#define DEL 0x7F
#define BEL 0x07

/* ---- What the parser calls --------------------------------------------------------------- */

static void note_move(struct vs_screen *s)
{
	if (s->row != s->mark_row || s->col != s->mark_col)
		s->cursor_moved = true;
}

static int on_text(const char *bytes, size_t len, void *user)
{
	struct vs_screen *s = user;
	size_t n = vs_print(s, bytes, len);

	note_move(s);
	return (int)n;
}

static int on_control(unsigned char c, void *user)
{
	struct vs_screen *s = user;

	vs_control(s, c);
	note_move(s);
	return 1;
}

static int on_escape(const char *bytes, size_t len, void *user)
{
	struct vs_screen *s = user;

	vs_escape(s, bytes, len);
	note_move(s);
	return 1;
}

static int on_csi(const char *leader, const long args[], int n, const char *inter, char command,
	void *user)
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
	note_move(s);
	return 1;
}

static const VTermParserCallbacks callbacks = {
	.text = on_text,
	.control = on_control,
	.escape = on_escape,
	.csi = on_csi,
};

void vs_guard_init(struct vs_screen *s)
{
	s->guard = (struct vs_guard){ .utf8 = !s->eight_bit };
	s->guard.parser = vs_shim_new(&callbacks, s);
	B_BUG_ON(!s->guard.parser);
}

void vs_guard_release(struct vs_guard *g)
{
	if (g->parser)
		vterm_free(g->parser);
	b_buf_release(&g->string);
}

void vs_guard_ground(struct vs_guard *g)
{
	g->state = VS_GUARD_GROUND;
	g->string_esc = false;
	b_buf_release(&g->string);
}

bool vs_guard_midway(const struct vs_guard *g)
{
	if (g->state == VS_GUARD_PRINT)
		return g->esc_len > 0;
	return g->state != VS_GUARD_GROUND || g->held_len > 0;
}

size_t vs_guard_memory(const struct vs_guard *g)
{
	return g->string.cap + 1024; /* libvterm's parser: about 1 KiB with its buffers */
}

/* ---- To the parser ------------------------------------------------------------------------ */

static void pass(struct vs_screen *s, const char *bytes, size_t len)
{
	if (len)
		vterm_input_write(s->guard.parser, bytes, len);
}

static void pass_control(struct vs_screen *s, uint32_t c)
{
	char byte = (char)c;

	pass(s, &byte, 1);
}

static void pass_char(struct vs_screen *s, uint32_t cp)
{
	char utf8[4];

	pass(s, utf8, b_utf8_encode(cp, utf8));
}

static void pass_escape(struct vs_screen *s, char final)
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
	pass(s, seq, n);
}

/* Arguments [from, to) as one sequence. */
static void pass_csi_part(struct vs_screen *s, int from, int to, char final)
{
	struct vs_guard *g = &s->guard;
	char seq[16 + VS_ARGS_MAX * 7];
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
	pass(s, seq, n);
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
static void pass_csi(struct vs_screen *s, char final)
{
	struct vs_guard *g = &s->guard;
	bool sgr = final == 'm' && !g->leader && !g->inter;
	bool modes = (final == 'h' || final == 'l') && !g->inter;
	int from = 0, n;

	g->state = VS_GUARD_GROUND;
	if (g->n_args <= VS_ARGS_MAX) {
		pass_csi_part(s, 0, g->n_args, final);
		return;
	}
	if (!sgr && !modes) {
		pass_csi_part(s, 0, VS_ARGS_MAX, final);
		return;
	}
	for (int i = 0; i < g->n_args; i += n) {
		n = sgr ? sgr_group(g, i) : 1;
		if (n > VS_ARGS_MAX)
			break;
		if (i + n - from > VS_ARGS_MAX) {
			pass_csi_part(s, from, i, final);
			from = i;
		}
	}
	pass_csi_part(s, from, from + VS_ARGS_MAX < g->n_args ? from + VS_ARGS_MAX : g->n_args,
		final);
}

/* ---- Strings ------------------------------------------------------------------------------ */

static void string_begin(struct vs_guard *g, char kind)
{
	g->state = VS_GUARD_STRING;
	g->string_kind = kind;
	g->string_esc = false;
	g->string_cut = false;
	g->string_len = 0;
	b_buf_clear(&g->string);
}

static void string_add(struct vs_guard *g, unsigned char c)
{
	g->string_len++;
	if (g->string.len < VS_STRING_MAX)
		b_buf_addc(&g->string, (char)c);
	else
		g->string_cut = true;
}

static void string_end(struct vs_screen *s, bool bell)
{
	struct vs_guard *g = &s->guard;
	struct b_buf text = g->string;

	/* Taken first: what it says may reset the guard. Not kept: most screens see few. */
	g->string = (struct b_buf)B_BUF_INIT;
	g->state = VS_GUARD_GROUND;
	vs_string(s, g->string_kind, text.data ? text.data : "", text.len, g->string_cut, bell);
	b_buf_release(&text);
}

static void code(struct vs_screen *s, uint32_t cp);
static void byte(struct vs_screen *s, unsigned char c);

/* A sequence came to nothing. */
static void give_up(struct vs_screen *s)
{
	vs_guard_ground(&s->guard);
	s->last_char = 0; /* as after any sequence: REP has nothing to repeat */
}

static void escape_begin(struct vs_guard *g)
{
	g->state = VS_GUARD_ESC;
	g->esc_len = 0;
	g->esc_dropped = false;
}

static void string_byte(struct vs_screen *s, unsigned char c)
{
	struct vs_guard *g = &s->guard;

	if (g->string_esc) {
		g->string_esc = false;
		if (c == '\\') {
			string_end(s, false);
			return;
		}
		b_buf_release(&g->string);
		escape_begin(g);
		byte(s, c);
		return;
	}
	/* The palette sequences of the Linux console have no end: ESC ] P and 7 digits, ESC ] R. */
	if (g->string.len && ((g->string.data[0] == 'P' && g->string_len > 7) || g->string.data[0] == 'R')) {
		give_up(s);
		byte(s, c);
		return;
	}
	if (c == ESC) {
		g->string_esc = true;
	} else if (c == CAN || c == SUB) {
		give_up(s);
	} else if (c == BEL && g->string_kind == ']') {
		string_end(s, true);
	} else if (c == BEL) {
		s->bells++;
	} else if (c == 0x9C && s->eight_bit) {
		string_end(s, false);
	} else if (c >= 0x80 && c < 0xA0 && s->eight_bit) {
		give_up(s);
		byte(s, c);
	} else {
		string_add(g, c);
	}
}

/* ---- Print jobs: to CSI 4 i ---------------------------------------------------------------- */

static void print_byte(struct vs_screen *s, unsigned char c)
{
	static const char end[] = "\033[4i", again[] = "\033[5i";
	struct vs_guard *g = &s->guard;

	if (c == 0 || c == 0x11 || c == 0x13)
		return; /* as xterm: flow control is no data */
	if (g->esc_len < 4 && (c == (unsigned char)end[g->esc_len] ||
		c == (unsigned char)again[g->esc_len])) {
		g->esc[g->esc_len++] = (char)c;
		if (g->esc_len < 4)
			return;
		if (g->esc[2] == '4')
			g->state = VS_GUARD_GROUND;
		g->esc_len = 0;
		return;
	}
	vs_print_job(s, g->esc, g->esc_len);
	g->esc_len = 0;
	if (c == ESC)
		g->esc[g->esc_len++] = (char)c;
	else
		vs_print_job(s, (const char *)&c, 1);
}

/* ---- Sequences, one code at a time ----------------------------------------------------------- */

static void csi_begin(struct vs_guard *g)
{
	g->state = VS_GUARD_CSI;
	g->leader = g->inter = 0;
	g->n_args = 1;
	g->args[0] = -1;
	g->subs = 0;
}

/* C1, as its 7-bit form. */
static void c1(struct vs_screen *s, uint32_t c)
{
	escape_begin(&s->guard);
	code(s, c - 0x40);
}

static void escape_code(struct vs_screen *s, uint32_t c)
{
	struct vs_guard *g = &s->guard;

	if (c >= 0x20 && c < 0x30) {
		if (s->level == 0) /* VT52: ESC and a blank are followed by one that is nothing */
			g->esc_dropped = true;
		else if (g->esc_len < sizeof g->esc - 1)
			g->esc[g->esc_len++] = (char)c;
		else
			g->esc_dropped = true;
	} else if (s->level == 0) {
		g->state = VS_GUARD_GROUND;
		if (c == 'Y' && !g->esc_dropped)
			g->state = VS_GUARD_VT52_ROW;
		else if (!g->esc_dropped)
			vs_vt52_escape(s, (char)c);
		note_move(s);
	} else if (g->esc_len || g->esc_dropped) {
		pass_escape(s, (char)c);
	} else if (c == '[') {
		csi_begin(g);
	} else if (c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_' ||
		(c == 'k' && s->term->k_title)) {
		string_begin(g, (char)c);
	} else {
		pass_escape(s, (char)c);
	}
}

static void csi_digit(struct vs_guard *g, int digit)
{
	int32_t *v = &g->args[g->n_args - 1];

	*v = (*v < 0 ? 0 : *v) * 10 + digit;
	if (*v > 65535)
		*v = 65535;
}

static void csi_code(struct vs_screen *s, uint32_t c)
{
	struct vs_guard *g = &s->guard;
	bool fresh = g->n_args == 1 && g->args[0] < 0;

	if (c >= '0' && c <= '9') {
		csi_digit(g, (int)c - '0');
	} else if (c == ';' || c == ':') {
		if (g->n_args < VS_ARGS_CAP) {
			g->args[g->n_args] = -1;
			if (c == ':')
				g->subs |= 1u << g->n_args;
			g->n_args++;
		}
	} else if (c >= '<' && c <= '?') {
		if (c == '<' || g->leader || !fresh)
			g->state = VS_GUARD_CSI_IGNORE;
		else
			g->leader = (char)c;
	} else if (c >= 0x40) {
		pass_csi(s, (char)c);
	} else if (g->leader ? g->leader != '?' || c != '$' :
		!strchr(" !\"#$'*", (int)c) || (c == '*' && fresh)) {
		g->state = VS_GUARD_CSI_IGNORE;
	} else {
		g->inter = (char)c;
		g->state = VS_GUARD_CSI_INTER;
	}
}

static void code(struct vs_screen *s, uint32_t c)
{
	struct vs_guard *g = &s->guard;

	if (c >= 0x80 && c < 0xA0) {
		if (!g->utf8 && s->eight_bit && s->level)
			c1(s, c);
		else if (g->state == VS_GUARD_GROUND)
			s->last_char = 0;
		return;
	}
	if (g->state == VS_GUARD_VT52_ROW) {
		g->esc[0] = (char)(c & 0x7F);
		g->state = VS_GUARD_VT52_COL;
		return;
	}
	if (g->state == VS_GUARD_VT52_COL) {
		g->state = VS_GUARD_GROUND;
		vs_vt52_cursor(s, g->esc[0] - 32, (int)(c & 0x7F) - 32);
		note_move(s);
		return;
	}
	if (c == ESC) {
		escape_begin(g);
		return;
	}
	if (c == CAN || c == SUB) {
		give_up(s);
		return;
	}
	if (c == 0 || c == DEL) {
		if (g->state == VS_GUARD_GROUND)
			s->last_char = 0;
		return;
	}
	if (c < 0x20) {
		pass_control(s, c);
		return;
	}
	if (g->state == VS_GUARD_GROUND) {
		if (s->level) /* a VT52 shows seven bits */
			pass_char(s, c);
		else if (c < 0x80 || (c > 0xFF && (c & 0x7F) >= 0x20))
			pass_char(s, c & 0x7F);
		return;
	}
	if (c > 0xFF) {
		give_up(s);
		return;
	}
	c &= 0x7F;
	if (c == DEL)
		return;
	switch (g->state) {
	case VS_GUARD_ESC:
		escape_code(s, c);
		break;
	case VS_GUARD_CSI:
		csi_code(s, c);
		break;
	case VS_GUARD_CSI_INTER:
		if (c >= 0x40)
			pass_csi(s, (char)c);
		else if (g->inter != '#' || c < '0' || c > ';')
			g->state = VS_GUARD_CSI_IGNORE;
		break;
	default: /* VS_GUARD_CSI_IGNORE */
		if (c >= 0x40)
			give_up(s);
		break;
	}
}

/* ---- Characters ---------------------------------------------------------------------------- */

/* What the held bytes are: as xterm, one U+FFFD for all that a first byte claimed. */
static uint32_t held_code(const struct vs_guard *g)
{
	uint32_t cp = 0;
	size_t n;

	n = b_utf8_decode((const char *)g->held, g->held_len, &cp);
	if (n != g->held_len || cp == 0xFFFE || cp == 0xFFFF)
		return B_UTF8_REPLACEMENT;
	return cp;
}

static void byte(struct vs_screen *s, unsigned char c)
{
	struct vs_guard *g = &s->guard;

	if (g->state == VS_GUARD_STRING) {
		string_byte(s, c);
		return;
	}
	if (g->state == VS_GUARD_PRINT) {
		print_byte(s, c);
		return;
	}
	if (!g->utf8) {
		code(s, c);
		return;
	}
	if (g->held_len) {
		if ((c & 0xC0) == 0x80) {
			g->held[g->held_len++] = c;
			if (g->held_len < g->held_need)
				return;
			uint32_t cp = held_code(g);

			g->held_len = 0;
			code(s, cp);
			return;
		}
		g->held_len = 0;
		code(s, B_UTF8_REPLACEMENT);
	}
	if (c < 0x80 || s->sets.g[s->sets.gr] != VS_CS_ASCII) {
		code(s, c);
	} else if (c < 0xC0 || c >= 0xFE) {
		code(s, B_UTF8_REPLACEMENT);
	} else {
		g->held[0] = c;
		g->held_len = 1;
		g->held_need = c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : c < 0xFC ? 5 : 6;
	}
}

/* ---- The fast way: clean pieces go on as they lie in the read ------------------------------- */

/* The end of a whole CSI sequence at p (its ESC) that the parser can take as it is; or NULL. */
static const char *simple_csi(const char *p, const char *end)
{
	int digits = 0, args = 1;

	p += 2;
	if (p < end && (*p == '?' || *p == '>' || *p == '='))
		p++;
	for (; p < end; p++) {
		if (*p >= '0' && *p <= '9') {
			if (++digits > 5)
				return NULL;
		} else if (*p == ';' || *p == ':') {
			if (++args > VS_ARGS_MAX)
				return NULL;
			digits = 0;
		} else {
			return *p >= 0x40 && *p < 0x7F && *p != 'i' ? p + 1 : NULL;
		}
	}
	return NULL;
}

/* The length of a whole, valid character at p that is printed; or 0. */
static size_t simple_char(const char *p, const char *end)
{
	uint32_t cp;
	size_t n = b_utf8_decode(p, (size_t)(end - p), &cp);

	return n < 2 || cp < 0xA0 || (cp >= B_UTF8_REPLACEMENT && cp <= 0xFFFF) ? 0 : n;
}

/* In ground state, nothing held: takes all that is clean. Returns where it is not. */
static const char *ground(struct vs_screen *s, const char *p, const char *end)
{
	const char *start = p, *next;
	size_t n;

	while (p < end) {
		unsigned char c = (unsigned char)*p;

		if (c >= 0x80) {
			n = s->guard.utf8 && s->level && s->sets.g[s->sets.gr] == VS_CS_ASCII ?
				simple_char(p, end) : 0;
			if (!n)
				break;
			p += n;
		} else if (c != ESC) {
			if (c == 0 || c == DEL || c == CAN || c == SUB)
				break;
			p++;
		} else {
			next = end - p > 2 && p[1] == '[' && s->level ? simple_csi(p, end) : NULL;
			if (!next)
				break;
			n = (size_t)(next - p);
			p = next;
			/* Modes and the restored character sets say how the rest is to be read. */
			if (next[2 - (ptrdiff_t)n] == '?' || next[-1] == 'u') {
				pass(s, start, (size_t)(p - start));
				start = p;
			}
		}
	}
	pass(s, start, (size_t)(p - start));
	return p;
}

void vs_guard_feed(struct vs_screen *s, const char *bytes, size_t len)
{
	const char *p = bytes, *end = bytes + len;

	while (p < end) {
		if (s->guard.state == VS_GUARD_GROUND && !s->guard.held_len) {
			p = ground(s, p, end);
			if (p == end)
				break;
		}
		byte(s, (unsigned char)*p++);
	}
}
