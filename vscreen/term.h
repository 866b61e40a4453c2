/*
 * term.h - what terminal the SUT was told, as far as its answers show.
 *
 * A SUT may choose by the answer to DA or XTVERSION; it must get that of the TERM in use.
 * What a terminal never answered stays unanswered.
 */
#ifndef VSCREEN_TERM_H
#define VSCREEN_TERM_H

#include <stdbool.h>

struct vs_term {
	const char *prefix; /* of TERM */
	const char *da1;    /* without CSI; NULL: no answer */
	const char *da2;
	const char *version; /* XTVERSION's text; NULL: no answer */
	bool da3;            /* DECRPTUI */
	bool cursor_reports; /* DSR 5 and 6 */
	bool status_reports; /* DSR of a VT220: printer, keys, keyboard */
	bool dec_reports;    /* those, DECXCPR, DECRQM, DECRQSS ... of a VT320 and up */
	bool parameters;     /* DECREQTPARM */
	bool window;         /* XTWINOPS reports */
	bool colours;        /* OSC 4, 10, 11 ... */
	bool tcap;           /* XTGETTCAP */
	bool k_title;        /* ESC k TITLE ESC \ is a title */
};

/* The terminal for a TERM; never NULL: one that is not known is taken as xterm. */
const struct vs_term *vs_term_find(const char *term);

#endif
