#include "line/words.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/banned.h"

/* First words that only a shell can carry out. */
static const char *const shell_words[] = { ".", "!", "{", "alias", "bg", "break", "case", "cd",
	"command", "continue", "eval", "exec", "exit", "export", "fg", "for", "hash", "if", "jobs",
	"read", "readonly", "return", "set", "shift", "source", "time", "times", "trap", "type",
	"ulimit", "umask", "unalias", "unset", "until", "wait", "while" };

struct splitter {
	char **words;
	size_t n, cap;
	struct b_buf word;
	bool in_word, quoted; /* quoted: any part of this word */
	bool needs_shell;
};

static bool is_shell_word(const char *word)
{
	for (size_t i = 0; i < B_ARRAY_LEN(shell_words); i++)
		if (!strcmp(word, shell_words[i]))
			return true;
	return false;
}

static void add_word(struct splitter *s)
{
	if (!s->in_word)
		return;
	/* Built in, or NAME=VALUE in front of the command. */
	if (s->n == 0 && !s->quoted &&
		(is_shell_word(b_buf_cstr(&s->word)) || memchr(s->word.data, '=', s->word.len)))
		s->needs_shell = true;
	if (s->n + 1 >= s->cap) {
		s->cap = s->cap ? 2 * s->cap : 8;
		s->words = b_reallocarray(s->words, s->cap, sizeof *s->words);
	}
	s->words[s->n++] = b_strndup(b_buf_cstr(&s->word), s->word.len);
	s->words[s->n] = NULL;
	b_buf_clear(&s->word);
	s->in_word = s->quoted = false;
}

/* What stands in double quotes from p on; returns the closing quote, or NULL. */
static const char *double_quoted(struct splitter *s, const char *p)
{
	for (; *p && *p != '"'; p++) {
		if (*p == '$' || *p == '`')
			s->needs_shell = true;
		if (*p == '\\' && p[1] && strchr("$`\"\\\n", p[1])) {
			p++;
			if (*p == '\n')
				continue;
		}
		b_buf_addc(&s->word, *p);
	}
	return *p ? p : NULL;
}

static bool is_special(const struct splitter *s, const char *p)
{
	if (strchr("|&;<>()$`*?[\n", *p))
		return true;
	/* These only where a word begins. */
	return !s->in_word && (*p == '#' || *p == '~');
}

static const char *take(struct splitter *s, const char *p)
{
	const char *end = p;

	switch (*p) {
	case ' ':
	case '\t': add_word(s); return p + 1;
	case '\'':
		end = strchr(p + 1, '\'');
		if (end)
			b_buf_add(&s->word, p + 1, (size_t)(end - p - 1));
		s->in_word = s->quoted = true;
		return end ? end + 1 : NULL;
	case '"':
		end = double_quoted(s, p + 1);
		s->in_word = s->quoted = true;
		return end ? end + 1 : NULL;
	case '\\':
		if (!p[1])
			return NULL;
		if (p[1] != '\n')
			b_buf_addc(&s->word, p[1]);
		s->in_word = s->quoted = true;
		return p + 2;
	default:
		if (is_special(s, p))
			s->needs_shell = true;
		b_buf_addc(&s->word, *p);
		s->in_word = true;
		return p + 1;
	}
}

int ln_words_split(char ***out, const char *command, struct b_error *err)
{
	struct splitter s = { .word = B_BUF_INIT };
	const char *p = command;

	while (p && *p)
		p = take(&s, p);
	if (p)
		add_word(&s);
	b_buf_release(&s.word);
	/* An unclosed quote may still be right in a shell: $(...) or a here document. */
	if ((!p && !s.needs_shell) || !s.n || !*s.words[0]) {
		ln_words_free(s.words);
		return b_error_set(err, B_EUSAGE, "%s in the command '%s'",
			p ? "no word" : "a quote is not closed", command);
	}
	if (s.needs_shell) {
		ln_words_free(s.words);
		s.words = b_calloc(4, sizeof *s.words);
		s.words[0] = b_strdup("/bin/sh");
		s.words[1] = b_strdup("-c");
		s.words[2] = b_strdup(command);
	}
	*out = s.words;
	return B_OK;
}

void ln_words_free(char **words)
{
	if (!words)
		return;
	for (char **w = words; *w; w++)
		free(*w);
	free(words);
}

static bool is_plain(const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789%+,-./:@_^{}=";

	return *word && word[strspn(word, safe)] == '\0';
}

void ln_words_quote(struct b_buf *out, char *const words[])
{
	for (size_t i = 0; words[i]; i++) {
		const char *w = words[i];

		if (i)
			b_buf_addc(out, ' ');
		if (is_plain(w) && (i || (!is_shell_word(w) && !strchr(w, '=')))) {
			b_buf_adds(out, w);
			continue;
		}
		b_buf_addc(out, '\'');
		for (; *w; w++) {
			if (*w == '\'')
				b_buf_adds(out, "'\\''");
			else
				b_buf_addc(out, *w);
		}
		b_buf_addc(out, '\'');
	}
}
