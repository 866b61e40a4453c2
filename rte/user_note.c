/* What went wrong for a user, put down without its secrets. */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "rte/user_priv.h"
#include "base/banned.h"

void rte_user_note(struct rte_user *u, const char *kind, const char *expected, const char *message)
{
	const struct rte_redactor *secrets = &u->secrets;
	const char *unanswered = u->screen ? vs_screen_unanswered(u->screen) : "";
	struct b_buf e = B_BUF_INIT, m = B_BUF_INIT, a = B_BUF_INIT;
	struct rte_failure f = {
		.kind = kind,
		.transaction = u->tx.name ? u->tx.name
			: u->failed_tx    ? u->failed_tx
					  : "",
		.expected = rte_redacted(secrets, expected, &e),
		.message = rte_redacted(secrets, message, &m),
		.unanswered = rte_redacted(secrets, unanswered, &a),
		.output_len = u->tail_len,
		.screen = u->screen,
		.redactor = secrets,
		.user = u->number,
		.session = u->session,
		.iteration = u->iteration,
		.at_ns = b_clock_mono_ns() + u->shared->wall_offset_ns,
	};
	const struct rte_observer *o = u->shared->observer;
	char tail[RTE_TAIL_BYTES];

	memcpy(tail, u->tail, u->tail_len);
	rte_redact_output(secrets, tail, u->tail_len, u->tail_len == RTE_TAIL_BYTES);
	f.output = tail;
	u->n_failures++;
	rte_failures_note(u->shared->failures, &f);
	if (o && o->failed)
		o->failed(o->user, u, &f);
	b_buf_release(&e);
	b_buf_release(&m);
	b_buf_release(&a);
}

/* A run in which nobody got anywhere says for what they all waited. */
void rte_user_note_waiting(struct rte_user *u)
{
	struct b_buf what = B_BUF_INIT, text = B_BUF_INIT;

	vs_cond_describe(u->ask.cond, &what);
	if (u->ask.file)
		b_buf_printf(&text, "%s:%d: ", u->ask.file, u->ask.line);
	b_buf_printf(&text, "still waiting at the end for %s%s", b_buf_cstr(&what),
		u->bytes_in ? "" : "; no output has come at all");
	rte_user_note(u, "unfinished", b_buf_cstr(&what), b_buf_cstr(&text));
	b_buf_release(&what);
	b_buf_release(&text);
}
