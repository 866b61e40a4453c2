/*
 * report/file.h - a file that appears whole or not at all.
 *
 * Written beside its place under another name, moved there at the end. A reader never sees half
 * a report, and a report that fails leaves the old one as it was.
 */
#ifndef REPORT_FILE_H
#define REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

struct rp_file {
	FILE *to;
	char *path, *temporary;
};

/* B_ESYS with a message. "-" is standard output, written straight away. */
int rp_file_open(struct rp_file *f, const char *path, struct b_error *err) B_CHECK;

/*
 * Ends the file: with rc 0 it goes to its place, else it is removed. Returns rc, or B_ESYS when
 * writing or moving failed, with a message for either.
 */
int rp_file_close(struct rp_file *f, int rc, struct b_error *err) B_CHECK;

#endif
