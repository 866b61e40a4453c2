/*
 * The trace of a test as one page that needs nothing else: steps on the left; the screens before
 * and after the chosen one, the line of the script, what was awaited. Everything that the SUT or
 * the script said goes through an escape; the page's own script reads numbers alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/screen.h"
#include "rte/test_artifacts.h"
#include "base/banned.h"

#define SOURCE_MAX ((size_t)1 << 20)

/* The Makefile names rte/html/ as a prerequisite of this file's object. */
__asm__(".pushsection .rodata\n"
	".globl rte_trace_css, rte_trace_css_end, rte_trace_js, rte_trace_js_end\n"
	"rte_trace_css:\n"
	".incbin \"rte/html/trace.css\"\n"
	"rte_trace_css_end:\n"
	".byte 0\n"
	"rte_trace_js:\n"
	".incbin \"rte/html/trace.js\"\n"
	"rte_trace_js_end:\n"
	".byte 0\n"
	".popsection\n");
extern const char rte_trace_css[], rte_trace_css_end[], rte_trace_js[], rte_trace_js_end[];

static void text(struct b_buf *out, const char *s)
{
	b_escape_xml(out, s, strlen(s));
}

void rte_test_html_style(struct b_buf *out)
{
	b_buf_add(out, rte_trace_css, (size_t)(rte_trace_css_end - rte_trace_css));
}

/* ---- The head ------------------------------------------------------------------------------- */

static void paragraph(struct b_buf *out, const char *label, const char *s)
{
	if (!*s)
		return;
	b_buf_printf(out, "<br>%s: ", label);
	text(out, s);
}

static void failure(struct b_buf *out, const json_t *f)
{
	const char *file = rte_test_text(f, "file"), *diff = rte_test_text(f, "diff");

	b_buf_adds(out, "<div class=\"failure\"><b>");
	text(out, rte_test_text(f, "kind"));
	b_buf_adds(out, "</b> ");
	if (*file) {
		text(out, file);
		b_buf_printf(
			out, ":%lld ", (long long)json_integer_value(json_object_get(f, "line")));
	}
	text(out, rte_test_text(f, "message"));
	paragraph(out, "expected", rte_test_text(f, "expected"));
	paragraph(out, "in transaction", rte_test_text(f, "transaction"));
	paragraph(out, "the application waits for an answer to", rte_test_text(f, "unanswered"));
	if (*diff) {
		b_buf_adds(out, "<pre>");
		text(out, diff);
		b_buf_adds(out, "</pre>");
	}
	paragraph(out, "last output", rte_test_text(f, "output"));
	b_buf_adds(out, "</div>\n");
}

static void head(const struct rte_record *r, const json_t *attempt, struct b_buf *out)
{
	const char *status = rte_test_text(attempt, "status");
	const json_t *f;
	size_t i;

	b_buf_adds(out,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	text(out, r->test->name);
	b_buf_adds(out, "</title>\n<style>\n");
	rte_test_html_style(out);
	b_buf_printf(out, "</style></head>\n<body style=\"--cols:%d;--rows:%d\"><header><h1>",
		r->solo->shared.roles[0].cols, r->solo->shared.roles[0].rows);
	text(out, r->test->name);
	b_buf_adds(out, "</h1>\n<p><span class=\"badge ");
	b_buf_printf(out, "%s\">%s</span> after %.2fs, ", status, status,
		json_number_value(json_object_get(attempt, "seconds")));
	text(out, r->test->file);
	b_buf_printf(out, ":%d, %d x %d, ", r->test->line, r->solo->shared.roles[0].cols,
		r->solo->shared.roles[0].rows);
	text(out, r->solo->shared.roles[0].term);
	b_buf_adds(out, "</p>\n");
	json_array_foreach(r->failures, i, f) failure(out, f);
	b_buf_adds(out, "</header>\n");
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* The step at which the first failure came: its place is the failure's, and none is later. */
static size_t failed_step(const struct rte_record *r)
{
	const json_t *f = json_array_get(r->failures, 0);
	const char *file = rte_test_text(f, "file");
	int line = (int)json_integer_value(json_object_get(f, "line"));

	for (size_t i = r->n_steps; *file && i-- > 0;)
		if (r->steps[i].file && r->steps[i].line == line && !strcmp(r->steps[i].file, file))
			return i;
	return r->n_steps ? r->n_steps - 1 : 0;
}

static size_t shot_after(const struct rte_record *r, size_t i)
{
	for (i++; i < r->n_steps; i++)
		if (r->steps[i].shot != RTE_NO_SHOT)
			return r->steps[i].shot;
	return r->n_shots ? r->n_shots - 1 : RTE_NO_SHOT;
}

static void add_number(struct b_buf *out, const char *name, size_t n)
{
	if (n == RTE_NO_SHOT)
		b_buf_printf(out, " data-%s=\"none\"", name);
	else
		b_buf_printf(out, " data-%s=\"%zu\"", name, n);
}

static void steps(const struct rte_record *r, struct b_buf *out)
{
	static const char *const parts[] = { "setup", "login", "test", "logout", "teardown" };
	size_t bad = json_array_size(r->failures) ? failed_step(r) : SIZE_MAX;

	b_buf_adds(out, "<main><nav aria-label=\"steps\"><ol>\n");
	for (size_t i = 0; i < r->n_steps; i++) {
		const struct rte_step_record *s = &r->steps[i];
		int64_t end = i + 1 < r->n_steps ? r->steps[i + 1].at_ns : s->at_ns;

		if (r->steps_left_out && i == r->n_steps / 3)
			b_buf_printf(out, "<li class=\"gap\">(%zu steps were not kept)</li>\n",
				r->steps_left_out);
		b_buf_printf(out, "<li%s", i == bad ? " class=\"bad\"" : "");
		add_number(out, "before", s->shot);
		add_number(out, "after", shot_after(r, i));
		b_buf_printf(out, " data-line=\"%d\">", s->line);
		text(out, s->what);
		b_buf_printf(out, " <span class=\"p\">%s, line %d</span> <span class=\"t\">%.3fs",
			parts[s->part], s->line, (double)s->at_ns / 1e9);
		if (end > s->at_ns)
			b_buf_printf(out, ", took %.3fs", (double)(end - s->at_ns) / 1e9);
		b_buf_adds(out, "</span></li>\n");
	}
	b_buf_adds(out,
		"</ol></nav>\n<div><div class=\"pair\"><figure><figcaption>before</figcaption>"
		"<div class=\"screen\" id=\"before\"></div></figure>\n"
		"<figure><figcaption>after</figcaption>"
		"<div class=\"screen\" id=\"after\"></div></figure></div>\n");
}

static void shots(const struct rte_record *r, struct b_buf *out)
{
	b_buf_adds(out, "<div class=\"shots\">\n");
	for (size_t i = 0; i < r->n_shots; i++) {
		b_buf_printf(out, "<pre id=\"shot%zu\"", i);
		if (r->shots[i].row >= 0)
			b_buf_printf(out, " data-row=\"%d\" data-col=\"%d\"", r->shots[i].row,
				r->shots[i].col);
		b_buf_addc(out, '>');
		rp_screen_html(out, r->shots[i].paint, r->shots[i].len);
		b_buf_adds(out, "</pre>\n");
	}
	b_buf_adds(out, "</div>\n");
}

/* ---- The rest ------------------------------------------------------------------------------- */

static void source(const struct rte_record *r, struct b_buf *out)
{
	struct b_buf file = B_BUF_INIT;
	FILE *f = fopen(r->test->file, "re");
	const char *p, *end;

	if (!f)
		return;
	b_buf_reserve(&file, SOURCE_MAX);
	file.len = fread(file.data, 1, SOURCE_MAX, f);
	fclose(f);
	b_buf_adds(out, "<h2>");
	text(out, r->test->file);
	b_buf_adds(out, "</h2>\n<ol class=\"source\">\n");
	p = b_buf_cstr(&file);
	end = p + file.len;
	for (int n = 1; p < end; n++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));

		eol = eol ? eol : end;
		b_buf_printf(out, "<li id=\"line%d\" data-n=\"%d\">", n, n);
		b_escape_xml(out, p, (size_t)(eol - p));
		b_buf_adds(out, "</li>\n");
		p = eol + 1;
	}
	b_buf_adds(out, "</ol>\n");
	b_buf_release(&file);
}

static void transactions(const struct rte_record *r, struct b_buf *out)
{
	const json_t *t;
	size_t i;

	if (!json_array_size(r->transactions))
		return;
	b_buf_adds(out,
		"<h2>Transactions</h2>\n<table><tr><th>name</th><th>status</th>"
		"<th>response</th><th>budget</th></tr>\n");
	json_array_foreach(r->transactions, i, t)
	{
		const char *status = rte_test_text(t, "status");
		const json_t *response = json_object_get(t, "response_s");
		const json_t *max = json_object_get(t, "max_s");

		b_buf_adds(out, "<tr><td>");
		text(out, rte_test_text(t, "name"));
		b_buf_printf(out, "</td><td%s>%s</td>",
			strcmp(status, "ok") ? " class=\"bad\"" : "", status);
		if (response)
			b_buf_printf(out, "<td>%.3fs</td>", json_number_value(response));
		else
			b_buf_adds(out, "<td></td>");
		if (max)
			b_buf_printf(out, "<td>%.3fs</td></tr>\n", json_number_value(max));
		else
			b_buf_adds(out, "<td></td></tr>\n");
	}
	b_buf_adds(out, "</table>\n");
}

static void log_lines(const struct rte_record *r, struct b_buf *out)
{
	const json_t *line;
	size_t i;

	if (!json_array_size(r->log))
		return;
	b_buf_adds(out, "<h2>Log</h2>\n<pre class=\"log\">");
	json_array_foreach(r->log, i, line)
	{
		text(out, json_string_value(line));
		b_buf_addc(out, '\n');
	}
	b_buf_adds(out, "</pre>\n");
}

void rte_test_html(const struct rte_record *r, const json_t *attempt, struct b_buf *out)
{
	head(r, attempt, out);
	steps(r, out);
	source(r, out);
	transactions(r, out);
	log_lines(r, out);
	b_buf_adds(out, "</div></main>\n");
	shots(r, out);
	b_buf_adds(out,
		"<footer>Arrow keys go from step to step. trace.cast beside this page plays "
		"the session.</footer>\n<script>\n");
	b_buf_add(out, rte_trace_js, (size_t)(rte_trace_js_end - rte_trace_js));
	b_buf_adds(out, "</script></body></html>\n");
}
