/*
 * line/dial.h - inside of line/: a TCP connection to a target's host, without waiting.
 *
 * For every kind that runs over TCP. The host's addresses are tried one after the other, each
 * for its share of the time. A name is looked up once for a target and kept; only that may wait
 * (for the resolver), which is why ln_limits_check does it before the first user starts. A host
 * that holds {user} is looked up for each line.
 */
#ifndef LINE_DIAL_H
#define LINE_DIAL_H

#include <stdint.h>

#include "base/error.h"
#include "line/ops.h"

struct ln_dial;

/* Looks the target's host up unless that was done, or it holds {user}. B_EENV: not found. */
int ln_dial_lookup(const struct ln_target *t, struct b_error *err) B_CHECK;

/*
 * Begins; sets l->fd, l->wants and l->due_ns. The dial is the caller's. Returns 0 when the
 * connection stands already, B_EAGAIN when ln_dial_drive is to be called, or B_EENV; *out is
 * set for B_EAGAIN only.
 */
int ln_dial_start(struct ln_dial **out, struct ln_line *l, const struct ln_options *opt,
	struct b_error *err) B_CHECK;

/* Gets on. 0: l->fd is connected; B_EAGAIN: call again; B_EENV: no address answered. */
int ln_dial_drive(struct ln_dial *d, struct ln_line *l, struct b_error *err) B_CHECK;

void ln_dial_free(struct ln_dial *d); /* NULL accepted; l->fd stays */

#endif
