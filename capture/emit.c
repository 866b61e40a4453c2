#include "capture/emit.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "base/mem.h"
#include "base/banned.h"

#define COMMENT_MAX 60 /* bytes of foreign text in a comment */

/* ---- Text ------------------------------------------------------------------------------- */

void cap_emit_line(struct cap_emit *e, const char *fmt, ...)
{
	va_list ap;

	for (int i = 0; i < e->depth; i++)
		b_buf_adds(e->out, "  ");
	va_start(ap, fmt);
	b_buf_vprintf(e->out, fmt, ap);
	va_end(ap);
}

void cap_emit_comment_text(struct b_buf *out, const char *text, size_t len)
{
	size_t n = len;
	bool cut = n > COMMENT_MAX;

	if (cut) {
		n = COMMENT_MAX;
		n -= b_utf8_tail(text, n);
	}
	b_escape_text(out, text, n);
	if (cut)
		b_buf_adds(out, "...");
}

void cap_emit_warn(struct cap_emit *e, const char *fmt, ...)
{
	struct b_buf text = B_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	b_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	e->n_warnings++;
	cap_emit_line(e, "-- WARNING: %s\n", b_buf_cstr(&text));
	if (e->warnings) {
		b_buf_add(e->warnings, text.data, text.len);
		b_buf_addc(e->warnings, '\n');
	}
	b_buf_release(&text);
}

size_t cap_emit_line_number(const struct cap_emit *e)
{
	size_t n = 1;

	for (size_t i = 0; i < e->out->len; i++)
		n += e->out->data[i] == '\n';
	return n;
}

void cap_emit_string(struct b_buf *out, const char *s, size_t len)
{
	b_escape_lua(out, s, len);
}

/* ---- Acts ------------------------------------------------------------------------------- */

static int ms_of(int64_t ns)
{
	return ns <= 0 ? 0 : (int)((ns + 500000) / 1000000);
}

/* A second argument with the pause in front, or nothing. */
static void before_add(struct b_buf *out, const struct cap_act *a)
{
	if (a->before_ns >= 0)
		b_buf_printf(out, ", %d", ms_of(a->before_ns));
}

/* `press "Enter"` when nothing else is said, else `press("Enter", 120)`. */
static void call_emit(struct cap_emit *e, const char *function, const char *text, size_t len,
	const struct cap_act *a)
{
	struct b_buf arg = B_BUF_INIT;

	cap_emit_string(&arg, text, len);
	if (a->before_ns >= 0) {
		before_add(&arg, a);
		cap_emit_line(e, "%s(%s)", function, b_buf_cstr(&arg));
	} else {
		cap_emit_line(e, "%s %s", function, b_buf_cstr(&arg));
	}
	b_buf_release(&arg);
}

static void mouse_emit(struct cap_emit *e, const struct cap_item *it, const struct cap_act *a)
{
	static const char *const actions[] = { [VS_MOUSE_PRESS] = "press",
		[VS_MOUSE_RELEASE] = "release",
		[VS_MOUSE_DRAG] = "drag",
		[VS_MOUSE_MOVE] = "move" };
	const struct vs_mouse *m = &it->mouse;

	if (a->click_pause_ns)
		cap_emit_line(e, "pause(%.3g) -- %s\n", (double)a->click_pause_ns / 1e9,
			m->action == VS_MOUSE_PRESS
				? "sooner it would be a double click"
				: "sooner it would be a click, not a button held down");
	cap_emit_line(e, "mouse { action = \"%s\", button = %d, row = %d, col = %d",
		actions[m->action], m->button, m->row + 1, m->col + 1);
	if (m->shift)
		b_buf_adds(e->out, ", shift = true");
	if (m->meta)
		b_buf_adds(e->out, ", meta = true");
	if (m->ctrl)
		b_buf_adds(e->out, ", ctrl = true");
	if (a->before_ns >= 0)
		b_buf_printf(e->out, ", before = %d", ms_of(a->before_ns));
	b_buf_adds(e->out, " }");
}

static void raw_emit(struct cap_emit *e, const struct cap_act *a)
{
	struct b_buf bytes = B_BUF_INIT;

	for (size_t i = a->first; i <= a->last; i++)
		b_buf_add(&bytes, e->plan->s->item[i].bytes, e->plan->s->item[i].len);
	call_emit(e, "raw", bytes.data, bytes.len, a);
	b_buf_release(&bytes);
}

static void value_emit(struct cap_emit *e, const struct cap_act *a)
{
	struct b_buf arg = B_BUF_INIT, rhythm = B_BUF_INIT;
	const char *function = a->kind == CAP_ACT_PASTE ? "paste" : "send";

	if (a->value)
		cap_emit_value(e, a->value, &arg);
	else
		cap_emit_string(&arg, a->text, a->len);
	if (a->kind == CAP_ACT_PASTE)
		before_add(&rhythm, a);
	else
		cap_emit_rhythm(e, a, &rhythm);
	if (!rhythm.len && arg.data[0] == '"')
		cap_emit_line(e, "%s %s", function, b_buf_cstr(&arg));
	else
		cap_emit_line(e, "%s(%s%s)", function, b_buf_cstr(&arg), b_buf_cstr(&rhythm));
	b_buf_release(&arg);
	b_buf_release(&rhythm);
}

/* What differs or ticks on the golden screen, and what looks like a date or a time. */
static void golden_emit(struct cap_emit *e, const struct cap_item *it)
{
	struct b_buf name = B_BUF_INIT;
	struct vs_rect rect[CAP_MASKS_MAX];
	size_t n = cap_masks_find(e, it, rect, CAP_MASKS_MAX);
	const char *label = *it->label ? it->label : "screen";

	/* A golden screen is a file beside the script. */
	for (const char *p = label; *p; p++)
		b_buf_addc(&name, (unsigned char)*p < ' ' || *p == '/' ? '-' : *p);
	if (name.data[0] == '.')
		name.data[0] = '-';
	cap_emit_line(e, n ? "golden(" : "golden ");
	cap_emit_string(e->out, name.data, name.len);
	if (n) {
		b_buf_adds(e->out, ", { masks = { -- what differs from one time to the next\n");
		for (size_t i = 0; i < n; i++)
			cap_emit_line(e, "  { row = %d, col = %d, rows = %d, cols = %d },\n",
				rect[i].row + 1, rect[i].col + 1, rect[i].rows, rect[i].cols);
		cap_emit_line(e, "} })");
	}
	b_buf_addc(e->out, '\n');
	b_buf_release(&name);
}

static void marker_emit(struct cap_emit *e, const struct cap_item *it)
{
	struct b_buf text = B_BUF_INIT;

	if (it->kind == CAP_GOLDEN) {
		golden_emit(e, it);
	} else if (it->kind == CAP_MASK) {
		cap_emit_line(e, "mask { row = %d, col = %d, rows = %d, cols = %d }\n",
			it->rect.row + 1, it->rect.col + 1, it->rect.rows, it->rect.cols);
	} else {
		b_escape_text(&text, it->label, strlen(it->label));
		cap_emit_line(e, "-- %s\n", b_buf_cstr(&text));
	}
	b_buf_release(&text);
}

/* Keys that are pressed again and again with nothing waited for between: how many in all. */
static size_t repeats(const struct cap_plan *p, size_t a, size_t end)
{
	const char *name = p->s->item[p->act[a].first].name;
	size_t n = 1;

	if (p->act[a].kind != CAP_ACT_PRESS || p->act[a].before_ns < 0)
		return 1;
	while (a + n < end && !p->act[a + n - 1].wait && !p->act[a + n - 1].esc_pause_ns &&
		p->act[a + n].kind == CAP_ACT_PRESS && !p->act[a + n].eof &&
		!strcmp(p->s->item[p->act[a + n].first].name, name))
		n++;
	return n < 3 ? 1 : n;
}

static int mean_ms(const struct cap_act *a, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i].before_ns;
	return ms_of(sum / (int64_t)n);
}

/* Whether the pauses are so alike that their mean stands for all. */
static bool even(const struct cap_act *a, size_t n)
{
	int mean = mean_ms(a, n), slack = mean / 10 > 20 ? mean / 10 : 20;

	for (size_t i = 0; i < n; i++)
		if (ms_of(a[i].before_ns) < mean - slack || ms_of(a[i].before_ns) > mean + slack)
			return false;
	return true;
}

static void press_emit(struct cap_emit *e, const struct cap_act *a, size_t n)
{
	const char *name = e->plan->s->item[a->first].name;

	if (!strcmp(name, " "))
		name = "Space";
	if (n == 1) {
		call_emit(e, "press", name, strlen(name), a);
		return;
	}
	if (even(a, n)) {
		cap_emit_line(e, "press { ");
		cap_emit_string(e->out, name, strlen(name));
		b_buf_printf(e->out, ", count = %zu, before = %d }", n, mean_ms(a, n));
		return;
	}
	cap_emit_line(e, "for _, ms in ipairs {");
	for (size_t i = 0; i < n; i++)
		b_buf_printf(e->out, "%s %d", i ? "," : "", ms_of(a[i].before_ns));
	b_buf_adds(e->out, " } do press(");
	cap_emit_string(e->out, name, strlen(name));
	b_buf_adds(e->out, ", ms) end");
}

static void secret_emit(struct cap_emit *e, const struct cap_act *a)
{
	const char *name = cap_act_secret(e->plan, a);

	if (a->value)
		cap_emit_warn(e,
			"line %zu: what was typed here looks like a secret and is not in this "
			"script, but in the trace",
			cap_emit_line_number(e));
	cap_emit_line(e, "secret ");
	cap_emit_string(e->out, name, strlen(name));
}

void cap_emit_reads(struct cap_emit *e, size_t item)
{
	const struct cap_values *v = e->plan->values;

	for (size_t k = 0; k < v->n; k++) {
		if (!v->value[k].shown_label || v->value[k].shown_after != item)
			continue;
		cap_emit_line(e, "data.%s = ", v->value[k].name);
		cap_value_read_add(&v->value[k], e->out);
		b_buf_adds(e->out, " -- typed later on\n");
	}
}

/* Writes act a and, where it is repeated, those behind it; returns how many. */
static size_t act_emit(struct cap_emit *e, size_t index, size_t end)
{
	const struct cap_plan *p = e->plan;
	const struct cap_act *a = &p->act[index];
	const struct cap_item *it = &p->s->item[a->first];
	size_t n = 1;

	switch (a->kind) {
	case CAP_ACT_SEND:
	case CAP_ACT_PASTE: value_emit(e, a); break;
	case CAP_ACT_PRESS:
		n = repeats(p, index, end);
		press_emit(e, a, n);
		a += n - 1;
		break;
	case CAP_ACT_RAW: raw_emit(e, a); break;
	case CAP_ACT_MOUSE: mouse_emit(e, it, a); break;
	case CAP_ACT_SECRET: secret_emit(e, a); break;
	case CAP_ACT_RESIZE: cap_emit_line(e, "resize(%d, %d)", it->cols, it->rows); break;
	case CAP_ACT_PAUSED:
		cap_emit_warn(e,
			"the recording was paused here; what was done meanwhile is not in "
			"this script");
		return 1;
	case CAP_ACT_MARKER: marker_emit(e, it); return 1;
	case CAP_ACT_LOOK: cap_emit_wait(e, a); return 1;
	}
	b_buf_addc(e->out, '\n');
	cap_emit_wait(e, a);
	cap_emit_reads(e, a->last);
	if (a->esc_pause_ns)
		cap_emit_line(e,
			"pause(%.3g) -- a key sooner after Esc would be read as Alt and that "
			"key\n",
			(double)a->esc_pause_ns / 1e9);
	return n;
}

/* ---- Steps ------------------------------------------------------------------------------ */

static void step_emit(struct cap_emit *e, const struct cap_step *st)
{
	const struct cap_plan *p = e->plan;
	size_t a = st->first, end = st->first + st->n;

	/* Markers in front of the first key: the screen as it stands. */
	for (; a + 1 < end && p->act[a].kind == CAP_ACT_MARKER; a++)
		marker_emit(e, &p->s->item[p->act[a].first]);
	if (st->think_ns >= 0)
		cap_emit_line(e, "think(%.3g)\n", (double)ms_of(st->think_ns) / 1000);
	if (st->transaction) {
		cap_emit_line(e, "transaction(");
		cap_emit_string(e->out, st->name, strlen(st->name));
		b_buf_adds(e->out, ", function()\n");
		e->depth++;
	}
	while (a < end)
		a += act_emit(e, a, end);
	if (st->transaction) {
		e->depth--;
		cap_emit_line(e, "end)\n");
	}
}

static void steps_emit(struct cap_emit *e, size_t from, size_t to)
{
	for (size_t k = from; k < to; k++)
		step_emit(e, &e->plan->step[k]);
}

/* ---- Parts ------------------------------------------------------------------------------ */

static void login_emit(struct cap_emit *e)
{
	b_buf_adds(e->out,
		"\n-- Once a session: up to the screen that the iteration begins with.\n"
		"function login()\n");
	e->depth = 1;
	cap_emit_first_wait(e);
	cap_emit_reads(e, 0);
	steps_emit(e, 0, e->plan->login_end);
	e->depth = 0;
	b_buf_adds(e->out, "end\n");
}

static void iteration_emit(struct cap_emit *e)
{
	const struct cap_plan *p = e->plan;

	if (p->relogin)
		b_buf_adds(e->out,
			"\n-- The session does not come back to the screen that it began with: each\n"
			"-- iteration is a session of its own.\n");
	else
		b_buf_adds(e->out, "\n-- Repeated: ends on the screen that it began with.\n");
	b_buf_adds(e->out, "function iteration()\n");
	e->depth = 1;
	if (p->relogin)
		cap_emit_line(e,
			"relogin() -- after this iteration: log out, and in again for the "
			"next\n");
	steps_emit(e, p->login_end, p->iter_end);
	e->depth = 0;
	b_buf_adds(e->out, "end\n");
}

static void logout_emit(struct cap_emit *e)
{
	const struct cap_plan *p = e->plan;

	if (p->iter_end == p->n_steps) {
		if (!p->eof && p->n_steps)
			b_buf_adds(e->out,
				"\n-- The recording ended before the application did: the session is "
				"closed by hanging up.\n");
		return;
	}
	b_buf_adds(e->out,
		"\n-- Once, at the end: the keys that leave the application.\n"
		"function logout()\n");
	e->depth = 1;
	steps_emit(e, p->iter_end, p->n_steps);
	e->depth = 0;
	b_buf_adds(e->out, "end\n");
}

void cap_emit_script(struct cap_emit *e)
{
	cap_emit_head(e);
	login_emit(e);
	iteration_emit(e);
	logout_emit(e);
}
