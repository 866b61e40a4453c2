#include "capture/label.h"

#include <regex.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

/* Boxes of dialog programs have their text a few rows above the field. */
#define ROWS_ABOVE     6
#define NAME_MAX_BYTES 32

/* ---- The label ------------------------------------------------------------------------- */

static uint32_t char_at(const struct vs_screen *s, int row, int col)
{
	struct vs_cell cell;

	vs_screen_cell(s, row, col, &cell);
	return cell.chars[0] ? cell.chars[0] : ' ';
}

static bool is_word(uint32_t cp)
{
	if (cp < 0x80)
		return (cp >= '0' && cp <= '9') || (cp >= 'a' && cp <= 'z') ||
			(cp >= 'A' && cp <= 'Z');
	/* Letters; not the signs, arrows, lines, blocks and other shapes. */
	return cp >= 0xAA && cp != 0xB7 && cp != 0xD7 && cp != 0xF7 &&
		!(cp >= 0x2000 && cp < 0x2C00);
}

static bool is_line(uint32_t cp)
{
	return cp == '|' || (cp >= 0x2500 && cp < 0x25A0);
}

/* The last stretch of text within [from, to) of a row: no line and no gap in it. */
static void add_stretch(const struct vs_screen *s, int row, int from, int to, struct b_buf *out)
{
	int begin;

	while (to > from && !is_line(char_at(s, row, to - 1)) && !is_word(char_at(s, row, to - 1)))
		to--;
	if (to == from || is_line(char_at(s, row, to - 1)))
		return;
	for (begin = to; begin > from; begin--) {
		if (is_line(char_at(s, row, begin - 1)))
			break;
		if (begin - from >= 2 && char_at(s, row, begin - 1) == ' ' &&
			char_at(s, row, begin - 2) == ' ')
			break;
	}
	vs_screen_text(s, row, begin, to - begin, out);
}

/* All text of a row, lines left out. */
static void add_row(const struct vs_screen *s, int row, struct b_buf *out)
{
	int cols = vs_screen_cols(s), first = 0, last = cols;

	while (first < last && !is_word(char_at(s, row, first)))
		first++;
	while (last > first && !is_word(char_at(s, row, last - 1)))
		last--;
	if (last > first)
		vs_screen_text(s, row, first, last - first, out);
}

/* Whether the cursor stands in a field of a box: only lines and blanks in front of it, or a
   cell that looks like a field. A prompt's sign (: $ > #) is neither. */
static bool is_in_box(const struct vs_screen *s, int row, int col)
{
	struct vs_cell cell;
	bool line = false;

	for (int c = 0; c < col; c++) {
		uint32_t cp = char_at(s, row, c);

		line = line || is_line(cp);
		if (cp != ' ' && !line)
			return false;
	}
	if (line || col >= vs_screen_cols(s))
		return line;
	vs_screen_cell(s, row, col, &cell);
	return (cell.attrs & (VS_REVERSE | VS_UNDERLINE)) || cell.bg != VS_COLOUR_DEFAULT;
}

void cap_label_in_front(const struct vs_screen *s, int row, int col, struct b_buf *out)
{
	size_t start = out->len;
	int n = 0;

	if (row < 0 || row >= vs_screen_rows(s))
		return;
	if (col > vs_screen_cols(s))
		col = vs_screen_cols(s);
	add_stretch(s, row, 0, col, out);
	if (out->len > start || !is_in_box(s, row, col))
		return;
	/* The nearest text above; three rows of it, since a question may take several. */
	for (int above = row - 1; above >= 0 && above >= row - ROWS_ABOVE && n < 3; above--) {
		struct b_buf text = B_BUF_INIT;

		add_row(s, above, &text);
		if (text.len) {
			n++;
			if (out->len > start)
				b_buf_addc(&text, ' ');
			b_buf_add(&text, b_buf_cstr(out) + start, out->len - start);
			b_buf_truncate(out, start);
			b_buf_add(out, text.data, text.len);
		} else if (n) {
			n = 3; /* a blank row parts it from what is above */
		}
		b_buf_release(&text);
	}
}

/* ---- Secrets --------------------------------------------------------------------------- */

static const char usual[] =
	"pass[ -]?(word|phrase|code|wort|key)|passwd|(^|[^a-z])(pwd|pin|otp|cvv|cvc)([^a-z]|$)|"
	"secret|kennwort|geheimzahl|contrase|mot de passe|senha|wachtwoord|parola";

struct cap_secret_labels {
	regex_t usual, own;
	bool has_own;
};

int cap_secret_labels_new(struct cap_secret_labels **out, const char *pattern, struct b_error *err)
{
	struct cap_secret_labels *l = b_calloc(1, sizeof *l);
	int rc;

	B_BUG_ON(regcomp(&l->usual, usual, REG_EXTENDED | REG_ICASE));
	if (pattern) {
		rc = regcomp(&l->own, pattern, REG_EXTENDED | REG_ICASE);
		if (rc) {
			char why[128];

			regerror(rc, &l->own, why, sizeof why);
			regfree(&l->usual);
			free(l);
			return b_error_set(err, B_EUSAGE,
				"the label pattern '%s' is no regular expression: %s", pattern,
				why);
		}
		l->has_own = true;
	}
	*out = l;
	return B_OK;
}

void cap_secret_labels_free(struct cap_secret_labels *l)
{
	if (!l)
		return;
	regfree(&l->usual);
	if (l->has_own)
		regfree(&l->own);
	free(l);
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* [s, s+len) as a name: letters and digits in lower case, runs of anything else as one _. */
static void add_name(struct b_buf *name, const char *s, size_t len)
{
	size_t start = name->len;

	for (size_t i = 0; i < len && name->len - start < NAME_MAX_BYTES; i++) {
		char c = s[i];

		if (is_name_char(c))
			b_buf_addc(name, c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c);
		else if (name->len > start && name->data[name->len - 1] != '_')
			b_buf_addc(name, '_');
	}
	while (name->len > start && name->data[name->len - 1] == '_')
		b_buf_truncate(name, name->len - 1);
	/* A name in an environment variable or a script begins with a letter. */
	if (name->len > start && name->data[start] >= '0' && name->data[start] <= '9')
		b_buf_truncate(name, start);
}

/* "Old password" is another secret than "New password"; "Retype new password" is not. */
static void add_qualifier(struct b_buf *name, const char *label, size_t len)
{
	static const char *const words[] = { "old", "current", "new", "root", "database" };
	size_t begin;

	while (len && !is_name_char(label[len - 1]))
		len--;
	for (begin = len; begin && is_name_char(label[begin - 1]); begin--)
		;
	for (size_t i = 0; i < B_ARRAY_LEN(words); i++) {
		if (len - begin != strlen(words[i]))
			continue;
		for (size_t k = 0; k < len - begin; k++)
			if ((label[begin + k] | 0x20) != words[i][k])
				goto next;
		b_buf_printf(name, "%s_", words[i]);
		return;
	next:;
	}
}

bool cap_secret_label(const struct cap_secret_labels *l, const char *label, struct b_buf *name)
{
	size_t start = name->len, len = strlen(label);
	regmatch_t m[1];
	bool hit = (l->has_own && !regexec(&l->own, label, 1, m, 0)) ||
		!regexec(&l->usual, label, 1, m, 0);

	if (hit) {
		size_t from = (size_t)m[0].rm_so, to = (size_t)m[0].rm_eo;

		/* Whole words, so that a pattern may be a part of one or have blanks around it. */
		while (from < to && !is_name_char(label[from]))
			from++;
		while (to > from && !is_name_char(label[to - 1]))
			to--;
		while (from && is_name_char(label[from - 1]))
			from--;
		while (to < len && is_name_char(label[to]))
			to++;
		add_qualifier(name, label, from);
		add_name(name, label + from, to - from);
	} else {
		/* The last three words. */
		size_t from = len;

		for (int words = 0; from && words < 3; words++) {
			while (from && !is_name_char(label[from - 1]))
				from--;
			while (from && is_name_char(label[from - 1]))
				from--;
		}
		add_name(name, label + from, len - from);
	}
	if (name->len == start)
		b_buf_adds(name, "password");
	return hit;
}
