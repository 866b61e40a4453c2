/*
 * line/tls.h - inside of line/: TLS on a connected socket (OpenSSL, the only includer).
 *
 * The certificate is checked against the machine's authorities and the host's name or address.
 * A target's query changes that: ?ca=FILE trusts FILE's authorities instead, ?verify=no trusts
 * anybody. One context a target, shared by its lines.
 */
#ifndef LINE_TLS_H
#define LINE_TLS_H

#include "line/ops.h"

struct ln_tls;

/* B_EUSAGE: a query that is unknown; B_EENV: the authorities cannot be read. */
int ln_tls_new(struct ln_tls **out, const struct ln_options *opt, struct b_error *err) B_CHECK;
void ln_tls_free(struct ln_tls *t); /* NULL accepted */
/* Begins or gets on. 0: done; B_EAGAIN: l->wants says what for; B_EENV: refused, and why. */
int ln_tls_handshake(struct ln_tls *t, struct ln_line *l, struct b_error *err) B_CHECK;
ssize_t ln_tls_read(struct ln_tls *t, char *buf, size_t cap, struct b_error *err) B_CHECK;
ssize_t ln_tls_write(struct ln_tls *t, const char *bytes, size_t len, struct b_error *err) B_CHECK;
bool ln_tls_holds(const struct ln_tls *t); /* something to read that the socket does not show */
void ln_tls_goodbye(struct ln_tls *t);

/* Checks a target's query when it is parsed. */
int ln_tls_query_check(const struct ln_target *t, struct b_error *err) B_CHECK;
/* What the target keeps for its lines; NULL accepted. */
void ln_tls_context_free(void *context);

#endif
