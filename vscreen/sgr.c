/* SGR: the pen's attributes and colours, in all forms. */
#include <string.h>

#include "base/mem.h"
#include "vscreen/sgr.h"
#include "vscreen/state.h"
#include "base/banned.h"

/* How many arguments after i are joined to it by colons. */
static int subs_of(const struct vs_args *a, int i)
{
	int n = 0;

	while (i + 1 + n < a->n && a->sub[i + 1 + n])
		n++;
	return n;
}

static bool colour_from(const int *v, int n, uint32_t *out)
{
	if (n >= 2 && v[0] == 5) {
		if (v[1] < 0 || v[1] > 255)
			return false;
		*out = (uint32_t)v[1];
		return true;
	}
	if (n < 4 || v[0] != 2)
		return false;
	for (int i = 1; i < 4; i++)
		if (v[i] < 0 || v[i] > 255)
			return false;
	*out = VS_COLOUR_RGB | (uint32_t)v[1] << 16 | (uint32_t)v[2] << 8 | (uint32_t)v[3];
	return true;
}

/* 38, 48 or 58 at argument i, in the forms 38:5:N, 38:2:R:G:B, 38:2:ID:R:G:B, 38;5;N,
   38;2;R;G;B and 38;2:R:G:B. Returns how many arguments it took, itself not counted. */
static int extended_colour(const struct vs_args *a, int i, uint32_t *out, bool *good)
{
	int subs = subs_of(a, i), v[4], n, from, skip;

	*good = false;
	if (subs) {
		from = i + 1;
		n = subs;
		skip = subs;
	} else if (i + 1 < a->n) {
		from = i + 1;
		subs = subs_of(a, i + 1);
		if (subs)
			n = 1 + subs;
		else if (a->v[i + 1] == 5)
			n = 2;
		else if (a->v[i + 1] == 2)
			n = 4;
		else
			n = 1;
		skip = n;
	} else {
		return 0;
	}
	v[0] = a->v[from];
	/* With a colour space between: the three values are the last of five. */
	for (int k = 1; k < 4; k++) {
		int at = from + k + (v[0] == 2 && subs && n >= 5 ? 1 : 0);

		v[k] = at < a->n && at < from + n ? a->v[at] : -1;
		if (v[k] < 0 && at < a->n && at < from + n)
			v[k] = 0;
	}
	*good = colour_from(v, v[0] == 5 ? 2 : 4, out);
	return skip;
}

static void underline(struct vs_style *p, int kind)
{
	p->underline = (uint16_t)kind;
	if (kind)
		p->attrs |= VS_UNDERLINE;
	else
		p->attrs &= (uint16_t)~VS_UNDERLINE;
}

static void pen_reset(struct vs_style *p)
{
	*p = (struct vs_style){
		.fg = VS_COLOUR_DEFAULT, .bg = VS_COLOUR_DEFAULT, .attrs = p->attrs & VS_PROTECTED
	};
}

static void simple(struct vs_style *p, int op)
{
	static const uint16_t on[] = { 0, VS_BOLD, VS_FAINT, VS_ITALIC, 0, VS_BLINK, VS_BLINK,
		VS_REVERSE, VS_CONCEAL, VS_STRIKE };

	if (op == 0)
		pen_reset(p);
	else if (op == 4)
		underline(p, 1);
	else if (op < 10)
		p->attrs |= on[op];
	else if (op == 21)
		underline(p, 2);
	else if (op == 22)
		p->attrs &= (uint16_t) ~(VS_BOLD | VS_FAINT);
	else if (op == 24)
		underline(p, 0);
	else if (op == 23 || op == 25 || (op >= 27 && op <= 29))
		p->attrs &= (uint16_t)~on[op - 20];
	else if (op >= 30 && op <= 37)
		p->fg = (uint32_t)op - 30;
	else if (op == 39)
		p->fg = VS_COLOUR_DEFAULT;
	else if (op >= 40 && op <= 47)
		p->bg = (uint32_t)op - 40;
	else if (op == 49)
		p->bg = VS_COLOUR_DEFAULT;
	else if (op == 53)
		p->attrs |= VS_OVERLINE;
	else if (op == 55)
		p->attrs &= (uint16_t)~VS_OVERLINE;
	else if (op >= 90 && op <= 97)
		p->fg = (uint32_t)op - 90 + 8;
	else if (op >= 100 && op <= 107)
		p->bg = (uint32_t)op - 100 + 8;
}

void vs_sgr(struct vs_screen *s, const struct vs_args *a)
{
	uint32_t colour = 0;
	bool good;
	int op, subs;

	for (int i = 0; i < a->n; i++) {
		op = vs_arg(a, i, 0);
		subs = subs_of(a, i);
		if (op == 38 || op == 48 || op == 58) {
			i += extended_colour(a, i, &colour, &good);
			if (good && op == 38)
				s->pen.fg = colour;
			else if (good && op == 48)
				s->pen.bg = colour;
		} else if (subs) {
			/* 4:0 .. 4:5 are kinds of underline; others with colons say nothing. */
			if (op == 4 && subs == 1 && a->v[i + 1] >= 0 && a->v[i + 1] <= 5)
				underline(&s->pen, a->v[i + 1]);
			i += subs;
		} else {
			simple(&s->pen, op);
		}
	}
	s->pen_stale = true;
}

static void format_colour(struct b_buf *out, uint32_t c, int base)
{
	if (c == VS_COLOUR_DEFAULT)
		return;
	if (c & VS_COLOUR_RGB)
		b_buf_printf(out, ";%d:2::%u:%u:%u", base + 8, (unsigned)(c >> 16 & 0xFF),
			(unsigned)(c >> 8 & 0xFF), (unsigned)(c & 0xFF));
	else if (c < 8)
		b_buf_printf(out, ";%d", base + (int)c);
	else if (c < 16)
		b_buf_printf(out, ";%d", base + 60 + (int)c - 8);
	else
		b_buf_printf(out, ";%d:5:%u", base + 8, (unsigned)c);
}

void vs_sgr_format(const struct vs_style *style, struct b_buf *out)
{
	static const struct {
		uint16_t attr;
		int op;
	} ops[] = { { VS_BOLD, 1 }, { VS_BLINK, 5 }, { VS_REVERSE, 7 }, { VS_CONCEAL, 8 },
		{ VS_FAINT, 2 }, { VS_ITALIC, 3 }, { VS_STRIKE, 9 }, { VS_OVERLINE, 53 } };

	b_buf_addc(out, '0');
	for (size_t i = 0; i < B_ARRAY_LEN(ops); i++) {
		if (ops[i].op == 5 && style->attrs & VS_UNDERLINE) {
			if (style->underline == 1)
				b_buf_adds(out, ";4");
			else if (style->underline == 2)
				b_buf_adds(out, ";21");
			else
				b_buf_printf(out, ";4:%d", style->underline);
		}
		if (style->attrs & ops[i].attr)
			b_buf_printf(out, ";%d", ops[i].op);
	}
	format_colour(out, style->fg, 30);
	format_colour(out, style->bg, 40);
}

/* ---- XTPUSHSGR and XTPOPSGR ----------------------------------------------------------------- */

#define PUSH_FG 30
#define PUSH_BG 31

void vs_pen_push(struct vs_screen *s, const struct vs_args *a)
{
	uint32_t mask = 0;
	struct vs_pushed *to;

	for (int i = 0; i < a->n; i++) {
		int v = vs_arg(a, i, 0);

		v = v == 10 ? PUSH_FG : v == 11 ? PUSH_BG : v;
		if (v > 0 && v < 32)
			mask |= 1u << v;
	}
	if (a->n == 1 && a->v[0] < 0)
		mask = UINT32_MAX;
	if (s->n_pushed == VS_PUSHED_MAX)
		return;
	if (!s->pushed)
		s->pushed = b_calloc(VS_PUSHED_MAX, sizeof *s->pushed);
	to = &s->pushed[s->n_pushed++];
	to->mask = mask;
	to->pen = s->pen;
}

void vs_pen_pop(struct vs_screen *s)
{
	static const struct {
		int bit;
		uint16_t attr;
	} attrs[] = { { 1, VS_BOLD }, { 2, VS_FAINT }, { 3, VS_ITALIC }, { 5, VS_BLINK },
		{ 7, VS_REVERSE }, { 8, VS_CONCEAL }, { 9, VS_STRIKE } };
	const struct vs_pushed *from;

	if (!s->n_pushed)
		return;
	from = &s->pushed[--s->n_pushed];
	for (size_t i = 0; i < B_ARRAY_LEN(attrs); i++)
		if (from->mask & 1u << attrs[i].bit)
			s->pen.attrs = (uint16_t)((s->pen.attrs & ~attrs[i].attr) |
				(from->pen.attrs & attrs[i].attr));
	if (from->mask & (1u << 4 | 1u << 21))
		underline(&s->pen, from->pen.underline);
	if (from->mask & 1u << PUSH_FG)
		s->pen.fg = from->pen.fg;
	if (from->mask & 1u << PUSH_BG)
		s->pen.bg = from->pen.bg;
	s->pen_stale = true;
}
