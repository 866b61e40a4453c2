/*
 * demo/forms/options.h - the options that every demo application takes, and
 * helpers for the others.
 */
#ifndef DEMO_FORMS_OPTIONS_H
#define DEMO_FORMS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct df_options {
	const char *log, *keys;             /* files to append to; NULL: none */
	const char *tag;                    /* never NULL */
	int64_t delay_min_ms, delay_max_ms; /* added to each transaction on the database */
	bool working;                       /* say "Working ..." before the database is asked */
	bool clock;                         /* the time of day in the title bar */
};

#define DF_OPTIONS_INIT    \
	{                  \
		.tag = "-" \
	}

/* Their part of a getopt_long table: codes from 200 up, below the program's own. */
enum { DF_OPT_LOG = 200, DF_OPT_TAG, DF_OPT_KEYS, DF_OPT_DELAY, DF_OPT_WORKING, DF_OPT_CLOCK };
#define DF_LONG_OPTIONS                                             \
	{ "log", required_argument, NULL, DF_OPT_LOG },             \
		{ "tag", required_argument, NULL, DF_OPT_TAG },     \
		{ "keys", required_argument, NULL, DF_OPT_KEYS },   \
		{ "delay", required_argument, NULL, DF_OPT_DELAY }, \
		{ "working", no_argument, NULL, DF_OPT_WORKING },   \
	{                                                           \
		"clock", no_argument, NULL, DF_OPT_CLOCK            \
	}

/* Their part of --help. */
#define DF_OPTIONS_HELP                                                                   \
	"  --log FILE           append a line a transaction with its true times\n"        \
	"  --tag TEXT           stands in those lines, to tell users apart (default -)\n" \
	"  --keys FILE          append every input byte as it was read\n"                 \
	"  --delay MS[,MS]      make each transaction take MS longer, or MS to MS\n"      \
	"  --working            say 'Working ...' before the database is asked\n"         \
	"  --clock              show the time of day in the title bar\n"

/* Takes an option of these. arg is optarg. B_ENOTFOUND: it is none of them; B_EUSAGE. */
int df_option(struct df_options *o, int code, const char *arg, struct b_error *err) B_CHECK;

/* The number that option --name was given; B_EUSAGE with the range in the message. */
int df_option_number(const char *name, const char *arg, int64_t min, int64_t max, int64_t *out,
	struct b_error *err) B_CHECK;

#endif
