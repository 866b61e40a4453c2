/*
 * capture/import_priv.h - what the importers share.
 */
#ifndef CAPTURE_IMPORT_PRIV_H
#define CAPTURE_IMPORT_PRIV_H

#include "capture/import.h"

struct imp {
	const struct cap_import_options *opt;
	struct b_buf text; /* the file, whole; a NUL stands behind */
	struct b_buf *notes;
	struct b_error *err;
};

/* An empty trace with what the options say, else what the file says (0, NULL: it does not),
   else the usual; notes what was assumed. */
struct cap_trace *imp_trace(struct imp *in, int rows, int cols, const char *term);

int imp_script(struct cap_trace **out, struct imp *in) B_CHECK; /* import_script.c */
int imp_ttyrec(struct cap_trace **out, struct imp *in) B_CHECK; /* import_ttyrec.c */
bool imp_is_ttyrec(const struct b_buf *text);
int imp_autoexpect(struct cap_trace **out, struct imp *in) B_CHECK; /* import_autoexpect.c */

#endif
