#include "rte/pattern.h"

#include <string.h>

#include "base/banned.h"

/* How deep one match may recurse: each capture, quantifier and frontier is a level. */
#define DEPTH_MAX 200

#define CAP_OPEN     (-1)
#define CAP_POSITION (-2)

struct state {
	const char *subject, *subject_end;
	const char *pattern_end;
	uint64_t steps_left;
	int depth;
	int n;
	struct {
		const char *start;
		ptrdiff_t len; /* or CAP_OPEN, CAP_POSITION */
	} cap[RTE_PATTERN_CAPTURES];
	int fail; /* negative b_status: give up */
	const char *error;
};

static const char *refuse(struct state *m, int code, const char *why)
{
	if (!m->fail) {
		m->fail = code;
		m->error = why;
	}
	return NULL;
}

static bool spend(struct state *m)
{
	if (m->steps_left == 0) {
		refuse(m, B_ERANGE, "pattern too complex for this subject");
		return false;
	}
	m->steps_left--;
	return true;
}

static bool in_class(unsigned char c, char class)
{
	bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
	bool digit = c >= '0' && c <= '9', graph = c > ' ' && c < 127;
	bool is;

	switch (class | 0x20) {
	case 'a': is = lower || upper; break;
	case 'c': is = c < ' ' || c == 127; break;
	case 'd': is = digit; break;
	case 'g': is = graph; break;
	case 'l': is = lower; break;
	case 'p': is = graph && !lower && !upper && !digit; break;
	case 's': is = c == ' ' || (c >= '\t' && c <= '\r'); break;
	case 'u': is = upper; break;
	case 'w': is = lower || upper || digit; break;
	case 'x': is = digit || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); break;
	case 'z': is = c == 0; break; /* as Lua, which still has it from 5.1 */
	default: return c == (unsigned char)class;
	}
	return class & 0x20 ? is : !is;
}

/* The end of the single-character item at p: a character, an escape or a set. */
static const char *item_end(struct state *m, const char *p)
{
	char c = *p++;

	if (c == '%') {
		if (p == m->pattern_end)
			return refuse(m, B_EINPUT, "malformed pattern (ends with '%')");
		return p + 1;
	}
	if (c != '[')
		return p;
	if (p < m->pattern_end && *p == '^')
		p++;
	do { /* a ']' in first place stands for itself */
		if (p == m->pattern_end)
			return refuse(m, B_EINPUT, "malformed pattern (missing ']')");
		c = *p++;
		if (c == '%') {
			if (p == m->pattern_end)
				return refuse(m, B_EINPUT, "malformed pattern (missing ']')");
			p++;
		}
	} while (p == m->pattern_end || *p != ']');
	return p + 1;
}

/* Whether c is in the set p .. end, which point at '[' and at its ']'. */
static bool in_set(unsigned char c, const char *p, const char *end)
{
	bool positive = true;

	if (p[1] == '^') {
		positive = false;
		p++;
	}
	while (++p < end) {
		if (*p == '%') {
			p++;
			if (in_class(c, *p))
				return positive;
		} else if (p[1] == '-' && p + 2 < end) {
			if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2])
				return positive;
			p += 2;
		} else if ((unsigned char)*p == c) {
			return positive;
		}
	}
	return !positive;
}

static bool one(struct state *m, const char *s, const char *p, const char *p_end)
{
	unsigned char c;

	if (s >= m->subject_end || !spend(m))
		return false;
	c = (unsigned char)*s;
	switch (*p) {
	case '.': return true;
	case '%': return in_class(c, p[1]);
	case '[': return in_set(c, p, p_end - 1);
	default: return (unsigned char)*p == c;
	}
}

static const char *match(struct state *m, const char *s, const char *p);

static const char *match_balance(struct state *m, const char *s, const char *p)
{
	int open = 1;

	if (m->pattern_end - p < 2)
		return refuse(m, B_EINPUT, "malformed pattern (missing arguments to '%b')");
	if (s >= m->subject_end || *s != p[0])
		return NULL;
	for (s++; s < m->subject_end && spend(m); s++) {
		if (*s == p[1]) {
			if (--open == 0)
				return s + 1;
		} else if (*s == p[0]) {
			open++;
		}
	}
	return NULL;
}

static const char *match_longest(struct state *m, const char *s, const char *p, const char *p_end)
{
	ptrdiff_t n = 0;

	while (one(m, s + n, p, p_end))
		n++;
	for (; n >= 0 && !m->fail; n--) {
		const char *end = match(m, s + n, p_end + 1);

		if (end)
			return end;
	}
	return NULL;
}

static const char *match_shortest(struct state *m, const char *s, const char *p, const char *p_end)
{
	for (;;) {
		const char *end = match(m, s, p_end + 1);

		if (end)
			return end;
		if (m->fail || !one(m, s, p, p_end))
			return NULL;
		s++;
	}
}

static const char *open_capture(struct state *m, const char *s, const char *p, ptrdiff_t what)
{
	const char *end;

	if (m->n >= RTE_PATTERN_CAPTURES)
		return refuse(m, B_EINPUT, "too many captures");
	m->cap[m->n].start = s;
	m->cap[m->n].len = what;
	m->n++;
	end = match(m, s, p);
	if (!end)
		m->n--;
	return end;
}

static const char *close_capture(struct state *m, const char *s, const char *p)
{
	const char *end;
	int i = m->n;

	do {
		if (--i < 0)
			return refuse(m, B_EINPUT, "invalid pattern capture");
	} while (m->cap[i].len != CAP_OPEN);
	m->cap[i].len = s - m->cap[i].start;
	end = match(m, s, p);
	if (!end)
		m->cap[i].len = CAP_OPEN;
	return end;
}

static const char *match_again(struct state *m, const char *s, char digit)
{
	int i = digit - '1';
	size_t len;

	if (i < 0 || i >= m->n || m->cap[i].len == CAP_OPEN)
		return refuse(m, B_EINPUT, "invalid capture index in pattern");
	if (m->cap[i].len == CAP_POSITION) /* no text to find again */
		return NULL;
	len = (size_t)m->cap[i].len;
	m->steps_left -= m->steps_left < len ? m->steps_left : len;
	if ((size_t)(m->subject_end - s) < len || memcmp(m->cap[i].start, s, len) != 0)
		return NULL;
	return s + len;
}

/* The set behind %f: NULL when malformed; else where it ends. */
static const char *frontier_end(struct state *m, const char *p)
{
	if (p == m->pattern_end || *p != '[')
		return refuse(m, B_EINPUT, "missing '[' after '%f' in pattern");
	return item_end(m, p);
}

static bool at_frontier(const struct state *m, const char *s, const char *p, const char *p_end)
{
	unsigned char before = s == m->subject ? 0 : (unsigned char)s[-1];
	unsigned char here = s == m->subject_end ? 0 : (unsigned char)*s;

	return !in_set(before, p, p_end - 1) && in_set(here, p, p_end - 1);
}

/* One item of the pattern without captures in it; moves on in *s and *p, false when it does
   not match. Sets *done when the rest of the pattern was matched by recursion: *s is the end. */
static bool step(struct state *m, const char **s, const char **p, bool *done)
{
	const char *end = item_end(m, *p);
	const char *rest;
	char how;

	if (!end)
		return false;
	how = end < m->pattern_end ? *end : 0;
	switch (how) {
	case '?':
		if (one(m, *s, *p, end)) {
			rest = match(m, *s + 1, end + 1);
			if (rest) {
				*s = rest;
				*done = true;
				return true;
			}
		}
		*p = end + 1;
		return !m->fail;
	case '+':
		if (!one(m, *s, *p, end))
			return false;
		rest = match_longest(m, *s + 1, *p, end);
		break;
	case '*': rest = match_longest(m, *s, *p, end); break;
	case '-': rest = match_shortest(m, *s, *p, end); break;
	default:
		if (!one(m, *s, *p, end))
			return false;
		(*s)++;
		*p = end;
		return true;
	}
	*s = rest;
	*done = true;
	return rest != NULL;
}

/* Matches what is left of the pattern at s; the end of the match, or NULL. */
static const char *match(struct state *m, const char *s, const char *p)
{
	bool done = false;

	if (++m->depth > DEPTH_MAX)
		refuse(m, B_ERANGE, "pattern too complex");
	while (s && p < m->pattern_end && !done && !m->fail) {
		const char *end;

		if (!spend(m)) {
			s = NULL;
		} else if (*p == '(') {
			bool position = p + 1 < m->pattern_end && p[1] == ')';

			s = open_capture(
				m, s, p + 1 + position, position ? CAP_POSITION : CAP_OPEN);
			done = true;
		} else if (*p == ')') {
			s = close_capture(m, s, p + 1);
			done = true;
		} else if (*p == '$' && p + 1 == m->pattern_end) {
			s = s == m->subject_end ? s : NULL;
			done = true;
		} else if (*p == '%' && p + 1 < m->pattern_end && p[1] == 'b') {
			s = match_balance(m, s, p + 2);
			p += 4;
		} else if (*p == '%' && p + 1 < m->pattern_end && p[1] == 'f') {
			end = frontier_end(m, p + 2);
			s = end && at_frontier(m, s, p + 2, end) ? s : NULL;
			p = end;
		} else if (*p == '%' && p + 1 < m->pattern_end && p[1] >= '0' && p[1] <= '9') {
			s = match_again(m, s, p[1]);
			p += 2;
		} else if (!step(m, &s, &p, &done)) {
			s = NULL;
		}
	}
	m->depth--;
	return m->fail ? NULL : s;
}

static int report(
	struct state *m, const char *start, const char *end, struct rte_pattern_match *out)
{
	for (int i = 0; i < m->n; i++) {
		if (m->cap[i].len == CAP_OPEN) {
			out->error = "unfinished capture";
			return B_EINPUT;
		}
		out->captures[i].start = (size_t)(m->cap[i].start - m->subject);
		out->captures[i].position = m->cap[i].len == CAP_POSITION;
		out->captures[i].len = out->captures[i].position ? 0 : (size_t)m->cap[i].len;
	}
	out->n_captures = (size_t)m->n;
	out->start = (size_t)(start - m->subject);
	out->end = (size_t)(end - m->subject);
	return 1;
}

int rte_pattern_find(const struct rte_pattern_in *in, struct rte_pattern_match *out)
{
	struct state m = {
		.subject = in->subject,
		.subject_end = in->subject + in->subject_len,
		.pattern_end = in->pattern + in->pattern_len,
		.steps_left = in->steps,
	};
	const char *s = in->subject + in->from, *p = in->pattern, *end;
	bool anchor = !in->whole && in->pattern_len > 0 && *p == '^';

	out->error = NULL;
	out->steps = 0;
	out->n_captures = 0;
	if (in->subject_len > RTE_PATTERN_SUBJECT_MAX) {
		out->error = "subject too long for a pattern (more than 1 MiB)";
		return B_ERANGE;
	}
	if (anchor)
		p++;
	do {
		m.n = 0;
		end = match(&m, s, p);
	} while (!end && !m.fail && s++ < m.subject_end && !anchor);
	out->steps = in->steps - m.steps_left;
	if (m.fail) {
		out->error = m.error;
		return m.fail;
	}
	return end ? report(&m, s, end, out) : 0;
}

/* Walks over the pattern as match does, without a subject. */
int rte_pattern_check(const char *pattern, size_t len, const char **error)
{
	struct state m = { .pattern_end = pattern + len };
	const char *p = pattern;
	bool open[RTE_PATTERN_CAPTURES];
	int i;

	while (p && p < m.pattern_end && !m.fail) {
		if (*p == '(') {
			if (m.n >= RTE_PATTERN_CAPTURES) {
				refuse(&m, B_EINPUT, "too many captures");
				break;
			}
			open[m.n] = !(p + 1 < m.pattern_end && p[1] == ')');
			p += open[m.n++] ? 1 : 2;
		} else if (*p == ')') {
			for (i = m.n - 1; i >= 0 && !open[i]; i--)
				;
			if (i < 0)
				refuse(&m, B_EINPUT, "invalid pattern capture");
			else
				open[i] = false;
			p++;
		} else if (*p == '%' && p + 1 < m.pattern_end && p[1] == 'b') {
			if (m.pattern_end - p < 4)
				refuse(&m, B_EINPUT,
					"malformed pattern (missing arguments to '%b')");
			p += 4;
		} else if (*p == '%' && p + 1 < m.pattern_end && p[1] == 'f') {
			p = frontier_end(&m, p + 2);
		} else if (*p == '%' && p + 1 < m.pattern_end && p[1] >= '0' && p[1] <= '9') {
			i = p[1] - '1';
			if (i < 0 || i >= m.n || open[i])
				refuse(&m, B_EINPUT, "invalid capture index in pattern");
			p += 2;
		} else {
			p = item_end(&m, p);
		}
	}
	for (i = 0; i < m.n && !m.fail; i++)
		if (open[i])
			refuse(&m, B_EINPUT, "unfinished capture");
	if (m.fail)
		*error = m.error;
	return m.fail;
}
