/*
 * A lexer for Lua source that knows strings and comments, and no grammar: for finding literal
 * key names behind `press`, and whether a file calls `workload`. Source: Lua 5.4 manual 3.1.
 */
#include "rte/lua_priv.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/banned.h"

enum token { T_END, T_NAME, T_STRING, T_NUMBER, T_OTHER };

struct lexer {
	const char *p, *end;
	int line;
	enum token token;
	const char *start; /* of a NAME */
	size_t len;
	char other;       /* OTHER: its first character */
	struct b_buf str; /* of a STRING: its value */
	int token_line;
};

/* The level of a long bracket at p ("[[", "[==["), or -1. */
static int long_bracket(const struct lexer *x, const char *p)
{
	int level = 0;

	if (p == x->end || *p != '[')
		return -1;
	for (p++; p < x->end && *p == '='; p++)
		level++;
	return p < x->end && *p == '[' ? level : -1;
}

/* Reads a long bracket of that level into str; p stands at its first '['. */
static void read_long(struct lexer *x, int level)
{
	x->p += level + 2;
	if (x->p < x->end && *x->p == '\n') {
		x->line++;
		x->p++;
	}
	while (x->p < x->end) {
		if (*x->p == ']') {
			const char *q = x->p + 1;

			while (q < x->end && *q == '=')
				q++;
			if (q < x->end && *q == ']' && q - x->p - 1 == level) {
				x->p = q + 1;
				return;
			}
		}
		x->line += *x->p == '\n';
		b_buf_addc(&x->str, *x->p++);
	}
}

static void skip_comment(struct lexer *x)
{
	int level = long_bracket(x, x->p);

	if (level >= 0) {
		read_long(x, level);
		return;
	}
	while (x->p < x->end && *x->p != '\n')
		x->p++;
}

static unsigned read_number(struct lexer *x, int max_digits, int base)
{
	char digits[9] = "";
	int n = 0;

	while (n < max_digits && n < 8 && x->p < x->end &&
		(base == 16 ? isxdigit((unsigned char)*x->p) : isdigit((unsigned char)*x->p)))
		digits[n++] = *x->p++;
	return (unsigned)strtoul(digits, NULL, base);
}

static void read_escape(struct lexer *x)
{
	static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
	const char *name;
	char utf8[4];
	char c;

	if (x->p == x->end)
		return;
	c = *x->p;
	if (isdigit((unsigned char)c)) {
		b_buf_addc(&x->str, (char)read_number(x, 3, 10));
		return;
	}
	x->p++;
	name = strchr(names, c);
	if (c && name) {
		b_buf_addc(&x->str, values[name - names]);
	} else if (c == 'x') {
		b_buf_addc(&x->str, (char)read_number(x, 2, 16));
	} else if (c == 'z') {
		while (x->p < x->end && isspace((unsigned char)*x->p))
			x->line += *x->p++ == '\n';
	} else if (c == 'u' && x->p < x->end && *x->p == '{') {
		x->p++;
		b_buf_add(&x->str, utf8, b_utf8_encode(read_number(x, 8, 16), utf8));
		if (x->p < x->end && *x->p == '}')
			x->p++;
	} else {
		x->line += c == '\n';
		b_buf_addc(&x->str, c);
	}
}

static void read_string(struct lexer *x, char quote)
{
	while (x->p < x->end && *x->p != quote && *x->p != '\n') {
		if (*x->p == '\\') {
			x->p++;
			read_escape(x);
		} else {
			b_buf_addc(&x->str, *x->p++);
		}
	}
	if (x->p < x->end && *x->p == quote)
		x->p++;
}

static bool skip_blanks(struct lexer *x)
{
	while (x->p < x->end) {
		if (isspace((unsigned char)*x->p)) {
			x->line += *x->p++ == '\n';
		} else if (*x->p == '-' && x->p + 1 < x->end && x->p[1] == '-') {
			x->p += 2;
			skip_comment(x);
		} else {
			return true;
		}
	}
	return false;
}

static void next(struct lexer *x)
{
	bool any = skip_blanks(x);
	int level;

	b_buf_clear(&x->str);
	x->token_line = x->line;
	x->token = T_END;
	if (!any)
		return;
	x->start = x->p;
	x->other = *x->p;
	if (isalpha((unsigned char)*x->p) || *x->p == '_') {
		while (x->p < x->end && (isalnum((unsigned char)*x->p) || *x->p == '_'))
			x->p++;
		x->token = T_NAME;
	} else if (isdigit((unsigned char)*x->p)) {
		while (x->p < x->end && (isalnum((unsigned char)*x->p) || *x->p == '.'))
			x->p++;
		x->token = T_NUMBER;
	} else if (*x->p == '"' || *x->p == '\'') {
		x->p++;
		read_string(x, x->other);
		x->token = T_STRING;
	} else if ((level = long_bracket(x, x->p)) >= 0) {
		read_long(x, level);
		x->token = T_STRING;
	} else {
		x->p++;
		x->token = T_OTHER;
		if (x->p < x->end && x->other == '.' && *x->p == '.')
			x->p++; /* "..": no field follows */
	}
	x->len = (size_t)(x->p - x->start);
}

static bool name_is(const struct lexer *x, const char *name)
{
	return x->token == T_NAME && x->len == strlen(name) && !memcmp(x->start, name, x->len);
}

static bool other_is(const struct lexer *x, char c)
{
	return x->token == T_OTHER && x->len == 1 && x->other == c;
}

/* Moves behind the next use of the global name `function`; false at the end. */
static bool find_use(struct lexer *x, const char *function)
{
	bool plain = true; /* no '.', ':' or `function` stands in front */

	for (; x->token != T_END; next(x)) {
		if (plain && name_is(x, function)) {
			next(x);
			return true;
		}
		plain = !other_is(x, '.') && !other_is(x, ':') && !name_is(x, "function");
	}
	return false;
}

static void init(struct lexer *x, const char *text, size_t len)
{
	*x = (struct lexer){ .p = text, .end = text + len, .line = 1 };
	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		x->p += 3;
	if (x->p < x->end && *x->p == '#')
		while (x->p < x->end && *x->p != '\n')
			x->p++;
	next(x);
}

bool rte_lua_lex_calls(const char *text, size_t len, const char *function)
{
	struct lexer x;
	bool found = false;

	init(&x, text, len);
	while (!found && find_use(&x, function))
		found = other_is(&x, '{') || other_is(&x, '(');
	b_buf_release(&x.str);
	return found;
}

bool rte_lua_lex_defines(const char *text, size_t len, const char *function)
{
	bool found = false, defining = false, plain = true;
	struct lexer x;
	int depth = 0; /* in tables */

	init(&x, text, len);
	for (; x.token != T_END && !found; next(&x)) {
		bool is = plain && name_is(&x, function);

		if (is && defining) {
			found = true;
		} else if (is) {
			next(&x);
			found = other_is(&x, '=') && x.p < x.end && *x.p != '=' && !depth;
		}
		depth += other_is(&x, '{') - other_is(&x, '}');
		plain = !other_is(&x, '.') && !other_is(&x, ':');
		defining = name_is(&x, "function");
	}
	b_buf_release(&x.str);
	return found;
}

static void add_key(const struct lexer *x, struct rte_script_key **keys, size_t *n)
{
	*keys = b_reallocarray(*keys, *n + 1, sizeof **keys);
	(*keys)[*n].name = b_strndup(x->str.data ? x->str.data : "", x->str.len);
	(*keys)[*n].line = x->token_line;
	(*n)++;
}

/* Whether the string just read is a value by itself: "F" .. n is not known here. */
static bool whole_value(const struct lexer *after)
{
	return after->token != T_OTHER || !strchr(".:[", after->other);
}

static void take_key(struct lexer *x, struct rte_script_key **keys, size_t *n)
{
	struct rte_script_key *k;

	add_key(x, keys, n);
	next(x);
	if (whole_value(x))
		return;
	k = &(*keys)[--*n];
	free(k->name);
}

/* f "Enter", f("Enter", 850), f { "Tab", "Enter" } and f({ ... }). */
static void literals(
	const char *text, size_t len, const char *function, struct rte_script_key **keys, size_t *n)
{
	struct lexer x;

	*keys = NULL;
	*n = 0;
	init(&x, text, len);
	while (find_use(&x, function)) {
		if (other_is(&x, '('))
			next(&x);
		if (x.token == T_STRING) {
			take_key(&x, keys, n);
		} else if (other_is(&x, '{')) {
			do {
				next(&x);
				if (x.token == T_STRING)
					take_key(&x, keys, n);
			} while (other_is(&x, ','));
		}
	}
	b_buf_release(&x.str);
}

void rte_lua_lex_keys(const char *text, size_t len, struct rte_script_key **keys, size_t *n)
{
	literals(text, len, "press", keys, n);
}

static bool known(char *const *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

int rte_script_barriers(const char *path, char ***names, size_t *n, struct b_error *err)
{
	static const char *const functions[] = { "barrier", "rendezvous" };
	struct b_buf text = B_BUF_INIT;
	int rc = rte_lua_file_read(path, &text, err);

	*names = NULL;
	*n = 0;
	for (size_t f = 0; f < B_ARRAY_LEN(functions) && !rc; f++) {
		struct rte_script_key *found;
		size_t n_found;

		literals(b_buf_cstr(&text), text.len, functions[f], &found, &n_found);
		for (size_t i = 0; i < n_found; i++) {
			if (known(*names, *n, found[i].name)) {
				free(found[i].name);
				continue;
			}
			*names = b_reallocarray(*names, *n + 1, sizeof **names);
			(*names)[(*n)++] = found[i].name;
		}
		free(found);
	}
	b_buf_release(&text);
	return rc;
}
