/* Whether a screen comes to rest after a response, and after how long a silence it has. */
#include "base/clock.h"
#include "capture/infer_priv.h"
#include "base/banned.h"

#define ENDLESS_NS B_NS_PER_S        /* output for so long, and no rest behind it */
#define PAINTED_NS (500 * 1000000LL) /* a first screen is there after so long */

/* The longest silence within the response, in nanoseconds. */
static int64_t longest_silence(const struct cap_session *s, const struct cap_response_run *r)
{
	const struct cap_trace *t = s->trace;
	int64_t longest = 0, last = -1;

	for (size_t e = r->item->re.first_event; e < r->item->re.end_event; e++) {
		if (t->events[e].code != 'o')
			continue;
		if (last >= 0 && t->events[e].at_ns - last > longest)
			longest = t->events[e].at_ns - last;
		last = t->events[e].at_ns;
	}
	return longest;
}

/* A silence that is longer than any within the response. */
int cap_rest_quiet_ms(const struct cap_session *s, const struct cap_response_run *r)
{
	int64_t ms = longest_silence(s, r) * 3 / 2 / 1000000 / 50 * 50 + 50;

	return ms < CAP_QUIET_MIN_MS ? CAP_QUIET_MIN_MS : ms > 10000 ? 10000 : (int)ms;
}

/* Whether the first screen was cut off by a key while it was painted, and not one that never
   comes to rest. */
bool cap_rest_is_half_painted(const struct cap_session *s, const struct cap_response_run *r)
{
	const struct cap_response *re = &r->item->re;
	size_t n = cap_session_next(s, 0);

	return r->item->kind == CAP_START && n != SIZE_MAX &&
		s->item[n].at_ns - re->last_ns < CAP_AHEAD_NS &&
		(re->last_ns - re->first_ns < PAINTED_NS ||
			longest_silence(s, r) >= CAP_QUIET_MIN_MS * 1000000LL);
}

/* Whether characters became others by a late burst. */
bool cap_rest_changes_unasked(const struct cap_item *it)
{
	const struct cap_frame *f = it->re.after;

	for (int i = 0; it->re.spontaneous && i < f->rows * f->cols; i++)
		if (it->re.spontaneous[i] && cap_frame_char(f, i / f->cols, i % f->cols) != ' ')
			return true;
	return false;
}

/* Whether output came by itself in even steps, and never otherwise, that are shorter than ns: a
   clock, however it is drawn. */
static bool is_clockwork(const struct cap_trace *t, int64_t ns)
{
	int64_t last = -1, least = INT64_MAX, most = 0;
	int n = 0;

	for (size_t e = 0; e < t->n_events; e++) {
		int64_t gap = t->events[e].at_ns - last;

		if (t->events[e].code == 'o' && last >= 0 && gap >= CAP_LATE_NS) {
			least = gap < least ? gap : least;
			most = gap > most ? gap : most;
			n++;
		}
		if (t->events[e].code == 'o')
			last = t->events[e].at_ns;
		else if (t->events[e].code == 'i')
			last = -1;
	}
	return n >= 3 && most - least <= least / 10 && least < ns;
}

/* Whether to wait for a silence of so long: a screen that changes unasked may never rest, unless
   the recording shows that it did. */
bool cap_rest_may_come(const struct cap_session *s, const struct cap_item *it, int quiet_ms)
{
	size_t n = cap_session_next(s, (size_t)(it - s->item));
	int64_t end = n == SIZE_MAX ? s->end_ns : s->item[n].at_ns;

	if (end - it->re.last_ns >= quiet_ms * 1000000LL)
		return true;
	/* Output without end up to the next key. */
	if (it->re.last_ns - it->re.first_ns > ENDLESS_NS)
		return false;
	return !cap_rest_changes_unasked(it) && !is_clockwork(s->trace, quiet_ms * 1000000LL);
}
