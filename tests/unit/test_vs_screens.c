/*
 * Runs the screen tests: tests/screens/NAME.test, text that a person can write and read.
 *
 *   == NAME            a new screen, 20x4, TERM xterm-256color
 *   size COLSxROWS  term TERM  8bit        before the first feed
 *   feed TEXT          bytes; \e \n \r \t \b \a \\ \s (blank) \xHH \u{HEX}
 *   resize COLSxROWS   mark (input is sent)   mask ROW COL ROWS COLS
 *   rows A / B / ~     what stands there, ~ an empty row; those not named must be empty
 *   attrs ROW LETTERS  . none, b u r B R x X; trailing dots may be cut
 *   cursor ROW COL     from 0
 *   answer TEXT        all answers since the last feed line but those compared before
 *   title TEXT  printed TEXT  unanswered TEXT  bells N  visible yes|no
 *   modes NAME...      exactly these are on, `wrap` not named
 *   changed yes|no     the last feed changed the screen (judged when it came in one piece)
 *   painted ROW COL ROWS COLS yes|no   moved yes|no   midway N
 *   fg ROW COL COLOUR  bg ...  underline ROW COL KIND: -1 default, N, or #RRGGBB
 *   dump               prints the screen: how one begins to write a test
 *
 * Each test runs with its feeds whole, byte by byte and cut at random: the same must come out.
 */
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "vscreen/screen.h"
#include "base/banned.h"

enum cut { WHOLE, BYTES, RANDOM };

struct run {
	const char *file;
	int line;
	char name[128];
	enum cut cut;
	uint32_t random;
	struct vs_options opt;
	char term[64];
	struct vs_screen *s;
	struct b_buf answers;
	bool changed;
	int bad, tests;
};

static void complain(struct run *r, const char *fmt, ...) B_PRINTF(2, 3);
static void complain(struct run *r, const char *fmt, ...)
{
	static const char *const how[] = { "whole", "byte by byte", "cut at random" };
	va_list ap;

	r->bad++;
	fprintf(stderr, "%s:%d: %s (%s): ", r->file, r->line, r->name, how[r->cut]);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void on_answer(void *user, const char *bytes, size_t len)
{
	b_buf_add(user, bytes, len);
}

static struct vs_screen *screen(struct run *r)
{
	if (!r->s) {
		r->opt.term = r->term;
		r->opt.answer = on_answer;
		r->opt.answer_user = &r->answers;
		if (vs_screen_new(&r->s, &r->opt))
			complain(r, "no such screen");
	}
	return r->s;
}

static void begin(struct run *r, const char *name)
{
	vs_screen_free(r->s);
	r->s = NULL;
	b_buf_clear(&r->answers);
	snprintf(r->name, sizeof r->name, "%s", name);
	snprintf(r->term, sizeof r->term, "xterm-256color");
	r->opt = (struct vs_options){ .rows = 4, .cols = 20 };
	r->tests++;
}

static int hex(const char *s, int digits)
{
	char text[9] = "";
	char *end;
	long v;

	memcpy(text, s, (size_t)(digits < 8 ? digits : 8));
	v = strtol(text, &end, 16);
	return *end || !text[0] ? -1 : (int)v;
}

/* The bytes that the rest of a line stands for. */
static void unescape(struct run *r, const char *s, struct b_buf *out)
{
	static const char letters[] = "enrtbas\\", bytes[] = "\033\n\r\t\b\a \\";
	char utf8[4];

	b_buf_clear(out);
	for (; *s; s++) {
		const char *at;

		if (*s != '\\') {
			b_buf_addc(out, *s);
			continue;
		}
		s++;
		at = *s ? strchr(letters, *s) : NULL;
		if (at) {
			b_buf_addc(out, bytes[at - letters]);
		} else if (*s == 'x' && hex(s + 1, 2) >= 0) {
			b_buf_addc(out, (char)hex(s + 1, 2));
			s += 2;
		} else if (*s == 'u' && s[1] == '{' && strchr(s, '}')) {
			const char *end = strchr(s, '}');

			b_buf_add(out, utf8,
				b_utf8_encode((uint32_t)hex(s + 2, (int)(end - s) - 2), utf8));
			s = end;
		} else {
			complain(r, "what is \\%c?", *s);
			return;
		}
	}
}

static uint32_t next_random(struct run *r)
{
	r->random = r->random * 1664525u + 1013904223u;
	return r->random >> 16;
}

static void feed(struct run *r, const char *text)
{
	struct b_buf bytes = B_BUF_INIT;
	size_t pos = 0, n;

	unescape(r, text, &bytes);
	b_buf_clear(&r->answers);
	r->changed = false;
	while (pos < bytes.len) {
		n = r->cut == WHOLE ? bytes.len : r->cut == BYTES ? 1 : 1 + next_random(r) % 7;
		if (n > bytes.len - pos)
			n = bytes.len - pos;
		/* A copy of its own length, so that a sanitizer sees a read behind its end. */
		char *piece = b_malloc(n);

		memcpy(piece, bytes.data + pos, n);
		r->changed |= vs_screen_feed(screen(r), piece, n);
		free(piece);
		pos += n;
	}
	b_buf_release(&bytes);
}

static void expect_text(
	struct run *r, const char *what, const char *want, const char *got, size_t len)
{
	struct b_buf w = B_BUF_INIT, g = B_BUF_INIT;

	unescape(r, want, &w);
	if (w.len != len || (len && memcmp(w.data, got, len))) {
		b_buf_clear(&w);
		b_escape_text(&g, got, len);
		complain(r, "%s is |%s|, not |%s|", what, b_buf_cstr(&g), want);
	}
	b_buf_release(&w);
	b_buf_release(&g);
}

static void expect_int(struct run *r, const char *what, long want, long got)
{
	if (want != got)
		complain(r, "%s is %ld, not %ld", what, got, want);
}

static void expect_rows(struct run *r, char *want)
{
	struct b_buf row = B_BUF_INIT;
	char what[32];
	char *next;

	for (int i = 0; i < vs_screen_rows(screen(r)); i++) {
		next = want ? strstr(want, " / ") : NULL;
		if (next)
			*next = 0;
		b_buf_clear(&row);
		vs_screen_row(r->s, i, &row);
		snprintf(what, sizeof what, "row %d", i);
		expect_text(r, what, !want || !strcmp(want, "~") ? "" : want, row.data, row.len);
		want = next ? next + 3 : NULL;
	}
	if (want)
		complain(r, "there are fewer rows");
	b_buf_release(&row);
}

static void expect_attrs(struct run *r, const char *arg)
{
	struct b_buf got = B_BUF_INIT;
	char *end;
	long row = strtol(arg, &end, 10);
	char what[32];

	vs_screen_row_attrs(screen(r), (int)row, &got);
	while (got.len && got.data[got.len - 1] == '.')
		b_buf_truncate(&got, got.len - 1);
	snprintf(what, sizeof what, "attrs %ld", row);
	end += strspn(end, " ");
	for (size_t n = strlen(end); n && end[n - 1] == '.'; n--)
		end[n - 1] = 0;
	expect_text(r, what, end, got.data, got.len);
	b_buf_release(&got);
}

static void expect_modes(struct run *r, char *want)
{
	static const char *const names[] = { "app_cursor", "app_keypad", "paste", "focus", "x10",
		"click", "drag", "any", "utf8", "sgr", "urxvt", "newline", "insert", "origin",
		"wrap", "reverse", "alt", "sync", "backarrow", "pixels" };
	unsigned modes = vs_screen_modes(screen(r)), bits = 0;

	for (char *save, *word = strtok_r(want, " ", &save); word;
		word = strtok_r(NULL, " ", &save)) {
		size_t i = 0;

		while (i < B_ARRAY_LEN(names) && strcmp(word, names[i]))
			i++;
		bits |= 1u << i;
	}
	modes &= ~(unsigned)VS_MODE_WRAP;
	bits &= ~(unsigned)VS_MODE_WRAP;
	for (size_t i = 0; i < B_ARRAY_LEN(names); i++)
		if ((modes ^ bits) >> i & 1)
			complain(r, "mode %s is %s", names[i], modes >> i & 1 ? "on" : "off");
}

static void expect_cell(struct run *r, const char *what, const char *arg)
{
	struct vs_cell cell;
	int row, col;
	char want[16], got[16];
	uint32_t v;

	if (sscanf(arg, "%d %d %15s", &row, &col, want) != 3) {
		complain(r, "%s ROW COL VALUE", what);
		return;
	}
	vs_screen_cell(screen(r), row, col, &cell);
	v = what[0] == 'f' ? cell.fg : what[0] == 'b' ? cell.bg : cell.underline;
	if (v == VS_COLOUR_DEFAULT)
		snprintf(got, sizeof got, "-1");
	else if (v & VS_COLOUR_RGB)
		snprintf(got, sizeof got, "#%06X", (unsigned)(v & 0xFFFFFF));
	else
		snprintf(got, sizeof got, "%u", (unsigned)v);
	if (strcmp(got, want))
		complain(r, "%s at %d %d is %s, not %s", what, row, col, got, want);
}

static void dump(struct run *r)
{
	struct b_buf out = B_BUF_INIT;
	int row, col;

	if (r->cut != WHOLE)
		return;
	for (int i = 0; i < vs_screen_rows(screen(r)); i++) {
		b_buf_adds(&out, i ? " / " : "rows ");
		vs_screen_row(r->s, i, &out);
	}
	vs_screen_cursor(r->s, &row, &col);
	b_buf_printf(&out, "\ncursor %d %d\nanswer ", row, col);
	b_escape_text(&out, r->answers.data, r->answers.len);
	printf("== %s\n%s\n", r->name, b_buf_cstr(&out));
	b_buf_release(&out);
}

static void answer(struct run *r, const char *want)
{
	expect_text(r, "the answer", want, r->answers.data, r->answers.len);
	b_buf_clear(&r->answers);
}

static void painted(struct run *r, const char *arg)
{
	struct vs_rect rect;
	char yes[8];

	if (sscanf(arg, "%d %d %d %d %7s", &rect.row, &rect.col, &rect.rows, &rect.cols, yes) != 5)
		complain(r, "painted ROW COL ROWS COLS yes|no");
	else
		expect_int(r, "painted", !strcmp(yes, "yes"),
			vs_screen_painted(screen(r), rect.row, rect.col, rect.rows, rect.cols));
}

/* One line of a test; false when the word is not known. */
static bool setup_line(struct run *r, const char *word, const char *arg)
{
	int rows = 0, cols = 0;
	struct vs_rect mask;

	if (!strcmp(word, "size") && sscanf(arg, "%dx%d", &r->opt.cols, &r->opt.rows) == 2)
		return true;
	if (!strcmp(word, "term"))
		snprintf(r->term, sizeof r->term, "%s", arg);
	else if (!strcmp(word, "8bit"))
		r->opt.eight_bit = true;
	else if (!strcmp(word, "feed"))
		feed(r, arg);
	else if (!strcmp(word, "mark"))
		vs_screen_input_mark(screen(r));
	else if (!strcmp(word, "resize") && sscanf(arg, "%dx%d", &cols, &rows) == 2)
		expect_int(r, "resize", 0, vs_screen_resize(screen(r), rows, cols));
	else if (!strcmp(word, "mask") &&
		sscanf(arg, "%d %d %d %d", &mask.row, &mask.col, &mask.rows, &mask.cols) == 4)
		vs_screen_masks_set(screen(r), &mask, 1);
	else if (!strcmp(word, "dump"))
		dump(r);
	else
		return false;
	return true;
}

static void expect_line(struct run *r, const char *word, char *arg)
{
	struct b_buf text = B_BUF_INIT;
	bool yes = !strcmp(arg, "yes");
	int row, col, want_row, want_col;

	if (!strcmp(word, "rows")) {
		expect_rows(r, arg);
	} else if (!strcmp(word, "attrs")) {
		expect_attrs(r, arg);
	} else if (!strcmp(word, "cursor") && sscanf(arg, "%d %d", &want_row, &want_col) == 2) {
		vs_screen_cursor(screen(r), &row, &col);
		if (row != want_row || col != want_col)
			complain(r, "the cursor is at %d %d, not %s", row, col, arg);
	} else if (!strcmp(word, "answer")) {
		answer(r, arg);
	} else if (!strcmp(word, "title")) {
		expect_text(r, word, arg, vs_screen_title(screen(r)),
			strlen(vs_screen_title(screen(r))));
	} else if (!strcmp(word, "unanswered")) {
		if (strcmp(vs_screen_unanswered(screen(r)), arg))
			complain(
				r, "unanswered is |%s|, not |%s|", vs_screen_unanswered(r->s), arg);
	} else if (!strcmp(word, "printed")) {
		vs_screen_print_take(screen(r), &text);
		expect_text(r, word, arg, text.data, text.len);
	} else if (!strcmp(word, "bells")) {
		expect_int(r, word, strtol(arg, NULL, 10), (long)vs_screen_bells(screen(r)));
	} else if (!strcmp(word, "visible")) {
		expect_int(r, word, yes, vs_screen_cursor_visible(screen(r)));
	} else if (!strcmp(word, "modes")) {
		expect_modes(r, arg);
	} else if (!strcmp(word, "changed")) {
		if (r->cut == WHOLE)
			expect_int(r, word, yes, r->changed);
	} else if (!strcmp(word, "painted")) {
		painted(r, arg);
	} else if (!strcmp(word, "moved")) {
		expect_int(r, word, yes, vs_screen_cursor_moved(screen(r)));
	} else if (!strcmp(word, "midway")) {
		expect_int(r, word, strtol(arg, NULL, 10), (long)vs_screen_midway(screen(r)));
	} else if (!strcmp(word, "fg") || !strcmp(word, "bg") || !strcmp(word, "underline")) {
		expect_cell(r, word, arg);
	} else {
		complain(r, "no such line: %s %s", word, arg);
	}
	b_buf_release(&text);
}

static void run_line(struct run *r, char *line)
{
	char *arg;

	if (!line[0] || line[0] == '#')
		return;
	if (!strncmp(line, "== ", 3)) {
		begin(r, line + 3);
		return;
	}
	arg = strchr(line, ' ');
	if (arg)
		*arg++ = 0;
	else
		arg = line + strlen(line);
	if (!setup_line(r, line, arg))
		expect_line(r, line, arg);
}

static void run_file(struct run *r, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!f) {
		perror(path);
		r->bad++;
		return;
	}
	r->file = path;
	r->line = 0;
	begin(r, "");
	r->tests--;
	while ((n = getline(&line, &cap, f)) >= 0) {
		r->line++;
		if (n && line[n - 1] == '\n')
			line[n - 1] = 0;
		run_line(r, line);
	}
	vs_screen_free(r->s);
	r->s = NULL;
	free(line);
	fclose(f);
}

int main(int argc, char **argv)
{
	struct run r = { .random = 1 };
	const char *top = getenv("RTE_TOP");
	char pattern[4096];
	glob_t files;

	snprintf(pattern, sizeof pattern, "%s/tests/screens/*.test", top ? top : ".");
	if (glob(argc > 1 ? argv[1] : pattern, 0, NULL, &files)) {
		fprintf(stderr, "no screen tests at %s; run it from the top of the source\n",
			pattern);
		return 1;
	}
	for (r.cut = WHOLE; r.cut <= RANDOM; r.cut++)
		for (size_t i = 0; i < files.gl_pathc; i++)
			run_file(&r, files.gl_pathv[i]);
	globfree(&files);
	b_buf_release(&r.answers);
	printf("%d screen tests, each three ways, %d faults\n", r.tests / 3, r.bad);
	return r.bad > 0;
}
