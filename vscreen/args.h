/*
 * args.h - the arguments of a CSI sequence.
 */
#ifndef VSCREEN_ARGS_H
#define VSCREEN_ARGS_H

#include <stdbool.h>
#include "vscreen/guard.h"

struct vs_args {
	int n;                 /* at least 1 */
	int v[VS_ARGS_CAP];    /* -1: not given; at most 65535 */
	bool sub[VS_ARGS_CAP]; /* joined to the one before by a colon */
	bool any_sub;
};

static inline int vs_arg(const struct vs_args *a, int i, int dflt)
{
	return i < a->n && a->v[i] >= 0 ? a->v[i] : dflt;
}

/* A count: 1 when missing or 0. */
static inline int vs_count(const struct vs_args *a, int i)
{
	int v = vs_arg(a, i, 1);

	return v > 0 ? v : 1;
}

#endif
