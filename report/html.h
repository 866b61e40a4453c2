/*
 * report/html.h - parts of the HTML pages (private to report/).
 *
 * A page is one file: style, charts library, figures and script are all inside, nothing is
 * fetched. Tables are plain HTML, readable without the script and on paper; charts are drawn
 * by report/html/report.js from one JSON block. Foreign text goes through rp_html_text, and
 * into the JSON block through rp_html_json, which leaves no way to end the block.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <jansson.h>
#include <stddef.h>

#include "base/buf.h"
#include "report/run.h"

struct rp_asset {
	const char *data;
	size_t len;
};
enum rp_asset_name {
	RP_ASSET_DYGRAPH_JS,
	RP_ASSET_DYGRAPH_CSS,
	RP_ASSET_REPORT_JS,
	RP_ASSET_REPORT_CSS
};
struct rp_asset rp_asset_get(enum rp_asset_name name);

/* Foreign text as HTML text or attribute value. NULL: nothing. */
void rp_html_text(struct b_buf *out, const char *s);
/* Everything up to the body, then what closes the page with its data. data is taken. */
void rp_html_open(struct b_buf *out, const char *title);
void rp_html_close(struct b_buf *out, json_t *data);
/* A duration in a table cell, greyed when thin, with its confidence as a hint. */
void rp_html_time_cell(struct b_buf *out, double s);
void rp_html_percentile_cell(struct b_buf *out, const struct rp_percentile *p);
/* Writes out to path, whole or not at all; out is released. */
int rp_html_save(struct b_buf *out, const char *path, struct b_error *err) B_CHECK;

/* The sections of a run's page. */
void rp_html_verdict(struct b_buf *out, const struct rp_run *r);
void rp_html_tables(struct b_buf *out, const struct rp_run *r);
void rp_html_stages(struct b_buf *out, const struct rp_run *r);
void rp_html_validity(struct b_buf *out, const struct rp_run *r);
void rp_html_failures(struct b_buf *out, const struct rp_run *r);
void rp_html_accounts(struct b_buf *out, const struct rp_run *r);
void rp_html_driver(struct b_buf *out, const struct rp_run *r);
void rp_html_config(struct b_buf *out, const struct rp_run *r);
/* What report.js draws of a run. */
json_t *rp_html_data(const struct rp_run *r);

#endif
