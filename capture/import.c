/* Imports: what a file is, and what all of them share. */
#include "capture/import.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "capture/import_priv.h"
#include "base/banned.h"

struct cap_trace *imp_trace(struct imp *in, int rows, int cols, const char *term)
{
	if (in->opt->rows) {
		rows = in->opt->rows;
		cols = in->opt->cols;
	}
	if (in->opt->term)
		term = in->opt->term;
	if (rows < 1 || rows > 1000 || cols < 1 || cols > 1000) {
		rows = 24;
		cols = 80;
		b_buf_adds(in->notes,
			"the file does not say the window's size; taken as 80x24, see --size\n");
	}
	if (!term || !*term) {
		term = "xterm-256color";
		b_buf_adds(in->notes,
			"the file does not say TERM; taken as xterm-256color, see --term\n");
	}
	return cap_trace_new(rows, cols, term);
}

static bool begins(const struct b_buf *text, const char *with)
{
	return text->len >= strlen(with) && !memcmp(text->data, with, strlen(with));
}

/* A script for expect: by its first line, or by what only such a script has. */
static bool is_expect(const struct b_buf *text)
{
	const char *nl = memchr(text->data, '\n', text->len);
	size_t first = nl ? (size_t)(nl - text->data) : 0;

	if (begins(text, "#!"))
		for (size_t i = 0; i + 6 <= first; i++)
			if (!memcmp(text->data + i, "expect", 6))
				return true;
	return strlen(text->data) == text->len && strstr(text->data, "\nspawn ") &&
		strstr(text->data, "\nexpect ");
}

static int import_asciicast(struct cap_trace **out, struct imp *in)
{
	int rc = cap_trace_parse(out, in->text.data, in->text.len, in->opt->path, in->err);

	if (rc)
		return rc;
	if (in->opt->term) {
		free((*out)->term);
		(*out)->term = b_strdup(in->opt->term);
	}
	if (in->opt->rows) {
		(*out)->rows = in->opt->rows;
		(*out)->cols = in->opt->cols;
	}
	return B_OK;
}

static int import(struct cap_import_result *out, struct imp *in)
{
	const struct b_buf *text = &in->text;
	size_t blank = begins(text, "\xEF\xBB\xBF") ? 3 : 0; /* a byte order mark */

	while (blank < text->len && memchr(" \t\r\n", text->data[blank], 4))
		blank++;
	if (in->opt->timing_path || begins(text, "Script started on ")) {
		out->format = CAP_IMPORT_SCRIPT;
		return imp_script(&out->trace, in);
	}
	if (begins(text, "\x1f\x8b") || begins(text, "BZh") ||
		begins(text,
			"\xfd"
			"7zXZ"))
		return b_error_set(
			in->err, B_EINPUT, "%s is compressed; decompress it first", in->opt->path);
	if (is_expect(text)) {
		out->format = CAP_IMPORT_AUTOEXPECT;
		return imp_autoexpect(&out->trace, in);
	}
	if (imp_is_ttyrec(text)) {
		out->format = CAP_IMPORT_TTYREC;
		return imp_ttyrec(&out->trace, in);
	}
	if (blank < text->len && (text->data[blank] == '{' || text->data[blank] == '#')) {
		out->format = CAP_IMPORT_ASCIICAST;
		return import_asciicast(&out->trace, in);
	}
	return b_error_set(in->err, B_EINPUT,
		"%s is no recording that is known: asciicast, script(1) (with --timing), ttyrec, "
		"autoexpect",
		in->opt->path);
}

static int import_all(struct cap_import_result *out, struct imp *in)
{
	struct cap_import_result result = { 0 };
	int rc;

	in->notes = &result.notes;
	rc = import(&result, in);
	if (rc)
		b_buf_release(&result.notes);
	else
		*out = result;
	return rc;
}

int cap_import(
	struct cap_import_result *out, const struct cap_import_options *opt, struct b_error *err)
{
	struct imp in = { .opt = opt, .err = err };
	int rc = b_file_read(&in.text, opt->path, B_FILE_MAX, err);

	if (!rc)
		rc = import_all(out, &in);
	b_buf_release(&in.text);
	return rc;
}

int cap_import_text(struct cap_import_result *out, const struct cap_import_options *opt,
	const char *text, size_t len, struct b_error *err)
{
	struct imp in = { .opt = opt, .err = err };
	int rc;

	b_buf_add(&in.text, text, len);
	(void)b_buf_cstr(&in.text);
	b_buf_reserve(&in.text, 1);
	rc = import_all(out, &in);
	b_buf_release(&in.text);
	return rc;
}

bool cap_import_has_input(const struct cap_trace *t)
{
	for (size_t i = 0; i < t->n_events; i++)
		if (t->events[i].code == 'i')
			return true;
	return false;
}
