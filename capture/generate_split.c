/* Which steps are the login, which the iteration, which the logout. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/plan.h"
#include "base/banned.h"

#define LOGIN_STEPS_MAX 4 /* a login dialogue is over after so many steps */
#define MESSAGE_ROWS    3 /* the lowest, where messages stand: keys may be named below them */

static bool is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

static bool row_blank(const struct cap_frame *f, int row)
{
	return cap_frame_row_end(f, row) == 0;
}

static bool prompts_equal(const struct cap_session *s, size_t a, size_t b)
{
	const struct cap_response *x = &s->item[a].re, *y = &s->item[b].re;
	struct b_buf p = B_BUF_INIT, q = B_BUF_INIT, pp = B_BUF_INIT, qq = B_BUF_INIT;
	bool equal;

	if (x->prompt_col < 0 || y->prompt_col < 0)
		return false;
	cap_frame_text(x->after, x->after->cur_row, x->prompt_col, x->after->cur_col, &p);
	cap_frame_text(y->after, y->after->cur_row, y->prompt_col, y->after->cur_col, &q);
	cap_pattern_quote(&pp, b_buf_cstr(&p), p.len);
	cap_pattern_quote(&qq, b_buf_cstr(&q), q.len);
	equal = !strcmp(b_buf_cstr(&pp), b_buf_cstr(&qq));
	b_buf_release(&p);
	b_buf_release(&q);
	b_buf_release(&pp);
	b_buf_release(&qq);
	return equal;
}

/* To a person who looks: digits may count up, and a selection elsewhere is another screen. */
static bool cells_equal(const struct cap_frame *f, const struct cap_frame *g, int row, int col)
{
	const struct cap_cell *x = &f->row[row]->cell[col], *y = &g->row[row]->cell[col];

	if (x->bg != y->bg || ((x->attrs ^ y->attrs) & VS_REVERSE))
		return false;
	return cap_frame_same_text(f, g, row, col) ||
		(is_digit(cap_frame_char(f, row, col)) && is_digit(cap_frame_char(g, row, col)));
}

bool cap_same_state(const struct cap_session *s, size_t a, size_t b)
{
	const struct cap_response *x = &s->item[a].re, *y = &s->item[b].re;
	const struct cap_frame *f = x->after, *g = y->after;
	uint8_t *tick;
	int messages = 0;
	bool same = true;

	if (x->line_mode != y->line_mode)
		return false;
	if (x->line_mode)
		return prompts_equal(s, a, b);
	if (f->rows != g->rows || f->cols != g->cols || ((f->modes ^ g->modes) & VS_MODE_ALT) ||
		f->cur_visible != g->cur_visible ||
		(f->cur_visible && (f->cur_row != g->cur_row || f->cur_col != g->cur_col)))
		return false;
	tick = b_calloc((size_t)f->rows, (size_t)f->cols);
	cap_session_ticks_get(s, f, tick);
	for (int r = 0; r < f->rows && same; r++) {
		if (cap_frame_same_row(f, g, r))
			continue;
		/* A message may have come or gone. */
		if (r >= f->rows - MESSAGE_ROWS && (row_blank(f, r) || row_blank(g, r)) &&
			!messages++)
			continue;
		for (int c = 0; c < f->cols && same; c++)
			same = tick[r * f->cols + c] || cells_equal(f, g, r, c);
	}
	free(tick);
	return same;
}

/* The state in front of step k; behind the last one: the final screen. */
static size_t state_of(const struct cap_plan *p, size_t k)
{
	if (k < p->n_steps)
		return p->step[k].state;
	for (size_t i = p->s->n_items; i-- > 0;)
		if (cap_item_is_input(&p->s->item[i]))
			return i;
	return 0;
}

static size_t transactions(const struct cap_plan *p, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t k = from; k < to; k++)
		n += p->step[k].transaction;
	return n;
}

/* The first step behind the login dialogue: that which ends with a secret and Enter. */
static size_t login_steps(const struct cap_plan *p)
{
	for (size_t k = 0; k + 1 < p->n_steps && k < LOGIN_STEPS_MAX; k++) {
		const struct cap_step *st = &p->step[k];
		const struct cap_act *last = &p->act[st->first + st->n - 1];

		if (st->n >= 2 && last[-1].kind == CAP_ACT_SECRET &&
			!strcmp(p->s->item[last->first].name, "Enter"))
			return k + 1;
	}
	return 0;
}

/*
 * The keys that leave: the last step, and a question that it answers ("really quit?" "y"), told by
 * single keys.
 */
static size_t exit_step(const struct cap_plan *p, size_t from)
{
	size_t k = p->n_steps - 1;

	if (k > from && p->step[k].n == 1 && p->step[k - 1].n == 1 && !p->step[k - 1].transaction &&
		p->act[p->step[k - 1].first].kind == CAP_ACT_PRESS)
		k--;
	return k;
}

static bool has_values(const struct cap_plan *p, size_t k)
{
	const struct cap_step *st = &p->step[k];

	for (size_t a = st->first; a < st->first + st->n; a++)
		if (p->act[a].value && p->act[a].value->name && !p->s->item[st->state].re.line_mode)
			return true;
	return false;
}

void cap_plan_split(struct cap_plan *p)
{
	size_t login, last, whole;

	p->login_end = 0;
	p->iter_end = p->n_steps;
	if (!p->n_steps)
		return;
	login = login_steps(p);
	last = p->eof ? p->n_steps - 1 : p->n_steps;
	whole = transactions(p, login, last);
	for (size_t b = last; b > login; b--)
		for (size_t a = login; a < b; a++) {
			size_t n = transactions(p, a, b);

			/* Most of the work is between the two. */
			if (n && 5 * n >= 4 * whole &&
				cap_same_state(p->s, state_of(p, a), state_of(p, b))) {
				p->login_end = a;
				p->iter_end = b;
				return;
			}
		}
	p->relogin = true;
	p->login_end = login;
	if (p->eof) {
		size_t k = exit_step(p, login);

		/* A dialogue of one step, or one that ends with a form: leaving it is what there
		   is to measure. */
		p->iter_end = transactions(p, login, k) && !has_values(p, k) ? k : p->n_steps;
		if (p->iter_end == p->n_steps)
			p->step[p->n_steps - 1].transaction = true;
	}
}
