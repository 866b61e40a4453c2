/* Answers that a terminal owes the application. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "vscreen/answer.h"
#include "vscreen/mode.h"
#include "vscreen/pen.h"
#include "vscreen/presentation.h"
#include "vscreen/rect.h"
#include "vscreen/sgr.h"
#include "vscreen/state.h"
#include "base/banned.h"

void vs_answer(struct vs_screen *s, const char *fmt, ...)
{
	struct b_buf out = B_BUF_INIT;
	va_list ap;

	if (!s->answer)
		return;
	va_start(ap, fmt);
	b_buf_vprintf(&out, fmt, ap);
	va_end(ap);
	s->answer(s->answer_user, out.data, out.len);
	b_buf_release(&out);
}

void vs_unanswered(struct vs_screen *s, const char *intro, const char *text, size_t len)
{
	b_buf_clear(&s->unanswered);
	b_buf_adds(&s->unanswered, intro);
	b_escape_text(&s->unanswered, text, len < 60 ? len : 60);
}

const char *vs_c1(const struct vs_screen *s, char letter)
{
	switch (letter) {
	case '[': return s->reply_8bit ? "\x9B" : "\033[";
	case 'P': return s->reply_8bit ? "\x90" : "\033P";
	case ']': return s->reply_8bit ? "\x9D" : "\033]";
	default: return s->reply_8bit ? "\x9C" : "\033\\";
	}
}

static void no_answer(
	struct vs_screen *s, char leader, const struct vs_args *a, const char *inter, char final)
{
	struct b_buf text = B_BUF_INIT;

	if (leader)
		b_buf_addc(&text, leader);
	for (int i = 0; i < a->n; i++) {
		if (i)
			b_buf_addc(&text, ';');
		if (a->v[i] >= 0)
			b_buf_printf(&text, "%d", a->v[i]);
	}
	b_buf_adds(&text, inter);
	b_buf_addc(&text, final);
	vs_unanswered(s, "\\e[", text.data, text.len);
	b_buf_release(&text);
}

/* CPR and DECXCPR. The row counts from the margins in origin mode; of a cursor that was restored
   above them xterm reports what 16 bits make of it, and no sequence has a minus sign. */
static void report_cursor(struct vs_screen *s, bool dec)
{
	int row = (s->row - (s->modes.origin ? s->top : 0) + 1) & 0xFFFF;
	int col = (s->col - (s->modes.origin ? s->left : 0) + 1) & 0xFFFF;

	if (dec && s->level >= 4)
		vs_answer(s, "%s?%d;%d;1R", vs_c1(s, '['), row, col);
	else
		vs_answer(s, "%s%s%d;%dR", vs_c1(s, '['), dec ? "?" : "", row, col);
}

/* DSR: device status reports. False: not known. */
static bool report_status(struct vs_screen *s, const struct vs_args *a, bool dec)
{
	const char *csi = vs_c1(s, '[');

	switch (vs_arg(a, 0, 0)) {
	case 5: vs_answer(s, "%s%s0n", csi, dec ? "?" : ""); return true;
	case 6: report_cursor(s, dec); return true;
	default: break;
	}
	if (!dec || !(s->term->dec_reports || s->term->status_reports))
		return false;
	switch (vs_arg(a, 0, 0)) {
	case 15: vs_answer(s, "%s?13n", csi); return true;
	case 25: vs_answer(s, "%s?20n", csi); return true;
	case 26: vs_answer(s, "%s?27;1%sn", csi, s->term->dec_reports ? ";0;0" : ""); return true;
	default: break;
	}
	if (!s->term->dec_reports)
		return false;
	switch (vs_arg(a, 0, 0)) {
	case 53:
	case 55: vs_answer(s, "%s?53n", csi); break;
	case 56: vs_answer(s, "%s?57;0n", csi); break;
	case 62: vs_answer(s, "%s0000*{", csi); break;
	case 63:
		vs_answer(s, "%s%d!~0000%s", vs_c1(s, 'P'), vs_arg(a, 1, 0), vs_c1(s, '\\'));
		break;
	case 75: vs_answer(s, "%s?70n", csi); break;
	case 85: vs_answer(s, "%s?83n", csi); break;
	default: return false;
	}
	return true;
}

static bool answer_plain(struct vs_screen *s, const struct vs_args *a, char final)
{
	int v = vs_arg(a, 0, 0);

	if (final == 'c' && s->term->da1) {
		if (v == 0)
			vs_answer(s, "%s%s", vs_c1(s, '['), s->term->da1);
		return true;
	}
	if (final == 'n' && s->term->cursor_reports)
		return report_status(s, a, false);
	if (final == 'x' && s->term->parameters) {
		if (v < 2)
			vs_answer(s, "%s%d;1;1;128;128;1;0x", vs_c1(s, '['), v + 2);
		return true;
	}
	return false;
}

static bool answer_dollar(struct vs_screen *s, char leader, const struct vs_args *a, char final)
{
	int mode = vs_arg(a, 0, 65535);

	if (!s->term->dec_reports)
		return false;
	if (final == 'p' && leader == '?')
		vs_answer(s, "%s?%d;%d$y", vs_c1(s, '['), mode, vs_mode_dec_report(s, mode));
	else if (final == 'p' && !leader)
		vs_answer(s, "%s%d;%d$y", vs_c1(s, '['), mode, vs_mode_ansi_report(s, mode));
	else if (final == 'w' && !leader && vs_arg(a, 0, 0) == 1)
		vs_report_cursor_state(s);
	else if (final == 'w' && !leader && vs_arg(a, 0, 0) == 2)
		vs_report_tabs(s);
	else
		return false;
	return true;
}

/* What is no query is none: sequences that set something of the keyboard, the title's form ... */
static bool is_query(char leader, const char *inter, char final)
{
	if (leader == '>')
		return final == 'c' || final == 'q';
	if (leader == '=')
		return final == 'c';
	if (leader == '?')
		return final == 'n' || final == 'm' || final == 'u' || final == 'S' ||
			inter[0] == '$';
	return true;
}

void vs_answer_csi(
	struct vs_screen *s, char leader, const struct vs_args *a, const char *inter, char final)
{
	bool done = false;
	int v = vs_arg(a, 0, 0);

	if (!is_query(leader, inter, final))
		return;
	if (inter[0] == '$') {
		done = answer_dollar(s, leader, a, final);
	} else if (inter[0] == '*' && final == 'y') {
		done = s->term->dec_reports;
		if (done)
			vs_answer(s, "%s%d!~%04X%s", vs_c1(s, 'P'), v, vs_checksum(s, a),
				vs_c1(s, '\\'));
	} else if (inter[0] == '#' && final == '|') {
		struct vs_style style;
		struct b_buf sgr = B_BUF_INIT;

		done = s->term->colours;
		vs_rect_common(s, a, &style);
		vs_sgr_format(&style, &sgr);
		if (done)
			vs_answer(s, "%s%sm", vs_c1(s, '['), b_buf_cstr(&sgr));
		b_buf_release(&sgr);
	} else if (inter[0] == '#' && final == 'R') {
		done = s->term->colours;
		if (done)
			vs_answer(s, "%s?0;0#Q", vs_c1(s, '['));
	} else if (inter[0]) {
		done = false;
	} else if (!leader) {
		done = answer_plain(s, a, final);
	} else if (leader == '?' && final == 'n') {
		done = s->term->cursor_reports && report_status(s, a, true);
	} else if (leader == '?' && final == 'm' && s->term->tcap) {
		/* XTQMODKEYS: xterm's defaults */
		static const int mod[] = { 0, 2, 2, 0, 0, 0 };

		done = v <= 5;
		if (done)
			vs_answer(s, "%s>%d;%dm", vs_c1(s, '['), v, mod[v]);
	} else if (leader == '?' && final == 'S' && s->term->tcap) {
		/* XTSMGRAPHICS: no graphics */
		done = a->n == 3;
		if (done)
			vs_answer(s, "%s?%d;3S", vs_c1(s, '['), v);
	} else if (leader == '>' && final == 'c' && s->term->da2) {
		done = true;
		if (v == 0)
			vs_answer(s, "%s%s", vs_c1(s, '['), s->term->da2);
	} else if (leader == '>' && final == 'q' && s->term->version) {
		done = true;
		if (v == 0)
			vs_answer(s, "%s>|%s%s", vs_c1(s, 'P'), s->term->version, vs_c1(s, '\\'));
	} else if (leader == '=' && final == 'c' && s->term->da3) {
		done = true;
		if (v == 0)
			vs_answer(s, "%s!|00000000%s", vs_c1(s, 'P'), vs_c1(s, '\\'));
	}
	if (!done || !s->answer)
		no_answer(s, leader, a, inter, final);
}

/* ---- DECRQSS: settings ---------------------------------------------------------------------- */

void vs_answer_decrqss(struct vs_screen *s, const char *what, size_t len)
{
	struct b_buf v = B_BUF_INIT;
	bool known = true;
	char name[4] = "";

	if (!s->term->dec_reports) {
		vs_unanswered(s, "\\eP$q", what, len);
		return;
	}
	if (len < sizeof name)
		memcpy(name, what, len);
	if (!strcmp(name, "\"q"))
		b_buf_printf(&v, "%d", s->protect == VS_PROTECT_DEC && s->pen.attrs & VS_PROTECTED);
	else if (!strcmp(name, "\"p"))
		b_buf_printf(
			&v, s->level >= 2 ? "%d;%d" : "%d", 60 + s->level, s->reply_8bit ? 0 : 1);
	else if (!strcmp(name, "r"))
		b_buf_printf(&v, "%d;%d", s->top + 1, s->bottom);
	else if (!strcmp(name, "s") && s->level >= 4)
		b_buf_printf(&v, "%d;%d", s->left + 1, s->right);
	else if (!strcmp(name, "m"))
		vs_sgr_format(&s->pen, &v);
	else if (!strcmp(name, " q"))
		b_buf_printf(&v, "%d", s->cursor_shape ? s->cursor_shape : s->modes.blink ? 1 : 2);
	else if (!strcmp(name, "t"))
		b_buf_printf(&v, "%d", s->rows > 24 ? s->rows : 24);
	else if (!strcmp(name, "$|"))
		b_buf_printf(&v, "%d", s->modes.columns_132 ? 132 : 80);
	else if (!strcmp(name, "*|"))
		b_buf_printf(&v, "%d", s->rows);
	else
		known = false;
	vs_answer(s, "%s%d$r%s%s%s", vs_c1(s, 'P'), known, b_buf_cstr(&v), known ? name : "",
		vs_c1(s, '\\'));
	b_buf_release(&v);
}
