/*
 * What the HTML report carries with it: dygraphs as Debian packages it, and our own style sheet
 * and script. The assembler copies the files in; `make` is told of the dependency.
 */
#include "report/html.h"

#include "base/banned.h"

#ifndef DYGRAPHS_DIR
#define DYGRAPHS_DIR "/usr/share/javascript/dygraphs"
#endif

#define EMBED(name, path)                                   \
	__asm__(".section .rodata\n"                        \
		".global " #name "_start\n"                 \
		".global " #name "_end\n" #name "_start:\n" \
		".incbin \"" path "\"\n" #name "_end:\n"    \
		".byte 0\n"                                 \
		".previous\n")

EMBED(rp_asset_dygraph_js, DYGRAPHS_DIR "/dygraph.min.js");
EMBED(rp_asset_dygraph_css, DYGRAPHS_DIR "/dygraph.min.css");
EMBED(rp_asset_report_js, "report/html/report.js");
EMBED(rp_asset_report_css, "report/html/report.css");

extern const char rp_asset_dygraph_js_start[], rp_asset_dygraph_js_end[];
extern const char rp_asset_dygraph_css_start[], rp_asset_dygraph_css_end[];
extern const char rp_asset_report_js_start[], rp_asset_report_js_end[];
extern const char rp_asset_report_css_start[], rp_asset_report_css_end[];

static struct rp_asset between(const char *start, const char *end)
{
	return (struct rp_asset){ start, (size_t)(end - start) };
}

struct rp_asset rp_asset_get(enum rp_asset_name name)
{
	switch (name) {
	case RP_ASSET_DYGRAPH_JS:
		return between(rp_asset_dygraph_js_start, rp_asset_dygraph_js_end);
	case RP_ASSET_DYGRAPH_CSS:
		return between(rp_asset_dygraph_css_start, rp_asset_dygraph_css_end);
	case RP_ASSET_REPORT_JS: return between(rp_asset_report_js_start, rp_asset_report_js_end);
	case RP_ASSET_REPORT_CSS: break;
	}
	return between(rp_asset_report_css_start, rp_asset_report_css_end);
}
