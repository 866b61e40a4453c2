/*
 * report/text_priv.h - what the files of the text report share: where it goes, how wide, in which
 * colours.
 */
#ifndef REPORT_TEXT_PRIV_H
#define REPORT_TEXT_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/run.h"

struct rp_text {
	const struct rp_run *r;
	FILE *to;
	size_t cols;
	bool colour;
};

/* An empty line, then a line that stands out. */
void rp_text_heading(const struct rp_text *t, const char *s);

/* Response times, the other times and the failures; nothing where there are none. */
void rp_text_figures(const struct rp_text *t);
/* stages_write.c: a row a stage; nothing where there are none. */
void rp_text_stages(const struct rp_text *t);

#endif
