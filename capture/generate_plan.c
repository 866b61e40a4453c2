/* Items to acts to steps. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/plan.h"
#include "base/banned.h"

/* A key held down: nothing is waited for between its repeats. */
#define REPEAT_NS       (80 * 1000000LL)
/* So many characters in one read were not typed but pasted. */
#define BURST_MIN       8
/* Esc and the key behind it are one key to programs that wait less than this. */
#define ESC_NS          (2500 * 1000000LL)
/* Clicks as applications tell them from each other: ncurses takes 166 ms, mc 250, vim 500. */
#define CLICK_NS        (150 * 1000000LL)
#define DOUBLE_CLICK_NS (600 * 1000000LL)
/* The last of the buttons that are clicked; the rest are the wheel's. */
#define BUTTON_RIGHT    3

/* ---- Acts ------------------------------------------------------------------------------- */

static struct cap_act *act_add(
	struct cap_plan *p, enum cap_act_kind kind, size_t first, size_t last)
{
	struct cap_act *a;

	p->act = b_reallocarray(p->act, p->n_acts + 1, sizeof *p->act);
	a = &p->act[p->n_acts++];
	memset(a, 0, sizeof *a);
	a->kind = kind;
	a->first = first;
	a->last = last;
	a->before_ns = -1;
	return a;
}

static bool is_key(const struct cap_item *it, const char *name)
{
	return it->kind == CAP_KEY && it->key_kind == VS_KEY_NAMED && !strcmp(it->name, name);
}

/* Whether the application asks for brackets about a paste, now or at another time: what came without
   them was typed. */
static bool asks_for_brackets(const struct cap_session *s)
{
	for (size_t i = 0; i < s->n_items; i++)
		if (s->item[i].before && s->item[i].before->modes & VS_MODE_PASTE)
			return true;
	return false;
}

/*
 * The items of one read that are text and line ends only, when there are many: a paste into a
 * program that asked for no brackets. Returns the last, or first - 1 when it is none.
 */
static size_t burst_last(const struct cap_plan *p, size_t first)
{
	const struct cap_session *s = p->s;
	size_t i = first;

	if (s->item[first].before->modes & (VS_MODE_PASTE | VS_MODE_NEWLINE))
		return first - 1;
	for (; i < s->n_items; i++) {
		const struct cap_item *it = &s->item[i];

		if (it->kind != CAP_KEY || (i > first && !it->burst) ||
			!(it->key_kind == VS_KEY_TEXT || is_key(it, "Enter")))
			break;
	}
	if (i - first < BURST_MIN || p->brackets ||
		(i < s->n_items && s->item[i].kind == CAP_KEY && s->item[i].burst))
		return first - 1;
	return i - 1;
}

static void burst_add(struct cap_plan *p, size_t first, size_t last)
{
	struct cap_act *a = act_add(p, CAP_ACT_PASTE, first, last);
	struct b_buf text = B_BUF_INIT;

	for (size_t i = first; i <= last; i++) {
		if (is_key(&p->s->item[i], "Enter"))
			b_buf_addc(&text, '\n');
		else
			b_buf_add(&text, p->s->item[i].bytes, p->s->item[i].len);
	}
	a->text = b_buf_take(&text, &a->len);
}

static const struct cap_wait *wait_of(const struct cap_plan *p, size_t i)
{
	return p->waits[i].found ? &p->waits[i] : NULL;
}

/* Adds the act that begins with item i; returns its last item. */
static size_t key_act(struct cap_plan *p, size_t i)
{
	const struct cap_session *s = p->s;
	const struct cap_item *it = &s->item[i];
	const struct cap_value *v = cap_values_at(p->values, i);
	size_t burst = burst_last(p, i);

	if (burst + 1 > i && !(v && v->last == burst && burst > i)) {
		burst_add(p, i, burst);
		return burst;
	}
	if (v) {
		bool at_once = burst + 1 > i;

		enum cap_act_kind kind = v->paste || at_once ? CAP_ACT_PASTE : CAP_ACT_SEND;

		act_add(p, v->secret ? CAP_ACT_SECRET : kind, i, v->last)->value = v;
		return v->last;
	}
	switch (it->key_kind) {
	case VS_KEY_MOUSE:
		act_add(p, it->mouse_exact ? CAP_ACT_MOUSE : CAP_ACT_RAW, i, i);
		return i;
	case VS_KEY_TEXT:
	case VS_KEY_NAMED: act_add(p, CAP_ACT_PRESS, i, i); return i;
	default: {
		size_t last = i;

		while (last + 1 < s->n_items && s->item[last + 1].kind == CAP_KEY &&
			s->item[last + 1].burst && s->item[last + 1].key_kind == VS_KEY_RAW)
			last++;
		act_add(p, CAP_ACT_RAW, i, last);
		return last;
	}
	}
}

static void acts_make(struct cap_plan *p)
{
	const struct cap_session *s = p->s;

	for (size_t i = 1; i < s->n_items; i++) {
		const struct cap_item *it = &s->item[i];
		size_t n = p->n_acts;

		switch (it->kind) {
		case CAP_KEY: i = key_act(p, i); break;
		case CAP_SECRET: act_add(p, CAP_ACT_SECRET, i, i); break;
		case CAP_RESIZE: act_add(p, CAP_ACT_RESIZE, i, i); break;
		case CAP_LOOK: act_add(p, CAP_ACT_LOOK, i, i); break;
		case CAP_PAUSE: act_add(p, CAP_ACT_PAUSED, i, i); break;
		case CAP_GOLDEN:
		case CAP_MASK:
		case CAP_COMMENT: act_add(p, CAP_ACT_MARKER, i, i); break;
		default: break;
		}
		if (p->n_acts > n && cap_item_is_input(&s->item[i]))
			p->act[n].wait = wait_of(p, i);
	}
}

/* ---- Time ------------------------------------------------------------------------------- */

/* When the person could begin with item i: the answer before it was complete, or it was typed. */
static int64_t ready_ns(const struct cap_plan *p, size_t i)
{
	size_t prev = cap_session_prev(p->s, i);
	int64_t at;

	if (prev == SIZE_MAX)
		return 0;
	at = p->s->item[prev].at_ns;
	if (p->waits[prev].found && p->waits[prev].done_ns > at)
		at = p->waits[prev].done_ns;
	return at > p->s->item[i].at_ns ? p->s->item[i].at_ns : at;
}

/*
 * What a mouse button does hangs on time: applications take a press soon after another for a double
 * click, and a release soon after its press for a click. A pause that told them apart is kept.
 */
static int64_t click_pause(const struct cap_plan *p, const struct cap_act *a)
{
	const struct cap_act *prev = a > p->act ? a - 1 : NULL;
	const struct vs_mouse *m = &p->s->item[a->first].mouse, *last;

	if (a->kind != CAP_ACT_MOUSE || !prev || prev->kind != CAP_ACT_MOUSE ||
		a->before_ns < CLICK_NS)
		return 0;
	last = &p->s->item[prev->first].mouse;
	if (m->button > BUTTON_RIGHT || last->button > BUTTON_RIGHT)
		return 0;
	if (m->action != VS_MOUSE_PRESS &&
		(m->action != VS_MOUSE_RELEASE || last->action != VS_MOUSE_PRESS))
		return 0;
	return a->before_ns < DOUBLE_CLICK_NS ? a->before_ns : DOUBLE_CLICK_NS;
}

static void times_set(struct cap_plan *p)
{
	int64_t esc_ns = 0; /* kept already, behind the Esc before */

	for (size_t a = 0; a < p->n_acts; a++) {
		struct cap_act *act = &p->act[a], *next = a + 1 < p->n_acts ? act + 1 : NULL;
		const struct cap_item *it = &p->s->item[act->first];

		if (act->kind == CAP_ACT_MARKER || act->kind == CAP_ACT_PAUSED ||
			act->kind == CAP_ACT_LOOK)
			continue;
		act->before_ns = it->at_ns - ready_ns(p, act->first) - esc_ns;
		if (act->before_ns < 0)
			act->before_ns = 0;
		act->click_pause_ns = click_pause(p, act);
		act->before_ns -= act->click_pause_ns;
		esc_ns = 0;
		/* Held down: the repeats follow each other. */
		if (next && act->kind == CAP_ACT_PRESS && next->kind == CAP_ACT_PRESS &&
			act->wait && cap_key_is_navigation(it->name) &&
			!strcmp(it->name, p->s->item[next->first].name) &&
			p->s->item[next->first].at_ns - it->at_ns < REPEAT_NS)
			act->wait = NULL;
		if (next && is_key(it, "Esc") && !act->wait) {
			int64_t gap = p->s->item[next->first].at_ns - it->at_ns;

			act->esc_pause_ns = esc_ns = gap < ESC_NS ? gap : ESC_NS;
		}
	}
}

/* ---- Steps ------------------------------------------------------------------------------ */

static struct cap_step *step_add(struct cap_plan *p, size_t first)
{
	struct cap_step *st;

	p->step = b_reallocarray(p->step, p->n_steps + 1, sizeof *p->step);
	st = &p->step[p->n_steps++];
	memset(st, 0, sizeof *st);
	st->first = first;
	st->think_ns = -1;
	return st;
}

/* Whether a marker of that kind stands between act a and the one before it; its label. */
static const struct cap_item *marker_between(
	const struct cap_plan *p, size_t a, enum cap_item_kind kind)
{
	size_t from = a ? p->act[a - 1].last + 1 : 0;
	size_t to = a < p->n_acts ? p->act[a].first : p->s->n_items;
	const struct cap_item *found = NULL;

	for (size_t i = from; i < to; i++)
		if (p->s->item[i].kind == kind)
			found = &p->s->item[i];
	return found;
}

/* A person who waited so long waited for an answer. */
#define ANSWER_NS (150 * 1000000LL)

/*
 * A key that only moved the cursor on or wiped a message, whatever else it redrew, submits
 * nothing; unless that took its time, or the cursor came back to where the step began: a form
 * that was taken.
 */
static bool submits(const struct cap_plan *p, const struct cap_step *st, const struct cap_act *a)
{
	const struct cap_item *it = &p->s->item[a->last];
	const struct cap_frame *start = p->s->item[p->act[st->first].first].before;
	const struct cap_frame *end = it->re.after;

	if (!it->submit || !a->wait)
		return false;
	if ((a->wait->text && !a->wait->gone) || a->wait->prompt || a->wait->quiet_ms ||
		it->re.switched)
		return true;
	return a->wait->cursor &&
		(a->wait->done_ns - it->at_ns >= ANSWER_NS ||
			(st->n > 1 && start && start->cur_row == end->cur_row &&
				start->cur_col == end->cur_col));
}

static void steps_make(struct cap_plan *p)
{
	struct cap_step *st = NULL;
	bool named = false;

	for (size_t a = 0; a < p->n_acts; a++) {
		const struct cap_act *act = &p->act[a];
		const struct cap_item *begin = marker_between(p, a, CAP_BEGIN);

		if (marker_between(p, a, CAP_END) && named) {
			named = false;
			st = NULL;
		}
		if (begin) {
			st = step_add(p, a);
			st->transaction = true;
			st->name = b_strdup(*begin->label ? begin->label : "transaction");
			named = true;
		}
		if (!named && (act->kind == CAP_ACT_RESIZE || act->kind == CAP_ACT_PAUSED))
			st = NULL;
		if (!st)
			st = step_add(p, a);
		st->n++;
		if (named)
			continue;
		if (submits(p, st, act)) {
			st->transaction = true;
			st = NULL;
		} else if (act->kind == CAP_ACT_RESIZE || act->kind == CAP_ACT_PAUSED) {
			st = NULL;
		}
	}
}

/* Commands and what belongs to them: ":" "wq", "q" "y". */
static bool is_command(const struct cap_plan *p, const struct cap_act *a)
{
	const struct cap_item *it = &p->s->item[a->first];

	if (a->kind == CAP_ACT_SEND)
		return !a->value->name;
	return a->kind == CAP_ACT_PRESS && it->key_kind == VS_KEY_TEXT &&
		strcmp(it->name, " ") != 0;
}

/*
 * Cuts the keys that leave from the work in front of them. A last step in which values were typed is
 * all work, and so is one that is alone: leaving is what submits it.
 */
static void exit_cut(struct cap_plan *p)
{
	struct cap_step *last = p->n_steps ? &p->step[p->n_steps - 1] : NULL;
	const struct cap_item *key;
	size_t cut, works = 0;

	for (size_t k = 0; k + 1 < p->n_steps; k++)
		works += p->step[k].transaction;
	if (!p->s->eof || !last || last->n < 2 || last->name || !works)
		return;
	for (size_t a = last->first; a < last->first + last->n; a++)
		if ((p->act[a].value && p->act[a].value->name) || p->act[a].kind == CAP_ACT_SECRET)
			return;
	cut = last->first + last->n - 1;
	key = &p->s->item[p->act[cut].first];
	while ((is_key(key, "Enter") || key->key_kind == VS_KEY_TEXT) && cut > last->first &&
		is_command(p, &p->act[cut - 1]))
		cut--;
	if (cut > last->first) {
		size_t n = last->first + last->n - cut;

		last->n -= n;
		step_add(p, cut)->n = n;
	}
}

static void steps_finish(struct cap_plan *p)
{
	for (size_t k = 0; k < p->n_steps; k++) {
		struct cap_step *st = &p->step[k];
		size_t a = st->first;

		/* Markers in front of the first key belong to the screen before it. */
		while (a < st->first + st->n - 1 && p->act[a].kind == CAP_ACT_MARKER)
			a++;
		st->state = cap_session_prev(p->s, p->act[a].first);
		st->think_ns = p->act[a].before_ns;
		if (p->act[a].kind == CAP_ACT_MARKER || !st->think_ns)
			st->think_ns = -1;
		else
			p->act[a].before_ns = -1;
	}
}

/* ---- Names of transactions -------------------------------------------------------------- */

static void key_word(const struct cap_item *it, struct b_buf *out)
{
	const char *name = it->name;

	if (it->key_kind == VS_KEY_MOUSE) {
		b_buf_adds(out, "click");
	} else if (it->key_kind == VS_KEY_NAMED && name[0] == 'F' && name[1] >= '1' &&
		name[1] <= '9') {
		b_buf_adds(out, name);
	} else if ((name[0] == 'C' || name[0] == 'M') && name[1] == '-' &&
		((name[2] | 32) >= 'a' && (name[2] | 32) <= 'z')) {
		b_buf_printf(out, "%.2s", name);
		cap_name_words(out, name + 2, 16);
	} else if (name[0] >= 'A' && name[0] <= 'Z' && !name[1]) {
		b_buf_adds(out, name);
	} else if (!strcmp(name, " ")) {
		b_buf_adds(out, "space");
	} else if (!strcmp(name, "/")) {
		b_buf_adds(out, "slash");
	} else if (it->key_kind == VS_KEY_NAMED || it->key_kind == VS_KEY_TEXT) {
		size_t len = out->len;

		cap_name_words(out, name, 16);
		if (out->len == len)
			b_buf_adds(out, "key");
	} else {
		b_buf_adds(out, it->key_kind == VS_KEY_PASTE ? "paste" : "key");
	}
}

/* Whether a prompt asks for something by its name ("User name:"), not for any command. */
static bool is_question(const char *prompt)
{
	size_t letters = 0, len = strlen(prompt);

	for (const char *c = prompt; *c; c++)
		letters += (*c | 32) >= 'a' && (*c | 32) <= 'z';
	return letters >= 3 && (prompt[len - 1] == ':' || strchr(prompt, '?'));
}

/* In line mode a step is named by what was asked for; a command says most of itself with its first
   word. */
static bool line_name(const struct cap_plan *p, const struct cap_step *st, struct b_buf *out)
{
	for (size_t a = st->first; a < st->first + st->n && !out->len; a++) {
		const struct cap_act *act = &p->act[a];
		const char *text;
		char *word;
		size_t len;

		if (act->kind == CAP_ACT_SECRET)
			cap_name_words(out, cap_act_secret(p, act), 24);
		if (!act->value || !act->value->label || act->value->secret)
			continue;
		if (is_question(act->value->label)) {
			word = b_strndup(act->value->label, strcspn(act->value->label, "?"));
			cap_name_words(out, word, 24);
			free(word);
			continue;
		}
		if (act->value->silent)
			continue;
		text = act->value->text;
		len = strcspn(text, " \t;(=");
		word = b_strndup(text, len);
		if ((*word | 32) >= 'a' && (*word | 32) <= 'z')
			cap_name_words(out, word, 16);
		else if (*word == '.' || *word == '\\')
			cap_name_words(out, word + 1, 16);
		free(word);
	}
	return out->len > 0;
}

/* A title without what was typed, which is another one for other data; unless it is nothing else. */
static void untyped_add(const struct cap_plan *p, const char *title, struct b_buf *out)
{
	struct b_buf rest = B_BUF_INIT;

	for (const char *w = title; *w; w += strspn(w, " ")) {
		size_t len = strcspn(w, " ");

		if (!cap_words_has(&p->values->words, w, len))
			b_buf_add(&rest, w, len);
		b_buf_addc(&rest, ' ');
		w += len;
	}
	cap_name_words(out, b_buf_cstr(&rest), 24);
	if (!out->len)
		cap_name_words(out, title, 24);
	b_buf_release(&rest);
}

static void steps_name(struct cap_plan *p)
{
	struct cap_names names = { .sep = '-' };

	for (size_t k = 0; k < p->n_steps; k++) {
		struct cap_step *st = &p->step[k];
		struct b_buf name = B_BUF_INIT, title = B_BUF_INIT;
		const struct cap_item *key = &p->s->item[p->act[st->first + st->n - 1].last];
		bool line_mode = st->state != SIZE_MAX && p->s->item[st->state].re.line_mode;
		const struct cap_value *value;

		if (!st->transaction)
			continue;
		if (st->name) {
			b_buf_adds(&name, st->name);
		} else if (!line_mode || !line_name(p, st, &name)) {
			if (!line_mode && cap_title_find(key->before, &title))
				untyped_add(p, b_buf_cstr(&title), &name);
			b_buf_clear(&title);
			if (!name.len && p->s->trace->command) {
				cap_name_program(&title, p->s->trace->command);
				cap_name_words(&name, b_buf_cstr(&title), 24);
			}
			if (!name.len)
				b_buf_adds(&name, "screen");
			b_buf_addc(&name, '-');
			value = p->act[st->first + st->n - 1].value;
			/* A full field that took itself: what was typed is no name. */
			if (value && value->name && value->label && key->typing)
				untyped_add(p, value->label, &name);
			else
				key_word(key, &name);
		}
		free(st->name);
		cap_names_give(&names, &name);
		st->name = b_buf_take(&name, NULL);
		b_buf_release(&title);
	}
	cap_names_release(&names);
}

/* The last act is what ended the application; nothing is waited for behind it but that. */
static void eof_set(struct cap_plan *p)
{
	size_t a = p->n_acts;

	p->eof = p->s->eof && p->n_acts > 0;
	while (p->eof && a-- > 0) {
		if (p->act[a].kind == CAP_ACT_MARKER)
			continue;
		p->act[a].eof = true;
		if (p->act[a].kind != CAP_ACT_LOOK)
			p->act[a].wait = NULL;
		break;
	}
}

/* ---- The plan --------------------------------------------------------------------------- */

void cap_plan_new(const struct cap_session *s, const struct cap_values *v,
	const struct cap_wait *waits, struct cap_plan *out)
{
	struct cap_plan *p = out;

	memset(p, 0, sizeof *p);
	p->s = s;
	p->values = v;
	p->waits = waits;
	for (size_t i = 0; i < s->n_items; i++)
		p->n_keys += s->item[i].kind == CAP_KEY || s->item[i].kind == CAP_SECRET;
	p->brackets = asks_for_brackets(s);
	acts_make(p);
	eof_set(p);
	times_set(p);
	steps_make(p);
	exit_cut(p);
	steps_finish(p);
	cap_plan_split(p);
	if (!p->n_keys)
		for (size_t k = 0; k < p->n_steps; k++)
			p->step[k].transaction = false;
	/* Coming in and leaving are no work to measure, unless the person said so. */
	for (size_t k = 0; k < p->n_steps; k++)
		if ((k < p->login_end || k >= p->iter_end) && !p->step[k].name)
			p->step[k].transaction = false;
	steps_name(p);
}

const char *cap_act_secret(const struct cap_plan *p, const struct cap_act *a)
{
	const char *name = a->value ? a->value->secret : p->s->item[a->first].label;

	return *name ? name : "password";
}

void cap_plan_release(struct cap_plan *p)
{
	for (size_t i = 0; i < p->n_acts; i++)
		free(p->act[i].text);
	for (size_t i = 0; i < p->n_steps; i++)
		free(p->step[i].name);
	free(p->act);
	free(p->step);
	memset(p, 0, sizeof *p);
}
