/*
 * script(1): a log of bytes, and a timing file that says when how many of them came.
 *
 * Classic timing is "DELAY BYTES" a line, output alone. Advanced timing is "TYPE DELAY REST":
 * O and I so many bytes of the output or input log, S a signal, H a header. With --log-io both
 * directions share one log. Each log begins with a line of its own that the counts leave out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/parse.h"
#include "capture/import_priv.h"
#include "base/banned.h"

struct log {
	const char *data; /* what is left of it */
	size_t len;
	bool short_of; /* the timing wanted more than there was */
};

struct script {
	struct imp *in;
	struct b_buf timing, input_text;
	struct log output, input;
	bool one_log; /* both directions in one */
	char *term, *command, *output_name, *input_name, *exit_code;
	int rows, cols;
	struct cap_trace *trace;
	int64_t now_ns;
	size_t line;
	size_t skipped;
};

static void skip_first_line(struct log *l)
{
	const char *nl = l->len ? memchr(l->data, '\n', l->len) : NULL;
	size_t n = nl ? (size_t)(nl - l->data) + 1 : l->len;

	l->data += n;
	l->len -= n;
}

/* ---- The log's first line: [COMMAND="..." TERM="..." ... COLUMNS="80" LINES="24"] ------- */

/* The value of NAME="..."; the last one, since a command may hold anything. */
static char *quoted_value(const char *line, const char *name)
{
	const char *at = NULL, *end;
	char *value = NULL;

	for (const char *p = strstr(line, name); p; p = strstr(p + 1, name))
		at = p;
	if (at) {
		at += strlen(name);
		end = strchr(at, '"');
		if (end)
			value = b_strndup(at, (size_t)(end - at));
	}
	return value;
}

static int number_of(char *value)
{
	int64_t n = 0;

	if (value && b_parse_int(value, 1, 1000, &n))
		n = 0;
	free(value);
	return (int)n;
}

static void read_first_line(struct script *s)
{
	size_t len = strcspn(s->in->text.data, "\n");
	char *line = b_strndup(s->in->text.data, len);
	const char *command = strstr(line, "[COMMAND=\""), *end = NULL;

	s->term = quoted_value(line, " TERM=\"");
	s->cols = number_of(quoted_value(line, " COLUMNS=\""));
	s->rows = number_of(quoted_value(line, " LINES=\""));
	/* Quotes inside the command stand as they are: it ends where TERM begins. */
	command = command ? command + strlen("[COMMAND=\"") : NULL;
	for (const char *p = command; p && (p = strstr(p, "\" TERM=\"")); p++)
		end = p;
	if (end)
		s->command = b_strndup(command, (size_t)(end - command));
	free(line);
}

/* ---- Timing ------------------------------------------------------------------------------ */

static int complain(struct script *s, const char *what)
{
	return b_error_set(
		s->in->err, B_EINPUT, "%s:%zu: %s", s->in->opt->timing_path, s->line, what);
}

/* Seconds with a point or, in some locales, a comma. */
static bool take_delay(struct script *s, const char **p)
{
	char text[64];
	size_t n = strspn(*p, "0123456789.,");
	double seconds;

	if (!n || n >= sizeof text)
		return false;
	memcpy(text, *p, n);
	text[n] = '\0';
	for (char *c = text; *c; c++)
		if (*c == ',')
			*c = '.';
	if (b_parse_double(text, &seconds) || seconds > 1e9)
		return false;
	if (s->now_ns < (int64_t)1e18)
		s->now_ns += (int64_t)(seconds * 1e6 + 0.5) * B_NS_PER_US;
	*p += n;
	while (**p == ' ')
		(*p)++;
	return true;
}

static void take_bytes(struct script *s, struct log *l, char code, int64_t n)
{
	size_t len = (size_t)n < l->len ? (size_t)n : l->len;

	l->short_of = l->short_of || len < (size_t)n;
	if (!len)
		return;
	cap_trace_add(s->trace, s->now_ns, code, l->data, len);
	l->data += len;
	l->len -= len;
}

static int take_count(struct script *s, struct log *l, char code, const char *p)
{
	int64_t n;

	if (b_parse_int(p, 0, INT64_MAX / 2, &n))
		return complain(s, "no count of bytes");
	if (l)
		take_bytes(s, l, code, n);
	return B_OK;
}

static void take_signal(struct script *s, const char *p)
{
	char label[32];
	int rows, cols;

	if (sscanf(p, "SIGWINCH ROWS=%4d COLS=%4d", &rows, &cols) != 2 || rows < 1 || cols < 1 ||
		rows > 1000 || cols > 1000)
		return;
	snprintf(label, sizeof label, "%dx%d", cols, rows);
	cap_trace_add(s->trace, s->now_ns, 'r', label, strlen(label));
}

static void replace(char **to, const char *value)
{
	free(*to);
	*to = b_strdup(value);
}

static void take_header(struct script *s, const char *p)
{
	static const char *const names[] = { "TERM ", "COLUMNS ", "LINES ", "COMMAND ",
		"OUTPUT_LOG ", "INPUT_LOG ", "EXIT_CODE " };
	size_t i = 0;
	const char *value;

	while (i < B_ARRAY_LEN(names) && strncmp(p, names[i], strlen(names[i])))
		i++;
	if (i == B_ARRAY_LEN(names))
		return;
	value = p + strlen(names[i]);
	switch (i) {
	case 0: replace(&s->term, value); break;
	case 1: s->cols = number_of(b_strdup(value)); break;
	case 2: s->rows = number_of(b_strdup(value)); break;
	case 3: replace(&s->command, value); break;
	case 4: replace(&s->output_name, value); break;
	case 5: replace(&s->input_name, value); break;
	default: replace(&s->exit_code, value);
	}
}

static int take_line(struct script *s, const char *p, bool headers_only)
{
	char type = 'O';

	if (*p >= 'A' && *p <= 'Z') {
		type = *p++;
		while (*p == ' ')
			p++;
	}
	if (headers_only) {
		if (type == 'H' && take_delay(s, &p))
			take_header(s, p);
		return B_OK;
	}
	if (!take_delay(s, &p))
		return complain(s, "no delay; wanted is DELAY BYTES or TYPE DELAY REST");
	switch (type) {
	case 'O': return take_count(s, &s->output, 'o', p);
	case 'I':
		if (!s->one_log && !s->input.data)
			s->skipped++;
		return take_count(s,
			s->one_log              ? &s->output
				: s->input.data ? &s->input
						: NULL,
			'i', p);
	case 'S': take_signal(s, p); return B_OK;
	default: return B_OK; /* headers are known by now; others are to come */
	}
}

static int read_timing(struct script *s, bool headers_only)
{
	const char *p = s->timing.data, *end = p + s->timing.len;
	int rc = B_OK;

	s->now_ns = 0;
	for (s->line = 1; p < end && !rc; s->line++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((nl ? nl : end) - p);
		char *line = b_strndup(p, n);

		if (n && line[n - 1] == '\r')
			line[n - 1] = '\0';
		/* A last line without an end was being written when it was killed. */
		if (*line && (nl || headers_only))
			rc = take_line(s, line, headers_only);
		free(line);
		p += n + 1;
	}
	return rc;
}

/* ---- Logs -------------------------------------------------------------------------------- */

/* The input log lies beside the output log, under the name that the timing file has. */
static void open_input(struct script *s)
{
	struct b_buf path = B_BUF_INIT;
	const char *slash = strrchr(s->in->opt->path, '/'), *name;

	if (!s->input_name)
		return;
	if (s->output_name && !strcmp(s->output_name, s->input_name)) {
		s->one_log = true;
		return;
	}
	name = strrchr(s->input_name, '/');
	name = name ? name + 1 : s->input_name;
	if (slash)
		b_buf_add(&path, s->in->opt->path, (size_t)(slash - s->in->opt->path) + 1);
	b_buf_adds(&path, name);
	if (!s->output_name) {
		/* Only input was logged: the file at hand is that log. */
		s->input = s->output;
		s->output = (struct log){ 0 };
	} else if (b_file_read(&s->input_text, b_buf_cstr(&path), B_FILE_MAX, NULL)) {
		b_buf_printf(s->in->notes,
			"the input log %s cannot be read; its input is left out\n",
			b_buf_cstr(&path));
	} else {
		s->input = (struct log){ .data = s->input_text.data, .len = s->input_text.len };
		skip_first_line(&s->input);
	}
	b_buf_release(&path);
}

/* Without timing all output is one event, up to the last line that script itself writes. */
static void take_all(struct script *s)
{
	static const char done[] = "\nScript done on ";
	const size_t n = sizeof done - 1;
	size_t len = s->output.len;

	for (size_t i = len >= n ? len - n + 1 : 0; i-- > 0;)
		if (!memcmp(s->output.data + i, done, n)) {
			len = i;
			break;
		}
	cap_trace_add(s->trace, 0, 'o', s->output.data, len);
	b_buf_adds(
		s->in->notes, "no timing file is given (--timing), so all output comes at once\n");
}

static int fill(struct script *s)
{
	int rc = B_OK;

	s->output = (struct log){ .data = s->in->text.data, .len = s->in->text.len };
	skip_first_line(&s->output);
	if (s->in->opt->timing_path) {
		rc = b_file_read(&s->timing, s->in->opt->timing_path, B_FILE_MAX, s->in->err);
		if (!rc)
			rc = read_timing(s, true);
		if (rc)
			return rc;
		open_input(s);
	}
	s->trace = imp_trace(s->in, s->rows, s->cols, s->term);
	s->trace->command = s->command ? b_strdup(s->command) : NULL;
	if (!s->in->opt->timing_path)
		take_all(s);
	else
		rc = read_timing(s, false);
	if (s->exit_code)
		cap_trace_add(s->trace, s->now_ns, 'x', s->exit_code, strlen(s->exit_code));
	if (s->output.short_of || s->input.short_of)
		b_buf_adds(s->in->notes, "the log is shorter than the timing says\n");
	return rc;
}

int imp_script(struct cap_trace **out, struct imp *in)
{
	struct script s = { .in = in };
	int rc;

	read_first_line(&s);
	rc = fill(&s);
	if (rc)
		cap_trace_free(s.trace);
	else
		*out = s.trace;
	free(s.term);
	free(s.command);
	free(s.output_name);
	free(s.input_name);
	free(s.exit_code);
	b_buf_release(&s.timing);
	b_buf_release(&s.input_text);
	return rc;
}
