#include "capture/names.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

#define IDENT_MAX   24
#define SKIP_MAX    24 /* columns between a label and its field */
#define ABOVE_MAX   4  /* rows between a prompt and the box below it */
#define HEADING_MAX 20 /* columns of a heading; longer ones are sentences */

/* ---- Texts to names --------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

/* Words that say nothing in a name. */
static bool is_stop_word(const char *w, size_t len)
{
	static const char *const words[] = { "the", "a", "an", "your", "please", "enter", "type",
		"of", "to", "for", "in", "here", "is", "and" };

	for (size_t i = 0; i < B_ARRAY_LEN(words); i++)
		if (strlen(words[i]) == len && !memcmp(words[i], w, len))
			return true;
	return false;
}

/* Letters that have a plain one beneath their mark: Latin-1 and its like. */
static const char *plain(uint32_t cp)
{
	static const char latin1[] =
		"AAAAAAACEEEEIIIIDNOOOOO OUUUUYTsaaaaaaaceeeeiiiidnooooo ouuuuyty";
	static char one[2];

	if (cp == 0xdf)
		return "ss";
	if (cp < 0xc0 || cp > 0xff || latin1[cp - 0xc0] == ' ')
		return "";
	one[0] = latin1[cp - 0xc0];
	return one;
}

/* Lower case words of ASCII letters and digits, sep between them, at most max bytes in whole
   words. all: stop words too. */
static void words_add(struct b_buf *out, const char *text, char sep, size_t max, bool all)
{
	struct b_buf word = B_BUF_INIT;
	size_t len = strlen(text), start = out->len;

	for (size_t i = 0; i <= len;) {
		uint32_t cp = 0;
		size_t n = i < len ? b_utf8_decode(text + i, len - i, &cp) : 1;
		bool part = cp < 0x80 && cp && (is_letter((char)cp) || is_digit((char)cp));

		if (!n) /* cut off in the middle of a character */
			n = 1;
		if (part)
			b_buf_addc(&word, lower((char)cp));
		else if (cp >= 0x80)
			for (const char *p = plain(cp); *p; p++)
				b_buf_addc(&word, lower(*p));
		i += n;
		if (part || cp >= 0x80 || cp == '\'' || !word.len)
			continue;
		if (all || !is_stop_word(word.data, word.len)) {
			size_t have = out->len - start;

			if (have && have + 1 + word.len > max)
				break;
			if (have)
				b_buf_addc(out, sep);
			b_buf_add(out, word.data, word.len < max ? word.len : max);
		}
		b_buf_clear(&word);
	}
	b_buf_release(&word);
}

static bool is_reserved(const char *name)
{
	static const char *const words[] = { "and", "break", "do", "else", "elseif", "end", "false",
		"for", "function", "goto", "if", "in", "local", "nil", "not", "or", "repeat",
		"return", "then", "true", "until", "while",
		/* methods of a row of a data file */
		"next", "number" };

	for (size_t i = 0; i < B_ARRAY_LEN(words); i++)
		if (!strcmp(name, words[i]))
			return true;
	return false;
}

void cap_name_ident(struct b_buf *out, const char *text)
{
	struct b_buf name = B_BUF_INIT;
	size_t from = 0;

	words_add(&name, text, '_', IDENT_MAX, false);
	if (!name.len)
		words_add(&name, text, '_', IDENT_MAX, true);
	while (from < name.len && !is_letter(name.data[from]))
		from++;
	if (from < name.len) {
		b_buf_adds(out, b_buf_cstr(&name) + from);
		if (is_reserved(b_buf_cstr(&name) + from))
			b_buf_adds(out, "_value");
	}
	b_buf_release(&name);
}

void cap_name_words(struct b_buf *out, const char *text, size_t max)
{
	words_add(out, text, '-', max, true);
}

void cap_words_add(struct cap_words *w, const char *text)
{
	for (size_t len; *text; text += len + strspn(text + len, " ")) {
		len = strcspn(text, " ");
		if (len < 2)
			continue;
		if (w->n == w->room) {
			w->room = w->room ? 2 * w->room : 64;
			w->word = b_reallocarray(w->word, w->room, sizeof *w->word);
		}
		w->word[w->n++] = b_strndup(text, len);
	}
}

static int words_compare(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

void cap_words_sort(struct cap_words *w)
{
	if (w->n)
		qsort(w->word, w->n, sizeof *w->word, words_compare);
}

bool cap_words_has(const struct cap_words *w, const char *word, size_t len)
{
	size_t low = 0, high = w->n;

	while (len && strchr(",.:;!?)\"'", word[len - 1]))
		len--;
	while (len >= 2 && low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncasecmp(w->word[middle], word, len);

		if (!order && !w->word[middle][len])
			return true;
		/* A longer one that begins so stands behind it. */
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void cap_words_release(struct cap_words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->word[i]);
	free(w->word);
	memset(w, 0, sizeof *w);
}

static bool word_is(const char *s, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(s, word, len);
}

void cap_name_program(struct b_buf *out, const char *command)
{
	const char *slash;
	size_t len;

	for (;;) {
		command += strspn(command, " \t'\"");
		len = strcspn(command, " \t'\"");
		for (slash = command + len; slash > command && slash[-1] != '/'; slash--)
			;
		/* NAME=VALUE in front, and what only runs another program, is not the program. */
		if (memchr(command, '=', len) ||
			word_is(slash, len - (size_t)(slash - command), "env") ||
			word_is(command, len, "exec"))
			;
		else if (command[len] && !strncmp(command + len, " -c ", 4) && len >= 2 &&
			!memcmp(command + len - 2, "sh", 2))
			len += 3;
		else if (word_is(command, len, "cd") && strstr(command, "&&"))
			len = (size_t)(strstr(command, "&&") - command) + 2;
		else
			break;
		if (!command[len])
			break;
		command += len;
	}
	/* What a shell was told to do begins with a word of its own. */
	if (word_is(slash, len - (size_t)(slash - command), "for") ||
		word_is(slash, len - (size_t)(slash - command), "while") ||
		word_is(slash, len - (size_t)(slash - command), "if") ||
		word_is(slash, len - (size_t)(slash - command), "cd"))
		return;
	b_buf_add(out, slash, len - (size_t)(slash - command));
}

/* ---- Given once ------------------------------------------------------------------------- */

static struct cap_given *given_find(const struct cap_names *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->given[i].name, name))
			return &t->given[i];
	return NULL;
}

void cap_names_give(struct cap_names *t, struct b_buf *name)
{
	struct cap_given *same = given_find(t, b_buf_cstr(name));
	size_t len = name->len;

	while (same) {
		b_buf_truncate(name, len);
		b_buf_printf(name, "%c%d", t->sep, same->next++);
		if (!given_find(t, b_buf_cstr(name)))
			break;
	}
	t->given = b_reallocarray(t->given, t->n + 1, sizeof *t->given);
	t->given[t->n].name = b_strdup(b_buf_cstr(name));
	t->given[t->n++].next = 2;
}

void cap_names_release(struct cap_names *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->given[i].name);
	free(t->given);
	t->given = NULL;
	t->n = 0;
}

/* ---- Labels ----------------------------------------------------------------------------- */

static bool is_frame(uint32_t c)
{
	return (c >= 0x2500 && c <= 0x259f) || c == '|';
}

static bool is_filler(uint32_t c)
{
	return c == '_' || c == '.' || c == ':' || c == '[' || c == '(' || c == '<' || c == '>' ||
		c == '=' || c == '-' || c == '?' || c == 0xb7;
}

static bool is_word_char(uint32_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c >= 0xc0;
}

/* As a person sees it: blanks are not bold. */
static bool same_style(const struct cap_frame *f, int row, int a, int b)
{
	const struct cap_cell *x = &f->row[row]->cell[a], *y = &f->row[row]->cell[b];
	unsigned attrs = VS_UNDERLINE | VS_REVERSE | (x->ch[0] && y->ch[0] ? VS_BOLD : 0);

	return x->bg == y->bg && !((x->attrs ^ y->attrs) & attrs);
}

/* Where the field at (row, col) begins: it stands out from what is left of it. Where it does
   not, at col. */
static int field_start(const struct cap_frame *f, int row, int col)
{
	int start = col;

	while (start > 0 && same_style(f, row, start - 1, col) &&
		!is_frame(cap_frame_char(f, row, start - 1)))
		start--;
	return start > 0 && !is_frame(cap_frame_char(f, row, start - 1)) ? start : col;
}

/* Cuts what leads from a label to its field, and what stands in front of the label. */
static bool label_take(const char *text, size_t len, struct b_buf *out)
{
	size_t letters = 0, start = 0;
	const char *colon;

	while (len && (text[len - 1] == ' ' || is_filler((unsigned char)text[len - 1])))
		len--;
	/* "Name: Ada, City" is about the city. */
	while ((colon = memchr(text + start, ':', len - start)) != NULL)
		start = (size_t)(colon - text) + 1;
	for (size_t i = start; i + 1 < len; i++)
		if (text[i] == ' ' && text[i + 1] == ' ')
			start = i + 2;
	for (size_t i = start, n; i < len; i += n) {
		uint32_t cp;

		n = b_utf8_decode(text + i, len - i, &cp);
		if (!n)
			break;
		if (cp < 0x80 ? is_letter((char)cp) : cp >= 0xc0)
			letters++;
		else if (!letters)
			start = i + n;
	}
	/* The end of what is quoted, whose beginning was cut off. */
	if (len > start && text[len - 1] == '"' && !memchr(text + start, '"', len - 1 - start))
		len--;
	if (letters < 2 || start >= len)
		return false;
	b_buf_add(out, text + start, len - start);
	return true;
}

/* Whether a field that begins at col is told by its look: underlined, reversed, coloured. */
static bool stands_out(const struct cap_frame *f, int row, int col)
{
	return col > 0 && !same_style(f, row, col - 1, col);
}

static bool label_left(const struct cap_frame *f, int row, int col, struct b_buf *out)
{
	struct b_buf text = B_BUF_INIT;
	int start, end, field, colon = -1, fillers = 0, blanks = 0;
	bool ok;

	if (col >= f->cols)
		return false;
	/* What stands in the field already, left of the cursor, is no label. */
	field = end = field_start(f, row, col);
	for (; end > 0 && field - end < SKIP_MAX; end--) {
		uint32_t c = cap_frame_char(f, row, end - 1);

		if (c != ' ' && !is_filler(c) && !is_frame(c))
			break;
		fillers += c != ' ';
		blanks += c == ' ';
	}
	if (end == 0 || field - end >= SKIP_MAX)
		return false;
	for (start = end; start > 0; start--) {
		uint32_t c = cap_frame_char(f, row, start - 1);

		if (is_frame(c))
			break;
		if (c == ' ' && start > 1 && cap_frame_char(f, row, start - 2) == ' ')
			break;
		/* A colon within: the text behind it is what the field holds. */
		if (c == ':' && colon < 0 && start < end)
			colon = start - 1;
	}
	/* Text right in front of the cursor is what was typed before, and what looks like the
	   field is another field. */
	if (colon <= start && field == col && !fillers && blanks < 2 && !stands_out(f, row, col))
		return false;
	if (colon <= start && !fillers && stands_out(f, row, field) &&
		same_style(f, row, end - 1, field))
		return false;
	cap_frame_text(f, row, start, colon > start ? colon : end, &text);
	ok = label_take(b_buf_cstr(&text), text.len, out);
	b_buf_release(&text);
	return ok;
}

/* Whether a field as that of row begins at the same column of row r. */
static bool is_field_too(const struct cap_frame *f, int r, int row, int col)
{
	const struct cap_cell *x = &f->row[r]->cell[col], *y = &f->row[row]->cell[col];

	return stands_out(f, r, col) && x->bg == y->bg &&
		!((x->attrs ^ y->attrs) & (VS_UNDERLINE | VS_REVERSE));
}

/* Where the field that begins at col ends: where its look does. */
static int field_end(const struct cap_frame *f, int row, int col)
{
	int end = col;

	while (end < f->cols && same_style(f, row, end, col) &&
		!is_frame(cap_frame_char(f, row, end)))
		end++;
	return end;
}

/* Whether cols [a, a_end) head [b, b_end): they begin or end together, nearly. */
static bool heads(int a, int a_end, int b, int b_end)
{
	return a < b_end && b < a_end &&
		((a - b <= 2 && b - a <= 2) || (a_end - b_end <= 2 && b_end - a_end <= 2));
}

/* A heading above the field, or above a column of such fields, that does not look like it. */
static bool label_heading(const struct cap_frame *f, int row, int col, struct b_buf *out)
{
	struct b_buf text = B_BUF_INIT;
	int field = field_start(f, row, col), field_to, start, end, r = row - 1;
	bool ok;

	if (field >= f->cols || !stands_out(f, row, field))
		return false;
	while (r > 0 && is_field_too(f, r, row, field))
		r--;
	field_to = field_end(f, row, field);
	for (start = field; start < field_to && cap_frame_char(f, r, start) == ' ';)
		start++;
	if (r < 0 || start >= field_to || stands_out(f, r, field))
		return false;
	while (start > 0 && !is_frame(cap_frame_char(f, r, start - 1)) &&
		(cap_frame_char(f, r, start - 1) != ' ' ||
			(start > 1 && cap_frame_char(f, r, start - 2) != ' ')))
		start--;
	for (end = start; end < f->cols; end++)
		if (is_frame(cap_frame_char(f, r, end)) ||
			(cap_frame_char(f, r, end) == ' ' && cap_frame_char(f, r, end + 1) == ' '))
			break;
	if (end - start > HEADING_MAX || !heads(start, end, field, field_to))
		return false;
	cap_frame_text(f, r, start, end, &text);
	ok = label_take(b_buf_cstr(&text), text.len, out);
	b_buf_release(&text);
	return ok;
}

/* A question above the field, or above the box that the field stands in. */
static bool label_above(const struct cap_frame *f, int row, int col, struct b_buf *out)
{
	bool framed = false;

	for (int r = row - 1; r >= 0 && r >= row - ABOVE_MAX; r--) {
		struct b_buf text = B_BUF_INIT;
		int start = col, end = col, letters = 0;
		uint32_t last = 0;
		bool ok;

		if (is_frame(cap_frame_char(f, r, col))) {
			framed = true;
			continue;
		}
		while (start > 0 && !is_frame(cap_frame_char(f, r, start - 1)))
			start--;
		while (end < f->cols && !is_frame(cap_frame_char(f, r, end)))
			end++;
		for (int c = start; c < end; c++) {
			uint32_t ch = cap_frame_char(f, r, c);

			letters += is_word_char(ch);
			last = ch && ch != ' ' ? ch : last;
		}
		if (letters < 3)
			continue;
		if (!framed && last != ':' && last != '?')
			return false;
		cap_frame_text(f, r, start, end, &text);
		ok = label_take(b_buf_cstr(&text), text.len, out);
		b_buf_release(&text);
		return ok;
	}
	return false;
}

/* The cursor is in a box to be checked, "[x] pear" or "( ) plum": what stands behind it. */
static bool label_right(const struct cap_frame *f, int row, int col, struct b_buf *out)
{
	struct b_buf text = B_BUF_INIT;
	uint32_t open = col > 0 ? cap_frame_char(f, row, col - 1) : 0;
	int start = col + 2, end;
	bool ok;

	if ((open != '[' && open != '(') || start >= f->cols ||
		cap_frame_char(f, row, col + 1) != (open == '[' ? ']' : ')'))
		return false;
	while (start < f->cols && cap_frame_char(f, row, start) == ' ')
		start++;
	for (end = start; end < f->cols; end++)
		if (is_frame(cap_frame_char(f, row, end)) ||
			(cap_frame_char(f, row, end) == ' ' &&
				cap_frame_char(f, row, end + 1) == ' '))
			break;
	cap_frame_text(f, row, start, end, &text);
	ok = label_take(b_buf_cstr(&text), text.len, out);
	b_buf_release(&text);
	return ok;
}

bool cap_label_find(const struct cap_frame *f, int row, int col, struct b_buf *out)
{
	if (row < 0 || row >= f->rows || col < 0 || col >= f->cols)
		return false;
	return label_right(f, row, col, out) || label_left(f, row, col, out) ||
		label_heading(f, row, col, out) || label_above(f, row, col, out);
}
