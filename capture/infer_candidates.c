/* Candidates for a wait: what could be named of a response, and as conditions. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/infer_priv.h"
#include "capture/names.h"
#include "base/banned.h"

#define TEXTS_MAX   24
#define PROMPT_COST (-40) /* nothing tells better than a prompt */
#define BEHIND_COST 20    /* where the cursor is hangs on the length of what was typed */

/* ---- Conditions ------------------------------------------------------------------------- */

static struct vs_cond *text_cond(const struct cap_wait *w)
{
	struct vs_cond *c = vs_cond_new(w->pattern ? VS_COND_MATCH : VS_COND_TEXT);

	vs_cond_text_set(c, w->text, strlen(w->text));
	c->row = w->row;
	c->gone = w->gone;
	if (w->reverse)
		c->attrs = VS_REVERSE;
	return c;
}

struct vs_cond *cap_wait_cond(const struct cap_wait *w)
{
	struct vs_cond *part[4];
	struct vs_cond *all;
	size_t n = 0;

	/* The cheapest first. */
	if (w->cursor) {
		part[n] = vs_cond_new(VS_COND_CURSOR);
		part[n]->row = w->cur_row;
		part[n++]->col = w->cur_col;
	}
	if (w->text)
		part[n++] = text_cond(w);
	if (w->prompt) {
		part[n] = vs_cond_new(VS_COND_MATCH);
		vs_cond_text_set(part[n++], w->prompt, strlen(w->prompt));
	}
	if (w->quiet_ms) {
		part[n] = vs_cond_new(VS_COND_QUIET);
		part[n++]->quiet_ns = w->quiet_ms * 1000000LL;
	}
	if (n <= 1)
		return n ? part[0] : NULL;
	all = vs_cond_new(VS_COND_ALL);
	for (size_t i = 0; i < n; i++)
		vs_cond_part_add(all, part[i]);
	return all;
}

void cap_wait_release(struct cap_wait *w)
{
	free(w->text);
	free(w->prompt);
	memset(w, 0, sizeof *w);
}

void cap_waits_free(struct cap_wait *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		cap_wait_release(&w[i]);
	free(w);
}

/* ---- Candidates ------------------------------------------------------------------------- */

static void candidate_add(struct cap_response_run *r, struct cap_wait w, int base)
{
	struct cap_candidate *c;

	r->c = b_reallocarray(r->c, r->n + 1, sizeof *r->c);
	c = &r->c[r->n++];
	memset(c, 0, sizeof *c);
	w.found = true;
	w.text = w.text ? b_strdup(w.text) : NULL;
	w.prompt = w.prompt ? b_strdup(w.prompt) : NULL;
	c->w = w;
	c->base = base;
	c->cond = cap_wait_cond(&c->w);
	c->persists = true;
	c->stale_ns = -1;
}

/* The pattern of the row that ends in the prompt, to be freed; NULL: there is no prompt. */
static char *prompt_pattern(const struct cap_item *it)
{
	const struct cap_frame *f = it->re.after;
	struct b_buf text = B_BUF_INIT, out = B_BUF_INIT;

	if (it->re.prompt_col < 0)
		return NULL;
	cap_frame_text(f, f->cur_row, it->re.prompt_col, f->cur_col, &text);
	while (text.len && text.data[text.len - 1] == ' ')
		b_buf_truncate(&text, text.len - 1);
	if (it->re.prompt_col == 0)
		b_buf_addc(&out, '^');
	cap_pattern_quote(&out, b_buf_cstr(&text), text.len);
	b_buf_adds(&out, " *$");
	b_buf_release(&text);
	return b_buf_take(&out, NULL);
}

/* The cursor stands behind something that was typed, in the field or said back with words around it
   ("Update ADA? (Y/N) "): elsewhere when other data is typed. */
static bool behind_typed(const struct cap_infer_options *opt, const struct cap_frame *f)
{
	int row = f->cur_row, end = f->cur_col;
	struct b_buf word = B_BUF_INIT;
	bool typed = false;

	while (!typed && end > 0) {
		int col, gap = 0;

		for (; end > 0 && cap_frame_char(f, row, end - 1) == ' '; end--)
			gap++;
		for (col = end; col > 0 && cap_frame_char(f, row, col - 1) != ' ';)
			col--;
		if (gap > 1 || col == end)
			break;
		b_buf_clear(&word);
		cap_frame_text(f, row, col, end, &word);
		typed = cap_words_has(opt->words, b_buf_cstr(&word), word.len);
		end = col;
	}
	b_buf_release(&word);
	return typed;
}

void cap_candidates_find(struct cap_response_run *r, const struct cap_session *s,
	const struct cap_infer_options *opt)
{
	const struct cap_item *it = r->item;
	const struct cap_frame *a = it->before, *b = it->re.after;
	struct cap_text_options topt = { .session = s,
		.item = it,
		.tick = r->tick,
		.ticking = r->ticking,
		.differing = r->differing,
		.typed = opt->typed,
		.n_typed = opt->n_typed,
		.words = opt->words };
	struct cap_text text[TEXTS_MAX];
	size_t n = cap_texts_find(&topt, text, TEXTS_MAX);
	bool moved = it->kind == CAP_START || a->cur_row != b->cur_row || a->cur_col != b->cur_col;
	bool cursor = b->cur_visible && !it->re.line_mode &&
		r->tick[b->cur_row * b->cols + b->cur_col] != 1 &&
		!(r->differing &&
			r->differing[b->cur_row * b->cols + b->cur_col] & CAP_DIFFERS_CURSOR);
	int apart = cursor && behind_typed(opt, b) ? BEHIND_COST : 0;
	char *prompt = prompt_pattern(it);
	struct cap_wait anchor = {
		.row = -1, .cursor = cursor, .cur_row = b->cur_row, .cur_col = b->cur_col
	};

	if (prompt)
		candidate_add(r, (struct cap_wait){ .row = -1, .prompt = prompt }, PROMPT_COST);
	if (cursor && moved)
		candidate_add(r, anchor, 26 + apart);
	for (size_t i = 0; i < n; i++) {
		int q = text[i].quality;
		int base = 50 - (q > 70 ? 70 : q < -50 ? -50 : q);
		struct cap_wait w = { .text = text[i].text,
			.pattern = text[i].pattern,
			.gone = text[i].gone,
			.reverse = text[i].reverse,
			.repaint = text[i].repaint,
			.moved = text[i].moved,
			.highlight = text[i].highlight,
			.row = it->re.line_mode ? -1 : text[i].row };

		candidate_add(r, w, base + (cursor && moved && !apart ? 6 : 0));
		if (prompt) {
			w.prompt = prompt;
			candidate_add(r, w, PROMPT_COST + 30 + base / 4);
		} else if (cursor) {
			w.cursor = true;
			w.cur_row = b->cur_row;
			w.cur_col = b->cur_col;
			candidate_add(r, w, base + (moved ? 0 : 4) + apart);
		}
	}
	cap_texts_free(text, n);
	free(prompt);
}

void cap_response_release(struct cap_response_run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		cap_wait_release(&r->c[i].w);
		vs_cond_free(r->c[i].cond);
	}
	free(r->c);
	free(r->tick);
	memset(r, 0, sizeof *r);
}
