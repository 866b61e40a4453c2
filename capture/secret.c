/*
 * Typed characters are gathered in runs: those between two keys that are no characters. The
 * first run that is not decided yet, the head, is judged by how its row changes; those behind it
 * wait. Pieces (what was typed, in order) leave at the front as their runs are decided.
 */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "capture/secret.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "capture/label.h"
#include "capture/typed.h"
#include "base/banned.h"

/* Nothing came of a character for so long: it was a key that does nothing to see. */
#define NOTHING_NS   (2 * B_NS_PER_S)
/* Something came of it elsewhere on the screen, and so long after still nothing in its row. */
#define ELSEWHERE_NS (300 * B_NS_PER_MS)
/* Nothing came of a submitting key for so long: the characters before it stay unseen. */
#define ANSWER_NS    B_NS_PER_S

enum verdict { UNKNOWN, KEYS, SECRET, DROPPED };

struct run {
	struct run *next;
	size_t pieces; /* in the queue */
	enum verdict verdict;
	bool open, announced;
	bool line, told, labelled; /* what speaks for a secret */
	bool erased;               /* the next change of the row may be an erasure's */
	bool masked;               /* a mask was painted, even if it is erased by now */
	bool any;                  /* a character was typed, even if it is erased by now */
	int64_t last_ns;           /* of its last key, or of the closing one */
	int64_t elsewhere_ns; /* when the screen then first changed outside of its row; -1: not yet */
	/* The field when all that was judged had been painted. */
	bool based;
	int row, col;
	uint32_t *base; /* the row's characters */
	int base_cols;
	uint64_t base_changes; /* of the screen */
	/* Characters that nothing is known of yet. */
	uint32_t *typed;
	size_t n_typed, typed_cap;
	/* Those that were masked. */
	size_t painted;
	uint32_t mask, distinct[3]; /* up to three different characters that it stood for */
	size_t n_distinct;
	bool differs; /* it stood for another character than itself and a blank */
	struct b_buf name;
};

struct piece {
	struct run *run; /* NULL: a key */
	int64_t at_ns;
	unsigned read; /* number of the read it came with */
	char *bytes;
	size_t len;
};

struct cap_secret {
	struct cap_secret_options opt;
	struct cap_secret_labels *labels;
	struct cap_typed_state typed;
	struct run *head, *tail; /* those with pieces in the queue, and the open one */
	struct run *open;        /* the run that the next character joins; or NULL */
	struct piece *queue;
	size_t n_queue, queue_cap;
	unsigned read;
	bool told;
};

int cap_secret_new(
	struct cap_secret **out, const struct cap_secret_options *opt, struct b_error *err)
{
	struct cap_secret *s = b_calloc(1, sizeof *s);
	int rc = cap_secret_labels_new(&s->labels, opt->label_pattern, err);

	if (rc) {
		free(s);
		return rc;
	}
	s->opt = *opt;
	*out = s;
	return B_OK;
}

static void run_free(struct run *r)
{
	if (r->typed)
		explicit_bzero(r->typed, r->typed_cap * sizeof *r->typed);
	free(r->typed);
	free(r->base);
	b_buf_release(&r->name);
	free(r);
}

static void piece_wipe(struct piece *p)
{
	explicit_bzero(p->bytes, p->len);
	free(p->bytes);
}

void cap_secret_free(struct cap_secret *s)
{
	struct run *r, *next;

	if (!s)
		return;
	for (size_t i = 0; i < s->n_queue; i++)
		piece_wipe(&s->queue[i]);
	for (r = s->head; r; r = next) {
		next = r->next;
		run_free(r);
	}
	cap_secret_labels_free(s->labels);
	free(s->queue);
	free(s);
}

/* ---- Out at the front ------------------------------------------------------------------ */

static void emit_batch(struct cap_secret *s, int64_t at_ns, struct b_buf *batch)
{
	if (batch->len)
		s->opt.emit(s->opt.user, at_ns, 'i', batch->data, batch->len);
	b_buf_clear(batch);
}

static void announce(struct cap_secret *s, struct run *r, int64_t at_ns)
{
	struct b_buf label = B_BUF_INIT;

	if (r->announced || r->verdict != SECRET)
		return;
	r->announced = true;
	b_buf_printf(&label, "secret %s", b_buf_cstr(&r->name));
	s->opt.emit(s->opt.user, at_ns, 'm', label.data, label.len);
	b_buf_release(&label);
}

static void drop_runs(struct cap_secret *s)
{
	while (s->head && !s->head->pieces && s->head->verdict != UNKNOWN && !s->head->open) {
		struct run *r = s->head;

		s->head = r->next;
		if (!s->head)
			s->tail = NULL;
		run_free(r);
	}
}

/* Gives away what is decided; a read that is keys as a whole stays one event. */
static void emit_decided(struct cap_secret *s)
{
	struct b_buf batch = B_BUF_INIT;
	int64_t batch_ns = 0;
	unsigned batch_read = 0;
	size_t n = 0;

	for (; n < s->n_queue; n++) {
		struct piece *p = &s->queue[n];
		enum verdict v = p->run ? p->run->verdict : KEYS;

		if (v == UNKNOWN)
			break;
		if (v != KEYS || p->read != batch_read)
			emit_batch(s, batch_ns, &batch);
		if (v == KEYS) {
			b_buf_add(&batch, p->bytes, p->len);
			batch_ns = p->at_ns;
			batch_read = p->read;
		} else {
			announce(s, p->run, p->at_ns);
		}
		if (p->run)
			p->run->pieces--;
		piece_wipe(p);
	}
	emit_batch(s, batch_ns, &batch);
	if (batch.data)
		explicit_bzero(batch.data, batch.cap);
	b_buf_release(&batch);
	s->n_queue -= n;
	if (n && s->n_queue)
		memmove(s->queue, s->queue + n, s->n_queue * sizeof *s->queue);
	drop_runs(s);
}

static void add_piece(
	struct cap_secret *s, struct run *r, int64_t at_ns, const char *bytes, size_t len)
{
	if (s->n_queue == s->queue_cap) {
		s->queue_cap = s->queue_cap ? 2 * s->queue_cap : 32;
		s->queue = b_reallocarray(s->queue, s->queue_cap, sizeof *s->queue);
	}
	s->queue[s->n_queue++] = (struct piece){ .run = r,
		.at_ns = at_ns,
		.read = s->read,
		.bytes = b_strndup(bytes, len),
		.len = len };
	if (r) {
		r->pieces++;
		r->last_ns = at_ns;
	}
}

/* ---- The screen ------------------------------------------------------------------------ */

static uint32_t char_at(const struct vs_screen *screen, int row, int col)
{
	struct vs_cell cell;

	if (row < 0 || row >= vs_screen_rows(screen) || col < 0 || col >= vs_screen_cols(screen))
		return 0;
	vs_screen_cell(screen, row, col, &cell);
	return cell.chars[0] ? cell.chars[0] : ' ';
}

static uint32_t base_at(const struct run *r, int col)
{
	return col < r->base_cols ? r->base[col] : ' ';
}

/* Forms turn small letters into capitals. */
static bool same_char(uint32_t a, uint32_t b)
{
	if (a >= 'a' && a <= 'z')
		a -= 'a' - 'A';
	if (b >= 'a' && b <= 'z')
		b -= 'a' - 'A';
	return a == b;
}

static bool is_alnum(uint32_t cp)
{
	return (cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z') ||
		(cp >= 0xAA && cp < 0x2000 && cp != 0xB7) || cp >= 0x2C00;
}

static void take_base(struct cap_secret *s, struct run *r)
{
	const struct vs_screen *screen = s->opt.screen;
	int cols = vs_screen_cols(screen);

	vs_screen_cursor(screen, &r->row, &r->col);
	r->base = b_reallocarray(r->base, (size_t)cols, sizeof *r->base);
	r->base_cols = cols;
	for (int c = 0; c < cols; c++)
		r->base[c] = char_at(screen, r->row, c);
	r->base_changes = vs_screen_changes(screen);
	r->elsewhere_ns = -1;
	r->erased = false;
}

/* Its name and whether its label asks for a secret, by where the cursor is. */
static void name_it(struct cap_secret *s, struct run *r)
{
	struct b_buf label = B_BUF_INIT;
	int row, col;

	vs_screen_cursor(s->opt.screen, &row, &col);
	cap_label_in_front(s->opt.screen, row, col, &label);
	b_buf_clear(&r->name);
	r->labelled = cap_secret_label(s->labels, b_buf_cstr(&label), &r->name);
	b_buf_release(&label);
	/* Said by the person, of any field whatever. */
	if (r->told && !r->labelled) {
		b_buf_clear(&r->name);
		b_buf_adds(&r->name, "password");
	}
}

/* The head sees the screen for the first time. */
static void look(struct cap_secret *s, struct run *r)
{
	take_base(s, r);
	name_it(s, r);
	r->based = true;
}

static bool row_changed(struct cap_secret *s, const struct run *r, int from, int to)
{
	for (int c = from; c < to && c < r->base_cols; c++)
		if (char_at(s->opt.screen, r->row, c) != base_at(r, c))
			return true;
	return false;
}

/* Whether the typed characters stand at the field's place in this row. */
static bool shows_typed(struct cap_secret *s, const struct run *r, int row, size_t n)
{
	int col = r->col;

	for (size_t i = 0; i < n; i++) {
		struct vs_cell cell;

		if (!same_char(char_at(s->opt.screen, row, col), r->typed[i]))
			return false;
		vs_screen_cell(s->opt.screen, row, col, &cell);
		col += cell.width ? cell.width : 1;
	}
	return n > 0;
}

/* Whether the mask stood there before, as forms fill their fields with _ or dots: nothing was
   painted then. Asterisks are no filler; COBOL fills a secure field with them beforehand. */
static bool is_filler(const struct run *r, uint32_t mask)
{
	return base_at(r, r->col) == mask && mask != '*' && mask != 0x2022 && mask != 0x25CF;
}

/* How many columns of one same character stand at the field's place, at most n. */
static int mask_columns(struct cap_secret *s, const struct run *r, int row, int n, uint32_t *mask)
{
	int k = 0;

	*mask = char_at(s->opt.screen, row, r->col);
	if (*mask == ' ' || !*mask || (r->painted && *mask != r->mask))
		return 0;
	while (k < n && char_at(s->opt.screen, row, r->col + k) == *mask)
		k++;
	return k;
}

/* ---- Judging --------------------------------------------------------------------------- */

static void decide(struct run *r, enum verdict v)
{
	r->verdict = v;
	if (r->typed)
		explicit_bzero(r->typed, r->n_typed * sizeof *r->typed);
	r->n_typed = 0;
}

/* The first n typed characters were painted as masks. */
static void count_masked(struct run *r, size_t n, uint32_t mask)
{
	r->mask = mask;
	r->masked = true;
	r->painted += n;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		if (r->typed[i] != mask && r->typed[i] != ' ')
			r->differs = true;
		while (k < r->n_distinct && r->distinct[k] != r->typed[i])
			k++;
		if (k == r->n_distinct && k < B_ARRAY_LEN(r->distinct))
			r->distinct[r->n_distinct++] = r->typed[i];
	}
	memmove(r->typed, r->typed + n, (r->n_typed - n) * sizeof *r->typed);
	r->n_typed -= n;
}

static bool is_masked_secret(const struct run *r)
{
	return r->masked && r->differs &&
		(!is_alnum(r->mask) || r->n_distinct == B_ARRAY_LEN(r->distinct));
}

/* The run is over; nothing more can be learnt. */
static void conclude(struct run *r)
{
	bool spoken_for = r->line || r->told || r->labelled || r->masked;

	if (!r->n_typed && !r->painted)
		/* All was erased: neither a key to repeat nor a secret to type. */
		decide(r, spoken_for && r->any ? DROPPED : KEYS);
	else if (r->line || r->told || is_masked_secret(r) || r->labelled)
		decide(r, SECRET);
	else
		decide(r, KEYS);
}

/* What a mask painted at the cursor looks like while the run goes on. */
static bool take_masks(struct cap_secret *s, struct run *r, int cur_row, int cur_col)
{
	int n = cur_col - r->col, k;
	uint32_t mask;

	if (cur_row != r->row || n < 1 || (size_t)n > r->n_typed)
		return false;
	k = mask_columns(s, r, r->row, n, &mask);
	if (k < n || row_changed(s, r, 0, r->col) || row_changed(s, r, r->col + n, r->base_cols))
		return false;
	if (is_filler(r, mask))
		return false;
	/* A letter or digit that shows as itself is an echo. */
	if (is_alnum(mask) && !r->painted && same_char(r->typed[0], mask))
		return false;
	count_masked(r, (size_t)n, mask);
	take_base(s, r);
	return true;
}

/* Whether a row begins as the field's row did, so that it may be that row, scrolled up. */
static bool is_the_row(struct cap_secret *s, const struct run *r, int row)
{
	bool word = false;

	for (int c = 0; c < r->col; c++) {
		if (char_at(s->opt.screen, row, c) != base_at(r, c))
			return false;
		word = word || is_alnum(base_at(r, c));
	}
	return word || row == r->row || (!r->col && r->n_typed >= 3);
}

/* After a submitting key what was typed shows, if at all, in the row or where that scrolled to. */
static void judge_closed(struct cap_secret *s, struct run *r)
{
	uint32_t mask;

	for (int row = r->row; row >= 0 && r->n_typed; row--) {
		if (!is_the_row(s, r, row))
			continue;
		if (shows_typed(s, r, row, r->n_typed)) {
			decide(r, KEYS);
			return;
		}
		if (r->n_typed >= 2 &&
			mask_columns(s, r, row, (int)r->n_typed, &mask) == (int)r->n_typed &&
			!is_alnum(mask) && !is_filler(r, mask)) {
			count_masked(r, r->n_typed, mask);
			break;
		}
	}
	conclude(r);
}

static void judge_open(struct cap_secret *s, struct run *r, int cur_row, int cur_col, int64_t at_ns)
{
	/* Further right there may be a clock. */
	bool changed = row_changed(s, r, 0, r->col + (int)r->n_typed + 1);
	bool away = cur_row != r->row;

	if (!r->n_typed) {
		/* Between two characters of it. */
		if (r->painted && away && changed)
			conclude(r); /* the field was full and submitted itself */
		else if (r->erased && !away)
			take_base(s, r);
		return;
	}
	if (take_masks(s, r, cur_row, cur_col))
		return;
	if ((changed || away || cur_col > r->col) && shows_typed(s, r, r->row, 1))
		decide(r, KEYS);
	else if (!changed) {
		/* Nothing was painted yet; the cursor may be under way. */
		if (r->elsewhere_ns <= r->last_ns &&
			vs_screen_changes(s->opt.screen) != r->base_changes)
			r->elsewhere_ns = at_ns;
	} else if (!r->painted)
		decide(r, KEYS);
	else if (away)
		conclude(r);
	else if (cur_col > 0 && char_at(s->opt.screen, r->row, cur_col - 1) != r->mask &&
		char_at(s->opt.screen, r->row, cur_col) != r->mask)
		/* What was painted in front of it was no mask, but a prompt: `/` in less. */
		decide(r, KEYS);
	else {
		/* A full field scrolls. */
		count_masked(r, r->n_typed, r->mask);
		take_base(s, r);
	}
}

static bool waits_for_answer(const struct run *r)
{
	return !r->open && r->verdict == UNKNOWN;
}

static void judge(struct cap_secret *s, struct run *r, int64_t at_ns, bool hidden)
{
	int row, col;

	if (vs_screen_midway(s->opt.screen))
		return; /* no picture yet */
	vs_screen_cursor(s->opt.screen, &row, &col);
	if (!r->based) {
		look(s, r);
		if (hidden && r->n_typed)
			r->line = true;
	} else if (r->line || r->told) {
		;
	} else if (waits_for_answer(r)) {
		/* Its answer has come when its row changes or the cursor leaves it. */
		if (row != r->row || row_changed(s, r, 0, r->base_cols))
			judge_closed(s, r);
	} else {
		judge_open(s, r, row, col, at_ns);
		/* A program that turned echo off right after its prompt. */
		if (hidden && r->verdict == UNKNOWN && r->n_typed && !r->painted)
			r->line = true;
	}
	if (r->verdict == UNKNOWN && !r->open && (r->line || r->told))
		conclude(r);
	if (r->verdict != UNKNOWN && r->open) {
		/* What is typed from here on is judged anew. */
		r->open = false;
		s->open = NULL;
	}
}

static struct run *first_unknown(const struct cap_secret *s)
{
	struct run *r = s->head;

	while (r && r->verdict != UNKNOWN)
		r = r->next;
	return r;
}

static int64_t due_of(const struct run *r)
{
	if (waits_for_answer(r))
		return r->last_ns + ANSWER_NS;
	if (r->line || r->told || r->labelled || r->painted)
		return -1;
	if (r->elsewhere_ns > r->last_ns)
		return r->elsewhere_ns + ELSEWHERE_NS;
	return r->last_ns + NOTHING_NS;
}

/* Goes on with the runs behind one that was decided. */
static void advance(struct cap_secret *s, int64_t at_ns, bool hidden)
{
	struct run *r;

	while ((r = first_unknown(s))) {
		if (!r->based) {
			judge(s, r, at_ns, hidden);
			r->last_ns = at_ns;
			if (!r->based)
				break;
		}
		if (r->verdict == UNKNOWN && due_of(r) >= 0 && at_ns >= due_of(r)) {
			conclude(r);
			if (r->open) {
				r->open = false;
				s->open = NULL;
			}
		}
		if (r->verdict == UNKNOWN)
			break;
	}
	emit_decided(s);
}

/* ---- Calls ----------------------------------------------------------------------------- */

static struct run *open_run(struct cap_secret *s, int64_t at_ns, bool hidden)
{
	struct run *r = s->open;

	if (r)
		return r;
	r = b_calloc(1, sizeof *r);
	r->open = true;
	r->told = s->told;
	r->last_ns = at_ns;
	r->elsewhere_ns = -1;
	name_it(s, r);
	if (s->tail)
		s->tail->next = r;
	else
		s->head = r;
	s->tail = r;
	s->open = r;
	if (first_unknown(s) == r)
		judge(s, r, at_ns, hidden);
	return r;
}

static void add_char(struct run *r, const char *bytes, size_t len)
{
	uint32_t cp;

	if (!b_utf8_decode(bytes, len, &cp))
		cp = B_UTF8_REPLACEMENT;
	if (r->n_typed == r->typed_cap) {
		size_t cap = r->typed_cap ? 2 * r->typed_cap : 16;
		uint32_t *bigger = b_calloc(cap, sizeof *bigger);

		if (r->typed) {
			memcpy(bigger, r->typed, r->n_typed * sizeof *bigger);
			explicit_bzero(r->typed, r->typed_cap * sizeof *r->typed);
			free(r->typed);
		}
		r->typed = bigger;
		r->typed_cap = cap;
	}
	r->typed[r->n_typed++] = cp;
	r->any = true;
}

static void erase(struct run *r, char key)
{
	bool all = key == 0x15 || key == 0x17; /* C-u, C-w */

	if (r->n_typed)
		r->n_typed = all ? 0 : r->n_typed - 1;
	else if (r->painted)
		r->painted--;
	if (all)
		r->painted = 0;
	r->erased = true;
}

static void close_run(struct cap_secret *s, struct run *r, int64_t at_ns)
{
	r->open = false;
	r->last_ns = at_ns;
	s->open = NULL;
	if (r->verdict == UNKNOWN && (r->line || r->told || r->painted || !r->n_typed))
		conclude(r);
}

static void take(struct cap_secret *s, const struct cap_typed *t, int64_t at_ns, bool hidden)
{
	struct run *r = s->open;

	switch (t->kind) {
	case CAP_TYPED_TEXT:
		r = open_run(s, at_ns, hidden);
		add_piece(s, r, at_ns, t->bytes, t->len);
		if (!t->more)
			add_char(r, t->bytes, t->len);
		r->line = r->line || hidden;
		break;
	case CAP_TYPED_ERASE:
		if (r)
			erase(r, *t->bytes);
		add_piece(s, r, at_ns, t->bytes, t->len);
		break;
	case CAP_TYPED_BRACKET:
		if (t->bytes[t->len - 2] == '0')
			r = open_run(s, at_ns, hidden);
		add_piece(s, r, at_ns, t->bytes, t->len);
		break;
	case CAP_TYPED_ANSWER: add_piece(s, NULL, at_ns, t->bytes, t->len); break;
	case CAP_TYPED_KEY:
		if (r)
			close_run(s, r, at_ns);
		add_piece(s, NULL, at_ns, t->bytes, t->len);
		break;
	}
}

void cap_secret_typed(
	struct cap_secret *s, int64_t at_ns, const char *bytes, size_t len, bool hidden)
{
	s->read++;
	if (hidden && s->open && s->open->n_typed && !s->open->painted)
		s->open->line = true;
	while (len) {
		struct cap_typed t;
		size_t n = cap_typed_next(&s->typed, bytes, len, at_ns, &t);

		take(s, &t, at_ns, hidden);
		bytes += n;
		len -= n;
	}
	advance(s, at_ns, hidden);
}

void cap_secret_shown(struct cap_secret *s, int64_t at_ns, bool hidden)
{
	struct run *r = first_unknown(s);

	if (r)
		judge(s, r, at_ns, hidden);
	advance(s, at_ns, hidden);
}

void cap_secret_tell(struct cap_secret *s, int64_t at_ns, bool on)
{
	if (s->told == on)
		return;
	s->told = on;
	if (s->open)
		close_run(s, s->open, at_ns);
	advance(s, at_ns, false);
}

void cap_secret_finish(struct cap_secret *s, int64_t at_ns)
{
	struct run *r;

	if (s->open)
		close_run(s, s->open, at_ns);
	while ((r = first_unknown(s))) {
		if (!r->based)
			look(s, r);
		conclude(r);
	}
	emit_decided(s);
}

bool cap_secret_holds(const struct cap_secret *s)
{
	return s->n_queue > 0;
}

int64_t cap_secret_due_ns(const struct cap_secret *s)
{
	const struct run *r = first_unknown(s);

	return r ? due_of(r) : -1;
}
