/*
 * Any pattern on any subject: it ends within its steps, what it finds lies in the subject, and a
 * pattern that passes rte_pattern_check is never found malformed later.
 */
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "rte/pattern.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = size ? data[0] % 24 : 0;
	struct rte_pattern_in in = { .steps = 20000 };
	struct rte_pattern_match m;
	const char *why = NULL;
	int checked, rc;

	if (!size)
		return 0;
	in.whole = data[0] & 128;
	data++;
	size--;
	n = n < size ? n : size;
	in.pattern = (const char *)data;
	in.pattern_len = n;
	in.subject = (const char *)data + n;
	in.subject_len = size - n;
	in.from = in.subject_len / 3;
	checked = rte_pattern_check(in.pattern, in.pattern_len, &why);
	B_BUG_ON(checked && !why);
	rc = rte_pattern_find(&in, &m);
	B_BUG_ON(m.steps > in.steps);
	B_BUG_ON(rc < 0 && !m.error);
	B_BUG_ON(!checked && rc == B_EINPUT);
	if (rc != 1)
		return 0;
	B_BUG_ON(m.start < in.from || m.start > m.end || m.end > in.subject_len);
	for (size_t i = 0; i < m.n_captures; i++) {
		B_BUG_ON(m.captures[i].start < m.start);
		B_BUG_ON(m.captures[i].start + m.captures[i].len > m.end);
	}
	return 0;
}
