/* The HTML report of one run: the frame, and what all pages share. */
#include "report/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "report/file.h"
#include "report/format.h"
#include "report/report.h"
#include "base/banned.h"

void rp_html_text(struct b_buf *out, const char *s)
{
	if (s)
		b_escape_xml(out, s, strlen(s));
}

/* Without the line that names a source map: a browser would go and look for it. */
static void add_asset(struct b_buf *out, enum rp_asset_name name)
{
	static const char map[] = "# sourceMappingURL=";
	struct rp_asset a = rp_asset_get(name);
	const char *cut = NULL;

	for (size_t i = 0; i + sizeof map - 1 < a.len; i++)
		if (!memcmp(a.data + i, map, sizeof map - 1))
			cut = a.data + i - 2; /* the comment's two characters in front */
	b_buf_add(out, a.data, cut ? (size_t)(cut - a.data) : a.len);
}

static const char dygraphs_notice[] =
	"/*\ndygraphs: Copyright (c) 2006-2023 Dan Vanderkam and the dygraphs contributors, MIT licence.\n"
	"Permission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
	"and associated documentation files (the \"Software\"), to deal in the Software without\n"
	"restriction, including without limitation the rights to use, copy, modify, merge, publish,\n"
	"distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the\n"
	"Software is furnished to do so, subject to the following conditions: The above copyright notice\n"
	"and this permission notice shall be included in all copies or substantial portions of the\n"
	"Software. THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,\n"
	"INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE\n"
	"AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,\n"
	"DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,\n"
	"OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.\n*/\n";

void rp_html_open(struct b_buf *out, const char *title)
{
	b_buf_adds(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"generator\" content=\"rte " RTE_VERSION "\">\n"
		"<link rel=\"icon\" href=\"data:,\">\n<title>");
	rp_html_text(out, title);
	b_buf_adds(out, "</title>\n<style>\n");
	add_asset(out, RP_ASSET_DYGRAPH_CSS);
	b_buf_adds(out, "</style>\n<style>\n");
	add_asset(out, RP_ASSET_REPORT_CSS);
	b_buf_adds(out, "</style>\n</head>\n<body>\n");
}

/* JSON for a script element: "<" never stands as itself, so nothing can end the element. */
static void add_json(struct b_buf *out, json_t *data)
{
	char *text = json_dumps(data, JSON_COMPACT | JSON_REAL_PRECISION(6));

	B_BUG_ON(!text);
	for (const char *s = text; *s;) {
		size_t n = strcspn(s, "<>&");

		b_buf_add(out, s, n);
		s += n;
		if (*s)
			b_buf_printf(out, "\\u%04x", (unsigned)(unsigned char)*s++);
	}
	free(text);
}

void rp_html_close(struct b_buf *out, json_t *data)
{
	b_buf_adds(out, "<script type=\"application/json\" id=\"data\">");
	add_json(out, data);
	json_decref(data);
	b_buf_adds(out, "</script>\n<script>\n");
	b_buf_adds(out, dygraphs_notice);
	add_asset(out, RP_ASSET_DYGRAPH_JS);
	b_buf_adds(out, "</script>\n<script>\n");
	add_asset(out, RP_ASSET_REPORT_JS);
	b_buf_adds(out, "</script>\n</body>\n</html>\n");
}

void rp_html_time_cell(struct b_buf *out, double s)
{
	char text[RP_FORMAT_SIZE];

	b_buf_printf(out, "<td>%s</td>", rp_format_s(text, s));
}

void rp_html_percentile_cell(struct b_buf *out, const struct rp_percentile *p)
{
	char a[RP_FORMAT_SIZE], b[RP_FORMAT_SIZE], c[RP_FORMAT_SIZE];

	if (isnan(p->s)) {
		b_buf_adds(out, "<td>-</td>");
		return;
	}
	b_buf_printf(out, "<td%s title=\"95%% confidence: %s to %s%s\">%s</td>",
		p->thin ? " class=\"thin\"" : "", isnan(p->low_s) ? "?" : rp_format_s(a, p->low_s),
		isnan(p->high_s) ? "?" : rp_format_s(b, p->high_s),
		p->thin ? "; too few samples" : "", rp_format_s(c, p->s));
}

int rp_html_save(struct b_buf *out, const char *path, struct b_error *err)
{
	struct rp_file f;
	int rc = rp_file_open(&f, path, err);

	if (!rc) {
		fwrite(out->data, 1, out->len, f.to); /* rp_file_close asks whether it worked */
		rc = rp_file_close(&f, B_OK, err);
	}
	b_buf_release(out);
	return rc;
}

static void chart(struct b_buf *out, const char *id, const char *title, const char *text)
{
	b_buf_printf(out,
		"<figure class=\"chart\" id=\"%s\"><figcaption><b>%s</b> <span>%s</span>"
		"</figcaption></figure>\n",
		id, title, text);
}

/* Marked in the charts by a dashed line each. */
static void actions(struct b_buf *out, const struct rp_run *r)
{
	char at[RP_FORMAT_SIZE];

	if (!r->n_actions)
		return;
	b_buf_adds(out, "<p class=\"actions\">The run was steered, dashed lines below:");
	for (size_t i = 0; i < r->n_actions && i < 100; i++) {
		b_buf_adds(out, i ? ", <b>" : " <b>");
		rp_html_text(out, r->actions[i].text);
		b_buf_adds(out, "</b>");
		if (r->actions[i].by) {
			b_buf_adds(out, " by ");
			rp_html_text(out, r->actions[i].by);
		}
		b_buf_printf(out, " at %s", rp_format_span(at, fmax(0, rp_action_at(r, i))));
	}
	b_buf_adds(out, ".</p>\n");
}

int rp_html_write(const struct rp_run *r, const char *path, struct b_error *err)
{
	struct b_buf b = B_BUF_INIT, title = B_BUF_INIT;

	b_buf_printf(&title, "rte: %s", r->dir);
	rp_html_open(&b, b_buf_cstr(&title));
	b_buf_release(&title);
	b_buf_adds(&b, "<main>\n");
	rp_html_verdict(&b, r);
	rp_html_tables(&b, r);
	rp_html_stages(&b, r);
	b_buf_adds(&b,
		"<section id=\"over-time\"><h2>Over time</h2>\n"
		"<p class=\"controls noprint\"><label>Transaction <select id=\"pick\"></select></label>"
		" <button id=\"unzoom\" type=\"button\">whole run</button></p>\n");
	actions(&b, r);
	chart(&b, "response", "Response time",
		"of what ended in each step; phases shaded, the "
		"measurement interval between the lines, changes of the load dashed");
	chart(&b, "rate", "Rate", "ok and failed transactions a second, and users");
	b_buf_adds(&b,
		"</section>\n<section id=\"distributions\"><h2>Distributions of the response "
		"time</h2>\n<div class=\"grid\" id=\"histograms\"></div>\n");
	chart(&b, "percentiles", "Percentile curve", "how long all but the slowest part waited");
	b_buf_adds(&b,
		"</section>\n<section id=\"users\"><h2>What the users did</h2>\n"
		"<div class=\"grid\" id=\"user-times\"></div>\n<details class=\"noprint\"><summary>Each "
		"transaction</summary><div class=\"grid\" id=\"user-times-more\"></div></details>\n");
	rp_html_accounts(&b, r);
	b_buf_adds(&b, "</section>\n");
	rp_html_failures(&b, r);
	b_buf_adds(&b, "<section id=\"driver\"><h2>Driver</h2>\n");
	rp_html_driver(&b, r);
	chart(&b, "lateness", "Lateness of keystrokes", "p99 and maximum of each second");
	chart(&b, "cpu", "CPU of the driver", "cores in use");
	b_buf_adds(&b, "</section>\n");
	rp_sar_html(&b, r);
	rp_html_validity(&b, r);
	rp_html_config(&b, r);
	b_buf_adds(&b, "</main>\n");
	rp_html_close(&b, rp_html_data(r));
	return rp_html_save(&b, path, err);
}
