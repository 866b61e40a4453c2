#include "rte/typist.h"

#include "base/banned.h"

int64_t rte_typist_next(struct rte_typist *t, int64_t gap_ns, int64_t not_before_ns)
{
	int64_t due = t->started ? t->due_ns + gap_ns : not_before_ns;

	t->started = true;
	t->gap_ns = gap_ns;
	t->due_ns = due > not_before_ns ? due : not_before_ns;
	return t->due_ns;
}

int64_t rte_typist_sent(struct rte_typist *t, int64_t at)
{
	int64_t late = at - t->due_ns;

	if (late < 0)
		late = 0;
	/* Without a gap there is no schedule to fall behind of: the next key follows this one. */
	if (late > t->gap_ns) {
		t->restarts += t->gap_ns > 0;
		t->due_ns = at;
	}
	return late;
}

static bool is_word(uint32_t cp)
{
	return (cp >= '0' && cp <= '9') || (cp >= 'A' && cp <= 'Z') || (cp >= 'a' && cp <= 'z') ||
		cp >= 0xA0;
}

int64_t rte_typist_gap(struct rte_typist *t, const struct b_dist *typing, struct b_random *r,
	uint32_t cp, int64_t recorded_ns)
{
	bool word = is_word(cp);
	int64_t gap = b_dist_draw(typing, r, recorded_ns, t->word && !word);

	t->word = word;
	return gap;
}
