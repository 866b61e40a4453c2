#include "rte/judge.h"

#include "base/banned.h"

/* Until when the picture counts as unfinished; -1: it is finished. */
static int64_t unfinished_until(const struct rte_judge *j)
{
	unsigned midway = vs_screen_midway(j->screen);

	if (!midway || j->midway_ns < 0)
		return -1;
	return j->midway_ns + (midway & VS_MID_UPDATE ? RTE_SYNC_MAX_NS : RTE_SEQUENCE_MAX_NS);
}

static int64_t earlier(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

int rte_judge(
	const struct rte_judge *j, const struct vs_cond *c, int64_t now, struct rte_verdict *out)
{
	int64_t still_since = j->change_ns > j->input_ns ? j->change_ns : j->input_ns;
	int64_t unfinished = unfinished_until(j), quiet;
	struct vs_cond_input in = {
		.screen = j->screen,
		.eof = j->eof,
		.unchanged_ns = now - still_since,
		.stream = j->stream,
		.stream_len = j->stream_len,
		.match = j->match,
		.match_user = j->match_user,
		.wait = (uint64_t)j->input_ns,
	};
	int64_t settled = still_since + j->settle_ns;
	int rc;

	*out = (struct rte_verdict){ .due_ns = -1, .result.row = -1 };
	if (unfinished > now && !j->eof) {
		out->due_ns = unfinished;
		return B_OK;
	}
	/* Stale text does not hold before the screen has come to rest: until then only what is new
	   need be looked at. */
	in.new_only = !j->fresh && now < settled;
	rc = vs_cond_judge(c, &in, &out->result);
	if (rc)
		return rc;
	if (out->result.state == VS_COND_TRUE || (out->result.state == VS_COND_STALE && j->fresh)) {
		out->holds = true;
		return B_OK;
	}
	quiet = vs_cond_quiet_ns(c);
	if (quiet >= 0 && still_since + quiet > now)
		out->due_ns = still_since + quiet;
	if (in.new_only && j->output)
		out->due_ns = earlier(out->due_ns, settled);
	else if (out->result.state == VS_COND_STALE && j->output)
		out->holds = out->stale = true;
	return B_OK;
}
