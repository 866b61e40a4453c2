/* Just so much of Lua's patterns as this folder writes: the engine judges them with Lua's own. */
#include <string.h>

#include "capture/infer.h"
#include "base/banned.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

void cap_pattern_quote(struct b_buf *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (is_digit(s[i])) {
			b_buf_adds(out, "%d+");
			while (i + 1 < len && is_digit(s[i + 1]))
				i++;
			continue;
		}
		if (s[i] && strchr("^$()%.[]*+-?", s[i]))
			b_buf_addc(out, '%');
		b_buf_addc(out, s[i]);
	}
}

/* Matches the pattern at the front of the subject; the end of the match, or NULL. Every repeat is
   greedy and nothing behind it can match what it took, so there is no way back. */
static const char *match_here(const char *p, const char *p_end, const char *s, const char *s_end)
{
	while (p < p_end) {
		if (*p == '$' && p + 1 == p_end)
			return s == s_end ? s : NULL;
		if (p_end - p >= 3 && !memcmp(p, "%d+", 3)) {
			if (s == s_end || !is_digit(*s))
				return NULL;
			while (s < s_end && is_digit(*s))
				s++;
			p += 3;
			continue;
		}
		if (p_end - p >= 2 && !memcmp(p, " *", 2)) {
			while (s < s_end && *s == ' ')
				s++;
			p += 2;
			continue;
		}
		if (*p == '%' && p + 1 < p_end)
			p++;
		if (s == s_end || *s != *p)
			return NULL;
		s++;
		p++;
	}
	return s;
}

int cap_pattern_match(void *user, const char *pattern, size_t pattern_len, const char *subject,
	size_t len, size_t from, size_t *start, size_t *end)
{
	bool anchored = pattern_len && pattern[0] == '^';

	(void)user;
	for (size_t i = from; i <= len; i++) {
		const char *e = match_here(
			pattern + anchored, pattern + pattern_len, subject + i, subject + len);

		if (e) {
			*start = i;
			*end = (size_t)(e - subject);
			return 1;
		}
		if (anchored)
			break;
	}
	return 0;
}
