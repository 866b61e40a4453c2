/* What was typed into fields, and what to call it. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "capture/label.h"
#include "capture/plan.h"
#include "base/banned.h"

#define SHORT_MAX 3 /* characters that stand in place when no label names them */

static bool continues(const struct cap_session *s, size_t i)
{
	const struct cap_item *it = &s->item[i], *next;

	if (i + 1 >= s->n_items || it->wait)
		return false;
	next = &s->item[i + 1];
	return next->kind == CAP_KEY && next->key_kind == VS_KEY_TEXT && next->typing;
}

static struct cap_value *value_add(struct cap_values *v, size_t first, size_t last)
{
	struct cap_value *val;

	v->value = b_reallocarray(v->value, v->n + 1, sizeof *v->value);
	val = &v->value[v->n++];
	memset(val, 0, sizeof *val);
	val->first = first;
	val->last = last;
	return val;
}

static void text_take(const struct cap_session *s, struct cap_value *val)
{
	struct b_buf text = B_BUF_INIT;

	if (val->paste)
		b_buf_add(&text, s->item[val->first].text, s->item[val->first].text_len);
	else
		for (size_t i = val->first; i <= val->last; i++)
			b_buf_add(&text, s->item[i].bytes, s->item[i].len);
	val->text = b_buf_take(&text, &val->len);
}

/* ---- Labels and names ------------------------------------------------------------------- */

/* "sqlite>", "shop=>", "(gdb)", "->": whoever takes commands. "Amount>" asks for a value: it is
   words with a capital in front. */
static bool is_interpreter(const char *prompt, size_t len)
{
	if (len > 2 && prompt[0] == '(' && prompt[len - 1] == ')')
		return true;
	if (!len || prompt[len - 1] != '>')
		return false;
	if (prompt[0] < 'A' || prompt[0] > 'Z')
		return true;
	for (size_t i = 0; i + 1 < len; i++)
		if (prompt[i] != ' ' && !((prompt[i] | 32) >= 'a' && (prompt[i] | 32) <= 'z'))
			return true;
	return false;
}

/* In line mode the prompt is the label: "Name: ", "sqlite> ", "$ ". */
static void prompt_label(const char *prompt, struct b_buf *label, struct b_buf *name)
{
	size_t len = strlen(prompt), end, start;
	char last, *word;

	while (*prompt == ' ') {
		prompt++;
		len--;
	}
	while (len && prompt[len - 1] == ' ')
		len--;
	b_buf_add(label, prompt, len);
	last = len ? prompt[len - 1] : 0;
	/* A shell's prompt names the machine and the folder, that of a database its database. */
	if (last == '$' || last == '#' || last == '%' || is_interpreter(prompt, len)) {
		b_buf_adds(name, "command");
		return;
	}
	/* "Go on? [y/n]" asks no more than it says up to there. */
	if (len > 1 && memchr(prompt + 1, '?', len - 1))
		len = (size_t)((const char *)memchr(prompt + 1, '?', len - 1) - prompt);
	/* "Enter amount>" is about the amount; before any other sign all of it counts. */
	for (end = len; end && !((prompt[end - 1] | 32) >= 'a' && (prompt[end - 1] | 32) <= 'z');)
		end--;
	for (start = end; last == '>' && start && !strchr(" /[(", prompt[start - 1]);)
		start--;
	word = b_strndup(prompt + (last == '>' ? start : 0), end - (last == '>' ? start : 0));
	cap_name_ident(name, word);
	free(word);
}

/* A shell's prompt within a full-screen program, as in tmux. */
static bool is_shell_prompt(const struct cap_frame *f, int row, int col)
{
	uint32_t sign = col > 1 ? cap_frame_char(f, row, col - 2) : 0;

	return cap_frame_char(f, row, col - 1) == ' ' &&
		(sign == '$' || sign == '#' || sign == '%');
}

static bool echoed_elsewhere(const struct cap_item *it)
{
	const struct cap_frame *a = it->before, *b = it->re.after;
	uint32_t cp = 0;

	if (it->key_kind != VS_KEY_TEXT || !b || b->cur_row == a->cur_row || b->cur_col < 1)
		return false;
	b_utf8_decode(it->bytes, it->len, &cp);
	return cp > ' ' && cap_frame_char(b, b->cur_row, b->cur_col - 1) == cp &&
		cap_frame_char(a, b->cur_row, b->cur_col - 1) != cp;
}

static void label_take(const struct cap_session *s, struct cap_value *val, struct b_buf *name)
{
	const struct cap_frame *f = s->item[val->first].before;
	size_t prev = cap_session_prev(s, val->first);
	bool line_mode = prev != SIZE_MAX && s->item[prev].re.line_mode;
	const char *prompt = line_mode ? cap_session_prompt_at(s, f) : NULL;
	struct b_buf label = B_BUF_INIT;

	/* Typed while the screen was still painted: the field is where the character came to stand. */
	if (!line_mode && echoed_elsewhere(&s->item[val->first])) {
		f = s->item[val->first].re.after;
		val->row = f->cur_row;
		val->col = f->cur_col - 1;
	} else {
		val->row = f->cur_row;
		val->col = f->cur_col;
	}
	if (prompt)
		prompt_label(prompt, &label, name);
	else if (!line_mode && cap_label_find(f, val->row, val->col, &label)) {
		if (is_shell_prompt(f, val->row, val->col))
			b_buf_adds(name, "command");
		else
			cap_name_ident(name, b_buf_cstr(&label));
	}
	if (label.len)
		val->label = b_buf_take(&label, NULL);
	b_buf_release(&label);
}

static size_t characters(const struct cap_value *val)
{
	size_t n = 0;

	for (size_t i = 0; i < val->len; i++)
		n += ((unsigned char)val->text[i] & 0xc0) != 0x80;
	return n;
}

static void name_give(
	struct cap_values *v, struct cap_value *val, struct b_buf *name, struct cap_names *names)
{
	size_t n = name->len;

	if (!n && (characters(val) <= SHORT_MAX || val->paste))
		b_buf_adds(name, val->paste ? "pasted" : "");
	else if (!n)
		b_buf_adds(name, "text");
	if (!name->len)
		return;
	n = name->len;
	/* The same value in the same field again is one value: an edit changes it everywhere. */
	for (size_t i = 0; i + 1 < v->n; i++) {
		const struct cap_value *o = &v->value[i];

		if (o->name && val->label && o->label && !strcmp(o->label, val->label) &&
			o->len == val->len && o->paste == val->paste &&
			!memcmp(o->text, val->text, val->len) && o->row == val->row &&
			o->col == val->col && !strncmp(o->name, name->data, n)) {
			val->name = b_strdup(o->name);
			val->same = true;
			return;
		}
	}
	cap_names_give(names, name);
	val->name = b_strdup(b_buf_cstr(name));
}

/* Nothing was shown of it while it was typed and a while after; what the program says of it once
   it was submitted comes too late. */
#define UNSEEN_NS (150 * 1000000LL)

static bool is_unseen(const struct cap_session *s, const struct cap_value *val)
{
	size_t next = cap_session_next(s, val->last);

	for (size_t i = val->first; i <= val->last; i++)
		if (s->item[i].re.bytes)
			return false;
	return next != SIZE_MAX && s->item[next].at_ns - s->item[val->first].at_ns >= UNSEEN_NS;
}

/*
 * Secrets in traces that another recorder made: ours never holds one. Each character was
 * masked, or nothing of it was shown and the label asks for a secret.
 */
static void secret_find(
	const struct cap_session *s, struct cap_value *val, const struct cap_secret_labels *labels)
{
	struct b_buf name = B_BUF_INIT;
	const char *label = val->label ? val->label : "";
	bool masked = !val->paste, asked = cap_secret_label(labels, label, &name);

	for (size_t i = val->first; i <= val->last; i++)
		masked = masked && (s->item[i].masked || !strcmp(s->item[i].name, "*"));
	if ((masked && val->last > val->first) ||
		(asked && (masked || val->silent || is_unseen(s, val))))
		val->secret = b_buf_take(&name, NULL);
	b_buf_release(&name);
}

/* ---- The whole session ------------------------------------------------------------------ */

void cap_values_find(const struct cap_session *s, struct cap_values *out)
{
	struct cap_names names = { .sep = '_' };
	struct cap_secret_labels *labels = NULL;

	memset(out, 0, sizeof *out);
	B_BUG_ON(cap_secret_labels_new(&labels, NULL, NULL) < 0); /* no pattern that could be bad */
	for (size_t i = 0; i < s->n_items; i++) {
		const struct cap_item *it = &s->item[i];
		struct b_buf name = B_BUF_INIT;
		struct cap_value *val;
		size_t last = i;

		if (it->kind != CAP_KEY || !(it->typing || it->key_kind == VS_KEY_PASTE))
			continue;
		if (it->key_kind != VS_KEY_PASTE)
			while (continues(s, last))
				last++;
		val = value_add(out, i, last);
		val->paste = it->key_kind == VS_KEY_PASTE;
		text_take(s, val);
		val->silent = true;
		for (size_t k = i; k <= last; k++)
			val->silent = val->silent && s->item[k].re.effect == CAP_NONE;
		label_take(s, val, &name);
		secret_find(s, val, labels);
		if (!val->secret)
			name_give(out, val, &name, &names);
		b_buf_release(&name);
		i = last;
	}
	/* Those that stand in place still need a name for a long rhythm. */
	for (size_t i = 0; i < out->n; i++) {
		struct cap_value *val = &out->value[i];
		struct b_buf name = B_BUF_INIT;

		cap_words_add(&out->words, val->text);
		if (val->name && !val->same) {
			val->rhythm = b_strdup(val->name);
			continue;
		}
		b_buf_adds(&name, val->name ? val->name : "text");
		cap_names_give(&names, &name);
		val->rhythm = b_buf_take(&name, NULL);
	}
	cap_words_sort(&out->words);
	cap_names_release(&names);
	cap_secret_labels_free(labels);
	cap_values_shown(s, out);
}

void cap_values_release(struct cap_values *v)
{
	for (size_t i = 0; i < v->n; i++) {
		free(v->value[i].text);
		free(v->value[i].label);
		free(v->value[i].secret);
		free(v->value[i].name);
		free(v->value[i].rhythm);
		free(v->value[i].shown_label);
	}
	free(v->value);
	cap_words_release(&v->words);
	memset(v, 0, sizeof *v);
}

struct cap_value *cap_values_at(const struct cap_values *v, size_t i)
{
	for (size_t k = 0; k < v->n; k++)
		if (v->value[k].first == i)
			return &v->value[k];
	return NULL;
}
