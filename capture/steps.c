/* Replays a trace on a virtual screen and measures the response to each item. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/steps.h"
#include "base/banned.h"

/* Output after so long a silence is a burst of its own. */
#define BURST_NS (120 * 1000000LL)

bool cap_item_is_input(const struct cap_item *it)
{
	return it->kind <= CAP_RESUME;
}

size_t cap_session_next(const struct cap_session *s, size_t i)
{
	for (size_t j = i + 1; j < s->n_items; j++)
		if (cap_item_is_input(&s->item[j]))
			return j;
	return SIZE_MAX;
}

size_t cap_session_prev(const struct cap_session *s, size_t i)
{
	while (i-- > 0)
		if (cap_item_is_input(&s->item[i]))
			return i;
	return SIZE_MAX;
}

struct vs_screen *cap_session_screen(const struct cap_session *s)
{
	struct vs_options opt = {
		.rows = s->trace->rows, .cols = s->trace->cols, .term = s->trace->term
	};
	struct vs_screen *screen = NULL;

	B_BUG_ON(vs_screen_new(&screen, &opt) < 0); /* the size was checked in cap_session_new */
	return screen;
}

/* ---- Whether output addresses the screen ------------------------------------------------ */

/* Looks for what only full-screen programs send: the cursor placed by row. */
struct scanner {
	enum { GROUND, ESC, CSI } state;
	unsigned number; /* the last parameter */
	bool dec;
	bool addressed; /* since the start or since the alternate screen was left */
	bool bell;
	bool printed;
};

static void scan(struct scanner *sc, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c == 0x1b) {
			sc->state = ESC;
		} else if (sc->state == ESC) {
			sc->state = c == '[' ? CSI : GROUND;
			sc->number = 0;
			sc->dec = false;
		} else if (sc->state == CSI) {
			if (c == '?') {
				sc->dec = true;
			} else if (c >= '0' && c <= '9') {
				sc->number = (sc->number * 10 + (c - '0')) % 100000;
			} else if (c == ';' || c == ':') {
				sc->number = 0;
			} else if (c >= 0x40) {
				if (c == 'H' || c == 'f' || c == 'd' || c == 'r')
					sc->addressed = true;
				if (c == 'l' && sc->dec &&
					(sc->number == 1049 || sc->number == 1047 ||
						sc->number == 47))
					sc->addressed = false;
				sc->state = GROUND;
			}
		} else if (c == 7) {
			sc->bell = true;
		} else if (c > ' ' && c != 0x7f) {
			sc->printed = true;
		}
	}
}

/* ---- Line-mode prompts ------------------------------------------------------------------ */

static void prompt_add(struct cap_session *s, const char *text)
{
	s->prompt = b_reallocarray(s->prompt, s->n_prompts + 1, sizeof *s->prompt);
	s->prompt[s->n_prompts++] = b_strdup(text);
}

/* The longest known prompt that the text left of the cursor ends with, or NULL. */
static const char *prompt_find(const struct cap_session *s, const char *left, size_t len)
{
	const char *best = NULL;
	size_t best_len = 0;

	for (size_t i = 0; i < s->n_prompts; i++) {
		size_t n = strlen(s->prompt[i]);

		if (n > best_len && n <= len && !memcmp(left + len - n, s->prompt[i], n)) {
			best = s->prompt[i];
			best_len = n;
		}
	}
	return best;
}

static size_t columns(const char *utf8)
{
	size_t n = 0;

	for (; *utf8; utf8++)
		n += ((unsigned char)*utf8 & 0xc0) != 0x80;
	return n;
}

const char *cap_session_prompt_at(const struct cap_session *s, const struct cap_frame *f)
{
	struct b_buf left = B_BUF_INIT;
	const char *known;

	cap_frame_text(f, f->cur_row, 0, f->cur_col, &left);
	known = prompt_find(s, b_buf_cstr(&left), left.len);
	b_buf_release(&left);
	return known;
}

/* Whether a prompt may come after this: keys that edit a line redraw it, and no more. */
static bool prompt_follows(const struct cap_item *it)
{
	return it->kind == CAP_START ||
		(it->re.newline && !cap_key_is_editing(it->name) &&
			!(it->key_kind == VS_KEY_NAMED && cap_key_is_navigation(it->name)));
}

static bool prompt_begins(const struct cap_session *s, const char *left)
{
	for (size_t i = 0; i < s->n_prompts; i++)
		if (!strncmp(left, s->prompt[i], strlen(s->prompt[i])))
			return true;
	return false;
}

/*
 * Whether a line-mode program speaks, and its prompt: on the main screen, not addressed, the
 * cursor behind text with nothing to its right. A prompt that was seen before counts also after
 * a full-screen program that left the screen addressed.
 */
static void prompt_see(struct cap_session *s, struct scanner *sc, struct cap_item *it)
{
	struct cap_response *re = &it->re;
	const struct cap_frame *f = re->after;
	struct b_buf left = B_BUF_INIT;
	const char *text, *known;

	re->prompt_col = -1;
	if ((f->modes & VS_MODE_ALT) || !f->cur_visible)
		return;
	re->line_mode = !sc->addressed;
	cap_frame_text(f, f->cur_row, 0, f->cur_col, &left);
	text = b_buf_cstr(&left);
	known = prompt_find(s, text, left.len);
	if (strspn(text, " ") == left.len || cap_frame_row_end(f, f->cur_row) > f->cur_col) {
		known = NULL;
	} else if (!known && prompt_follows(it) && !sc->addressed && !prompt_begins(s, text)) {
		prompt_add(s, text);
		known = text;
	}
	if (known) {
		sc->addressed = false;
		re->line_mode = true;
		re->prompt_col = f->cur_col - (int)columns(known);
		if (re->prompt_col < 0)
			re->prompt_col = 0;
	}
	b_buf_release(&left);
}

/* ---- The replay ------------------------------------------------------------------------- */

struct replay {
	struct cap_session *s;
	struct vs_screen *screen;
	struct scanner sc;
	struct cap_frame *now;   /* the screen as last taken */
	bool stale;              /* output has come since */
	size_t item;             /* whose response is running */
	struct cap_frame *burst; /* the screen at the end of the last burst */
	size_t bursts;
	/* Characters right in front of the item that nothing has answered yet. */
	size_t ahead, n_ahead;
};

static struct cap_frame *frame_now(struct replay *r)
{
	if (!r->now || r->stale) {
		struct cap_frame *f = cap_frame_take(r->screen, r->now);

		cap_frame_free(r->now);
		r->now = f;
		r->stale = false;
	}
	return r->now;
}

/* A character became another one, or a blank another colour: digits of a clock that is drawn. */
static bool became_another(const struct cap_frame *a, const struct cap_frame *b, int row, int col)
{
	uint32_t before = cap_frame_char(a, row, col), now = cap_frame_char(b, row, col);

	if (before == ' ' && now == ' ')
		return a->row[row]->cell[col].bg != b->row[row]->cell[col].bg ||
			((a->row[row]->cell[col].attrs ^ b->row[row]->cell[col].attrs) &
				VS_REVERSE);
	return before != ' ' && now != ' ' && !cap_frame_same_text(a, b, row, col);
}

/*
 * A burst has ended: unless it was the first after an input, nobody asked for it. Characters
 * that come and go are a screen being built; one that became another may be ticking.
 */
static void burst_end(struct replay *r)
{
	struct cap_response *re = &r->s->item[r->item].re;
	struct cap_frame *f = frame_now(r);

	if (r->bursts >= 2 && r->burst && r->burst->rows == f->rows && r->burst->cols == f->cols) {
		if (!re->spontaneous)
			re->spontaneous = b_calloc((size_t)f->rows, (size_t)f->cols);
		for (int row = 0; row < f->rows; row++) {
			if (cap_frame_same_row(r->burst, f, row))
				continue;
			for (int col = 0; col < f->cols; col++) {
				uint8_t *n = &re->spontaneous[row * f->cols + col];

				if (*n < 255 && became_another(r->burst, f, row, col))
					(*n)++;
			}
		}
	}
	cap_frame_free(r->burst);
	r->burst = cap_frame_ref(f);
}

/* ---- Echoes that come behind the next key ------------------------------------------------ */

static bool is_text(const struct cap_item *it)
{
	return it->kind == CAP_KEY && it->key_kind == VS_KEY_TEXT;
}

static void ahead_find(struct replay *r, size_t item)
{
	const struct cap_item *it = r->s->item;

	r->ahead = item;
	while (r->ahead > 1 && is_text(&it[r->ahead - 1]) && !it[r->ahead - 1].re.bytes)
		r->ahead--;
	r->n_ahead = it[item].kind == CAP_KEY ? item - r->ahead : 0;
}

/* Whether the first n of them stand now where the cursor was, and did not before. */
static bool ahead_stands(const struct replay *r, size_t n)
{
	const struct cap_frame *before = r->s->item[r->ahead].before;

	for (size_t k = 0; k < n; k++) {
		const struct cap_item *it = &r->s->item[r->ahead + k];
		int col = before->cur_col + (int)k;
		struct vs_cell cell;
		uint32_t typed = 0;

		b_utf8_decode(it->name, strlen(it->name), &typed);
		if (before->cur_row >= vs_screen_rows(r->screen) ||
			col >= vs_screen_cols(r->screen))
			return false;
		vs_screen_cell(r->screen, before->cur_row, col, &cell);
		if (cell.chars[0] != typed || cap_frame_char(before, before->cur_row, col) == typed)
			return false;
	}
	return true;
}

/* An application that is slow paints the echo of a character and the answer to the key behind it
   at once: it is looked for piece by piece. */
static bool feed_watched(struct replay *r, const char *bytes, size_t len)
{
	bool changed = false;
	size_t from = 0;

	for (size_t i = 1; i <= len && r->n_ahead && !is_text(&r->s->item[r->item]); i++) {
		if (i < len && bytes[i] != '\033' && bytes[i] != '\b' && bytes[i] != '\r')
			continue;
		changed |= vs_screen_feed(r->screen, bytes + from, i - from);
		from = i;
		if (!ahead_stands(r, r->n_ahead))
			continue;
		for (size_t k = 0; k < r->n_ahead; k++)
			r->s->item[r->ahead + k].echoed_late = true;
		r->n_ahead = 0;
	}
	return vs_screen_feed(r->screen, bytes + from, len - from) || changed;
}

static void response_begin(struct replay *r, size_t item, size_t event)
{
	struct cap_item *it = &r->s->item[item];

	it->before = cap_frame_ref(frame_now(r));
	it->re.first_event = event;
	it->re.first_ns = it->re.last_ns = it->re.change_ns = -1;
	r->item = item;
	ahead_find(r, item);
	r->bursts = 0;
	r->sc.bell = r->sc.printed = false;
	/* A resize is no input: what was painted since the last key still counts. */
	if (it->kind == CAP_KEY || it->kind == CAP_SECRET)
		vs_screen_input_mark(r->screen);
}

static unsigned char *painted_take(const struct vs_screen *s, int rows, int cols)
{
	unsigned char *painted = b_calloc((size_t)rows, (size_t)cols);

	for (int row = 0; row < rows; row++) {
		if (!vs_screen_painted(s, row, 0, 1, cols))
			continue;
		for (int col = 0; col < cols; col++)
			painted[row * cols + col] = vs_screen_painted(s, row, col, 1, 1);
	}
	return painted;
}

static void response_end(struct replay *r, size_t event)
{
	struct cap_response *re = &r->s->item[r->item].re;
	struct cap_frame *f;
	int rows, cols;

	if (r->bursts)
		burst_end(r);
	f = frame_now(r);
	rows = f->rows;
	cols = f->cols;
	re->end_event = event;
	re->after = cap_frame_ref(f);
	re->bell = r->sc.bell;
	re->printed = r->sc.printed;
	re->painted = painted_take(r->screen, rows, cols);
	prompt_see(r->s, &r->sc, &r->s->item[r->item]);
	cap_frame_free(r->burst);
	r->burst = NULL;
}

/* How many of the characters ahead this first output echoes and nothing else: the cursor stands
   behind them. */
static size_t ahead_echoed(const struct replay *r)
{
	size_t n = r->item - r->ahead, k;
	const struct cap_frame *before;
	int row, col;

	if (!n || r->s->item[r->item].kind != CAP_KEY)
		return 0;
	before = r->s->item[r->ahead].before;
	vs_screen_cursor(r->screen, &row, &col);
	if (row != before->cur_row || col <= before->cur_col)
		return 0;
	k = (size_t)(col - before->cur_col);
	return k <= n && ahead_stands(r, k) ? k : 0;
}

/* Output up to `event` that came behind the next key, but is the echo of characters in front of it: it is
   taken for their response, and the key's begins anew. */
static void echo_give_back(struct replay *r, size_t event)
{
	struct cap_item *it = r->s->item, *now = &it[r->item], *last;
	size_t k = ahead_echoed(r);
	struct cap_frame *f;
	struct cap_response theirs;

	if (!k)
		return;
	f = frame_now(r);
	last = &it[r->ahead + k - 1];
	theirs = now->re;
	theirs.first_event = last->re.first_event;
	theirs.end_event = event;
	theirs.bell = r->sc.bell;
	theirs.printed = r->sc.printed;
	theirs.after = cap_frame_ref(f);
	theirs.painted = painted_take(r->screen, f->rows, f->cols);
	cap_frame_free(last->re.after);
	free(last->re.painted);
	last->re = theirs;
	last->echoed_late = false;
	prompt_see(r->s, &r->sc, last);
	for (struct cap_item *i = last + 1; i < now; i++) {
		cap_frame_free(i->before);
		cap_frame_free(i->re.after);
		i->before = cap_frame_ref(f);
		i->re.after = cap_frame_ref(f);
		i->re.first_event = i->re.end_event = event;
	}
	cap_frame_free(now->before);
	memset(&now->re, 0, sizeof now->re);
	response_begin(r, r->item, event);
}

static void output(struct replay *r, const struct cap_event *e)
{
	struct cap_response *re = &r->s->item[r->item].re;

	if (!e->len)
		return;
	if (re->last_ns < 0) {
		re->first_ns = e->at_ns;
		r->bursts = 1;
	} else if (e->at_ns - re->last_ns >= BURST_NS) {
		burst_end(r);
		r->bursts++;
	}
	re->last_ns = e->at_ns;
	re->bytes += e->len;
	scan(&r->sc, e->data, e->len);
	re->newline = re->newline || memchr(e->data, '\n', e->len);
	if (feed_watched(r, e->data, e->len))
		re->change_ns = e->at_ns;
	r->stale = true;
	if (re->bytes == e->len)
		echo_give_back(r, (size_t)(e - r->s->trace->events) + 1);
}

static void replay(struct cap_session *s)
{
	const struct cap_trace *t = s->trace;
	struct replay r = { .s = s, .screen = cap_session_screen(s) };
	size_t next = 1;

	response_begin(&r, 0, 0);
	for (size_t e = 0; e < t->n_events; e++) {
		for (; next < s->n_items && s->item[next].event == e; next++) {
			struct cap_item *it = &s->item[next];

			if (!cap_item_is_input(it)) {
				it->before = cap_frame_ref(frame_now(&r));
				continue;
			}
			response_end(&r, e);
			response_begin(&r, next, e);
			if (it->kind == CAP_RESIZE) {
				/* The size was checked when the item was made. */
				B_BUG_ON(vs_screen_resize(r.screen, it->rows, it->cols) < 0);
				r.stale = true;
			}
		}
		if (t->events[e].code == 'o')
			output(&r, &t->events[e]);
		if (t->events[e].at_ns > s->end_ns)
			s->end_ns = t->events[e].at_ns;
	}
	response_end(&r, t->n_events);
	cap_frame_free(r.now);
	vs_screen_free(r.screen);
}

/* ---- Sessions --------------------------------------------------------------------------- */

int cap_session_new(struct cap_session **out, const struct cap_trace *trace, struct b_error *err)
{
	struct cap_session *s;
	int rc;

	if (trace->rows < 1 || trace->rows > VS_ROWS_MAX || trace->cols < 1 ||
		trace->cols > VS_COLS_MAX)
		return b_error_set(err, B_EINPUT,
			"the trace's size %dx%d is outside of 1x1 to %dx%d", trace->cols,
			trace->rows, VS_COLS_MAX, VS_ROWS_MAX);
	s = b_calloc(1, sizeof *s);
	s->trace = trace;
	rc = vs_keymap_new(&s->keymap, trace->term, err);
	if (rc < 0) {
		free(s);
		return B_EINPUT;
	}
	/* Ours writes an exit event unless the person stopped it first. Others end with the
	   application and write none. */
	s->eof = !trace->target;
	for (size_t i = 0; i < trace->n_events; i++)
		s->eof = s->eof || trace->events[i].code == 'x';
	cap_session_decode(s);
	replay(s);
	cap_session_ticks_find(s);
	*out = s;
	return 0;
}

void cap_session_free(struct cap_session *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_items; i++) {
		struct cap_item *it = &s->item[i];

		cap_frame_free(it->before);
		cap_frame_free(it->re.after);
		free(it->re.painted);
		free(it->re.spontaneous);
		free(it->bytes);
		free(it->text);
		free(it->label);
	}
	for (size_t i = 0; i < s->n_ticks; i++) {
		cap_frame_free(s->tick[i].frame);
		free(s->tick[i].count);
	}
	for (size_t i = 0; i < s->n_prompts; i++)
		free(s->prompt[i]);
	free(s->item);
	free(s->tick);
	free(s->prompt);
	vs_keymap_free(s->keymap);
	free(s);
}
