/* Text on a recorded screen that a condition can name, and how good a name it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "capture/infer.h"
#include "base/banned.h"

#define WIDTH_MAX   32  /* columns of one text */
#define FIGURES_MIN 4   /* so many numbers make a row of a table */
#define MOVED_MIN   4   /* letters: fewer say too little */
#define MOVED_COST  120 /* more than any other text or the cursor costs */

/* A word on the screen: a run of cells without a blank. */
struct word {
	int col, end;
	int letters, digits, others;
	int painted, changed, looks; /* cells; changed: in text; looks: in attributes alone */
	bool reverse, was_reverse;   /* all of its cells now, any of its cells before */
	bool bad;                    /* nothing to wait for: ticks, differs, is a frame */
	bool upper;
	bool typed; /* a value, or one of its words */
};

struct finder {
	const struct cap_text_options *opt;
	const struct cap_frame *back;  /* see back_to */
	const struct cap_frame *again; /* see first_again */
	struct cap_text *out;
	size_t n, max;
	bool figures; /* the row is one of figures */
};

static bool is_letter(uint32_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xc0 && c < 0x2000) ||
		c >= 0x3040;
}

static bool is_digit(uint32_t c)
{
	return c >= '0' && c <= '9';
}

/* Lines, boxes, blocks, arrows: they frame text. */
static bool is_frame(uint32_t c)
{
	return (c >= 0x2190 && c <= 0x21ff) || (c >= 0x2500 && c <= 0x25ff) || c == '|';
}

static bool is_filler(uint32_t c)
{
	return c == '_' || c == '-' || c == '=' || c == '~' || c == '.' || c == '*' || c == '#' ||
		c == '+';
}

/* The state of a box that can be checked: "[*]", "( )". */
static bool is_mark(const struct cap_frame *f, int row, const struct word *w)
{
	uint32_t first = cap_frame_char(f, row, w->col);
	uint32_t last = cap_frame_char(f, row, w->end - 1);

	return w->end - w->col == 3 &&
		((first == '[' && last == ']') || (first == '(' && last == ')') ||
			(first == '<' && last == '>'));
}

/* ---- Words ------------------------------------------------------------------------------ */

/* Names of days and months come with dates. */
static bool is_calendar_word(const struct cap_frame *f, int row, const struct word *w)
{
	static const char *const names[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "Jan",
		"Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };

	for (size_t i = 0; i < B_ARRAY_LEN(names); i++) {
		int n = 0;

		while (n < 3 &&
			cap_frame_char(f, row, w->col + n) == (uint32_t)(unsigned char)names[i][n])
			n++;
		if (n == 3 && !is_letter(cap_frame_char(f, row, w->col + 3)))
			return true;
	}
	return false;
}

static void word_read(const struct finder *fd, const struct cap_frame *f,
	const struct cap_frame *other, int row, struct word *w)
{
	const struct cap_text_options *o = fd->opt;
	const unsigned char *painted = o->item->re.painted;
	int fillers = 0, same = 0, turns = 0;

	w->reverse = true;
	for (int c = w->col; c < w->end; c++) {
		int i = row * f->cols + c;
		uint32_t ch = cap_frame_char(f, row, c);
		const struct cap_cell *cell = &f->row[row]->cell[c];

		w->letters += is_letter(ch);
		w->digits += ch >= '0' && ch <= '9';
		w->others += ch && !is_letter(ch) && !(ch >= '0' && ch <= '9');
		fillers += is_filler(ch);
		same += c > w->col && ch == cap_frame_char(f, row, c - 1);
		turns += c > w->col && is_digit(ch) != is_digit(cap_frame_char(f, row, c - 1));
		w->painted += painted[i];
		if (!cap_frame_same_text(f, other, row, c))
			w->changed++;
		else if (!cap_frame_same_look(f, other, row, c))
			w->looks++;
		w->reverse &= (cell->attrs & VS_REVERSE) != 0;
		if (row < other->rows && c < other->cols)
			w->was_reverse |= (other->row[row]->cell[c].attrs & VS_REVERSE) != 0;
		w->bad |= o->tick[i] == 1 ||
			(o->differing && (o->differing[i] & CAP_DIFFERS_TEXT)) || cell->odd ||
			(ch < 0x20 && ch) || ch == 0xfffd;
	}
	w->upper = cap_frame_char(f, row, w->col) >= 'A' && cap_frame_char(f, row, w->col) <= 'Z';
	w->bad |= !w->letters && !w->digits && !is_mark(f, row, w);
	w->bad |= fillers >= 4 && fillers > w->letters + w->digits;
	/* A hash, or what else is counted in letters and digits. */
	w->bad |= turns >= 4 && w->letters && w->others <= 1;
	/* Lines drawn with letters of another character set. */
	w->bad |= w->end - w->col >= 4 && same > (w->end - w->col) / 2;
	w->bad |= is_calendar_word(f, row, w);
}

static bool same_ground(const struct cap_frame *f, int row, int a, int b)
{
	const struct cap_cell *x = &f->row[row]->cell[a], *y = &f->row[row]->cell[b];

	return x->bg == y->bg && !((x->attrs ^ y->attrs) & VS_REVERSE);
}

static size_t words_read(const struct finder *fd, const struct cap_frame *f,
	const struct cap_frame *other, int row, struct word *out, size_t max)
{
	size_t n = 0;

	for (int c = 0; c < f->cols && n < max;) {
		struct word w = { .col = c };
		uint32_t ch = cap_frame_char(f, row, c);

		if (ch == ' ' || ch == 0 || is_frame(ch)) {
			c++;
			continue;
		}
		/* A box: it may hold a blank, or something in another colour. */
		if ((ch == '[' || ch == '(' || ch == '<') && c + 2 < f->cols &&
			cap_frame_char(f, row, c + 2) == (ch == '(' ? ')' : ch + 2))
			c += 3;
		else
			while (c < f->cols && (ch = cap_frame_char(f, row, c)) != ' ' &&
				!is_frame(ch) && same_ground(f, row, w.col, c))
				c++;
		w.end = c;
		word_read(fd, f, other, row, &w);
		out[n++] = w;
	}
	return n;
}

/* ---- How good a text is ----------------------------------------------------------------- */

static bool has_word(const char *text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (const char *p = text; *p; p++)
			if (!strncasecmp(p, words[i], strlen(words[i])))
				return true;
	return false;
}

/* What a program says while the answer is still to come, and what it says for a change. */
static bool is_passing(const char *text)
{
	static const char *const words[] = { "wait", "loading", "working", "progress", "connecting",
		"searching", "processing", "getting ", "reading ", "please",
		"hint:", "tip:", "did you know" };

	return has_word(text, words, B_ARRAY_LEN(words));
}

/* A path, or a name with a host: another one elsewhere. The slash behind the name of a folder in a
   list makes none. */
static bool is_place(const char *text)
{
	const char *mark = strpbrk(text, "/@~");

	return mark && (*mark != '/' || mark[1] || mark == text);
}

static bool holds_typed(const struct cap_text_options *o, const char *text)
{
	for (size_t i = 0; i < o->n_typed; i++) {
		size_t len = strlen(o->typed[i]);

		if (len >= 2 && strstr(text, o->typed[i]))
			return true;
		/* Or a part of it, as a program says it back. */
		if (strlen(text) >= 4 && strstr(o->typed[i], text))
			return true;
	}
	return false;
}

/* A word that is a typed value, or one of its words. */
static bool word_is_typed(
	const struct cap_text_options *o, const struct cap_frame *f, int row, const struct word *w)
{
	struct b_buf text = B_BUF_INIT;
	bool typed;

	cap_frame_text(f, row, w->col, w->end, &text);
	typed = cap_words_has(o->words, text.data, text.len);
	b_buf_release(&text);
	return typed;
}

struct sum {
	int letters, digits, others, painted, changed, looks, cells, typed;
	bool reverse, was_reverse, highlight;
};

/* Whether cells that look like this one are few: what is highlighted is. */
static bool looks_rare(const struct cap_frame *f, int row, int col)
{
	const struct cap_cell *x = &f->row[row]->cell[col];
	int same = 0, all = 0;

	for (int r = 0; r < f->rows; r++)
		for (int c = 0; c < f->cols; c++) {
			const struct cap_cell *y = &f->row[r]->cell[c];

			if (!y->ch[0])
				continue;
			all++;
			same += x->fg == y->fg && x->bg == y->bg && x->attrs == y->attrs;
		}
	return same * 3 < all;
}

/* What stands behind a label is a value: it is another one when other data is typed. A label
   leads to it with marks, or stood there before when the value did not. */
static bool stands_behind_label(
	const struct cap_frame *f, const struct cap_frame *before, int row, int col, bool changed)
{
	int marks = 0, gap;

	/* To the front of the value that the text is a part of. */
	while (changed && col > 1 &&
		(!cap_frame_same_text(f, before, row, col - 1) ||
			(cap_frame_char(f, row, col - 1) == ' ' &&
				!cap_frame_same_text(f, before, row, col - 2))))
		col--;
	gap = col;
	for (; col > 0; col--) {
		uint32_t c = cap_frame_char(f, row, col - 1);

		if (c == ':')
			marks += 2;
		else if (c == '.' || c == '_')
			marks++;
		else if (c != ' ')
			break;
	}
	if (col == 0 || is_frame(cap_frame_char(f, row, col - 1)))
		return false;
	gap -= col;
	return marks >= 2 ||
		(changed && gap >= 2 && is_letter(cap_frame_char(f, row, col - 1)) &&
			cap_frame_same_text(f, before, row, col - 1));
}

/* How much of what stands on a screen stood there on another, in per cent. */
static int alike(const struct cap_frame *now, const struct cap_frame *f)
{
	int all = 0, same = 0;

	if (f->rows != now->rows || f->cols != now->cols)
		return 0;
	for (int r = 0; r < now->rows; r++)
		for (int c = 0; c < now->cols; c++) {
			if (cap_frame_char(now, r, c) == ' ')
				continue;
			all++;
			same += cap_frame_same_text(f, now, r, c);
		}
	return all ? same * 100 / all : 100;
}

/* So many screens back. */
#define SEEN_MAX 64

/* The earlier screen to which this response comes back from another one, or NULL. */
static const struct cap_frame *back_to(const struct cap_text_options *o)
{
	const struct cap_frame *now = o->item->re.after;
	size_t i = (size_t)(o->item - o->session->item);

	if (o->item->kind != CAP_KEY || alike(now, o->item->before) > 60)
		return NULL;
	for (int n = 0; n < SEEN_MAX && (i = cap_session_prev(o->session, i)) != SIZE_MAX; n++)
		if (o->session->item[i].wait && alike(now, o->session->item[i].re.after) >= 70)
			return o->session->item[i].re.after;
	return NULL;
}

/* The first screen, when the session comes back to it: what it does not hold then is no part of
   it. */
static const struct cap_frame *first_again(const struct cap_text_options *o)
{
	const struct cap_frame *now = o->item->re.after;
	size_t i = 0;
	bool left = false;

	if (o->item->kind != CAP_START)
		return NULL;
	for (int n = 0; n < SEEN_MAX && (i = cap_session_next(o->session, i)) != SIZE_MAX; n++) {
		int same = alike(now, o->session->item[i].re.after);

		if (left && same >= 50)
			return o->session->item[i].re.after;
		left = left || same < 50;
	}
	return NULL;
}

/* Text that comes back with its screen is a part of it, and no figure of the day. */
static bool stands_on(const struct finder *fd, const struct cap_frame *f, int row, int col, int end)
{
	while (col < end && cap_frame_same_text(f, fd->opt->item->re.after, row, col))
		col++;
	return col == end;
}

static int quality(const struct finder *fd, const struct cap_frame *f, int row,
	const struct word *first, int end, const char *text, const struct sum *sum)
{
	int q = 2 * (sum->letters < 16 ? sum->letters : 16);
	const uint8_t *tick = fd->opt->tick;
	int cols = fd->opt->item->re.after->cols;

	if (sum->changed)
		q += 20;
	else if (sum->looks)
		q += sum->highlight ? 20 : 8;
	else if (fd->opt->item->re.text_cells >= 4 && !fd->opt->ticking)
		q -= 12; /* other text is new */
	if (sum->changed >= sum->letters)
		q += 4;
	if (fd->back && sum->changed && sum->letters >= 3 && !sum->digits &&
		stands_on(fd, fd->back, row, first->col, end))
		q += 15;
	if (fd->again && !stands_on(fd, fd->again, row, first->col, end))
		q -= 30;
	if (first->upper)
		q += 3;
	q -= sum->others < 6 ? 2 * sum->others : 12;
	if (sum->letters < 3)
		q -= sum->highlight && sum->letters > 1 ? 4 : 14;
	if (stands_behind_label(f, fd->opt->item->before, row, first->col, sum->changed > 0))
		q -= 22;
	/* Messages stand at the bottom. */
	if (sum->changed && row >= f->rows - 3 && !strpbrk(text, "=^<>[]"))
		q += 6;
	if (is_place(text))
		q -= 10;
	if (tick[row * cols + first->col])
		q -= 15;
	/* The next row of a table of figures, which will be another one. */
	else if (row > 1 && tick[(row - 1) * cols] && tick[(row - 2) * cols])
		q -= 20;
	if (fd->figures)
		q -= 35;
	if (is_passing(text))
		q -= 30;
	if (sum->digits)
		q -= 18;
	if (sum->typed || holds_typed(fd->opt, text))
		q -= 60;
	return q;
}

/* ---- Texts ------------------------------------------------------------------------------ */

/* Keeps the best, in order. */
static void text_add(struct finder *fd, struct cap_text t)
{
	size_t at = fd->n;

	while (at > 0 && fd->out[at - 1].quality < t.quality)
		at--;
	if (at >= fd->max) {
		free(t.text);
		return;
	}
	if (fd->n == fd->max)
		free(fd->out[--fd->n].text);
	memmove(&fd->out[at + 1], &fd->out[at], (fd->n - at) * sizeof fd->out[0]);
	fd->out[at] = t;
	fd->n++;
}

/* Whether reverse is a selection here, and not just how a new screen looks. */
static bool selects(const struct finder *fd, const struct sum *sum)
{
	const struct cap_item *it = fd->opt->item;

	if (it->kind != CAP_KEY)
		return false;
	return !sum->changed || cap_key_is_navigation(it->name);
}

static void phrase_add(struct finder *fd, const struct cap_frame *f, int row, const struct word *w,
	size_t n, bool gone)
{
	struct b_buf plain = B_BUF_INIT, pattern = B_BUF_INIT;
	struct sum sum = { .reverse = true };
	struct cap_text t = { .row = row, .gone = gone };

	/* Marks and single letters in front of it say nothing. */
	while (n > 1 && w[0].end - w[0].col == 1) {
		w++;
		n--;
	}
	t.col = w[0].col;
	t.end = w[n - 1].end;
	for (size_t i = 0; i < n; i++) {
		sum.letters += w[i].letters;
		sum.digits += w[i].digits;
		sum.others += w[i].others;
		sum.painted += w[i].painted;
		sum.changed += w[i].changed;
		sum.looks += w[i].looks;
		sum.typed += w[i].typed;
		sum.cells += w[i].end - w[i].col;
		sum.reverse &= w[i].reverse;
		sum.was_reverse |= w[i].was_reverse;
	}
	/* What was not painted cannot tell that the answer has come. What was moved here can, once the screen
	   rests: better than nothing but a silence. */
	t.moved = !sum.painted && !gone && sum.changed == sum.cells && !sum.digits &&
		sum.letters >= MOVED_MIN && fd->opt->item->kind == CAP_KEY;
	if ((!sum.painted && !t.moved) || (gone && sum.changed < sum.cells / 2)) {
		b_buf_release(&plain);
		return;
	}
	/* The dots or colon behind a label are no part of it. */
	while (t.end > t.col + 1 &&
		(cap_frame_char(f, row, t.end - 1) == '.' ||
			cap_frame_char(f, row, t.end - 1) == ':'))
		t.end--;
	cap_frame_text(f, row, t.col, t.end, &plain);
	if (t.moved && holds_typed(fd->opt, b_buf_cstr(&plain))) {
		b_buf_release(&plain);
		return;
	}
	sum.highlight = !gone && !sum.changed && sum.looks && looks_rare(f, row, t.col);
	t.quality = quality(fd, f, row, w, t.end, b_buf_cstr(&plain), &sum) - (gone ? 14 : 0) -
		(t.moved ? MOVED_COST : 0);
	t.repaint = !sum.changed;
	t.highlight = sum.highlight;
	if (sum.digits) {
		t.pattern = true;
		cap_pattern_quote(&pattern, plain.data, plain.len);
		t.text = b_buf_take(&pattern, NULL);
	} else {
		t.text = b_strdup(b_buf_cstr(&plain));
	}
	/* A row that became reversed: where the selection of a list now is. */
	if (!gone && sum.reverse && !sum.was_reverse && !t.pattern && selects(fd, &sum) &&
		looks_rare(f, row, t.col)) {
		struct cap_text r = t;

		r.text = b_strdup(t.text);
		r.reverse = true;
		r.repaint = false;
		r.quality += 10;
		text_add(fd, r);
	}
	text_add(fd, t);
	b_buf_release(&plain);
	b_buf_release(&pattern);
}

/* Cuts a run of words to at most WIDTH_MAX columns, such that something painted is among them. */
static void run_add(struct finder *fd, const struct cap_frame *f, int row, const struct word *w,
	size_t n, bool gone)
{
	size_t first = 0, last;

	while (first < n) {
		bool fresh = w[first].changed || w[first].looks || w[first].painted;

		if (first == 0 || fresh) {
			for (last = first + 1; last < n && w[last].end - w[first].col <= WIDTH_MAX;
				last++)
				;
			phrase_add(fd, f, row, w + first, last - first, gone);
			first = last;
		} else {
			first++;
		}
	}
}

/* Runs of words that stand side by side and look alike; those with digits, or what was typed, apart
   and as a whole. */
static void row_add(struct finder *fd, const struct cap_frame *f, const struct cap_frame *other,
	int row, bool gone)
{
	struct word w[128];
	size_t n = words_read(fd, f, other, row, w, B_ARRAY_LEN(w)), numbers = 0;

	/* "F10", and "10" right in front of a word, is a key. */
	for (size_t i = 0; i < n; i++) {
		w[i].typed = word_is_typed(fd->opt, f, row, &w[i]);
		numbers += w[i].digits > w[i].letters && cap_frame_char(f, row, w[i].col) != 'F' &&
			(i + 1 == n || w[i + 1].col > w[i].end);
	}
	fd->figures = numbers >= FIGURES_MIN;
	for (int whole = 0; whole <= (gone ? 0 : 1); whole++) {
		for (size_t i = 0; i < n;) {
			bool any = false;
			size_t j = i;

			for (; j < n; j++) {
				if (w[j].bad || (!whole && (w[j].digits || w[j].typed)))
					break;
				if (j > i &&
					(w[j].col - w[j - 1].end > 1 ||
						!same_ground(f, row, w[i].col, w[j].col)))
					break;
				any |= w[j].digits > 0 || w[j].typed;
			}
			if (j > i && (!whole || any))
				run_add(fd, f, row, w + i, j - i, gone);
			i = j > i ? j : i + 1;
		}
	}
}

size_t cap_texts_find(const struct cap_text_options *opt, struct cap_text *out, size_t max)
{
	const struct cap_item *it = opt->item;
	const struct cap_frame *a = it->before, *b = it->re.after;
	struct finder fd = {
		.opt = opt, .back = back_to(opt), .again = first_again(opt), .out = out, .max = max
	};

	for (int row = 0; row < b->rows; row++)
		row_add(&fd, b, a, row, false);
	/* What vanished is worth a wait only where nothing came in its stead. */
	if (it->re.text_cells < 3 && a->rows == b->rows && a->cols == b->cols && !it->re.line_mode)
		for (int row = 0; row < a->rows; row++)
			if (!cap_frame_same_row(a, b, row))
				row_add(&fd, a, b, row, true);
	return fd.n;
}

void cap_texts_free(struct cap_text *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(t[i].text);
}
