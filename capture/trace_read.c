/* Traces read: asciicast v2 and v3 (a JSON value a line) and v1 (one JSON object). */
#include "capture/trace.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/utf8.h"
#include "capture/base64.h"
#include "base/banned.h"

#define SIZE_MAX_CELLS 1000 /* rows or columns */
#define TIME_MAX_S     1e9  /* no session lasts thirty years */

struct reader {
	struct cap_trace *t;
	const char *name; /* of the file */
	size_t line;      /* from 1 */
	int64_t now_ns;
	bool size_told; /* the first window of an impossible size was */
	struct b_error *err;
};

static int complain(struct reader *r, const char *what)
{
	return b_error_set(r->err, B_EINPUT, "%s:%zu: %s", r->name, r->line, what);
}

static struct cap_event *add_event(struct reader *r, char code, const char *data, size_t len)
{
	cap_trace_add(r->t, r->now_ns, code, data, len);
	return &r->t->events[r->t->n_events - 1];
}

/* ---- JSON from others, which may hold what JSON must not ------------------------------- */

/* Invalid UTF-8 becomes U+FFFD, and so does an escaped lone surrogate. */
static void mend(struct b_buf *out, const char *s, size_t len)
{
	uint32_t cp;
	size_t n;

	for (; len; s += n, len -= n) {
		n = b_utf8_decode(s, len, &cp);
		if (!n)
			n = len;
		if (cp == B_UTF8_REPLACEMENT) {
			b_buf_adds(out, "\xEF\xBF\xBD");
		} else if (cp == '\\' && len >= 6 && s[1] == 'u') {
			bool high = strchr("dD", s[2]) && strchr("89abAB", s[3]);
			bool low = strchr("dD", s[2]) && strchr("cdefCDEF", s[3]);
			bool pair = high && len >= 12 && s[6] == '\\' && s[7] == 'u' &&
				strchr("dD", s[8]) && strchr("cdefCDEF", s[9]);

			n = pair ? 12 : 6;
			if ((high && !pair) || low)
				b_buf_adds(out, "\\ufffd");
			else
				b_buf_add(out, s, n);
		} else {
			if (cp == '\\' && len > 1)
				n = 2;
			b_buf_add(out, s, n);
		}
	}
}

static json_t *parse_json(const char *s, size_t len)
{
	const size_t flags = JSON_ALLOW_NUL | JSON_DECODE_ANY;
	struct b_buf mended = B_BUF_INIT;
	json_t *v = json_loadb(s, len, flags, NULL);

	if (!v) {
		mend(&mended, s, len);
		v = json_loadb(mended.data ? mended.data : "", mended.len, flags, NULL);
		b_buf_release(&mended);
	}
	return v;
}

static char *copy_string(const json_t *obj, const char *field)
{
	const json_t *v = json_object_get(obj, field);

	return json_is_string(v) ? b_strndup(json_string_value(v), json_string_length(v)) : NULL;
}

/* ---- Header ---------------------------------------------------------------------------- */

static int read_size(
	struct reader *r, const json_t *obj, const char *cols_name, const char *rows_name)
{
	const json_t *cols = json_object_get(obj, cols_name);
	const json_t *rows = json_object_get(obj, rows_name);

	if (!json_is_integer(cols) || !json_is_integer(rows))
		return b_error_set(r->err, B_EINPUT,
			"%s:%zu: the header has no %s and %s; is this an asciicast?", r->name,
			r->line, cols_name, rows_name);
	/* A terminal without a size says 0 x 0. */
	if (!json_integer_value(cols) && !json_integer_value(rows)) {
		r->t->cols = 80;
		r->t->rows = 24;
		return B_OK;
	}
	if (json_integer_value(cols) < 1 || json_integer_value(cols) > SIZE_MAX_CELLS ||
		json_integer_value(rows) < 1 || json_integer_value(rows) > SIZE_MAX_CELLS)
		return complain(r, "the size of the window is not within 1x1 and 1000x1000");
	r->t->cols = (int)json_integer_value(cols);
	r->t->rows = (int)json_integer_value(rows);
	return B_OK;
}

static int read_header(struct reader *r, const json_t *obj)
{
	struct cap_trace *t = r->t;
	const json_t *version = json_object_get(obj, "version");
	const json_t *term = json_object_get(obj, "term");
	int rc;

	if (!json_is_object(obj) || !json_is_integer(version))
		return complain(r, "no asciicast header with a version");
	if (json_integer_value(version) < 1 || json_integer_value(version) > 3)
		return b_error_set(r->err, B_EINPUT,
			"%s:%zu: asciicast version %lld; versions 1, 2 and 3 can be read", r->name,
			r->line, (long long)json_integer_value(version));
	t->version = (int)json_integer_value(version);
	rc = t->version == 3 ? read_size(r, term, "cols", "rows")
			     : read_size(r, obj, "width", "height");
	if (rc)
		return rc;
	if (json_is_number(json_object_get(obj, "timestamp"))) {
		double s = json_number_value(json_object_get(obj, "timestamp"));

		t->timestamp_s = s > 0 && s < 1e12 ? (int64_t)s : 0;
	}
	t->term = t->version == 3 ? copy_string(term, "type")
				  : copy_string(json_object_get(obj, "env"), "TERM");
	if (!t->term || !*t->term) {
		free(t->term);
		t->term = b_strdup("xterm-256color");
	}
	t->command = copy_string(obj, "command");
	t->title = copy_string(obj, "title");
	t->target = copy_string(obj, "rte_target");
	return B_OK;
}

/* ---- Events ---------------------------------------------------------------------------- */

/* relative: v is the time since the previous event. */
static int read_time(struct reader *r, const json_t *v, bool relative)
{
	double s;
	int64_t ns;

	if (!json_is_number(v))
		return complain(r, "an event's time is no number");
	s = json_number_value(v);
	if (!isfinite(s) || s > TIME_MAX_S || s < -TIME_MAX_S)
		return complain(r, "an event's time is out of range");
	ns = (int64_t)llround(s * 1e6) * B_NS_PER_US;
	if (relative && ns > 0 && r->now_ns + ns > (int64_t)TIME_MAX_S * B_NS_PER_S)
		return complain(r, "the events' times add up to more than can be");
	if (relative)
		r->now_ns += ns > 0 ? ns : 0;
	else if (ns > r->now_ns)
		r->now_ns = ns;
	return B_OK;
}

/* Whether an event of code b holds the true bytes of the one in front of it; if so, they
   take their place. */
static bool take_true_bytes(struct reader *r, const char *text, size_t len)
{
	struct cap_event *e = r->t->n_events ? &r->t->events[r->t->n_events - 1] : NULL;
	struct b_buf bytes = B_BUF_INIT, shown = B_BUF_INIT;
	bool same;

	if (!e || e->at_ns != r->now_ns || cap_base64_decode(&bytes, text, len)) {
		b_buf_release(&bytes);
		return false;
	}
	for (size_t i = 0, n; i < bytes.len; i += n) {
		uint32_t cp;

		n = b_utf8_decode(bytes.data + i, bytes.len - i, &cp);
		if (!n) {
			n = bytes.len - i;
			cp = B_UTF8_REPLACEMENT;
		}
		if (cp == B_UTF8_REPLACEMENT)
			b_buf_adds(&shown, "\xEF\xBF\xBD");
		else
			b_buf_add(&shown, bytes.data + i, n);
	}
	same = shown.len == e->len && (!e->len || !memcmp(shown.data, e->data, e->len));
	if (same) {
		free((char *)(uintptr_t)e->data);
		e->len = bytes.len;
		(void)b_buf_cstr(&bytes);
		e->data = b_buf_take(&bytes, NULL);
	}
	b_buf_release(&bytes);
	b_buf_release(&shown);
	return same;
}

/* Whether a resize event says "COLSxROWS", of whatever size. */
static bool is_size(const json_t *data)
{
	const char *s = json_string_value(data);
	size_t cols = strspn(s, "0123456789"), rows;

	rows = s[cols] == 'x' ? strspn(s + cols + 1, "0123456789") : 0;
	return cols && rows && cols + 1 + rows == json_string_length(data);
}

/* A terminal that does not know its size says 0x0, and TIOCSWINSZ takes any: of such a window
   nothing is known but that the last size was good. */
static int read_resize(struct reader *r, const json_t *data)
{
	struct cap_event *e = add_event(r, 'r', json_string_value(data), json_string_length(data));
	int rows, cols;

	if (!cap_event_size(e, &rows, &cols))
		return B_OK;
	if (!is_size(data))
		return complain(r, "a resize event is not \"COLSxROWS\"");
	if (!r->size_told)
		b_warn("%s:%zu: a window of %.20s is not within 1x1 and 1000x1000; the size before "
		       "it stays",
			r->name, r->line, e->data);
	r->size_told = true;
	free((char *)(uintptr_t)e->data);
	r->t->n_events--;
	return B_OK;
}

static int read_event(struct reader *r, const json_t *v)
{
	const json_t *code = json_array_get(v, 1), *data = json_array_get(v, 2);
	int rc;

	if (!json_is_array(v) || json_array_size(v) < 3)
		return complain(r, "no event: [time, code, data] is wanted");
	rc = read_time(r, json_array_get(v, 0), r->t->version == 3);
	if (rc)
		return rc;
	if (!json_is_string(code) || !json_string_length(code))
		return complain(r, "an event's code is no string, or empty");
	/* Longer codes, or data that is no string, are of a kind to come. */
	if (json_string_length(code) != 1 || !json_is_string(data))
		return B_OK;
	if (*json_string_value(code) == 'b' &&
		take_true_bytes(r, json_string_value(data), json_string_length(data)))
		return B_OK;
	if (*json_string_value(code) == 'r')
		return read_resize(r, data);
	add_event(r, *json_string_value(code), json_string_value(data), json_string_length(data));
	return B_OK;
}

/* ---- Files ----------------------------------------------------------------------------- */

/* The line at s, without its end; *rest is what follows it. */
static size_t line_length(const char *s, size_t len, size_t *next)
{
	const char *nl = memchr(s, '\n', len);
	size_t n = nl ? (size_t)(nl - s) : len;

	*next = nl ? n + 1 : len;
	while (n && (s[n - 1] == '\r' || s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return n;
}

static int read_lines(struct reader *r, const char *text, size_t len)
{
	size_t next;

	for (r->line = 1; len; text += next, len -= next, r->line++) {
		size_t n = line_length(text, len, &next);
		bool last_cut = next == len && text[len - 1] != '\n';
		json_t *v;
		int rc;

		if (!n || *text == '#')
			continue;
		v = parse_json(text, n);
		if (!v && last_cut && r->t->version)
			return B_OK; /* cut by a crash */
		if (!v)
			return complain(r, "no JSON");
		rc = r->t->version ? read_event(r, v) : read_header(r, v);
		json_decref(v);
		if (rc)
			return rc;
	}
	return r->t->version ? B_OK : complain(r, "an empty file, no trace");
}

static int read_v1(struct reader *r, const json_t *obj)
{
	const json_t *frames = json_object_get(obj, "stdout");
	int rc = read_header(r, obj);

	if (rc)
		return rc;
	if (!json_is_array(frames))
		return complain(r, "an asciicast v1 without \"stdout\"");
	for (size_t i = 0; i < json_array_size(frames); i++) {
		const json_t *frame = json_array_get(frames, i), *data = json_array_get(frame, 1);

		if (!json_is_array(frame) || !json_is_string(data))
			return complain(r, "a frame is not [delay, text]");
		rc = read_time(r, json_array_get(frame, 0), true);
		if (rc)
			return rc;
		add_event(r, 'o', json_string_value(data), json_string_length(data));
	}
	return B_OK;
}

/* The whole text as asciicast v1, or NULL. */
static json_t *whole_v1(const char *text, size_t len)
{
	const char *nl = memchr(text, '\n', len);
	json_t *v;

	/* One parse of a line tells a v2 from a v1, whose first line may be all of it. */
	if (nl && (v = parse_json(text, (size_t)(nl - text)))) {
		bool lines = json_integer_value(json_object_get(v, "version")) != 1;

		json_decref(v);
		if (lines)
			return NULL;
	}
	v = parse_json(text, len);
	if (v && json_integer_value(json_object_get(v, "version")) == 1)
		return v;
	json_decref(v);
	return NULL;
}

int cap_trace_parse(
	struct cap_trace **out, const char *text, size_t len, const char *name, struct b_error *err)
{
	struct reader r = { .name = name, .line = 1, .err = err };
	size_t blank = 0;
	json_t *v1;
	int rc;

	/* Editors of other systems put a byte order mark in front. */
	if (len >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
		text += 3;
		len -= 3;
	}
	r.t = b_calloc(1, sizeof *r.t);
	while (blank < len && memchr(" \t\r\n", text[blank], 4))
		blank++;
	if (blank < len && text[blank] != '{' && text[blank] != '#') {
		rc = complain(&r, "no asciicast; other recordings: rte import");
	} else if ((v1 = whole_v1(text, len))) {
		rc = read_v1(&r, v1);
		json_decref(v1);
	} else {
		rc = read_lines(&r, text, len);
	}
	if (rc) {
		cap_trace_free(r.t);
		return rc;
	}
	*out = r.t;
	return B_OK;
}

int cap_trace_load(struct cap_trace **out, const char *path, struct b_error *err)
{
	struct b_buf text = B_BUF_INIT;
	int rc = b_file_read(&text, path, B_FILE_MAX, err);

	if (!rc)
		rc = cap_trace_parse(out, b_buf_cstr(&text), text.len,
			strcmp(path, "-") ? path : "standard input", err);
	b_buf_release(&text);
	return rc;
}
