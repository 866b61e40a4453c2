/*
 * Chooses conditions by trying them: the recorded output is fed to a second screen in pieces and
 * every candidate is judged after each, as the engine will do.
 *
 * A read may end anywhere, so a candidate is charged for what was still to come when it first
 * held: nothing is best, the rest of a burst is harmless, an answer that came later is a trap
 * (echo, silence, answer). What is true without being new would hold after a silence, so it is
 * charged from the first silence on.
 */
#include "capture/infer_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

#define SILENCE_NS (60 * 1000000LL) /* the engine's settle is 100 ms; slower machines pause */
#define BURST_NS   (50 * 1000000LL) /* what comes so soon after is the same burst */
#define FINE_BYTES 8192             /* at the end of a response, judged after every piece */

#define COST_TICKING 30
#define COST_TRAP    1000
#define COST_NONE    100000

/* ---- The second replay ------------------------------------------------------------------ */

static bool shows(const struct vs_screen *s, const struct cap_frame *f, int row, int col)
{
	const struct cap_cell *want = &f->row[row]->cell[col];
	struct vs_cell c;
	uint32_t ch;

	vs_screen_cell(s, row, col, &c);
	ch = c.chars[0] == ' ' ? 0 : c.chars[0];
	return ch == want->ch[0] && c.attrs == want->attrs && c.fg == want->fg && c.bg == want->bg;
}

/* How many cells are still to become as the person saw them, the cursor counted as one. */
static int rest_count(const struct vs_screen *s, const struct cap_response_run *r)
{
	const struct cap_frame *f = r->item->re.after;
	int n = 0, row, col;

	if (vs_screen_rows(s) != f->rows || vs_screen_cols(s) != f->cols)
		return f->rows * f->cols;
	for (row = 0; row < f->rows; row++)
		for (col = 0; col < f->cols; col++) {
			int i = row * f->cols + col;

			if (!r->tick[i] && !(r->differing && r->differing[i] & CAP_DIFFERS_TEXT))
				n += !shows(s, f, row, col);
		}
	vs_screen_cursor(s, &row, &col);
	if (f->cur_visible && !r->tick[f->cur_row * f->cols + f->cur_col] &&
		!(r->differing &&
			r->differing[f->cur_row * f->cols + f->cur_col] & CAP_DIFFERS_CURSOR))
		n += row != f->cur_row || col != f->cur_col;
	return n;
}

static enum vs_cond_state judge(const struct vs_screen *s, const struct vs_cond *c)
{
	/* One wait: no condition outlives its item, and there is one screen. */
	struct vs_cond_input in = { .screen = s, .match = cap_pattern_match, .wait = 1 };
	struct vs_cond_result res;

	return vs_cond_judge(c, &in, &res) < 0 ? VS_COND_NO : res.state;
}

/* before: the item's own effect (a resize) has happened, no output yet. */
static void judge_all(
	const struct vs_screen *s, struct cap_response_run *r, int64_t at_ns, bool before)
{
	int rest = -1;

	if (vs_screen_midway(s))
		return;
	for (size_t i = 0; i < r->n; i++) {
		struct cap_candidate *c = &r->c[i];
		enum vs_cond_state state;

		if (c->held) /* nothing more is asked of it */
			continue;
		state = judge(s, c->cond);
		c->true_now = state != VS_COND_NO;
		if (before) {
			c->lost = r->ahead ? c->true_now : state == VS_COND_TRUE;
			continue;
		}
		/* At replay the answer may come in pieces between these keys: what is true then is
		   as good as new. */
		if (r->ahead && c->true_now)
			state = VS_COND_TRUE;
		if (state == VS_COND_NO)
			c->stale_ns = -1;
		else if (c->stale_ns < 0)
			c->stale_ns = at_ns;
		if (state == VS_COND_NO)
			continue;
		/* Nothing of it is new: it would hold once the screen has been still a while. */
		if (state == VS_COND_STALE && at_ns - c->stale_ns < SILENCE_NS)
			continue;
		if (rest < 0)
			rest = rest_count(s, r);
		c->held = true;
		c->stale = state == VS_COND_STALE;
		c->held_ns = c->stale ? c->stale_ns : at_ns;
		c->rest = rest;
	}
}

static void persistence(const struct vs_screen *s, struct cap_response_run *r)
{
	if (vs_screen_midway(s))
		return;
	for (size_t i = 0; i < r->n; i++)
		if (r->c[i].persists)
			r->c[i].persists = judge(s, r->c[i].cond) != VS_COND_NO;
}

static bool ends_piece(char c)
{
	unsigned char u = (unsigned char)c;

	return u == 0x1b || u == '\r' || u == '\n' || u == '\b' || u == 0x0e || u == 0x0f;
}

struct infer {
	const struct cap_session *s;
	const struct cap_infer_options *opt;
	struct vs_screen *screen;
	struct cap_response_run now, last; /* last: of the input before, if its wait is in doubt */
	bool last_doubt;
};

/* Feeds one event; fine: judging after every piece of it. */
static void feed(struct infer *in, const struct cap_event *e, bool fine)
{
	struct cap_response_run *r = &in->now;
	size_t from = 0;
	bool changed = false;

	/* What is not new and stood through this silence would have held by now. */
	if (r->last_ns >= 0 && e->at_ns - r->last_ns >= SILENCE_NS)
		judge_all(in->screen, r, e->at_ns, false);
	for (size_t i = 1; i <= e->len; i++) {
		if (i < e->len && !(fine && ends_piece(e->data[i])))
			continue;
		changed |= vs_screen_feed(in->screen, e->data + from, i - from);
		from = i;
		judge_all(in->screen, r, e->at_ns, false);
		if (in->last_doubt)
			persistence(in->screen, &in->last);
	}
	if (changed || r->done_ns < 0) {
		bool done = rest_count(in->screen, r) == 0;

		if (!done)
			r->done_ns = -1;
		else if (r->done_ns < 0)
			r->done_ns = e->at_ns;
	}
	r->last_ns = e->at_ns;
}

/* ---- The choice ------------------------------------------------------------------------- */

/* Whether the next input came so soon, or was answered so late, that this response may not
   have been complete. */
static bool is_doubtful(const struct cap_session *s, size_t i)
{
	const struct cap_item *it = &s->item[i], *next;
	size_t n = cap_session_next(s, i);

	if (n == SIZE_MAX || !it->re.bytes)
		return false;
	next = &s->item[n];
	if (next->kind == CAP_SECRET)
		return next->at_ns - it->re.last_ns < CAP_AHEAD_NS;
	if (next->re.effect == CAP_ECHO || next->kind != CAP_KEY)
		return false;
	if (next->at_ns - it->re.last_ns < CAP_AHEAD_NS)
		return true;
	return next->re.bytes && next->re.first_ns - next->at_ns > CAP_LATE_NS &&
		next->key_kind == VS_KEY_TEXT && next->re.effect == CAP_MORE;
}

static int cost(const struct cap_response_run *r, const struct cap_candidate *c, bool doubt)
{
	int n = c->base;

	/* What was moved may move on with the rest of an answer. */
	if (doubt && c->w.moved)
		return COST_NONE;
	/* Where the cursor was while the first screen was still painted tells nothing. */
	if (doubt && c->w.cursor && r->item->kind == CAP_START)
		return COST_NONE;
	if (c->lost || !c->held)
		/* True at the end without being new: good enough when there is nothing else. */
		return c->true_now && !c->lost ? n + 200 : COST_NONE;
	if (c->rest) {
		int64_t late = r->done_ns - c->held_ns;

		if (late > BURST_NS || r->done_ns < 0)
			n += r->ticking ? COST_TICKING : COST_TRAP;
		n += 6 + (c->rest < 40 ? c->rest : 40) / 4;
	}
	if (c->stale)
		n += 30;
	if (doubt && !c->persists)
		n += c->w.text ? (c->w.cursor ? 60 : 20) : 150;
	return n;
}

static struct cap_wait choose(const struct infer *in, struct cap_response_run *r, bool doubt)
{
	struct cap_wait w = { .row = -1 };
	struct cap_candidate *best = NULL;
	int best_cost = COST_NONE;

	for (size_t i = 0; i < r->n; i++) {
		int n = cost(r, &r->c[i], doubt);

		if (n < best_cost) {
			best = &r->c[i];
			best_cost = n;
		}
	}
	if (best) {
		w = best->w;
		best->w.text = best->w.prompt = NULL;
	}
	w.early = best_cost >= COST_TRAP && best;
	if (w.early && r->item->kind == CAP_LOOK)
		w.found = false;
	/* Typed while the first screen was still painted: nothing but the rest of it is to come. Else
	   typed ahead of an answer that this condition would only delay: keep the pause. */
	if (doubt && cap_rest_is_half_painted(in->s, r) && !r->ticking &&
		!cap_rest_changes_unasked(r->item)) {
		w.quiet_ms = CAP_QUIET_MIN_MS;
		w.found = true;
	} else if (doubt && (!best || best_cost >= 150))
		w.found = false;
	else if ((!best || w.early) && !r->ticking && r->item->kind != CAP_LOOK &&
		cap_rest_may_come(in->s, r->item, cap_rest_quiet_ms(in->s, r))) {
		w.quiet_ms = cap_rest_quiet_ms(in->s, r);
		w.found = true;
	}
	w.doubt = doubt;
	w.already = r->ahead && (w.text || w.prompt || w.cursor);
	w.done_ns = r->done_ns >= 0 ? r->done_ns : r->item->re.change_ns;
	return w;
}

/* Keys without an answer of their own right before item i. Line by line there is no need: each
   line is answered behind its own Enter. */
static bool typed_ahead(const struct cap_session *s, size_t i)
{
	size_t p = cap_session_prev(s, i);

	return p != SIZE_MAX && s->item[i].kind == CAP_KEY && s->item[p].kind == CAP_KEY &&
		!s->item[p].re.bytes && !s->item[i].re.line_mode;
}

/* The screen on which the keys began that nothing is waited for between, up to item i. */
static const struct cap_frame *segment_start(const struct cap_session *s, size_t i)
{
	size_t p;

	while ((p = cap_session_prev(s, i)) != SIZE_MAX && !s->item[p].wait &&
		s->item[p].kind == CAP_KEY)
		i = p;
	return s->item[i].before;
}

static bool text_on(const struct cap_wait *w, const struct cap_frame *f)
{
	struct b_buf row = B_BUF_INIT;
	bool found = false;

	for (int r = 0; r < f->rows && !found; r++) {
		size_t start, end;

		if (w->row >= 0 && r != w->row)
			continue;
		b_buf_clear(&row);
		cap_frame_text(f, r, 0, f->cols, &row);
		found = w->pattern ? cap_pattern_match(NULL, w->text, strlen(w->text),
					     b_buf_cstr(&row), row.len, 0, &start, &end) == 1
				   : strstr(b_buf_cstr(&row), w->text) != NULL;
	}
	b_buf_release(&row);
	return found != w->gone;
}

/* What held on that screen would hold before the keys were answered, were they sent faster. */
static void stale_ones_lose(struct cap_response_run *r, const struct cap_frame *f)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct cap_wait *w = &r->c[i].w;

		if ((!w->text || text_on(w, f)) &&
			(!w->cursor || (w->cur_row == f->cur_row && w->cur_col == f->cur_col)))
			r->c[i].lost = true;
	}
}

#define FIGURES_MIN 4 /* so many numbers make a row of a table */

static bool is_row_of_figures(const struct cap_frame *f, int row)
{
	uint32_t before = ' ';
	int n = 0;

	for (int c = 0; c < f->cols; c++) {
		uint32_t ch = cap_frame_char(f, row, c);

		n += ch >= '0' && ch <= '9' && before == ' ';
		before = ch;
	}
	return n >= FIGURES_MIN;
}

/* Nobody waits for an answer yet: figures that change on the first screen tick, be it once. */
static void first_ticks(struct cap_response_run *r)
{
	const struct cap_frame *f = r->item->re.after;
	const uint8_t *spontaneous = r->item->re.spontaneous;
	int rows = 0, figures = 0;

	if (r->item->kind != CAP_START || r->ticking || !spontaneous)
		return;
	for (int row = 0; row < f->rows; row++) {
		bool changed = false;

		for (int c = 0; c < f->cols; c++)
			changed |= spontaneous[row * f->cols + c] > 0;
		rows += changed;
		figures += changed && is_row_of_figures(f, row);
	}
	if (!figures || figures * 4 < rows * 3)
		return;
	r->ticking = true;
	for (int i = 0; i < f->rows * f->cols; i++) {
		if (!spontaneous[i])
			continue;
		r->tick[i] = 1;
		for (int c = i / f->cols * f->cols; c < (i / f->cols + 1) * f->cols; c++)
			if (!r->tick[c])
				r->tick[c] = 2;
	}
}

static void item_run(struct infer *in, size_t i, struct cap_wait *waits, size_t *last)
{
	const struct cap_item *it = &in->s->item[i];
	const struct cap_trace *t = in->s->trace;
	struct cap_response_run *r = &in->now;
	size_t left = it->re.bytes;

	memset(r, 0, sizeof *r);
	r->item = it;
	r->done_ns = r->last_ns = -1;
	r->differing = in->opt->differing ? in->opt->differing[i] : NULL;
	r->tick = b_calloc((size_t)it->re.after->rows, (size_t)it->re.after->cols);
	r->ticking = cap_session_ticks_get(in->s, it->re.after, r->tick);
	first_ticks(r);
	if (it->kind == CAP_RESIZE)
		B_BUG_ON(vs_screen_resize(in->screen, it->rows, it->cols) < 0);
	else if (it->kind == CAP_KEY || it->kind == CAP_SECRET)
		vs_screen_input_mark(in->screen);
	if (it->wait)
		cap_candidates_find(r, in->s, in->opt);
	r->ahead = typed_ahead(in->s, i);
	if (it->kind == CAP_RESIZE || it->kind == CAP_LOOK || r->ahead)
		judge_all(in->screen, r, it->at_ns, true);
	if (r->ahead)
		stale_ones_lose(r, segment_start(in->s, i));
	for (size_t e = it->re.first_event; e < it->re.end_event; e++) {
		if (t->events[e].code != 'o' || !t->events[e].len)
			continue;
		feed(in, &t->events[e], left <= FINE_BYTES);
		left -= t->events[e].len;
	}
	/* Keys that nothing answered tell nothing of the answer before them. */
	if (in->last_doubt && it->re.bytes) {
		waits[*last] = choose(in, &in->last, true);
		in->last_doubt = false;
		cap_response_release(&in->last);
	}
	if (it->wait && is_doubtful(in->s, i)) {
		in->last = *r;
		in->last_doubt = true;
		*last = i;
		memset(r, 0, sizeof *r);
	} else {
		if (it->wait)
			waits[i] = choose(in, r, false);
		else
			waits[i].done_ns = r->done_ns >= 0 ? r->done_ns : it->re.change_ns;
		cap_response_release(r);
	}
}

static void prompts_compare(struct cap_wait *waits, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; waits[i].prompt && j < i && !waits[i].back; j++)
			waits[i].back =
				waits[j].prompt && !strcmp(waits[i].prompt, waits[j].prompt);
}

struct cap_wait *cap_infer(const struct cap_session *s, const struct cap_infer_options *opt)
{
	struct infer in = { .s = s, .opt = opt, .screen = cap_session_screen(s) };
	struct cap_wait *waits = b_calloc(s->n_items, sizeof *waits);
	size_t last = 0;

	for (size_t i = 0; i < s->n_items; i++) {
		waits[i].row = -1;
		waits[i].done_ns = -1;
		if (cap_item_is_input(&s->item[i]))
			item_run(&in, i, waits, &last);
	}
	if (in.last_doubt)
		waits[last] = choose(&in, &in.last, true);
	cap_response_release(&in.last);
	vs_screen_free(in.screen);
	prompts_compare(waits, s->n_items);
	return waits;
}
