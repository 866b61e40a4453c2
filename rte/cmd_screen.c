/* rte screen: what a terminal would show of raw bytes or of a trace. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "capture/trace.h"
#include "rte/command.h"
#include "vscreen/screen.h"
#include "base/banned.h"

static const char help[] =
	"Usage: rte screen [OPTION]... [TRACE.cast | -]\n"
	"\n"
	"Prints what a terminal shows after raw bytes were read from standard input (`-`, or no\n"
	"argument), or after the output and resize events of a trace: the rows as UTF-8 text,\n"
	"trailing blanks cut.\n"
	"\n"
	"  -s, --size COLSxROWS  size of the terminal at the start (80x24, or the trace's)\n"
	"      --term TERM       what the application was told (xterm-256color, or the trace's)\n"
	"      --at TIME         of a trace: only what came until then (seconds, or 1m30s)\n"
	"  -c, --cursor          a last line `cursor ROW COL`, counted from 1\n"
	"  -j, --json            one object: rows, cols, text, attrs, cursor, cursor_visible, title,\n"
	"                        alt_screen, modes\n"
	"  -h, --help            this text\n"
	"\n"
	"In attrs, a letter a column: . none, b bold, u underline, r reverse, B bold and underline,\n"
	"R bold and reverse, x underline and reverse, X all three.\n"
	"\n"
	"Exit status: 0 done, 2 wrong usage or a file that is no trace.\n";

struct options {
	int rows, cols; /* 0: not given */
	const char *term;
	int64_t at_ns; /* -1: all of it */
	bool cursor, json;
	const char *path;
};

static int usage_error(const char *what, const char *value)
{
	b_error("%s '%s'; see rte screen --help", what, value);
	return B_EXIT_USAGE;
}

/* 0, or the exit status; -1: help was printed. */
static int parse_options(int argc, char **argv, struct options *opt)
{
	static const struct option longs[] = {
		{ "size", required_argument, NULL, 's' },
		{ "term", required_argument, NULL, 't' },
		{ "at", required_argument, NULL, 'a' },
		{ "cursor", no_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	*opt = (struct options){ .at_ns = -1 };
	while ((c = getopt_long(argc, argv, "s:cjh", longs, NULL)) != -1) {
		switch (c) {
		case 's':
			if (b_parse_size(optarg, &opt->cols, &opt->rows))
				return usage_error(
					"--size wants COLSxROWS, each from 1 to 1000, not", optarg);
			break;
		case 't': opt->term = optarg; break;
		case 'a':
			if (b_parse_duration(optarg, &opt->at_ns))
				return usage_error("--at wants a time in seconds, not", optarg);
			break;
		case 'c': opt->cursor = true; break;
		case 'j': opt->json = true; break;
		case 'h': fputs(help, stdout); return -1;
		default: b_error("see rte screen --help"); return B_EXIT_USAGE;
		}
	}
	if (argc - optind > 1)
		return usage_error("one trace at a time; too much:", argv[optind + 1]);
	opt->path = optind < argc && strcmp(argv[optind], "-") ? argv[optind] : NULL;
	if (!opt->path && opt->at_ns >= 0)
		return usage_error("--at needs a trace: raw bytes have no times; given", "-");
	return 0;
}

static struct vs_screen *new_screen(const struct options *opt, int rows, int cols, const char *term)
{
	struct vs_options vs = {
		.rows = opt->rows ? opt->rows : rows,
		.cols = opt->cols ? opt->cols : cols,
		.term = opt->term ? opt->term : term,
	};
	struct vs_screen *s;

	/* The sizes were checked where they were read. */
	B_BUG_ON(vs_screen_new(&s, &vs));
	return s;
}

static int read_bytes(const struct options *opt, struct vs_screen **out)
{
	static char bytes[65536];
	struct vs_screen *s = new_screen(opt, 24, 80, NULL);
	ssize_t n;

	while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			b_error("cannot read standard input: %s", strerror(errno));
			vs_screen_free(s);
			return B_EXIT_ENV;
		}
		vs_screen_feed(s, bytes, (size_t)n);
	}
	*out = s;
	return 0;
}

static int read_trace(const struct options *opt, struct vs_screen **out)
{
	struct cap_trace *t;
	struct b_error err = { 0 };
	struct vs_screen *s;
	int rows, cols;
	int rc = cap_trace_load(&t, opt->path, &err);

	if (rc) {
		b_error("%s", err.text);
		return rc == B_EINPUT || rc == B_ESYS ? B_EXIT_USAGE : (int)b_status_exit(rc);
	}
	s = new_screen(opt, t->rows, t->cols, t->term);
	for (size_t i = 0; i < t->n_events; i++) {
		const struct cap_event *e = &t->events[i];

		if (opt->at_ns >= 0 && e->at_ns > opt->at_ns)
			break;
		if (e->code == 'o')
			vs_screen_feed(s, e->data, e->len);
		else if (e->code == 'r' && !cap_event_size(e, &rows, &cols) &&
			vs_screen_resize(s, rows, cols))
			b_warn("%s: a resize to %dx%d is out of range", opt->path, cols, rows);
	}
	cap_trace_free(t);
	*out = s;
	return 0;
}

static void print_text(const struct vs_screen *s, bool with_cursor)
{
	struct b_buf out = B_BUF_INIT;
	int row, col;

	for (int r = 0; r < vs_screen_rows(s); r++) {
		vs_screen_row(s, r, &out);
		b_buf_addc(&out, '\n');
	}
	vs_screen_cursor(s, &row, &col);
	if (with_cursor)
		b_buf_printf(&out, "cursor %d %d\n", row + 1, col + 1);
	fwrite(out.data, 1, out.len, stdout);
	b_buf_release(&out);
}

static void add_string(struct b_buf *out, const char *s, size_t len)
{
	b_buf_addc(out, '"');
	b_escape_json(out, s, len);
	b_buf_addc(out, '"');
}

typedef void row_fn(const struct vs_screen *s, int row, struct b_buf *out);

static void add_rows(struct b_buf *out, const struct vs_screen *s, row_fn *row_text)
{
	struct b_buf row = B_BUF_INIT;

	b_buf_addc(out, '[');
	for (int r = 0; r < vs_screen_rows(s); r++) {
		b_buf_clear(&row);
		row_text(s, r, &row);
		b_buf_adds(out, r ? ",\n  " : "\n  ");
		add_string(out, row.data ? row.data : "", row.len);
	}
	b_buf_adds(out, "]");
	b_buf_release(&row);
}

static void add_modes(struct b_buf *out, unsigned modes)
{
	static const struct {
		const char *name;
		unsigned bits;
	} names[] = {
		{ "app_cursor", VS_MODE_APP_CURSOR },
		{ "app_keypad", VS_MODE_APP_KEYPAD },
		{ "bracketed_paste", VS_MODE_PASTE },
		{ "focus", VS_MODE_FOCUS },
		{ "mouse",
			VS_MODE_MOUSE_X10 | VS_MODE_MOUSE_CLICK | VS_MODE_MOUSE_DRAG |
				VS_MODE_MOUSE_ANY },
		{ "mouse_x10", VS_MODE_MOUSE_X10 },
		{ "mouse_click", VS_MODE_MOUSE_CLICK },
		{ "mouse_drag", VS_MODE_MOUSE_DRAG },
		{ "mouse_any", VS_MODE_MOUSE_ANY },
		{ "mouse_utf8", VS_MODE_MOUSE_UTF8 },
		{ "mouse_sgr", VS_MODE_MOUSE_SGR },
		{ "mouse_urxvt", VS_MODE_MOUSE_URXVT },
		{ "mouse_pixels", VS_MODE_MOUSE_PIXELS },
		{ "newline", VS_MODE_NEWLINE },
		{ "insert", VS_MODE_INSERT },
		{ "origin", VS_MODE_ORIGIN },
		{ "wrap", VS_MODE_WRAP },
		{ "reverse", VS_MODE_REVERSE },
		{ "alt", VS_MODE_ALT },
		{ "sync", VS_MODE_SYNC },
		{ "backarrow", VS_MODE_BACKARROW },
	};

	b_buf_addc(out, '{');
	for (size_t i = 0; i < B_ARRAY_LEN(names); i++)
		b_buf_printf(out, "%s\"%s\": %s", i ? ", " : "", names[i].name,
			modes & names[i].bits ? "true" : "false");
	b_buf_addc(out, '}');
}

static void print_json(const struct vs_screen *s)
{
	struct b_buf out = B_BUF_INIT;
	const char *title = vs_screen_title(s);
	unsigned modes = vs_screen_modes(s);
	int row, col;

	vs_screen_cursor(s, &row, &col);
	b_buf_printf(&out, "{\"rows\": %d, \"cols\": %d,\n \"text\": ", vs_screen_rows(s),
		vs_screen_cols(s));
	add_rows(&out, s, vs_screen_row);
	b_buf_adds(&out, ",\n \"attrs\": ");
	add_rows(&out, s, vs_screen_row_attrs);
	b_buf_printf(&out,
		",\n \"cursor\": [%d, %d], \"cursor_visible\": %s,\n \"title\": ", row + 1, col + 1,
		vs_screen_cursor_visible(s) ? "true" : "false");
	add_string(&out, title, strlen(title));
	b_buf_printf(&out,
		", \"alt_screen\": %s,\n \"modes\": ", modes & VS_MODE_ALT ? "true" : "false");
	add_modes(&out, modes);
	b_buf_adds(&out, "}\n");
	fwrite(out.data, 1, out.len, stdout);
	b_buf_release(&out);
}

int cmd_screen(int argc, char **argv)
{
	struct options opt;
	struct vs_screen *s;
	int rc = parse_options(argc, argv, &opt);

	if (rc)
		return rc < 0 ? B_EXIT_OK : rc;
	rc = opt.path ? read_trace(&opt, &s) : read_bytes(&opt, &s);
	if (rc)
		return rc;
	if (opt.json)
		print_json(s);
	else
		print_text(s, opt.cursor);
	vs_screen_free(s);
	if (fflush(stdout) || ferror(stdout)) {
		b_error("cannot write standard output: %s", strerror(errno));
		return B_EXIT_ENV;
	}
	return B_EXIT_OK;
}
