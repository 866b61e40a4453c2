/*
 * rte/ask_text.h - what a script asks, in a few words for people.
 */
#ifndef RTE_ASK_TEXT_H
#define RTE_ASK_TEXT_H

#include "base/buf.h"
#include "rte/script.h"

/* Appends it, without the place, on one line: `expect "Balance" in row 12`. Secrets stay secret. */
void rte_ask_describe(const struct rte_ask *a, struct b_buf *out);

#endif
