/* Secrets: a run of typed characters judged by how its row changes. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "capture/secret_priv.h"
#include "base/banned.h"

/* ---- The screen ------------------------------------------------------------------------ */

static uint32_t char_at(const struct vs_screen *screen, int row, int col)
{
	struct vs_cell cell;

	if (row < 0 || row >= vs_screen_rows(screen) || col < 0 || col >= vs_screen_cols(screen))
		return 0;
	vs_screen_cell(screen, row, col, &cell);
	return cell.chars[0] ? cell.chars[0] : ' ';
}

static uint32_t base_at(const struct sec_run *r, int col)
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

static void take_base(struct cap_secret *s, struct sec_run *r)
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

/* Whether the cursor stands on a command line: a prompt's sign and a blank are left of it. */
static bool is_command_line(const struct vs_screen *screen, int row, int col)
{
	for (int c = 0; c + 1 < col; c++) {
		uint32_t cp = char_at(screen, row, c);

		if ((cp == '$' || cp == '#' || cp == '%' || cp == '>') &&
			char_at(screen, row, c + 1) == ' ')
			return true;
	}
	return false;
}

/* Its name and whether its label asks for a secret, by where the cursor is. */
void sec_name_it(struct cap_secret *s, struct sec_run *r)
{
	struct b_buf label = B_BUF_INIT;
	int row, col;

	vs_screen_cursor(s->opt.screen, &row, &col);
	cap_label_in_front(s->opt.screen, row, col, &label);
	b_buf_clear(&r->name);
	r->labelled = cap_secret_label(s->labels, b_buf_cstr(&label), &r->name);
	b_buf_release(&label);
	/* Said by the person, of any field whatever; a command line is no name for it. */
	if (r->told && !r->labelled && is_command_line(s->opt.screen, row, col)) {
		b_buf_clear(&r->name);
		b_buf_adds(&r->name, "password");
	}
}

/* The head sees the screen for the first time. */
void sec_look(struct cap_secret *s, struct sec_run *r)
{
	take_base(s, r);
	sec_name_it(s, r);
	r->based = true;
}

static bool row_changed(struct cap_secret *s, const struct sec_run *r, int from, int to)
{
	for (int c = from; c < to && c < r->base_cols; c++)
		if (char_at(s->opt.screen, r->row, c) != base_at(r, c))
			return true;
	return false;
}

/* Whether the typed characters stand at the field's place in this row. */
static bool shows_typed(struct cap_secret *s, const struct sec_run *r, int row, size_t n)
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

/* Whether the typed characters, several, stand right in front of the cursor. */
static bool stands_typed(struct cap_secret *s, const struct sec_run *r, int row, int col)
{
	size_t i = r->n_typed;

	while (i > 0 && col > 0 &&
		same_char(char_at(s->opt.screen, row, col - 1), r->typed[i - 1])) {
		i--;
		col--;
	}
	return !i && r->n_typed >= 2;
}

/* An asterisk, a bullet, a black circle. */
static bool is_usual_mask(uint32_t mask)
{
	return mask == '*' || mask == 0x2022 || mask == 0x25CF;
}

/* Whether the mask stood there before, as forms fill their fields with _ or dots: nothing was
   painted then. Asterisks are no filler; COBOL fills a secure field with them beforehand. */
static bool is_filler(const struct sec_run *r, uint32_t mask)
{
	return base_at(r, r->col) == mask && !is_usual_mask(mask);
}

/* How many columns of one same character stand at the field's place, at most n. */
static int mask_columns(
	struct cap_secret *s, const struct sec_run *r, int row, int n, uint32_t *mask)
{
	int k = 0;

	*mask = char_at(s->opt.screen, row, r->col);
	if (*mask == ' ' || !*mask || (r->painted && *mask != r->mask))
		return 0;
	while (k < n && char_at(s->opt.screen, row, r->col + k) == *mask)
		k++;
	return k;
}

#define REBASE_NS (500 * B_NS_PER_MS)

/* A run may begin before its field is there. Where the cursor has come to now, a label asks for a
   secret: there it is. */
static bool field_came(struct cap_secret *s, struct sec_run *r, int64_t at_ns)
{
	if (!r->unsettled || r->labelled || at_ns - r->first_ns >= REBASE_NS)
		return false;
	sec_name_it(s, r);
	if (r->labelled)
		take_base(s, r);
	return r->labelled;
}

/* ---- Judging --------------------------------------------------------------------------- */

static void decide(struct sec_run *r, enum sec_verdict v)
{
	r->verdict = v;
	if (r->typed)
		explicit_bzero(r->typed, r->n_typed * sizeof *r->typed);
	r->n_typed = 0;
}

/* The first n typed characters were painted as masks. */
static void count_masked(struct sec_run *r, size_t n, uint32_t mask)
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

static bool is_masked_secret(const struct sec_run *r)
{
	/* One character alone may be a prompt that was on its way as the run began. */
	if (r->unsettled && r->painted < 2 && r->n_distinct < 2 && !is_usual_mask(r->mask))
		return false;
	return r->masked && r->differs &&
		(!is_alnum(r->mask) || r->n_distinct == B_ARRAY_LEN(r->distinct));
}

/* The run is over; nothing more can be learnt. */
void sec_conclude(struct sec_run *r)
{
	bool spoken_for = r->line || r->told || r->labelled || r->masked;

	if (!r->n_typed && !r->painted)
		/* All was erased: neither a key to repeat nor a secret to type. */
		decide(r, spoken_for && r->any ? SEC_DROPPED : SEC_KEYS);
	else if (r->line || r->told || is_masked_secret(r) || r->labelled)
		decide(r, SEC_SECRET);
	else
		decide(r, SEC_KEYS);
}

/* What a mask painted at the cursor looks like while the run goes on. */
static bool take_masks(struct cap_secret *s, struct sec_run *r, int cur_row, int cur_col)
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
	/* A character that shows as itself is an echo. */
	if (!is_usual_mask(mask) && !r->painted && same_char(r->typed[0], mask))
		return false;
	count_masked(r, (size_t)n, mask);
	take_base(s, r);
	return true;
}

/* Whether a row begins as the field's row did, so that it may be that row, scrolled up. */
static bool is_the_row(struct cap_secret *s, const struct sec_run *r, int row)
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
static void judge_closed(struct cap_secret *s, struct sec_run *r)
{
	uint32_t mask;

	for (int row = r->row; row >= 0 && r->n_typed; row--) {
		if (!is_the_row(s, r, row))
			continue;
		if (shows_typed(s, r, row, r->n_typed)) {
			decide(r, SEC_KEYS);
			return;
		}
		if (r->n_typed >= 2 &&
			mask_columns(s, r, row, (int)r->n_typed, &mask) == (int)r->n_typed &&
			!is_alnum(mask) && !is_filler(r, mask)) {
			count_masked(r, r->n_typed, mask);
			break;
		}
	}
	sec_conclude(r);
}

static void judge_open(
	struct cap_secret *s, struct sec_run *r, int cur_row, int cur_col, int64_t at_ns)
{
	/* Further right there may be a clock. */
	bool changed = row_changed(s, r, 0, r->col + (int)r->n_typed + 1);
	bool away = cur_row != r->row;

	if (!r->n_typed) {
		/* Between two characters of it. */
		if (r->painted && away && changed)
			sec_conclude(r); /* the field was full and submitted itself */
		else if (r->erased && !away)
			take_base(s, r);
		return;
	}
	if (take_masks(s, r, cur_row, cur_col))
		return;
	if (r->unsettled && away && !r->painted) {
		if (stands_typed(s, r, cur_row, cur_col)) {
			decide(r, SEC_KEYS);
			return;
		}
		if (!changed && field_came(s, r, at_ns))
			return;
	}
	if ((changed || away || cur_col > r->col) && shows_typed(s, r, r->row, 1))
		decide(r, SEC_KEYS);
	else if (!changed) {
		/* Nothing was painted yet; the cursor may be under way. */
		if (r->elsewhere_ns <= r->last_ns &&
			vs_screen_changes(s->opt.screen) != r->base_changes)
			r->elsewhere_ns = at_ns;
	} else if (!r->painted)
		decide(r, SEC_KEYS);
	else if (away)
		sec_conclude(r);
	else if (cur_col > 0 && char_at(s->opt.screen, r->row, cur_col - 1) != r->mask &&
		char_at(s->opt.screen, r->row, cur_col) != r->mask)
		/* What was painted in front of it was no mask, but a prompt: `/` in less. */
		decide(r, SEC_KEYS);
	else {
		/* A full field scrolls. */
		count_masked(r, r->n_typed, r->mask);
		take_base(s, r);
	}
}

/* Its beginning shows in its field, with the cursor behind it: the rest of the echo is on its way. */
static bool echo_comes(struct cap_secret *s, const struct sec_run *r, int cur_row, int cur_col)
{
	int n = cur_col - r->col;

	return cur_row == r->row && n > 0 && (size_t)n < r->n_typed && !r->painted &&
		shows_typed(s, r, cur_row, (size_t)n) && !row_changed(s, r, 0, r->col) &&
		!row_changed(s, r, cur_col, r->base_cols);
}

bool sec_waits_for_answer(const struct sec_run *r)
{
	return !r->open && r->verdict == SEC_UNKNOWN;
}

void sec_judge(struct cap_secret *s, struct sec_run *r, int64_t at_ns, bool hidden)
{
	int row, col;

	if (vs_screen_midway(s->opt.screen))
		return; /* no picture yet */
	vs_screen_cursor(s->opt.screen, &row, &col);
	if (!r->based) {
		sec_look(s, r);
		if (hidden && r->n_typed && !r->open)
			r->line = true;
	} else if (r->line || r->told) {
		;
	} else if (sec_waits_for_answer(r)) {
		/* Its answer has come when its row changes or the cursor leaves it. */
		if (row != r->row && !row_changed(s, r, 0, r->base_cols) && field_came(s, r, at_ns))
			return;
		if ((row != r->row || row_changed(s, r, 0, r->base_cols)) &&
			!echo_comes(s, r, row, col))
			judge_closed(s, r);
	} else {
		/* That the line hides its input by now says nothing yet: full-screen programs
		   leave by way of such a state. The next key will see it, or time. */
		judge_open(s, r, row, col, at_ns);
	}
	if (r->verdict == SEC_UNKNOWN && !r->open && (r->line || r->told))
		sec_conclude(r);
	if (r->verdict != SEC_UNKNOWN && r->open) {
		/* What is typed from here on is judged anew. */
		r->open = false;
		s->open = NULL;
	}
}
