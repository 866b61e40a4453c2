/*
 * autoexpect: a Tcl script of spawn, expect -exact "..." and send -- "...".
 *
 * No Tcl is carried out: commands at the top level are read word by word, and of those three
 * what they say is taken. The script has no times: the answer to what was sent comes a tenth of
 * a second later, the next keys half a second after that, a tenth of a second each; a sleep counts.
 * Source: Tcl(n), "the dodekalogue".
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "capture/import_priv.h"
#include "capture/typed.h"
#include "base/banned.h"

#define OUTPUT_NS (100 * B_NS_PER_MS)
#define KEYS_NS   (500 * B_NS_PER_MS)
#define KEY_NS    (100 * B_NS_PER_MS) /* from one of them to the next */
#define WORDS_MAX 64

struct word {
	struct b_buf text;
	bool variable; /* an unquoted $NAME in it was not carried out */
};

struct reader {
	const char *p, *end;
	struct word words[WORDS_MAX];
	size_t n;
};

/* ---- Tcl, as far as words go ------------------------------------------------------------- */

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint32_t take_digits(struct reader *r, int base, int most)
{
	uint32_t v = 0;

	while (most-- && r->p < r->end) {
		int d = hex(*r->p);

		if (d < 0 || d >= base)
			break;
		v = v * (uint32_t)base + (uint32_t)d;
		r->p++;
	}
	return v;
}

/* What follows a backslash. */
static void take_escape(struct reader *r, struct b_buf *out)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	char c = r->p < r->end ? *r->p++ : '\\', utf8[4];
	const char *at;
	uint32_t v;

	if (c == '\n') {
		while (r->p < r->end && (*r->p == ' ' || *r->p == '\t'))
			r->p++;
		b_buf_addc(out, ' ');
	} else if (c == 'x' && r->p < r->end && hex(*r->p) >= 0) {
		b_buf_addc(out, (char)take_digits(r, 16, 2));
	} else if (c == 'u' && r->p < r->end && hex(*r->p) >= 0) {
		v = take_digits(r, 16, 4);
		b_buf_add(out, utf8, b_utf8_encode(v, utf8));
	} else if (c >= '0' && c <= '7') {
		r->p--;
		b_buf_addc(out, (char)take_digits(r, 8, 3));
	} else if (c && (at = strchr(from, c))) {
		b_buf_addc(out, to[at - from]);
	} else {
		b_buf_addc(out, c);
	}
}

static void take_braces(struct reader *r, struct b_buf *out)
{
	int depth = 1;

	r->p++;
	while (r->p < r->end) {
		char c = *r->p++;

		if (c == '\\' && r->p < r->end) {
			b_buf_addc(out, c);
			c = *r->p++;
		} else if (c == '{') {
			depth++;
		} else if (c == '}' && !--depth) {
			return;
		}
		b_buf_addc(out, c);
	}
}

static void take_quotes(struct reader *r, struct word *w)
{
	r->p++;
	while (r->p < r->end && *r->p != '"') {
		char c = *r->p++;

		if (c == '\\') {
			take_escape(r, &w->text);
			continue;
		}
		w->variable = w->variable || c == '$' || c == '[';
		b_buf_addc(&w->text, c);
	}
	if (r->p < r->end)
		r->p++;
}

static bool ends_command(char c)
{
	return c == '\n' || c == ';';
}

static void take_bare(struct reader *r, struct word *w)
{
	while (r->p < r->end && *r->p != ' ' && *r->p != '\t' && !ends_command(*r->p)) {
		char c = *r->p++;

		if (c == '\\') {
			take_escape(r, &w->text);
			continue;
		}
		w->variable = w->variable || c == '$' || c == '[';
		b_buf_addc(&w->text, c);
	}
}

static void skip_line(struct reader *r)
{
	while (r->p < r->end && *r->p != '\n')
		r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
}

/* The words of the next command; false at the end. Words past WORDS_MAX are dropped. */
static bool take_command(struct reader *r)
{
	for (size_t i = 0; i < r->n; i++) {
		b_buf_clear(&r->words[i].text);
		r->words[i].variable = false;
	}
	r->n = 0;
	for (;;) {
		struct word spare = { .text = B_BUF_INIT }, *w;

		while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r'))
			r->p++;
		if (r->p == r->end)
			return r->n > 0;
		if (ends_command(*r->p)) {
			r->p++;
			if (r->n)
				return true;
			continue;
		}
		if (*r->p == '#' && !r->n) {
			skip_line(r);
			continue;
		}
		if (*r->p == '\\' && r->p + 1 < r->end && r->p[1] == '\n') {
			r->p += 2;
			continue;
		}
		w = r->n < WORDS_MAX ? &r->words[r->n++] : &spare;
		if (*r->p == '{')
			take_braces(r, &w->text);
		else if (*r->p == '"')
			take_quotes(r, w);
		else
			take_bare(r, w);
		b_buf_release(&spare.text);
	}
}

/* ---- The commands ------------------------------------------------------------------------ */

static bool is(const struct reader *r, size_t i, const char *text)
{
	return i < r->n && r->words[i].text.len == strlen(text) &&
		!memcmp(r->words[i].text.data, text, r->words[i].text.len);
}

/* spawn's words as a command for a shell: each in quotes, $env(NAME) as "$NAME". */
static void take_spawn(struct reader *r, struct b_buf *command)
{
	for (size_t i = 1; i < r->n; i++) {
		const struct word *w = &r->words[i];
		size_t len = w->text.len;

		if (i == 1 && len && *w->text.data == '-')
			continue; /* -noecho */
		if (command->len)
			b_buf_addc(command, ' ');
		if (w->variable && len > 6 && !memcmp(w->text.data, "$env(", 5) &&
			w->text.data[len - 1] == ')') {
			b_buf_printf(command, "\"$%.*s\"", (int)(len - 6), w->text.data + 5);
			continue;
		}
		if (len && !memchr(w->text.data, '\'', len) &&
			strspn(w->text.data,
				"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				"0123456789%+,-./:@_") == len) {
			b_buf_add(command, w->text.data, len);
			continue;
		}
		b_buf_addc(command, '\'');
		for (size_t k = 0; k < len; k++) {
			if (w->text.data[k] == '\'')
				b_buf_adds(command, "'\\''");
			else
				b_buf_addc(command, w->text.data[k]);
		}
		b_buf_addc(command, '\'');
	}
}

struct result {
	struct cap_trace *trace;
	struct b_buf command;
	int64_t now_ns;
	size_t patterns, variables;
};

static void take_expect(struct reader *r, struct result *out)
{
	size_t i = 1;
	bool exact = false;

	for (; i < r->n && r->words[i].text.len > 1 && *r->words[i].text.data == '-'; i++)
		exact = exact || is(r, i, "-exact") || is(r, i, "-ex");
	if (i >= r->n || is(r, i, "eof") || is(r, i, "timeout"))
		return;
	if (!exact) {
		out->patterns++; /* what it matched is not known */
		return;
	}
	out->now_ns += OUTPUT_NS;
	if (r->words[i].text.len)
		cap_trace_add(
			out->trace, out->now_ns, 'o', r->words[i].text.data, r->words[i].text.len);
}

/* One send is all that was typed up to the next output: here it is keystrokes again. */
static void add_keys(struct result *out, const char *bytes, size_t len)
{
	struct cap_typed_state st = { 0 };

	out->now_ns += KEYS_NS - KEY_NS;
	while (len) {
		struct cap_typed t;
		size_t n;

		out->now_ns += KEY_NS;
		n = cap_typed_next(&st, bytes, len, 0, &t);
		cap_trace_add(out->trace, out->now_ns, 'i', bytes, n);
		bytes += n;
		len -= n;
	}
}

static void take_send(struct reader *r, struct result *out)
{
	size_t i = 1;

	while (i < r->n && r->words[i].text.len && *r->words[i].text.data == '-')
		if (is(r, i++, "--"))
			break;
	if (i >= r->n || !r->words[i].text.len)
		return;
	if (r->words[i].variable)
		out->variables++;
	else
		add_keys(out, r->words[i].text.data, r->words[i].text.len);
}

static void take_sleep(struct reader *r, struct result *out)
{
	int64_t ns;

	if (r->n > 1 && !b_parse_duration(b_buf_cstr(&r->words[1].text), &ns) &&
		ns < 3600 * B_NS_PER_S)
		out->now_ns += ns;
}

int imp_autoexpect(struct cap_trace **out, struct imp *in)
{
	struct reader r = { .p = in->text.data, .end = in->text.data + in->text.len };
	struct result result = { .trace = imp_trace(in, 0, 0, NULL) };
	int rc = B_OK;

	while (take_command(&r)) {
		if (is(&r, 0, "spawn") && !result.command.len)
			take_spawn(&r, &result.command);
		else if (is(&r, 0, "expect"))
			take_expect(&r, &result);
		else if (is(&r, 0, "send") || is(&r, 0, "exp_send"))
			take_send(&r, &result);
		else if (is(&r, 0, "sleep"))
			take_sleep(&r, &result);
	}
	if (result.patterns)
		b_buf_printf(in->notes,
			"%zu expect lines are patterns; what they matched is not known\n",
			result.patterns);
	if (result.variables)
		b_buf_printf(in->notes,
			"%zu send lines have variables or commands in them; left out\n",
			result.variables);
	if (!result.trace->n_events)
		rc = b_error_set(in->err, B_EINPUT,
			"%s has no send or expect -exact line at its top level", in->opt->path);
	else if (result.command.len)
		result.trace->command = b_strdup(b_buf_cstr(&result.command));
	for (size_t i = 0; i < WORDS_MAX; i++)
		b_buf_release(&r.words[i].text);
	b_buf_release(&result.command);
	if (rc)
		cap_trace_free(result.trace);
	else
		*out = result.trace;
	return rc;
}
